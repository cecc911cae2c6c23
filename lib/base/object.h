/* Handle arguments of the base functions: looked up, or refused with a status and a sentence. */
#ifndef EMU_OBJECT_H
#define EMU_OBJECT_H

#include <stdint.h>

#include "aclnn/acl_meta.h"
#include "runtime/handle.h"

/* Records that `argument` of `function` must not be null. Returns `status`. */
aclnnStatus emu_refuse_null(aclnnStatus status, const char *function, const char *argument);

/**
 * Records why emu_handle_acquire() or emu_handle_close() did not take an argument.
 *
 * @return null_status for null; for a handle that is no live object 561000 if an executor was expected, 161002 else
 */
aclnnStatus emu_refuse_handle(const char *function, const char *argument, const void *handle, enum emu_kind kind,
                              aclnnStatus null_status);

/**
 * What every aclDestroy...() of a parameter object does: closes the handle; the object goes with its last reference.
 *
 * @return 0 also for null and for a handle of this kind that was destroyed before; else 161002 with a record
 */
aclnnStatus emu_object_destroy(const char *function, const char *argument, const void *handle, enum emu_kind kind);

#endif
