/* The values of the attributes, each on its own: nothing here knows a shape yet but the rank. */
#include <inttypes.h>

#include "checks.h"

static aclnnStatus check_at_least(const struct emu_ints_argument *argument, int64_t least, enum emu_rule_id rule)
{
	const struct emu_int_array *array = argument->array;

	for (uint64_t i = 0; i < array->size; i++)
		EMU_REQUIRE(array->values[i] >= least, rule, "%s[%" PRIu64 "] is %" PRId64, argument->name, i,
		            array->values[i]);
	return 0;
}

/* Arrays of different length are left to the length checks. */
static aclnnStatus check_below_stride(const struct emu_problem *problem)
{
	const struct emu_int_array *stride = problem->stride.array;
	const struct emu_int_array *padding = problem->output_padding.array;

	for (uint64_t i = 0; i < padding->size && i < stride->size; i++)
		EMU_REQUIRE(padding->values[i] < stride->values[i], CONVBWD_OUTPUT_PADDING_BELOW_STRIDE,
		            "outputPadding[%" PRIu64 "] is %" PRId64 " and stride[%" PRIu64 "] is %" PRId64, i,
		            padding->values[i], i, stride->values[i]);
	return 0;
}

static aclnnStatus check_zero(const struct emu_ints_argument *argument)
{
	const struct emu_int_array *array = argument->array;

	for (uint64_t i = 0; i < array->size; i++)
		EMU_REQUIRE(array->values[i] == 0, CONVBWD_OUTPUT_PADDING_ZERO,
		            "%s[%" PRIu64 "] is %" PRId64 " and transposed is 0",
		            argument->name, i, array->values[i]);
	return 0;
}

static aclnnStatus check_output_padding(const struct emu_problem *problem)
{
	if (!problem->transposed)
		return check_zero(&problem->output_padding);
	EMU_PASS(check_at_least(&problem->output_padding, 0, CONVBWD_OUTPUT_PADDING_RANGE));
	/* The device compares with stride in 3-D only. */
	return emu_numbers(problem, EMU_INPUT)->rank == 5 ? check_below_stride(problem) : 0;
}

aclnnStatus emu_check_values(const struct emu_problem *problem)
{
	EMU_PASS(check_at_least(&problem->stride, 1, CONVBWD_STRIDE_RANGE));
	EMU_PASS(check_at_least(&problem->padding, 0, CONVBWD_PADDING_RANGE));
	EMU_PASS(check_at_least(&problem->dilation, 1, CONVBWD_DILATION_RANGE));
	EMU_PASS(check_output_padding(problem));
	EMU_REQUIRE(problem->groups > 0, CONVBWD_GROUPS_RANGE, "groups is %d", problem->groups);
	return 0;
}

enum { KEEP_DTYPE, ALLOW_FP32_DOWN_PRECISION, USE_FP16, USE_HF32 };

aclnnStatus emu_check_cube_range(const struct emu_problem *problem)
{
	int type = problem->cube_math_type;

	EMU_REQUIRE(type >= KEEP_DTYPE && type <= USE_HF32, CONVBWD_CUBE_MATH_TYPE_RANGE, "cubeMathType is %d", type);
	return 0;
}

aclnnStatus emu_check_cube_float(const struct emu_problem *problem)
{
	int type = problem->cube_math_type;
	bool needs_fp32 = emu_problem_promoted(problem) != ACL_FLOAT16 && (type == KEEP_DTYPE || type == USE_HF32);

	EMU_REQUIRE(problem->product->computes_fp32 || !needs_fp32, CONVBWD_CUBE_MATH_TYPE_FLOAT,
	            "cubeMathType is %d and gradOutput, input and weight are computed as DT_FLOAT, which product %s cannot",
	            type, problem->product->name);
	return 0;
}
