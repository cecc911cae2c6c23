/*
 * Allocations sorted by address, and the last ones that ended. Only a data structure: its user holds the lock.
 */
#ifndef EMU_REGISTRY_H
#define EMU_REGISTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct emu_physical;

enum emu_memory_kind {
	EMU_ON_DEVICE,  /* what aclrtMalloc gave */
	EMU_RESERVED,   /* device addresses with nothing behind them, but for the pieces that are mapped there */
	EMU_MAPPED,     /* a piece of a reservation with physical memory behind it */
	EMU_ON_HOST,    /* what aclrtMallocHost gave */
	EMU_REGISTERED, /* host memory of the client's that the device may use */
};

struct emu_allocation {
	enum emu_memory_kind kind;
	uintptr_t base;
	uint64_t size;      /* with padding */
	uint64_t asked;
	uint64_t number;    /* 1 for the first of the process */
	const void *caller; /* where the client went on after it was allocated */
	uint32_t page;      /* size of its pages on the device */
	int device;         /* -1 for host memory */
	bool freed;         /* by the client; it stays in the table while somebody has it pinned */
	unsigned pins;
	unsigned mapped_pieces;             /* of a reservation; a piece pins it until its last user is done */
	struct emu_allocation *reservation; /* of a mapped piece, as the next two */
	struct emu_physical *physical;
	uint32_t access;    /* aclrtMemAccessFlags of each device, two bits each */
	bool mapped_to_device;              /* of registered memory: operators may use it */
};

enum { EMU_TOMBSTONES = 4096 };

struct emu_registry {
	struct emu_allocation **sorted;
	size_t count;
	size_t room;
	struct emu_allocation *ended; /* ring of EMU_TOMBSTONES */
	size_t ended_count;           /* ever */
};

/* Index of the first allocation that ends above `address`. */
size_t emu_registry_index(const struct emu_registry *registry, uintptr_t address);

/* The allocation that holds `address`, or NULL. */
struct emu_allocation *emu_registry_find(const struct emu_registry *registry, uintptr_t address);

/* The first allocation that shares a byte with the range, or NULL. */
struct emu_allocation *emu_registry_find_in(const struct emu_registry *registry, uintptr_t address, uint64_t size);

/* The youngest ended allocation that held `address`, or NULL. Async-signal-safe, as the two above. */
const struct emu_allocation *emu_registry_find_ended(const struct emu_registry *registry, uintptr_t address);

/* False when memory is exhausted. */
bool emu_registry_insert(struct emu_registry *registry, struct emu_allocation *allocation);
void emu_registry_remove(struct emu_registry *registry, const struct emu_allocation *allocation);

/* Remembers that an allocation was freed. */
void emu_registry_bury(struct emu_registry *registry, const struct emu_allocation *allocation);

#endif
