/* Initialisation, dump and the other functions that only check their arguments. */
#include <stdio.h>

#include "acl/acl_rt.h"
#include "aclnn/aclnn_base.h"
#include "aclnn/opdev/op_errno.h"
#include "check.h"

extern aclnnStatus InitSystemConfig(const char *configPath);

static void test_init_takes_any_path_any_number_of_times(void)
{
	CHECK_EQUAL(aclnnInit(NULL), 0);
	CHECK_EQUAL(aclnnInit(""), 0);
	CHECK_EQUAL(aclnnInit("/no/such/file.json"), 0);
	CHECK_EQUAL(aclnnInit("/dev/null"), 0);
	CHECK_EQUAL(InitSystemConfig(NULL), 0);
	CHECK_EQUAL(aclnnFinalize(), 0);
	CHECK_EQUAL(aclnnFinalize(), 0);
}

static void test_reselecting_kernels_wants_a_path_that_exists(void)
{
	CHECK_EQUAL(aclnnReselectStaticKernel(), 0);
	CHECK_EQUAL(aclnnReselectStaticKernelWithPath("/"), 0);
	CHECK_EQUAL(aclnnReselectStaticKernelWithPath(NULL), ACLNN_ERR_PARAM_NULLPTR);
	CHECK_EQUAL(aclnnReselectStaticKernelWithPath(""), ACLNN_ERR_PARAM_INVALID);
	aclGetRecentErrMsg();
	CHECK_EQUAL(aclnnReselectStaticKernelWithPath("/no/such/folder"), ACLNN_ERR_PARAM_INVALID);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "path \"/no/such/folder\" does not exist");
}

static void test_dump_checks_for_nulls_only(void)
{
	aclTensor *tensors[] = {NULL};
	char any;
	aclGetRecentErrMsg();
	CHECK_EQUAL(aclDumpOpTensors("Conv", "conv_1", tensors, 1, 0, &any), 0);
	CHECK(!aclGetRecentErrMsg());
	CHECK_EQUAL(aclDumpOpTensors(NULL, "conv_1", tensors, 1, 0, &any), ACLNN_ERR_PARAM_NULLPTR);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "opType");
	CHECK_EQUAL(aclDumpOpTensors("Conv", NULL, tensors, 1, 0, &any), ACLNN_ERR_PARAM_NULLPTR);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "opName");
	CHECK_EQUAL(aclDumpOpTensors("Conv", "conv_1", NULL, 1, 0, &any), ACLNN_ERR_PARAM_NULLPTR);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "tensors");
	CHECK_EQUAL(aclDumpOpTensors("Conv", "conv_1", tensors, 1, 0, NULL), ACLNN_ERR_PARAM_NULLPTR);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "stream");
}

int main(void)
{
	test_init_takes_any_path_any_number_of_times();
	test_reselecting_kernels_wants_a_path_that_exists();
	test_dump_checks_for_nulls_only();
	return check_report();
}
