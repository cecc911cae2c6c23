/*
 * Kernels that a program brings along. Machine code of a device cannot run here: these three exist because a client
 * links them, and refuse. They are in no header, so that a program that is compiled here does not come to need them.
 */
#include <stddef.h>

#include "acl/acl_rt.h"
#include "fail.h"

EMU_SHARED aclError aclrtBinaryLoadFromData(const void *data, size_t length, const void *options,
                                            aclrtBinHandle *binary);
EMU_SHARED aclError aclrtBinaryGetFunction(aclrtBinHandle binary, const char *name, aclrtFuncHandle *function);
EMU_SHARED aclError aclrtGetFunctionAddr(aclrtFuncHandle function, void **cube, void **vector);

static aclError refuse(const char *function)
{
	return emu_fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "EE1016",
	                "%s failed because device machine code cannot be run on this processor.", function);
}

aclError aclrtBinaryLoadFromData(const void *data, size_t length, const void *options, aclrtBinHandle *binary)
{
	(void)length;
	(void)options;
	if (!data)
		return emu_fail_null(__func__, "data");
	if (!binary)
		return emu_fail_null(__func__, "binHandle");
	return refuse(__func__);
}

aclError aclrtBinaryGetFunction(aclrtBinHandle binary, const char *name, aclrtFuncHandle *function)
{
	if (!binary)
		return emu_fail_null(__func__, "binHandle");
	if (!name)
		return emu_fail_null(__func__, "kernelName");
	if (!function)
		return emu_fail_null(__func__, "funcHandle");
	return refuse(__func__);
}

aclError aclrtGetFunctionAddr(aclrtFuncHandle function, void **cube, void **vector)
{
	if (!function)
		return emu_fail_null(__func__, "funcHandle");
	if (!cube)
		return emu_fail_null(__func__, "aicAddr");
	if (!vector)
		return emu_fail_null(__func__, "aivAddr");
	return refuse(__func__);
}
