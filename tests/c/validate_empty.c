/* The route of a call with an empty operand. */
#include "problem_builder.h"

static void test_empty_route_reads_bias_sizes(void)
{
	make_empty(A2, 4, false);
	ACCEPTS_EMPTY(CONVBWD_BIAS_SIZES_GIVEN);
	p.bias_sizes.presence = EMU_ABSENT;
	REJECTS(CONVBWD_BIAS_SIZES_GIVEN, INVALID, "biasSizes is null");
	MASK(true, true, false);
	ACCEPTS_EMPTY(CONVBWD_BIAS_SIZES_GIVEN);

	make_empty(A2, 4, false);
	INTS(bias_sizes, 6, 6);
	REJECTS(CONVBWD_BIAS_SIZES_LENGTH, INVALID, "biasSizes has length 2");
	INTS(bias_sizes, 5);
	REJECTS(CONVBWD_BIAS_SIZES_VALUE, INVALID, "biasSizes[0] is 5 where 6 is expected");
	INTS(bias_sizes, 6);
	ACCEPTS_EMPTY(CONVBWD_BIAS_SIZES_LENGTH);

	make_empty(A2, 4, true);
	DIMS2(EMU_WEIGHT, EMU_GRAD_WEIGHT, 4, 3, 3, 3);
	p.groups = 2;
	INTS(bias_sizes, 3);
	DIMS(EMU_GRAD_BIAS, 3);
	REJECTS(CONVBWD_BIAS_SIZES_VALUE, INVALID, "biasSizes[0] is 3 where 6 is expected (transposed 1)");
	INTS(bias_sizes, 6);
	DIMS(EMU_GRAD_BIAS, 6);
	ACCEPTS_EMPTY(CONVBWD_BIAS_SIZES_VALUE);
}

static void test_empty_route_takes_empty_batch_or_channels_only(void)
{
	make(A2, 4, false);
	DIMS2(EMU_INPUT, EMU_GRAD_INPUT, 2, 4, 0, 7);
	INTS(padding, 2, 2);
	REJECTS(CONVBWD_EMPTY_GRAD_INPUT, INVALID, "input has sizes [2, 4, 0, 7]");
	MASK(false, true, true);
	ACCEPTS_EMPTY(CONVBWD_EMPTY_GRAD_INPUT);
	make(A2, 4, false);
	DIMS2(EMU_INPUT, EMU_GRAD_INPUT, 2, 0, 7, 7);
	DIMS2(EMU_WEIGHT, EMU_GRAD_WEIGHT, 6, 0, 3, 3);
	ACCEPTS_EMPTY(CONVBWD_EMPTY_GRAD_INPUT);
	MASK(true, true, true);
	p.transposed = true; /* no channels in: not in a transposed call */
	INTS(bias_sizes, 0);
	DIMS(EMU_GRAD_OUTPUT, 2, 6, 7, 7);
	REJECTS(CONVBWD_EMPTY_CHANNELS, INVALID, "gradOutput has 6 channels, weight dim 1 is 0");
}

static void test_empty_route_checks_lengths_groups_and_channels(void)
{
	make_empty(A2, 4, false);
	INTS(stride, 1);
	REJECTS(CONVBWD_STRIDE_LENGTH, INVALID, "stride has length 1");
	make_empty(A2, 4, false);
	INTS(output_padding, 0);
	REJECTS(CONVBWD_OUTPUT_PADDING_LENGTH, INVALID, "outputPadding has length 1");
	make_empty(A2, 4, false);
	p.groups = 4;
	REJECTS(CONVBWD_EMPTY_GROUPS, INVALID, "weight dim 0 is 6 and groups is 4");
	p.groups = 2;
	REJECTS(CONVBWD_EMPTY_CHANNELS, INVALID, "input has 4 channels, weight dim 1 is 4 and groups is 2");
	DIMS2(EMU_WEIGHT, EMU_GRAD_WEIGHT, 6, 2, 3, 3);
	ACCEPTS_EMPTY(CONVBWD_EMPTY_GROUPS);
	ACCEPTS_EMPTY(CONVBWD_EMPTY_CHANNELS);

	/* an empty batch in a transposed call: the channel count of gradOutput is not looked at */
	make_empty(A2, 4, true);
	DIMS(EMU_GRAD_OUTPUT, 0, 99, 7, 7);
	ACCEPTS_EMPTY(CONVBWD_EMPTY_CHANNELS);
	DIMS2(EMU_WEIGHT, EMU_GRAD_WEIGHT, 5, 6, 3, 3);
	REJECTS(CONVBWD_EMPTY_TRANSPOSED_CHANNELS, INVALID, "weight dim 0 is 5 and input has 4 channels");
	DIMS2(EMU_WEIGHT, EMU_GRAD_WEIGHT, 0, 6, 3, 3);
	DIMS2(EMU_INPUT, EMU_GRAD_INPUT, 0, 0, 7, 7);
	REJECTS(CONVBWD_EMPTY_TRANSPOSED_CHANNELS, INVALID, "weight dim 0 is 0 and input has 0 channels");
	make_empty(A2, 4, true);
	ACCEPTS_EMPTY(CONVBWD_EMPTY_TRANSPOSED_CHANNELS);
}

static void test_empty_route_fits_the_kernel(void)
{
	make_empty(A2, 4, false);
	DIMS2(EMU_INPUT, EMU_GRAD_INPUT, 0, 4, 0, 7);
	REJECTS(CONVBWD_EMPTY_KERNEL_FITS, INVALID, "input has H 0, padding is 1 and 1, the kernel has 3");
	INTS(padding, 3, 0, 1, 1); /* top + bottom */
	ACCEPTS_EMPTY(CONVBWD_EMPTY_KERNEL_FITS);
	make_empty(A2, 4, true);
	DIMS2(EMU_INPUT, EMU_GRAD_INPUT, 0, 4, 0, 7);
	ACCEPTS_EMPTY(CONVBWD_EMPTY_KERNEL_FITS);

	/* ranks are not compared here: dimensions that the weight does not have count as 0 */
	make_empty(A2, 4, false);
	DIMS2(EMU_WEIGHT, EMU_GRAD_WEIGHT, 6, 4, 3);
	DIMS2(EMU_INPUT, EMU_GRAD_INPUT, 0, 4, 7, 0);
	ACCEPTS_EMPTY(CONVBWD_EMPTY_KERNEL_FITS);
}

static void test_zeros_agree_with_the_weight(void)
{
	make_empty(A2, 4, false);
	TENSOR(EMU_GRAD_WEIGHT).dtype = ACL_FLOAT;
	REJECTS(CONVBWD_EMPTY_GRAD_WEIGHT, INNER, "gradWeight has DT_FLOAT, sizes [6, 4, 3, 3]");
	MASK(true, false, true);
	ACCEPTS_EMPTY(CONVBWD_EMPTY_GRAD_WEIGHT);
	make_empty(A2, 4, false);
	DIMS(EMU_GRAD_WEIGHT, 6, 4, 3, 4);
	REJECTS(CONVBWD_EMPTY_GRAD_WEIGHT, INNER, "sizes [6, 4, 3, 4]");
	make_empty(A2, 3, false);
	TENSOR(EMU_GRAD_WEIGHT).format = ACL_FORMAT_ND;
	REJECTS(CONVBWD_EMPTY_GRAD_WEIGHT, INNER, "format ND");
	TENSOR(EMU_WEIGHT).format = ACL_FORMAT_ND;
	TENSOR(EMU_GRAD_WEIGHT).format = ACL_FORMAT_NCL;
	ACCEPTS_EMPTY(CONVBWD_EMPTY_GRAD_WEIGHT);

	make_empty(A2, 4, false);
	TENSOR(EMU_GRAD_BIAS).dtype = ACL_FLOAT;
	REJECTS(CONVBWD_EMPTY_GRAD_BIAS, INNER, "gradBias has DT_FLOAT");
	TENSOR(EMU_GRAD_BIAS).dtype = ACL_FLOAT16;
	TENSOR(EMU_GRAD_OUTPUT).dtype = ACL_FLOAT; /* not the model here */
	ACCEPTS_EMPTY(CONVBWD_EMPTY_GRAD_BIAS);
	DIMS(EMU_GRAD_BIAS, 7);
	REJECTS(CONVBWD_EMPTY_GRAD_BIAS, INNER, "sizes [7]");
	DIMS(EMU_GRAD_BIAS, 6, 1);
	REJECTS(CONVBWD_EMPTY_GRAD_BIAS, INNER, "sizes [6, 1]");
}

static void test_outputs_that_get_no_zeros_need_not_agree(void)
{
	make_empty(A2, 4, false);
	TENSOR(EMU_GRAD_WEIGHT).dtype = TENSOR(EMU_GRAD_BIAS).dtype = ACL_FLOAT;
	MASK(true, false, false);
	ACCEPTS_EMPTY(CONVBWD_EMPTY_GRAD_WEIGHT);
	ACCEPTS_EMPTY(CONVBWD_EMPTY_GRAD_BIAS);
	MASK(true, true, true);
	DIMS(EMU_GRAD_WEIGHT, 0, 4, 3, 3); /* empty themselves */
	DIMS(EMU_GRAD_BIAS, 0);
	ACCEPTS_EMPTY(CONVBWD_EMPTY_GRAD_WEIGHT);
	ACCEPTS_EMPTY(CONVBWD_EMPTY_GRAD_BIAS);
}

static void test_old_products_reach_the_empty_route_with_an_empty_batch_only(void)
{
	make(P310, 4, false);
	DIMS2(EMU_INPUT, EMU_GRAD_INPUT, 0, 4, 7, 7);
	ACCEPTS_EMPTY(CONVBWD_EMPTY_GRAD_INPUT);
	DIMS(EMU_GRAD_OUTPUT, 0, 6, 7, 7);
	REJECTS(CONVBWD_NOT_EMPTY, INVALID, "gradOutput is empty");
	make(P310, 5, false);
	DIMS2(EMU_INPUT, EMU_GRAD_INPUT, 0, 4, 7, 7, 7);
	ACCEPTS_EMPTY(CONVBWD_PRODUCT_3D);
	make(P310, 4, false);
	DIMS2(EMU_INPUT, EMU_GRAD_INPUT, 2, 0, 7, 7);
	REJECTS(CONVBWD_CHANNELS_PER_GROUP, INVALID, "input has 0 channels");
}

int main(void)
{
	test_empty_route_reads_bias_sizes();
	test_empty_route_takes_empty_batch_or_channels_only();
	test_empty_route_checks_lengths_groups_and_channels();
	test_empty_route_fits_the_kernel();
	test_zeros_agree_with_the_weight();
	test_outputs_that_get_no_zeros_need_not_agree();
	test_old_products_reach_the_empty_route_with_an_empty_batch_only();
	free_arrays();
	return check_report();
}
