#include <inttypes.h>

#include "acl/acl_rt.h"
#include "context.h"
#include "event.h"
#include "fail.h"
#include "streams.h"
#include "time_limit.h"

/* Flags that go together in any mix; each of the others stands alone. */
static const uint32_t ordinary_flags = ACL_EVENT_SYNC | ACL_EVENT_CAPTURE_STREAM_PROGRESS | ACL_EVENT_TIME_LINE;

/* ---- making ---- */

static aclError create(const char *function, uint32_t flags, bool reusable, aclrtEvent *out)
{
	struct emu_context *context;
	aclError status = emu_context_require(function, &context);

	if (status)
		return status;
	status = emu_event_create(function, context, flags, reusable, out);
	emu_object_release(&context->object);
	return status;
}

static aclError bad_flag(const char *function, uint32_t flag, const char *alone)
{
	return emu_fail(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
	                "%s failed because flag is 0x%" PRIx32 "; it is a mix of ACL_EVENT_SYNC (1), "
	                "ACL_EVENT_CAPTURE_STREAM_PROGRESS (2) and ACL_EVENT_TIME_LINE (8), or %s alone.",
	                function, flag, alone);
}

static bool is_ordinary(uint32_t flag)
{
	return flag && !(flag & ~ordinary_flags);
}

aclError aclrtCreateEvent(aclrtEvent *event)
{
	if (!event)
		return emu_fail_null(__func__, "event");
	return create(__func__, ordinary_flags, false, event);
}

aclError aclrtCreateEventWithFlag(aclrtEvent *event, uint32_t flag)
{
	if (!event)
		return emu_fail_null(__func__, "event");
	if (!is_ordinary(flag) && flag != ACL_EVENT_EXTERNAL && flag != ACL_EVENT_DEVICE_USE_ONLY)
		return bad_flag(__func__, flag, "ACL_EVENT_DEVICE_USE_ONLY (0x10) or ACL_EVENT_EXTERNAL (0x20)");
	return create(__func__, flag, false, event);
}

aclError aclrtCreateEventExWithFlag(aclrtEvent *event, uint32_t flag)
{
	if (!event)
		return emu_fail_null(__func__, "event");
	if (flag == ACL_EVENT_IPC)
		return emu_fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "EE1003",
		                "%s failed because flag is ACL_EVENT_IPC (0x40): events are not shared between processes here.",
		                __func__);
	if (!is_ordinary(flag))
		return bad_flag(__func__, flag, "ACL_EVENT_IPC (0x40)");
	return create(__func__, flag, true, event);
}

/* ---- in streams ---- */

/* Both objects of a call, retained; release with release_both(). */
struct both {
	struct emu_event *event;
	struct emu_stream *stream;
	struct emu_context *context;
};

static aclError resolve_both(const char *function, aclrtEvent event, aclrtStream stream, struct both *both)
{
	aclError status = emu_event_resolve(function, event, &both->event);

	if (status)
		return status;
	status = emu_stream_resolve(function, stream, false, &both->stream, &both->context);
	if (status)
		emu_object_release(&both->event->object);
	return status;
}

static void release_both(const struct both *both)
{
	emu_object_release(&both->stream->object);
	emu_object_release(&both->context->object);
	emu_object_release(&both->event->object);
}

static aclError only_old(const char *function, const struct emu_event *event)
{
	if (!event->reusable)
		return ACL_SUCCESS;
	return emu_fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "EE1016",
	                "%s failed because event %p was made by aclrtCreateEventExWithFlag, whose events do not need it.",
	                function, event->object.handle);
}

static aclError record(const char *function, aclrtEvent event, aclrtStream stream)
{
	struct both both;
	aclError status = resolve_both(function, event, stream, &both);

	if (status)
		return status;
	status = emu_event_record(function, both.event, both.stream);
	release_both(&both);
	return status;
}

/* No stream can be captured here. */
static aclError not_capturing(const char *function)
{
	return emu_fail(ACL_ERROR_RT_STREAM_NOT_CAPTURED, "EE1016",
	                "%s failed because flag 1 (external) is for streams that are being captured.", function);
}

static aclError check_flag(const char *function, uint32_t flag)
{
	if (flag <= 1)
		return ACL_SUCCESS;
	return emu_fail(ACL_ERROR_INVALID_PARAM, "EH0007", "%s failed because flag is %" PRIu32 "; it must be 0 or 1.",
	                function, flag);
}

aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream)
{
	return record(__func__, event, stream);
}

aclError aclrtRecordEventWithFlag(aclrtEvent event, aclrtStream stream, uint32_t flag)
{
	aclError status;

	if (!event)
		return emu_fail_null(__func__, "event");
	status = check_flag(__func__, flag);
	if (status)
		return status;
	return flag == ACL_EVENT_RECORD_EXTERNAL ? not_capturing(__func__) : record(__func__, event, stream);
}

aclError aclrtResetEvent(aclrtEvent event, aclrtStream stream)
{
	struct both both;
	aclError status = resolve_both(__func__, event, stream, &both);

	if (status)
		return status;
	status = only_old(__func__, both.event);
	if (!status)
		status = emu_event_reset(__func__, both.event, both.stream);
	release_both(&both);
	return status;
}

/* Can a stream wait for the event as it is? The wait would be for a record that may never come. */
static aclError check_wait(const char *function, const struct emu_event *event, const struct emu_event_view *view)
{
	if (!(event->flags & ACL_EVENT_SYNC))
		return emu_fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "EE1016",
		                "%s failed because event %p was made without ACL_EVENT_SYNC.", function, event->object.handle);
	if (event->reusable || (view->mark && !view->reset_queued))
		return ACL_SUCCESS;
	return emu_fail(ACL_ERROR_RT_PARAM_INVALID, "EE1018",
	                "%s failed because event %p %s. Call aclrtRecordEvent first.", function, event->object.handle,
	                view->mark ? "was reset and not recorded again" : "was never recorded");
}

static aclError stream_wait(const char *function, aclrtStream stream, aclrtEvent event, int64_t milliseconds)
{
	struct emu_event_view view;
	struct both both;
	aclError status = resolve_both(function, event, stream, &both);

	if (status)
		return status;
	view = emu_event_view(both.event);
	status = check_wait(function, both.event, &view);
	if (!status && view.mark && emu_mark_state(view.mark) == EMU_MARK_PENDING)
		status = emu_event_wait(function, both.event, view.mark, both.stream, milliseconds);
	emu_mark_release(view.mark);
	release_both(&both);
	return status;
}

/* 0 is no limit. */
static int64_t milliseconds_of(int64_t seconds)
{
	return seconds ? seconds * 1000 : -1;
}

aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event)
{
	return stream_wait(__func__, stream, event, emu_wait_limit());
}

/* A null event is refused by the inner layer here, unlike elsewhere. */
aclError aclrtStreamWaitEventWithTimeout(aclrtStream stream, aclrtEvent event, int32_t timeout)
{
	if (!event)
		return emu_fail(ACL_ERROR_RT_PARAM_INVALID, "EE1004", "%s failed because event is a null pointer.", __func__);
	if (timeout < 0)
		return emu_fail(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
		                "%s failed because timeout is %" PRId32 "; it is a number of seconds, or 0 for no limit.",
		                __func__, timeout);
	return stream_wait(__func__, stream, event, milliseconds_of(timeout));
}

aclError aclrtStreamWaitEventWithFlag(aclrtStream stream, aclrtEvent event, uint32_t timeout, uint32_t flag)
{
	aclError status;

	if (!event)
		return emu_fail_null(__func__, "event");
	status = check_flag(__func__, flag);
	if (status)
		return status;
	if (flag == ACL_EVENT_WAIT_EXTERNAL && timeout)
		return emu_fail(ACL_ERROR_INVALID_PARAM, "EH0009",
		                "%s failed because timeout is %" PRIu32 "; with flag 1 (external) it must be 0.", __func__,
		                timeout);
	if (flag == ACL_EVENT_WAIT_EXTERNAL)
		return not_capturing(__func__);
	return stream_wait(__func__, stream, event, milliseconds_of(timeout));
}

/* ---- on the host ---- */

static bool is_reached(const struct emu_event_view *view)
{
	return emu_mark_state(view->mark) != EMU_MARK_PENDING && !view->reset_done;
}

/* Asks a live event; `argument` is where the client wants the answer, whose type the function knows. */
static aclError ask(const char *function, aclrtEvent handle, const char *argument,
                    aclError (*answer)(const char *function, struct emu_event *event, void *out), void *out)
{
	struct emu_event *event;
	aclError status;

	if (!out)
		return emu_fail_null(function, argument);
	status = emu_event_resolve(function, handle, &event);
	if (status)
		return status;
	status = answer(function, event, out);
	emu_object_release(&event->object);
	return status;
}

static aclError recorded_status(const char *function, struct emu_event *event, void *out)
{
	struct emu_event_view view = emu_event_view(event);
	bool complete = view.mark ? is_reached(&view) : event->reusable;

	(void)function;
	*(aclrtEventRecordedStatus *)out =
		complete ? ACL_EVENT_RECORDED_STATUS_COMPLETE : ACL_EVENT_RECORDED_STATUS_NOT_READY;
	emu_mark_release(view.mark);
	return ACL_SUCCESS;
}

static aclError old_status(const char *function, struct emu_event *event, void *out)
{
	struct emu_event_view view;
	aclError status = only_old(function, event);

	if (status)
		return status;
	view = emu_event_view(event);
	*(aclrtEventStatus *)out =
		!view.mark || is_reached(&view) ? ACL_EVENT_STATUS_COMPLETE : ACL_EVENT_STATUS_NOT_READY;
	emu_mark_release(view.mark);
	return ACL_SUCCESS;
}

static aclError wait_status(const char *function, struct emu_event *event, void *out)
{
	aclError status = only_old(function, event);

	if (!status)
		*(aclrtEventWaitStatus *)out =
			atomic_load(&event->waits) ? ACL_EVENT_WAIT_STATUS_NOT_READY : ACL_EVENT_WAIT_STATUS_COMPLETE;
	return status;
}

aclError aclrtQueryEventStatus(aclrtEvent event, aclrtEventRecordedStatus *status)
{
	return ask(__func__, event, "status", recorded_status, status);
}

aclError aclrtQueryEvent(aclrtEvent event, aclrtEventStatus *status)
{
	return ask(__func__, event, "status", old_status, status);
}

aclError aclrtQueryEventWaitStatus(aclrtEvent event, aclrtEventWaitStatus *status)
{
	return ask(__func__, event, "status", wait_status, status);
}

/* Waits for a mark, then reports what failed in the stream that it lies in, as synchronising the stream would. */
static aclError wait_for(const char *function, struct emu_mark *mark, int64_t milliseconds)
{
	const struct emu_deadline deadline = emu_deadline_in(milliseconds);
	struct emu_stream *stream = (struct emu_stream *)mark->owner;
	const bool never = false;

	if (emu_mark_state(mark) == EMU_MARK_PENDING && emu_queue_is_own(&stream->queue))
		return emu_fail(ACL_ERROR_RT_PARAM_INVALID, "EE1018",
		                "%s failed because it was called by a function that runs in stream %p before the record, "
		                "and would wait for itself.",
		                function, stream->object.handle);
	switch (emu_mark_wait(mark, &deadline, &never)) {
	case EMU_MARK_PENDING:
		return emu_fail(ACL_ERROR_RT_EVENT_SYNC_TIMEOUT, "EE1019",
		                "%s: the event was not reached within %" PRId64 " ms. The work goes on.", function,
		                milliseconds);
	case EMU_MARK_DROPPED:
		if (atomic_load(&stream->failure->error))
			return emu_stream_take_error(function, stream);
		return emu_fail(ACL_ERROR_RT_STREAM_ABORT, "EE1016",
		                "%s: the event will not be reached, because its record was dropped: stream %p"
		                " was aborted, or destroyed by force.",
		                function, stream->object.handle);
	default:
		return emu_stream_take_error(function, stream);
	}
}

static aclError synchronise(const char *function, aclrtEvent event, int64_t milliseconds)
{
	struct emu_event_view view;
	struct emu_event *object;
	aclError status = emu_event_resolve(function, event, &object);

	if (status)
		return status;
	view = emu_event_view(object);
	if (view.mark)
		status = wait_for(function, view.mark, milliseconds);
	emu_mark_release(view.mark);
	emu_object_release(&object->object);
	return status;
}

aclError aclrtSynchronizeEvent(aclrtEvent event)
{
	return synchronise(__func__, event, -1);
}

aclError aclrtSynchronizeEventWithTimeout(aclrtEvent event, int32_t timeout)
{
	if (!event)
		return emu_fail_null(__func__, "event");
	if (timeout == 0 || timeout < -1)
		return emu_fail(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
		                "%s failed because timeout is %" PRId32
		                "; it is a number of milliseconds above 0, or -1 for ever.",
		                __func__, timeout);
	return synchronise(__func__, event, timeout);
}

/* ---- time ---- */

static aclError time_of(const char *function, const char *name, struct emu_event *event, int64_t *nanoseconds)
{
	struct emu_event_view view = emu_event_view(event);
	aclError status = ACL_SUCCESS;

	if (!view.mark)
		return emu_fail(ACL_ERROR_RT_INTERNAL_ERROR, "EE1018", "%s failed because %s was never recorded.", function,
		                name);
	if (!(event->flags & ACL_EVENT_TIME_LINE))
		status = emu_fail(ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID, "EE1016",
		                  "%s failed because %s was made without ACL_EVENT_TIME_LINE.", function, name);
	else if (emu_mark_state(view.mark) != EMU_MARK_REACHED)
		status = emu_fail(ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID, "EE1018",
		                  "%s failed because the stream has not come to the latest record of %s. Synchronise first.",
		                  function, name);
	else
		*nanoseconds = emu_mark_time(view.mark);
	emu_mark_release(view.mark);
	return status;
}

aclError aclrtEventElapsedTime(float *ms, aclrtEvent startEvent, aclrtEvent endEvent)
{
	struct emu_event *start, *end;
	int64_t from, to;
	aclError status;

	if (!ms)
		return emu_fail_null(__func__, "ms");
	status = emu_event_resolve(__func__, startEvent, &start);
	if (status)
		return status;
	status = emu_event_resolve(__func__, endEvent, &end);
	if (status)
		goto release_start;
	status = time_of(__func__, "startEvent", start, &from);
	if (!status)
		status = time_of(__func__, "endEvent", end, &to);
	if (!status)
		*ms = (float)((double)(to - from) / 1e6);
	emu_object_release(&end->object);
release_start:
	emu_object_release(&start->object);
	return status;
}

static aclError microseconds_of(const char *function, struct emu_event *event, void *out)
{
	int64_t nanoseconds;
	aclError status = time_of(function, "event", event, &nanoseconds);

	if (!status)
		*(uint64_t *)out = (uint64_t)nanoseconds / 1000;
	return status;
}

aclError aclrtEventGetTimestamp(aclrtEvent event, uint64_t *timestamp)
{
	return ask(__func__, event, "timestamp", microseconds_of, timestamp);
}

/* ---- numbers ---- */

static aclError id_of(const char *function, struct emu_event *event, void *out)
{
	(void)function;
	*(uint32_t *)out = event->id;
	return ACL_SUCCESS;
}

aclError aclrtGetEventId(aclrtEvent event, uint32_t *eventId)
{
	return ask(__func__, event, "eventId", id_of, eventId);
}

aclError aclrtGetEventAvailNum(uint32_t *eventCount)
{
	struct emu_context *context;
	aclError status;

	if (!eventCount)
		return emu_fail_null(__func__, "eventCount");
	status = emu_context_require(__func__, &context);
	if (status)
		return status;
	*eventCount = emu_events_available(context->device);
	emu_object_release(&context->object);
	return ACL_SUCCESS;
}
