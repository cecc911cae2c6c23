/*
 * Writing a map: C is [channels of each phase][positions], A the weights [..][taps * channels], packed once for all,
 * B [taps * channels][positions] gathered from the other map by each piece.
 */
#include <string.h>

#include "gemm_task.h"

enum { INPUTS = 16 /* channels whose weights are packed at a time, to stay in the first level of cache */ };

static void phase_of_class(const struct emu_gemm_task *task, int64_t index, const struct emu_axis_phase *phase[3])
{
	int64_t size[3] = {task->class[0]->phases, task->class[1]->phases, task->class[2]->phases}, at[3];

	split(index, size, at);
	for (int axis = 0; axis < 3; axis++)
		phase[axis] = &task->class[axis]->phase[at[axis]];
}

/* Gathers lines first..last-1 of [tap][channel] x positions start..start+count-1 to a panel of B. */
static void gather_panel(const struct emu_gemm_task *task, float *b, const float *map, const float *end, int64_t first,
                         int64_t last, int64_t start, int64_t count)
{
	int64_t plane = volume(task->grid.map), channels = inputs(task), width = task->vector->columns;
	struct emu_run runs[EMU_GEMM_RUNS + 1];

	while (first < last) {
		int64_t tap = first / channels, channel = first % channels;
		int64_t lines = least(channels - channel, last - first);
		int made = emu_gemm_tap_runs(task, tap, start, count, runs);

		if (count < width)
			runs[made++] = (struct emu_run){-1, (int32_t)count, (int32_t)(width - count)};
		task->vector->copy(b, width, map + channel * plane, plane, end, lines, runs, made, task->grid.step[2]);
		b += lines * width;
		first += lines;
	}
}

static int64_t padded_rows(const struct emu_gemm_task *task)
{
	return round_up(task->blocks.rows, task->vector->rows);
}

/* Where in a kernel the tap lies that a phase has at place `at` of its list. */
static int64_t kernel_index(const struct emu_gemm_task *task, const struct emu_axis_phase *const phase[3],
                            const int64_t at[3])
{
	const int64_t *kernel = task->conv->kernel;

	return (phase[0]->taps[at[0]] * kernel[1] + phase[1]->taps[at[1]]) * kernel[2] + phase[2]->taps[at[2]];
}

/* Lays `count` weights, `step` apart, along a row of A, going on in the next chunk where one is full. */
static void lay_weights(const struct emu_gemm_task *task, float *row, int64_t at, const float *from, int64_t step,
                        int64_t count)
{
	int64_t depth = task->vector->depth;

	row += at / depth * task->shared_chunk;
	at %= depth;
	for (int64_t i = 0; i < count; i++) {
		row[at] = from[i * step];
		if (++at == depth) {
			at = 0;
			row += task->shared_chunk;
		}
	}
}

/* Lays the weights of one tap and a few inputs into rows begin..end-1 of A. */
static void lay_tap(const struct emu_gemm_task *task, float *a, const float *weight, int64_t tap, int64_t begin,
                    int64_t end, int64_t input, int64_t count)
{
	const struct emu_conv *conv = task->conv;
	int64_t taps = volume(conv->kernel), to_next = task->direction == EMU_TO_SMALL ? taps * conv->big_channels : taps;
	int64_t step = task->direction == EMU_TO_SMALL ? taps : taps * conv->big_channels;
	int64_t output = begin % outputs(task), phase_index = begin / outputs(task), at[3];
	const struct emu_axis_phase *phase[3];
	const float *from;

	emu_gemm_tap(task, tap, at);
	phase_of_class(task, phase_index, phase);
	from = weight + kernel_index(task, phase, at) + input * step;
	for (int64_t row = begin; row < end; row++, output++) {
		if (output == outputs(task)) {
			output = 0;
			phase_of_class(task, ++phase_index, phase);
			from = weight + kernel_index(task, phase, at) + input * step;
		}
		lay_weights(task, a + row * task->vector->pitch, tap * inputs(task) + input, from + output * to_next, step,
		            count);
	}
}

/* One piece: the rows of one tile, for one group. */
static void pack_weights(void *argument, int64_t piece, int worker)
{
	const struct emu_gemm_task *task = argument;
	const struct emu_conv *conv = task->conv;
	int64_t tiles = padded_rows(task) / task->vector->rows, pitch = task->vector->pitch;
	int64_t group = piece / tiles, begin = piece % tiles * task->vector->rows;
	int64_t beyond = begin + task->vector->rows, end = least(beyond, task->blocks.rows);
	const float *weight = task->data->weight + group * conv->small_channels * conv->big_channels * volume(conv->kernel);
	float *a = task->shared + group * task->chunks * task->shared_chunk;

	(void)worker;
	for (int64_t chunk = 0; chunk < task->chunks; chunk++)
		memset(a + chunk * task->shared_chunk + end * pitch, 0, (size_t)((beyond - end) * pitch) * sizeof(float));
	for (int64_t input = 0; input < inputs(task); input += INPUTS)
		for (int64_t tap = 0; tap < task->taps; tap++)
			lay_tap(task, a, weight, tap, begin, end, input, least(inputs(task) - input, INPUTS));
}

/* Stores one run of some rows of a panel of tiles; the run says where in the plane. */
static void store_run(const struct emu_gemm_task *task, const float *panel, const struct emu_run *run, float *map,
                      int64_t plane, int64_t step, int64_t rows)
{
	const struct emu_gemm_vector *vector = task->vector;
	const float *from = panel + run->at;
	float *to = map + run->source;

	if (step == 1 && run->count % vector->lanes == 0) {
		/* whole vectors touch no element of another piece */
		struct emu_run line = {0, 0, run->count};

		vector->copy(to, plane, from, vector->columns, panel + rows * vector->columns, rows, &line, 1, 1);
		return;
	}
	for (int64_t row = 0; row < rows; row++, from += vector->columns, to += plane) {
		if (step == 1)
			memcpy(to, from, (size_t)run->count * sizeof(float));
		else
			for (int64_t i = 0; i < run->count; i++)
				to[i * step] = from[i];
	}
}

/* Stores rows begin..end-1 of a panel of tiles, which are channels of one phase. */
static void store_phase(const struct emu_gemm_task *task, const float *panel, int64_t first_row, int64_t begin,
                        int64_t end, float *map, int64_t start, int64_t count)
{
	const int64_t written[3] = {task->axes[0].written_size, task->axes[1].written_size, task->axes[2].written_size};
	const struct emu_axis_phase *phase[3];
	struct emu_grid grid;
	struct emu_run runs[EMU_GEMM_RUNS];
	int64_t offset[3], step = task->axes[2].written_step;
	int made;

	phase_of_class(task, begin / outputs(task), phase);
	for (int axis = 0; axis < 3; axis++) {
		grid.positions[axis] = task->class[axis]->positions;
		grid.map[axis] = written[axis];
		grid.step[axis] = task->axes[axis].written_step;
		offset[axis] = phase[axis]->first;
	}
	grid.image = task->conv->groups * outputs(task) * volume(written);
	made = emu_grid_runs(&grid, offset, start, count, runs);

	panel += (begin - first_row) * task->vector->columns;
	map += begin % outputs(task) * volume(written);
	for (int i = 0; i < made; i++)
		store_run(task, panel, &runs[i], map, volume(written), step, end - begin);
}

static void store_map(const struct emu_gemm_task *task, const float *tiles, int64_t group, int64_t row, int64_t rows,
                      int64_t column, int64_t columns)
{
	const int64_t written[3] = {task->axes[0].written_size, task->axes[1].written_size, task->axes[2].written_size};
	float *map = task->direction == EMU_TO_SMALL ? task->data->small : task->data->big;
	int64_t panel = round_up(rows, task->vector->rows) * task->vector->columns, end;

	map += group * outputs(task) * volume(written);
	for (int64_t at = 0; at < columns; at += task->vector->columns, tiles += panel) {
		for (int64_t begin = row; begin < row + rows; begin = end) {
			end = least(row + rows, (begin / outputs(task) + 1) * outputs(task));
			store_phase(task, tiles, row, begin, end, map, column + at, least(columns - at, task->vector->columns));
		}
	}
}

/* One piece: one block of C of one group. */
static void multiply_map(void *argument, int64_t piece, int worker)
{
	const struct emu_gemm_task *task = argument;
	const struct emu_gemm_vector *vector = task->vector;
	const struct emu_gemm_blocks *blocks = &task->blocks;
	int64_t group = piece / (blocks->row_blocks * blocks->column_blocks);
	int64_t row = piece % blocks->row_blocks * blocks->block_rows;
	int64_t column = piece / blocks->row_blocks % blocks->column_blocks * blocks->block_columns;
	int64_t rows = least(blocks->block_rows, blocks->rows - row);
	int64_t columns = least(blocks->block_columns, blocks->columns - column);
	const float *map = task->direction == EMU_TO_SMALL ? task->data->big : task->data->small;
	const float *end = map + task->conv->batch * task->grid.image;
	const float *a = task->shared + group * task->chunks * task->shared_chunk + row * vector->pitch;
	float *b = emu_gemm_gathered(task, worker), *tiles = emu_gemm_tiles(task, worker);

	map += group * inputs(task) * volume(task->grid.map);
	if (task->chunks == 0)
		vector->multiply(tiles, a, b, rows, columns, 0, true);
	for (int64_t chunk = 0; chunk < task->chunks; chunk++) {
		int64_t first = chunk * vector->depth, last = least(first + vector->depth, task->depth);

		for (int64_t at = 0; at < columns; at += vector->columns) {
			int64_t count = least(columns - at, vector->columns);

			/* each panel is multiplied at once, while it is in the first level of cache */
			gather_panel(task, b, map, end, first, last, column + at, count);
			vector->multiply(tiles + at * round_up(rows, vector->rows), a + chunk * task->shared_chunk, b, rows, count,
			                 (int)(last - first), chunk == 0);
		}
	}
	store_map(task, tiles, group, row, rows, column, columns);
}

static void run_class(struct emu_gemm_task *task, int threads)
{
	const struct emu_conv *conv = task->conv;
	int64_t positions = conv->batch, phases = 1;

	task->taps = 1;
	for (int axis = 0; axis < 3; axis++) {
		positions *= task->class[axis]->positions;
		phases *= task->class[axis]->phases;
		task->taps *= task->class[axis]->taps;
		task->grid.positions[axis] = task->class[axis]->positions;
	}
	task->depth = task->taps * inputs(task);
	task->chunks = ceil_div(task->depth, task->vector->depth);
	task->blocks = emu_gemm_cut(task->vector, phases * outputs(task), positions, conv->groups, false);
	task->shared_chunk = padded_rows(task) * task->vector->pitch;
	if (task->chunks > 0)
		emu_pool_run(threads, conv->groups * padded_rows(task) / task->vector->rows, pack_weights, task);
	emu_pool_run(threads, conv->groups * task->blocks.row_blocks * task->blocks.column_blocks, multiply_map, task);
}

void emu_gemm_run_map(struct emu_gemm_task *task, int threads)
{
	task->grid.image = task->conv->groups * inputs(task) * volume(task->grid.map);
	for (int64_t z = 0; z < task->axes[0].classes; z++) {
		for (int64_t y = 0; y < task->axes[1].classes; y++) {
			for (int64_t x = 0; x < task->axes[2].classes; x++) {
				task->class[0] = &task->axes[0].class[z];
				task->class[1] = &task->axes[1].class[y];
				task->class[2] = &task->axes[2].class[x];
				run_class(task, threads);
			}
		}
	}
}
