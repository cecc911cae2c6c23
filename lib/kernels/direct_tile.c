/* Tiles of the maps in buffers: reading them with zeros around, writing them back. */
#include <string.h>

#include "direct_task.h"

enum { MOST_AHEAD = 32768 /* bytes: more would push out what is in use */ };

struct emu_direct_tile emu_direct_tile(const struct emu_direct_task *task, int64_t index)
{
	const struct emu_direct_axis *rows = &task->axis[1], *columns = &task->axis[2];
	int64_t size[3] = {task->walked.size[0], task->row_tiles, task->column_tiles}, at[3];
	struct emu_direct_tile tile = {0};

	split(index, size, at);
	tile.depth = at[0];
	tile.row = at[1] * rows->tile;
	tile.rows = least(rows->tile, rows->cycles - tile.row);
	tile.column = at[2] * columns->tile;
	tile.columns = least(columns->tile, columns->cycles - tile.column);
	return tile;
}

int64_t emu_direct_tiles(const struct emu_direct_task *task)
{
	return task->walked.size[0] * task->row_tiles * task->column_tiles;
}

int64_t emu_direct_line(const struct emu_direct_task *task, const struct emu_direct_tile *tile)
{
	return (tile->rows - 1) * task->buffer.pitch + tile->columns;
}

static void *row_of(const struct emu_array *array, int64_t image, int64_t channel, int64_t z, int64_t y, int64_t x)
{
	const int64_t *strides = array->view.strides;

	return emu_element(array->first,
	                   image * strides[0] + channel * strides[1] + z * strides[2] + y * strides[3] + x * strides[4],
	                   array->view.stored);
}

static void zero(float *to, int64_t count)
{
	if (count > 0)
		memset(to, 0, (size_t)count * sizeof(float));
}

/* Some rows of all phases. */
static void zero_rows(const struct emu_direct_rows *shape, float *to, int64_t rows)
{
	for (int64_t phase = 0; phase < shape->phases; phase++)
		zero(to + phase * shape->plane, rows * shape->pitch);
}

/* Whether elements are floats that count as they are, one after the other. */
static bool is_plain(const struct emu_array *array)
{
	return array->view.stored == EMU_F32 && array->number == EMU_F32 && array->view.strides[4] == 1;
}

/* What of a row that ends at `end` falls into a buffer that begins at `begin`, a whole number of cycles. */
static struct emu_direct_rows shape_of(const struct emu_direct_task *task, const struct emu_array *array, int64_t plane,
                                       int64_t phases, int64_t begin, int64_t end)
{
	int64_t pitch = task->buffer.pitch, first = begin > 0 ? begin : 0, head = least((first - begin) / phases, pitch);
	int64_t count = least(end - first, (pitch - head) * phases);
	struct emu_direct_rows shape = {0, phases, 1, array->view.strides[3], pitch, plane, 0, head, 0, 0};

	if (count > 0) {
		shape.cycles = count / phases;
		shape.rest = count % phases;
	}
	return shape;
}

/* The same rows where they are converted, as many at a time as lie side by side in the array and fit there. */
static struct emu_direct_rows converted(const struct emu_direct_task *task, const struct emu_array *array,
                                        const struct emu_direct_rows *shape)
{
	struct emu_direct_rows some = *shape;

	some.rows = shape->row_phases;
	some.map_pitch = shape->cycles * shape->phases + shape->rest;
	if (some.map_pitch > 0 && shape->map_pitch == some.map_pitch * array->view.strides[4])
		some.rows *= task->buffer.lines / (some.map_pitch * some.rows);
	else
		some.row_phases = some.rows = 1;
	return some;
}

/* Where a row lies among the planes. */
static int64_t place_of(const struct emu_direct_rows *shape, int64_t row)
{
	return row % shape->row_phases * shape->row_plane + row / shape->row_phases * shape->pitch;
}

static void load_rows(const struct emu_direct_task *task, const struct emu_array *array,
                      const struct emu_direct_rows *shape, float *to, const void *from, float *lines)
{
	struct emu_direct_rows some = converted(task, array, shape);
	enum emu_number stored = array->view.stored;

	if (is_plain(array)) {
		task->vector->part(shape, to, from);
		return;
	}
	for (int64_t row = 0; row < shape->rows; row += some.rows) {
		some.rows = least(some.rows, shape->rows - row);
		task->rows->load(lines, emu_element(from, row * shape->map_pitch, stored), array->view.strides[4],
		                 some.rows * some.map_pitch, stored);
		if (emu_needs_rounding(array))
			task->rows->round(lines, some.rows * some.map_pitch, array->number);
		task->vector->part(&some, to + place_of(shape, row), lines);
	}
}

static void store_rows(const struct emu_direct_task *task, const struct emu_array *array,
                       const struct emu_direct_rows *shape, void *to, const float *from, float *lines)
{
	struct emu_direct_rows some = converted(task, array, shape);
	enum emu_number stored = array->view.stored;

	if (is_plain(array)) {
		task->vector->join(shape, to, from);
		return;
	}
	for (int64_t row = 0; row < shape->rows; row += some.rows) {
		some.rows = least(some.rows, shape->rows - row);
		task->vector->join(&some, lines, from + place_of(shape, row));
		if (emu_needs_rounding(array))
			task->rows->round(lines, some.rows * some.map_pitch, array->number);
		task->rows->store(emu_element(to, row * shape->map_pitch, stored), array->view.strides[4], lines,
		                  some.rows * some.map_pitch, stored);
	}
}

/* The source rows of one channel and one position of the depth axis; z < 0: there is none. */
static void load_plane(const struct emu_direct_task *task, const struct emu_direct_tile *tile, float *to,
                       int64_t channel, int64_t z, float *lines)
{
	const struct emu_direct_axis *y = &task->axis[1], *x = &task->axis[2];
	const struct emu_array *array = task->source.array;
	int64_t rows = tile->rows + y->most - y->least, first = tile->row + y->least;
	int64_t begin = (tile->column + x->least) * x->source;
	int64_t head = least(first < 0 ? -first : 0, rows);
	struct emu_direct_rows shape =
		shape_of(task, array, task->buffer.source_plane, x->source, begin, task->source.size[2]);

	first = (first + head) * y->source;
	shape.row_phases = y->source;
	shape.row_plane = task->buffer.source_rows;
	shape.rows = z < 0 ? 0 : least(task->source.size[1] - first, (rows - head) * y->source);
	if (shape.rows > 0)
		load_rows(task, array, &shape, to + head * shape.pitch,
		          row_of(array, tile->image, channel, z, first, begin > 0 ? begin : 0), lines);
	for (int64_t phase = 0; phase < y->source; phase++, to += shape.row_plane) {
		int64_t end = shape.rows > phase ? head + ceil_div(shape.rows - phase, y->source) : head;

		zero_rows(&shape, to, head);
		zero_rows(&shape, to + end * shape.pitch, rows - end);
	}
}

void emu_direct_load_source(const struct emu_direct_task *task, const struct emu_direct_tile *tile,
                            const struct emu_direct_memory *memory)
{
	const struct emu_direct_axis *depth = &task->axis[0];
	int64_t channels = task->source.channels;

	for (int64_t tap = 0; tap < task->call->conv.kernel[0]; tap++) {
		int64_t z;

		if (!emu_direct_meets(task, 0, tile->depth % depth->walked, tap, &z))
			continue;
		z += tile->depth / depth->walked * depth->source;
		if (z >= task->source.size[0])
			z = -1;
		for (int64_t channel = 0; channel < channels; channel++)
			load_plane(task, tile,
			           memory->source + channel * task->buffer.source_channel + tap * task->buffer.source_depth,
			           tile->group * channels + channel, z, memory->lines);
	}
}

/* Here what falls between the rows, and what fills the last vector, must be 0. */
void emu_direct_load_walked(const struct emu_direct_task *task, const struct emu_direct_tile *tile, int64_t first,
                            int64_t channels, const struct emu_direct_memory *memory)
{
	const struct emu_direct_map *map = &task->walked;
	int64_t phases = task->axis[2].walked, plane = task->buffer.walked_plane;
	int64_t begin = tile->column * phases, end = least(map->size[2], begin + tile->columns * phases);
	struct emu_direct_rows shape = shape_of(task, map->array, plane, phases, begin, end);
	float *to = memory->walked;

	shape.rows = tile->rows;
	for (int64_t channel = first; channel < first + channels; channel++, to += phases * plane) {
		load_rows(task, map->array, &shape, to,
		          row_of(map->array, tile->image, tile->group * map->channels + channel, tile->depth, tile->row, begin),
		          memory->lines);
		for (int64_t phase = 0; phase < phases; phase++)
			zero(to + phase * plane + tile->rows * shape.pitch, task->vector->lanes);
	}
}

void emu_direct_store_walked(const struct emu_direct_task *task, const struct emu_direct_tile *tile, int64_t channel,
                             const float *planes, float *lines)
{
	const struct emu_array *array = task->walked.array;
	const struct emu_direct_axis *y = &task->axis[1], *x = &task->axis[2];
	int64_t begin = tile->column * x->walked, end = least(task->walked.size[2], begin + tile->columns * x->walked);
	int64_t first = tile->row * y->walked, rows = least(task->walked.size[1] - first, tile->rows * y->walked);
	struct emu_direct_rows shape = shape_of(task, array, task->buffer.walked_plane, x->walked, begin, end);
	void *to = row_of(array, tile->image, channel, tile->depth, first, begin);

	shape.row_phases = y->walked;
	shape.row_plane = task->buffer.walked_rows;
	shape.rows = rows;
	store_rows(task, array, &shape, to, planes, lines);
}

struct emu_direct_ahead emu_direct_ahead(const struct emu_direct_task *task, const struct emu_direct_map *map,
                                         int64_t rows_of_cycle, const struct emu_direct_tile *tile, int64_t steps)
{
	const int64_t *strides = map->array->view.strides;
	int64_t first = tile->row * rows_of_cycle, rows = least(map->size[1] - first, tile->rows * rows_of_cycle);
	struct emu_direct_ahead ahead = {0};

	/* with several channels there is more to compute than to wait for */
	if (tile->image >= task->call->conv.batch || map->channels > 1 || steps == 0)
		return ahead;
	ahead.at = row_of(map->array, tile->image, tile->group, 0, first, 0);
	ahead.bytes = least(rows * strides[3] * emu_number_bytes(map->array->view.stored), MOST_AHEAD);
	ahead.step = ceil_div(ahead.bytes, steps);
	return ahead;
}

static int64_t first_cycle(int64_t least_position, int64_t position, int64_t step)
{
	int64_t distance = least_position - position;

	return distance <= 0 ? 0 : (distance - 1) / step + 1;
}

/* The cycles of `cycles` from `start` whose source position is within the map, counted from `start`. */
static void within(const struct emu_direct_axis *axis, int64_t position, int64_t size, int64_t start, int64_t cycles,
                   int64_t *begin, int64_t *end)
{
	position += start * axis->source;
	*begin = least(first_cycle(0, position, axis->source), cycles);
	*end = least(first_cycle(size, position, axis->source), cycles);
}

struct emu_direct_inside emu_direct_inside(const struct emu_direct_task *task, const struct emu_direct_tile *tile,
                                           const struct emu_direct_phase *phase, int64_t weight)
{
	const struct emu_direct_axis *axis = task->axis;
	struct emu_direct_inside inside = {0};
	int64_t tap[3], position[3];

	split(weight % volume(task->call->conv.kernel), task->call->conv.kernel, tap);
	for (int i = 0; i < 3; i++)
		if (!emu_direct_meets(task, i, phase->at[i], tap[i], &position[i]))
			return inside;
	position[0] += tile->depth / axis[0].walked * axis[0].source;
	if (position[0] < 0 || position[0] >= task->source.size[0])
		return inside;
	within(&axis[1], position[1], task->source.size[1], tile->row, tile->rows, &inside.row_begin, &inside.row_end);
	within(&axis[2], position[2], task->source.size[2], tile->column, tile->columns, &inside.column_begin,
	       &inside.column_end);
	return inside;
}
