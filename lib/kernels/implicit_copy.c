/* The padded copy of a map: words of two channels at a position, or of two positions of a channel. */
#include "implicit_task.h"

enum {
	CHUNK = 256,       /* cells of a piece */
	PITCH = CHUNK + 16 /* lines a power of two apart would share their cache sets */
};

/* A channel of a chunk: NULL where the group has no more. */
static const char *channel_of(const struct emu_implicit_task *task, const struct emu_array *array, int64_t group,
                              int64_t channel)
{
	int64_t channels = array == &task->gemm.call->small ? task->gemm.call->conv.small_channels
	                                                    : task->gemm.call->conv.big_channels;

	if (channel >= channels)
		return NULL;
	return emu_element(array->first, (group * channels + channel) * array->view.strides[1], array->view.stored);
}

/* The halves of a line: zeros where the group has no such channel. */
static const uint16_t *find_halves(const struct emu_implicit_task *task, const struct emu_array *array,
                                   uint16_t line[CHUNK], const char *channel, int64_t offset, int64_t count)
{
	if (channel)
		return emu_find_halves(task->gemm.row_code, array, line, emu_element(channel, offset, array->view.stored),
		                       array->view.strides[4] * task->copy.axis[2].step, count);
	return memset(line, 0, (size_t)count * sizeof(uint16_t));
}

/*
 * Where a part of a row of the copy begins in a channel of the map, in elements, and how many of its positions lie in
 * it; `remainder` by axis.
 */
static int64_t locate(const struct emu_implicit_task *task, const struct emu_array *array, const int64_t remainder[3],
                      const struct emu_implicit_part *part, int64_t *count)
{
	const struct emu_implicit_axis *axis = task->copy.axis;
	int64_t offset = part->image * array->view.strides[0], left = 0;

	*count = 0;
	for (int i = 0; i < 3; i++) {
		int64_t size = array->view.dims[2 + i];

		left = remainder[i] < size ? ceil_div(size - remainder[i], axis[i].step) - part->at[i] : 0;
		if (left <= 0)
			return 0;
		offset += (remainder[i] + part->at[i] * axis[i].step) * array->view.strides[2 + i];
	}
	*count = least(part->count, left);
	return offset;
}

static void remainder_of(const struct emu_implicit_copy *copy, int64_t index, int64_t remainder[3])
{
	const int64_t steps[3] = {copy->axis[0].step, copy->axis[1].step, copy->axis[2].step};

	split(index, steps, remainder);
}

/* Fills in what of a part of a row is map. */
static void zip_part(const struct emu_implicit_task *task, const struct emu_array *array, int64_t group, int64_t block,
                     const int64_t remainder[3], const struct emu_implicit_part *part, uint32_t *words)
{
	int64_t count, offset = locate(task, array, remainder, part, &count);
	uint16_t low[CHUNK], high[CHUNK];

	for (int64_t word = 0; word < EMU_IMPLICIT_WORDS && count > 0; word++) {
		int64_t input = 2 * (block * EMU_IMPLICIT_WORDS + word);
		const char *first = channel_of(task, array, group, input), *second = channel_of(task, array, group, input + 1);

		if (first)
			task->gemm.row_code->zip_halves(words + word * PITCH,
			                                find_halves(task, array, low, first, offset, count),
			                                find_halves(task, array, high, second, offset, count), count);
	}
}

/* The same of single channels. */
static void load_part(const struct emu_implicit_task *task, const struct emu_array *array, int64_t group, int64_t block,
                      const int64_t remainder[3], const struct emu_implicit_part *part, uint16_t *lines)
{
	int64_t count, offset = locate(task, array, remainder, part, &count);

	for (int64_t line = 0; line < EMU_IMPLICIT_WORDS && count > 0; line++) {
		const char *channel = channel_of(task, array, group, block * EMU_IMPLICIT_WORDS + line);

		if (channel)
			emu_load_halves(task->gemm.row_code, array, lines + line * PITCH,
			                emu_element(channel, offset, array->view.stored),
			                array->view.strides[4] * task->copy.axis[2].step, count);
	}
}

/* One piece: some cells of one block of inputs and one remainder. */
static void fill_chunk(void *argument, int64_t piece, int worker)
{
	struct emu_implicit_task *task = argument;
	const struct emu_implicit_copy *copy = &task->copy;
	const struct emu_conv_call *call = task->gemm.call;
	const struct emu_array *array = call->direction == EMU_TO_BIG ? &call->small : &call->big;
	bool to_weight = call->direction == EMU_TO_WEIGHT;
	int64_t chunks = ceil_div(copy->remainder, CHUNK), first = piece % chunks * CHUNK, plane = piece / chunks;
	int64_t count = least(CHUNK, copy->remainder - first), block = plane / copy->remainders, remainder[3];
	int64_t end = count + to_weight, done = most(0, least(end, copy->lead - first));
	uint32_t words[EMU_IMPLICIT_WORDS * PITCH];
	uint16_t lines[EMU_IMPLICIT_WORDS * PITCH];

	(void)worker;
	memset(to_weight ? (void *)lines : words, 0, to_weight ? sizeof(lines) : sizeof(words));
	remainder_of(copy, plane % copy->remainders, remainder);
	for (struct emu_implicit_part part; done < end; done += part.count) {
		part = emu_implicit_part(copy, first + done - copy->lead, end - done);
		if (part.image >= array->view.dims[0])
			break;
		if (to_weight)
			load_part(task, array, block / copy->blocks, block % copy->blocks, remainder, &part, lines + done);
		else
			zip_part(task, array, block / copy->blocks, block % copy->blocks, remainder, &part, words + done);
	}
	for (int64_t i = 0; i < EMU_IMPLICIT_WORDS && to_weight; i++)
		task->gemm.row_code->zip_halves(words + i * PITCH, lines + i * PITCH, lines + i * PITCH + 1, count);
	if (to_weight && !task->vector->pairs->is_finite(lines, EMU_IMPLICIT_WORDS * PITCH / 2))
		task->gemm.found_infinite = true;
	task->vector->pairs->transpose(copy->cells + (plane * copy->remainder + first) * EMU_IMPLICIT_CELL,
	                               EMU_IMPLICIT_WORDS, words, PITCH, count);
}

void emu_implicit_fill(struct emu_implicit_task *task, int threads)
{
	const struct emu_implicit_copy *copy = &task->copy;

	emu_pool_run(threads,
	             task->gemm.call->conv.groups * copy->blocks * copy->remainders * ceil_div(copy->remainder, CHUNK),
	             fill_chunk, task);
}
