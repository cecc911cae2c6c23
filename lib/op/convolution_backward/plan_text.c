/* A plan as one line of items key=value: its arithmetic, and what computes it. docs/configuration.md explains them. */
#include <inttypes.h>
#include <stdio.h>

#include "base/line.h"
#include "plan.h"

/* Every place where a result is rounded, in order; the last is the type of the user's tensor. */
static void put_output(struct emu_line *line, const struct emu_plan_tensor *tensor, enum emu_number through)
{
	if (!tensor->used)
		return;
	emu_line_put(line, " %s=%s", tensor->name, emu_number_name(through));
	if (through != tensor->view.stored)
		emu_line_put(line, ">%s", emu_number_name(tensor->view.stored));
}

static void put_kernel(struct emu_line *line, const char *before, const struct emu_plan_gradient *gradient)
{
	static const char *const directions[EMU_DIRECTIONS] = {"to-small", "to-big", "to-weight"};

	if (gradient->kernel)
		emu_line_put(line, "%s%s/%s/%s", before, gradient->kernel->name, emu_isa_name(gradient->kernel->needs),
		             directions[gradient->call.direction]);
}

static void put_compute(struct emu_line *line, const struct emu_plan *plan)
{
	bool grad_input = plan->grad_input.kernel, grad_weight = plan->grad_weight.kernel;

	if (grad_input || grad_weight)
		emu_line_put(line, " operands=%s", emu_number_name(plan->operand));
	emu_line_put(line, " accumulate=f32");
	put_output(line, &plan->tensors[EMU_GRAD_INPUT], emu_written(&plan->grad_input.call)->number);
	put_output(line, &plan->tensors[EMU_GRAD_WEIGHT], emu_written(&plan->grad_weight.call)->number);
	put_output(line, &plan->tensors[EMU_GRAD_BIAS], plan->bias_through);
	put_kernel(line, " kernels=", &plan->grad_input);
	put_kernel(line, grad_input ? "," : " kernels=", &plan->grad_weight);
}

static void put_zeros(struct emu_line *line, const struct emu_plan *plan)
{
	for (int i = EMU_GRAD_INPUT; i <= EMU_GRAD_BIAS; i++)
		put_output(line, &plan->tensors[i], plan->tensors[i].view.stored);
}

size_t emu_plan_text(const struct emu_plan *plan, char *text, size_t size)
{
	struct emu_line line = {.text = text, .size = size};

	emu_line_put(&line, "route=%s", plan->route == EMU_ROUTE_EMPTY ? "zeros" : "compute");
	if (plan->route == EMU_ROUTE_EMPTY)
		put_zeros(&line, plan);
	else
		put_compute(&line, plan);
	emu_line_put(&line, " threads=%d workspace=%" PRIu64, plan->threads, plan->workspace_size);
	return line.used;
}

void emu_plan_print(const struct emu_plan *plan)
{
	char text[EMU_PLAN_TEXT];

	emu_plan_text(plan, text, sizeof(text));
	fprintf(stderr, "aclemu: plan %s\n", text);
}
