#include "base/object.h"

#include "aclnn/opdev/op_errno.h"
#include "runtime/error.h"

static const char *kind_name(enum emu_kind kind)
{
	switch (kind) {
	case EMU_KIND_TENSOR:
		return "aclTensor";
	case EMU_KIND_SCALAR:
		return "aclScalar";
	case EMU_KIND_INT_ARRAY:
		return "aclIntArray";
	case EMU_KIND_FLOAT_ARRAY:
		return "aclFloatArray";
	case EMU_KIND_BOOL_ARRAY:
		return "aclBoolArray";
	case EMU_KIND_TENSOR_LIST:
		return "aclTensorList";
	case EMU_KIND_SCALAR_LIST:
		return "aclScalarList";
	case EMU_KIND_EXECUTOR:
		return "aclOpExecutor";
	default:
		return "object";
	}
}

/* The device's error class for a status of this layer (aclnn_base section 10). */
static const char *code_of(aclnnStatus status, const char *caller_code)
{
	return status / 100000 == 5 ? "EZ9999" : caller_code;
}

aclnnStatus emu_refuse_null(aclnnStatus status, const char *function, const char *argument)
{
	emu_error_add(code_of(status, "EZ1011"), "%s failed because %s cannot be a NULL pointer", function, argument);
	return status;
}

aclnnStatus emu_refuse_handle(const char *function, const char *argument, const void *handle, enum emu_kind kind,
                              aclnnStatus null_status)
{
	if (!handle)
		return emu_refuse_null(null_status, function, argument);
	aclnnStatus status = kind == EMU_KIND_EXECUTOR ? ACLNN_ERR_INNER : ACLNN_ERR_PARAM_INVALID;
	char text[EMU_HANDLE_TEXT];
	emu_error_add(code_of(status, "EZ1010"), "%s failed because %s is not a live %s: %s", function, argument,
	              kind_name(kind), emu_handle_describe(handle, text));
	return status;
}

/* The device leaves a second destroy undefined. We let it pass: programs that do it get away with it there too. */
aclnnStatus emu_object_destroy(const char *function, const char *argument, const void *handle, enum emu_kind kind)
{
	if (!handle || emu_handle_close(handle, kind, "destroyed") || emu_handle_ended(handle, kind))
		return ACLNN_SUCCESS;
	return emu_refuse_handle(function, argument, handle, kind, ACLNN_SUCCESS);
}
