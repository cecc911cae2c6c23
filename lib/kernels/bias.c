/* Sums over all axes but the channels: double inside, always in the same order. */
#include "view.h"

enum {
	BLOCK = 1024,
	PARTIALS = 8 /* independent sums, so that the additions overlap */
};

struct task {
	float *sums;
	const void *first;
	const struct emu_view *view;
	enum emu_number number;
};

static void add_block(double partial[PARTIALS], const float *values, int64_t count)
{
	int64_t i = 0;

	for (; i + PARTIALS <= count; i += PARTIALS)
		for (int j = 0; j < PARTIALS; j++)
			partial[j] += values[i + j];
	for (int j = 0; i < count; i++, j++)
		partial[j] += values[i];
}

static void sum_channel(void *argument, int64_t channel, int worker)
{
	const struct task *task = argument;
	struct emu_view slice = *task->view;
	const char *first = task->first;
	double partial[PARTIALS] = {0};
	float values[BLOCK];
	double sum = 0;
	int64_t elements;

	(void)worker;
	first += channel * slice.strides[1] * emu_number_bytes(slice.stored);
	slice.dims[1] = 1;
	elements = emu_view_elements(&slice);
	for (int64_t at = 0; at < elements; at += BLOCK) {
		int64_t count = elements - at < BLOCK ? elements - at : BLOCK;

		emu_view_load(values, first, &slice, at, count);
		if (task->number != slice.stored)
			emu_round_all(values, count, task->number);
		add_block(partial, values, count);
	}
	for (int j = 0; j < PARTIALS; j++)
		sum += partial[j];
	task->sums[channel] = (float)sum;
}

void emu_sum_channels(float *sums, const void *first, const struct emu_view *view, enum emu_number number, int threads)
{
	struct task task = {sums, first, view, number};
	/* waking a thread costs about as much as adding a few thousand numbers */
	bool is_small = emu_view_elements(view) < 16384;

	emu_pool_run(is_small ? 1 : threads, view->dims[1], sum_channel, &task);
}
