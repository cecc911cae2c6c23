/* Many copies in one call. */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include "acl/acl.h"
#include "check.h"

enum { COPIES = 4, SIZE = 100 };

static char *device, *second_device, *pinned;
static char host[COPIES * SIZE], seen[COPIES * SIZE];

static const aclrtMemcpyBatchAttr to_device = {.dstLoc = {0, ACL_MEM_LOCATION_TYPE_DEVICE},
                                               .srcLoc = {0, ACL_MEM_LOCATION_TYPE_HOST}};
static const aclrtMemcpyBatchAttr from_device = {.dstLoc = {0, ACL_MEM_LOCATION_TYPE_HOST},
                                                 .srcLoc = {0, ACL_MEM_LOCATION_TYPE_DEVICE}};

/* One batch that is right, to be spoilt. */
static struct {
	void *dsts[COPIES];
	size_t dst_maxs[COPIES];
	void *srcs[COPIES];
	size_t sizes[COPIES];
	aclrtMemcpyBatchAttr attrs[2];
	size_t indexes[2];
	size_t count;
	size_t attr_count;
	size_t fail_index;
} batch;

static void make_batch(char *to, char *from, const aclrtMemcpyBatchAttr *attr)
{
	for (int i = 0; i < COPIES; i++) {
		batch.dsts[i] = to + i * SIZE;
		batch.srcs[i] = from + i * SIZE;
		batch.sizes[i] = batch.dst_maxs[i] = SIZE;
	}
	batch.attrs[0] = batch.attrs[1] = *attr;
	batch.indexes[0] = 0;
	batch.indexes[1] = 2;
	batch.count = COPIES;
	batch.attr_count = 2;
	batch.fail_index = 77;
}

static int copy_now(void)
{
	return aclrtMemcpyBatch(batch.dsts, batch.dst_maxs, batch.srcs, batch.sizes, batch.count, batch.attrs,
	                        batch.indexes, batch.attr_count, &batch.fail_index);
}

static int copy_in(aclrtStream stream)
{
	return aclrtMemcpyBatchAsync(batch.dsts, batch.dst_maxs, batch.srcs, batch.sizes, batch.count, batch.attrs,
	                             batch.indexes, batch.attr_count, &batch.fail_index, stream);
}

static void fill_host(char first)
{
	for (int i = 0; i < COPIES * SIZE; i++)
		host[i] = (char)(first + i * 5);
}

static bool device_holds_host(void)
{
	aclrtMemcpy(seen, sizeof(seen), device, sizeof(seen), ACL_MEMCPY_DEFAULT);
	return !memcmp(seen, host, sizeof(seen));
}

static void test_a_batch_copies_in_and_out(void)
{
	fill_host(1);
	make_batch(device, host, &to_device);
	CHECK_EQUAL(copy_now(), 0);
	CHECK(batch.fail_index == SIZE_MAX);
	CHECK(device_holds_host());
	make_batch(seen, device, &from_device);
	memset(seen, 0, sizeof(seen));
	CHECK_EQUAL(copy_now(), 0);
	CHECK(!memcmp(seen, host, sizeof(seen)));
}

static void test_a_batch_in_a_stream_copies_in_and_out(void)
{
	fill_host(2);
	memcpy(pinned, host, sizeof(host));
	make_batch(device, pinned, &to_device);
	CHECK_EQUAL(copy_in(NULL), 0);
	CHECK_EQUAL(aclrtSynchronizeStream(NULL), 0);
	CHECK(device_holds_host());
	fill_host(3);
	make_batch(device, host, &to_device);
	CHECK_EQUAL(copy_in(NULL), 0); /* ordinary memory: done when the call returns */
	memset(host, 0, sizeof(host));
	aclrtSynchronizeStream(NULL);
	fill_host(3);
	CHECK(device_holds_host());
	CHECK(batch.fail_index == SIZE_MAX);
}

/* Both forms refuse the batch at hand, say where, and copy nothing. */
static void check_refused(int status, size_t fail_index)
{
	char before[COPIES * SIZE];

	aclrtMemcpy(before, sizeof(before), device, sizeof(before), ACL_MEMCPY_DEFAULT);
	batch.fail_index = 77;
	CHECK_EQUAL(copy_now(), status);
	CHECK_EQUAL(batch.fail_index, fail_index);
	batch.fail_index = 77;
	CHECK_EQUAL(copy_in(NULL), status);
	CHECK_EQUAL(batch.fail_index, fail_index);
	aclrtSynchronizeStream(NULL);
	aclrtMemcpy(seen, sizeof(seen), device, sizeof(seen), ACL_MEMCPY_DEFAULT);
	CHECK(!memcmp(seen, before, sizeof(before)));
}

static void test_wrong_counts_and_indexes_are_refused(void)
{
	fill_host(4);
	make_batch(device, host, &to_device);
	batch.count = 0;
	check_refused(100000, SIZE_MAX);
	make_batch(device, host, &to_device);
	batch.attr_count = 0;
	check_refused(100000, SIZE_MAX);
	batch.attr_count = 5;
	check_refused(100000, SIZE_MAX);
	make_batch(device, host, &to_device);
	batch.indexes[0] = 1;
	check_refused(100000, SIZE_MAX);
	make_batch(device, host, &to_device);
	batch.indexes[1] = 0;
	check_refused(100000, SIZE_MAX);
	batch.indexes[1] = 4;
	check_refused(100000, SIZE_MAX);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "attrsIndexes[1] is 4");
}

#define CALL(dsts, dst_maxs, srcs, sizes, attrs, indexes, fail) \
	CHECK_EQUAL(aclrtMemcpyBatch(dsts, dst_maxs, srcs, sizes, COPIES, attrs, indexes, 2, fail), 100000); \
	CHECK_EQUAL(aclrtMemcpyBatchAsync(dsts, dst_maxs, srcs, sizes, COPIES, attrs, indexes, 2, fail, NULL), 100000)

static void test_null_arrays_are_refused(void)
{
	make_batch(device, host, &to_device);
	CALL(NULL, batch.dst_maxs, batch.srcs, batch.sizes, batch.attrs, batch.indexes, &batch.fail_index);
	CALL(batch.dsts, NULL, batch.srcs, batch.sizes, batch.attrs, batch.indexes, &batch.fail_index);
	CALL(batch.dsts, batch.dst_maxs, NULL, batch.sizes, batch.attrs, batch.indexes, &batch.fail_index);
	CALL(batch.dsts, batch.dst_maxs, batch.srcs, NULL, batch.attrs, batch.indexes, &batch.fail_index);
	CALL(batch.dsts, batch.dst_maxs, batch.srcs, batch.sizes, NULL, batch.indexes, &batch.fail_index);
	CALL(batch.dsts, batch.dst_maxs, batch.srcs, batch.sizes, batch.attrs, NULL, &batch.fail_index);
	CALL(batch.dsts, batch.dst_maxs, batch.srcs, batch.sizes, batch.attrs, batch.indexes, NULL);
}

static void test_a_wrong_copy_is_named(void)
{
	fill_host(5);
	make_batch(device, host, &to_device);
	batch.dsts[2] = NULL;
	check_refused(100000, 2);
	make_batch(device, host, &to_device);
	batch.srcs[0] = NULL;
	check_refused(100000, 0);
	make_batch(device, host, &to_device);
	batch.sizes[3] = SIZE + 1;
	check_refused(107000, 3);
	batch.sizes[3] = 0;
	check_refused(107000, 3);
	make_batch(device, host, &to_device);
	batch.sizes[3] = batch.dst_maxs[3] = 2 * SIZE; /* beyond the padding */
	check_refused(107000, 3);
}

/* Registered memory can be registered again only when nobody holds it. */
static void test_a_refused_batch_holds_no_memory(void)
{
	char *registered = aligned_alloc(4096, 4096);

	CHECK_EQUAL(aclrtHostRegisterV2(registered, 4096, ACL_HOST_REG_PINNED), 0);
	make_batch(device, registered, &to_device);
	batch.dsts[3] = NULL;
	check_refused(100000, 3);
	batch.dsts[3] = seen; /* found wrong only after it was looked up */
	check_refused(107000, 3);
	CHECK_EQUAL(aclrtHostUnregister(registered), 0);
	CHECK_EQUAL(aclrtHostRegisterV2(registered, 4096, ACL_HOST_REG_PINNED), 0);
	CHECK_EQUAL(aclrtHostUnregister(registered), 0);
	free(registered);
}

static void test_places_must_be_as_declared(void)
{
	fill_host(6);
	make_batch(device, host, &to_device);
	batch.attrs[1] = from_device;
	check_refused(107000, 2);
	make_batch(device, host, &to_device);
	batch.dsts[3] = second_device;
	check_refused(107000, 3);
	batch.attrs[1].dstLoc.id = 1;
	batch.indexes[1] = 3;
	CHECK_EQUAL(copy_now(), 0);
	make_batch(device, host, &to_device);
	batch.attrs[0].srcLoc.type = batch.attrs[1].srcLoc.type = ACL_MEM_LOCATION_TYPE_UNREGISTERED;
	CHECK_EQUAL(copy_now(), 0);
	make_batch(device, pinned, &to_device);
	batch.attrs[0].srcLoc.type = ACL_MEM_LOCATION_TYPE_UNREGISTERED;
	check_refused(107000, 0);
}

static void test_a_batch_has_one_direction(void)
{
	make_batch(device, host, &to_device);
	batch.dsts[2] = seen;
	batch.srcs[2] = device;
	batch.dsts[3] = seen + SIZE;
	batch.srcs[3] = device + SIZE;
	batch.attrs[1] = from_device;
	check_refused(107000, 2);
	make_batch(device, second_device, &to_device);
	batch.attrs[0].srcLoc = (aclrtMemLocation){1, ACL_MEM_LOCATION_TYPE_DEVICE};
	check_refused(107000, 0);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "all must lead");
}

static void *without_context(void *argument)
{
	CHECK_EQUAL(copy_now(), 107002);
	CHECK_EQUAL(copy_in(NULL), 107002);
	return argument;
}

static void test_streams_and_contexts_are_checked(void)
{
	aclrtContext before, context;
	aclrtStream stream;
	pthread_t thread;

	make_batch(device, pinned, &to_device);
	pthread_create(&thread, NULL, without_context, NULL);
	pthread_join(thread, NULL);
	aclrtGetCurrentContext(&before);
	aclrtCreateContext(&context, 0);
	aclrtCreateStream(&stream);
	aclrtSetCurrentContext(before);
	CHECK_EQUAL(copy_in(stream), 107003);
	aclrtDestroyContext(context);
	CHECK_EQUAL(copy_in(stream), 107017);
}

int main(void)
{
	setenv("ACLEMU_DEVICES", "2", 1);
	aclrtSetDevice(1);
	aclrtMalloc((void **)&second_device, COPIES * SIZE, ACL_MEM_MALLOC_HUGE_FIRST);
	aclrtSetDevice(0);
	aclrtMalloc((void **)&device, COPIES * SIZE, ACL_MEM_MALLOC_HUGE_FIRST);
	aclrtMallocHost((void **)&pinned, COPIES * SIZE);
	test_a_batch_copies_in_and_out();
	test_a_batch_in_a_stream_copies_in_and_out();
	test_wrong_counts_and_indexes_are_refused();
	test_null_arrays_are_refused();
	test_a_wrong_copy_is_named();
	test_a_refused_batch_holds_no_memory();
	test_places_must_be_as_declared();
	test_a_batch_has_one_direction();
	test_streams_and_contexts_are_checked();
	aclrtFree(device);
	aclrtFree(second_device);
	aclrtFreeHost(pinned);
	aclrtResetDevice(0);
	aclrtResetDevice(1);
	return check_report();
}
