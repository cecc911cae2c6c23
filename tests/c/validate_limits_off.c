/* ACLEMU_LIMITS=off drops the ranges of the product's planning and keeps what makes a result undefined. */
#include "problem_builder.h"

static void test_ranges_are_not_checked(void)
{
	make(A2, 5, false);
	INTS(stride, 999, 999, 999);
	DIMS(EMU_GRAD_OUTPUT, 2, 6, 1, 1, 1);
	ACCEPTS(CONVBWD_STRIDE_LIMIT);

	make(A2, 3, false);
	DIMS2(EMU_INPUT, EMU_GRAD_INPUT, 2, 4, 300);
	DIMS2(EMU_WEIGHT, EMU_GRAD_WEIGHT, 6, 4, 400);
	INTS(padding, 256);
	DIMS(EMU_GRAD_OUTPUT, 2, 6, 413); /* 300 + 2 * 256 - 400 + 1 */
	ACCEPTS(CONVBWD_KERNEL_LIMIT);
	ACCEPTS(CONVBWD_PADDING_LIMIT);

	make(C950, 3, false);
	DIMS2(EMU_INPUT, EMU_GRAD_INPUT, 2, 8, 97);
	INTS(dilation, 45);
	INTS(padding, 0);
	DIMS(EMU_GRAD_OUTPUT, 2, 6, 7); /* 97 - 2 * 45 */
	p.groups = 2;
	ACCEPTS(CONVBWD_DILATION_1D);

	make(A2, 3, false);
	DIMS2(EMU_INPUT, EMU_GRAD_INPUT, 1, 65536, 7);
	DIMS(EMU_GRAD_OUTPUT, 1, 65536, 7);
	DIMS2(EMU_WEIGHT, EMU_GRAD_WEIGHT, 65536, 1, 3);
	DIMS(EMU_GRAD_BIAS, 65536);
	p.groups = 65536;
	ACCEPTS(CONVBWD_GROUPS_LIMIT);
}

static void test_undefined_results_are_still_refused(void)
{
	make(A2, 4, false);
	DIMS(EMU_GRAD_OUTPUT, 2, 6, 7, 6);
	REJECTS(CONVBWD_SIZE, INNER, "gradOutput has W 6 where 7 is expected");
	make(A2, 4, false);
	DIMS2(EMU_INPUT, EMU_GRAD_INPUT, 3, 4, 7, 7);
	REJECTS(CONVBWD_BATCH, INNER, "input has batch 3");
	make_grouped(A2, 4);
	DIMS(EMU_GRAD_OUTPUT, 2, 5, 7, 7);
	DIMS2(EMU_WEIGHT, EMU_GRAD_WEIGHT, 5, 4, 3, 3);
	DIMS(EMU_GRAD_BIAS, 5);
	REJECTS(CONVBWD_GROUPS_DIVIDE, INNER, "weight dim 0 is 5 and groups is 2");
	make(A2, 4, false);
	TENSOR(EMU_INPUT).dims[0] = TENSOR(EMU_GRAD_INPUT).dims[0] = 0;
	REJECTS(CONVBWD_DIMENSIONS, INNER, "input has sizes [0, 4, 7, 7]");
	make(P310, 5, false);
	REJECTS(CONVBWD_PRODUCT_3D, INVALID, "310P");
}

int main(void)
{
	setenv("ACLEMU_LIMITS", "off", 1); /* before the first use of any library reads it */
	test_ranges_are_not_checked();
	test_undefined_results_are_still_refused();
	free_arrays();
	return check_report();
}
