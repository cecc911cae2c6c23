/* Collective communication is not emulated. Frameworks set its options before they know whether they will use it. */
#include <stdint.h>

#include "acl/acl_base.h"
#include "runtime/error.h"

enum { HCCL_SUCCESS = 0, HCCL_E_PARA = 1 };
enum { HCCL_DETERMINISTIC = 0 };

union HcclConfigValue {
	int32_t value;
};

EMU_SHARED int HcclSetConfig(int config, union HcclConfigValue value);

/* Whether sums over devices must be reproducible. There are none, so that any answer holds. */
int HcclSetConfig(int config, union HcclConfigValue value)
{
	if (config == HCCL_DETERMINISTIC)
		return HCCL_SUCCESS;
	emu_error_add("EI0003", "HcclSetConfig failed because config is %d (value %d), and only 0, whether results are "
	              "deterministic, is known.", config, value.value);
	return HCCL_E_PARA;
}
