#include "plan.h"

#include <string.h>

#include "in_force.h"
#include "product.h"
#include "runtime/config.h"

enum { DEVICE_BLOCK = 512 };

/* Workspace pieces, booked one after the other. The checks keep every count so small that no sum overflows. */
struct ledger {
	uint64_t size;
};

static uint64_t round_up(uint64_t bytes, uint64_t unit)
{
	return (bytes + unit - 1) / unit * unit;
}

static uint64_t book(struct ledger *ledger, uint64_t bytes)
{
	uint64_t at = ledger->size;

	ledger->size += round_up(bytes, EMU_WORKSPACE_ALIGNMENT);
	return at;
}

static enum emu_number stored_number(aclDataType dtype)
{
	switch (dtype) {
	case ACL_FLOAT16:
		return EMU_F16;
	case ACL_BF16:
		return EMU_BF16;
	case ACL_HIFLOAT8:
	case ACL_FLOAT8_E4M3FN: /* only ever filled with zeros, which are the byte 0 in both types */
		return EMU_HIF8;
	default:
		return EMU_F32;
	}
}

/* The same numbers, less infinity and NaN where the product knows neither and ACLEMU_OVERFLOW asks for that. */
static enum emu_number on_product(const struct emu_problem *problem, enum emu_number number)
{
	if (!problem->product->saturates || !emu_config()->overflow_as_device)
		return number;
	return number == EMU_F32 ? EMU_F32_FINITE : number == EMU_F16 ? EMU_F16_FINITE : number;
}

/* What the operands are rounded to (section 6.3). */
static enum emu_number operand_number(const struct emu_problem *problem)
{
	enum { KEEP_DTYPE, ALLOW_FP32_DOWN_PRECISION, USE_FP16, USE_HF32 };
	enum emu_number promoted = stored_number(emu_problem_promoted(problem));

	if (promoted == EMU_HIF8)
		return EMU_HIF8;
	if (problem->cube_math_type == USE_FP16)
		return on_product(problem, EMU_F16);
	if (promoted != EMU_F32 || problem->cube_math_type == KEEP_DTYPE)
		return on_product(problem, promoted);
	return problem->product->computes_fp32 ? problem->product->hf32 : on_product(problem, EMU_F16);
}

static uint64_t elements(const struct emu_plan_tensor *tensor)
{
	uint64_t count = 1;

	for (int i = 0; i < tensor->view.rank; i++)
		count *= (uint64_t)tensor->view.dims[i];
	return count;
}

/* Where a view lies relative to its storage base. */
static void locate(struct emu_plan_tensor *tensor, int64_t offset)
{
	const struct emu_view *view = &tensor->view;
	int64_t bytes = emu_number_bytes(view->stored);
	int64_t lowest = offset, highest = offset;

	for (int i = 0; i < view->rank; i++) {
		if (view->dims[i] < 2)
			continue;
		if (view->strides[i] < 0)
			lowest += (view->dims[i] - 1) * view->strides[i];
		else
			highest += (view->dims[i] - 1) * view->strides[i];
	}
	tensor->first = offset * bytes;
	tensor->lowest = lowest * bytes;
	tensor->reach = elements(tensor) ? (uint64_t)(highest - lowest + 1) * (uint64_t)bytes : 0;
}

/* The run reads or writes this tensor. */
static struct emu_plan_tensor *touch(struct emu_plan *plan, const struct emu_problem *problem, enum emu_operand operand)
{
	const struct emu_tensor_numbers *numbers = &problem->tensors[operand].numbers;
	struct emu_plan_tensor *tensor = &plan->tensors[operand];

	tensor->name = problem->tensors[operand].name;
	tensor->used = true;
	tensor->view.rank = numbers->rank;
	for (int i = 0; i < numbers->rank; i++) {
		tensor->view.dims[i] = numbers->dims[i];
		tensor->view.strides[i] = numbers->strides[i];
	}
	tensor->view.stored = stored_number(numbers->dtype);
	locate(tensor, numbers->offset);
	return tensor;
}

static bool is_16_bit(enum emu_number number)
{
	return number == EMU_F16 || number == EMU_F16_FINITE || number == EMU_BF16;
}

/*
 * A tensor of three to five axes as the kernels see it: spatial axes that are missing are 1. The stride of an axis of 1
 * means nothing, and is made what it is in dense arrays.
 */
static struct emu_array array_of(struct emu_plan *plan, const struct emu_problem *problem, enum emu_operand operand,
                                 enum emu_number number)
{
	const struct emu_view *view = &touch(plan, problem, operand)->view;
	struct emu_array array = {.view = {.rank = EMU_VIEW_RANK, .stored = view->stored}, .number = number};
	int64_t *dims = array.view.dims, *strides = array.view.strides, dense = 1;
	int missing = EMU_VIEW_RANK - view->rank;

	for (int i = EMU_VIEW_RANK - 1; i >= 0; i--) {
		int from = i < 2 ? i : i - missing;
		bool is_missing = i >= 2 && from < 2;

		dims[i] = is_missing ? 1 : view->dims[from];
		strides[i] = dims[i] == 1 ? dense : view->strides[from];
		dense = strides[i] * dims[i];
	}
	return array;
}

/* Returns the bytes of scratch that the kernel wants. */
static uint64_t plan_gradient(struct emu_plan *plan, struct emu_plan_gradient *gradient,
                              const struct emu_problem *problem, enum emu_direction direction,
                              enum emu_operand input_side, enum emu_operand weight_side, enum emu_number through)
{
	struct emu_conv_call *call = &gradient->call;
	bool weight = direction == EMU_TO_WEIGHT;
	struct emu_array input = array_of(plan, problem, input_side, weight ? plan->operand : through);
	struct emu_array grad_output = array_of(plan, problem, EMU_GRAD_OUTPUT, plan->operand);

	emu_problem_geometry(problem, &call->conv);
	call->direction = direction;
	call->small = problem->transposed ? input : grad_output;
	call->big = problem->transposed ? grad_output : input;
	call->weight = array_of(plan, problem, weight_side, weight ? through : plan->operand);
	call->isa = plan->isa;
	call->threads = plan->threads;
	emu_conv_fold(call);
	gradient->kernel = emu_kernel_choose(call, emu_config()->kernel);
	return gradient->kernel->scratch_bytes(call);
}

static uint64_t plan_grad_input(struct emu_plan *plan, const struct emu_problem *problem)
{
	enum emu_direction direction = problem->transposed ? EMU_TO_SMALL : EMU_TO_BIG;

	return plan_gradient(plan, &plan->grad_input, problem, direction, EMU_GRAD_INPUT, EMU_WEIGHT,
	                     is_16_bit(plan->operand) ? plan->operand : EMU_F32);
}

static uint64_t plan_grad_weight(struct emu_plan *plan, const struct emu_problem *problem)
{
	/* the classic 1-D and 2-D kernels of some products hand a grouped 16-bit result over as FLOAT16 (section 12.1) */
	aclDataType dtype = problem->tensors[EMU_GRAD_WEIGHT].numbers.dtype;
	bool detour = problem->product->weight_through_fp16 && problem->groups > 1 && is_16_bit(plan->operand) &&
	              problem->tensors[EMU_INPUT].numbers.rank < 5 && dtype == ACL_FLOAT;

	return plan_gradient(plan, &plan->grad_weight, problem, EMU_TO_WEIGHT, EMU_INPUT, EMU_GRAD_WEIGHT,
	                     on_product(problem, detour ? EMU_F16 : stored_number(dtype)));
}

/* Sums gradOutput where it lies, before any rounding of operands: cubeMathType never touches the bias. */
static void plan_grad_bias(struct emu_plan *plan, struct ledger *ledger, const struct emu_problem *problem)
{
	struct emu_plan_tensor *result;

	if (!plan->tensors[EMU_GRAD_OUTPUT].used)
		touch(plan, problem, EMU_GRAD_OUTPUT);
	plan->bias_operand = plan->bias_through = on_product(problem, plan->tensors[EMU_GRAD_OUTPUT].view.stored);
	result = touch(plan, problem, EMU_GRAD_BIAS);
	/* a narrower result saturates as well; at what is finite already, one rounding does the work of both */
	if (plan->bias_through == EMU_F32_FINITE)
		plan->bias_through = on_product(problem, result->view.stored);
	plan->sums_at = book(ledger, elements(result) * sizeof(float));
}

static void plan_compute(struct emu_plan *plan, struct ledger *ledger, const struct emu_problem *problem)
{
	bool grad_input = emu_problem_wants(problem, 0), grad_weight = emu_problem_wants(problem, 1);
	uint64_t scratch = 0, more = 0;

	plan->operand = operand_number(problem);
	if (grad_input)
		scratch = plan_grad_input(plan, problem);
	if (grad_weight)
		more = plan_grad_weight(plan, problem);
	if (emu_problem_wants(problem, 2))
		plan_grad_bias(plan, ledger, problem);
	/* the kernels run one after the other and share their scratch */
	plan->scratch_at = book(ledger, more > scratch ? more : scratch);
}

/* An empty operand leaves nothing to sum: gradWeight and gradBias become zeros, gradInput is empty (section 9.3). */
static void plan_zeros(struct emu_plan *plan, const struct emu_problem *problem)
{
	for (int output = 1; output <= 2; output++) {
		enum emu_operand operand = EMU_GRAD_INPUT + output;

		if (emu_problem_wants(problem, output) && emu_storage_count(&problem->tensors[operand].numbers) > 0)
			touch(plan, problem, operand);
	}
}

void emu_plan_make(struct emu_plan *plan, const struct emu_problem *problem, enum emu_route route)
{
	struct ledger ledger = {0};

	*plan = (struct emu_plan){
		.route = route,
		.transposed = problem->transposed,
		.isa = emu_isa_in_force(),
		.threads = emu_config()->threads,
	};
	if (route == EMU_ROUTE_EMPTY)
		plan_zeros(plan, problem);
	else
		plan_compute(plan, &ledger, problem);
	if (ledger.size == 0)
		return;
	plan->guard_at = book(&ledger, EMU_GUARD_BYTES);
	/* a workspace may start anywhere: room to align it, then whole blocks as the device counts them */
	plan->workspace_size = round_up(ledger.size + EMU_WORKSPACE_ALIGNMENT, DEVICE_BLOCK);
}
