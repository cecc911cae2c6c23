/* After the rule that decides come all others that a call breaks, as far as it makes sense to ask. */
#include <stdarg.h>

#include "problem_builder.h"

static const struct aclemuViolation *found;

static size_t violations_of_this_problem(void)
{
	enum emu_route route;

	emu_violations_clear();
	if (emu_validate(&p, &route))
		emu_validate_rest(&p);
	CHECK(!emu_rules_collecting());
	return aclemuGetViolations(&found);
}

/* The problem breaks exactly these rules, in this order; the list ends with NULL. */
static void finds_rules(const char *file, int line, ...)
{
	size_t count = violations_of_this_problem();
	const char *wanted;
	size_t i = 0;
	va_list names;

	va_start(names, line);
	for (; (wanted = va_arg(names, const char *)); i++)
		if (i < count && !check_that(!strcmp(found[i].rule, wanted), wanted, file, line))
			fprintf(stderr, "found %s instead: %s\n", found[i].rule, found[i].values);
	va_end(names);
	if (check_equal((long long)count, (long long)i, "the number of violations", file, line))
		return;
	for (; i < count; i++)
		fprintf(stderr, "and %s: %s\n", found[i].rule, found[i].values);
}

#define FINDS(...) finds_rules(__FILE__, __LINE__, __VA_ARGS__, (char *)NULL)

/* ---- what is found ---- */

static void test_a_violation_says_what_the_row_says_and_the_values(void)
{
	const struct emu_rule *rule = &emu_rules[CONVBWD_GROUPS_RANGE];
	char whole[1024];

	make(A2, 4, false);
	p.groups = -3;
	aclGetRecentErrMsg();
	FINDS("CONVBWD_GROUPS_RANGE");
	CHECK(!strcmp(found->stage, "VALUES"));
	CHECK_EQUAL(found->status, INVALID);
	CHECK(!strcmp(found->sentence, rule->sentence));
	CHECK(!strcmp(found->hint, rule->hint));
	CHECK(!strcmp(found->values, "groups is -3"));
	snprintf(whole, sizeof(whole), "CONVBWD_GROUPS_RANGE: groups is -3; %s; %s\n", rule->sentence, rule->hint);
	CHECK_CONTAINS(aclGetRecentErrMsg(), whole);
}

static void test_an_accepted_call_has_none(void)
{
	make(A2, 4, false);
	CHECK_EQUAL(violations_of_this_problem(), 0);
	CHECK(found == NULL);
	CHECK_EQUAL(aclemuGetViolations(NULL), 0);
}

static void test_collecting_adds_no_error_text(void)
{
	make(A2, 4, false);
	p.groups = 0;
	p.cube_math_type = 9;
	aclGetRecentErrMsg();
	FINDS("CONVBWD_GROUPS_RANGE", "CONVBWD_CUBE_MATH_TYPE_RANGE");
	CHECK(!strstr(aclGetRecentErrMsg(), "CUBE_MATH"));
}

static void test_every_argument_of_a_stage_is_named(void)
{
	make(A2, 4, false);
	p.stride.presence = p.dilation.presence = EMU_ABSENT;
	OMIT(EMU_INPUT);
	OMIT(EMU_GRAD_BIAS);
	p.tensors[EMU_GRAD_INPUT].presence = EMU_DEAD;
	FINDS("CONVBWD_ARGUMENT_NULL", "CONVBWD_ARGUMENT_NULL", "CONVBWD_ARGUMENT_NULL", "CONVBWD_HANDLE_LIVE",
	      "CONVBWD_OUTPUT_NULL");
	CHECK_CONTAINS(found[0].values, "input");
	CHECK_CONTAINS(found[1].values, "stride");
	CHECK_CONTAINS(found[2].values, "dilation");

	make(A2, 4, false);
	all_dtypes(ACL_INT8);
	CHECK_EQUAL(violations_of_this_problem(), EMU_OPERANDS);
	make(C950, 4, false);
	for (int i = EMU_GRAD_INPUT; i < EMU_OPERANDS; i++)
		TENSOR(i).dtype = ACL_FLOAT;
	FINDS("CONVBWD_GRAD_INPUT_DTYPE", "CONVBWD_GRAD_WEIGHT_DTYPE", "CONVBWD_GRAD_BIAS_DTYPE");

	make(A2, 4, false);
	INTS(stride, 0, 0); /* one array, one complaint */
	INTS(padding, -1, 1);
	INTS(dilation, 1, -1);
	INTS(output_padding, 0, 1);
	FINDS("CONVBWD_STRIDE_RANGE", "CONVBWD_PADDING_RANGE", "CONVBWD_DILATION_RANGE", "CONVBWD_OUTPUT_PADDING_ZERO");
}

static void test_stages_that_do_not_depend_on_each_other_are_all_asked(void)
{
	make(A2, 4, false);
	TENSOR(EMU_GRAD_OUTPUT).dtype = ACL_INT8;
	TENSOR(EMU_WEIGHT).format = ACL_FORMAT_NHWC;
	p.cube_math_type = -1;
	DIMS(EMU_GRAD_BIAS, 5);
	INTS(stride, 1);
	DIMS2(EMU_INPUT, EMU_GRAD_INPUT, 3, 5, 7, 7);
	TENSOR(EMU_INPUT).strides[0]++;
	TENSOR(EMU_GRAD_WEIGHT).strides[0] = 0;
	TENSOR(EMU_GRAD_WEIGHT).strides[1] = 1000;
	FINDS("CONVBWD_DTYPE", "CONVBWD_FORMAT", "CONVBWD_CUBE_MATH_TYPE_RANGE", "CONVBWD_GRAD_BIAS_LENGTH",
	      "CONVBWD_STRIDE_LENGTH", "CONVBWD_WEIGHT_INNER_CHANNELS", "CONVBWD_INPUT_IN_STORAGE", "CONVBWD_BATCH",
	      "CONVBWD_OUTPUT_IN_STORAGE", "CONVBWD_OUTPUT_OVERLAP");
}

static void test_the_plan_finds_every_limit_of_an_axis(void)
{
	make(A2, 3, false);
	DIMS2(EMU_INPUT, EMU_GRAD_INPUT, 2, 4, 90000);
	DIMS2(EMU_WEIGHT, EMU_GRAD_WEIGHT, 6, 4, 256);
	INTS(padding, 256);
	INTS(dilation, 256);
	FINDS("CONVBWD_SIZE", "CONVBWD_PADDING_LIMIT", "CONVBWD_KERNEL_LIMIT", "CONVBWD_DILATION_LIMIT");
	CHECK_EQUAL(found[0].status, INNER);
}

static void test_the_empty_route_is_asked_too(void)
{
	make_empty(A2, 4, false);
	p.groups = 4;
	INTS(bias_sizes, 5);
	INTS(padding, 0, 0, 0);
	TENSOR(EMU_GRAD_WEIGHT).dtype = ACL_FLOAT;
	FINDS("CONVBWD_BIAS_SIZES_VALUE", "CONVBWD_PADDING_LENGTH", "CONVBWD_EMPTY_GROUPS", "CONVBWD_EMPTY_CHANNELS",
	      "CONVBWD_EMPTY_GRAD_WEIGHT");
	make_empty(A2, 4, false);
	p.bias_sizes.presence = EMU_DEAD;
	FINDS("CONVBWD_HANDLE_LIVE");
}

/* ---- what is left out: echoes of a broken rule, and what could not be computed ---- */

static void test_nothing_is_read_through_what_is_not_there(void)
{
	make(A2, 4, false);
	p.output_mask.presence = EMU_ABSENT;
	p.output_mask.array = NULL;
	p.cube_math_type = 4;
	p.product = NULL;
	FINDS("CONVBWD_ARGUMENT_NULL", "CONVBWD_PRODUCT", "CONVBWD_CUBE_MATH_TYPE_RANGE");
	make(A2, 4, false);
	set_mask(2, true, true, true);
	OMIT(EMU_GRAD_INPUT);
	FINDS("CONVBWD_OUTPUT_MASK_LENGTH");
}

static void test_a_wrong_group_count_is_said_once(void)
{
	make(A2, 4, false);
	p.groups = 0;
	FINDS("CONVBWD_GROUPS_RANGE");
	p.groups = 4;
	FINDS("CONVBWD_CHANNELS_PER_GROUP");
}

static void test_a_wrong_size_is_said_once(void)
{
	make(A2, 5, false);
	DIMS(EMU_GRAD_OUTPUT, 2, 6, 7, 7, 6);
	FINDS("CONVBWD_SIZE_3D");
	make(A2, 4, false);
	DIMS(EMU_GRAD_OUTPUT, 2, 6, 7, 6);
	FINDS("CONVBWD_SIZE");
}

static void test_an_eight_bit_pair_is_said_once(void)
{
	make(C950, 4, false);
	TENSOR(EMU_INPUT).dtype = TENSOR(EMU_GRAD_INPUT).dtype = ACL_FLOAT8_E4M3FN;
	FINDS("CONVBWD_8BIT_ONE_GRADIENT", "CONVBWD_8BIT_GRAD_INPUT_UNIFORM", "CONVBWD_FLOAT8_GRAD_WEIGHT");
}

/* ---- order ---- */

/* Broken from the last stage to the first: each new break comes before all that were there. */
static void test_a_rule_that_is_looked_at_earlier_comes_first(void)
{
	size_t before = 0;

	make(A2, 5, false);
	static const enum emu_rule_id order[] = {
		CONVBWD_OUTPUT_IN_STORAGE, CONVBWD_BATCH, CONVBWD_INPUT_IN_STORAGE, CONVBWD_SIZE_3D, CONVBWD_GRAD_BIAS_LENGTH,
		CONVBWD_CUBE_MATH_TYPE_RANGE, CONVBWD_GRAD_BIAS_FORMAT, CONVBWD_DTYPE,
	};
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		switch (order[i]) {
		case CONVBWD_OUTPUT_IN_STORAGE:
			TENSOR(EMU_GRAD_WEIGHT).strides[0]++;
			break;
		case CONVBWD_BATCH:
			DIMS2(EMU_INPUT, EMU_GRAD_INPUT, 3, 4, 7, 7, 7);
			break;
		case CONVBWD_INPUT_IN_STORAGE:
			TENSOR(EMU_WEIGHT).strides[0]++;
			break;
		case CONVBWD_SIZE_3D:
			INTS(padding, 0, 1, 1);
			break;
		case CONVBWD_GRAD_BIAS_LENGTH:
			DIMS(EMU_GRAD_BIAS, 5);
			break;
		case CONVBWD_CUBE_MATH_TYPE_RANGE:
			p.cube_math_type = 4;
			break;
		case CONVBWD_GRAD_BIAS_FORMAT:
			TENSOR(EMU_GRAD_BIAS).format = ACL_FORMAT_NCL;
			break;
		default:
			TENSOR(EMU_GRAD_BIAS).dtype = ACL_INT8;
		}
		CHECK(violations_of_this_problem() == before + 1);
		before = aclemuGetViolations(&found);
		CHECK(!strcmp(found[0].rule, emu_rules[order[i]].name));
		for (size_t j = 1; j < before; j++)
			CHECK(!strcmp(found[j].rule, emu_rules[order[i - j]].name));
	}
}

int main(void)
{
	test_a_violation_says_what_the_row_says_and_the_values();
	test_an_accepted_call_has_none();
	test_collecting_adds_no_error_text();
	test_every_argument_of_a_stage_is_named();
	test_stages_that_do_not_depend_on_each_other_are_all_asked();
	test_the_plan_finds_every_limit_of_an_axis();
	test_the_empty_route_is_asked_too();
	test_nothing_is_read_through_what_is_not_there();
	test_a_wrong_group_count_is_said_once();
	test_a_wrong_size_is_said_once();
	test_an_eight_bit_pair_is_said_once();
	test_a_rule_that_is_looked_at_earlier_comes_first();
	free_arrays();
	return check_report();
}
