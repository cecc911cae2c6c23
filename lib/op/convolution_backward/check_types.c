/* Which dtypes a product takes, and which outputs must have the dtype of an input. */
#include "checks.h"

#include <stdio.h>

static const struct {
	aclDataType dtype;
	unsigned bit;
} known[] = {
	{ACL_FLOAT, EMU_HAS_FLOAT},
	{ACL_FLOAT16, EMU_HAS_FLOAT16},
	{ACL_BF16, EMU_HAS_BF16},
	{ACL_HIFLOAT8, EMU_HAS_HIFLOAT8},
	{ACL_FLOAT8_E4M3FN, EMU_HAS_FLOAT8_E4M3FN},
};

enum { KNOWN = sizeof(known) / sizeof(known[0]), LIST_TEXT = 128 };

static bool accepts(unsigned dtypes, aclDataType dtype)
{
	for (int i = 0; i < KNOWN; i++)
		if (known[i].dtype == dtype)
			return dtypes & known[i].bit;
	return false;
}

/* "[DT_FLOAT,DT_FLOAT16,]" as the base layer writes lists. */
static const char *list_dtypes(unsigned dtypes, char text[LIST_TEXT])
{
	int used = snprintf(text, LIST_TEXT, "[");

	for (int i = 0; i < KNOWN; i++)
		if (dtypes & known[i].bit)
			used += snprintf(text + used, (size_t)(LIST_TEXT - used), "%s,", emu_dtype_name(known[i].dtype));
	snprintf(text + used, (size_t)(LIST_TEXT - used), "]");
	return text;
}

static aclnnStatus check_accepted(const struct emu_problem *problem, enum emu_operand operand)
{
	unsigned dtypes = problem->transposed ? problem->product->dtypes_transposed : problem->product->dtypes;
	aclDataType dtype = emu_numbers(problem, operand)->dtype;
	char list[LIST_TEXT];

	EMU_REQUIRE(accepts(dtypes, dtype), CONVBWD_DTYPE, "Tensor %s not implemented for %s (%d), product %s takes %s%s",
	            problem->tensors[operand].name, emu_dtype_name(dtype), (int)dtype, problem->product->name,
	            list_dtypes(dtypes, list), problem->transposed ? " with transposed 1" : "");
	return 0;
}

static aclnnStatus check_follows(const struct emu_problem *problem, enum emu_operand output, enum emu_operand model,
                                 enum emu_rule_id rule)
{
	aclDataType got = emu_numbers(problem, output)->dtype;
	aclDataType want = emu_numbers(problem, model)->dtype;

	EMU_REQUIRE(got == want, rule, "%s has %s and %s has %s", problem->tensors[output].name, emu_dtype_name(got),
	            problem->tensors[model].name, emu_dtype_name(want));
	return 0;
}

static aclnnStatus check_output(const struct emu_problem *problem, enum emu_operand output, enum emu_operand model,
                                enum emu_rule_id rule)
{
	aclDataType dtype = emu_numbers(problem, model)->dtype;
	bool wider = output == EMU_GRAD_WEIGHT && (dtype == ACL_HIFLOAT8 || dtype == ACL_FLOAT8_E4M3FN);

	if (!emu_given(problem, output))
		return 0;
	EMU_PASS(check_accepted(problem, output));
	if (problem->product->outputs_follow_inputs && !wider)
		EMU_PASS(check_follows(problem, output, model, rule));
	return 0;
}

aclnnStatus emu_check_product(const struct emu_problem *problem)
{
	EMU_REQUIRE(problem->product, CONVBWD_PRODUCT, "the chip that ACLEMU_SOC names is another one");
	return 0;
}

aclnnStatus emu_check_types(const struct emu_problem *problem)
{
	for (int i = EMU_GRAD_OUTPUT; i <= EMU_WEIGHT; i++)
		EMU_PASS(check_accepted(problem, i));
	EMU_PASS(check_output(problem, EMU_GRAD_INPUT, EMU_INPUT, CONVBWD_GRAD_INPUT_DTYPE));
	EMU_PASS(check_output(problem, EMU_GRAD_WEIGHT, EMU_WEIGHT, CONVBWD_GRAD_WEIGHT_DTYPE));
	return check_output(problem, EMU_GRAD_BIAS, EMU_GRAD_OUTPUT, CONVBWD_GRAD_BIAS_DTYPE);
}
