#include "base/array.h"

#include <stddef.h>

#include "base/container.h"
#include "base/object.h"

/* The typed views of array.h lie on what emu_container_create() made. */
#define LIES_ON_CONTAINER(type)                                                                     \
	_Static_assert(offsetof(type, size) == offsetof(struct emu_container, size) &&              \
	               offsetof(type, values) == sizeof(struct emu_container), #type " is a container")
LIES_ON_CONTAINER(struct emu_int_array);
LIES_ON_CONTAINER(struct emu_bool_array);

struct emu_int_array *emu_int_array_acquire(const aclIntArray *array)
{
	return (struct emu_int_array *)emu_handle_acquire(array, EMU_KIND_INT_ARRAY);
}

struct emu_bool_array *emu_bool_array_acquire(const aclBoolArray *array)
{
	return (struct emu_bool_array *)emu_handle_acquire(array, EMU_KIND_BOOL_ARRAY);
}

aclIntArray *aclCreateIntArray(const int64_t *value, uint64_t size)
{
	return emu_container_create("aclCreateIntArray", EMU_KIND_INT_ARRAY, value, size, sizeof(*value));
}

aclFloatArray *aclCreateFloatArray(const float *value, uint64_t size)
{
	return emu_container_create("aclCreateFloatArray", EMU_KIND_FLOAT_ARRAY, value, size, sizeof(*value));
}

aclBoolArray *aclCreateBoolArray(const bool *value, uint64_t size)
{
	return emu_container_create("aclCreateBoolArray", EMU_KIND_BOOL_ARRAY, value, size, sizeof(*value));
}

aclnnStatus aclDestroyIntArray(const aclIntArray *array)
{
	return emu_object_destroy("aclDestroyIntArray", "array", array, EMU_KIND_INT_ARRAY);
}

aclnnStatus aclDestroyFloatArray(const aclFloatArray *array)
{
	return emu_object_destroy("aclDestroyFloatArray", "array", array, EMU_KIND_FLOAT_ARRAY);
}

aclnnStatus aclDestroyBoolArray(const aclBoolArray *array)
{
	return emu_object_destroy("aclDestroyBoolArray", "array", array, EMU_KIND_BOOL_ARRAY);
}

aclnnStatus aclGetIntArraySize(const aclIntArray *array, uint64_t *size)
{
	return emu_container_size("aclGetIntArraySize", "array", array, EMU_KIND_INT_ARRAY, size);
}

aclnnStatus aclGetFloatArraySize(const aclFloatArray *array, uint64_t *size)
{
	return emu_container_size("aclGetFloatArraySize", "array", array, EMU_KIND_FLOAT_ARRAY, size);
}

aclnnStatus aclGetBoolArraySize(const aclBoolArray *array, uint64_t *size)
{
	return emu_container_size("aclGetBoolArraySize", "array", array, EMU_KIND_BOOL_ARRAY, size);
}
