#include "registry.h"

#include <stdlib.h>
#include <string.h>

size_t emu_registry_index(const struct emu_registry *registry, uintptr_t address)
{
	size_t low = 0;
	size_t high = registry->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (registry->sorted[middle]->base + registry->sorted[middle]->size <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool covers(const struct emu_allocation *allocation, uintptr_t address)
{
	return address >= allocation->base && address - allocation->base < allocation->size;
}

struct emu_allocation *emu_registry_find(const struct emu_registry *registry, uintptr_t address)
{
	size_t index = emu_registry_index(registry, address);

	if (index == registry->count || !covers(registry->sorted[index], address))
		return NULL;
	return registry->sorted[index];
}

struct emu_allocation *emu_registry_find_in(const struct emu_registry *registry, uintptr_t address, uint64_t size)
{
	size_t index = emu_registry_index(registry, address);

	if (index == registry->count || registry->sorted[index]->base >= address + size)
		return NULL;
	return registry->sorted[index];
}

const struct emu_allocation *emu_registry_find_ended(const struct emu_registry *registry, uintptr_t address)
{
	size_t oldest = registry->ended_count > EMU_TOMBSTONES ? registry->ended_count - EMU_TOMBSTONES : 0;

	for (size_t i = registry->ended_count; i > oldest; i--) {
		const struct emu_allocation *ended = &registry->ended[(i - 1) % EMU_TOMBSTONES];

		if (covers(ended, address))
			return ended;
	}
	return NULL;
}

static bool make_room(struct emu_registry *registry)
{
	size_t room = registry->room ? 2 * registry->room : 64;
	struct emu_allocation **sorted;

	if (!registry->ended)
		registry->ended = calloc(EMU_TOMBSTONES, sizeof(*registry->ended));
	if (!registry->ended)
		return false;
	if (registry->count < registry->room)
		return true;
	sorted = realloc(registry->sorted, room * sizeof(struct emu_allocation *));
	if (!sorted)
		return false;
	registry->sorted = sorted;
	registry->room = room;
	return true;
}

bool emu_registry_insert(struct emu_registry *registry, struct emu_allocation *allocation)
{
	size_t index;

	if (!make_room(registry))
		return false;
	index = emu_registry_index(registry, allocation->base);
	memmove(&registry->sorted[index + 1], &registry->sorted[index],
	        (registry->count - index) * sizeof(struct emu_allocation *));
	registry->sorted[index] = allocation;
	registry->count++;
	return true;
}

void emu_registry_remove(struct emu_registry *registry, const struct emu_allocation *allocation)
{
	size_t index = emu_registry_index(registry, allocation->base);

	registry->count--;
	memmove(&registry->sorted[index], &registry->sorted[index + 1],
	        (registry->count - index) * sizeof(struct emu_allocation *));
}

void emu_registry_bury(struct emu_registry *registry, const struct emu_allocation *allocation)
{
	registry->ended[registry->ended_count++ % EMU_TOMBSTONES] = *allocation;
}
