/*
 * Writing the weight: C is [small channels][big channels] for each of the 16 products and each tap in depth, A the
 * small map as [tiles][channels], B the big map, both transformed. The blocks of tiles are added up in their order. A
 * piece transforms one row of the 4x4 products only, so that a block has many tiles and still fits into the cache.
 */
#include <string.h>

#include "view.h"
#include "winograd_task.h"

enum {
	MOST_SUMS = 1 << 18, /* floats of C that stay in the second level of cache while blocks are added */
	TAPS = EMU_WINOGRAD_TAPS * EMU_WINOGRAD_TAPS,
	PANELS = 4,          /* of A: makes whole vectors, and so do parts where threads are few */
	TAP_LINE = 16        /* floats from the taps of one channel to the next, as they come out of a transposition */
};

/* Channels in a line: whole vectors, and an odd number of cache lines. */
static int64_t channel_pitch(int64_t channels)
{
	return round_up(channels, 32) + 16;
}

static int64_t sums_of(const struct emu_winograd_task *task)
{
	return task->depth_taps * round_up(task->outputs, task->vector->rows) * channel_pitch(task->inputs);
}

uint64_t emu_winograd_sums_floats(const struct emu_winograd_task *task)
{
	return (uint64_t)(task->call->conv.groups * EMU_WINOGRAD_PRODUCTS * sums_of(task));
}

int64_t emu_winograd_part(const struct emu_winograd_task *task)
{
	int64_t unit = PANELS * task->vector->rows;
	int64_t most = MOST_SUMS / EMU_WINOGRAD_SIDE / task->depth_taps / channel_pitch(task->inputs) / unit * unit;

	return least(most > unit ? most : unit, round_up(task->outputs, unit));
}

/* ---- memory of a worker ----------------------------------------------------------------------------------- */

static int64_t zeros_floats(const struct emu_winograd_task *task)
{
	return (2 * task->x.cut + 2) * task->vector->lanes;
}

static int64_t source_tiles(const struct emu_winograd_task *task)
{
	return (task->cut + task->span) * task->y.cut * task->x.cut;
}

static int64_t a_floats(const struct emu_winograd_task *task)
{
	return task->tiles * channel_pitch(round_up(task->outputs, PANELS * task->vector->rows));
}

static int64_t b_floats(const struct emu_winograd_task *task)
{
	return source_tiles(task) * channel_pitch(task->inputs);
}

static int64_t storing_floats(const struct emu_winograd_task *task)
{
	return task->vector->lanes * TAP_LINE + round_up(task->inputs, task->vector->lanes) * task->depth_taps * TAPS;
}

uint64_t emu_winograd_weight_floats(const struct emu_winograd_task *task)
{
	int64_t floats = zeros_floats(task) + EMU_WINOGRAD_SIDE * (a_floats(task) + b_floats(task)) + 32;

	if (floats < emu_winograd_lines_floats(task))
		floats = emu_winograd_lines_floats(task);
	return (uint64_t)round_up(floats > storing_floats(task) ? floats : storing_floats(task), 16);
}

static float *memory_of(const struct emu_winograd_task *task, int worker)
{
	return (float *)(void *)(task->private + (uint64_t)worker * task->private_bytes);
}

/* ---- multiplying ------------------------------------------------------------------------------------------ */

/* One row of the products of some lanes of channels, of the strips of one layer: to[product][tile][lane]. */
static void spread_layer(const struct emu_winograd_task *task, const struct emu_winograd_block *block, bool is_source,
                         const float *layer, const float *zeros, int row, float *to, int64_t product_pitch,
                         int64_t pitch)
{
	const struct emu_winograd_copy *copy = is_source ? &task->source_copy : &task->squares_copy;
	int64_t y = block->y.residue * copy->rows + 2 * block->y.tile;
	int64_t x = block->x.residue * copy->columns + 2 * block->x.tile, line = layer ? copy->line : 0;
	const float *from = layer ? layer + y * copy->line + x * task->vector->lanes : zeros;

	for (int64_t i = 0; i < block->y.tiles; i++, from += 2 * line, to += block->x.tiles * pitch) {
		if (is_source)
			task->vector->spread_source(to, product_pitch, pitch, from, line, row, block->x.tiles);
		else
			task->vector->spread_outputs(to, product_pitch, pitch, from, line, row, block->x.tiles);
	}
}

/* All layers of a block, of lane groups first..last-1. */
static void spread(const struct emu_winograd_task *task, const struct emu_winograd_block *block, bool is_source,
                   int64_t first, int64_t last, const float *zeros, int row, float *to, int64_t product_pitch,
                   int64_t pitch)
{
	const struct emu_winograd_copy *copy = is_source ? &task->source_copy : &task->squares_copy;
	int64_t layers = block->layers + (is_source ? task->span : 0);

	for (int64_t lane_group = first; lane_group < last; lane_group++, to += task->vector->lanes) {
		const float *from = copy->floats + lane_group * copy->layers * copy->layer;

		for (int64_t layer = 0; layer < layers; layer++) {
			int64_t image, depth;
			bool inside;

			emu_winograd_layer(task, block, layer, &image, &depth);
			depth -= is_source ? task->depth_padding : 0;
			inside = depth >= 0 && depth < copy->depth;
			spread_layer(task, block, is_source, inside ? from + (image * copy->depth + depth) * copy->layer : NULL,
			             zeros, row, to + layer * block->tiles * pitch, product_pitch, pitch);
		}
	}
}

/* Adds one block of tiles to one row of the products of small channels begin..end-1. */
static void add_block(const struct emu_winograd_task *task, int64_t index, int64_t group, int row, int64_t begin,
                      int64_t end, float *memory)
{
	struct emu_winograd_block block = emu_winograd_block(task, index);
	int64_t a_pitch = channel_pitch(task->part), b_pitch = channel_pitch(task->inputs), lanes = task->vector->lanes;
	int64_t sources = task->source_copy.lane_groups, squares = task->squares_copy.lane_groups;
	float *a = memory + zeros_floats(task), *b = a + EMU_WINOGRAD_SIDE * a_floats(task);
	struct emu_winograd_product product = {
		.c_pitch = b_pitch,
		.a_pitch = a_pitch,
		.a_panel = task->vector->rows,
		.b_pitch = b_pitch,
		.rows = end - begin,
		.columns = task->inputs,
		.depth = block.layers * block.tiles,
		.fresh = index == 0,
	};

	spread(task, &block, false, group * squares + begin / lanes, group * squares + ceil_div(end, lanes), memory, row, a,
	       a_floats(task), a_pitch);
	spread(task, &block, true, group * sources, (group + 1) * sources, memory, row, b, b_floats(task), b_pitch);
	for (int i = 0; i < EMU_WINOGRAD_SIDE; i++) {
		float *sums = task->sums + (group * EMU_WINOGRAD_PRODUCTS + EMU_WINOGRAD_SIDE * row + i) * sums_of(task);

		product.a = a + i * a_floats(task) + begin % lanes;
		for (int64_t tap = 0; tap < task->depth_taps; tap++) {
			product.b = b + i * b_floats(task) + tap * task->depth_dilation * block.tiles * b_pitch;
			product.c = sums + (tap * round_up(task->outputs, task->vector->rows) + begin) * b_pitch;
			task->vector->multiply(&product);
		}
	}
}

/* One piece: a row of the products of some small channels, summed over all tiles. */
static void sum_products(void *argument, int64_t piece, int worker)
{
	const struct emu_winograd_task *task = argument;
	int64_t begin = piece % task->parts * task->part, end = least(begin + task->part, task->outputs);
	int64_t row = piece / task->parts % EMU_WINOGRAD_SIDE, group = piece / task->parts / EMU_WINOGRAD_SIDE;
	float *memory = memory_of(task, worker);

	memset(memory, 0, (size_t)zeros_floats(task) * sizeof(float));
	for (int64_t i = 0; i < task->blocks; i++)
		add_block(task, i, group, (int)row, begin, end, memory);
}

/* ---- storing ---------------------------------------------------------------------------------------------- */

/* Stores the weights of one small channel. */
static void store_taps(const struct emu_winograd_task *task, int64_t channel, float *line)
{
	const struct emu_array *array = &task->call->weight;
	const struct emu_view *view = &array->view;
	int64_t taps = task->depth_taps * TAPS, count = task->inputs * taps, offset = channel * view->strides[0], run = 3;
	bool dense = view->strides[4] == 1 && view->strides[3] == 3 &&
	             (view->strides[2] == TAPS || task->depth_taps == 1) && view->strides[1] == taps;

	if (emu_needs_rounding(array))
		task->rows->round(line, count, array->number);
	if (dense) {
		task->rows->store(emu_element(array->first, offset, view->stored), 1, line, count, view->stored);
		return;
	}
	for (int64_t i = 0; i < count; i += run) {
		int64_t at =
			i / taps * view->strides[1] + i % taps / TAPS * view->strides[2] + i % TAPS / run * view->strides[3];

		task->rows->store(emu_element(array->first, offset + at, view->stored), view->strides[4], line + i, run,
		                  view->stored);
	}
}

/* One piece: one small channel. */
static void finish_taps(void *argument, int64_t channel, int worker)
{
	struct emu_winograd_task *task = argument;
	int64_t group = channel / task->outputs, lanes = task->vector->lanes, pitch = channel_pitch(task->inputs);
	int64_t rows = round_up(task->outputs, task->vector->rows), taps = task->depth_taps * TAPS;
	const float *sums = task->sums + group * EMU_WINOGRAD_PRODUCTS * sums_of(task) + channel % task->outputs * pitch;
	float *some = memory_of(task, worker), *line = some + lanes * TAP_LINE;
	bool finite = true;

	for (int64_t tap = 0; tap < task->depth_taps; tap++, sums += rows * pitch) {
		for (int64_t input = 0; input < task->inputs; input += lanes) {
			int64_t count = least(lanes, task->inputs - input);

			finite &= task->vector->untransform_taps(some, TAP_LINE, sums + input, sums_of(task), count);
			for (int64_t i = 0; i < count; i++)
				memcpy(line + (input + i) * taps + tap * TAPS, some + i * TAP_LINE, TAPS * sizeof(float));
		}
	}
	store_taps(task, channel, line);
	if (!finite)
		atomic_store_explicit(&task->spoilt, true, memory_order_relaxed);
}

void emu_winograd_run_weight(struct emu_winograd_task *task, int threads)
{
	int64_t rows = task->call->conv.groups * EMU_WINOGRAD_SIDE;

	/* the blocks are what they are, so the sums don't depend on the parts */
	task->part = task->blocks > 1 ? emu_winograd_part(task) : round_up(task->outputs, task->vector->rows);
	if (rows * ceil_div(task->outputs, task->part) < threads)
		task->part = round_up(ceil_div(task->outputs, ceil_div(threads, rows)), task->vector->rows);
	task->parts = ceil_div(task->outputs, task->part);
	task->source_copy.floats = task->sums + emu_winograd_sums_floats(task);
	task->squares_copy.floats = task->source_copy.floats + emu_winograd_copy_floats(task, &task->source_copy);
	emu_winograd_fill_copies(task, threads);
	emu_pool_run(threads, rows * task->parts, sum_products, task);
	emu_pool_run(threads, task->call->conv.groups * task->outputs, finish_taps, task);
}
