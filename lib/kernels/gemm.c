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
	PIECES = 12              /* wanted of one run, so that the threads have something to share */
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

/* An even cut into blocks of at most `most`, each a multiple of `unit`. */
static int64_t block_of(int64_t extent, int64_t unit, int64_t most)
{
	int64_t blocks = ceil_div(extent, round_up(most, unit));

	return blocks ? round_up(ceil_div(extent, blocks), unit) : unit;
}

static void cut_into(struct emu_gemm_blocks *blocks, const struct emu_gemm_vector *vector, int64_t most_rows,
                     int64_t most_columns)
{
	blocks->block_rows = block_of(blocks->rows, vector->rows, most_rows);
	blocks->block_columns = block_of(blocks->columns, vector->columns, most_columns);
	blocks->row_blocks = ceil_div(blocks->rows, blocks->block_rows);
	blocks->column_blocks = ceil_div(blocks->columns, blocks->block_columns);
}

/*
 * Blocks shrink until there are enough pieces. Each block packs what it gathers anew: writing a map, B, so the columns
 * give way first; writing the weight, A, while the other operand streams in, so the blocks stay square.
 */
struct emu_gemm_blocks emu_gemm_cut(const struct emu_gemm_vector *vector, int64_t rows, int64_t columns, int64_t groups,
                                    bool is_weight)
{
	struct emu_gemm_blocks blocks = {.rows = rows, .columns = columns};
	int64_t most_rows = is_weight ? MOST_WEIGHT_ROWS : MOST_ROWS, least_rows = 4 * vector->rows;
	int64_t most_columns = (is_weight ? MOST_WEIGHT_PANELS : MOST_PANELS) * vector->columns;
	int64_t least_columns = is_weight ? vector->columns : 2 * vector->columns;

	for (;;) {
		cut_into(&blocks, vector, most_rows, most_columns);
		if (groups * blocks.row_blocks * blocks.column_blocks >= PIECES)
			return blocks;
		if (blocks.block_columns > least_columns && !(is_weight && blocks.block_rows >= blocks.block_columns))
			most_columns = blocks.block_columns / 2;
		else if (blocks.block_rows > least_rows)
			most_rows = blocks.block_rows / 2;
		else if (blocks.block_columns > vector->columns)
			most_columns = vector->columns;
		else
			return blocks;
	}
}

/* The largest number of phases that one class can have: each has a tap of its own. */
static uint64_t most_phases(enum emu_direction direction, const struct emu_conv *conv)
{
	uint64_t phases = 1;

	if (direction == EMU_TO_BIG)
		for (int axis = 0; axis < 3; axis++)
			phases = saturating_mul(phases, (uint64_t)least(conv->stride[axis], conv->kernel[axis]));
	return phases;
}

static uint64_t shared_bytes(const struct emu_gemm_vector *vector, enum emu_direction direction,
                             const struct emu_conv *conv)
{
	uint64_t phases = most_phases(direction, conv);
	uint64_t taps = saturating_mul(saturating_mul((uint64_t)conv->kernel[0], (uint64_t)conv->kernel[1]),
	                               (uint64_t)conv->kernel[2]);
	uint64_t positions = saturating_mul(
		saturating_mul((uint64_t)conv->small[0], (uint64_t)conv->small[1]),
		saturating_mul((uint64_t)conv->small[2], (uint64_t)conv->batch));
	uint64_t lines, chunks;

	if (direction == EMU_TO_WEIGHT) {
		chunks = positions / (uint64_t)vector->depth + 1;
		lines = saturating_mul((uint64_t)vector->depth, (uint64_t)round_up(conv->small_channels, vector->columns));
	} else {
		uint64_t in = (uint64_t)(direction == EMU_TO_SMALL ? conv->big_channels : conv->small_channels);
		uint64_t out = (uint64_t)(direction == EMU_TO_SMALL ? conv->small_channels : conv->big_channels);

		/* phases * (ceil(taps / phases * in / depth)) chunks, and the rows of the last tile */
		chunks = saturating_add(saturating_mul(taps, in) / (uint64_t)vector->depth, phases);
		lines = saturating_mul((uint64_t)vector->pitch, (uint64_t)round_up((int64_t)out, vector->rows));
	}
	return saturating_mul(saturating_mul(saturating_mul(chunks, lines), sizeof(float)), (uint64_t)conv->groups);
}

/* Bytes of the gathered operand of a block, of the tiles, and of the square that is transposed. */
static uint64_t private_bytes(const struct emu_gemm_vector *vector, enum emu_direction direction,
                              const struct emu_conv *conv)
{
	bool is_weight = direction == EMU_TO_WEIGHT;
	int64_t rows = round_up(is_weight ? MOST_WEIGHT_ROWS : MOST_ROWS, vector->rows);
	int64_t columns = (is_weight ? MOST_WEIGHT_PANELS : MOST_PANELS) * vector->columns;
	int64_t packed;

	if (is_weight) {
		columns = least(columns, round_up(conv->small_channels, vector->columns));
		packed = (rows > vector->lanes ? rows : vector->lanes) * vector->pitch;
	} else {
		packed = vector->columns * vector->depth;
	}
	return line_bytes((uint64_t)(packed + vector->lanes) * sizeof(float)) + (uint64_t)(rows * columns) * sizeof(float);
}

static uint64_t table_bytes(enum emu_direction direction, const struct emu_conv *conv)
{
	uint64_t bytes = 0;

	for (int axis = 0; axis < 3; axis++)
		bytes = saturating_add(bytes, line_bytes(emu_axis_bytes(direction, conv, axis)));
	return bytes;
}

uint64_t emu_gemm_scratch_bytes(const struct emu_gemm_vector *vector, enum emu_direction direction,
                                const struct emu_conv *conv, int threads)
{
	uint64_t workers = is_worth_threads(conv) && threads > 1 ? (uint64_t)threads : 1;
	uint64_t bytes = saturating_add(table_bytes(direction, conv), line_bytes(shared_bytes(vector, direction, conv)));

	return saturating_add(bytes, saturating_mul(workers, private_bytes(vector, direction, conv)));
}

bool emu_gemm_can_run(const struct emu_gemm_vector *vector, enum emu_direction direction, const struct emu_conv *conv)
{
	return emu_gemm_scratch_bytes(vector, direction, conv, 1) < (uint64_t)INT64_MAX / 2;
}

void emu_gemm_tap(const struct emu_gemm_task *task, int64_t index, int64_t at[3])
{
	int64_t size[3] = {task->class[0]->taps, task->class[1]->taps, task->class[2]->taps};

	split(index, size, at);
}

int emu_gemm_tap_runs(const struct emu_gemm_task *task, int64_t tap, int64_t start, int64_t count, struct emu_run *runs)
{
	int64_t at[3], offset[3];

	emu_gemm_tap(task, tap, at);
	for (int axis = 0; axis < 3; axis++)
		offset[axis] = task->class[axis]->offsets[at[axis]];
	return emu_grid_runs(&task->grid, offset, start, count, runs);
}

float *emu_gemm_gathered(const struct emu_gemm_task *task, int worker)
{
	return (float *)(task->private + (uint64_t)worker * task->private_bytes);
}

float *emu_gemm_tiles(const struct emu_gemm_task *task, int worker)
{
	char *end = task->private + ((uint64_t)worker + 1) * task->private_bytes;

	return (float *)end - task->blocks.block_rows * task->blocks.block_columns;
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

static bool is_finite(const float *values, int64_t count)
{
	const uint32_t infinity = 0x7f800000;
	uint32_t found = 0;

	for (int64_t i = 0; i < count; i++) {
		uint32_t bits;

		memcpy(&bits, &values[i], sizeof(bits));
		found |= (bits & infinity) == infinity;
	}
	return !found;
}

/*
 * A position outside the map is gathered as 0 and multiplied like any other, which is the same as leaving it out unless
 * the operand that is not gathered holds an infinity or a NaN there.
 */
static bool zeros_would_count(const struct emu_gemm_task *task)
{
	const struct emu_conv *conv = task->conv;
	bool outside = false;

	for (int axis = 0; axis < 3; axis++)
		outside |= reads_outside(&task->axes[axis]);
	if (!outside)
		return false;
	if (task->direction == EMU_TO_WEIGHT)
		return !is_finite(task->data->small, conv->batch * conv->groups * conv->small_channels * volume(conv->small));
	return !is_finite(task->data->weight,
	                  conv->groups * conv->small_channels * conv->big_channels * volume(conv->kernel));
}

void emu_gemm_run(const struct emu_gemm_vector *vector, enum emu_direction direction, const struct emu_conv *conv,
                  const struct emu_conv_data *data, void *scratch, int threads)
{
	struct emu_gemm_task task = {.vector = vector, .direction = direction, .conv = conv, .data = data};
	char *memory = scratch;

	for (int axis = 0; axis < 3; axis++) {
		emu_axis_build(&task.axes[axis], direction, conv, axis, memory);
		memory += line_bytes(emu_axis_bytes(direction, conv, axis));
		task.grid.map[axis] = task.axes[axis].source_size;
		task.grid.step[axis] = task.axes[axis].source_step;
	}
	if (zeros_would_count(&task)) {
		emu_reference_run(direction, conv, data, scratch, threads);
		return;
	}
	task.shared = (float *)memory;
	task.private = memory + line_bytes(shared_bytes(vector, direction, conv));
	task.private_bytes = private_bytes(vector, direction, conv);
	if (!is_worth_threads(conv))
		threads = 1;
	if (direction == EMU_TO_WEIGHT)
		emu_gemm_run_weight(&task, threads);
	else
		emu_gemm_run_map(&task, threads);
}
