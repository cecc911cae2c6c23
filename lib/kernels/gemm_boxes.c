/*
 * Writing the weight where many taps lie beside the map, as those of a large dilation do: positions are cut into boxes
 * in each of which the same taps lie inside, and are summed for those alone. Rows of C are [tap][channel], so that the
 * taps of a box along x follow each other.
 */
#include "gemm_task.h"

enum {
	MOST_BANDS = 7,       /* of an axis */
	MOST_TAPS = 27,
	MOST_ROWS = 216,      /* of a block of C, but for what fills up the tiles of each tap */
	MOST_LANES = 16,
	MOST_PANELS = 16,
	LEAST_POSITIONS = 48, /* of a box on average, of all images: fewer do not repay a multiplication of their own */
	PIECES = 6            /* wanted for each thread */
};

/* Positions of an axis, cut where a tap enters or leaves the big map. A box is a band of each axis. */
struct bands {
	int64_t count;
	int64_t begin[MOST_BANDS], size[MOST_BANDS];
	int64_t tap[MOST_BANDS], taps[MOST_BANDS]; /* those inside, which follow each other */
};

struct box {
	int64_t begin[3], size[3];
	int64_t tap[3], taps[3];
};

struct boxes_task {
	struct emu_gemm_task *gemm;
	struct bands bands[3];
	int64_t padded; /* rows of a tap in a block: whole tiles */
};

/* ---- boxes ------------------------------------------------------------------------------------------------- */

/* The positions at which a tap lies inside the big map. */
static void reach(const struct emu_conv *conv, int axis, int64_t tap, int64_t *begin, int64_t *end)
{
	int64_t first = tap * conv->dilation[axis] - conv->padding[axis], stride = conv->stride[axis];

	*begin = least(first < 0 ? ceil_div(-first, stride) : 0, conv->small[axis]);
	*end = most(*begin, least(floor_div(conv->big[axis] - 1 - first, stride) + 1, conv->small[axis]));
}

/* The nearest position behind `position` where a tap enters or leaves the map. */
static int64_t next_change(const struct emu_conv *conv, int axis, int64_t position)
{
	int64_t next = conv->small[axis], begin, end;

	for (int64_t tap = 0; tap < conv->kernel[axis]; tap++) {
		reach(conv, axis, tap, &begin, &end);
		if (begin > position)
			next = least(next, begin);
		if (end > position)
			next = least(next, end);
	}
	return next;
}

/* False if there are too many. */
static bool cut_bands(struct bands *bands, const struct emu_conv *conv, int axis)
{
	bands->count = 0;
	for (int64_t position = 0, next; position < conv->small[axis]; position = next) {
		int64_t band = bands->count, begin, end;

		next = next_change(conv, axis, position);
		if (band == MOST_BANDS)
			return false;
		bands->begin[band] = position;
		bands->size[band] = next - position;
		bands->taps[band] = 0;
		for (int64_t tap = conv->kernel[axis] - 1; tap >= 0; tap--) {
			reach(conv, axis, tap, &begin, &end);
			if (begin <= position && position < end) {
				bands->tap[band] = tap;
				bands->taps[band]++;
			}
		}
		bands->count += bands->taps[band] > 0;
	}
	return true;
}

static int64_t count_boxes(const struct bands bands[3])
{
	return bands[0].count * bands[1].count * bands[2].count;
}

static struct box box_of(const struct bands bands[3], int64_t index)
{
	const int64_t counts[3] = {bands[0].count, bands[1].count, bands[2].count};
	struct box box;
	int64_t at[3];

	split(index, counts, at);
	for (int axis = 0; axis < 3; axis++) {
		box.begin[axis] = bands[axis].begin[at[axis]];
		box.size[axis] = bands[axis].size[at[axis]];
		box.tap[axis] = bands[axis].tap[at[axis]];
		box.taps[axis] = bands[axis].taps[at[axis]];
	}
	return box;
}

int64_t emu_gemm_boxes(const struct emu_conv_call *call)
{
	const struct emu_conv *conv = &call->conv;
	double inside = 1, all = 1, positions = (double)conv->batch;
	struct bands bands[3];

	if (call->direction != EMU_TO_WEIGHT)
		return 0;
	for (int axis = 0; axis < 3; axis++)
		if (conv->kernel[axis] > MOST_TAPS)
			return 0;
	if (volume(conv->kernel) == 1 || volume(conv->kernel) > MOST_TAPS)
		return 0;
	for (int axis = 0; axis < 3; axis++) {
		double met = 0;

		if (!cut_bands(&bands[axis], conv, axis))
			return 0;
		for (int64_t band = 0; band < bands[axis].count; band++)
			met += (double)bands[axis].size[band] * (double)bands[axis].taps[band];
		inside *= met;
		all *= (double)conv->small[axis] * (double)conv->kernel[axis];
		positions *= (double)conv->small[axis];
	}
	if (inside > 0.75 * all || positions < (double)LEAST_POSITIONS * (double)count_boxes(bands))
		return 0;
	return count_boxes(bands);
}

/* ---- chunks ------------------------------------------------------------------------------------------------ */

/* Consecutive positions of a box, of all images: what one chunk sums up. */
struct stretch {
	struct box box;
	int64_t first, count;
};

/* Positions of a chunk of a box, and how many chunks it makes. */
static int64_t chunk_of(const struct boxes_task *task, const struct box *box, int64_t *chunks)
{
	const struct emu_gemm_task *gemm = task->gemm;
	int64_t positions = gemm->call->conv.batch * volume(box->size), per_word = emu_gemm_per_word(gemm);
	int64_t chunk = emu_gemm_even_block(positions, gemm->vector->lanes * per_word, gemm->vector->depth * per_word);

	*chunks = ceil_div(positions, chunk);
	return chunk;
}

static int64_t count_chunks(const struct boxes_task *task)
{
	int64_t sum = 0, chunks;

	for (int64_t index = 0; index < count_boxes(task->bands); index++) {
		struct box box = box_of(task->bands, index);

		chunk_of(task, &box, &chunks);
		sum += chunks;
	}
	return sum;
}

static struct stretch stretch_of(const struct boxes_task *task, int64_t chunk)
{
	struct stretch stretch;
	int64_t length, chunks;

	for (int64_t index = 0;; index++, chunk -= chunks) {
		stretch.box = box_of(task->bands, index);
		length = chunk_of(task, &stretch.box, &chunks);
		if (chunk < chunks)
			break;
	}
	stretch.first = chunk * length;
	stretch.count = least(length, task->gemm->call->conv.batch * volume(stretch.box.size) - stretch.first);
	return stretch;
}

/* One piece: one chunk of one group of the small map, transposed to panels. */
static void pack_chunk(void *argument, int64_t piece, int worker)
{
	const struct boxes_task *task = argument;
	struct stretch stretch = stretch_of(task, piece % task->gemm->chunks);

	emu_gemm_pack_map(task->gemm, piece, stretch.box.size, stretch.box.begin, stretch.first, stretch.count, worker);
}

/* ---- blocks ------------------------------------------------------------------------------------------------ */

static int64_t channels_of_block(const struct emu_gemm_vector *vector, const struct emu_conv *conv)
{
	int64_t channels = round_up(most(MOST_ROWS / volume(conv->kernel), 1), vector->rows);

	return least(channels, round_up(conv->big_channels, vector->rows));
}

static int64_t gathered_bytes(const struct emu_gemm_vector *vector, const struct emu_conv *conv)
{
	int64_t rows = most(conv->kernel[2] * channels_of_block(vector, conv), vector->lanes);

	return round_up(rows * vector->pitch * 4 + EMU_GEMM_SLACK, 64);
}

static int64_t most_columns(const struct emu_gemm_vector *vector, const struct emu_conv *conv)
{
	return least(MOST_PANELS * vector->columns, round_up(conv->small_channels, vector->columns));
}

uint64_t emu_gemm_boxes_private_bytes(const struct emu_gemm_vector *vector, const struct emu_conv *conv)
{
	int64_t rows = volume(conv->kernel) * channels_of_block(vector, conv);
	int64_t tiles = rows * most_columns(vector, conv) + (int64_t)vector->lanes * vector->columns;

	return (uint64_t)(gathered_bytes(vector, conv) + round_up(tiles * 4, 64));
}

/* Blocks shrink until there are enough pieces; where they are cut changes no sum. */
static struct emu_gemm_blocks cut_blocks(const struct boxes_task *task, int threads)
{
	const struct emu_gemm_vector *vector = task->gemm->vector;
	const struct emu_conv *conv = &task->gemm->call->conv;
	int64_t wanted = threads > 1 ? (int64_t)threads * PIECES : 1, columns = most_columns(vector, conv);
	struct emu_gemm_blocks blocks = {
		.rows = conv->big_channels,
		.columns = conv->small_channels,
		.block_rows = task->padded,
		.row_blocks = ceil_div(conv->big_channels, task->padded),
	};

	for (;; columns /= 2) {
		blocks.block_columns = emu_gemm_even_block(blocks.columns, vector->columns, columns);
		blocks.column_blocks = ceil_div(blocks.columns, blocks.block_columns);
		if (conv->groups * blocks.row_blocks * blocks.column_blocks >= wanted || columns <= vector->columns)
			return blocks;
	}
}

/* Gathers some taps that differ in x alone: rows [tap][channel], each tap in whole tiles. */
static void gather_taps(const struct boxes_task *task, uint32_t *a, const struct emu_gemm_block *block,
                        const struct stretch *stretch, int64_t tap_z, int64_t tap_y)
{
	const struct emu_gemm_task *gemm = task->gemm;
	const struct box *box = &stretch->box;
	struct emu_run runs[EMU_GEMM_RUNS];

	for (int64_t i = 0; i < box->taps[2]; i++) {
		const int64_t tap[3] = {tap_z, tap_y, box->tap[2] + i};
		int64_t offset[3];
		int made;

		for (int axis = 0; axis < 3; axis++)
			offset[axis] =
				gemm->class[axis]->offsets[tap[axis]] + box->begin[axis] * gemm->axes[axis].source_step;
		made = emu_planes_runs(&gemm->gathered, box->size, offset, stretch->first, stretch->count, runs);
		emu_gemm_copy_rows(gemm, a + i * task->padded * gemm->vector->pitch, gemm->vector->pitch, &gemm->gathered,
		                   block->group * gemm->gathered.channels + block->row, block->rows, runs, made,
		                   stretch->count);
	}
}

/* Adds the products of a chunk to the tiles of the taps that lie inside. */
static void add_chunk(const struct boxes_task *task, const struct emu_gemm_block *block, uint32_t *a, const char *b,
                      float *tiles, const struct stretch *stretch)
{
	const struct emu_gemm_task *gemm = task->gemm;
	const struct emu_gemm_vector *vector = gemm->vector;
	const int64_t *kernel = gemm->call->conv.kernel;
	const struct box *box = &stretch->box;
	int64_t width = vector->columns, panel = gemm->taps * task->padded * width, at[3];
	const int64_t lines[3] = {1, box->taps[0], box->taps[1]};

	for (int64_t line = 0; line < volume(lines); line++) {
		struct emu_gemm_ahead ahead = emu_planes_nothing(&gemm->gathered);
		float *to;

		split(line, lines, at);
		at[1] += box->tap[0];
		at[2] += box->tap[1];
		gather_taps(task, a, block, stretch, at[1], at[2]);
		to = tiles + ((at[1] * kernel[1] + at[2]) * kernel[2] + box->tap[2]) * task->padded * width;
		for (int64_t column = 0; column < block->columns; column += width)
			vector->multiply(to + column / width * panel, a, b + column * vector->depth * 4,
			                 box->taps[2] * task->padded, least(block->columns - column, width),
			                 (int)emu_gemm_words(gemm, stretch->count), false, &ahead);
	}
}

/* ---- storing ----------------------------------------------------------------------------------------------- */

/* Stores a block: squares of C are transposed, and their channels laid a kernel apart. */
static void store_tiles(const struct boxes_task *task, const struct emu_gemm_block *block, const float *tiles)
{
	const struct emu_gemm_task *gemm = task->gemm;
	const struct emu_array *weight = &gemm->call->weight;
	int64_t width = gemm->vector->columns, taps = gemm->taps, panel = taps * task->padded * width;
	int64_t count = block->rows * taps, small = block->group * gemm->call->conv.small_channels + block->column;
	float lines[MOST_LANES][MOST_ROWS + MOST_TAPS * 2 * MOST_LANES], square[MOST_LANES][MOST_LANES];
	int lanes = gemm->vector->lanes;

	for (int64_t column = 0; column < block->columns; column += lanes) {
		const float *from = tiles + column / width * panel + column % width;

		for (int64_t tap = 0; tap < taps; tap++) {
			for (int64_t row = 0; row < block->rows; row += lanes) {
				gemm->vector->transpose(square, MOST_LANES, from + (tap * task->padded + row) * width, width, lanes);
				for (int64_t k = 0; k < lanes; k++)
					for (int64_t i = 0; i < least(lanes, block->rows - row); i++)
						lines[k][(row + i) * taps + tap] = square[k][i];
			}
		}
		for (int64_t k = 0; k < least(lanes, block->columns - column); k++) {
			if (emu_needs_rounding(weight))
				gemm->row_code->round(lines[k], count, weight->number);
			emu_gemm_store_weights(gemm, lines[k], small + column + k, block->row * taps, count);
		}
	}
}

/* ---- pieces ------------------------------------------------------------------------------------------------ */

/* One piece: all taps of some channels of the big map and some of the small one, of one group. */
static void multiply_block(void *argument, int64_t piece, int worker)
{
	const struct boxes_task *task = argument;
	const struct emu_gemm_task *gemm = task->gemm;
	const struct emu_gemm_vector *vector = gemm->vector;
	const struct emu_gemm_block block = emu_gemm_block(gemm, piece);
	int64_t gathered = gathered_bytes(vector, &gemm->call->conv);
	uint32_t *a = emu_gemm_gathered(gemm, worker);
	float *tiles = (float *)(void *)((char *)a + gathered);
	const char *b = gemm->shared + (block.group * gemm->chunks * gemm->shared_chunk + block.column * vector->depth) * 4;

	memset(a, 0, (size_t)gathered);
	memset(tiles, 0,
	       (size_t)(gemm->taps * task->padded * round_up(block.columns, vector->columns)) * sizeof(float));
	for (int64_t chunk = 0; chunk < gemm->chunks; chunk++, b += gemm->shared_chunk * 4) {
		struct stretch stretch = stretch_of(task, chunk);

		add_chunk(task, &block, a, b, tiles, &stretch);
	}
	store_tiles(task, &block, tiles);
}

void emu_gemm_run_boxes(struct emu_gemm_task *gemm, int threads)
{
	const struct emu_conv *conv = &gemm->call->conv;
	struct boxes_task task = {.gemm = gemm, .padded = channels_of_block(gemm->vector, conv)};

	for (int axis = 0; axis < 3; axis++)
		cut_bands(&task.bands[axis], conv, axis);
	gemm->chunks = count_chunks(&task);
	gemm->blocks = cut_blocks(&task, threads);
	emu_pool_run(threads, conv->groups * gemm->chunks, pack_chunk, &task);
	if (!gemm->found_infinite)
		emu_pool_run(threads, emu_gemm_pieces(gemm), multiply_block, &task);
}
