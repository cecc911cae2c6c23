/* What a stream can be asked and told, and the default stream under its own handle. */
#include <pthread.h>
#include <stdint.h>

#include "acl/acl.h"
#include "check.h"
#include "child.h"
#include "gate.h"

static int heap;

static int stream_status(aclrtStream stream)
{
	aclrtStreamStatus status = (aclrtStreamStatus)-1;

	CHECK_EQUAL(aclrtStreamQuery(stream, &status), 0);
	return (int)status;
}

static void test_a_query_does_not_wait(void)
{
	aclrtStream stream = new_stream();
	struct gate gate;

	CHECK_EQUAL(stream_status(stream), ACL_STREAM_STATUS_COMPLETE);
	shut_gate(&gate, stream);
	CHECK_EQUAL(stream_status(stream), ACL_STREAM_STATUS_NOT_READY);
	CHECK_EQUAL(stream_status(NULL), ACL_STREAM_STATUS_COMPLETE);
	open_gate(&gate);
	CHECK_EQUAL(aclrtSynchronizeStream(stream), 0);
	CHECK_EQUAL(stream_status(stream), ACL_STREAM_STATUS_COMPLETE);
	shut_gate(&gate, NULL);
	CHECK_EQUAL(stream_status(NULL), ACL_STREAM_STATUS_NOT_READY);
	open_gate(&gate);
	CHECK_EQUAL(aclrtSynchronizeStream(NULL), 0);
	CHECK_EQUAL(aclrtDestroyStream(stream), 0);
}

static void test_streams_have_different_numbers(void)
{
	aclrtStream one = new_stream(), two = new_stream();
	int32_t first = -1, second = -1, of_default = -1, again = -1;

	CHECK_EQUAL(aclrtStreamGetId(one, &first), 0);
	CHECK_EQUAL(aclrtStreamGetId(two, &second), 0);
	CHECK_EQUAL(aclrtStreamGetId(NULL, &of_default), 0);
	CHECK_EQUAL(aclrtStreamGetId(one, &again), 0);
	CHECK(first >= 0 && second >= 0 && of_default >= 0);
	CHECK(first != second && first != of_default && second != of_default);
	CHECK_EQUAL(first, again);
	CHECK_EQUAL(aclrtDestroyStream(one), 0);
	CHECK_EQUAL(aclrtDestroyStream(two), 0);
}

static void test_priority_and_flags_are_those_at_creation(void)
{
	aclrtStream stream;
	uint32_t priority = 99, flags = 99;

	CHECK_EQUAL(aclrtCreateStreamWithConfig(&stream, 3, ACL_STREAM_FAST_LAUNCH | ACL_STREAM_FAST_SYNC), 0);
	CHECK_EQUAL(aclrtStreamGetPriority(stream, &priority), 0);
	CHECK_EQUAL(priority, 3);
	CHECK_EQUAL(aclrtStreamGetFlags(stream, &flags), 0);
	CHECK_EQUAL(flags, 3);
	CHECK_EQUAL(aclrtDestroyStream(stream), 0);
	CHECK_EQUAL(aclrtCreateStreamWithConfig(&stream, 100, 0), 0);
	CHECK_EQUAL(aclrtStreamGetPriority(stream, &priority), 0);
	CHECK_EQUAL(priority, 7);
	CHECK_EQUAL(aclrtDestroyStream(stream), 0);
	CHECK_EQUAL(aclrtStreamGetPriority(NULL, &priority), 0);
	CHECK_EQUAL(priority, 0);
	CHECK_EQUAL(aclrtStreamGetFlags(NULL, &flags), 0);
	CHECK_EQUAL(flags, 0);
}

static void test_the_range_of_priorities(void)
{
	int32_t least = -1, greatest = -1;

	CHECK_EQUAL(aclrtDeviceGetStreamPriorityRange(&least, &greatest), 0);
	CHECK(least == 7 && greatest == 0);
	CHECK_EQUAL(aclrtDeviceGetStreamPriorityRange(NULL, &greatest), 0);
	CHECK_EQUAL(aclrtDeviceGetStreamPriorityRange(&least, NULL), 0);
	CHECK_EQUAL(aclrtDeviceGetStreamPriorityRange(NULL, NULL), 0);
}

static void test_streams_are_counted(void)
{
	uint32_t before = 0, after = 0;
	aclrtStream stream;

	CHECK_EQUAL(aclrtGetStreamAvailableNum(NULL), 100000);
	CHECK_EQUAL(aclrtGetStreamAvailableNum(&before), 0);
	CHECK_EQUAL(before, 1984 - 1); /* the default stream is one */
	stream = new_stream();
	CHECK_EQUAL(aclrtGetStreamAvailableNum(&after), 0);
	CHECK_EQUAL(after, before - 1);
	CHECK_EQUAL(aclrtDestroyStream(stream), 0);
}

static void test_attributes_are_kept(void)
{
	aclrtStream stream = new_stream();
	aclrtStreamAttrValue value = {.failureMode = 99};
	uint32_t priority = 99, overflow = 99;

	CHECK_EQUAL(aclrtGetStreamAttribute(stream, ACL_STREAM_ATTR_FAILURE_MODE, &value), 0);
	CHECK_EQUAL(value.failureMode, 0);
	value.userCustomTag = 0xabcdef01;
	CHECK_EQUAL(aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_USER_CUSTOM_TAG, &value), 0);
	value.cacheOpInfoSwitch = 1;
	CHECK_EQUAL(aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_CACHE_OP_INFO, &value), 0);
	value.streamPriority = 5;
	CHECK_EQUAL(aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_PRIORITY, &value), 0);
	value.overflowSwitch = 1;
	CHECK_EQUAL(aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK, &value), 0);

	CHECK_EQUAL(aclrtGetStreamAttribute(stream, ACL_STREAM_ATTR_USER_CUSTOM_TAG, &value), 0);
	CHECK_EQUAL(value.userCustomTag, 0xabcdef01);
	CHECK_EQUAL(aclrtGetStreamAttribute(stream, ACL_STREAM_ATTR_CACHE_OP_INFO, &value), 0);
	CHECK_EQUAL(value.cacheOpInfoSwitch, 1);
	CHECK_EQUAL(aclrtGetStreamAttribute(stream, ACL_STREAM_ATTR_PRIORITY, &value), 0);
	CHECK_EQUAL(value.streamPriority, 5);
	CHECK_EQUAL(aclrtStreamGetPriority(stream, &priority), 0);
	CHECK_EQUAL(priority, 5);
	CHECK_EQUAL(aclrtGetStreamAttribute(stream, ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK, &value), 0);
	CHECK_EQUAL(value.overflowSwitch, 1);
	CHECK_EQUAL(aclrtGetStreamOverflowSwitch(stream, &overflow), 0);
	CHECK_EQUAL(overflow, 1);
	CHECK_EQUAL(aclrtSetStreamOverflowSwitch(stream, 0), 0);
	CHECK_EQUAL(aclrtGetStreamOverflowSwitch(stream, &overflow), 0);
	CHECK_EQUAL(overflow, 0);
	CHECK_EQUAL(aclrtDestroyStream(stream), 0);
}

static void test_bad_attributes_are_refused(void)
{
	aclrtStream stream = new_stream();
	aclrtStreamAttrValue value = {.failureMode = 2};
	uint32_t flag = 7;

	CHECK_EQUAL(aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_FAILURE_MODE, NULL), 100000);
	CHECK_EQUAL(aclrtGetStreamAttribute(stream, ACL_STREAM_ATTR_FAILURE_MODE, NULL), 100000);
	CHECK_EQUAL(aclrtSetStreamAttribute(stream, (aclrtStreamAttr)0, &value), 100000);
	CHECK_EQUAL(aclrtSetStreamAttribute(stream, (aclrtStreamAttr)6, &value), 100000);
	CHECK_EQUAL(aclrtGetStreamAttribute(stream, (aclrtStreamAttr)6, &value), 100000);
	CHECK_EQUAL(aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_FAILURE_MODE, &value), 107000);
	CHECK_EQUAL(aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_CACHE_OP_INFO, &value), 107000);
	CHECK_EQUAL(aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK, &value), 100000);
	value.streamPriority = 8;
	CHECK_EQUAL(aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_PRIORITY, &value), 107000);
	CHECK_EQUAL(aclrtSetStreamFailureMode(stream, 2), 107000);
	CHECK_EQUAL(aclrtSetStreamOverflowSwitch(stream, 2), 100000);
	CHECK_EQUAL(aclrtGetStreamOverflowSwitch(stream, NULL), 100000);
	CHECK_EQUAL(aclrtGetStreamOverflowSwitch(stream, &flag), 0);
	CHECK_EQUAL(flag, 0);
	CHECK_EQUAL(aclrtDestroyStream(stream), 0);
}

static void test_overflows_cannot_be_detected_where_they_would_be(void)
{
	aclrtStream stream = new_stream();

	CHECK_EQUAL(aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_SATURATION), 0);
	CHECK_EQUAL(aclrtSetStreamOverflowSwitch(stream, 1), 207000);
	CHECK_EQUAL(aclrtSetStreamOverflowSwitch(stream, 0), 0);
	CHECK_EQUAL(aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_INFNAN), 0);
	CHECK_EQUAL(aclrtSetStreamOverflowSwitch(stream, 1), 0);
	CHECK_EQUAL(aclrtDestroyStream(stream), 0);
}

static void test_null_results_are_refused(void)
{
	CHECK_EQUAL(aclrtStreamQuery(NULL, NULL), 100000);
	CHECK_EQUAL(aclrtStreamGetId(NULL, NULL), 100000);
	CHECK_EQUAL(aclrtStreamGetPriority(NULL, NULL), 100000);
	CHECK_EQUAL(aclrtStreamGetFlags(NULL, NULL), 100000);
	CHECK_EQUAL(aclrtCtxGetCurrentDefaultStream(NULL), 100000);
}

/* Every function that takes a stream; whoever refuses one refuses it before anything else happens. */
static void check_refused(aclrtStream stream, aclError status)
{
	aclrtStreamAttrValue value = {.failureMode = 0};
	aclrtStreamStatus state = (aclrtStreamStatus)7;
	uint32_t number = 7;
	int32_t id = 7;

	CHECK_EQUAL(aclrtStreamQuery(stream, &state), status);
	CHECK_EQUAL(aclrtStreamGetId(stream, &id), status);
	CHECK_EQUAL(aclrtStreamGetPriority(stream, &number), status);
	CHECK_EQUAL(aclrtStreamGetFlags(stream, &number), status);
	CHECK_EQUAL(aclrtSetStreamFailureMode(stream, 0), status);
	CHECK_EQUAL(aclrtSetStreamOverflowSwitch(stream, 0), status);
	CHECK_EQUAL(aclrtGetStreamOverflowSwitch(stream, &number), status);
	CHECK_EQUAL(aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_FAILURE_MODE, &value), status);
	CHECK_EQUAL(aclrtGetStreamAttribute(stream, ACL_STREAM_ATTR_FAILURE_MODE, &value), status);
	CHECK_EQUAL(aclrtStreamAbort(stream), status);
	CHECK(state == (aclrtStreamStatus)7 && number == 7 && id == 7);
}

static void *without_context(void *unused)
{
	aclrtStream stream = &heap;
	uint32_t count = 7;

	(void)unused;
	check_refused(NULL, 107002);
	CHECK_EQUAL(aclrtGetStreamAvailableNum(&count), 107002);
	CHECK_EQUAL(aclrtCtxGetCurrentDefaultStream(&stream), 107002);
	CHECK(count == 7 && stream == &heap);
	return NULL;
}

static void test_dead_streams_and_missing_contexts(void)
{
	aclrtStream stream = new_stream();
	pthread_t thread;

	CHECK_EQUAL(aclrtDestroyStream(stream), 0);
	check_refused(stream, 107017);
	check_refused(&heap, 107017);
	pthread_create(&thread, NULL, without_context, NULL);
	pthread_join(thread, NULL);
}

static void test_work_wants_a_stream_of_the_current_context_but_facts_do_not(void)
{
	aclrtStream stream = new_stream();
	aclrtStreamStatus status;
	aclrtContext mine, other;
	uint32_t number;
	int32_t id;

	aclrtGetCurrentContext(&mine);
	aclrtCreateContext(&other, 0);
	CHECK_EQUAL(aclrtStreamQuery(stream, &status), 107003);
	CHECK_EQUAL(aclrtStreamAbort(stream), 107003);
	CHECK_EQUAL(aclrtStreamGetId(stream, &id), 0);
	CHECK_EQUAL(aclrtStreamGetPriority(stream, &number), 0);
	CHECK_EQUAL(aclrtStreamGetFlags(stream, &number), 0);
	CHECK_EQUAL(aclrtDestroyContext(other), 0);
	CHECK_EQUAL(aclrtSetCurrentContext(mine), 0);
	CHECK_EQUAL(aclrtDestroyStream(stream), 0);
}

static void test_the_default_stream_has_a_handle(void)
{
	aclrtStream stream = NULL, again = NULL, of_other = NULL;
	aclrtContext mine, other;
	struct gate gate;
	int32_t by_null = -1, by_handle = -2;

	aclrtGetCurrentContext(&mine);
	CHECK_EQUAL(aclrtCtxGetCurrentDefaultStream(&stream), 0);
	CHECK_EQUAL(aclrtCtxGetCurrentDefaultStream(&again), 0);
	CHECK(stream && stream == again);
	CHECK_EQUAL(aclrtStreamGetId(NULL, &by_null), 0);
	CHECK_EQUAL(aclrtStreamGetId(stream, &by_handle), 0);
	CHECK_EQUAL(by_null, by_handle);
	shut_gate(&gate, stream);
	CHECK_EQUAL(stream_status(NULL), ACL_STREAM_STATUS_NOT_READY);
	open_gate(&gate);
	CHECK_EQUAL(aclrtSynchronizeStream(NULL), 0);
	CHECK_EQUAL(aclrtDestroyStream(stream), 107000);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "default stream");
	CHECK_EQUAL(aclrtDestroyStreamForce(stream), 107000);
	CHECK_EQUAL(stream_status(stream), ACL_STREAM_STATUS_COMPLETE);

	aclrtCreateContext(&other, 0);
	CHECK_EQUAL(aclrtCtxGetCurrentDefaultStream(&of_other), 0);
	CHECK(of_other != stream);
	CHECK_EQUAL(aclrtDestroyContext(other), 0);
	CHECK_EQUAL(aclrtSetCurrentContext(mine), 0);
	CHECK_EQUAL(aclrtSynchronizeStream(of_other), 107017);
}

/* ---- on an older chip ---- */

static void use_an_older_chip(void)
{
	aclrtStream stream;
	uint32_t left = 0;

	setenv("ACLEMU_SOC", "Ascend310P3", 1);
	aclrtSetDevice(0);
	stream = new_stream();
	CHECK_EQUAL(aclrtSetStreamFailureMode(NULL, 0), 207000);
	CHECK_EQUAL(aclrtSetStreamFailureMode(stream, 0), 0);
	CHECK_EQUAL(aclrtSetStreamOverflowSwitch(stream, 1), 207000); /* this chip saturates */
	CHECK_EQUAL(aclrtGetStreamAvailableNum(&left), 0);
	CHECK_EQUAL(left, 1024 - 2);
}

int main(void)
{
	CHECK_CHILD(use_an_older_chip);
	aclrtSetDevice(0);
	test_streams_are_counted();
	test_a_query_does_not_wait();
	test_streams_have_different_numbers();
	test_priority_and_flags_are_those_at_creation();
	test_the_range_of_priorities();
	test_attributes_are_kept();
	test_bad_attributes_are_refused();
	test_overflows_cannot_be_detected_where_they_would_be();
	test_null_results_are_refused();
	test_dead_streams_and_missing_contexts();
	test_work_wants_a_stream_of_the_current_context_but_facts_do_not();
	test_the_default_stream_has_a_handle();
	CHECK_EQUAL(aclrtResetDevice(0), 0);
	return check_report();
}
