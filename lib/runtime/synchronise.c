/* Waiting for streams and devices, and ending what is waited for. */
#include <inttypes.h>

#include "acl/acl_rt.h"
#include "context.h"
#include "device.h"
#include "fail.h"
#include "state_callback.h"
#include "streams.h"

/* Flags of streams that only other streams or the device itself wait for. */
static const uint32_t never_waited = ACL_STREAM_PERSISTENT | ACL_STREAM_CPU_SCHEDULE | ACL_STREAM_DEVICE_USE_ONLY;

static aclError check_timeout(const char *function, int32_t timeout)
{
	if (timeout > 0 || timeout == -1)
		return ACL_SUCCESS;
	return emu_fail(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
	                "%s failed because timeout is %" PRId32 "; it is a number of milliseconds above 0, or -1 for ever.",
	                function, timeout);
}

static aclError synchronise_stream(const char *function, aclrtStream handle, int32_t milliseconds)
{
	const struct emu_deadline deadline = emu_deadline_in(milliseconds);
	struct emu_context *context;
	struct emu_stream *stream;
	aclError status = emu_stream_resolve(function, handle, true, &stream, &context);

	if (status)
		return status;
	if (!(stream->flags & never_waited))
		status = emu_stream_synchronise(function, stream, &deadline);
	emu_object_release(&stream->object);
	emu_object_release(&context->object);
	return status;
}

static aclError synchronise_device(const char *function, int32_t milliseconds)
{
	const struct emu_deadline deadline = emu_deadline_in(milliseconds);
	struct emu_context *context;
	aclError status = emu_context_require(function, &context);

	if (status)
		return status;
	status = emu_streams_synchronise(function, context->device, &deadline);
	emu_object_release(&context->object);
	return status;
}

/* ---- API ---- */

aclError aclrtSynchronizeStream(aclrtStream stream)
{
	return synchronise_stream(__func__, stream, -1);
}

aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t timeout)
{
	aclError status = check_timeout(__func__, timeout);

	return status ? status : synchronise_stream(__func__, stream, timeout);
}

aclError aclrtSynchronizeDevice(void)
{
	return synchronise_device(__func__, -1);
}

aclError aclrtSynchronizeDeviceWithTimeout(int32_t timeout)
{
	aclError status = check_timeout(__func__, timeout);

	return status ? status : synchronise_device(__func__, timeout);
}

aclError aclrtStreamAbort(aclrtStream stream)
{
	struct emu_context *context;
	struct emu_stream *aborted;
	aclError status = emu_stream_resolve(__func__, stream, false, &aborted, &context);

	if (status)
		return status;
	emu_queue_abort(&aborted->queue, ACL_ERROR_RT_STREAM_ABORT);
	emu_object_release(&aborted->object);
	emu_object_release(&context->object);
	return ACL_SUCCESS;
}

/* Nothing that runs can be cut off, so that there is nothing to wait for, and no time limit to keep. */
aclError aclrtDeviceTaskAbort(int32_t deviceId, uint32_t timeout)
{
	aclError status = emu_device_check(__func__, deviceId);

	if (status)
		return status;
	emu_device_task_aborts(deviceId, ACL_RT_DEVICE_TASK_ABORT_PRE, timeout);
	emu_streams_abort(deviceId, ACL_ERROR_RT_DEVICE_TASK_ABORT);
	emu_device_task_aborts(deviceId, ACL_RT_DEVICE_TASK_ABORT_POST, timeout);
	return ACL_SUCCESS;
}
