/**
 * Gradients of a convolution, ordinary or transposed, in one, two or three dimensions.
 *
 * Two phases: the first checks the arguments, plans the work and tells how much workspace it needs; the second queues
 * the work on a stream.
 */
#ifndef ACLNNOP_ACLNN_CONVOLUTION_BACKWARD_H
#define ACLNNOP_ACLNN_CONVOLUTION_BACKWARD_H

#include <stdbool.h>
#include <stdint.h>

#include "aclnn/aclnn_base.h"
#include "aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Phase one: checks the arguments and plans the computation of the gradients that `outputMask` asks for.
 *
 * The tensors have rank 3 (NCL), 4 (NCHW) or 5 (NCDHW), so n = 1, 2 or 3 spatial dimensions, in the order D, H, W.
 * Element types are ACL_FLOAT, ACL_FLOAT16 and, from A2 on, ACL_BF16; on the 950 series, where a transposed
 * convolution asks for gradInput, also the 8-bit floats. N is the batch, Ci and Co are the channels of input and
 * output.
 *
 * Nothing runs on the device. Everything but the data behind the tensors is copied, so all tensors and arrays may be
 * destroyed as soon as the call returns; device memory must live until phase two has run. The data addresses are
 * those of phase two, see aclSetTensorAddr(); their order is gradOutput, input, weight, gradInput, gradWeight,
 * gradBias.
 *
 * Thread-safe. The executor may be run by another thread.
 *
 * @param[in]  gradOutput     gradient of the output, [N, Co, out...]
 * @param[in]  input          the convolution's input, [N, Ci, in...]
 * @param[in]  weight         [Co, Ci / groups, kernel...]; transposed: [Ci, Co / groups, kernel...]
 * @param[in]  biasSizes      [Co], or null; read only if a tensor is empty
 * @param[in]  stride         n values, each at least 1
 * @param[in]  padding        n values, each at least 0; in 2-D also 4: top, bottom, left, right
 * @param[in]  dilation       n values, each at least 1
 * @param[in]  transposed     true for a transposed convolution
 * @param[in]  outputPadding  n values, in 2-D also 4; all 0 unless transposed; checked, but not computed with
 * @param[in]  groups         number of groups, at least 1
 * @param[in]  outputMask     exactly 3 values: compute gradInput, gradWeight, gradBias?
 * @param[in]  cubeMathType   0 keep the element type; 1 allow less precision: ACL_FLOAT as HF32 or, on old products, as
 *                            ACL_FLOAT16; 2 compute in ACL_FLOAT16; 3 compute ACL_FLOAT as HF32
 * @param[out] gradInput      shape of `input`; may be null unless asked for
 * @param[out] gradWeight     shape of `weight`; may be null unless asked for
 * @param[out] gradBias       [Co], format ACL_FORMAT_ND; may be null unless asked for
 * @param[out] workspaceSize  receives the bytes of device memory that phase two needs, possibly 0
 * @param[out] executor       receives the plan; phase two uses it up unless it was made repeatable
 * @retval ACLNN_SUCCESS                    0: both written; on failure neither is, and nothing is to be freed
 * @retval ACLNN_ERR_PARAM_NULLPTR          161001: a required argument is null, or `outputMask` does not have 3 values
 * @retval ACLNN_ERR_PARAM_INVALID          161002: an element type, format, value or shape is not accepted, or the
 *                                          tensors do not fit together
 * @retval ACLNN_ERR_INNER_CREATE_EXECUTOR  561101: the executor could not be made
 * @retval ACLNN_ERR_INNER_NULLPTR          561103: a strided view leaves its storage, or the arguments are sound but
 *                                          the product cannot plan the work
 */
ACLNN_API aclnnStatus aclnnConvolutionBackwardGetWorkspaceSize(
	const aclTensor *gradOutput, const aclTensor *input, const aclTensor *weight, const aclIntArray *biasSizes,
	const aclIntArray *stride, const aclIntArray *padding, const aclIntArray *dilation, bool transposed,
	const aclIntArray *outputPadding, int groups, const aclBoolArray *outputMask, int8_t cubeMathType,
	aclTensor *gradInput, aclTensor *gradWeight, aclTensor *gradBias, uint64_t *workspaceSize,
	aclOpExecutor **executor);

/**
 * Phase two: queues the planned computation on a stream and returns.
 *
 * The gradients are valid after aclrtSynchronizeStream(), which also returns what went wrong on the way. The memory
 * of the tensors and the workspace must live until then.
 *
 * The executor is used up, whatever is returned, unless aclSetAclOpExecutorRepeatable() was called for it. A missing
 * workspace uses up even a repeatable one. Using an executor that is used up, destroyed or none is refused.
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
ACLNN_API aclnnStatus aclnnConvolutionBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                               const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
