/*
 * How many cores operators may use: of a device, of a stream, of the stream that a thread has in use. Emulated
 * operators take the threads of ACLEMU_THREADS whatever the budget; it is kept for those who ask.
 */
#include <inttypes.h>

#include "acl/acl_rt.h"
#include "config.h"
#include "context.h"
#include "device.h"
#include "fail.h"
#include "streams.h"

enum { TYPES = EMU_CORE_TYPES };

static atomic_uint of_device[EMU_MAX_DEVICES][TYPES]; /* 0: not set */
static __thread void *in_use; /* handle of a stream */

static uint32_t of_chip(aclrtDevResLimitType type)
{
	const struct emu_soc *soc = emu_soc();

	if (!soc)
		return 0;
	return (uint32_t)(type == ACL_RT_DEV_RES_CUBE_CORE ? soc->cube_cores : soc->vector_cores);
}

static uint32_t effective(const struct emu_stream *stream, int device, aclrtDevResLimitType type)
{
	uint32_t budget = stream ? atomic_load(&stream->core_budget[type]) : 0;

	if (!budget)
		budget = atomic_load(&of_device[device][type]);
	return budget ? budget : of_chip(type);
}

static aclError check_type(const char *function, aclrtDevResLimitType type)
{
	if ((unsigned)type < TYPES)
		return ACL_SUCCESS;
	return emu_fail(ACL_ERROR_INVALID_PARAM, "EH0007",
	                "%s failed because type is %d; it must be 0 or 1 (ACL_RT_DEV_RES_...).", function, (int)type);
}

static aclError check_value(const char *function, aclrtDevResLimitType type, uint32_t value)
{
	if (value >= 1 && value <= of_chip(type))
		return ACL_SUCCESS;
	return emu_fail(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
	                "%s failed because value is %" PRIu32 "; the chip has %" PRIu32 " such cores.", function, value,
	                of_chip(type));
}

/* ---- of a device ---- */

aclError aclrtGetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type, uint32_t *value)
{
	aclError status;

	if (!value)
		return emu_fail_null(__func__, "value");
	status = check_type(__func__, type);
	if (!status)
		status = emu_device_check(__func__, deviceId);
	if (!status)
		*value = effective(NULL, deviceId, type);
	return status;
}

aclError aclrtSetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type, uint32_t value)
{
	aclError status = check_type(__func__, type);

	if (!status)
		status = emu_device_check(__func__, deviceId);
	if (!status)
		status = check_value(__func__, type, value);
	if (!status)
		atomic_store(&of_device[deviceId][type], value);
	return status;
}

aclError aclrtResetDeviceResLimit(int32_t deviceId)
{
	aclError status = emu_device_check(__func__, deviceId);

	for (int type = 0; type < TYPES && !status; type++)
		atomic_store(&of_device[deviceId][type], 0);
	return status;
}

/* ---- of a stream ---- */

aclError aclrtGetStreamResLimit(aclrtStream stream, aclrtDevResLimitType type, uint32_t *value)
{
	struct emu_context *context;
	struct emu_stream *target;
	aclError status;

	if (!value)
		return emu_fail_null(__func__, "value");
	status = check_type(__func__, type);
	if (!status)
		status = emu_stream_resolve(__func__, stream, true, &target, &context);
	if (status)
		return status;
	*value = effective(target, target->device, type);
	emu_object_release(&target->object);
	emu_object_release(&context->object);
	return ACL_SUCCESS;
}

static aclError set_of_stream(const char *function, aclrtStream stream, const uint32_t budget[TYPES], unsigned which)
{
	struct emu_context *context;
	struct emu_stream *target;
	aclError status = emu_stream_resolve(function, stream, true, &target, &context);

	if (status)
		return status;
	for (int type = 0; type < TYPES; type++)
		if (which & 1U << type)
			atomic_store(&target->core_budget[type], budget[type]);
	emu_object_release(&target->object);
	emu_object_release(&context->object);
	return ACL_SUCCESS;
}

aclError aclrtSetStreamResLimit(aclrtStream stream, aclrtDevResLimitType type, uint32_t value)
{
	uint32_t budget[TYPES] = {value, value};
	aclError status = check_type(__func__, type);

	if (!status)
		status = check_value(__func__, type, value);
	return status ? status : set_of_stream(__func__, stream, budget, 1U << type);
}

aclError aclrtResetStreamResLimit(aclrtStream stream)
{
	const uint32_t none[TYPES] = {0};

	return set_of_stream(__func__, stream, none, (1U << TYPES) - 1);
}

/* ---- of the calling thread ---- */

/* The handle of a live stream, NULL's being that of the default stream. */
static aclError find_handle(const char *function, aclrtStream stream, void **handle)
{
	struct emu_context *context;
	struct emu_stream *target;
	aclError status = emu_stream_resolve(function, stream, true, &target, &context);

	if (status)
		return status;
	*handle = target->object.handle;
	emu_object_release(&target->object);
	emu_object_release(&context->object);
	return ACL_SUCCESS;
}

aclError aclrtUseStreamResInCurrentThread(aclrtStream stream)
{
	return find_handle(__func__, stream, &in_use);
}

aclError aclrtUnuseStreamResInCurrentThread(aclrtStream stream)
{
	void *handle;
	aclError status = find_handle(__func__, stream, &handle);

	if (!status && handle == in_use)
		in_use = NULL;
	return status;
}

aclError aclrtGetResInCurrentThread(aclrtDevResLimitType type, uint32_t *value)
{
	struct emu_context *context;
	struct emu_stream *stream;
	aclError status;

	if (!value)
		return emu_fail_null(__func__, "value");
	status = check_type(__func__, type);
	if (!status)
		status = emu_context_require(__func__, &context);
	if (status)
		return status;
	stream = in_use ? (struct emu_stream *)emu_handle_acquire(in_use, EMU_KIND_STREAM) : NULL;
	*value = effective(stream, context->device, type);
	if (stream)
		emu_object_release(&stream->object);
	emu_object_release(&context->object);
	return ACL_SUCCESS;
}
