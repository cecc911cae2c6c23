#include <stdlib.h>
#include <string.h>

#include "aclnn/opdev/op_errno.h"
#include "base/dtype.h"
#include "base/object.h"
#include "base/tensor_argument.h"
#include "runtime/error.h"

/*
 * Callers free the arrays of the shape getters with C++ delete[], so they must come from the program's operator new[],
 * which it may have replaced. A program without C++ has none: its arrays are malloc()'s, as the usual delete[] expects.
 */
extern void *cxx_new_array(size_t size) __asm__("_Znam") __attribute__((weak));

static void *new_array(size_t size)
{
	return cxx_new_array ? cxx_new_array(size) : malloc(size ? size : 1);
}

/* Every getter looks for nulls first. */
static aclnnStatus read_numbers(const char *function, const aclTensor *tensor, const char *result_name,
                                const void *result, struct emu_tensor_numbers *numbers)
{
	if (tensor && !result)
		return emu_refuse_null(ACLNN_ERR_PARAM_NULLPTR, function, result_name);
	return emu_tensor_read(function, tensor, numbers);
}

/* The results of a shape getter, with their names for messages. */
struct results {
	const char *values_name;
	int64_t **values;
	const char *count_name;
	uint64_t *count;
};

static aclnnStatus read_for_shape(const char *function, const aclTensor *tensor, const struct results *results,
                                  struct emu_tensor_numbers *numbers)
{
	if (tensor && results->values && !results->count)
		return emu_refuse_null(ACLNN_ERR_PARAM_NULLPTR, function, results->count_name);
	return read_numbers(function, tensor, results->values_name, results->values, numbers);
}

/* Rank 0 too gives an array that can be freed. */
static aclnnStatus give_array(const char *function, const struct results *results, const int64_t *from, int count)
{
	size_t bytes = (size_t)count * sizeof(*from);
	int64_t *copy = new_array(bytes);
	if (!copy) {
		emu_error_add("EZ9999", "%s failed because there is no memory for %d values", function, count);
		return ACLNN_ERR_INNER_NULLPTR;
	}
	memcpy(copy, from, bytes);
	*results->values = copy;
	*results->count = (uint64_t)count;
	return ACLNN_SUCCESS;
}

aclnnStatus aclGetViewShape(const aclTensor *tensor, int64_t **viewDims, uint64_t *viewDimsNum)
{
	static const char function[] = "aclGetViewShape";
	const struct results results = {"viewDims", viewDims, "viewDimsNum", viewDimsNum};
	struct emu_tensor_numbers numbers;
	aclnnStatus status = read_for_shape(function, tensor, &results, &numbers);
	return status ? status : give_array(function, &results, numbers.dims, numbers.rank);
}

aclnnStatus aclGetStorageShape(const aclTensor *tensor, int64_t **storageDims, uint64_t *storageDimsNum)
{
	static const char function[] = "aclGetStorageShape";
	const struct results results = {"storageDims", storageDims, "storageDimsNum", storageDimsNum};
	struct emu_tensor_numbers numbers;
	aclnnStatus status = read_for_shape(function, tensor, &results, &numbers);
	return status ? status : give_array(function, &results, numbers.storage_dims, numbers.storage_rank);
}

aclnnStatus aclGetViewStrides(const aclTensor *tensor, int64_t **stridesValue, uint64_t *stridesNum)
{
	static const char function[] = "aclGetViewStrides";
	const struct results results = {"stridesValue", stridesValue, "stridesNum", stridesNum};
	struct emu_tensor_numbers numbers;
	aclnnStatus status = read_for_shape(function, tensor, &results, &numbers);
	return status ? status : give_array(function, &results, numbers.strides, numbers.strides_count);
}

aclnnStatus aclGetViewOffset(const aclTensor *tensor, int64_t *offset)
{
	struct emu_tensor_numbers numbers;
	aclnnStatus status = read_numbers("aclGetViewOffset", tensor, "offset", offset, &numbers);
	if (!status)
		*offset = numbers.offset;
	return status;
}

/* A number without a name in aclFormat (in aclDataType, below) reads back as undefined; sub-format bits make it one. */
aclnnStatus aclGetFormat(const aclTensor *tensor, aclFormat *format)
{
	struct emu_tensor_numbers numbers;
	aclnnStatus status = read_numbers("aclGetFormat", tensor, "format", format, &numbers);
	if (!status)
		*format = emu_format_is_known(numbers.format) ? numbers.format : ACL_FORMAT_UNDEFINED;
	return status;
}

aclnnStatus aclGetDataType(const aclTensor *tensor, aclDataType *dataType)
{
	struct emu_tensor_numbers numbers;
	aclnnStatus status = read_numbers("aclGetDataType", tensor, "dataType", dataType, &numbers);
	if (!status)
		*dataType = emu_dtype_is_known(numbers.dtype) ? numbers.dtype : ACL_DT_UNDEFINED;
	return status;
}
