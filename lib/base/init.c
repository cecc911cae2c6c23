/* Initialisation and the other functions that have nothing to do here: no debug kernels, no static kernels, no dump. */
#include <unistd.h>

#include "aclnn/aclnn_base.h"
#include "aclnn/opdev/op_errno.h"
#include "base/object.h"
#include "runtime/error.h"
#include "runtime/export.h"

/* Looked up by name only; aclnnInit() is this. */
EMU_SHARED aclnnStatus InitSystemConfig(const char *configPath);

/* The file only chooses debug kernels or a dump, so that any path is accepted, and any content, as on the device. */
aclnnStatus InitSystemConfig(const char *configPath)
{
	(void)configPath;
	return ACLNN_SUCCESS;
}

aclnnStatus aclnnInit(const char *configPath)
{
	return InitSystemConfig(configPath);
}

aclnnStatus aclnnFinalize(void)
{
	return ACLNN_SUCCESS;
}

aclnnStatus aclnnReselectStaticKernel(void)
{
	return ACLNN_SUCCESS;
}

aclnnStatus aclnnReselectStaticKernelWithPath(const char *path)
{
	if (!path)
		return emu_refuse_null(ACLNN_ERR_PARAM_NULLPTR, "aclnnReselectStaticKernelWithPath", "path");
	if (access(path, F_OK)) {
		emu_error_add("EZ1010", "aclnnReselectStaticKernelWithPath failed because path \"%s\" does not exist",
		              path);
		return ACLNN_ERR_PARAM_INVALID;
	}
	return ACLNN_SUCCESS;
}

/* Dumping is never configured here, and an unconfigured dump looks at nothing but nulls. */
aclnnStatus aclDumpOpTensors(const char *opType, const char *opName, aclTensor **tensors, size_t inputTensorNum,
                             size_t outputTensorNum, aclrtStream stream)
{
	static const char function[] = "aclDumpOpTensors";
	(void)inputTensorNum;
	(void)outputTensorNum;
	if (!opType)
		return emu_refuse_null(ACLNN_ERR_PARAM_NULLPTR, function, "opType");
	if (!opName)
		return emu_refuse_null(ACLNN_ERR_PARAM_NULLPTR, function, "opName");
	if (!tensors)
		return emu_refuse_null(ACLNN_ERR_PARAM_NULLPTR, function, "tensors");
	if (!stream)
		return emu_refuse_null(ACLNN_ERR_PARAM_NULLPTR, function, "stream");
	return ACLNN_SUCCESS;
}
