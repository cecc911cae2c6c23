/* Phase two: reads a plan and the addresses. */
#ifndef EMU_COPY_EXECUTE_H
#define EMU_COPY_EXECUTE_H

#include "base/executor.h"

/**
 * Copies what a plan (struct emu_copy_plan) says, on a stream's thread. An operand is at launch->addresses[its side].
 *
 * @return 0, or ACL_ERROR_RT_AICORE_EXCEPTION (507015) when an address is not what it must be: nothing was written
 *         then, and one error record says which and why
 */
aclError emu_copy_execute(const void *plan, const struct emu_launch *launch);

#endif
