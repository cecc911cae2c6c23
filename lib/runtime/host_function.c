/* Functions of the client that run in a stream. */
#include <stdlib.h>

#include "acl/acl_rt.h"
#include "context.h"
#include "fail.h"
#include "report.h"
#include "streams.h"

struct call {
	aclrtHostFunc function;
	void *argument;
	const void *context; /* handle of that of the stream */
};

/*
 * The function may call the runtime: it finds the context of its stream current, and what goes wrong inside is its own
 * to ask for, not the text of this task.
 */
static aclError run(void *argument)
{
	const struct call *call = argument;

	emu_error_discard(emu_error_take());
	emu_thread_lend_context(call->context);
	call->function(call->argument);
	return ACL_SUCCESS;
}

static aclError launch(const char *function, struct emu_stream *stream, aclrtHostFunc fn, void *args)
{
	struct call *call = malloc(sizeof(*call));
	const struct emu_task task = {.name = function, .run = run, .drop = free, .argument = call};

	if (!call)
		return emu_fail(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL, "EE1023", "%s failed: the host's memory is exhausted.",
		                function);
	*call = (struct call){fn, args, stream->context};
	return emu_stream_push(stream, &task);
}

/* A null function is refused by the inner layer here, unlike elsewhere. */
aclError aclrtLaunchHostFunc(aclrtStream stream, aclrtHostFunc fn, void *args)
{
	struct emu_context *context;
	struct emu_stream *object;
	aclError status;

	if (!fn)
		return emu_fail(ACL_ERROR_RT_PARAM_INVALID, "EE1004", "%s failed because fn is a null pointer.", __func__);
	status = emu_stream_resolve(__func__, stream, false, &object, &context);
	if (status)
		return status;
	status = emu_report_refuse(__func__, object);
	if (!status)
		status = launch(__func__, object, fn, args);
	emu_object_release(&object->object);
	emu_object_release(&context->object);
	return status;
}
