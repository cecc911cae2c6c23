/* Functions of the client in streams, in both styles, and those that are told of streams and devices. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "acl/acl.h"
#include "check.h"
#include "child.h"
#include "gate.h"

static uint64_t self(void)
{
	return (uint64_t)pthread_self();
}

static int order[16];
static atomic_int order_count;

static void note(void *number)
{
	order[atomic_fetch_add(&order_count, 1) % 16] = (int)(intptr_t)number;
}

static void *as_pointer(intptr_t number)
{
	return (void *)number;
}

static int stream_status(aclrtStream stream)
{
	aclrtStreamStatus status = (aclrtStreamStatus)-1;

	CHECK_EQUAL(aclrtStreamQuery(stream, &status), 0);
	return (int)status;
}

/* ---- the simple style ---- */

static void test_host_functions_run_in_the_order_of_their_stream_and_hold_it(void)
{
	aclrtStream stream = new_stream();
	struct gate gate;

	atomic_store(&order_count, 0);
	shut_gate(&gate, stream);
	for (int i = 1; i <= 3; i++)
		CHECK_EQUAL(aclrtLaunchHostFunc(stream, note, as_pointer(i)), 0);
	sem_wait(&gate.entered);
	CHECK_EQUAL(atomic_load(&order_count), 0);
	open_gate(&gate);
	CHECK_EQUAL(aclrtSynchronizeStream(stream), 0);
	CHECK_EQUAL(atomic_load(&order_count), 3);
	CHECK(order[0] == 1 && order[1] == 2 && order[2] == 3);
	CHECK_EQUAL(aclrtDestroyStream(stream), 0);
}

/* What a host function found out about the thread that it ran on. */
static struct {
	pthread_t thread;
	aclrtContext context;
	aclError malloc_status, copy_status, bad_status, own_stream, own_device, destroy, destroy_force, reset, context_end;
	aclError own_query;
	aclrtStreamStatus own_state;
	bool has_text;
	aclrtStream stream;
} inside;

static void look_around(void *unused)
{
	void *memory = NULL;
	char bytes[8] = {0};

	(void)unused;
	inside.thread = pthread_self();
	aclrtGetCurrentContext(&inside.context);
	inside.malloc_status = aclrtMalloc(&memory, 8, ACL_MEM_MALLOC_HUGE_FIRST);
	inside.copy_status = aclrtMemcpy(memory, 8, bytes, 8, ACL_MEMCPY_HOST_TO_DEVICE);
	inside.copy_status |= aclrtMemcpyAsync(memory, 8, bytes, 8, ACL_MEMCPY_HOST_TO_DEVICE, inside.stream);
	aclrtFree(memory);
	inside.bad_status = aclrtFree(bytes);
	inside.has_text = aclGetRecentErrMsg() != NULL;
	inside.own_stream = aclrtSynchronizeStream(inside.stream);
	inside.own_device = aclrtSynchronizeDevice();
	inside.destroy = inside.stream ? aclrtDestroyStream(inside.stream) : 107000;
	inside.destroy_force = inside.stream ? aclrtDestroyStreamForce(inside.stream) : 107000;
	inside.reset = aclrtResetDeviceForce(0);
	inside.own_query = aclrtStreamQuery(inside.stream, &inside.own_state);
}

static void check_look_around(aclrtStream stream)
{
	aclrtContext context;

	aclrtGetCurrentContext(&context);
	inside.stream = stream;
	inside.has_text = false;
	CHECK_EQUAL(aclrtLaunchHostFunc(stream, look_around, NULL), 0);
	CHECK_EQUAL(aclrtSynchronizeStream(stream), 0);
	CHECK(!pthread_equal(inside.thread, pthread_self()));
	CHECK(inside.context == context);
	CHECK_EQUAL(inside.malloc_status, 0);
	CHECK_EQUAL(inside.copy_status, 0);
	CHECK_EQUAL(inside.bad_status, 107000);
	CHECK(inside.has_text);
	CHECK(aclGetRecentErrMsg() == NULL); /* the function's failure is its own affair */
	CHECK_EQUAL(inside.own_stream, 107000);
	CHECK_EQUAL(inside.own_device, 107000);
	CHECK_EQUAL(inside.destroy, 107000);
	CHECK_EQUAL(inside.destroy_force, 107000);
	CHECK_EQUAL(inside.reset, 107000);
	CHECK_EQUAL(inside.own_query, 0);
	CHECK_EQUAL(inside.own_state, ACL_STREAM_STATUS_NOT_READY);
}

static void test_a_host_function_may_call_the_runtime_but_not_wait_for_itself(void)
{
	aclrtStream stream = new_stream();

	check_look_around(stream);
	CHECK_EQUAL(aclrtDestroyStream(stream), 0);
	check_look_around(NULL);
}

static void end_context(void *context)
{
	inside.context_end = aclrtDestroyContext(context);
}

static void test_a_host_function_cannot_destroy_the_context_it_runs_in(void)
{
	aclrtContext mine, other;

	aclrtGetCurrentContext(&mine);
	aclrtCreateContext(&other, 0);
	CHECK_EQUAL(aclrtLaunchHostFunc(NULL, end_context, other), 0);
	CHECK_EQUAL(aclrtSynchronizeStream(NULL), 0);
	CHECK_EQUAL(inside.context_end, 107000);
	CHECK_EQUAL(aclrtDestroyContext(other), 0);
	CHECK_EQUAL(aclrtSetCurrentContext(mine), 0);
}

static void feed_own_stream(void *stream)
{
	inside.own_stream = aclrtLaunchHostFunc(stream, note, as_pointer(9));
}

static void test_a_host_function_may_feed_its_own_stream(void)
{
	aclrtStream stream = new_stream();

	atomic_store(&order_count, 0);
	CHECK_EQUAL(aclrtLaunchHostFunc(stream, feed_own_stream, stream), 0);
	CHECK_EQUAL(aclrtSynchronizeStream(stream), 0);
	CHECK_EQUAL(inside.own_stream, 0);
	CHECK_EQUAL(aclrtDestroyStream(stream), 0);
	CHECK_EQUAL(atomic_load(&order_count), 1);
}

static void run_in_place(void)
{
	setenv("ACLEMU_STREAM", "sync", 1);
	aclrtSetDevice(0);
	atomic_store(&order_count, 0);
	CHECK_EQUAL(aclrtLaunchHostFunc(NULL, note, as_pointer(1)), 0);
	CHECK_EQUAL(atomic_load(&order_count), 1);
	CHECK_EQUAL(aclrtLaunchHostFunc(NULL, feed_own_stream, NULL), 0);
	CHECK_EQUAL(inside.own_stream, 107000);
	CHECK_EQUAL(atomic_load(&order_count), 1);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "ACLEMU_STREAM=sync");
}

static void test_bad_host_functions(void)
{
	aclrtStream stream = new_stream();
	aclrtContext mine, other;

	aclrtGetCurrentContext(&mine);
	CHECK_EQUAL(aclrtLaunchHostFunc(stream, NULL, NULL), 107000);
	aclrtCreateContext(&other, 0);
	CHECK_EQUAL(aclrtLaunchHostFunc(stream, note, NULL), 107003);
	CHECK_EQUAL(aclrtDestroyContext(other), 0);
	CHECK_EQUAL(aclrtLaunchHostFunc(NULL, note, NULL), 107002);
	CHECK_EQUAL(aclrtSetCurrentContext(mine), 0);
	CHECK_EQUAL(aclrtDestroyStream(stream), 0);
	CHECK_EQUAL(aclrtLaunchHostFunc(stream, note, NULL), 107017);
}

/* ---- the polling style ---- */

static void test_the_serving_thread_runs_callbacks_in_order(void)
{
	aclrtStream stream = new_stream();

	atomic_store(&order_count, 0);
	CHECK_EQUAL(aclrtSubscribeReport(self(), stream), 0);
	for (int i = 1; i <= 3; i++)
		CHECK_EQUAL(aclrtLaunchCallback(note, as_pointer(i), ACL_CALLBACK_NO_BLOCK, stream), 0);
	CHECK_EQUAL(aclrtSynchronizeStream(stream), 0); /* does not wait for the functions */
	CHECK_EQUAL(atomic_load(&order_count), 0);
	for (int i = 0; i < 3; i++)
		CHECK_EQUAL(aclrtProcessReport(-1), 0);
	CHECK_EQUAL(atomic_load(&order_count), 3);
	CHECK(order[0] == 1 && order[1] == 2 && order[2] == 3);
	CHECK_EQUAL(aclrtProcessReport(1), 507012);
	CHECK_EQUAL(aclrtUnSubscribeReport(self(), stream), 0);
	CHECK_EQUAL(aclrtDestroyStream(stream), 0);
}

static void test_a_blocking_callback_holds_its_stream(void)
{
	aclrtStream stream = new_stream();

	atomic_store(&order_count, 0);
	CHECK_EQUAL(aclrtSubscribeReport(self(), stream), 0);
	CHECK_EQUAL(aclrtLaunchCallback(note, as_pointer(1), ACL_CALLBACK_BLOCK, stream), 0);
	CHECK_EQUAL(aclrtLaunchCallback(note, as_pointer(2), ACL_CALLBACK_NO_BLOCK, stream), 0);
	CHECK_EQUAL(aclrtSynchronizeStreamWithTimeout(stream, 20), 507046);
	CHECK_EQUAL(atomic_load(&order_count), 0);
	CHECK_EQUAL(aclrtProcessReport(10000), 0);
	CHECK_EQUAL(aclrtSynchronizeStream(stream), 0);
	CHECK_EQUAL(atomic_load(&order_count), 1);
	CHECK_EQUAL(aclrtProcessReport(10000), 0);
	CHECK_EQUAL(atomic_load(&order_count), 2);
	CHECK_EQUAL(aclrtUnSubscribeReport(self(), stream), 0);
	CHECK_EQUAL(aclrtDestroyStream(stream), 0);
}

static pthread_barrier_t ready;
static int served;
static aclError served_until;

static void *serve(void *unused)
{
	(void)unused;
	pthread_barrier_wait(&ready);
	while (!(served_until = aclrtProcessReport(10000)))
		served++;
	return NULL;
}

static void test_a_thread_may_serve_several_streams(void)
{
	aclrtStream streams[2] = {new_stream(), new_stream()};
	pthread_t thread;

	atomic_store(&order_count, 0);
	pthread_barrier_init(&ready, NULL, 2);
	pthread_create(&thread, NULL, serve, NULL);
	for (int i = 0; i < 2; i++)
		CHECK_EQUAL(aclrtSubscribeReport((uint64_t)thread, streams[i]), 0);
	pthread_barrier_wait(&ready);
	for (int i = 0; i < 10; i++)
		CHECK_EQUAL(aclrtLaunchCallback(note, NULL, ACL_CALLBACK_BLOCK, streams[i % 2]), 0);
	for (int i = 0; i < 2; i++) {
		CHECK_EQUAL(aclrtSynchronizeStream(streams[i]), 0);
		CHECK_EQUAL(aclrtUnSubscribeReport((uint64_t)thread, streams[i]), 0);
	}
	pthread_join(thread, NULL);
	CHECK_EQUAL(atomic_load(&order_count), 10);
	CHECK_EQUAL(served, 10);
	CHECK_EQUAL(served_until, 107012); /* the end of the subscription wakes the thread */
	for (int i = 0; i < 2; i++)
		CHECK_EQUAL(aclrtDestroyStream(streams[i]), 0);
	pthread_barrier_destroy(&ready);
}

static void test_the_two_styles_exclude_each_other(void)
{
	aclrtStream simple = new_stream(), polling = new_stream(), neither = new_stream();

	CHECK_EQUAL(aclrtLaunchHostFunc(simple, note, NULL), 0);
	CHECK_EQUAL(aclrtSubscribeReport(self(), simple), 107011);
	CHECK_EQUAL(aclrtLaunchCallback(note, NULL, ACL_CALLBACK_NO_BLOCK, simple), 107011);
	CHECK_EQUAL(aclrtSubscribeReport(self(), polling), 0);
	CHECK_EQUAL(aclrtLaunchHostFunc(polling, note, NULL), 107011);
	CHECK_EQUAL(aclrtSubscribeReport(self(), polling), 107011);
	CHECK_EQUAL(aclrtSubscribeReport(self() + 1, polling), 107011);
	CHECK_EQUAL(aclrtLaunchCallback(note, NULL, ACL_CALLBACK_NO_BLOCK, neither), 107015);
	CHECK_EQUAL(aclrtUnSubscribeReport(self() + 1, polling), 107012);
	CHECK_EQUAL(aclrtUnSubscribeReport(self(), neither), 107015);
	CHECK_EQUAL(aclrtUnSubscribeReport(self(), polling), 0);
	CHECK_EQUAL(aclrtUnSubscribeReport(self(), polling), 107015);
	CHECK_EQUAL(aclrtLaunchHostFunc(polling, note, NULL), 0); /* free to choose again */
	CHECK_EQUAL(aclrtDestroyStream(simple), 0);
	CHECK_EQUAL(aclrtDestroyStream(polling), 0);
	CHECK_EQUAL(aclrtDestroyStream(neither), 0);
}

static void test_bad_arguments_of_the_polling_style(void)
{
	aclrtStream stream = new_stream();

	CHECK_EQUAL(aclrtProcessReport(0), 100000);
	CHECK_EQUAL(aclrtProcessReport(-2), 100000);
	CHECK_EQUAL(aclrtProcessReport(1), 107012);
	CHECK_EQUAL(aclrtLaunchCallback(note, NULL, (aclrtCallbackBlockType)2, stream), 100000);
	CHECK_EQUAL(aclrtLaunchCallback(note, NULL, (aclrtCallbackBlockType)-1, stream), 100000);
	CHECK_EQUAL(aclrtLaunchCallback(NULL, NULL, ACL_CALLBACK_BLOCK, stream), 107000);
	CHECK_EQUAL(aclrtDestroyStream(stream), 0);
	CHECK_EQUAL(aclrtSubscribeReport(self(), stream), 107017);
	CHECK_EQUAL(aclrtUnSubscribeReport(self(), stream), 107017);
	CHECK_EQUAL(aclrtLaunchCallback(note, NULL, ACL_CALLBACK_BLOCK, stream), 107017);
}

static void serve_two_devices(void)
{
	aclrtStream first, second;

	setenv("ACLEMU_DEVICES", "2", 1);
	aclrtSetDevice(0);
	first = new_stream();
	CHECK_EQUAL(aclrtSubscribeReport(self(), first), 0);
	aclrtSetDevice(1);
	second = new_stream();
	CHECK_EQUAL(aclrtSubscribeReport(self(), second), 107012);
	CHECK_EQUAL(aclrtSubscribeReport(self() + 1, second), 0);
	CHECK_EQUAL(aclrtSubscribeReport(self(), first), 107003);
}

static void test_unsubscribing_lets_a_held_stream_go(void)
{
	aclrtStream stream = new_stream();

	atomic_store(&order_count, 0);
	CHECK_EQUAL(aclrtSubscribeReport(self(), stream), 0);
	CHECK_EQUAL(aclrtLaunchCallback(note, NULL, ACL_CALLBACK_BLOCK, stream), 0);
	CHECK_EQUAL(aclrtLaunchCallback(note, NULL, ACL_CALLBACK_BLOCK, stream), 0);
	CHECK_EQUAL(stream_status(stream), ACL_STREAM_STATUS_NOT_READY);
	nap(); /* it is held by now */
	CHECK_EQUAL(aclrtUnSubscribeReport(self(), stream), 0);
	CHECK_EQUAL(aclrtSynchronizeStream(stream), 0);
	CHECK_EQUAL(atomic_load(&order_count), 0);
	CHECK_EQUAL(aclrtDestroyStream(stream), 0);
}

/* The thread that should run the callbacks is the one that waits for them. */
static void test_the_serving_thread_can_destroy_a_held_stream(void)
{
	aclrtStream stream = new_stream(), forced = new_stream();

	CHECK_EQUAL(aclrtSubscribeReport(self(), stream), 0);
	CHECK_EQUAL(aclrtSubscribeReport(self(), forced), 0);
	CHECK_EQUAL(aclrtLaunchCallback(note, NULL, ACL_CALLBACK_BLOCK, stream), 0);
	CHECK_EQUAL(aclrtLaunchCallback(note, NULL, ACL_CALLBACK_BLOCK, forced), 0);
	CHECK_EQUAL(aclrtDestroyStream(stream), 0);
	CHECK_EQUAL(aclrtDestroyStreamForce(forced), 0);
	CHECK_EQUAL(aclrtProcessReport(1), 107012);
}

static void *destroy_by_force(void *stream)
{
	aclrtSetDevice(0);
	aclrtDestroyStreamForce(stream);
	aclrtResetDevice(0);
	return NULL;
}

static void test_a_destroyed_stream_is_not_served_any_more(void)
{
	aclrtStream stream = new_stream();
	pthread_t thread;

	CHECK_EQUAL(aclrtSubscribeReport(self(), stream), 0);
	CHECK_EQUAL(aclrtLaunchCallback(note, NULL, ACL_CALLBACK_BLOCK, stream), 0);
	nap(); /* it is held by now */
	pthread_create(&thread, NULL, destroy_by_force, stream);
	pthread_join(thread, NULL);
	CHECK_EQUAL(aclrtProcessReport(1), 107012);
}

/* ---- told of streams and devices ---- */

static aclrtStream told_stream;
static int told_states, told_streams;

static void tell_stream(aclrtStream stream, aclrtStreamState state, void *bias)
{
	told_stream = stream;
	told_states = 10 * told_states + (int)state + (int)(intptr_t)bias;
	told_streams++;
}

static void test_streams_are_told_of_after_creation_and_before_the_end(void)
{
	aclrtContext mine, other;
	aclrtStream stream;

	CHECK_EQUAL(aclrtRegStreamStateCallback(NULL, tell_stream, NULL), 100000);
	CHECK_EQUAL(aclrtRegStreamStateCallback("test", NULL, NULL), 107000);
	CHECK_EQUAL(aclrtRegStreamStateCallback("test", tell_stream, as_pointer(5)), 0);
	CHECK_EQUAL(aclrtRegStreamStateCallback("test", tell_stream, NULL), 0); /* takes its place */
	stream = new_stream();
	CHECK(told_stream == stream);
	CHECK_EQUAL(told_states, 1);
	CHECK_EQUAL(aclrtDestroyStream(stream), 0);
	CHECK_EQUAL(told_states, 12);
	CHECK_EQUAL(aclrtDestroyStream(stream), 107017);
	CHECK_EQUAL(told_streams, 2);
	CHECK_EQUAL(aclrtCreateStream(NULL), 100000);
	CHECK_EQUAL(told_streams, 2);

	aclrtGetCurrentContext(&mine);
	aclrtCreateContext(&other, 0);
	stream = new_stream();
	CHECK_EQUAL(aclrtDestroyContext(other), 0); /* ends the stream, too */
	CHECK_EQUAL(aclrtSetCurrentContext(mine), 0);
	CHECK(told_stream == stream);
	CHECK_EQUAL(told_states, 1212);
	CHECK_EQUAL(aclrtRegStreamStateCallback("test", NULL, NULL), 0);
	CHECK_EQUAL(aclrtDestroyStream(new_stream()), 0);
	CHECK_EQUAL(told_streams, 4);
}

static char told_devices[16];

static void tell_device(int32_t device, aclrtDeviceState state, void *unused)
{
	size_t size = strlen(told_devices);

	(void)unused;
	if (size < sizeof(told_devices) - 1)
		told_devices[size] = (char)('0' + 4 * device + (int)state);
}

static void test_devices_are_told_of_around_set_and_reset(void)
{
	CHECK_EQUAL(aclrtRegDeviceStateCallback(NULL, tell_device, NULL), 100000);
	CHECK_EQUAL(aclrtRegDeviceStateCallback("test", NULL, NULL), 107000);
	CHECK_EQUAL(aclrtRegDeviceStateCallback("test", tell_device, NULL), 0);
	CHECK_EQUAL(aclrtSetDevice(0), 0);
	CHECK(!strcmp(told_devices, "01"));
	CHECK_EQUAL(aclrtResetDevice(0), 0);
	CHECK(!strcmp(told_devices, "0123"));
	CHECK_EQUAL(aclrtSetDevice(99), 107001);
	CHECK_EQUAL(aclrtResetDevice(99), 107001);
	CHECK(!strcmp(told_devices, "0123"));
	CHECK_EQUAL(aclrtRegDeviceStateCallback("test", NULL, NULL), 0);
}

/* ---- fork ---- */

static aclrtStream inherited;

static void use_inherited_subscription(void)
{
	CHECK_EQUAL(aclrtSynchronizeStream(inherited), 0);
	CHECK_EQUAL(aclrtUnSubscribeReport(self(), inherited), 0);
	CHECK_EQUAL(aclrtLaunchHostFunc(inherited, note, NULL), 0);
	CHECK_EQUAL(aclrtSynchronizeStream(inherited), 0);
}

static void test_callbacks_work_in_a_forked_child(void)
{
	inherited = new_stream();
	CHECK_EQUAL(aclrtSubscribeReport(self(), inherited), 0);
	CHECK_EQUAL(aclrtLaunchCallback(note, NULL, ACL_CALLBACK_BLOCK, inherited), 0);
	CHECK_EQUAL(aclrtLaunchCallback(note, NULL, ACL_CALLBACK_BLOCK, inherited), 0);
	CHECK_CHILD(use_inherited_subscription);
	CHECK_EQUAL(aclrtProcessReport(-1), 0);
	CHECK_EQUAL(aclrtProcessReport(-1), 0);
	CHECK_EQUAL(aclrtDestroyStream(inherited), 0);
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
	CHECK_CHILD(serve_two_devices);

	aclrtSetDevice(0);
	test_host_functions_run_in_the_order_of_their_stream_and_hold_it();
	test_a_host_function_may_call_the_runtime_but_not_wait_for_itself();
	test_a_host_function_cannot_destroy_the_context_it_runs_in();
	test_a_host_function_may_feed_its_own_stream();
	test_bad_host_functions();
	test_the_serving_thread_runs_callbacks_in_order();
	test_a_blocking_callback_holds_its_stream();
	test_a_thread_may_serve_several_streams();
	test_the_two_styles_exclude_each_other();
	test_bad_arguments_of_the_polling_style();
	test_unsubscribing_lets_a_held_stream_go();
	test_the_serving_thread_can_destroy_a_held_stream();
	test_a_destroyed_stream_is_not_served_any_more();
	test_streams_are_told_of_after_creation_and_before_the_end();
	test_devices_are_told_of_around_set_and_reset();
	if (child_may_have_threads())
		test_callbacks_work_in_a_forked_child();
	CHECK_EQUAL(aclrtResetDevice(0), 0);
	return check_report();
}
