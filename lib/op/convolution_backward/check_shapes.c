/* Ranks, output shapes and array lengths; channels and groups; the sizes of a 3-D call. */
#include <inttypes.h>

#include "axis.h"
#include "checks.h"

/* ---- ranks, shapes, lengths ---- */

static aclnnStatus check_ranks(const struct emu_problem *problem)
{
	int input = emu_numbers(problem, EMU_INPUT)->rank;
	int grad_output = emu_numbers(problem, EMU_GRAD_OUTPUT)->rank;
	int weight = emu_numbers(problem, EMU_WEIGHT)->rank;

	EMU_REQUIRE(grad_output == input, CONVBWD_RANKS_EQUAL, "gradOutput has rank %d and input has rank %d", grad_output,
	            input);
	EMU_REQUIRE(input == weight, CONVBWD_RANKS_EQUAL, "input has rank %d and weight has rank %d", input, weight);
	return 0;
}

static aclnnStatus check_not_empty(const struct emu_problem *problem, enum emu_operand operand)
{
	const struct emu_tensor_numbers *numbers = emu_numbers(problem, operand);
	char dims[EMU_DIMS_TEXT];

	EMU_REQUIRE(!emu_storage_empty(problem, operand), CONVBWD_NOT_EMPTY, "%s is empty, its storage has sizes %s",
	            problem->tensors[operand].name,
	            emu_dims_text(numbers->storage_dims, (uint64_t)numbers->storage_rank, dims));
	return 0;
}

/* Masked-off outputs are checked too: that surprises callers who pass a stand-in for them, so the message says it. */
static aclnnStatus check_output_shape(const struct emu_problem *problem, enum emu_operand output,
                                      enum emu_operand model, enum emu_rule_id rule)
{
	const struct emu_tensor_numbers *got = emu_numbers(problem, output);
	const struct emu_tensor_numbers *want = emu_numbers(problem, model);
	char got_text[EMU_DIMS_TEXT], want_text[EMU_DIMS_TEXT];

	if (!emu_given(problem, output))
		return 0;
	EMU_REQUIRE(emu_same_dims(got, want), rule, "%s has sizes %s and %s has sizes %s (outputMask[%d] %d)",
	            problem->tensors[output].name, emu_dims_text(got->dims, (uint64_t)got->rank, got_text),
	            problem->tensors[model].name, emu_dims_text(want->dims, (uint64_t)want->rank, want_text),
	            (int)(output - EMU_GRAD_INPUT), emu_wants(problem, output));
	return 0;
}

static aclnnStatus check_grad_bias(const struct emu_problem *problem)
{
	const struct emu_tensor_numbers *bias = emu_numbers(problem, EMU_GRAD_BIAS);
	int64_t channels = emu_numbers(problem, EMU_GRAD_OUTPUT)->dims[1];
	char dims[EMU_DIMS_TEXT];

	if (!emu_given(problem, EMU_GRAD_BIAS))
		return 0;
	EMU_REQUIRE(bias->rank == 1, CONVBWD_GRAD_BIAS_RANK,
	            "expected 1 dimension input, but got gradBias with sizes %s (outputMask[2] %d)",
	            emu_dims_text(bias->dims, (uint64_t)bias->rank, dims), emu_wants(problem, EMU_GRAD_BIAS));
	EMU_REQUIRE(bias->dims[0] == channels, CONVBWD_GRAD_BIAS_LENGTH,
	            "gradBias has length %" PRId64 " and gradOutput has %" PRId64 " channels (outputMask[2] %d)",
	            bias->dims[0], channels, emu_wants(problem, EMU_GRAD_BIAS));
	return 0;
}

static aclnnStatus check_length(const struct emu_problem *problem, const struct emu_ints_argument *argument,
                                bool or_four, enum emu_rule_id rule)
{
	int rank = emu_numbers(problem, EMU_INPUT)->rank;
	uint64_t size = argument->array->size;

	EMU_REQUIRE(size == (uint64_t)(rank - 2) || (or_four && rank == 4 && size == 4), rule,
	            "%s has length %" PRIu64 " and input has rank %d", argument->name, size, rank);
	return 0;
}

aclnnStatus emu_check_lengths(const struct emu_problem *problem)
{
	EMU_PASS(check_length(problem, &problem->stride, false, CONVBWD_STRIDE_LENGTH));
	EMU_PASS(check_length(problem, &problem->dilation, false, CONVBWD_DILATION_LENGTH));
	EMU_PASS(check_length(problem, &problem->padding, true, CONVBWD_PADDING_LENGTH));
	return check_length(problem, &problem->output_padding, true, CONVBWD_OUTPUT_PADDING_LENGTH);
}

aclnnStatus emu_check_inputs(const struct emu_problem *problem)
{
	EMU_PASS(check_ranks(problem));
	EMU_PASS(check_not_empty(problem, EMU_GRAD_OUTPUT));
	return check_not_empty(problem, EMU_WEIGHT);
}

aclnnStatus emu_check_outputs(const struct emu_problem *problem)
{
	EMU_PASS(check_output_shape(problem, EMU_GRAD_INPUT, EMU_INPUT, CONVBWD_GRAD_INPUT_SHAPE));
	EMU_PASS(check_output_shape(problem, EMU_GRAD_WEIGHT, EMU_WEIGHT, CONVBWD_GRAD_WEIGHT_SHAPE));
	return check_grad_bias(problem);
}

/* ---- channels ---- */

/* Also for negative numbers, which a dimension of a view may be until the plan looks at it. */
static bool divides(int64_t divisor, int64_t number)
{
	return divisor != 0 && (divisor == -1 || number % divisor == 0);
}

static aclnnStatus check_depthwise(const struct emu_problem *problem, int64_t one_per_group, int64_t other)
{
	if (!problem->product->checks_depthwise || one_per_group != problem->groups)
		return 0;
	EMU_REQUIRE(other >= problem->groups && divides(problem->groups, other), CONVBWD_DEPTHWISE_CHANNELS,
	            "%s has %" PRId64 " channels and groups is %d", problem->tensors[emu_small_map(problem)].name, other,
	            problem->groups);
	return 0;
}

static aclnnStatus check_outer(const struct emu_problem *problem, int64_t small)
{
	int64_t outer = emu_numbers(problem, EMU_WEIGHT)->dims[0];

	EMU_REQUIRE(small == outer, CONVBWD_WEIGHT_OUTER_CHANNELS,
	            "%s has %" PRId64 " channels and weight dim 0 is %" PRId64 " (transposed %d)",
	            problem->tensors[emu_small_map(problem)].name, small, outer, problem->transposed);
	return 0;
}

static aclnnStatus check_inner(const struct emu_problem *problem, int64_t big)
{
	const int64_t *weight = emu_numbers(problem, EMU_WEIGHT)->dims;
	const char *big_name = problem->tensors[emu_big_map(problem)].name;

	EMU_REQUIRE(divides(weight[1], big), CONVBWD_WEIGHT_INNER_CHANNELS,
	            "%s has %" PRId64 " channels and weight dim 1 is %" PRId64 " (transposed %d)", big_name, big, weight[1],
	            problem->transposed);
	EMU_REQUIRE((emu_wide)weight[1] * problem->groups == big, CONVBWD_CHANNELS_PER_GROUP,
	            "%s has %" PRId64 " channels, weight dim 1 is %" PRId64 " and groups is %d (transposed %d)", big_name,
	            big, weight[1], problem->groups, problem->transposed);
	return 0;
}

aclnnStatus emu_check_channels(const struct emu_problem *problem)
{
	int64_t small = emu_numbers(problem, emu_small_map(problem))->dims[1];
	int64_t big = emu_numbers(problem, emu_big_map(problem))->dims[1];

	EMU_PASS(check_outer(problem, small));
	EMU_NEED(check_inner(problem, big));
	return check_depthwise(problem, big, small);
}

/* ---- the sizes of a 3-D call; those of 1-D and 2-D calls are the plan's ---- */

static aclnnStatus check_kernel_fits(const struct emu_problem *problem, const struct emu_axis *axis)
{
	EMU_REQUIRE(emu_axis_room(axis) >= 0, CONVBWD_KERNEL_FITS,
	            "%s has %c %" PRId64 ", padding is %" PRId64 " on each side, the kernel has %" PRId64
	            " and dilation is %" PRId64,
	            problem->tensors[emu_big_map(problem)].name, axis->letter, axis->big, axis->leading, axis->kernel,
	            axis->dilation);
	return 0;
}

static aclnnStatus check_size(const struct emu_problem *problem, const struct emu_axis *axis)
{
	EMU_REQUIRE(emu_axis_small(axis) == axis->small, CONVBWD_SIZE_3D,
	            "%s has %c %" PRId64 " where %" PRId64 " is expected from %s %" PRId64 ", kernel %" PRId64
	            ", stride %" PRId64 ", padding %" PRId64 " and dilation %" PRId64,
	            problem->tensors[emu_small_map(problem)].name, axis->letter, axis->small,
	            emu_narrow(emu_axis_small(axis)),
	            problem->tensors[emu_big_map(problem)].name, axis->big, axis->kernel, axis->stride, axis->leading,
	            axis->dilation);
	return 0;
}

aclnnStatus emu_check_equation(const struct emu_problem *problem)
{
	struct emu_axis axes[3];

	if (emu_numbers(problem, EMU_INPUT)->rank != 5)
		return 0;
	for (int i = 0; i < 3; i++) {
		emu_axis_read(problem, i, &axes[i]);
		EMU_PASS(check_kernel_fits(problem, &axes[i]));
	}
	for (int i = 0; i < 3; i++)
		EMU_PASS(check_size(problem, &axes[i]));
	return 0;
}
