/* The tables behind memory.h and allocation.h. Whoever reads or changes them holds their lock. */
#ifndef EMU_TABLES_H
#define EMU_TABLES_H

#include <pthread.h>

#include "config.h"
#include "registry.h"

struct emu_tables {
	pthread_mutex_t lock;
	struct emu_registry on_device;  /* allocations and reservations */
	struct emu_registry mapped;     /* pieces of reservations */
	struct emu_registry on_host;
	struct emu_registry registered;
	uint64_t last_number;
	struct emu_part {
		uintptr_t cursor; /* where the search for a place begins, so that a freed address rests */
		uint64_t used;
		uint64_t peak;    /* the largest `used` ever */
	} parts[EMU_MAX_DEVICES];
};

extern struct emu_tables emu_tables;

struct emu_registry *emu_tables_of(enum emu_memory_kind kind);

/* What holds a device address: an allocation or a mapped piece, perhaps freed already; else a reservation, or NULL. */
struct emu_allocation *emu_tables_find_device(uintptr_t address);

/* Takes an allocation out of the client's hands; its bytes go with the last pin. Gives the lock back. */
void emu_tables_retire(struct emu_allocation *allocation);

static inline uint64_t emu_round_up(uint64_t value, uint64_t unit)
{
	return (value + unit - 1) / unit * unit;
}

uint64_t emu_page_size(void);

#endif
