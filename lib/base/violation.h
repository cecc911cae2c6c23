/* The rules that the calling thread's last phase one broke, of whatever operator: what aclemuGetViolations() tells. */
#ifndef EMU_VIOLATION_H
#define EMU_VIOLATION_H

#include "aclemu/aclemu.h"
#include "runtime/export.h"

/* Every phase one begins with an empty list. */
EMU_SHARED void emu_violations_clear(void);

/* Copies the values; the other texts must live for good. One that is there already is dropped. Never fails. */
EMU_SHARED void emu_violations_add(const struct aclemuViolation *violation);

#endif
