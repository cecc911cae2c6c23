/* Limits that are kept: cores of a device, a stream and a thread, and sizes on the device. */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include "acl/acl.h"
#include "check.h"

/* The default chip has 20 cube cores and 40 vector cores. */
static const aclrtDevResLimitType cube = ACL_RT_DEV_RES_CUBE_CORE, vector = ACL_RT_DEV_RES_VECTOR_CORE;

static aclrtStream stream;

static uint32_t of_device(int32_t device, aclrtDevResLimitType type)
{
	uint32_t value = 999;

	CHECK_EQUAL(aclrtGetDeviceResLimit(device, type, &value), 0);
	return value;
}

static uint32_t of_stream(aclrtStream of, aclrtDevResLimitType type)
{
	uint32_t value = 999;

	CHECK_EQUAL(aclrtGetStreamResLimit(of, type, &value), 0);
	return value;
}

static uint32_t of_thread(aclrtDevResLimitType type)
{
	uint32_t value = 999;

	CHECK_EQUAL(aclrtGetResInCurrentThread(type, &value), 0);
	return value;
}

static void test_a_stream_overrides_its_device_and_a_device_its_chip(void)
{
	CHECK_EQUAL(of_device(0, cube), 20);
	CHECK_EQUAL(of_device(0, vector), 40);
	CHECK_EQUAL(aclrtSetDeviceResLimit(0, cube, 7), 0);
	CHECK_EQUAL(of_device(0, cube), 7);
	CHECK_EQUAL(of_device(0, vector), 40);
	CHECK_EQUAL(of_device(1, cube), 20);
	CHECK_EQUAL(of_stream(stream, cube), 7);
	CHECK_EQUAL(aclrtSetStreamResLimit(stream, cube, 3), 0);
	CHECK_EQUAL(aclrtSetStreamResLimit(NULL, vector, 40), 0);
	CHECK_EQUAL(of_stream(stream, cube), 3);
	CHECK_EQUAL(of_stream(stream, vector), 40);
	CHECK_EQUAL(of_stream(NULL, cube), 7);
	CHECK_EQUAL(of_device(0, cube), 7);
	CHECK_EQUAL(aclrtResetStreamResLimit(stream), 0);
	CHECK_EQUAL(of_stream(stream, cube), 7);
	CHECK_EQUAL(aclrtResetDeviceResLimit(0), 0);
	CHECK_EQUAL(of_device(0, cube), 20);
	CHECK_EQUAL(of_stream(stream, cube), 20);
}

static void *see_no_stream(void *argument)
{
	aclrtSetDevice(0);
	CHECK_EQUAL(of_thread(cube), 9);
	aclrtResetDevice(0);
	return argument;
}

static void test_a_thread_has_the_limits_of_the_stream_it_uses(void)
{
	pthread_t thread;

	CHECK_EQUAL(of_thread(cube), 20);
	CHECK_EQUAL(aclrtSetDeviceResLimit(0, cube, 9), 0);
	CHECK_EQUAL(aclrtSetStreamResLimit(stream, cube, 3), 0);
	CHECK_EQUAL(aclrtSetStreamResLimit(NULL, cube, 4), 0);
	CHECK_EQUAL(of_thread(cube), 9);
	CHECK_EQUAL(aclrtUseStreamResInCurrentThread(stream), 0);
	CHECK_EQUAL(of_thread(cube), 3);
	CHECK_EQUAL(of_thread(vector), 40);
	pthread_create(&thread, NULL, see_no_stream, NULL);
	pthread_join(thread, NULL);
	CHECK_EQUAL(aclrtUnuseStreamResInCurrentThread(NULL), 0); /* another one */
	CHECK_EQUAL(of_thread(cube), 3);
	CHECK_EQUAL(aclrtUseStreamResInCurrentThread(NULL), 0);
	CHECK_EQUAL(of_thread(cube), 4);
	CHECK_EQUAL(aclrtUnuseStreamResInCurrentThread(NULL), 0);
	CHECK_EQUAL(of_thread(cube), 9);
	CHECK_EQUAL(aclrtResetDeviceResLimit(0), 0);
	CHECK_EQUAL(aclrtResetStreamResLimit(NULL), 0);
}

static void test_a_destroyed_stream_has_no_limits(void)
{
	aclrtStream doomed;

	aclrtCreateStream(&doomed);
	CHECK_EQUAL(aclrtSetStreamResLimit(doomed, cube, 2), 0);
	CHECK_EQUAL(aclrtUseStreamResInCurrentThread(doomed), 0);
	CHECK_EQUAL(of_thread(cube), 2);
	aclrtDestroyStream(doomed);
	CHECK_EQUAL(of_thread(cube), 20);
	CHECK_EQUAL(aclrtUseStreamResInCurrentThread(doomed), 107017);
	CHECK_EQUAL(aclrtUnuseStreamResInCurrentThread(doomed), 107017);
	CHECK_EQUAL(aclrtSetStreamResLimit(doomed, cube, 2), 107017);
	CHECK_EQUAL(aclrtResetStreamResLimit(doomed), 107017);
}

static void test_wrong_limits_are_refused(void)
{
	const aclrtDevResLimitType none = (aclrtDevResLimitType)2;
	uint32_t value = 999;

	CHECK_EQUAL(aclrtGetDeviceResLimit(0, cube, NULL), 100000);
	CHECK_EQUAL(aclrtGetDeviceResLimit(0, none, &value), 100000);
	CHECK_EQUAL(aclrtGetDeviceResLimit(2, cube, &value), 107001);
	CHECK_EQUAL(aclrtSetDeviceResLimit(0, none, 1), 100000);
	CHECK_EQUAL(aclrtSetDeviceResLimit(2, cube, 1), 107001);
	CHECK_EQUAL(aclrtSetDeviceResLimit(0, cube, 0), 107000);
	CHECK_EQUAL(aclrtSetDeviceResLimit(0, cube, 21), 107000);
	CHECK_EQUAL(aclrtSetDeviceResLimit(0, vector, 41), 107000);
	CHECK_EQUAL(aclrtResetDeviceResLimit(-1), 107001);
	CHECK_EQUAL(aclrtGetStreamResLimit(stream, cube, NULL), 100000);
	CHECK_EQUAL(aclrtGetStreamResLimit(stream, none, &value), 100000);
	CHECK_EQUAL(aclrtGetStreamResLimit(&value, cube, &value), 107017);
	CHECK_EQUAL(aclrtSetStreamResLimit(stream, none, 1), 100000);
	CHECK_EQUAL(aclrtSetStreamResLimit(stream, cube, 21), 107000);
	CHECK_EQUAL(aclrtGetResInCurrentThread(cube, NULL), 100000);
	CHECK_EQUAL(aclrtGetResInCurrentThread(none, &value), 100000);
	CHECK_EQUAL(value, 999);
	CHECK_EQUAL(of_device(0, cube), 20);
}

static void test_sizes_are_kept_per_device(void)
{
	size_t value = 7;

	for (int limit = 0; limit <= 4; limit++) {
		CHECK_EQUAL(aclrtDeviceGetLimit((aclrtDeviceLimit)limit, &value), 0);
		CHECK_EQUAL(value, 0);
		CHECK_EQUAL(aclrtDeviceSetLimit((aclrtDeviceLimit)limit, (size_t)limit + 100), 0);
	}
	for (int limit = 0; limit <= 4; limit++) {
		CHECK_EQUAL(aclrtDeviceGetLimit((aclrtDeviceLimit)limit, &value), 0);
		CHECK_EQUAL(value, limit + 100);
	}
	CHECK_EQUAL(aclrtDeviceSetLimit((aclrtDeviceLimit)5, 1), 100000);
	CHECK_EQUAL(aclrtDeviceGetLimit((aclrtDeviceLimit)5, &value), 100000);
	CHECK_EQUAL(aclrtDeviceGetLimit(ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE, NULL), 100000);
	aclrtSetDevice(1);
	CHECK_EQUAL(aclrtDeviceGetLimit(ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE, &value), 0);
	CHECK_EQUAL(value, 0);
	aclrtSetDevice(0);
}

static void *without_context(void *argument)
{
	uint32_t value = 7;
	size_t size = 7;

	CHECK_EQUAL(aclrtGetStreamResLimit(NULL, cube, &value), 107002);
	CHECK_EQUAL(aclrtSetStreamResLimit(NULL, cube, 1), 107002);
	CHECK_EQUAL(aclrtResetStreamResLimit(NULL), 107002);
	CHECK_EQUAL(aclrtUseStreamResInCurrentThread(NULL), 107002);
	CHECK_EQUAL(aclrtUnuseStreamResInCurrentThread(NULL), 107002);
	CHECK_EQUAL(aclrtGetResInCurrentThread(cube, &value), 107002);
	CHECK_EQUAL(aclrtDeviceSetLimit(ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE, 1), 107002);
	CHECK_EQUAL(aclrtDeviceGetLimit(ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE, &size), 107002);
	CHECK(value == 7 && size == 7);
	return argument;
}

static void test_streams_and_sizes_need_a_context(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, without_context, NULL);
	pthread_join(thread, NULL);
}

int main(void)
{
	setenv("ACLEMU_DEVICES", "2", 1);
	aclrtSetDevice(0);
	aclrtCreateStream(&stream);
	test_a_stream_overrides_its_device_and_a_device_its_chip();
	test_a_thread_has_the_limits_of_the_stream_it_uses();
	test_a_destroyed_stream_has_no_limits();
	test_wrong_limits_are_refused();
	test_sizes_are_kept_per_device();
	test_streams_and_sizes_need_a_context();
	aclrtDestroyStream(stream);
	aclrtResetDeviceForce(0);
	aclrtResetDeviceForce(1);
	return check_report();
}
