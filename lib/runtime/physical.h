/* Physical device memory, apart from any address: what aclrtMallocPhysical gives and aclrtMapMem shows. */
#ifndef EMU_PHYSICAL_H
#define EMU_PHYSICAL_H

#include <stdbool.h>

#include "acl/acl_rt.h"

/* Lives as long as a handle or a mapped piece refers to it. */
struct emu_physical {
	unsigned references;      /* under the lock of the tables, as the next two */
	struct emu_physical *next;
	uint64_t shareable;       /* number that it was exported under, or 0 */
	void *bytes;              /* shared memory, so that it can be seen at several addresses */
	uint64_t size;
	uint64_t granule;
	const void *caller;       /* where the client went on after it was allocated */
	int device;
};

/* Takes a reference on what a client's handle stands for; 107017 with a record. */
aclError emu_physical_acquire(const char *function, aclrtDrvMemHandle handle, struct emu_physical **physical);
void emu_physical_retain(struct emu_physical *physical); /* the lock of the tables is held */
void emu_physical_release(struct emu_physical *physical);

/* One more handle for memory that the caller has a reference on; the handle takes that over. */
aclError emu_physical_open(const char *function, struct emu_physical *physical, aclrtDrvMemHandle *handle);

/* The number that the memory is exported under, from now on if not before. */
uint64_t emu_physical_share(struct emu_physical *physical);

/* The memory that was exported under a number, retained; NULL when there is none. */
struct emu_physical *emu_physical_find_shared(uint64_t shareable);

/* Does the attribute ask for DDR, which is what hosts and 310P have, and not for HBM? */
bool emu_physical_is_ddr(aclrtMemAttr attribute);

/* All that there is. */
struct emu_physical_total {
	uint64_t count;
	uint64_t bytes;
	const void *oldest_caller;
};

/* For the report of leaks. The lock of the tables is held. */
struct emu_physical_total emu_physical_total(void);

#endif
