// The way C++ programs write the call: vectors, a stream by reference, unique_ptr with the API's own destroy functions.
// Everything is 1 in one, two and three dimensions; prints the gradients, for the test to judge.
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <numeric>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_convolution_backward.h"

#define RETURN_UNLESS_OK(call)                                                              \
	do {                                                                                \
		auto status_ = (call);                                                      \
		if (status_ != ACL_SUCCESS) {                                               \
			const char *text_ = aclGetRecentErrMsg();                           \
			std::printf("%s: %d %s\n", #call, status_, text_ ? text_ : "");     \
			return status_;                                                     \
		}                                                                           \
	} while (0)

using Shape = std::vector<int64_t>;
using TensorOwner = std::unique_ptr<aclTensor, aclnnStatus (*)(const aclTensor *)>;
using IntArrayOwner = std::unique_ptr<aclIntArray, aclnnStatus (*)(const aclIntArray *)>;
using BoolArrayOwner = std::unique_ptr<aclBoolArray, aclnnStatus (*)(const aclBoolArray *)>;
using MemoryOwner = std::unique_ptr<void, aclError (*)(void *)>;

static int64_t elements(const Shape &shape)
{
	return std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<int64_t>());
}

static aclFormat formatOf(const Shape &shape)
{
	switch (shape.size()) {
	case 3:
		return aclFormat::ACL_FORMAT_NCL;
	case 4:
		return aclFormat::ACL_FORMAT_NCHW;
	case 5:
		return aclFormat::ACL_FORMAT_NCDHW;
	default:
		return aclFormat::ACL_FORMAT_ND;
	}
}

static int createTensor(const Shape &shape, float value, MemoryOwner &memory, TensorOwner &tensor)
{
	std::vector<float> host(elements(shape), value);
	size_t size = host.size() * sizeof(float);
	void *address = nullptr;
	RETURN_UNLESS_OK(aclrtMalloc(&address, size, ACL_MEM_MALLOC_HUGE_FIRST));
	memory.reset(address);
	RETURN_UNLESS_OK(aclrtMemcpy(address, size, host.data(), size, ACL_MEMCPY_HOST_TO_DEVICE));

	Shape strides(shape.size(), 1);
	for (size_t i = shape.size() - 1; i > 0; i--)
		strides[i - 1] = shape[i] * strides[i];
	tensor.reset(aclCreateTensor(shape.data(), shape.size(), aclDataType::ACL_FLOAT, strides.data(), 0,
	                             formatOf(shape), shape.data(), shape.size(), address));
	return tensor ? 0 : 1;
}

static int print(const char *name, const Shape &shape, const void *address)
{
	std::vector<float> host(elements(shape), -1.0f);
	size_t size = host.size() * sizeof(float);
	RETURN_UNLESS_OK(aclrtMemcpy(host.data(), size, address, size, ACL_MEMCPY_DEVICE_TO_HOST));
	std::printf("%zu-D %s:", shape.size(), name);
	for (float value : host)
		std::printf(" %g", value);
	std::printf("\n");
	return 0;
}

static int backward(size_t axes, aclrtStream &stream)
{
	Shape map(2 + axes, 7), kernel(2 + axes, 1), bias{2};
	map[0] = map[1] = kernel[0] = kernel[1] = 2;
	const bool mask[3] = {true, true, true};

	const Shape shapes[6] = {map, map, kernel, map, kernel, bias};
	std::vector<MemoryOwner> memory;
	std::vector<TensorOwner> tensors;
	for (int i = 0; i < 6; i++) {
		memory.emplace_back(nullptr, aclrtFree);
		tensors.emplace_back(nullptr, aclDestroyTensor);
		int failed = createTensor(shapes[i], i < 3 ? 1.0f : 0.0f, memory[i], tensors[i]);
		if (failed)
			return failed;
	}

	const Shape ones(axes, 1), zeros(axes, 0);
	IntArrayOwner biasSizes(aclCreateIntArray(bias.data(), bias.size()), aclDestroyIntArray);
	IntArrayOwner stride(aclCreateIntArray(ones.data(), axes), aclDestroyIntArray);
	IntArrayOwner padding(aclCreateIntArray(zeros.data(), axes), aclDestroyIntArray);
	IntArrayOwner dilation(aclCreateIntArray(ones.data(), axes), aclDestroyIntArray);
	IntArrayOwner outputPadding(aclCreateIntArray(zeros.data(), axes), aclDestroyIntArray);
	BoolArrayOwner outputMask(aclCreateBoolArray(mask, 3), aclDestroyBoolArray);

	uint64_t workspaceSize = 0;
	aclOpExecutor *executor = nullptr;
	RETURN_UNLESS_OK(aclnnConvolutionBackwardGetWorkspaceSize(
		tensors[0].get(), tensors[1].get(), tensors[2].get(), biasSizes.get(), stride.get(), padding.get(),
		dilation.get(), false, outputPadding.get(), 1, outputMask.get(), 1, tensors[3].get(), tensors[4].get(),
		tensors[5].get(), &workspaceSize, &executor));

	MemoryOwner workspace(nullptr, aclrtFree);
	if (workspaceSize > 0) {
		void *address = nullptr;
		RETURN_UNLESS_OK(aclrtMalloc(&address, workspaceSize, ACL_MEM_MALLOC_HUGE_FIRST));
		workspace.reset(address);
	}
	RETURN_UNLESS_OK(aclnnConvolutionBackward(workspace.get(), workspaceSize, executor, stream));
	RETURN_UNLESS_OK(aclrtSynchronizeStream(stream));

	static const char *const names[3] = {"gradInput", "gradWeight", "gradBias"};
	for (int i = 0; i < 3; i++) {
		int failed = print(names[i], shapes[3 + i], memory[3 + i].get());
		if (failed)
			return failed;
	}
	return 0;
}

int main()
{
	aclrtStream stream = nullptr;
	RETURN_UNLESS_OK(aclInit(nullptr));
	RETURN_UNLESS_OK(aclrtSetDevice(0));
	RETURN_UNLESS_OK(aclrtCreateStream(&stream));

	int failed = 0;
	for (size_t axes = 1; axes <= 3 && !failed; axes++)
		failed = backward(axes, stream);

	RETURN_UNLESS_OK(aclrtDestroyStream(stream));
	RETURN_UNLESS_OK(aclrtResetDevice(0));
	RETURN_UNLESS_OK(aclFinalize());
	return failed;
}
