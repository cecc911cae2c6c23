/* Host memory that the program registers for the device. */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "acl/acl.h"
#include "check.h"
#include "runtime/memory.h"

enum { PAGE = 4096, PAGES = 4 };

static char *memory; /* PAGES of them */

static void test_registered_memory_is_reached_by_operators_and_copies(void)
{
	void *on_device = NULL, *again = NULL;
	aclrtPtrAttributes found;
	struct emu_pin pin;

	CHECK_EQUAL(emu_memory_pin("input", memory, 8, &pin), 507015);
	CHECK_EQUAL(aclrtHostRegister(memory, PAGE, ACL_HOST_REGISTER_MAPPED, &on_device), 0);
	CHECK_EQUAL(aclrtHostGetDevicePointer(memory, &again, 0), 0);
	CHECK(on_device && on_device == again);
	CHECK_EQUAL(aclrtPointerGetAttributes(memory + 5, &found), 0);
	CHECK_EQUAL(found.location.type, ACL_MEM_LOCATION_TYPE_HOST);
	memory[7] = 42;
	CHECK_EQUAL(emu_memory_pin("input", (char *)on_device + 7, PAGE - 7, &pin), 0);
	CHECK_EQUAL(*(char *)pin.bytes, 42);
	emu_memory_unpin(&pin);
	CHECK_EQUAL(emu_memory_pin("input", (char *)on_device + 7, PAGE - 6, &pin), 507015);
	CHECK_EQUAL(aclrtMemsetD32Async(memory, PAGE, 3, 1, NULL), 0); /* refuses memory that the device does not know */
	CHECK_EQUAL(aclrtSynchronizeStream(NULL), 0);
	CHECK_EQUAL(memory[0], 3);
	CHECK_EQUAL(aclrtHostUnregister(memory), 0);
	CHECK_EQUAL(emu_memory_pin("input", memory, 8, &pin), 507015);
	CHECK_EQUAL(aclrtPointerGetAttributes(memory, &found), 0);
	CHECK_EQUAL(found.location.type, ACL_MEM_LOCATION_TYPE_UNREGISTERED);
	aclGetRecentErrMsg();
}

static void test_merely_pinned_memory_is_for_copies(void)
{
	struct emu_pin pin;
	void *on_device = &on_device;

	CHECK_EQUAL(aclrtHostRegisterV2(memory, PAGE, ACL_HOST_REG_PINNED), 0);
	CHECK_EQUAL(aclrtHostGetDevicePointer(memory, &on_device, 0), 507911);
	CHECK(on_device == &on_device);
	CHECK_EQUAL(emu_memory_pin("input", memory, 8, &pin), 507015);
	CHECK_EQUAL(aclrtMemsetD32(memory, PAGE, 3, 1), 0);
	CHECK_EQUAL(aclrtHostUnregister(memory), 0); /* no pin was left behind */
	CHECK_EQUAL(aclrtHostRegisterV2(memory, PAGE, ACL_HOST_REG_PINNED | ACL_HOST_REG_MAPPED), 0);
	CHECK_EQUAL(aclrtHostGetDevicePointer(memory + 9, &on_device, 0), 0);
	CHECK(on_device == memory + 9);
	CHECK_EQUAL(aclrtHostUnregister(memory), 0);
}

static void test_pinned_allocations_can_be_registered_too(void)
{
	void *pinned, *on_device;

	aclrtMallocHost(&pinned, PAGE);
	CHECK_EQUAL(aclrtHostRegister(pinned, PAGE, ACL_HOST_REGISTER_READONLY, &on_device), 0);
	CHECK_EQUAL(aclrtHostUnregister(pinned), 0);
	CHECK_EQUAL(aclrtHostUnregister(pinned), 507911);
	CHECK_EQUAL(aclrtFreeHost(pinned), 0);
}

static void test_a_range_is_registered_once(void)
{
	void *on_device;

	CHECK_EQUAL(aclrtHostRegister(memory + PAGE, 2 * PAGE, ACL_HOST_REGISTER_MAPPED, &on_device), 0);
	for (int page = 0; page < PAGES; page++) {
		int want = page == 1 || page == 2 ? 507910 : 0;

		CHECK_EQUAL(aclrtHostRegister(memory + page * PAGE, PAGE, ACL_HOST_REGISTER_MAPPED, &on_device), want);
	}
	CHECK_EQUAL(aclrtHostUnregister(memory), 0);
	CHECK_EQUAL(aclrtHostRegisterV2(memory, PAGE + 1, ACL_HOST_REG_MAPPED), 507910);
	CHECK_EQUAL(aclrtHostUnregister(memory + 2 * PAGE), 507911); /* not its start */
	CHECK_EQUAL(aclrtHostUnregister(memory + PAGE), 0);
	CHECK_EQUAL(aclrtHostUnregister(memory + 3 * PAGE), 0);
	CHECK_EQUAL(aclrtHostUnregister(memory + PAGE), 507911);
}

static void test_wrong_registrations_are_refused(void)
{
	void *on_device = &on_device, *memory_of_device, *gone;

	aclrtMalloc(&memory_of_device, 2 << 20, ACL_MEM_MALLOC_HUGE_FIRST);
	CHECK_EQUAL(aclrtHostRegister(NULL, PAGE, ACL_HOST_REGISTER_MAPPED, &on_device), 100000);
	CHECK_EQUAL(aclrtHostRegister(memory, 0, ACL_HOST_REGISTER_MAPPED, &on_device), 100000);
	CHECK_EQUAL(aclrtHostRegister(memory, PAGE, ACL_HOST_REGISTER_MAPPED, NULL), 100000);
	CHECK_EQUAL(aclrtHostRegister(memory, PAGE, (aclrtHostRegisterType)1, &on_device), 100000);
	CHECK_EQUAL(aclrtHostRegister(memory, PAGE, ACL_HOST_REGISTER_IOMEMORY, &on_device), 207000);
	CHECK_EQUAL(aclrtHostRegister(memory + 64, PAGE, ACL_HOST_REGISTER_MAPPED, &on_device), 107000);
	CHECK_EQUAL(aclrtHostRegister(memory, UINT64_MAX - 64, ACL_HOST_REGISTER_MAPPED, &on_device), 107000);
	CHECK_EQUAL(aclrtHostRegister(memory_of_device, PAGE, ACL_HOST_REGISTER_MAPPED, &on_device), 107000);
	CHECK_EQUAL(aclrtHostRegisterV2(NULL, PAGE, ACL_HOST_REG_MAPPED), 100000);
	CHECK_EQUAL(aclrtHostRegisterV2(memory, 0, ACL_HOST_REG_MAPPED), 100000);
	CHECK_EQUAL(aclrtHostRegisterV2(memory, PAGE, 0), 100000);
	CHECK_EQUAL(aclrtHostRegisterV2(memory, PAGE, ACL_HOST_REG_MAPPED | 1), 100000);
	CHECK_EQUAL(aclrtHostRegisterV2(memory, PAGE, ACL_HOST_REG_IOMEMORY), 207000);
	CHECK_EQUAL(aclrtHostRegisterV2(memory + 64, PAGE, ACL_HOST_REG_MAPPED), 107000);
	gone = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	munmap(gone, PAGE);
	CHECK_EQUAL(aclrtHostRegister(gone, PAGE, ACL_HOST_REGISTER_MAPPED, &on_device), 107000);
	CHECK_EQUAL(aclrtHostGetDevicePointer(NULL, &on_device, 0), 100000);
	CHECK_EQUAL(aclrtHostGetDevicePointer(memory, NULL, 0), 100000);
	CHECK_EQUAL(aclrtHostGetDevicePointer(memory, &on_device, 1), 100000);
	CHECK_EQUAL(aclrtHostGetDevicePointer(memory, &on_device, 0), 507911);
	CHECK_EQUAL(aclrtHostUnregister(NULL), 100000);
	CHECK_EQUAL(aclrtHostUnregister(memory), 507911);
	CHECK(on_device == &on_device);
	aclrtFree(memory_of_device);
}

static void *without_context(void *argument)
{
	void *on_device;

	CHECK_EQUAL(aclrtHostRegister(memory, PAGE, ACL_HOST_REGISTER_MAPPED, &on_device), 107002);
	CHECK_EQUAL(aclrtHostRegisterV2(memory, PAGE, ACL_HOST_REG_MAPPED), 107002);
	return argument;
}

static void test_registering_needs_a_context(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, without_context, NULL);
	pthread_join(thread, NULL);
}

static void test_free_refuses_registered_memory(void)
{
	void *on_device;

	CHECK_EQUAL(aclrtHostRegister(memory, PAGE, ACL_HOST_REGISTER_MAPPED, &on_device), 0);
	CHECK_EQUAL(aclrtFreeHost(memory), 107000);
	CHECK_EQUAL(aclrtFree(memory), 107000);
	CHECK_EQUAL(aclrtHostUnregister(memory), 0);
}

int main(void)
{
	aclrtSetDevice(0);
	memory = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	test_registered_memory_is_reached_by_operators_and_copies();
	test_merely_pinned_memory_is_for_copies();
	test_pinned_allocations_can_be_registered_too();
	test_a_range_is_registered_once();
	test_wrong_registrations_are_refused();
	test_registering_needs_a_context();
	test_free_refuses_registered_memory();
	munmap(memory, PAGES * PAGE);
	aclrtResetDevice(0);
	return check_report();
}
