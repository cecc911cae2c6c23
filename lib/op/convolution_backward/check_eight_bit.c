/*
 * The 8-bit types of the newest product. No other product takes them, so there is nothing to find in its calls.
 * The masked-off outputs count as well, wherever a rule says "given".
 */
#include <inttypes.h>

#include "checks.h"

static bool is_eight_bit(const struct emu_problem *problem, enum emu_operand operand)
{
	aclDataType dtype = emu_numbers(problem, operand)->dtype;

	return dtype == ACL_HIFLOAT8 || dtype == ACL_FLOAT8_E4M3FN;
}

/* How many of the given tensors in a set of operands (bit i: operand i) have the dtype, or have not. */
static int count(const struct emu_problem *problem, unsigned set, aclDataType dtype, bool equal)
{
	int found = 0;

	for (int i = 0; i < EMU_OPERANDS; i++)
		if ((set >> i & 1) && emu_given(problem, i) && (emu_numbers(problem, i)->dtype == dtype) == equal)
			found++;
	return found;
}

enum {
	INPUTS = 1 << EMU_GRAD_OUTPUT | 1 << EMU_INPUT | 1 << EMU_WEIGHT,
	WITH_BIAS = INPUTS | 1 << EMU_GRAD_BIAS
};

static aclnnStatus check_one_gradient(const struct emu_problem *problem)
{
	if (!emu_given(problem, EMU_GRAD_INPUT) || !emu_given(problem, EMU_GRAD_WEIGHT))
		return 0;
	for (int i = EMU_GRAD_OUTPUT; i <= EMU_GRAD_WEIGHT; i++)
		EMU_REQUIRE(!is_eight_bit(problem, i), CONVBWD_8BIT_ONE_GRADIENT,
		            "%s has %s, gradInput and gradWeight are both given (transposed %d, outputMask[0] %d); "
		            "pass NULL for the one that is not asked for",
		            problem->tensors[i].name, emu_dtype_name(emu_numbers(problem, i)->dtype), problem->transposed,
		            emu_wants(problem, EMU_GRAD_INPUT));
	return 0;
}

static aclnnStatus check_grad_input(const struct emu_problem *problem)
{
	static const aclDataType dtypes[] = {ACL_HIFLOAT8, ACL_FLOAT8_E4M3FN};
	unsigned set = WITH_BIAS | 1 << EMU_GRAD_INPUT;

	if (!problem->transposed)
		EMU_PASS(check_one_gradient(problem));
	for (int i = 0; i < 2; i++) {
		int same = count(problem, set, dtypes[i], true);
		int other = count(problem, set, dtypes[i], false);

		EMU_REQUIRE(same == 0 || other == 0, CONVBWD_8BIT_GRAD_INPUT_UNIFORM,
		            "of gradOutput, input, weight, gradInput and gradBias %d have %s and %d have another dtype", same,
		            emu_dtype_name(dtypes[i]), other);
	}
	return 0;
}

static aclnnStatus check_weight_types(const struct emu_problem *problem)
{
	int hifloat8 = count(problem, WITH_BIAS, ACL_HIFLOAT8, true);
	int others = count(problem, WITH_BIAS, ACL_HIFLOAT8, false);
	int float8 = count(problem, WITH_BIAS | 1 << EMU_GRAD_WEIGHT, ACL_FLOAT8_E4M3FN, true);
	aclDataType result = emu_numbers(problem, EMU_GRAD_WEIGHT)->dtype;

	EMU_REQUIRE(hifloat8 == 0 || (others == 0 && result == ACL_FLOAT), CONVBWD_HIFLOAT8_GRAD_WEIGHT,
	            "of gradOutput, input, weight and gradBias %d have DT_HIFLOAT8 and %d another dtype, gradWeight has %s",
	            hifloat8, others, emu_dtype_name(result));
	EMU_REQUIRE(float8 == 0, CONVBWD_FLOAT8_GRAD_WEIGHT,
	            "of gradOutput, input, weight, gradWeight and gradBias %d have DT_FLOAT8_E4M3FN", float8);
	return 0;
}

static aclnnStatus check_grad_weight(const struct emu_problem *problem)
{
	const struct emu_int_array *output_padding = problem->output_padding.array;

	if (!problem->transposed || !emu_wants(problem, EMU_GRAD_INPUT))
		EMU_PASS(check_one_gradient(problem));
	EMU_PASS(check_weight_types(problem));
	if (!is_eight_bit(problem, EMU_INPUT))
		return 0;
	for (uint64_t i = 0; problem->transposed && i < output_padding->size; i++)
		EMU_REQUIRE(output_padding->values[i] == 0, CONVBWD_8BIT_OUTPUT_PADDING,
		            "outputPadding[%" PRIu64 "] is %" PRId64,
		            i, output_padding->values[i]);
	EMU_REQUIRE(problem->groups == 1, CONVBWD_8BIT_GROUPS, "groups is %d and input has %s", problem->groups,
	            emu_dtype_name(emu_numbers(problem, EMU_INPUT)->dtype));
	return 0;
}

aclnnStatus emu_check_eight_bit(const struct emu_problem *problem)
{
	if (emu_wants(problem, EMU_GRAD_INPUT))
		EMU_PASS(check_grad_input(problem));
	if (emu_wants(problem, EMU_GRAD_WEIGHT))
		EMU_PASS(check_grad_weight(problem));
	return 0;
}
