#include "time_limit.h"

#include <stdatomic.h>

#include "acl/acl_rt.h"
#include "config.h"
#include "fail.h"

static atomic_uint wait_seconds;        /* 0: none */
static _Atomic uint64_t execute_us;     /* 0: never set */

int64_t emu_wait_limit(void)
{
	unsigned seconds = atomic_load(&wait_seconds);

	return seconds ? (int64_t)seconds * 1000 : -1;
}

/*
 * What a device allows an operator before it takes it for hung. The first products allow less. Here nothing is ever cut
 * off: a processor may well need longer than the device would.
 */
static uint64_t default_execute_us(void)
{
	const struct emu_soc *soc = emu_soc();

	return (soc && soc->architecture < 2002 ? 68 : 1091) * UINT64_C(1000000);
}

aclError aclrtSetOpWaitTimeout(uint32_t timeout)
{
	atomic_store(&wait_seconds, timeout);
	return ACL_SUCCESS;
}

/* 0 asks for the default. */
static aclError set_execute(uint64_t microseconds)
{
	atomic_store(&execute_us, microseconds);
	return ACL_SUCCESS;
}

static uint64_t get_execute(void)
{
	uint64_t microseconds = atomic_load(&execute_us);

	return microseconds ? microseconds : default_execute_us();
}

aclError aclrtSetOpExecuteTimeOut(uint32_t timeout)
{
	return set_execute(timeout * UINT64_C(1000000));
}

aclError aclrtSetOpExecuteTimeOutWithMs(uint32_t timeout)
{
	return set_execute(timeout * UINT64_C(1000));
}

aclError aclrtSetOpExecuteTimeOutV2(uint64_t timeout, uint64_t *actualTimeout)
{
	if (!actualTimeout)
		return emu_fail_null(__func__, "actualTimeout");
	set_execute(timeout);
	*actualTimeout = get_execute();
	return ACL_SUCCESS;
}

aclError aclrtGetOpExecuteTimeout(uint32_t *const timeoutMs)
{
	uint64_t milliseconds = get_execute() / 1000;

	if (!timeoutMs)
		return emu_fail_null(__func__, "timeoutMs");
	*timeoutMs = milliseconds < UINT32_MAX ? (uint32_t)milliseconds : UINT32_MAX;
	return ACL_SUCCESS;
}
