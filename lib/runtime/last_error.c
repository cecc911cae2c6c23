#include "last_error.h"

#include "acl/acl_rt.h"
#include "fail.h"

static __thread aclError last;

/* The outer layer's 100xxx and 500xxx, and the statuses of operators, have other leading digits. */
void emu_last_error_set(aclError status)
{
	int family = status / 1000;

	if (family == 107 || family == 207 || family == 507)
		last = status;
}

static aclError check_level(const char *function, aclrtLastErrLevel level)
{
	if (level == ACL_RT_THREAD_LEVEL)
		return ACL_SUCCESS;
	return emu_fail(ACL_ERROR_INVALID_PARAM, "EH0007",
	                "%s failed because level is %d; only 0 (ACL_RT_THREAD_LEVEL) exists.", function, (int)level);
}

aclError aclrtPeekAtLastError(aclrtLastErrLevel level)
{
	aclError status = check_level(__func__, level);

	return status ? status : last;
}

aclError aclrtGetLastError(aclrtLastErrLevel level)
{
	aclError status = check_level(__func__, level);

	if (status)
		return status;
	status = last;
	last = ACL_SUCCESS;
	return status;
}
