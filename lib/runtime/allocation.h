/* Device memory and pinned host memory as seen by the runtime itself; memory.h is what the other libraries see. */
#ifndef EMU_ALLOCATION_H
#define EMU_ALLOCATION_H

#include <stdbool.h>
#include <stdint.h>

#include "memory.h"
#include "registry.h"

/* What a client asks for: `asked` bytes, of which `padded` are accounted, in pages of `page` bytes. */
struct emu_request {
	const char *function; /* for messages */
	const void *caller;   /* where the client goes on */
	int device;
	uint64_t asked;
	uint64_t padded;
	uint32_t page;
};

/* 0 or 207001 with a record. */
aclError emu_memory_allocate(const struct emu_request *request, void **address);
aclError emu_memory_allocate_pinned(const struct emu_request *request, void **address);

/* Device addresses with nothing behind them; `wish` is where they should begin, if that is free, or 0. */
aclError emu_memory_reserve(const struct emu_request *request, uintptr_t wish, void **address);

/* Counts memory of a device as used without giving it a place; 0 or 207001 with a record. */
aclError emu_memory_book(const struct emu_request *request);
void emu_memory_unbook(int device, uint64_t bytes);

/* 207001 with a record: what was asked for, and why there is none. */
aclError emu_memory_exhausted(const struct emu_request *request, const char *why);

/*
 * Frees what starts at `address`. The bytes go when nobody has them pinned any more.
 * 0 or ACL_ERROR_RT_PARAM_INVALID with a record: not the start of a live allocation.
 */
aclError emu_memory_free(const char *function, const void *address, bool device_too);

enum emu_place { EMU_PAGEABLE, EMU_PINNED, EMU_DEVICE };

/* One side of a copy or fill: where the client's address lies, and the bytes behind it. */
struct emu_side {
	enum emu_place place;
	int device;         /* of EMU_DEVICE */
	void *bytes;
	struct emu_pin pin; /* device and pinned memory stay until emu_memory_unpin() */
};

/* Pins one side. 0; or 107000 with a record: a device address that does not lie in live memory. */
aclError emu_memory_view(const char *function, const char *what, const void *address, uint64_t size,
                         struct emu_side *side);

/* A copy of what is known of an address of any kind; false when the runtime knows nothing of it. */
bool emu_memory_describe(const void *address, struct emu_allocation *found);

/* For the fault handler: looks without waiting. False when the tables are in use or the address is in no allocation. */
bool emu_memory_peek(const void *address, struct emu_allocation *found);

#endif
