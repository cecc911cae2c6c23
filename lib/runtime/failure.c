#include "failure.h"

#include <stdlib.h>

struct emu_failure *emu_failure_create(void)
{
	struct emu_failure *failure = calloc(1, sizeof(*failure));

	if (failure)
		atomic_init(&failure->references, 1);
	return failure;
}

void emu_failure_retain(struct emu_failure *failure)
{
	atomic_fetch_add(&failure->references, 1);
}

void emu_failure_release(struct emu_failure *failure)
{
	if (atomic_fetch_sub(&failure->references, 1) == 1)
		free(failure);
}

/* Faults of the device itself stop a context whatever mode was chosen. */
static bool is_severe(aclError error)
{
	switch (error) {
	case ACL_ERROR_RT_LOST_HEARTBEAT:
	case ACL_ERROR_RT_DEVICE_MEM_ERROR:
	case ACL_ERROR_RT_HBM_MULTI_BIT_ECC_ERROR:
	case ACL_ERROR_RT_SOCKET_CLOSE:
		return true;
	default:
		return false;
	}
}

void emu_failure_note(struct emu_failure *failure, aclError error)
{
	int none = ACL_SUCCESS;

	if (is_severe(error) || atomic_load(&failure->stops))
		atomic_compare_exchange_strong(&failure->error, &none, error);
}
