/*
 * Tensor descriptions of the graph-engine side: containers of a type, a format and sizes. Clients link them; nothing
 * here runs an operator that takes one, so that the settings without a getter are checked and not kept.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "acl/acl_base.h"
#include "fail.h"
#include "handle.h"

enum { MOST_DIMS = 128 };

typedef struct aclTensorDesc aclTensorDesc;

EMU_SHARED aclTensorDesc *aclCreateTensorDesc(aclDataType dtype, int count, const int64_t *dims, aclFormat format);
EMU_SHARED void aclDestroyTensorDesc(const aclTensorDesc *desc);
EMU_SHARED aclDataType aclGetTensorDescType(const aclTensorDesc *desc);
EMU_SHARED aclFormat aclGetTensorDescFormat(const aclTensorDesc *desc);
EMU_SHARED size_t aclGetTensorDescNumDims(const aclTensorDesc *desc);
EMU_SHARED aclError aclGetTensorDescDimV2(const aclTensorDesc *desc, size_t index, int64_t *size);
EMU_SHARED void aclSetTensorDescName(aclTensorDesc *desc, const char *name);
EMU_SHARED aclError aclSetTensorFormat(aclTensorDesc *desc, aclFormat format);
EMU_SHARED aclError aclSetTensorShape(aclTensorDesc *desc, int count, const int64_t *dims);
EMU_SHARED aclError aclSetTensorPlaceMent(aclTensorDesc *desc, aclMemType place);

/* Never changes, so that it needs no lock. */
struct tensor_desc {
	struct emu_object object;
	aclDataType dtype;
	aclFormat format;
	size_t count;
	int64_t dims[];
};

static void destroy(struct emu_object *object)
{
	free(object);
}

static struct tensor_desc *acquire(const aclTensorDesc *desc)
{
	return (struct tensor_desc *)emu_handle_acquire(desc, EMU_KIND_TENSOR_DESC);
}

static aclError require(const char *function, const aclTensorDesc *handle, struct tensor_desc **desc)
{
	char text[EMU_HANDLE_TEXT];

	if (!handle)
		return emu_fail_null(function, "desc");
	*desc = acquire(handle);
	if (*desc)
		return ACL_SUCCESS;
	return emu_fail(ACL_ERROR_INVALID_PARAM, "EH0009", "%s failed because desc is not a live tensor description: %s.",
	                function, emu_handle_describe(handle, text));
}

static aclError check_dims(const char *function, int count, const int64_t *dims)
{
	if (count < 0 || count > MOST_DIMS)
		return emu_fail(ACL_ERROR_INVALID_PARAM, "EH0007", "%s failed because numDims is %d, not 0 to %d.", function,
		                count, MOST_DIMS);
	return count && !dims ? emu_fail_null(function, "dims") : ACL_SUCCESS;
}

aclTensorDesc *aclCreateTensorDesc(aclDataType dtype, int count, const int64_t *dims, aclFormat format)
{
	struct tensor_desc *desc;

	if (check_dims(__func__, count, dims))
		return NULL;
	desc = calloc(1, sizeof(*desc) + (size_t)count * sizeof(desc->dims[0]));
	if (!desc)
		return NULL;
	desc->dtype = dtype;
	desc->format = format;
	desc->count = (size_t)count;
	if (count)
		memcpy(desc->dims, dims, (size_t)count * sizeof(desc->dims[0]));
	if (!emu_handle_open(&desc->object, EMU_KIND_TENSOR_DESC, destroy)) {
		free(desc);
		return NULL;
	}
	return desc->object.handle;
}

void aclDestroyTensorDesc(const aclTensorDesc *desc)
{
	emu_handle_close(desc, EMU_KIND_TENSOR_DESC, "destroyed");
}

aclDataType aclGetTensorDescType(const aclTensorDesc *handle)
{
	struct tensor_desc *desc = acquire(handle);
	aclDataType dtype = ACL_DT_UNDEFINED;

	if (desc) {
		dtype = desc->dtype;
		emu_object_release(&desc->object);
	}
	return dtype;
}

aclFormat aclGetTensorDescFormat(const aclTensorDesc *handle)
{
	struct tensor_desc *desc = acquire(handle);
	aclFormat format = ACL_FORMAT_UNDEFINED;

	if (desc) {
		format = desc->format;
		emu_object_release(&desc->object);
	}
	return format;
}

size_t aclGetTensorDescNumDims(const aclTensorDesc *handle)
{
	struct tensor_desc *desc = acquire(handle);
	size_t count = 0;

	if (desc) {
		count = desc->count;
		emu_object_release(&desc->object);
	}
	return count;
}

aclError aclGetTensorDescDimV2(const aclTensorDesc *handle, size_t index, int64_t *size)
{
	struct tensor_desc *desc;
	aclError status;

	if (!size)
		return emu_fail_null(__func__, "dimSize");
	status = require(__func__, handle, &desc);
	if (status)
		return status;
	if (index < desc->count)
		*size = desc->dims[index];
	else
		status = emu_fail(ACL_ERROR_INVALID_PARAM, "EH0007",
		                  "%s failed because index is %zu, and desc has %zu dimensions.", __func__, index, desc->count);
	emu_object_release(&desc->object);
	return status;
}

void aclSetTensorDescName(aclTensorDesc *desc, const char *name)
{
	(void)desc;
	(void)name;
}

static aclError check_live(const char *function, const aclTensorDesc *handle)
{
	struct tensor_desc *desc;
	aclError status = require(function, handle, &desc);

	if (!status)
		emu_object_release(&desc->object);
	return status;
}

/* The format of the storage; aclGetTensorDescFormat() tells the one that the description was made with. */
aclError aclSetTensorFormat(aclTensorDesc *desc, aclFormat format)
{
	(void)format;
	return check_live(__func__, desc);
}

/* The sizes of the storage, likewise. */
aclError aclSetTensorShape(aclTensorDesc *desc, int count, const int64_t *dims)
{
	aclError status = check_live(__func__, desc);

	return status ? status : check_dims(__func__, count, dims);
}

aclError aclSetTensorPlaceMent(aclTensorDesc *desc, aclMemType place)
{
	(void)place;
	return check_live(__func__, desc);
}
