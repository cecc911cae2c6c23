/* Reading tensors back. This program has replaced operator new[] and delete[], as a C++ program may. */
#include <stdlib.h>

#include "acl/acl_rt.h"
#include "aclnn/acl_meta.h"
#include "aclnn/opdev/op_errno.h"
#include "check.h"

/* Room in front of every array: only the own delete[] can free it. */
enum { HEAD = 64 };
static int arrays_alive;
static bool arrays_refused;

void *operator_new_array(size_t size) __asm__("_Znam");
void operator_delete_array(void *array) __asm__("_ZdaPv");

void *operator_new_array(size_t size)
{
	char *block = arrays_refused ? NULL : malloc(HEAD + size);
	arrays_alive += block != NULL;
	return block ? block + HEAD : NULL;
}

void operator_delete_array(void *array)
{
	arrays_alive--;
	free((char *)array - HEAD);
}

static const int64_t dims[] = {2, 3};
static const int64_t strides[] = {8, 1};
static const int64_t storage[] = {4, 5, 6};

static aclTensor *tensor_of(int dtype, int format)
{
	return aclCreateTensor(dims, 2, (aclDataType)dtype, strides, 7, (aclFormat)format, storage, 3, NULL);
}

typedef aclnnStatus (*shape_getter)(const aclTensor *, int64_t **, uint64_t *);

static void check_shape_getter(shape_getter get, const int64_t *want, uint64_t want_count)
{
	aclTensor *tensor = tensor_of(ACL_FLOAT, ACL_FORMAT_ND);
	int64_t on_the_stack[1] = {99};
	int64_t *values = on_the_stack;
	uint64_t count = 77;
	int before = arrays_alive;
	CHECK_EQUAL(get(tensor, &values, &count), 0);
	CHECK_EQUAL(arrays_alive, before + 1);
	CHECK_EQUAL(on_the_stack[0], 99);
	if (CHECK_EQUAL(count, want_count))
		for (uint64_t i = 0; i < count; i++)
			CHECK_EQUAL(values[i], want[i]);
	operator_delete_array(values);
	aclDestroyTensor(tensor);
}

static void test_shapes_come_in_new_arrays_of_the_program(void)
{
	check_shape_getter(aclGetViewShape, dims, 2);
	check_shape_getter(aclGetViewStrides, strides, 2);
	check_shape_getter(aclGetStorageShape, storage, 3);
}

static void test_rank_zero_gives_an_array_to_free(void)
{
	aclTensor *tensor = aclCreateTensor(NULL, 0, ACL_FLOAT, NULL, 0, ACL_FORMAT_ND, NULL, 0, NULL);
	const shape_getter getters[] = {aclGetViewShape, aclGetStorageShape, aclGetViewStrides};
	for (int i = 0; i < 3; i++) {
		int64_t *values = NULL;
		uint64_t count = 77;
		CHECK_EQUAL(getters[i](tensor, &values, &count), 0);
		CHECK_EQUAL(count, 0);
		if (CHECK(values))
			operator_delete_array(values);
	}
	aclDestroyTensor(tensor);
}

static void check_shape_refusals(shape_getter get, const char *values_name, const char *count_name)
{
	aclTensor *tensor = tensor_of(ACL_FLOAT, ACL_FORMAT_ND);
	int64_t marker, *values = &marker;
	uint64_t count = 77;
	aclGetRecentErrMsg();
	CHECK_EQUAL(get(NULL, &values, &count), ACLNN_ERR_PARAM_NULLPTR);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "tensor cannot be a NULL pointer");
	CHECK_EQUAL(get(tensor, NULL, &count), ACLNN_ERR_PARAM_NULLPTR);
	CHECK_CONTAINS(aclGetRecentErrMsg(), values_name);
	CHECK_EQUAL(get(tensor, &values, NULL), ACLNN_ERR_PARAM_NULLPTR);
	CHECK_CONTAINS(aclGetRecentErrMsg(), count_name);
	arrays_refused = true;
	CHECK_EQUAL(get(tensor, &values, &count), ACLNN_ERR_INNER_NULLPTR);
	arrays_refused = false;
	CHECK_CONTAINS(aclGetRecentErrMsg(), "no memory");
	aclDestroyTensor(tensor);
	CHECK_EQUAL(get(tensor, &values, &count), ACLNN_ERR_PARAM_INVALID);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "tensor is not a live aclTensor");
	CHECK(values == &marker);
	CHECK_EQUAL(count, 77);
}

static void test_refused_shape_getters_touch_nothing(void)
{
	check_shape_refusals(aclGetViewShape, "viewDims cannot", "viewDimsNum cannot");
	check_shape_refusals(aclGetStorageShape, "storageDims cannot", "storageDimsNum cannot");
	check_shape_refusals(aclGetViewStrides, "stridesValue cannot", "stridesNum cannot");
}

static void test_offset_format_and_type_are_read_back(void)
{
	aclTensor *tensor = tensor_of(ACL_BF16, ACL_FORMAT_NCDHW);
	int64_t offset;
	aclFormat format;
	aclDataType dtype;
	CHECK_EQUAL(aclGetViewOffset(tensor, &offset), 0);
	CHECK_EQUAL(offset, 7);
	CHECK_EQUAL(aclGetFormat(tensor, &format), 0);
	CHECK_EQUAL(format, ACL_FORMAT_NCDHW);
	CHECK_EQUAL(aclGetDataType(tensor, &dtype), 0);
	CHECK_EQUAL(dtype, ACL_BF16);
	aclDestroyTensor(tensor);
}

static void test_refused_value_getters_touch_nothing(void)
{
	aclTensor *tensor = tensor_of(ACL_BF16, ACL_FORMAT_ND);
	int64_t offset = 77;
	aclFormat format = ACL_FORMAT_NCL;
	aclDataType dtype = ACL_INT8;
	CHECK_EQUAL(aclGetViewOffset(NULL, &offset), ACLNN_ERR_PARAM_NULLPTR);
	CHECK_EQUAL(aclGetFormat(NULL, &format), ACLNN_ERR_PARAM_NULLPTR);
	CHECK_EQUAL(aclGetDataType(NULL, &dtype), ACLNN_ERR_PARAM_NULLPTR);
	CHECK_EQUAL(aclGetViewOffset(tensor, NULL), ACLNN_ERR_PARAM_NULLPTR);
	CHECK_EQUAL(aclGetFormat(tensor, NULL), ACLNN_ERR_PARAM_NULLPTR);
	CHECK_EQUAL(aclGetDataType(tensor, NULL), ACLNN_ERR_PARAM_NULLPTR);
	aclDestroyTensor(tensor);
	CHECK_EQUAL(aclGetViewOffset(tensor, &offset), ACLNN_ERR_PARAM_INVALID);
	CHECK_EQUAL(aclGetFormat(tensor, &format), ACLNN_ERR_PARAM_INVALID);
	CHECK_EQUAL(aclGetDataType(tensor, &dtype), ACLNN_ERR_PARAM_INVALID);
	CHECK_EQUAL(offset, 77);
	CHECK_EQUAL(format, ACL_FORMAT_NCL);
	CHECK_EQUAL(dtype, ACL_INT8);
}

static void test_numbers_without_a_name_read_back_as_undefined(void)
{
	const int dtypes[] = {5, 14, 15, 18, 26, 28, 31, 32, 42, 1000, -2};
	for (size_t i = 0; i < sizeof(dtypes) / sizeof(dtypes[0]); i++) {
		aclTensor *tensor = tensor_of(dtypes[i], ACL_FORMAT_ND);
		aclDataType dtype = ACL_FLOAT;
		CHECK_EQUAL(aclGetDataType(tensor, &dtype), 0);
		CHECK_EQUAL(dtype, ACL_DT_UNDEFINED);
		aclDestroyTensor(tensor);
	}
	const int formats[] = {5, 17, 31, 48, 55, 0x104, 0x4000004, -2}; /* two of them FRACTAL_Z with more bits */
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		aclTensor *tensor = tensor_of(ACL_FLOAT, formats[i]);
		aclFormat format = ACL_FORMAT_ND;
		CHECK_EQUAL(aclGetFormat(tensor, &format), 0);
		CHECK_EQUAL(format, ACL_FORMAT_UNDEFINED);
		aclDestroyTensor(tensor);
	}
}

int main(void)
{
	test_shapes_come_in_new_arrays_of_the_program();
	test_rank_zero_gives_an_array_to_free();
	test_refused_shape_getters_touch_nothing();
	test_offset_format_and_type_are_read_back();
	test_refused_value_getters_touch_nothing();
	test_numbers_without_a_name_read_back_as_undefined();
	CHECK_EQUAL(arrays_alive, 0);
	return check_report();
}
