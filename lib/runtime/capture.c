/*
 * Captured graphs are not emulated. These four exist because a client does not load without them, and refuse. They are
 * in no header, so that a program that is compiled here does not come to need them.
 */
#include "acl/acl_rt.h"
#include "fail.h"

EMU_SHARED aclError aclmdlRICaptureBegin(aclrtStream stream, aclmdlRICaptureMode mode);
EMU_SHARED aclError aclmdlRICaptureEnd(aclrtStream stream, aclmdlRI *modelRI);
EMU_SHARED aclError aclmdlRIExecuteAsync(aclmdlRI modelRI, aclrtStream stream);
EMU_SHARED aclError aclmdlRIDestroy(aclmdlRI modelRI);

static aclError refuse(const char *function)
{
	return emu_fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "EE1016", "%s failed because graphs cannot be captured here.",
	                function);
}

aclError aclmdlRICaptureBegin(aclrtStream stream, aclmdlRICaptureMode mode)
{
	(void)mode;
	if (!stream)
		return emu_fail_null(__func__, "stream");
	return refuse(__func__);
}

aclError aclmdlRICaptureEnd(aclrtStream stream, aclmdlRI *modelRI)
{
	if (!stream)
		return emu_fail_null(__func__, "stream");
	if (!modelRI)
		return emu_fail_null(__func__, "modelRI");
	return refuse(__func__);
}

aclError aclmdlRIExecuteAsync(aclmdlRI modelRI, aclrtStream stream)
{
	(void)stream;
	if (!modelRI)
		return emu_fail_null(__func__, "modelRI");
	return refuse(__func__);
}

aclError aclmdlRIDestroy(aclmdlRI modelRI)
{
	if (!modelRI)
		return emu_fail_null(__func__, "modelRI");
	return refuse(__func__);
}
