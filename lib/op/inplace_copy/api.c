#include "aclnnop/aclnn_copy.h"

#include "operator.h"

aclnnStatus aclnnInplaceCopyGetWorkspaceSize(aclTensor *selfRef, const aclTensor *src, uint64_t *workspaceSize,
                                             aclOpExecutor **executor)
{
	return emu_inplace_copy_prepare(selfRef, src, workspaceSize, executor);
}

aclnnStatus aclnnInplaceCopy(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)
{
	return emu_executor_launch(&emu_inplace_copy, workspace, workspaceSize, executor, stream);
}
