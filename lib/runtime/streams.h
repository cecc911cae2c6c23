/* Streams as seen by the runtime itself; stream.h is what the other libraries see. */
#ifndef EMU_STREAMS_H
#define EMU_STREAMS_H

#include "failure.h"
#include "handle.h"
#include "queue.h"

struct emu_context;

enum { EMU_LOWEST_PRIORITY = 7 };

enum { EMU_CORE_TYPES = 2 }; /* cube, vector */

struct emu_stream {
	struct emu_object object;
	struct emu_queue queue;
	struct emu_failure *failure;  /* shared with the context */
	const void *context;          /* handle of the context it was made in */
	int device;
	uint32_t id;                  /* never used again in the process */
	uint32_t flags;
	bool is_default;              /* of its context */
	bool runs_host_functions;     /* under the lock of report.c: cannot be subscribed any more */
	atomic_uint priority;
	atomic_bool mode_chosen;      /* its failure mode was set */
	atomic_uint mode;
	atomic_uint overflow_switch;
	atomic_uint custom_tag;
	atomic_uint cache_op_info;
	atomic_uint core_budget[EMU_CORE_TYPES]; /* 0: the device's */
	bool taken;                   /* its context ends it; under the lock of the list, as the next two */
	struct emu_stream *next;      /* in the list of all streams */
	struct emu_stream **link;
};

/* A stream of a context; the caller gets a reference. NULL with a record and *status when there can be none. */
struct emu_stream *emu_stream_create(const char *function, struct emu_context *context, bool is_default,
                                     uint32_t priority, uint32_t flags, aclError *status);

/* Ends the queue and takes the stream off the list. Called once per stream, after its handle was closed. */
void emu_stream_shut(struct emu_stream *stream, bool drop_waiting);

/*
 * The stream behind what a client passed: NULL means the default stream of the current context. The stream is retained,
 * and so is the context it lives in as long as the caller holds *context.
 *
 * 107017 no live stream, 107002 no current context, 107003 stream of another context unless `any_context`.
 */
aclError emu_stream_resolve(const char *function, aclrtStream handle, bool any_context, struct emu_stream **stream,
                            struct emu_context **context);

/* Queues a task and takes its argument over. 0 or a status with a record: 107017, 207005, what stopped the context. */
aclError emu_stream_push(struct emu_stream *stream, const struct emu_task *task);

/* The error that the stream kept, once, or what stopped its context, always. */
aclError emu_stream_take_error(const char *function, struct emu_stream *stream);

/* Waits for what a stream has by now, takes its error. 507046 when time is over, 107022 or 107023 when aborted. */
aclError emu_stream_synchronise(const char *function, struct emu_stream *stream, const struct emu_deadline *deadline);

/* The same for all streams of a device, and gives the first error; the texts of all go to the calling thread. */
aclError emu_streams_synchronise(const char *function, int device, const struct emu_deadline *deadline);

/* Waits for all streams of a device; their errors stay with them. */
void emu_streams_wait(int device);

/* Is anything queued or running on a device? */
bool emu_streams_have_work(int device);

/* Drops the queued work of all streams of a device. */
void emu_streams_abort(int device, aclError status);

/* Is the caller a task of one of the context's streams? */
bool emu_streams_own(const struct emu_context *context);

/* Shuts every stream of a context whose `dying` is set. */
void emu_streams_shut_all(struct emu_context *context);

/* How many more streams a device can have. */
unsigned emu_streams_available(int device);

#endif
