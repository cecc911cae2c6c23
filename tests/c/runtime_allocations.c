/* The other ways to allocate and free, and the hints to caches. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#include "acl/acl.h"
#include "check.h"
#include "child.h"
#include "runtime/stream.h"

static const aclrtMemMallocPolicy policy = ACL_MEM_MALLOC_HUGE_FIRST;

static int fill(void *memory, size_t size)
{
	return aclrtMemset(memory, size, 1, size);
}

static sem_t gate;
static atomic_bool opened;

static aclError wait_at_gate(void *argument)
{
	(void)argument;
	sem_wait(&gate);
	return 0;
}

static void nothing(void *argument)
{
	(void)argument;
}

/* Work that lasts until another thread opens the gate. */
static void *open_gate_later(void *argument)
{
	(void)argument;
	nanosleep(&(struct timespec){.tv_nsec = 30000000}, NULL);
	atomic_store(&opened, true);
	sem_post(&gate);
	return NULL;
}

static pthread_t hold_device(void)
{
	const struct emu_task task = {.name = "gate", .run = wait_at_gate, .drop = nothing, .argument = NULL};
	pthread_t opener;

	atomic_store(&opened, false);
	CHECK_EQUAL(emu_stream_submit(NULL, &task), 0);
	pthread_create(&opener, NULL, open_gate_later, NULL);
	return opener;
}

/* ---- allocating ---- */

static void test_align32_has_no_tail(void)
{
	void *memory;

	CHECK_EQUAL(aclrtMallocAlign32(&memory, 33, policy), 0);
	CHECK_EQUAL(fill(memory, 64), 0);
	CHECK_EQUAL(fill(memory, 65), 107000);
	CHECK_EQUAL(aclrtFree(memory), 0);
}

static void test_cached_and_configured_memory_has_the_tail_of_ordinary_memory(void)
{
	aclrtMallocAttribute attribute = {ACL_RT_MEM_ATTR_MODULE_ID, {.moduleId = 3}};
	aclrtMallocConfig config = {&attribute, 1};
	void *memory[3];

	CHECK_EQUAL(aclrtMallocCached(&memory[0], 33, policy), 0);
	CHECK_EQUAL(aclrtMallocWithCfg(&memory[1], 33, policy, &config), 0);
	CHECK_EQUAL(aclrtMallocForTaskScheduler(&memory[2], 33, policy, NULL), 0);
	for (int i = 0; i < 3; i++) {
		CHECK_EQUAL(fill(memory[i], 96), 0);
		CHECK_EQUAL(fill(memory[i], 97), 107000);
		CHECK_EQUAL(aclrtFree(memory[i]), 0);
	}
}

static void test_bad_arguments_are_refused(void)
{
	void *memory = &memory;

	CHECK_EQUAL(aclrtMallocAlign32(NULL, 8, policy), 100000);
	CHECK_EQUAL(aclrtMallocAlign32(&memory, 0, policy), 100000);
	CHECK_EQUAL(aclrtMallocAlign32(&memory, SIZE_MAX, policy), 100000);
	CHECK_EQUAL(aclrtMallocCached(NULL, 8, policy), 100000);
	CHECK_EQUAL(aclrtMallocCached(&memory, 0, policy), 100000);
	CHECK_EQUAL(aclrtMallocWithCfg(NULL, 8, policy, NULL), 100000);
	CHECK_EQUAL(aclrtMallocWithCfg(&memory, 0, policy, NULL), 100000);
	CHECK_EQUAL(aclrtMallocForTaskScheduler(NULL, 8, policy, NULL), 100000);
	CHECK_EQUAL(aclrtMallocForTaskScheduler(&memory, 0, policy, NULL), 100000);
	CHECK_EQUAL(aclrtMallocHostWithCfg(NULL, 8, NULL), 100000);
	CHECK_EQUAL(aclrtMallocHostWithCfg(&memory, 0, NULL), 100000);
	CHECK_EQUAL(aclrtMallocHostWithCfg(&memory, UINT64_MAX, NULL), 100000);
	CHECK(memory == &memory);
}

static void check_config(aclrtMallocConfig *config, int status)
{
	void *memory = &memory;

	CHECK_EQUAL(aclrtMallocWithCfg(&memory, 8, policy, config), status);
	CHECK_EQUAL(aclrtMallocForTaskScheduler(&memory, 8, policy, config), status);
	CHECK_EQUAL(aclrtMallocHostWithCfg(&memory, 8, config), status);
	CHECK(memory == &memory);
}

static void test_attributes_are_checked(void)
{
	aclrtMallocAttribute attributes[2] = {{ACL_RT_MEM_ATTR_VA_FLAG, {.vaFlag = 1}},
	                                      {(aclrtMallocAttrType)4, {.vaFlag = 1}}};
	aclrtMallocConfig none = {NULL, 1}, unknown = {attributes, 2}, bad_device = {attributes + 1, 1};
	aclrtMallocConfig empty = {NULL, 0};
	void *memory;

	check_config(&none, 100000);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "cfg->attrs");
	check_config(&unknown, 100000);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "attrs[1].attr is 4");
	attributes[1] = (aclrtMallocAttribute){ACL_RT_MEM_ATTR_RSV, {.vaFlag = 1}};
	check_config(&unknown, 100000);
	attributes[1] = (aclrtMallocAttribute){ACL_RT_MEM_ATTR_DEVICE_ID, {.deviceId = 2}};
	check_config(&bad_device, 107001);
	CHECK_EQUAL(aclrtMallocWithCfg(&memory, 8, policy, &empty), 0);
	CHECK_EQUAL(aclrtFree(memory), 0);
}

static void test_an_attribute_chooses_the_device(void)
{
	aclrtMallocAttribute attribute = {ACL_RT_MEM_ATTR_DEVICE_ID, {.deviceId = 1}};
	aclrtMallocConfig config = {&attribute, 1};
	aclrtPtrAttributes found;
	void *memory;

	CHECK_EQUAL(aclrtMallocWithCfg(&memory, 8, policy, &config), 0);
	CHECK_EQUAL(aclrtPointerGetAttributes(memory, &found), 0);
	CHECK_EQUAL(found.location.id, 1);
	CHECK_EQUAL(aclrtFree(memory), 0);
}

static void test_pinned_memory_with_attributes_is_ordinary_pinned_memory(void)
{
	void *memory;

	CHECK_EQUAL(aclrtMallocHostWithCfg(&memory, 100, NULL), 0);
	memset(memory, 1, 128);
	CHECK_EQUAL(aclrtFreeHost(memory), 0);
	CHECK_EQUAL(aclrtFreeHost(memory), 107000);
}

static void *without_context(void *argument)
{
	void *memory = &memory;

	CHECK_EQUAL(aclrtMallocAlign32(&memory, 8, policy), 107002);
	CHECK_EQUAL(aclrtMallocCached(&memory, 8, policy), 107002);
	CHECK_EQUAL(aclrtMallocWithCfg(&memory, 8, policy, NULL), 107002);
	CHECK_EQUAL(aclrtMallocForTaskScheduler(&memory, 8, policy, NULL), 107002);
	CHECK_EQUAL(aclrtMallocHostWithCfg(&memory, 8, NULL), 107002);
	CHECK_EQUAL(aclrtFreeHostWithDevSync(argument), 107002);
	CHECK_EQUAL(aclrtCmoAsync(&memory, 8, ACL_RT_CMO_TYPE_FLUSH, NULL), 107002);
	CHECK(memory == &memory);
	return NULL;
}

static void test_allocating_needs_a_context(void)
{
	pthread_t thread;
	void *pinned;

	aclrtMallocHost(&pinned, 8);
	pthread_create(&thread, NULL, without_context, pinned);
	pthread_join(thread, NULL);
	CHECK_EQUAL(aclrtFreeHost(pinned), 0);
}

static void exhaust(void)
{
	void *memory = &memory, *most;

	setenv("ACLEMU_MEMORY_GB", "0.0625", 1); /* 64 MiB */
	aclrtSetDevice(0);
	CHECK_EQUAL(aclrtMallocAlign32(&most, 64 << 20, policy), 0); /* not a byte is lost */
	CHECK_EQUAL(aclrtMallocAlign32(&memory, 1, policy), 207001);
	CHECK_EQUAL(aclrtMallocCached(&memory, 1, policy), 207001);
	CHECK_EQUAL(aclrtMallocWithCfg(&memory, 1, policy, NULL), 207001);
	CHECK_EQUAL(aclrtMallocForTaskScheduler(&memory, 1, policy, NULL), 207001);
	CHECK(memory == &memory);
	CHECK_EQUAL(aclrtFree(most), 0);
}

/* ---- freeing ---- */

static void test_free_with_sync_waits_for_the_device_first(void)
{
	pthread_t opener;
	void *memory, *pinned;

	aclrtMalloc(&memory, 8, policy);
	aclrtMallocHost(&pinned, 8);
	opener = hold_device();
	CHECK_EQUAL(aclrtFreeWithDevSync(memory), 0);
	CHECK(atomic_load(&opened));
	pthread_join(opener, NULL);
	opener = hold_device();
	CHECK_EQUAL(aclrtFreeHostWithDevSync(pinned), 0);
	CHECK(atomic_load(&opened));
	pthread_join(opener, NULL);
}

static aclError fail(void *argument)
{
	(void)argument;
	return 507035;
}

static void test_free_with_sync_leaves_errors_to_the_synchronise(void)
{
	const struct emu_task task = {.name = "fail", .run = fail, .drop = nothing, .argument = NULL};
	void *memory;

	aclrtMalloc(&memory, 8, policy);
	CHECK_EQUAL(emu_stream_submit(NULL, &task), 0);
	CHECK_EQUAL(aclrtFreeWithDevSync(memory), 0);
	CHECK_EQUAL(aclrtSynchronizeStream(NULL), 507035);
	aclGetRecentErrMsg();
}

static void test_free_with_sync_refuses_what_free_refuses(void)
{
	void *memory, *pinned;

	aclrtMalloc(&memory, 8, policy);
	aclrtMallocHost(&pinned, 8);
	CHECK_EQUAL(aclrtFreeWithDevSync(NULL), 100000);
	CHECK_EQUAL(aclrtFreeWithDevSync((char *)memory + 32), 107000);
	CHECK_EQUAL(aclrtFreeWithDevSync(&memory), 107000);
	CHECK_EQUAL(aclrtFreeWithDevSync(memory), 0);
	CHECK_EQUAL(aclrtFreeWithDevSync(memory), 107000);
	CHECK_EQUAL(aclrtFreeHostWithDevSync(NULL), 100000);
	CHECK_EQUAL(aclrtFreeHostWithDevSync(&memory), 107000);
	CHECK_EQUAL(aclrtFreeHostWithDevSync(pinned), 0);
	CHECK_EQUAL(aclrtFreeHostWithDevSync(pinned), 107000);
}

static void free_before_any_device(void)
{
	int heap;

	CHECK_EQUAL(aclrtFreeWithDevSync(&heap), 107017);
}

/* ---- caches ---- */

static void test_cache_hints_check_their_arguments_and_do_nothing(void)
{
	aclrtStream stream;
	void *memory;

	aclrtCreateStream(&stream);
	aclrtMallocCached(&memory, 100, policy);
	for (int type = 0; type <= 3; type++)
		CHECK_EQUAL(aclrtCmoAsync(memory, 100, (aclrtCmoType)type, stream), 0);
	CHECK_EQUAL(aclrtCmoAsync(memory, 100, (aclrtCmoType)4, stream), 100000);
	CHECK_EQUAL(aclrtCmoAsync(NULL, 100, ACL_RT_CMO_TYPE_PREFETCH, stream), 100000);
	CHECK_EQUAL(aclrtCmoAsync(memory, 0, ACL_RT_CMO_TYPE_PREFETCH, stream), 100000);
	CHECK_EQUAL(aclrtMemFlush(memory, 100), 0);
	CHECK_EQUAL(aclrtMemFlush(NULL, 100), 100000);
	CHECK_EQUAL(aclrtMemFlush(memory, 0), 100000);
	CHECK_EQUAL(aclrtMemInvalidate(memory, 100), 0);
	CHECK_EQUAL(aclrtMemInvalidate(NULL, 100), 100000);
	CHECK_EQUAL(aclrtMemInvalidate(memory, 0), 100000);
	aclrtDestroyStream(stream);
	CHECK_EQUAL(aclrtCmoAsync(memory, 100, ACL_RT_CMO_TYPE_PREFETCH, stream), 107017);
	aclrtFree(memory);
}

int main(void)
{
	CHECK_CHILD(exhaust);
	CHECK_CHILD(free_before_any_device);
	setenv("ACLEMU_DEVICES", "2", 1);
	sem_init(&gate, 0, 0);
	aclrtSetDevice(0);
	test_align32_has_no_tail();
	test_cached_and_configured_memory_has_the_tail_of_ordinary_memory();
	test_bad_arguments_are_refused();
	test_attributes_are_checked();
	test_an_attribute_chooses_the_device();
	test_pinned_memory_with_attributes_is_ordinary_pinned_memory();
	test_allocating_needs_a_context();
	test_free_with_sync_waits_for_the_device_first();
	test_free_with_sync_leaves_errors_to_the_synchronise();
	test_free_with_sync_refuses_what_free_refuses();
	test_cache_hints_check_their_arguments_and_do_nothing();
	aclrtResetDevice(0);
	return check_report();
}
