/* From an address to what it names: pins, views and frees, and why they fail. */
#include "memory.h"

#include <inttypes.h>
#include <stdio.h>

#include "acl/acl_rt.h"
#include "allocation.h"
#include "fail.h"
#include "tables.h"
#include "window.h"

enum { EXPLANATION = 320 };

/* ---- looking up ---- */

/* The bytes that the range lacks at the end of its allocation. */
static uint64_t overshoot(const struct emu_allocation *allocation, uintptr_t address, uint64_t size)
{
	uint64_t left = allocation->size - (address - allocation->base);

	return size > left ? size - left : 0;
}

static bool is_live(const struct emu_allocation *found)
{
	return found && !found->freed && found->kind != EMU_RESERVED;
}

/* A piece that continues another without a gap: to a program both are one block. The lock is held. */
static struct emu_allocation *next_piece(const struct emu_allocation *piece)
{
	struct emu_allocation *next = NULL;

	if (piece->kind == EMU_MAPPED)
		next = emu_registry_find(&emu_tables.mapped, piece->base + piece->size);
	return is_live(next) && next->reservation == piece->reservation ? next : NULL;
}

static void explain_overshoot(const struct emu_allocation *last, const void *pointer, uint64_t size, uint64_t missing,
                              char why[EXPLANATION])
{
	snprintf(why, EXPLANATION,
	         "%" PRIu64 " bytes from %p leave allocation %" PRIu64 " (%" PRIu64 " bytes at 0x%" PRIxPTR ") by %" PRIu64
	         " bytes",
	         size, pointer, last->number, last->asked, last->base, missing);
}

static void explain_address(const struct emu_allocation *found, const void *pointer, char why[EXPLANATION])
{
	uintptr_t address = (uintptr_t)pointer;
	const struct emu_allocation *ended = found && found->freed ? found : NULL;

	if (!ended && found && found->kind == EMU_RESERVED)
		ended = emu_registry_find_ended(&emu_tables.mapped, address);
	if (!found)
		ended = emu_registry_find_ended(&emu_tables.on_device, address);
	if (!pointer)
		snprintf(why, EXPLANATION, "it is a null pointer");
	else if (ended)
		snprintf(why, EXPLANATION,
		         "%p lies in allocation %" PRIu64 " (%" PRIu64 " bytes at 0x%" PRIxPTR "), which was %s", pointer,
		         ended->number, ended->asked, ended->base, ended->kind == EMU_MAPPED ? "unmapped" : "freed");
	else if (found)
		snprintf(why, EXPLANATION,
		         "%p lies in reservation %" PRIu64 " (%" PRIu64 " bytes at 0x%" PRIxPTR
		         "), where nothing is mapped. Call aclrtMapMem",
		         pointer, found->number, found->asked, found->base);
	else if (emu_window_has(emu_window_get(), pointer))
		snprintf(why, EXPLANATION, "%p lies in the device's address range, but in no allocation", pointer);
	else
		snprintf(why, EXPLANATION,
		         "%p is %shost memory; the device reaches only what aclrtMalloc gave. Copy the data there with "
		         "aclrtMemcpy",
		         pointer, emu_registry_find(&emu_tables.on_host, address) ? "pinned " : "");
}

/*
 * Live memory of the device that holds the whole range, with one more pin on each of its pieces; or false and a
 * sentence. The lock is held.
 */
static bool pin_range(const void *pointer, uint64_t size, struct emu_pin *pin, char why[EXPLANATION])
{
	struct emu_allocation *first = emu_tables_find_device((uintptr_t)pointer);
	struct emu_allocation *last = first;
	uint64_t missing;

	if (!is_live(first)) {
		explain_address(first, pointer, why);
		return false;
	}
	missing = overshoot(first, (uintptr_t)pointer, size);
	for (struct emu_allocation *next; missing && (next = next_piece(last)); last = next)
		missing -= missing < next->size ? missing : next->size;
	if (missing) {
		explain_overshoot(last, pointer, size, missing, why);
		return false;
	}
	pin->allocation = first;
	pin->last = last;
	for (struct emu_allocation *piece = first; piece != last; piece = next_piece(piece))
		piece->pins++;
	last->pins++;
	return true;
}

/* Host memory that the client registered for the device's use. The lock is held. */
static bool pin_registered(const void *pointer, uint64_t size, struct emu_pin *pin)
{
	struct emu_allocation *found = emu_registry_find(&emu_tables.registered, (uintptr_t)pointer);

	if (!is_live(found) || overshoot(found, (uintptr_t)pointer, size))
		return false;
	found->pins++;
	pin->allocation = found;
	pin->last = found;
	return true;
}

aclError emu_memory_pin(const char *what, const void *address, uint64_t size, struct emu_pin *pin)
{
	char why[EXPLANATION];
	bool on_device, found;

	*pin = (struct emu_pin){0};
	if (size == 0)
		return ACL_SUCCESS;
	pthread_mutex_lock(&emu_tables.lock);
	on_device = pin_range(address, size, pin, why);
	found = on_device || pin_registered(address, size, pin);
	if (found && !on_device && !pin->allocation->mapped_to_device) {
		pin->allocation->pins--; /* merely locked in memory */
		*pin = (struct emu_pin){0};
		found = false;
	}
	pthread_mutex_unlock(&emu_tables.lock);
	if (!found)
		return emu_fail(ACL_ERROR_RT_AICORE_EXCEPTION, "EZ9999", "The AI core could not access %s: %s.", what,
		                why);
	pin->bytes = on_device ? emu_window_bytes(emu_window_get(), (uintptr_t)address) : (void *)(uintptr_t)address;
	return ACL_SUCCESS;
}

/* Pinned host memory is copied by the device while the call returns; what merely starts in it is ordinary memory. */
static void view_host(const void *address, uint64_t size, struct emu_side *side)
{
	struct emu_allocation *allocation;

	side->bytes = (void *)(uintptr_t)address;
	pthread_mutex_lock(&emu_tables.lock);
	allocation = emu_registry_find(&emu_tables.on_host, (uintptr_t)address);
	if (is_live(allocation) && !overshoot(allocation, (uintptr_t)address, size)) {
		allocation->pins++;
		side->pin.allocation = allocation;
		side->pin.last = allocation;
		side->place = EMU_PINNED;
	} else if (pin_registered(address, size, &side->pin)) {
		side->place = EMU_PINNED;
	}
	pthread_mutex_unlock(&emu_tables.lock);
}

aclError emu_memory_view(const char *function, const char *what, const void *address, uint64_t size,
                         struct emu_side *side)
{
	const struct emu_window *window = emu_window_get();
	char why[EXPLANATION];
	bool found;

	*side = (struct emu_side){.place = EMU_PAGEABLE, .device = -1};
	if (!emu_window_has(window, address)) {
		view_host(address, size, side);
		return ACL_SUCCESS;
	}
	pthread_mutex_lock(&emu_tables.lock);
	found = pin_range(address, size, &side->pin, why);
	pthread_mutex_unlock(&emu_tables.lock);
	if (!found)
		return emu_fail(ACL_ERROR_RT_PARAM_INVALID, "EE1003", "%s failed because of %s: %s.", function, what,
		                why);
	side->place = EMU_DEVICE;
	side->device = side->pin.allocation->device;
	side->bytes = emu_window_bytes(window, (uintptr_t)address);
	return ACL_SUCCESS;
}

bool emu_memory_describe(const void *address, struct emu_allocation *found)
{
	uintptr_t number = (uintptr_t)address;
	const struct emu_allocation *allocation;
	bool live;

	pthread_mutex_lock(&emu_tables.lock);
	allocation = emu_tables_find_device(number);
	if (!allocation)
		allocation = emu_registry_find(&emu_tables.on_host, number);
	if (!allocation)
		allocation = emu_registry_find(&emu_tables.registered, number);
	live = is_live(allocation);
	if (live)
		*found = *allocation;
	pthread_mutex_unlock(&emu_tables.lock);
	return live;
}

bool emu_memory_peek(const void *address, struct emu_allocation *found)
{
	const struct emu_allocation *allocation;

	if (pthread_mutex_trylock(&emu_tables.lock))
		return false;
	allocation = emu_tables_find_device((uintptr_t)address);
	if (allocation) {
		*found = *allocation;
	} else {
		allocation = emu_registry_find_ended(&emu_tables.on_device, (uintptr_t)address);
		if (allocation) {
			*found = *allocation;
			found->freed = true;
		}
	}
	pthread_mutex_unlock(&emu_tables.lock);
	return allocation != NULL;
}

/* ---- freeing ---- */

static bool may_be_freed(const struct emu_allocation *allocation, bool device_too)
{
	return allocation && !allocation->freed &&
	       (allocation->kind == EMU_ON_HOST || (device_too && allocation->kind == EMU_ON_DEVICE));
}

/* The live allocation that starts there, in the table that the caller may free from. The lock is held. */
static struct emu_allocation *find_start(const void *address, bool device_too)
{
	struct emu_allocation *found = emu_registry_find(&emu_tables.on_host, (uintptr_t)address);

	if (!found)
		found = emu_registry_find(&emu_tables.on_device, (uintptr_t)address);
	return may_be_freed(found, device_too) && found->base == (uintptr_t)address ? found : NULL;
}

static void explain_free(const void *address, bool device_too, char why[EXPLANATION])
{
	bool on_card = emu_window_has(emu_window_get(), address);
	const struct emu_registry *registry = on_card ? &emu_tables.on_device : &emu_tables.on_host;
	const struct emu_allocation *live = emu_registry_find(registry, (uintptr_t)address);
	const struct emu_allocation *ended =
		live && live->freed ? live : emu_registry_find_ended(registry, (uintptr_t)address);

	if (on_card && !device_too)
		snprintf(why, EXPLANATION, "%p is device memory, which aclrtFree gives back", address);
	else if (live && live->kind == EMU_RESERVED)
		snprintf(why, EXPLANATION,
		         "%p lies in reservation %" PRIu64
		         ", which aclrtReleaseMemAddress gives back, and aclrtUnmapMem what is mapped there",
		         address, live->number);
	else if (live && !live->freed)
		snprintf(why, EXPLANATION,
		         "%p lies inside allocation %" PRIu64 " (%" PRIu64 " bytes), but only its start 0x%" PRIxPTR
		         " can be freed",
		         address, live->number, live->asked, live->base);
	else if (ended)
		snprintf(why, EXPLANATION,
		         "%p belongs to allocation %" PRIu64 " (%" PRIu64 " bytes), which was freed already", address,
		         ended->number, ended->asked);
	else
		snprintf(why, EXPLANATION, "%p was not given by %s", address,
		         device_too ? "aclrtMalloc" : "aclrtMallocHost");
}

aclError emu_memory_free(const char *function, const void *address, bool device_too)
{
	struct emu_allocation *allocation;
	char why[EXPLANATION];

	pthread_mutex_lock(&emu_tables.lock);
	allocation = find_start(address, device_too);
	if (allocation) {
		emu_tables_retire(allocation);
		return ACL_SUCCESS;
	}
	explain_free(address, device_too, why);
	pthread_mutex_unlock(&emu_tables.lock);
	return emu_fail(ACL_ERROR_RT_PARAM_INVALID, "EE1003", "%s failed: %s.", function, why);
}
