/* Devices, primary and explicit contexts, what is current in a thread, system parameters. */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "acl/acl.h"
#include "check.h"
#include "child.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static aclrtContext current(void)
{
	aclrtContext context = NULL;

	return aclrtGetCurrentContext(&context) == ACL_SUCCESS ? context : NULL;
}

static void in_thread(void *(*body)(void *), void *argument)
{
	pthread_t thread;

	pthread_create(&thread, NULL, body, argument);
	pthread_join(thread, NULL);
}

/* ---- devices ---- */

static void test_bad_device_ids_are_refused(void)
{
	aclrtContext context = &context;

	CHECK_EQUAL(aclrtSetDevice(-1), 107001);
	CHECK_EQUAL(aclrtSetDevice(1), 107001);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "deviceId is 1");
	CHECK_EQUAL(aclrtSetDevice(INT32_MAX), 107001);
	CHECK_EQUAL(aclrtResetDevice(-1), 107001);
	CHECK_EQUAL(aclrtResetDevice(1), 107001);
	CHECK_EQUAL(aclrtResetDeviceForce(1), 107001);
	CHECK_EQUAL(aclrtCreateContext(&context, 1), 107001);
	CHECK(context == &context);
}

static void test_a_device_never_set_cannot_be_reset(void)
{
	CHECK_EQUAL(aclrtResetDevice(0), 507007);
	CHECK_EQUAL(aclrtResetDeviceForce(0), 507007);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "not set");
}

static void test_without_a_context_calls_need_one(void)
{
	int32_t device = 55;
	int64_t value = 55;
	aclrtContext context = &device;
	aclrtStream stream = &device;
	void *memory = &device;
	char bytes[8] = {0};

	CHECK_EQUAL(aclrtGetDevice(&device), 107002);
	CHECK(aclGetRecentErrMsg() == NULL); /* a probe, not a mistake */
	CHECK_EQUAL(aclrtGetDevice(NULL), 100000);
	CHECK_EQUAL(aclrtGetCurrentContext(&context), 107002);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "aclrtSetDevice");
	CHECK_EQUAL(aclrtCreateStream(&stream), 107002);
	CHECK_EQUAL(aclrtCreateStreamWithConfig(&stream, 0, 0), 107002);
	CHECK_EQUAL(aclrtSynchronizeStream(NULL), 107002);
	CHECK_EQUAL(aclrtSynchronizeStreamWithTimeout(NULL, 10), 107002);
	CHECK_EQUAL(aclrtSynchronizeDevice(), 107002);
	CHECK_EQUAL(aclrtMalloc(&memory, 8, ACL_MEM_MALLOC_HUGE_FIRST), 107002);
	CHECK_EQUAL(aclrtMallocHost(&memory, 8), 107002);
	CHECK_EQUAL(aclrtMemcpy(bytes, 8, bytes + 4, 4, ACL_MEMCPY_HOST_TO_HOST), 107002);
	CHECK_EQUAL(aclrtMemcpy(bytes, 8, bytes, 4, ACL_MEMCPY_HOST_TO_HOST), 0); /* nothing to do, so nothing needed */
	CHECK_EQUAL(aclrtMemcpyAsync(bytes, 8, bytes + 4, 4, ACL_MEMCPY_HOST_TO_HOST, NULL), 107002);
	CHECK_EQUAL(aclrtMemset(bytes, 8, 0, 8), 107002);
	CHECK_EQUAL(aclrtMemsetAsync(bytes, 8, 0, 8, NULL), 107002);
	CHECK_EQUAL(aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, 1), 107002);
	CHECK_EQUAL(aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value), 107002);
	CHECK(device == 55 && value == 55 && context == &device && stream == &device && memory == &device);
}

static void test_set_device_makes_the_primary_context_current(void)
{
	int32_t device = -1;
	aclrtContext primary;

	CHECK_EQUAL(aclrtSetDevice(0), 0);
	primary = current();
	CHECK(primary != NULL);
	CHECK_EQUAL(aclrtGetDevice(&device), 0);
	CHECK_EQUAL(device, 0);
	CHECK_EQUAL(aclrtSetDevice(0), 0);
	CHECK(current() == primary);
	CHECK_EQUAL(aclrtResetDevice(0), 0); /* one of two references */
	CHECK(current() == primary);
	CHECK_EQUAL(aclrtResetDevice(0), 0);
	CHECK(current() == NULL);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "was reset");
	CHECK_EQUAL(aclrtResetDevice(0), 507007);
}

static void test_force_ignores_the_references(void)
{
	aclrtSetDevice(0);
	aclrtSetDevice(0);
	CHECK_EQUAL(aclrtResetDeviceForce(0), 0);
	CHECK(current() == NULL);
	CHECK_EQUAL(aclrtResetDeviceForce(0), 507007);
	CHECK_EQUAL(aclrtSetDevice(0), 0); /* the device may be set again */
	CHECK(current() != NULL);
	CHECK_EQUAL(aclrtResetDevice(0), 0);
}

static void *look_around(void *found)
{
	aclrtContext mine = current();

	*(aclrtContext *)found = mine;
	if (!mine)
		aclrtSetDevice(0);
	((aclrtContext *)found)[1] = current();
	return NULL;
}

static void test_the_context_of_a_thread_is_its_own_but_the_primary_is_shared(void)
{
	aclrtContext found[2] = {found, found};

	aclrtSetDevice(0);
	in_thread(look_around, found);
	CHECK(found[0] == NULL);
	CHECK(found[1] == current());
	aclrtResetDeviceForce(0);
}

static void test_the_streams_of_a_primary_context_end_with_it(void)
{
	aclrtStream stream;

	aclrtSetDevice(0);
	CHECK_EQUAL(aclrtCreateStream(&stream), 0);
	aclrtResetDevice(0);
	CHECK_EQUAL(aclrtSynchronizeStream(stream), 107017);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "destroyed with its context");
}

/* ---- explicit contexts ---- */

static void test_a_created_context_is_current_and_needs_no_set_device(void)
{
	aclrtContext context;
	int32_t device = -1;

	CHECK_EQUAL(aclrtCreateContext(NULL, 0), 100000);
	CHECK_EQUAL(aclrtCreateContext(&context, 0), 0);
	CHECK(current() == context);
	CHECK_EQUAL(aclrtGetDevice(&device), 0);
	CHECK_EQUAL(device, 0);
	CHECK_EQUAL(aclrtSynchronizeStream(NULL), 0); /* its own default stream */
	CHECK_EQUAL(aclrtDestroyContext(context), 0);
	CHECK(current() == NULL);
}

static void test_destroying_contexts(void)
{
	aclrtContext context;
	int heap = 0;

	CHECK_EQUAL(aclrtDestroyContext(NULL), 100000);
	CHECK_EQUAL(aclrtDestroyContext(&heap), 107002);
	aclrtCreateContext(&context, 0);
	CHECK_EQUAL(aclrtDestroyContext(context), 0);
	CHECK_EQUAL(aclrtDestroyContext(context), 107002);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "an aclrtContext that was destroyed");
	aclrtSetDevice(0);
	CHECK_EQUAL(aclrtDestroyContext(current()), 107002);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "primary");
	aclrtResetDevice(0);
}

static void test_destroying_the_current_context_leaves_none(void)
{
	aclrtContext context;

	aclrtSetDevice(0);
	aclrtCreateContext(&context, 0);
	aclrtDestroyContext(context);
	CHECK(current() == NULL); /* no way back to the primary one */
	CHECK_CONTAINS(aclGetRecentErrMsg(), "gone");
	aclrtSetDevice(0);
	CHECK(current() != NULL);
	aclrtResetDeviceForce(0);
}

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
enum { MEMORY_ENDS = false }; /* the sanitizers end a process that has none left */
#else
enum { MEMORY_ENDS = true };
#endif

/* Blocks of less than what a list of so many streams would take may be left. */
static void use_up_the_heap(void)
{
	const struct rlimit small = {.rlim_cur = 4096, .rlim_max = RLIM_INFINITY};
	void **blocks = NULL;

	CHECK_EQUAL(setrlimit(RLIMIT_AS, &small), 0);
	for (void **block; (block = malloc(1024)); blocks = block)
		*block = blocks;
	CHECK(blocks != NULL);
}

static void destroy_a_context_without_memory(void)
{
	enum { STREAMS = 1000 };
	const struct rlimit all = {.rlim_cur = RLIM_INFINITY, .rlim_max = RLIM_INFINITY};
	uint32_t before = 0, after = 0;
	aclrtContext context;
	aclrtStream stream;

	aclrtSetDevice(0);
	CHECK_EQUAL(aclrtGetStreamAvailableNum(&before), 0);
	CHECK_EQUAL(aclrtCreateContext(&context, 0), 0);
	for (int i = 0; i < STREAMS; i++)
		CHECK_EQUAL(aclrtCreateStream(&stream), 0);
	use_up_the_heap();
	CHECK_EQUAL(aclrtDestroyContext(context), 0);
	CHECK_EQUAL(setrlimit(RLIMIT_AS, &all), 0);
	aclrtSetDevice(0);
	CHECK_EQUAL(aclrtGetStreamAvailableNum(&after), 0);
	CHECK_EQUAL(after, before);
	CHECK_EQUAL(aclrtSynchronizeStream(stream), 107017);
}

static void test_setting_the_current_context(void)
{
	aclrtContext first, second, primary;

	CHECK_EQUAL(aclrtSetCurrentContext(NULL), 100000);
	CHECK_EQUAL(aclrtGetCurrentContext(NULL), 100000);
	aclrtCreateContext(&first, 0);
	aclrtCreateContext(&second, 0);
	CHECK(current() == second);
	CHECK_EQUAL(aclrtSetCurrentContext(first), 0);
	CHECK(current() == first);
	aclrtSetDevice(0);
	primary = current();
	CHECK(primary != first);
	CHECK_EQUAL(aclrtSetCurrentContext(second), 0);
	CHECK_EQUAL(aclrtSetCurrentContext(primary), 0); /* taking it explicitly is fine */
	CHECK(current() == primary);
	aclrtDestroyContext(first);
	CHECK_EQUAL(aclrtSetCurrentContext(first), 107000);
	CHECK(current() == primary);
	aclrtResetDeviceForce(0);
	CHECK_EQUAL(aclrtSetCurrentContext(second), 0); /* explicit contexts outlive the reset */
	CHECK_EQUAL(aclrtSynchronizeStream(NULL), 0);
	aclrtDestroyContext(second);
}

static void *use_context(void *context)
{
	CHECK_EQUAL(aclrtSetCurrentContext(context), 0);
	CHECK(current() == context);
	return NULL;
}

static void test_one_context_may_be_current_in_many_threads(void)
{
	aclrtContext context;

	aclrtCreateContext(&context, 0);
	in_thread(use_context, context);
	CHECK(current() == context);
	aclrtDestroyContext(context);
}

static void *destroy_context(void *context)
{
	CHECK_EQUAL(aclrtDestroyContext(context), 0);
	return NULL;
}

static void test_a_context_destroyed_elsewhere_is_nobodys(void)
{
	aclrtContext context;
	int32_t device;

	aclrtCreateContext(&context, 0);
	in_thread(destroy_context, context);
	CHECK_EQUAL(aclrtGetDevice(&device), 107002);
	CHECK(current() == NULL);
}

static void *destroy_quietly(void *context)
{
	int status = aclrtDestroyContext(context);

	return (void *)(intptr_t)status;
}

static void test_of_racing_destroys_one_succeeds(void)
{
	for (int round = 0; round < 50; round++) {
		aclrtContext context;
		pthread_t threads[3];
		int successes = 0;

		aclrtCreateContext(&context, 0);
		for (int i = 0; i < 3; i++)
			pthread_create(&threads[i], NULL, destroy_quietly, context);
		for (int i = 0; i < 3; i++) {
			void *status;

			pthread_join(threads[i], &status);
			successes += !status;
			CHECK(!status || (intptr_t)status == 507007 || (intptr_t)status == 107002);
		}
		CHECK_EQUAL(successes, 1);
	}
}

/* ---- system parameters ---- */

static void test_process_parameters_start_at_0_and_have_ranges(void)
{
	int64_t value = -1;

	for (int option = 0; option < 4; option++) {
		CHECK_EQUAL(aclrtGetSysParamOpt((aclSysParamOpt)option, &value), 0);
		CHECK_EQUAL(value, 0);
		CHECK_EQUAL(aclrtSetSysParamOpt((aclSysParamOpt)option, 1), 0);
		CHECK_EQUAL(aclrtGetSysParamOpt((aclSysParamOpt)option, &value), 0);
		CHECK_EQUAL(value, 1);
		CHECK_EQUAL(aclrtSetSysParamOpt((aclSysParamOpt)option, -1), 107000);
		CHECK_EQUAL(aclrtSetSysParamOpt((aclSysParamOpt)option, option ? 2 : 4), 107000);
		CHECK_EQUAL(aclrtGetSysParamOpt((aclSysParamOpt)option, &value), 0);
		CHECK_EQUAL(value, 1);
		CHECK_EQUAL(aclrtSetSysParamOpt((aclSysParamOpt)option, 0), 0);
	}
	CHECK_EQUAL(aclrtSetSysParamOpt(ACL_OPT_DETERMINISTIC, 3), 0);
	CHECK_EQUAL(aclrtSetSysParamOpt(ACL_OPT_DETERMINISTIC, 0), 0);
	CHECK_EQUAL(aclrtSetSysParamOpt((aclSysParamOpt)4, 0), 100000);
	CHECK_EQUAL(aclrtSetSysParamOpt((aclSysParamOpt)-1, 0), 100000);
	CHECK_EQUAL(aclrtGetSysParamOpt((aclSysParamOpt)4, &value), 100000);
	CHECK_EQUAL(aclrtGetSysParamOpt(ACL_OPT_DETERMINISTIC, NULL), 100000);
}

static void test_context_parameters_reach_the_process_table(void)
{
	int64_t value = 77;

	aclrtSetDevice(0);
	CHECK_EQUAL(aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value), 107021);
	CHECK_EQUAL(value, 77);
	CHECK_EQUAL(aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, 2), 0);
	CHECK_EQUAL(aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value), 0);
	CHECK_EQUAL(value, 2);
	CHECK_EQUAL(aclrtGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value), 0);
	CHECK_EQUAL(value, 2);
	CHECK_EQUAL(aclrtSetSysParamOpt(ACL_OPT_DETERMINISTIC, 0), 0);
	CHECK_EQUAL(aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value), 0);
	CHECK_EQUAL(value, 2); /* the context keeps its own */
	CHECK_EQUAL(aclrtCtxGetSysParamOpt(ACL_OPT_ENABLE_DEBUG_KERNEL, &value), 107021);
	CHECK_EQUAL(aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, 4), 107000);
	CHECK_EQUAL(aclrtCtxSetSysParamOpt(ACL_OPT_STRONG_CONSISTENCY, 2), 107000);
	CHECK_EQUAL(aclrtCtxSetSysParamOpt(ACL_OPT_ENABLE_KERNEL_EARLY_START, 1), 100000);
	CHECK_EQUAL(aclrtCtxGetSysParamOpt(ACL_OPT_ENABLE_KERNEL_EARLY_START, &value), 100000);
	CHECK_EQUAL(aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, NULL), 100000);
	aclrtResetDevice(0);
}

/* ---- several devices ---- */

static void use_two_devices(void)
{
	aclrtContext first, second;
	int32_t device = -1;
	uint32_t count = 0;

	setenv("ACLEMU_DEVICES", "2", 1);
	CHECK_EQUAL(aclrtGetDeviceCount(&count), 0);
	CHECK_EQUAL(count, 2);
	CHECK_EQUAL(aclrtSetDevice(0), 0);
	first = current();
	CHECK_EQUAL(aclrtSetDevice(1), 0);
	second = current();
	CHECK(first != second);
	CHECK_EQUAL(aclrtGetDevice(&device), 0);
	CHECK_EQUAL(device, 1);
	CHECK_EQUAL(aclrtSetDevice(2), 107001);
	CHECK_EQUAL(aclrtResetDevice(0), 0);
	CHECK(current() == second); /* the other device is untouched */
	CHECK_EQUAL(aclrtResetDevice(0), 507007);
}

int main(void)
{
	CHECK_CHILD(use_two_devices);
	if (MEMORY_ENDS)
		CHECK_CHILD(destroy_a_context_without_memory);
	test_bad_device_ids_are_refused();
	test_a_device_never_set_cannot_be_reset();
	test_without_a_context_calls_need_one();
	test_set_device_makes_the_primary_context_current();
	test_force_ignores_the_references();
	test_the_context_of_a_thread_is_its_own_but_the_primary_is_shared();
	test_the_streams_of_a_primary_context_end_with_it();
	test_a_created_context_is_current_and_needs_no_set_device();
	test_destroying_contexts();
	test_destroying_the_current_context_leaves_none();
	test_setting_the_current_context();
	test_one_context_may_be_current_in_many_threads();
	test_a_context_destroyed_elsewhere_is_nobodys();
	test_of_racing_destroys_one_succeeds();
	test_process_parameters_start_at_0_and_have_ranges();
	test_context_parameters_reach_the_process_table();
	return check_report();
}
