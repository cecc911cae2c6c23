/* System parameters: one table for the process, and what was set for a context. */
#include <inttypes.h>
#include <stdatomic.h>

#include "acl/acl_rt.h"
#include "context.h"
#include "fail.h"

enum { OPTIONS = 4 };

static const int64_t limits[OPTIONS] = {4, 2, 2, 2}; /* values are 0 up to one less */
static _Atomic int64_t of_process[OPTIONS];

static aclError check_option(const char *function, aclSysParamOpt option, unsigned options)
{
	if ((unsigned)option < options)
		return ACL_SUCCESS;
	return emu_fail(ACL_ERROR_INVALID_PARAM, "EH0007", "%s failed because opt is %d; it must be 0 to %u here.",
	                function, (int)option, options - 1);
}

static aclError check_value(const char *function, aclSysParamOpt option, int64_t value)
{
	if (value >= 0 && value < limits[option])
		return ACL_SUCCESS;
	return emu_fail(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
	                "%s failed because value is %" PRId64 "; for option %d it must be 0 to %" PRId64 ".", function,
	                value, (int)option, limits[option] - 1);
}

/* Reaches the process table too: that is where the operators look. */
aclError aclrtCtxSetSysParamOpt(aclSysParamOpt opt, int64_t value)
{
	struct emu_context *context;
	aclError status = check_option(__func__, opt, EMU_CONTEXT_PARAMS);

	if (!status)
		status = check_value(__func__, opt, value);
	if (!status)
		status = emu_context_require(__func__, &context);
	if (status)
		return status;
	atomic_store(&context->params[opt], value);
	atomic_fetch_or(&context->params_set, 1u << opt);
	atomic_store(&of_process[opt], value);
	emu_object_release(&context->object);
	return ACL_SUCCESS;
}

aclError aclrtCtxGetSysParamOpt(aclSysParamOpt opt, int64_t *value)
{
	struct emu_context *context;
	aclError status;

	if (!value)
		return emu_fail_null(__func__, "value");
	status = check_option(__func__, opt, EMU_CONTEXT_PARAMS);
	if (!status)
		status = emu_context_require(__func__, &context);
	if (status)
		return status;
	if (atomic_load(&context->params_set) & 1u << opt)
		*value = atomic_load(&context->params[opt]);
	else
		status = emu_fail(ACL_ERROR_RT_SYSPARAMOPT_NOT_SET, "EE1018",
		                  "%s failed because option %d was never set for this "
		                  "context. Call aclrtCtxSetSysParamOpt first.",
		                  __func__, (int)opt);
	emu_object_release(&context->object);
	return status;
}

aclError aclrtSetSysParamOpt(aclSysParamOpt opt, int64_t value)
{
	aclError status = check_option(__func__, opt, OPTIONS);

	if (!status)
		status = check_value(__func__, opt, value);
	if (!status)
		atomic_store(&of_process[opt], value);
	return status;
}

aclError aclrtGetSysParamOpt(aclSysParamOpt opt, int64_t *value)
{
	aclError status;

	if (!value)
		return emu_fail_null(__func__, "value");
	status = check_option(__func__, opt, OPTIONS);
	if (!status)
		*value = atomic_load(&of_process[opt]);
	return status;
}
