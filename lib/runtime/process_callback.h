/* Functions that other modules of a client want called when the process is initialised and finalised. */
#ifndef EMU_PROCESS_CALLBACK_H
#define EMU_PROCESS_CALLBACK_H

#include <stdbool.h>
#include <stddef.h>

#include "acl/acl_base.h"

/* Each calls all functions in the order of registration until one fails, and gives its status. No lock is held. */
aclError emu_process_starts(const char *configuration, size_t size);
aclError emu_process_ends(void);

/* Is the process initialised? From process.c. */
bool emu_process_is_initialised(void);

#endif
