/* What a test wants to know when it ends: which device memory is left, and whether work is. */
#include <pthread.h>
#include <stdlib.h>

#include "aclemu/aclemu.h"
#include "config.h"
#include "streams.h"
#include "tables.h"

static int by_number(const void *left, const void *right)
{
	uint64_t one = ((const struct aclemuAllocation *)left)->number;
	uint64_t other = ((const struct aclemuAllocation *)right)->number;

	return (one > other) - (one < other);
}

size_t aclemuGetAllocations(struct aclemuAllocation *allocations, size_t size)
{
	size_t count = 0;

	pthread_mutex_lock(&emu_tables.lock);
	for (size_t i = 0; i < emu_tables.on_device.count; i++) {
		const struct emu_allocation *allocation = emu_tables.on_device.sorted[i];

		if (allocation->kind != EMU_ON_DEVICE || allocation->freed)
			continue;
		if (allocations && count < size)
			allocations[count] = (struct aclemuAllocation){
				.number = allocation->number,
				.bytes = allocation->asked,
				.address = (const void *)allocation->base,
				.device = allocation->device,
			};
		count++;
	}
	pthread_mutex_unlock(&emu_tables.lock);
	if (allocations)
		qsort(allocations, count < size ? count : size, sizeof(*allocations), by_number);
	return count;
}

bool aclemuHasUnfinishedWork(void)
{
	for (int device = 0; device < emu_config()->devices; device++)
		if (emu_streams_have_work(device))
			return true;
	return false;
}
