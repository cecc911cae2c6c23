/*
 * What a call costs whose arithmetic costs nothing: the sample of the operator's manual, 2x2x7x7 with a kernel of 1x1,
 * called from C over and over.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "acl/acl.h"
#include "aclnnop/aclnn_convolution_backward.h"

enum { PHASE_ONE, PHASE_TWO, SYNCHRONISE, TOGETHER, PARTS };
enum { UNCOUNTED = 1000, MAP = 2 * 2 * 7 * 7, KEEP_DTYPE = 0 };

struct call {
	aclTensor *grad_output, *input, *weight, *grad_input, *grad_weight, *grad_bias;
	aclIntArray *bias_sizes, *ones, *zeros;
	aclBoolArray *mask;
	aclrtStream stream;
	void *workspace;
	uint64_t workspace_size;
};

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return 1e6 * (double)time.tv_sec + 1e-3 * (double)time.tv_nsec;
}

/* Of elements that are 0: what they are costs the same. */
static aclTensor *tensor(const int64_t *shape, uint64_t rank, aclFormat format)
{
	const int64_t strides[] = {2 * 7 * 7, 7 * 7, 7, 1}, of_vector[] = {1};
	const int64_t ones[] = {2, 1, 1, 1};
	size_t bytes = sizeof(float);
	void *memory;

	for (uint64_t i = 0; i < rank; i++)
		bytes *= (size_t)shape[i];
	if (aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST) || aclrtMemset(memory, bytes, 0, bytes))
		return NULL;
	return aclCreateTensor(shape, rank, ACL_FLOAT, rank == 1 ? of_vector : shape[3] == 1 ? ones : strides, 0, format,
	                       shape, rank, memory);
}

static int phase_one(struct call *call, uint64_t *size, aclOpExecutor **executor)
{
	return aclnnConvolutionBackwardGetWorkspaceSize(
		call->grad_output, call->input, call->weight, call->bias_sizes, call->ones, call->zeros, call->ones, false,
		call->zeros, 1, call->mask, KEEP_DTYPE, call->grad_input, call->grad_weight, call->grad_bias, size, executor);
}

static int prepare(struct call *call)
{
	const int64_t map[] = {2, 2, 7, 7}, weight[] = {2, 2, 1, 1}, bias[] = {2}, ones[] = {1, 1}, zeros[] = {0, 0};
	const bool mask[] = {true, true, true};
	aclOpExecutor *executor;
	int status = aclInit(NULL);

	status = status ? status : aclrtSetDevice(0);
	status = status ? status : aclrtCreateStream(&call->stream);
	if (status)
		return status;
	call->grad_output = tensor(map, 4, ACL_FORMAT_NCHW);
	call->input = tensor(map, 4, ACL_FORMAT_NCHW);
	call->weight = tensor(weight, 4, ACL_FORMAT_NCHW);
	call->grad_input = tensor(map, 4, ACL_FORMAT_NCHW);
	call->grad_weight = tensor(weight, 4, ACL_FORMAT_NCHW);
	call->grad_bias = tensor(bias, 1, ACL_FORMAT_ND);
	call->bias_sizes = aclCreateIntArray(bias, 1);
	call->ones = aclCreateIntArray(ones, 2);
	call->zeros = aclCreateIntArray(zeros, 2);
	call->mask = aclCreateBoolArray(mask, 3);
	status = phase_one(call, &call->workspace_size, &executor);
	status = status ? status : aclDestroyAclOpExecutor(executor);
	if (!status && call->workspace_size)
		status = aclrtMalloc(&call->workspace, call->workspace_size, ACL_MEM_MALLOC_HUGE_FIRST);
	return status;
}

static int time_call(struct call *call, double times[PARTS])
{
	double start = now(), planned, launched, done;
	aclOpExecutor *executor;
	uint64_t size;
	int status = phase_one(call, &size, &executor);

	planned = now();
	status = status ? status : aclnnConvolutionBackward(call->workspace, size, executor, call->stream);
	launched = now();
	status = status ? status : aclrtSynchronizeStream(call->stream);
	done = now();
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

/* Median microseconds of the parts of a call. The process ends after this, and takes along what was made. */
int bench_small_call(int calls, double medians[PARTS])
{
	double *times[PARTS], of_call[PARTS];
	struct call call = {0};
	int status = prepare(&call);

	for (int part = 0; part < PARTS; part++)
		times[part] = calloc((size_t)calls, sizeof(double));
	for (int i = -UNCOUNTED; i < calls && !status; i++) {
		status = time_call(&call, of_call);
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
