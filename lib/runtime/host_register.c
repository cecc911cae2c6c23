/*
 * Host memory of the client's that the device may use. An emulated device reaches it where it is, so the address that
 * stands for it on the device is the same.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "acl/acl_rt.h"
#include "allocation.h"
#include "context.h"
#include "fail.h"
#include "tables.h"
#include "window.h"

static const unsigned known_flags = ACL_HOST_REG_MAPPED | ACL_HOST_REG_IOMEMORY | ACL_HOST_REG_READONLY |
                                    ACL_HOST_REG_PINNED;

/* Whole pages that exist in this process, and none of the device's. */
static aclError check_range(const char *function, const void *pointer, uint64_t size)
{
	uint64_t page = emu_page_size();

	if ((uintptr_t)pointer % page != 0 || size > UINT64_MAX / 2)
		return emu_fail(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
		                "%s failed because ptr is %p and size %" PRIu64 "; ptr must be a multiple of %" PRIu64 ".",
		                function, pointer, size, page);
	if (emu_window_has(emu_window_get(), pointer) || msync((void *)(uintptr_t)pointer, size, MS_ASYNC))
		return emu_fail(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
		                "%s failed because %" PRIu64 " bytes from %p are not all memory of the host.", function,
		                size, pointer);
	return ACL_SUCCESS;
}

/* Memory of another device on the bus does not exist here. */
static aclError no_io_memory(const char *function)
{
	return emu_fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "EE1016", "%s failed because IOMEMORY is not supported.",
	                function);
}

static aclError add(const char *function, const void *pointer, uint64_t size, bool mapped)
{
	struct emu_allocation *new = calloc(1, sizeof(*new));
	bool taken, inserted = false;

	if (new)
		*new = (struct emu_allocation){
			.kind = EMU_REGISTERED,
			.base = (uintptr_t)pointer,
			.size = size,
			.asked = size,
			.page = (uint32_t)emu_page_size(),
			.device = -1,
			.mapped_to_device = mapped,
		};
	pthread_mutex_lock(&emu_tables.lock);
	taken = emu_registry_find_in(&emu_tables.registered, (uintptr_t)pointer, size);
	if (new && !taken)
		inserted = emu_registry_insert(&emu_tables.registered, new);
	if (inserted)
		new->number = ++emu_tables.last_number;
	pthread_mutex_unlock(&emu_tables.lock);
	if (inserted)
		return ACL_SUCCESS;
	free(new);
	if (taken)
		return emu_fail(ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED, "EE1016",
		                "%s failed because %" PRIu64 " bytes from %p overlap what is registered already.",
		                function, size, pointer);
	return emu_fail(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL, "EE1023", "%s failed: the host's memory is exhausted.",
	                function);
}

static aclError register_range(const char *function, void *pointer, uint64_t size, bool mapped)
{
	struct emu_context *context;
	aclError status = check_range(function, pointer, size);

	if (!status)
		status = emu_context_require(function, &context);
	if (status)
		return status;
	status = add(function, pointer, size, mapped);
	emu_object_release(&context->object);
	return status;
}

static aclError refuse_size(const char *function)
{
	return emu_fail(ACL_ERROR_INVALID_PARAM, "EH0009", "%s failed because size is 0.", function);
}

static aclError not_registered(const char *function, const void *pointer, const char *how)
{
	return emu_fail(ACL_ERROR_HOST_MEMORY_NOT_REGISTERED, "EE1016", "%s failed because %p %s.", function, pointer,
	                how);
}

aclError aclrtHostRegister(void *ptr, uint64_t size, aclrtHostRegisterType type, void **devPtr)
{
	aclError status;

	if (!ptr)
		return emu_fail_null(__func__, "ptr");
	if (!devPtr)
		return emu_fail_null(__func__, "devPtr");
	if (size == 0)
		return refuse_size(__func__);
	if (type != ACL_HOST_REGISTER_MAPPED && type != ACL_HOST_REGISTER_IOMEMORY && type != ACL_HOST_REGISTER_READONLY)
		return emu_fail(ACL_ERROR_INVALID_PARAM, "EH0007",
		                "%s failed because type is %d; it must be 0, 4 or 8 (ACL_HOST_REGISTER_...).", __func__,
		                (int)type);
	if (type == ACL_HOST_REGISTER_IOMEMORY)
		return no_io_memory(__func__);
	status = register_range(__func__, ptr, size, true);
	if (!status)
		*devPtr = ptr;
	return status;
}

aclError aclrtHostRegisterV2(void *ptr, uint64_t size, uint32_t flag)
{
	if (!ptr)
		return emu_fail_null(__func__, "ptr");
	if (size == 0)
		return refuse_size(__func__);
	if (flag == 0 || flag & ~known_flags)
		return emu_fail(ACL_ERROR_INVALID_PARAM, "EH0007",
		                "%s failed because flag is 0x%" PRIx32 "; it must consist of ACL_HOST_REG_... bits.",
		                __func__, flag);
	if (flag & ACL_HOST_REG_IOMEMORY)
		return no_io_memory(__func__);
	return register_range(__func__, ptr, size, flag & (ACL_HOST_REG_MAPPED | ACL_HOST_REG_READONLY));
}

aclError aclrtHostGetDevicePointer(void *pHost, void **pDevice, uint32_t flag)
{
	const struct emu_allocation *found;
	bool mapped;

	if (!pHost)
		return emu_fail_null(__func__, "pHost");
	if (!pDevice)
		return emu_fail_null(__func__, "pDevice");
	if (flag != 0)
		return emu_fail(ACL_ERROR_INVALID_PARAM, "EH0009", "%s failed because flag is %" PRIu32 "; it must be 0.",
		                __func__, flag);
	pthread_mutex_lock(&emu_tables.lock);
	found = emu_registry_find(&emu_tables.registered, (uintptr_t)pHost);
	mapped = found && !found->freed && found->mapped_to_device;
	pthread_mutex_unlock(&emu_tables.lock);
	if (!mapped)
		return not_registered(__func__, pHost, "is not registered as memory that the device can reach");
	*pDevice = pHost;
	return ACL_SUCCESS;
}

aclError aclrtHostUnregister(void *ptr)
{
	struct emu_allocation *found;

	if (!ptr)
		return emu_fail_null(__func__, "ptr");
	pthread_mutex_lock(&emu_tables.lock);
	found = emu_registry_find(&emu_tables.registered, (uintptr_t)ptr);
	if (found && !found->freed && found->base == (uintptr_t)ptr) {
		emu_tables_retire(found);
		return ACL_SUCCESS;
	}
	pthread_mutex_unlock(&emu_tables.lock);
	return not_registered(__func__, ptr, "is not the start of registered memory");
}
