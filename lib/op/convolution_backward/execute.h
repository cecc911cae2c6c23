/* Phase two: reads a plan, a workspace and the addresses. */
#ifndef EMU_EXECUTE_H
#define EMU_EXECUTE_H

#include "base/executor.h"

/**
 * Computes what a plan (struct emu_plan) says, on a stream's thread.
 *
 * @return 0, or ACL_ERROR_RT_AICORE_EXCEPTION (507015) when an address or the workspace is not what it must be: nothing
 *         was written then, and one error record says which and why
 */
aclError emu_execute(const void *plan, const struct emu_launch *launch);

#endif
