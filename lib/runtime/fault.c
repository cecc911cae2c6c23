#include "fault.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "allocation.h"
#include "window.h"

/* Everything below runs inside a signal handler: no locks, no heap, no stdio. */

static struct sigaction before_segv;
static struct sigaction before_bus;
static _Atomic uintptr_t explained; /* so that a handler that returns and faults again does not repeat the sentence */

struct text {
	char bytes[512];
	size_t size;
};

static void add(struct text *text, const char *words)
{
	for (; *words && text->size < sizeof(text->bytes); words++)
		text->bytes[text->size++] = *words;
}

static void add_number(struct text *text, uint64_t number, unsigned base)
{
	char digits[65];
	size_t at = sizeof(digits) - 1;

	digits[at] = 0;
	do
		digits[--at] = "0123456789abcdef"[number % base];
	while (number /= base);
	add(text, &digits[at]);
}

static void add_allocation(struct text *text, const void *address)
{
	struct emu_allocation found;

	if (!emu_memory_peek(address, &found)) {
		add(text, "the device's address range");
		return;
	}
	add(text, "allocation ");
	add_number(text, found.number, 10);
	add(text, " (");
	add_number(text, found.asked, 10);
	add(text, " bytes, ");
	add(text, found.freed ? "freed, " : "live, ");
	add(text, "device ");
	add_number(text, (uint64_t)found.device, 10);
	add(text, ")");
}

static void explain(const void *address)
{
	struct text text = {.size = 0};

	if (atomic_exchange(&explained, (uintptr_t)address) == (uintptr_t)address)
		return;
	add(&text, "aclemu: the host touched device address 0x");
	add_number(&text, (uintptr_t)address, 16);
	add(&text, " in ");
	add_allocation(&text, address);
	add(&text, ", which only the device may do; copy it with aclrtMemcpy.\n");
	if (write(STDERR_FILENO, text.bytes, text.size) < 0)
		return; /* nothing else can be done here */
}

/* As if we had not been there: the handler before us, or the default action when the instruction runs again. */
static void hand_over(int signal, siginfo_t *info, void *machine)
{
	struct sigaction *before = signal == SIGSEGV ? &before_segv : &before_bus;

	if (before->sa_flags & SA_SIGINFO) {
		before->sa_sigaction(signal, info, machine);
	} else if (before->sa_handler != SIG_DFL && before->sa_handler != SIG_IGN) {
		before->sa_handler(signal);
	} else {
		sigaction(signal, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
		if (info->si_code <= 0)
			raise(signal); /* sent, not caused by an instruction: it would not come again */
	}
}

static void handle(int signal, siginfo_t *info, void *machine)
{
	if (info->si_code > 0 && emu_window_has(emu_window_get(), info->si_addr))
		explain(info->si_addr);
	hand_over(signal, info, machine);
}

void emu_fault_watch(void)
{
	struct sigaction ours = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK};

	sigemptyset(&ours.sa_mask);
	sigaction(SIGSEGV, NULL, &before_segv);
	sigaction(SIGBUS, NULL, &before_bus);
	sigaction(SIGSEGV, &ours, NULL);
	sigaction(SIGBUS, &ours, NULL);
}
