/* Words that streams write and wait for. */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "acl/acl.h"
#include "check.h"

static uint64_t *word; /* on the device */
static aclrtStream stream, other_stream;

static uint64_t read_word(void)
{
	uint64_t value;

	CHECK_EQUAL(aclrtMemcpy(&value, 8, word, 8, ACL_MEMCPY_DEFAULT), 0);
	return value;
}

static void set_word(uint64_t value)
{
	CHECK_EQUAL(aclrtMemcpy(word, 8, &value, 8, ACL_MEMCPY_DEFAULT), 0);
}

static void test_a_stream_writes_a_word(void)
{
	CHECK_EQUAL(aclrtValueWrite(word, 0x123456789abcdef0, 0, stream), 0);
	CHECK_EQUAL(aclrtSynchronizeStream(stream), 0);
	CHECK(read_word() == 0x123456789abcdef0);
}

/* Does a stream wait while the word is `not_yet`, and go on when it is `then`? */
static void check_wait(uint32_t flag, uint64_t value, uint64_t not_yet, uint64_t then)
{
	set_word(not_yet);
	CHECK_EQUAL(aclrtValueWait(word, value, flag, stream), 0);
	CHECK_EQUAL(aclrtSynchronizeStreamWithTimeout(stream, 20), 507046);
	CHECK_EQUAL(aclrtValueWrite(word, then, 0, other_stream), 0);
	CHECK_EQUAL(aclrtSynchronizeStream(stream), 0);
	CHECK_EQUAL(aclrtSynchronizeStream(other_stream), 0);
	aclGetRecentErrMsg();
}

static void test_a_stream_waits_for_each_condition(void)
{
	check_wait(ACL_STREAM_WAIT_VALUE_GEQ, 5, 4, 5);
	check_wait(ACL_STREAM_WAIT_VALUE_GEQ, 5, 5 + ((uint64_t)1 << 63), 6); /* the difference is signed */
	check_wait(ACL_STREAM_WAIT_VALUE_GEQ, UINT64_MAX, UINT64_MAX - 1, 0); /* and wraps */
	check_wait(ACL_STREAM_WAIT_VALUE_EQ, 5, 6, 5);
	check_wait(ACL_STREAM_WAIT_VALUE_AND, 6, 9, 2);
	check_wait(ACL_STREAM_WAIT_VALUE_NOR, 0xf0, UINT64_MAX - 0xf0, UINT64_MAX - 0xf1);
}

static void test_a_condition_that_holds_does_not_wait(void)
{
	set_word(5);
	CHECK_EQUAL(aclrtValueWait(word, 5, ACL_STREAM_WAIT_VALUE_GEQ, stream), 0);
	CHECK_EQUAL(aclrtValueWait(word, 5, ACL_STREAM_WAIT_VALUE_EQ, stream), 0);
	CHECK_EQUAL(aclrtValueWait(word, 4, ACL_STREAM_WAIT_VALUE_AND, stream), 0);
	CHECK_EQUAL(aclrtValueWait(word, 5, ACL_STREAM_WAIT_VALUE_NOR, stream), 0);
	CHECK_EQUAL(aclrtSynchronizeStream(stream), 0);
}

static void test_a_copy_can_end_the_wait_and_what_follows_comes_later(void)
{
	uint64_t value = 9;

	set_word(0);
	CHECK_EQUAL(aclrtValueWait(word, 9, ACL_STREAM_WAIT_VALUE_EQ, stream), 0);
	CHECK_EQUAL(aclrtValueWrite(word + 1, 77, 0, stream), 0);
	CHECK_EQUAL(aclrtSynchronizeStreamWithTimeout(stream, 20), 507046);
	CHECK_EQUAL(aclrtMemcpy(word, 8, &value, 8, ACL_MEMCPY_DEFAULT), 0);
	CHECK_EQUAL(aclrtSynchronizeStream(stream), 0);
	word++;
	CHECK_EQUAL(read_word(), 77);
	word--;
	aclGetRecentErrMsg();
}


static void test_a_wait_ends_with_its_stream(void)
{
	aclrtStream doomed;

	set_word(0);
	CHECK_EQUAL(aclrtCreateStream(&doomed), 0);
	CHECK_EQUAL(aclrtValueWait(word, 1, ACL_STREAM_WAIT_VALUE_EQ, doomed), 0);
	CHECK_EQUAL(aclrtSynchronizeStreamWithTimeout(doomed, 20), 507046);
	CHECK_EQUAL(aclrtDestroyStreamForce(doomed), 0);
	CHECK_EQUAL(aclrtCreateStream(&doomed), 0);
	CHECK_EQUAL(aclrtValueWait(word, 1, ACL_STREAM_WAIT_VALUE_EQ, doomed), 0);
	CHECK_EQUAL(aclrtStreamAbort(doomed), 0);
	CHECK_EQUAL(aclrtSynchronizeStream(doomed), 0);
	CHECK_EQUAL(aclrtDestroyStream(doomed), 0);
	aclGetRecentErrMsg();
}

static void check_both(void *address, uint32_t flag, aclrtStream in, int status)
{
	CHECK_EQUAL(aclrtValueWrite(address, 1, flag, in), status);
	CHECK_EQUAL(aclrtValueWait(address, 1, flag, in), status);
}

static void test_wrong_words_are_refused(void)
{
	static uint64_t heap;
	void *pinned = aligned_alloc(4096, 4096);
	char *end = (char *)word + 16 + 32 + 16; /* with the padding: 16 rounds up to 32, and 32 */

	aclrtHostRegisterV2(pinned, 4096, ACL_HOST_REG_PINNED);
	check_both(NULL, 0, stream, 100000);
	check_both((char *)word + 4, 0, stream, 107000);
	check_both(&heap, 0, stream, 107000);
	check_both(pinned, 0, stream, 107000);
	check_both(end, 0, stream, 107000);
	check_both(word, 4, stream, 107000);
	CHECK_EQUAL(aclrtValueWrite(word, 1, 1, stream), 107000);
	CHECK_EQUAL(aclrtHostUnregister(pinned), 0);
	CHECK_EQUAL(aclrtHostRegisterV2(pinned, 4096, ACL_HOST_REG_PINNED), 0); /* no pin holds the former one */
	CHECK_EQUAL(aclrtHostUnregister(pinned), 0);
	free(pinned);
	CHECK_EQUAL(heap, 0);
}

static void *without_context(void *argument)
{
	check_both(word, 0, NULL, 107002);
	return argument;
}

static void test_streams_and_contexts_are_checked(void)
{
	aclrtContext before, context;
	aclrtStream elsewhere;
	pthread_t thread;

	pthread_create(&thread, NULL, without_context, NULL);
	pthread_join(thread, NULL);
	aclrtGetCurrentContext(&before);
	aclrtCreateContext(&context, 0);
	aclrtCreateStream(&elsewhere);
	aclrtSetCurrentContext(before);
	check_both(word, 0, elsewhere, 107003);
	aclrtDestroyContext(context);
	check_both(word, 0, elsewhere, 107017);
}

int main(void)
{
	aclrtSetDevice(0);
	aclrtCreateStream(&stream);
	aclrtCreateStream(&other_stream);
	aclrtMalloc((void **)&word, 16, ACL_MEM_MALLOC_HUGE_FIRST);
	test_a_stream_writes_a_word();
	test_a_stream_waits_for_each_condition();
	test_a_condition_that_holds_does_not_wait();
	test_a_copy_can_end_the_wait_and_what_follows_comes_later();
	test_a_wait_ends_with_its_stream();
	test_wrong_words_are_refused();
	test_streams_and_contexts_are_checked();
	aclrtFree(word);
	aclrtDestroyStream(stream);
	aclrtDestroyStream(other_stream);
	aclrtResetDevice(0);
	return check_report();
}
