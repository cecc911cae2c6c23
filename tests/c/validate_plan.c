/* What is found while the work is planned: batches, limits of the products, sizes that no machine has. */
#include "problem_builder.h"

/* ---- the plan ---- */

static void test_three_dimensions_need_a_product_that_has_them(void)
{
	make(P310, 5, false);
	REJECTS(CONVBWD_PRODUCT_3D, INVALID, "310P");
	MASK(false, false, false);
	REJECTS(CONVBWD_PRODUCT_3D, INVALID, "310P");
	make(A910, 5, false);
	REJECTS(CONVBWD_PRODUCT_3D, INVALID, "910A");
	make(C950, 5, false);
	ACCEPTS(CONVBWD_PRODUCT_3D);
}

static void test_float_weight_gradient_of_grouped_three_dimensions(void)
{
	make_grouped(A2, 5);
	ACCEPTS(CONVBWD_FLOAT_GRAD_WEIGHT_3D);
	TENSOR(EMU_GRAD_WEIGHT).dtype = ACL_FLOAT;
	REJECTS(CONVBWD_FLOAT_GRAD_WEIGHT_3D, INVALID,
	        "groups is 2, cubeMathType is 0 and the inputs are computed as DT_FLOAT16");
	MASK(true, false, true);
	ACCEPTS(CONVBWD_FLOAT_GRAD_WEIGHT_3D);
	MASK(true, true, true);
	all_dtypes(ACL_FLOAT);
	for (int type = 0; type <= 3; type++) {
		p.cube_math_type = (int8_t)type;
		if (type == 2)
			REJECTS(CONVBWD_FLOAT_GRAD_WEIGHT_3D, INVALID, "cubeMathType is 2");
		else
			ACCEPTS(CONVBWD_FLOAT_GRAD_WEIGHT_3D);
	}
	make(A2, 5, false);
	TENSOR(EMU_GRAD_WEIGHT).dtype = ACL_FLOAT;
	ACCEPTS(CONVBWD_FLOAT_GRAD_WEIGHT_3D);
	make_grouped(A2, 4);
	TENSOR(EMU_GRAD_WEIGHT).dtype = ACL_FLOAT;
	ACCEPTS(CONVBWD_FLOAT_GRAD_WEIGHT_3D);
}

static void test_dimensions_are_positive(void)
{
	for (int i = EMU_GRAD_OUTPUT; i <= EMU_WEIGHT; i++) {
		make(A2, 4, false);
		OMIT(EMU_GRAD_INPUT), OMIT(EMU_GRAD_WEIGHT), OMIT(EMU_GRAD_BIAS);
		MASK(false, false, false);
		TENSOR(i).dims[3] = 0;
		ACCEPTS(CONVBWD_DIMENSIONS); /* nothing is asked for */
	}
	make(A2, 4, false);
	TENSOR(EMU_GRAD_OUTPUT).dims[3] = 0;
	REJECTS(CONVBWD_DIMENSIONS, INNER, "gradOutput has sizes [2, 6, 7, 0]");
	MASK(false, false, true);
	ACCEPTS(CONVBWD_DIMENSIONS); /* a sum over nothing */
	TENSOR(EMU_GRAD_OUTPUT).dims[3] = -7;
	REJECTS(CONVBWD_ELEMENTS, INNER, "gradOutput has sizes [2, 6, 7, -7]");
}

static void test_batches_are_equal(void)
{
	make(A2, 4, false);
	DIMS2(EMU_INPUT, EMU_GRAD_INPUT, 3, 4, 7, 7);
	REJECTS(CONVBWD_BATCH, INNER, "gradOutput has batch 2 and input has batch 3");
	MASK(false, true, false);
	REJECTS(CONVBWD_BATCH, INNER, "gradOutput has batch 2 and input has batch 3");
	MASK(false, false, true);
	ACCEPTS(CONVBWD_BATCH);
}

/* One spatial axis of a rank-3 problem with these numbers; the output size is computed here, independently. */
static void make_axis(int architecture, bool transposed, int64_t big, int64_t kernel, int64_t stride, int64_t padding,
                      int64_t dilation)
{
	int64_t small = (big + 2 * padding - dilation * (kernel - 1) - 1) / stride + 1;

	make(architecture, 3, transposed);
	DIMS2(EMU_INPUT, EMU_GRAD_INPUT, 2, 4, transposed ? small : big);
	DIMS(EMU_GRAD_OUTPUT, 2, 6, transposed ? big : small);
	DIMS2(EMU_WEIGHT, EMU_GRAD_WEIGHT, transposed ? 4 : 6, transposed ? 6 : 4, kernel);
	INTS(stride, stride);
	INTS(padding, padding);
	INTS(dilation, dilation);
}

static void test_limits_of_one_dimensional_calls(void)
{
	make_axis(A2, false, 600, 255, 1, 255, 1);
	ACCEPTS(CONVBWD_KERNEL_LIMIT);
	ACCEPTS(CONVBWD_PADDING_LIMIT);
	make_axis(A2, false, 600, 256, 1, 255, 1);
	REJECTS(CONVBWD_KERNEL_LIMIT, INNER, "kernel of W is 256, product A2 takes at most 255");
	make_axis(A2, false, 600, 255, 1, 256, 1);
	REJECTS(CONVBWD_PADDING_LIMIT, INNER, "padding of W is 256");
	make_axis(A2, false, 600, 2, 1000000, 1, 255);
	ACCEPTS(CONVBWD_DILATION_LIMIT);
	make_axis(A2, false, 600, 2, 1, 1, 256);
	REJECTS(CONVBWD_DILATION_LIMIT, INNER, "dilation of W is 256");
	make_axis(A2, false, 600, 1, 1, 1, 256); /* one tap: dilation has no meaning */
	ACCEPTS(CONVBWD_DILATION_LIMIT);
	make_axis(A2, false, 600, 256, 1, 256, 1);
	MASK(false, false, true);
	ACCEPTS(CONVBWD_KERNEL_LIMIT);
	make_axis(P310, false, 600, 256, 1, 256, 2);
	ACCEPTS(CONVBWD_KERNEL_LIMIT);

	make_axis(C950, true, 600, 255, 2147483646, 1, 1);
	ACCEPTS(CONVBWD_STRIDE_LIMIT);
	make_axis(C950, true, 600, 255, 2147483647, 1, 1);
	REJECTS(CONVBWD_STRIDE_LIMIT, INNER, "stride of W is 2147483647, product 950 takes at most 2147483646");
	make_axis(C950, true, 600, 256, 1, 1, 1);
	REJECTS(CONVBWD_KERNEL_LIMIT, INNER, "kernel of W is 256");
	make_axis(C950, false, 600, 256, 2147483647, 1, 1);
	ACCEPTS(CONVBWD_STRIDE_LIMIT);
	make_axis(C950, false, 600, 256, 2147483648, 1, 1);
	REJECTS(CONVBWD_STRIDE_LIMIT, INNER, "at most 2147483647");
}

static void test_limits_of_two_dimensional_padding_look_at_every_side(void)
{
	make(A2, 4, false);
	INTS(padding, 1, 1, 1, 256);
	DIMS(EMU_GRAD_OUTPUT, 2, 6, 7, 262);
	REJECTS(CONVBWD_PADDING_LIMIT, INNER, "padding of W is 256");
	INTS(padding, 1, 1, 1, 255);
	DIMS(EMU_GRAD_OUTPUT, 2, 6, 7, 261);
	ACCEPTS(CONVBWD_PADDING_LIMIT);
}

static void test_limits_of_three_dimensional_calls(void)
{
	make(A2, 5, false);
	INTS(stride, 255, 63, 63);
	DIMS(EMU_GRAD_OUTPUT, 2, 6, 1, 1, 1);
	ACCEPTS(CONVBWD_STRIDE_LIMIT);
	INTS(stride, 256, 63, 63);
	REJECTS(CONVBWD_STRIDE_LIMIT, INNER, "stride of D is 256");
	INTS(stride, 255, 64, 63);
	REJECTS(CONVBWD_STRIDE_LIMIT, INNER, "stride of H is 64");
	INTS(stride, 255, 63, 64);
	REJECTS(CONVBWD_STRIDE_LIMIT, INNER, "stride of W is 64");

	make(A2, 5, false);
	DIMS2(EMU_INPUT, EMU_GRAD_INPUT, 2, 4, 7, 7, 600);
	DIMS2(EMU_WEIGHT, EMU_GRAD_WEIGHT, 6, 4, 3, 3, 511);
	DIMS(EMU_GRAD_OUTPUT, 2, 6, 7, 7, 92);
	ACCEPTS(CONVBWD_KERNEL_LIMIT);
	DIMS2(EMU_WEIGHT, EMU_GRAD_WEIGHT, 6, 4, 3, 3, 512);
	DIMS(EMU_GRAD_OUTPUT, 2, 6, 7, 7, 91);
	REJECTS(CONVBWD_KERNEL_LIMIT, INNER, "kernel of W is 512, product A2 takes at most 511");

	make(C950, 5, true);
	INTS(stride, 1000001, 1, 1);
	INTS(dilation, 1, 1, 1);
	DIMS2(EMU_INPUT, EMU_GRAD_INPUT, 2, 4, 1, 7, 7);
	REJECTS(CONVBWD_STRIDE_LIMIT, INNER, "stride of D is 1000001");
	INTS(stride, 1000000, 1, 1);
	ACCEPTS(CONVBWD_STRIDE_LIMIT);
}

static void test_groups_limit(void)
{
	for (int groups = 65535; groups <= 65536; groups++) {
		make(A2, 3, false);
		DIMS2(EMU_INPUT, EMU_GRAD_INPUT, 1, groups, 7);
		DIMS(EMU_GRAD_OUTPUT, 1, groups, 7);
		DIMS2(EMU_WEIGHT, EMU_GRAD_WEIGHT, groups, 1, 3);
		DIMS(EMU_GRAD_BIAS, groups);
		p.groups = groups;
		if (groups == 65535)
			ACCEPTS(CONVBWD_GROUPS_LIMIT);
		else
			REJECTS(CONVBWD_GROUPS_LIMIT, INNER, "groups is 65536");
	}
}

static void make_dilation(int64_t dilation, int groups, bool transposed)
{
	make_axis(C950, transposed, 100, 2, 1, 0, dilation);
	if (groups == 1)
		return;
	if (transposed)
		DIMS2(EMU_WEIGHT, EMU_GRAD_WEIGHT, 4, 3, 2);
	else
		DIMS2(EMU_INPUT, EMU_GRAD_INPUT, 2, 8, 100);
	p.groups = groups;
}

static void test_one_dilation_of_grouped_one_dimensional_calls_fails_on_950(void)
{
	make_dilation(45, 2, false);
	REJECTS(CONVBWD_DILATION_1D, INNER, "dilation[0] is 45");
	p.product = emu_product_find(A2);
	ACCEPTS(CONVBWD_DILATION_1D);
	make_dilation(45, 1, false);
	ACCEPTS(CONVBWD_DILATION_1D);
	make_dilation(44, 2, false);
	ACCEPTS(CONVBWD_DILATION_1D);
	make_dilation(45, 2, true);
	ACCEPTS(CONVBWD_DILATION_1D);

	make_dilation(45, 2, false); /* one tap: dilation has no meaning */
	DIMS2(EMU_WEIGHT, EMU_GRAD_WEIGHT, 6, 4, 1);
	DIMS(EMU_GRAD_OUTPUT, 2, 6, 100);
	ACCEPTS(CONVBWD_DILATION_1D);

	make_grouped(C950, 4);
	INTS(dilation, 45, 1);
	INTS(padding, 45, 1);
	ACCEPTS(CONVBWD_DILATION_1D);
}

/* ---- addresses stay computable ---- */

static void test_absurd_sizes_are_refused(void)
{
	const int64_t huge = INT64_C(1) << 40;

	make_axis(A2, false, huge, 3, 1, 1, 1); /* 2 * 4 * 2^40 = 2^43 elements */
	ACCEPTS(CONVBWD_ELEMENTS);
	make_axis(A2, false, huge << 6, 3, 1, 1, 1);
	REJECTS(CONVBWD_ELEMENTS, INNER, "input has sizes [2, 4, 70368744177664]");
	make_axis(A2, false, INT64_MAX / 2, 3, 1, 1, 1); /* the count wraps */
	REJECTS(CONVBWD_ELEMENTS, INNER, "input has sizes");
	make(A2, 4, false);
	TENSOR(EMU_WEIGHT).storage_dims[0] = INT64_MAX;
	REJECTS(CONVBWD_ELEMENTS, INNER, "in a storage of sizes [9223372036854775807, 4, 3, 3]");
	MASK(false, false, true);
	ACCEPTS(CONVBWD_ELEMENTS); /* the weight is not used */
	make(A2, 4, false);
	TENSOR(EMU_GRAD_OUTPUT).dims[3] = -7;
	MASK(false, false, true);
	TENSOR(EMU_GRAD_OUTPUT).storage_dims[0] = 1000;
	REJECTS(CONVBWD_ELEMENTS, INNER, "gradOutput has sizes [2, 6, 7, -7]");
}

/* A view of 2^48 elements in input and in gradOutput, and `more` per channel. */
static void make_largest(int64_t more)
{
	make_axis(A2, false, (INT64_C(1) << 45) + more, 3, 1, 1, 1);
	DIMS(EMU_GRAD_OUTPUT, 2, 4, (INT64_C(1) << 45) + more);
	DIMS2(EMU_WEIGHT, EMU_GRAD_WEIGHT, 4, 4, 3);
	DIMS(EMU_GRAD_BIAS, 4);
}

static void test_the_most_elements_are_two_to_the_48th(void)
{
	make_largest(0);
	ACCEPTS(CONVBWD_ELEMENTS);
	make_largest(1);
	REJECTS(CONVBWD_ELEMENTS, INNER, "sizes [2, 4, 35184372088833]");
	make(A2, 4, false);
	TENSOR(EMU_WEIGHT).storage_rank = 1;
	TENSOR(EMU_WEIGHT).storage_dims[0] = INT64_C(1) << 48;
	ACCEPTS(CONVBWD_ELEMENTS);
	TENSOR(EMU_WEIGHT).storage_dims[0]++;
	REJECTS(CONVBWD_ELEMENTS, INNER, "in a storage of sizes [281474976710657]");
	make(A2, 4, false);
	TENSOR(EMU_GRAD_INPUT).storage_dims[0] = 0; /* a contiguous view is not held against its storage */
	ACCEPTS(CONVBWD_ELEMENTS);
}

static void test_absurd_offsets_are_refused(void)
{
	const int64_t far = INT64_C(1) << 56, last = 2 * 4 * 7 * 7 - 1;
	static const int64_t offsets[] = {INT64_MAX, INT64_MIN, (INT64_C(1) << 56) + 1, -(INT64_C(1) << 56) - 1};

	for (size_t i = 0; i < 4; i++) {
		make(A2, 4, false);
		TENSOR(EMU_INPUT).offset = offsets[i];
		REJECTS(CONVBWD_REACH, INNER, "input reaches elements");
		MASK(false, false, true);
		ACCEPTS(CONVBWD_REACH);
	}
	make(A2, 4, false);
	TENSOR(EMU_INPUT).offset = -far;
	ACCEPTS(CONVBWD_REACH);
	TENSOR(EMU_INPUT).offset = far - last;
	ACCEPTS(CONVBWD_REACH);
	TENSOR(EMU_INPUT).offset = far - last + 1;
	REJECTS(CONVBWD_REACH, INNER, "to 72057594037927937");
}

static void test_strided_outputs_stay_in_their_storage(void)
{
	for (int i = EMU_GRAD_INPUT; i <= EMU_GRAD_WEIGHT; i++) {
		make(A2, 4, false);
		TENSOR(i).offset = 1;
		ACCEPTS(CONVBWD_OUTPUT_IN_STORAGE);
		TENSOR(i).strides[0]++;
		REJECTS(CONVBWD_OUTPUT_IN_STORAGE, INNER, p.tensors[i].name);
		TENSOR(i).storage_dims[0]++;
		ACCEPTS(CONVBWD_OUTPUT_IN_STORAGE);
		TENSOR(i).storage_dims[0]--;
		MASK(i != EMU_GRAD_INPUT, i != EMU_GRAD_WEIGHT, true);
		ACCEPTS(CONVBWD_OUTPUT_IN_STORAGE); /* masked off: never written */
	}
	make(A2, 4, false);
	TENSOR(EMU_GRAD_INPUT).strides[0]++;
	TENSOR(EMU_GRAD_INPUT).storage_dims[0] = 0;
	REJECTS(CONVBWD_OUTPUT_IN_STORAGE, INNER, "of a storage of 0");
	make(A2, 4, false);
	TENSOR(EMU_GRAD_INPUT).strides[0]++;
	TENSOR(EMU_GRAD_INPUT).strides_count = 3;
	REJECTS(CONVBWD_STRIDES_COUNT, INNER, "gradInput has 3 strides and rank 4");
	make_empty(A2, 4, false);
	TENSOR(EMU_GRAD_WEIGHT).strides[0]++;
	REJECTS(CONVBWD_OUTPUT_IN_STORAGE, INNER, "gradWeight");
}

static void test_outputs_do_not_overlap_themselves(void)
{
	make(A2, 4, false);
	TENSOR(EMU_GRAD_BIAS).strides[0] = 0;
	REJECTS(CONVBWD_OUTPUT_OVERLAP, INNER, "gradBias has size 6 and stride 0 in dimension 0");
	MASK(true, true, false);
	ACCEPTS(CONVBWD_OUTPUT_OVERLAP);
	make(A2, 4, false);
	TENSOR(EMU_GRAD_OUTPUT).strides[0] = 0; /* reading is fine */
	ACCEPTS(CONVBWD_OUTPUT_OVERLAP);
	make_axis(A2, false, 7, 1, 1, 0, 1);
	TENSOR(EMU_GRAD_WEIGHT).strides[0] = 1; /* [6, 4, 1] with exchanged strides, and none for the single element */
	TENSOR(EMU_GRAD_WEIGHT).strides[1] = 6;
	TENSOR(EMU_GRAD_WEIGHT).strides[2] = 0;
	ACCEPTS(CONVBWD_OUTPUT_OVERLAP);
}

int main(void)
{
	test_three_dimensions_need_a_product_that_has_them();
	test_float_weight_gradient_of_grouped_three_dimensions();
	test_dimensions_are_positive();
	test_batches_are_equal();
	test_limits_of_one_dimensional_calls();
	test_limits_of_two_dimensional_padding_look_at_every_side();
	test_limits_of_three_dimensional_calls();
	test_groups_limit();
	test_one_dilation_of_grouped_one_dimensional_calls_fails_on_950();
	test_absurd_sizes_are_refused();
	test_the_most_elements_are_two_to_the_48th();
	test_absurd_offsets_are_refused();
	test_strided_outputs_stay_in_their_storage();
	test_outputs_do_not_overlap_themselves();
	free_arrays();
	return check_report();
}
