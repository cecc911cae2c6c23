/* Which chip the calls are for: ACLEMU_SOC, what the process chose since, what a thread chose for itself. */
#include <stdatomic.h>
#include <stddef.h>

#include "acl/acl_rt.h"
#include "aclemu/aclemu.h"
#include "config.h"
#include "fail.h"
#include "soc.h"

static _Atomic(const struct emu_soc *) of_process;
static __thread const struct emu_soc *of_thread;

const struct emu_soc *emu_soc(void)
{
	const struct emu_soc *chosen = of_thread ? of_thread : atomic_load_explicit(&of_process, memory_order_acquire);

	return chosen ? chosen : emu_config()->soc;
}

static aclError find(const char *function, const char *name, const struct emu_soc **soc)
{
	char nearest[EMU_SOC_NAMES];

	*soc = name ? emu_soc_find(name) : NULL;
	if (*soc || !name)
		return ACL_SUCCESS;
	return emu_fail(ACL_ERROR_INVALID_PARAM, "EH0009", "%s failed because name is \"%.64s\", %s; the nearest: %s.",
	                function, name,
	                emu_soc_is_unsupported(name) ? "a chip that is not supported" : "which no supported chip has",
	                emu_soc_nearest(name, nearest));
}

aclError aclemuSetSoc(const char *name)
{
	const struct emu_soc *soc;
	aclError status = find(__func__, name, &soc);

	if (!status)
		atomic_store_explicit(&of_process, soc, memory_order_release);
	return status;
}

aclError aclemuSetThreadSoc(const char *name)
{
	const struct emu_soc *soc;
	aclError status = find(__func__, name, &soc);

	if (!status)
		of_thread = soc;
	return status;
}

const char *aclrtGetSocName(void)
{
	const struct emu_soc *soc = emu_soc();

	return soc ? soc->name : NULL;
}
