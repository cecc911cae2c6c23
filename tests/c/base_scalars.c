/* Scalars: what is read from the caller, and what is refused. */
#include <sys/mman.h>
#include <unistd.h>

#include "acl/acl_rt.h"
#include "aclnn/acl_meta.h"
#include "aclnn/opdev/op_errno.h"
#include "check.h"

static const struct {
	int dtype;
	size_t bytes;
} accepted[] = {
	{ACL_FLOAT, 4}, {ACL_FLOAT16, 2}, {ACL_INT8, 1}, {ACL_INT32, 4}, {ACL_UINT8, 1}, {ACL_INT16, 2},
	{ACL_UINT16, 2}, {ACL_UINT32, 4}, {ACL_INT64, 8}, {ACL_UINT64, 8}, {ACL_DOUBLE, 8}, {ACL_BOOL, 1},
	{ACL_COMPLEX64, 8}, {ACL_COMPLEX128, 16}, {ACL_BF16, 2}, {ACL_HIFLOAT8, 1}, {ACL_FLOAT8_E5M2, 1},
	{ACL_FLOAT8_E4M3FN, 1}, {ACL_FLOAT8_E8M0, 1}, {ACL_FLOAT6_E3M2, 1}, {ACL_FLOAT6_E2M3, 1},
	{ACL_FLOAT4_E2M1, 1}, {ACL_FLOAT4_E1M2, 1},
};

/* The value ends where readable memory ends, and is not aligned: one byte too many would fault. */
static void test_exactly_the_bytes_of_the_type_are_read(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	mprotect(pages + page, page, PROT_NONE);
	for (size_t i = 0; i < sizeof(accepted) / sizeof(accepted[0]); i++) {
		aclScalar *scalar = aclCreateScalar(pages + page - accepted[i].bytes, (aclDataType)accepted[i].dtype);
		CHECK(scalar);
		CHECK_EQUAL(aclDestroyScalar(scalar), 0);
	}
	munmap(pages, 2 * page);
}

static void test_no_value_gives_no_scalar(void)
{
	aclGetRecentErrMsg();
	CHECK(!aclCreateScalar(NULL, ACL_FLOAT));
	CHECK_CONTAINS(aclGetRecentErrMsg(), "aclCreateScalar failed because value cannot be a NULL pointer");
}

static void test_types_without_scalars_are_refused_by_name(void)
{
	const int refused[] = {ACL_STRING, ACL_INT4, ACL_UINT1, ACL_COMPLEX32, ACL_DT_UNDEFINED, 5, 28, 42, -7};
	char value[16] = {0};
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		aclGetRecentErrMsg();
		CHECK(!aclCreateScalar(value, (aclDataType)refused[i]));
		CHECK_CONTAINS(aclGetRecentErrMsg(), "EZ1006");
	}
	CHECK(!aclCreateScalar(value, ACL_COMPLEX32));
	const char *text = aclGetRecentErrMsg();
	CHECK_CONTAINS(text, "dataType is 33 (DT_COMPLEX32)");
	CHECK_CONTAINS(text, "[DT_FLOAT,DT_FLOAT16,");
	CHECK_CONTAINS(text, "DT_FLOAT4_E1M2,]");
}

static void test_destroying(void)
{
	double value = 1;
	aclScalar *scalar = aclCreateScalar(&value, ACL_DOUBLE);
	CHECK_EQUAL(aclDestroyScalar(NULL), 0);
	CHECK_EQUAL(aclDestroyScalar(scalar), 0);
	CHECK_EQUAL(aclDestroyScalar(scalar), 0);
	aclGetRecentErrMsg();
	CHECK_EQUAL(aclDestroyScalar((const aclScalar *)&value), ACLNN_ERR_PARAM_INVALID);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "scalar is not a live aclScalar");
}

int main(void)
{
	test_exactly_the_bytes_of_the_type_are_read();
	test_no_value_gives_no_scalar();
	test_types_without_scalars_are_refused_by_name();
	test_destroying();
	return check_report();
}
