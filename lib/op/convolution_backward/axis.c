#include "axis.h"

#include "checks.h"

static int64_t dim_or_zero(const struct emu_tensor_numbers *numbers, int dim)
{
	return dim < numbers->rank ? numbers->dims[dim] : 0;
}

void emu_axis_read(const struct emu_problem *problem, int axis, struct emu_axis *numbers)
{
	int spatial = emu_numbers(problem, EMU_INPUT)->rank - 2;

	numbers->letter = "DHW"[3 - spatial + axis];
	numbers->big = dim_or_zero(emu_numbers(problem, emu_big_map(problem)), 2 + axis);
	numbers->small = dim_or_zero(emu_numbers(problem, emu_small_map(problem)), 2 + axis);
	numbers->kernel = dim_or_zero(emu_numbers(problem, EMU_WEIGHT), 2 + axis);
	numbers->stride = problem->stride.array->values[axis];
	numbers->dilation = problem->dilation.array->values[axis];
	emu_problem_padding(problem, axis, &numbers->leading, &numbers->trailing);
}

emu_wide emu_axis_room(const struct emu_axis *axis)
{
	emu_wide padded = (emu_wide)axis->big + axis->leading + axis->trailing;

	return padded - (((emu_wide)axis->kernel - 1) * axis->dilation + 1);
}

emu_wide emu_axis_small(const struct emu_axis *axis)
{
	emu_wide room = emu_axis_room(axis);

	return room < 0 ? 0 : room / axis->stride + 1;
}

int64_t emu_narrow(emu_wide value)
{
	if (value > INT64_MAX)
		return INT64_MAX;
	return value < INT64_MIN ? INT64_MIN : (int64_t)value;
}
