/*
 * Writing the weight: C is [channels of the big map * taps][channels of the small one], summed over positions. A is
 * gathered from the big map by each piece; B, the small map transposed, is packed once for all.
 */
#include <string.h>

#include "gemm_task.h"

/* One piece: one chunk of positions of one group of the small map, transposed to panels. */
static void pack_small(void *argument, int64_t piece, int worker)
{
	static const int64_t nowhere[3];
	const struct emu_gemm_task *task = argument;
	const struct emu_conv *conv = task->conv;
	const struct emu_gemm_vector *vector = task->vector;
	int64_t group = piece / task->chunks, first = piece % task->chunks * vector->depth;
	int64_t count = least(vector->depth, task->depth - first), plane = volume(conv->small);
	int64_t image = conv->groups * conv->small_channels * plane;
	struct emu_grid grid = {{conv->small[0], conv->small[1], conv->small[2]},
	                        {conv->small[0], conv->small[1], conv->small[2]}, {1, 1, 1}, image};
	const float *map = task->data->small + group * conv->small_channels * plane;
	const float *end = task->data->small + conv->batch * image;
	float *square = emu_gemm_gathered(task, worker), *panels = task->shared + piece * task->shared_chunk;
	struct emu_run runs[EMU_GEMM_RUNS];
	int made = emu_grid_runs(&grid, nowhere, first, count, runs);

	for (int64_t channel = 0; channel < task->shared_chunk / vector->depth; channel += vector->lanes) {
		int64_t lines = least(vector->lanes, conv->small_channels - channel);

		if (lines > 0)
			vector->copy(square, vector->pitch, map + channel * plane, plane, end, lines, runs, made, 1);
		else
			lines = 0;
		memset(square + lines * vector->pitch, 0, (size_t)((vector->lanes - lines) * vector->pitch) * sizeof(float));
		vector->transpose(panels + channel / vector->columns * vector->columns * vector->depth +
		                  channel % vector->columns, square, (int)count);
	}
}

/* Gathers rows first..first+rows-1 of [channel][tap] x positions start..start+count-1. */
static void gather_rows(const struct emu_gemm_task *task, float *a, const float *map, const float *end, int64_t first,
                        int64_t rows, int64_t start, int64_t count)
{
	int64_t plane = volume(task->grid.map), pitch = task->vector->pitch;
	struct emu_run runs[EMU_GEMM_RUNS];

	for (int64_t row = first; row < first + rows && row < first + task->taps; row++) {
		int64_t channels = ceil_div(first + rows - row, task->taps);
		int made = emu_gemm_tap_runs(task, row % task->taps, start, count, runs);

		task->vector->copy(a + (row - first) * pitch, task->taps * pitch, map + row / task->taps * plane, plane, end,
		                   channels, runs, made, task->grid.step[2]);
	}
}

/* The rows of the block are consecutive weights of each small channel. */
static void store_weight(const struct emu_gemm_task *task, const float *tiles, int64_t group, int64_t row, int64_t rows,
                         int64_t column, int64_t columns)
{
	const struct emu_conv *conv = task->conv;
	int64_t width = task->vector->columns, panel = round_up(rows, task->vector->rows) * width;
	float *weight = task->data->weight + group * conv->small_channels * task->blocks.rows + row;

	for (int64_t j = 0; j < columns; j++) {
		const float *from = tiles + j / width * panel + j % width;
		float *to = weight + (column + j) * task->blocks.rows;

		for (int64_t i = 0; i < rows; i++)
			to[i] = from[i * width];
	}
}

static void multiply_weight(void *argument, int64_t piece, int worker)
{
	const struct emu_gemm_task *task = argument;
	const struct emu_conv *conv = task->conv;
	const struct emu_gemm_vector *vector = task->vector;
	const struct emu_gemm_blocks *blocks = &task->blocks;
	int64_t group = piece / (blocks->row_blocks * blocks->column_blocks);
	int64_t row = piece % blocks->row_blocks * blocks->block_rows;
	int64_t column = piece / blocks->row_blocks % blocks->column_blocks * blocks->block_columns;
	int64_t rows = least(blocks->block_rows, blocks->rows - row);
	int64_t columns = least(blocks->block_columns, blocks->columns - column);
	const float *map = task->data->big + group * conv->big_channels * volume(conv->big);
	const float *end = task->data->big + conv->batch * task->grid.image;
	const float *b = task->shared + group * task->chunks * task->shared_chunk + column * vector->depth;
	float *a = emu_gemm_gathered(task, worker), *tiles = emu_gemm_tiles(task, worker);

	memset(a + rows * vector->pitch, 0,
	       (size_t)((round_up(rows, vector->rows) - rows) * vector->pitch) * sizeof(float));
	if (task->chunks == 0)
		vector->multiply(tiles, a, b, rows, columns, 0, true);
	for (int64_t chunk = 0; chunk < task->chunks; chunk++) {
		int64_t first = chunk * vector->depth, count = least(vector->depth, task->depth - first);

		gather_rows(task, a, map, end, row, rows, first, count);
		vector->multiply(tiles, a, b + chunk * task->shared_chunk, rows, columns, (int)count, chunk == 0);
	}
	store_weight(task, tiles, group, row, rows, column, columns);
}

void emu_gemm_run_weight(struct emu_gemm_task *task, int threads)
{
	const struct emu_conv *conv = task->conv;

	for (int axis = 0; axis < 3; axis++) {
		task->class[axis] = &task->axes[axis].class[0];
		task->grid.positions[axis] = conv->small[axis];
	}
	task->grid.image = conv->groups * conv->big_channels * volume(conv->big);
	task->taps = volume(conv->kernel);
	task->depth = conv->batch * volume(conv->small);
	task->chunks = ceil_div(task->depth, task->vector->depth);
	task->blocks = emu_gemm_cut(task->vector, task->taps * conv->big_channels, conv->small_channels, conv->groups,
	                            true);
	task->shared_chunk = task->vector->depth * round_up(conv->small_channels, task->vector->columns);
	emu_pool_run(threads, conv->groups * task->chunks, pack_small, task);
	emu_pool_run(threads, conv->groups * task->blocks.row_blocks * task->blocks.column_blocks, multiply_weight, task);
}
