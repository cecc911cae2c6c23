#include "leaks.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>

#include "config.h"
#include "physical.h"
#include "tables.h"

enum { SHOWN = 5 };

static atomic_bool reported;

struct leaks {
	uint64_t count;
	uint64_t bytes;
	struct emu_allocation oldest[SHOWN];
	unsigned shown;
	uint64_t physical_count;
	uint64_t physical_bytes;
};

/* Keeps the oldest, in their order. */
static void note(struct leaks *leaks, const struct emu_allocation *allocation)
{
	unsigned at = leaks->shown;

	leaks->count++;
	leaks->bytes += allocation->asked;
	while (at > 0 && leaks->oldest[at - 1].number > allocation->number) {
		if (at < SHOWN)
			leaks->oldest[at] = leaks->oldest[at - 1];
		at--;
	}
	if (at == SHOWN)
		return;
	leaks->oldest[at] = *allocation;
	if (leaks->shown < SHOWN)
		leaks->shown++;
}

static struct leaks collect(void)
{
	struct leaks leaks = {0};

	pthread_mutex_lock(&emu_tables.lock);
	for (size_t i = 0; i < emu_tables.on_device.count; i++) {
		const struct emu_allocation *allocation = emu_tables.on_device.sorted[i];

		if (allocation->kind == EMU_ON_DEVICE && !allocation->freed)
			note(&leaks, allocation);
	}
	emu_physical_count(&leaks.physical_count, &leaks.physical_bytes);
	pthread_mutex_unlock(&emu_tables.lock);
	return leaks;
}

void emu_leaks_report(void)
{
	struct leaks leaks;

	if (!emu_config()->verbose_memory)
		return;
	leaks = collect();
	if ((leaks.count == 0 && leaks.physical_count == 0) || atomic_exchange(&reported, true))
		return;
	if (leaks.count > 0)
		fprintf(stderr, "aclemu: %" PRIu64 " device allocations of %" PRIu64 " bytes were never freed. The oldest:\n",
		        leaks.count, leaks.bytes);
	for (unsigned i = 0; i < leaks.shown; i++)
		fprintf(stderr, "aclemu:   allocation %" PRIu64 ": %" PRIu64 " bytes at 0x%" PRIxPTR ", device %d\n",
		        leaks.oldest[i].number, leaks.oldest[i].asked, leaks.oldest[i].base, leaks.oldest[i].device);
	if (leaks.physical_count > 0)
		fprintf(stderr, "aclemu: %" PRIu64 " blocks of physical memory, %" PRIu64 " bytes, were never freed.\n",
		        leaks.physical_count, leaks.physical_bytes);
}

/* For programs that end without aclFinalize. */
__attribute__((destructor)) static void at_exit(void)
{
	emu_leaks_report();
}
