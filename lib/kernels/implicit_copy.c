/* The padded copy of a map: pairs of channels in cells, or each channel for itself. */
#include "implicit_task.h"

enum {
	CHUNK = 256, /* cells of a piece */
	LINE = 4096  /* positions of a channel of a piece */
};

/* A channel of a chunk: NULL where the group has no more. */
static const char *channel_of(const struct emu_implicit_task *task, const struct emu_array *array, int64_t group,
                              int64_t channel)
{
	int64_t channels = inputs(&task->gemm);

	if (channel >= channels)
		return NULL;
	return emu_element(array->first, (group * channels + channel) * array->view.strides[1], array->view.stored);
}

/* Where the halves of a line are: in the array itself if they lie there side by side. */
static const uint16_t *find_halves(const struct emu_implicit_task *task, const struct emu_array *array,
                                   uint16_t line[CHUNK], const char *channel, int64_t offset, int64_t count)
{
	int64_t stride = array->view.strides[4] * task->copy.axis[2].step;
	const void *from = channel ? emu_element(channel, offset, array->view.stored) : NULL;

	if (!channel)
		memset(line, 0, (size_t)count * sizeof(uint16_t));
	else if (stride == 1 && array->view.stored == EMU_BF16 && array->number == EMU_BF16)
		return from;
	else
		emu_load_halves(task->gemm.row_code, array, line, from, stride, count);
	return line;
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
                     const int64_t remainder[3], const struct emu_implicit_part *part, uint32_t *words, int64_t pitch)
{
	int64_t count, offset = locate(task, array, remainder, part, &count);
	uint16_t low[CHUNK], high[CHUNK];

	for (int64_t word = 0; word < EMU_IMPLICIT_WORDS && count > 0; word++) {
		int64_t input = 2 * (block * EMU_IMPLICIT_WORDS + word);
		const char *first = channel_of(task, array, group, input), *second = channel_of(task, array, group, input + 1);

		if (first)
			task->gemm.row_code->zip_halves(words + word * pitch,
			                                find_halves(task, array, low, first, offset, count),
			                                find_halves(task, array, high, second, offset, count), count);
	}
}

/* One piece: some cells of one block of inputs and one remainder. */
static void fill_chunk(void *argument, int64_t piece, int worker)
{
	enum { PITCH = CHUNK + 16 /* lines a power of two apart would share their cache sets */ };
	const struct emu_implicit_task *task = argument;
	const struct emu_implicit_copy *copy = &task->copy;
	const struct emu_array *array = task->gemm.call->direction == EMU_TO_SMALL ? &task->gemm.call->big
	                                                                           : &task->gemm.call->small;
	int64_t chunks = ceil_div(copy->remainder, CHUNK), first = piece % chunks * CHUNK, plane = piece / chunks;
	int64_t count = least(CHUNK, copy->remainder - first), block = plane / copy->remainders, remainder[3];
	int64_t done = most(0, least(count, copy->lead - first));
	uint32_t words[EMU_IMPLICIT_WORDS * PITCH];

	(void)worker;
	memset(words, 0, sizeof(words));
	remainder_of(copy, plane % copy->remainders, remainder);
	for (struct emu_implicit_part part; done < count; done += part.count) {
		part = emu_implicit_part(copy, first + done - copy->lead, count - done);
		if (part.image >= array->view.dims[0])
			break;
		zip_part(task, array, block / copy->blocks, block % copy->blocks, remainder, &part, words + done, PITCH);
	}
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

/* One piece: some positions of one remainder of one channel of the big map. */
static void fill_line(void *argument, int64_t piece, int worker)
{
	struct emu_implicit_task *task = argument;
	const struct emu_implicit_copy *copy = &task->copy;
	const struct emu_array *array = &task->gemm.call->big;
	int64_t chunks = ceil_div(copy->remainder, LINE), first = piece % chunks * LINE, plane = piece / chunks;
	int64_t count = least(LINE, copy->remainder - first), channel = plane / copy->remainders, remainder[3];
	int64_t done = most(0, least(count, copy->lead - first));
	uint16_t *to = (uint16_t *)(void *)copy->cells;

	(void)worker;
	to += channel * copy->block + plane % copy->remainders * copy->remainder + first;
	memset(to, 0, (size_t)count * sizeof(uint16_t));
	remainder_of(copy, plane % copy->remainders, remainder);
	for (struct emu_implicit_part part; done < count; done += part.count) {
		int64_t offset, some;

		part = emu_implicit_part(copy, first + done - copy->lead, least(count - done, EMU_MOST_HALVES));
		if (part.image >= array->view.dims[0])
			break;
		offset = locate(task, array, remainder, &part, &some) + channel * array->view.strides[1];
		if (some > 0)
			emu_load_halves(task->gemm.row_code, array, to + done,
			                emu_element(array->first, offset, array->view.stored),
			                array->view.strides[4] * copy->axis[2].step, some);
	}
	if (!task->vector->pairs->is_finite(to, count / 2))
		task->gemm.found_infinite = true;
}

void emu_implicit_fill_lines(struct emu_implicit_task *task, int threads)
{
	const struct emu_implicit_copy *copy = &task->copy;
	const struct emu_conv *conv = &task->gemm.call->conv;

	emu_pool_run(threads,
	             conv->groups * conv->big_channels * copy->remainders * ceil_div(copy->remainder, LINE), fill_line, task);
}
