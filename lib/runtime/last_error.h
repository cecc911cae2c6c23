/* The last failure of this layer on the calling thread. */
#ifndef EMU_LAST_ERROR_H
#define EMU_LAST_ERROR_H

#include "acl/acl_base.h"

/* Remembers a status of the runtime layer (107xxx, 207xxx, 507xxx); others are not for it. */
void emu_last_error_set(aclError status);

#endif
