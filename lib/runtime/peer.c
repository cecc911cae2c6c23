/* Access between devices. Emulated devices can always reach each other; what was asked for is remembered. */
#include <inttypes.h>
#include <stdatomic.h>

#include "acl/acl_rt.h"
#include "config.h"
#include "context.h"
#include "device.h"
#include "fail.h"

static atomic_bool enabled[EMU_MAX_DEVICES][EMU_MAX_DEVICES]; /* from a device to a peer */

static aclError check_pair(const char *function, int32_t device, int32_t peer)
{
	aclError status;

	if (device == peer)
		return emu_fail(ACL_ERROR_INVALID_PARAM, "EH0009",
		                "%s failed because device %" PRId32 " and its peer are the same.", function, device);
	status = emu_device_check(function, device);
	return status ? status : emu_device_check(function, peer);
}

aclError aclrtDeviceCanAccessPeer(int32_t *canAccessPeer, int32_t deviceId, int32_t peerDeviceId)
{
	aclError status;

	if (!canAccessPeer)
		return emu_fail_null(__func__, "canAccessPeer");
	status = check_pair(__func__, deviceId, peerDeviceId);
	if (!status)
		*canAccessPeer = 1;
	return status;
}

/* From the current device. */
static aclError set_access(const char *function, int32_t peer, bool enable)
{
	struct emu_context *context;
	aclError status = emu_context_require(function, &context);

	if (status)
		return status;
	status = check_pair(function, context->device, peer);
	if (!status)
		atomic_store(&enabled[context->device][peer], enable);
	emu_object_release(&context->object);
	return status;
}

aclError aclrtDeviceEnablePeerAccess(int32_t peerDeviceId, uint32_t flags)
{
	if (flags != 0)
		return emu_fail(ACL_ERROR_FEATURE_UNSUPPORTED, "EH0009",
		                "%s failed because flags is %" PRIu32 "; it must be 0.", __func__, flags);
	return set_access(__func__, peerDeviceId, true);
}

aclError aclrtDeviceDisablePeerAccess(int32_t peerDeviceId)
{
	return set_access(__func__, peerDeviceId, false);
}

aclError aclrtDevicePeerAccessStatus(int32_t deviceId, int32_t peerDeviceId, int32_t *status)
{
	aclError result;

	if (!status)
		return emu_fail_null(__func__, "status");
	result = check_pair(__func__, deviceId, peerDeviceId);
	if (!result)
		*status = atomic_load(&enabled[deviceId][peerDeviceId]);
	return result;
}
