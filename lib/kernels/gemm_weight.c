/*
 * Writing the weight: C is [channels of the big map * taps][channels of the small one], summed over positions. A is
 * gathered from the big map by each piece; B, the small map transposed, is packed once for all. With one tap the maps
 * may change places, since transposing costs more than gathering: task->packed is the map with fewer channels then.
 */
#include "gemm_task.h"

enum { MOST_LANES = 16 };

void emu_gemm_copy_rows(const struct emu_gemm_task *task, void *to, int64_t to_pitch, const struct emu_planes *planes,
                        int64_t channel, int64_t lines, struct emu_run *runs, int made, int64_t count)
{
	const char *from = (const char *)planes->first + channel * planes->channel * planes->element;
	int64_t whole = round_up(count, (int64_t)task->vector->unit * emu_gemm_per_word(task));

	if (count < whole)
		runs[made++] = (struct emu_run){0, (int32_t)count, (int32_t)(whole - count), false};
	if (task->vector->pairs)
		task->vector->copy_halves(to, to_pitch * 2, from, planes->channel, planes->end, lines, runs, made);
	else
		emu_planes_copy(planes, task->vector, to, to_pitch, from, lines, runs, made);
}

/* Where the only tap reads the big map, if that is the packed one; the small map is read from its beginning on. */
static void offset_of_packed(const struct emu_gemm_task *task, int64_t offset[3])
{
	for (int axis = 0; axis < 3; axis++)
		offset[axis] = task->packed.small ? 0 : task->class[axis]->offsets[0];
}

void emu_gemm_pack_map(struct emu_gemm_task *task, int64_t piece, const int64_t positions[3], const int64_t offset[3],
                       int64_t first, int64_t count, int worker)
{
	const struct emu_gemm_vector *vector = task->vector;
	int64_t group = piece / task->chunks, words = emu_gemm_words(task, count), channels = task->packed.channels;
	uint32_t *square = emu_gemm_gathered(task, worker), *panels = (uint32_t *)(void *)task->shared;
	struct emu_run runs[EMU_GEMM_RUNS];
	int made = emu_planes_runs(&task->packed, positions, offset, first, count, runs);

	panels += piece * task->shared_chunk;
	for (int64_t channel = 0; channel < task->shared_chunk / vector->depth; channel += vector->lanes) {
		int64_t lines = least(vector->lanes, channels - channel);

		if (lines > 0)
			emu_gemm_copy_rows(task, square, vector->pitch, &task->packed, group * channels + channel, lines, runs,
			                   made, count);
		else
			lines = 0;
		memset(square + lines * vector->pitch, 0, (size_t)((vector->lanes - lines) * vector->pitch) * 4);
		if (task->zeros_meet_products)
			for (int64_t i = 0; i < lines; i++)
				if (!vector->is_finite(square + i * vector->pitch, words))
					task->found_infinite = true;
		vector->transpose(panels + channel / vector->columns * vector->columns * vector->depth +
		                  channel % vector->columns, vector->columns, square, vector->pitch, words);
	}
}

/* One piece: one chunk of positions of one group of the packed map, transposed to panels. */
static void pack_chunk(void *argument, int64_t piece, int worker)
{
	struct emu_gemm_task *task = argument;
	int64_t first = piece % task->chunks * task->chunk, offset[3];

	offset_of_packed(task, offset);
	emu_gemm_pack_map(task, piece, task->positions, offset, first, least(task->chunk, task->depth - first), worker);
}

static int rows_runs(const struct emu_gemm_task *task, int64_t tap, int64_t start, int64_t count, struct emu_run *runs)
{
	static const int64_t nowhere[3];

	if (task->gathered.small)
		return emu_planes_runs(&task->gathered, task->positions, nowhere, start, count, runs);
	return emu_gemm_tap_runs(task, tap, start, count, runs);
}

/* Gathers rows first..first+rows-1 of [channel][tap] x positions start..start+count-1. */
static void gather_rows(const struct emu_gemm_task *task, uint32_t *a, int64_t group, int64_t first, int64_t rows,
                        int64_t start, int64_t count)
{
	int64_t pitch = task->vector->pitch;
	struct emu_run runs[EMU_GEMM_RUNS];

	for (int64_t row = first; row < first + rows && row < first + task->taps; row++) {
		int64_t channel = group * task->gathered.channels + row / task->taps;
		int made = rows_runs(task, row % task->taps, start, count, runs);

		emu_gemm_copy_rows(task, a + (row - first) * pitch, task->taps * pitch, &task->gathered, channel,
		                   ceil_div(first + rows - row, task->taps), runs, made, count);
	}
}

void emu_gemm_store_weights(const struct emu_gemm_task *task, const float *from, int64_t small, int64_t begin,
                            int64_t count)
{
	const struct emu_array *array = &task->call->weight;
	struct emu_weight_run run;

	for (; count > 0; begin += run.count, from += run.count, count -= run.count) {
		run = emu_gemm_weight_run(&array->view, small, begin, count);
		task->row_code->store(emu_element(array->first, run.offset, array->view.stored), run.stride, from, run.count,
		                      array->view.stored);
	}
}

/*
 * The rows of the block are consecutive weights of each small channel, so squares of C are transposed; with the maps
 * changed the columns are.
 */
static void store_block(const struct emu_gemm_task *task, float *tiles, int64_t group, int64_t row, int64_t rows,
                        int64_t column, int64_t columns)
{
	enum { SLICE = 192 };
	const struct emu_array *weight = &task->call->weight;
	int64_t width = task->vector->columns, panel = round_up(rows, task->vector->rows) * width;
	int lanes = task->vector->lanes;
	int64_t first_small = group * task->call->conv.small_channels;
	float line[MOST_LANES][SLICE];

	if (emu_needs_rounding(weight))
		task->row_code->round(tiles, round_up(columns, width) / width * panel, weight->number);
	for (int64_t j = 0; j < columns && task->gathered.small; j += width)
		for (int64_t i = 0; i < rows; i++)
			emu_gemm_store_weights(task, tiles + j / width * panel + i * width, first_small + row + i, column + j,
			                       least(columns - j, width));
	for (int64_t j = 0; j < columns && !task->gathered.small; j += lanes) {
		const float *from = tiles + j / width * panel + j % width;

		for (int64_t i = 0; i < rows; i += SLICE) {
			int64_t some = least(rows - i, SLICE);

			for (int64_t k = 0; k < some; k += lanes)
				task->vector->transpose(&line[0][k], SLICE, from + (i + k) * width, width, lanes);
			for (int64_t k = 0; k < lanes && j + k < columns; k++)
				emu_gemm_store_weights(task, line[k], first_small + column + j + k, row + i, some);
		}
	}
}

/* What is gathered after a chunk of a piece, as far as its rows lie at one distance. */
static struct emu_gemm_ahead ahead_of(const struct emu_gemm_task *task, int64_t piece, int64_t chunk)
{
	const struct emu_planes *planes = &task->gathered;
	struct emu_run runs[EMU_GEMM_RUNS];
	struct emu_gemm_block block;
	int64_t first;

	if (!emu_gemm_coming(task, piece, chunk, &block, &first))
		return emu_planes_nothing(planes);
	rows_runs(task, task->taps / 2, first, least(task->chunk, task->depth - first), runs);
	return emu_planes_ahead(planes, block.group * planes->channels + block.row / task->taps, runs,
	                        ceil_div(block.rows, task->taps));
}

static void multiply_weight(void *argument, int64_t piece, int worker)
{
	const struct emu_gemm_task *task = argument;
	const struct emu_gemm_vector *vector = task->vector;
	const struct emu_gemm_block block = emu_gemm_block(task, piece);
	int64_t rows = block.rows, columns = block.columns;
	const char *b = task->shared + (block.group * task->chunks * task->shared_chunk + block.column * vector->depth) * 4;
	uint32_t *a = emu_gemm_gathered(task, worker);
	float *tiles = emu_gemm_tiles(task, worker);
	struct emu_gemm_ahead ahead;

	memset(a + rows * vector->pitch, 0, (size_t)((round_up(rows, vector->rows) - rows) * vector->pitch) * 4);
	if (task->chunks == 0)
		vector->multiply(tiles, a, b, rows, columns, 0, true, &(struct emu_gemm_ahead){.at = b});
	for (int64_t chunk = 0; chunk < task->chunks; chunk++) {
		int64_t first = chunk * task->chunk, count = least(task->chunk, task->depth - first);

		gather_rows(task, a, block.group, block.row, rows, first, count);
		ahead = ahead_of(task, piece, chunk);
		vector->multiply(tiles, a, b + chunk * task->shared_chunk * 4, rows, columns, (int)emu_gemm_words(task, count),
		                 chunk == 0, &ahead);
	}
	store_block(task, tiles, block.group, block.row, rows, block.column, columns);
}

void emu_gemm_run_weight(struct emu_gemm_task *task, int threads)
{
	const struct emu_conv *conv = &task->call->conv;

	for (int axis = 0; axis < 3; axis++) {
		task->class[axis] = &task->axes[axis].class[0];
		task->positions[axis] = conv->small[axis];
	}
	task->taps = volume(conv->kernel);
	task->threads = threads;
	task->shared_chunk = task->vector->depth * round_up(task->packed.channels, task->vector->columns);
	if (emu_gemm_boxes(task->call) > 0) {
		emu_gemm_run_boxes(task, threads);
		return;
	}
	task->depth = conv->batch * volume(conv->small);
	/* whole vectors of positions, so that gathering a chunk begins where cache lines do */
	emu_gemm_cut_depth(task, (int64_t)task->vector->depth * emu_gemm_per_word(task),
	                   (int64_t)task->vector->lanes * emu_gemm_per_word(task));
	task->blocks = emu_gemm_cut(task, task->taps * task->gathered.channels, task->packed.channels, threads);
	emu_pool_run(threads, conv->groups * task->chunks, pack_chunk, task);
	if (!task->found_infinite)
		emu_pool_run(threads, emu_gemm_pieces(task), multiply_weight, task);
}
