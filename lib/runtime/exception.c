#include "exception.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "acl/acl_rt.h"
#include "callbacks.h"
#include "fail.h"
#include "queue.h"

static const uint32_t NO_INFO = 0xFFFFFFFF;

static struct emu_callbacks registered;
static _Atomic(aclrtExceptionInfoCallback) single; /* the deprecated way */

void emu_exception_raise(struct rtExceptionInfo *exception)
{
	aclrtExceptionInfoCallback old = atomic_load(&single);
	size_t count;
	struct emu_callback *callbacks = emu_callbacks_copy(&registered, &count);

	if (old)
		old(exception);
	for (size_t i = 0; i < count; i++)
		((aclrtExceptionInfoCallback)callbacks[i].function)(exception);
	free(callbacks);
}

/* ---- API ---- */

aclError aclrtSetExceptionInfoCallback(aclrtExceptionInfoCallback callback)
{
	atomic_store(&single, callback);
	return ACL_SUCCESS;
}

/* A null pointer is refused by the inner layer here, unlike elsewhere. */
static aclError null_callback(const char *function)
{
	return emu_fail(ACL_ERROR_RT_PARAM_INVALID, "EE1004", "%s failed because callback is a null pointer.", function);
}

aclError aclrtExceptionInfoCallbackRegister(aclrtExceptionInfoCallback callback)
{
	if (!callback)
		return null_callback(__func__);
	if (emu_callbacks_add(&registered, &(struct emu_callback){.function = (void (*)(void))callback}))
		return ACL_SUCCESS;
	return emu_fail(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL, "EE1023", "%s failed: the host's memory is exhausted.",
	                __func__);
}

aclError aclrtExceptionInfoCallbackUnregister(aclrtExceptionInfoCallback callback)
{
	if (!callback)
		return null_callback(__func__);
	if (emu_callbacks_remove(&registered, &(struct emu_callback){.function = (void (*)(void))callback}))
		return ACL_SUCCESS;
	return emu_fail(ACL_ERROR_RT_PARAM_INVALID, "EE1003", "%s failed because callback is not registered.", __func__);
}

uint32_t aclrtGetTaskIdFromExceptionInfo(const aclrtExceptionInfo *info)
{
	return info ? info->task : NO_INFO;
}

uint32_t aclrtGetStreamIdFromExceptionInfo(const aclrtExceptionInfo *info)
{
	return info ? info->stream : NO_INFO;
}

uint32_t aclrtGetThreadIdFromExceptionInfo(const aclrtExceptionInfo *info)
{
	return info ? info->thread : NO_INFO;
}

uint32_t aclrtGetDeviceIdFromExceptionInfo(const aclrtExceptionInfo *info)
{
	return info ? info->device : NO_INFO;
}

uint32_t aclrtGetErrorCodeFromExceptionInfo(const aclrtExceptionInfo *info)
{
	return info ? info->error : NO_INFO;
}

aclError aclrtGetThreadLastTaskId(uint32_t *taskId)
{
	if (!taskId)
		return emu_fail_null(__func__, "taskId");
	*taskId = emu_queue_last_id_of_thread();
	return ACL_SUCCESS;
}
