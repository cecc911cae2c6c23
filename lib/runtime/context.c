#include "context.h"

#include <stdlib.h>

#include "acl/acl_rt.h"
#include "device.h"
#include "fail.h"
#include "streams.h"

/* An explicit context, else a device; never both. Handles, not pointers: what they name may be gone. */
static __thread struct {
	void *context;
	bool has_device;
	int device;
} bound;

static void bind_context(void *context)
{
	bound.context = context;
	bound.has_device = false;
}

void emu_thread_bind_device(int device)
{
	bound.context = NULL;
	bound.has_device = true;
	bound.device = device;
}

void emu_thread_lend_context(const void *handle)
{
	if (!bound.context && !bound.has_device)
		bind_context((void *)(uintptr_t)handle);
}

struct emu_context *emu_context_current(void)
{
	struct emu_context *context;

	if (!bound.context && !bound.has_device && !emu_device_set_default())
		return NULL;
	context = (struct emu_context *)emu_handle_acquire(
		bound.has_device ? emu_device_primary(bound.device) : bound.context, EMU_KIND_CONTEXT);
	if (context && atomic_load(&context->dying)) {
		emu_object_release(&context->object);
		context = NULL;
	}
	return context;
}

static aclError no_context(const char *function)
{
	char text[EMU_HANDLE_TEXT];

	if (bound.has_device)
		return emu_fail(ACL_ERROR_RT_CONTEXT_NULL, "EE1018",
		                "%s needs a current context, but device %d, which this thread "
		                "had set, was reset. Call aclrtSetDevice again.",
		                function, bound.device);
	if (bound.context)
		return emu_fail(ACL_ERROR_RT_CONTEXT_NULL, "EE1018",
		                "%s needs a current context, but that of this thread is gone: "
		                "%s. Call aclrtSetCurrentContext or aclrtSetDevice.",
		                function, emu_handle_describe(bound.context, text));
	return emu_fail(ACL_ERROR_RT_CONTEXT_NULL, "EE1018",
	                "%s needs a current context, and this thread has none. Call "
	                "aclrtSetDevice or aclrtSetCurrentContext on this thread first.",
	                function);
}

aclError emu_context_require(const char *function, struct emu_context **context)
{
	*context = emu_context_current();
	return *context ? ACL_SUCCESS : no_context(function);
}

static void destroy(struct emu_object *object)
{
	struct emu_context *context = (struct emu_context *)object;

	if (context->default_stream)
		emu_object_release(&context->default_stream->object);
	if (context->failure)
		emu_failure_release(context->failure);
	free(context);
}

aclError emu_context_open(const char *function, int device, bool primary, void **handle)
{
	struct emu_context *context = calloc(1, sizeof(*context));
	aclError status;

	if (context)
		context->failure = emu_failure_create();
	if (!context || !context->failure || !emu_handle_open(&context->object, EMU_KIND_CONTEXT, destroy)) {
		if (context)
			destroy(&context->object);
		return emu_fail(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL, "EE1023",
		                "%s failed: the host's memory is exhausted.", function);
	}
	context->device = device;
	context->primary = primary;
	context->default_stream = emu_stream_create(function, context, true, 0, 0, &status);
	if (!context->default_stream) {
		emu_handle_close(context->object.handle, EMU_KIND_CONTEXT, "never finished");
		return status;
	}
	*handle = context->object.handle;
	return ACL_SUCCESS;
}

aclError emu_context_refuse_own(const char *function, const struct emu_context *context)
{
	if (!emu_streams_own(context))
		return ACL_SUCCESS;
	return emu_fail(ACL_ERROR_RT_PARAM_INVALID, "EE1018",
	                "%s failed because it was called by a function that runs in a stream of context %p, and would "
	                "wait for itself.",
	                function, context->object.handle);
}

aclError emu_context_close(const char *function, struct emu_context *context, const char *how)
{
	aclError status = emu_context_refuse_own(function, context);

	if (status)
		return status;
	if (atomic_exchange(&context->dying, true))
		return emu_fail(ACL_ERROR_RT_CONTEXT_RELEASE_ERROR, "EE1016",
		                "%s failed because another thread is destroying "
		                "context %p.",
		                function, context->object.handle);
	emu_streams_shut_all(context);
	emu_handle_close(context->object.handle, EMU_KIND_CONTEXT, how);
	return ACL_SUCCESS;
}

/* ---- API ---- */

aclError aclrtCreateContext(aclrtContext *context, int32_t deviceId)
{
	void *handle;
	aclError status;

	if (!context)
		return emu_fail_null(__func__, "context");
	status = emu_device_check(__func__, deviceId);
	if (!status)
		status = emu_context_open(__func__, deviceId, false, &handle);
	if (status)
		return status;
	bind_context(handle);
	*context = handle;
	return ACL_SUCCESS;
}

static aclError dead_context(const char *function, aclError status, const void *handle)
{
	char text[EMU_HANDLE_TEXT];

	return emu_fail(status, "EE1017", "%s failed because context is not a live context: %s.", function,
	                emu_handle_describe(handle, text));
}

aclError aclrtDestroyContext(aclrtContext context)
{
	struct emu_context *object;
	aclError status;

	if (!context)
		return emu_fail_null(__func__, "context");
	object = (struct emu_context *)emu_handle_acquire(context, EMU_KIND_CONTEXT);
	if (!object)
		return dead_context(__func__, ACL_ERROR_RT_CONTEXT_NULL, context);
	if (object->primary)
		status = emu_fail(ACL_ERROR_RT_CONTEXT_NULL, "EE1016",
		                  "%s failed because %p is the primary context of device %d, "
		                  "which only aclrtResetDevice ends.",
		                  __func__, context, object->device);
	else
		status = emu_context_close(__func__, object, "destroyed");
	emu_object_release(&object->object);
	return status;
}

aclError aclrtSetCurrentContext(aclrtContext context)
{
	struct emu_context *object;

	if (!context)
		return emu_fail_null(__func__, "context");
	object = (struct emu_context *)emu_handle_acquire(context, EMU_KIND_CONTEXT);
	if (!object)
		return dead_context(__func__, ACL_ERROR_RT_PARAM_INVALID, context);
	bind_context(context);
	emu_object_release(&object->object);
	return ACL_SUCCESS;
}

aclError aclrtGetCurrentContext(aclrtContext *context)
{
	struct emu_context *current;
	aclError status;

	if (!context)
		return emu_fail_null(__func__, "context");
	status = emu_context_require(__func__, &current);
	if (status)
		return status;
	*context = current->object.handle;
	emu_object_release(&current->object);
	return ACL_SUCCESS;
}
