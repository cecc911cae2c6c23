#include "operator.h"

#include <stdlib.h>

#include "aclnn/opdev/op_errno.h"
#include "base/violation.h"
#include "check.h"
#include "execute.h"
#include "plan.h"
#include "rules.h"
#include "runtime/error.h"

static size_t describe(const void *plan, char *text, size_t size)
{
	return emu_copy_plan_text(plan, text, size);
}

const struct emu_operator emu_inplace_copy = {
	.name = "aclnnInplaceCopy",
	.run = emu_copy_execute,
	.destroy_plan = free,
	.describe = describe,
};

static void read_argument(struct emu_copy_argument *argument, const char *name, const aclTensor *tensor)
{
	*argument = (struct emu_copy_argument){.name = name, .handle = tensor};
	emu_tensor_snapshot(tensor, &argument->numbers, &argument->cell);
}

static aclnnStatus make_executor(const struct emu_copy_argument *self, const struct emu_copy_argument *src,
                                 aclOpExecutor **executor)
{
	struct emu_copy_plan *plan = malloc(sizeof(*plan));
	struct emu_cell *cells[EMU_COPY_SIDES] = {[EMU_COPY_TO] = self->cell, [EMU_COPY_FROM] = src->cell};
	aclOpExecutor *made = NULL;

	if (plan) {
		emu_copy_plan_make(plan, self, src);
		made = emu_executor_create(&emu_inplace_copy, plan, cells, EMU_COPY_SIDES);
	}
	if (!made) {
		emu_error_add("EZ9999", "host memory is exhausted: the executor could not be created");
		free(plan);
		return ACLNN_ERR_INNER_CREATE_EXECUTOR;
	}
	*executor = made;
	return ACLNN_SUCCESS;
}

static aclnnStatus check_out_pointers(const uint64_t *workspace_size, aclOpExecutor *const *executor)
{
	EMU_COPY_REQUIRE(workspace_size, COPY_OUT_POINTER, "workspaceSize is null");
	EMU_COPY_REQUIRE(executor, COPY_OUT_POINTER, "executor is null");
	return 0;
}

aclnnStatus emu_inplace_copy_prepare(aclTensor *self, const aclTensor *src, uint64_t *workspace_size,
                                     aclOpExecutor **executor)
{
	struct emu_copy_argument to, from;
	aclnnStatus status;

	emu_violations_clear();
	read_argument(&to, "selfRef", self);
	read_argument(&from, "src", src);
	status = check_out_pointers(workspace_size, executor);
	if (!status)
		status = emu_copy_check(&to, &from);
	if (!status)
		status = make_executor(&to, &from, executor);
	if (!status)
		*workspace_size = 0;
	emu_cell_release(to.cell);
	emu_cell_release(from.cell);
	return status;
}
