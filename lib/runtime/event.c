#include "event.h"

#include <inttypes.h>
#include <stdlib.h>

#include "acl/acl_rt.h"
#include "config.h"
#include "context.h"
#include "fail.h"
#include "fork.h"
#include "streams.h"

enum { EVENTS_PER_DEVICE = 65536 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of what all events show */
static atomic_uint per_device[EMU_MAX_DEVICES];
static atomic_uint next_id;

/* ---- life ---- */

static void destroy(struct emu_object *object)
{
	struct emu_event *event = (struct emu_event *)object;

	emu_mark_release(event->latest);
	free(event);
}

static bool take_place(int device)
{
	if (atomic_fetch_add(&per_device[device], 1) < EVENTS_PER_DEVICE)
		return true;
	atomic_fetch_sub(&per_device[device], 1);
	return false;
}

unsigned emu_events_available(int device)
{
	unsigned used = atomic_load(&per_device[device]);

	return used < EVENTS_PER_DEVICE ? EVENTS_PER_DEVICE - used : 0;
}

aclError emu_event_create(const char *function, const struct emu_context *context, uint32_t flags, bool reusable,
                          aclrtEvent *handle)
{
	struct emu_event *event;

	if (!take_place(context->device))
		return emu_fail(ACL_ERROR_RT_NO_EVENT_RESOURCE, "EE1023",
		                "%s failed: device %d has all of its %d events in use.", function, context->device,
		                EVENTS_PER_DEVICE);
	event = calloc(1, sizeof(*event));
	if (!event)
		goto release;
	event->reusable = reusable;
	event->flags = flags;
	event->device = context->device;
	event->id = atomic_fetch_add(&next_id, 1);
	if (!emu_handle_open(&event->object, EMU_KIND_EVENT, destroy))
		goto release;
	*handle = event->object.handle;
	return ACL_SUCCESS;
release:
	free(event);
	atomic_fetch_sub(&per_device[context->device], 1);
	return emu_fail(ACL_ERROR_RT_NO_EVENT_RESOURCE, "EE1023", "%s failed: the host has no memory or handle left.",
	                function);
}

static aclError dead_event(const char *function, aclrtEvent handle)
{
	char text[EMU_HANDLE_TEXT];

	return emu_fail(ACL_ERROR_RT_INVALID_HANDLE, "EE1017", "%s failed because event is not a live event: %s.",
	                function, emu_handle_describe(handle, text));
}

aclError emu_event_resolve(const char *function, aclrtEvent handle, struct emu_event **event)
{
	if (!handle)
		return emu_fail_null(function, "event");
	*event = (struct emu_event *)emu_handle_acquire(handle, EMU_KIND_EVENT);
	return *event ? ACL_SUCCESS : dead_event(function, handle);
}

aclError aclrtDestroyEvent(aclrtEvent event)
{
	struct emu_event *object;
	aclError status = emu_event_resolve(__func__, event, &object);

	if (status)
		return status;
	if (emu_handle_close(event, EMU_KIND_EVENT, "destroyed"))
		atomic_fetch_sub(&per_device[object->device], 1);
	else
		status = dead_event(__func__, event);
	emu_object_release(&object->object);
	return status;
}

/* ---- what it shows ---- */

struct emu_event_view emu_event_view(struct emu_event *event)
{
	struct emu_event_view view;

	pthread_mutex_lock(&lock);
	view = (struct emu_event_view){event->latest, event->reset_queued, event->reset_done};
	if (view.mark)
		emu_mark_retain(view.mark);
	pthread_mutex_unlock(&lock);
	return view;
}

static void show(struct emu_event *event, struct emu_mark *mark)
{
	struct emu_mark *before;

	emu_mark_retain(mark);
	pthread_mutex_lock(&lock);
	before = event->latest;
	event->latest = mark;
	event->reset_queued = event->reset_done = false;
	pthread_mutex_unlock(&lock);
	emu_mark_release(before);
}

/* ---- tasks ---- */

/* What a task of an event works on; the event stays alive although its handle may be destroyed. */
struct work {
	const char *function;
	struct emu_event *event;
	struct emu_mark *mark;
	struct emu_queue *queue;  /* it runs in */
	int64_t milliseconds;     /* of a wait */
	bool ran;                 /* a record */
};

/* Takes references of its own, on the mark too. NULL with a record. */
static struct work *make_work(const char *function, struct emu_event *event, struct emu_mark *mark,
                              struct emu_stream *stream)
{
	struct work *work = mark ? calloc(1, sizeof(*work)) : NULL;

	if (!work) {
		emu_fail(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL, "EE1023", "%s failed: the host's memory is exhausted.", function);
		return NULL;
	}
	work->function = function;
	work->event = event;
	work->mark = mark;
	work->queue = &stream->queue;
	emu_object_retain(&event->object);
	emu_mark_retain(mark);
	return work;
}

static void drop_work(void *argument)
{
	struct work *work = argument;

	emu_mark_release(work->mark);
	emu_object_release(&work->event->object);
	free(work);
}

static aclError run_record(void *argument)
{
	struct work *work = argument;

	emu_queue_reach(work->queue, work->mark);
	work->ran = true;
	return ACL_SUCCESS;
}

static void drop_record(void *argument)
{
	struct work *work = argument;

	if (!work->ran)
		emu_mark_drop(work->mark);
	drop_work(work);
}

aclError emu_event_record(const char *function, struct emu_event *event, struct emu_stream *stream)
{
	struct emu_mark *mark = emu_mark_create(&stream->object);
	struct emu_task task = {
		.name = function,
		.run = run_record,
		.drop = drop_record,
		.argument = make_work(function, event, mark, stream),
	};
	aclError status = ACL_ERROR_RT_RESOURCE_ALLOC_FAIL;

	if (task.argument)
		status = emu_stream_push(stream, &task);
	if (!status)
		show(event, mark);
	emu_mark_release(mark);
	return status;
}

/* A record that came in the meantime is not undone: the reset is of what the event showed when it was queued. */
static aclError run_reset(void *argument)
{
	struct work *work = argument;

	pthread_mutex_lock(&lock);
	if (work->event->latest == work->mark)
		work->event->reset_done = true;
	pthread_mutex_unlock(&lock);
	return ACL_SUCCESS;
}

aclError emu_event_reset(const char *function, struct emu_event *event, struct emu_stream *stream)
{
	struct emu_event_view view = emu_event_view(event);
	struct emu_task task = {.name = function, .run = run_reset, .drop = drop_work, .argument = NULL};
	aclError status = ACL_ERROR_RT_RESOURCE_ALLOC_FAIL;

	if (!view.mark)
		return ACL_SUCCESS;
	task.argument = make_work(function, event, view.mark, stream);
	if (task.argument)
		status = emu_stream_push(stream, &task);
	pthread_mutex_lock(&lock);
	if (!status && event->latest == view.mark)
		event->reset_queued = true;
	pthread_mutex_unlock(&lock);
	emu_mark_release(view.mark);
	return status;
}

/* Also ends when the stream is aborted or destroyed by force: then what is behind it was dropped. */
static aclError run_wait(void *argument)
{
	struct work *work = argument;
	const struct emu_deadline deadline = emu_deadline_in(work->milliseconds);

	if (emu_queue_hold(work->queue, work->mark, &deadline) != EMU_HOLD_TIMEOUT)
		return ACL_SUCCESS;
	return emu_fail(ACL_ERROR_RT_WAIT_TIMEOUT, "EE1019",
	                "%s: event %p was not reached within the %" PRId64 " ms that its stream was to wait.",
	                work->function, work->event->object.handle, work->milliseconds);
}

static void drop_wait(void *argument)
{
	struct work *work = argument;

	atomic_fetch_sub(&work->event->waits, 1);
	drop_work(work);
}

aclError emu_event_wait(const char *function, struct emu_event *event, struct emu_mark *mark,
                        struct emu_stream *stream, int64_t milliseconds)
{
	struct work *work = make_work(function, event, mark, stream);
	struct emu_task task = {.name = function, .run = run_wait, .drop = drop_wait, .argument = work};

	if (!work)
		return ACL_ERROR_RT_RESOURCE_ALLOC_FAIL;
	work->milliseconds = milliseconds;
	atomic_fetch_add(&event->waits, 1);
	return emu_stream_push(stream, &task);
}

/* ---- fork ---- */

void emu_events_lock(void)
{
	pthread_mutex_lock(&lock);
}

void emu_events_unlock(void)
{
	pthread_mutex_unlock(&lock);
}
