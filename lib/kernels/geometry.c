/* Phases of a strided convolution, and the runs of memory that a tap reads. */
#include "geometry.h"

#include <string.h>

enum { COMPARED = 4 /* classes a phase is compared with: more would cost more than they bring together */ };

/* The tables of an axis in memory. */
struct tables {
	struct emu_axis_class *classes;
	struct emu_axis_phase *phases;
	int64_t *class_of;   /* per remainder */
	int64_t *begin;      /* per remainder, and one more: its first tap in the next two */
	int64_t *taps;
	int64_t *offsets;
};

static int64_t remainders(enum emu_direction direction, const struct emu_conv *conv, int axis)
{
	int64_t stride = conv->stride[axis], big = conv->big[axis];

	if (direction != EMU_TO_BIG)
		return 1;
	return stride < big ? stride : big;
}

uint64_t emu_axis_bytes(enum emu_direction direction, const struct emu_conv *conv, int axis)
{
	uint64_t phases = (uint64_t)remainders(direction, conv, axis), taps = (uint64_t)conv->kernel[axis];
	uint64_t phase_bytes = sizeof(struct emu_axis_class) + sizeof(struct emu_axis_phase) + 2 * sizeof(int64_t);

	if (phases > UINT64_MAX / 4 / phase_bytes || taps > UINT64_MAX / 4 / (2 * sizeof(int64_t)))
		return UINT64_MAX;
	return phases * phase_bytes + (2 * taps + 1) * sizeof(int64_t);
}

static struct tables tables_at(void *memory, int64_t phases, int64_t taps)
{
	struct tables tables;

	tables.classes = memory;
	tables.phases = (struct emu_axis_phase *)(tables.classes + phases);
	tables.class_of = (int64_t *)(tables.phases + phases);
	tables.begin = tables.class_of + phases;
	tables.taps = tables.begin + phases + 1;
	tables.offsets = tables.taps + taps;
	return tables;
}

static int64_t modulo(int64_t value, int64_t divisor)
{
	int64_t rest = value % divisor;

	return rest < 0 ? rest + divisor : rest;
}

/* Positions of the big map with one remainder of the stride. */
static int64_t phase_positions(const struct emu_conv *conv, int axis, int64_t first)
{
	return (conv->big[axis] - first + conv->stride[axis] - 1) / conv->stride[axis];
}

/* The phase of the big map that a tap serves, and its offset there; -1 if it meets nothing. */
static int64_t tap_phase(const struct emu_conv *conv, int axis, int64_t tap, int64_t phases, int64_t *offset)
{
	int64_t distance = tap * conv->dilation[axis] - conv->padding[axis];
	int64_t first = modulo(distance, conv->stride[axis]);

	if (first >= phases)
		return -1;
	*offset = (first - distance) / conv->stride[axis];
	if (*offset >= conv->small[axis] || *offset + phase_positions(conv, axis, first) <= 0)
		return -1;
	return first;
}

/* Sorts the taps by phase, counting first. */
static void sort_taps(const struct tables *tables, const struct emu_conv *conv, int axis, int64_t phases)
{
	int64_t offset, phase;

	memset(tables->begin, 0, (size_t)(phases + 1) * sizeof(int64_t));
	for (int64_t tap = 0; tap < conv->kernel[axis]; tap++) {
		phase = tap_phase(conv, axis, tap, phases, &offset);
		if (phase >= 0)
			tables->begin[phase]++;
	}
	for (phase = 1; phase <= phases; phase++)
		tables->begin[phase] += tables->begin[phase - 1];
	/* begin[phase] is where the phase ends, and comes down to where it begins */
	for (int64_t tap = conv->kernel[axis] - 1; tap >= 0; tap--) {
		phase = tap_phase(conv, axis, tap, phases, &offset);
		if (phase >= 0) {
			int64_t at = --tables->begin[phase];

			tables->taps[at] = tap;
			tables->offsets[at] = offset;
		}
	}
}

static bool belongs(const struct emu_axis_class *class, int64_t positions, int64_t taps, const int64_t *offsets)
{
	return class->positions == positions && class->taps == taps &&
	       memcmp(class->offsets, offsets, (size_t)taps * sizeof(int64_t)) == 0;
}

static int64_t find_class(const struct emu_axis_class *classes, int64_t count, int64_t positions, int64_t taps,
                          const int64_t *offsets)
{
	for (int64_t i = count - 1; i >= 0 && i >= count - COMPARED; i--)
		if (belongs(&classes[i], positions, taps, offsets))
			return i;
	return count;
}

static int64_t sort_phases(const struct tables *tables, const struct emu_conv *conv, int axis, int64_t phases)
{
	struct emu_axis_phase *next = tables->phases;
	int64_t classes = 0;

	for (int64_t phase = 0; phase < phases; phase++) {
		int64_t begin = tables->begin[phase];
		int64_t count = tables->begin[phase + 1] - begin;
		int64_t positions = phase_positions(conv, axis, phase);
		int64_t at = find_class(tables->classes, classes, positions, count, tables->offsets + begin);

		if (at == classes)
			tables->classes[classes++] =
				(struct emu_axis_class){positions, count, tables->offsets + begin, 0, NULL};
		tables->classes[at].phases++;
		tables->class_of[phase] = at;
	}
	for (int64_t i = 0; i < classes; i++) {
		tables->classes[i].phase = next;
		next += tables->classes[i].phases;
		tables->classes[i].phases = 0;
	}
	for (int64_t phase = 0; phase < phases; phase++) {
		struct emu_axis_class *class = &tables->classes[tables->class_of[phase]];
		struct emu_axis_phase *slot = tables->phases + (class->phase - tables->phases) + class->phases++;

		*slot = (struct emu_axis_phase){phase, tables->taps + tables->begin[phase]};
	}
	return classes;
}

static void build_single(const struct tables *tables, const struct emu_conv *conv, int axis)
{
	for (int64_t tap = 0; tap < conv->kernel[axis]; tap++) {
		tables->taps[tap] = tap;
		tables->offsets[tap] = tap * conv->dilation[axis] - conv->padding[axis];
	}
	tables->phases[0] = (struct emu_axis_phase){0, tables->taps};
	tables->classes[0] =
		(struct emu_axis_class){conv->small[axis], conv->kernel[axis], tables->offsets, 1, tables->phases};
}

void emu_axis_build(struct emu_axis *built, enum emu_direction direction, const struct emu_conv *conv, int axis,
                    void *memory)
{
	int64_t phases = remainders(direction, conv, axis);
	struct tables tables = tables_at(memory, phases, conv->kernel[axis]);

	if (direction == EMU_TO_BIG) {
		sort_taps(&tables, conv, axis, phases);
		*built = (struct emu_axis){conv->small[axis], 1, conv->big[axis], conv->stride[axis],
		                           sort_phases(&tables, conv, axis, phases), tables.classes};
	} else {
		build_single(&tables, conv, axis);
		*built = (struct emu_axis){conv->big[axis], conv->stride[axis], conv->small[axis], 1, 1, tables.classes};
	}
}

/* ---- runs ------------------------------------------------------------------------------------------------- */

/* Appends a run, joined to the one before if it goes on where that ends. */
static int append(struct emu_run *runs, int count, bool inside, int64_t source, int64_t along, int64_t length)
{
	struct emu_run *last = count > 0 ? &runs[count - 1] : NULL;

	if (length <= 0)
		return count;
	if (last && last->inside == inside && (!inside || source == last->source + last->count * along)) {
		last->count += (int32_t)length;
		return count;
	}
	runs[count].source = source;
	runs[count].at = last ? last->at + last->count : 0;
	runs[count].count = (int32_t)length;
	runs[count].inside = inside;
	return count + 1;
}

static int64_t between(int64_t value, int64_t low, int64_t high)
{
	return value < low ? low : value > high ? high : value;
}

int emu_grid_runs(const struct emu_grid *grid, const int64_t offset[3], int64_t start, int64_t count,
                  struct emu_run *runs)
{
	const int64_t *positions = grid->positions, *map = grid->map;
	int64_t x = start % positions[2], rows = start / positions[2];
	int64_t y = rows % positions[1], z = rows / positions[1] % positions[0];
	int64_t image = rows / positions[1] / positions[0];
	int made = 0;

	while (count > 0) {
		int64_t end = count < positions[2] - x ? x + count : positions[2];
		int64_t map_y = offset[1] + y * grid->step[1], map_z = offset[0] + z * grid->step[0];

		if (map_y < 0 || map_y >= map[1] || map_z < 0 || map_z >= map[0]) {
			made = append(runs, made, false, 0, 0, end - x);
		} else {
			int64_t row = grid->image * image + map_z * grid->line[0] + map_y * grid->line[1];
			int64_t line = grid->first + row + offset[2] * grid->along;
			int64_t from = between(-offset[2], x, end), to = between(map[2] - offset[2], from, end);

			made = append(runs, made, false, 0, 0, from - x);
			made = append(runs, made, true, line + from * grid->along, grid->along, to - from);
			made = append(runs, made, false, 0, 0, end - to);
		}
		count -= end - x;
		x = 0;
		if (++y == positions[1]) {
			y = 0;
			if (++z == positions[0]) {
				z = 0;
				image++;
			}
		}
	}
	return made;
}
