/* Streams: order, waiting, failures, ends, and what a client can do wrong with them. Tasks come through emu_stream_submit(). */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

#include "acl/acl.h"
#include "check.h"
#include "child.h"
#include "runtime/error.h"
#include "runtime/stream.h"

/* ---- tasks ---- */

static atomic_int dropped;

static void count_drop(void *unused)
{
	(void)unused;
	atomic_fetch_add(&dropped, 1);
}

static sem_t gate; /* what a test task waits for */

static aclError wait_at_gate(void *unused)
{
	(void)unused;
	sem_wait(&gate);
	return ACL_SUCCESS;
}

enum { MOST = 2000 };
static int order[MOST];
static int order_count; /* only tasks of one stream write, and the test after a synchronise */

static aclError note(void *number)
{
	if (order_count < MOST)
		order[order_count++] = (int)(intptr_t)number;
	return ACL_SUCCESS;
}

static atomic_int run_count;

static aclError count_run(void *unused)
{
	(void)unused;
	atomic_fetch_add(&run_count, 1);
	return ACL_SUCCESS;
}

static aclError fail_with(void *status)
{
	emu_error_add("EZ9999", "the text of %d", (int)(intptr_t)status);
	return (aclError)(intptr_t)status;
}

static aclError fail_silently(void *status)
{
	return (aclError)(intptr_t)status;
}

static int submit(aclrtStream stream, aclError (*run)(void *), intptr_t argument)
{
	struct emu_task task = {.name = "testTask", .run = run, .drop = count_drop, .argument = (void *)argument};

	return emu_stream_submit(stream, &task);
}

static aclrtStream new_stream(void)
{
	aclrtStream stream = NULL;

	CHECK_EQUAL(aclrtCreateStream(&stream), 0);
	return stream;
}

static void nap(void)
{
	nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
}

/* ---- making and ending ---- */

static void test_creating_streams(void)
{
	aclrtStream stream = &dropped;

	CHECK_EQUAL(aclrtCreateStream(NULL), 100000);
	CHECK_EQUAL(aclrtCreateStreamWithConfig(NULL, 0, 0), 100000);
	CHECK_EQUAL(aclrtCreateStreamWithConfig(&stream, 0, ACL_STREAM_DEVICE_USE_ONLY | ACL_STREAM_FAST_SYNC), 107000);
	CHECK(stream == &dropped);
	CHECK_EQUAL(aclrtCreateStreamWithConfig(&stream, 99, ACL_STREAM_FAST_LAUNCH | ACL_STREAM_FAST_SYNC | 0x8000), 0);
	CHECK_EQUAL(aclrtSynchronizeStream(stream), 0);
	CHECK_EQUAL(aclrtDestroyStream(stream), 0);
	CHECK_EQUAL(aclrtCreateStreamWithConfig(&stream, 0, ACL_STREAM_DEVICE_USE_ONLY | 0x8000), 0);
	CHECK_EQUAL(aclrtDestroyStream(stream), 0);
}

static void test_dead_handles_are_refused(void)
{
	aclrtStream stream = new_stream();
	int heap = 0;
	char bytes[4] = {0};
	int before = atomic_load(&dropped);

	CHECK_EQUAL(aclrtDestroyStream(NULL), 100000);
	CHECK_EQUAL(aclrtDestroyStreamForce(NULL), 100000);
	CHECK_EQUAL(aclrtDestroyStream(&heap), 107017);
	CHECK_EQUAL(aclrtSynchronizeStream(&heap), 107017);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "no handle of this library");
	CHECK_EQUAL(aclrtDestroyStream(stream), 0);
	CHECK_EQUAL(aclrtDestroyStream(stream), 107017);
	CHECK_EQUAL(aclrtDestroyStreamForce(stream), 107017);
	CHECK_EQUAL(aclrtSynchronizeStream(stream), 107017);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "an aclrtStream that was destroyed");
	CHECK_EQUAL(aclrtSynchronizeStreamWithTimeout(stream, 5), 107017);
	CHECK_EQUAL(aclrtMemcpyAsync(bytes, 4, bytes + 2, 2, ACL_MEMCPY_DEFAULT, stream), 107017);
	CHECK_EQUAL(aclrtMemsetAsync(bytes, 4, 0, 4, stream), 107017);
	CHECK_EQUAL(submit(stream, note, 0), 107017);
	CHECK_EQUAL(atomic_load(&dropped), before + 1);
}

static void test_streams_of_another_context_are_refused_except_by_synchronise(void)
{
	aclrtStream stream = new_stream();
	aclrtContext other, mine;
	char bytes[4] = {0};
	int before = atomic_load(&dropped);

	aclrtGetCurrentContext(&mine);
	aclrtCreateContext(&other, 0);
	CHECK_EQUAL(aclrtDestroyStream(stream), 107003);
	CHECK_EQUAL(aclrtDestroyStreamForce(stream), 107003);
	CHECK_EQUAL(aclrtMemcpyAsync(bytes, 4, bytes + 2, 2, ACL_MEMCPY_DEFAULT, stream), 107003);
	CHECK_EQUAL(aclrtMemsetAsync(bytes, 4, 0, 4, stream), 107003);
	CHECK_EQUAL(submit(stream, note, 0), 107003);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "aclrtSetCurrentContext");
	CHECK_EQUAL(atomic_load(&dropped), before + 1);
	CHECK_EQUAL(aclrtSynchronizeStream(stream), 0);
	CHECK_EQUAL(aclrtSynchronizeStreamWithTimeout(stream, 5), 0);
	aclrtDestroyContext(other);
	CHECK_EQUAL(submit(NULL, note, 0), 107002);
	CHECK_EQUAL(atomic_load(&dropped), before + 2);
	aclrtSetCurrentContext(mine);
	CHECK_EQUAL(aclrtDestroyStream(stream), 0);
}

static void test_the_number_of_streams_is_limited(void)
{
	static aclrtStream streams[1984];
	aclrtStream one_more = &dropped;
	int made = 0;
	int status = 0;

	/* the default stream counts too */
	while (made < 1984 && !(status = aclrtCreateStream(&streams[made])))
		made++;
	CHECK_EQUAL(made, 1983);
	CHECK_EQUAL(status, 207008);
	CHECK_EQUAL(aclrtCreateStream(&one_more), 207008);
	CHECK_EQUAL(aclrtCreateStreamWithConfig(&one_more, 0, 0), 207008);
	CHECK(one_more == &dropped);
	while (made > 0)
		aclrtDestroyStream(streams[--made]);
	CHECK_EQUAL(aclrtCreateStream(&one_more), 0);
	CHECK_EQUAL(aclrtDestroyStream(one_more), 0);
}

/* ---- order and waiting ---- */

static void test_tasks_run_in_the_order_of_submission_and_are_dropped_once(void)
{
	aclrtStream stream = new_stream();
	int before = atomic_load(&dropped);
	int wrong = 0;

	order_count = 0;
	for (int i = 0; i < MOST; i++)
		submit(stream, note, i);
	CHECK_EQUAL(aclrtSynchronizeStream(stream), 0);
	CHECK_EQUAL(order_count, MOST);
	for (int i = 0; i < MOST; i++)
		wrong += order[i] != i;
	CHECK_EQUAL(wrong, 0);
	CHECK_EQUAL(atomic_load(&dropped), before + MOST);
	aclrtDestroyStream(stream);
}

static void test_a_call_returns_before_its_task_is_done(void)
{
	aclrtStream stream = new_stream();
	int before = atomic_load(&dropped);

	CHECK_EQUAL(submit(stream, wait_at_gate, 0), 0);
	CHECK_EQUAL(atomic_load(&dropped), before);
	sem_post(&gate);
	CHECK_EQUAL(aclrtSynchronizeStream(stream), 0);
	CHECK_EQUAL(atomic_load(&dropped), before + 1);
	aclrtDestroyStream(stream);
}

static void test_streams_do_not_wait_for_each_other(void)
{
	aclrtStream blocked = new_stream();
	aclrtStream free_one = new_stream();

	atomic_store(&run_count, 0);
	submit(blocked, wait_at_gate, 0);
	submit(NULL, count_run, 0);
	submit(free_one, count_run, 0);
	CHECK_EQUAL(aclrtSynchronizeStream(free_one), 0);
	CHECK_EQUAL(aclrtSynchronizeStream(NULL), 0);
	CHECK_EQUAL(atomic_load(&run_count), 2);
	sem_post(&gate);
	CHECK_EQUAL(aclrtSynchronizeDevice(), 0);
	CHECK_EQUAL(aclrtSynchronizeStreamWithTimeout(blocked, 1), 0);
	aclrtDestroyStream(blocked);
	aclrtDestroyStream(free_one);
}

static void test_waiting_ends_at_the_timeout_and_the_work_goes_on(void)
{
	aclrtStream stream = new_stream();
	int before = atomic_load(&dropped);

	CHECK_EQUAL(aclrtSynchronizeStreamWithTimeout(stream, 0), 107000);
	CHECK_EQUAL(aclrtSynchronizeStreamWithTimeout(stream, -2), 107000);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "timeout is -2");
	submit(stream, wait_at_gate, 0);
	CHECK_EQUAL(aclrtSynchronizeStreamWithTimeout(stream, 20), 507046);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "20 ms");
	sem_post(&gate);
	CHECK_EQUAL(aclrtSynchronizeStreamWithTimeout(stream, -1), 0);
	CHECK_EQUAL(atomic_load(&dropped), before + 1);
	aclrtDestroyStream(stream);
}

static void test_some_streams_are_never_waited_for(void)
{
	static const uint32_t flags[] = {ACL_STREAM_PERSISTENT, ACL_STREAM_CPU_SCHEDULE, ACL_STREAM_DEVICE_USE_ONLY};

	for (int i = 0; i < 3; i++) {
		aclrtStream stream;

		aclrtCreateStreamWithConfig(&stream, 0, flags[i]);
		submit(stream, wait_at_gate, 0);
		CHECK_EQUAL(aclrtSynchronizeStream(stream), 0);
		sem_post(&gate);
		aclrtDestroyStream(stream);
	}
}

static void *post_later(void *unused)
{
	nap();
	sem_post(&gate);
	return unused;
}

static void post_from_thread(pthread_t *thread)
{
	pthread_create(thread, NULL, post_later, NULL);
}

static void test_destroying_waits_for_the_work(void)
{
	aclrtStream stream = new_stream();
	int before = atomic_load(&dropped);
	pthread_t thread;

	order_count = 0;
	submit(stream, wait_at_gate, 0);
	submit(stream, note, 1);
	post_from_thread(&thread);
	CHECK_EQUAL(aclrtDestroyStream(stream), 0);
	CHECK_EQUAL(order_count, 1);
	CHECK_EQUAL(atomic_load(&dropped), before + 2);
	pthread_join(thread, NULL);
}

static void test_a_forced_destroy_drops_what_has_not_started(void)
{
	aclrtStream stream = new_stream();
	int before = atomic_load(&dropped);
	pthread_t thread;

	order_count = 0;
	submit(stream, wait_at_gate, 0);
	nap(); /* let it start */
	for (int i = 0; i < 5; i++)
		submit(stream, note, i);
	post_from_thread(&thread);
	CHECK_EQUAL(aclrtDestroyStreamForce(stream), 0);
	CHECK_EQUAL(order_count, 0);
	CHECK_EQUAL(atomic_load(&dropped), before + 6);
	pthread_join(thread, NULL);
}

static void test_destroying_a_context_waits_for_its_streams(void)
{
	aclrtContext context, mine;
	aclrtStream stream;
	pthread_t thread;

	aclrtGetCurrentContext(&mine);
	aclrtCreateContext(&context, 0);
	stream = new_stream();
	order_count = 0;
	submit(stream, wait_at_gate, 0);
	submit(stream, note, 1);
	post_from_thread(&thread);
	CHECK_EQUAL(aclrtDestroyContext(context), 0);
	CHECK_EQUAL(order_count, 1);
	pthread_join(thread, NULL);
	aclrtSetCurrentContext(mine);
	CHECK_EQUAL(aclrtSynchronizeStream(stream), 107017);
}

static void *destroy_context(void *context)
{
	return (void *)(intptr_t)aclrtDestroyContext(context);
}

static void test_a_context_that_is_being_destroyed_is_nobodys_any_more(void)
{
	aclrtContext context, mine;
	aclrtStream stream = &dropped;
	pthread_t thread;
	void *status;

	aclrtGetCurrentContext(&mine);
	aclrtCreateContext(&context, 0);
	submit(NULL, wait_at_gate, 0);
	pthread_create(&thread, NULL, destroy_context, context);
	while (aclrtSynchronizeStreamWithTimeout(NULL, 1) == 507046)
		continue; /* until the other thread has begun */
	CHECK_EQUAL(aclrtDestroyContext(context), 507007);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "another thread is destroying");
	CHECK_EQUAL(aclrtCreateStream(&stream), 107002);
	CHECK(stream == &dropped);
	sem_post(&gate);
	pthread_join(thread, &status);
	CHECK(status == NULL);
	CHECK_EQUAL(aclrtDestroyContext(context), 107002);
	aclrtSetCurrentContext(mine);
}

/* ---- failures ---- */

static void test_a_failure_is_reported_once_by_synchronise_with_its_text(void)
{
	aclrtStream stream = new_stream();
	const char *text;

	order_count = 0;
	aclGetRecentErrMsg();
	CHECK_EQUAL(submit(stream, fail_with, 507015), 0);
	CHECK_EQUAL(submit(stream, note, 1), 0);
	CHECK_EQUAL(aclrtSynchronizeStream(stream), 507015);
	CHECK_EQUAL(order_count, 1); /* continue on failure */
	text = aclGetRecentErrMsg();
	CHECK_CONTAINS(text, "EZ9999");
	CHECK_CONTAINS(text, "the text of 507015");
	CHECK_EQUAL(aclrtSynchronizeStream(stream), 0);
	CHECK(aclGetRecentErrMsg() == NULL);
	aclrtDestroyStream(stream);
}

static void test_of_several_failures_the_latest_is_kept(void)
{
	aclrtStream stream = new_stream();
	const char *text;

	submit(stream, fail_with, 507015);
	submit(stream, fail_with, 507035);
	CHECK_EQUAL(aclrtSynchronizeStreamWithTimeout(stream, -1), 507035);
	text = aclGetRecentErrMsg();
	CHECK_CONTAINS(text, "507035");
	CHECK(!strstr(text, "507015"));
	aclrtDestroyStream(stream);
}

static void test_a_failure_without_text_gets_one(void)
{
	aclrtStream stream = new_stream();

	submit(stream, fail_silently, 507035);
	CHECK_EQUAL(aclrtSynchronizeStream(stream), 507035);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "testTask failed with status 507035");
	aclrtDestroyStream(stream);
}

static void test_a_failure_stays_with_its_stream_until_the_device_is_synchronised(void)
{
	aclrtStream bad = new_stream();
	aclrtStream good = new_stream();

	submit(bad, fail_with, 507015);
	CHECK_EQUAL(aclrtSynchronizeStream(good), 0);
	CHECK_EQUAL(aclrtSynchronizeStream(NULL), 0);
	CHECK_EQUAL(aclrtSynchronizeDevice(), 507015);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "the text of 507015");
	CHECK_EQUAL(aclrtSynchronizeDevice(), 0);
	CHECK_EQUAL(aclrtSynchronizeStream(bad), 0);
	aclrtDestroyStream(bad);
	aclrtDestroyStream(good);
}

/* ---- threads ---- */

static aclrtContext shared_context;
static aclrtStream shared_stream;

static void *feed(void *unused)
{
	aclrtSetCurrentContext(shared_context);
	for (int i = 0; i < 300; i++) {
		submit(shared_stream, count_run, 0);
		if (i % 50 == 0)
			aclrtSynchronizeStream(shared_stream);
	}
	return unused;
}

static void test_several_threads_may_feed_one_stream(void)
{
	pthread_t threads[4];

	aclrtGetCurrentContext(&shared_context);
	shared_stream = new_stream();
	atomic_store(&run_count, 0);
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, feed, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	CHECK_EQUAL(aclrtSynchronizeStream(shared_stream), 0);
	CHECK_EQUAL(atomic_load(&run_count), 1200);
	aclrtDestroyStream(shared_stream);
}

static void *submit_until_dead(void *accepted)
{
	aclrtSetCurrentContext(shared_context);
	while (submit(shared_stream, count_run, 0) == ACL_SUCCESS)
		atomic_fetch_add((atomic_int *)accepted, 1);
	return NULL;
}

static void test_a_stream_destroyed_under_its_feeders_runs_or_drops_everything(void)
{
	atomic_int accepted = 0;
	int before = atomic_load(&dropped);
	pthread_t threads[2];

	aclrtGetCurrentContext(&shared_context);
	shared_stream = new_stream();
	atomic_store(&run_count, 0);
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, submit_until_dead, &accepted);
	nap();
	CHECK_EQUAL(aclrtDestroyStream(shared_stream), 0);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	CHECK_EQUAL(atomic_load(&run_count), atomic_load(&accepted));
	CHECK_EQUAL(atomic_load(&dropped), before + atomic_load(&accepted) + 2);
}

/* ---- other ways to run ---- */

static pthread_t ran_on;

static aclError note_thread(void *unused)
{
	(void)unused;
	ran_on = pthread_self();
	return ACL_SUCCESS;
}

static void run_in_place(void)
{
	aclrtStream stream;
	int before = atomic_load(&dropped);

	setenv("ACLEMU_STREAM", "sync", 1);
	aclrtSetDevice(0);
	stream = new_stream();
	CHECK_EQUAL(submit(stream, note_thread, 0), 0);
	CHECK(pthread_equal(ran_on, pthread_self()));
	CHECK_EQUAL(atomic_load(&dropped), before + 1);
	CHECK_EQUAL(submit(stream, fail_with, 507015), 0); /* still reported by the synchronise only */
	CHECK(aclGetRecentErrMsg() == NULL);
	CHECK_EQUAL(aclrtSynchronizeStream(stream), 507015);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "the text of 507015");
	CHECK_EQUAL(aclrtSynchronizeStream(stream), 0);
	test_several_threads_may_feed_one_stream();
	CHECK_EQUAL(aclrtDestroyStreamForce(stream), 0);
	CHECK_EQUAL(submit(stream, note, 1), 107017);
}

static void leave_work_behind(void)
{
	aclrtSetDevice(0);
	submit(new_stream(), wait_at_gate, 0);
	exit(checks_failed); /* must not wait for the stream */
}

static aclrtStream inherited;

static void use_inherited_streams(void)
{
	order_count = 0;
	CHECK_EQUAL(aclrtSynchronizeStream(inherited), 0); /* what waited in the parent is not ours */
	CHECK_EQUAL(submit(inherited, note, 5), 0);
	CHECK_EQUAL(aclrtSynchronizeStream(inherited), 0);
	CHECK_EQUAL(order_count, 1);
	CHECK_EQUAL(submit(NULL, note, 6), 0);
	CHECK_EQUAL(aclrtSynchronizeDevice(), 0);
	CHECK_EQUAL(order_count, 2);
	CHECK_EQUAL(aclrtDestroyStream(inherited), 0);
	CHECK_EQUAL(aclrtResetDeviceForce(0), 0);
}

static void test_streams_work_in_a_forked_child(void)
{
	inherited = new_stream();
	order_count = 0;
	submit(inherited, wait_at_gate, 0);
	submit(inherited, note, 1);
	CHECK_CHILD(use_inherited_streams);
	sem_post(&gate);
	CHECK_EQUAL(aclrtSynchronizeStream(inherited), 0);
	CHECK_EQUAL(order_count, 1); /* the parent's work was not disturbed */
	aclrtDestroyStream(inherited);
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
	sem_init(&gate, 0, 0);
	CHECK_CHILD(run_in_place);
	CHECK_CHILD(leave_work_behind);

	aclrtSetDevice(0);
	test_creating_streams();
	test_dead_handles_are_refused();
	test_streams_of_another_context_are_refused_except_by_synchronise();
	test_the_number_of_streams_is_limited();
	test_tasks_run_in_the_order_of_submission_and_are_dropped_once();
	test_a_call_returns_before_its_task_is_done();
	test_streams_do_not_wait_for_each_other();
	test_waiting_ends_at_the_timeout_and_the_work_goes_on();
	test_some_streams_are_never_waited_for();
	test_destroying_waits_for_the_work();
	test_a_forced_destroy_drops_what_has_not_started();
	test_destroying_a_context_waits_for_its_streams();
	test_a_context_that_is_being_destroyed_is_nobodys_any_more();
	test_a_failure_is_reported_once_by_synchronise_with_its_text();
	test_of_several_failures_the_latest_is_kept();
	test_a_failure_without_text_gets_one();
	test_a_failure_stays_with_its_stream_until_the_device_is_synchronised();
	test_several_threads_may_feed_one_stream();
	test_a_stream_destroyed_under_its_feeders_runs_or_drops_everything();
	if (child_may_have_threads())
		test_streams_work_in_a_forked_child();
	CHECK_EQUAL(aclrtResetDevice(0), 0);
	return check_report();
}
