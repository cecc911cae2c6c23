/* The route of a call with an empty operand: nothing is computed, gradWeight and gradBias become zeros. */
#include <inttypes.h>

#include "axis.h"
#include "checks.h"

aclnnStatus emu_check_bias_sizes(const struct emu_problem *problem)
{
	const struct emu_ints_argument *sizes = &problem->bias_sizes;
	emu_wide channels = problem->transposed ? (emu_wide)emu_numbers(problem, EMU_WEIGHT)->dims[1] * problem->groups
	                                        : emu_numbers(problem, EMU_GRAD_OUTPUT)->dims[1];

	if (!emu_wants(problem, EMU_GRAD_BIAS))
		return 0;
	EMU_REQUIRE(sizes->presence != EMU_ABSENT, CONVBWD_BIAS_SIZES_GIVEN,
	            "argument biasSizes is null, outputMask[2] is true");
	EMU_NEED(emu_check_live_ints(sizes));
	EMU_REQUIRE(sizes->array->size == 1, CONVBWD_BIAS_SIZES_LENGTH, "biasSizes has length %" PRIu64,
	            sizes->array->size);
	EMU_REQUIRE(sizes->array->values[0] == channels, CONVBWD_BIAS_SIZES_VALUE,
	            "biasSizes[0] is %" PRId64 " where %" PRId64 " is expected (transposed %d)", sizes->array->values[0],
	            emu_narrow(channels), problem->transposed);
	return 0;
}

aclnnStatus emu_check_empty_input(const struct emu_problem *problem)
{
	const struct emu_tensor_numbers *input = emu_numbers(problem, EMU_INPUT);
	char dims[EMU_DIMS_TEXT];

	if (!emu_wants(problem, EMU_GRAD_INPUT))
		return 0;
	EMU_REQUIRE(input->dims[0] == 0 || input->dims[1] == 0, CONVBWD_EMPTY_GRAD_INPUT,
	            "input has sizes %s and outputMask[0] is true",
	            emu_dims_text(input->dims, (uint64_t)input->rank, dims));
	return 0;
}

static aclnnStatus check_groups(const struct emu_problem *problem)
{
	int64_t outer = emu_numbers(problem, EMU_WEIGHT)->dims[0];

	EMU_REQUIRE(outer % problem->groups == 0, CONVBWD_EMPTY_GROUPS, "weight dim 0 is %" PRId64 " and groups is %d",
	            outer, problem->groups);
	return 0;
}

static aclnnStatus check_inner(const struct emu_problem *problem)
{
	int64_t inner = emu_numbers(problem, EMU_WEIGHT)->dims[1];
	int64_t big = emu_numbers(problem, emu_big_map(problem))->dims[1];

	if (problem->transposed && emu_numbers(problem, EMU_INPUT)->dims[0] == 0)
		return 0;
	EMU_REQUIRE((emu_wide)inner * problem->groups == big, CONVBWD_EMPTY_CHANNELS,
	            "%s has %" PRId64 " channels, weight dim 1 is %" PRId64 " and groups is %d (transposed %d)",
	            problem->tensors[emu_big_map(problem)].name, big, inner, problem->groups, problem->transposed);
	return 0;
}

static aclnnStatus check_outer(const struct emu_problem *problem)
{
	int64_t outer = emu_numbers(problem, EMU_WEIGHT)->dims[0];
	int64_t channels = emu_numbers(problem, EMU_INPUT)->dims[1];

	if (!problem->transposed)
		return 0;
	EMU_REQUIRE(outer > 0 && outer == channels, CONVBWD_EMPTY_TRANSPOSED_CHANNELS,
	            "weight dim 0 is %" PRId64 " and input has %" PRId64 " channels", outer, channels);
	return 0;
}

aclnnStatus emu_check_empty_channels(const struct emu_problem *problem)
{
	EMU_PASS(check_groups(problem));
	EMU_PASS(check_inner(problem));
	return check_outer(problem);
}

/*
 * Of a padding [top, bottom, left, right] the device takes elements 0 and 1 for H and W here; we take the sums that it
 * means. A weight of smaller rank counts missing dimensions as 0, as the device does.
 */
aclnnStatus emu_check_empty_kernel(const struct emu_problem *problem)
{
	int spatial = emu_numbers(problem, EMU_INPUT)->rank - 2;

	for (int i = 0; !problem->transposed && i < spatial; i++) {
		struct emu_axis axis;

		emu_axis_read(problem, i, &axis);
		EMU_REQUIRE(emu_axis_room(&axis) >= 0, CONVBWD_EMPTY_KERNEL_FITS,
		            "input has %c %" PRId64 ", padding is %" PRId64 " and %" PRId64 ", the kernel has %" PRId64
		            " and dilation is %" PRId64,
		            axis.letter, axis.big, axis.leading, axis.trailing, axis.kernel, axis.dilation);
	}
	return 0;
}

/* Zeros are made like the weight and copied to the output, which must agree. */
aclnnStatus emu_check_zero_weight(const struct emu_problem *problem)
{
	const struct emu_tensor_numbers *output = emu_numbers(problem, EMU_GRAD_WEIGHT);
	const struct emu_tensor_numbers *weight = emu_numbers(problem, EMU_WEIGHT);
	bool same_format = output->format == weight->format || weight->format == ACL_FORMAT_ND;
	char output_dims[EMU_DIMS_TEXT], weight_dims[EMU_DIMS_TEXT];

	if (!emu_wants(problem, EMU_GRAD_WEIGHT) || emu_storage_empty(problem, EMU_GRAD_WEIGHT))
		return 0;
	EMU_REQUIRE(output->dtype == weight->dtype && emu_same_dims(output, weight) && same_format,
	            CONVBWD_EMPTY_GRAD_WEIGHT,
	            "gradWeight has %s, sizes %s and format %s, weight has %s, sizes %s and format %s",
	            emu_dtype_name(output->dtype), emu_dims_text(output->dims, (uint64_t)output->rank, output_dims),
	            emu_format_name(output->format), emu_dtype_name(weight->dtype),
	            emu_dims_text(weight->dims, (uint64_t)weight->rank, weight_dims), emu_format_name(weight->format));
	return emu_check_extent(problem, EMU_GRAD_WEIGHT);
}

aclnnStatus emu_check_zero_bias(const struct emu_problem *problem)
{
	const struct emu_tensor_numbers *output = emu_numbers(problem, EMU_GRAD_BIAS);
	aclDataType weight = emu_numbers(problem, EMU_WEIGHT)->dtype;
	char dims[EMU_DIMS_TEXT];

	if (!emu_wants(problem, EMU_GRAD_BIAS) || emu_storage_empty(problem, EMU_GRAD_BIAS))
		return 0;
	EMU_REQUIRE(output->dtype == weight && output->rank == 1 && output->dims[0] == problem->bias_sizes.array->values[0],
	            CONVBWD_EMPTY_GRAD_BIAS, "gradBias has %s and sizes %s, weight has %s and biasSizes is [%" PRId64 "]",
	            emu_dtype_name(output->dtype), emu_dims_text(output->dims, (uint64_t)output->rank, dims),
	            emu_dtype_name(weight), problem->bias_sizes.array->values[0]);
	return emu_check_extent(problem, EMU_GRAD_BIAS);
}
