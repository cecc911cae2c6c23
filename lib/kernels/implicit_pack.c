/* The weights as tiles, once for all classes: straight from the array where the taps lie together as BFLOAT16. */
#include "implicit_task.h"

static int64_t elements(const struct emu_conv *conv)
{
	return conv->groups * conv->small_channels * conv->big_channels * volume(conv->kernel);
}

static bool lies_dense(const struct emu_array *array)
{
	const struct emu_view *view = &array->view;
	int64_t stride = 1;

	for (int axis = 4; axis >= 2; stride *= view->dims[axis--])
		if (view->dims[axis] != 1 && view->strides[axis] != stride)
			return false;
	return array->number == EMU_BF16 && view->stored == EMU_BF16;
}

uint64_t emu_implicit_weight_bytes(const struct emu_conv_call *call)
{
	return lies_dense(&call->weight) ? 0 : (uint64_t)round_up(elements(&call->conv) * 2, 64);
}

/* One piece of the dense copy: the weights of one channel of the small map. */
static void copy_channel(void *argument, int64_t piece, int worker)
{
	const struct emu_implicit_task *task = argument;
	const struct emu_array *array = &task->gemm.call->weight;
	int64_t count = array->view.dims[1] * volume(array->view.dims + 2);
	uint16_t *to = task->weights + piece * count;
	struct emu_weight_run run;

	(void)worker;
	for (int64_t done = 0; done < count; done += run.count) {
		run = emu_gemm_weight_run(&array->view, piece, done, least(count - done, EMU_MOST_HALVES));
		emu_load_halves(task->gemm.row_code, array, to + done,
		                emu_element(array->first, run.offset, array->view.stored), run.stride, run.count);
	}
}

/* One piece: one block of inputs of one group, for all outputs. */
static void pack_block(void *argument, int64_t piece, int worker)
{
	struct emu_implicit_task *task = argument;
	const struct emu_conv_call *call = task->gemm.call;
	const struct emu_view *view = &call->weight.view;
	bool to_small = call->direction == EMU_TO_SMALL, dense = lies_dense(&call->weight);
	int64_t taps = volume(call->conv.kernel), blocks = task->copy.blocks;
	int64_t group = piece / blocks, block = piece % blocks;
	int64_t of_big = dense ? view->strides[1] : taps, of_small = dense ? view->strides[0] : taps * view->dims[1];
	int64_t of_output = to_small ? of_small : of_big, of_input = to_small ? of_big : of_small;
	int64_t input = block * 2 * EMU_IMPLICIT_WORDS, channels = outputs(&task->gemm);
	int64_t panels = ceil_div(channels, EMU_IMPLICIT_OUTPUTS);
	const uint16_t *weights = dense ? call->weight.first : task->weights;

	(void)worker;
	weights += group * call->conv.small_channels * of_small + input * of_input;
	for (int64_t panel = 0; panel < panels; panel++) {
		char *tiles = task->tiles + ((group * panels + panel) * blocks + block) * taps * EMU_IMPLICIT_TILE;
		int64_t output = panel * EMU_IMPLICIT_OUTPUTS;

		task->vector->pack((uint32_t *)(void *)tiles, weights + output * of_output, taps,
		                   least(channels - output, EMU_IMPLICIT_OUTPUTS), of_output,
		                   least(inputs(&task->gemm) - input, 2 * EMU_IMPLICIT_WORDS), of_input);
		if (task->gemm.zeros_meet_products && !task->vector->pairs->is_finite(tiles, taps * EMU_IMPLICIT_TILE / 4))
			task->gemm.found_infinite = true;
	}
}

void emu_implicit_pack(struct emu_implicit_task *task, int threads)
{
	const struct emu_conv *conv = &task->gemm.call->conv;

	if (!lies_dense(&task->gemm.call->weight))
		emu_pool_run(threads, conv->groups * conv->small_channels, copy_channel, task);
	emu_pool_run(threads, conv->groups * task->copy.blocks, pack_block, task);
}
