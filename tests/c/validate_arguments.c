/* What is checked of the arguments one by one: nulls, dtypes, formats, values; and that the earlier rule wins. */
#include "problem_builder.h"

/* ---- nulls and handles ---- */

static void test_inputs_and_attributes_are_given(void)
{
	static const char *const tensors[] = {"gradOutput", "input", "weight"};

	for (int i = EMU_GRAD_OUTPUT; i <= EMU_WEIGHT; i++) {
		make(A2, 4, false);
		OMIT(i);
		REJECTS(CONVBWD_ARGUMENT_NULL, NULLPTR, tensors[i]);
	}
	make(A2, 4, false);
	p.stride.presence = EMU_ABSENT;
	REJECTS(CONVBWD_ARGUMENT_NULL, NULLPTR, "stride");
	make(A2, 4, false);
	p.padding.presence = EMU_ABSENT;
	REJECTS(CONVBWD_ARGUMENT_NULL, NULLPTR, "padding");
	make(A2, 4, false);
	p.dilation.presence = EMU_ABSENT;
	REJECTS(CONVBWD_ARGUMENT_NULL, NULLPTR, "dilation");
	make(A2, 4, false);
	p.output_padding.presence = EMU_ABSENT;
	REJECTS(CONVBWD_ARGUMENT_NULL, NULLPTR, "outputPadding");
	make(A2, 4, false);
	p.output_mask.presence = EMU_ABSENT;
	REJECTS(CONVBWD_ARGUMENT_NULL, NULLPTR, "outputMask");
	make(A2, 4, false);
	p.bias_sizes.presence = EMU_ABSENT;
	ACCEPTS(CONVBWD_ARGUMENT_NULL);
}

static void test_output_mask_has_three_elements(void)
{
	for (uint64_t size = 0; size <= 4; size++) {
		char values[32];

		if (size == 3)
			continue;
		make(A2, 4, false);
		set_mask(size, true, true, true);
		snprintf(values, sizeof(values), "length %d", (int)size);
		REJECTS(CONVBWD_OUTPUT_MASK_LENGTH, NULLPTR, values);
	}
	make(A2, 4, false);
	ACCEPTS(CONVBWD_OUTPUT_MASK_LENGTH);
}

static void test_wanted_outputs_are_given(void)
{
	static const char *const names[] = {"gradInput", "gradWeight", "gradBias"};

	for (int i = 0; i < 3; i++) {
		make(A2, 4, false);
		OMIT(EMU_GRAD_INPUT + i);
		REJECTS(CONVBWD_OUTPUT_NULL, NULLPTR, names[i]);
		MASK(i != 0, i != 1, i != 2);
		ACCEPTS(CONVBWD_OUTPUT_NULL);
	}
	make(A2, 4, false);
	MASK(false, false, false);
	for (int i = 0; i < 3; i++)
		OMIT(EMU_GRAD_INPUT + i);
	ACCEPTS(CONVBWD_OUTPUT_NULL);
}

static void test_dead_handles_are_refused_where_they_are_looked_at(void)
{
	for (int i = 0; i < EMU_OPERANDS; i++) {
		make(A2, 4, false);
		MASK(false, false, false);
		p.tensors[i].presence = EMU_DEAD;
		p.tensors[i].handle = &p;
		REJECTS(CONVBWD_HANDLE_LIVE, INVALID, p.tensors[i].name);
	}
	make(A2, 4, false);
	p.dilation.presence = EMU_DEAD;
	REJECTS(CONVBWD_HANDLE_LIVE, INVALID, "dilation");
	make(A2, 4, false);
	p.output_mask.presence = EMU_DEAD;
	REJECTS(CONVBWD_HANDLE_LIVE, INVALID, "outputMask");
	make_empty(A2, 4, false);
	p.bias_sizes.presence = EMU_DEAD;
	REJECTS(CONVBWD_HANDLE_LIVE, INVALID, "biasSizes");
	make(A2, 4, false);
	p.bias_sizes.presence = EMU_DEAD;
	ACCEPTS(CONVBWD_HANDLE_LIVE);
}

/* ---- dtypes ---- */

static void test_other_chips_are_refused(void)
{
	make(A2, 4, false);
	p.product = emu_product_find(3002);
	REJECTS(CONVBWD_PRODUCT, INVALID, "ACLEMU_SOC");
	make(A2, 4, false);
	ACCEPTS(CONVBWD_PRODUCT);
}

static void test_dtypes_are_in_the_list_of_the_product(void)
{
	for (int i = 0; i < EMU_OPERANDS; i++) {
		make(A2, 4, false);
		MASK(false, false, false);
		TENSOR(i).dtype = ACL_INT32;
		REJECTS(CONVBWD_DTYPE, INVALID, "not implemented for DT_INT32");
		CHECK_EQUAL(TENSOR(i).dtype, ACL_INT32);
		TENSOR(i).dtype = ACL_BF16;
		ACCEPTS(CONVBWD_DTYPE);
		OMIT(EMU_GRAD_INPUT), OMIT(EMU_GRAD_WEIGHT), OMIT(EMU_GRAD_BIAS);
		if (i >= EMU_GRAD_INPUT) {
			TENSOR(i).dtype = ACL_INT32; /* an absent tensor has no dtype */
			ACCEPTS(CONVBWD_DTYPE);
		}
	}
	for (int i = 0; i < 2; i++) {
		make(i ? P310 : A910, 4, false);
		TENSOR(EMU_WEIGHT).dtype = ACL_BF16;
		REJECTS(CONVBWD_DTYPE, INVALID, "[DT_FLOAT,DT_FLOAT16,]");
	}
	make(A2, 4, false);
	TENSOR(EMU_INPUT).dtype = ACL_FLOAT8_E5M2;
	REJECTS(CONVBWD_DTYPE, INVALID, "[DT_FLOAT,DT_FLOAT16,DT_BFLOAT16,]");
	make(C950, 4, true);
	all_dtypes(ACL_FLOAT8_E4M3FN);
	REJECTS(CONVBWD_DTYPE, INVALID, "[DT_FLOAT,DT_FLOAT16,DT_BFLOAT16,DT_HIFLOAT8,]");
	make(C950, 4, false);
	TENSOR(EMU_GRAD_OUTPUT).dtype = (aclDataType)12345;
	REJECTS(CONVBWD_DTYPE, INVALID, "12345");
}

static void make_odd_output(enum emu_operand output)
{
	make(C950, 4, false);
	MASK(false, false, false);
	TENSOR(output).dtype = ACL_FLOAT;
}

static void test_output_dtypes_follow_the_inputs_on_950_only(void)
{
	make_odd_output(EMU_GRAD_INPUT);
	REJECTS(CONVBWD_GRAD_INPUT_DTYPE, INVALID, "gradInput has DT_FLOAT and input has DT_FLOAT16");
	p.product = emu_product_find(A2);
	ACCEPTS(CONVBWD_GRAD_INPUT_DTYPE);
	make_odd_output(EMU_GRAD_INPUT);
	TENSOR(EMU_INPUT).dtype = ACL_FLOAT;
	ACCEPTS(CONVBWD_GRAD_INPUT_DTYPE);

	make_odd_output(EMU_GRAD_WEIGHT);
	REJECTS(CONVBWD_GRAD_WEIGHT_DTYPE, INVALID, "gradWeight has DT_FLOAT and weight has DT_FLOAT16");
	p.product = emu_product_find(A2);
	ACCEPTS(CONVBWD_GRAD_WEIGHT_DTYPE);
	make_odd_output(EMU_GRAD_WEIGHT);
	TENSOR(EMU_WEIGHT).dtype = ACL_FLOAT;
	ACCEPTS(CONVBWD_GRAD_WEIGHT_DTYPE);

	make_odd_output(EMU_GRAD_BIAS);
	REJECTS(CONVBWD_GRAD_BIAS_DTYPE, INVALID, "gradBias has DT_FLOAT and gradOutput has DT_FLOAT16");
	p.product = emu_product_find(A2);
	ACCEPTS(CONVBWD_GRAD_BIAS_DTYPE);
	make_odd_output(EMU_GRAD_BIAS);
	TENSOR(EMU_GRAD_OUTPUT).dtype = ACL_FLOAT;
	ACCEPTS(CONVBWD_GRAD_BIAS_DTYPE);
}

/* ---- formats ---- */

static void test_ranks_are_three_to_five(void)
{
	static const int64_t dims[EMU_MAX_RANK] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
	                                           1};
	static const int ranks[] = {0, 1, 2, 6, EMU_MAX_RANK};

	for (int operand = EMU_GRAD_OUTPUT; operand <= EMU_GRAD_WEIGHT; operand++)
		for (size_t i = 0; i < sizeof(ranks) / sizeof(ranks[0]); i++) {
			make(A2, 4, false);
			MASK(false, false, false);
			set_dims(operand, ranks[i], dims);
			REJECTS(CONVBWD_RANK, INVALID, p.tensors[operand].name);
		}
	for (int rank = 3; rank <= 5; rank++) {
		make(A2, rank, false);
		ACCEPTS(CONVBWD_RANK);
	}
}

static void test_formats_go_with_the_rank(void)
{
	static const struct {
		int rank;
		aclFormat format;
		bool good;
	} cases[] = {
		{3, ACL_FORMAT_NCL, true},    {3, ACL_FORMAT_ND, true},     {3, ACL_FORMAT_NCHW, false},
		{4, ACL_FORMAT_NCHW, true},   {4, ACL_FORMAT_ND, false},    {4, ACL_FORMAT_NHWC, false},
		{4, ACL_FORMAT_NCL, false},   {5, ACL_FORMAT_NCDHW, true},  {5, ACL_FORMAT_ND, false},
		{5, ACL_FORMAT_NDHWC, false}, {4, ACL_FORMAT_NC1HWC0, false}, {5, ACL_FORMAT_UNDEFINED, false},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		for (int operand = EMU_GRAD_OUTPUT; operand <= EMU_GRAD_WEIGHT; operand++) {
			make(A2, cases[i].rank, false);
			TENSOR(operand).format = cases[i].format;
			if (cases[i].good)
				ACCEPTS(CONVBWD_FORMAT);
			else
				REJECTS(CONVBWD_FORMAT, INVALID, p.tensors[operand].name);
		}
}

static void test_grad_bias_is_nd(void)
{
	make(A2, 4, false);
	MASK(false, false, false);
	TENSOR(EMU_GRAD_BIAS).format = ACL_FORMAT_NCHW;
	REJECTS(CONVBWD_GRAD_BIAS_FORMAT, INVALID, "NCHW");
	p.product = emu_product_find(C950);
	REJECTS(CONVBWD_GRAD_BIAS_FORMAT, INVALID, "NCHW");
	p.product = emu_product_find(P310);
	ACCEPTS(CONVBWD_GRAD_BIAS_FORMAT);

	/* where that check does not look, the plan finds it when the bias is asked for */
	MASK(true, true, true);
	REJECTS(CONVBWD_GRAD_BIAS_LAYOUT, INNER, "NCHW");
	make(A2, 4, true);
	TENSOR(EMU_GRAD_BIAS).format = ACL_FORMAT_NCHW;
	REJECTS(CONVBWD_GRAD_BIAS_LAYOUT, INNER, "NCHW");
	MASK(true, true, false);
	ACCEPTS(CONVBWD_GRAD_BIAS_LAYOUT);
	make_empty(A2, 4, true);
	TENSOR(EMU_GRAD_BIAS).format = ACL_FORMAT_NCHW;
	ACCEPTS_EMPTY(CONVBWD_GRAD_BIAS_LAYOUT);
}

/* ---- values ---- */

static void test_values_of_the_arrays(void)
{
	make(A2, 4, false);
	INTS(stride, 1, 0);
	REJECTS(CONVBWD_STRIDE_RANGE, INVALID, "stride[1] is 0; every element of stride is greater than 0");
	INTS(stride, INT64_MIN, 1);
	REJECTS(CONVBWD_STRIDE_RANGE, INVALID, "stride[0] is -9223372036854775808");
	INTS(stride, 1, 1);
	ACCEPTS(CONVBWD_STRIDE_RANGE);
	INTS(padding, 1, -1);
	REJECTS(CONVBWD_PADDING_RANGE, INVALID, "padding[1] is -1");
	INTS(padding, 1, 1, 1, -7);
	REJECTS(CONVBWD_PADDING_RANGE, INVALID, "padding[3] is -7");
	INTS(padding, 1, 1, 1, 1);
	ACCEPTS(CONVBWD_PADDING_RANGE);
	INTS(dilation, 0, 1);
	REJECTS(CONVBWD_DILATION_RANGE, INVALID, "dilation[0] is 0");
	INTS(dilation, 1, 1);
	ACCEPTS(CONVBWD_DILATION_RANGE);
	p.groups = 0;
	REJECTS(CONVBWD_GROUPS_RANGE, INVALID, "groups is 0");
	p.groups = -1;
	REJECTS(CONVBWD_GROUPS_RANGE, INVALID, "groups is -1");
	p.groups = 1;
	ACCEPTS(CONVBWD_GROUPS_RANGE);
}

static void test_values_of_output_padding(void)
{
	make(A2, 4, false);
	INTS(output_padding, 0, 1);
	REJECTS(CONVBWD_OUTPUT_PADDING_ZERO, INVALID, "outputPadding[1] is 1");
	INTS(output_padding, 0, -1);
	REJECTS(CONVBWD_OUTPUT_PADDING_ZERO, INVALID, "outputPadding[1] is -1");
	INTS(output_padding, 0, 0, 0, 0);
	ACCEPTS(CONVBWD_OUTPUT_PADDING_ZERO);

	make(A2, 4, true);
	INTS(output_padding, 0, -1);
	REJECTS(CONVBWD_OUTPUT_PADDING_RANGE, INVALID, "outputPadding[1] is -1");
	INTS(output_padding, 0, 9, 9, 9); /* below stride is asked for in 3-D only, and no formula uses the values */
	ACCEPTS(CONVBWD_OUTPUT_PADDING_RANGE);

	make(A2, 5, true);
	INTS(output_padding, 0, 0, 1);
	REJECTS(CONVBWD_OUTPUT_PADDING_BELOW_STRIDE, INVALID, "outputPadding[2] is 1 and stride[2] is 1");
	INTS(output_padding, 0, 0, 0);
	ACCEPTS(CONVBWD_OUTPUT_PADDING_BELOW_STRIDE);

	/* a longer outputPadding is a wrong length, not a read past the end of stride */
	INTS(output_padding, 0, 0, 0, 5);
	REJECTS(CONVBWD_OUTPUT_PADDING_LENGTH, INVALID, "outputPadding has length 4");
}

static void test_cube_math_type(void)
{
	static const int old[] = {P310, A910};

	make(A2, 4, false);
	p.cube_math_type = -1;
	REJECTS(CONVBWD_CUBE_MATH_TYPE_RANGE, INVALID, "cubeMathType is -1");
	p.cube_math_type = 4;
	REJECTS(CONVBWD_CUBE_MATH_TYPE_RANGE, INVALID, "cubeMathType is 4");
	for (int type = 0; type <= 3; type++) {
		static const aclDataType dtypes[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};

		p.cube_math_type = (int8_t)type;
		for (int i = 0; i < 3; i++) {
			all_dtypes(dtypes[i]);
			ACCEPTS(CONVBWD_CUBE_MATH_TYPE_RANGE);
		}
	}
	for (int i = 0; i < 2; i++)
		for (int type = 0; type <= 3; type++) {
			make(old[i], 4, false);
			p.cube_math_type = (int8_t)type;
			ACCEPTS(CONVBWD_CUBE_MATH_TYPE_FLOAT);
			TENSOR(EMU_WEIGHT).dtype = ACL_FLOAT; /* one FLOAT among the inputs is enough */
			if (type == 0 || type == 3)
				REJECTS(CONVBWD_CUBE_MATH_TYPE_FLOAT, INVALID, "DT_FLOAT");
			else
				ACCEPTS(CONVBWD_CUBE_MATH_TYPE_FLOAT);
		}
}

/* ---- order: of two broken rules the earlier one is named ---- */

static void test_the_earlier_rule_wins(void)
{
	/* from the last stage to the first, each break added to the ones before */
	make(A2, 5, false);
	DIMS2(EMU_INPUT, EMU_GRAD_INPUT, 3, 4, 7, 7, 7);
	REJECTS(CONVBWD_BATCH, INNER, "batch 3");
	TENSOR(EMU_WEIGHT).strides[0]++;
	REJECTS(CONVBWD_INPUT_IN_STORAGE, INNER, "weight");
	INTS(padding, 0, 1, 1);
	REJECTS(CONVBWD_SIZE_3D, INVALID, "D 7 where 5");
	INTS(dilation, 1, 1, 9);
	REJECTS(CONVBWD_KERNEL_FITS, INVALID, "W 7");
	p.groups = 3;
	REJECTS(CONVBWD_CHANNELS_PER_GROUP, INVALID, "groups is 3");
	INTS(output_padding, 0, 0);
	REJECTS(CONVBWD_OUTPUT_PADDING_LENGTH, INVALID, "length 2");
	INTS(stride, 1, 1);
	REJECTS(CONVBWD_STRIDE_LENGTH, INVALID, "length 2");
	DIMS(EMU_GRAD_BIAS, 5);
	REJECTS(CONVBWD_GRAD_BIAS_LENGTH, INVALID, "length 5");
	DIMS(EMU_GRAD_WEIGHT, 1, 1, 1, 1, 1);
	REJECTS(CONVBWD_GRAD_WEIGHT_SHAPE, INVALID, "[1, 1, 1, 1, 1]");
	DIMS(EMU_GRAD_OUTPUT, 0, 6, 7, 7, 7);
	REJECTS(CONVBWD_NOT_EMPTY, INVALID, "gradOutput");
	DIMS(EMU_WEIGHT, 6, 4, 3, 3);
	REJECTS(CONVBWD_RANKS_EQUAL, INVALID, "weight");
	p.cube_math_type = 4;
	REJECTS(CONVBWD_CUBE_MATH_TYPE_RANGE, INVALID, "4");
	p.groups = 0;
	REJECTS(CONVBWD_GROUPS_RANGE, INVALID, "groups");
	INTS(output_padding, 1, 0);
	REJECTS(CONVBWD_OUTPUT_PADDING_ZERO, INVALID, "outputPadding[0]");
	INTS(dilation, 0, 1, 1);
	REJECTS(CONVBWD_DILATION_RANGE, INVALID, "dilation[0]");
	INTS(padding, -1, 1, 1);
	REJECTS(CONVBWD_PADDING_RANGE, INVALID, "padding[0]");
	INTS(stride, 0, 1);
	REJECTS(CONVBWD_STRIDE_RANGE, INVALID, "stride[0]");
	TENSOR(EMU_GRAD_BIAS).format = ACL_FORMAT_NCL;
	REJECTS(CONVBWD_GRAD_BIAS_FORMAT, INVALID, "NCL");
	TENSOR(EMU_GRAD_INPUT).format = ACL_FORMAT_ND;
	REJECTS(CONVBWD_FORMAT, INVALID, "gradInput");
	TENSOR(EMU_INPUT).rank = 6;
	REJECTS(CONVBWD_RANK, INVALID, "input");
	TENSOR(EMU_GRAD_BIAS).dtype = ACL_INT8;
	REJECTS(CONVBWD_DTYPE, INVALID, "gradBias");
	TENSOR(EMU_INPUT).dtype = ACL_INT16;
	REJECTS(CONVBWD_DTYPE, INVALID, "Tensor input");
	OMIT(EMU_GRAD_WEIGHT);
	REJECTS(CONVBWD_OUTPUT_NULL, NULLPTR, "gradWeight");
	set_mask(4, true, true, true);
	REJECTS(CONVBWD_OUTPUT_MASK_LENGTH, NULLPTR, "length 4");
	p.padding.presence = EMU_ABSENT;
	REJECTS(CONVBWD_ARGUMENT_NULL, NULLPTR, "padding");
	OMIT(EMU_WEIGHT);
	REJECTS(CONVBWD_ARGUMENT_NULL, NULLPTR, "weight");
	p.tensors[EMU_INPUT].presence = EMU_DEAD;
	REJECTS(CONVBWD_HANDLE_LIVE, INVALID, "input");
}

int main(void)
{
	test_inputs_and_attributes_are_given();
	test_output_mask_has_three_elements();
	test_wanted_outputs_are_given();
	test_dead_handles_are_refused_where_they_are_looked_at();
	test_other_chips_are_refused();
	test_dtypes_are_in_the_list_of_the_product();
	test_output_dtypes_follow_the_inputs_on_950_only();
	test_ranks_are_three_to_five();
	test_formats_go_with_the_rank();
	test_grad_bias_is_nd();
	test_values_of_the_arrays();
	test_values_of_output_padding();
	test_cube_math_type();
	test_the_earlier_rule_wins();
	free_arrays();
	return check_report();
}
