/* The report of device memory that was never freed. */
#include <stdlib.h>
#include <unistd.h>

#include "acl/acl.h"
#include "check.h"
#include "child.h"

/* Exported and whole, so that the report can name them. */
__attribute__((noinline)) void *allocate(size_t size);
__attribute__((noinline)) void forget_pages(const aclrtPhysicalMemProp *prop);

void *allocate(size_t size)
{
	void *memory = NULL;

	aclrtMalloc(&memory, size, ACL_MEM_MALLOC_HUGE_FIRST);
	return memory;
}

static void use_memory(void)
{
	void *freed;

	aclInit(NULL);
	aclrtSetDevice(0);
	allocate(1001);
	freed = allocate(5000);
	for (size_t i = 1; i < 7; i++)
		allocate(1001 + i);
	aclrtFree(freed);
}

static void leak(void)
{
	setenv("ACLEMU_VERBOSE", "memory", 1);
	use_memory();
	aclFinalize();
}

static void leak_quietly(void)
{
	use_memory();
	aclFinalize();
}

void forget_pages(const aclrtPhysicalMemProp *prop)
{
	aclrtDrvMemHandle handle = NULL;

	CHECK_EQUAL(aclrtMallocPhysical(&handle, 4 << 20, prop, 0), 0);
}

static void leak_physical_memory(void)
{
	const aclrtPhysicalMemProp prop = {.memAttr = ACL_HBM_MEM_HUGE, .location = {0, ACL_MEM_LOCATION_TYPE_DEVICE}};
	void *start;

	setenv("ACLEMU_VERBOSE", "problem,memory", 1);
	aclrtSetDevice(0);
	aclrtReserveMemAddress(&start, 64 << 20, 0, NULL, 1);
	forget_pages(&prop);
	aclFinalize();
}

static void leak_nothing(void)
{
	setenv("ACLEMU_VERBOSE", "memory", 1);
	aclrtSetDevice(0);
	aclrtFree(allocate(100));
	aclFinalize();
	allocate(100); /* seen when the process exits, if it does so by the book: here it does not */
}

static void leak_and_exit(void)
{
	setenv("ACLEMU_VERBOSE", "memory", 1);
	aclrtSetDevice(0);
	allocate(77);
	exit(0);
}

static void count_references(void)
{
	setenv("ACLEMU_VERBOSE", "memory", 1);
	use_memory();
	aclInit(NULL);
	aclFinalizeReference(NULL);
	fprintf(stderr, "one user is left\n");
	aclFinalizeReference(NULL);
}

static void test_the_oldest_are_listed(void)
{
	struct child child = run_child(leak);

	CHECK_EQUAL(child.exit_code, 0);
	CHECK_CONTAINS(child.output, "7 device allocations of 7028 bytes were never freed");
	CHECK_CONTAINS(child.output, "allocation 1: 1001 bytes at 0x");
	CHECK_CONTAINS(child.output, "allocation 3: 1002 bytes at 0x");
	CHECK_CONTAINS(child.output, "allocation 6: 1005 bytes at 0x");
	CHECK(!strstr(child.output, "allocation 2:"));
	CHECK(!strstr(child.output, "allocation 7:")); /* five are enough */
	CHECK(!strstr(child.output, "physical"));
}

static void test_the_report_names_the_function_that_allocated(void)
{
	struct child child = run_child(leak);

	CHECK_CONTAINS(child.output, ", device 0, from runtime_leaks+0x");
	CHECK_CONTAINS(child.output, " (allocate)\n");
	child = run_child(leak_physical_memory);
	CHECK_CONTAINS(child.output, "The oldest is from runtime_leaks+0x");
	CHECK_CONTAINS(child.output, " (forget_pages)\n");
}

static void test_nothing_is_said_without_being_asked(void)
{
	CHECK_EQUAL(run_child(leak_quietly).output[0], 0);
}

static void test_physical_memory_is_counted_and_reservations_are_not(void)
{
	struct child child = run_child(leak_physical_memory);

	CHECK_CONTAINS(child.output, "1 blocks of physical memory, 4194304 bytes, were never freed");
	CHECK(!strstr(child.output, "device allocations"));
}

static void test_nothing_is_said_when_all_is_freed(void)
{
	CHECK_EQUAL(run_child(leak_nothing).output[0], 0);
}

static void test_the_end_of_the_process_is_an_end_too(void)
{
	struct child child = run_child(leak_and_exit);

	CHECK_CONTAINS(child.output, "1 device allocations of 77 bytes");
}

static void test_only_the_last_user_ends_the_process(void)
{
	struct child child = run_child(count_references);
	const char *last = strstr(child.output, "one user is left");

	CHECK(last != NULL);
	CHECK_CONTAINS(last, "7 device allocations");
	CHECK(last && last == child.output);
}

int main(void)
{
	test_the_oldest_are_listed();
	test_the_report_names_the_function_that_allocated();
	test_nothing_is_said_without_being_asked();
	test_physical_memory_is_counted_and_reservations_are_not();
	test_nothing_is_said_when_all_is_freed();
	test_the_end_of_the_process_is_an_end_too();
	test_only_the_last_user_ends_the_process();
	return check_report();
}
