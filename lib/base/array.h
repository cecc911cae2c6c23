/* Arrays of an operator call. Their values never change, so a reference is a snapshot. */
#ifndef EMU_ARRAY_H
#define EMU_ARRAY_H

#include <stdbool.h>
#include <stdint.h>

#include "aclnn/acl_meta.h"
#include "runtime/export.h"
#include "runtime/handle.h"

struct emu_int_array {
	struct emu_object object;
	uint64_t size;
	int64_t values[];
};

struct emu_bool_array {
	struct emu_object object;
	uint64_t size;
	bool values[];
};

/* A reference on a live array, or NULL. Give it back with emu_object_release(&array->object). */
EMU_SHARED struct emu_int_array *emu_int_array_acquire(const aclIntArray *array);
EMU_SHARED struct emu_bool_array *emu_bool_array_acquire(const aclBoolArray *array);

#endif
