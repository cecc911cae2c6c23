/* Device memory and pinned host memory: sizes, addresses, limits, pins, and wrong frees. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "acl/acl.h"
#include "check.h"
#include "child.h"
#include "runtime/memory.h"

static void *allocate(size_t size)
{
	void *memory = NULL;

	CHECK_EQUAL(aclrtMalloc(&memory, size, ACL_MEM_MALLOC_HUGE_FIRST), 0);
	return memory;
}

static int copy_in(void *to, size_t size)
{
	char *zeros = calloc(1, size);
	int status = aclrtMemcpy(to, size, zeros, size, ACL_MEMCPY_HOST_TO_DEVICE);

	free(zeros);
	return status;
}

/* ---- allocating ---- */

static void test_bad_arguments_are_refused(void)
{
	void *memory = &memory;

	CHECK_EQUAL(aclrtMalloc(NULL, 8, ACL_MEM_MALLOC_HUGE_FIRST), 100000);
	CHECK_EQUAL(aclrtMalloc(&memory, 0, ACL_MEM_MALLOC_HUGE_FIRST), 100000);
	CHECK_EQUAL(aclrtMalloc(&memory, SIZE_MAX, ACL_MEM_MALLOC_HUGE_FIRST), 100000);
	CHECK_EQUAL(aclrtMalloc(&memory, SIZE_MAX - 40, ACL_MEM_MALLOC_HUGE1G_ONLY), 100000);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "size is 18446744073709551575");
	CHECK_EQUAL(aclrtMallocHost(NULL, 8), 100000);
	CHECK_EQUAL(aclrtMallocHost(&memory, 0), 100000);
	CHECK_EQUAL(aclrtMallocHost(&memory, SIZE_MAX), 100000);
	CHECK_EQUAL(aclrtFree(NULL), 100000);
	CHECK_EQUAL(aclrtFreeHost(NULL), 100000);
	CHECK(memory == &memory);
}

static void test_unknown_policies_are_accepted(void)
{
	void *memory = NULL;

	CHECK_EQUAL(aclrtMalloc(&memory, 8, (aclrtMemMallocPolicy)0x1004), 0);
	CHECK_EQUAL(aclrtFree(memory), 0);
	CHECK_EQUAL(aclrtMalloc(&memory, 8, (aclrtMemMallocPolicy)77), 0);
	CHECK_EQUAL(aclrtFree(memory), 0);
}

static void test_addresses_are_aligned_apart_and_foreign(void)
{
	uintptr_t last = 0;

	for (size_t size = 1; size < 6000000; size = size * 3 + 1) {
		uintptr_t memory = (uintptr_t)allocate(size);

		CHECK_EQUAL(memory % 512, 0);
		CHECK(memory >= last + 4096); /* a guard page lies between */
		last = memory + size;
	}
	aclrtResetDeviceForce(0);
	aclrtSetDevice(0);
}

static void test_sizes_are_rounded_up_to_32_and_get_32_more(void)
{
	void *memory = allocate(33);

	CHECK_EQUAL(copy_in(memory, 96), 0);
	CHECK_EQUAL(copy_in(memory, 97), 107000);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "by 1 bytes");
	CHECK_EQUAL(aclrtFree(memory), 0);
}

static void use_950(void)
{
	void *memory;

	setenv("ACLEMU_SOC", "Ascend950PR_9589", 1);
	aclrtSetDevice(0);
	memory = allocate(33);
	CHECK_EQUAL(copy_in(memory, 64), 0);
	CHECK_EQUAL(copy_in(memory, 65), 107000);
}

static void test_on_950_sizes_are_only_rounded(void)
{
	CHECK_CHILD(use_950);
}

static void test_a_freed_address_is_not_used_again_at_once(void)
{
	void *first = allocate(5000);

	aclrtFree(first);
	for (int i = 0; i < 100; i++) {
		void *next = allocate(5000);

		CHECK(next != first);
		aclrtFree(next);
	}
}

static void exhaust_small_device(void)
{
	void *memory = &memory, *half, *other;

	setenv("ACLEMU_MEMORY_GB", "0.0625", 1); /* 64 MiB */
	aclrtSetDevice(0);
	CHECK_EQUAL(aclrtMalloc(&memory, 65 << 20, ACL_MEM_MALLOC_HUGE_FIRST), 207001);
	CHECK(memory == &memory);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "ACLEMU_MEMORY_GB");
	half = allocate(40 << 20);
	CHECK_EQUAL(aclrtMalloc(&memory, 40 << 20, ACL_MEM_MALLOC_HUGE_FIRST), 207001);
	CHECK_EQUAL(copy_in(half, 1000), 0); /* the context is healthy */
	CHECK_EQUAL(aclrtFree(half), 0);
	CHECK_EQUAL(aclrtMalloc(&memory, 40 << 20, ACL_MEM_MALLOC_HUGE_FIRST), 0);
	other = allocate((24 << 20) - 64);
	CHECK_EQUAL(aclrtMalloc(&half, 64, ACL_MEM_MALLOC_HUGE_FIRST), 207001);
	CHECK_EQUAL(aclrtFree(other), 0);
	/* the window is far larger: more than 64 MiB can pass through it, and places come round again */
	for (int i = 0; i < 200; i++)
		CHECK_EQUAL(aclrtFree(allocate(20 << 20)), 0);
}

static void test_the_capacity_is_a_limit_that_frees_give_back(void)
{
	CHECK_CHILD(exhaust_small_device);
}

static void ask_for_more_than_the_host_has(void)
{
	void *memory = &memory;

	setenv("ACLEMU_MEMORY_GB", "4096", 1);
	aclrtSetDevice(0);
	CHECK_EQUAL(aclrtMalloc(&memory, (size_t)3 << 40, ACL_MEM_MALLOC_HUGE_FIRST), 207001);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "the host has");
	CHECK_EQUAL(aclrtMallocHost(&memory, (size_t)3 << 40), 207001);
	CHECK_EQUAL(aclrtMallocHostWithCfg(&memory, (size_t)3 << 40, NULL), 207001);
	CHECK(memory == &memory);
}

static void test_the_host_is_not_driven_out_of_memory(void)
{
	CHECK_CHILD(ask_for_more_than_the_host_has);
}

static void live_with_little_address_space(void)
{
	struct rlimit limit = {(rlim_t)1 << 33, (rlim_t)1 << 33};
	void *memory;

	setrlimit(RLIMIT_AS, &limit);
	CHECK_EQUAL(aclrtSetDevice(0), 0);
	memory = allocate(1 << 20);
	CHECK_EQUAL(copy_in(memory, 1 << 20), 0);
}

static void wrap_around_small_window(void)
{
	struct rlimit limit = {(rlim_t)1 << 32, (rlim_t)1 << 32};
	void *kept, *first, *again = NULL, *behind;
	int rounds = 0;

	setrlimit(RLIMIT_AS, &limit);
	CHECK_EQUAL(aclrtSetDevice(0), 0);
	first = allocate(1 << 20);
	kept = allocate(1 << 20);
	aclrtFree(first);
	while (again != first && rounds++ < 20000) {
		if (again)
			aclrtFree(again);
		again = allocate(1 << 20);
		CHECK(again != kept);
	}
	CHECK(rounds > 100);
	CHECK(again == first);
	behind = allocate(1 << 20); /* beyond the padding of what was kept, and a page */
	CHECK((char *)behind >= (char *)kept + (1 << 20) + 2 * 4096);
	CHECK_EQUAL(copy_in(kept, 1 << 20), 0);
}

/* Sanitizers need more address space than such a limit leaves. */
static bool address_space_may_be_limited(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	return false;
#else
	return true;
#endif
}

/* ---- freeing ---- */

static void free_before_any_device(void)
{
	int heap;

	CHECK_EQUAL(aclrtFree(&heap), 107017);
	CHECK_EQUAL(aclrtFreeHost(&heap), 107000);
}

static void test_wrong_frees_are_refused_with_a_reason(void)
{
	char *memory = allocate(1000);
	void *heap = malloc(10);

	CHECK_EQUAL(aclrtFree(memory + 32), 107000);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "lies inside allocation");
	CHECK_EQUAL(aclrtFree(memory + (1 << 20)), 107000);
	CHECK_EQUAL(aclrtFree(heap), 107000);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "was not given by aclrtMalloc");
	CHECK_EQUAL(aclrtFreeHost(memory), 107000);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "aclrtFree");
	CHECK_EQUAL(aclrtFreeHost(heap), 107000);
	CHECK_EQUAL(aclrtFree(memory), 0);
	CHECK_EQUAL(aclrtFree(memory), 107000);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "(1000 bytes), which was freed already");
	free(heap);
}

static void *free_in_thread(void *memory)
{
	return (void *)(intptr_t)aclrtFree(memory);
}

static void test_any_thread_may_free_without_a_context(void)
{
	void *memory = allocate(100);
	pthread_t thread;
	void *status;

	pthread_create(&thread, NULL, free_in_thread, memory);
	pthread_join(thread, &status);
	CHECK(status == NULL);
	CHECK_EQUAL(aclrtFree(memory), 107000);
}

static void test_device_memory_outlives_a_reset(void)
{
	void *memory = allocate(100);

	aclrtResetDeviceForce(0);
	aclrtSetDevice(0);
	CHECK_EQUAL(copy_in(memory, 100), 0);
	CHECK_EQUAL(aclrtFree(memory), 0);
}

static void test_pinned_memory_is_ordinary_memory_with_its_own_free(void)
{
	void *memory = NULL;

	CHECK_EQUAL(aclrtMallocHost(&memory, 100), 0);
	CHECK_EQUAL((uintptr_t)memory % 64, 0);
	memset(memory, 1, 100);
	CHECK_EQUAL(aclrtFreeHost((char *)memory + 1), 107000);
	CHECK_EQUAL(aclrtFreeHost(memory), 0);
	CHECK_EQUAL(aclrtFreeHost(memory), 107000);
	CHECK_EQUAL(aclrtMallocHost(&memory, 100), 0);
	CHECK_EQUAL(aclrtFree(memory), 0); /* the driver takes it, though documented otherwise */
}

/* ---- pins ---- */

static void test_a_pin_gives_bytes_that_copies_see(void)
{
	char *memory = allocate(1000);
	struct emu_pin pin;
	char copy = 0;

	CHECK_EQUAL(emu_memory_pin("input", memory + 10, 990, &pin), 0);
	CHECK(pin.bytes != memory + 10);
	((char *)pin.bytes)[7] = 42;
	CHECK_EQUAL(aclrtMemcpy(&copy, 1, memory + 17, 1, ACL_MEMCPY_DEVICE_TO_HOST), 0);
	CHECK_EQUAL(copy, 42);
	emu_memory_unpin(&pin);
	emu_memory_unpin(&pin); /* a pin given back is a zeroed one */
	aclrtFree(memory);
}

static void check_no_pin(const void *address, uint64_t size, const char *reason)
{
	struct emu_pin pin = {.bytes = &pin};

	CHECK_EQUAL(emu_memory_pin("gradOutput", address, size, &pin), 507015);
	CHECK(pin.bytes == NULL && pin.allocation == NULL);
	const char *text = aclGetRecentErrMsg();
	CHECK_CONTAINS(text, "EZ9999");
	CHECK_CONTAINS(text, "gradOutput");
	CHECK_CONTAINS(text, reason);
}

static void test_what_is_no_device_memory_cannot_be_pinned(void)
{
	char *memory = allocate(1000);
	void *pinned;
	int heap;
	struct emu_pin pin;

	aclrtMallocHost(&pinned, 100);
	check_no_pin(NULL, 1, "null pointer");
	check_no_pin(&heap, 4, "is host memory");
	check_no_pin(pinned, 4, "is pinned host memory");
	check_no_pin(memory + (1 << 20), 4, "in no allocation");
	check_no_pin(memory + 500, 600, "by 44 bytes");
	check_no_pin(memory + 500, UINT64_MAX, "leave allocation");
	aclrtFree(memory);
	check_no_pin(memory + 5, 4, "which was freed");
	CHECK_EQUAL(emu_memory_pin("bias", NULL, 0, &pin), 0);
	CHECK(pin.bytes == NULL);
	aclrtFreeHost(pinned);
}

static void test_bytes_stay_while_pinned_and_then_go(void)
{
	char *memory = allocate(1 << 20);
	struct emu_pin first, second;
	unsigned char resident;
	void *page;

	emu_memory_pin("input", memory, 1 << 20, &first);
	emu_memory_pin("input", memory + 4096, 4096, &second);
	memset(first.bytes, 5, 1 << 20);
	page = first.bytes;
	CHECK_EQUAL(aclrtFree(memory), 0);
	check_no_pin(memory, 4, "which was freed");
	CHECK_EQUAL(aclrtFree(memory), 107000);
	CHECK_EQUAL(((char *)second.bytes)[100], 5);
	emu_memory_unpin(&first);
	CHECK_EQUAL(((char *)second.bytes)[100], 5);
	emu_memory_unpin(&second);
	CHECK_EQUAL(mincore(page, 4096, &resident), 0);
	CHECK_EQUAL(resident & 1, 0);
}

/* ---- threads ---- */

static atomic_int failures;

static void *churn(void *seed)
{
	unsigned state = (unsigned)(intptr_t)seed;
	void *held[16] = {0};

	aclrtSetDevice(0);
	for (int i = 0; i < 2000; i++) {
		int slot = rand_r(&state) % 16;
		struct emu_pin pin;

		if (!held[slot]) {
			aclrtMalloc(&held[slot], 1 + (size_t)rand_r(&state) % 20000, ACL_MEM_MALLOC_HUGE_FIRST);
			continue;
		}
		if (emu_memory_pin("input", held[slot], 1, &pin) || aclrtFree(held[slot])) {
			atomic_fetch_add(&failures, 1);
			break;
		}
		*(char *)pin.bytes = 1;
		emu_memory_unpin(&pin);
		held[slot] = NULL;
	}
	for (int i = 0; i < 16; i++)
		if (held[i])
			aclrtFree(held[i]);
	aclrtResetDevice(0);
	return seed;
}

static void test_threads_may_allocate_and_free_at_once(void)
{
	pthread_t threads[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, churn, (void *)(intptr_t)(i + 1));
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	CHECK_EQUAL(atomic_load(&failures), 0);
}

int main(void)
{
	CHECK_CHILD(free_before_any_device);
	test_on_950_sizes_are_only_rounded();
	test_the_capacity_is_a_limit_that_frees_give_back();
	test_the_host_is_not_driven_out_of_memory();
	if (address_space_may_be_limited()) {
		CHECK_CHILD(live_with_little_address_space);
		CHECK_CHILD(wrap_around_small_window);
	}

	aclrtSetDevice(0);
	test_bad_arguments_are_refused();
	test_unknown_policies_are_accepted();
	test_addresses_are_aligned_apart_and_foreign();
	test_sizes_are_rounded_up_to_32_and_get_32_more();
	test_a_freed_address_is_not_used_again_at_once();
	test_wrong_frees_are_refused_with_a_reason();
	test_any_thread_may_free_without_a_context();
	test_device_memory_outlives_a_reset();
	test_pinned_memory_is_ordinary_memory_with_its_own_free();
	test_a_pin_gives_bytes_that_copies_see();
	test_what_is_no_device_memory_cannot_be_pinned();
	test_bytes_stay_while_pinned_and_then_go();
	test_threads_may_allocate_and_free_at_once();
	return check_report();
}
