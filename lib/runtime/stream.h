/* Streams as seen by our own libraries: a queue of tasks, each stream with a worker of its own. */
#ifndef EMU_STREAM_H
#define EMU_STREAM_H

#include <stdbool.h>

#include "acl/acl_base.h"
#include "export.h"

/* What a stream runs. `run` returns 0, or the aclError for the next synchronise, explained by emu_error_add(). */
struct emu_task {
	const char *name;               /* for messages, static */
	aclError (*run)(void *argument);
	void (*drop)(void *argument);   /* frees the argument: after run, or instead of it when the task never starts */
	void *argument;
	bool by_waiter;                 /* who waits for the stream may run it: it neither waits nor calls the client */
};

/**
 * Queues a task; the stream owns task->argument from here on, whatever is returned.
 *
 * @param stream  NULL means the default stream of the current context
 * @return 0; ACL_ERROR_RT_CONTEXT_NULL (107002) no current context; ACL_ERROR_RT_INVALID_HANDLE (107017) not a live
 *         stream; ACL_ERROR_RT_STREAM_CONTEXT (107003) stream of another context; a sticky error of the context
 */
EMU_SHARED aclError emu_stream_submit(aclrtStream stream, const struct emu_task *task);

#endif
