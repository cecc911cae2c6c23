/* How much memory the host can still give: a device with 64 GB must not get its process killed on a laptop. */
#ifndef EMU_HOST_MEMORY_H
#define EMU_HOST_MEMORY_H

#include <stdint.h>

/* Bytes that may still be filled without swapping others out: the machine's and the control group's limit. */
uint64_t emu_host_available(void);

/* Bytes of this process that are in memory now. */
uint64_t emu_host_resident(void);

#endif
