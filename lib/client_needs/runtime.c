/*
 * The layer below acl/acl_rt.h, where programs bring kernels of their own. Machine code of a device cannot run here:
 * the functions exist for clients that link them, and refuse.
 */
#include <stdint.h>

#include "acl/acl_base.h"
#include "runtime/error.h"

EMU_SHARED int32_t rtDevBinaryRegister(const void *binary, void **handle);
EMU_SHARED int32_t rtFunctionRegister(void *binary, const void *stub, const char *name, const void *kernel,
                                      uint32_t mode);
EMU_SHARED int32_t rtKernelLaunch(const void *stub, uint32_t blocks, void *arguments, uint32_t size, void *description,
                                  void *stream);
EMU_SHARED int32_t rtGetC2cCtrlAddr(uint64_t *address, uint32_t *length);

static int32_t refuse(const char *function, const char *why)
{
	emu_error_add("EE1016", "%s failed because %s.", function, why);
	return ACL_ERROR_RT_FEATURE_NOT_SUPPORT;
}

int32_t rtDevBinaryRegister(const void *binary, void **handle)
{
	(void)binary;
	(void)handle;
	return refuse(__func__, "device machine code cannot be run on this processor");
}

int32_t rtFunctionRegister(void *binary, const void *stub, const char *name, const void *kernel, uint32_t mode)
{
	(void)binary;
	(void)stub;
	(void)name;
	(void)kernel;
	(void)mode;
	return refuse(__func__, "device machine code cannot be run on this processor");
}

int32_t rtKernelLaunch(const void *stub, uint32_t blocks, void *arguments, uint32_t size, void *description,
                       void *stream)
{
	(void)stub;
	(void)blocks;
	(void)arguments;
	(void)size;
	(void)description;
	(void)stream;
	return refuse(__func__, "device machine code cannot be run on this processor");
}

int32_t rtGetC2cCtrlAddr(uint64_t *address, uint32_t *length)
{
	(void)address;
	(void)length;
	return refuse(__func__, "the emulated device has no control block that its cores could share");
}
