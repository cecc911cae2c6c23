#include "leaks.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <link.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "config.h"
#include "physical.h"
#include "tables.h"

enum { SHOWN = 5, PLACE = 256 };

static atomic_bool reported;

struct leaks {
	uint64_t count;
	uint64_t bytes;
	struct emu_allocation oldest[SHOWN];
	unsigned shown;
	struct emu_physical_total physical;
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
	leaks.physical = emu_physical_total();
	pthread_mutex_unlock(&emu_tables.lock);
	return leaks;
}

/*
 * The call before a return address as "file+0xoffset (function)", for people and for addr2line: the offset is what the
 * file itself calls the place. The function is known if the file exports it.
 */
static const char *place_of(const void *return_address, char text[PLACE])
{
	const char *call = (const char *)return_address - 1; /* the next line, or another function, may begin behind it */
	const ElfW(Ehdr) *file;
	const char *name;
	uintptr_t offset;
	Dl_info found;

	if (!dladdr(call, &found)) {
		snprintf(text, PLACE, "%p", (const void *)call);
		return text;
	}
	file = found.dli_fbase;
	offset = (uintptr_t)call - (file->e_type == ET_DYN ? (uintptr_t)file : 0);
	name = strrchr(found.dli_fname, '/');
	name = name ? name + 1 : found.dli_fname;
	if (found.dli_sname)
		snprintf(text, PLACE, "%s+0x%" PRIxPTR " (%s)", name, offset, found.dli_sname);
	else
		snprintf(text, PLACE, "%s+0x%" PRIxPTR, name, offset);
	return text;
}

void emu_leaks_report(void)
{
	char place[PLACE];
	struct leaks leaks;

	if (!emu_config()->verbose_memory)
		return;
	leaks = collect();
	if ((leaks.count == 0 && leaks.physical.count == 0) || atomic_exchange(&reported, true))
		return;
	if (leaks.count > 0)
		fprintf(stderr, "aclemu: %" PRIu64 " device allocations of %" PRIu64 " bytes were never freed. The oldest:\n",
		        leaks.count, leaks.bytes);
	for (unsigned i = 0; i < leaks.shown; i++)
		fprintf(stderr, "aclemu:   allocation %" PRIu64 ": %" PRIu64 " bytes at 0x%" PRIxPTR ", device %d, from %s\n",
		        leaks.oldest[i].number, leaks.oldest[i].asked, leaks.oldest[i].base, leaks.oldest[i].device,
		        place_of(leaks.oldest[i].caller, place));
	if (leaks.physical.count > 0)
		fprintf(stderr,
		        "aclemu: %" PRIu64 " blocks of physical memory, %" PRIu64
		        " bytes, were never freed. The oldest is from %s\n",
		        leaks.physical.count, leaks.physical.bytes, place_of(leaks.physical.oldest_caller, place));
}

/* For programs that end without aclFinalize. */
__attribute__((destructor)) static void at_exit(void)
{
	emu_leaks_report();
}
