/* Dumps of operators' tensors are not emulated, and say so: a dump that was asked for and is missing is no success. */
#include "acl/acl_rt.h"
#include "fail.h"

static aclError refuse(const char *function)
{
	return emu_fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "EE1016", "%s failed because tensors cannot be dumped here.",
	                function);
}

aclError aclmdlInitDump(void)
{
	return refuse(__func__);
}

aclError aclmdlSetDump(const char *dumpCfgPath)
{
	if (!dumpCfgPath)
		return emu_fail_null(__func__, "dumpCfgPath");
	return refuse(__func__);
}

aclError aclmdlFinalizeDump(void)
{
	return refuse(__func__);
}
