/*
 * Operators by name, compiled when they are called. None is emulated, so that running one fails; what a client sets up
 * before, it can set up. An attribute object keeps no values: only a compiled operator would ever read them.
 *
 * aclSetCompileopt is absent on purpose. One framework queues the call of an operator by name, and tells of its failure
 * after it has handed out the results; without the compiler's options it refuses at once.
 */
#include <stdint.h>
#include <stdlib.h>

#include "acl/acl_base.h"
#include "runtime/error.h"
#include "runtime/handle.h"

typedef struct aclopAttr aclopAttr;
typedef struct aclTensorDesc aclTensorDesc;

EMU_SHARED aclopAttr *aclopCreateAttr(void);
EMU_SHARED void aclopDestroyAttr(const aclopAttr *attr);
EMU_SHARED aclError aclopSetAttrBool(aclopAttr *attr, const char *name, uint8_t value);
EMU_SHARED aclError aclopSetAttrInt(aclopAttr *attr, const char *name, int64_t value);
EMU_SHARED aclError aclopSetAttrFloat(aclopAttr *attr, const char *name, float value);
EMU_SHARED aclError aclopSetAttrDataType(aclopAttr *attr, const char *name, aclDataType value);
EMU_SHARED aclError aclopSetAttrString(aclopAttr *attr, const char *name, const char *value);
EMU_SHARED aclError aclopSetAttrListBool(aclopAttr *attr, const char *name, int count, const uint8_t *values);
EMU_SHARED aclError aclopSetAttrListInt(aclopAttr *attr, const char *name, int count, const int64_t *values);
EMU_SHARED aclError aclopSetAttrListFloat(aclopAttr *attr, const char *name, int count, const float *values);
EMU_SHARED aclError aclopSetAttrListListInt(aclopAttr *attr, const char *name, int count, const int *lengths,
                                            const int64_t *const values[]);
EMU_SHARED aclError aclopCompileAndExecute(const char *type, int input_count, const aclTensorDesc *const input_descs[],
                                           const aclDataBuffer *const inputs[], int output_count,
                                           const aclTensorDesc *const output_descs[], aclDataBuffer *const outputs[],
                                           const aclopAttr *attr, int engine, int compile_flag, const char *path,
                                           aclrtStream stream);
EMU_SHARED aclError aclopCompileAndExecuteV2(const char *type, int input_count, aclTensorDesc *input_descs[],
                                             aclDataBuffer *inputs[], int output_count, aclTensorDesc *output_descs[],
                                             aclDataBuffer *outputs[], aclopAttr *attr, int engine, int compile_flag,
                                             const char *path, aclrtStream stream);

static void destroy(struct emu_object *object)
{
	free(object);
}

aclopAttr *aclopCreateAttr(void)
{
	struct emu_object *object = calloc(1, sizeof(*object));

	if (!object)
		return NULL;
	if (!emu_handle_open(object, EMU_KIND_OP_ATTR, destroy)) {
		free(object);
		return NULL;
	}
	return object->handle;
}

void aclopDestroyAttr(const aclopAttr *attr)
{
	emu_handle_close(attr, EMU_KIND_OP_ATTR, "destroyed");
}

static aclError refuse_null(const char *function, const char *argument)
{
	emu_error_add("EH0008", "%s failed because %s is a null pointer.", function, argument);
	return ACL_ERROR_INVALID_PARAM;
}

static aclError check(const char *function, const aclopAttr *attr, const char *name)
{
	struct emu_object *object;
	char text[EMU_HANDLE_TEXT];

	if (!attr)
		return refuse_null(function, "attr");
	if (!name)
		return refuse_null(function, "attrName");
	object = emu_handle_acquire(attr, EMU_KIND_OP_ATTR);
	if (!object) {
		emu_error_add("EH0009", "%s failed because attr is not a live attribute object: %s.", function,
		              emu_handle_describe(attr, text));
		return ACL_ERROR_INVALID_PARAM;
	}
	emu_object_release(object);
	return ACL_SUCCESS;
}

static aclError check_list(const char *function, const aclopAttr *attr, const char *name, int count, const void *values)
{
	aclError status = check(function, attr, name);

	if (status)
		return status;
	if (count < 0) {
		emu_error_add("EH0007", "%s failed because the number of values is %d.", function, count);
		return ACL_ERROR_INVALID_PARAM;
	}
	return count > 0 && !values ? refuse_null(function, "values") : ACL_SUCCESS;
}

aclError aclopSetAttrBool(aclopAttr *attr, const char *name, uint8_t value)
{
	(void)value;
	return check(__func__, attr, name);
}

aclError aclopSetAttrInt(aclopAttr *attr, const char *name, int64_t value)
{
	(void)value;
	return check(__func__, attr, name);
}

aclError aclopSetAttrFloat(aclopAttr *attr, const char *name, float value)
{
	(void)value;
	return check(__func__, attr, name);
}

aclError aclopSetAttrDataType(aclopAttr *attr, const char *name, aclDataType value)
{
	(void)value;
	return check(__func__, attr, name);
}

aclError aclopSetAttrString(aclopAttr *attr, const char *name, const char *value)
{
	return check_list(__func__, attr, name, 1, value);
}

aclError aclopSetAttrListBool(aclopAttr *attr, const char *name, int count, const uint8_t *values)
{
	return check_list(__func__, attr, name, count, values);
}

aclError aclopSetAttrListInt(aclopAttr *attr, const char *name, int count, const int64_t *values)
{
	return check_list(__func__, attr, name, count, values);
}

aclError aclopSetAttrListFloat(aclopAttr *attr, const char *name, int count, const float *values)
{
	return check_list(__func__, attr, name, count, values);
}

aclError aclopSetAttrListListInt(aclopAttr *attr, const char *name, int count, const int *lengths,
                                 const int64_t *const values[])
{
	aclError status = check_list(__func__, attr, name, count, values);

	return status ? status : check_list(__func__, attr, name, count, lengths);
}

/* Looks at nothing but the name: what would run has no other fault than that it is not there. */
static aclError refuse_to_run(const char *function, const char *type)
{
	if (!type)
		return refuse_null(function, "opType");
	emu_error_add("EZ9999", "%s failed because no operator can be called by its name (\"%s\") on the emulated device: "
	              "only the aclnn functions that its libraries export are there.", function, type);
	return ACL_ERROR_OP_NOT_FOUND;
}

aclError aclopCompileAndExecute(const char *type, int input_count, const aclTensorDesc *const input_descs[],
                                const aclDataBuffer *const inputs[], int output_count,
                                const aclTensorDesc *const output_descs[], aclDataBuffer *const outputs[],
                                const aclopAttr *attr, int engine, int compile_flag, const char *path,
                                aclrtStream stream)
{
	(void)input_count, (void)input_descs, (void)inputs;
	(void)output_count, (void)output_descs, (void)outputs;
	(void)attr, (void)engine, (void)compile_flag, (void)path, (void)stream;
	return refuse_to_run(__func__, type);
}

aclError aclopCompileAndExecuteV2(const char *type, int input_count, aclTensorDesc *input_descs[],
                                  aclDataBuffer *inputs[], int output_count, aclTensorDesc *output_descs[],
                                  aclDataBuffer *outputs[], aclopAttr *attr, int engine, int compile_flag,
                                  const char *path, aclrtStream stream)
{
	(void)input_count, (void)input_descs, (void)inputs;
	(void)output_count, (void)output_descs, (void)outputs;
	(void)attr, (void)engine, (void)compile_flag, (void)path, (void)stream;
	return refuse_to_run(__func__, type);
}
