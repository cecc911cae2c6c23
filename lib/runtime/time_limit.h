/* How long work may take. */
#ifndef EMU_TIME_LIMIT_H
#define EMU_TIME_LIMIT_H

#include <stdint.h>

/* Of a wait for an event that was given no limit of its own, in milliseconds; below 0 is none. */
int64_t emu_wait_limit(void);

#endif
