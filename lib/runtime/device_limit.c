/* Sizes on the device that programs of its cores need. Nothing here runs such programs, so they are only kept. */
#include <stdatomic.h>

#include "acl/acl_rt.h"
#include "config.h"
#include "context.h"
#include "fail.h"

enum { LIMITS = ACL_RT_DEV_LIMIT_SIMT_PRINTF_FIFO_SIZE + 1 };

static atomic_size_t limits[EMU_MAX_DEVICES][LIMITS];

static aclError find(const char *function, aclrtDeviceLimit limit, atomic_size_t **found)
{
	struct emu_context *context;
	aclError status;

	if ((unsigned)limit >= LIMITS)
		return emu_fail(ACL_ERROR_INVALID_PARAM, "EH0007",
		                "%s failed because limit is %d; it must be 0 to 4 (ACL_RT_DEV_LIMIT_...).", function,
		                (int)limit);
	status = emu_context_require(function, &context);
	if (status)
		return status;
	*found = &limits[context->device][limit];
	emu_object_release(&context->object);
	return ACL_SUCCESS;
}

aclError aclrtDeviceSetLimit(aclrtDeviceLimit limit, size_t value)
{
	atomic_size_t *found;
	aclError status = find(__func__, limit, &found);

	if (!status)
		atomic_store(found, value);
	return status;
}

aclError aclrtDeviceGetLimit(aclrtDeviceLimit limit, size_t *value)
{
	atomic_size_t *found;
	aclError status;

	if (!value)
		return emu_fail_null(__func__, "value");
	status = find(__func__, limit, &found);
	if (!status)
		*value = atomic_load(found);
	return status;
}
