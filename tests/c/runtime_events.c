/* Events of both families: what they show, what waits for them, what a client can do wrong. Gates instead of sleeps. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

#include "acl/acl.h"
#include "check.h"
#include "child.h"
#include "gate.h"
#include "runtime/error.h"
#include "runtime/stream.h"

enum { ORDINARY = ACL_EVENT_SYNC | ACL_EVENT_CAPTURE_STREAM_PROGRESS | ACL_EVENT_TIME_LINE };

static aclrtEvent new_event(void)
{
	aclrtEvent event = NULL;

	CHECK_EQUAL(aclrtCreateEventExWithFlag(&event, ORDINARY), 0);
	return event;
}

static aclrtEvent old_event(void)
{
	aclrtEvent event = NULL;

	CHECK_EQUAL(aclrtCreateEvent(&event), 0);
	return event;
}

static int recorded(aclrtEvent event)
{
	aclrtEventRecordedStatus status = (aclrtEventRecordedStatus)-1;

	CHECK_EQUAL(aclrtQueryEventStatus(event, &status), 0);
	return (int)status;
}

static int waits(aclrtEvent event)
{
	aclrtEventWaitStatus status = (aclrtEventWaitStatus)-1;

	CHECK_EQUAL(aclrtQueryEventWaitStatus(event, &status), 0);
	return (int)status;
}

static int stream_status(aclrtStream stream)
{
	aclrtStreamStatus status = (aclrtStreamStatus)-1;

	CHECK_EQUAL(aclrtStreamQuery(stream, &status), 0);
	return (int)status;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
static aclError old_query(aclrtEvent event, aclrtEventStatus *status)
{
	return aclrtQueryEvent(event, status);
}
#pragma GCC diagnostic pop

static atomic_int counter;
static int seen[8];

static void note(void *slot)
{
	seen[(intptr_t)slot] = atomic_fetch_add(&counter, 1) + 1;
}

static void queue_note(aclrtStream stream, int slot)
{
	seen[slot] = 0;
	CHECK_EQUAL(aclrtLaunchHostFunc(stream, note, (void *)(intptr_t)slot), 0);
}

/* ---- making and ending ---- */

static void test_flags_of_both_families(void)
{
	static const uint32_t good[] = {1, 2, 3, 8, 9, 10, 11};
	static const uint32_t bad[] = {0, 4, 1 | 4, 1 | 0x10, 1 | 0x20, 0x30, 1 | 0x40, 0x80, 0xffffffff};
	aclrtEvent event = &counter;

	CHECK_EQUAL(aclrtCreateEvent(NULL), 100000);
	CHECK_EQUAL(aclrtCreateEventWithFlag(NULL, 1), 100000);
	CHECK_EQUAL(aclrtCreateEventExWithFlag(NULL, 1), 100000);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		CHECK_EQUAL(aclrtCreateEventWithFlag(&event, bad[i]), 107000);
		CHECK_EQUAL(aclrtCreateEventExWithFlag(&event, bad[i]), 107000);
	}
	CHECK_CONTAINS(aclGetRecentErrMsg(), "0xffffffff");
	CHECK_EQUAL(aclrtCreateEventWithFlag(&event, ACL_EVENT_IPC), 107000);
	CHECK_EQUAL(aclrtCreateEventExWithFlag(&event, ACL_EVENT_IPC), 207000);
	CHECK_EQUAL(aclrtCreateEventExWithFlag(&event, ACL_EVENT_EXTERNAL), 107000);
	CHECK_EQUAL(aclrtCreateEventExWithFlag(&event, ACL_EVENT_DEVICE_USE_ONLY), 107000);
	CHECK(event == &counter);
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		CHECK_EQUAL(aclrtCreateEventWithFlag(&event, good[i]), 0);
		CHECK_EQUAL(aclrtDestroyEvent(event), 0);
		CHECK_EQUAL(aclrtCreateEventExWithFlag(&event, good[i]), 0);
		CHECK_EQUAL(aclrtDestroyEvent(event), 0);
	}
	CHECK_EQUAL(aclrtCreateEventWithFlag(&event, ACL_EVENT_EXTERNAL), 0);
	CHECK_EQUAL(aclrtDestroyEvent(event), 0);
	CHECK_EQUAL(aclrtCreateEventWithFlag(&event, ACL_EVENT_DEVICE_USE_ONLY), 0);
	CHECK_EQUAL(aclrtDestroyEvent(event), 0);
}

static void check_refused(aclrtEvent event, aclError status, aclError with_timeout)
{
	aclrtEventRecordedStatus is_recorded;
	aclrtEventWaitStatus is_waited;
	aclrtEventStatus old;
	aclrtEvent good = new_event();
	uint64_t stamp = 7;
	uint32_t id = 7;
	float ms = 7;

	CHECK_EQUAL(aclrtDestroyEvent(event), status);
	CHECK_EQUAL(aclrtRecordEvent(event, NULL), status);
	CHECK_EQUAL(aclrtRecordEventWithFlag(event, NULL, 0), status);
	CHECK_EQUAL(aclrtResetEvent(event, NULL), status);
	CHECK_EQUAL(aclrtStreamWaitEvent(NULL, event), status);
	CHECK_EQUAL(aclrtStreamWaitEventWithTimeout(NULL, event, 1), with_timeout);
	CHECK_EQUAL(aclrtStreamWaitEventWithFlag(NULL, event, 0, 0), status);
	CHECK_EQUAL(aclrtQueryEventStatus(event, &is_recorded), status);
	CHECK_EQUAL(old_query(event, &old), status);
	CHECK_EQUAL(aclrtQueryEventWaitStatus(event, &is_waited), status);
	CHECK_EQUAL(aclrtSynchronizeEvent(event), status);
	CHECK_EQUAL(aclrtSynchronizeEventWithTimeout(event, 1), status);
	CHECK_EQUAL(aclrtEventElapsedTime(&ms, event, good), status);
	CHECK_EQUAL(aclrtEventElapsedTime(&ms, good, event), status);
	CHECK_EQUAL(aclrtEventGetTimestamp(event, &stamp), status);
	CHECK_EQUAL(aclrtGetEventId(event, &id), status);
	CHECK(ms == 7 && stamp == 7 && id == 7);
	CHECK_EQUAL(aclrtDestroyEvent(good), 0);
}

static void test_null_and_dead_events_are_refused_everywhere(void)
{
	aclrtEvent event = new_event();
	aclrtStream stream = new_stream();
	int heap = 0;

	check_refused(NULL, 100000, 107000);
	check_refused(&heap, 107017, 107017);
	check_refused(stream, 107017, 107017);
	CHECK_EQUAL(aclrtDestroyEvent(event), 0);
	check_refused(event, 107017, 107017);
	CHECK_EQUAL(aclrtDestroyEvent(event), 107017);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "an aclrtEvent that was destroyed");
	CHECK_EQUAL(aclrtDestroyStream(stream), 0);
}

static void test_null_results_are_refused(void)
{
	aclrtEvent event = old_event();
	float ms = 0;

	CHECK_EQUAL(aclrtQueryEventStatus(event, NULL), 100000);
	CHECK_EQUAL(old_query(event, NULL), 100000);
	CHECK_EQUAL(aclrtQueryEventWaitStatus(event, NULL), 100000);
	CHECK_EQUAL(aclrtEventElapsedTime(NULL, event, event), 100000);
	CHECK_EQUAL(aclrtEventElapsedTime(&ms, NULL, event), 100000);
	CHECK_EQUAL(aclrtEventElapsedTime(&ms, event, NULL), 100000);
	CHECK_EQUAL(aclrtEventGetTimestamp(event, NULL), 100000);
	CHECK_EQUAL(aclrtGetEventId(event, NULL), 100000);
	CHECK_EQUAL(aclrtGetEventAvailNum(NULL), 100000);
	CHECK_EQUAL(aclrtDestroyEvent(event), 0);
}

static void *without_context(void *event)
{
	aclrtEvent made = &counter;
	uint32_t count = 7;

	CHECK_EQUAL(aclrtCreateEvent(&made), 107002);
	CHECK_EQUAL(aclrtCreateEventWithFlag(&made, 1), 107002);
	CHECK_EQUAL(aclrtCreateEventExWithFlag(&made, 1), 107002);
	CHECK_EQUAL(aclrtRecordEvent(event, NULL), 107002);
	CHECK_EQUAL(aclrtResetEvent(event, NULL), 107002);
	CHECK_EQUAL(aclrtStreamWaitEvent(NULL, event), 107002);
	CHECK_EQUAL(aclrtGetEventAvailNum(&count), 107002);
	CHECK(made == &counter && count == 7);
	CHECK_EQUAL(recorded(event), 1);
	CHECK_EQUAL(aclrtSynchronizeEvent(event), 0);
	CHECK_EQUAL(aclrtDestroyEvent(event), 0);
	return NULL;
}

static void test_streams_need_a_context_but_asking_an_event_does_not(void)
{
	aclrtEvent event = new_event();
	pthread_t thread;

	pthread_create(&thread, NULL, without_context, event);
	pthread_join(thread, NULL);
}

static void test_a_dead_stream_or_one_of_another_context_is_refused(void)
{
	aclrtEvent event = old_event();
	aclrtStream stream = new_stream();
	aclrtContext mine, other;

	aclrtGetCurrentContext(&mine);
	CHECK_EQUAL(aclrtRecordEvent(event, stream), 0);
	aclrtCreateContext(&other, 0);
	CHECK_EQUAL(aclrtRecordEvent(event, stream), 107003);
	CHECK_EQUAL(aclrtResetEvent(event, stream), 107003);
	CHECK_EQUAL(aclrtStreamWaitEvent(stream, event), 107003);
	CHECK_EQUAL(aclrtStreamWaitEvent(NULL, event), 0); /* the event itself may come from elsewhere */
	CHECK_EQUAL(aclrtDestroyContext(other), 0);
	CHECK_EQUAL(aclrtSetCurrentContext(mine), 0);
	CHECK_EQUAL(aclrtDestroyStream(stream), 0);
	CHECK_EQUAL(aclrtRecordEvent(event, stream), 107017);
	CHECK_EQUAL(aclrtResetEvent(event, stream), 107017);
	CHECK_EQUAL(aclrtStreamWaitEvent(stream, event), 107017);
	CHECK_EQUAL(aclrtDestroyEvent(event), 0);
}

static void test_events_are_counted_and_numbered(void)
{
	uint32_t before = 0, after = 0, first = 0, second = 0;
	aclrtEvent one, two;

	CHECK_EQUAL(aclrtGetEventAvailNum(&before), 0);
	one = new_event();
	two = old_event();
	CHECK_EQUAL(aclrtGetEventAvailNum(&after), 0);
	CHECK_EQUAL(after, before - 2);
	CHECK_EQUAL(aclrtGetEventId(one, &first), 0);
	CHECK_EQUAL(aclrtGetEventId(two, &second), 0);
	CHECK(first != second);
	CHECK_EQUAL(aclrtDestroyEvent(one), 0);
	CHECK_EQUAL(aclrtDestroyEvent(two), 0);
	CHECK_EQUAL(aclrtGetEventAvailNum(&after), 0);
	CHECK_EQUAL(after, before);
}

static void use_up_all_events(void)
{
	static aclrtEvent events[65536];
	aclrtEvent more = &counter;
	uint32_t left = 1;
	bool all = true;

	aclrtSetDevice(0);
	for (int i = 0; i < 65536; i++)
		all &= aclrtCreateEventWithFlag(&events[i], ACL_EVENT_SYNC) == 0;
	CHECK(all);
	CHECK_EQUAL(aclrtGetEventAvailNum(&left), 0);
	CHECK_EQUAL(left, 0);
	CHECK_EQUAL(aclrtCreateEvent(&more), 207007);
	CHECK_EQUAL(aclrtCreateEventWithFlag(&more, ACL_EVENT_SYNC), 207007);
	CHECK_EQUAL(aclrtCreateEventExWithFlag(&more, ACL_EVENT_SYNC), 207007);
	CHECK(more == &counter);
	CHECK_EQUAL(aclrtDestroyEvent(events[0]), 0);
	CHECK_EQUAL(aclrtCreateEvent(&more), 0);
}

/* ---- what an event shows ---- */

static void test_an_event_that_was_never_recorded(void)
{
	aclrtEvent young = new_event(), old = old_event();
	aclrtEventStatus status = (aclrtEventStatus)-1;
	uint64_t stamp = 7;
	float ms = 7;

	CHECK_EQUAL(recorded(young), 1);
	CHECK_EQUAL(recorded(old), 0);
	CHECK_EQUAL(old_query(old, &status), 0);
	CHECK_EQUAL(status, ACL_EVENT_STATUS_COMPLETE);
	CHECK_EQUAL(waits(old), ACL_EVENT_WAIT_STATUS_COMPLETE);
	CHECK_EQUAL(aclrtSynchronizeEvent(young), 0);
	CHECK_EQUAL(aclrtSynchronizeEvent(old), 0);
	CHECK_EQUAL(aclrtSynchronizeEventWithTimeout(old, 1), 0);
	CHECK_EQUAL(aclrtStreamWaitEvent(NULL, young), 0);
	CHECK_EQUAL(aclrtStreamWaitEvent(NULL, old), 107000);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "never recorded");
	CHECK_EQUAL(aclrtResetEvent(old, NULL), 0);
	CHECK_EQUAL(aclrtRecordEvent(young, NULL), 0);
	CHECK_EQUAL(aclrtSynchronizeEvent(young), 0);
	CHECK_EQUAL(aclrtEventElapsedTime(&ms, old, young), 507000);
	CHECK_EQUAL(aclrtEventElapsedTime(&ms, young, old), 507000);
	CHECK_EQUAL(aclrtEventGetTimestamp(old, &stamp), 507000);
	CHECK(ms == 7 && stamp == 7);
	CHECK_EQUAL(aclrtDestroyEvent(young), 0);
	CHECK_EQUAL(aclrtDestroyEvent(old), 0);
}

static void check_mark_moves(aclrtEvent event)
{
	aclrtStream stream = new_stream();
	struct gate first, second;
	float ms = 7;

	shut_gate(&first, stream);
	CHECK_EQUAL(aclrtRecordEvent(event, stream), 0);
	CHECK_EQUAL(recorded(event), 0);
	CHECK_EQUAL(aclrtEventElapsedTime(&ms, event, event), 107006);
	CHECK(ms == 7);
	CHECK_EQUAL(aclrtSynchronizeEventWithTimeout(event, 1), 507047);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "1 ms");
	open_gate(&first);
	CHECK_EQUAL(aclrtSynchronizeEvent(event), 0);
	CHECK_EQUAL(recorded(event), 1);
	CHECK_EQUAL(aclrtEventElapsedTime(&ms, event, event), 0);
	CHECK(ms == 0);
	shut_gate(&second, stream);
	CHECK_EQUAL(recorded(event), 1); /* the mark is before the second gate */
	CHECK_EQUAL(aclrtRecordEventWithFlag(event, stream, ACL_EVENT_RECORD_DEFAULT), 0);
	CHECK_EQUAL(recorded(event), 0);
	open_gate(&second);
	CHECK_EQUAL(aclrtSynchronizeEventWithTimeout(event, -1), 0);
	CHECK_EQUAL(recorded(event), 1);
	CHECK_EQUAL(aclrtDestroyStream(stream), 0);
	CHECK_EQUAL(recorded(event), 1);
	CHECK_EQUAL(aclrtDestroyEvent(event), 0);
}

static void test_recording_again_moves_the_mark(void)
{
	check_mark_moves(new_event());
	check_mark_moves(old_event());
}

static void test_the_older_query_has_the_opposite_encoding(void)
{
	aclrtEvent old = old_event(), young = new_event();
	aclrtStream stream = new_stream();
	aclrtEventStatus status = (aclrtEventStatus)-1;
	aclrtEventWaitStatus waited = (aclrtEventWaitStatus)-1;
	struct gate gate;

	shut_gate(&gate, stream);
	CHECK_EQUAL(aclrtRecordEvent(old, stream), 0);
	CHECK_EQUAL(old_query(old, &status), 0);
	CHECK_EQUAL(status, 1);
	open_gate(&gate);
	CHECK_EQUAL(aclrtSynchronizeStream(stream), 0);
	CHECK_EQUAL(old_query(old, &status), 0);
	CHECK_EQUAL(status, 0);
	CHECK_EQUAL(old_query(young, &status), 207000);
	CHECK_EQUAL(aclrtQueryEventWaitStatus(young, &waited), 207000);
	CHECK_EQUAL(aclrtResetEvent(young, stream), 207000);
	CHECK_EQUAL(aclrtDestroyStream(stream), 0);
	CHECK_EQUAL(aclrtDestroyEvent(old), 0);
	CHECK_EQUAL(aclrtDestroyEvent(young), 0);
}

enum { ROUNDS = 3000 };

/* Polling or waiting, on the host's side the two are done at one moment. */
static void test_a_stream_is_complete_when_its_last_event_is_and_the_other_way_round(void)
{
	aclrtStream stream = new_stream();
	aclrtEvent event = old_event();
	int not_ready = 0, not_recorded = 0;

	for (int i = 0; i < ROUNDS; i++) {
		aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;

		CHECK_EQUAL(aclrtRecordEvent(event, stream), 0);
		if (i % 2)
			CHECK_EQUAL(aclrtSynchronizeEvent(event), 0);
		while (!status)
			CHECK_EQUAL(aclrtQueryEventStatus(event, &status), 0);
		not_ready += stream_status(stream) != ACL_STREAM_STATUS_COMPLETE;

		CHECK_EQUAL(aclrtRecordEvent(event, stream), 0);
		if (i % 2)
			CHECK_EQUAL(aclrtSynchronizeStream(stream), 0);
		while (stream_status(stream) != ACL_STREAM_STATUS_COMPLETE)
			;
		not_recorded += recorded(event) != ACL_EVENT_RECORDED_STATUS_COMPLETE;
	}
	CHECK_EQUAL(not_ready, 0);
	CHECK_EQUAL(not_recorded, 0);
	CHECK_EQUAL(aclrtDestroyEvent(event), 0);
	CHECK_EQUAL(aclrtDestroyStream(stream), 0);
}

static void test_a_reset_takes_place_in_the_order_of_its_stream(void)
{
	aclrtEvent event = old_event();
	aclrtStream stream = new_stream();
	struct gate gate;

	CHECK_EQUAL(aclrtRecordEvent(event, stream), 0);
	CHECK_EQUAL(aclrtSynchronizeStream(stream), 0);
	shut_gate(&gate, stream);
	CHECK_EQUAL(aclrtResetEvent(event, stream), 0);
	CHECK_EQUAL(recorded(event), 1);
	CHECK_EQUAL(aclrtStreamWaitEvent(stream, event), 107000); /* for what? */
	CHECK_CONTAINS(aclGetRecentErrMsg(), "was reset");
	open_gate(&gate);
	CHECK_EQUAL(aclrtSynchronizeStream(stream), 0);
	CHECK_EQUAL(recorded(event), 0);
	CHECK_EQUAL(aclrtRecordEvent(event, stream), 0);
	CHECK_EQUAL(aclrtSynchronizeStream(stream), 0);
	CHECK_EQUAL(recorded(event), 1);
	CHECK_EQUAL(aclrtDestroyStream(stream), 0);
	CHECK_EQUAL(aclrtDestroyEvent(event), 0);
}

static void test_a_record_behind_a_reset_stays(void)
{
	aclrtEvent event = old_event();
	aclrtStream stream = new_stream();

	CHECK_EQUAL(aclrtRecordEvent(event, stream), 0);
	CHECK_EQUAL(aclrtResetEvent(event, stream), 0);
	CHECK_EQUAL(aclrtRecordEvent(event, stream), 0);
	CHECK_EQUAL(aclrtSynchronizeStream(stream), 0);
	CHECK_EQUAL(recorded(event), 1);
	CHECK_EQUAL(aclrtDestroyStream(stream), 0);
	CHECK_EQUAL(aclrtDestroyEvent(event), 0);
}

/* ---- waiting ---- */

static void check_order(aclrtEvent event)
{
	aclrtStream first = new_stream(), second = new_stream();
	struct gate gate;

	shut_gate(&gate, first);
	queue_note(first, 0);
	CHECK_EQUAL(aclrtRecordEvent(event, first), 0);
	CHECK_EQUAL(aclrtStreamWaitEvent(second, event), 0); /* returns although the gate is shut */
	queue_note(second, 1);
	CHECK_EQUAL(aclrtSynchronizeStreamWithTimeout(second, 20), 507046);
	CHECK_EQUAL(stream_status(second), 1);
	open_gate(&gate);
	CHECK_EQUAL(aclrtSynchronizeStream(second), 0);
	CHECK_EQUAL(seen[1], seen[0] + 1);
	CHECK(seen[0] > 0);
	CHECK_EQUAL(aclrtDestroyStream(first), 0);
	CHECK_EQUAL(aclrtDestroyStream(second), 0);
	CHECK_EQUAL(aclrtDestroyEvent(event), 0);
}

static void test_a_stream_waits_and_the_host_does_not(void)
{
	check_order(new_event());
	check_order(old_event());
}

static void test_a_wait_is_for_the_record_that_was_the_latest_then(void)
{
	aclrtEvent event = new_event();
	aclrtStream first = new_stream(), second = new_stream();
	struct gate gate, later;

	shut_gate(&gate, first);
	CHECK_EQUAL(aclrtRecordEvent(event, first), 0);
	CHECK_EQUAL(aclrtStreamWaitEvent(second, event), 0);
	shut_gate(&later, first);
	CHECK_EQUAL(aclrtRecordEvent(event, first), 0); /* must not hold the second stream */
	open_gate(&gate);
	CHECK_EQUAL(aclrtSynchronizeStream(second), 0);
	CHECK_EQUAL(recorded(event), 0);
	open_gate(&later);
	CHECK_EQUAL(aclrtSynchronizeEvent(event), 0);
	CHECK_EQUAL(aclrtDestroyStream(first), 0);
	CHECK_EQUAL(aclrtDestroyStream(second), 0);
	CHECK_EQUAL(aclrtDestroyEvent(event), 0);
}

static void test_waits_without_effect(void)
{
	aclrtEvent event = new_event();
	aclrtStream first = new_stream(), second = new_stream();
	struct gate gate;

	CHECK_EQUAL(aclrtStreamWaitEvent(second, event), 0); /* never recorded */
	CHECK_EQUAL(stream_status(second), 0);
	shut_gate(&gate, first);
	CHECK_EQUAL(aclrtRecordEvent(event, first), 0);
	CHECK_EQUAL(aclrtStreamWaitEvent(first, event), 0); /* same stream */
	open_gate(&gate);
	CHECK_EQUAL(aclrtSynchronizeStream(first), 0);
	CHECK_EQUAL(aclrtStreamWaitEvent(second, event), 0); /* reached */
	CHECK_EQUAL(stream_status(second), 0);
	CHECK_EQUAL(aclrtDestroyStream(first), 0);
	CHECK_EQUAL(aclrtDestroyStream(second), 0);
	CHECK_EQUAL(aclrtDestroyEvent(event), 0);
}

static void test_the_wait_status_of_the_older_family(void)
{
	aclrtEvent event = old_event();
	aclrtStream first = new_stream(), second = new_stream();
	struct gate gate;

	shut_gate(&gate, first);
	CHECK_EQUAL(aclrtRecordEvent(event, first), 0);
	CHECK_EQUAL(aclrtStreamWaitEvent(second, event), 0);
	CHECK_EQUAL(waits(event), 1);
	open_gate(&gate);
	CHECK_EQUAL(aclrtSynchronizeStream(second), 0);
	CHECK_EQUAL(waits(event), 0);
	CHECK_EQUAL(aclrtDestroyStream(first), 0);
	CHECK_EQUAL(aclrtDestroyStream(second), 0);
	CHECK_EQUAL(aclrtDestroyEvent(event), 0);
}

static void test_events_for_other_uses_are_not_waited_for_by_streams(void)
{
	aclrtEvent event;

	CHECK_EQUAL(aclrtCreateEventExWithFlag(&event, ACL_EVENT_TIME_LINE), 0);
	CHECK_EQUAL(aclrtRecordEvent(event, NULL), 0);
	CHECK_EQUAL(aclrtStreamWaitEvent(NULL, event), 207000);
	CHECK_EQUAL(aclrtSynchronizeEvent(event), 0);
	CHECK_EQUAL(aclrtDestroyEvent(event), 0);
	CHECK_EQUAL(aclrtCreateEventWithFlag(&event, ACL_EVENT_DEVICE_USE_ONLY), 0);
	CHECK_EQUAL(aclrtStreamWaitEvent(NULL, event), 207000);
	CHECK_EQUAL(aclrtDestroyEvent(event), 0);
}

static void test_flags_and_limits_of_the_other_forms(void)
{
	aclrtEvent event = old_event();

	CHECK_EQUAL(aclrtRecordEventWithFlag(event, NULL, 2), 100000);
	CHECK_EQUAL(aclrtRecordEventWithFlag(event, NULL, ACL_EVENT_RECORD_EXTERNAL), 107029);
	CHECK_EQUAL(aclrtRecordEvent(event, NULL), 0);
	CHECK_EQUAL(aclrtStreamWaitEventWithFlag(NULL, event, 0, 2), 100000);
	CHECK_EQUAL(aclrtStreamWaitEventWithFlag(NULL, event, 1, ACL_EVENT_WAIT_EXTERNAL), 100000);
	CHECK_EQUAL(aclrtStreamWaitEventWithFlag(NULL, event, 0, ACL_EVENT_WAIT_EXTERNAL), 107029);
	CHECK_EQUAL(aclrtStreamWaitEventWithFlag(NULL, event, 5, ACL_EVENT_WAIT_DEFAULT), 0);
	CHECK_EQUAL(aclrtStreamWaitEventWithTimeout(NULL, event, -1), 107000);
	CHECK_EQUAL(aclrtStreamWaitEventWithTimeout(NULL, event, 0), 0);
	CHECK_EQUAL(aclrtSynchronizeEventWithTimeout(event, 0), 107000);
	CHECK_EQUAL(aclrtSynchronizeEventWithTimeout(event, -2), 107000);
	CHECK_EQUAL(aclrtSynchronizeEvent(event), 0);
	CHECK_EQUAL(aclrtDestroyEvent(event), 0);
}

/* The three ways to give a limit; each fails the wait after a second, and the stream goes on. */
static void test_a_wait_that_takes_too_long_fails(void)
{
	aclrtEvent event = new_event();
	aclrtStream first = new_stream(), waiting[3], unlimited = new_stream(), unlimited_too = new_stream();
	struct gate gate;

	shut_gate(&gate, first);
	CHECK_EQUAL(aclrtRecordEvent(event, first), 0);
	for (int i = 0; i < 3; i++)
		waiting[i] = new_stream();
	CHECK_EQUAL(aclrtStreamWaitEventWithTimeout(waiting[0], event, 1), 0);
	CHECK_EQUAL(aclrtStreamWaitEventWithFlag(waiting[1], event, 1, 0), 0);
	CHECK_EQUAL(aclrtSetOpWaitTimeout(1), 0);
	CHECK_EQUAL(aclrtStreamWaitEvent(waiting[2], event), 0);
	CHECK_EQUAL(aclrtSetOpWaitTimeout(0), 0);
	CHECK_EQUAL(aclrtStreamWaitEvent(unlimited, event), 0);
	CHECK_EQUAL(aclrtStreamWaitEventWithTimeout(unlimited_too, event, 0), 0);
	for (int i = 0; i < 3; i++) {
		queue_note(waiting[i], i);
		CHECK_EQUAL(aclrtSynchronizeStream(waiting[i]), 107019);
		CHECK_CONTAINS(aclGetRecentErrMsg(), "1000 ms");
		CHECK(seen[i] > 0);
		CHECK_EQUAL(aclrtDestroyStream(waiting[i]), 0);
	}
	CHECK_EQUAL(stream_status(unlimited), 1);
	CHECK_EQUAL(stream_status(unlimited_too), 1);
	open_gate(&gate);
	CHECK_EQUAL(aclrtSynchronizeStream(unlimited), 0);
	CHECK_EQUAL(aclrtSynchronizeStream(unlimited_too), 0);
	CHECK_EQUAL(aclrtDestroyStream(unlimited_too), 0);
	CHECK_EQUAL(aclrtDestroyStream(first), 0);
	CHECK_EQUAL(aclrtDestroyStream(unlimited), 0);
	CHECK_EQUAL(aclrtDestroyEvent(event), 0);
}

/* ---- ends in the wrong order ---- */

static void test_a_destroyed_event_does_not_disturb_what_is_queued(void)
{
	aclrtEvent event = new_event();
	aclrtStream first = new_stream(), second = new_stream();
	struct gate gate;

	shut_gate(&gate, first);
	queue_note(first, 0);
	CHECK_EQUAL(aclrtRecordEvent(event, first), 0);
	CHECK_EQUAL(aclrtStreamWaitEvent(second, event), 0);
	queue_note(second, 1);
	CHECK_EQUAL(aclrtDestroyEvent(event), 0);
	open_gate(&gate);
	CHECK_EQUAL(aclrtSynchronizeStream(second), 0);
	CHECK_EQUAL(seen[1], seen[0] + 1);
	CHECK_EQUAL(aclrtDestroyStream(first), 0);
	CHECK_EQUAL(aclrtDestroyStream(second), 0);
}

static void *destroy_by_force(void *stream)
{
	aclrtSetDevice(0);
	aclrtDestroyStreamForce(stream);
	aclrtResetDevice(0);
	return NULL;
}

static void test_a_dropped_record_lets_those_go_who_wait_for_it(void)
{
	aclrtEvent event = new_event();
	aclrtStream first = new_stream(), second = new_stream();
	struct gate gate;
	pthread_t thread;
	float ms;

	shut_gate(&gate, first);
	sem_wait(&gate.entered);
	CHECK_EQUAL(aclrtRecordEvent(event, first), 0);
	CHECK_EQUAL(aclrtStreamWaitEvent(second, event), 0);
	queue_note(second, 1);
	pthread_create(&thread, NULL, destroy_by_force, first);
	while (aclrtRecordEvent(event, first) == 0) /* until it is closed; all of these are dropped, too */
		sched_yield();
	open_gate(&gate);
	CHECK_EQUAL(aclrtSynchronizeStream(second), 0);
	CHECK(seen[1] > 0);
	pthread_join(thread, NULL);
	CHECK_EQUAL(aclrtSynchronizeEvent(event), 107023);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "will not be reached");
	CHECK_EQUAL(recorded(event), 1); /* nothing is to come */
	CHECK_EQUAL(aclrtEventElapsedTime(&ms, event, event), 107006);
	CHECK_EQUAL(aclrtDestroyStream(second), 0);
	CHECK_EQUAL(aclrtDestroyEvent(event), 0);
}

static void test_a_waiting_stream_can_be_destroyed_by_force(void)
{
	aclrtEvent event = new_event();
	aclrtStream first = new_stream(), second = new_stream();
	struct gate gate;

	shut_gate(&gate, first);
	CHECK_EQUAL(aclrtRecordEvent(event, first), 0);
	CHECK_EQUAL(aclrtStreamWaitEvent(second, event), 0);
	queue_note(second, 1);
	nap(); /* it waits by now */
	CHECK_EQUAL(aclrtDestroyStreamForce(second), 0); /* although the gate is shut */
	CHECK_EQUAL(seen[1], 0);
	open_gate(&gate);
	CHECK_EQUAL(aclrtDestroyStream(first), 0);
	CHECK_EQUAL(aclrtDestroyEvent(event), 0);
}

static void test_destroying_a_context_ends_streams_that_wait_for_each_other(void)
{
	aclrtContext mine, other;
	aclrtStream streams[4];
	aclrtEvent events[4];
	struct gate gate;

	aclrtGetCurrentContext(&mine);
	aclrtCreateContext(&other, 0);
	for (int i = 0; i < 4; i++) {
		streams[i] = new_stream();
		events[i] = new_event();
	}
	shut_gate(&gate, streams[0]);
	for (int round = 0; round < 3; round++)
		for (int i = 0; i < 4; i++) {
			CHECK_EQUAL(aclrtRecordEvent(events[i], streams[i]), 0);
			CHECK_EQUAL(aclrtStreamWaitEvent(streams[(i + 1) % 4], events[i]), 0);
		}
	queue_note(streams[3], 0);
	open_gate(&gate);
	CHECK_EQUAL(aclrtDestroyContext(other), 0);
	CHECK(seen[0] > 0);
	CHECK_EQUAL(aclrtSetCurrentContext(mine), 0);
	for (int i = 0; i < 4; i++)
		CHECK_EQUAL(aclrtDestroyEvent(events[i]), 0);
}

/* ---- failures ---- */

static aclError fail_with(void *status)
{
	emu_error_add("EZ9999", "the text of %d", (int)(intptr_t)status);
	return (aclError)(intptr_t)status;
}

static void keep(void *unused)
{
	(void)unused;
}

static void submit_failure(aclrtStream stream, intptr_t status)
{
	struct emu_task task = {.name = "testTask", .run = fail_with, .drop = keep, .argument = (void *)status};

	CHECK_EQUAL(emu_stream_submit(stream, &task), 0);
}

static void test_synchronising_an_event_reports_the_failure_of_its_stream_once(void)
{
	aclrtEvent event = new_event();
	aclrtStream stream = new_stream();

	submit_failure(stream, 507015);
	CHECK_EQUAL(aclrtRecordEvent(event, stream), 0);
	CHECK_EQUAL(aclrtSynchronizeEvent(event), 507015);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "the text of 507015");
	CHECK_EQUAL(aclrtSynchronizeEvent(event), 0);
	CHECK_EQUAL(aclrtSynchronizeStream(stream), 0);
	CHECK_EQUAL(aclrtDestroyStream(stream), 0);
	CHECK_EQUAL(aclrtDestroyEvent(event), 0);
}

static aclError from_inside;

static void synchronise_from_inside(void *event)
{
	from_inside = aclrtSynchronizeEvent(event);
}

static void test_a_host_function_cannot_wait_for_an_event_behind_it(void)
{
	aclrtEvent event = new_event();
	aclrtStream stream = new_stream();
	struct gate gate;

	shut_gate(&gate, stream);
	CHECK_EQUAL(aclrtLaunchHostFunc(stream, synchronise_from_inside, event), 0);
	CHECK_EQUAL(aclrtRecordEvent(event, stream), 0);
	open_gate(&gate);
	CHECK_EQUAL(aclrtSynchronizeStream(stream), 0);
	CHECK_EQUAL(from_inside, 107000);
	CHECK_EQUAL(aclrtLaunchHostFunc(stream, synchronise_from_inside, event), 0); /* in front of it is fine */
	CHECK_EQUAL(aclrtSynchronizeStream(stream), 0);
	CHECK_EQUAL(from_inside, 0);
	CHECK_EQUAL(aclrtDestroyStream(stream), 0);
	CHECK_EQUAL(aclrtDestroyEvent(event), 0);
}

/* ---- time ---- */

static void sleep_a_little(void *milliseconds)
{
	nanosleep(&(struct timespec){.tv_nsec = (intptr_t)milliseconds * 1000000}, NULL);
}

static void test_elapsed_time_has_a_sign(void)
{
	aclrtEvent start = new_event(), end = old_event();
	aclrtStream stream = new_stream();
	uint64_t from = 0, to = 0;
	float ms = 0, back = 0;

	CHECK_EQUAL(aclrtRecordEvent(start, stream), 0);
	CHECK_EQUAL(aclrtLaunchHostFunc(stream, sleep_a_little, (void *)(intptr_t)30), 0);
	CHECK_EQUAL(aclrtRecordEvent(end, stream), 0);
	CHECK_EQUAL(aclrtSynchronizeStream(stream), 0);
	CHECK_EQUAL(aclrtEventElapsedTime(&ms, start, end), 0);
	CHECK_EQUAL(aclrtEventElapsedTime(&back, end, start), 0);
	CHECK(ms >= 30 && ms < 10000);
	CHECK(back == -ms);
	CHECK_EQUAL(aclrtEventGetTimestamp(start, &from), 0);
	CHECK_EQUAL(aclrtEventGetTimestamp(end, &to), 0);
	CHECK(to - from >= 29999);
	CHECK(to - from >= (uint64_t)(ms * 1000) - 2 && to - from <= (uint64_t)(ms * 1000) + 2);
	CHECK_EQUAL(aclrtDestroyStream(stream), 0);
	CHECK_EQUAL(aclrtDestroyEvent(start), 0);
	CHECK_EQUAL(aclrtDestroyEvent(end), 0);
}

static void test_events_that_take_no_time_have_none(void)
{
	aclrtEvent event, timed = new_event();
	uint64_t stamp;
	float ms;

	CHECK_EQUAL(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC), 0);
	CHECK_EQUAL(aclrtRecordEvent(event, NULL), 0);
	CHECK_EQUAL(aclrtRecordEvent(timed, NULL), 0);
	CHECK_EQUAL(aclrtSynchronizeEvent(timed), 0);
	CHECK_EQUAL(aclrtEventElapsedTime(&ms, event, timed), 107006);
	CHECK_EQUAL(aclrtEventElapsedTime(&ms, timed, event), 107006);
	CHECK_EQUAL(aclrtEventGetTimestamp(event, &stamp), 107006);
	CHECK_EQUAL(aclrtDestroyEvent(event), 0);
	CHECK_EQUAL(aclrtDestroyEvent(timed), 0);
}

/* ---- other ways to run ---- */

static atomic_int refused;

static void *record_and_wait(void *event)
{
	aclrtStream stream;
	aclError failed = aclrtSetDevice(0);

	failed |= aclrtCreateStream(&stream);
	for (int i = 0; i < 200; i++) {
		failed |= aclrtRecordEvent(event, stream);
		failed |= aclrtStreamWaitEvent(stream, event);
		failed |= aclrtSynchronizeEvent(event);
	}
	failed |= aclrtSynchronizeStream(stream);
	failed |= aclrtDestroyStream(stream);
	failed |= aclrtResetDevice(0);
	atomic_fetch_or(&refused, failed);
	return NULL;
}

static void test_threads_may_share_an_event(void)
{
	aclrtEvent event = new_event();
	pthread_t threads[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, record_and_wait, event);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	CHECK_EQUAL(atomic_load(&refused), 0);
	CHECK_EQUAL(aclrtDestroyEvent(event), 0);
}

static void run_in_place(void)
{
	aclrtEvent event;
	aclrtStream stream;

	setenv("ACLEMU_STREAM", "sync", 1);
	aclrtSetDevice(0);
	stream = new_stream();
	event = new_event();
	CHECK_EQUAL(aclrtRecordEvent(event, stream), 0);
	CHECK_EQUAL(recorded(event), 1);
	CHECK_EQUAL(aclrtStreamWaitEvent(NULL, event), 0);
	test_threads_may_share_an_event();
	CHECK_EQUAL(aclrtDestroyEvent(event), 0);
	CHECK_EQUAL(aclrtDestroyStream(stream), 0);
}

static aclrtEvent inherited;

static void use_inherited_event(void)
{
	CHECK_EQUAL(recorded(inherited), 1);
	CHECK_EQUAL(aclrtSynchronizeEvent(inherited), 107023); /* its record is the parent's */
	CHECK_EQUAL(aclrtRecordEvent(inherited, NULL), 0);
	CHECK_EQUAL(aclrtSynchronizeEvent(inherited), 0);
	CHECK_EQUAL(aclrtResetDeviceForce(0), 0);
}

static void test_events_work_in_a_forked_child(void)
{
	aclrtStream stream = new_stream();
	struct gate gate;

	inherited = new_event();
	shut_gate(&gate, stream);
	CHECK_EQUAL(aclrtRecordEvent(inherited, stream), 0);
	CHECK_CHILD(use_inherited_event);
	CHECK_EQUAL(recorded(inherited), 0);
	open_gate(&gate);
	CHECK_EQUAL(aclrtSynchronizeEvent(inherited), 0);
	CHECK_EQUAL(aclrtDestroyStream(stream), 0);
	CHECK_EQUAL(aclrtDestroyEvent(inherited), 0);
}

/* ThreadSanitizer cannot start threads in the child of a process with threads. */
static bool child_may_have_threads(void)
{
#ifdef __SANITIZE_THREAD__
	return false;
#else
	return true;
#endif
}

int main(void)
{
	CHECK_CHILD(run_in_place);
	CHECK_CHILD(use_up_all_events);

	aclrtSetDevice(0);
	test_flags_of_both_families();
	test_null_and_dead_events_are_refused_everywhere();
	test_null_results_are_refused();
	test_streams_need_a_context_but_asking_an_event_does_not();
	test_a_dead_stream_or_one_of_another_context_is_refused();
	test_events_are_counted_and_numbered();
	test_an_event_that_was_never_recorded();
	test_recording_again_moves_the_mark();
	test_the_older_query_has_the_opposite_encoding();
	test_a_stream_is_complete_when_its_last_event_is_and_the_other_way_round();
	test_a_reset_takes_place_in_the_order_of_its_stream();
	test_a_record_behind_a_reset_stays();
	test_a_stream_waits_and_the_host_does_not();
	test_a_wait_is_for_the_record_that_was_the_latest_then();
	test_waits_without_effect();
	test_the_wait_status_of_the_older_family();
	test_events_for_other_uses_are_not_waited_for_by_streams();
	test_flags_and_limits_of_the_other_forms();
	test_a_wait_that_takes_too_long_fails();
	test_a_destroyed_event_does_not_disturb_what_is_queued();
	test_a_dropped_record_lets_those_go_who_wait_for_it();
	test_a_waiting_stream_can_be_destroyed_by_force();
	test_destroying_a_context_ends_streams_that_wait_for_each_other();
	test_synchronising_an_event_reports_the_failure_of_its_stream_once();
	test_a_host_function_cannot_wait_for_an_event_behind_it();
	test_elapsed_time_has_a_sign();
	test_events_that_take_no_time_have_none();
	test_threads_may_share_an_event();
	if (child_may_have_threads())
		test_events_work_in_a_forked_child();
	CHECK_EQUAL(aclrtResetDevice(0), 0);
	return check_report();
}
