/* The same call on one product after the other, where the other tests of a rule look at some of them only. */
#include "problem_builder.h"

static const int products[] = {A2, C950, P310, A910};
static const int old_products[] = {P310, A910};
static const int big_products[] = {A2, C950};

static void on(int architecture)
{
	p.product = emu_product_find(architecture);
}

/* Every product reaches the empty route with this: the batch of input is empty, gradOutput is not. */
static void make_empty_input(int rank)
{
	const int64_t input[] = {0, 4, 7, 7, 7};

	make(A2, rank, false);
	set_dims(EMU_INPUT, rank, input);
	set_dims(EMU_GRAD_INPUT, rank, input);
}

static void test_the_empty_route_reads_bias_sizes_on_every_product(void)
{
	for (int i = 0; i < 4; i++) {
		make_empty_input(4);
		on(products[i]);
		ACCEPTS_EMPTY(CONVBWD_BIAS_SIZES_GIVEN);
		INTS(bias_sizes, 6, 6);
		REJECTS(CONVBWD_BIAS_SIZES_LENGTH, INVALID, "length 2");
		INTS(bias_sizes, 7);
		REJECTS(CONVBWD_BIAS_SIZES_VALUE, INVALID, "biasSizes[0] is 7 where 6");
		p.bias_sizes.presence = EMU_ABSENT;
		REJECTS(CONVBWD_BIAS_SIZES_GIVEN, INVALID, "biasSizes is null");
	}
}

static void test_zeros_agree_with_the_weight_on_every_product(void)
{
	for (int i = 0; i < 4; i++) {
		make_empty_input(4);
		on(products[i]);
		OMIT(EMU_GRAD_BIAS);
		MASK(true, true, false);
		ACCEPTS_EMPTY(CONVBWD_EMPTY_GRAD_WEIGHT);
		make_empty_input(3);
		on(products[i]);
		TENSOR(EMU_GRAD_WEIGHT).format = ACL_FORMAT_ND;
		REJECTS(CONVBWD_EMPTY_GRAD_WEIGHT, INNER, "format ND");
		make_empty_input(4);
		on(products[i]);
		all_dtypes(ACL_FLOAT);
		p.cube_math_type = 1;
		TENSOR(EMU_GRAD_OUTPUT).dtype = TENSOR(EMU_GRAD_BIAS).dtype = ACL_FLOAT16;
		REJECTS(CONVBWD_EMPTY_GRAD_BIAS, INNER, "gradBias has DT_FLOAT16");
	}
}

static void test_old_products_do_not_ask_twice_on_the_empty_route(void)
{
	for (int i = 0; i < 2; i++) {
		make_empty_input(4);
		DIMS2(EMU_INPUT, EMU_GRAD_INPUT, 0, 8, 7, 7);
		DIMS2(EMU_WEIGHT, EMU_GRAD_WEIGHT, 6, 2, 3, 3);
		p.groups = 4;
		on(big_products[i]);
		REJECTS(CONVBWD_EMPTY_GROUPS, INVALID, "weight dim 0 is 6 and groups is 4");
		on(old_products[i]);
		ACCEPTS_EMPTY(CONVBWD_EMPTY_GROUPS);

		make_empty_input(4);
		DIMS2(EMU_INPUT, EMU_GRAD_INPUT, 0, 4, 1, 7);
		INTS(padding, 0, 0);
		on(big_products[i]);
		REJECTS(CONVBWD_EMPTY_KERNEL_FITS, INVALID, "input has H 1");
		on(old_products[i]);
		ACCEPTS_EMPTY(CONVBWD_EMPTY_KERNEL_FITS);

		/* what they do ask is the same in other words */
		make_empty_input(4);
		DIMS2(EMU_INPUT, EMU_GRAD_INPUT, 0, 8, 7, 7);
		on(big_products[i]);
		REJECTS(CONVBWD_EMPTY_CHANNELS, INVALID, "input has 8 channels");
		on(old_products[i]);
		REJECTS(CONVBWD_CHANNELS_PER_GROUP, INVALID, "input has 8 channels");

		make(A2, 4, true);
		DIMS2(EMU_INPUT, EMU_GRAD_INPUT, 0, 5, 7, 7);
		on(big_products[i]);
		REJECTS(CONVBWD_EMPTY_TRANSPOSED_CHANNELS, INVALID, "input has 5 channels");
		on(old_products[i]);
		REJECTS(CONVBWD_WEIGHT_OUTER_CHANNELS, INVALID, "input has 5 channels");
	}
}

static void test_float_is_computed_where_the_cube_can(void)
{
	make(A2, 4, false);
	all_dtypes(ACL_FLOAT);
	for (int i = 0; i < 2; i++) {
		on(big_products[i]);
		ACCEPTS(CONVBWD_CUBE_MATH_TYPE_FLOAT);
		on(old_products[i]);
		REJECTS(CONVBWD_CUBE_MATH_TYPE_FLOAT, INVALID, "cubeMathType is 0");
	}
}

/* Only the sum for the bias, so that the plan of the 950 has nothing to say of the groups either. */
static void test_the_channels_of_a_depthwise_call_are_free_on_950(void)
{
	make(A2, 4, false);
	p.groups = 4;
	DIMS2(EMU_WEIGHT, EMU_GRAD_WEIGHT, 6, 1, 3, 3);
	MASK(false, false, true);
	REJECTS(CONVBWD_DEPTHWISE_CHANNELS, INVALID, "groups is 4");
	on(C950);
	ACCEPTS(CONVBWD_DEPTHWISE_CHANNELS);
}

/* A rank-3 call of huge steps; the sizes are computed here, independently. */
static void make_huge(int64_t padding, int64_t dilation)
{
	int64_t room = 7 + 2 * padding - dilation - 1;

	make(C950, 3, false);
	DIMS2(EMU_WEIGHT, EMU_GRAD_WEIGHT, 6, 4, 2);
	INTS(stride, 2147483647);
	INTS(padding, padding);
	INTS(dilation, dilation);
	DIMS(EMU_GRAD_OUTPUT, 2, 6, room / 2147483647 + 1);
}

static void test_the_950_plans_in_32_bits(void)
{
	make_huge(2147483647, 2147483647);
	ACCEPTS(CONVBWD_PADDING_LIMIT);
	ACCEPTS(CONVBWD_DILATION_LIMIT);
	make_huge(2147483648, 2147483647);
	REJECTS(CONVBWD_PADDING_LIMIT, INNER, "padding of W is 2147483648");
	make_huge(2147483647, 2147483648);
	REJECTS(CONVBWD_DILATION_LIMIT, INNER, "dilation of W is 2147483648");
}

int main(void)
{
	test_the_empty_route_reads_bias_sizes_on_every_product();
	test_zeros_agree_with_the_weight_on_every_product();
	test_old_products_do_not_ask_twice_on_the_empty_route();
	test_float_is_computed_where_the_cube_can();
	test_the_channels_of_a_depthwise_call_are_free_on_950();
	test_the_950_plans_in_32_bits();
	free_arrays();
	return check_report();
}
