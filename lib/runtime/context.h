/* Contexts, and which one a thread has: at most one, named by itself or by the device that the thread set. */
#ifndef EMU_CONTEXT_H
#define EMU_CONTEXT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "acl/acl_base.h"
#include "handle.h"

struct emu_failure;
struct emu_stream;

enum { EMU_CONTEXT_PARAMS = 3 };

struct emu_context {
	struct emu_object object;
	int device;
	bool primary;
	atomic_bool dying;                  /* somebody destroys it: it is nobody's current context any more */
	struct emu_stream *default_stream;
	struct emu_failure *failure;        /* shared with its streams */
	atomic_uint params_set;             /* bit per option */
	_Atomic int64_t params[EMU_CONTEXT_PARAMS];
};

/* A new context with its default stream. 0 or a status with a record. The handle table owns it. */
aclError emu_context_open(const char *function, int device, bool primary, void **handle);

/* 107000 with a record when the caller is a task of one of its streams, and must not wait for them. */
aclError emu_context_refuse_own(const char *function, const struct emu_context *context);

/* Waits for its streams, destroys them and the context. 107000 as above; 507007 when another thread is doing that. */
aclError emu_context_close(const char *function, struct emu_context *context, const char *how);

/* A reference on the calling thread's current context, or NULL. */
struct emu_context *emu_context_current(void);

/* The same; no context is 107002 with a record. */
aclError emu_context_require(const char *function, struct emu_context **context);

/* For a thread of ours that runs a client's function: lends it a context, if it has none, by its handle. */
void emu_thread_lend_context(const void *handle);

/* Makes the primary context of a device current. */
void emu_thread_bind_device(int device);

#endif
