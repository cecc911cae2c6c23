/* Copies of rows, fills with words, and the copy with a condition. */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include "acl/acl.h"
#include "check.h"

enum { ROWS = 5, WIDTH = 7, PITCH = 16, OTHER_PITCH = 11, SIZE = ROWS * PITCH };

static char *device, *other_device, *pinned;
static char host[SIZE], seen[SIZE];

static void fill_host(void)
{
	for (int i = 0; i < SIZE; i++)
		host[i] = (char)(i * 3 + 1);
}

static void read_back(const void *from)
{
	CHECK_EQUAL(aclrtMemcpy(seen, SIZE, from, SIZE, ACL_MEMCPY_DEFAULT), 0);
}

/* `seen` has the rows of `host` (PITCH apart) OTHER_PITCH apart, and -1 between them and behind. */
static bool seen_holds_the_rows(void)
{
	for (int i = 0; i < SIZE; i++) {
		int row = i / OTHER_PITCH, column = i % OTHER_PITCH;
		char want = row < ROWS && column < WIDTH ? host[row * PITCH + column] : -1;

		if (seen[i] != want)
			return false;
	}
	return true;
}

static void test_rows_are_copied_and_gaps_are_not(void)
{
	char back[SIZE];

	fill_host();
	aclrtMemset(device, SIZE, -1, SIZE);
	CHECK_EQUAL(aclrtMemcpy2d(device, OTHER_PITCH, host, PITCH, WIDTH, ROWS, ACL_MEMCPY_HOST_TO_DEVICE), 0);
	read_back(device);
	CHECK(seen_holds_the_rows());

	memset(back, -1, SIZE);
	CHECK_EQUAL(aclrtMemcpy2d(back, PITCH, device, OTHER_PITCH, WIDTH, ROWS, ACL_MEMCPY_DEVICE_TO_HOST), 0);
	for (int i = 0; i < SIZE; i++)
		CHECK(back[i] == (i % PITCH < WIDTH ? host[i] : -1));
}

static void test_queued_rows_may_stay_on_the_device(void)
{
	fill_host();
	aclrtMemcpy(device, SIZE, host, SIZE, ACL_MEMCPY_DEFAULT);
	aclrtMemset(other_device, SIZE, -1, SIZE);
	CHECK_EQUAL(aclrtMemcpy2dAsync(other_device, OTHER_PITCH, device, PITCH, WIDTH, ROWS, ACL_MEMCPY_DEVICE_TO_DEVICE,
	                               NULL),
	            0);
	CHECK_EQUAL(aclrtSynchronizeStream(NULL), 0);
	read_back(other_device);
	CHECK(seen_holds_the_rows());

	aclrtMemset(pinned, SIZE, -1, SIZE);
	CHECK_EQUAL(aclrtMemcpy2dAsync(pinned, OTHER_PITCH, device, PITCH, WIDTH, ROWS, ACL_MEMCPY_DEFAULT, NULL), 0);
	CHECK_EQUAL(aclrtSynchronizeStream(NULL), 0);
	read_back(pinned);
	CHECK(seen_holds_the_rows());
}

/* The last row need not have its gap. */
static void test_rows_end_where_the_last_one_ends(void)
{
	char *exact;
	const size_t rows = 3, pitch = 40, width = 16; /* 96 bytes: 64 and the tail */

	aclrtMalloc((void **)&exact, 64, ACL_MEM_MALLOC_HUGE_FIRST);
	CHECK_EQUAL(aclrtMemcpy2d(exact, pitch, host, width, width, rows, ACL_MEMCPY_DEFAULT), 0);
	CHECK_EQUAL(aclrtMemcpy2d(exact, pitch, host, width + 1, width + 1, rows, ACL_MEMCPY_DEFAULT), 107000);
	CHECK_EQUAL(aclrtMemcpy2dAsync(exact, pitch, host, width + 1, width + 1, rows, ACL_MEMCPY_DEFAULT, NULL), 107000);
	CHECK_EQUAL(aclrtMemcpy2d(host, width, exact, pitch + 1, width, rows, ACL_MEMCPY_DEFAULT), 107000);
	aclrtFree(exact);
}

static int both(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height, int kind)
{
	int now = aclrtMemcpy2d(dst, dpitch, src, spitch, width, height, (aclrtMemcpyKind)kind);

	CHECK_EQUAL(aclrtMemcpy2dAsync(dst, dpitch, src, spitch, width, height, (aclrtMemcpyKind)kind, NULL), now);
	return now;
}

static void test_the_checks_come_in_their_order(void)
{
	CHECK_EQUAL(both(NULL, 0, NULL, 0, 0, 5, 99), 0);
	CHECK_EQUAL(both(NULL, 0, NULL, 0, 5, 0, 99), 0);
	CHECK_EQUAL(both(NULL, 1, host, 1, 2, 1, 99), 100000);
	CHECK_EQUAL(both(device, 1, NULL, 1, 2, 1, 99), 100000);
	CHECK_EQUAL(both(device, 1, host, 2, 2, 1, 99), 100000);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "dpitch 1");
	CHECK_EQUAL(both(device, 2, host, 1, 2, 1, 99), 100000);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "spitch 1");
	CHECK_EQUAL(both(device, 6000000, host, 6000000, 5000001, 1, 0), 100000);
	for (int kind = -1; kind <= 8; kind++)
		if (kind < 1 || kind > 4)
			CHECK_EQUAL(both(device, 2, host, 2, 2, 1, kind), 100000);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "kind is 8");
	CHECK_EQUAL(both(device, 6000000, host, 6000000, 5000001, 1, 1), 107000);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "at most 5000000");
	CHECK_EQUAL(both(device, 1, host, 1, 1, 5242881, 1), 107000);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "height 5242881");
	CHECK_EQUAL(both(device, SIZE_MAX, host, 2, 2, 2, 1), 107000); /* would overflow */
	CHECK_EQUAL(both(device, 2, host, SIZE_MAX, 2, 2, 1), 107000);
	CHECK_EQUAL(both(host, 2, seen, 2, 2, 1, 1), 107000);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "host memory");
	CHECK_EQUAL(aclrtMemcpy2d(device, 2, other_device, 2, 2, 1, ACL_MEMCPY_DEVICE_TO_DEVICE), 207000);
	CHECK_EQUAL(aclrtMemcpy2d(device, 2, other_device, 2, 2, 1, ACL_MEMCPY_DEFAULT), 207000);
	CHECK_EQUAL(aclrtMemcpy2d(device, 2, host, 2, 2, 1, ACL_MEMCPY_DEVICE_TO_DEVICE), 207000);
}

/* ---- words ---- */

static void test_words_fill_exactly_what_was_asked(void)
{
	uint32_t words[SIZE / 4];

	aclrtMemset(device, SIZE, -1, SIZE);
	CHECK_EQUAL(aclrtMemsetD32(device + 4, SIZE - 4, 0x12345678, 5), 0);
	read_back(device);
	memcpy(words, seen, SIZE);
	for (int i = 0; i < SIZE / 4; i++)
		CHECK_EQUAL(words[i], i >= 1 && i <= 5 ? 0x12345678 : 0xffffffff);

	CHECK_EQUAL(aclrtMemsetD32Async(device, 8, 0xcafe, 2, NULL), 0);
	CHECK_EQUAL(aclrtSynchronizeStream(NULL), 0);
	read_back(device);
	memcpy(words, seen, SIZE);
	CHECK(words[0] == 0xcafe && words[1] == 0xcafe && words[2] == 0x12345678);

	CHECK_EQUAL(aclrtMemsetD32(pinned, SIZE, 7, SIZE / 4), 0);
	CHECK_EQUAL(aclrtMemsetD32Async(pinned, SIZE, 8, 1, NULL), 0);
	CHECK_EQUAL(aclrtSynchronizeStream(NULL), 0);
	memcpy(words, pinned, SIZE);
	CHECK(words[0] == 8 && words[1] == 7 && words[SIZE / 4 - 1] == 7);
}

static int both_words(void *pointer, size_t size, size_t words)
{
	int now = aclrtMemsetD32(pointer, size, 1, words);

	CHECK_EQUAL(aclrtMemsetD32Async(pointer, size, 1, words, NULL), now);
	return now;
}

static void test_wrong_words_are_refused(void)
{
	static uint32_t heap[4];

	CHECK_EQUAL(both_words(NULL, 0, 0), 0);
	CHECK_EQUAL(both_words(NULL, 8, 1), 100000);
	CHECK_EQUAL(both_words(device + 2, 8, 1), 100000);
	CHECK_EQUAL(both_words(device, 7, 2), 100000);
	CHECK_EQUAL(both_words(device, 8, SIZE_MAX / 4 + 2), 100000); /* 4 N overflows to 4 */
	CHECK_EQUAL(both_words(heap, 16, 1), 100000);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "does not know");
	CHECK_EQUAL(both_words(device, 1 << 20, 1000), 107000);
	CHECK_EQUAL(heap[0], 0);
}

/* ---- the condition, streams and contexts ---- */

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static void test_the_copy_with_a_condition_is_an_asynchronous_copy(void)
{
	fill_host();
	memcpy(pinned, host, SIZE);
	CHECK_EQUAL(aclrtMemcpyAsyncWithCondition(device, SIZE, pinned, SIZE, ACL_MEMCPY_HOST_TO_DEVICE, NULL), 0);
	CHECK_EQUAL(aclrtSynchronizeStream(NULL), 0);
	CHECK_EQUAL(aclrtMemcpyAsyncWithCondition(seen, SIZE, device, SIZE, ACL_MEMCPY_DEVICE_TO_HOST, NULL), 0);
	CHECK(!memcmp(seen, host, SIZE)); /* ordinary memory: done when the call returns */
	CHECK_EQUAL(aclrtMemcpyAsyncWithCondition(NULL, 0, NULL, 0, (aclrtMemcpyKind)99, NULL), 0);
	CHECK_EQUAL(aclrtMemcpyAsyncWithCondition(NULL, 1, host, 1, ACL_MEMCPY_DEFAULT, NULL), 100000);
	CHECK_EQUAL(aclrtMemcpyAsyncWithCondition(device, 1, NULL, 1, ACL_MEMCPY_DEFAULT, NULL), 100000);
	CHECK_EQUAL(aclrtMemcpyAsyncWithCondition(device, 1, host, 1, (aclrtMemcpyKind)6, NULL), 100000);
	CHECK_EQUAL(aclrtMemcpyAsyncWithCondition(device, 1, host, 2, ACL_MEMCPY_DEFAULT, NULL), 107000);
	CHECK_EQUAL(aclrtMemcpyAsyncWithCondition(seen, 2, host, 2, ACL_MEMCPY_HOST_TO_HOST, NULL), 207000);
}

static void check_streams(aclrtStream stream, int status)
{
	CHECK_EQUAL(aclrtMemcpy2dAsync(device, 2, pinned, 2, 2, 1, ACL_MEMCPY_DEFAULT, stream), status);
	CHECK_EQUAL(aclrtMemsetD32Async(device, 8, 1, 1, stream), status);
	CHECK_EQUAL(aclrtMemcpyAsyncWithCondition(device, 2, pinned, 2, ACL_MEMCPY_DEFAULT, stream), status);
}

static void test_streams_must_live_in_the_current_context(void)
{
	aclrtContext before, context;
	aclrtStream stream;

	aclrtGetCurrentContext(&before);
	aclrtCreateContext(&context, 0);
	aclrtCreateStream(&stream);
	aclrtSetCurrentContext(before);
	check_streams(stream, 107003);
	aclrtDestroyContext(context);
	check_streams(stream, 107017);
}

static void *without_context(void *argument)
{
	check_streams(NULL, 107002);
	CHECK_EQUAL(aclrtMemcpy2d(device, 2, host, 2, 2, 1, ACL_MEMCPY_DEFAULT), 107002);
	CHECK_EQUAL(aclrtMemsetD32(device, 8, 1, 1), 107002);
	return argument;
}

static void test_copies_need_a_context(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, without_context, NULL);
	pthread_join(thread, NULL);
}

int main(void)
{
	aclrtSetDevice(0);
	aclrtMalloc((void **)&device, SIZE, ACL_MEM_MALLOC_HUGE_FIRST);
	aclrtMalloc((void **)&other_device, SIZE, ACL_MEM_MALLOC_HUGE_FIRST);
	aclrtMallocHost((void **)&pinned, SIZE);
	test_rows_are_copied_and_gaps_are_not();
	test_queued_rows_may_stay_on_the_device();
	test_rows_end_where_the_last_one_ends();
	test_the_checks_come_in_their_order();
	test_words_fill_exactly_what_was_asked();
	test_wrong_words_are_refused();
	test_the_copy_with_a_condition_is_an_asynchronous_copy();
	test_streams_must_live_in_the_current_context();
	test_copies_need_a_context();
	aclrtFree(device);
	aclrtFree(other_device);
	aclrtFreeHost(pinned);
	aclrtResetDevice(0);
	return check_report();
}
