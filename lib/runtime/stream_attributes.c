/* What a stream can be asked, and what can be set of it. */
#include <inttypes.h>

#include "acl/acl_rt.h"
#include "context.h"
#include "fail.h"
#include "overflow.h"
#include "soc.h"
#include "streams.h"

/* A stream of whatever context, retained. */
static aclError resolve(const char *function, aclrtStream handle, struct emu_stream **stream)
{
	struct emu_context *context;
	aclError status = emu_stream_resolve(function, handle, true, stream, &context);

	if (!status)
		emu_object_release(&context->object);
	return status;
}

/* ---- setting ---- */

static aclError check_switch(const char *function, aclError status, uint32_t value)
{
	if (value <= 1)
		return ACL_SUCCESS;
	return emu_fail(status, status == ACL_ERROR_INVALID_PARAM ? "EH0007" : "EE1003",
	                "%s failed because the value is %" PRIu32 "; it must be 0 or 1.", function, value);
}

/* The default stream is a stream like others on the newer chips only. */
static aclError set_failure_mode(const char *function, struct emu_stream *stream, uint64_t mode)
{
	const struct emu_soc *soc = emu_soc();

	if (mode > ACL_STOP_ON_FAILURE)
		return emu_fail(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
		                "%s failed because mode is %" PRIu64 "; it must be 0 (continue) or 1 (stop).", function, mode);
	if (stream->is_default && soc && soc->architecture < 2201)
		return emu_fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "EE1016",
		                "%s failed because the failure mode of a default stream cannot be set on %s.", function,
		                soc->name);
	if (atomic_exchange(&stream->mode_chosen, true))
		return emu_fail(ACL_ERROR_RT_PARAM_INVALID, "EE1018",
		                "%s failed because the failure mode of stream %p was set already; it can be set once.",
		                function, stream->object.handle);
	atomic_store(&stream->mode, (unsigned)mode);
	if (mode == ACL_STOP_ON_FAILURE)
		atomic_store(&stream->failure->stops, true);
	return ACL_SUCCESS;
}

/* Overflows are not looked for. Where they turn into infinities the device does not look for them either. */
static aclError set_overflow_switch(const char *function, struct emu_stream *stream, uint32_t value)
{
	aclError status = check_switch(function, ACL_ERROR_INVALID_PARAM, value);

	if (status)
		return status;
	if (value && emu_overflow_mode() == ACL_RT_OVERFLOW_MODE_SATURATION)
		return emu_fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "EE1016",
		                "%s failed because overflows are not detected here.", function);
	atomic_store(&stream->overflow_switch, value);
	return ACL_SUCCESS;
}

static aclError set_priority(const char *function, struct emu_stream *stream, uint32_t priority)
{
	if (priority > EMU_LOWEST_PRIORITY)
		return emu_fail(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
		                "%s failed because the priority is %" PRIu32 "; it must be 0 (first) to %d.", function,
		                priority, EMU_LOWEST_PRIORITY);
	atomic_store(&stream->priority, priority);
	return ACL_SUCCESS;
}

static aclError set_cache_op_info(const char *function, struct emu_stream *stream, uint32_t value)
{
	aclError status = check_switch(function, ACL_ERROR_RT_PARAM_INVALID, value);

	if (!status)
		atomic_store(&stream->cache_op_info, value);
	return status;
}

static aclError unknown_attribute(const char *function, aclrtStreamAttr attribute)
{
	return emu_fail(ACL_ERROR_INVALID_PARAM, "EH0007",
	                "%s failed because stmAttrType is %d; it must be 1 to 5 (ACL_STREAM_ATTR_...).", function,
	                (int)attribute);
}

static aclError set_attribute(const char *function, struct emu_stream *stream, aclrtStreamAttr attribute,
                              const aclrtStreamAttrValue *value)
{
	switch (attribute) {
	case ACL_STREAM_ATTR_FAILURE_MODE:
		return set_failure_mode(function, stream, value->failureMode);
	case ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK:
		return set_overflow_switch(function, stream, value->overflowSwitch);
	case ACL_STREAM_ATTR_USER_CUSTOM_TAG:
		atomic_store(&stream->custom_tag, value->userCustomTag);
		return ACL_SUCCESS;
	case ACL_STREAM_ATTR_CACHE_OP_INFO:
		return set_cache_op_info(function, stream, value->cacheOpInfoSwitch);
	case ACL_STREAM_ATTR_PRIORITY:
		return set_priority(function, stream, value->streamPriority);
	default:
		return unknown_attribute(function, attribute);
	}
}

static aclError get_attribute(const char *function, struct emu_stream *stream, aclrtStreamAttr attribute,
                              aclrtStreamAttrValue *value)
{
	switch (attribute) {
	case ACL_STREAM_ATTR_FAILURE_MODE:
		value->failureMode = atomic_load(&stream->mode);
		return ACL_SUCCESS;
	case ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK:
		value->overflowSwitch = atomic_load(&stream->overflow_switch);
		return ACL_SUCCESS;
	case ACL_STREAM_ATTR_USER_CUSTOM_TAG:
		value->userCustomTag = atomic_load(&stream->custom_tag);
		return ACL_SUCCESS;
	case ACL_STREAM_ATTR_CACHE_OP_INFO:
		value->cacheOpInfoSwitch = atomic_load(&stream->cache_op_info);
		return ACL_SUCCESS;
	case ACL_STREAM_ATTR_PRIORITY:
		value->streamPriority = atomic_load(&stream->priority);
		return ACL_SUCCESS;
	default:
		return unknown_attribute(function, attribute);
	}
}

static aclError set(const char *function, aclrtStream stream, aclrtStreamAttr attribute,
                    const aclrtStreamAttrValue *value)
{
	struct emu_stream *object;
	aclError status = resolve(function, stream, &object);

	if (status)
		return status;
	status = set_attribute(function, object, attribute, value);
	emu_object_release(&object->object);
	return status;
}

aclError aclrtSetStreamAttribute(aclrtStream stream, aclrtStreamAttr stmAttrType, aclrtStreamAttrValue *value)
{
	return value ? set(__func__, stream, stmAttrType, value) : emu_fail_null(__func__, "value");
}

aclError aclrtGetStreamAttribute(aclrtStream stream, aclrtStreamAttr stmAttrType, aclrtStreamAttrValue *value)
{
	struct emu_stream *object;
	aclError status;

	if (!value)
		return emu_fail_null(__func__, "value");
	status = resolve(__func__, stream, &object);
	if (status)
		return status;
	status = get_attribute(__func__, object, stmAttrType, value);
	emu_object_release(&object->object);
	return status;
}

aclError aclrtSetStreamFailureMode(aclrtStream stream, uint64_t mode)
{
	const aclrtStreamAttrValue value = {.failureMode = mode};

	return set(__func__, stream, ACL_STREAM_ATTR_FAILURE_MODE, &value);
}

aclError aclrtSetStreamOverflowSwitch(aclrtStream stream, uint32_t flag)
{
	const aclrtStreamAttrValue value = {.overflowSwitch = flag};

	return set(__func__, stream, ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK, &value);
}

/* ---- asking ---- */

aclError aclrtStreamQuery(aclrtStream stream, aclrtStreamStatus *status)
{
	struct emu_context *context;
	struct emu_stream *object;
	aclError failure;

	if (!status)
		return emu_fail_null(__func__, "status");
	failure = emu_stream_resolve(__func__, stream, false, &object, &context);
	if (failure)
		return failure;
	*status = emu_queue_is_done(&object->queue) ? ACL_STREAM_STATUS_COMPLETE : ACL_STREAM_STATUS_NOT_READY;
	emu_object_release(&object->object);
	emu_object_release(&context->object);
	return ACL_SUCCESS;
}

/* One number of a stream of whatever context; `argument` is where the client wants it. */
static aclError ask(const char *function, aclrtStream stream, const char *argument,
                    uint32_t (*number)(const struct emu_stream *), uint32_t *out)
{
	struct emu_stream *object;
	aclError status;

	if (!out)
		return emu_fail_null(function, argument);
	status = resolve(function, stream, &object);
	if (status)
		return status;
	*out = number(object);
	emu_object_release(&object->object);
	return ACL_SUCCESS;
}

static uint32_t id_of(const struct emu_stream *stream)
{
	return stream->id & INT32_MAX;
}

static uint32_t priority_of(const struct emu_stream *stream)
{
	return atomic_load(&stream->priority);
}

static uint32_t flags_of(const struct emu_stream *stream)
{
	return stream->flags;
}

static uint32_t overflow_switch_of(const struct emu_stream *stream)
{
	return atomic_load(&stream->overflow_switch);
}

aclError aclrtStreamGetId(aclrtStream stream, int32_t *streamId)
{
	return ask(__func__, stream, "streamId", id_of, (uint32_t *)streamId);
}

aclError aclrtStreamGetPriority(aclrtStream stream, uint32_t *priority)
{
	return ask(__func__, stream, "priority", priority_of, priority);
}

aclError aclrtStreamGetFlags(aclrtStream stream, uint32_t *flags)
{
	return ask(__func__, stream, "flags", flags_of, flags);
}

aclError aclrtGetStreamOverflowSwitch(aclrtStream stream, uint32_t *flag)
{
	return ask(__func__, stream, "flag", overflow_switch_of, flag);
}

/* Either pointer may be null. */
aclError aclrtDeviceGetStreamPriorityRange(int32_t *leastPriority, int32_t *greatestPriority)
{
	if (leastPriority)
		*leastPriority = EMU_LOWEST_PRIORITY;
	if (greatestPriority)
		*greatestPriority = 0;
	return ACL_SUCCESS;
}

aclError aclrtGetStreamAvailableNum(uint32_t *streamCount)
{
	struct emu_context *context;
	aclError status;

	if (!streamCount)
		return emu_fail_null(__func__, "streamCount");
	status = emu_context_require(__func__, &context);
	if (status)
		return status;
	*streamCount = emu_streams_available(context->device);
	emu_object_release(&context->object);
	return ACL_SUCCESS;
}

aclError aclrtCtxGetCurrentDefaultStream(aclrtStream *stream)
{
	struct emu_context *context;
	aclError status;

	if (!stream)
		return emu_fail_null(__func__, "stream");
	status = emu_context_require(__func__, &context);
	if (status)
		return status;
	*stream = context->default_stream->object.handle;
	emu_object_release(&context->object);
	return ACL_SUCCESS;
}
