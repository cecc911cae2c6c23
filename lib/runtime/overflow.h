/* What a floating-point overflow turns into, as the client wants it. */
#ifndef EMU_OVERFLOW_H
#define EMU_OVERFLOW_H

#include "acl/acl_rt.h"

aclrtFloatOverflowMode emu_overflow_mode(void);

#endif
