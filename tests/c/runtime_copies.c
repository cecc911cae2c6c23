/* Copies and fills: directions, the order of the checks, ranges, and what is asynchronous. */
#include <semaphore.h>
#include <stdint.h>
#include <stdlib.h>

#include "acl/acl.h"
#include "check.h"
#include "child.h"
#include "runtime/stream.h"

enum { SIZE = 3000 };

static char *device, *other_device, *pinned, *other_pinned;
static char host[SIZE], other_host[SIZE];
static sem_t gate;

static void fill(char *bytes, char first)
{
	for (int i = 0; i < SIZE; i++)
		bytes[i] = (char)(first + i * 7);
}

/* Does the memory at `address`, wherever it lies, hold what fill(first) writes? */
static bool holds(const void *address, char first)
{
	char want[SIZE], got[SIZE];

	fill(want, first);
	CHECK_EQUAL(aclrtMemcpy(got, SIZE, address, SIZE, ACL_MEMCPY_DEFAULT), 0);
	return !memcmp(got, want, SIZE);
}

/* ---- synchronous copies ---- */

static void test_the_direction_comes_from_the_addresses_whatever_the_kind(void)
{
	char *places[] = {device, other_device, pinned, other_pinned, host, other_host};
	char first = 1;

	for (int kind = 0; kind <= 5; kind++) {
		for (int to = 0; to < 6; to++) {
			for (int from = 0; from < 6; from++) {
				char bytes[SIZE];

				if (to == from)
					continue;
				fill(bytes, ++first);
				CHECK_EQUAL(aclrtMemcpy(places[from], SIZE, bytes, SIZE, ACL_MEMCPY_DEFAULT), 0);
				CHECK_EQUAL(aclrtMemcpy(places[to], SIZE, places[from], SIZE, (aclrtMemcpyKind)kind), 0);
				CHECK(holds(places[to], first));
			}
		}
	}
}

static void test_nothing_to_copy_succeeds_before_any_check(void)
{
	CHECK_EQUAL(aclrtMemcpy(NULL, 0, NULL, 0, (aclrtMemcpyKind)99), 0);
	CHECK_EQUAL(aclrtMemcpyAsync(NULL, 0, NULL, 0, (aclrtMemcpyKind)99, (void *)host), 0);
	CHECK_EQUAL(aclrtMemset(NULL, 0, 0, 0), 0);
	CHECK_EQUAL(aclrtMemsetAsync(NULL, 0, 0, 0, (void *)host), 0);
}

static void test_the_checks_come_in_their_order(void)
{
	CHECK_EQUAL(aclrtMemcpy(NULL, 1, host, 2, (aclrtMemcpyKind)99), 100000);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "dst");
	CHECK_EQUAL(aclrtMemcpy(host, 1, NULL, 2, (aclrtMemcpyKind)99), 100000);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "src");
	for (int kind = -1; kind <= 8; kind++)
		if (kind < 0 || kind > 5)
			CHECK_EQUAL(aclrtMemcpy(host, 1, other_host, 2, (aclrtMemcpyKind)kind), 100000);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "kind is 8");
	CHECK_EQUAL(aclrtMemcpy(host, 1, host, 2, ACL_MEMCPY_DEFAULT), 107000);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "count 2 is larger than destMax 1");
	CHECK_EQUAL(aclrtMemcpy(host, 2, host, 2, ACL_MEMCPY_DEFAULT), 0);

	CHECK_EQUAL(aclrtMemcpyAsync(NULL, 1, host, 2, (aclrtMemcpyKind)99, NULL), 100000);
	CHECK_EQUAL(aclrtMemcpyAsync(host, 1, NULL, 2, (aclrtMemcpyKind)99, NULL), 100000);
	CHECK_EQUAL(aclrtMemcpyAsync(host, 1, device, 2, (aclrtMemcpyKind)6, NULL), 100000);
	CHECK_EQUAL(aclrtMemcpyAsync(host, 1, device, 2, ACL_MEMCPY_DEFAULT, NULL), 107000);
	CHECK_EQUAL(aclrtMemset(NULL, 1, 0, 2), 100000);
	CHECK_EQUAL(aclrtMemset(device, 1, 0, 2), 107000);
	CHECK_EQUAL(aclrtMemsetAsync(NULL, 1, 0, 2, NULL), 100000);
	CHECK_EQUAL(aclrtMemsetAsync(device, 1, 0, 2, NULL), 107000);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "count 2 is larger than maxCount 1");
}

static void test_the_device_side_must_lie_in_one_live_allocation(void)
{
	char *freed;
	char big[8192] = {0};

	aclrtMalloc((void **)&freed, 100, ACL_MEM_MALLOC_HUGE_FIRST);
	aclrtFree(freed);
	CHECK_EQUAL(aclrtMemcpy(device, 8192, big, 8192, ACL_MEMCPY_HOST_TO_DEVICE), 107000);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "dst");
	CHECK_EQUAL(aclrtMemcpy(big, 8192, device + 100, 8092, ACL_MEMCPY_DEVICE_TO_HOST), 107000);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "leave allocation");
	CHECK_EQUAL(aclrtMemcpy(big, 100, freed, 100, ACL_MEMCPY_DEVICE_TO_HOST), 107000);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "which was freed");
	CHECK_EQUAL(aclrtMemcpyAsync(freed, 100, device, 100, ACL_MEMCPY_DEVICE_TO_DEVICE, NULL), 107000);
	CHECK_EQUAL(aclrtMemset(freed, 100, 0, 100), 107000);
	CHECK_EQUAL(aclrtMemsetAsync(device + SIZE, 200, 0, 200, NULL), 107000);
	CHECK_EQUAL(aclrtMemcpy(device + 5, 10, big, 10, ACL_MEMCPY_HOST_TO_DEVICE), 0); /* inside is fine, aligned or not */
}

/* ---- in streams ---- */

static aclError wait_at_gate(void *unused)
{
	(void)unused;
	sem_wait(&gate);
	return ACL_SUCCESS;
}

static void drop_nothing(void *unused)
{
	(void)unused;
}

static void block(aclrtStream stream)
{
	CHECK_EQUAL(emu_stream_submit(stream, &(struct emu_task){.name = "gate", .run = wait_at_gate, .drop = drop_nothing}), 0);
}

static void test_pinned_copies_wait_in_their_stream(void)
{
	aclrtStream stream;

	aclrtCreateStream(&stream);
	fill(pinned, 1);
	aclrtMemset(device, SIZE, 0, SIZE);
	block(stream);
	CHECK_EQUAL(aclrtMemcpyAsync(device, SIZE, pinned, SIZE, ACL_MEMCPY_HOST_TO_DEVICE, stream), 0);
	CHECK_EQUAL(aclrtMemcpyAsync(other_device, SIZE, device, SIZE, ACL_MEMCPY_DEVICE_TO_DEVICE, stream), 0);
	fill(pinned, 2); /* what is there when the stream comes to it is copied */
	CHECK(!holds(device, 2));
	sem_post(&gate);
	CHECK_EQUAL(aclrtSynchronizeStream(stream), 0);
	CHECK(holds(device, 2));
	CHECK(holds(other_device, 2));
	aclrtDestroyStream(stream);
}

static void test_pageable_copies_are_done_when_the_call_returns(void)
{
	aclrtStream stream;

	aclrtCreateStream(&stream);
	fill(host, 3);
	fill(pinned, 4);
	CHECK_EQUAL(aclrtMemcpyAsync(device, SIZE, pinned, SIZE, ACL_MEMCPY_HOST_TO_DEVICE, stream), 0);
	CHECK_EQUAL(aclrtMemcpyAsync(other_host, SIZE, device, SIZE, ACL_MEMCPY_DEVICE_TO_HOST, stream), 0);
	CHECK(holds(other_host, 4)); /* after the work before it */
	CHECK_EQUAL(aclrtMemcpyAsync(device, SIZE, host, SIZE, ACL_MEMCPY_DEVICE_TO_HOST, stream), 0); /* wrong kind */
	fill(host, 5);
	CHECK_EQUAL(aclrtSynchronizeStream(stream), 0);
	CHECK(holds(device, 3));
	aclrtDestroyStream(stream);
}

static void test_copies_within_the_host_are_not_asynchronous(void)
{
	fill(host, 1);
	CHECK_EQUAL(aclrtMemcpyAsync(other_host, SIZE, host, SIZE, ACL_MEMCPY_HOST_TO_HOST, NULL), 207000);
	CHECK_EQUAL(aclrtMemcpyAsync(pinned, SIZE, other_pinned, SIZE, ACL_MEMCPY_HOST_TO_DEVICE, NULL), 207000);
	CHECK_EQUAL(aclrtMemcpyAsync(pinned, SIZE, host, SIZE, ACL_MEMCPY_DEFAULT, NULL), 207000);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "host memory");
	CHECK_EQUAL(aclrtMemcpyAsync(host, SIZE, host, SIZE, ACL_MEMCPY_HOST_TO_HOST, NULL), 0); /* nothing to do */
}

static void test_a_synchronous_copy_sees_the_work_of_the_default_stream(void)
{
	fill(pinned, 6);
	CHECK_EQUAL(aclrtMemcpyAsync(device, SIZE, pinned, SIZE, ACL_MEMCPY_HOST_TO_DEVICE, NULL), 0);
	CHECK(holds(device, 6));
}

static void test_memory_freed_under_a_waiting_copy_is_safe(void)
{
	aclrtStream stream;
	void *memory, *buffer;

	aclrtCreateStream(&stream);
	aclrtMalloc(&memory, SIZE, ACL_MEM_MALLOC_HUGE_FIRST);
	aclrtMallocHost(&buffer, SIZE);
	memset(buffer, 1, SIZE);
	block(stream);
	CHECK_EQUAL(aclrtMemcpyAsync(memory, SIZE, buffer, SIZE, ACL_MEMCPY_HOST_TO_DEVICE, stream), 0);
	CHECK_EQUAL(aclrtFree(memory), 0);
	CHECK_EQUAL(aclrtFreeHost(buffer), 0);
	sem_post(&gate);
	CHECK_EQUAL(aclrtSynchronizeStream(stream), 0);
	aclrtDestroyStream(stream);
}

/* ---- fills ---- */

static void test_fills_take_the_low_byte_and_any_memory(void)
{
	char *places[] = {device, pinned, host};

	for (int i = 0; i < 3; i++) {
		char got[SIZE];

		aclrtMemset(places[i], SIZE, 0, SIZE);
		CHECK_EQUAL(aclrtMemset(places[i] + 10, SIZE - 10, 0x1234, 20), 0);
		aclrtMemcpy(got, SIZE, places[i], SIZE, ACL_MEMCPY_DEFAULT);
		CHECK(got[9] == 0 && got[10] == 0x34 && got[29] == 0x34 && got[30] == 0);
		CHECK_EQUAL(aclrtMemsetAsync(places[i], SIZE, -1, 5, NULL), 0);
		CHECK_EQUAL(aclrtSynchronizeStream(NULL), 0);
		aclrtMemcpy(got, SIZE, places[i], SIZE, ACL_MEMCPY_DEFAULT);
		CHECK(got[4] == -1 && got[5] == 0);
	}
}

static void test_a_fill_waits_in_its_stream_unless_the_memory_is_pageable(void)
{
	aclrtStream stream;
	char got = 9;

	aclrtCreateStream(&stream);
	aclrtMemset(device, SIZE, 0, SIZE);
	block(stream);
	CHECK_EQUAL(aclrtMemsetAsync(device, SIZE, 5, SIZE, stream), 0);
	aclrtMemcpy(&got, 1, device, 1, ACL_MEMCPY_DEVICE_TO_HOST);
	CHECK_EQUAL(got, 0);
	sem_post(&gate);
	CHECK_EQUAL(aclrtMemsetAsync(host, SIZE, 6, SIZE, stream), 0);
	CHECK_EQUAL(host[SIZE - 1], 6);
	aclrtMemcpy(&got, 1, device, 1, ACL_MEMCPY_DEVICE_TO_HOST);
	CHECK_EQUAL(got, 5);
	aclrtDestroyStream(stream);
}

int main(void)
{
	sem_init(&gate, 0, 0);
	aclrtSetDevice(0);
	aclrtMalloc((void **)&device, SIZE, ACL_MEM_MALLOC_HUGE_FIRST);
	aclrtMalloc((void **)&other_device, SIZE, ACL_MEM_MALLOC_HUGE_FIRST);
	aclrtMallocHost((void **)&pinned, SIZE);
	aclrtMallocHost((void **)&other_pinned, SIZE);

	test_the_direction_comes_from_the_addresses_whatever_the_kind();
	test_nothing_to_copy_succeeds_before_any_check();
	test_the_checks_come_in_their_order();
	test_the_device_side_must_lie_in_one_live_allocation();
	test_pinned_copies_wait_in_their_stream();
	test_pageable_copies_are_done_when_the_call_returns();
	test_copies_within_the_host_are_not_asynchronous();
	test_a_synchronous_copy_sees_the_work_of_the_default_stream();
	test_memory_freed_under_a_waiting_copy_is_safe();
	test_fills_take_the_low_byte_and_any_memory();
	test_a_fill_waits_in_its_stream_unless_the_memory_is_pageable();

	aclrtFree(device);
	aclrtFree(other_device);
	aclrtFreeHost(pinned);
	aclrtFreeHost(other_pinned);
	CHECK_EQUAL(aclrtResetDevice(0), 0);
	return check_report();
}
