/* Every argument is there: what is null, what is dead, and who may be. */
#include "checks.h"
#include "runtime/handle.h"

static aclnnStatus check_live(const char *name, enum emu_presence presence, const void *handle)
{
	char text[EMU_HANDLE_TEXT];

	EMU_REQUIRE(presence != EMU_DEAD, CONVBWD_HANDLE_LIVE, "argument %s: %s", name, emu_handle_describe(handle, text));
	return 0;
}

static aclnnStatus check_given(const char *name, enum emu_presence presence, const void *handle, const char *kind)
{
	EMU_REQUIRE(presence != EMU_ABSENT, CONVBWD_ARGUMENT_NULL, "argument %s is null where a %s is expected", name,
	            kind);
	return check_live(name, presence, handle);
}

static aclnnStatus check_mask(const struct emu_bools_argument *mask)
{
	EMU_NEED(check_given(mask->name, mask->presence, mask->handle, "List[bool]"));
	EMU_REQUIRE(mask->array->size == 3, CONVBWD_OUTPUT_MASK_LENGTH, "outputMask has length %llu",
	            (unsigned long long)mask->array->size);
	return 0;
}

static aclnnStatus check_output(const struct emu_problem *problem, enum emu_operand output)
{
	const struct emu_tensor_argument *argument = &problem->tensors[output];

	EMU_REQUIRE(argument->presence != EMU_ABSENT || !emu_wants(problem, output), CONVBWD_OUTPUT_NULL,
	            "argument %s is null and outputMask[%d] is true", argument->name, (int)(output - EMU_GRAD_INPUT));
	return check_live(argument->name, argument->presence, argument->handle);
}

aclnnStatus emu_check_nulls(const struct emu_problem *problem)
{
	const struct emu_ints_argument *const attributes[] = {
		&problem->stride, &problem->padding, &problem->dilation, &problem->output_padding,
	};

	for (int i = EMU_GRAD_OUTPUT; i <= EMU_WEIGHT; i++) {
		const struct emu_tensor_argument *argument = &problem->tensors[i];

		EMU_PASS(check_given(argument->name, argument->presence, argument->handle, "Tensor"));
	}
	for (size_t i = 0; i < sizeof(attributes) / sizeof(attributes[0]); i++)
		EMU_PASS(check_given(attributes[i]->name, attributes[i]->presence, attributes[i]->handle, "List[int]"));
	EMU_NEED(check_mask(&problem->output_mask));
	for (int i = EMU_GRAD_INPUT; i <= EMU_GRAD_BIAS; i++)
		EMU_PASS(check_output(problem, i));
	return 0;
}

aclnnStatus emu_check_live_ints(const struct emu_ints_argument *argument)
{
	return check_live(argument->name, argument->presence, argument->handle);
}
