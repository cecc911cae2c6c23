/*
 * Writing a map, the packing of the weights: A, of rows [phases in z and y][channels][phases in x] and words
 * [taps][channels], in chunks of a depth that multiply sums up.
 */
#include "gemm_task.h"

enum { MOST_LANES = 16, SLICE = 256 /* weights that are rearranged at a time */ };

/* The row of C of a phase and a channel: phases that differ in x alone are neighbours. */
static int64_t row_of(const struct emu_gemm_task *task, int64_t phase, int64_t channel)
{
	int64_t in_x = task->class[2]->phases;

	return (phase / in_x * outputs(task) + channel) * in_x + phase % in_x;
}

/* Where each tap of the kernel lies: its phase, or -1 if it is of another class, and its place in the list. */
static void find_places(struct emu_gemm_task *task)
{
	const int64_t *kernel = task->call->conv.kernel;
	const struct emu_axis_phase *phase[3];
	int64_t at[3];

	for (int64_t tap = 0; tap < volume(kernel); tap++)
		task->places[2 * tap] = -1;
	for (int64_t index = 0; index < emu_gemm_phases(task); index++) {
		emu_gemm_phase(task, index, phase);
		for (int64_t tap = 0; tap < task->taps; tap++) {
			int32_t *place;

			emu_gemm_tap(task, tap, at);
			place = task->places + 2 * ((phase[0]->taps[at[0]] * kernel[1] + phase[1]->taps[at[1]]) * kernel[2] +
			                            phase[2]->taps[at[2]]);
			place[0] = (int32_t)index;
			place[1] = (int32_t)tap;
		}
	}
}

struct emu_weight_run emu_gemm_weight_run(const struct emu_view *weight, int64_t small, int64_t first, int64_t most)
{
	const int64_t *dims = weight->dims, *strides = weight->strides;
	int64_t taps = volume(dims + 2), at[3];
	bool dense = strides[4] == 1 && strides[3] == dims[4] && strides[2] == dims[3] * dims[4] && strides[1] == taps;

	split(first % taps, dims + 2, at);
	return (struct emu_weight_run){
		.offset = small * strides[0] + first / taps * strides[1] + at[0] * strides[2] + at[1] * strides[3] +
		          at[2] * strides[4],
		.stride = strides[4],
		.count = dense ? most : least(dims[4] - at[2], most),
	};
}

/* Elements first..first+count-1 of [channels of the big map][taps] of the weight of one small channel, as floats. */
static void load_weights(const struct emu_gemm_task *task, float *to, int64_t small, int64_t first, int64_t count)
{
	const struct emu_array *array = &task->call->weight;
	struct emu_weight_run run;

	for (int64_t done = 0; done < count; done += run.count) {
		run = emu_gemm_weight_run(&array->view, small, first + done, count - done);
		task->row_code->load(to + done, emu_element(array->first, run.offset, array->view.stored), run.stride,
		                     run.count, array->view.stored);
	}
	if (emu_needs_rounding(array))
		task->row_code->round(to, count, array->number);
}

/* The weights of one input, or of a pair of them, as words. `next` is false where the pair has no second. */
static void load_words(const struct emu_gemm_task *task, uint32_t *to, int64_t small, bool next, int64_t first,
                       int64_t count)
{
	float floats[SLICE];
	uint16_t halves[2][SLICE];

	if (!task->vector->pairs) {
		load_weights(task, (float *)(void *)to, small, first, count);
		return;
	}
	for (int i = 0; i <= next; i++) {
		load_weights(task, floats, small + i, first, count);
		task->row_code->store(halves[i], 1, floats, count, EMU_BF16);
	}
	if (!next)
		memset(halves[1], 0, (size_t)count * sizeof(uint16_t));
	task->row_code->zip_halves(to, halves[0], halves[1], count);
}

/* Lays `count` words along a row of A that belong to a tap and to inputs from word `word` on. */
static void lay_words(const struct emu_gemm_task *task, char *a, int64_t row, int64_t tap, int64_t word,
                      const uint32_t *words, int64_t count)
{
	int64_t k = tap * task->gathered.channels + word, chunk = k / task->chunk;

	k %= task->chunk;
	for (int64_t run; count > 0; count -= run, words += run, chunk++, k = 0) {
		char *to = a + (chunk * task->shared_chunk + row * task->vector->pitch + k) * 4;

		run = least(count, task->chunk - k);
		if (run == MOST_LANES) /* a vector, without a call */
			memcpy(to, words, MOST_LANES * 4);
		else
			memcpy(to, words, (size_t)run * 4);
	}
}

/* Lays one tap of a slice of weights that begins with tap `tap` of big channel `channel`. */
static void lay_tap(const struct emu_gemm_task *task, char *a, int64_t tap, int64_t word, const uint32_t *words,
                    int64_t first, int64_t slice, int64_t count)
{
	int64_t taps = volume(task->call->conv.kernel), k, channel;
	const int32_t *place = task->places + tap * 2;
	char *to;

	if (place[0] < 0)
		return;
	channel = first / taps + (first % taps > tap);
	k = place[1] * task->gathered.channels + word;
	to = a + (k / task->chunk * task->shared_chunk + k % task->chunk) * 4;
	for (int64_t at = channel * taps + tap - first; at < slice; at += taps, channel++) {
		int64_t row = row_of(task, place[0], channel);

		if (count == MOST_LANES && k % task->chunk + count <= task->chunk)
			memcpy(to + row * task->vector->pitch * 4, words + at * MOST_LANES, MOST_LANES * 4);
		else
			lay_words(task, a, row, place[1], word, words + at * MOST_LANES, count);
	}
}

/*
 * One piece: a few words of inputs (small channels) of one group, for every row. The weights of an input lie in the
 * order of the rows, so squares of inputs and rows are transposed.
 */
static void pack_columns(struct emu_gemm_task *task, char *a, int64_t group, int64_t word, int64_t count)
{
	const struct emu_conv *conv = &task->call->conv;
	int64_t taps = volume(conv->kernel), elements = conv->big_channels * taps;
	uint32_t lines[MOST_LANES][SLICE + MOST_LANES], turned[SLICE + MOST_LANES][MOST_LANES];
	int per_word = task->vector->pairs ? 2 : 1;

	memset(lines, 0, sizeof(lines));
	for (int64_t first = 0; first < elements; first += SLICE) {
		int64_t slice = least(elements - first, SLICE);

		for (int64_t i = 0; i < count; i++) {
			int64_t input = (word + i) * per_word;

			load_words(task, lines[i], group * conv->small_channels + input, input + 1 < conv->small_channels, first,
			           slice);
			if (task->zeros_meet_products && !task->vector->is_finite(lines[i], slice))
				task->found_infinite = true;
		}
		task->vector->transpose(turned, MOST_LANES, lines, SLICE + MOST_LANES, slice);
		for (int64_t tap = 0; tap < taps; tap++)
			lay_tap(task, a, tap, word, turned[0], first, slice, count);
	}
}

/*
 * The same where the inputs are the big channels: the weights of a row lie together, taps fastest, so squares of inputs
 * and taps are transposed.
 */
static void pack_rows(struct emu_gemm_task *task, char *a, int64_t group, int64_t word, int64_t count)
{
	const struct emu_conv *conv = &task->call->conv;
	int per_word = task->vector->pairs ? 2 : 1, lanes = task->vector->lanes;
	int64_t taps = volume(conv->kernel), input = word * per_word, most = least(taps, SLICE);
	int64_t inputs = least(count * per_word, conv->big_channels - input);
	float lines[2 * MOST_LANES * SLICE + MOST_LANES], turned[SLICE + MOST_LANES][2 * MOST_LANES] = {{0}};
	uint32_t words[MOST_LANES];

	memset(lines, 0, sizeof(lines));
	for (int64_t row = 0; row < conv->small_channels; row++) {
		int64_t small = group * conv->small_channels + row;

		for (int64_t tap = 0; tap < taps; tap += most) {
			int64_t some = least(taps - tap, most);

			/* inputs follow each other without gaps where all their taps are taken */
			for (int64_t i = 0; i < inputs; i += some == taps ? inputs : 1)
				load_weights(task, lines + i * some, small, (input + i) * taps + tap,
				             some == taps ? inputs * taps : some);
			if (most < taps) /* else nothing was ever written there */
				memset(lines + inputs * some, 0, (size_t)(2 * MOST_LANES - inputs) * (size_t)some * sizeof(float));
			for (int i = 0; i < inputs; i += lanes)
				task->vector->transpose(&turned[0][i], 2 * MOST_LANES, lines + i * some, some, some);
			for (int64_t k = 0; k < some; k++) {
				const int32_t *place = task->places + 2 * (tap + k);
				const void *laid = turned[k];

				if (task->vector->pairs) {
					task->row_code->store(words, 1, turned[k], 2 * count, EMU_BF16);
					laid = words;
				}
				if (task->zeros_meet_products && !task->vector->is_finite(laid, count))
					task->found_infinite = true;
				if (place[0] >= 0)
					lay_words(task, a, row, place[1], word, laid, count);
			}
		}
	}
}

/* Zeros where A has rows or words that nobody lays. */
static void clear_edges(const struct emu_gemm_task *task, char *a)
{
	const struct emu_gemm_vector *vector = task->vector;
	int64_t last = task->depth - (task->chunks - 1) * task->chunk;
	char *chunk = a + (task->chunks - 1) * task->shared_chunk * 4;

	for (int64_t row = 0; row < task->blocks.rows; row++)
		memset(chunk + (row * vector->pitch + last) * 4, 0, (size_t)(round_up(last, vector->unit) - last) * 4);
	for (int64_t i = 0; i < task->chunks; i++)
		memset(a + (i * task->shared_chunk + task->blocks.rows * vector->pitch) * 4, 0,
		       (size_t)((emu_gemm_padded_rows(task) - task->blocks.rows) * vector->pitch) * 4);
}

static int64_t pieces_of_weights(const struct emu_gemm_task *task)
{
	return ceil_div(task->gathered.channels, task->vector->lanes);
}

static void pack_weights(void *argument, int64_t piece, int worker)
{
	struct emu_gemm_task *task = argument;
	int64_t pieces = pieces_of_weights(task), group = piece / pieces, word = piece % pieces * task->vector->lanes;
	int64_t count = least(task->gathered.channels - word, task->vector->lanes);
	char *a = task->shared + group * task->chunks * task->shared_chunk * 4;

	(void)worker;
	if (word == 0)
		clear_edges(task, a);
	if (task->call->direction == EMU_TO_BIG)
		pack_columns(task, a, group, word, count);
	else
		pack_rows(task, a, group, word, count);
}

void emu_gemm_pack(struct emu_gemm_task *task, int threads)
{
	find_places(task);
	emu_pool_run(threads, task->call->conv.groups * pieces_of_weights(task), pack_weights, task);
}
