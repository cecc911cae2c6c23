/* Reserved device addresses, and the physical memory that is mapped there piece by piece. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "acl/acl_rt.h"
#include "allocation.h"
#include "context.h"
#include "device.h"
#include "fail.h"
#include "physical.h"
#include "tables.h"
#include "window.h"

enum { EXPLANATION = 240, ACCESS_BITS = 2, ACCESS_MASK = 3 };

static const uintptr_t hint_start = (uintptr_t)16 << 40;
static const uintptr_t hint_end = (uintptr_t)24 << 40;

static aclError refuse_zero(const char *function, const char *argument)
{
	return emu_fail(ACL_ERROR_INVALID_PARAM, "EH0009", "%s failed because %s is 0.", function, argument);
}

static aclError refuse_flags(const char *function, const char *argument, uint64_t value, const char *allowed)
{
	return emu_fail(ACL_ERROR_INVALID_PARAM, "EH0009", "%s failed because %s is %" PRIu64 "; it must be %s.",
	                function, argument, value, allowed);
}

static aclError refuse(const char *function, const char *why)
{
	return emu_fail(ACL_ERROR_RT_PARAM_INVALID, "EE1003", "%s failed: %s.", function, why);
}

/* ---- reserving ---- */

static aclError check_reserve(const char *function, size_t size, size_t alignment, const void *wish, uint64_t flags)
{
	uintptr_t address = (uintptr_t)wish;

	if (size == 0)
		return refuse_zero(function, "size");
	if (flags > 1)
		return refuse_flags(function, "flags", flags, "0 or 1");
	if (alignment != 0)
		return emu_fail(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
		                "%s failed because alignment is %zu; it must be 0.", function, alignment);
	if (address && (address < hint_start || address >= hint_end))
		return emu_fail(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
		                "%s failed because expectPtr is %p; it must be null or lie between 16 and 24 TiB.",
		                function, wish);
	return ACL_SUCCESS;
}

aclError aclrtReserveMemAddress(void **virPtr, size_t size, size_t alignment, void *expectPtr, uint64_t flags)
{
	struct emu_request request = {.function = __func__, .asked = size, .page = EMU_HUGE_PAGE};
	struct emu_context *context;
	aclError status;

	if (!virPtr)
		return emu_fail_null(__func__, "virPtr");
	status = check_reserve(__func__, size, alignment, expectPtr, flags);
	if (status)
		return status;
	status = emu_context_require(__func__, &context);
	if (status)
		return status;
	if (size > UINT64_MAX / 2) {
		status = emu_memory_exhausted(&request, "no device has so many addresses.");
	} else {
		request.device = context->device;
		request.padded = emu_round_up(size, EMU_HUGE_PAGE);
		status = emu_memory_reserve(&request, (uintptr_t)expectPtr, virPtr);
	}
	emu_object_release(&context->object);
	return status;
}

aclError aclrtReleaseMemAddress(void *virPtr)
{
	struct emu_allocation *found;
	char why[EXPLANATION];

	if (!virPtr)
		return emu_fail_null(__func__, "virPtr");
	pthread_mutex_lock(&emu_tables.lock);
	found = emu_registry_find(&emu_tables.on_device, (uintptr_t)virPtr);
	if (!found || found->freed || found->kind != EMU_RESERVED || found->base != (uintptr_t)virPtr) {
		snprintf(why, sizeof(why), "%p is not the start of a reservation that aclrtReserveMemAddress made",
		         virPtr);
	} else if (found->mapped_pieces > 0) {
		snprintf(why, sizeof(why), "memory is still mapped in reservation %" PRIu64 "; call aclrtUnmapMem first",
		         found->number);
	} else {
		emu_tables_retire(found);
		return ACL_SUCCESS;
	}
	pthread_mutex_unlock(&emu_tables.lock);
	return refuse(__func__, why);
}

/* ---- mapping ---- */

/* The reservation that a piece may be mapped in; or NULL and a sentence. The lock is held. */
static struct emu_allocation *find_room(uintptr_t address, const struct emu_physical *physical, char why[EXPLANATION])
{
	struct emu_allocation *found = emu_registry_find(&emu_tables.on_device, address);
	const struct emu_allocation *piece;

	if (!found || found->freed || found->kind != EMU_RESERVED) {
		snprintf(why, EXPLANATION, "virPtr 0x%" PRIxPTR " lies in no reservation", address);
		return NULL;
	}
	if (physical->size > found->size - (address - found->base)) {
		snprintf(why, EXPLANATION,
		         "%" PRIu64 " bytes from virPtr 0x%" PRIxPTR " leave reservation %" PRIu64 " (%" PRIu64
		         " bytes at 0x%" PRIxPTR ")",
		         physical->size, address, found->number, found->size, found->base);
		return NULL;
	}
	/* be it only there until queued work has let go of it */
	piece = emu_registry_find_in(&emu_tables.mapped, address, physical->size);
	if (piece) {
		snprintf(why, EXPLANATION, "%" PRIu64 " bytes at 0x%" PRIxPTR " %s", piece->size, piece->base,
		         piece->freed ? "were unmapped, but work that is queued still uses them; synchronise it first"
		                      : "are mapped already");
		return NULL;
	}
	if (found->pins > 0 && found->device != physical->device) {
		snprintf(why, EXPLANATION,
		         "reservation %" PRIu64 " holds memory of device %d, so memory of device %d cannot be mapped there",
		         found->number, found->device, physical->device);
		return NULL;
	}
	return found;
}

/* Puts a piece into its place. False and a sentence when that is not possible. The lock is held. */
static bool place_piece(struct emu_allocation *piece, char why[EXPLANATION])
{
	const struct emu_window *window = emu_window_get();
	struct emu_allocation *reservation = find_room(piece->base, piece->physical, why);

	if (!reservation)
		return false;
	snprintf(why, EXPLANATION, "the host refused (too many pieces, or a memory limit of the process)");
	if (!emu_window_show(window, piece->base, piece->physical->bytes, piece->size))
		return false;
	if (!emu_registry_insert(&emu_tables.mapped, piece)) {
		emu_window_hide(window, piece->base, piece->size);
		return false;
	}
	piece->number = ++emu_tables.last_number;
	piece->reservation = reservation;
	reservation->device = piece->device;
	reservation->pins++;
	reservation->mapped_pieces++;
	emu_physical_retain(piece->physical);
	return true;
}

static aclError map(const char *function, uintptr_t address, struct emu_physical *physical)
{
	struct emu_allocation *piece = calloc(1, sizeof(*piece));
	char why[EXPLANATION];
	bool placed;

	if (!piece)
		return emu_fail(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL, "EE1023",
		                "%s failed: the host's memory is exhausted.", function);
	*piece = (struct emu_allocation){
		.kind = EMU_MAPPED,
		.base = address,
		.size = physical->size,
		.asked = physical->size,
		.page = (uint32_t)physical->granule,
		.device = physical->device,
		.physical = physical,
		.access = ACL_RT_MEM_ACCESS_FLAGS_READWRITE << ACCESS_BITS * physical->device,
	};
	pthread_mutex_lock(&emu_tables.lock);
	placed = place_piece(piece, why);
	pthread_mutex_unlock(&emu_tables.lock);
	if (placed)
		return ACL_SUCCESS;
	free(piece);
	return refuse(function, why);
}

aclError aclrtMapMem(void *virPtr, size_t size, size_t offset, aclrtDrvMemHandle handle, uint64_t flags)
{
	struct emu_physical *physical;
	aclError status;

	if (!virPtr)
		return emu_fail_null(__func__, "virPtr");
	if (!handle)
		return emu_fail_null(__func__, "handle");
	if (size == 0)
		return refuse_zero(__func__, "size");
	if (offset != 0 || flags != 0)
		return refuse_flags(__func__, offset ? "offset" : "flags", offset ? offset : flags, "0");
	status = emu_physical_acquire(__func__, handle, &physical);
	if (status)
		return status;
	if (size != physical->size)
		status = emu_fail(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
		                  "%s failed because size is %zu, but the physical memory has %" PRIu64
		                  " bytes and is mapped as a whole.",
		                  __func__, size, physical->size);
	else if ((uintptr_t)virPtr % physical->granule != 0)
		status = emu_fail(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
		                  "%s failed because virPtr %p is not a multiple of the granularity %" PRIu64 ".",
		                  __func__, virPtr, physical->granule);
	else
		status = map(__func__, (uintptr_t)virPtr, physical);
	emu_physical_release(physical);
	return status;
}

/* The live piece that holds the address, or NULL and a sentence. The lock is held. */
static struct emu_allocation *find_piece(const void *address, char why[EXPLANATION])
{
	struct emu_allocation *piece = emu_registry_find(&emu_tables.mapped, (uintptr_t)address);

	if (piece && !piece->freed)
		return piece;
	snprintf(why, EXPLANATION, "nothing is mapped at %p", address);
	return NULL;
}

aclError aclrtUnmapMem(void *virPtr)
{
	struct emu_allocation *piece;
	char why[EXPLANATION];

	if (!virPtr)
		return emu_fail_null(__func__, "virPtr");
	pthread_mutex_lock(&emu_tables.lock);
	piece = find_piece(virPtr, why);
	if (piece && piece->base == (uintptr_t)virPtr) {
		piece->reservation->mapped_pieces--;
		emu_tables_retire(piece);
		return ACL_SUCCESS;
	}
	if (piece)
		snprintf(why, sizeof(why), "virPtr %p lies inside of what is mapped at 0x%" PRIxPTR, virPtr,
		         piece->base);
	pthread_mutex_unlock(&emu_tables.lock);
	return refuse(__func__, why);
}

aclError aclrtMemRetainAllocationHandle(void *virPtr, aclrtDrvMemHandle *handle)
{
	struct emu_physical *physical = NULL;
	struct emu_allocation *piece;
	char why[EXPLANATION];

	if (!virPtr)
		return emu_fail_null(__func__, "virPtr");
	if (!handle)
		return emu_fail_null(__func__, "handle");
	pthread_mutex_lock(&emu_tables.lock);
	piece = find_piece(virPtr, why);
	if (piece) {
		physical = piece->physical;
		emu_physical_retain(physical);
	}
	pthread_mutex_unlock(&emu_tables.lock);
	return physical ? emu_physical_open(__func__, physical, handle) : refuse(__func__, why);
}

/* ---- access ---- */

static bool is_access(unsigned flags)
{
	return flags == ACL_RT_MEM_ACCESS_FLAGS_NONE || flags == ACL_RT_MEM_ACCESS_FLAGS_READ ||
	       flags == ACL_RT_MEM_ACCESS_FLAGS_READWRITE;
}

static aclError check_location(const char *function, const aclrtMemLocation *location)
{
	if (location->type != ACL_MEM_LOCATION_TYPE_DEVICE)
		return emu_fail(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
		                "%s failed because location.type is %d; it must be ACL_MEM_LOCATION_TYPE_DEVICE (1).",
		                function, (int)location->type);
	return emu_device_check(function, (int32_t)location->id);
}

static uint32_t with_access(uint32_t access, const aclrtMemAccessDesc *desc, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		unsigned at = ACCESS_BITS * desc[i].location.id;

		access = (access & ~((uint32_t)ACCESS_MASK << at)) | (uint32_t)desc[i].flags << at;
	}
	return access;
}

/* Are whole pieces mapped, one after the other, over the whole range? The lock is held. */
static bool covers_pieces(uintptr_t address, uint64_t size, char why[EXPLANATION])
{
	while (size > 0) {
		const struct emu_allocation *piece = find_piece((void *)address, why);

		if (!piece)
			return false;
		if (piece->base != address || piece->size > size) {
			snprintf(why, EXPLANATION, "the range cuts what is mapped at 0x%" PRIxPTR " (%" PRIu64 " bytes)",
			         piece->base, piece->size);
			return false;
		}
		address += piece->size;
		size -= piece->size;
	}
	return true;
}

aclError aclrtMemSetAccess(void *virPtr, size_t size, aclrtMemAccessDesc *desc, size_t count)
{
	uintptr_t address = (uintptr_t)virPtr;
	char why[EXPLANATION];
	aclError status = ACL_SUCCESS;
	bool covers;

	if (!virPtr)
		return emu_fail_null(__func__, "virPtr");
	if (!desc)
		return emu_fail_null(__func__, "desc");
	if (size == 0 || count == 0)
		return refuse_zero(__func__, size ? "count" : "size");
	for (size_t i = 0; i < count; i++)
		if (!is_access(desc[i].flags))
			return refuse_flags(__func__, "flags", desc[i].flags, "0, 1 or 3");
	for (size_t i = 0; i < count && !status; i++)
		status = check_location(__func__, &desc[i].location);
	if (status)
		return status;
	pthread_mutex_lock(&emu_tables.lock);
	covers = covers_pieces(address, size, why);
	for (uintptr_t end = address + size; covers && address < end;) {
		struct emu_allocation *piece = emu_registry_find(&emu_tables.mapped, address);

		piece->access = with_access(piece->access, desc, count);
		address += piece->size;
	}
	pthread_mutex_unlock(&emu_tables.lock);
	return covers ? ACL_SUCCESS : refuse(__func__, why);
}

aclError aclrtMemGetAccess(void *virPtr, aclrtMemLocation *location, uint64_t *flag)
{
	const struct emu_allocation *piece;
	char why[EXPLANATION];
	aclError status;

	if (!virPtr)
		return emu_fail_null(__func__, "virPtr");
	if (!location)
		return emu_fail_null(__func__, "location");
	if (!flag)
		return emu_fail_null(__func__, "flag");
	status = check_location(__func__, location);
	if (status)
		return status;
	pthread_mutex_lock(&emu_tables.lock);
	piece = find_piece(virPtr, why);
	if (piece)
		*flag = piece->access >> ACCESS_BITS * location->id & ACCESS_MASK;
	pthread_mutex_unlock(&emu_tables.lock);
	return piece ? ACL_SUCCESS : refuse(__func__, why);
}
