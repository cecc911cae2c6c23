/* A problem as one line of the problem language; the grammar is in docs/problems.md. */
#include <inttypes.h>

#include "base/line.h"
#include "problem.h"
#include "runtime/soc.h"

static void put_axes(struct emu_line *line, const char *item, const int64_t *values, int count)
{
	emu_line_put(line, " %s", item);
	for (int i = 0; i < count; i++)
		emu_line_put(line, "%s%" PRId64, i ? "x" : "", values[i]);
}

/* Four values of a 2-D call are printed as leading:trailing pairs. */
static void put_borders(struct emu_line *line, const char *item, const struct emu_int_array *array, int axes)
{
	if (axes == 2 && array->size == 4)
		emu_line_put(line, " %s%" PRId64 ":%" PRId64 "x%" PRId64 ":%" PRId64, item, array->values[0], array->values[1],
		             array->values[2], array->values[3]);
	else
		put_axes(line, item, array->values, axes);
}

static const char *type_name(aclDataType dtype)
{
	switch (dtype) {
	case ACL_FLOAT16:
		return "f16";
	case ACL_BF16:
		return "bf16";
	case ACL_HIFLOAT8:
		return "hif8";
	case ACL_FLOAT8_E4M3FN:
		return "e4m3";
	default:
		return "f32";
	}
}

static void put_types(struct emu_line *line, const char *item, const aclDataType types[3])
{
	emu_line_put(line, " %s=%s", item, type_name(types[0]));
	if (types[0] != types[1] || types[0] != types[2])
		emu_line_put(line, ",%s,%s", type_name(types[1]), type_name(types[2]));
}

static void put_output_types(struct emu_line *line, const struct emu_problem *problem)
{
	static const enum emu_operand usual[] = {EMU_INPUT, EMU_WEIGHT, EMU_GRAD_OUTPUT};
	aclDataType types[3];
	bool differ = false;

	for (int i = 0; i < 3; i++) {
		const struct emu_tensor_argument *output = &problem->tensors[EMU_GRAD_INPUT + i];
		aclDataType expected = problem->tensors[usual[i]].numbers.dtype;

		types[i] = output->presence == EMU_LIVE ? output->numbers.dtype : expected;
		differ |= types[i] != expected;
	}
	if (differ)
		put_types(line, "out", types);
}

static bool any_value(const struct emu_int_array *array)
{
	for (uint64_t i = 0; i < array->size; i++)
		if (array->values[i])
			return true;
	return false;
}

const char *emu_problem_text(const struct emu_problem *problem, char text[EMU_PROBLEM_TEXT])
{
	const struct emu_tensor_numbers *input = &problem->tensors[EMU_INPUT].numbers;
	const struct emu_tensor_numbers *grad_output = &problem->tensors[EMU_GRAD_OUTPUT].numbers;
	const struct emu_tensor_numbers *weight = &problem->tensors[EMU_WEIGHT].numbers;
	const aclDataType types[3] = {grad_output->dtype, input->dtype, weight->dtype};
	const struct emu_int_array *output_padding = problem->output_padding.array;
	struct emu_line line = {.text = text, .size = EMU_PROBLEM_TEXT};
	int axes = input->rank - 2;

	emu_line_put(&line, "%dd n%" PRId64 " ci%" PRId64 " co%" PRId64, axes, input->dims[0], input->dims[1],
	             grad_output->dims[1]);
	put_axes(&line, "i", input->dims + 2, axes);
	put_axes(&line, "o", grad_output->dims + 2, axes);
	put_axes(&line, "k", weight->dims + 2, axes);
	put_axes(&line, "s", problem->stride.array->values, axes);
	put_borders(&line, "p", problem->padding.array, axes);
	put_axes(&line, "d", problem->dilation.array->values, axes);
	emu_line_put(&line, " g%d mask=%d%d%d", problem->groups, emu_problem_wants(problem, 0),
	             emu_problem_wants(problem, 1), emu_problem_wants(problem, 2));
	emu_line_put(&line, " cube=%d", problem->cube_math_type);
	put_types(&line, "dtype", types);
	put_output_types(&line, problem);
	if (problem->transposed)
		emu_line_put(&line, " transposed");
	if (problem->transposed || output_padding->size != (uint64_t)axes || any_value(output_padding))
		put_borders(&line, "op", output_padding, axes);
	emu_line_put(&line, " soc=%s", problem->soc->name);
	return text;
}
