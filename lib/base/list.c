#include "base/list.h"

#include "base/object.h"

_Static_assert(offsetof(struct emu_list, elements) == sizeof(struct emu_container), "a list is a container");

/* A list takes its elements with it. Those that are null or already destroyed are nobody's mistake here. */
static aclnnStatus destroy_list(const char *function, const char *argument, const void *handle, enum emu_kind kind,
                                enum emu_kind element_kind)
{
	struct emu_list *list = (struct emu_list *)emu_handle_acquire(handle, kind);
	aclnnStatus status = emu_object_destroy(function, argument, handle, kind);
	if (!list)
		return status;
	for (uint64_t i = 0; i < list->container.size; i++)
		emu_handle_close(list->elements[i], element_kind, "destroyed with its list");
	emu_object_release(&list->container.object);
	return status;
}

aclTensorList *aclCreateTensorList(const aclTensor *const *value, uint64_t size)
{
	return emu_container_create("aclCreateTensorList", EMU_KIND_TENSOR_LIST, value, size, sizeof(*value));
}

aclScalarList *aclCreateScalarList(const aclScalar *const *value, uint64_t size)
{
	return emu_container_create("aclCreateScalarList", EMU_KIND_SCALAR_LIST, value, size, sizeof(*value));
}

aclnnStatus aclDestroyTensorList(const aclTensorList *array)
{
	return destroy_list("aclDestroyTensorList", "array", array, EMU_KIND_TENSOR_LIST, EMU_KIND_TENSOR);
}

aclnnStatus aclDestroyScalarList(const aclScalarList *array)
{
	return destroy_list("aclDestroyScalarList", "array", array, EMU_KIND_SCALAR_LIST, EMU_KIND_SCALAR);
}

aclnnStatus aclGetTensorListSize(const aclTensorList *tensorList, uint64_t *size)
{
	return emu_container_size("aclGetTensorListSize", "tensorList", tensorList, EMU_KIND_TENSOR_LIST, size);
}

aclnnStatus aclGetScalarListSize(const aclScalarList *scalarList, uint64_t *size)
{
	return emu_container_size("aclGetScalarListSize", "scalarList", scalarList, EMU_KIND_SCALAR_LIST, size);
}
