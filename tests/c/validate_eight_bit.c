/* The 8-bit types of the 950: what is refused, and what passes the checks but has no kernel. */
#include "problem_builder.h"

static void make_eight_bit_of_rank(int rank, bool transposed, aclDataType dtype)
{
	make(C950, rank, transposed);
	all_dtypes(dtype);
	OMIT(EMU_GRAD_WEIGHT);
	OMIT(EMU_GRAD_BIAS);
	MASK(true, false, false);
}

static void make_eight_bit(bool transposed, aclDataType dtype)
{
	make_eight_bit_of_rank(4, transposed, dtype);
}

/* Past the 8-bit stage come the plan's rules: most of these calls have no kernel. */
static void test_eight_bit_gradients_are_asked_for_one_at_a_time(void)
{
	make_eight_bit(false, ACL_HIFLOAT8);
	p.tensors[EMU_GRAD_WEIGHT].presence = EMU_LIVE;
	REJECTS(CONVBWD_8BIT_ONE_GRADIENT, INVALID, "pass NULL");
	OMIT(EMU_GRAD_WEIGHT);
	REJECTS(CONVBWD_8BIT_KERNEL, INNER, "DT_HIFLOAT8");

	/* transposed: given both, the weight gradient alone is refused, with gradInput asked for it passes */
	make_eight_bit(true, ACL_HIFLOAT8);
	p.tensors[EMU_GRAD_WEIGHT].presence = EMU_LIVE;
	TENSOR(EMU_GRAD_WEIGHT).dtype = ACL_FLOAT;
	MASK(false, true, false);
	REJECTS(CONVBWD_8BIT_ONE_GRADIENT, INVALID, "outputMask[0] 0");
	MASK(true, true, false);
	REJECTS(CONVBWD_8BIT_KERNEL, INNER, "outputMask is [1, 1, 0]");

	/* a single 8-bit tensor among the five is enough; a masked-off one counts */
	make(C950, 4, false);
	TENSOR(EMU_INPUT).dtype = TENSOR(EMU_GRAD_INPUT).dtype = ACL_FLOAT8_E4M3FN;
	MASK(true, false, false);
	REJECTS(CONVBWD_8BIT_ONE_GRADIENT, INVALID, "DT_FLOAT8_E4M3FN");
	make(C950, 4, false);
	ACCEPTS(CONVBWD_8BIT_ONE_GRADIENT);
	ACCEPTS(CONVBWD_8BIT_KERNEL);
}

static void test_eight_bit_grad_input_is_uniform(void)
{
	static const aclDataType dtypes[] = {ACL_HIFLOAT8, ACL_FLOAT8_E4M3FN};

	for (int i = 0; i < 2; i++) {
		make_eight_bit(false, dtypes[i]);
		TENSOR(EMU_WEIGHT).dtype = ACL_FLOAT16;
		REJECTS(CONVBWD_8BIT_GRAD_INPUT_UNIFORM, INVALID, emu_dtype_name(dtypes[i]));
		make_eight_bit(false, dtypes[i]);
		TENSOR(EMU_GRAD_OUTPUT).dtype = dtypes[1 - i];
		REJECTS(CONVBWD_8BIT_GRAD_INPUT_UNIFORM, INVALID, "have DT_HIFLOAT8");
		make_eight_bit(false, dtypes[i]);
		REJECTS(CONVBWD_8BIT_KERNEL, INNER, emu_dtype_name(dtypes[i]));
	}
	make(C950, 4, false);
	OMIT(EMU_GRAD_WEIGHT);
	MASK(true, false, true);
	ACCEPTS(CONVBWD_8BIT_GRAD_INPUT_UNIFORM);

	/* not asked for: an 8-bit input beside a plain gradOutput leaves the bias computable */
	TENSOR(EMU_INPUT).dtype = TENSOR(EMU_GRAD_INPUT).dtype = ACL_HIFLOAT8;
	MASK(false, false, true);
	ACCEPTS(CONVBWD_8BIT_GRAD_INPUT_UNIFORM);
}

static void test_eight_bit_grad_weight_is_float_from_hifloat8(void)
{
	make_eight_bit(true, ACL_HIFLOAT8);
	OMIT(EMU_GRAD_INPUT);
	p.tensors[EMU_GRAD_WEIGHT].presence = EMU_LIVE;
	MASK(false, true, false);
	REJECTS(CONVBWD_HIFLOAT8_GRAD_WEIGHT, INVALID, "gradWeight has DT_HIFLOAT8");
	TENSOR(EMU_GRAD_WEIGHT).dtype = ACL_FLOAT;
	REJECTS(CONVBWD_8BIT_KERNEL, INNER, "outputMask is [0, 1, 0]");
	TENSOR(EMU_GRAD_OUTPUT).dtype = ACL_FLOAT;
	REJECTS(CONVBWD_HIFLOAT8_GRAD_WEIGHT, INVALID, "2 have DT_HIFLOAT8 and 1 another");
	TENSOR(EMU_GRAD_OUTPUT).dtype = ACL_HIFLOAT8;
	INTS(output_padding, 0, 1);
	REJECTS(CONVBWD_8BIT_OUTPUT_PADDING, INVALID, "outputPadding[1] is 1");
	INTS(output_padding, 0, 0);
	p.groups = 2;
	REJECTS(CONVBWD_8BIT_GROUPS, INVALID, "groups is 2");

	make(C950, 4, false);
	OMIT(EMU_GRAD_INPUT);
	MASK(false, true, false);
	TENSOR(EMU_INPUT).dtype = ACL_FLOAT8_E4M3FN;
	REJECTS(CONVBWD_FLOAT8_GRAD_WEIGHT, INVALID, "1 have DT_FLOAT8_E4M3FN");

	make(C950, 4, true);
	INTS(output_padding, 0, 1);
	ACCEPTS(CONVBWD_HIFLOAT8_GRAD_WEIGHT);
	ACCEPTS(CONVBWD_FLOAT8_GRAD_WEIGHT);
	ACCEPTS(CONVBWD_8BIT_OUTPUT_PADDING);
	make_grouped(C950, 4);
	ACCEPTS(CONVBWD_8BIT_GROUPS);
}

static void test_grad_input_of_a_transposed_hifloat8_call_is_computed(void)
{
	for (int rank = 3; rank <= 5; rank++) {
		for (int cube = 0; cube <= 3; cube++) {
			make_eight_bit_of_rank(rank, true, ACL_HIFLOAT8);
			p.cube_math_type = (int8_t)cube;
			ACCEPTS(CONVBWD_8BIT_KERNEL);
		}
	}
	make_eight_bit(true, ACL_HIFLOAT8);
	p.tensors[EMU_GRAD_WEIGHT].presence = EMU_LIVE; /* given, but not asked for */
	ACCEPTS(CONVBWD_8BIT_KERNEL);
	make_eight_bit(false, ACL_HIFLOAT8);
	REJECTS(CONVBWD_8BIT_KERNEL, INNER, "transposed is 0");
	make_eight_bit(false, ACL_FLOAT8_E4M3FN);
	REJECTS(CONVBWD_8BIT_KERNEL, INNER, "DT_FLOAT8_E4M3FN");
}

static void test_a_zero_bias_gradient_may_be_eight_bit(void)
{
	static const aclDataType dtypes[] = {ACL_HIFLOAT8, ACL_FLOAT8_E4M3FN};

	for (int i = 0; i < 2; i++) {
		make_empty(C950, 4, false);
		OMIT(EMU_GRAD_WEIGHT);
		all_dtypes(dtypes[i]);
		MASK(false, false, true);
		ACCEPTS_EMPTY(CONVBWD_EMPTY_GRAD_BIAS);
		TENSOR(EMU_WEIGHT).dtype = dtypes[1 - i];
		REJECTS(CONVBWD_EMPTY_GRAD_BIAS, INNER, emu_dtype_name(dtypes[1 - i]));
	}
}

static void test_eight_bit_bias_is_refused(void)
{
	make_eight_bit(true, ACL_HIFLOAT8);
	p.tensors[EMU_GRAD_BIAS].presence = EMU_LIVE;
	MASK(false, false, true);
	REJECTS(CONVBWD_GRAD_BIAS_PLAIN, INNER, "gradBias has DT_HIFLOAT8");
	all_dtypes(ACL_FLOAT);
	ACCEPTS(CONVBWD_GRAD_BIAS_PLAIN);
}

int main(void)
{
	test_eight_bit_gradients_are_asked_for_one_at_a_time();
	test_eight_bit_grad_input_is_uniform();
	test_eight_bit_grad_weight_is_float_from_hifloat8();
	test_grad_input_of_a_transposed_hifloat8_call_is_computed();
	test_a_zero_bias_gradient_may_be_eight_bit();
	test_eight_bit_bias_is_refused();
	free_arrays();
	return check_report();
}
