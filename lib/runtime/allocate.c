/* Where memory comes from: a device's account, its address range, the host's heap. */
#include "allocation.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "acl/acl_rt.h"
#include "fail.h"
#include "host_memory.h"
#include "tables.h"
#include "window.h"

enum { EXPLANATION = 160 };

static const uint64_t worth_a_look = 16 << 20; /* below this the host's free memory is not looked up */

aclError emu_memory_exhausted(const struct emu_request *request, const char *why)
{
	return emu_fail(ACL_ERROR_RT_MEMORY_ALLOCATION, "EL0004", "%s of %" PRIu64 " bytes failed: %s",
	                request->function, request->asked, why);
}

/* ---- the account ---- */

/*
 * Device memory is filled later than it is allocated: what was promised counts beside what the host still has.
 * `promised` is all other device memory.
 */
static bool host_can_hold(uint64_t promised, uint64_t padded, uint64_t *available)
{
	if (padded < worth_a_look)
		return true;
	*available = emu_host_available();
	if (*available == UINT64_MAX)
		return true;
	return padded <= *available && promised + padded <= *available + emu_host_resident();
}

/* False when the device is full. *promised is the device memory in use before. */
static bool take_from_account(const struct emu_request *request, uint64_t capacity, uint64_t *promised)
{
	struct emu_part *part = &emu_tables.parts[request->device];
	bool fits;

	*promised = 0;
	pthread_mutex_lock(&emu_tables.lock);
	for (int i = 0; i < EMU_MAX_DEVICES; i++)
		*promised += emu_tables.parts[i].used;
	fits = request->padded <= capacity - part->used;
	if (fits)
		part->used += request->padded;
	if (part->used > part->peak)
		part->peak = part->used;
	pthread_mutex_unlock(&emu_tables.lock);
	return fits;
}

void emu_memory_unbook(int device, uint64_t bytes)
{
	pthread_mutex_lock(&emu_tables.lock);
	emu_tables.parts[device].used -= bytes;
	pthread_mutex_unlock(&emu_tables.lock);
}

aclError emu_memory_book(const struct emu_request *request)
{
	const struct emu_window *window = emu_window_open();
	uint64_t available = 0, promised;
	char text[EXPLANATION];

	if (!window)
		return emu_memory_exhausted(request, "the process may not reserve address space (see ulimit -v).");
	if (!take_from_account(request, window->memory_bytes, &promised))
		return emu_memory_exhausted(
			request, "the device's memory is used up; ACLEMU_MEMORY_GB sets how much there is.");
	if (host_can_hold(promised, request->padded, &available))
		return ACL_SUCCESS;
	emu_memory_unbook(request->device, request->padded);
	snprintf(text, sizeof(text),
	         "the host has %" PRIu64 " bytes available and %" PRIu64 " bytes of device memory are promised already.",
	         available, promised);
	return emu_memory_exhausted(request, text);
}

/* ---- places ---- */

/* Where the next allocation may begin at the earliest: one page stays free as a guard. */
static uintptr_t end_with_guard(const struct emu_allocation *allocation)
{
	return emu_round_up(allocation->base + allocation->size, emu_page_size()) + emu_page_size();
}

/* The first gap of `span` bytes between `from` and `end`, or 0. */
static uintptr_t find_gap(uintptr_t from, uintptr_t end, uint64_t span, uint64_t alignment)
{
	const struct emu_registry *taken = &emu_tables.on_device;
	uintptr_t place = emu_round_up(from, alignment);

	for (size_t i = emu_registry_index(taken, from);; i++) {
		const struct emu_allocation *next = i < taken->count ? taken->sorted[i] : NULL;
		uintptr_t limit = next && next->base < end ? next->base : end;

		if (place <= limit && limit - place >= span)
			return place;
		if (limit == end)
			return 0;
		place = emu_round_up(end_with_guard(next), alignment);
	}
}

static uintptr_t choose_place(const struct emu_window *window, int device, uint64_t size, uintptr_t wish)
{
	struct emu_part *part = &emu_tables.parts[device];
	uintptr_t start = window->start + (uint64_t)device * window->device_bytes;
	uintptr_t end = start + window->device_bytes;
	uint64_t span = emu_round_up(size, emu_page_size()) + emu_page_size();
	uint64_t alignment = size >= EMU_HUGE_PAGE ? EMU_HUGE_PAGE : emu_page_size();
	uintptr_t place;

	if (wish >= start && wish < end && find_gap(wish, end, span, alignment) == wish)
		return wish;
	place = find_gap(part->cursor ? part->cursor : start, end, span, alignment);
	if (!place)
		place = find_gap(start, end, span, alignment);
	if (place)
		part->cursor = place + span;
	return place;
}

/* ---- allocating ---- */

/* Places one allocation and commits its bytes, if it has any. NULL or what is missing. The lock is held. */
static const char *place_allocation(const struct emu_window *window, struct emu_allocation *new, uintptr_t wish)
{
	uint64_t committed = new->kind == EMU_ON_DEVICE ? emu_round_up(new->size, emu_page_size()) : 0;

	new->base = choose_place(window, new->device, new->size, wish);
	if (!new->base)
		return "no gap in the device's address range is large enough.";
	if (committed && !emu_window_commit(window, new->base, committed))
		return "the host refused the pages (too many allocations, or a memory limit of the process).";
	if (!emu_registry_insert(&emu_tables.on_device, new)) {
		if (committed)
			emu_window_decommit(window, new->base, committed);
		return "the host's heap is exhausted.";
	}
	new->number = ++emu_tables.last_number;
	return NULL;
}

static aclError allocate_in_window(const struct emu_request *request, enum emu_memory_kind kind, uintptr_t wish,
                                   void **address)
{
	struct emu_allocation *new = calloc(1, sizeof(*new));
	const char *why;

	if (!new)
		return emu_memory_exhausted(request, "the host's heap is exhausted.");
	*new = (struct emu_allocation){
		.kind = kind,
		.size = request->padded,
		.asked = request->asked,
		.caller = request->caller,
		.page = request->page,
		.device = request->device,
	};
	pthread_mutex_lock(&emu_tables.lock);
	why = place_allocation(emu_window_get(), new, wish);
	if (!why)
		*address = (void *)new->base;
	pthread_mutex_unlock(&emu_tables.lock);
	if (!why)
		return ACL_SUCCESS;
	free(new);
	return emu_memory_exhausted(request, why);
}

aclError emu_memory_allocate(const struct emu_request *request, void **address)
{
	aclError status = emu_memory_book(request);

	if (status)
		return status;
	status = allocate_in_window(request, EMU_ON_DEVICE, 0, address);
	if (status)
		emu_memory_unbook(request->device, request->padded);
	return status;
}

aclError emu_memory_reserve(const struct emu_request *request, uintptr_t wish, void **address)
{
	if (!emu_window_open())
		return emu_memory_exhausted(request, "the process may not reserve address space (see ulimit -v).");
	return allocate_in_window(request, EMU_RESERVED, wish, address);
}

/* Whole pages, as registering host memory wants them. */
aclError emu_memory_allocate_pinned(const struct emu_request *request, void **address)
{
	uint64_t page = emu_page_size();
	struct emu_allocation *new = calloc(1, sizeof(*new));
	void *bytes = request->padded <= emu_host_available()
	                      ? aligned_alloc(page, emu_round_up(request->padded, page))
	                      : NULL;
	bool inserted = false;

	if (new && bytes) {
		*new = (struct emu_allocation){
			.kind = EMU_ON_HOST,
			.base = (uintptr_t)bytes,
			.size = request->padded,
			.asked = request->asked,
			.page = (uint32_t)page,
			.device = -1,
		};
		pthread_mutex_lock(&emu_tables.lock);
		inserted = emu_registry_insert(&emu_tables.on_host, new);
		if (inserted)
			new->number = ++emu_tables.last_number;
		pthread_mutex_unlock(&emu_tables.lock);
	}
	if (!inserted) {
		free(bytes);
		free(new);
		return emu_memory_exhausted(request, "the host's memory is exhausted.");
	}
	*address = bytes;
	return ACL_SUCCESS;
}
