#include <inttypes.h>

#include "acl/acl_rt.h"
#include "allocation.h"
#include "config.h"
#include "context.h"
#include "device.h"
#include "fail.h"
#include "streams.h"
#include "tables.h"
#include "window.h"

enum { NORMAL_PAGE = 4 << 10, HUGE_PAGE = 2 << 20, GIGABYTE = 1 << 30 };

static const uint64_t unit = 32;                   /* sizes are rounded up to it */
static const uint64_t worth_huge_pages = 1 << 20;  /* HUGE_FIRST takes them above this size */
static const unsigned policy_mask = 0xff;

static aclError refuse_size(const char *function, uint64_t size)
{
	return emu_fail(ACL_ERROR_INVALID_PARAM, "EH0009",
	                "%s failed because size is %" PRIu64 "; it must be above 0 and leave room for "
	                "padding.",
	                function, size);
}

/* ---- what a request comes to ---- */

static uint32_t page_of(uint64_t size, aclrtMemMallocPolicy policy)
{
	switch ((unsigned)policy & policy_mask) {
	case ACL_MEM_MALLOC_HUGE1G_ONLY:
	case ACL_MEM_MALLOC_HUGE1G_ONLY_P2P:
		return GIGABYTE;
	case ACL_MEM_MALLOC_HUGE_ONLY:
	case ACL_MEM_MALLOC_HUGE_ONLY_P2P:
		return HUGE_PAGE;
	case ACL_MEM_MALLOC_NORMAL_ONLY:
	case ACL_MEM_MALLOC_NORMAL_ONLY_P2P:
		return NORMAL_PAGE;
	default:
		return size > worth_huge_pages ? HUGE_PAGE : NORMAL_PAGE;
	}
}

/* Reads of up to 32 bytes past the end stay inside; not so on 950. */
static bool has_tail(void)
{
	const struct emu_soc *soc = emu_soc();

	return soc && soc->architecture != 3510;
}

/* 0 when it overflows. */
static uint64_t padded_size(uint64_t size, uint32_t page, bool tail)
{
	if (size > UINT64_MAX - GIGABYTE)
		return 0;
	if (page == GIGABYTE)
		return emu_round_up(size, GIGABYTE);
	return emu_round_up(size, unit) + (tail ? unit : 0);
}

/* ---- attributes ---- */

/* The device that the attributes name, or that of the context; *device stays as it is without such an attribute. */
static aclError read_attributes(const char *function, const aclrtMallocConfig *config, int *device)
{
	size_t count = config ? config->numAttrs : 0;

	if (count > 0 && !config->attrs)
		return emu_fail_null(function, "cfg->attrs");
	for (size_t i = 0; i < count; i++) {
		const aclrtMallocAttribute *attribute = &config->attrs[i];
		aclError status = ACL_SUCCESS;

		if ((unsigned)attribute->attr - ACL_RT_MEM_ATTR_MODULE_ID > ACL_RT_MEM_ATTR_VA_FLAG - ACL_RT_MEM_ATTR_MODULE_ID)
			return emu_fail(ACL_ERROR_INVALID_PARAM, "EH0007",
			                "%s failed because cfg->attrs[%zu].attr is %d; it must be 1 to 3 "
			                "(ACL_RT_MEM_ATTR_...).",
			                function, i, (int)attribute->attr);
		if (attribute->attr == ACL_RT_MEM_ATTR_DEVICE_ID) {
			status = emu_device_check(function, (int32_t)attribute->value.deviceId);
			*device = (int)attribute->value.deviceId;
		}
		if (status)
			return status;
	}
	return ACL_SUCCESS;
}

/* ---- device memory ---- */

/* `request` says who asks for how much. */
static aclError allocate(struct emu_request request, void **address, aclrtMemMallocPolicy policy, bool tail,
                         const aclrtMallocConfig *config)
{
	struct emu_context *context;
	int device = -1;
	aclError status;

	request.page = page_of(request.asked, policy);
	request.padded = padded_size(request.asked, request.page, tail);
	if (!address)
		return emu_fail_null(request.function, "devPtr");
	if (request.asked == 0 || request.padded == 0)
		return refuse_size(request.function, request.asked);
	status = read_attributes(request.function, config, &device);
	if (!status)
		status = emu_context_require(request.function, &context);
	if (status)
		return status;
	request.device = device >= 0 ? device : context->device;
	status = emu_memory_allocate(&request, address);
	emu_object_release(&context->object);
	return status;
}

/* In the function that the client called. */
#define REQUEST(size) \
	((struct emu_request){.function = __func__, .caller = __builtin_return_address(0), .asked = (size)})

aclError aclrtMalloc(void **devPtr, size_t size, aclrtMemMallocPolicy policy)
{
	return allocate(REQUEST(size), devPtr, policy, has_tail(), NULL);
}

aclError aclrtMallocAlign32(void **devPtr, size_t size, aclrtMemMallocPolicy policy)
{
	return allocate(REQUEST(size), devPtr, policy, false, NULL);
}

/* The emulated device has no cache to be flushed, so this is ordinary memory. */
aclError aclrtMallocCached(void **devPtr, size_t size, aclrtMemMallocPolicy policy)
{
	return allocate(REQUEST(size), devPtr, policy, has_tail(), NULL);
}

aclError aclrtMallocWithCfg(void **devPtr, size_t size, aclrtMemMallocPolicy policy, aclrtMallocConfig *cfg)
{
	return allocate(REQUEST(size), devPtr, policy, has_tail(), cfg);
}

aclError aclrtMallocForTaskScheduler(void **devPtr, size_t size, aclrtMemMallocPolicy policy, aclrtMallocConfig *cfg)
{
	return allocate(REQUEST(size), devPtr, policy, has_tail(), cfg);
}

static aclError free_device(const char *function, void *address)
{
	if (!address)
		return emu_fail_null(function, "devPtr");
	if (!emu_window_get())
		return emu_fail(ACL_ERROR_RT_INVALID_HANDLE, "EE1018",
		                "%s failed because no device was ever set; %p cannot be device "
		                "memory.",
		                function, address);
	return emu_memory_free(function, address, true);
}

/* Needs no context. Pinned host memory is accepted too, as the driver does. */
aclError aclrtFree(void *devPtr)
{
	return free_device(__func__, devPtr);
}

/* Waits for the device that the memory lies on. What its streams have to report stays theirs. */
aclError aclrtFreeWithDevSync(void *devPtr)
{
	struct emu_allocation found;

	if (devPtr && emu_memory_describe(devPtr, &found) && found.device >= 0)
		emu_streams_wait(found.device);
	return free_device(__func__, devPtr);
}

/* ---- pinned host memory ---- */

static aclError allocate_pinned(const char *function, const char *argument, void **address, uint64_t size,
                                const aclrtMallocConfig *config)
{
	struct emu_request request = {.function = function, .asked = size, .padded = padded_size(size, 0, false)};
	struct emu_context *context;
	int device;
	aclError status;

	if (!address)
		return emu_fail_null(function, argument);
	if (size == 0 || request.padded == 0)
		return refuse_size(function, size);
	status = read_attributes(function, config, &device);
	if (!status)
		status = emu_context_require(function, &context);
	if (status)
		return status;
	status = emu_memory_allocate_pinned(&request, address);
	emu_object_release(&context->object);
	return status;
}

aclError aclrtMallocHost(void **hostPtr, size_t size)
{
	return allocate_pinned(__func__, "hostPtr", hostPtr, size, NULL);
}

aclError aclrtMallocHostWithCfg(void **ptr, uint64_t size, aclrtMallocConfig *cfg)
{
	return allocate_pinned(__func__, "ptr", ptr, size, cfg);
}

aclError aclrtFreeHost(void *hostPtr)
{
	if (!hostPtr)
		return emu_fail_null(__func__, "hostPtr");
	return emu_memory_free(__func__, hostPtr, false);
}

aclError aclrtFreeHostWithDevSync(void *hostPtr)
{
	struct emu_context *context;
	aclError status;

	if (!hostPtr)
		return emu_fail_null(__func__, "hostPtr");
	status = emu_context_require(__func__, &context);
	if (status)
		return status;
	emu_streams_wait(context->device);
	status = emu_memory_free(__func__, hostPtr, false);
	emu_object_release(&context->object);
	return status;
}
