/* Few channels per group: every row of the result is the sum of scaled rows, every weight a sum of products of rows. */
#include "direct.h"

#include <string.h>

#include "work.h"

enum { MOST_CHANNELS = 4 };

struct task {
	const struct emu_direct_vector *vector;
	enum emu_direction direction;
	const struct emu_conv *conv;
	const struct emu_conv_data *data;
};

/* The small positions of an axis that a tap joins to the big map. */
struct span {
	int64_t begin, end;
	int64_t big; /* the big position of `begin` */
};

static int64_t volume(const int64_t size[3])
{
	return size[0] * size[1] * size[2];
}

static int64_t ceil_positive(int64_t value, int64_t divisor)
{
	return value <= 0 ? 0 : (value - 1) / divisor + 1;
}

static struct span span_of(const struct emu_conv *conv, int axis, int64_t tap)
{
	int64_t offset = tap * conv->dilation[axis] - conv->padding[axis];
	int64_t begin = ceil_positive(-offset, conv->stride[axis]);
	int64_t end = ceil_positive(conv->big[axis] - offset, conv->stride[axis]);

	if (end > conv->small[axis])
		end = conv->small[axis];
	return (struct span){begin, end > begin ? end : begin, begin * conv->stride[axis] + offset};
}

static void tap_spans(const struct emu_conv *conv, int64_t tap, struct span span[3])
{
	span[0] = span_of(conv, 0, tap / conv->kernel[2] / conv->kernel[1]);
	span[1] = span_of(conv, 1, tap / conv->kernel[2] % conv->kernel[1]);
	span[2] = span_of(conv, 2, tap % conv->kernel[2]);
}

/* Adds one tap of one pair of planes, in the direction of the task. */
static void add_tap(const struct task *task, float *to, const float *from, int64_t tap, float factor)
{
	const struct emu_conv *conv = task->conv;
	bool to_small = task->direction == EMU_TO_SMALL;
	struct span span[3];
	int64_t count;

	tap_spans(conv, tap, span);
	count = span[2].end - span[2].begin;
	for (int64_t z = span[0].begin; z < span[0].end; z++) {
		int64_t big_z = span[0].big + (z - span[0].begin) * conv->stride[0];

		for (int64_t y = span[1].begin; y < span[1].end; y++) {
			int64_t big_y = span[1].big + (y - span[1].begin) * conv->stride[1];
			int64_t small = (z * conv->small[1] + y) * conv->small[2] + span[2].begin;
			int64_t big = (big_z * conv->big[1] + big_y) * conv->big[2] + span[2].big;

			if (to_small)
				task->vector->add(to + small, 1, from + big, conv->stride[2], count, factor);
			else
				task->vector->add(to + big, conv->stride[2], from + small, 1, count, factor);
		}
	}
}

/* One piece: one written plane. */
static void add_plane(void *argument, int64_t plane, int worker)
{
	const struct task *task = argument;
	const struct emu_conv *conv = task->conv;
	bool to_small = task->direction == EMU_TO_SMALL;
	int64_t outputs = to_small ? conv->small_channels : conv->big_channels;
	int64_t inputs = to_small ? conv->big_channels : conv->small_channels;
	int64_t output_size = volume(to_small ? conv->small : conv->big);
	int64_t input_size = volume(to_small ? conv->big : conv->small);
	int64_t output = plane % outputs, group = plane / outputs % conv->groups, taps = volume(conv->kernel);
	float *to = (to_small ? task->data->small : task->data->big) + plane * output_size;
	const float *from = (to_small ? task->data->big : task->data->small) + plane / outputs * inputs * input_size;

	(void)worker;
	memset(to, 0, (size_t)output_size * sizeof(float));
	for (int64_t input = 0; input < inputs; input++, from += input_size) {
		int64_t small = to_small ? output : input, big = to_small ? input : output;
		const float *weight =
			task->data->weight + ((group * conv->small_channels + small) * conv->big_channels + big) * taps;

		for (int64_t tap = 0; tap < taps; tap++)
			add_tap(task, to, from, tap, weight[tap]);
	}
}

/* The sum of one tap over one pair of planes. */
static double dot_tap(const struct task *task, const float *small, const float *big, int64_t tap)
{
	const struct emu_conv *conv = task->conv;
	int64_t row = conv->big[2] * conv->stride[1];
	struct span span[3];
	double sum = 0;

	tap_spans(conv, tap, span);
	for (int64_t z = span[0].begin; z < span[0].end; z++) {
		int64_t big_z = span[0].big + (z - span[0].begin) * conv->stride[0];
		int64_t from = (z * conv->small[1] + span[1].begin) * conv->small[2] + span[2].begin;
		int64_t with = (big_z * conv->big[1] + span[1].big) * conv->big[2] + span[2].big;

		if (span[1].end > span[1].begin)
			sum += task->vector->dot(small + from, conv->small[2], big + with, row, conv->stride[2],
			                         span[2].end - span[2].begin, span[1].end - span[1].begin);
	}
	return sum;
}

/* One piece: the taps of one pair of channels. */
static void dot_pair(void *argument, int64_t pair, int worker)
{
	const struct task *task = argument;
	const struct emu_conv *conv = task->conv;
	int64_t channel = pair / conv->big_channels, taps = volume(conv->kernel);
	int64_t big_channel = channel / conv->small_channels * conv->big_channels + pair % conv->big_channels;
	int64_t small_size = volume(conv->small), big_size = volume(conv->big);
	int64_t small_image = conv->groups * conv->small_channels * small_size;
	int64_t big_image = conv->groups * conv->big_channels * big_size;

	(void)worker;
	for (int64_t tap = 0; tap < taps; tap++) {
		double sum = 0;

		for (int64_t image = 0; image < conv->batch; image++)
			sum += dot_tap(task, task->data->small + image * small_image + channel * small_size,
			               task->data->big + image * big_image + big_channel * big_size, tap);
		task->data->weight[pair * taps + tap] = (float)sum;
	}
}

bool emu_direct_can_run(const struct emu_direct_vector *vector, enum emu_direction direction,
                        const struct emu_conv *conv)
{
	(void)vector;
	(void)direction;
	return conv->small_channels <= MOST_CHANNELS && conv->big_channels <= MOST_CHANNELS;
}

uint64_t emu_direct_scratch_bytes(const struct emu_direct_vector *vector, enum emu_direction direction,
                                  const struct emu_conv *conv, int threads)
{
	(void)vector;
	(void)direction;
	(void)conv;
	(void)threads;
	return 0;
}

void emu_direct_run(const struct emu_direct_vector *vector, enum emu_direction direction, const struct emu_conv *conv,
                    const struct emu_conv_data *data, void *scratch, int threads)
{
	struct task task = {vector, direction, conv, data};

	(void)scratch;
	if (!is_worth_threads(conv))
		threads = 1;
	if (direction == EMU_TO_SMALL)
		emu_pool_run(threads, conv->batch * conv->groups * conv->small_channels, add_plane, &task);
	else if (direction == EMU_TO_BIG)
		emu_pool_run(threads, conv->batch * conv->groups * conv->big_channels, add_plane, &task);
	else
		emu_pool_run(threads, conv->groups * conv->small_channels * conv->big_channels, dot_pair, &task);
}
