#include "operator.h"

#include <stdio.h>
#include <stdlib.h>

#include "aclnn/opdev/op_errno.h"
#include "base/violation.h"
#include "execute.h"
#include "plan.h"
#include "rules.h"
#include "runtime/config.h"
#include "runtime/error.h"
#include "validate.h"

static size_t describe(const void *plan, char *text, size_t size)
{
	return emu_plan_text(plan, text, size);
}

const struct emu_operator emu_convolution_backward = {
	.name = "aclnnConvolutionBackward",
	.run = emu_execute,
	.destroy_plan = free,
	.describe = describe,
};

static aclnnStatus make_executor(const struct emu_problem *problem, enum emu_route route, uint64_t *workspace_size,
                                 aclOpExecutor **executor)
{
	struct emu_plan *plan = malloc(sizeof(*plan));
	struct emu_cell *cells[EMU_OPERANDS];
	aclOpExecutor *made = NULL;
	uint64_t size;

	if (!plan)
		goto out;
	emu_plan_make(plan, problem, route);
	if (emu_config()->verbose_plan)
		emu_plan_print(plan);
	size = emu_config()->workspace_zero ? 0 : plan->workspace_size;
	for (int i = 0; i < EMU_OPERANDS; i++)
		cells[i] = problem->tensors[i].cell;
	made = emu_executor_create(&emu_convolution_backward, plan, cells, EMU_OPERANDS);
out:
	if (!made) {
		emu_error_add("EZ9999", "host memory is exhausted: the executor could not be created");
		free(plan);
		return ACLNN_ERR_INNER_CREATE_EXECUTOR;
	}
	*workspace_size = size;
	*executor = made;
	return ACLNN_SUCCESS;
}

static aclnnStatus check_out_pointers(const uint64_t *workspace_size, aclOpExecutor *const *executor)
{
	EMU_REQUIRE(workspace_size, CONVBWD_OUT_POINTER, "workspaceSize is null");
	EMU_REQUIRE(executor, CONVBWD_OUT_POINTER, "executor is null");
	return 0;
}

aclnnStatus emu_convolution_backward_prepare(const struct emu_request *request, uint64_t *workspace_size,
                                             aclOpExecutor **executor)
{
	struct emu_problem problem;
	enum emu_route route;
	aclnnStatus status;

	emu_violations_clear();
	emu_problem_read(&problem, request);
	status = check_out_pointers(workspace_size, executor);
	if (!status)
		status = emu_validate(&problem, &route);
	if (status)
		emu_validate_rest(&problem);
	if (!status && emu_config()->verbose_problem) {
		char text[EMU_PROBLEM_TEXT];

		fprintf(stderr, "aclemu: %s\n", emu_problem_text(&problem, text));
	}
	if (!status)
		status = make_executor(&problem, route, workspace_size, executor);
	emu_problem_release(&problem);
	return status;
}
