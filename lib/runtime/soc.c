#include "soc.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "nearest.h"

static const struct emu_soc socs[] = {
#define SOC(name, architecture, cube, vector, cpus, l2, memory) {name, architecture, cube, vector, cpus, l2, memory},
#include "socs.def"
#undef SOC
};
enum { SOCS = sizeof(socs) / sizeof(socs[0]), LONGEST_NAME = 63 };

static const char family_950[] = "Ascend950"; /* published names look like Ascend950PR_9589; all of them are taken */
static const char unsupported[] = "Ascend310B";

/* A member of the 950 family that somebody named: its row with that name. Never freed, for the name is handed out. */
struct member {
	struct member *next;
	struct emu_soc soc;
	char name[];
};

static _Atomic(struct member *) members;

static bool begins(const char *name, const char *beginning)
{
	return !strncmp(name, beginning, strlen(beginning));
}

static const struct emu_soc *find_row(const char *name)
{
	for (int i = 0; i < SOCS; i++)
		if (!strcmp(socs[i].name, name))
			return &socs[i];
	return NULL;
}

/* Without a lock: two threads may add the same name, which does no harm. */
static const struct emu_soc *find_member(const char *name)
{
	size_t size = strlen(name) + 1;
	struct member *member;

	for (member = atomic_load(&members); member; member = member->next)
		if (!strcmp(member->name, name))
			return &member->soc;
	member = malloc(sizeof(*member) + size);
	if (!member)
		return NULL;
	memcpy(member->name, name, size);
	member->soc = *find_row(family_950);
	member->soc.name = member->name;
	member->next = atomic_load(&members);
	while (!atomic_compare_exchange_weak(&members, &member->next, member))
		continue;
	return &member->soc;
}

const struct emu_soc *emu_soc_find(const char *name)
{
	const struct emu_soc *row = find_row(name);

	if (row || !begins(name, family_950) || strnlen(name, LONGEST_NAME + 1) > LONGEST_NAME)
		return row;
	return find_member(name);
}

bool emu_soc_is_unsupported(const char *name)
{
	return begins(name, unsupported);
}

const char *emu_soc_nearest(const char *name, char text[EMU_SOC_NAMES])
{
	const char *names[SOCS];

	for (int i = 0; i < SOCS; i++)
		names[i] = socs[i].name;
	return emu_nearest_all(name, names, SOCS, text, EMU_SOC_NAMES);
}
