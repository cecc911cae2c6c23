/* What can be asked about memory. */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include "acl/acl.h"
#include "check.h"
#include "child.h"

static const size_t mib = 1 << 20;

static size_t free_bytes(void)
{
	size_t free = 1, total = 1;

	CHECK_EQUAL(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total), 0);
	return free;
}

static void check_info(aclrtMemAttr attribute, size_t want)
{
	size_t free = 1, total = 1;

	CHECK_EQUAL(aclrtGetMemInfo(attribute, &free, &total), 0);
	CHECK_EQUAL(total, want);
	CHECK_EQUAL(free, want);
}

/* ---- how much ---- */

static void check_kinds(size_t hbm, size_t ddr)
{
	static const int ddr_kinds[] = {0, 2, 3, 6, 7};
	static const int other_kinds[] = {1, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17};

	for (size_t i = 0; i < sizeof(ddr_kinds) / sizeof(ddr_kinds[0]); i++)
		check_info((aclrtMemAttr)ddr_kinds[i], ddr);
	for (size_t i = 0; i < sizeof(other_kinds) / sizeof(other_kinds[0]); i++)
		check_info((aclrtMemAttr)other_kinds[i], hbm);
}

static void kinds_of_910b3(void)
{
	aclrtSetDevice(0);
	check_kinds(68719476736, 0);
}

static void kinds_of_310p3(void)
{
	setenv("ACLEMU_SOC", "Ascend310P3", 1);
	aclrtSetDevice(0);
	check_kinds(24000000000, 24000000000);
}

static void use_64_mib(void)
{
	void *first, *second, *third = &third;

	setenv("ACLEMU_MEMORY_GB", "0.0625", 1);
	aclrtSetDevice(0);
	check_info(ACL_HBM_MEM, 64 * mib);
	aclrtMalloc(&first, 100, ACL_MEM_MALLOC_HUGE_FIRST);
	CHECK_EQUAL(free_bytes(), 64 * mib - 160);
	aclrtMallocAlign32(&second, free_bytes(), ACL_MEM_MALLOC_HUGE_FIRST); /* all that is free */
	CHECK_EQUAL(free_bytes(), 0);
	CHECK_EQUAL(aclrtMallocAlign32(&third, 1, ACL_MEM_MALLOC_HUGE_FIRST), 207001);
	CHECK_EQUAL(free_bytes(), 0);
	aclrtFree(second);
	CHECK_EQUAL(free_bytes(), 64 * mib - 160);
	CHECK_EQUAL(aclrtMallocAlign32(&third, free_bytes() + 1, ACL_MEM_MALLOC_HUGE_FIRST), 207001);
	aclrtFree(first);
	check_info(ACL_HBM_MEM, 64 * mib);
}

static void test_wrong_questions_are_refused(void)
{
	size_t free = 1, total = 2;

	CHECK_EQUAL(aclrtGetMemInfo(ACL_HBM_MEM, NULL, &total), 100000);
	CHECK_EQUAL(aclrtGetMemInfo(ACL_HBM_MEM, &free, NULL), 100000);
	CHECK_EQUAL(aclrtGetMemInfo((aclrtMemAttr)18, &free, &total), 107016);
	CHECK_EQUAL(aclrtGetMemInfo((aclrtMemAttr)-1, &free, &total), 107016);
	CHECK(free == 1 && total == 2);
}

static void *without_context(void *argument)
{
	size_t free = 1, total = 2;

	CHECK_EQUAL(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total), 107002);
	CHECK_EQUAL(aclrtGetMemInfo((aclrtMemAttr)18, &free, &total), 107016);
	CHECK(free == 1 && total == 2);
	return argument;
}

static void test_memory_info_needs_a_context(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, without_context, NULL);
	pthread_join(thread, NULL);
}

static void test_every_device_has_its_own_account(void)
{
	size_t before = free_bytes(), other;
	void *memory;

	aclrtMallocAlign32(&memory, mib, ACL_MEM_MALLOC_HUGE_FIRST);
	CHECK_EQUAL(free_bytes(), before - mib);
	aclrtSetDevice(1);
	other = free_bytes();
	CHECK_EQUAL(other, before);
	aclrtFree(memory);
	CHECK_EQUAL(free_bytes(), other);
	aclrtSetDevice(0);
	CHECK_EQUAL(free_bytes(), before);
	aclrtResetDevice(0);
	aclrtResetDevice(1);
}

static void test_usage_has_what_is_used_and_the_peak(void)
{
	aclrtMemUsageInfo info[2] = {0};
	size_t count = 9;
	uint64_t peak;
	void *memory;

	CHECK_EQUAL(aclrtGetMemUsageInfo(1, info, 2, &count), 0);
	CHECK_EQUAL(count, 1);
	CHECK_EQUAL(info[0].curMemSize, 0);
	peak = info[0].memPeakSize;
	aclrtSetDevice(1);
	aclrtMallocAlign32(&memory, peak + mib, ACL_MEM_MALLOC_HUGE_FIRST);
	CHECK_EQUAL(aclrtGetMemUsageInfo(1, info, 1, &count), 0);
	CHECK_EQUAL(info[0].curMemSize, peak + mib);
	CHECK_EQUAL(info[0].memPeakSize, peak + mib);
	aclrtFree(memory);
	CHECK_EQUAL(aclrtGetMemUsageInfo(1, info, 1, &count), 0);
	CHECK_EQUAL(info[0].curMemSize, 0);
	CHECK_EQUAL(info[0].memPeakSize, peak + mib);
	CHECK(info[0].name[0] != 0);
	aclrtSetDevice(0);
	aclrtResetDevice(0);
	aclrtResetDevice(1);
	count = 9;
	CHECK_EQUAL(aclrtGetMemUsageInfo(2, info, 1, &count), 107001);
	CHECK_EQUAL(aclrtGetMemUsageInfo(-1, info, 1, &count), 107001);
	CHECK_EQUAL(aclrtGetMemUsageInfo(0, NULL, 1, &count), 100000);
	CHECK_EQUAL(aclrtGetMemUsageInfo(0, info, 0, &count), 100000);
	CHECK_EQUAL(aclrtGetMemUsageInfo(0, info, 1, NULL), 100000);
	CHECK_EQUAL(count, 9);
}

/* ---- what an address is ---- */

static void check_place(const void *address, aclrtMemLocationType type, uint32_t id, uint32_t page)
{
	aclrtPtrAttributes found = {.location = {99, (aclrtMemLocationType)99}};

	CHECK_EQUAL(aclrtPointerGetAttributes(address, &found), 0);
	CHECK_EQUAL(found.location.type, type);
	CHECK_EQUAL(found.location.id, id);
	CHECK_EQUAL(found.pageSize, page);
}

static void test_an_address_has_its_place(void)
{
	char *small, *large, *normal, *pinned, *other, *heap = malloc(8);

	aclrtMalloc((void **)&small, 100, ACL_MEM_MALLOC_HUGE_FIRST);
	aclrtMalloc((void **)&large, mib + 1, ACL_MEM_MALLOC_HUGE_FIRST);
	aclrtMalloc((void **)&normal, mib + 1, ACL_MEM_MALLOC_NORMAL_ONLY);
	aclrtMallocHost((void **)&pinned, 100);
	aclrtSetDevice(1);
	aclrtMalloc((void **)&other, 100, ACL_MEM_MALLOC_HUGE_ONLY);
	check_place(small, ACL_MEM_LOCATION_TYPE_DEVICE, 0, 4096);
	check_place(large + mib, ACL_MEM_LOCATION_TYPE_DEVICE, 0, 2 << 20);
	check_place(normal, ACL_MEM_LOCATION_TYPE_DEVICE, 0, 4096);
	check_place(other + 99, ACL_MEM_LOCATION_TYPE_DEVICE, 1, 2 << 20);
	check_place(pinned + 99, ACL_MEM_LOCATION_TYPE_HOST, 0, 4096);
	check_place(heap, ACL_MEM_LOCATION_TYPE_UNREGISTERED, 0, 0);
	aclrtSetDevice(0);
	aclrtFree(small);
	aclrtFree(large);
	aclrtFree(normal);
	aclrtFree(other);
	aclrtFreeHost(pinned);
	aclrtResetDevice(0);
	aclrtResetDevice(1);
	free(heap);
}

static void test_device_addresses_without_memory_have_no_place(void)
{
	aclrtPtrAttributes found = {.pageSize = 7};
	char *memory;

	aclrtMalloc((void **)&memory, 100, ACL_MEM_MALLOC_HUGE_FIRST);
	CHECK_EQUAL(aclrtPointerGetAttributes(memory + 160, &found), 507899);
	CHECK_EQUAL(aclrtPointerGetAttributes(memory + 159, &found), 0);
	aclrtFree(memory);
	found.pageSize = 7;
	CHECK_EQUAL(aclrtPointerGetAttributes(memory, &found), 507899);
	CHECK_EQUAL(aclrtPointerGetAttributes(NULL, &found), 100000);
	CHECK_EQUAL(aclrtPointerGetAttributes(memory, NULL), 100000);
	CHECK_EQUAL(found.pageSize, 7);
}

static void test_an_address_has_its_block(void)
{
	char *memory, *pinned;
	void *base = &base;
	size_t size = 7;
	int heap;

	aclrtMalloc((void **)&memory, 100, ACL_MEM_MALLOC_HUGE_FIRST);
	aclrtMallocHost((void **)&pinned, 100);
	CHECK_EQUAL(aclrtMemGetAddressRange(NULL, &base, &size), 100000);
	CHECK_EQUAL(aclrtMemGetAddressRange(memory, NULL, &size), 100000);
	CHECK_EQUAL(aclrtMemGetAddressRange(memory, &base, NULL), 100000);
	CHECK_EQUAL(aclrtMemGetAddressRange(&heap, &base, &size), 107000);
	CHECK_EQUAL(aclrtMemGetAddressRange(memory + 160, &base, &size), 107000);
	CHECK(base == &base && size == 7);
	CHECK_EQUAL(aclrtMemGetAddressRange(memory + 77, &base, &size), 0);
	CHECK(base == memory && size == 160);
	CHECK_EQUAL(aclrtMemGetAddressRange(pinned + 77, &base, &size), 0);
	CHECK(base == pinned && size == 128);
	aclrtFree(memory);
	CHECK_EQUAL(aclrtMemGetAddressRange(memory, &base, &size), 107000);
	aclrtFreeHost(pinned);
	CHECK_EQUAL(aclrtMemGetAddressRange(pinned, &base, &size), 107000);
}

int main(void)
{
	CHECK_CHILD(kinds_of_910b3);
	CHECK_CHILD(kinds_of_310p3);
	CHECK_CHILD(use_64_mib);
	setenv("ACLEMU_DEVICES", "2", 1);
	aclrtSetDevice(0);
	test_wrong_questions_are_refused();
	test_memory_info_needs_a_context();
	test_every_device_has_its_own_account();
	aclrtSetDevice(0);
	test_usage_has_what_is_used_and_the_peak();
	aclrtSetDevice(0);
	test_an_address_has_its_place();
	aclrtSetDevice(0);
	test_device_addresses_without_memory_have_no_place();
	test_an_address_has_its_block();
	aclrtResetDevice(0);
	return check_report();
}
