#include "report.h"

#include <inttypes.h>
#include <stdlib.h>

#include "context.h"
#include "fail.h"
#include "fork.h"

/* A callback that its stream has come to. */
struct report {
	struct emu_stream *stream; /* retained, as the mark is */
	aclrtCallback function;
	void *data;
	struct emu_mark *settled;  /* reached when the function has returned, or is given up */
	struct report *next;
};

/* A stream that a thread serves. */
struct subscription {
	const struct emu_stream *stream;
	uint64_t thread;
	struct subscription *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t news;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct subscription *subscriptions;
static struct report *first;
static struct report **last = &first;

static void init_condition(void)
{
	emu_deadline_condition(&news);
}

/* ---- subscriptions; the lock is held ---- */

static struct subscription **find_stream(const struct emu_stream *stream)
{
	struct subscription **at = &subscriptions;

	while (*at && (*at)->stream != stream)
		at = &(*at)->next;
	return at;
}

static const struct subscription *find_thread(uint64_t thread)
{
	const struct subscription *found = subscriptions;

	while (found && found->thread != thread)
		found = found->next;
	return found;
}

static void unsubscribe(struct subscription **at)
{
	struct subscription *gone = *at;

	*at = gone->next;
	free(gone);
}

/* ---- reports ---- */

/* Lets the stream go on, whether the function has run or never will. */
static void free_report(struct report *report)
{
	emu_mark_reach(report->settled);
	emu_mark_release(report->settled);
	emu_object_release(&report->stream->object);
	free(report);
}

static void free_reports(struct report *reports)
{
	while (reports) {
		struct report *next = reports->next;

		free_report(reports);
		reports = next;
	}
}

/* Takes those that wait out of the queue: those of one stream. The lock is held. */
static struct report *take_of_stream(const struct emu_stream *stream)
{
	struct report *taken = NULL;
	struct report **at = &first;

	while (*at) {
		struct report *report = *at;

		if (report->stream != stream) {
			at = &report->next;
			continue;
		}
		*at = report->next;
		report->next = taken;
		taken = report;
	}
	last = at;
	return taken;
}

/* The first one that a thread has to run. The lock is held. */
static struct report *take_of_thread(uint64_t thread)
{
	struct report **at = &first;
	struct report *found;

	while (*at && (*find_stream((*at)->stream))->thread != thread)
		at = &(*at)->next;
	found = *at;
	if (found) {
		*at = found->next;
		if (last == &found->next)
			last = at;
	}
	return found;
}

/* Puts a report where its thread finds it; false when nobody serves the stream any more. */
static bool publish(struct report *report)
{
	bool served;

	pthread_mutex_lock(&lock);
	served = *find_stream(report->stream);
	if (served) {
		report->next = NULL;
		*last = report;
		last = &report->next;
		pthread_cond_broadcast(&news);
	}
	pthread_mutex_unlock(&lock);
	return served;
}

/* ---- in the stream ---- */

struct launch {
	struct report *report; /* NULL once it is published */
	struct emu_mark *settled;
	struct emu_queue *queue;
	bool blocks;
};

static aclError run_launch(void *argument)
{
	const struct emu_deadline never = emu_deadline_in(-1);
	struct launch *launch = argument;

	if (!publish(launch->report))
		return ACL_SUCCESS;
	launch->report = NULL;
	if (launch->blocks)
		emu_queue_hold(launch->queue, launch->settled, &never);
	return ACL_SUCCESS;
}

static void drop_launch(void *argument)
{
	struct launch *launch = argument;

	if (launch->report)
		free_report(launch->report);
	emu_mark_release(launch->settled);
	free(launch);
}

static struct launch *make_launch(aclrtCallback function, void *data, bool blocks, struct emu_stream *stream)
{
	struct emu_mark *settled = emu_mark_create(&stream->object);
	struct launch *launch = malloc(sizeof(*launch));
	struct report *report = malloc(sizeof(*report));

	if (!settled || !launch || !report) {
		emu_mark_release(settled);
		free(launch);
		free(report);
		return NULL;
	}
	*report = (struct report){.stream = stream, .function = function, .data = data, .settled = settled};
	*launch = (struct launch){report, settled, &stream->queue, blocks};
	emu_object_retain(&stream->object);
	emu_mark_retain(settled);
	return launch;
}

static aclError no_memory(const char *function)
{
	return emu_fail(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL, "EE1023", "%s failed: the host's memory is exhausted.", function);
}

static aclError launch_in(const char *function, struct emu_stream *stream, aclrtCallback callback, void *data,
                          bool blocks)
{
	struct emu_task task = {
		.name = function,
		.run = run_launch,
		.drop = drop_launch,
		.argument = make_launch(callback, data, blocks, stream),
	};

	return task.argument ? emu_stream_push(stream, &task) : no_memory(function);
}

/* ---- the two styles exclude each other ---- */

static aclError wrong_style(const char *function, const struct emu_stream *stream, const char *style)
{
	return emu_fail(ACL_ERROR_RT_STREAM_SUBSCRIBE, "EE1016", "%s failed because stream %p %s.", function,
	                stream->object.handle, style);
}

static const char has_thread[] = "is subscribed: its callbacks go through aclrtLaunchCallback";
static const char has_host_functions[] = "runs host functions (aclrtLaunchHostFunc), and cannot have both";

aclError emu_report_refuse(const char *function, struct emu_stream *stream)
{
	bool subscribed;

	pthread_mutex_lock(&lock);
	subscribed = *find_stream(stream);
	if (!subscribed)
		stream->runs_host_functions = true;
	pthread_mutex_unlock(&lock);
	return subscribed ? wrong_style(function, stream, has_thread) : ACL_SUCCESS;
}

void emu_report_forget(const struct emu_stream *stream)
{
	struct report *dropped;

	pthread_mutex_lock(&lock);
	if (*find_stream(stream))
		unsubscribe(find_stream(stream));
	dropped = take_of_stream(stream);
	pthread_mutex_unlock(&lock);
	free_reports(dropped);
}

void emu_report_leave(const struct emu_stream *stream)
{
	struct subscription *found;
	bool mine;

	pthread_mutex_lock(&lock);
	found = *find_stream(stream);
	mine = found && found->thread == (uint64_t)pthread_self();
	pthread_mutex_unlock(&lock);
	if (mine)
		emu_report_forget(stream);
}

/* ---- API ---- */

/* The lock is held. */
static aclError check_subscribe(const char *function, uint64_t thread, const struct emu_stream *stream)
{
	const struct subscription *other = find_thread(thread);

	if (stream->runs_host_functions)
		return wrong_style(function, stream, has_host_functions);
	if (*find_stream(stream))
		return wrong_style(function, stream, has_thread);
	if (other && other->stream->device != stream->device)
		return emu_fail(ACL_ERROR_RT_THREAD_SUBSCRIBE, "EE1016",
		                "%s failed because thread %" PRIu64 " serves streams of device %d already, not of %d.",
		                function, thread, other->stream->device, stream->device);
	return ACL_SUCCESS;
}

static aclError subscribe(const char *function, uint64_t thread, const struct emu_stream *stream)
{
	struct subscription *added = malloc(sizeof(*added));
	aclError status;

	if (!added)
		return no_memory(function);
	*added = (struct subscription){stream, thread, NULL};
	pthread_mutex_lock(&lock);
	status = check_subscribe(function, thread, stream);
	if (!status) {
		added->next = subscriptions;
		subscriptions = added;
	}
	pthread_mutex_unlock(&lock);
	if (status)
		free(added);
	return status;
}

aclError aclrtSubscribeReport(uint64_t threadId, aclrtStream stream)
{
	struct emu_context *context;
	struct emu_stream *object;
	aclError status = emu_stream_resolve(__func__, stream, false, &object, &context);

	if (status)
		return status;
	status = subscribe(__func__, threadId, object);
	emu_object_release(&object->object);
	emu_object_release(&context->object);
	return status;
}

static aclError not_subscribed(const char *function, const struct emu_stream *stream)
{
	return emu_fail(ACL_ERROR_RT_STREAM_NO_CB_REG, "EE1018",
	                "%s failed because no thread serves stream %p. Call aclrtSubscribeReport first.", function,
	                stream->object.handle);
}

/* What the stream came to and nobody ran is dropped, and a callback that held the stream lets it go. */
aclError aclrtUnSubscribeReport(uint64_t threadId, aclrtStream stream)
{
	struct report *dropped = NULL;
	struct subscription **at;
	struct emu_context *context;
	struct emu_stream *object;
	aclError status = emu_stream_resolve(__func__, stream, false, &object, &context);

	if (status)
		return status;
	pthread_mutex_lock(&lock);
	at = find_stream(object);
	if (!*at) {
		status = not_subscribed(__func__, object);
	} else if ((*at)->thread != threadId) {
		status = emu_fail(ACL_ERROR_RT_THREAD_SUBSCRIBE, "EE1016",
		                  "%s failed because thread %" PRIu64 " serves stream %p, not thread %" PRIu64 ".",
		                  __func__, (*at)->thread, object->object.handle, threadId);
	} else {
		unsubscribe(at);
		dropped = take_of_stream(object);
		pthread_cond_broadcast(&news);
	}
	pthread_mutex_unlock(&lock);
	free_reports(dropped);
	emu_object_release(&object->object);
	emu_object_release(&context->object);
	return status;
}

/* Of a subscribed stream only. */
static aclError check_launch(const char *function, const struct emu_stream *stream)
{
	aclError status = ACL_SUCCESS;

	pthread_mutex_lock(&lock);
	if (stream->runs_host_functions)
		status = wrong_style(function, stream, has_host_functions);
	else if (!*find_stream(stream))
		status = not_subscribed(function, stream);
	pthread_mutex_unlock(&lock);
	return status;
}

aclError aclrtLaunchCallback(aclrtCallback fn, void *userData, aclrtCallbackBlockType blockType, aclrtStream stream)
{
	struct emu_context *context;
	struct emu_stream *object;
	aclError status;

	if ((unsigned)blockType > ACL_CALLBACK_BLOCK)
		return emu_fail(ACL_ERROR_INVALID_PARAM, "EH0007",
		                "%s failed because blockType is %d; it must be 0 (no block) or 1 (block).", __func__,
		                (int)blockType);
	if (!fn)
		return emu_fail(ACL_ERROR_RT_PARAM_INVALID, "EE1004", "%s failed because fn is a null pointer.", __func__);
	status = emu_stream_resolve(__func__, stream, false, &object, &context);
	if (status)
		return status;
	status = check_launch(__func__, object);
	if (!status)
		status = launch_in(__func__, object, fn, userData, blockType == ACL_CALLBACK_BLOCK);
	emu_object_release(&object->object);
	emu_object_release(&context->object);
	return status;
}

/* Waits for a report for a thread. The lock is held. */
static aclError next_report(const char *function, uint64_t thread, const struct emu_deadline *deadline,
                            struct report **report)
{
	while (find_thread(thread)) {
		*report = take_of_thread(thread);
		if (*report)
			return ACL_SUCCESS;
		if (!emu_deadline_wait(deadline, &news, &lock) && !(*report = take_of_thread(thread)))
			return emu_fail(ACL_ERROR_RT_REPORT_TIMEOUT, "EE1019", "%s: nothing arrived in time.", function);
		if (*report)
			return ACL_SUCCESS;
	}
	return emu_fail(ACL_ERROR_RT_THREAD_SUBSCRIBE, "EE1018",
	                "%s failed because thread %" PRIu64 " serves no stream. Call aclrtSubscribeReport first.", function,
	                thread);
}

aclError aclrtProcessReport(int32_t timeout)
{
	const struct emu_deadline deadline = emu_deadline_in(timeout);
	struct report *report = NULL;
	aclError status;

	if (timeout == 0 || timeout < -1)
		return emu_fail(ACL_ERROR_INVALID_PARAM, "EH0007",
		                "%s failed because timeout is %" PRId32
		                "; it is a number of milliseconds above 0, or -1 for ever.",
		                __func__, timeout);
	pthread_once(&once, init_condition);
	pthread_mutex_lock(&lock);
	status = next_report(__func__, (uint64_t)pthread_self(), &deadline, &report);
	pthread_mutex_unlock(&lock);
	if (status)
		return status;
	report->function(report->data);
	free_report(report);
	return ACL_SUCCESS;
}

/* ---- fork ---- */

void emu_reports_lock(void)
{
	pthread_once(&once, init_condition);
	pthread_mutex_lock(&lock);
}

void emu_reports_unlock(void)
{
	pthread_mutex_unlock(&lock);
}

void emu_reports_renew(void)
{
	init_condition(); /* those who waited do not exist here */
	pthread_mutex_unlock(&lock);
}
