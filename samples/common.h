/*
 * What every sample needs: a device, tensors, and one place that makes the two-phase call.
 *
 * The samples keep to what C11 and C++11 have in common: the headers of a real device's toolkit are for C++ only.
 */
#ifndef SAMPLES_COMMON_H
#define SAMPLES_COMMON_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "acl/acl.h"
#include "aclnnop/aclnn_convolution_backward.h"

/* ---- statuses -------------------------------------------------------------------------------------------- */

/* Every function of the API answers 0 or a status; the sentence that explains it waits in aclGetRecentErrMsg(). */
#define CHECK(call) check_status((call), #call, __FILE__, __LINE__)

static inline void check_status(int status, const char *call, const char *file, int line)
{
	if (status == 0)
		return;
	const char *message = aclGetRecentErrMsg();
	fprintf(stderr, "%s:%d: %s\nanswered %d: %s\n", file, line, call, status, message ? message : "(no message)");
	exit(1);
}

/* ---- the device ------------------------------------------------------------------------------------------ */

static inline aclrtStream open_device(void)
{
	aclrtStream stream = NULL;
	CHECK(aclInit(NULL));
	CHECK(aclrtSetDevice(0));
	CHECK(aclrtCreateStream(&stream));
	return stream;
}

static inline void close_device(aclrtStream stream)
{
	CHECK(aclrtDestroyStream(stream));
	CHECK(aclrtResetDevice(0));
	CHECK(aclFinalize());
}

/* ---- tensors of FLOAT ------------------------------------------------------------------------------------ */

enum { MAX_RANK = 5 };

struct device_tensor {
	aclTensor *tensor;
	void *memory;    /* on the device */
	int64_t count;   /* elements */
	int64_t dims[MAX_RANK];
	int rank;
};

static inline size_t byte_count(const struct device_tensor *t)
{
	return (size_t)t->count * sizeof(float);
}

/* What the device calls a dense tensor of this rank; a bias is plain ND. */
static inline aclFormat format_of_rank(int rank)
{
	switch (rank) {
	case 3:
		return ACL_FORMAT_NCL;
	case 4:
		return ACL_FORMAT_NCHW;
	case 5:
		return ACL_FORMAT_NCDHW;
	default:
		return ACL_FORMAT_ND;
	}
}

/* A dense tensor in new device memory, filled with `values`; NULL leaves it unset, as an output may be. */
static inline struct device_tensor make_tensor(int rank, const int64_t *dims, const float *values)
{
	struct device_tensor t = {NULL, NULL, 1, {0}, rank};
	for (int i = 0; i < rank; i++) {
		t.dims[i] = dims[i];
		t.count *= dims[i];
	}
	CHECK(aclrtMalloc(&t.memory, byte_count(&t), ACL_MEM_MALLOC_HUGE_FIRST));
	if (values)
		CHECK(aclrtMemcpy(t.memory, byte_count(&t), values, byte_count(&t), ACL_MEMCPY_HOST_TO_DEVICE));

	/* no strides given: the tensor is dense; its storage is as large as the tensor itself */
	t.tensor = aclCreateTensor(dims, (uint64_t)rank, ACL_FLOAT, NULL, 0, format_of_rank(rank), dims, (uint64_t)rank,
	                           t.memory);
	if (!t.tensor) {
		fprintf(stderr, "aclCreateTensor() made no tensor\n");
		exit(1);
	}
	return t;
}

/* A tensor of ones. */
static inline struct device_tensor make_ones(int rank, const int64_t *dims)
{
	int64_t count = 1;
	for (int i = 0; i < rank; i++)
		count *= dims[i];
	float *ones = (float *)malloc((size_t)count * sizeof(float));
	for (int64_t i = 0; i < count; i++)
		ones[i] = 1;
	struct device_tensor t = make_tensor(rank, dims, ones);
	free(ones);
	return t;
}

/* The tensor's numbers in host memory; the caller frees them. */
static inline float *read_tensor(const struct device_tensor *t)
{
	float *values = (float *)malloc(byte_count(t));
	CHECK(aclrtMemcpy(values, byte_count(t), t->memory, byte_count(t), ACL_MEMCPY_DEVICE_TO_HOST));
	return values;
}

static inline void destroy_tensor(struct device_tensor *t)
{
	CHECK(aclDestroyTensor(t->tensor)); /* leaves the memory to us */
	CHECK(aclrtFree(t->memory));
}

/* ---- aclnnConvolutionBackward ---------------------------------------------------------------------------- */

/* One backward convolution: the tensors, and the numbers of the forward convolution that it belongs to. */
struct backward {
	int axes; /* 1, 2 or 3 */
	int64_t stride[3], padding[3], dilation[3];
	int groups;
	int8_t cube_math_type; /* FLOAT tensors: 0 computes in FLOAT, 1 and 3 in HF32, 2 in FLOAT16 */
	struct device_tensor grad_output, input, weight;
	struct device_tensor grad_input, grad_weight, grad_bias;
};

/* Stride 1, no padding, dilation 1, one group, and a cube that may compute in HF32; the tensors are still to come. */
static inline struct backward plain_backward(int axes)
{
	const struct device_tensor none = {NULL, NULL, 0, {0}, 0};
	struct backward b = {axes, {1, 1, 1}, {0, 0, 0}, {1, 1, 1}, 1, 1, none, none, none, none, none, none};
	return b;
}

/* The three outputs have the shapes of what they are the gradients of; the bias has one element per output channel. */
static inline void make_outputs(struct backward *b)
{
	b->grad_input = make_tensor(b->input.rank, b->input.dims, NULL);
	b->grad_weight = make_tensor(b->weight.rank, b->weight.dims, NULL);
	b->grad_bias = make_tensor(1, &b->grad_output.dims[1], NULL);
}

static inline void destroy_tensors(struct backward *b)
{
	destroy_tensor(&b->grad_bias);
	destroy_tensor(&b->grad_weight);
	destroy_tensor(&b->grad_input);
	destroy_tensor(&b->weight);
	destroy_tensor(&b->input);
	destroy_tensor(&b->grad_output);
}

/* Phase one: checks everything, computes nothing, answers how much workspace phase two needs, and an executor. */
static inline aclnnStatus plan_backward(const struct backward *b, uint64_t *workspace_size, aclOpExecutor **executor)
{
	const int64_t no_output_padding[3] = {0, 0, 0};
	const bool all_three[3] = {true, true, true};
	uint64_t axes = (uint64_t)b->axes;

	aclIntArray *bias_sizes = aclCreateIntArray(&b->grad_output.dims[1], 1);
	aclIntArray *stride = aclCreateIntArray(b->stride, axes);
	aclIntArray *padding = aclCreateIntArray(b->padding, axes);
	aclIntArray *dilation = aclCreateIntArray(b->dilation, axes);
	aclIntArray *output_padding = aclCreateIntArray(no_output_padding, axes);
	aclBoolArray *output_mask = aclCreateBoolArray(all_three, 3);

	aclnnStatus status = aclnnConvolutionBackwardGetWorkspaceSize(
		b->grad_output.tensor, b->input.tensor, b->weight.tensor, bias_sizes, stride, padding, dilation, false,
		output_padding, b->groups, output_mask, b->cube_math_type, b->grad_input.tensor, b->grad_weight.tensor,
		b->grad_bias.tensor, workspace_size, executor);

	/* the executor has its own copy of all arrays */
	CHECK(aclDestroyBoolArray(output_mask));
	CHECK(aclDestroyIntArray(output_padding));
	CHECK(aclDestroyIntArray(dilation));
	CHECK(aclDestroyIntArray(padding));
	CHECK(aclDestroyIntArray(stride));
	CHECK(aclDestroyIntArray(bias_sizes));
	return status;
}

/* Device memory for phase two; NULL when it needs none. */
static inline void *make_workspace(uint64_t size)
{
	void *workspace = NULL;
	if (size > 0)
		CHECK(aclrtMalloc(&workspace, size, ACL_MEM_MALLOC_HUGE_FIRST));
	return workspace;
}

/* The whole call: both phases, and the wait for the stream, without which the outputs may not be there yet. */
static inline void run_backward(const struct backward *b, aclrtStream stream)
{
	uint64_t workspace_size = 0;
	aclOpExecutor *executor = NULL;
	CHECK(plan_backward(b, &workspace_size, &executor));
	void *workspace = make_workspace(workspace_size);
	CHECK(aclnnConvolutionBackward(workspace, workspace_size, executor, stream)); /* uses the executor up */
	CHECK(aclrtSynchronizeStream(stream));
	if (workspace)
		CHECK(aclrtFree(workspace));
}

/* Prints the first numbers of a tensor and counts the elements that are not `want`. */
static inline int64_t count_wrong(const char *name, const struct device_tensor *t, float want)
{
	float *got = read_tensor(t);
	int64_t wrong = 0;
	for (int64_t i = 0; i < t->count; i++)
		wrong += got[i] != want;
	printf("%-10s  %4lld elements, the first is %g: %s\n", name, (long long)t->count, (double)got[0],
	       wrong ? "WRONG" : "right");
	free(got);
	return wrong;
}

#endif
