/* What is left: device memory that was not freed, and work that has not ended. */
#include <stdatomic.h>
#include <unistd.h>

#include "acl/acl_rt.h"
#include "aclemu/aclemu.h"
#include "check.h"

enum { MANY = 100 };

static void test_memory_is_listed_until_it_is_freed(void)
{
	void *first, *second, *third;
	struct aclemuAllocation found[4];

	CHECK_EQUAL(aclemuGetAllocations(found, 4), 0);
	CHECK_EQUAL(aclrtMalloc(&first, 1000, ACL_MEM_MALLOC_HUGE_FIRST), 0);
	CHECK_EQUAL(aclrtMalloc(&second, 2000, ACL_MEM_MALLOC_HUGE_FIRST), 0);
	CHECK_EQUAL(aclrtMalloc(&third, 3000, ACL_MEM_MALLOC_HUGE_FIRST), 0);
	CHECK_EQUAL(aclrtFree(second), 0);
	CHECK_EQUAL(aclemuGetAllocations(found, 4), 2);
	CHECK_EQUAL(found[0].bytes, 1000);
	CHECK(found[0].address == first && found[0].device == 0);
	CHECK_EQUAL(found[1].bytes, 3000);
	CHECK(found[1].address == third);
	CHECK_EQUAL(found[1].number - found[0].number, 2);
	CHECK_EQUAL(aclrtFree(first), 0);
	CHECK_EQUAL(aclrtFree(third), 0);
	CHECK_EQUAL(aclemuGetAllocations(NULL, 0), 0);
}

static void test_memory_of_the_host_does_not_count(void)
{
	void *memory;

	CHECK_EQUAL(aclrtMallocHost(&memory, 1000), 0);
	CHECK_EQUAL(aclemuGetAllocations(NULL, 0), 0);
	CHECK_EQUAL(aclrtFreeHost(memory), 0);
}

static void test_no_more_is_written_than_there_is_room(void)
{
	void *memory[MANY];
	struct aclemuAllocation found[MANY], untouched = {.number = 12345};

	for (int i = 0; i < MANY; i++)
		CHECK_EQUAL(aclrtMalloc(&memory[i], 64, ACL_MEM_MALLOC_HUGE_FIRST), 0);
	found[3] = untouched;
	CHECK_EQUAL(aclemuGetAllocations(found, 3), MANY);
	CHECK_EQUAL(found[3].number, untouched.number);
	CHECK_EQUAL(aclemuGetAllocations(found, MANY), MANY);
	for (int i = 1; i < MANY; i++)
		CHECK(found[i].number > found[i - 1].number);
	for (int i = 0; i < MANY; i++)
		CHECK_EQUAL(aclrtFree(memory[i]), 0);
}

static atomic_bool may_end;

static void waits(void *argument)
{
	(void)argument;
	while (!atomic_load(&may_end))
		usleep(100);
}

static void test_work_is_seen_until_it_ends(void)
{
	aclrtStream stream;

	CHECK_EQUAL(aclrtCreateStream(&stream), 0);
	CHECK(!aclemuHasUnfinishedWork());
	CHECK_EQUAL(aclrtLaunchHostFunc(stream, waits, NULL), 0);
	CHECK(aclemuHasUnfinishedWork());
	atomic_store(&may_end, true);
	CHECK_EQUAL(aclrtSynchronizeStream(stream), 0);
	CHECK(!aclemuHasUnfinishedWork());
	CHECK_EQUAL(aclrtDestroyStream(stream), 0);
}

int main(void)
{
	CHECK(!aclemuHasUnfinishedWork());
	CHECK_EQUAL(aclemuGetAllocations(NULL, 0), 0);
	CHECK_EQUAL(aclrtSetDevice(0), 0);
	test_memory_is_listed_until_it_is_freed();
	test_memory_of_the_host_does_not_count();
	test_no_more_is_written_than_there_is_room();
	test_work_is_seen_until_it_ends();
	CHECK_EQUAL(aclrtResetDevice(0), 0);
	return check_report();
}
