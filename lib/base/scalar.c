#include <stdlib.h>
#include <string.h>

#include "aclnn/opdev/op_errno.h"
#include "base/dtype.h"
#include "base/object.h"
#include "base/tensor.h"
#include "runtime/error.h"

enum { LARGEST_VALUE = 16 }; /* COMPLEX128 */

struct scalar {
	struct emu_object object;
	aclDataType dtype;
	unsigned char value[LARGEST_VALUE];
};

static const aclDataType accepted[] = {
	ACL_FLOAT,           ACL_FLOAT16,         ACL_INT8,            ACL_INT32,           ACL_UINT8,
	ACL_INT16,           ACL_UINT16,          ACL_UINT32,          ACL_INT64,           ACL_UINT64,
	ACL_DOUBLE,          ACL_BOOL,            ACL_COMPLEX64,       ACL_COMPLEX128,      ACL_BF16,
	ACL_HIFLOAT8,        ACL_FLOAT8_E5M2,     ACL_FLOAT8_E4M3FN,   ACL_FLOAT8_E8M0,     ACL_FLOAT6_E3M2,
	ACL_FLOAT6_E2M3,     ACL_FLOAT4_E2M1,     ACL_FLOAT4_E1M2,
};

enum { ACCEPTED = sizeof(accepted) / sizeof(accepted[0]) };

static bool is_accepted(aclDataType dtype)
{
	for (int i = 0; i < ACCEPTED; i++)
		if (accepted[i] == dtype)
			return true;
	return false;
}

static void free_scalar(struct emu_object *object)
{
	free(object);
}

static aclScalar *create_scalar(const void *value, aclDataType dtype)
{
	uint64_t bytes;
	struct scalar *scalar = calloc(1, sizeof(*scalar));
	if (scalar && emu_dtype_bytes(1, dtype, &bytes)) {
		scalar->dtype = dtype;
		memcpy(scalar->value, value, (size_t)bytes);
		if (emu_handle_open(&scalar->object, EMU_KIND_SCALAR, free_scalar))
			return scalar->object.handle;
	}
	free(scalar);
	emu_error_add("EZ9999", "aclCreateScalar failed because no memory or no handle is left");
	return NULL;
}

aclScalar *aclCreateScalar(void *value, aclDataType dataType)
{
	if (!value) {
		emu_refuse_null(ACLNN_ERR_PARAM_NULLPTR, "aclCreateScalar", "value");
		return NULL;
	}
	if (!is_accepted(dataType)) {
		char text[EMU_DTYPES_TEXT];
		emu_error_add("EZ1006", "aclCreateScalar failed because dataType is %d (%s), should be in %s",
		              (int)dataType, emu_dtype_name(dataType), emu_dtypes_text(accepted, ACCEPTED, text));
		return NULL;
	}
	return create_scalar(value, dataType);
}

aclnnStatus aclDestroyScalar(const aclScalar *scalar)
{
	return emu_object_destroy("aclDestroyScalar", "scalar", scalar, EMU_KIND_SCALAR);
}
