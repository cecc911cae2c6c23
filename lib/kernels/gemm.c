/*
 * The fast kernel: all three directions as a packed matrix multiply that gathers an operand straight from a map.
 * Each element of C belongs to one piece of work and is summed in one order, so the number of threads changes nothing.
 */
#include <string.h>

#include "gemm_task.h"
#include "reference.h"
#include "work.h"

enum {
	MOST_ROWS = 504,         /* of a block of C: with its B it stays in the second level of cache */
	MOST_PANELS = 6,
	MOST_WEIGHT_ROWS = 192,  /* here A is gathered anew for each block, and B is what streams in */
	MOST_WEIGHT_PANELS = 16,
	PIECES = 6               /* wanted for each thread, so that none waits long for another */
};

static uint64_t saturating_mul(uint64_t a, uint64_t b)
{
	uint64_t product;

	return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

static uint64_t saturating_add(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

/* Rounded up to whole cache lines. */
static uint64_t line_bytes(uint64_t bytes)
{
	return bytes > UINT64_MAX - 63 ? UINT64_MAX : (bytes + 63) / 64 * 64;
}

int64_t emu_gemm_even_block(int64_t extent, int64_t unit, int64_t most)
{
	int64_t blocks = ceil_div(extent, round_up(most, unit));

	return blocks ? round_up(ceil_div(extent, blocks), unit) : unit;
}

static void cut_into(struct emu_gemm_blocks *blocks, const struct emu_gemm_vector *vector, int64_t most_rows,
                     int64_t most_columns)
{
	blocks->block_rows = emu_gemm_even_block(blocks->rows, vector->rows, most_rows);
	blocks->block_columns = emu_gemm_even_block(blocks->columns, vector->columns, most_columns);
	blocks->row_blocks = ceil_div(blocks->rows, blocks->block_rows);
	blocks->column_blocks = ceil_div(blocks->columns, blocks->block_columns);
}

/*
 * Blocks shrink until there are enough pieces; where they are cut changes no sum. Each block packs what it gathers
 * anew: writing a map, B, so the columns give way first; writing the weight, A, so the rows do.
 */
struct emu_gemm_blocks emu_gemm_cut(const struct emu_gemm_task *task, int64_t rows, int64_t columns, int threads)
{
	const struct emu_gemm_vector *vector = task->vector;
	bool is_weight = task->call->direction == EMU_TO_WEIGHT;
	int64_t groups = task->call->conv.groups, wanted = threads > 1 ? (int64_t)threads * PIECES : 1;
	int64_t most_rows = is_weight ? MOST_WEIGHT_ROWS : MOST_ROWS, least_rows = (is_weight ? 2 : 4) * vector->rows;
	int64_t most_columns = (is_weight ? MOST_WEIGHT_PANELS : MOST_PANELS) * vector->columns;
	int64_t least_columns = (is_weight ? 1 : 2) * vector->columns;
	struct emu_gemm_blocks blocks = {.rows = rows, .columns = columns};

	for (;;) {
		cut_into(&blocks, vector, most_rows, most_columns);
		if (groups * blocks.row_blocks * blocks.column_blocks >= wanted)
			return blocks;
		if (is_weight && blocks.block_rows > least_rows)
			most_rows = blocks.block_rows / 2;
		else if (blocks.block_columns > least_columns)
			most_columns = blocks.block_columns / 2;
		else if (blocks.block_rows > least_rows)
			most_rows = blocks.block_rows / 2;
		else if (blocks.block_columns > vector->columns)
			most_columns = vector->columns;
		else
			return blocks;
	}
}

int64_t emu_gemm_pieces(const struct emu_gemm_task *task)
{
	return task->call->conv.groups * task->blocks.row_blocks * task->blocks.column_blocks;
}

struct emu_gemm_block emu_gemm_block(const struct emu_gemm_task *task, int64_t piece)
{
	const struct emu_gemm_blocks *blocks = &task->blocks;
	struct emu_gemm_block block = {
		.group = piece / (blocks->row_blocks * blocks->column_blocks),
		.row = piece % blocks->row_blocks * blocks->block_rows,
		.column = piece / blocks->row_blocks % blocks->column_blocks * blocks->block_columns,
	};

	block.rows = least(blocks->block_rows, blocks->rows - block.row);
	block.columns = least(blocks->block_columns, blocks->columns - block.column);
	return block;
}

bool emu_gemm_coming(const struct emu_gemm_task *task, int64_t piece, int64_t chunk, struct emu_gemm_block *block,
                     int64_t *first)
{
	*first = (chunk + 1) * task->chunk;
	if (*first >= task->depth) {
		*first = 0;
		piece += task->threads;
	}
	if (piece >= emu_gemm_pieces(task))
		return false;
	*block = emu_gemm_block(task, piece);
	return true;
}

void emu_gemm_cut_depth(struct emu_gemm_task *task, int64_t most, int64_t unit)
{
	task->chunk = emu_gemm_even_block(task->depth, unit, most);
	task->chunks = ceil_div(task->depth, task->chunk);
}

/* The largest number of phases that one class can have: each has a tap of its own. */
static uint64_t most_phases(const struct emu_conv_call *call)
{
	const struct emu_conv *conv = &call->conv;
	uint64_t phases = 1;

	if (call->direction == EMU_TO_BIG)
		for (int axis = 0; axis < 3; axis++)
			phases = saturating_mul(phases, (uint64_t)least(conv->stride[axis], conv->kernel[axis]));
	return phases;
}

/* Bytes of the operand that is packed once: the weight, or the small map transposed. */
static uint64_t shared_bytes(const struct emu_gemm_vector *vector, const struct emu_conv_call *call)
{
	const struct emu_conv *conv = &call->conv;
	uint64_t phases = most_phases(call);
	uint64_t taps = saturating_mul(saturating_mul((uint64_t)conv->kernel[0], (uint64_t)conv->kernel[1]),
	                               (uint64_t)conv->kernel[2]);
	uint64_t positions = saturating_mul(
		saturating_mul((uint64_t)conv->small[0], (uint64_t)conv->small[1]),
		saturating_mul((uint64_t)conv->small[2], (uint64_t)conv->batch));
	int64_t in = call->direction == EMU_TO_SMALL ? conv->big_channels : conv->small_channels;
	int64_t out = call->direction == EMU_TO_SMALL ? conv->small_channels : conv->big_channels;
	uint64_t lines, chunks;

	if (call->direction == EMU_TO_WEIGHT) {
		/* each box, or the whole map, ends with a chunk that is not full */
		chunks = positions / (uint64_t)(vector->depth * (vector->pairs ? 2 : 1)) + 1 + (uint64_t)emu_gemm_boxes(call);
		lines = saturating_mul((uint64_t)vector->depth, (uint64_t)round_up(conv->small_channels, vector->columns));
	} else {
		uint64_t words = (uint64_t)(vector->pairs ? ceil_div(in, 2) : in);

		/* phases * (ceil(taps / phases * words / depth)) chunks, and the rows of the last tile */
		chunks = saturating_add(saturating_mul(taps, words) / (uint64_t)vector->depth, phases);
		lines = saturating_mul((uint64_t)vector->pitch, (uint64_t)round_up(out, vector->rows));
	}
	return saturating_mul(saturating_mul(saturating_mul(chunks, lines), sizeof(float)), (uint64_t)conv->groups);
}

/* Floats behind the tiles that squares of them reach into. */
static int64_t beyond_tiles(const struct emu_gemm_vector *vector)
{
	return (int64_t)vector->lanes * vector->columns;
}

/* Bytes of the gathered operand of a block, of the tiles, and of the squares that are transposed. */
static uint64_t private_bytes(const struct emu_gemm_vector *vector, const struct emu_conv_call *call)
{
	const struct emu_conv *conv = &call->conv;
	bool is_weight = call->direction == EMU_TO_WEIGHT;
	int64_t rows = round_up(is_weight ? MOST_WEIGHT_ROWS : MOST_ROWS, vector->rows);
	int64_t columns = (is_weight ? MOST_WEIGHT_PANELS : MOST_PANELS) * vector->columns;
	int64_t packed;

	if (emu_gemm_boxes(call) > 0)
		return emu_gemm_boxes_private_bytes(vector, conv);
	if (is_weight) {
		columns = least(columns, round_up(conv->small_channels, vector->columns));
		packed = (rows > vector->lanes ? rows : vector->lanes) * vector->pitch;
	} else {
		packed = columns * (vector->depth + 1);
	}
	return line_bytes((uint64_t)packed * sizeof(float) + EMU_GEMM_SLACK) +
	       (uint64_t)(rows * columns + beyond_tiles(vector)) * sizeof(float);
}

static uint64_t axis_bytes(const struct emu_conv_call *call, int axis)
{
	return line_bytes(emu_axis_bytes(call->direction, &call->conv, axis));
}

static uint64_t places_bytes(const struct emu_conv_call *call)
{
	const int64_t *kernel = call->conv.kernel;

	if (call->direction == EMU_TO_WEIGHT)
		return 0;
	return line_bytes(saturating_mul(saturating_mul((uint64_t)kernel[0] * 2 * sizeof(int32_t), (uint64_t)kernel[1]),
	                                 (uint64_t)kernel[2]));
}

uint64_t emu_gemm_table_bytes(const struct emu_conv_call *call)
{
	uint64_t bytes = places_bytes(call);

	for (int axis = 0; axis < 3; axis++)
		bytes = saturating_add(bytes, axis_bytes(call, axis));
	return bytes;
}

/* Writing the weight: whether the maps change places. Zeros outside the big map are due where it is gathered. */
static bool packs_the_big_map(const struct emu_conv_call *call)
{
	const struct emu_conv *conv = &call->conv;

	for (int axis = 0; axis < 3; axis++)
		if (conv->kernel[axis] != 1 || conv->padding[axis] != 0 ||
		    (conv->small[axis] - 1) * conv->stride[axis] >= conv->big[axis])
			return false;
	return conv->big_channels < conv->small_channels;
}

/* Which maps the multiply reads, and as what. */
static void describe_maps(struct emu_gemm_task *task)
{
	const struct emu_conv_call *call = task->call;
	bool pairs = task->vector->pairs;

	if (call->direction == EMU_TO_WEIGHT) {
		bool changed = packs_the_big_map(call);

		emu_planes_describe(&task->gathered, call, changed, pairs, false);
		emu_planes_describe(&task->packed, call, !changed, pairs, false);
	} else {
		emu_planes_describe(&task->gathered, call, call->direction == EMU_TO_BIG, pairs, pairs);
	}
}

uint64_t emu_gemm_scratch_bytes(const struct emu_gemm_vector *vector, const struct emu_conv_call *call)
{
	struct emu_gemm_task task = {.vector = vector, .call = call};
	uint64_t bytes = emu_gemm_table_bytes(call);

	describe_maps(&task);
	bytes = saturating_add(bytes, emu_planes_bytes(&task.gathered));
	bytes = saturating_add(bytes, emu_planes_bytes(&task.packed));
	bytes = saturating_add(bytes, line_bytes(shared_bytes(vector, call)));
	return saturating_add(bytes, saturating_mul((uint64_t)threads_of(call), private_bytes(vector, call)));
}

bool emu_gemm_can_run(const struct emu_gemm_vector *vector, const struct emu_conv_call *call)
{
	const struct emu_array *arrays[] = {&call->small, &call->big, &call->weight};
	int64_t taps;

	for (int i = 0; i < 3 && vector->pairs; i++)
		if (arrays[i] != emu_written(call) && !fits_pairs(arrays[i]))
			return false;
	/* places are counted in 32 bits */
	if (__builtin_mul_overflow(call->conv.kernel[0], call->conv.kernel[1], &taps) ||
	    __builtin_mul_overflow(taps, call->conv.kernel[2], &taps) || taps > INT32_MAX)
		return false;
	return emu_gemm_scratch_bytes(vector, call) < (uint64_t)INT64_MAX / 2;
}

void emu_gemm_tap(const struct emu_gemm_task *task, int64_t index, int64_t at[3])
{
	int64_t size[3] = {task->class[0]->taps, task->class[1]->taps, task->class[2]->taps};

	split(index, size, at);
}

void emu_gemm_phase(const struct emu_gemm_task *task, int64_t index, const struct emu_axis_phase *phase[3])
{
	int64_t size[3] = {task->class[0]->phases, task->class[1]->phases, task->class[2]->phases}, at[3];

	split(index, size, at);
	for (int axis = 0; axis < 3; axis++)
		phase[axis] = &task->class[axis]->phase[at[axis]];
}

int emu_gemm_tap_runs(const struct emu_gemm_task *task, int64_t tap, int64_t start, int64_t count, struct emu_run *runs)
{
	int64_t at[3], offset[3];

	emu_gemm_tap(task, tap, at);
	for (int axis = 0; axis < 3; axis++)
		offset[axis] = task->class[axis]->offsets[at[axis]];
	return emu_planes_runs(&task->gathered, task->positions, offset, start, count, runs);
}

void *emu_gemm_gathered(const struct emu_gemm_task *task, int worker)
{
	return task->private + (uint64_t)worker * task->private_bytes;
}

float *emu_gemm_tiles(const struct emu_gemm_task *task, int worker)
{
	char *end = task->private + ((uint64_t)worker + 1) * task->private_bytes;

	return (float *)(void *)end - beyond_tiles(task->vector) - task->blocks.block_rows * task->blocks.block_columns;
}

static bool reads_outside(const struct emu_axis *axis)
{
	for (int64_t i = 0; i < axis->classes; i++) {
		const struct emu_axis_class *class = &axis->class[i];
		int64_t span = (class->positions - 1) * axis->source_step;

		for (int64_t tap = 0; tap < class->taps; tap++)
			if (class->offsets[tap] < 0 || class->offsets[tap] + span >= axis->source_size)
				return true;
	}
	return false;
}

/* The next `bytes` of the scratch. */
static void *take(char **memory, uint64_t bytes)
{
	void *taken = *memory;

	*memory += bytes;
	return taken;
}

void emu_gemm_build_tables(struct emu_gemm_task *task, void *memory)
{
	const struct emu_conv_call *call = task->call;
	char *next = memory;

	for (int axis = 0; axis < 3; axis++) {
		emu_axis_build(&task->axes[axis], call->direction, &call->conv, axis, take(&next, axis_bytes(call, axis)));
		task->zeros_meet_products |= reads_outside(&task->axes[axis]);
	}
	task->places = (int32_t *)(void *)next;
}

/*
 * A position outside the map is gathered as 0 and multiplied like any other, which is the same as leaving it out unless
 * the operand that is not gathered holds an infinity or a NaN there. Packing it finds that out, and then the reference
 * does the work.
 */
void emu_gemm_run(const struct emu_gemm_vector *vector, const struct emu_conv_call *call, void *scratch)
{
	struct emu_gemm_task task = {.vector = vector, .row_code = emu_rows(call->isa), .call = call};
	int threads = threads_of(call);
	char *memory = scratch;

	emu_gemm_build_tables(&task, take(&memory, emu_gemm_table_bytes(call)));
	describe_maps(&task);
	emu_planes_fill(&task.gathered, &task, take(&memory, emu_planes_bytes(&task.gathered)), threads);
	if (call->direction == EMU_TO_WEIGHT)
		emu_planes_fill(&task.packed, &task, take(&memory, emu_planes_bytes(&task.packed)), threads);
	task.shared = take(&memory, line_bytes(shared_bytes(vector, call)));
	task.private = memory;
	task.private_bytes = private_bytes(vector, call);
	if (call->direction == EMU_TO_WEIGHT)
		emu_gemm_run_weight(&task, threads);
	else
		emu_gemm_run_map(&task, threads);
	if (task.found_infinite)
		emu_reference_run(call, scratch);
}
