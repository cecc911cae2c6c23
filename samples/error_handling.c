/*
 * What the API answers to typical mistakes, and how a program goes on after each.
 *
 * - Every call answers a status: 0 is success, 161001 a missing argument, 161002 an argument that is not accepted.
 * - aclGetRecentErrMsg() has the sentence. It is kept per thread and handed out once.
 * - A call that fails in phase one changed nothing: repair the argument and call again.
 * - What only the device can find comes later: phase two answers 0 and the next synchronise answers the error.
 */
#include "common.h"

static int surprises;

/* Prints a status beside the one that is expected, with the explanation. */
static void show(const char *mistake, int status, int expected)
{
	const char *message = aclGetRecentErrMsg();
	printf("%s: status %d%s\n%s\n", mistake, status, status == expected ? "" : " IS A SURPRISE",
	       message ? message : "(no message)");
	if (status != expected || !message)
		surprises++;
}

/* Phase one's status alone; a plan that was made all the same is thrown away. */
static int try_plan(const struct backward *b)
{
	uint64_t workspace_size = 0;
	aclOpExecutor *executor = NULL;
	int status = plan_backward(b, &workspace_size, &executor);
	if (status == 0)
		CHECK(aclDestroyAclOpExecutor(executor));
	return status;
}

static void forget_the_weight(const struct backward *right)
{
	struct backward b = *right;
	b.weight.tensor = NULL;
	show("the weight is missing", try_plan(&b), 161001);
}

static void pad_by_less_than_nothing(const struct backward *right)
{
	struct backward b = *right;
	b.padding[0] = -1;
	show("the padding is negative", try_plan(&b), 161002);
}

static void ask_for_another_shape(const struct backward *right)
{
	const int64_t other_dims[4] = {2, 2, 9, 7};
	struct backward b = *right;
	b.grad_input = make_tensor(4, other_dims, NULL);
	show("gradInput has not the shape of input", try_plan(&b), 161002);
	destroy_tensor(&b.grad_input);
}

static void let_the_groups_disagree(const struct backward *right)
{
	struct backward b = *right;
	b.groups = 2;
	show("two groups, but a weight for one", try_plan(&b), 161002);
}

/* The device cannot read host memory. Phase one does not look at addresses, and phase two only queues the work. */
static void hand_over_host_memory(const struct backward *right, aclrtStream stream)
{
	static float on_the_host[2 * 2 * 7 * 7];
	uint64_t workspace_size = 0;
	aclOpExecutor *executor = NULL;

	CHECK(aclSetRawTensorAddr(right->input.tensor, on_the_host));
	CHECK(plan_backward(right, &workspace_size, &executor));
	void *workspace = make_workspace(workspace_size);
	CHECK(aclnnConvolutionBackward(workspace, workspace_size, executor, stream));
	show("input lies in host memory, which only the run can find", aclrtSynchronizeStream(stream), 507015);

	CHECK(aclSetRawTensorAddr(right->input.tensor, right->input.memory));
	if (workspace)
		CHECK(aclrtFree(workspace));
}

int main(void)
{
	const int64_t map[4] = {2, 2, 7, 7};
	const int64_t kernel[4] = {2, 2, 1, 1};
	aclrtStream stream = open_device();

	struct backward b = plain_backward(2);
	b.grad_output = make_ones(4, map);
	b.input = make_ones(4, map);
	b.weight = make_ones(4, kernel);
	make_outputs(&b);

	forget_the_weight(&b);
	pad_by_less_than_nothing(&b);
	ask_for_another_shape(&b);
	let_the_groups_disagree(&b);
	hand_over_host_memory(&b, stream);

	printf("the same tensors, used as they should be\n");
	run_backward(&b, stream);
	int64_t wrong = count_wrong("gradInput", &b.grad_input, 2);

	destroy_tensors(&b);
	close_device(stream);
	return surprises || wrong ? 1 : 0;
}
