/* The functions that move a tensor's storage base (aclnn_base section 6). */
#include <inttypes.h>

#include "aclnn/opdev/op_errno.h"
#include "base/list.h"
#include "base/object.h"
#include "base/tensor_argument.h"
#include "runtime/error.h"

aclnnStatus aclSetRawTensorAddr(aclTensor *tensor, void *addr)
{
	struct emu_cell *cell;
	aclnnStatus status =
		emu_tensor_cell_acquire("aclSetRawTensorAddr", "tensor", tensor, ACLNN_ERR_PARAM_NULLPTR, &cell);
	if (status)
		return status;
	atomic_store(&cell->address, addr);
	emu_cell_release(cell);
	return ACLNN_SUCCESS;
}

aclnnStatus aclGetRawTensorAddr(const aclTensor *tensor, void **addr)
{
	static const char function[] = "aclGetRawTensorAddr";
	if (tensor && !addr)
		return emu_refuse_null(ACLNN_ERR_PARAM_NULLPTR, function, "addr");
	struct emu_cell *cell;
	aclnnStatus status = emu_tensor_cell_acquire(function, "tensor", tensor, ACLNN_ERR_PARAM_NULLPTR, &cell);
	if (status)
		return status;
	*addr = atomic_load(&cell->address);
	emu_cell_release(cell);
	return ACLNN_SUCCESS;
}

static aclnnStatus check_executor(const char *function, const aclOpExecutor *executor)
{
	struct emu_object *object = emu_handle_acquire(executor, EMU_KIND_EXECUTOR);
	if (!object)
		return emu_refuse_handle(function, "executor", executor, EMU_KIND_EXECUTOR, ACLNN_ERR_INNER_NULLPTR);
	emu_object_release(object);
	return ACLNN_SUCCESS;
}

/*
 * The tensor is what moves, and with it every executor that shares its cell: the device sets it before it looks at the
 * executor, and our operators are of the kind for which it ignores the index.
 */
static aclnnStatus set_address(const char *function, const char *argument, const aclOpExecutor *executor,
                               const aclTensor *tensor, void *address)
{
	struct emu_cell *cell;
	aclnnStatus status = emu_tensor_cell_acquire(function, argument, tensor, ACLNN_ERR_INNER_NULLPTR, &cell);
	if (status)
		return status;
	atomic_store(&cell->address, address);
	emu_cell_release(cell);
	return check_executor(function, executor);
}

static aclnnStatus set_element(const char *function, const aclOpExecutor *executor, size_t index,
                               const struct emu_list *list, void *address)
{
	if (index >= list->container.size) {
		emu_error_add("EZ1012", "%s failed because of relativeIndex: index %zu out of range %" PRIu64, function,
		              index, list->container.size);
		return ACLNN_ERR_PARAM_INVALID;
	}
	return set_address(function, "the tensor of relativeIndex", executor, list->elements[index], address);
}

static aclnnStatus set_list_address(const char *function, const aclOpExecutor *executor, size_t index,
                                    const aclTensorList *tensors, void *address)
{
	struct emu_list *list = (struct emu_list *)emu_handle_acquire(tensors, EMU_KIND_TENSOR_LIST);
	if (!list)
		return emu_refuse_handle(function, "tensors", tensors, EMU_KIND_TENSOR_LIST, ACLNN_ERR_INNER_NULLPTR);
	aclnnStatus status = set_element(function, executor, index, list, address);
	emu_object_release(&list->container.object);
	return status;
}

aclnnStatus aclSetInputTensorAddr(aclOpExecutor *executor, const size_t index, aclTensor *tensor, void *addr)
{
	(void)index;
	return set_address("aclSetInputTensorAddr", "tensor", executor, tensor, addr);
}

aclnnStatus aclSetOutputTensorAddr(aclOpExecutor *executor, const size_t index, aclTensor *tensor, void *addr)
{
	(void)index;
	return set_address("aclSetOutputTensorAddr", "tensor", executor, tensor, addr);
}

aclnnStatus aclSetTensorAddr(aclOpExecutor *executor, const size_t index, aclTensor *tensor, void *addr)
{
	(void)index;
	return set_address("aclSetTensorAddr", "tensor", executor, tensor, addr);
}

aclnnStatus aclSetDynamicInputTensorAddr(aclOpExecutor *executor, size_t irIndex, const size_t relativeIndex,
                                         aclTensorList *tensors, void *addr)
{
	(void)irIndex;
	return set_list_address("aclSetDynamicInputTensorAddr", executor, relativeIndex, tensors, addr);
}

aclnnStatus aclSetDynamicOutputTensorAddr(aclOpExecutor *executor, size_t irIndex, const size_t relativeIndex,
                                          aclTensorList *tensors, void *addr)
{
	(void)irIndex;
	return set_list_address("aclSetDynamicOutputTensorAddr", executor, relativeIndex, tensors, addr);
}

aclnnStatus aclSetDynamicTensorAddr(aclOpExecutor *executor, size_t irIndex, const size_t relativeIndex,
                                    aclTensorList *tensors, void *addr)
{
	(void)irIndex;
	return set_list_address("aclSetDynamicTensorAddr", executor, relativeIndex, tensors, addr);
}

/* The reserved spellings, which some frameworks look up. */
#define ALIAS(name) __attribute__((alias(name)))
aclnnStatus AclSetInputTensorAddr(aclOpExecutor *, const size_t, aclTensor *, void *) ALIAS("aclSetInputTensorAddr");
aclnnStatus AclSetOutputTensorAddr(aclOpExecutor *, const size_t, aclTensor *, void *) ALIAS("aclSetOutputTensorAddr");
aclnnStatus AclSetTensorAddr(aclOpExecutor *, const size_t, aclTensor *, void *) ALIAS("aclSetTensorAddr");
aclnnStatus AclSetDynamicInputTensorAddr(aclOpExecutor *, size_t, const size_t, aclTensorList *, void *)
	ALIAS("aclSetDynamicInputTensorAddr");
aclnnStatus AclSetDynamicOutputTensorAddr(aclOpExecutor *, size_t, const size_t, aclTensorList *, void *)
	ALIAS("aclSetDynamicOutputTensorAddr");
aclnnStatus AclSetDynamicTensorAddr(aclOpExecutor *, size_t, const size_t, aclTensorList *, void *)
	ALIAS("aclSetDynamicTensorAddr");
