/* Shapes, lengths, channels, the sizes of a convolution, and views. */
#include "problem_builder.h"

/* ---- shapes ---- */

static void test_ranks_are_equal(void)
{
	make(A2, 4, false);
	DIMS(EMU_GRAD_OUTPUT, 2, 6, 7);
	REJECTS(CONVBWD_RANKS_EQUAL, INVALID, "gradOutput has rank 3 and input has rank 4");
	make(A2, 4, false);
	DIMS2(EMU_WEIGHT, EMU_GRAD_WEIGHT, 6, 4, 3, 3, 3);
	REJECTS(CONVBWD_RANKS_EQUAL, INVALID, "input has rank 4 and weight has rank 5");
	make(A2, 4, false);
	ACCEPTS(CONVBWD_RANKS_EQUAL);
}

static void test_a_lone_empty_grad_output_is_refused(void)
{
	static const int products[] = {A2, C950, P310, A910};

	for (int i = 0; i < 4; i++) {
		make(products[i], 4, false);
		DIMS(EMU_GRAD_OUTPUT, 2, 6, 0, 7);
		REJECTS(CONVBWD_NOT_EMPTY, INVALID, "gradOutput is empty, its storage has sizes [2, 6, 0, 7]");
		make(products[i], 4, false);
		ACCEPTS(CONVBWD_NOT_EMPTY);
	}
	make(P310, 4, false);
	DIMS2(EMU_WEIGHT, EMU_GRAD_WEIGHT, 6, 4, 0, 3);
	REJECTS(CONVBWD_NOT_EMPTY, INVALID, "weight is empty");

	/* the storage decides: an empty view of a storage with elements is not empty here, but has nothing to compute */
	make(A2, 4, false);
	TENSOR(EMU_GRAD_OUTPUT).dims[0] = 0;
	REJECTS(CONVBWD_DIMENSIONS, INNER, "gradOutput has sizes [0, 6, 7, 7]");
}

static void test_outputs_have_the_shapes_of_their_inputs(void)
{
	make(A2, 4, false);
	MASK(false, false, false);
	DIMS(EMU_GRAD_INPUT, 2, 4, 7, 8);
	REJECTS(CONVBWD_GRAD_INPUT_SHAPE, INVALID, "gradInput has sizes [2, 4, 7, 8] and input has sizes [2, 4, 7, 7]");
	OMIT(EMU_GRAD_INPUT);
	ACCEPTS(CONVBWD_GRAD_INPUT_SHAPE);
	DIMS(EMU_GRAD_WEIGHT, 6, 4, 9);
	REJECTS(CONVBWD_GRAD_WEIGHT_SHAPE, INVALID, "pass NULL if outputMask[1] is false");
	OMIT(EMU_GRAD_WEIGHT);
	ACCEPTS(CONVBWD_GRAD_WEIGHT_SHAPE);
	DIMS(EMU_GRAD_BIAS, 6, 1);
	REJECTS(CONVBWD_GRAD_BIAS_RANK, INVALID, "gradBias with sizes [6, 1]");
	DIMS(EMU_GRAD_BIAS, 4);
	REJECTS(CONVBWD_GRAD_BIAS_LENGTH, INVALID, "gradBias has length 4 and gradOutput has 6 channels");
	DIMS(EMU_GRAD_BIAS, 6);
	ACCEPTS(CONVBWD_GRAD_BIAS_RANK);
	ACCEPTS(CONVBWD_GRAD_BIAS_LENGTH);
	p.tensors[EMU_GRAD_BIAS].numbers.rank = p.tensors[EMU_GRAD_BIAS].numbers.storage_rank = 0;
	REJECTS(CONVBWD_GRAD_BIAS_RANK, INVALID, "gradBias");
	make(A2, 4, true);
	DIMS(EMU_GRAD_BIAS, 4);
	REJECTS(CONVBWD_GRAD_BIAS_LENGTH, INVALID, "length 4");
}

static void test_arrays_have_the_length_of_the_spatial_rank(void)
{
	make(A2, 4, false);
	INTS(stride, 1);
	REJECTS(CONVBWD_STRIDE_LENGTH, INVALID, "stride has length 1");
	INTS(stride, 1, 1, 1, 1);
	REJECTS(CONVBWD_STRIDE_LENGTH, INVALID, "stride has length 4");
	INTS(stride, 1, 1);
	ACCEPTS(CONVBWD_STRIDE_LENGTH);
	INTS(dilation, 1, 1, 1);
	REJECTS(CONVBWD_DILATION_LENGTH, INVALID, "dilation has length 3");
	INTS(dilation, 1, 1);
	ACCEPTS(CONVBWD_DILATION_LENGTH);
	INTS(padding, 1);
	REJECTS(CONVBWD_PADDING_LENGTH, INVALID, "padding has length 1");
	INTS(padding, 1, 1, 1);
	REJECTS(CONVBWD_PADDING_LENGTH, INVALID, "padding has length 3");
	INTS(padding, 2, 0, 1, 1);
	ACCEPTS(CONVBWD_PADDING_LENGTH);
	set_ints(&p.output_padding, 0, (int64_t[]){0});
	REJECTS(CONVBWD_OUTPUT_PADDING_LENGTH, INVALID, "outputPadding has length 0");
	INTS(output_padding, 0, 0, 0, 0);
	ACCEPTS(CONVBWD_OUTPUT_PADDING_LENGTH);

	/* four elements are a 2-D privilege */
	make(A2, 5, false);
	INTS(padding, 1, 1, 1, 1);
	REJECTS(CONVBWD_PADDING_LENGTH, INVALID, "input has rank 5");
	make(A2, 3, false);
	INTS(output_padding, 0, 0, 0, 0);
	REJECTS(CONVBWD_OUTPUT_PADDING_LENGTH, INVALID, "input has rank 3");
}

/* ---- channels ---- */

static void test_channels_and_groups_fit_the_weight(void)
{
	make(A2, 4, false);
	DIMS2(EMU_WEIGHT, EMU_GRAD_WEIGHT, 5, 4, 3, 3);
	REJECTS(CONVBWD_WEIGHT_OUTER_CHANNELS, INVALID, "gradOutput has 6 channels and weight dim 0 is 5");
	make(A2, 4, true);
	DIMS2(EMU_WEIGHT, EMU_GRAD_WEIGHT, 6, 6, 3, 3);
	REJECTS(CONVBWD_WEIGHT_OUTER_CHANNELS, INVALID, "input has 4 channels and weight dim 0 is 6");

	make(A2, 4, false);
	DIMS2(EMU_WEIGHT, EMU_GRAD_WEIGHT, 6, 3, 3, 3);
	REJECTS(CONVBWD_WEIGHT_INNER_CHANNELS, INVALID, "input has 4 channels and weight dim 1 is 3");
	TENSOR(EMU_WEIGHT).dims[1] = TENSOR(EMU_GRAD_WEIGHT).dims[1] = 0; /* of a storage with elements */
	REJECTS(CONVBWD_WEIGHT_INNER_CHANNELS, INVALID, "weight dim 1 is 0");
	DIMS2(EMU_WEIGHT, EMU_GRAD_WEIGHT, 6, 2, 3, 3);
	REJECTS(CONVBWD_CHANNELS_PER_GROUP, INVALID, "weight dim 1 is 2 and groups is 1");
	p.groups = 2;
	ACCEPTS(CONVBWD_WEIGHT_INNER_CHANNELS);
	ACCEPTS(CONVBWD_CHANNELS_PER_GROUP);
	p.groups = 3;
	REJECTS(CONVBWD_CHANNELS_PER_GROUP, INVALID, "groups is 3");

	make(A2, 4, true);
	ACCEPTS(CONVBWD_WEIGHT_OUTER_CHANNELS);
	p.groups = 2;
	REJECTS(CONVBWD_CHANNELS_PER_GROUP, INVALID, "gradOutput has 6 channels, weight dim 1 is 6 and groups is 2");
	DIMS2(EMU_WEIGHT, EMU_GRAD_WEIGHT, 4, 3, 3, 3);
	ACCEPTS(CONVBWD_CHANNELS_PER_GROUP);
}

/* 4 channels in, one a group; `out` channels out. */
static void make_depthwise(int architecture, int64_t out)
{
	make(architecture, 4, false);
	DIMS(EMU_GRAD_OUTPUT, 2, out, 7, 7);
	DIMS2(EMU_WEIGHT, EMU_GRAD_WEIGHT, out, 1, 3, 3);
	DIMS(EMU_GRAD_BIAS, out);
	p.groups = 4;
}

static void test_depthwise_channels_are_a_multiple_of_groups(void)
{
	static const int products[] = {A2, P310, A910};

	for (int i = 0; i < 3; i++) {
		make_depthwise(products[i], 6);
		REJECTS(CONVBWD_DEPTHWISE_CHANNELS, INVALID, "gradOutput has 6 channels and groups is 4");
		make_depthwise(products[i], 2);
		REJECTS(CONVBWD_DEPTHWISE_CHANNELS, INVALID, "gradOutput has 2 channels and groups is 4");
		make_depthwise(products[i], 8);
		ACCEPTS(CONVBWD_DEPTHWISE_CHANNELS);
	}
	/* the 950 finds it only while planning, as every product does with more than one channel a group */
	make_depthwise(C950, 6);
	REJECTS(CONVBWD_GROUPS_DIVIDE, INNER, "weight dim 0 is 6 and groups is 4");
	MASK(false, false, true);
	ACCEPTS(CONVBWD_GROUPS_DIVIDE);
	make_grouped(A2, 4);
	DIMS(EMU_GRAD_OUTPUT, 2, 5, 7, 7);
	DIMS2(EMU_WEIGHT, EMU_GRAD_WEIGHT, 5, 4, 3, 3);
	DIMS(EMU_GRAD_BIAS, 5);
	REJECTS(CONVBWD_GROUPS_DIVIDE, INNER, "weight dim 0 is 5 and groups is 2");
	make_grouped(A2, 4);
	ACCEPTS(CONVBWD_GROUPS_DIVIDE);
}

/* ---- sizes ---- */

static void test_sizes_of_a_three_dimensional_call(void)
{
	make(A2, 5, false);
	DIMS2(EMU_INPUT, EMU_GRAD_INPUT, 2, 4, 7, 7, 2);
	INTS(padding, 1, 1, 0);
	DIMS(EMU_GRAD_OUTPUT, 2, 6, 7, 7, 1);
	REJECTS(CONVBWD_KERNEL_FITS, INVALID, "input has W 2, padding is 0");
	DIMS2(EMU_INPUT, EMU_GRAD_INPUT, 2, 4, 7, 7, 3);
	ACCEPTS(CONVBWD_KERNEL_FITS);

	make(A2, 5, false);
	DIMS(EMU_GRAD_OUTPUT, 2, 6, 6, 7, 7);
	REJECTS(CONVBWD_SIZE_3D, INVALID, "gradOutput has D 6 where 7 is expected");
	DIMS(EMU_GRAD_OUTPUT, 2, 6, 7, 8, 7);
	REJECTS(CONVBWD_SIZE_3D, INVALID, "gradOutput has H 8 where 7 is expected");
	INTS(stride, 1, 1, 2);
	DIMS(EMU_GRAD_OUTPUT, 2, 6, 7, 7, 4); /* (7 + 2 - 3) / 2 + 1 */
	ACCEPTS(CONVBWD_SIZE_3D);
	INTS(dilation, 1, 2, 1);
	DIMS(EMU_GRAD_OUTPUT, 2, 6, 7, 5, 4); /* 7 + 2 - 5 + 1 */
	ACCEPTS(CONVBWD_SIZE_3D);

	make(A2, 5, true);
	INTS(stride, 2, 1, 1);
	REJECTS(CONVBWD_SIZE_3D, INVALID, "input has D 7 where 4 is expected");
	DIMS(EMU_GRAD_OUTPUT, 2, 6, 14, 7, 7); /* (7 - 1) * 2 - 2 + 3 + outputPadding 1 */
	INTS(output_padding, 1, 0, 0);
	ACCEPTS(CONVBWD_SIZE_3D);

	/* exact where 64 bits would wrap: 7 + 2 * 2^62 - 3 + 1 */
	make(A2, 5, false);
	INTS(padding, INT64_C(1) << 62, 1, 1);
	REJECTS(CONVBWD_SIZE_3D, INVALID, "gradOutput has D 7 where 9223372036854775807 is expected");
	INTS(dilation, INT64_MAX, 1, 1);
	REJECTS(CONVBWD_KERNEL_FITS, INVALID, "dilation is 9223372036854775807");
}

static void test_sizes_of_one_and_two_dimensional_calls_are_found_by_the_plan(void)
{
	make(A2, 4, false);
	DIMS(EMU_GRAD_OUTPUT, 2, 6, 7, 6);
	REJECTS(CONVBWD_SIZE, INNER, "gradOutput has W 6 where 7 is expected");
	MASK(false, false, true);
	ACCEPTS(CONVBWD_SIZE);
	MASK(true, true, true);
	INTS(padding, 1, 1, 0, 1); /* left and right differ: 7 + 0 + 1 - 3 + 1 */
	ACCEPTS(CONVBWD_SIZE);
	make(A2, 3, false);
	INTS(dilation, 5); /* 5 * 2 + 1 of 9 */
	REJECTS(CONVBWD_SIZE, INNER, "gradOutput has W 7 where 0 is expected");
	make(A2, 3, true);
	INTS(stride, 3);
	DIMS(EMU_GRAD_OUTPUT, 2, 6, 22); /* (7 - 1) * 3 - 2 + 3 + 3: outputPadding must stay below stride */
	INTS(output_padding, 3);
	REJECTS(CONVBWD_SIZE, INNER, "input has W 7 where 8 is expected");
	DIMS(EMU_GRAD_OUTPUT, 2, 6, 21);
	ACCEPTS(CONVBWD_SIZE);
}

/* ---- views ---- */

static void test_strided_inputs_stay_in_their_storage(void)
{
	for (int i = EMU_GRAD_OUTPUT; i <= EMU_WEIGHT; i++) {
		make(A2, 4, false);
		TENSOR(i).offset = 1;
		ACCEPTS(CONVBWD_INPUT_IN_STORAGE); /* contiguous: not even the offset is looked at */
		TENSOR(i).strides[3] = -1;
		TENSOR(i).offset = TENSOR(i).dims[3] - 2;
		REJECTS(CONVBWD_INPUT_IN_STORAGE, INNER, "reaches elements -1 to ");
		TENSOR(i).offset++;
		ACCEPTS(CONVBWD_INPUT_IN_STORAGE);
		TENSOR(i).offset++;
		REJECTS(CONVBWD_INPUT_IN_STORAGE, INNER, p.tensors[i].name);
		TENSOR(i).strides[3] = INT64_MIN; /* nothing wraps */
		REJECTS(CONVBWD_INPUT_IN_STORAGE, INNER, "reaches elements -9223372036854775808 to ");
		TENSOR(i).strides[3] = 0;
		TENSOR(i).offset = 0;
		ACCEPTS(CONVBWD_INPUT_IN_STORAGE);
	}
	/* one element, whatever the strides; and a one-dimensional storage */
	make(A2, 3, false);
	TENSOR(EMU_INPUT).strides[0] = 40;
	TENSOR(EMU_INPUT).storage_rank = 1;
	TENSOR(EMU_INPUT).storage_dims[0] = 67; /* 40 + 3 * 7 + 6 = 67 is the last */
	REJECTS(CONVBWD_INPUT_IN_STORAGE, INNER, "reaches elements 0 to 67 of a storage of 67");
	TENSOR(EMU_INPUT).storage_dims[0] = 68;
	ACCEPTS(CONVBWD_INPUT_IN_STORAGE);
}

static void test_strided_views_have_a_stride_per_dimension(void)
{
	make(A2, 4, false);
	TENSOR(EMU_WEIGHT).strides[3] = 0;
	TENSOR(EMU_WEIGHT).strides_count = 3;
	REJECTS(CONVBWD_STRIDES_COUNT, INNER, "weight has 3 strides and rank 4");
	TENSOR(EMU_WEIGHT).strides_count = 4;
	ACCEPTS(CONVBWD_STRIDES_COUNT);
}

/* Rank 5 on these products is refused later anyway, except where an empty input leads past the plan. */
static void make_old_grouped(int rank)
{
	const int64_t input[] = {0, 8, 7, 7, 7};

	make_grouped(P310, rank);
	set_dims(EMU_INPUT, rank, input);
	set_dims(EMU_GRAD_INPUT, rank, input);
}

static void test_old_products_refuse_deterministic_grouped_weight_gradients(void)
{
	CHECK_EQUAL(aclrtSetSysParamOpt(ACL_OPT_DETERMINISTIC, 1), 0);
	make_old_grouped(5);
	REJECTS(CONVBWD_DETERMINISTIC_GROUPS, INVALID, "groups is 2");
	MASK(true, false, true);
	ACCEPTS_EMPTY(CONVBWD_DETERMINISTIC_GROUPS);
	make_old_grouped(4);
	ACCEPTS_EMPTY(CONVBWD_DETERMINISTIC_GROUPS);
	make(P310, 5, false);
	DIMS2(EMU_INPUT, EMU_GRAD_INPUT, 0, 4, 7, 7, 7);
	ACCEPTS_EMPTY(CONVBWD_DETERMINISTIC_GROUPS);
	make_grouped(A2, 5);
	ACCEPTS(CONVBWD_DETERMINISTIC_GROUPS);
	make_old_grouped(5);
	CHECK_EQUAL(aclrtSetSysParamOpt(ACL_OPT_DETERMINISTIC, 2), 0); /* 1 exactly */
	ACCEPTS_EMPTY(CONVBWD_DETERMINISTIC_GROUPS);
	CHECK_EQUAL(aclrtSetSysParamOpt(ACL_OPT_DETERMINISTIC, 0), 0);
	ACCEPTS_EMPTY(CONVBWD_DETERMINISTIC_GROUPS);
}

int main(void)
{
	test_ranks_are_equal();
	test_a_lone_empty_grad_output_is_refused();
	test_outputs_have_the_shapes_of_their_inputs();
	test_arrays_have_the_length_of_the_spatial_rank();
	test_channels_and_groups_fit_the_weight();
	test_depthwise_channels_are_a_multiple_of_groups();
	test_sizes_of_a_three_dimensional_call();
	test_sizes_of_one_and_two_dimensional_calls_are_found_by_the_plan();
	test_strided_inputs_stay_in_their_storage();
	test_strided_views_have_a_stride_per_dimension();
	test_old_products_refuse_deterministic_grouped_weight_gradients();
	free_arrays();
	return check_report();
}
