/* How a runtime function fails: one record for aclGetRecentErrMsg(), one status for the caller. */
#ifndef EMU_FAIL_H
#define EMU_FAIL_H

#include "acl/acl_base.h"
#include "export.h"

/* Records why a call failed and returns its status. The sentence starts with the name of the function. */
aclError emu_fail(aclError status, const char *code, const char *format, ...) EMU_PRINTF(3, 4);

/* A null pointer where the outer layer wants one: 100000. */
aclError emu_fail_null(const char *function, const char *argument);

#endif
