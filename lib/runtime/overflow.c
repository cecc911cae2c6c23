#include "overflow.h"

#include <stdatomic.h>

#include "config.h"
#include "fail.h"

static atomic_int chosen = ACL_RT_OVERFLOW_MODE_UNDEF;

/* The chips since A2 have infinities, the older ones saturate. */
static aclrtFloatOverflowMode of_chip(void)
{
	const struct emu_soc *soc = emu_soc();

	return soc && soc->architecture < 2201 ? ACL_RT_OVERFLOW_MODE_SATURATION : ACL_RT_OVERFLOW_MODE_INFNAN;
}

aclrtFloatOverflowMode emu_overflow_mode(void)
{
	int mode = atomic_load(&chosen);

	return mode == ACL_RT_OVERFLOW_MODE_UNDEF ? of_chip() : (aclrtFloatOverflowMode)mode;
}

/* Kept, and told to who asks; the arithmetic follows ACLEMU_OVERFLOW alone. */
aclError aclrtSetDeviceSatMode(aclrtFloatOverflowMode mode)
{
	if ((unsigned)mode >= ACL_RT_OVERFLOW_MODE_UNDEF)
		return emu_fail(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
		                "%s failed because mode is %d; it must be 0 (saturation) or 1 (infinity and NaN).", __func__,
		                (int)mode);
	atomic_store(&chosen, (int)mode);
	return ACL_SUCCESS;
}

aclError aclrtGetDeviceSatMode(aclrtFloatOverflowMode *mode)
{
	if (!mode)
		return emu_fail_null(__func__, "mode");
	*mode = emu_overflow_mode();
	return ACL_SUCCESS;
}
