#include "host_memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

/* MemAvailable plus SwapFree; no limit where /proc is not mounted. */
static uint64_t machine_available(void)
{
	FILE *file = fopen("/proc/meminfo", "re");
	uint64_t available = 0;
	char line[128];
	uint64_t kilobytes;

	if (!file)
		return UINT64_MAX;
	while (fgets(line, sizeof(line), file))
		if (sscanf(line, "MemAvailable: %" SCNu64, &kilobytes) == 1 ||
		    sscanf(line, "SwapFree: %" SCNu64, &kilobytes) == 1)
			available += kilobytes * 1024;
	fclose(file);
	return available ? available : UINT64_MAX;
}

static uint64_t read_number(const char *path, uint64_t fallback)
{
	FILE *file = fopen(path, "re");
	uint64_t number;

	if (!file)
		return fallback;
	if (fscanf(file, "%" SCNu64, &number) != 1)
		number = fallback; /* "max" */
	fclose(file);
	return number;
}

/* File pages that the kernel gives up before it kills anyone. */
static uint64_t read_reclaimable(const char *path)
{
	FILE *file = fopen(path, "re");
	uint64_t bytes = 0;
	char line[128];

	if (!file)
		return 0;
	while (fgets(line, sizeof(line), file))
		if (sscanf(line, "inactive_file %" SCNu64, &bytes) == 1)
			break;
	fclose(file);
	return bytes;
}

/* What a container may still use: version 2 of the control groups, else version 1. */
static uint64_t group_available(void)
{
	uint64_t limit = read_number("/sys/fs/cgroup/memory.max", UINT64_MAX);
	uint64_t used = read_number("/sys/fs/cgroup/memory.current", 0);
	uint64_t reclaimable = read_reclaimable("/sys/fs/cgroup/memory.stat");

	if (limit == UINT64_MAX) {
		limit = read_number("/sys/fs/cgroup/memory/memory.limit_in_bytes", UINT64_MAX);
		used = read_number("/sys/fs/cgroup/memory/memory.usage_in_bytes", 0);
		reclaimable = read_reclaimable("/sys/fs/cgroup/memory/memory.stat");
	}
	used -= reclaimable < used ? reclaimable : used;
	return limit > used ? limit - used : 0;
}

uint64_t emu_host_available(void)
{
	uint64_t machine = machine_available();
	uint64_t group = group_available();

	return machine < group ? machine : group;
}

uint64_t emu_host_resident(void)
{
	FILE *file = fopen("/proc/self/statm", "re");
	uint64_t pages;
	int found;

	if (!file)
		return 0;
	found = fscanf(file, "%*u %" SCNu64, &pages);
	fclose(file);
	return found == 1 ? pages * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}
