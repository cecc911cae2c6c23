/* A call as a C program makes it: phase one, phase two and the wait for the stream, on objects that are there already. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "acl/acl.h"
#include "aclnnop/aclnn_convolution_backward.h"

enum { PHASE_ONE, PHASE_TWO, SYNCHRONISE, TOGETHER, PARTS };
enum { UNCOUNTED = 1000, KEEP_DTYPE = 0 };

struct bench_call {
	aclTensor *grad_output, *input, *weight, *grad_input, *grad_weight, *grad_bias;
	aclIntArray *bias_sizes, *stride, *padding, *dilation, *output_padding;
	aclBoolArray *output_mask;
	bool transposed;
	int groups;
	aclrtStream stream;
	void *workspace; /* as large as phase one wants it */
};

static double microseconds(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return 1e6 * (double)time.tv_sec + 1e-3 * (double)time.tv_nsec;
}

/* Phase one alone; its executor is for phase two, or for aclDestroyAclOpExecutor(). */
int bench_plan(const struct bench_call *call, uint64_t *workspace_size, aclOpExecutor **executor)
{
	return aclnnConvolutionBackwardGetWorkspaceSize(
		call->grad_output, call->input, call->weight, call->bias_sizes, call->stride, call->padding, call->dilation,
		call->transposed, call->output_padding, call->groups, call->output_mask, KEEP_DTYPE, call->grad_input,
		call->grad_weight, call->grad_bias, workspace_size, executor);
}

/* The first status that is not 0. */
int bench_run(const struct bench_call *call)
{
	aclOpExecutor *executor;
	uint64_t size;
	int status = bench_plan(call, &size, &executor);

	status = status ? status : aclnnConvolutionBackward(call->workspace, size, executor, call->stream);
	return status ? status : aclrtSynchronizeStream(call->stream);
}

/* The same, with the microseconds of its parts. */
static int run_timed(const struct bench_call *call, double times[PARTS])
{
	double start = microseconds(), planned, launched, done;
	aclOpExecutor *executor;
	uint64_t size;
	int status = bench_plan(call, &size, &executor);

	planned = microseconds();
	status = status ? status : aclnnConvolutionBackward(call->workspace, size, executor, call->stream);
	launched = microseconds();
	status = status ? status : aclrtSynchronizeStream(call->stream);
	done = microseconds();
	times[PHASE_ONE] = planned - start;
	times[PHASE_TWO] = launched - planned;
	times[SYNCHRONISE] = done - launched;
	times[TOGETHER] = done - start;
	return status;
}

static int compare(const void *left, const void *right)
{
	double difference = *(const double *)left - *(const double *)right;

	return (difference > 0) - (difference < 0);
}

/* Median microseconds of the parts of a call that is made over and over. */
int bench_parts(const struct bench_call *call, int calls, double medians[PARTS])
{
	double *times[PARTS], of_call[PARTS];
	int status = 0;

	for (int part = 0; part < PARTS; part++)
		times[part] = calloc((size_t)calls, sizeof(double));
	for (int i = -UNCOUNTED; i < calls && !status; i++) {
		status = run_timed(call, of_call);
		for (int part = 0; part < PARTS && i >= 0; part++)
			times[part][i] = of_call[part];
	}
	for (int part = 0; part < PARTS; part++) {
		qsort(times[part], (size_t)calls, sizeof(double), compare);
		medians[part] = times[part][calls / 2];
		free(times[part]);
	}
	return status;
}
