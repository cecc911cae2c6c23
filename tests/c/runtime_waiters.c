/* Who waits for a stream may run its operators: whoever does, the order, the failures and the ends stay what they are. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

#include "acl/acl.h"
#include "check.h"
#include "runtime/error.h"
#include "runtime/stream.h"

enum { ROUNDS = 2000, TASKS = 3, TRIES = 100000 };

static pthread_t waiter;
static atomic_int here, elsewhere; /* tasks that ran on the waiter, and on other threads */
static atomic_int at_work, overlaps, drops;
static int last, disorder; /* written by the task at work */

static void note_thread(void)
{
	if (pthread_equal(pthread_self(), waiter))
		atomic_fetch_add(&here, 1);
	else
		atomic_fetch_add(&elsewhere, 1);
}

static aclError note(void *number)
{
	if (atomic_fetch_add(&at_work, 1))
		atomic_fetch_add(&overlaps, 1);
	note_thread();
	disorder += (int)(intptr_t)number != ++last;
	for (volatile int i = 0; i < 3000; i++) /* long enough for another thread to wake up in the middle */
		;
	atomic_fetch_sub(&at_work, 1);
	return ACL_SUCCESS;
}

static aclError fail(void *unused)
{
	(void)unused;
	note_thread();
	emu_error_add("EZ9999", "the text of a failure");
	return 507015;
}

static void count_drop(void *unused)
{
	(void)unused;
	atomic_fetch_add(&drops, 1);
}

static void submit(aclrtStream stream, aclError (*run)(void *), intptr_t argument, bool by_waiter)
{
	struct emu_task task = {
		.name = "testTask", .run = run, .drop = count_drop, .argument = (void *)argument, .by_waiter = by_waiter,
	};

	CHECK_EQUAL(emu_stream_submit(stream, &task), 0);
}

static aclrtStream begin(void)
{
	aclrtStream stream = NULL;

	CHECK_EQUAL(aclrtCreateStream(&stream), 0);
	waiter = pthread_self();
	last = disorder = 0;
	atomic_store(&here, 0);
	atomic_store(&elsewhere, 0);
	atomic_store(&overlaps, 0);
	atomic_store(&drops, 0);
	return stream;
}

static void test_tasks_run_once_and_in_order_whoever_runs_them(void)
{
	aclrtStream stream = begin();

	for (int i = 0; i < ROUNDS * TASKS; i++) {
		submit(stream, note, i + 1, i % 5 != 0);
		if (i % TASKS == TASKS - 1)
			CHECK_EQUAL(aclrtSynchronizeStream(stream), 0);
	}
	CHECK_EQUAL(last, ROUNDS * TASKS);
	CHECK_EQUAL(disorder, 0);
	CHECK_EQUAL(overlaps, 0);
	CHECK_EQUAL(drops, ROUNDS * TASKS);
	CHECK_EQUAL(aclrtDestroyStream(stream), 0);
}

/* Which of the two is first is for the scheduler; that it is never the waiter would be another matter. */
static void test_the_waiter_takes_part(void)
{
	aclrtStream stream = begin();

	for (int i = 0; i < TRIES && !atomic_load(&here); i++) {
		submit(stream, note, i + 1, true);
		CHECK_EQUAL(aclrtSynchronizeStream(stream), 0);
	}
	CHECK(here > 0);
	CHECK_EQUAL(aclrtDestroyStream(stream), 0);
}

static void test_other_tasks_and_waits_with_a_limit_are_for_the_worker(void)
{
	aclrtStream stream = begin();

	for (int i = 0; i < ROUNDS; i++) {
		submit(stream, note, i + 1, i % 2);
		CHECK_EQUAL(i % 2 ? aclrtSynchronizeStreamWithTimeout(stream, 100000) : aclrtSynchronizeStream(stream), 0);
	}
	CHECK_EQUAL(here, 0);
	CHECK_EQUAL(elsewhere, ROUNDS);
	CHECK_EQUAL(aclrtDestroyStream(stream), 0);
}

static void test_a_failure_is_told_once_whoever_met_it(void)
{
	aclrtStream stream = begin();

	for (int i = 0; i < TRIES && (i < ROUNDS || !here); i++) {
		aclGetRecentErrMsg();
		submit(stream, fail, 0, true);
		CHECK_EQUAL(aclrtSynchronizeStream(stream), 507015);
		CHECK_CONTAINS(aclGetRecentErrMsg(), "the text of a failure");
		CHECK_EQUAL(aclrtSynchronizeStream(stream), 0);
	}
	CHECK(here > 0);
	CHECK_EQUAL(aclrtDestroyStream(stream), 0);
}

/* ---- ends ---- */

static sem_t started, gate;
static atomic_bool ended;

static aclError pass_gate(void *unused)
{
	(void)unused;
	note_thread();
	sem_post(&started);
	sem_wait(&gate);
	nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
	atomic_store(&ended, true);
	return ACL_SUCCESS;
}

static void *wait_for(void *stream)
{
	aclrtSetDevice(0);
	waiter = pthread_self();
	submit(stream, pass_gate, 0, true);
	aclrtSynchronizeStream(stream);
	return NULL;
}

static void *open_gate(void *unused)
{
	sem_post(&gate);
	return unused;
}

static void test_a_forced_destroy_waits_for_the_task_of_a_waiter(void)
{
	bool met = false;

	for (int i = 0; i < TRIES && !met; i++) {
		aclrtStream stream = begin();
		pthread_t other, opener;

		atomic_store(&ended, false);
		pthread_create(&other, NULL, wait_for, stream);
		sem_wait(&started);
		met = atomic_load(&here);
		pthread_create(&opener, NULL, open_gate, NULL);
		CHECK_EQUAL(aclrtDestroyStreamForce(stream), 0);
		CHECK(ended);
		pthread_join(opener, NULL);
		pthread_join(other, NULL);
		CHECK_EQUAL(drops, 1);
	}
	CHECK(met);
}

int main(void)
{
	sem_init(&started, 0, 0);
	sem_init(&gate, 0, 0);
	CHECK_EQUAL(aclrtSetDevice(0), 0);
	test_tasks_run_once_and_in_order_whoever_runs_them();
	test_the_waiter_takes_part();
	test_other_tasks_and_waits_with_a_limit_are_for_the_worker();
	test_a_failure_is_told_once_whoever_met_it();
	test_a_forced_destroy_waits_for_the_task_of_a_waiter();
	CHECK_EQUAL(aclrtResetDevice(0), 0);
	return check_report();
}
