/* Lists of tensors and of scalars. */
#include "acl/acl_rt.h"
#include "aclnn/acl_meta.h"
#include "aclnn/opdev/op_errno.h"
#include "check.h"

static aclTensor *tensor_at(void *address)
{
	return aclCreateTensor(NULL, 0, ACL_FLOAT, NULL, 0, ACL_FORMAT_ND, NULL, 0, address);
}

static bool is_live(const aclTensor *tensor)
{
	int64_t offset;
	return aclGetViewOffset(tensor, &offset) == 0;
}

static void test_a_list_copies_the_handles(void)
{
	char a, b;
	aclTensor *first = tensor_at(&a), *second = tensor_at(&a);
	const aclTensor *elements[] = {first, second};
	aclTensorList *list = aclCreateTensorList(elements, 2);
	elements[1] = NULL;
	uint64_t size = 0;
	CHECK_EQUAL(aclGetTensorListSize(list, &size), 0);
	CHECK_EQUAL(size, 2);
	/* Without an executor this fails, but moves the element. */
	CHECK_EQUAL(aclSetDynamicTensorAddr(NULL, 0, 1, list, &b), ACLNN_ERR_INNER_NULLPTR);
	void *address = NULL;
	CHECK_EQUAL(aclGetRawTensorAddr(second, &address), 0);
	CHECK(address == &b);
	CHECK_EQUAL(aclDestroyTensorList(list), 0);
}

static void test_destroying_a_list_destroys_its_elements(void)
{
	aclTensor *first = tensor_at(NULL), *last = tensor_at(NULL);
	const aclTensor *elements[] = {first, NULL, last, first};
	aclTensorList *list = aclCreateTensorList(elements, 4);
	CHECK(is_live(first) && is_live(last));
	CHECK_EQUAL(aclDestroyTensorList(list), 0);
	CHECK(!is_live(first) && !is_live(last));
	aclGetRecentErrMsg();
	CHECK(!is_live(first));
	CHECK_CONTAINS(aclGetRecentErrMsg(), "destroyed with its list");

	float value = 1;
	aclScalar *scalar = aclCreateScalar(&value, ACL_FLOAT);
	aclScalarList *scalars = aclCreateScalarList((const aclScalar *const[]){scalar, NULL}, 2);
	uint64_t size = 0;
	CHECK_EQUAL(aclGetScalarListSize(scalars, &size), 0);
	CHECK_EQUAL(size, 2);
	CHECK_EQUAL(aclDestroyScalarList(scalars), 0);
	aclGetRecentErrMsg();
	CHECK_EQUAL(aclDestroyTensor((const aclTensor *)scalar), ACLNN_ERR_PARAM_INVALID);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "an aclScalar that was destroyed with its list");
}

static void test_elements_that_are_gone_do_no_harm(void)
{
	int foreign;
	aclTensor *gone = tensor_at(NULL), *stays = tensor_at(NULL);
	const aclTensor *elements[] = {gone, (const aclTensor *)&foreign, stays};
	aclTensorList *list = aclCreateTensorList(elements, 3);
	CHECK_EQUAL(aclDestroyTensor(gone), 0);
	CHECK_EQUAL(aclDestroyTensorList(list), 0);
	CHECK(!is_live(stays));
	CHECK_EQUAL(aclDestroyTensorList(list), 0);
}

static void test_null_or_no_elements_make_an_empty_list(void)
{
	const aclTensor *none = NULL;
	aclTensorList *lists[] = {aclCreateTensorList(NULL, 3), aclCreateTensorList(&none, 0)};
	for (int i = 0; i < 2; i++) {
		uint64_t size = 77;
		CHECK(lists[i]);
		CHECK_EQUAL(aclGetTensorListSize(lists[i], &size), 0);
		CHECK_EQUAL(size, 0);
		CHECK_EQUAL(aclDestroyTensorList(lists[i]), 0);
	}
	aclScalarList *scalars = aclCreateScalarList(NULL, 3);
	uint64_t size = 77;
	CHECK_EQUAL(aclGetScalarListSize(scalars, &size), 0);
	CHECK_EQUAL(size, 0);
	CHECK_EQUAL(aclDestroyScalarList(scalars), 0);
}

static void test_a_size_that_no_memory_holds_gives_no_list(void)
{
	const aclTensor *none = NULL;
	CHECK(!aclCreateTensorList(&none, UINT64_MAX));
	CHECK(!aclCreateScalarList((const aclScalar *const *)&none, UINT64_C(1) << 61));
}

static void test_refused_handles(void)
{
	uint64_t size = 77;
	aclTensorList *list = aclCreateTensorList(NULL, 0);
	aclScalarList *scalars = aclCreateScalarList(NULL, 0);
	CHECK_EQUAL(aclDestroyTensorList(NULL), 0);
	CHECK_EQUAL(aclDestroyScalarList(NULL), 0);
	CHECK_EQUAL(aclGetTensorListSize(NULL, &size), ACLNN_ERR_PARAM_NULLPTR);
	CHECK_EQUAL(aclGetScalarListSize(NULL, &size), ACLNN_ERR_PARAM_NULLPTR);
	CHECK_EQUAL(aclGetTensorListSize(list, NULL), ACLNN_ERR_PARAM_NULLPTR);
	CHECK_EQUAL(aclGetScalarListSize(scalars, NULL), ACLNN_ERR_PARAM_NULLPTR);
	CHECK_EQUAL(aclGetScalarListSize((aclScalarList *)list, &size), ACLNN_ERR_PARAM_INVALID);
	CHECK_EQUAL(aclDestroyTensorList((aclTensorList *)scalars), ACLNN_ERR_PARAM_INVALID);
	CHECK_EQUAL(aclDestroyTensorList((aclTensorList *)&size), ACLNN_ERR_PARAM_INVALID);
	CHECK_EQUAL(aclDestroyTensorList(list), 0);
	CHECK_EQUAL(aclDestroyScalarList(scalars), 0);
	CHECK_EQUAL(aclGetTensorListSize(list, &size), ACLNN_ERR_PARAM_INVALID);
	CHECK_EQUAL(size, 77);
}

int main(void)
{
	test_a_list_copies_the_handles();
	test_destroying_a_list_destroys_its_elements();
	test_elements_that_are_gone_do_no_harm();
	test_null_or_no_elements_make_an_empty_list();
	test_a_size_that_no_memory_holds_gives_no_list();
	test_refused_handles();
	return check_report();
}
