#include "base/executor.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "aclemu/aclemu.h"
#include "aclnn/opdev/op_errno.h"
#include "base/object.h"
#include "runtime/error.h"
#include "runtime/stream.h"

struct executor {
	struct emu_object object;
	const struct emu_operator *op;
	void *plan;
	atomic_bool repeatable;
	int cell_count;
	struct emu_cell *cells[EMU_MAX_OPERANDS];
};

/* One call of phase two on its way to the stream's thread. */
struct launched {
	struct executor *executor; /* a reference */
	struct emu_launch launch;
};

static void free_executor(struct emu_object *object)
{
	struct executor *executor = (struct executor *)object;
	executor->op->destroy_plan(executor->plan);
	for (int i = 0; i < executor->cell_count; i++)
		emu_cell_release(executor->cells[i]);
	free(executor);
}

aclOpExecutor *emu_executor_create(const struct emu_operator *op, void *plan, struct emu_cell *const *cells,
                                   int cell_count)
{
	assert(cell_count >= 0 && cell_count <= EMU_MAX_OPERANDS);
	struct executor *executor = calloc(1, sizeof(*executor));
	if (!executor)
		return NULL;
	executor->op = op;
	executor->plan = plan;
	executor->cell_count = cell_count;
	for (int i = 0; i < cell_count; i++) {
		executor->cells[i] = cells[i];
		if (cells[i])
			emu_cell_retain(cells[i]);
	}
	if (emu_handle_open(&executor->object, EMU_KIND_EXECUTOR, free_executor))
		return executor->object.handle;
	for (int i = 0; i < cell_count; i++)
		emu_cell_release(cells[i]);
	free(executor);
	return NULL;
}

static aclError run_launched(void *argument)
{
	const struct launched *launched = argument;
	return launched->executor->op->run(launched->executor->plan, &launched->launch);
}

static void drop_launched(void *argument)
{
	struct launched *launched = argument;
	emu_object_release(&launched->executor->object);
	free(launched);
}

static const char *runtime_status_name(aclError status)
{
	switch (status) {
	case ACL_ERROR_RT_CONTEXT_NULL:
		return "ACL_ERROR_RT_CONTEXT_NULL, the thread has no current context";
	case ACL_ERROR_RT_INVALID_HANDLE:
		return "ACL_ERROR_RT_INVALID_HANDLE, not a live stream";
	case ACL_ERROR_RT_STREAM_CONTEXT:
		return "ACL_ERROR_RT_STREAM_CONTEXT, a stream of another context";
	default:
		return "its own record says why";
	}
}

/* The addresses are those of this moment: later changes are for later calls. */
static struct launched *launched_create(struct executor *executor, void *workspace, uint64_t workspace_size)
{
	struct launched *launched = calloc(1, sizeof(*launched));
	if (!launched)
		return NULL;
	emu_object_retain(&executor->object);
	launched->executor = executor;
	launched->launch.workspace = workspace;
	launched->launch.workspace_size = workspace_size;
	for (int i = 0; i < executor->cell_count; i++)
		if (executor->cells[i])
			launched->launch.addresses[i] = atomic_load(&executor->cells[i]->address);
	return launched;
}

static aclnnStatus submit(struct executor *executor, void *workspace, uint64_t workspace_size, aclrtStream stream)
{
	const char *name = executor->op->name;
	struct launched *launched = launched_create(executor, workspace, workspace_size);
	if (!launched) {
		emu_error_add("EZ9999", "%s failed because no memory is left", name);
		return ACLNN_ERR_INNER;
	}
	const struct emu_task task = {
		.name = name,
		.run = run_launched,
		.drop = drop_launched,
		.argument = launched,
		.by_waiter = true,
	};
	aclError refusal = emu_stream_submit(stream, &task);
	if (refusal) {
		emu_error_add("EZ9903", "%s failed because stream %p did not take its work: runtime status %d (%s)",
		              name, stream, refusal, runtime_status_name(refusal));
		return ACLNN_ERR_RUNTIME_ERROR;
	}
	return ACLNN_SUCCESS;
}

/* What becomes of the executor: aclnn_base section 7. Of two threads with one one-shot executor one gets through. */
static aclnnStatus launch(struct executor *executor, void *workspace, uint64_t workspace_size, aclOpExecutor *handle,
                          aclrtStream stream)
{
	const char *name = executor->op->name;
	bool workspace_missing = !workspace && workspace_size > 0;
	bool one_shot = workspace_missing || !atomic_load(&executor->repeatable);
	if (one_shot && !emu_handle_close(handle, EMU_KIND_EXECUTOR, "used up by phase two"))
		return emu_refuse_handle(name, "executor", handle, EMU_KIND_EXECUTOR, ACLNN_ERR_PARAM_NULLPTR);
	if (workspace_missing) {
		emu_error_add("EZ1001", "%s failed because workspace cannot be a NULL pointer: workspaceSize is "
		              "%" PRIu64 "; the executor is used up", name, workspace_size);
		return ACLNN_ERR_PARAM_NULLPTR;
	}
	return submit(executor, workspace, workspace_size, stream);
}

/* Two libraries may each carry the operator: it is the same one when the names are. */
static aclnnStatus check_operator(const struct emu_operator *op, const struct executor *executor)
{
	if (!strcmp(op->name, executor->op->name))
		return ACLNN_SUCCESS;
	emu_error_add("EZ9999", "%s failed because executor %p was made by %sGetWorkspaceSize", op->name,
	              executor->object.handle, executor->op->name);
	return ACLNN_ERR_INNER;
}

aclnnStatus emu_executor_launch(const struct emu_operator *op, void *workspace, uint64_t workspace_size,
                                aclOpExecutor *executor, aclrtStream stream)
{
	struct executor *object = (struct executor *)emu_handle_acquire(executor, EMU_KIND_EXECUTOR);
	if (!object)
		return emu_refuse_handle(op->name, "executor", executor, EMU_KIND_EXECUTOR, ACLNN_ERR_PARAM_NULLPTR);
	aclnnStatus status = check_operator(op, object);
	if (!status)
		status = launch(object, workspace, workspace_size, executor, stream);
	emu_object_release(&object->object);
	return status;
}

aclnnStatus aclSetAclOpExecutorRepeatable(aclOpExecutor *executor)
{
	struct executor *object = (struct executor *)emu_handle_acquire(executor, EMU_KIND_EXECUTOR);
	if (!object)
		return emu_refuse_handle("aclSetAclOpExecutorRepeatable", "executor", executor, EMU_KIND_EXECUTOR,
		                         ACLNN_ERR_INNER_NULLPTR);
	atomic_store(&object->repeatable, true);
	emu_object_release(&object->object);
	return ACLNN_SUCCESS;
}

aclnnStatus aclDestroyAclOpExecutor(aclOpExecutor *executor)
{
	if (emu_handle_close(executor, EMU_KIND_EXECUTOR, "destroyed"))
		return ACLNN_SUCCESS;
	return emu_refuse_handle("aclDestroyAclOpExecutor", "executor", executor, EMU_KIND_EXECUTOR,
	                         ACLNN_ERR_INNER_NULLPTR);
}

static aclnnStatus describe(const struct executor *executor, char *text, size_t size)
{
	size_t length = executor->op->describe(executor->plan, NULL, 0);

	if (!text)
		return emu_refuse_null(ACLNN_ERR_PARAM_NULLPTR, "aclemuDescribeExecutor", "text");
	if (size <= length) {
		emu_error_add("EZ1001", "aclemuDescribeExecutor failed because size is %zu and the line takes %zu bytes", size,
		              length + 1);
		return ACLNN_ERR_PARAM_INVALID;
	}
	executor->op->describe(executor->plan, text, size);
	return ACLNN_SUCCESS;
}

aclnnStatus aclemuDescribeExecutor(const aclOpExecutor *executor, char *text, size_t size)
{
	struct executor *object = (struct executor *)emu_handle_acquire(executor, EMU_KIND_EXECUTOR);
	if (!object)
		return emu_refuse_handle("aclemuDescribeExecutor", "executor", executor, EMU_KIND_EXECUTOR,
		                         ACLNN_ERR_PARAM_NULLPTR);
	aclnnStatus status = describe(object, text, size);
	emu_object_release(&object->object);
	return status;
}
