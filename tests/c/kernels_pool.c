/* The worker pool: every piece once, whoever calls, and again after fork. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "kernels/kernels.h"

#ifdef __SANITIZE_THREAD__
/* The children of a threaded process start threads here: what the test is about. */
const char *__tsan_default_options(void);
const char *__tsan_default_options(void)
{
	return "die_after_fork=0";
}
#endif

enum { PIECES = 200, CALLERS = 4, CALLS = 100, MOST_THREADS = 4 };

struct tally {
	atomic_int runs[PIECES];
	atomic_int busy[MOST_THREADS]; /* pieces running now, by worker */
	atomic_int clashes;
	atomic_int strangers; /* worker numbers out of range */
	int threads;
};

static void count_piece(void *argument, int64_t piece, int worker)
{
	struct tally *tally = argument;

	if (worker < 0 || worker >= tally->threads) {
		atomic_fetch_add(&tally->strangers, 1);
		return;
	}
	if (atomic_fetch_add(&tally->busy[worker], 1) != 0)
		atomic_fetch_add(&tally->clashes, 1);
	atomic_fetch_add(&tally->runs[piece], 1);
	for (volatile int i = 0; i < 300; i++)
		;
	atomic_fetch_sub(&tally->busy[worker], 1);
}

/* Returns the number of things that went wrong. */
static int count_once(int threads, int64_t pieces)
{
	struct tally *tally = calloc(1, sizeof(*tally));
	int wrong;

	tally->threads = threads < 1 ? 1 : threads;
	emu_pool_run(threads, pieces, count_piece, tally);
	wrong = tally->clashes + tally->strangers;
	for (int i = 0; i < PIECES; i++)
		wrong += tally->runs[i] != (i < pieces);
	free(tally);
	return wrong;
}

static void test_each_piece_runs_once_with_a_worker_of_its_own(void)
{
	for (int threads = 0; threads <= MOST_THREADS; threads++) {
		CHECK_EQUAL(count_once(threads, 0), 0);
		CHECK_EQUAL(count_once(threads, 1), 0);
		CHECK_EQUAL(count_once(threads, 2), 0);
		for (int i = 0; i < CALLS; i++)
			CHECK_EQUAL(count_once(threads, PIECES), 0);
	}
}

/* What the pieces wrote without any lock is visible to the caller, and what the caller wrote is visible to them. */
static void write_square(void *argument, int64_t piece, int worker)
{
	int64_t *values = argument;

	(void)worker;
	values[piece] = values[piece] * values[piece];
}

static void test_results_are_visible_after_the_call(void)
{
	int64_t values[PIECES];
	int wrong = 0;

	for (int round = 0; round < CALLS; round++) {
		for (int i = 0; i < PIECES; i++)
			values[i] = i + round;
		emu_pool_run(MOST_THREADS, PIECES, write_square, values);
		for (int i = 0; i < PIECES; i++)
			wrong += values[i] != (int64_t)(i + round) * (i + round);
	}
	CHECK_EQUAL(wrong, 0);
}

static void *call_often(void *result)
{
	int wrong = 0;

	for (int i = 0; i < CALLS; i++)
		wrong += count_once(1 + i % MOST_THREADS, PIECES);
	*(int *)result = wrong;
	return NULL;
}

static void test_callers_at_the_same_time_all_finish(void)
{
	pthread_t callers[CALLERS];
	int wrong[CALLERS];

	for (int i = 0; i < CALLERS; i++)
		pthread_create(&callers[i], NULL, call_often, &wrong[i]);
	for (int i = 0; i < CALLERS; i++) {
		pthread_join(callers[i], NULL);
		CHECK_EQUAL(wrong[i], 0);
	}
}

static void run_inner(void *argument, int64_t piece, int worker)
{
	(void)piece;
	(void)worker;
	atomic_fetch_add((atomic_int *)argument, count_once(MOST_THREADS, 50));
}

static void test_a_piece_may_call_the_pool(void)
{
	atomic_int wrong = 0;

	emu_pool_run(MOST_THREADS, 20, run_inner, &wrong);
	CHECK_EQUAL(wrong, 0);
}

static int exit_status(pid_t child)
{
	int status = -1;

	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void test_a_child_has_a_pool_of_its_own(void)
{
	pid_t child;

	CHECK_EQUAL(count_once(MOST_THREADS, PIECES), 0);
	child = fork();
	if (child == 0) {
		alarm(20);
		_exit(count_once(MOST_THREADS, PIECES) + count_once(2, PIECES));
	}
	CHECK_EQUAL(exit_status(child), 0);
	CHECK_EQUAL(count_once(MOST_THREADS, PIECES), 0);
}

/* The fork may happen in the middle of another thread's call: the child must not believe that the pool is taken. */
static void test_a_fork_during_a_call_leaves_the_child_a_free_pool(void)
{
	pthread_t caller;
	int wrong = 0;

	pthread_create(&caller, NULL, call_often, &wrong);
	for (int i = 0; i < 5; i++) {
		pid_t child = fork();

		if (child == 0) {
			alarm(20);
			_exit(count_once(MOST_THREADS, PIECES));
		}
		CHECK_EQUAL(exit_status(child), 0);
	}
	pthread_join(caller, NULL);
	CHECK_EQUAL(wrong, 0);
}

struct meeting {
	atomic_int arrived;
	atomic_int met;
};

/* Pieces 0 and 1 wait for each other, for a while: they only meet if two threads run them. */
static void meet(void *argument, int64_t piece, int worker)
{
	struct meeting *meeting = argument;

	(void)piece;
	(void)worker;
	atomic_fetch_add(&meeting->arrived, 1);
	for (int i = 0; i < 10000 && atomic_load(&meeting->arrived) < 2; i++)
		usleep(1000);
	if (atomic_load(&meeting->arrived) == 2)
		atomic_fetch_add(&meeting->met, 1);
}

static int meet_once(void)
{
	struct meeting meeting = {0};

	emu_pool_run(2, 2, meet, &meeting);
	return meeting.met;
}

static void test_two_threads_work_at_the_same_time_also_in_a_child(void)
{
	pid_t child;

	CHECK_EQUAL(meet_once(), 2);
	child = fork();
	if (child == 0) {
		alarm(30);
		_exit(meet_once());
	}
	CHECK_EQUAL(exit_status(child), 2);
}

struct delay {
	struct meeting meeting;
	atomic_int finished;
};

/* Of the two pieces the helper's is the slower one. */
static void finish_late(void *argument, int64_t piece, int worker)
{
	struct delay *delay = argument;

	meet(&delay->meeting, piece, worker);
	if (worker != 0)
		usleep(50000);
	atomic_fetch_add(&delay->finished, 1);
}

static void test_the_call_waits_for_the_slowest_helper(void)
{
	struct delay *delay = calloc(1, sizeof(*delay)); /* leaked if the check fails: a helper may still write to it */

	emu_pool_run(2, 2, finish_late, delay);
	if (CHECK_EQUAL(delay->finished, 2))
		free(delay);
}

int main(void)
{
	test_each_piece_runs_once_with_a_worker_of_its_own();
	test_results_are_visible_after_the_call();
	test_two_threads_work_at_the_same_time_also_in_a_child();
	test_the_call_waits_for_the_slowest_helper();
	test_callers_at_the_same_time_all_finish();
	test_a_piece_may_call_the_pool();
	test_a_child_has_a_pool_of_its_own();
	test_a_fork_during_a_call_leaves_the_child_a_free_pool();
	return check_report();
}
