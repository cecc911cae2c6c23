/* Reserved addresses, physical memory, mapping, rights, and handing memory on. */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "acl/acl.h"
#include "check.h"
#include "child.h"
#include "runtime/memory.h"

static const size_t mib = 1 << 20;
static const size_t granule = 2 << 20;

static const aclrtPhysicalMemProp huge = {.location = {0, ACL_MEM_LOCATION_TYPE_DEVICE}, .memAttr = ACL_HBM_MEM_HUGE};
static const aclrtPhysicalMemProp normal = {.location = {0, ACL_MEM_LOCATION_TYPE_DEVICE},
                                            .memAttr = ACL_HBM_MEM_NORMAL};
static const aclrtPhysicalMemProp of_second = {.location = {1, ACL_MEM_LOCATION_TYPE_DEVICE},
                                               .memAttr = ACL_HBM_MEM_HUGE};

static char *reserve(size_t size)
{
	void *start = NULL;

	CHECK_EQUAL(aclrtReserveMemAddress(&start, size, 0, NULL, 1), 0);
	CHECK_EQUAL((uintptr_t)start % granule, 0);
	return start;
}

static aclrtDrvMemHandle make(size_t size, const aclrtPhysicalMemProp *prop)
{
	aclrtDrvMemHandle handle = NULL;

	CHECK_EQUAL(aclrtMallocPhysical(&handle, size, prop, 0), 0);
	return handle;
}

static size_t free_bytes(void)
{
	size_t free = 0, total;

	CHECK_EQUAL(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total), 0);
	return free;
}

static int fill(char *address, int value, size_t size)
{
	return aclrtMemset(address, size, value, size);
}

static int peek(const char *address)
{
	char byte = 99;

	CHECK_EQUAL(aclrtMemcpy(&byte, 1, address, 1, ACL_MEMCPY_DEFAULT), 0);
	return byte;
}

/* ---- reserving ---- */

static void test_a_reservation_is_only_addresses(void)
{
	size_t before = free_bytes();
	char *start = reserve((size_t)72 << 30); /* more than the device has */
	aclrtPtrAttributes found;
	struct emu_pin pin;

	CHECK_EQUAL(free_bytes(), before);
	CHECK_EQUAL(fill(start, 1, 1), 107000);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "where nothing is mapped");
	CHECK_EQUAL(aclrtPointerGetAttributes(start, &found), 507899);
	CHECK_EQUAL(emu_memory_pin("input", start, 1, &pin), 507015);
	CHECK_EQUAL(aclrtFree(start), 107000);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "aclrtReleaseMemAddress");
	CHECK_EQUAL(aclrtReleaseMemAddress(start), 0);
	CHECK_EQUAL(aclrtReleaseMemAddress(start), 107000);
}

static void test_reservations_and_allocations_lie_apart(void)
{
	char *first = reserve(5), *second = reserve(3 * mib), *memory;

	aclrtMalloc((void **)&memory, 1, ACL_MEM_MALLOC_HUGE_FIRST);
	CHECK(second > first + granule && memory > second + 2 * granule);
	CHECK_EQUAL(aclrtReleaseMemAddress(first), 0);
	CHECK_EQUAL(aclrtReleaseMemAddress(second), 0);
	CHECK_EQUAL(aclrtReleaseMemAddress(memory), 107000);
	CHECK_EQUAL(aclrtFree(memory), 0);
}

static void test_a_wish_is_granted_where_it_can_be(void)
{
	char *first = reserve(granule);
	void *wished = first + 64 * granule, *again = NULL;
	void *start = NULL;

	if ((uintptr_t)wished < (uintptr_t)16 << 40 || (uintptr_t)wished >= (uintptr_t)24 << 40)
		return; /* device addresses are elsewhere under some sanitizers */
	CHECK_EQUAL(aclrtReserveMemAddress(&start, granule, 0, wished, 0), 0);
	CHECK(start == wished);
	CHECK_EQUAL(aclrtReserveMemAddress(&again, granule, 0, wished, 0), 0);
	CHECK(again && again != wished);
	aclrtReleaseMemAddress(first);
	aclrtReleaseMemAddress(start);
	aclrtReleaseMemAddress(again);
}

static void test_wrong_reservations_are_refused(void)
{
	void *start = &start;

	CHECK_EQUAL(aclrtReserveMemAddress(NULL, granule, 0, NULL, 0), 100000);
	CHECK_EQUAL(aclrtReserveMemAddress(&start, 0, 0, NULL, 0), 100000);
	CHECK_EQUAL(aclrtReserveMemAddress(&start, granule, 0, NULL, 2), 100000);
	CHECK_EQUAL(aclrtReserveMemAddress(&start, granule, 64, NULL, 0), 107000);
	CHECK_EQUAL(aclrtReserveMemAddress(&start, granule, 0, (void *)4096, 0), 107000);
	CHECK_EQUAL(aclrtReserveMemAddress(&start, granule, 0, (void *)((uintptr_t)24 << 40), 0), 107000);
	CHECK_EQUAL(aclrtReserveMemAddress(&start, SIZE_MAX, 0, NULL, 0), 207001);
	CHECK_EQUAL(aclrtReserveMemAddress(&start, (size_t)1 << 46, 0, NULL, 0), 207001);
	CHECK(start == &start);
	CHECK_EQUAL(aclrtReleaseMemAddress(NULL), 100000);
	CHECK_EQUAL(aclrtReleaseMemAddress(&start), 107000);
}

/* ---- physical memory ---- */

static void test_physical_memory_is_on_the_account_of_its_device(void)
{
	size_t before = free_bytes(), second;
	aclrtDrvMemHandle handle = make(20 * mib, &huge), other;

	CHECK_EQUAL(free_bytes(), before - 20 * mib);
	aclrtSetDevice(1);
	second = free_bytes();
	other = make(4 * mib, &of_second);
	CHECK_EQUAL(free_bytes(), second - 4 * mib);
	CHECK_EQUAL(aclrtFreePhysical(other), 0);
	CHECK_EQUAL(aclrtFreePhysical(handle), 0);
	CHECK_EQUAL(free_bytes(), second);
	aclrtSetDevice(0);
	CHECK_EQUAL(free_bytes(), before);
	CHECK_EQUAL(aclrtFreePhysical(handle), 107017);
	CHECK_EQUAL(aclrtFreePhysical(&handle), 107017);
	CHECK_EQUAL(aclrtFreePhysical(NULL), 100000);
}

static void exhaust(void)
{
	aclrtDrvMemHandle handle, none = &none;
	char *start;

	setenv("ACLEMU_MEMORY_GB", "0.0625", 1); /* 64 MiB */
	aclrtSetDevice(0);
	start = reserve(256 * mib);
	handle = make(62 * mib, &huge);
	CHECK_EQUAL(free_bytes(), 2 * mib);
	CHECK_EQUAL(aclrtMallocPhysical(&none, 4 * mib, &huge, 0), 207001);
	CHECK(none == &none);
	CHECK_EQUAL(aclrtMapMem(start, 62 * mib, 0, handle, 0), 0); /* mapping takes nothing */
	CHECK_EQUAL(free_bytes(), 2 * mib);
	CHECK_EQUAL(aclrtFreePhysical(handle), 0);
	CHECK_EQUAL(free_bytes(), 2 * mib); /* it is mapped still */
	CHECK_EQUAL(fill(start, 1, 62 * mib), 0);
	CHECK_EQUAL(aclrtUnmapMem(start), 0);
	CHECK_EQUAL(free_bytes(), 64 * mib);
}

static void check_granularity(aclrtMemAttr attribute, size_t want)
{
	aclrtPhysicalMemProp prop = huge;
	size_t got = 0;

	prop.memAttr = attribute;
	CHECK_EQUAL(aclrtMemGetAllocationGranularity(&prop, ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM, &got), 0);
	CHECK_EQUAL(got, want);
	CHECK_EQUAL(aclrtMemGetAllocationGranularity(&prop, ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED, &got), 0);
	CHECK_EQUAL(got, want);
}

static void test_granularity_follows_the_pages(void)
{
	static const int normals[] = {5, 9, 12, 15}, huges[] = {1, 4, 8, 13, 16}, gigabytes[] = {10, 11, 14, 17};
	static const int ddrs[] = {0, 2, 3, 6, 7};
	aclrtPhysicalMemProp prop = huge;
	size_t got = 7;

	for (int i = 0; i < 4; i++)
		check_granularity((aclrtMemAttr)normals[i], 4096);
	for (int i = 0; i < 5; i++)
		check_granularity((aclrtMemAttr)huges[i], 2 << 20);
	for (int i = 0; i < 4; i++)
		check_granularity((aclrtMemAttr)gigabytes[i], 1 << 30);
	for (int i = 0; i < 5; i++) {
		prop.memAttr = (aclrtMemAttr)ddrs[i];
		CHECK_EQUAL(aclrtMemGetAllocationGranularity(&prop, ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM, &got), 107000);
	}
	prop.memAttr = (aclrtMemAttr)18;
	CHECK_EQUAL(aclrtMemGetAllocationGranularity(&prop, ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM, &got), 107000);
	prop = huge;
	CHECK_EQUAL(aclrtMemGetAllocationGranularity(NULL, ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM, &got), 100000);
	CHECK_EQUAL(aclrtMemGetAllocationGranularity(&prop, ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM, NULL), 100000);
	CHECK_EQUAL(aclrtMemGetAllocationGranularity(&prop, (aclrtMemGranularityOptions)2, &got), 100000);
	CHECK_EQUAL(aclrtMemGetAllocationGranularity(&prop, ACL_RT_MEM_ALLOC_GRANULARITY_UNDEF, &got), 100000);
	prop.location.id = 2;
	CHECK_EQUAL(aclrtMemGetAllocationGranularity(&prop, ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM, &got), 107001);
	prop.location.type = ACL_MEM_LOCATION_TYPE_HOST;
	CHECK_EQUAL(aclrtMemGetAllocationGranularity(&prop, ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM, &got), 207000);
	CHECK_EQUAL(got, 7);
}

static void check_no_memory(aclrtPhysicalMemProp prop, size_t size, uint64_t flags, int status)
{
	aclrtDrvMemHandle handle = &handle;

	CHECK_EQUAL(aclrtMallocPhysical(&handle, size, &prop, flags), status);
	CHECK(handle == &handle);
}

static void test_wrong_memory_is_refused(void)
{
	aclrtPhysicalMemProp prop = huge;
	aclrtDrvMemHandle handle = &handle;

	CHECK_EQUAL(aclrtMallocPhysical(NULL, granule, &huge, 0), 100000);
	CHECK_EQUAL(aclrtMallocPhysical(&handle, granule, NULL, 0), 100000);
	check_no_memory(huge, 0, 0, 100000);
	check_no_memory(huge, granule, 1, 100000);
	check_no_memory(huge, granule + 4096, 0, 107000);
	check_no_memory(normal, 4097, 0, 107000);
	prop.handleType = ACL_MEM_HANDLE_TYPE_POSIX;
	check_no_memory(prop, granule, 0, 100000);
	prop = huge;
	prop.allocationType = (aclrtMemAllocationType)1;
	check_no_memory(prop, granule, 0, 100000);
	prop = huge;
	prop.memAttr = ACL_DDR_MEM_HUGE;
	check_no_memory(prop, granule, 0, 107000);
	prop = huge;
	prop.location.id = 2;
	check_no_memory(prop, granule, 0, 107001);
	prop = huge;
	prop.location.type = ACL_MEM_LOCATION_TYPE_HOST;
	check_no_memory(prop, granule, 0, 207000);
}

/* ---- mapping ---- */

static void test_mapped_memory_is_ordinary_device_memory(void)
{
	char *start = reserve(64 * granule), *piece = start + 3 * granule;
	aclrtDrvMemHandle handle = make(2 * granule, &huge);
	aclrtPtrAttributes found;
	struct emu_pin pin;
	void *base;
	size_t size;

	CHECK_EQUAL(aclrtMapMem(piece, 2 * granule, 0, handle, 0), 0);
	CHECK_EQUAL(fill(piece, 5, 2 * granule), 0);
	CHECK_EQUAL(peek(piece + 2 * granule - 1), 5);
	CHECK_EQUAL(fill(piece - 1, 5, 1), 107000);
	CHECK_EQUAL(fill(piece + 1, 5, 2 * granule), 107000);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "by 1 bytes");
	CHECK_EQUAL(aclrtPointerGetAttributes(piece + 9, &found), 0);
	CHECK(found.location.type == ACL_MEM_LOCATION_TYPE_DEVICE && found.location.id == 0 && found.pageSize == granule);
	CHECK_EQUAL(aclrtMemGetAddressRange(piece + 9, &base, &size), 0);
	CHECK(base == piece && size == 2 * granule);
	CHECK_EQUAL(emu_memory_pin("input", piece + 9, granule, &pin), 0);
	CHECK_EQUAL(*(char *)pin.bytes, 5);
	emu_memory_unpin(&pin);
	CHECK_EQUAL(aclrtFree(piece), 107000);
	CHECK_EQUAL(aclrtReleaseMemAddress(start), 107000);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "still mapped");
	CHECK_EQUAL(aclrtUnmapMem(piece), 0);
	CHECK_EQUAL(fill(piece, 5, 1), 107000);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "which was unmapped");
	CHECK_EQUAL(aclrtPointerGetAttributes(piece, &found), 507899);
	CHECK_EQUAL(aclrtReleaseMemAddress(start), 0);
	CHECK_EQUAL(aclrtFreePhysical(handle), 0);
}

static void test_the_content_belongs_to_the_memory_and_not_to_the_address(void)
{
	char *start = reserve(8 * granule);
	aclrtDrvMemHandle handle = make(granule, &huge), other = make(granule, &huge);

	CHECK_EQUAL(aclrtMapMem(start, granule, 0, handle, 0), 0);
	CHECK_EQUAL(fill(start, 6, granule), 0);
	CHECK_EQUAL(aclrtMapMem(start + 4 * granule, granule, 0, handle, 0), 0); /* the same memory twice */
	CHECK_EQUAL(peek(start + 4 * granule), 6);
	CHECK_EQUAL(fill(start + 4 * granule, 7, granule), 0);
	CHECK_EQUAL(peek(start), 7);
	CHECK_EQUAL(aclrtUnmapMem(start), 0);
	CHECK_EQUAL(aclrtMapMem(start, granule, 0, other, 0), 0);
	CHECK_EQUAL(fill(start, 8, granule), 0);
	CHECK_EQUAL(peek(start + 4 * granule), 7);
	CHECK_EQUAL(aclrtUnmapMem(start), 0);
	CHECK_EQUAL(aclrtUnmapMem(start + 4 * granule), 0);
	CHECK_EQUAL(aclrtMapMem(start, granule, 0, handle, 0), 0);
	CHECK_EQUAL(peek(start + granule - 1), 7);
	CHECK_EQUAL(aclrtUnmapMem(start), 0);
	CHECK_EQUAL(aclrtReleaseMemAddress(start), 0);
	CHECK_EQUAL(aclrtFreePhysical(handle), 0);
	CHECK_EQUAL(aclrtFreePhysical(other), 0);
}

/* As a framework grows a segment. */
static void test_adjacent_pieces_are_one_range(void)
{
	char *start = reserve(64 * granule);
	aclrtDrvMemHandle handles[5];
	struct emu_pin pin;
	char *bytes;

	for (int i = 0; i < 5; i++) {
		handles[i] = make(granule, &huge);
		CHECK_EQUAL(aclrtMapMem(start + (size_t)i * granule, granule, 0, handles[i], 0), 0);
	}
	CHECK_EQUAL(fill(start + 5, 9, 5 * granule - 5), 0);
	CHECK_EQUAL(fill(start + 5, 9, 5 * granule - 4), 107000);
	CHECK_EQUAL(emu_memory_pin("input", start + granule - 1, 3 * granule + 1, &pin), 0);
	bytes = pin.bytes;
	for (size_t i = 0; i <= 3 * granule; i += 4096)
		CHECK_EQUAL(bytes[i], 9);
	for (int i = 0; i < 5; i++)
		CHECK_EQUAL(aclrtUnmapMem(start + (size_t)i * granule), 0);
	CHECK_EQUAL(bytes[0] + bytes[granule] + bytes[3 * granule], 27); /* pinned, so they stay */
	CHECK_EQUAL(aclrtReleaseMemAddress(start), 0);
	emu_memory_unpin(&pin);
	for (int i = 0; i < 5; i++)
		CHECK_EQUAL(aclrtFreePhysical(handles[i]), 0);
	CHECK_EQUAL(free_bytes(), 68719476736);
}

static void test_a_hole_ends_a_range(void)
{
	char *start = reserve(4 * granule);
	aclrtDrvMemHandle handles[3];

	for (int i = 0; i < 3; i++) {
		handles[i] = make(granule, &huge);
		CHECK_EQUAL(aclrtMapMem(start + (size_t)i * granule, granule, 0, handles[i], 0), 0);
	}
	CHECK_EQUAL(aclrtUnmapMem(start + granule), 0);
	CHECK_EQUAL(fill(start, 1, granule), 0);
	CHECK_EQUAL(fill(start, 1, granule + 1), 107000);
	CHECK_EQUAL(fill(start, 1, 3 * granule), 107000);
	CHECK_EQUAL(aclrtUnmapMem(start), 0);
	CHECK_EQUAL(aclrtUnmapMem(start + 2 * granule), 0);
	CHECK_EQUAL(aclrtReleaseMemAddress(start), 0);
	for (int i = 0; i < 3; i++)
		CHECK_EQUAL(aclrtFreePhysical(handles[i]), 0);
}

static void test_what_queued_work_uses_stays_and_its_place_is_not_given_away(void)
{
	char *start = reserve(granule);
	aclrtDrvMemHandle handle = make(granule, &huge), other = make(granule, &huge);
	unsigned char resident;
	struct emu_pin pin;
	void *page;

	CHECK_EQUAL(aclrtMapMem(start, granule, 0, handle, 0), 0);
	CHECK_EQUAL(fill(start, 3, granule), 0);
	CHECK_EQUAL(emu_memory_pin("input", start, granule, &pin), 0);
	CHECK_EQUAL(aclrtUnmapMem(start), 0);
	CHECK_EQUAL(aclrtUnmapMem(start), 107000);
	CHECK_EQUAL(aclrtFreePhysical(handle), 0);
	CHECK_EQUAL(fill(start, 4, 1), 107000);
	CHECK_EQUAL(aclrtMapMem(start, granule, 0, other, 0), 107000);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "synchronise it first");
	CHECK_EQUAL(((char *)pin.bytes)[granule - 1], 3);
	page = pin.bytes;
	emu_memory_unpin(&pin);
	CHECK_EQUAL(mincore(page, 4096, &resident), 0);
	CHECK_EQUAL(resident & 1, 0);
	CHECK_EQUAL(aclrtMapMem(start, granule, 0, other, 0), 0);
	CHECK_EQUAL(peek(start), 0); /* new pages */
	CHECK_EQUAL(aclrtUnmapMem(start), 0);
	CHECK_EQUAL(aclrtReleaseMemAddress(start), 0);
	CHECK_EQUAL(aclrtFreePhysical(other), 0);
}

static void test_small_pages_can_be_mapped_at_small_steps(void)
{
	char *start = reserve(granule);
	aclrtDrvMemHandle handle = make(3 * 4096, &normal);

	CHECK_EQUAL(aclrtMapMem(start + 4096, 3 * 4096, 0, handle, 0), 0);
	CHECK_EQUAL(fill(start + 4096, 1, 3 * 4096), 0);
	CHECK_EQUAL(fill(start, 1, 1), 107000);
	CHECK_EQUAL(aclrtUnmapMem(start + 4096), 0);
	CHECK_EQUAL(aclrtMapMem(start + 64, 3 * 4096, 0, handle, 0), 107000);
	CHECK_EQUAL(aclrtReleaseMemAddress(start), 0);
	CHECK_EQUAL(aclrtFreePhysical(handle), 0);
}

static void test_wrong_mappings_are_refused(void)
{
	char *start = reserve(4 * granule), *memory;
	aclrtDrvMemHandle handle = make(2 * granule, &huge), second = make(granule, &of_second);

	aclrtMalloc((void **)&memory, granule, ACL_MEM_MALLOC_HUGE_FIRST);
	CHECK_EQUAL(aclrtMapMem(NULL, 2 * granule, 0, handle, 0), 100000);
	CHECK_EQUAL(aclrtMapMem(start, 0, 0, handle, 0), 100000);
	CHECK_EQUAL(aclrtMapMem(start, 2 * granule, 0, NULL, 0), 100000);
	CHECK_EQUAL(aclrtMapMem(start, 2 * granule, 4096, handle, 0), 100000);
	CHECK_EQUAL(aclrtMapMem(start, 2 * granule, 0, handle, 1), 100000);
	CHECK_EQUAL(aclrtMapMem(start, granule, 0, handle, 0), 107000);
	CHECK_EQUAL(aclrtMapMem(start + 4096, 2 * granule, 0, handle, 0), 107000);
	CHECK_EQUAL(aclrtMapMem(start + 3 * granule, 2 * granule, 0, handle, 0), 107000);
	CHECK_EQUAL(aclrtMapMem(memory, 2 * granule, 0, handle, 0), 107000);
	CHECK_EQUAL(aclrtMapMem((void *)(64 * granule), 2 * granule, 0, handle, 0), 107000);
	CHECK_EQUAL(aclrtMapMem(start, 2 * granule, 0, &handle, 0), 107017);
	CHECK_EQUAL(aclrtMapMem(start + granule, 2 * granule, 0, handle, 0), 0);
	for (size_t i = 0; i <= 2; i++)
		CHECK_EQUAL(aclrtMapMem(start + i * granule, 2 * granule, 0, handle, 0), 107000);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "are mapped already");
	CHECK_EQUAL(aclrtMapMem(start + 3 * granule, granule, 0, second, 0), 107000);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "memory of device 1");
	CHECK_EQUAL(aclrtUnmapMem(NULL), 100000);
	CHECK_EQUAL(aclrtUnmapMem(start), 107000);
	CHECK_EQUAL(aclrtUnmapMem(start + 2 * granule), 107000);
	CHECK_EQUAL(aclrtUnmapMem(memory), 107000);
	CHECK_EQUAL(aclrtUnmapMem(start + granule), 0);
	CHECK_EQUAL(aclrtFreePhysical(handle), 0);
	CHECK_EQUAL(aclrtMapMem(start, 2 * granule, 0, handle, 0), 107017);
	CHECK_EQUAL(aclrtMapMem(start, granule, 0, second, 0), 0); /* it is empty again */
	CHECK_EQUAL(aclrtUnmapMem(start), 0);
	CHECK_EQUAL(aclrtFreePhysical(second), 0);
	CHECK_EQUAL(aclrtReleaseMemAddress(start), 0);
	CHECK_EQUAL(aclrtFree(memory), 0);
}

static void test_memory_of_another_device_keeps_its_device(void)
{
	char *start = reserve(3 * granule); /* with device 0 current */
	aclrtDrvMemHandle handle = make(granule, &of_second), of_first = make(granule, &huge);
	aclrtPtrAttributes found;

	CHECK_EQUAL(aclrtMapMem(start, granule, 0, handle, 0), 0);
	CHECK_EQUAL(aclrtPointerGetAttributes(start, &found), 0);
	CHECK_EQUAL(found.location.id, 1);
	CHECK_EQUAL(aclrtMapMem(start + granule, granule, 0, handle, 0), 0);
	CHECK_EQUAL(aclrtMapMem(start + 2 * granule, granule, 0, of_first, 0), 107000);
	CHECK_EQUAL(aclrtUnmapMem(start), 0);
	CHECK_EQUAL(aclrtUnmapMem(start + granule), 0);
	CHECK_EQUAL(aclrtFreePhysical(handle), 0);
	CHECK_EQUAL(aclrtFreePhysical(of_first), 0);
	CHECK_EQUAL(aclrtReleaseMemAddress(start), 0);
}

static void use_shared_addresses(void)
{
	aclrtDrvMemHandle handle;
	char *start;

	setenv("ACLEMU_DEVICE_MEMORY", "shared", 1);
	aclrtSetDevice(0);
	start = reserve(granule);
	handle = make(granule, &huge);
	CHECK_EQUAL(aclrtMapMem(start, granule, 0, handle, 0), 0);
	start[5] = 6;
	CHECK_EQUAL(peek(start + 5), 6);
	CHECK_EQUAL(aclrtUnmapMem(start), 0);
}

static void touch_mapped(void)
{
	char *start;

	aclrtSetDevice(0);
	start = reserve(granule);
	aclrtMapMem(start, granule, 0, make(granule, &huge), 0);
	start[7] = 1;
}

static void test_the_host_does_not_reach_mapped_memory(void)
{
	struct child child = run_child(touch_mapped);

	CHECK_EQUAL(child.exit_code == 0, 0);
	CHECK_CONTAINS(child.output, "the host touched device address");
	CHECK_CONTAINS(child.output, "(2097152 bytes, live, device 0)");
}

static void *without_context(void *argument)
{
	aclrtDrvMemHandle handle = &handle;
	void *start = &start;

	CHECK_EQUAL(aclrtReserveMemAddress(&start, granule, 0, NULL, 0), 107002);
	CHECK_EQUAL(aclrtMallocPhysical(&handle, granule, &huge, 0), 107002);
	CHECK(handle == &handle && start == &start);
	return argument;
}

static void test_making_needs_a_context(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, without_context, NULL);
	pthread_join(thread, NULL);
}

/* ---- rights ---- */

static uint64_t access_of(char *address, uint32_t device)
{
	aclrtMemLocation location = {device, ACL_MEM_LOCATION_TYPE_DEVICE};
	uint64_t flag = 99;

	CHECK_EQUAL(aclrtMemGetAccess(address, &location, &flag), 0);
	return flag;
}

static void test_rights_are_remembered_per_piece_and_device(void)
{
	char *start = reserve(4 * granule);
	aclrtDrvMemHandle handle = make(granule, &huge);
	aclrtMemAccessDesc rights[2] = {
		{ACL_RT_MEM_ACCESS_FLAGS_READ, {0, ACL_MEM_LOCATION_TYPE_DEVICE}, {0}},
		{ACL_RT_MEM_ACCESS_FLAGS_READWRITE, {1, ACL_MEM_LOCATION_TYPE_DEVICE}, {0}},
	};

	for (size_t i = 0; i < 3; i++)
		CHECK_EQUAL(aclrtMapMem(start + i * granule, granule, 0, handle, 0), 0);
	CHECK_EQUAL(access_of(start, 0), 3);
	CHECK_EQUAL(access_of(start, 1), 0);
	CHECK_EQUAL(aclrtMemSetAccess(start, 2 * granule, rights, 2), 0);
	CHECK_EQUAL(access_of(start, 0), 1);
	CHECK_EQUAL(access_of(start + granule + 9, 1), 3);
	CHECK_EQUAL(access_of(start + 2 * granule, 0), 3);
	CHECK_EQUAL(access_of(start + 2 * granule, 1), 0);
	rights[0].flags = ACL_RT_MEM_ACCESS_FLAGS_NONE;
	CHECK_EQUAL(aclrtMemSetAccess(start, granule, rights, 1), 0);
	CHECK_EQUAL(access_of(start, 0), 0);
	CHECK_EQUAL(access_of(start, 1), 3);
	for (size_t i = 0; i < 3; i++)
		CHECK_EQUAL(aclrtUnmapMem(start + i * granule), 0);
	aclrtReleaseMemAddress(start);
	aclrtFreePhysical(handle);
}

static void test_wrong_rights_are_refused(void)
{
	char *start = reserve(4 * granule);
	aclrtDrvMemHandle handle = make(granule, &huge);
	aclrtMemAccessDesc right = {ACL_RT_MEM_ACCESS_FLAGS_READ, {1, ACL_MEM_LOCATION_TYPE_DEVICE}, {0}};
	aclrtMemAccessDesc bad_flag = right, bad_device = right, bad_type = right;
	uint64_t flag = 7;

	bad_flag.flags = (aclrtMemAccessFlags)2;
	bad_device.location.id = 2;
	bad_type.location.type = ACL_MEM_LOCATION_TYPE_HOST;
	CHECK_EQUAL(aclrtMapMem(start, granule, 0, handle, 0), 0);
	CHECK_EQUAL(aclrtMemSetAccess(NULL, granule, &right, 1), 100000);
	CHECK_EQUAL(aclrtMemSetAccess(start, 0, &right, 1), 100000);
	CHECK_EQUAL(aclrtMemSetAccess(start, granule, NULL, 1), 100000);
	CHECK_EQUAL(aclrtMemSetAccess(start, granule, &right, 0), 100000);
	CHECK_EQUAL(aclrtMemSetAccess(start, granule, &bad_flag, 1), 100000);
	CHECK_EQUAL(aclrtMemSetAccess(start, granule, &bad_device, 1), 107001);
	CHECK_EQUAL(aclrtMemSetAccess(start, granule, &bad_type, 1), 107000);
	CHECK_EQUAL(aclrtMemSetAccess(start, granule - 4096, &right, 1), 107000);
	CHECK_EQUAL(aclrtMemSetAccess(start + 4096, granule, &right, 1), 107000);
	CHECK_EQUAL(aclrtMemSetAccess(start, 2 * granule, &right, 1), 107000);
	CHECK_EQUAL(aclrtMemSetAccess(start, SIZE_MAX, &right, 1), 107000);
	CHECK_EQUAL(access_of(start, 1), 0);
	CHECK_EQUAL(aclrtMemGetAccess(NULL, &right.location, &flag), 100000);
	CHECK_EQUAL(aclrtMemGetAccess(start, NULL, &flag), 100000);
	CHECK_EQUAL(aclrtMemGetAccess(start, &right.location, NULL), 100000);
	CHECK_EQUAL(aclrtMemGetAccess(start + granule, &right.location, &flag), 107000);
	CHECK_EQUAL(aclrtMemGetAccess(start, &bad_device.location, &flag), 107001);
	CHECK_EQUAL(aclrtMemGetAccess(start, &bad_type.location, &flag), 107000);
	CHECK_EQUAL(flag, 7);
	aclrtUnmapMem(start);
	aclrtReleaseMemAddress(start);
	aclrtFreePhysical(handle);
}

/* ---- one more handle ---- */

static void test_a_retained_handle_keeps_the_memory(void)
{
	char *start = reserve(granule);
	size_t before = free_bytes();
	aclrtDrvMemHandle handle = make(granule, &huge), retained = NULL, none = &none;

	CHECK_EQUAL(aclrtMapMem(start, granule, 0, handle, 0), 0);
	CHECK_EQUAL(fill(start, 4, granule), 0);
	CHECK_EQUAL(aclrtFreePhysical(handle), 0);
	CHECK_EQUAL(aclrtMemRetainAllocationHandle(start + 77, &retained), 0);
	CHECK_EQUAL(aclrtUnmapMem(start), 0);
	CHECK_EQUAL(free_bytes(), before - granule);
	CHECK_EQUAL(aclrtMapMem(start, granule, 0, retained, 0), 0);
	CHECK_EQUAL(peek(start), 4);
	CHECK_EQUAL(aclrtUnmapMem(start), 0);
	CHECK_EQUAL(aclrtFreePhysical(retained), 0);
	CHECK_EQUAL(free_bytes(), before);
	CHECK_EQUAL(aclrtMemRetainAllocationHandle(NULL, &none), 100000);
	CHECK_EQUAL(aclrtMemRetainAllocationHandle(start, NULL), 100000);
	CHECK_EQUAL(aclrtMemRetainAllocationHandle(start, &none), 107000);
	CHECK(none == &none);
	aclrtReleaseMemAddress(start);
}

static void test_memory_is_handed_on_within_the_process(void)
{
	char *start = reserve(2 * granule);
	aclrtDrvMemHandle handle = make(granule, &huge), imported = NULL, none = &none;
	int32_t self = getpid();
	uint64_t number = 0, again = 0;

	CHECK_EQUAL(aclrtMemExportToShareableHandle(handle, ACL_MEM_HANDLE_TYPE_NONE, 0, &number), 0);
	CHECK_EQUAL(aclrtMemExportToShareableHandle(handle, ACL_MEM_HANDLE_TYPE_NONE, 1, &again), 0);
	CHECK(number != 0 && number == again);
	CHECK_EQUAL(aclrtMemSetPidToShareableHandle(number, &self, 1), 0);
	CHECK_EQUAL(aclrtMemImportFromShareableHandle(number, 1, &imported), 0);
	CHECK(imported != handle);
	CHECK_EQUAL(aclrtMapMem(start, granule, 0, handle, 0), 0);
	CHECK_EQUAL(aclrtMapMem(start + granule, granule, 0, imported, 0), 0);
	CHECK_EQUAL(fill(start, 11, granule), 0);
	CHECK_EQUAL(peek(start + 2 * granule - 1), 11);
	CHECK_EQUAL(aclrtUnmapMem(start), 0);
	CHECK_EQUAL(aclrtUnmapMem(start + granule), 0);
	CHECK_EQUAL(aclrtFreePhysical(handle), 0);
	CHECK_EQUAL(aclrtMemSetPidToShareableHandle(number, &self, 1), 0); /* the memory lives */
	CHECK_EQUAL(aclrtFreePhysical(imported), 0);
	CHECK_EQUAL(aclrtMemImportFromShareableHandle(number, 0, &none), 107000);
	CHECK_EQUAL(aclrtMemSetPidToShareableHandle(number, &self, 1), 107000);
	CHECK(none == &none);
	aclrtReleaseMemAddress(start);
}

static uint64_t of_parent;

static void import_in_child(void)
{
	aclrtDrvMemHandle none = &none;

	CHECK_EQUAL(aclrtMemImportFromShareableHandle(of_parent, 0, &none), 207000);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "cannot be shared with another process");
	CHECK(none == &none);
}

static void test_memory_is_not_handed_on_to_another_process(void)
{
	aclrtDrvMemHandle handle = make(granule, &huge);
	int32_t pids[2] = {getpid(), getppid()};

	CHECK_EQUAL(aclrtMemExportToShareableHandle(handle, ACL_MEM_HANDLE_TYPE_NONE, 0, &of_parent), 0);
	CHECK_EQUAL(aclrtMemSetPidToShareableHandle(of_parent, pids, 2), 207000);
	CHECK_CHILD(import_in_child);
	CHECK_EQUAL(aclrtFreePhysical(handle), 0);
}

static void test_wrong_hand_ons_are_refused(void)
{
	aclrtDrvMemHandle handle = make(granule, &huge), none = &none;
	int32_t self = getpid();
	uint64_t number = 7, good;

	CHECK_EQUAL(aclrtMemExportToShareableHandle(NULL, ACL_MEM_HANDLE_TYPE_NONE, 0, &number), 100000);
	CHECK_EQUAL(aclrtMemExportToShareableHandle(handle, ACL_MEM_HANDLE_TYPE_NONE, 0, NULL), 100000);
	CHECK_EQUAL(aclrtMemExportToShareableHandle(handle, ACL_MEM_HANDLE_TYPE_POSIX, 0, &number), 100000);
	CHECK_EQUAL(aclrtMemExportToShareableHandle(handle, ACL_MEM_HANDLE_TYPE_NONE, 2, &number), 100000);
	CHECK_EQUAL(aclrtMemExportToShareableHandle(&handle, ACL_MEM_HANDLE_TYPE_NONE, 0, &number), 107017);
	CHECK_EQUAL(number, 7);
	CHECK_EQUAL(aclrtMemExportToShareableHandle(handle, ACL_MEM_HANDLE_TYPE_NONE, 0, &good), 0);
	CHECK_EQUAL(aclrtMemImportFromShareableHandle(good, 0, NULL), 100000);
	CHECK_EQUAL(aclrtMemImportFromShareableHandle(good, 2, &none), 107001);
	CHECK_EQUAL(aclrtMemImportFromShareableHandle(0, 0, &none), 107000);
	CHECK_EQUAL(aclrtMemImportFromShareableHandle(good + 1, 0, &none), 107000);
	CHECK_EQUAL(aclrtMemSetPidToShareableHandle(good, NULL, 1), 100000);
	CHECK_EQUAL(aclrtMemSetPidToShareableHandle(good, &self, 0), 100000);
	CHECK_EQUAL(aclrtMemSetPidToShareableHandle(0, &self, 1), 107000);
	CHECK(none == &none);
	CHECK_EQUAL(aclrtFreePhysical(handle), 0);
}

/* ---- threads ---- */

static void *churn(void *start)
{
	aclrtSetDevice(0);
	for (int i = 0; i < 100; i++) {
		aclrtDrvMemHandle handle = NULL;
		struct emu_pin pin;

		if (aclrtMallocPhysical(&handle, granule, &huge, 0) || aclrtMapMem(start, granule, 0, handle, 0) ||
		    aclrtFreePhysical(handle) || emu_memory_pin("input", start, granule, &pin) || aclrtUnmapMem(start))
			return start;
		((char *)pin.bytes)[i] = 1;
		emu_memory_unpin(&pin);
	}
	aclrtResetDevice(0);
	return NULL;
}

static void test_threads_map_and_unmap_beside_each_other(void)
{
	char *start = reserve(4 * granule);
	pthread_t threads[3];
	void *failed;

	for (size_t i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, churn, start + i * granule);
	for (int i = 0; i < 3; i++) {
		pthread_join(threads[i], &failed);
		CHECK(!failed);
	}
	CHECK_EQUAL(aclrtReleaseMemAddress(start), 0);
}

int main(void)
{
	CHECK_CHILD(exhaust);
	CHECK_CHILD(use_shared_addresses);
	setenv("ACLEMU_DEVICES", "2", 1);
	test_the_host_does_not_reach_mapped_memory();
	aclrtSetDevice(0);
	test_a_reservation_is_only_addresses();
	test_reservations_and_allocations_lie_apart();
	test_a_wish_is_granted_where_it_can_be();
	test_wrong_reservations_are_refused();
	test_physical_memory_is_on_the_account_of_its_device();
	test_granularity_follows_the_pages();
	test_wrong_memory_is_refused();
	test_mapped_memory_is_ordinary_device_memory();
	test_the_content_belongs_to_the_memory_and_not_to_the_address();
	test_adjacent_pieces_are_one_range();
	test_a_hole_ends_a_range();
	test_what_queued_work_uses_stays_and_its_place_is_not_given_away();
	test_small_pages_can_be_mapped_at_small_steps();
	test_wrong_mappings_are_refused();
	test_memory_of_another_device_keeps_its_device();
	test_making_needs_a_context();
	test_rights_are_remembered_per_piece_and_device();
	test_wrong_rights_are_refused();
	test_a_retained_handle_keeps_the_memory();
	test_memory_is_handed_on_within_the_process();
	test_memory_is_not_handed_on_to_another_process();
	test_wrong_hand_ons_are_refused();
	test_threads_map_and_unmap_beside_each_other();
	aclrtResetDeviceForce(0);
	aclrtResetDeviceForce(1);
	return check_report();
}
