/*
 * Writing the weight: products of the padded big map, shifted by a tap, with the small map in tiles that hold zeros
 * where the copy has halos. Each piece goes through all positions.
 */
#include "implicit_task.h"

enum {
	SIDE = 16,
	STEPS = 20,        /* of 32 positions at a time, mostly in the first level of cache for all taps */
	PACKED = 8,        /* steps of one piece of packing */
	MOST_TILES = 256,  /* sums of a piece, of 16 x 16: with what they add up in the second level of cache */
	LEAST_PART = 3,    /* blocks of small channels that are worth a piece */
	PIECES = 6         /* wanted for each thread, so that none waits long for another */
};

static int64_t small_blocks(const struct emu_implicit_task *task)
{
	return ceil_div(task->gemm.call->conv.small_channels, SIDE);
}

/* Steps of a slab. */
static int64_t steps_of(const struct emu_implicit_task *task)
{
	return ceil_div(task->slabs.length, EMU_IMPLICIT_UNIT);
}

/* Bytes from one block of small channels to the next. */
static int64_t block_tiles(const struct emu_implicit_task *task)
{
	return task->slabs.count * steps_of(task) * EMU_IMPLICIT_TILE;
}

uint64_t emu_implicit_small_bytes(const struct emu_implicit_task *task)
{
	return (uint64_t)(task->gemm.call->conv.groups * small_blocks(task) * block_tiles(task));
}

/* Weights of a small channel and the big ones of a piece, and what transposing leaves behind them. */
static int64_t line_floats(const struct emu_implicit_task *task)
{
	return (most(MOST_TILES, volume(task->gemm.call->conv.kernel)) + 1) * SIDE;
}

/* Room for sums, and as much behind as transposing reads. */
static int64_t sum_floats(const struct emu_implicit_task *task)
{
	return (most(MOST_TILES, LEAST_PART * volume(task->gemm.call->conv.kernel)) + SIDE) * SIDE * SIDE;
}

uint64_t emu_implicit_sum_bytes(const struct emu_implicit_task *task)
{
	return (uint64_t)(sum_floats(task) + line_floats(task)) * sizeof(float);
}

/* Even parts of at most `limit`. */
static int64_t part_of(int64_t count, int64_t limit)
{
	return ceil_div(count, ceil_div(count, limit));
}

/* ---- the small map ------------------------------------------------------------------------------------------ */

/* Lines of 16 channels at positions of the copy from `start` on; zeros stay where nobody asks. */
static void load_lines(const struct emu_implicit_task *task, uint16_t *lines, int64_t pitch, int64_t channel,
                       int64_t channels, int64_t start, int64_t count)
{
	const struct emu_array *array = &task->gemm.call->small;
	const struct emu_view *view = &array->view;
	const int64_t *positions = task->gemm.positions;
	struct emu_implicit_part part;

	for (int64_t done = 0; done < count; done += part.count) {
		int64_t offset;

		part = emu_implicit_part(&task->copy, start + done, count - done);
		if (part.at[0] >= positions[0] || part.at[1] >= positions[1] || part.at[2] >= positions[2])
			continue;
		offset = channel * view->strides[1] + part.image * view->strides[0];
		for (int i = 0; i < 3; i++)
			offset += part.at[i] * view->strides[2 + i];
		for (int64_t i = 0; i < channels; i++)
			emu_load_halves(task->gemm.row_code, array, lines + i * pitch + done,
			                emu_element(array->first, offset + i * view->strides[1], view->stored), view->strides[4],
			                least(part.count, positions[2] - part.at[2]));
	}
}

/* One piece: some steps of one block of channels. */
static void pack_steps(void *argument, int64_t piece, int worker)
{
	enum { PITCH = PACKED * EMU_IMPLICIT_UNIT + EMU_IMPLICIT_UNIT /* lines a power of two apart share cache sets */ };
	struct emu_implicit_task *task = argument;
	int64_t in_slab = steps_of(task), pieces = ceil_div(in_slab, PACKED), step = piece % pieces * PACKED;
	int64_t slab = piece / pieces % task->slabs.count, block = piece / pieces / task->slabs.count;
	int64_t channels = task->gemm.call->conv.small_channels, channel = block % small_blocks(task) * SIDE;
	int64_t steps = least(PACKED, in_slab - step), first = step * EMU_IMPLICIT_UNIT;
	char *tile = task->tiles + block * block_tiles(task) + (slab * in_slab + step) * EMU_IMPLICIT_TILE;
	uint16_t lines[SIDE * PITCH];

	(void)worker;
	memset(lines, 0, sizeof(lines));
	load_lines(task, lines, PITCH, block / small_blocks(task) * channels + channel, least(SIDE, channels - channel),
	           emu_implicit_slab_start(task, slab) + first,
	           least(steps * EMU_IMPLICIT_UNIT, task->slabs.length - first));
	if (!task->vector->pairs->is_finite(lines, SIDE * PITCH / 2))
		task->gemm.found_infinite = true;
	for (int64_t i = 0; i < steps * SIDE; i++)
		memcpy(tile + i * EMU_IMPLICIT_CELL, lines + i % SIDE * PITCH + i / SIDE * EMU_IMPLICIT_UNIT,
		       EMU_IMPLICIT_CELL);
}

/* ---- pieces ------------------------------------------------------------------------------------------------- */

/*
 * Stores the sums of a block of small channels. Taps of big channels follow each other for each small one: squares of
 * taps and big channels are transposed. What a square leaves behind its last tap is of the next channel, whose first
 * taps come later.
 */
static void store_sums(const struct emu_implicit_task *task, const float *sums, int64_t block_floats, float *line,
                       int64_t small, int64_t channels, int64_t big, int64_t blocks)
{
	const struct emu_array *weight = &task->gemm.call->weight;
	int64_t taps = task->gemm.taps, first = big * SIDE;
	int64_t count = least(blocks * SIDE, task->gemm.call->conv.big_channels - first) * taps;

	for (int64_t i = 0; i < channels; i++) {
		for (int64_t block = 0; block < blocks; block++)
			for (int64_t tap = (taps - 1) / SIDE * SIDE; tap >= 0; tap -= SIDE)
				task->vector->pairs->transpose(line + block * SIDE * taps + tap, taps,
				                               sums + block * block_floats + (tap * SIDE + i) * SIDE, SIDE * SIDE,
				                               SIDE);
		if (emu_needs_rounding(weight))
			task->gemm.row_code->round(line, count, weight->number);
		emu_gemm_store_weights(&task->gemm, line, small + i, first * taps, count);
	}
}

/* One piece: all taps of some blocks of big channels and some of small ones, of one group. */
static void add_piece(void *argument, int64_t piece, int worker)
{
	const struct emu_implicit_task *task = argument;
	int64_t parts = ceil_div(task->panels, task->part), big_parts = ceil_div(task->copy.blocks, task->big_part);
	int64_t group = piece / parts / big_parts, taps = task->gemm.taps;
	int64_t in_slab = steps_of(task), steps = part_of(in_slab, STEPS);
	int64_t channels = task->gemm.call->conv.small_channels;
	int64_t small = piece % parts * task->part, big = piece / parts % big_parts * task->big_part;
	float *sums = (float *)(void *)(task->private + (uint64_t)worker * task->private_bytes);
	const char *cells = task->copy.cells + (group * task->copy.blocks + big) * task->copy.block * EMU_IMPLICIT_CELL;
	const char *tiles = task->tiles + (group * task->panels + small) * block_tiles(task);
	struct emu_implicit_product product = {
		.block_cells = task->copy.block * EMU_IMPLICIT_CELL,
		.big_blocks = least(task->big_part, task->copy.blocks - big),
		.tap = task->taps,
		.taps = taps,
		.block_tiles = block_tiles(task),
		.small_blocks = least(task->part, task->panels - small),
		.fresh = true,
	};

	for (int64_t slab = 0; slab < task->slabs.count; slab++) {
		int64_t start = task->copy.lead + emu_implicit_slab_start(task, slab);

		for (int64_t step = 0; step < in_slab; step += steps, product.fresh = false) {
			product.steps = least(steps, in_slab - step);
			product.cells = cells + (start + step * EMU_IMPLICIT_UNIT) * EMU_IMPLICIT_CELL;
			product.tiles = tiles + (slab * in_slab + step) * EMU_IMPLICIT_TILE;
			task->vector->add(sums, &product);
		}
	}
	for (int64_t i = 0; i < product.small_blocks; i++) {
		int64_t channel = (small + i) * SIDE;

		store_sums(task, sums + i * taps * SIDE * SIDE, product.small_blocks * taps * SIDE * SIDE,
		           sums + sum_floats(task), group * channels + channel, least(SIDE, channels - channel), big,
		           product.big_blocks);
	}
}

static int64_t pieces_of(const struct emu_implicit_task *task)
{
	return task->gemm.call->conv.groups * ceil_div(task->panels, task->part) *
	       ceil_div(task->copy.blocks, task->big_part);
}

/* Pieces shrink until there are enough; where they are cut changes no sum. */
static void cut(struct emu_implicit_task *task, int threads)
{
	int64_t wanted = threads > 1 ? (int64_t)threads * PIECES : 1, taps = task->gemm.taps;

	task->panels = small_blocks(task);
	task->part = part_of(task->panels, most(LEAST_PART, MOST_TILES / taps));
	task->big_part = part_of(task->copy.blocks, most(1, MOST_TILES / taps / task->part));
	while (pieces_of(task) < wanted && (task->big_part > 1 || task->part > LEAST_PART)) {
		if (task->big_part > 1)
			task->big_part = ceil_div(task->big_part, 2);
		else
			task->part = most(LEAST_PART, ceil_div(task->part, 2));
	}
}

void emu_implicit_run_weight(void *argument, int threads)
{
	struct emu_implicit_task *task = argument;
	int64_t packed = ceil_div(steps_of(task), PACKED);

	cut(task, threads);
	emu_implicit_find_taps(task);
	emu_implicit_fill(task, threads);
	emu_pool_run(threads, task->gemm.call->conv.groups * task->panels * task->slabs.count * packed, pack_steps, task);
	if (!task->gemm.found_infinite)
		emu_pool_run(threads, pieces_of(task), add_piece, task);
}
