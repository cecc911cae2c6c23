/* What a client can ask about faults of the hardware, and have repaired. There are none. */
#include <inttypes.h>

#include "acl/acl_rt.h"
#include "device.h"
#include "fail.h"

enum { MOST_RANGES = 20 };

aclError aclrtGetErrorVerbose(int32_t deviceId, aclrtErrorInfo *errorInfo)
{
	aclError status;

	if (!errorInfo)
		return emu_fail_null(__func__, "errorInfo");
	status = emu_device_check(__func__, deviceId);
	if (!status)
		*errorInfo = (aclrtErrorInfo){.errorType = ACL_RT_NO_ERROR};
	return status;
}

aclError aclrtRepairError(int32_t deviceId, const aclrtErrorInfo *errorInfo)
{
	aclError status;

	if (!errorInfo)
		return emu_fail_null(__func__, "errorInfo");
	status = emu_device_check(__func__, deviceId);
	if (!status && errorInfo->errorType != ACL_RT_NO_ERROR)
		status = emu_fail(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
		                  "%s failed because errorType is %d, and device %d has no error.", __func__,
		                  (int)errorInfo->errorType, deviceId);
	return status;
}

aclError aclrtGetMemUceInfo(int32_t deviceId, aclrtMemUceInfo *memUceInfoArray, size_t arraySize, size_t *retSize)
{
	aclError status;

	(void)arraySize;
	if (!memUceInfoArray)
		return emu_fail_null(__func__, "memUceInfoArray");
	if (!retSize)
		return emu_fail_null(__func__, "retSize");
	status = emu_device_check(__func__, deviceId);
	if (!status)
		*retSize = 0;
	return status;
}

aclError aclrtMemUceRepair(int32_t deviceId, aclrtMemUceInfo *memUceInfoArray, size_t arraySize)
{
	aclError status;

	if (!memUceInfoArray)
		return emu_fail_null(__func__, "memUceInfoArray");
	if (arraySize > MOST_RANGES)
		return emu_fail(ACL_ERROR_INVALID_PARAM, "EH0009", "%s failed because arraySize is %zu; it must be 0 to %d.",
		                __func__, arraySize, MOST_RANGES);
	status = emu_device_check(__func__, deviceId);
	if (!status && arraySize)
		status = emu_fail(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
		                  "%s failed because arraySize is %zu, and the memory of device %d has no error.", __func__,
		                  arraySize, deviceId);
	return status;
}
