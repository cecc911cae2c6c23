/*
 * Numbers by which physical memory is handed on. The memory of an emulated device lives in one process: there a number
 * works as on a device, in any other it is refused, because pretending would hand out memory that nobody shares.
 */
#include <inttypes.h>
#include <unistd.h>

#include "acl/acl_rt.h"
#include "device.h"
#include "fail.h"
#include "physical.h"

static aclError other_process(const char *function, uint64_t pid)
{
	return emu_fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "EE1016",
	                "%s failed because device memory cannot be shared with another process (%" PRIu64
	                "; this is %d): emulated memory lives in one process.",
	                function, pid, (int)getpid());
}

/* The memory behind a number, retained. 207000 for a number of another process, 107000 for one that is none. */
static aclError find(const char *function, uint64_t shareable, struct emu_physical **physical)
{
	uint64_t pid = shareable >> 32;

	*physical = pid == (uint64_t)getpid() ? emu_physical_find_shared(shareable) : NULL;
	if (*physical)
		return ACL_SUCCESS;
	if (pid != 0 && pid != (uint64_t)getpid())
		return other_process(function, pid);
	return emu_fail(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
	                "%s failed because no memory is exported as %" PRIu64 "; it may have been freed.", function,
	                shareable);
}

aclError aclrtMemExportToShareableHandle(aclrtDrvMemHandle handle, aclrtMemHandleType handleType, uint64_t flags,
                                         uint64_t *shareableHandle)
{
	struct emu_physical *physical;
	aclError status;

	if (!handle)
		return emu_fail_null(__func__, "handle");
	if (!shareableHandle)
		return emu_fail_null(__func__, "shareableHandle");
	if (handleType != ACL_MEM_HANDLE_TYPE_NONE || flags > ACL_RT_VMM_EXPORT_FLAG_DISABLE_PID_VALIDATION)
		return emu_fail(ACL_ERROR_INVALID_PARAM, "EH0009",
		                "%s failed because handleType is %d and flags %" PRIu64
		                "; they must be 0, and 0 or 1.",
		                __func__, (int)handleType, flags);
	status = emu_physical_acquire(__func__, handle, &physical);
	if (status)
		return status;
	*shareableHandle = emu_physical_share(physical);
	emu_physical_release(physical);
	return ACL_SUCCESS;
}

aclError aclrtMemImportFromShareableHandle(uint64_t shareableHandle, int32_t deviceId, aclrtDrvMemHandle *handle)
{
	struct emu_physical *physical;
	aclError status;

	if (!handle)
		return emu_fail_null(__func__, "handle");
	status = emu_device_check(__func__, deviceId);
	if (!status)
		status = find(__func__, shareableHandle, &physical);
	return status ? status : emu_physical_open(__func__, physical, handle);
}

aclError aclrtMemSetPidToShareableHandle(uint64_t shareableHandle, int32_t *pid, size_t pidNum)
{
	struct emu_physical *physical;
	aclError status;

	if (!pid)
		return emu_fail_null(__func__, "pid");
	if (pidNum == 0)
		return emu_fail(ACL_ERROR_INVALID_PARAM, "EH0009", "%s failed because pidNum is 0.", __func__);
	status = find(__func__, shareableHandle, &physical);
	if (status)
		return status;
	emu_physical_release(physical);
	for (size_t i = 0; i < pidNum; i++)
		if (pid[i] != getpid())
			return other_process(__func__, (uint64_t)pid[i]);
	return ACL_SUCCESS;
}
