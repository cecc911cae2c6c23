#include "physical.h"

#include <inttypes.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "allocation.h"
#include "context.h"
#include "device.h"
#include "fail.h"
#include "tables.h"

enum { NORMAL_PAGE = 4 << 10, HUGE_PAGE = 2 << 20, GIGABYTE_PAGE = 1 << 30 };

/* What a client's handle stands for: one reference on the memory. */
struct physical_handle {
	struct emu_object object;
	struct emu_physical *physical;
};

static struct emu_physical *all; /* under the lock of the tables */
static uint32_t last_shareable;

/* ---- life ---- */

void emu_physical_retain(struct emu_physical *physical)
{
	physical->references++;
}

static void unlist(const struct emu_physical *physical)
{
	struct emu_physical **link = &all;

	while (*link != physical)
		link = &(*link)->next;
	*link = physical->next;
}

void emu_physical_release(struct emu_physical *physical)
{
	bool last;

	pthread_mutex_lock(&emu_tables.lock);
	last = --physical->references == 0;
	if (last)
		unlist(physical);
	pthread_mutex_unlock(&emu_tables.lock);
	if (!last)
		return;
	munmap(physical->bytes, physical->size);
	emu_memory_unbook(physical->device, physical->size);
	free(physical);
}

static void destroy_handle(struct emu_object *object)
{
	struct physical_handle *handle = (struct physical_handle *)object;

	emu_physical_release(handle->physical);
	free(handle);
}

aclError emu_physical_open(const char *function, struct emu_physical *physical, aclrtDrvMemHandle *handle)
{
	struct physical_handle *new = calloc(1, sizeof(*new));

	if (new)
		new->physical = physical;
	if (new && emu_handle_open(&new->object, EMU_KIND_PHYSICAL_MEMORY, destroy_handle)) {
		*handle = new->object.handle;
		return ACL_SUCCESS;
	}
	free(new);
	emu_physical_release(physical);
	return emu_fail(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL, "EE1023", "%s failed: the host's memory is exhausted.",
	                function);
}

static aclError dead_handle(const char *function, const void *handle)
{
	char text[EMU_HANDLE_TEXT];

	return emu_fail(ACL_ERROR_RT_INVALID_HANDLE, "EE1017",
	                "%s failed because handle stands for no physical memory: %s.", function,
	                emu_handle_describe(handle, text));
}

aclError emu_physical_acquire(const char *function, aclrtDrvMemHandle handle, struct emu_physical **physical)
{
	struct emu_object *object = emu_handle_acquire(handle, EMU_KIND_PHYSICAL_MEMORY);

	if (!object)
		return dead_handle(function, handle);
	*physical = ((struct physical_handle *)object)->physical;
	pthread_mutex_lock(&emu_tables.lock);
	emu_physical_retain(*physical);
	pthread_mutex_unlock(&emu_tables.lock);
	emu_object_release(object);
	return ACL_SUCCESS;
}

struct emu_physical_total emu_physical_total(void)
{
	struct emu_physical_total total = {0};

	for (const struct emu_physical *physical = all; physical; physical = physical->next) {
		total.count++;
		total.bytes += physical->size;
		total.oldest_caller = physical->caller;
	}
	return total;
}

/* ---- numbers for export ---- */

struct emu_physical *emu_physical_find_shared(uint64_t shareable)
{
	struct emu_physical *found;

	pthread_mutex_lock(&emu_tables.lock);
	found = all;
	while (found && found->shareable != shareable)
		found = found->next;
	if (found)
		emu_physical_retain(found);
	pthread_mutex_unlock(&emu_tables.lock);
	return found;
}

uint64_t emu_physical_share(struct emu_physical *physical)
{
	uint64_t shareable;

	pthread_mutex_lock(&emu_tables.lock);
	if (!physical->shareable)
		physical->shareable = (uint64_t)getpid() << 32 | ++last_shareable;
	shareable = physical->shareable;
	pthread_mutex_unlock(&emu_tables.lock);
	return shareable;
}

/* ---- the properties that a client asks for ---- */

bool emu_physical_is_ddr(aclrtMemAttr attribute)
{
	return attribute == ACL_DDR_MEM || attribute == ACL_DDR_MEM_HUGE || attribute == ACL_DDR_MEM_NORMAL ||
	       attribute == ACL_DDR_MEM_P2P_HUGE || attribute == ACL_DDR_MEM_P2P_NORMAL;
}

static uint64_t page_of(aclrtMemAttr attribute)
{
	switch (attribute) {
	case ACL_HBM_MEM_NORMAL:
	case ACL_HBM_MEM_P2P_NORMAL:
	case ACL_MEM_NORMAL:
	case ACL_MEM_P2P_NORMAL:
		return NORMAL_PAGE;
	case ACL_HBM_MEM_HUGE1G:
	case ACL_HBM_MEM_P2P_HUGE1G:
	case ACL_MEM_HUGE1G:
	case ACL_MEM_P2P_HUGE1G:
		return GIGABYTE_PAGE;
	default:
		return HUGE_PAGE;
	}
}

/* Memory of the host is no device's: it cannot be emulated by this. */
static aclError check_place(const char *function, const aclrtPhysicalMemProp *prop)
{
	if (prop->location.type != ACL_MEM_LOCATION_TYPE_DEVICE)
		return emu_fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "EE1003",
		                "%s failed because location.type is %d; only ACL_MEM_LOCATION_TYPE_DEVICE (1) is supported.",
		                function, (int)prop->location.type);
	if ((unsigned)prop->memAttr > ACL_MEM_P2P_HUGE1G || emu_physical_is_ddr(prop->memAttr))
		return emu_fail(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
		                "%s failed because memAttr is %d, which no memory of a device has.", function,
		                (int)prop->memAttr);
	return emu_device_check(function, (int32_t)prop->location.id);
}

static aclError check_fixed(const char *function, const aclrtPhysicalMemProp *prop, uint64_t flags)
{
	if (flags == 0 && prop->handleType == ACL_MEM_HANDLE_TYPE_NONE &&
	    prop->allocationType == ACL_MEM_ALLOCATION_TYPE_PINNED)
		return ACL_SUCCESS;
	return emu_fail(ACL_ERROR_INVALID_PARAM, "EH0009",
	                "%s failed because flags is %" PRIu64 ", handleType %d and allocationType %d; all must be 0.",
	                function, flags, (int)prop->handleType, (int)prop->allocationType);
}

/* ---- API ---- */

aclError aclrtMemGetAllocationGranularity(aclrtPhysicalMemProp *prop, aclrtMemGranularityOptions option,
                                          size_t *granularity)
{
	aclError status;

	if (!prop)
		return emu_fail_null(__func__, "prop");
	if (!granularity)
		return emu_fail_null(__func__, "granularity");
	if (option != ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM && option != ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED)
		return emu_fail(ACL_ERROR_INVALID_PARAM, "EH0007", "%s failed because option is %d; it must be 0 or 1.",
		                __func__, (int)option);
	status = check_place(__func__, prop);
	if (!status)
		*granularity = page_of(prop->memAttr);
	return status;
}

/* The memory itself, booked and in the list, with one reference. */
static aclError make(const struct emu_request *request, struct emu_physical **made)
{
	struct emu_physical *new = calloc(1, sizeof(*new));
	void *bytes = mmap(NULL, request->padded, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1,
	                   0);
	aclError status;

	if (!new || bytes == MAP_FAILED) {
		status = emu_memory_exhausted(request, "the host's memory or address space is exhausted.");
		goto out;
	}
	status = emu_memory_book(request);
	if (status)
		goto out;
	madvise(bytes, request->padded, MADV_HUGEPAGE); /* a wish */
	*new = (struct emu_physical){
		.references = 1,
		.bytes = bytes,
		.size = request->padded,
		.granule = request->page,
		.caller = request->caller,
		.device = request->device,
	};
	pthread_mutex_lock(&emu_tables.lock);
	new->next = all;
	all = new;
	pthread_mutex_unlock(&emu_tables.lock);
	*made = new;
	return ACL_SUCCESS;
out:
	if (bytes != MAP_FAILED)
		munmap(bytes, request->padded);
	free(new);
	return status;
}

aclError aclrtMallocPhysical(aclrtDrvMemHandle *handle, size_t size, const aclrtPhysicalMemProp *prop, uint64_t flags)
{
	struct emu_request request = {
		.function = __func__, .caller = __builtin_return_address(0), .asked = size, .padded = size};
	struct emu_physical *physical = NULL;
	struct emu_context *context;
	aclError status;

	if (!handle)
		return emu_fail_null(__func__, "handle");
	if (!prop)
		return emu_fail_null(__func__, "prop");
	if (size == 0)
		return emu_fail(ACL_ERROR_INVALID_PARAM, "EH0009", "%s failed because size is 0.", __func__);
	status = check_fixed(__func__, prop, flags);
	if (!status)
		status = check_place(__func__, prop);
	if (status)
		return status;
	request.page = (uint32_t)page_of(prop->memAttr);
	request.device = (int)prop->location.id;
	if (size % request.page != 0)
		return emu_fail(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
		                "%s failed because size is %zu; with memAttr %d it must be a multiple of %" PRIu32 ".",
		                __func__, size, (int)prop->memAttr, request.page);
	status = emu_context_require(__func__, &context);
	if (status)
		return status;
	status = make(&request, &physical);
	if (!status)
		status = emu_physical_open(__func__, physical, handle);
	emu_object_release(&context->object);
	return status;
}

aclError aclrtFreePhysical(aclrtDrvMemHandle handle)
{
	if (!handle)
		return emu_fail_null(__func__, "handle");
	if (!emu_handle_close(handle, EMU_KIND_PHYSICAL_MEMORY, "freed"))
		return dead_handle(__func__, handle);
	return ACL_SUCCESS;
}
