/**
 * Copies one tensor into another, with views on both sides and a conversion of the element type.
 *
 * Two phases: the first checks the arguments, plans the work and tells how much workspace it needs; the second queues
 * the work on a stream.
 */
#ifndef ACLNNOP_ACLNN_COPY_H
#define ACLNNOP_ACLNN_COPY_H

#include <stdint.h>

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Phase one: checks the arguments and plans the copy.
 *
 * Both tensors may be strided views. Tensors of one type are copied as they are. Different types are converted when
 * both are real numbers: floating point rounds to nearest even; towards an integer the fraction is dropped, what is
 * too large becomes the end of the range, and NaN becomes 0; integers keep their low bits; ACL_BOOL is 0 or 1.
 *
 * Nothing runs on the device. Everything but the data behind the tensors is copied, so both may be destroyed as soon as
 * the call returns; device memory must live until phase two has run. The tensors must not overlap.
 *
 * Thread-safe. The executor may be run by another thread.
 *
 * @param[in]  selfRef        the tensor to write, up to 8 dimensions; no two elements at one place
 * @param[in]  src            the tensor to read; its shape is that of `selfRef`, or is broadcast to it
 * @param[out] workspaceSize  receives the bytes of device memory that phase two needs, possibly 0
 * @param[out] executor       receives the plan; phase two uses it up unless it was made repeatable
 * @retval ACLNN_SUCCESS                    0: both written; on failure neither is, and nothing is to be freed
 * @retval ACLNN_ERR_PARAM_NULLPTR          161001: an argument is null
 * @retval ACLNN_ERR_PARAM_INVALID          161002: an element type or a shape is not accepted, or a tensor is not alive
 * @retval ACLNN_ERR_INNER_CREATE_EXECUTOR  561101: the executor could not be made
 * @retval ACLNN_ERR_INNER_NULLPTR          561103: a strided view leaves its storage, or a tensor is too large
 */
ACLNN_API aclnnStatus aclnnInplaceCopyGetWorkspaceSize(aclTensor *selfRef, const aclTensor *src,
                                                       uint64_t *workspaceSize, aclOpExecutor **executor);

/**
 * Phase two: queues the planned copy on a stream and returns.
 *
 * The data is valid after aclrtSynchronizeStream(), which also returns what went wrong on the way. The executor is used
 * up, whatever is returned, unless aclSetAclOpExecutorRepeatable() was called for it.
 *
 * Thread-safe; one executor must not be run by two threads at once.
 *
 * @param[in] workspace      device memory, freed by the caller after the stream was synchronised; null if the size is 0
 * @param[in] workspaceSize  its size in bytes, at least what phase one asked for
 * @param[in] executor       a plan made by phase one
 * @param[in] stream         a stream of the current context; null for its default stream
 * @retval ACLNN_SUCCESS            0: queued
 * @retval ACLNN_ERR_PARAM_NULLPTR  161001: `executor` is null, or `workspace` is null though `workspaceSize` is not 0
 * @retval ACLNN_ERR_RUNTIME_ERROR  361001: the stream does not take the work, e.g. the thread has no context
 * @retval ACLNN_ERR_INNER          561000: no live executor of this operator
 */
ACLNN_API aclnnStatus aclnnInplaceCopy(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                       aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
