#include <inttypes.h>

#include "acl/acl_rt.h"
#include "context.h"
#include "fail.h"
#include "state_callback.h"
#include "streams.h"

static const uint32_t known_flags = ACL_STREAM_FAST_LAUNCH | ACL_STREAM_FAST_SYNC | ACL_STREAM_PERSISTENT |
                                    ACL_STREAM_HUGE | ACL_STREAM_CPU_SCHEDULE | ACL_STREAM_DEVICE_USE_ONLY;

static aclError create(const char *function, uint32_t priority, uint32_t flags, aclrtStream *out)
{
	struct emu_context *context;
	struct emu_stream *stream;
	aclError status = emu_context_require(function, &context);

	if (status)
		return status;
	stream = emu_stream_create(function, context, false, priority, flags, &status);
	if (stream) {
		*out = stream->object.handle;
		emu_stream_state_changes(*out, ACL_RT_STREAM_STATE_CREATE_POST);
		emu_object_release(&stream->object);
	}
	emu_object_release(&context->object);
	return status;
}

aclError aclrtCreateStream(aclrtStream *stream)
{
	if (!stream)
		return emu_fail_null(__func__, "stream");
	return create(__func__, 0, 0, stream);
}

aclError aclrtCreateStreamWithConfig(aclrtStream *stream, uint32_t priority, uint32_t flag)
{
	uint32_t flags = flag & known_flags;

	if (!stream)
		return emu_fail_null(__func__, "stream");
	if ((flags & ACL_STREAM_DEVICE_USE_ONLY) && flags != ACL_STREAM_DEVICE_USE_ONLY)
		return emu_fail(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
		                "%s failed because flag is 0x%" PRIx32 ": "
		                "ACL_STREAM_DEVICE_USE_ONLY (0x20) cannot be combined with others.",
		                __func__, flag);
	return create(__func__, priority < EMU_LOWEST_PRIORITY ? priority : EMU_LOWEST_PRIORITY, flags, stream);
}

static aclError check_destroy(const char *function, const struct emu_stream *stream)
{
	if (stream->is_default)
		return emu_fail(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
		                "%s failed because stream %p is the default stream of its context, with which it goes.",
		                function, stream->object.handle);
	if (emu_queue_is_own(&stream->queue))
		return emu_fail(ACL_ERROR_RT_PARAM_INVALID, "EE1018",
		                "%s failed because it was called by a function that runs in stream %p, and would wait "
		                "for itself.",
		                function, stream->object.handle);
	return ACL_SUCCESS;
}

static aclError destroy(const char *function, aclrtStream handle, bool drop_waiting)
{
	struct emu_context *context;
	struct emu_stream *stream;
	aclError status;
	char text[EMU_HANDLE_TEXT];

	if (!handle)
		return emu_fail_null(function, "stream");
	status = emu_stream_resolve(function, handle, false, &stream, &context);
	if (status)
		return status;
	status = check_destroy(function, stream);
	if (status)
		goto out;
	emu_stream_state_changes(handle, ACL_RT_STREAM_STATE_DESTROY_PRE);
	if (emu_handle_close(handle, EMU_KIND_STREAM, "destroyed"))
		emu_stream_shut(stream, drop_waiting);
	else
		status = emu_fail(ACL_ERROR_RT_INVALID_HANDLE, "EE1017",
		                  "%s failed because stream is not a live stream: %s.", function,
		                  emu_handle_describe(handle, text));
out:
	emu_object_release(&stream->object);
	emu_object_release(&context->object);
	return status;
}

aclError aclrtDestroyStream(aclrtStream stream)
{
	return destroy(__func__, stream, false);
}

aclError aclrtDestroyStreamForce(aclrtStream stream)
{
	return destroy(__func__, stream, true);
}
