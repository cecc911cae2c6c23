#include "streams.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>

#include "config.h"
#include "context.h"
#include "exception.h"
#include "fail.h"
#include "fork.h"
#include "last_error.h"
#include "report.h"
#include "state_callback.h"

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static struct emu_stream *list;
static unsigned per_device[EMU_MAX_DEVICES];
static uint32_t last_id; /* under list_lock */

/* Published for A2, A3 and 950; the older chips have several limits, of which this is the middle one. */
static unsigned streams_allowed(void)
{
	const struct emu_soc *soc = emu_soc();

	return soc && soc->architecture >= 2201 ? 1984 : 1024;
}

static void destroy(struct emu_object *object)
{
	struct emu_stream *stream = (struct emu_stream *)object;

	emu_queue_destroy(&stream->queue);
	emu_failure_release(stream->failure);
	free(stream);
}

/* ---- the list of all streams ---- */

/* False when the device has no stream left or the context is going away. */
static bool enlist(struct emu_stream *stream, struct emu_context *context, aclError *status)
{
	*status = ACL_SUCCESS;
	pthread_mutex_lock(&list_lock);
	if (atomic_load(&context->dying)) {
		*status = ACL_ERROR_RT_CONTEXT_NULL;
	} else if (per_device[stream->device] == streams_allowed()) {
		*status = ACL_ERROR_RT_NO_STREAM_RESOURCE;
	} else {
		per_device[stream->device]++;
		stream->id = last_id++;
		stream->next = list;
		stream->link = &list;
		if (list)
			list->link = &stream->next;
		list = stream;
	}
	pthread_mutex_unlock(&list_lock);
	return *status == ACL_SUCCESS;
}

static void delist(struct emu_stream *stream)
{
	pthread_mutex_lock(&list_lock);
	per_device[stream->device]--;
	*stream->link = stream->next;
	if (stream->next)
		stream->next->link = stream->link;
	pthread_mutex_unlock(&list_lock);
}

/*
 * References on all streams of a device, in an array for free(); *count is 0 and the result NULL when there are none,
 * or no memory.
 */
static struct emu_stream **collect(int device, size_t *count)
{
	struct emu_stream **found;

	*count = 0;
	pthread_mutex_lock(&list_lock);
	found = per_device[device] ? malloc(per_device[device] * sizeof(struct emu_stream *)) : NULL;
	for (struct emu_stream *s = list; s && found; s = s->next) {
		if (s->device == device) {
			emu_object_retain(&s->object);
			found[(*count)++] = s;
		}
	}
	pthread_mutex_unlock(&list_lock);
	return found;
}

/* ---- as the owner of a queue ---- */

static const struct emu_stream *stream_of(const struct emu_queue *queue)
{
	return (const struct emu_stream *)((const char *)queue - offsetof(struct emu_stream, queue));
}

static bool is_stopped(const struct emu_queue *queue)
{
	return atomic_load(&stream_of(queue)->failure->error) != ACL_SUCCESS;
}

static void task_failed(struct emu_queue *queue, const struct emu_queued_task *task, aclError error)
{
	const struct emu_stream *stream = stream_of(queue);
	struct rtExceptionInfo exception = {
		.task = task->id,
		.stream = stream->id,
		.thread = task->thread,
		.device = (uint32_t)stream->device,
		.error = (uint32_t)error,
	};

	emu_failure_note(stream->failure, error);
	emu_exception_raise(&exception);
}

static const struct emu_queue_owner owner = {is_stopped, task_failed};

/* ---- life ---- */

/* Everything but the list and the handle. NULL without memory. */
static struct emu_stream *allocate(struct emu_context *context, bool is_default, uint32_t priority, uint32_t flags)
{
	struct emu_stream *stream = calloc(1, sizeof(*stream));

	if (!stream || !emu_queue_init(&stream->queue, &owner)) {
		free(stream);
		return NULL;
	}
	stream->failure = context->failure;
	emu_failure_retain(stream->failure);
	stream->context = context->object.handle;
	stream->device = context->device;
	stream->is_default = is_default;
	stream->flags = flags;
	atomic_init(&stream->priority, priority);
	return stream;
}

struct emu_stream *emu_stream_create(const char *function, struct emu_context *context, bool is_default,
                                     uint32_t priority, uint32_t flags, aclError *status)
{
	struct emu_stream *stream = allocate(context, is_default, priority, flags);

	if (!stream) {
		*status = emu_fail(ACL_ERROR_RT_NO_STREAM_RESOURCE, "EE1023",
		                   "%s failed: the host's memory is exhausted.", function);
		return NULL;
	}
	if (!emu_handle_open(&stream->object, EMU_KIND_STREAM, destroy)) {
		destroy(&stream->object);
		*status = emu_fail(ACL_ERROR_RT_NO_STREAM_RESOURCE, "EE1023", "%s failed: no handle is left.", function);
		return NULL;
	}
	emu_object_retain(&stream->object);
	if (enlist(stream, context, status))
		return stream;

	emu_handle_close(stream->object.handle, EMU_KIND_STREAM, "never finished");
	emu_object_release(&stream->object);
	if (*status == ACL_ERROR_RT_NO_STREAM_RESOURCE)
		emu_fail(*status, "EE1023", "%s failed: device %d has all of its %u streams in use.", function,
		         context->device, streams_allowed());
	else
		emu_fail(*status, "EE1018", "%s failed because its context is being destroyed.", function);
	return NULL;
}

void emu_stream_shut(struct emu_stream *stream, bool drop_waiting)
{
	emu_report_leave(stream);
	emu_queue_close(&stream->queue, drop_waiting);
	emu_report_forget(stream);
	delist(stream);
}

/* A stream of a context that it was not given before, with a reference; or NULL. Needs no memory. */
static struct emu_stream *take_next(const void *context)
{
	struct emu_stream *stream;

	pthread_mutex_lock(&list_lock);
	stream = list;
	while (stream && (stream->context != context || stream->taken))
		stream = stream->next;
	if (stream) {
		stream->taken = true;
		emu_object_retain(&stream->object);
	}
	pthread_mutex_unlock(&list_lock);
	return stream;
}

void emu_streams_shut_all(struct emu_context *context)
{
	struct emu_stream *stream;

	while ((stream = take_next(context->object.handle))) {
		if (!stream->is_default)
			emu_stream_state_changes(stream->object.handle, ACL_RT_STREAM_STATE_DESTROY_PRE);
		if (emu_handle_close(stream->object.handle, EMU_KIND_STREAM, "destroyed with its context"))
			emu_stream_shut(stream, false);
		emu_object_release(&stream->object);
	}
}

unsigned emu_streams_available(int device)
{
	unsigned used;

	pthread_mutex_lock(&list_lock);
	used = per_device[device];
	pthread_mutex_unlock(&list_lock);
	return streams_allowed() - used;
}

/* ---- from a client's handle ---- */

static aclError dead_stream(const char *function, aclrtStream handle)
{
	char text[EMU_HANDLE_TEXT];

	return emu_fail(ACL_ERROR_RT_INVALID_HANDLE, "EE1017", "%s failed because stream is not a live stream: %s.",
	                function, emu_handle_describe(handle, text));
}

aclError emu_stream_resolve(const char *function, aclrtStream handle, bool any_context, struct emu_stream **stream,
                            struct emu_context **context)
{
	aclError status;

	*stream = handle ? (struct emu_stream *)emu_handle_acquire(handle, EMU_KIND_STREAM) : NULL;
	if (handle && !*stream)
		return dead_stream(function, handle);
	status = emu_context_require(function, context);
	if (status)
		goto release_stream;
	if (!handle) {
		*stream = (*context)->default_stream;
		emu_object_retain(&(*stream)->object);
		return ACL_SUCCESS;
	}
	if (any_context || (*stream)->context == (*context)->object.handle)
		return ACL_SUCCESS;

	status = emu_fail(ACL_ERROR_RT_STREAM_CONTEXT, "EE1010",
	                  "%s failed because stream %p was made in context %p, but the "
	                  "current context is %p. Call aclrtSetCurrentContext first.",
	                  function, handle, (*stream)->context, (*context)->object.handle);
	emu_object_release(&(*context)->object);
release_stream:
	if (*stream)
		emu_object_release(&(*stream)->object);
	return status;
}

/* ---- submitting ---- */

aclError emu_stream_push(struct emu_stream *stream, const struct emu_task *task)
{
	aclError status = atomic_load(&stream->failure->error);

	if (status) {
		task->drop(task->argument);
		return emu_fail(status, "EE1016",
		                "%s failed because an earlier failure with status %d stopped everything in context %p, "
		                "for good: ACL_STOP_ON_FAILURE was set.",
		                task->name, status, stream->context);
	}
	status = emu_queue_submit(&stream->queue, task);
	if (status == ACL_ERROR_RT_INVALID_HANDLE)
		return dead_stream(task->name, stream->object.handle);
	if (status == ACL_ERROR_RT_PARAM_INVALID)
		return emu_fail(status, "EE1018",
		                "%s failed: with ACLEMU_STREAM=sync a task cannot feed the stream it runs in.", task->name);
	if (status)
		return emu_fail(status, "EE1023", "%s failed: the host has no memory or thread left for the stream.",
		                task->name);
	return ACL_SUCCESS;
}

aclError emu_stream_submit(aclrtStream handle, const struct emu_task *task)
{
	struct emu_context *context;
	struct emu_stream *stream;
	aclError status = emu_stream_resolve(task->name, handle, false, &stream, &context);

	if (status) {
		task->drop(task->argument);
		return status;
	}
	status = emu_stream_push(stream, task);
	emu_object_release(&stream->object);
	emu_object_release(&context->object);
	return status;
}

/* ---- synchronising ---- */

/* What failed explained itself when it failed; that record comes first in the error text. */
aclError emu_stream_take_error(const char *function, struct emu_stream *stream)
{
	aclError error = emu_queue_take_error(&stream->queue);
	aclError stopped = atomic_load(&stream->failure->error);

	if (stopped && !error)
		emu_fail(stopped, "EE1016", "%s: context %p stays stopped by an earlier failure with status %d.", function,
		         stream->context, stopped);
	error = stopped ? stopped : error;
	emu_last_error_set(error);
	return error;
}

aclError emu_stream_synchronise(const char *function, struct emu_stream *stream, const struct emu_deadline *deadline)
{
	switch (emu_queue_wait(&stream->queue, deadline)) {
	case EMU_WAIT_TIMEOUT:
		return emu_fail(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, "EE1019",
		                "%s: stream %p was not done after %" PRId64 " ms. Its work goes on.", function,
		                stream->object.handle, deadline->milliseconds);
	case EMU_WAIT_ABORTED:
		return emu_fail(emu_queue_abort_status(&stream->queue), "EE1016",
		                "%s: the work that was waited for in stream %p was aborted.", function, stream->object.handle);
	case EMU_WAIT_OWN:
		return emu_fail(ACL_ERROR_RT_PARAM_INVALID, "EE1018",
		                "%s failed because it was called by a function that runs in stream %p, and would wait for "
		                "itself.",
		                function, stream->object.handle);
	default:
		return emu_stream_take_error(function, stream);
	}
}

aclError emu_streams_synchronise(const char *function, int device, const struct emu_deadline *deadline)
{
	size_t count;
	struct emu_stream **streams = collect(device, &count);
	aclError first = ACL_SUCCESS;

	if (!streams) /* a device that is open has its default stream at least */
		first = emu_fail(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL, "EE1023",
		                 "%s failed: the host's memory is exhausted.", function);
	for (size_t i = 0; i < count; i++) {
		aclError error = emu_stream_synchronise(function, streams[i], deadline);

		if (!first)
			first = error;
		emu_object_release(&streams[i]->object);
	}
	free(streams);
	return first;
}

void emu_streams_wait(int device)
{
	const struct emu_deadline never = emu_deadline_in(-1);
	size_t count;
	struct emu_stream **streams = collect(device, &count);

	for (size_t i = 0; i < count; i++) {
		emu_queue_wait(&streams[i]->queue, &never);
		emu_object_release(&streams[i]->object);
	}
	free(streams);
}

bool emu_streams_have_work(int device)
{
	bool work = false;

	pthread_mutex_lock(&list_lock);
	for (struct emu_stream *s = list; s && !work; s = s->next)
		work = s->device == device && !emu_queue_is_done(&s->queue);
	pthread_mutex_unlock(&list_lock);
	return work;
}

void emu_streams_abort(int device, aclError status)
{
	size_t count;
	struct emu_stream **streams = collect(device, &count);

	for (size_t i = 0; i < count; i++) {
		emu_queue_abort(&streams[i]->queue, status);
		emu_object_release(&streams[i]->object);
	}
	free(streams);
}

bool emu_streams_own(const struct emu_context *context)
{
	bool own = false;

	pthread_mutex_lock(&list_lock);
	for (struct emu_stream *s = list; s && !own; s = s->next)
		own = s->context == context->object.handle && emu_queue_is_own(&s->queue);
	pthread_mutex_unlock(&list_lock);
	return own;
}

/* ---- fork ---- */

void emu_streams_lock(void)
{
	pthread_mutex_lock(&list_lock);
	for (struct emu_stream *s = list; s; s = s->next)
		emu_queue_lock(&s->queue);
}

void emu_streams_unlock(void)
{
	for (struct emu_stream *s = list; s; s = s->next)
		emu_queue_unlock(&s->queue);
	pthread_mutex_unlock(&list_lock);
}

void emu_streams_renew(void)
{
	struct emu_queued_task *waiting = NULL;
	struct emu_queued_task **last = &waiting;

	emu_queue_forget_thread();
	for (struct emu_stream *s = list; s; s = s->next) {
		*last = emu_queue_renew(&s->queue);
		while (*last)
			last = &(*last)->next;
	}
	emu_streams_unlock();
	emu_queue_drop(waiting); /* their work goes on in the parent */
}
