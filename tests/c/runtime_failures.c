/* What becomes of failures: last error, exception callbacks, the two failure modes, aborts, faults of the hardware. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "acl/acl.h"
#include "check.h"
#include "child.h"
#include "gate.h"
#include "runtime/error.h"
#include "runtime/stream.h"

static aclError fail_with(void *status)
{
	emu_error_add("EZ9999", "the text of %d", (int)(intptr_t)status);
	return (aclError)(intptr_t)status;
}

static void keep(void *unused)
{
	(void)unused;
}

static aclError submit_failure(aclrtStream stream, intptr_t status)
{
	struct emu_task task = {.name = "testTask", .run = fail_with, .drop = keep, .argument = (void *)status};

	return emu_stream_submit(stream, &task);
}

static atomic_int count;

static void add_one(void *unused)
{
	(void)unused;
	atomic_fetch_add(&count, 1);
}

static void forget_last_error(void)
{
	aclrtGetLastError(ACL_RT_THREAD_LEVEL);
}

/* ---- last error ---- */

static void *has_no_last_error(void *unused)
{
	(void)unused;
	CHECK_EQUAL(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), 0);
	return NULL;
}

static void test_the_last_error_belongs_to_the_thread_and_is_forgotten_when_read(void)
{
	pthread_t thread;

	forget_last_error();
	CHECK_EQUAL(aclrtSetDevice(-1), 107001);
	CHECK_EQUAL(aclrtSynchronizeStream((aclrtStream)&count), 107017);
	CHECK_EQUAL(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), 107017);
	CHECK_EQUAL(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), 107017);
	pthread_create(&thread, NULL, has_no_last_error, NULL);
	pthread_join(thread, NULL);
	CHECK_EQUAL(aclrtGetLastError((aclrtLastErrLevel)1), 100000);
	CHECK_EQUAL(aclrtPeekAtLastError((aclrtLastErrLevel)1), 100000);
	CHECK_EQUAL(aclrtGetLastError(ACL_RT_THREAD_LEVEL), 107017);
	CHECK_EQUAL(aclrtGetLastError(ACL_RT_THREAD_LEVEL), 0);
}

static void *probe_without_context(void *unused)
{
	int32_t device;

	(void)unused;
	CHECK_EQUAL(aclrtGetDevice(&device), 107002);
	CHECK_EQUAL(aclrtGetLastError(ACL_RT_THREAD_LEVEL), 0);
	CHECK_EQUAL(aclrtSynchronizeDevice(), 107002);
	CHECK_EQUAL(aclrtGetLastError(ACL_RT_THREAD_LEVEL), 107002);
	return NULL;
}

static void test_outer_checks_and_probes_leave_no_last_error(void)
{
	pthread_t thread;

	forget_last_error();
	CHECK_EQUAL(aclrtCreateStream(NULL), 100000);
	CHECK_EQUAL(aclInit("/nothing/there.json"), 100003);
	CHECK_EQUAL(aclrtGetLastError(ACL_RT_THREAD_LEVEL), 0);
	pthread_create(&thread, NULL, probe_without_context, NULL);
	pthread_join(thread, NULL);
}

static void test_a_synchronise_that_reports_a_failure_leaves_a_last_error(void)
{
	aclrtStream stream = new_stream();

	forget_last_error();
	CHECK_EQUAL(submit_failure(stream, 507035), 0);
	CHECK_EQUAL(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), 0);
	CHECK_EQUAL(aclrtSynchronizeStream(stream), 507035);
	CHECK_EQUAL(aclrtSynchronizeStream(stream), 0);
	CHECK_EQUAL(aclrtGetLastError(ACL_RT_THREAD_LEVEL), 507035);
	CHECK_EQUAL(aclrtDestroyStream(stream), 0);
}

/* ---- exception callbacks ---- */

static struct {
	int calls;
	uint32_t task, stream, thread, device, code;
} told, told_too;

static void tell(aclrtExceptionInfo *info)
{
	told.calls++;
	told.task = aclrtGetTaskIdFromExceptionInfo(info);
	told.stream = aclrtGetStreamIdFromExceptionInfo(info);
	told.thread = aclrtGetThreadIdFromExceptionInfo(info);
	told.device = aclrtGetDeviceIdFromExceptionInfo(info);
	told.code = aclrtGetErrorCodeFromExceptionInfo(info);
}

static void tell_too(aclrtExceptionInfo *info)
{
	(void)info;
	told_too.calls++;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
static aclError set_single(aclrtExceptionInfoCallback callback)
{
	return aclrtSetExceptionInfoCallback(callback);
}
#pragma GCC diagnostic pop

static void test_exceptions_are_told_once_for_every_failed_task(void)
{
	aclrtStream stream = new_stream();
	uint32_t task = 0;
	int32_t id = -1;

	CHECK_EQUAL(aclrtExceptionInfoCallbackRegister(NULL), 107000);
	CHECK_EQUAL(aclrtExceptionInfoCallbackUnregister(NULL), 107000);
	CHECK_EQUAL(aclrtExceptionInfoCallbackUnregister(tell), 107000);
	CHECK_EQUAL(aclrtExceptionInfoCallbackRegister(tell), 0);
	CHECK_EQUAL(aclrtExceptionInfoCallbackRegister(tell), 0); /* collapses */
	CHECK_EQUAL(aclrtExceptionInfoCallbackRegister(tell_too), 0);
	CHECK_EQUAL(aclrtLaunchHostFunc(stream, keep, NULL), 0);
	CHECK_EQUAL(submit_failure(stream, 507015), 0);
	CHECK_EQUAL(aclrtGetThreadLastTaskId(NULL), 100000);
	CHECK_EQUAL(aclrtGetThreadLastTaskId(&task), 0);
	CHECK_EQUAL(aclrtSynchronizeStream(stream), 507015);
	CHECK_EQUAL(aclrtStreamGetId(stream, &id), 0);
	CHECK_EQUAL(told.calls, 1);
	CHECK_EQUAL(told_too.calls, 1);
	CHECK_EQUAL(told.task, 2);
	CHECK_EQUAL(task, 2);
	CHECK_EQUAL(told.stream, id);
	CHECK_EQUAL(told.thread, syscall(SYS_gettid));
	CHECK_EQUAL(told.device, 0);
	CHECK_EQUAL(told.code, 507015);
	CHECK_EQUAL(aclrtExceptionInfoCallbackUnregister(tell), 0);
	CHECK_EQUAL(submit_failure(stream, 507016), 0);
	CHECK_EQUAL(aclrtSynchronizeStream(stream), 507016);
	CHECK_EQUAL(told.calls, 1);
	CHECK_EQUAL(told_too.calls, 2);
	CHECK_EQUAL(aclrtExceptionInfoCallbackUnregister(tell_too), 0);
	CHECK_EQUAL(aclrtDestroyStream(stream), 0);
}

static void fail_in_a_child(void)
{
	aclrtStream stream = new_stream();

	CHECK_EQUAL(aclrtExceptionInfoCallbackRegister(tell), 0);
	CHECK_EQUAL(submit_failure(stream, 507015), 0);
	CHECK_EQUAL(aclrtSynchronizeStream(stream), 507015);
	CHECK_EQUAL(told.thread, syscall(SYS_gettid));
}

/* This thread submitted before, so that its number was asked for; in the child it is another. */
static void test_an_exception_in_a_child_names_the_thread_of_the_child(void)
{
	CHECK_CHILD(fail_in_a_child);
}

static void test_the_single_exception_callback_can_be_taken_away(void)
{
	aclrtStream stream = new_stream();

	told.calls = told_too.calls = 0;
	CHECK_EQUAL(set_single(tell_too), 0);
	CHECK_EQUAL(set_single(tell), 0);
	CHECK_EQUAL(submit_failure(stream, 507035), 0);
	CHECK_EQUAL(aclrtSynchronizeStream(stream), 507035);
	CHECK_EQUAL(told.calls, 1);
	CHECK_EQUAL(told.code, 507035);
	CHECK_EQUAL(told_too.calls, 0);
	CHECK_EQUAL(set_single(NULL), 0);
	CHECK_EQUAL(submit_failure(stream, 507035), 0);
	CHECK_EQUAL(aclrtSynchronizeStream(stream), 507035);
	CHECK_EQUAL(told.calls, 1);
	CHECK_EQUAL(aclrtDestroyStream(stream), 0);
}

static void test_nothing_is_known_of_no_exception(void)
{
	CHECK_EQUAL(aclrtGetTaskIdFromExceptionInfo(NULL), 0xFFFFFFFF);
	CHECK_EQUAL(aclrtGetStreamIdFromExceptionInfo(NULL), 0xFFFFFFFF);
	CHECK_EQUAL(aclrtGetThreadIdFromExceptionInfo(NULL), 0xFFFFFFFF);
	CHECK_EQUAL(aclrtGetDeviceIdFromExceptionInfo(NULL), 0xFFFFFFFF);
	CHECK_EQUAL(aclrtGetErrorCodeFromExceptionInfo(NULL), 0xFFFFFFFF);
}

/* ---- failure modes ---- */

static void test_by_default_later_work_runs_after_a_failure(void)
{
	aclrtStream stream = new_stream();

	atomic_store(&count, 0);
	CHECK_EQUAL(submit_failure(stream, 507015), 0);
	CHECK_EQUAL(aclrtLaunchHostFunc(stream, add_one, NULL), 0);
	CHECK_EQUAL(aclrtSynchronizeStream(stream), 507015);
	CHECK_EQUAL(atomic_load(&count), 1);
	CHECK_EQUAL(aclrtLaunchHostFunc(stream, add_one, NULL), 0);
	CHECK_EQUAL(aclrtSynchronizeStream(stream), 0);
	CHECK_EQUAL(atomic_load(&count), 2);
	CHECK_EQUAL(aclrtDestroyStream(stream), 0);
}

static void test_the_failure_mode_can_be_set_once(void)
{
	aclrtStream stream = new_stream();
	aclrtStreamAttrValue value = {.failureMode = 0};

	CHECK_EQUAL(aclrtSetStreamFailureMode(stream, ACL_CONTINUE_ON_FAILURE), 0);
	CHECK_EQUAL(aclrtSetStreamFailureMode(stream, ACL_CONTINUE_ON_FAILURE), 107000);
	CHECK_EQUAL(aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_FAILURE_MODE, &value), 107000);
	CHECK_EQUAL(aclrtDestroyStream(stream), 0);
}

/* The first stream has the mode; the failure happens in the second, and the third is held when it does. */
static void test_stopping_on_failure_stops_all_streams_of_the_context_for_good(void)
{
	aclrtContext mine, other;
	aclrtStream first, second, third, outside;
	aclrtStreamAttrValue value = {.failureMode = ACL_STOP_ON_FAILURE};
	aclrtEventRecordedStatus recorded;
	aclrtEvent event, later;
	struct gate gate;
	void *pinned;

	outside = new_stream();
	aclrtGetCurrentContext(&mine);
	aclrtCreateContext(&other, 0);
	first = new_stream();
	second = new_stream();
	third = new_stream();
	CHECK_EQUAL(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC), 0);
	CHECK_EQUAL(aclrtCreateEvent(&later), 0);
	CHECK_EQUAL(aclrtMallocHost(&pinned, 4), 0);
	CHECK_EQUAL(aclrtSetStreamAttribute(first, ACL_STREAM_ATTR_FAILURE_MODE, &value), 0);
	value.failureMode = 0;
	CHECK_EQUAL(aclrtGetStreamAttribute(first, ACL_STREAM_ATTR_FAILURE_MODE, &value), 0);
	CHECK_EQUAL(value.failureMode, ACL_STOP_ON_FAILURE);

	atomic_store(&count, 0);
	shut_gate(&gate, third);
	sem_wait(&gate.entered);
	CHECK_EQUAL(aclrtLaunchHostFunc(third, add_one, NULL), 0);
	CHECK_EQUAL(aclrtRecordEvent(event, third), 0);
	CHECK_EQUAL(submit_failure(second, 507015), 0);
	CHECK_EQUAL(aclrtSynchronizeStream(second), 507015);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "the text of 507015");
	open_gate(&gate);
	CHECK_EQUAL(aclrtSynchronizeStream(third), 507015);
	CHECK_EQUAL(aclrtSynchronizeEvent(event), 507015);
	CHECK_EQUAL(aclrtSynchronizeStream(second), 507015);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "stays stopped");
	CHECK_EQUAL(aclrtSynchronizeStream(NULL), 507015);
	CHECK_EQUAL(aclrtLaunchHostFunc(first, add_one, NULL), 507015);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "ACL_STOP_ON_FAILURE");
	CHECK_EQUAL(aclrtRecordEvent(later, first), 507015);
	CHECK_EQUAL(aclrtQueryEventStatus(later, &recorded), 0);
	CHECK_EQUAL(recorded, ACL_EVENT_RECORDED_STATUS_NOT_READY);
	CHECK_EQUAL(aclrtMemsetAsync(pinned, 4, 0, 4, first), 507015);
	CHECK_EQUAL(submit_failure(first, 507035), 507015);
	CHECK_EQUAL(aclrtSynchronizeDevice(), 507015);
	CHECK_EQUAL(atomic_load(&count), 0);

	CHECK_EQUAL(aclrtSetCurrentContext(mine), 0); /* the other context does not care */
	CHECK_EQUAL(aclrtLaunchHostFunc(outside, add_one, NULL), 0);
	CHECK_EQUAL(aclrtSynchronizeStream(outside), 0);
	CHECK_EQUAL(atomic_load(&count), 1);
	CHECK_EQUAL(aclrtDestroyContext(other), 0);
	CHECK_EQUAL(aclrtSynchronizeDevice(), 0);
	CHECK_EQUAL(aclrtDestroyStream(outside), 0);
	CHECK_EQUAL(aclrtDestroyEvent(event), 0);
	CHECK_EQUAL(aclrtDestroyEvent(later), 0);
	CHECK_EQUAL(aclrtFreeHost(pinned), 0);
}

static void test_a_reset_of_the_device_clears_what_stopped_it(void)
{
	CHECK_EQUAL(aclrtSetStreamFailureMode(NULL, ACL_STOP_ON_FAILURE), 0);
	CHECK_EQUAL(submit_failure(NULL, 507035), 0);
	CHECK_EQUAL(aclrtSynchronizeStream(NULL), 507035);
	CHECK_EQUAL(aclrtSynchronizeStream(NULL), 507035);
	CHECK_EQUAL(aclrtResetDevice(0), 0);
	CHECK_EQUAL(aclrtSetDevice(0), 0);
	CHECK_EQUAL(aclrtSynchronizeStream(NULL), 0);
	CHECK_EQUAL(aclrtLaunchHostFunc(NULL, add_one, NULL), 0);
	CHECK_EQUAL(aclrtSynchronizeDevice(), 0);
}

static void check_severe(aclError error)
{
	aclrtContext mine, other;

	aclrtGetCurrentContext(&mine);
	aclrtCreateContext(&other, 0);
	CHECK_EQUAL(submit_failure(NULL, error), 0);
	CHECK_EQUAL(aclrtSynchronizeStream(NULL), error);
	CHECK_EQUAL(aclrtSynchronizeStream(NULL), error);
	CHECK_EQUAL(aclrtLaunchHostFunc(NULL, add_one, NULL), error);
	CHECK_EQUAL(aclrtDestroyContext(other), 0);
	CHECK_EQUAL(aclrtSetCurrentContext(mine), 0);
	CHECK_EQUAL(aclrtSynchronizeStream(NULL), 0);
}

static void test_faults_of_the_device_stop_the_context_in_either_mode(void)
{
	check_severe(507901);
	check_severe(507010);
	check_severe(507053);
	check_severe(507054);
}

/* ---- aborts ---- */

static aclError waited;
static pthread_barrier_t about_to_wait;

static void *synchronise_stream(void *stream)
{
	aclrtSetDevice(0);
	pthread_barrier_wait(&about_to_wait);
	waited = aclrtSynchronizeStream(stream);
	aclrtResetDevice(0);
	return NULL;
}

/* Aborts until the thread that synchronises has been sent away: it may not have begun to wait at the first one. */
static void abort_until_gone(pthread_t thread, aclError (*abort_it)(aclrtStream), aclrtStream stream)
{
	struct timespec soon;

	do {
		CHECK_EQUAL(abort_it(stream), 0);
		clock_gettime(CLOCK_REALTIME, &soon);
		soon.tv_nsec += 1000000;
		soon.tv_sec += soon.tv_nsec / 1000000000;
		soon.tv_nsec %= 1000000000;
	} while (pthread_timedjoin_np(thread, NULL, &soon));
}

static void check_abort(aclError (*abort_it)(aclrtStream), aclError status)
{
	aclrtStream stream = new_stream(), waiting = new_stream();
	aclrtEvent event, behind;
	struct gate gate;
	pthread_t thread;

	atomic_store(&count, 0);
	CHECK_EQUAL(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC), 0);
	CHECK_EQUAL(aclrtCreateEventExWithFlag(&behind, ACL_EVENT_SYNC), 0);
	shut_gate(&gate, stream);
	sem_wait(&gate.entered);
	CHECK_EQUAL(aclrtLaunchHostFunc(stream, add_one, NULL), 0);
	CHECK_EQUAL(aclrtRecordEvent(event, stream), 0);
	CHECK_EQUAL(aclrtStreamWaitEvent(waiting, event), 0);
	CHECK_EQUAL(aclrtRecordEvent(behind, waiting), 0);
	pthread_barrier_init(&about_to_wait, NULL, 2);
	pthread_create(&thread, NULL, synchronise_stream, stream);
	pthread_barrier_wait(&about_to_wait);
	abort_until_gone(thread, abort_it, stream); /* although the gate is shut */
	CHECK_EQUAL(waited, status);
	CHECK_EQUAL(aclrtSynchronizeEvent(event), 107023);
	CHECK_EQUAL(aclrtSynchronizeStream(waiting), 0);
	open_gate(&gate);
	CHECK_EQUAL(aclrtSynchronizeStream(stream), 0); /* no more than what ran is waited for, and all is well */
	CHECK_EQUAL(atomic_load(&count), 0);
	CHECK_EQUAL(aclrtLaunchHostFunc(stream, add_one, NULL), 0);
	CHECK_EQUAL(aclrtSynchronizeStream(stream), 0);
	CHECK_EQUAL(atomic_load(&count), 1);
	pthread_barrier_destroy(&about_to_wait);
	CHECK_EQUAL(aclrtDestroyStream(stream), 0);
	CHECK_EQUAL(aclrtDestroyStream(waiting), 0);
	CHECK_EQUAL(aclrtDestroyEvent(event), 0);
	CHECK_EQUAL(aclrtDestroyEvent(behind), 0);
}

static void test_aborting_a_stream_drops_its_work_and_sends_waiters_away(void)
{
	check_abort(aclrtStreamAbort, 107023);
}

static aclError abort_device(aclrtStream unused)
{
	(void)unused;
	return aclrtDeviceTaskAbort(0, 1000);
}

static int stages;

static int32_t tell_abort(int32_t device, aclrtDeviceTaskAbortStage stage, uint32_t timeout, void *unused)
{
	(void)unused;
	stages = 10 * stages + (int)stage + 1 + 100000 * device + (timeout == 7 ? 0 : 1000);
	return 0;
}

static void test_aborting_a_device_aborts_all_of_its_streams(void)
{
	check_abort(abort_device, 107022);
	CHECK_EQUAL(aclrtDeviceTaskAbort(-1, 0), 107001);
	CHECK_EQUAL(aclrtDeviceTaskAbort(1, 0), 107001);
	CHECK_EQUAL(aclrtSetDeviceTaskAbortCallback(NULL, tell_abort, NULL), 100000);
	CHECK_EQUAL(aclrtSetDeviceTaskAbortCallback("test", NULL, NULL), 107000);
	CHECK_EQUAL(aclrtSetDeviceTaskAbortCallback("test", tell_abort, NULL), 0);
	CHECK_EQUAL(aclrtDeviceTaskAbort(0, 7), 0);
	CHECK_EQUAL(stages, 12);
	CHECK_EQUAL(aclrtSetDeviceTaskAbortCallback("test", NULL, NULL), 0);
	CHECK_EQUAL(aclrtDeviceTaskAbort(0, 7), 0);
	CHECK_EQUAL(stages, 12);
}

static void test_an_aborted_stream_stops_waiting_for_an_event(void)
{
	aclrtStream stream = new_stream(), waiting = new_stream();
	aclrtEvent event;
	struct gate gate;

	CHECK_EQUAL(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC), 0);
	shut_gate(&gate, stream);
	CHECK_EQUAL(aclrtRecordEvent(event, stream), 0);
	CHECK_EQUAL(aclrtStreamWaitEvent(waiting, event), 0);
	nap(); /* it waits by now */
	CHECK_EQUAL(aclrtStreamAbort(waiting), 0);
	CHECK_EQUAL(aclrtSynchronizeStream(waiting), 0); /* although the gate is shut */
	open_gate(&gate);
	CHECK_EQUAL(aclrtSynchronizeEvent(event), 0);
	CHECK_EQUAL(aclrtDestroyStream(stream), 0);
	CHECK_EQUAL(aclrtDestroyStream(waiting), 0);
	CHECK_EQUAL(aclrtDestroyEvent(event), 0);
}

/* ---- synchronising a device with a limit ---- */

static void test_synchronising_a_device_ends_at_the_timeout(void)
{
	aclrtStream stream = new_stream();
	struct gate gate;

	CHECK_EQUAL(aclrtSynchronizeDeviceWithTimeout(0), 107000);
	CHECK_EQUAL(aclrtSynchronizeDeviceWithTimeout(-2), 107000);
	CHECK_EQUAL(aclrtSynchronizeDeviceWithTimeout(5), 0);
	shut_gate(&gate, stream);
	CHECK_EQUAL(aclrtSynchronizeDeviceWithTimeout(5), 507046);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "5 ms");
	open_gate(&gate);
	CHECK_EQUAL(aclrtSynchronizeDeviceWithTimeout(-1), 0);
	CHECK_EQUAL(submit_failure(stream, 507015), 0);
	CHECK_EQUAL(aclrtSynchronizeDeviceWithTimeout(-1), 507015);
	CHECK_EQUAL(aclrtSynchronizeDeviceWithTimeout(-1), 0);
	CHECK_EQUAL(aclrtDestroyStream(stream), 0);
}

static void *synchronise_without_context(void *unused)
{
	(void)unused;
	CHECK_EQUAL(aclrtSynchronizeDeviceWithTimeout(5), 107002);
	CHECK_EQUAL(aclrtSynchronizeDeviceWithTimeout(0), 107000);
	return NULL;
}

static void test_synchronising_a_device_needs_a_context(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, synchronise_without_context, NULL);
	pthread_join(thread, NULL);
}

/* ---- the hardware ---- */

static void test_the_hardware_is_healthy(void)
{
	aclrtErrorInfo info = {.errorType = ACL_RT_ERROR_OTHERS, .tryRepair = 1};
	aclrtMemUceInfo ranges[21] = {{0}};
	size_t found = 7;

	CHECK_EQUAL(aclrtGetErrorVerbose(0, NULL), 100000);
	CHECK_EQUAL(aclrtGetErrorVerbose(1, &info), 107001);
	CHECK_EQUAL(info.errorType, ACL_RT_ERROR_OTHERS);
	CHECK_EQUAL(aclrtRepairError(0, NULL), 100000);
	CHECK_EQUAL(aclrtRepairError(0, &info), 107000);
	CHECK_EQUAL(aclrtGetErrorVerbose(0, &info), 0);
	CHECK_EQUAL(info.errorType, ACL_RT_NO_ERROR);
	CHECK_EQUAL(info.tryRepair + info.hasDetail, 0);
	CHECK_EQUAL(aclrtRepairError(1, &info), 107001);
	CHECK_EQUAL(aclrtRepairError(0, &info), 0);
	CHECK_EQUAL(aclrtGetMemUceInfo(0, NULL, 20, &found), 100000);
	CHECK_EQUAL(aclrtGetMemUceInfo(0, ranges, 20, NULL), 100000);
	CHECK_EQUAL(aclrtGetMemUceInfo(1, ranges, 20, &found), 107001);
	CHECK_EQUAL(found, 7);
	CHECK_EQUAL(aclrtGetMemUceInfo(0, ranges, 20, &found), 0);
	CHECK_EQUAL(found, 0);
	CHECK_EQUAL(aclrtMemUceRepair(0, NULL, 0), 100000);
	CHECK_EQUAL(aclrtMemUceRepair(0, ranges, 21), 100000);
	CHECK_EQUAL(aclrtMemUceRepair(1, ranges, 0), 107001);
	CHECK_EQUAL(aclrtMemUceRepair(0, ranges, 20), 107000);
	CHECK_EQUAL(aclrtMemUceRepair(0, ranges, 0), 0);
}

static void test_the_overflow_mode_is_kept(void)
{
	aclrtFloatOverflowMode mode = (aclrtFloatOverflowMode)7;

	CHECK_EQUAL(aclrtGetDeviceSatMode(NULL), 100000);
	CHECK_EQUAL(aclrtGetDeviceSatMode(&mode), 0);
	CHECK_EQUAL(mode, ACL_RT_OVERFLOW_MODE_INFNAN);
	CHECK_EQUAL(aclrtSetDeviceSatMode((aclrtFloatOverflowMode)2), 107000);
	CHECK_EQUAL(aclrtSetDeviceSatMode((aclrtFloatOverflowMode)-1), 107000);
	CHECK_EQUAL(aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_SATURATION), 0);
	CHECK_EQUAL(aclrtGetDeviceSatMode(&mode), 0);
	CHECK_EQUAL(mode, ACL_RT_OVERFLOW_MODE_SATURATION);
	CHECK_EQUAL(aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_INFNAN), 0);
	CHECK_EQUAL(aclrtGetDeviceSatMode(&mode), 0);
	CHECK_EQUAL(mode, ACL_RT_OVERFLOW_MODE_INFNAN);
}

static void test_the_limit_of_operators_is_kept(void)
{
	uint32_t limit = 0;
	uint64_t granted = 0;

	CHECK_EQUAL(aclrtGetOpExecuteTimeout(NULL), 100000);
	CHECK_EQUAL(aclrtSetOpExecuteTimeOutV2(1, NULL), 100000);
	CHECK_EQUAL(aclrtGetOpExecuteTimeout(&limit), 0);
	CHECK_EQUAL(limit, 1091000);
	CHECK_EQUAL(aclrtSetOpExecuteTimeOut(547), 0);
	CHECK_EQUAL(aclrtGetOpExecuteTimeout(&limit), 0);
	CHECK_EQUAL(limit, 547000);
	CHECK_EQUAL(aclrtSetOpExecuteTimeOutWithMs(1234), 0);
	CHECK_EQUAL(aclrtGetOpExecuteTimeout(&limit), 0);
	CHECK_EQUAL(limit, 1234);
	CHECK_EQUAL(aclrtSetOpExecuteTimeOutV2(2000000, &granted), 0);
	CHECK_EQUAL(granted, 2000000);
	CHECK_EQUAL(aclrtGetOpExecuteTimeout(&limit), 0);
	CHECK_EQUAL(limit, 2000);
	CHECK_EQUAL(aclrtSetOpExecuteTimeOut(UINT32_MAX), 0);
	CHECK_EQUAL(aclrtGetOpExecuteTimeout(&limit), 0);
	CHECK_EQUAL(limit, UINT32_MAX);
	CHECK_EQUAL(aclrtSetOpExecuteTimeOut(0), 0);
	CHECK_EQUAL(aclrtGetOpExecuteTimeout(&limit), 0);
	CHECK_EQUAL(limit, 1091000);
}

static void use_the_first_chip(void)
{
	aclrtFloatOverflowMode mode = (aclrtFloatOverflowMode)7;
	uint32_t limit = 0;

	setenv("ACLEMU_SOC", "Ascend910A", 1);
	CHECK_EQUAL(aclrtGetOpExecuteTimeout(&limit), 0);
	CHECK_EQUAL(limit, 68000);
	CHECK_EQUAL(aclrtGetDeviceSatMode(&mode), 0);
	CHECK_EQUAL(mode, ACL_RT_OVERFLOW_MODE_SATURATION);
}

static void test_dumps_are_refused(void)
{
	CHECK_EQUAL(aclmdlInitDump(), 207000);
	CHECK_EQUAL(aclmdlSetDump(NULL), 100000);
	CHECK_EQUAL(aclmdlSetDump("dump.json"), 207000);
	CHECK_EQUAL(aclmdlFinalizeDump(), 207000);
}

/* As a client declares them; no header of ours does. */
aclError aclmdlRICaptureBegin(aclrtStream stream, aclmdlRICaptureMode mode);
aclError aclmdlRICaptureEnd(aclrtStream stream, aclmdlRI *modelRI);
aclError aclmdlRIExecuteAsync(aclmdlRI modelRI, aclrtStream stream);
aclError aclmdlRIDestroy(aclmdlRI modelRI);

static void test_captures_are_refused(void)
{
	int some;
	aclmdlRI graph = &some;
	aclrtStream stream;

	CHECK_EQUAL(aclrtCreateStream(&stream), 0);
	CHECK_EQUAL(aclmdlRICaptureBegin(NULL, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL), 100000);
	CHECK_EQUAL(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL), 207000);
	CHECK_EQUAL(aclmdlRICaptureEnd(NULL, &graph), 100000);
	CHECK_EQUAL(aclmdlRICaptureEnd(stream, NULL), 100000);
	CHECK_EQUAL(aclmdlRICaptureEnd(stream, &graph), 207000);
	CHECK(graph == &some);
	CHECK_EQUAL(aclmdlRIExecuteAsync(NULL, stream), 100000);
	CHECK_EQUAL(aclmdlRIExecuteAsync(graph, stream), 207000);
	CHECK_EQUAL(aclmdlRIDestroy(NULL), 100000);
	CHECK_EQUAL(aclmdlRIDestroy(graph), 207000);
	CHECK_EQUAL(aclrtDestroyStream(stream), 0);
}

int main(void)
{
	CHECK_CHILD(use_the_first_chip);
	aclrtSetDevice(0);
	test_the_last_error_belongs_to_the_thread_and_is_forgotten_when_read();
	test_outer_checks_and_probes_leave_no_last_error();
	test_a_synchronise_that_reports_a_failure_leaves_a_last_error();
	test_exceptions_are_told_once_for_every_failed_task();
	test_an_exception_in_a_child_names_the_thread_of_the_child();
	test_the_single_exception_callback_can_be_taken_away();
	test_nothing_is_known_of_no_exception();
	test_by_default_later_work_runs_after_a_failure();
	test_the_failure_mode_can_be_set_once();
	test_stopping_on_failure_stops_all_streams_of_the_context_for_good();
	test_a_reset_of_the_device_clears_what_stopped_it();
	test_faults_of_the_device_stop_the_context_in_either_mode();
	test_aborting_a_stream_drops_its_work_and_sends_waiters_away();
	test_aborting_a_device_aborts_all_of_its_streams();
	test_an_aborted_stream_stops_waiting_for_an_event();
	test_synchronising_a_device_ends_at_the_timeout();
	test_synchronising_a_device_needs_a_context();
	test_the_hardware_is_healthy();
	test_the_overflow_mode_is_kept();
	test_the_limit_of_operators_is_kept();
	test_dumps_are_refused();
	test_captures_are_refused();
	CHECK_EQUAL(aclrtResetDevice(0), 0);
	return check_report();
}
