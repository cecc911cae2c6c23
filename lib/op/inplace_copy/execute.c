#include "execute.h"

#include <string.h>

#include "plan.h"
#include "runtime/memory.h"

enum { CHUNK = 256 };

static aclError pin(const struct emu_copy_view *view, void *base, struct emu_pin *pin)
{
	const void *lowest = base ? (const void *)((uintptr_t)base + (uintptr_t)view->lowest) : NULL;

	return emu_memory_pin(view->name, lowest, view->reach, pin);
}

/* The copy of a fixed number of bytes is one instruction. */
#define COPY_EACH(bytes) \
	for (int64_t i = 0; i < count; i++) \
		memmove(to + i * to_stride, from + i * from_stride, bytes)

static void copy_row(const struct emu_copy_plan *plan, char *to, const char *from)
{
	int64_t to_stride = plan->sides[EMU_COPY_TO].strides[plan->rank - 1];
	int64_t from_stride = plan->sides[EMU_COPY_FROM].strides[plan->rank - 1];
	int64_t count = plan->dims[plan->rank - 1];

	if (count == 1 || (to_stride == plan->element && from_stride == plan->element)) {
		memmove(to, from, (size_t)(count * plan->element));
		return;
	}
	switch (plan->element) {
	case 1:
		COPY_EACH(1);
		break;
	case 2:
		COPY_EACH(2);
		break;
	case 4:
		COPY_EACH(4);
		break;
	case 8:
		COPY_EACH(8);
		break;
	default:
		COPY_EACH((size_t)plan->element);
	}
}

static void convert_row(const struct emu_copy_plan *plan, char *to, const char *from)
{
	const struct emu_copy_type *to_type = plan->sides[EMU_COPY_TO].type;
	const struct emu_copy_type *from_type = plan->sides[EMU_COPY_FROM].type;
	int64_t to_stride = plan->sides[EMU_COPY_TO].strides[plan->rank - 1];
	int64_t from_stride = plan->sides[EMU_COPY_FROM].strides[plan->rank - 1];
	int64_t count = plan->dims[plan->rank - 1];
	union emu_copy_number numbers[CHUNK];

	for (int64_t at = 0; at < count; at += CHUNK) {
		int64_t piece = count - at < CHUNK ? count - at : CHUNK;

		from_type->load(numbers, from + at * from_stride, from_stride, piece);
		to_type->store(to + at * to_stride, to_stride, numbers, from_type->class, piece);
	}
}

/* All dimensions but the last, which is a row. */
static void copy_rows(const struct emu_copy_plan *plan, int dimension, char *to, const char *from)
{
	if (dimension == plan->rank - 1) {
		(plan->element ? copy_row : convert_row)(plan, to, from);
		return;
	}
	for (int64_t i = 0; i < plan->dims[dimension]; i++)
		copy_rows(plan, dimension + 1, to + i * plan->sides[EMU_COPY_TO].strides[dimension],
		          from + i * plan->sides[EMU_COPY_FROM].strides[dimension]);
}

static char *element_0(const struct emu_copy_view *view, const struct emu_pin *pin)
{
	return (char *)pin->bytes + (view->first - view->lowest);
}

aclError emu_copy_execute(const void *plan_made, const struct emu_launch *launch)
{
	const struct emu_copy_plan *plan = plan_made;
	struct emu_pin pins[EMU_COPY_SIDES] = {{0}};
	aclError error = 0;

	if (!plan->dims[0])
		return 0; /* an empty tensor */
	for (int i = 0; i < EMU_COPY_SIDES && !error; i++)
		error = pin(&plan->sides[i], launch->addresses[i], &pins[i]);
	if (!error)
		copy_rows(plan, 0, element_0(&plan->sides[EMU_COPY_TO], &pins[EMU_COPY_TO]),
		          element_0(&plan->sides[EMU_COPY_FROM], &pins[EMU_COPY_FROM]));
	for (int i = 0; i < EMU_COPY_SIDES; i++)
		emu_memory_unpin(&pins[i]);
	return error;
}
