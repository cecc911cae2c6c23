/* What the device finds while it plans the work. A call for gradBias alone, or for nothing, meets few of these. */
#include <inttypes.h>

#include "axis.h"
#include "checks.h"
#include "runtime/config.h"

enum { CUBE_USE_FP16 = 2, MOST_GROUPS = 65535 };

aclnnStatus emu_check_three_dimensions(const struct emu_problem *problem)
{
	const struct emu_product *product = problem->product;
	aclDataType promoted = emu_problem_promoted(problem);
	bool sixteen_bit = problem->cube_math_type == CUBE_USE_FP16 || promoted == ACL_FLOAT16 || promoted == ACL_BF16;

	if (emu_numbers(problem, EMU_INPUT)->rank != 5)
		return 0;
	EMU_REQUIRE(product->has_3d, CONVBWD_PRODUCT_3D, "input has rank 5 and the product is %s", product->name);
	if (!product->float_weight_3d_needs_float || !emu_wants(problem, EMU_GRAD_WEIGHT) || problem->groups == 1)
		return 0;
	EMU_REQUIRE(emu_numbers(problem, EMU_GRAD_WEIGHT)->dtype != ACL_FLOAT || !sixteen_bit, CONVBWD_FLOAT_GRAD_WEIGHT_3D,
	            "gradWeight has DT_FLOAT, groups is %d, cubeMathType is %d and the inputs are computed as %s",
	            problem->groups, problem->cube_math_type, emu_dtype_name(promoted));
	return 0;
}

aclnnStatus emu_check_plan_bias(const struct emu_problem *problem)
{
	const struct emu_tensor_numbers *bias = emu_numbers(problem, EMU_GRAD_BIAS);

	if (!emu_wants(problem, EMU_GRAD_BIAS))
		return 0;
	EMU_REQUIRE(bias->dtype == ACL_FLOAT || bias->dtype == ACL_FLOAT16 || bias->dtype == ACL_BF16,
	            CONVBWD_GRAD_BIAS_PLAIN, "gradBias has %s", emu_dtype_name(bias->dtype));
	EMU_REQUIRE(bias->format == ACL_FORMAT_ND, CONVBWD_GRAD_BIAS_LAYOUT, "gradBias has format %s (%d)",
	            emu_format_name(bias->format), (int)bias->format);
	return 0;
}

/* After the 8-bit stage either all inputs of a gradient are 8-bit or none is. */
aclnnStatus emu_check_eight_bit_kernel(const struct emu_problem *problem)
{
	aclDataType dtype = emu_numbers(problem, EMU_INPUT)->dtype;
	bool eight_bit = dtype == ACL_HIFLOAT8 || dtype == ACL_FLOAT8_E4M3FN;
	bool exists = dtype == ACL_HIFLOAT8 && problem->transposed && !emu_wants(problem, EMU_GRAD_WEIGHT);

	EMU_REQUIRE(!eight_bit || exists, CONVBWD_8BIT_KERNEL,
	            "input has %s, transposed is %d and outputMask is [%d, %d, %d]", emu_dtype_name(dtype),
	            problem->transposed, emu_wants(problem, EMU_GRAD_INPUT), emu_wants(problem, EMU_GRAD_WEIGHT),
	            emu_wants(problem, EMU_GRAD_BIAS));
	return 0;
}

static aclnnStatus check_positive(const struct emu_problem *problem, enum emu_operand operand)
{
	const struct emu_tensor_numbers *numbers = emu_numbers(problem, operand);
	char dims[EMU_DIMS_TEXT];

	for (int i = 0; i < numbers->rank; i++)
		EMU_REQUIRE(numbers->dims[i] >= 1, CONVBWD_DIMENSIONS, "%s has sizes %s", problem->tensors[operand].name,
		            emu_dims_text(numbers->dims, (uint64_t)numbers->rank, dims));
	return 0;
}

aclnnStatus emu_check_dimensions(const struct emu_problem *problem)
{
	for (int i = EMU_GRAD_OUTPUT; i <= EMU_WEIGHT; i++)
		EMU_PASS(check_positive(problem, i));
	return 0;
}

aclnnStatus emu_check_batch(const struct emu_problem *problem)
{
	int64_t grad_output = emu_numbers(problem, EMU_GRAD_OUTPUT)->dims[0];
	int64_t input = emu_numbers(problem, EMU_INPUT)->dims[0];

	EMU_REQUIRE(grad_output == input, CONVBWD_BATCH, "gradOutput has batch %" PRId64 " and input has batch %" PRId64,
	            grad_output, input);
	return 0;
}

static aclnnStatus check_groups_divide(const struct emu_problem *problem)
{
	int64_t channels = emu_numbers(problem, EMU_WEIGHT)->dims[0];

	EMU_REQUIRE(channels % problem->groups == 0, CONVBWD_GROUPS_DIVIDE, "weight dim 0 is %" PRId64 " and groups is %d",
	            channels, problem->groups);
	return 0;
}

aclnnStatus emu_check_groups(const struct emu_problem *problem)
{
	EMU_PASS(check_groups_divide(problem));
	EMU_REQUIRE(problem->groups <= MOST_GROUPS || !emu_config()->limits, CONVBWD_GROUPS_LIMIT, "groups is %d",
	            problem->groups);
	return 0;
}

static aclnnStatus check_size(const struct emu_problem *problem, const struct emu_axis *axis)
{
	EMU_REQUIRE(emu_axis_small(axis) == axis->small, CONVBWD_SIZE,
	            "%s has %c %" PRId64 " where %" PRId64 " is expected from %s %" PRId64 ", kernel %" PRId64
	            ", stride %" PRId64 ", padding %" PRId64 " and %" PRId64 " and dilation %" PRId64,
	            problem->tensors[emu_small_map(problem)].name, axis->letter, axis->small,
	            emu_narrow(emu_axis_small(axis)),
	            problem->tensors[emu_big_map(problem)].name, axis->big, axis->kernel, axis->stride, axis->leading,
	            axis->trailing, axis->dilation);
	return 0;
}

static aclnnStatus check_limit(const struct emu_problem *problem, const char *what, char letter, int64_t value,
                               int64_t most, enum emu_rule_id rule)
{
	EMU_REQUIRE(value <= most, rule, "%s of %c is %" PRId64 ", product %s takes at most %" PRId64 " in this call", what,
	            letter, value, problem->product->name, most);
	return 0;
}

static aclnnStatus check_limits(const struct emu_problem *problem, const struct emu_axis *axis, int index)
{
	bool three_dimensions = emu_numbers(problem, EMU_INPUT)->rank == 5;
	const struct emu_limits *limits = problem->product->limits[three_dimensions][problem->transposed];
	int64_t padding = axis->leading > axis->trailing ? axis->leading : axis->trailing;
	char letter = axis->letter;

	EMU_PASS(check_limit(problem, "stride", letter, axis->stride, limits->stride[index], CONVBWD_STRIDE_LIMIT));
	EMU_PASS(check_limit(problem, "padding", letter, padding, limits->padding[index], CONVBWD_PADDING_LIMIT));
	EMU_PASS(check_limit(problem, "kernel", letter, axis->kernel, limits->kernel[index], CONVBWD_KERNEL_LIMIT));
	/* The dilation of a kernel of 1 has no meaning, and the device forgets it. */
	if (axis->kernel == 1)
		return 0;
	return check_limit(problem, "dilation", letter, axis->dilation, limits->dilation[index], CONVBWD_DILATION_LIMIT);
}

static aclnnStatus check_failing_dilation(const struct emu_problem *problem, const struct emu_axis *axis)
{
	int64_t failing = problem->product->failing_dilation_1d;

	if (emu_numbers(problem, EMU_INPUT)->rank != 3 || problem->transposed || problem->groups == 1 || axis->kernel == 1)
		return 0;
	EMU_REQUIRE(failing == 0 || axis->dilation != failing, CONVBWD_DILATION_1D,
	            "dilation[0] is %" PRId64 " in a 1-D call with groups %d on product %s", axis->dilation,
	            problem->groups, problem->product->name);
	return 0;
}

aclnnStatus emu_check_axes(const struct emu_problem *problem)
{
	int spatial = emu_numbers(problem, EMU_INPUT)->rank - 2;

	for (int i = 0; i < spatial; i++) {
		struct emu_axis axis;

		emu_axis_read(problem, i, &axis);
		EMU_PASS(check_size(problem, &axis));
		if (!emu_config()->limits)
			continue;
		EMU_PASS(check_limits(problem, &axis, 3 - spatial + i));
		EMU_PASS(check_failing_dilation(problem, &axis));
	}
	return 0;
}

/* Of the operands that the call uses. */
aclnnStatus emu_check_extents(const struct emu_problem *problem)
{
	if (emu_computes(problem)) {
		EMU_PASS(emu_check_extent(problem, EMU_INPUT));
		EMU_PASS(emu_check_extent(problem, EMU_WEIGHT));
	}
	if (emu_computes(problem) || emu_wants(problem, EMU_GRAD_BIAS))
		EMU_PASS(emu_check_extent(problem, EMU_GRAD_OUTPUT));
	for (int i = EMU_GRAD_INPUT; i <= EMU_GRAD_BIAS; i++)
		if (emu_wants(problem, i))
			EMU_PASS(emu_check_extent(problem, i));
	return 0;
}
