/*
 * Reports to the profiler. No profiler can be started here, so a callback that waits for its start is never called, and
 * what clients report goes nowhere: a tool that does not listen costs its client nothing on the device either.
 */
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "runtime/export.h"

typedef int32_t (*MsprofCommandHandle)(uint32_t type, void *data, uint32_t length);

EMU_SHARED int32_t MsprofRegisterCallback(uint32_t module, MsprofCommandHandle handle);
EMU_SHARED int32_t MsprofReportApi(uint32_t persistent, const void *api);
EMU_SHARED int32_t MsprofReportCompactInfo(uint32_t persistent, const void *data, uint32_t length);
EMU_SHARED int32_t MsprofReportAdditionalInfo(uint32_t persistent, const void *data, uint32_t length);
EMU_SHARED uint64_t MsprofGetHashId(const char *text, size_t length);
EMU_SHARED uint64_t MsprofSysCycleTime(void);

int32_t MsprofRegisterCallback(uint32_t module, MsprofCommandHandle handle)
{
	(void)module;
	(void)handle;
	return 0;
}

int32_t MsprofReportApi(uint32_t persistent, const void *api)
{
	(void)persistent;
	(void)api;
	return 0;
}

int32_t MsprofReportCompactInfo(uint32_t persistent, const void *data, uint32_t length)
{
	(void)persistent;
	(void)data;
	(void)length;
	return 0;
}

int32_t MsprofReportAdditionalInfo(uint32_t persistent, const void *data, uint32_t length)
{
	(void)persistent;
	(void)data;
	(void)length;
	return 0;
}

/* A number that stands for a text in reports: equal for equal texts (FNV-1a). */
uint64_t MsprofGetHashId(const char *text, size_t length)
{
	uint64_t hash = 0xcbf29ce484222325u;

	if (!text)
		return 0;
	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3u;
	return hash;
}

/* A clock that only goes forward; its unit is a nanosecond here. */
uint64_t MsprofSysCycleTime(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
