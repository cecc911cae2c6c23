/*
 * One plan, many runs: a repeatable executor is planned once and runs with other buffers, without another phase one.
 *
 * The gradients of an all-ones problem grow with gradOutput: when it holds the number v everywhere, gradInput
 * is 2 * v, gradWeight and gradBias are 14 * v.
 */
#include "common.h"

enum { COUNT = 2 * 2 * 7 };

static const int64_t map[3] = {2, 2, 7};
static const int64_t kernel[3] = {2, 2, 1};

/* Runs the plan on a gradOutput full of `value` and a gradInput of its own; counts the wrong numbers. */
static int64_t run_with(float value, const struct backward *b, aclOpExecutor *executor, void *workspace,
                        uint64_t workspace_size, aclrtStream stream)
{
	float values[COUNT];
	for (int i = 0; i < COUNT; i++)
		values[i] = value;
	struct device_tensor other_input = make_tensor(3, map, values);
	struct device_tensor other_output = make_tensor(3, map, NULL);

	/* the tensors of phase one get new addresses; inputs and outputs are counted from 0 in the order of the call */
	CHECK(aclSetInputTensorAddr(executor, 0, b->grad_output.tensor, other_input.memory));
	CHECK(aclSetOutputTensorAddr(executor, 0, b->grad_input.tensor, other_output.memory));
	CHECK(aclnnConvolutionBackward(workspace, workspace_size, executor, stream));
	CHECK(aclrtSynchronizeStream(stream));

	printf("gradOutput is %g everywhere\n", (double)value);
	int64_t wrong = count_wrong("gradInput", &other_output, 2 * value);
	wrong += count_wrong("gradWeight", &b->grad_weight, 14 * value);
	wrong += count_wrong("gradBias", &b->grad_bias, 14 * value);

	destroy_tensor(&other_output);
	destroy_tensor(&other_input);
	return wrong;
}

int main(void)
{
	aclrtStream stream = open_device();

	struct backward b = plain_backward(1);
	b.grad_output = make_ones(3, map);
	b.input = make_ones(3, map);
	b.weight = make_ones(3, kernel);
	make_outputs(&b);

	uint64_t workspace_size = 0;
	aclOpExecutor *executor = NULL;
	CHECK(plan_backward(&b, &workspace_size, &executor));
	CHECK(aclSetAclOpExecutorRepeatable(executor)); /* from here on the executor is ours to destroy */
	void *workspace = make_workspace(workspace_size);

	int64_t wrong = 0;
	for (int run = 1; run <= 4; run++)
		wrong += run_with((float)run, &b, executor, workspace, workspace_size, stream);

	CHECK(aclDestroyAclOpExecutor(executor));
	if (workspace)
		CHECK(aclrtFree(workspace));
	destroy_tensors(&b);
	close_device(stream);
	return wrong ? 1 : 0;
}
