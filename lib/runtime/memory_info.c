/* What can be asked about memory: how much there is, how much is in use, and what an address belongs to. */
#include <inttypes.h>
#include <stdio.h>

#include "acl/acl_rt.h"
#include "allocation.h"
#include "config.h"
#include "context.h"
#include "device.h"
#include "fail.h"
#include "physical.h"
#include "tables.h"
#include "window.h"

/* ---- how much ---- */

/* Only 310P has DDR; what it has is reported under either name, because programs ask for HBM everywhere. */
static bool has_memory(aclrtMemAttr attribute)
{
	const struct emu_soc *soc = emu_soc();

	return !emu_physical_is_ddr(attribute) || (soc && soc->architecture == 2002);
}

static struct emu_part read_part(int device)
{
	struct emu_part part;

	pthread_mutex_lock(&emu_tables.lock);
	part = emu_tables.parts[device];
	pthread_mutex_unlock(&emu_tables.lock);
	return part;
}

aclError aclrtGetMemInfo(aclrtMemAttr attr, size_t *free, size_t *total)
{
	struct emu_context *context;
	uint64_t capacity;
	aclError status;

	if (!free)
		return emu_fail_null(__func__, "free");
	if (!total)
		return emu_fail_null(__func__, "total");
	if ((unsigned)attr > ACL_MEM_P2P_HUGE1G)
		return emu_fail(ACL_ERROR_RT_INVALID_MEMORY_TYPE, "EE1003",
		                "%s failed because attr is %d; it must be 0 to 17 (ACL_..._MEM...).", __func__,
		                (int)attr);
	status = emu_context_require(__func__, &context);
	if (status)
		return status;
	capacity = has_memory(attr) ? emu_window_memory_bytes() : 0;
	*total = capacity;
	*free = capacity ? capacity - read_part(context->device).used : 0;
	emu_object_release(&context->object);
	return ACL_SUCCESS;
}

/* The runtime keeps no account per module: there is one record, for all of them. */
aclError aclrtGetMemUsageInfo(int32_t deviceId, aclrtMemUsageInfo *memUsageInfo, size_t inputNum, size_t *outputNum)
{
	struct emu_part part;
	aclError status;

	if (!memUsageInfo)
		return emu_fail_null(__func__, "memUsageInfo");
	if (!outputNum)
		return emu_fail_null(__func__, "outputNum");
	if (inputNum == 0)
		return emu_fail(ACL_ERROR_INVALID_PARAM, "EH0009", "%s failed because inputNum is 0.", __func__);
	status = emu_device_check(__func__, deviceId);
	if (status)
		return status;
	part = read_part(deviceId);
	*memUsageInfo = (aclrtMemUsageInfo){.curMemSize = part.used, .memPeakSize = part.peak};
	snprintf(memUsageInfo->name, sizeof(memUsageInfo->name), "all");
	*outputNum = 1;
	return ACL_SUCCESS;
}

/* ---- what an address is ---- */

static aclError not_allocated(const char *function, const void *pointer, aclError status)
{
	return emu_fail(status, "EL0003", "%s failed because %p lies in no memory that is allocated or mapped.", function,
	                pointer);
}

aclError aclrtPointerGetAttributes(const void *ptr, aclrtPtrAttributes *attributes)
{
	struct emu_allocation found;

	if (!ptr)
		return emu_fail_null(__func__, "ptr");
	if (!attributes)
		return emu_fail_null(__func__, "attributes");
	if (emu_memory_describe(ptr, &found)) {
		bool device = found.device >= 0;

		*attributes = (aclrtPtrAttributes){
			.location.id = device ? (uint32_t)found.device : 0,
			.location.type = device ? ACL_MEM_LOCATION_TYPE_DEVICE : ACL_MEM_LOCATION_TYPE_HOST,
			.pageSize = found.page,
		};
		return ACL_SUCCESS;
	}
	if (emu_window_has(emu_window_get(), ptr))
		return not_allocated(__func__, ptr, ACL_ERROR_RT_DRV_INTERNAL_ERROR);
	*attributes = (aclrtPtrAttributes){.location.type = ACL_MEM_LOCATION_TYPE_UNREGISTERED};
	return ACL_SUCCESS;
}

aclError aclrtMemGetAddressRange(void *ptr, void **pbase, size_t *psize)
{
	struct emu_allocation found;

	if (!ptr)
		return emu_fail_null(__func__, "ptr");
	if (!pbase)
		return emu_fail_null(__func__, "pbase");
	if (!psize)
		return emu_fail_null(__func__, "psize");
	if (!emu_memory_describe(ptr, &found))
		return not_allocated(__func__, ptr, ACL_ERROR_RT_PARAM_INVALID);
	*pbase = (void *)found.base;
	*psize = found.size;
	return ACL_SUCCESS;
}
