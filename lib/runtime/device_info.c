/* Facts of a device: what its chip is made of, and how it is doing. */
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "acl/acl_rt.h"
#include "config.h"
#include "device.h"
#include "fail.h"
#include "streams.h"
#include "window.h"

enum { A2 = 2201, A5 = 3510 };

/* The architecture of the chip; 0 when there is none. */
static int architecture(void)
{
	const struct emu_soc *soc = emu_soc();

	return soc ? soc->architecture : 0;
}

/* ---- numbers of the chip ---- */

/* Threads of the vector cores, which chips before 950 do not have. */
static aclError simt_number(const char *function, aclrtDevAttr attribute, int64_t *value)
{
	if (architecture() == A5)
		return emu_fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "EE1016",
		                "%s failed because attribute %d of the 950 series is not known here.", function,
		                (int)attribute);
	*value = 0;
	return ACL_SUCCESS;
}

static aclError number_of(const char *function, const struct emu_soc *soc, uint32_t device, aclrtDevAttr attribute,
                          int64_t *value)
{
	switch (attribute) {
	case ACL_DEV_ATTR_AICPU_CORE_NUM:
		*value = soc->ai_cpus;
		break;
	case ACL_DEV_ATTR_AICORE_CORE_NUM:
	case ACL_DEV_ATTR_CUBE_CORE_NUM:
		*value = soc->cube_cores;
		break;
	case ACL_DEV_ATTR_VECTOR_CORE_NUM:
		*value = soc->vector_cores;
		break;
	case ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE:
		*value = (int64_t)emu_window_memory_bytes();
		break;
	case ACL_DEV_ATTR_L2_CACHE_SIZE:
		*value = (int64_t)soc->l2_bytes;
		break;
	case ACL_DEV_ATTR_NPU_ARCH:
		*value = soc->architecture;
		break;
	case ACL_DEV_ATTR_PHY_CHIP_ID:
		*value = emu_device_logical((int)device);
		break;
	case ACL_DEV_ATTR_SMP_ID: /* from here on: of a machine that does not exist */
	case ACL_DEV_ATTR_SUPER_POD_DEVICE_ID:
	case ACL_DEV_ATTR_SUPER_POD_SERVER_ID:
	case ACL_DEV_ATTR_SUPER_POD_ID:
	case ACL_DEV_ATTR_CUST_OP_PRIVILEGE:
	case ACL_DEV_ATTR_MAINBOARD_ID:
	case ACL_DEV_ATTR_HD_CONNECT_TYPE:
	case ACL_DEV_ATTR_DEVICE_FORM_FACTOR:
	case ACL_DEV_ATTR_IS_VIRTUAL:
		*value = 0;
		break;
	default:
		if (attribute >= ACL_DEV_ATTR_WARP_SIZE && attribute <= ACL_DEV_ATTR_MAX_BLOCK_DIM_Z)
			return simt_number(function, attribute, value);
		return emu_fail(ACL_ERROR_RT_PARAM_INVALID, "EE1003", "%s failed because attr is %d, which is none.",
		                function, (int)attribute);
	}
	return ACL_SUCCESS;
}

aclError aclrtGetDeviceInfo(uint32_t deviceId, aclrtDevAttr attr, int64_t *value)
{
	const struct emu_soc *soc = emu_soc();

	if (!value)
		return emu_fail_null(__func__, "value");
	if (deviceId >= (uint32_t)emu_device_count() || !soc)
		return emu_fail(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
		                "%s failed because deviceId is %" PRIu32 "; there are %d devices.", __func__, deviceId,
		                soc ? emu_device_count() : 0);
	return number_of(__func__, soc, deviceId, attr, value);
}

aclError aclGetDeviceCapability(uint32_t deviceId, aclDeviceInfo deviceInfo, int64_t *value)
{
	const struct emu_soc *soc = emu_soc();

	if (!value)
		return emu_fail_null(__func__, "value");
	if (deviceId >= (uint32_t)emu_device_count() || !soc)
		return emu_fail(ACL_ERROR_INVALID_PARAM, "EH0009",
		                "%s failed because deviceId is %" PRIu32 "; there are %d devices.", __func__, deviceId,
		                soc ? emu_device_count() : 0);
	switch (deviceInfo) {
	case ACL_DEVICE_INFO_AI_CORE_NUM:
		*value = soc->cube_cores;
		return ACL_SUCCESS;
	case ACL_DEVICE_INFO_VECTOR_CORE_NUM:
		*value = soc->vector_cores;
		return ACL_SUCCESS;
	case ACL_DEVICE_INFO_L2_SIZE:
		*value = (int64_t)soc->l2_bytes;
		return ACL_SUCCESS;
	default:
		return emu_fail(ACL_ERROR_INVALID_PARAM, "EH0007",
		                "%s failed because deviceInfo is %d; it must be 0 to 2 (ACL_DEVICE_INFO_...).", __func__,
		                (int)deviceInfo);
	}
}

/* ---- what the toolkit can do ---- */

static const aclCannAttr attributes[] = {ACL_CANN_ATTR_INF_NAN, ACL_CANN_ATTR_BF16, ACL_CANN_ATTR_JIT_COMPILE};
enum { ATTRIBUTES = sizeof(attributes) / sizeof(attributes[0]) };

aclError aclGetCannAttributeList(const aclCannAttr **cannAttrList, size_t *num)
{
	if (!cannAttrList)
		return emu_fail_null(__func__, "cannAttrList");
	if (!num)
		return emu_fail_null(__func__, "num");
	*cannAttrList = attributes;
	*num = ATTRIBUTES;
	return ACL_SUCCESS;
}

/* Nothing is compiled at run time here. */
aclError aclGetCannAttribute(aclCannAttr cannAttr, int32_t *value)
{
	if (!value)
		return emu_fail_null(__func__, "value");
	if ((unsigned)cannAttr >= ATTRIBUTES)
		return emu_fail(ACL_ERROR_INVALID_PARAM, "EH0007",
		                "%s failed because cannAttr is %d; it must be 0 to 2 (ACL_CANN_ATTR_...).", __func__,
		                (int)cannAttr);
	*value = cannAttr != ACL_CANN_ATTR_JIT_COMPILE && architecture() >= A2;
	return ACL_SUCCESS;
}

aclError aclrtGetDeviceCapability(int32_t deviceId, aclrtDevFeatureType devFeatureType, int32_t *value)
{
	aclError status;

	if (!value)
		return emu_fail_null(__func__, "value");
	status = emu_device_check(__func__, deviceId);
	if (status)
		return status;
	if (devFeatureType != ACL_FEATURE_TSCPU_TASK_UPDATE_SUPPORT_AIC_AIV &&
	    devFeatureType != ACL_FEATURE_SYSTEM_MEMQ_EVENT_CROSS_DEV)
		return emu_fail(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
		                "%s failed because devFeatureType is %d; it must be 1 or 21 (ACL_FEATURE_...).", __func__,
		                (int)devFeatureType);
	*value = ACL_DEV_FEATURE_NOT_SUPPORT;
	return ACL_SUCCESS;
}

aclError aclrtCheckArchCompatibility(const char *socVersion, int32_t *canCompatible)
{
	const struct emu_soc *soc;

	if (!socVersion)
		return emu_fail_null(__func__, "socVersion");
	if (!canCompatible)
		return emu_fail_null(__func__, "canCompatible");
	soc = emu_soc_find(socVersion);
	*canCompatible = soc && soc->architecture == architecture();
	return ACL_SUCCESS;
}

/* ---- how it is doing ---- */

aclError aclrtQueryDeviceStatus(int32_t deviceId, aclrtDeviceStatus *deviceStatus)
{
	aclError status;

	if (!deviceStatus)
		return emu_fail_null(__func__, "deviceStatus");
	status = emu_device_check(__func__, deviceId);
	if (!status)
		*deviceStatus = ACL_RT_DEVICE_STATUS_NORMAL;
	return status;
}

/* A device that has work is busy altogether. Memory is never measured, as on the device. */
aclError aclrtGetDeviceUtilizationRate(int32_t deviceId, aclrtUtilizationInfo *utilizationInfo)
{
	aclError status;
	int busy;

	if (!utilizationInfo)
		return emu_fail_null(__func__, "utilizationInfo");
	if (utilizationInfo->utilizationExtend)
		return emu_fail(ACL_ERROR_INVALID_PARAM, "EH0009",
		                "%s failed because utilizationExtend is %p; it must be null.", __func__,
		                (void *)utilizationInfo->utilizationExtend);
	status = emu_device_check(__func__, deviceId);
	if (status)
		return status;
	busy = emu_streams_have_work(deviceId) ? 100 : 0;
	utilizationInfo->cubeUtilization = busy;
	utilizationInfo->vectorUtilization = busy;
	utilizationInfo->aicpuUtilization = 0;
	utilizationInfo->memoryUtilization = -1;
	return ACL_SUCCESS;
}

/* ---- which one it is ---- */

aclError aclrtGetLogicDevIdByUserDevId(const int32_t userDevid, int32_t *const logicDevId)
{
	aclError status;

	if (!logicDevId)
		return emu_fail_null(__func__, "logicDevId");
	status = emu_device_check(__func__, userDevid);
	if (!status)
		*logicDevId = emu_device_logical(userDevid);
	return status;
}

/* Counts the devices of the machine, not the visible ones. */
aclError aclrtGetPhyDevIdByLogicDevId(const int32_t logicDevId, int32_t *const phyDevId)
{
	if (!phyDevId)
		return emu_fail_null(__func__, "phyDevId");
	if (logicDevId < 0 || logicDevId >= emu_config()->devices)
		return emu_fail(ACL_ERROR_RT_INVALID_DEVICEID, "EE1003",
		                "%s failed because logicDevId is %" PRId32 "; the machine has %d devices.", __func__,
		                logicDevId, emu_config()->devices);
	*phyDevId = logicDevId;
	return ACL_SUCCESS;
}

aclError aclrtDeviceGetBareTgid(int32_t *pid)
{
	if (!pid)
		return emu_fail_null(__func__, "pid");
	*pid = (int32_t)getpid();
	return ACL_SUCCESS;
}

/* The same in every process that sees the same device of the same machine. */
aclError aclrtDeviceGetUuid(int32_t deviceId, aclrtUuid *uuid)
{
	int number;
	aclError status;

	if (!uuid)
		return emu_fail_null(__func__, "uuid");
	status = emu_device_check(__func__, deviceId);
	if (status)
		return status;
	number = emu_device_logical(deviceId);
	memcpy(uuid->bytes, "aclemu-device-00", sizeof(uuid->bytes));
	uuid->bytes[14] = (char)('0' + number / 10);
	uuid->bytes[15] = (char)('0' + number % 10);
	return ACL_SUCCESS;
}

aclError aclrtGetPrimaryCtxState(int32_t deviceId, uint32_t *flags, int32_t *active)
{
	aclError status;

	if (flags)
		return emu_fail(ACL_ERROR_INVALID_PARAM, "EH0009", "%s failed because flags is %p; it must be null.",
		                __func__, (void *)flags);
	if (!active)
		return emu_fail_null(__func__, "active");
	status = emu_device_check(__func__, deviceId);
	if (!status)
		*active = emu_device_primary(deviceId) != NULL;
	return status;
}

/* Emulated devices have one task scheduler for everything. */
aclError aclrtSetTsDevice(aclrtTsId tsId)
{
	if (tsId == ACL_TS_ID_AICORE || tsId == ACL_TS_ID_AIVECTOR)
		return ACL_SUCCESS;
	return emu_fail(ACL_ERROR_INVALID_PARAM, "EH0007", "%s failed because tsId is %d; it must be 0 or 1.", __func__,
	                (int)tsId);
}
