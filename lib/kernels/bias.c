/* Sums over all axes but the channels: double inside, always in the same order. */
#include "rows.h"
#include "view.h"

enum { BLOCK = 1024 };

struct task {
	float *sums;
	const struct emu_array *array;
	enum emu_isa isa;
};

/* Adds one image of a channel. */
static void add_image(const struct task *task, double partial[EMU_PARTIALS], const struct emu_array *slice)
{
	int64_t elements = emu_view_elements(&slice->view);
	float values[BLOCK];

	if (emu_is_dense_floats(slice)) {
		emu_rows(task->isa)->add(partial, slice->first, elements);
		return;
	}
	for (int64_t at = 0; at < elements; at += BLOCK) {
		int64_t count = elements - at < BLOCK ? elements - at : BLOCK;

		emu_view_load(values, slice, at, count, task->isa);
		emu_rows(task->isa)->add(partial, values, count);
	}
}

static void sum_channel(void *argument, int64_t channel, int worker)
{
	const struct task *task = argument;
	struct emu_array slice = *task->array;
	int64_t images = slice.view.dims[0];
	double partial[EMU_PARTIALS] = {0};
	double sum = 0;

	(void)worker;
	slice.first = emu_element(slice.first, channel * slice.view.strides[1], slice.view.stored);
	slice.view.dims[0] = slice.view.dims[1] = 1;
	for (int64_t image = 0; image < images; image++) {
		add_image(task, partial, &slice);
		slice.first = emu_element(slice.first, slice.view.strides[0], slice.view.stored);
	}
	for (int j = 0; j < EMU_PARTIALS; j++)
		sum += partial[j];
	task->sums[channel] = (float)sum;
}

void emu_sum_channels(float *sums, const struct emu_array *array, enum emu_isa isa, int threads)
{
	struct task task = {sums, array, isa};
	/* waking a thread costs about as much as adding a few thousand numbers */
	bool is_small = emu_view_elements(&array->view) < 16384;

	emu_pool_run(is_small ? 1 : threads, array->view.dims[1], sum_channel, &task);
}
