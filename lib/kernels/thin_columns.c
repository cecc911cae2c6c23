/*
 * The lines of some positions of the small map as columns of a matrix product, two channels in a word, and the columns
 * added where they belong.
 */
#include <string.h>

#include "thin_task.h"

static uint32_t bits_of(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

/* Channels of one chunk, in words; the last word may be half a pair, and zeros follow. */
static int64_t words_of(const struct emu_thin_task *task, int64_t channels)
{
	return round_up(ceil_div(channels, 2), task->vector->pairs->unit);
}

void emu_thin_pack_pairs(const struct emu_thin_task *task)
{
	const struct emu_conv *conv = &task->call->conv;
	int64_t channels = conv->big_channels, taps = volume(conv->kernel), depth = task->vector->depth;

	for (int64_t first = 0, count; first < conv->groups * conv->small_channels; first += count) {
		int64_t input = first % conv->small_channels, words;

		count = least(depth, conv->small_channels - input);
		words = words_of(task, count);
		for (int64_t line = 0; line < task->lines; line++) {
			const float *from = task->weights + first * task->lines + line % channels * taps + line / channels;
			uint32_t *to = (uint32_t *)(void *)emu_thin_packed(task, first / conv->small_channels, input / depth,
			                                                   task->lines, line);

			for (int64_t i = 0; i < 2 * words; i += 2)
				to[i / 2] = (i < count ? bits_of(from[i * task->lines]) >> 16 : 0) |
				            (i + 1 < count ? bits_of(from[(i + 1) * task->lines]) & 0xffff0000u : 0);
		}
	}
}

/* Of a worker: a panel of words, a line of zeros, and the product. */
uint64_t emu_thin_column_floats(const struct emu_thin_task *task)
{
	const struct emu_gemm_vector *pairs = task->vector->pairs;
	int64_t words = words_of(task, task->vector->depth);

	return (uint64_t)((words + 1 + round_up(task->lines, pairs->rows) + 1) * pairs->columns);
}

/* Some positions of all channels, as many as a panel has columns; behind the last one is anything. */
static void fill_panel(const struct emu_thin_task *task, float *panel, const float *zeros, const float *from,
                       int64_t channels)
{
	int64_t columns = task->vector->pairs->columns, words = words_of(task, channels), whole = ceil_div(channels, 2);

	for (int64_t word = 0; word < whole; word++, from += 2 * task->pitch)
		task->vector->pair(panel + word * columns, from, 2 * word + 1 < channels ? from + task->pitch : zeros, columns);
	memset(panel + whole * columns, 0, (size_t)((words - whole) * columns) * sizeof(float));
}

void emu_thin_add_columns(const struct emu_thin_task *task, float *to, int64_t lines, const float *factors,
                          const float *from, int64_t channels, const struct emu_thin_part *part, float *memory)
{
	const struct emu_gemm_vector *pairs = task->vector->pairs;
	int64_t columns = pairs->columns, positions = part->rows * part->count;
	struct emu_gemm_ahead nothing = {.at = (const char *)memory};
	float *zeros = memory, *panel = zeros + columns;
	float *product = panel + words_of(task, task->vector->depth) * columns;

	memset(zeros, 0, (size_t)columns * sizeof(float));
	for (int64_t first = 0; first < positions; first += columns) {
		int64_t count = least(columns, positions - first), run;

		fill_panel(task, panel, zeros, from + first, channels);
		pairs->multiply(product, factors, panel, lines, count, (int)ceil_div(channels, 2), true, &nothing);
		for (int64_t i = 0; i < count; i += run) {
			int64_t row = (first + i) / part->count, x = (first + i) % part->count;

			run = least(count - i, part->count - x);
			task->vector->add(to + row * part->a_row + x, task->line_offsets, lines, product + i, columns, run);
		}
	}
}
