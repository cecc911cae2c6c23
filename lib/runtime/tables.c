#include "tables.h"

#include <stdlib.h>
#include <unistd.h>

#include "allocation.h"
#include "fork.h"
#include "physical.h"
#include "window.h"

struct emu_tables emu_tables = {.lock = PTHREAD_MUTEX_INITIALIZER};

uint64_t emu_page_size(void)
{
	return (uint64_t)sysconf(_SC_PAGESIZE);
}

struct emu_registry *emu_tables_of(enum emu_memory_kind kind)
{
	switch (kind) {
	case EMU_MAPPED:
		return &emu_tables.mapped;
	case EMU_ON_HOST:
		return &emu_tables.on_host;
	case EMU_REGISTERED:
		return &emu_tables.registered;
	case EMU_ON_DEVICE:
	case EMU_RESERVED:
		break;
	}
	return &emu_tables.on_device;
}

struct emu_allocation *emu_tables_find_device(uintptr_t address)
{
	struct emu_allocation *found = emu_registry_find(&emu_tables.on_device, address);
	struct emu_allocation *piece = NULL;

	if (found && found->kind == EMU_RESERVED)
		piece = emu_registry_find(&emu_tables.mapped, address);
	return piece ? piece : found;
}

/* ---- the end of an allocation ---- */

static void give_bytes_back(const struct emu_allocation *allocation)
{
	const struct emu_window *window = emu_window_get();

	if (allocation->kind == EMU_ON_DEVICE)
		emu_window_decommit(window, allocation->base, emu_round_up(allocation->size, emu_page_size()));
	else if (allocation->kind == EMU_MAPPED)
		emu_window_hide(window, allocation->base, allocation->size);
}

/*
 * Nobody can find it any more. Giving bytes back may take long, so it is done without the lock, and before the place is
 * free for others.
 */
static void finish(struct emu_allocation *allocation)
{
	struct emu_pin reservation = {.allocation = allocation->reservation, .last = allocation->reservation};

	give_bytes_back(allocation);
	pthread_mutex_lock(&emu_tables.lock);
	emu_registry_remove(emu_tables_of(allocation->kind), allocation);
	pthread_mutex_unlock(&emu_tables.lock);
	if (allocation->kind == EMU_ON_HOST)
		free((void *)allocation->base);
	if (allocation->physical)
		emu_physical_release(allocation->physical);
	free(allocation);
	emu_memory_unpin(&reservation);
}

void emu_memory_unpin(struct emu_pin *pin)
{
	struct emu_allocation *next = pin->allocation;
	struct emu_allocation *last = pin->last;

	*pin = (struct emu_pin){0};
	while (next) {
		struct emu_allocation *current = next;
		bool ended;

		pthread_mutex_lock(&emu_tables.lock);
		/* what lies between first and last is adjacent and pinned, so it is there */
		next = current == last ? NULL : emu_tables_find_device(current->base + current->size);
		ended = --current->pins == 0 && current->freed;
		pthread_mutex_unlock(&emu_tables.lock);
		if (ended)
			finish(current);
	}
}

void emu_tables_retire(struct emu_allocation *allocation)
{
	struct emu_pin last_pin = {.allocation = allocation, .last = allocation};

	emu_registry_bury(emu_tables_of(allocation->kind), allocation);
	if (allocation->kind == EMU_ON_DEVICE)
		emu_tables.parts[allocation->device].used -= allocation->size;
	allocation->freed = true;
	allocation->pins++;
	pthread_mutex_unlock(&emu_tables.lock);
	emu_memory_unpin(&last_pin);
}

void emu_memory_lock(void)
{
	pthread_mutex_lock(&emu_tables.lock);
}

void emu_memory_unlock(void)
{
	pthread_mutex_unlock(&emu_tables.lock);
}
