/* How the streams of one context fail together: if that was chosen, nothing more runs in any after a failure. */
#ifndef EMU_FAILURE_H
#define EMU_FAILURE_H

#include <stdatomic.h>
#include <stdbool.h>

#include "acl/acl_base.h"

/* Shared by a context and its streams, which may outlive it. */
struct emu_failure {
	atomic_uint references;
	atomic_bool stops;  /* ACL_STOP_ON_FAILURE was chosen for one of the streams */
	atomic_int error;   /* what stopped them, for good; 0 */
};

/* The caller has the reference; NULL without memory. */
struct emu_failure *emu_failure_create(void);
void emu_failure_retain(struct emu_failure *failure);
void emu_failure_release(struct emu_failure *failure);

/* A task failed. The first failure that stops the context stays. */
void emu_failure_note(struct emu_failure *failure, aclError error);

#endif
