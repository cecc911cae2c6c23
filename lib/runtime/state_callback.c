#include "state_callback.h"

#include <stdlib.h>

#include "callbacks.h"
#include "fail.h"

static struct emu_callbacks of_streams;
static struct emu_callbacks of_devices;
static struct emu_callbacks of_aborts;

void emu_stream_state_changes(aclrtStream stream, aclrtStreamState state)
{
	size_t count;
	struct emu_callback *callbacks = emu_callbacks_copy(&of_streams, &count);

	for (size_t i = 0; i < count; i++)
		((aclrtStreamStateCallback)callbacks[i].function)(stream, state, callbacks[i].data);
	free(callbacks);
}

void emu_device_state_changes(int32_t device, aclrtDeviceState state)
{
	size_t count;
	struct emu_callback *callbacks = emu_callbacks_copy(&of_devices, &count);

	for (size_t i = 0; i < count; i++)
		((aclrtDeviceStateCallback)callbacks[i].function)(device, state, callbacks[i].data);
	free(callbacks);
}

/* What the functions return is not asked for: nothing of the abort depends on it. */
void emu_device_task_aborts(int32_t device, aclrtDeviceTaskAbortStage stage, uint32_t timeout)
{
	size_t count;
	struct emu_callback *callbacks = emu_callbacks_copy(&of_aborts, &count);

	for (size_t i = 0; i < count; i++)
		((aclrtDeviceTaskAbortCallback)callbacks[i].function)(device, stage, timeout, callbacks[i].data);
	free(callbacks);
}

/* ---- API ---- */

/* A null function takes the one of that name away. */
static aclError enter(const char *function, struct emu_callbacks *list, const struct emu_callback *entry)
{
	if (!entry->name)
		return emu_fail_null(function, "regName");
	if (!entry->function && !emu_callbacks_remove(list, entry))
		return emu_fail(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
		                "%s failed because callback is a null pointer and nothing is registered as \"%s\".", function,
		                entry->name);
	if (entry->function && !emu_callbacks_add(list, entry))
		return emu_fail(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL, "EE1023", "%s failed: the host's memory is exhausted.",
		                function);
	return ACL_SUCCESS;
}

aclError aclrtRegStreamStateCallback(const char *regName, aclrtStreamStateCallback callback, void *args)
{
	return enter(__func__, &of_streams,
	             &(struct emu_callback){.name = regName, .function = (void (*)(void))callback, .data = args});
}

aclError aclrtRegDeviceStateCallback(const char *regName, aclrtDeviceStateCallback callback, void *args)
{
	return enter(__func__, &of_devices,
	             &(struct emu_callback){.name = regName, .function = (void (*)(void))callback, .data = args});
}

aclError aclrtSetDeviceTaskAbortCallback(const char *regName, aclrtDeviceTaskAbortCallback callback, void *args)
{
	return enter(__func__, &of_aborts,
	             &(struct emu_callback){.name = regName, .function = (void (*)(void))callback, .data = args});
}
