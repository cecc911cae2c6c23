#include "aclnnop/aclnn_convolution_backward.h"

#include "operator.h"

aclnnStatus aclnnConvolutionBackwardGetWorkspaceSize(
	const aclTensor *gradOutput, const aclTensor *input, const aclTensor *weight, const aclIntArray *biasSizes,
	const aclIntArray *stride, const aclIntArray *padding, const aclIntArray *dilation, bool transposed,
	const aclIntArray *outputPadding, int groups, const aclBoolArray *outputMask, int8_t cubeMathType,
	aclTensor *gradInput, aclTensor *gradWeight, aclTensor *gradBias, uint64_t *workspaceSize, aclOpExecutor **executor)
{
	const struct emu_request request = {
		.grad_output = gradOutput,
		.input = input,
		.weight = weight,
		.bias_sizes = biasSizes,
		.stride = stride,
		.padding = padding,
		.dilation = dilation,
		.transposed = transposed,
		.output_padding = outputPadding,
		.groups = groups,
		.output_mask = outputMask,
		.cube_math_type = cubeMathType,
		.grad_input = gradInput,
		.grad_weight = gradWeight,
		.grad_bias = gradBias,
	};

	return emu_convolution_backward_prepare(&request, workspaceSize, executor);
}

aclnnStatus aclnnConvolutionBackward(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor,
                                     const aclrtStream stream)
{
	return emu_executor_launch(&emu_convolution_backward, workspace, workspaceSize, executor, stream);
}
