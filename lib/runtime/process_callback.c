#include "process_callback.h"

#include <stdlib.h>

#include "acl/acl_rt.h"
#include "callbacks.h"
#include "fail.h"

static struct emu_callbacks at_start;
static struct emu_callbacks at_end;

aclError emu_process_starts(const char *configuration, size_t size)
{
	size_t count;
	struct emu_callback *callbacks = emu_callbacks_copy(&at_start, &count);
	aclError status = ACL_SUCCESS;

	for (size_t i = 0; i < count && !status; i++)
		status = ((aclInitCallbackFunc)callbacks[i].function)(configuration, size, callbacks[i].data);
	free(callbacks);
	return status;
}

aclError emu_process_ends(void)
{
	size_t count;
	struct emu_callback *callbacks = emu_callbacks_copy(&at_end, &count);
	aclError status = ACL_SUCCESS;

	for (size_t i = 0; i < count && !status; i++)
		status = ((aclFinalizeCallbackFunc)callbacks[i].function)(callbacks[i].data);
	free(callbacks);
	return status;
}

static aclError add(const char *function, struct emu_callbacks *list, const struct emu_callback *entry)
{
	if (!entry->function)
		return emu_fail_null(function, "cbFunc");
	if (!emu_callbacks_add(list, entry))
		return emu_fail(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL, "EE1023", "%s failed: the host's memory is exhausted.",
		                function);
	return ACL_SUCCESS;
}

static aclError take_away(const char *function, struct emu_callbacks *list, const struct emu_callback *entry)
{
	if (!entry->function)
		return emu_fail_null(function, "cbFunc");
	if (!emu_callbacks_remove(list, entry))
		return emu_fail(ACL_ERROR_INVALID_PARAM, "EH0009", "%s failed because cbFunc is not registered with type %d.",
		                function, entry->type);
	return ACL_SUCCESS;
}

/* ---- API ---- */

/* Who comes too late for aclInit() is called at once, without a configuration: that was not kept. */
aclError aclInitCallbackRegister(aclRegisterCallbackType type, aclInitCallbackFunc cbFunc, void *userData)
{
	const struct emu_callback entry = {.type = (int)type, .function = (void (*)(void))cbFunc, .data = userData};
	aclError status = add(__func__, &at_start, &entry);

	if (status || !emu_process_is_initialised())
		return status;
	return cbFunc("", 0, userData);
}

aclError aclInitCallbackUnRegister(aclRegisterCallbackType type, aclInitCallbackFunc cbFunc)
{
	const struct emu_callback entry = {.type = (int)type, .function = (void (*)(void))cbFunc};

	return take_away(__func__, &at_start, &entry);
}

aclError aclFinalizeCallbackRegister(aclRegisterCallbackType type, aclFinalizeCallbackFunc cbFunc, void *userData)
{
	const struct emu_callback entry = {.type = (int)type, .function = (void (*)(void))cbFunc, .data = userData};

	return add(__func__, &at_end, &entry);
}

aclError aclFinalizeCallbackUnRegister(aclRegisterCallbackType type, aclFinalizeCallbackFunc cbFunc)
{
	const struct emu_callback entry = {.type = (int)type, .function = (void (*)(void))cbFunc};

	return take_away(__func__, &at_end, &entry);
}
