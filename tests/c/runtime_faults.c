/* A host access to device memory kills the process, as with a card, after one sentence that says why. */
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>

#include "acl/acl.h"
#include "check.h"
#include "child.h"

static void *memory_of(size_t size)
{
	void *memory = NULL;

	CHECK_EQUAL(aclrtSetDevice(0), 0);
	CHECK_EQUAL(aclrtMalloc(&memory, size, ACL_MEM_MALLOC_HUGE_FIRST), 0);
	return memory;
}

/* Like a program that no sanitizer watches. */
static void use_default_handler(void)
{
	signal(SIGSEGV, SIG_DFL);
	signal(SIGBUS, SIG_DFL);
}

static void write_device_memory(void)
{
	use_default_handler();
	((volatile char *)memory_of(1000))[3] = 1;
}

static void read_device_memory(void)
{
	volatile char *memory;

	use_default_handler();
	memory_of(10);
	memory = memory_of(2000);
	_exit(memory[1999] + 100);
}

static void write_freed_memory(void)
{
	volatile char *memory;

	use_default_handler();
	memory = memory_of(1000);
	aclrtFree((void *)memory);
	memory[0] = 1;
}

static void read_beyond_every_allocation(void)
{
	use_default_handler();
	_exit(((volatile char *)memory_of(1000))[1 << 20]);
}

static void write_null(void)
{
	volatile char *volatile null = NULL;

	use_default_handler();
	memory_of(1000);
	null[8] = 1;
}

static int count_of(const char *text, const char *word)
{
	int count = 0;

	for (; (text = strstr(text, word)); text++)
		count++;
	return count;
}

static void check_death(void (*body)(void), const char *sentence)
{
	struct child child = run_child(body);

	CHECK_EQUAL(child.signal, SIGSEGV);
	CHECK_CONTAINS(child.output, sentence);
	CHECK_CONTAINS(child.output, "aclrtMemcpy");
	CHECK_EQUAL(count_of(child.output, "aclemu:"), 1);
}

static void test_an_access_is_explained_and_deadly(void)
{
	check_death(write_device_memory, "in allocation 1 (1000 bytes, live, device 0)");
	check_death(read_device_memory, "in allocation 2 (2000 bytes, live, device 0)");
	check_death(write_freed_memory, "in allocation 1 (1000 bytes, freed, device 0)");
	check_death(read_beyond_every_allocation, "in the device's address range,");
}

static void test_other_faults_are_none_of_our_business(void)
{
	struct child child = run_child(write_null);

	CHECK_EQUAL(child.signal, SIGSEGV);
	CHECK(!strstr(child.output, "aclemu"));
}

static void raise_segv(void)
{
	use_default_handler();
	memory_of(1000);
	raise(SIGSEGV);
}

static void test_a_signal_that_was_sent_still_kills(void)
{
	struct child child = run_child(raise_segv);

	CHECK_EQUAL(child.signal, SIGSEGV);
	CHECK(!strstr(child.output, "aclemu"));
}

static void *caught_address;
static sigjmp_buf back;

static void catch_fault(int signal, siginfo_t *info, void *machine)
{
	(void)signal;
	(void)machine;
	caught_address = info->si_addr;
	siglongjmp(back, 1);
}

static void catch_two_faults(void)
{
	struct sigaction action = {.sa_sigaction = catch_fault, .sa_flags = SA_SIGINFO};
	volatile char *memory;

	sigaction(SIGSEGV, &action, NULL);
	memory = memory_of(1000);
	for (volatile int i = 0; i < 2; i++) {
		if (!sigsetjmp(back, 1))
			memory[i] = 1;
		CHECK(caught_address == memory + i);
	}
}

static void test_the_handler_before_ours_is_called(void)
{
	struct child child = CHECK_CHILD(catch_two_faults);

	CHECK_EQUAL(count_of(child.output, "aclemu:"), 2);
}

static void share_memory(void)
{
	volatile char *memory;
	char copy = 0;

	setenv("ACLEMU_DEVICE_MEMORY", "shared", 1);
	memory = memory_of(1000);
	memory[5] = 42;
	CHECK_EQUAL(aclrtMemcpy(&copy, 1, (void *)(memory + 5), 1, ACL_MEMCPY_DEVICE_TO_HOST), 0);
	CHECK_EQUAL(copy, 42);
}

static void test_shared_memory_may_be_touched(void)
{
	CHECK_CHILD(share_memory);
}

int main(void)
{
	test_an_access_is_explained_and_deadly();
	test_other_faults_are_none_of_our_business();
	test_a_signal_that_was_sent_still_kills();
	test_the_handler_before_ours_is_called();
	test_shared_memory_may_be_touched();
	return check_report();
}
