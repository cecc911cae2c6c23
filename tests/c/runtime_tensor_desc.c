/* Descriptions of tensors hold what they were made with, and refuse what is no description. */
#include <stddef.h>

#include "acl/acl_rt.h"
#include "check.h"

/* As a client declares them; no header of ours does. */
typedef struct aclTensorDesc aclTensorDesc;
aclTensorDesc *aclCreateTensorDesc(aclDataType dtype, int count, const int64_t *dims, aclFormat format);
void aclDestroyTensorDesc(const aclTensorDesc *desc);
aclDataType aclGetTensorDescType(const aclTensorDesc *desc);
aclFormat aclGetTensorDescFormat(const aclTensorDesc *desc);
size_t aclGetTensorDescNumDims(const aclTensorDesc *desc);
aclError aclGetTensorDescDimV2(const aclTensorDesc *desc, size_t index, int64_t *size);
void aclSetTensorDescName(aclTensorDesc *desc, const char *name);
aclError aclSetTensorFormat(aclTensorDesc *desc, aclFormat format);
aclError aclSetTensorShape(aclTensorDesc *desc, int count, const int64_t *dims);
aclError aclSetTensorPlaceMent(aclTensorDesc *desc, aclMemType place);

static const int64_t dims[] = {2, 3, 5};

static void test_getters_give_what_it_was_made_with(void)
{
	aclTensorDesc *desc = aclCreateTensorDesc(ACL_FLOAT16, 3, dims, ACL_FORMAT_NCL);
	int64_t size = -7;

	CHECK_EQUAL(aclGetTensorDescType(desc), ACL_FLOAT16);
	CHECK_EQUAL(aclGetTensorDescFormat(desc), ACL_FORMAT_NCL);
	CHECK_EQUAL(aclGetTensorDescNumDims(desc), 3);
	for (size_t i = 0; i < 3; i++) {
		CHECK_EQUAL(aclGetTensorDescDimV2(desc, i, &size), 0);
		CHECK_EQUAL(size, dims[i]);
	}
	size = -7;
	CHECK_EQUAL(aclGetTensorDescDimV2(desc, 3, &size), 100000);
	CHECK_EQUAL(size, -7);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "index is 3, and desc has 3 dimensions");
	CHECK_EQUAL(aclGetTensorDescDimV2(desc, 0, NULL), 100000);
	aclDestroyTensorDesc(desc);
}

static void test_settings_of_the_storage_leave_the_description(void)
{
	aclTensorDesc *desc = aclCreateTensorDesc(ACL_INT64, 0, NULL, ACL_FORMAT_ND);

	aclSetTensorDescName(desc, "x");
	CHECK_EQUAL(aclSetTensorFormat(desc, ACL_FORMAT_NC1HWC0), 0);
	CHECK_EQUAL(aclSetTensorShape(desc, 3, dims), 0);
	CHECK_EQUAL(aclSetTensorPlaceMent(desc, ACL_MEMTYPE_HOST), 0);
	CHECK_EQUAL(aclGetTensorDescFormat(desc), ACL_FORMAT_ND);
	CHECK_EQUAL(aclGetTensorDescNumDims(desc), 0);
	CHECK_EQUAL(aclSetTensorShape(desc, -1, dims), 100000);
	CHECK_EQUAL(aclSetTensorShape(desc, 3, NULL), 100000);
	aclDestroyTensorDesc(desc);
}

static void test_nothing_is_made_of_wrong_dimensions(void)
{
	CHECK(!aclCreateTensorDesc(ACL_FLOAT, -1, dims, ACL_FORMAT_ND));
	CHECK(!aclCreateTensorDesc(ACL_FLOAT, 3, NULL, ACL_FORMAT_ND));
	CHECK(!aclCreateTensorDesc(ACL_FLOAT, 1 << 30, dims, ACL_FORMAT_ND));
}

static void test_a_null_or_destroyed_description_is_refused(void)
{
	aclTensorDesc *desc = aclCreateTensorDesc(ACL_FLOAT, 3, dims, ACL_FORMAT_ND);
	aclTensorDesc *const wrong[] = {NULL, desc};
	int64_t size;

	aclDestroyTensorDesc(desc);
	aclDestroyTensorDesc(desc);
	for (int i = 0; i < 2; i++) {
		CHECK_EQUAL(aclGetTensorDescType(wrong[i]), ACL_DT_UNDEFINED);
		CHECK_EQUAL(aclGetTensorDescFormat(wrong[i]), ACL_FORMAT_UNDEFINED);
		CHECK_EQUAL(aclGetTensorDescNumDims(wrong[i]), 0);
		CHECK_EQUAL(aclGetTensorDescDimV2(wrong[i], 0, &size), 100000);
		CHECK_EQUAL(aclSetTensorFormat(wrong[i], ACL_FORMAT_ND), 100000);
		CHECK_EQUAL(aclSetTensorShape(wrong[i], 3, dims), 100000);
		CHECK_EQUAL(aclSetTensorPlaceMent(wrong[i], ACL_MEMTYPE_DEVICE), 100000);
		aclSetTensorDescName(wrong[i], "x");
	}
	CHECK_CONTAINS(aclGetRecentErrMsg(), "an aclTensorDesc that was destroyed");
}

/* Kernels that a program brings along: refused, and no handle is given. */
aclError aclrtBinaryLoadFromData(const void *data, size_t length, const void *options, aclrtBinHandle *binary);
aclError aclrtBinaryGetFunction(aclrtBinHandle binary, const char *name, aclrtFuncHandle *function);
aclError aclrtGetFunctionAddr(aclrtFuncHandle function, void **cube, void **vector);

static void test_device_code_is_refused(void)
{
	int any = 0;
	void *out = &any, *more = &any;

	CHECK_EQUAL(aclrtBinaryLoadFromData(&any, sizeof(any), NULL, &out), 207000);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "device machine code cannot be run");
	CHECK_EQUAL(aclrtBinaryGetFunction(&any, "kernel", &out), 207000);
	CHECK_EQUAL(aclrtGetFunctionAddr(&any, &out, &more), 207000);
	CHECK(out == &any && more == &any);
	CHECK_EQUAL(aclrtBinaryLoadFromData(NULL, 0, NULL, &out), 100000);
	CHECK_EQUAL(aclrtBinaryLoadFromData(&any, 1, NULL, NULL), 100000);
	CHECK_EQUAL(aclrtBinaryGetFunction(NULL, "kernel", &out), 100000);
	CHECK_EQUAL(aclrtBinaryGetFunction(&any, NULL, &out), 100000);
	CHECK_EQUAL(aclrtGetFunctionAddr(NULL, &out, &more), 100000);
	CHECK_EQUAL(aclrtGetFunctionAddr(&any, NULL, &more), 100000);
	CHECK_EQUAL(aclrtGetFunctionAddr(&any, &out, NULL), 100000);
}

int main(void)
{
	test_getters_give_what_it_was_made_with();
	test_settings_of_the_storage_leave_the_description();
	test_nothing_is_made_of_wrong_dimensions();
	test_a_null_or_destroyed_description_is_refused();
	test_device_code_is_refused();
	return check_report();
}
