#include "plan.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/dtype.h"

static int64_t element_bytes(aclDataType dtype)
{
	uint64_t bytes = 0;

	emu_dtype_bytes(1, dtype, &bytes);
	return (int64_t)bytes;
}

/* Strides go to the dimensions of selfRef; those in which src is broadcast have stride 0. */
static void place_view(struct emu_copy_view *view, const struct emu_copy_argument *argument,
                      const struct emu_tensor_numbers *shape)
{
	const struct emu_tensor_numbers *numbers = &argument->numbers;
	int64_t bytes = element_bytes(numbers->dtype);
	int more = shape->rank - numbers->rank;
	struct emu_copy_reach reach = emu_copy_reach(numbers);

	for (int i = 0; i < numbers->rank; i++)
		view->strides[more + i] = numbers->dims[i] == 1 ? 0 : numbers->strides[i] * bytes;
	view->first = numbers->offset * bytes;
	view->lowest = reach.lowest * bytes;
	view->reach = (uint64_t)(reach.highest - reach.lowest + 1) * (uint64_t)bytes;
}

static bool joins(const struct emu_copy_plan *plan, int outer, int inner)
{
	for (int side = 0; side < EMU_COPY_SIDES; side++) {
		const int64_t *strides = plan->sides[side].strides;

		if (strides[outer] != strides[inner] * plan->dims[inner])
			return false;
	}
	return true;
}

static void move(struct emu_copy_plan *plan, int to, int from)
{
	plan->dims[to] = plan->dims[from];
	for (int side = 0; side < EMU_COPY_SIDES; side++)
		plan->sides[side].strides[to] = plan->sides[side].strides[from];
}

/* Leaves out dimensions of 1, and joins a dimension to the one before it where both tensors allow that. */
static void join_dimensions(struct emu_copy_plan *plan)
{
	int kept = 0;

	for (int i = 0; i < plan->rank; i++) {
		if (plan->dims[i] == 1)
			continue;
		if (kept && joins(plan, kept - 1, i)) {
			int64_t joined = plan->dims[kept - 1] * plan->dims[i];

			move(plan, kept - 1, i);
			plan->dims[kept - 1] = joined;
		} else {
			move(plan, kept++, i);
		}
	}
	if (!kept)
		plan->dims[kept++] = 1;
	plan->rank = kept;
}

void emu_copy_plan_make(struct emu_copy_plan *plan, const struct emu_copy_argument *self,
                        const struct emu_copy_argument *src)
{
	const struct emu_copy_argument *const arguments[] = {[EMU_COPY_TO] = self, [EMU_COPY_FROM] = src};

	*plan = (struct emu_copy_plan){.rank = 1};
	if (self->numbers.dtype == src->numbers.dtype)
		plan->element = element_bytes(self->numbers.dtype);
	for (int side = 0; side < EMU_COPY_SIDES; side++) {
		plan->sides[side].name = arguments[side]->name;
		plan->sides[side].dtype = arguments[side]->numbers.dtype;
		plan->sides[side].type = emu_copy_type(arguments[side]->numbers.dtype);
	}
	if (!emu_copy_elements(&self->numbers))
		return; /* nothing has a place, and what is not looked at may be any number */
	plan->rank = self->numbers.rank;
	for (int i = 0; i < plan->rank; i++)
		plan->dims[i] = self->numbers.dims[i];
	for (int side = 0; side < EMU_COPY_SIDES; side++)
		place_view(&plan->sides[side], arguments[side], &self->numbers);
	join_dimensions(plan);
}

size_t emu_copy_plan_text(const struct emu_copy_plan *plan, char *text, size_t size)
{
	int64_t elements = 1;

	for (int i = 0; i < plan->rank; i++)
		elements *= plan->dims[i];
	return (size_t)snprintf(text, size, "op=copy from=%s to=%s elements=%" PRId64 " loops=%d",
	                        emu_dtype_name(plan->sides[EMU_COPY_FROM].dtype),
	                        emu_dtype_name(plan->sides[EMU_COPY_TO].dtype), elements, plan->rank);
}
