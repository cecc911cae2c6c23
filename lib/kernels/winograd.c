/* The kernel of minimal filtering: what it can run, the memory it takes, and what happens where it doesn't hold. */
#include <string.h>

#include "winograd_task.h"
#include "work.h"

enum {
	LEAST_CHANNELS = 16,
	MOST_DEPTH_TAPS = 8,
	MOST_SPAN = 16
};

/* Whether sizes are small enough to calculate with. */
static bool is_modest(const struct emu_conv *conv)
{
	const double most = 0x1p31;
	double maps = (double)conv->batch * (double)conv->groups;

	for (int axis = 0; axis < 3; axis++) {
		if ((double)conv->dilation[axis] * (double)conv->kernel[axis] > most || (double)conv->padding[axis] > most)
			return false;
		maps *= (double)(conv->big[axis] > conv->small[axis] ? conv->big[axis] : conv->small[axis]);
	}
	return maps * ((double)conv->small_channels + (double)conv->big_channels) < 0x1p48 &&
	       (double)conv->groups * (double)conv->small_channels * (double)conv->big_channels < 0x1p40;
}

static bool has_bf16(const struct emu_conv_call *call)
{
	return call->small.number == EMU_BF16 || call->big.number == EMU_BF16 || call->weight.number == EMU_BF16;
}

static bool has_shape(const struct emu_conv *conv)
{
	for (int axis = 0; axis < 3; axis++)
		if (conv->stride[axis] != 1 || conv->small[axis] < 1 || conv->big[axis] < 1)
			return false;
	return conv->batch > 0 && conv->kernel[1] == EMU_WINOGRAD_TAPS && conv->kernel[2] == EMU_WINOGRAD_TAPS &&
	       conv->kernel[0] <= MOST_DEPTH_TAPS && (conv->kernel[0] - 1) * conv->dilation[0] <= MOST_SPAN &&
	       conv->small_channels >= LEAST_CHANNELS && conv->big_channels >= LEAST_CHANNELS;
}

/* The kernel that takes over: infinities and NaN would spread over a tile, and large numbers overflow earlier. */
static const struct emu_kernel *plain_kernel(const struct emu_conv_call *call)
{
	const struct emu_kernel *kernel = emu_kernel_choose(call, "gemm");

	return strcmp(kernel->name, "gemm") == 0 ? kernel : emu_kernel_choose(call, "reference");
}

static uint64_t line_bytes(uint64_t floats)
{
	return (floats * sizeof(float) + 63) / 64 * 64;
}

bool emu_winograd_can_run(const struct emu_winograd_vector *vector, const struct emu_conv_call *call)
{
	struct emu_winograd_task task;

	if (has_bf16(call) || !has_shape(&call->conv) || !is_modest(&call->conv))
		return false;
	emu_winograd_plan(&task, vector, call);
	return emu_winograd_pays(&task);
}

/* Bytes that all workers share, and those of each. */
static uint64_t shared_bytes(const struct emu_winograd_task *task)
{
	if (task->call->direction != EMU_TO_WEIGHT)
		return line_bytes(emu_winograd_shared_floats(task));
	return line_bytes(emu_winograd_sums_floats(task) +
	                  (uint64_t)(emu_winograd_copy_floats(task, &task->source_copy) +
	                             emu_winograd_copy_floats(task, &task->squares_copy)));
}

static uint64_t private_bytes(const struct emu_winograd_task *task)
{
	return line_bytes(task->call->direction == EMU_TO_WEIGHT ? emu_winograd_weight_floats(task)
	                                                         : emu_winograd_map_floats(task));
}

uint64_t emu_winograd_scratch_bytes(const struct emu_winograd_vector *vector, const struct emu_conv_call *call)
{
	uint64_t plain_bytes = plain_kernel(call)->scratch_bytes(call), bytes;
	struct emu_winograd_task task;

	emu_winograd_plan(&task, vector, call);
	bytes = shared_bytes(&task) + (uint64_t)threads_of(call) * private_bytes(&task);
	return bytes > plain_bytes ? bytes : plain_bytes;
}

void emu_winograd_run(const struct emu_winograd_vector *vector, const struct emu_conv_call *call, void *scratch)
{
	struct emu_winograd_task task;

	emu_winograd_plan(&task, vector, call);
	atomic_init(&task.spoilt, false);
	task.shared = task.sums = scratch;
	task.private = (char *)scratch + shared_bytes(&task);
	task.private_bytes = private_bytes(&task);
	if (call->direction == EMU_TO_WEIGHT)
		emu_winograd_run_weight(&task, threads_of(call));
	else
		emu_winograd_run_map(&task, threads_of(call));
	if (atomic_load(&task.spoilt))
		plain_kernel(call)->run(call, scratch);
}
