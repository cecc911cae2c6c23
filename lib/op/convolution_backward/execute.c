#include "execute.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "plan.h"
#include "runtime/config.h"
#include "runtime/error.h"
#include "runtime/memory.h"

/* A run of one plan: what it holds while it lasts. */
struct run {
	const struct emu_plan *plan;
	struct emu_pin pins[EMU_OPERANDS];
	void *first[EMU_OPERANDS];  /* host view of element 0 */
	struct emu_pin workspace_pin;
	void *own_workspace;        /* ACLEMU_WORKSPACE=zero */
	unsigned char *workspace;   /* aligned */
};

static const unsigned char guard_byte = 0xA5;

static aclError pin_tensor(struct run *run, int operand, const struct emu_launch *launch)
{
	const struct emu_plan_tensor *tensor = &run->plan->tensors[operand];
	uintptr_t base = (uintptr_t)launch->addresses[operand];
	const void *lowest = (const void *)(base + (uintptr_t)tensor->lowest);
	uintptr_t element = (uintptr_t)emu_number_bytes(tensor->view.stored);
	aclError error;

	if (!base)
		lowest = NULL; /* say "null", not the offset */
	error = emu_memory_pin(tensor->name, lowest, tensor->reach, &run->pins[operand]);
	if (error)
		return error;
	if ((base + (uintptr_t)tensor->lowest) % element) {
		emu_error_add("EZ9999", "%s: address 0x%" PRIxPTR " is not a multiple of the element size %" PRIuPTR,
		              tensor->name, base, element);
		return ACL_ERROR_RT_AICORE_EXCEPTION;
	}
	run->first[operand] = (char *)run->pins[operand].bytes + (tensor->first - tensor->lowest);
	return 0;
}

static aclError take_workspace(struct run *run, const struct emu_launch *launch)
{
	uint64_t needed = run->plan->workspace_size;
	void *start;

	if (!needed)
		return 0;
	if (emu_config()->workspace_zero) {
		start = run->own_workspace = malloc(needed);
		if (!start) {
			emu_error_add("EZ9999", "no host memory for %" PRIu64 " bytes of scratch (ACLEMU_WORKSPACE=zero)", needed);
			return ACL_ERROR_RT_AICORE_EXCEPTION;
		}
	} else {
		aclError error;

		if (launch->workspace_size < needed) {
			emu_error_add("EZ9999", "workspace: %" PRIu64 " bytes were given, phase one asked for %" PRIu64
			              "; pass what it returned", launch->workspace_size, needed);
			return ACL_ERROR_RT_AICORE_EXCEPTION;
		}
		error = emu_memory_pin("workspace", launch->workspace, needed, &run->workspace_pin);
		if (error)
			return error;
		start = run->workspace_pin.bytes;
	}
	run->workspace = (unsigned char *)(((uintptr_t)start + EMU_WORKSPACE_ALIGNMENT - 1) / EMU_WORKSPACE_ALIGNMENT *
	                                   EMU_WORKSPACE_ALIGNMENT);
	memset(run->workspace + run->plan->guard_at, guard_byte, EMU_GUARD_BYTES);
	return 0;
}

/* Everything that can be refused is refused here, before the first byte is written. */
static aclError acquire(struct run *run, const struct emu_launch *launch)
{
	aclError error;

	for (int i = 0; i < EMU_OPERANDS; i++) {
		if (!run->plan->tensors[i].used)
			continue;
		error = pin_tensor(run, i, launch);
		if (error)
			return error;
	}
	return take_workspace(run, launch);
}

static void let_go(struct run *run)
{
	for (int i = 0; i < EMU_OPERANDS; i++)
		emu_memory_unpin(&run->pins[i]);
	emu_memory_unpin(&run->workspace_pin);
	free(run->own_workspace);
}

static float *floats_at(const struct run *run, uint64_t at)
{
	return (float *)(void *)(run->workspace + at);
}

/* `input_side` and `weight_side` are the operand or the gradient that takes its place. */
static void compute(const struct run *run, const struct emu_plan_gradient *gradient, enum emu_operand input_side,
                    enum emu_operand weight_side)
{
	const struct emu_plan *plan = run->plan;
	struct emu_conv_call call = gradient->call;

	call.small.first = run->first[plan->transposed ? input_side : EMU_GRAD_OUTPUT];
	call.big.first = run->first[plan->transposed ? EMU_GRAD_OUTPUT : input_side];
	call.weight.first = run->first[weight_side];
	gradient->kernel->run(&call, run->workspace + plan->scratch_at);
}

static void sum_bias(const struct run *run)
{
	const struct emu_plan *plan = run->plan;
	const struct emu_array grad_output = {
		run->first[EMU_GRAD_OUTPUT], plan->tensors[EMU_GRAD_OUTPUT].view, plan->bias_operand,
	};
	const struct emu_array grad_bias = {
		run->first[EMU_GRAD_BIAS], plan->tensors[EMU_GRAD_BIAS].view, plan->bias_through,
	};
	float *sums = floats_at(run, plan->sums_at);

	emu_sum_channels(sums, &grad_output, plan->isa, plan->threads);
	emu_scatter(&grad_bias, sums, plan->isa, plan->threads);
}

static void fill_zeros(const struct run *run)
{
	for (int i = EMU_GRAD_WEIGHT; i <= EMU_GRAD_BIAS; i++)
		if (run->plan->tensors[i].used)
			emu_fill_zero(&(struct emu_array){run->first[i], run->plan->tensors[i].view, EMU_F32}, run->plan->isa,
			              run->plan->threads);
}

/* A kernel of ours that wrote beyond its scratch is a bug of ours; better said than silently wrong. */
static aclError check_guard(const struct run *run)
{
	if (!run->plan->workspace_size)
		return 0;
	for (int i = 0; i < EMU_GUARD_BYTES; i++) {
		if (run->workspace[run->plan->guard_at + (uint64_t)i] == guard_byte)
			continue;
		emu_error_add("EZ9999", "the end of the workspace was overwritten while the operator ran: by another task that "
		              "uses the same workspace, or by a bug of this library");
		return ACL_ERROR_RT_AICORE_EXCEPTION;
	}
	return 0;
}

aclError emu_execute(const void *plan_made, const struct emu_launch *launch)
{
	const struct emu_plan *plan = plan_made;
	struct run run = {.plan = plan};
	aclError error = acquire(&run, launch);

	if (error)
		goto out;
	if (plan->route == EMU_ROUTE_EMPTY)
		fill_zeros(&run);
	if (plan->tensors[EMU_GRAD_BIAS].used && plan->route == EMU_ROUTE_COMPUTE)
		sum_bias(&run);
	/* gradWeight first: gradInput may then be written over input */
	if (plan->grad_weight.kernel)
		compute(&run, &plan->grad_weight, EMU_INPUT, EMU_GRAD_WEIGHT);
	if (plan->grad_input.kernel)
		compute(&run, &plan->grad_input, EMU_GRAD_INPUT, EMU_WEIGHT);
	error = check_guard(&run);
out:
	let_go(&run);
	return error;
}
