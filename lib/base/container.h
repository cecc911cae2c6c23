/* What arrays and lists have in common: an object, a count, and values that were copied once and never change. */
#ifndef EMU_CONTAINER_H
#define EMU_CONTAINER_H

#include <stddef.h>
#include <stdint.h>

#include "aclnn/acl_meta.h"
#include "runtime/handle.h"

/* The head of every array and list; the values follow it directly. */
struct emu_container {
	struct emu_object object;
	uint64_t size;
};

/**
 * Copies `size` values into a new container. A null `value` makes an empty one, whatever `size` says.
 *
 * @return the handle; NULL with a record when no memory could hold the values
 */
void *emu_container_create(const char *function, enum emu_kind kind, const void *value, uint64_t size,
                           size_t value_bytes);

/* What every aclGet...Size() does. */
aclnnStatus emu_container_size(const char *function, const char *argument, const void *handle, enum emu_kind kind,
                               uint64_t *size);

#endif
