/* Hints to the device's caches. The emulated device has none, so every hint has been followed already. */
#include "acl/acl_rt.h"
#include "context.h"
#include "fail.h"
#include "streams.h"

static aclError check(const char *function, const char *argument, const void *pointer, size_t size)
{
	if (!pointer)
		return emu_fail_null(function, argument);
	if (size == 0)
		return emu_fail(ACL_ERROR_INVALID_PARAM, "EH0009", "%s failed because size is 0.", function);
	return ACL_SUCCESS;
}

aclError aclrtCmoAsync(void *src, size_t size, aclrtCmoType cmoType, aclrtStream stream)
{
	struct emu_context *context;
	struct emu_stream *target;
	aclError status = check(__func__, "src", src, size);

	if (status)
		return status;
	if ((unsigned)cmoType > ACL_RT_CMO_TYPE_FLUSH)
		return emu_fail(ACL_ERROR_INVALID_PARAM, "EH0007",
		                "%s failed because cmoType is %d; it must be 0 to 3 (ACL_RT_CMO_TYPE_...).", __func__,
		                (int)cmoType);
	status = emu_stream_resolve(__func__, stream, false, &target, &context);
	if (status)
		return status;
	emu_object_release(&target->object);
	emu_object_release(&context->object);
	return ACL_SUCCESS;
}

aclError aclrtMemFlush(void *devPtr, size_t size)
{
	return check(__func__, "devPtr", devPtr, size);
}

aclError aclrtMemInvalidate(void *devPtr, size_t size)
{
	return check(__func__, "devPtr", devPtr, size);
}
