/* Threads that meet where the runtime keeps its tables: streams that come and go, and fork() at any moment. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "acl/acl_rt.h"
#include "check.h"
#include "runtime/handle.h"

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
enum { FORKS = 0 }; /* the sanitizers' own locks do not survive it */
#else
enum { FORKS = 200 };
#endif

enum { ROUNDS = 2000, LONGEST = 5 };

static atomic_bool stop;
static atomic_int refusals;

static void *make_and_destroy_streams(void *unused)
{
	(void)unused;
	aclrtSetDevice(0);
	for (int i = 0; i < ROUNDS; i++) {
		aclrtStream stream = NULL;

		if (aclrtCreateStream(&stream) || aclrtDestroyStream(stream))
			atomic_fetch_add(&refusals, 1);
	}
	return NULL;
}

static void *synchronise_the_device(void *unused)
{
	(void)unused;
	aclrtSetDevice(0);
	while (!stop)
		if (aclrtSynchronizeDevice())
			atomic_fetch_add(&refusals, 1);
	return NULL;
}

static void test_streams_come_and_go_while_the_device_is_synchronised(void)
{
	pthread_t makers[2], waiters[2];

	stop = false;
	refusals = 0;
	for (int i = 0; i < 2; i++) {
		pthread_create(&makers[i], NULL, make_and_destroy_streams, NULL);
		pthread_create(&waiters[i], NULL, synchronise_the_device, NULL);
	}
	for (int i = 0; i < 2; i++)
		pthread_join(makers[i], NULL);
	stop = true;
	for (int i = 0; i < 2; i++)
		pthread_join(waiters[i], NULL);
	CHECK_EQUAL(refusals, 0);
}

static aclrtContext doomed;

static void *make_streams_in_a_doomed_context(void *unused)
{
	(void)unused;
	while (!stop) {
		aclrtStream stream = NULL;

		if (!aclrtSetCurrentContext(doomed))
			aclrtCreateStream(&stream);
	}
	return NULL;
}

/* All 1984 but the default stream of the current context can be made: the contexts took none with them. */
static void check_that_no_stream_is_lost(void)
{
	static aclrtStream streams[2000];
	int made = 0;

	aclrtSetDevice(0);
	while (made < 2000 && !aclrtCreateStream(&streams[made]))
		made++;
	CHECK_EQUAL(made, 1983);
	while (made > 0)
		aclrtDestroyStream(streams[--made]);
}

static void test_a_context_that_ends_takes_its_streams_along(void)
{
	for (int i = 0; i < 100; i++) {
		pthread_t maker;

		aclrtCreateContext(&doomed, 0);
		stop = false;
		pthread_create(&maker, NULL, make_streams_in_a_doomed_context, NULL);
		CHECK_EQUAL(aclrtDestroyContext(doomed), 0);
		stop = true;
		pthread_join(maker, NULL);
	}
	check_that_no_stream_is_lost();
}

/* ---- fork ---- */

static void use_tables(void)
{
	struct emu_object *object = NULL;
	aclDataBuffer *buffer = aclCreateDataBuffer(NULL, 0);

	aclDestroyDataBuffer(buffer);
	object = emu_handle_acquire(buffer, EMU_KIND_DATA_BUFFER);
	if (object)
		emu_object_release(object);
	aclrtFree(NULL); /* leaves a record */
	aclGetRecentErrMsg();
}

static void *use_tables_until_stopped(void *unused)
{
	(void)unused;
	while (!stop)
		use_tables();
	return NULL;
}

static void child_uses_tables(void)
{
	alarm(LONGEST);
	for (int i = 0; i < 20; i++)
		use_tables();
	_exit(0);
}

static void test_a_child_finds_whole_tables_whatever_other_threads_did(void)
{
	pthread_t users[2];
	int state, ended = 0;

	stop = false;
	for (int i = 0; i < 2; i++)
		pthread_create(&users[i], NULL, use_tables_until_stopped, NULL);
	for (int i = 0; i < FORKS; i++) {
		pid_t child = fork();

		if (child == 0)
			child_uses_tables();
		waitpid(child, &state, 0);
		if (!WIFEXITED(state) || WEXITSTATUS(state))
			break;
		ended++;
	}
	stop = true;
	for (int i = 0; i < 2; i++)
		pthread_join(users[i], NULL);
	CHECK_EQUAL(ended, FORKS);
}

int main(void)
{
	test_a_child_finds_whole_tables_whatever_other_threads_did();
	CHECK_EQUAL(aclrtSetDevice(0), 0);
	test_streams_come_and_go_while_the_device_is_synchronised();
	test_a_context_that_ends_takes_its_streams_along();
	return check_report();
}
