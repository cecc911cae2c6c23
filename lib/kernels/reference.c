/*
 * The definition: every element is the plain sum of its products in double, rounded to float once.
 * Never tuned; the fast kernels are measured against it. Built without contraction.
 */
#include "reference.h"

struct task {
	const struct emu_conv *conv;
	const struct emu_conv_data *data;
};

static int64_t volume(const int64_t size[3])
{
	return size[0] * size[1] * size[2];
}

static void split(int64_t index, const int64_t size[3], int64_t at[3])
{
	at[2] = index % size[2];
	at[1] = index / size[2] % size[1];
	at[0] = index / size[2] / size[1];
}

static int64_t join(const int64_t at[3], const int64_t size[3])
{
	return (at[0] * size[1] + at[1]) * size[2] + at[2];
}

/* The position in the big map that tap k of small position o meets; false outside. */
static bool big_position(const struct emu_conv *conv, const int64_t o[3], const int64_t k[3], int64_t x[3])
{
	for (int axis = 0; axis < 3; axis++) {
		x[axis] = o[axis] * conv->stride[axis] - conv->padding[axis] + k[axis] * conv->dilation[axis];
		if (x[axis] < 0 || x[axis] >= conv->big[axis])
			return false;
	}
	return true;
}

/* The small position whose tap k meets big position x; false if there is none. */
static bool small_position(const struct emu_conv *conv, const int64_t x[3], const int64_t k[3], int64_t o[3])
{
	for (int axis = 0; axis < 3; axis++) {
		int64_t distance = x[axis] + conv->padding[axis] - k[axis] * conv->dilation[axis];

		o[axis] = distance / conv->stride[axis];
		if (distance < 0 || distance % conv->stride[axis] != 0 || o[axis] >= conv->small[axis])
			return false;
	}
	return true;
}

/* One piece of the next two: one channel of one image. */
static void small_plane(void *argument, int64_t plane, int worker)
{
	const struct task *task = argument;
	const struct emu_conv *conv = task->conv;
	int64_t positions = volume(conv->small), taps = volume(conv->kernel);
	int64_t channel = plane % (conv->groups * conv->small_channels);
	int64_t image = plane / (conv->groups * conv->small_channels);
	int64_t group = channel / conv->small_channels;
	const float *big = task->data->big + (image * conv->groups + group) * conv->big_channels * volume(conv->big);
	const float *weight = task->data->weight + channel * conv->big_channels * taps;
	int64_t o[3], k[3], x[3];

	(void)worker;
	for (int64_t position = 0; position < positions; position++) {
		double sum = 0;

		split(position, conv->small, o);
		for (int64_t tap = 0; tap < taps; tap++) {
			split(tap, conv->kernel, k);
			if (!big_position(conv, o, k, x))
				continue;
			for (int64_t c = 0; c < conv->big_channels; c++)
				sum += (double)big[c * volume(conv->big) + join(x, conv->big)] * weight[c * taps + tap];
		}
		task->data->small[plane * positions + position] = (float)sum;
	}
}

static void big_plane(void *argument, int64_t plane, int worker)
{
	const struct task *task = argument;
	const struct emu_conv *conv = task->conv;
	int64_t positions = volume(conv->big), taps = volume(conv->kernel);
	int64_t channel = plane % (conv->groups * conv->big_channels);
	int64_t image = plane / (conv->groups * conv->big_channels);
	int64_t group = channel / conv->big_channels;
	const float *small =
		task->data->small + (image * conv->groups + group) * conv->small_channels * volume(conv->small);
	const float *weight = task->data->weight +
	                      (group * conv->small_channels * conv->big_channels + channel % conv->big_channels) * taps;
	int64_t o[3], k[3], x[3];

	(void)worker;
	for (int64_t position = 0; position < positions; position++) {
		double sum = 0;

		split(position, conv->big, x);
		for (int64_t tap = 0; tap < taps; tap++) {
			split(tap, conv->kernel, k);
			if (!small_position(conv, x, k, o))
				continue;
			for (int64_t m = 0; m < conv->small_channels; m++)
				sum += (double)small[m * volume(conv->small) + join(o, conv->small)] *
				       weight[m * conv->big_channels * taps + tap];
		}
		task->data->big[plane * positions + position] = (float)sum;
	}
}

/* One piece: the taps of one pair of channels. */
static void weight_pair(void *argument, int64_t pair, int worker)
{
	const struct task *task = argument;
	const struct emu_conv *conv = task->conv;
	int64_t positions = volume(conv->small), taps = volume(conv->kernel);
	int64_t channel = pair / conv->big_channels;
	int64_t big_channel = channel / conv->small_channels * conv->big_channels + pair % conv->big_channels;
	int64_t o[3], k[3], x[3];

	(void)worker;
	for (int64_t tap = 0; tap < taps; tap++) {
		double sum = 0;

		split(tap, conv->kernel, k);
		for (int64_t image = 0; image < conv->batch; image++) {
			const float *small =
				task->data->small + (image * conv->groups * conv->small_channels + channel) * positions;
			const float *big =
				task->data->big + (image * conv->groups * conv->big_channels + big_channel) * volume(conv->big);

			for (int64_t position = 0; position < positions; position++) {
				split(position, conv->small, o);
				if (big_position(conv, o, k, x))
					sum += (double)small[position] * big[join(x, conv->big)];
			}
		}
		task->data->weight[pair * taps + tap] = (float)sum;
	}
}

bool emu_reference_can_run(enum emu_direction direction, const struct emu_conv *conv)
{
	(void)direction;
	(void)conv;
	return true;
}

uint64_t emu_reference_scratch_bytes(enum emu_direction direction, const struct emu_conv *conv, int threads)
{
	(void)direction;
	(void)conv;
	(void)threads;
	return 0;
}

void emu_reference_run(enum emu_direction direction, const struct emu_conv *conv, const struct emu_conv_data *data,
                       void *scratch, int threads)
{
	struct task task = {conv, data};

	(void)scratch;
	if (direction == EMU_TO_SMALL)
		emu_pool_run(threads, conv->batch * conv->groups * conv->small_channels, small_plane, &task);
	else if (direction == EMU_TO_BIG)
		emu_pool_run(threads, conv->batch * conv->groups * conv->big_channels, big_plane, &task);
	else
		emu_pool_run(threads, conv->groups * conv->small_channels * conv->big_channels, weight_pair, &task);
}
