/* Arrays of int64, float and bool. */
#include "acl/acl_rt.h"
#include "aclnn/acl_meta.h"
#include "aclnn/opdev/op_errno.h"
#include "base/array.h"
#include "check.h"

static void test_an_int_array_keeps_a_copy(void)
{
	int64_t values[] = {INT64_MIN, -1, INT64_MAX};
	aclIntArray *array = aclCreateIntArray(values, 3);
	memset(values, 0, sizeof(values));
	uint64_t size = 0;
	CHECK_EQUAL(aclGetIntArraySize(array, &size), 0);
	CHECK_EQUAL(size, 3);
	struct emu_int_array *view = emu_int_array_acquire(array);
	if (!CHECK(view))
		return;
	CHECK_EQUAL(view->size, 3);
	CHECK_EQUAL(view->values[0], INT64_MIN);
	CHECK_EQUAL(view->values[1], -1);
	CHECK_EQUAL(view->values[2], INT64_MAX);
	emu_object_release(&view->object);
	CHECK_EQUAL(aclDestroyIntArray(array), 0);
}

static void test_a_bool_array_keeps_a_copy(void)
{
	bool values[] = {true, false, true};
	aclBoolArray *array = aclCreateBoolArray(values, 3);
	memset(values, 0, sizeof(values));
	uint64_t size = 0;
	CHECK_EQUAL(aclGetBoolArraySize(array, &size), 0);
	CHECK_EQUAL(size, 3);
	struct emu_bool_array *view = emu_bool_array_acquire(array);
	if (!CHECK(view))
		return;
	CHECK_EQUAL(view->size, 3);
	CHECK(view->values[0] && !view->values[1] && view->values[2]);
	emu_object_release(&view->object);
	CHECK_EQUAL(aclDestroyBoolArray(array), 0);
}

static void test_a_float_array_knows_its_size(void)
{
	const float values[] = {1.5f, -2.0f};
	aclFloatArray *array = aclCreateFloatArray(values, 2);
	uint64_t size = 0;
	CHECK_EQUAL(aclGetFloatArraySize(array, &size), 0);
	CHECK_EQUAL(size, 2);
	CHECK_EQUAL(aclDestroyFloatArray(array), 0);
}

static void test_null_or_no_values_make_an_empty_array(void)
{
	int64_t one = 1;
	aclIntArray *ints[] = {
		aclCreateIntArray(NULL, 5),
		aclCreateIntArray(&one, 0),
		aclCreateIntArray(NULL, UINT64_MAX),
	};
	for (int i = 0; i < 3; i++) {
		uint64_t size = 77;
		CHECK(ints[i]);
		CHECK_EQUAL(aclGetIntArraySize(ints[i], &size), 0);
		CHECK_EQUAL(size, 0);
		CHECK_EQUAL(aclDestroyIntArray(ints[i]), 0);
	}
	uint64_t size = 77;
	aclFloatArray *floats = aclCreateFloatArray(NULL, 5);
	CHECK_EQUAL(aclGetFloatArraySize(floats, &size), 0);
	CHECK_EQUAL(size, 0);
	CHECK_EQUAL(aclDestroyFloatArray(floats), 0);
	size = 77;
	aclBoolArray *bools = aclCreateBoolArray(NULL, 5);
	CHECK_EQUAL(aclGetBoolArraySize(bools, &size), 0);
	CHECK_EQUAL(size, 0);
	CHECK_EQUAL(aclDestroyBoolArray(bools), 0);
}

static void test_a_size_that_no_memory_holds_gives_no_array(void)
{
	const int64_t one = 1;
	aclGetRecentErrMsg();
	CHECK(!aclCreateIntArray(&one, UINT64_MAX));
	CHECK_CONTAINS(aclGetRecentErrMsg(), "aclCreateIntArray failed because size is 18446744073709551615");
	CHECK(!aclCreateIntArray(&one, UINT64_C(1) << 61)); /* its bytes are a multiple of 2^64 */
	CHECK(!aclCreateFloatArray((const float *)&one, UINT64_C(1) << 62));
	CHECK(!aclCreateBoolArray((const bool *)&one, UINT64_MAX - 31));
}

static void test_null_arguments_of_the_size_getters(void)
{
	const int64_t one = 1;
	uint64_t size = 77;
	aclIntArray *ints = aclCreateIntArray(&one, 1);
	aclFloatArray *floats = aclCreateFloatArray(NULL, 0);
	aclBoolArray *bools = aclCreateBoolArray(NULL, 0);
	aclGetRecentErrMsg();
	CHECK_EQUAL(aclGetIntArraySize(NULL, &size), ACLNN_ERR_PARAM_NULLPTR);
	const char *text = aclGetRecentErrMsg();
	CHECK_CONTAINS(text, "EZ1011");
	CHECK_CONTAINS(text, "aclGetIntArraySize failed because array cannot be a NULL pointer");
	CHECK_EQUAL(aclGetFloatArraySize(NULL, &size), ACLNN_ERR_PARAM_NULLPTR);
	CHECK_EQUAL(aclGetBoolArraySize(NULL, &size), ACLNN_ERR_PARAM_NULLPTR);
	CHECK_EQUAL(aclGetIntArraySize(ints, NULL), ACLNN_ERR_PARAM_NULLPTR);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "size cannot be a NULL pointer");
	CHECK_EQUAL(aclGetFloatArraySize(floats, NULL), ACLNN_ERR_PARAM_NULLPTR);
	CHECK_EQUAL(aclGetBoolArraySize(bools, NULL), ACLNN_ERR_PARAM_NULLPTR);
	CHECK_EQUAL(size, 77);
	aclDestroyIntArray(ints);
	aclDestroyFloatArray(floats);
	aclDestroyBoolArray(bools);
}

static void test_handles_that_are_no_live_array_are_named(void)
{
	const int64_t one = 1;
	uint64_t size = 77;
	aclIntArray *ints = aclCreateIntArray(&one, 1);
	aclGetRecentErrMsg();
	CHECK_EQUAL(aclGetBoolArraySize((aclBoolArray *)ints, &size), ACLNN_ERR_PARAM_INVALID);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "array is not a live aclBoolArray");
	CHECK_EQUAL(aclDestroyFloatArray((aclFloatArray *)ints), ACLNN_ERR_PARAM_INVALID);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "aclDestroyFloatArray failed");
	CHECK(!emu_bool_array_acquire((aclBoolArray *)ints));
	CHECK_EQUAL(aclDestroyIntArray(ints), 0);
	CHECK(!emu_int_array_acquire(ints));
	CHECK_EQUAL(aclGetIntArraySize(ints, &size), ACLNN_ERR_PARAM_INVALID);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "an aclIntArray that was destroyed");
	CHECK_EQUAL(aclGetIntArraySize((const aclIntArray *)&one, &size), ACLNN_ERR_PARAM_INVALID);
	CHECK_EQUAL(size, 77);
}

static void test_destroying_null_or_twice_is_fine(void)
{
	aclGetRecentErrMsg();
	CHECK_EQUAL(aclDestroyIntArray(NULL), 0);
	CHECK_EQUAL(aclDestroyFloatArray(NULL), 0);
	CHECK_EQUAL(aclDestroyBoolArray(NULL), 0);
	aclBoolArray *bools = aclCreateBoolArray(NULL, 0);
	CHECK_EQUAL(aclDestroyBoolArray(bools), 0);
	CHECK_EQUAL(aclDestroyBoolArray(bools), 0);
	CHECK(!aclGetRecentErrMsg());
}

static void test_an_acquired_array_outlives_its_handle(void)
{
	const int64_t values[] = {5, 6};
	aclIntArray *array = aclCreateIntArray(values, 2);
	struct emu_int_array *view = emu_int_array_acquire(array);
	CHECK_EQUAL(aclDestroyIntArray(array), 0);
	CHECK_EQUAL(view->values[1], 6);
	emu_object_release(&view->object);
}

int main(void)
{
	test_an_int_array_keeps_a_copy();
	test_a_bool_array_keeps_a_copy();
	test_a_float_array_knows_its_size();
	test_null_or_no_values_make_an_empty_array();
	test_a_size_that_no_memory_holds_gives_no_array();
	test_null_arguments_of_the_size_getters();
	test_handles_that_are_no_live_array_are_named();
	test_destroying_null_or_twice_is_fine();
	test_an_acquired_array_outlives_its_handle();
	return check_report();
}
