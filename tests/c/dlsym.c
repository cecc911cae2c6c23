/*
 * The way frameworks reach the API: nothing is linked, every function is looked up by name, the base layer's through
 * the operator library. Prints one gradient of an all-ones problem, for the test to judge.
 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "acl/acl.h"
#include "aclnnop/aclnn_convolution_backward.h"

#define LOOK_UP(library, name) __typeof__(name) *call_##name = (__typeof__(name) *)look_up(library, #name)
#define CHECK(call) check((call), #call)

static void *open_library(const char *name)
{
	void *library = dlopen(name, RTLD_LAZY);
	if (!library) {
		printf("%s\n", dlerror());
		exit(1);
	}
	return library;
}

static void *look_up(void *library, const char *name)
{
	void *found = dlsym(library, name);
	if (!found) {
		printf("%s\n", dlerror());
		exit(1);
	}
	return found;
}

static void check(int status, const char *call)
{
	if (status) {
		printf("%s: %d\n", call, status);
		exit(1);
	}
}

int main(void)
{
	void *operators = open_library("libopapi.so");
	void *runtime = open_library("libascendcl.so");
	LOOK_UP(runtime, aclInit);
	LOOK_UP(runtime, aclFinalize);
	LOOK_UP(runtime, aclrtSetDevice);
	LOOK_UP(runtime, aclrtResetDevice);
	LOOK_UP(runtime, aclrtMalloc);
	LOOK_UP(runtime, aclrtFree);
	LOOK_UP(runtime, aclrtMemcpy);
	LOOK_UP(runtime, aclrtSynchronizeDevice);
	LOOK_UP(operators, aclCreateTensor);
	LOOK_UP(operators, aclCreateIntArray);
	LOOK_UP(operators, aclCreateBoolArray);
	LOOK_UP(operators, aclDestroyTensor);
	LOOK_UP(operators, aclDestroyIntArray);
	LOOK_UP(operators, aclDestroyBoolArray);
	LOOK_UP(operators, aclnnConvolutionBackwardGetWorkspaceSize);
	LOOK_UP(operators, aclnnConvolutionBackward);

	enum { MAP = 2 * 2 * 7, WEIGHT = 2 * 2, BYTES = MAP * sizeof(float) };
	const int64_t map[3] = {2, 2, 7}, kernel[3] = {2, 2, 1}, one[1] = {1}, zero[1] = {0};
	const bool mask[3] = {false, true, false};
	float values[MAP];
	for (int i = 0; i < MAP; i++)
		values[i] = 1;

	CHECK(call_aclInit(NULL));
	CHECK(call_aclrtSetDevice(0));
	void *ones = NULL, *result = NULL, *workspace = NULL;
	CHECK(call_aclrtMalloc(&ones, BYTES, ACL_MEM_MALLOC_HUGE_FIRST));
	CHECK(call_aclrtMalloc(&result, BYTES, ACL_MEM_MALLOC_HUGE_FIRST));
	CHECK(call_aclrtMemcpy(ones, BYTES, values, BYTES, ACL_MEMCPY_HOST_TO_DEVICE));

	aclTensor *grad_output = call_aclCreateTensor(map, 3, ACL_FLOAT, NULL, 0, ACL_FORMAT_NCL, map, 3, ones);
	aclTensor *input = call_aclCreateTensor(map, 3, ACL_FLOAT, NULL, 0, ACL_FORMAT_NCL, map, 3, ones);
	aclTensor *weight = call_aclCreateTensor(kernel, 3, ACL_FLOAT, NULL, 0, ACL_FORMAT_NCL, kernel, 3, ones);
	aclTensor *grad_weight = call_aclCreateTensor(kernel, 3, ACL_FLOAT, NULL, 0, ACL_FORMAT_NCL, kernel, 3, result);
	aclIntArray *ones_array = call_aclCreateIntArray(one, 1);
	aclIntArray *zeros_array = call_aclCreateIntArray(zero, 1);
	aclBoolArray *output_mask = call_aclCreateBoolArray(mask, 3);

	uint64_t workspace_size = 0;
	aclOpExecutor *executor = NULL;
	CHECK(call_aclnnConvolutionBackwardGetWorkspaceSize(grad_output, input, weight, NULL, ones_array, zeros_array,
	                                                    ones_array, false, zeros_array, 1, output_mask, 1, NULL,
	                                                    grad_weight, NULL, &workspace_size, &executor));
	if (workspace_size > 0)
		CHECK(call_aclrtMalloc(&workspace, workspace_size, ACL_MEM_MALLOC_HUGE_FIRST));
	CHECK(call_aclnnConvolutionBackward(workspace, workspace_size, executor, NULL));
	CHECK(call_aclrtSynchronizeDevice());
	CHECK(call_aclrtMemcpy(values, BYTES, result, WEIGHT * sizeof(float), ACL_MEMCPY_DEVICE_TO_HOST));
	printf("gradWeight: %g %g %g %g\n", (double)values[0], (double)values[1], (double)values[2], (double)values[3]);

	CHECK(call_aclDestroyBoolArray(output_mask));
	CHECK(call_aclDestroyIntArray(zeros_array));
	CHECK(call_aclDestroyIntArray(ones_array));
	CHECK(call_aclDestroyTensor(grad_weight));
	CHECK(call_aclDestroyTensor(weight));
	CHECK(call_aclDestroyTensor(input));
	CHECK(call_aclDestroyTensor(grad_output));
	if (workspace)
		CHECK(call_aclrtFree(workspace));
	CHECK(call_aclrtFree(result));
	CHECK(call_aclrtFree(ones));
	CHECK(call_aclrtResetDevice(0));
	CHECK(call_aclFinalize());
	return 0;
}
