/*
 * The two reserved ranges behind device memory. The device window is what clients see: nobody may touch it. The bytes
 * lie in its twin at a fixed distance. With ACLEMU_DEVICE_MEMORY=shared there is one window and the distance is 0.
 *
 * Device d owns the d-th part of the window. Nothing here knows of allocations.
 */
#ifndef EMU_WINDOW_H
#define EMU_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "export.h"

struct emu_window {
	uintptr_t start;
	uint64_t device_bytes; /* addresses of each device */
	uint64_t memory_bytes; /* capacity of each device */
	uintptr_t end;
	uintptr_t distance;    /* from a device address to its bytes, modulo the size of the address space */
};

enum { EMU_HUGE_PAGE = 2 << 20 };

/* Reserves the windows on first use. NULL when the process may not reserve address space. */
const struct emu_window *emu_window_open(void);

/* The window if it is open; async-signal-safe. */
EMU_SHARED const struct emu_window *emu_window_get(void);

static inline bool emu_window_has(const struct emu_window *window, const void *address)
{
	return window && (uintptr_t)address >= window->start && (uintptr_t)address < window->end;
}

static inline void *emu_window_bytes(const struct emu_window *window, uintptr_t address)
{
	return (void *)(address + window->distance);
}

/* Makes the bytes of a range usable, or takes them back. The range is page-aligned. */
bool emu_window_commit(const struct emu_window *window, uintptr_t address, uint64_t size);
void emu_window_decommit(const struct emu_window *window, uintptr_t address, uint64_t size);

/* Shows shared memory in a range, where it stays when the original is unmapped; or hides it again. */
bool emu_window_show(const struct emu_window *window, uintptr_t address, void *shared, uint64_t size);
void emu_window_hide(const struct emu_window *window, uintptr_t address, uint64_t size);

/* Capacity of each device: of the open window, or what it would have if it were opened now. 0 without a chip. */
uint64_t emu_window_memory_bytes(void);

#endif
