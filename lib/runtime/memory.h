/*
 * Device memory as seen by our own libraries.
 *
 * A device address is a place in a reserved range that nobody may touch; its bytes live at a fixed distance which only
 * this file's implementation knows. With ACLEMU_DEVICE_MEMORY=shared the distance is 0.
 */
#ifndef EMU_MEMORY_H
#define EMU_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "acl/acl_base.h"
#include "export.h"

struct emu_allocation;

/* A piece of device memory that stays readable until it is unpinned, even if the client frees it meanwhile. */
struct emu_pin {
	struct emu_allocation *allocation;
	struct emu_allocation *last; /* the same, or the last of adjacent pieces that are mapped one by one */
	void *bytes; /* host view of the address that was pinned */
};

/**
 * Pins `size` bytes of device memory at `address`.
 *
 * @param what  the name of the argument for the error text, e.g. "gradOutput" or "workspace"
 * @return 0; else ACL_ERROR_RT_AICORE_EXCEPTION (507015) with one error record that names the address and the fault:
 *         null, host memory, never allocated, freed (allocation number, size), or leaves its allocation (by how much).
 *         `size` 0 pins nothing, returns 0 and sets pin->bytes to NULL.
 */
EMU_SHARED aclError emu_memory_pin(const char *what, const void *address, uint64_t size, struct emu_pin *pin);

/* Gives a pin back. A zeroed pin is fine. */
EMU_SHARED void emu_memory_unpin(struct emu_pin *pin);

#endif
