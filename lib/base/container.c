#include "base/container.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "aclnn/opdev/op_errno.h"
#include "base/object.h"
#include "runtime/error.h"

/* No call needs more, and a count that was never set is refused before memory is asked for it. */
static const uint64_t MOST_VALUES = UINT64_C(1) << 28;

static void free_container(struct emu_object *object)
{
	free(object);
}

void *emu_container_create(const char *function, enum emu_kind kind, const void *value, uint64_t size,
                           size_t value_bytes)
{
	if (!value)
		size = 0;
	if (size > MOST_VALUES) {
		emu_error_add("EZ1010", "%s failed because size is %" PRIu64 ": at most %" PRIu64 " values can be held",
		              function, size, MOST_VALUES);
		return NULL;
	}
	struct emu_container *container = calloc(1, sizeof(*container) + (size_t)size * value_bytes);
	if (!container)
		goto no_memory;
	container->size = size;
	if (size)
		memcpy(container + 1, value, (size_t)size * value_bytes);
	if (emu_handle_open(&container->object, kind, free_container))
		return container->object.handle;
	free(container);
no_memory:
	emu_error_add("EZ9999", "%s failed because no memory or no handle is left for %" PRIu64 " values", function,
	              size);
	return NULL;
}

aclnnStatus emu_container_size(const char *function, const char *argument, const void *handle, enum emu_kind kind,
                               uint64_t *size)
{
	if (handle && !size)
		return emu_refuse_null(ACLNN_ERR_PARAM_NULLPTR, function, "size");
	struct emu_container *container = (struct emu_container *)emu_handle_acquire(handle, kind);
	if (!container)
		return emu_refuse_handle(function, argument, handle, kind, ACLNN_ERR_PARAM_NULLPTR);
	*size = container->size;
	emu_object_release(&container->object);
	return ACLNN_SUCCESS;
}
