/* The functions that move a tensor's storage base, alone and through an executor. */
#include "acl/acl_rt.h"
#include "aclnn/acl_meta.h"
#include "aclnn/opdev/op_errno.h"
#include "base/executor.h"
#include "check.h"

static char a, b;

static aclTensor *tensor_at(void *address)
{
	return aclCreateTensor(NULL, 0, ACL_FLOAT, NULL, 5, ACL_FORMAT_ND, NULL, 0, address);
}

static void *address_of(const aclTensor *tensor)
{
	void *address = NULL;
	CHECK_EQUAL(aclGetRawTensorAddr(tensor, &address), 0);
	return address;
}

static aclError run_nothing(const void *plan, const struct emu_launch *launch)
{
	(void)plan;
	(void)launch;
	return 0;
}

static size_t describe_nothing(const void *plan, char *text, size_t size)
{
	(void)plan, (void)text, (void)size;
	return 0;
}

static void destroy_nothing(void *plan)
{
	(void)plan;
}

static aclOpExecutor *new_executor(void)
{
	static const struct emu_operator op = {"aclnnNothing", run_nothing, destroy_nothing, describe_nothing};
	return emu_executor_create(&op, NULL, NULL, 0);
}

static void test_the_raw_address_is_the_base_without_the_offset(void)
{
	aclTensor *tensor = tensor_at(&a);
	CHECK(address_of(tensor) == &a);
	CHECK_EQUAL(aclSetRawTensorAddr(tensor, &b), 0);
	CHECK(address_of(tensor) == &b);
	CHECK_EQUAL(aclSetRawTensorAddr(tensor, NULL), 0);
	CHECK(!address_of(tensor));
	aclDestroyTensor(tensor);
}

static void test_refused_raw_calls(void)
{
	aclTensor *tensor = tensor_at(&a);
	void *address = &b;
	aclGetRecentErrMsg();
	CHECK_EQUAL(aclSetRawTensorAddr(NULL, &b), ACLNN_ERR_PARAM_NULLPTR);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "aclSetRawTensorAddr failed because tensor cannot be a NULL pointer");
	CHECK_EQUAL(aclGetRawTensorAddr(NULL, &address), ACLNN_ERR_PARAM_NULLPTR);
	CHECK_EQUAL(aclGetRawTensorAddr(tensor, NULL), ACLNN_ERR_PARAM_NULLPTR);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "addr cannot be a NULL pointer");
	aclDestroyTensor(tensor);
	CHECK_EQUAL(aclSetRawTensorAddr(tensor, &b), ACLNN_ERR_PARAM_INVALID);
	CHECK_EQUAL(aclGetRawTensorAddr(tensor, &address), ACLNN_ERR_PARAM_INVALID);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "that was destroyed");
	CHECK(address == &b);
}

typedef aclnnStatus (*fixed_setter)(aclOpExecutor *, const size_t, aclTensor *, void *);
typedef aclnnStatus (*list_setter)(aclOpExecutor *, size_t, const size_t, aclTensorList *, void *);

static const fixed_setter fixed_setters[] = {
	aclSetInputTensorAddr, aclSetOutputTensorAddr, aclSetTensorAddr,
	AclSetInputTensorAddr, AclSetOutputTensorAddr, AclSetTensorAddr,
};
static const list_setter list_setters[] = {
	aclSetDynamicInputTensorAddr, aclSetDynamicOutputTensorAddr, aclSetDynamicTensorAddr,
	AclSetDynamicInputTensorAddr, AclSetDynamicOutputTensorAddr, AclSetDynamicTensorAddr,
};
enum { SETTERS = 6 };

static void test_the_index_of_an_executor_setter_does_not_matter(void)
{
	aclOpExecutor *executor = new_executor();
	aclTensor *tensor = tensor_at(&a);
	for (int i = 0; i < SETTERS; i++) {
		CHECK_EQUAL(fixed_setters[i](executor, SIZE_MAX, tensor, &b), 0);
		CHECK(address_of(tensor) == &b);
		CHECK_EQUAL(fixed_setters[i](executor, 0, tensor, NULL), 0);
		CHECK(!address_of(tensor));
	}
	aclDestroyTensor(tensor);
	aclDestroyAclOpExecutor(executor);
}

static void test_the_tensor_moves_although_the_executor_is_refused(void)
{
	aclOpExecutor *destroyed = new_executor();
	aclDestroyAclOpExecutor(destroyed);
	aclTensor *tensor = tensor_at(&a);
	for (int i = 0; i < SETTERS; i++) {
		aclSetRawTensorAddr(tensor, &a);
		CHECK_EQUAL(fixed_setters[i](NULL, 0, tensor, &b), ACLNN_ERR_INNER_NULLPTR);
		CHECK(address_of(tensor) == &b);
		aclSetRawTensorAddr(tensor, &a);
		CHECK_EQUAL(fixed_setters[i](destroyed, 0, tensor, &b), ACLNN_ERR_INNER);
		CHECK(address_of(tensor) == &b);
	}
	aclGetRecentErrMsg();
	CHECK_EQUAL(aclSetTensorAddr((aclOpExecutor *)&a, 0, tensor, &b), ACLNN_ERR_INNER);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "executor is not a live aclOpExecutor");
	aclDestroyTensor(tensor);
}

static void test_the_tensor_is_looked_at_before_the_executor(void)
{
	aclOpExecutor *executor = new_executor();
	aclTensor *destroyed = tensor_at(&a);
	aclDestroyTensor(destroyed);
	for (int i = 0; i < SETTERS; i++) {
		aclGetRecentErrMsg();
		CHECK_EQUAL(fixed_setters[i](NULL, 0, NULL, &b), ACLNN_ERR_INNER_NULLPTR);
		CHECK_CONTAINS(aclGetRecentErrMsg(), "tensor cannot be a NULL pointer");
		CHECK_EQUAL(fixed_setters[i](executor, 0, NULL, &b), ACLNN_ERR_INNER_NULLPTR);
		CHECK_EQUAL(fixed_setters[i](executor, 0, destroyed, &b), ACLNN_ERR_PARAM_INVALID);
	}
	aclDestroyAclOpExecutor(executor);
}

static void test_a_list_setter_moves_the_element_of_its_relative_index(void)
{
	aclOpExecutor *executor = new_executor();
	aclTensor *first = tensor_at(&a), *second = tensor_at(&a);
	aclTensorList *list = aclCreateTensorList((const aclTensor *const[]){first, second}, 2);
	for (int i = 0; i < SETTERS; i++) {
		aclSetRawTensorAddr(second, &a);
		CHECK_EQUAL(list_setters[i](executor, SIZE_MAX, 1, list, &b), 0);
		CHECK(address_of(first) == &a);
		CHECK(address_of(second) == &b);
	}
	aclDestroyTensorList(list);
	aclDestroyAclOpExecutor(executor);
}

static void test_list_setters_check_in_the_documented_order(void)
{
	aclOpExecutor *executor = new_executor();
	aclTensor *tensor = tensor_at(&a);
	aclTensorList *list = aclCreateTensorList((const aclTensor *const[]){tensor, NULL}, 2);
	aclTensorList *destroyed = aclCreateTensorList(NULL, 0);
	aclDestroyTensorList(destroyed);
	for (int i = 0; i < SETTERS; i++) {
		aclGetRecentErrMsg();
		CHECK_EQUAL(list_setters[i](NULL, 0, 9, NULL, &b), ACLNN_ERR_INNER_NULLPTR);
		CHECK_CONTAINS(aclGetRecentErrMsg(), "tensors cannot be a NULL pointer");
		CHECK_EQUAL(list_setters[i](executor, 0, 0, destroyed, &b), ACLNN_ERR_PARAM_INVALID);
		CHECK_CONTAINS(aclGetRecentErrMsg(), "tensors is not a live aclTensorList");
		CHECK_EQUAL(list_setters[i](NULL, 0, 2, list, &b), ACLNN_ERR_PARAM_INVALID);
		const char *text = aclGetRecentErrMsg();
		CHECK_CONTAINS(text, "EZ1012");
		CHECK_CONTAINS(text, "index 2 out of range 2");
		CHECK_EQUAL(list_setters[i](executor, 0, 1, list, &b), ACLNN_ERR_INNER_NULLPTR);
		aclSetRawTensorAddr(tensor, &a);
		CHECK_EQUAL(list_setters[i](NULL, 0, 0, list, &b), ACLNN_ERR_INNER_NULLPTR);
		CHECK(address_of(tensor) == &b);
	}
	aclDestroyTensorList(list);
	aclDestroyAclOpExecutor(executor);
}

int main(void)
{
	test_the_raw_address_is_the_base_without_the_offset();
	test_refused_raw_calls();
	test_the_index_of_an_executor_setter_does_not_matter();
	test_the_tensor_moves_although_the_executor_is_refused();
	test_the_tensor_is_looked_at_before_the_executor();
	test_a_list_setter_moves_the_element_of_its_relative_index();
	test_list_setters_check_in_the_documented_order();
	return check_report();
}
