/* The formats that go with a rank. The formats of different tensors are not compared with each other. */
#include "checks.h"

static bool fits(int rank, aclFormat format)
{
	switch (rank) {
	case 3:
		return format == ACL_FORMAT_NCL || format == ACL_FORMAT_ND; /* ND is taken as NCL */
	case 4:
		return format == ACL_FORMAT_NCHW;
	case 5:
		return format == ACL_FORMAT_NCDHW;
	default:
		return false;
	}
}

static aclnnStatus check_format(const struct emu_problem *problem, enum emu_operand operand)
{
	const struct emu_tensor_numbers *numbers = emu_numbers(problem, operand);
	const char *name = problem->tensors[operand].name;
	char dims[EMU_DIMS_TEXT];

	EMU_REQUIRE(numbers->rank >= 3 && numbers->rank <= 5, CONVBWD_RANK,
	            "expected 3, 4 or 5 dimension input, but got %s with sizes %s", name,
	            emu_dims_text(numbers->dims, (uint64_t)numbers->rank, dims));
	EMU_REQUIRE(fits(numbers->rank, numbers->format), CONVBWD_FORMAT, "%s has rank %d and format %s (%d)", name,
	            numbers->rank, emu_format_name(numbers->format), (int)numbers->format);
	return 0;
}

aclnnStatus emu_check_formats(const struct emu_problem *problem)
{
	for (int i = EMU_GRAD_OUTPUT; i <= EMU_GRAD_WEIGHT; i++)
		if (emu_given(problem, i))
			EMU_PASS(check_format(problem, i));
	if (problem->product->is_big && !problem->transposed && emu_given(problem, EMU_GRAD_BIAS)) {
		aclFormat format = emu_numbers(problem, EMU_GRAD_BIAS)->format;

		EMU_REQUIRE(format == ACL_FORMAT_ND, CONVBWD_GRAD_BIAS_FORMAT, "gradBias has format %s (%d)",
		            emu_format_name(format), (int)format);
	}
	return 0;
}
