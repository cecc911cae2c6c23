#include "acl/acl_base.h"

/* Bytes per element as the runtime counts them: packed types take a byte, types it does not list take 8. */
size_t aclDataTypeSize(aclDataType dataType)
{
	switch (dataType) {
	case ACL_DT_UNDEFINED:
	case ACL_STRING:
		return 0;
	case ACL_BOOL:
	case ACL_INT8:
	case ACL_UINT8:
	case ACL_INT4:
	case ACL_UINT1:
	case ACL_HIFLOAT8:
	case ACL_FLOAT8_E5M2:
	case ACL_FLOAT8_E4M3FN:
	case ACL_FLOAT8_E8M0:
		return 1;
	case ACL_FLOAT16:
	case ACL_BF16:
	case ACL_INT16:
	case ACL_UINT16:
		return 2;
	case ACL_FLOAT:
	case ACL_INT32:
	case ACL_UINT32:
	case ACL_COMPLEX32:
		return 4;
	case ACL_COMPLEX128:
		return 16;
	default:
		return 8;
	}
}
