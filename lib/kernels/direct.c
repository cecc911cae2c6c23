/* The kernel for few channels per group: its plan, and where its scratch goes. */
#include "direct.h"

#include <string.h>

#include "direct_task.h"
#include "view.h"
#include "work.h"

enum {
	MOST_CHANNELS = 16,        /* per group: a matrix multiply is better with more */
	MOST_TAPS = 4096,
	MOST_PHASES = 256,
	MOST_FLOATS = 1 << 18,     /* of all buffers of a worker */
	TILE_FLOATS = 8192,        /* of a tile of both maps: they stay in the first level of cache */
	WIDE_TILE_FLOATS = 32768,  /* the same where only some channels are in use at a time */
	TILE_COLUMNS = 1024,
	CONVERTED_FLOATS = 2048,   /* at a time */
	PAIRED_TAPS = 4            /* fewest of a row for which neighbours are worth taking together */
};

/* ---- axes ------------------------------------------------------------------------------------------------- */

/* One position makes any stride the same. */
static int64_t stride_of(const struct emu_conv *conv, int axis)
{
	return conv->small[axis] == 1 ? 1 : conv->stride[axis];
}

bool emu_direct_meets(const struct emu_direct_task *task, int axis, int64_t phase, int64_t tap, int64_t *position)
{
	const struct emu_conv *conv = &task->call->conv;
	const struct emu_direct_axis *cycle = &task->axis[axis];
	int64_t stride = stride_of(conv, axis), distance = tap * conv->dilation[axis] - conv->padding[axis];

	if (task->call->direction == EMU_TO_BIG) {
		if ((phase - distance) % stride != 0)
			return false;
		*position = (phase - distance) / stride;
	} else {
		*position = phase * stride + distance;
	}
	return *position < task->source.size[axis] && *position + (cycle->cycles - 1) * cycle->source >= 0;
}

static void plan_axis(struct emu_direct_task *task, int axis)
{
	const struct emu_conv *conv = &task->call->conv;
	struct emu_direct_axis *cycle = &task->axis[axis];
	int64_t stride = stride_of(conv, axis), position;
	bool to_big = task->call->direction == EMU_TO_BIG, met = false;

	cycle->walked = to_big ? stride : 1;
	cycle->source = to_big ? 1 : stride;
	if (axis == 2 && task->paired)
		cycle->walked = cycle->source = 2;
	cycle->cycles = ceil_div(task->walked.size[axis], cycle->walked);
	cycle->least = cycle->most = 0;
	for (int64_t phase = 0; phase < cycle->walked; phase++)
		for (int64_t tap = 0; tap < conv->kernel[axis]; tap++)
			if (emu_direct_meets(task, axis, phase, tap, &position)) {
				int64_t at = floor_div(position, cycle->source);

				cycle->least = met && cycle->least < at ? cycle->least : at;
				cycle->most = met && cycle->most > at ? cycle->most : at;
				met = true;
			}
}

/* ---- tiles ------------------------------------------------------------------------------------------------ */

/* An even cut. */
static int64_t tile_of(int64_t cycles, int64_t most)
{
	return cycles <= most ? cycles : ceil_div(cycles, ceil_div(cycles, most));
}

/* Channels of the walked map in the buffer. */
static int64_t buffered_channels(const struct emu_direct_task *task)
{
	return task->call->direction == EMU_TO_WEIGHT ? task->walked.channels
	                                              : least(task->walked.channels, EMU_DIRECT_OUTPUTS);
}

static void plan_tiles(struct emu_direct_task *task)
{
	struct emu_direct_axis *y = &task->axis[1], *x = &task->axis[2];
	struct emu_direct_buffer *buffer = &task->buffer;
	bool is_wide = task->call->direction == EMU_TO_WEIGHT && task->walked.channels > 1;
	int64_t floats = is_wide ? WIDE_TILE_FLOATS : TILE_FLOATS;
	int64_t source_planes = task->source.channels * task->call->conv.kernel[0] * y->source * x->source;
	int64_t walked_planes = buffered_channels(task) * y->walked * x->walked;
	/* beyond the bound there is no plan, so it can stand for whatever is larger */
	int64_t halo = least(y->most - y->least, MOST_FLOATS), lanes = task->vector->lanes, rows, cycle, lines;

	x->tile = tile_of(x->cycles, TILE_COLUMNS);
	buffer->pitch = x->tile + least(x->most - x->least, MOST_FLOATS);
	rows = (floats / buffer->pitch - source_planes * halo) / (source_planes + walked_planes);
	y->tile = tile_of(y->cycles, rows > 1 ? rows : 1);
	task->row_tiles = ceil_div(y->cycles, y->tile);
	task->column_tiles = ceil_div(x->cycles, x->tile);

	/* a vector more, for what the last one reads and writes beyond the end */
	buffer->source_plane = round_up((y->tile + halo) * buffer->pitch + lanes, lanes);
	buffer->source_rows = buffer->source_plane * x->source;
	buffer->source_depth = buffer->source_rows * y->source;
	buffer->source_channel = buffer->source_depth * task->call->conv.kernel[0];
	buffer->source = buffer->source_channel * task->source.channels + lanes;
	buffer->walked_plane = round_up(y->tile * buffer->pitch + lanes, lanes);
	buffer->walked_rows = buffer->walked_plane * x->walked;
	buffer->walked_channel = buffer->walked_rows * y->walked;
	buffer->walked = buffer->walked_channel * buffered_channels(task);
	cycle = x->source * y->source > x->walked * y->walked ? x->source * y->source : x->walked * y->walked;
	lines = buffer->pitch * cycle;
	buffer->lines = round_up(lines > CONVERTED_FLOATS ? lines : CONVERTED_FLOATS, lanes);
}

/* ---- the plan --------------------------------------------------------------------------------------------- */

/* How many taps go through the kernel at a time: each loads a vector, each block one of every output as well. */
static int block_of(const struct emu_direct_task *task)
{
	int outputs = task->paired ? 2 : (int)least(task->walked.channels, EMU_DIRECT_OUTPUTS), best = 2;
	int64_t taps = emu_direct_taps_of(task), best_cost = INT64_MAX;

	for (int block = 2; block <= EMU_DIRECT_BLOCK && block * outputs <= task->vector->products; block += 2) {
		int64_t cost = ceil_div(taps, block) * (2 * block + outputs);

		if (cost <= best_cost) {
			best_cost = cost;
			best = block;
		}
	}
	return best;
}

static void plan_maps(struct emu_direct_task *task)
{
	const struct emu_conv_call *call = task->call;
	const struct emu_conv *conv = &call->conv;
	int64_t taps = volume(conv->kernel);
	struct emu_direct_map small = {&call->small, conv->small_channels, conv->big_channels * taps, {0}};
	struct emu_direct_map big = {&call->big, conv->big_channels, taps, {0}};
	bool to_big = call->direction == EMU_TO_BIG;

	memcpy(small.size, conv->small, sizeof(small.size));
	memcpy(big.size, conv->big, sizeof(big.size));
	task->walked = to_big ? big : small;
	task->source = to_big ? small : big;
	task->paired = task->walked.channels == 1 && stride_of(conv, 2) == 1 && conv->dilation[2] == 1 &&
	               conv->kernel[2] >= PAIRED_TAPS;
}

static void make_plan(struct emu_direct_task *task, const struct emu_direct_vector *vector,
                      const struct emu_conv_call *call)
{
	const struct emu_conv *conv = &call->conv;
	int64_t floats;

	*task = (struct emu_direct_task){.vector = vector, .call = call, .rows = emu_rows(call->isa)};
	plan_maps(task);
	for (int axis = 0; axis < 3; axis++)
		plan_axis(task, axis);
	plan_tiles(task);
	task->block = block_of(task);
	if (call->direction == EMU_TO_WEIGHT) {
		task->buffer.sums = round_up(emu_direct_taps_of(task), task->block) * vector->lanes;
		task->buffer.sums *= task->paired ? 2 : conv->small_channels;
		task->buffer.totals = conv->small_channels * conv->big_channels * volume(conv->kernel);
	}
	floats = task->buffer.source + task->buffer.walked + task->buffer.lines + task->buffer.sums;
	task->private_bytes = (uint64_t)floats * sizeof(float);
	task->private_bytes += (uint64_t)round_up(task->buffer.totals, 8) * sizeof(double);
	task->private_bytes = (task->private_bytes + 63) / 64 * 64;
}

struct emu_direct_memory emu_direct_memory(const struct emu_direct_task *task, int worker)
{
	const struct emu_direct_buffer *buffer = &task->buffer;
	struct emu_direct_memory memory;

	memory.totals = (double *)(task->private + (uint64_t)worker * task->private_bytes);
	memory.sums = (float *)(memory.totals + round_up(buffer->totals, 8));
	memory.source = memory.sums + buffer->sums;
	memory.walked = memory.source + buffer->source;
	memory.lines = memory.walked + buffer->walked;
	return memory;
}

/* Whether the sizes allow a plan at all: what is small here can be multiplied below without a thought. */
static bool is_moderate(const struct emu_conv *conv)
{
	int64_t taps = 1, strides = 1;

	if (conv->small_channels > MOST_CHANNELS || conv->big_channels > MOST_CHANNELS)
		return false;
	for (int axis = 0; axis < 3; axis++) {
		int64_t stride = stride_of(conv, axis);

		if (conv->kernel[axis] > MOST_TAPS || stride > MOST_PHASES || stride > conv->big[axis])
			return false;
		taps *= conv->kernel[axis];
		strides *= stride;
		if (taps > MOST_TAPS || strides > MOST_PHASES || conv->small[axis] == 0 || conv->big[axis] == 0)
			return false;
	}
	return true;
}

static uint64_t list_bytes(const struct emu_direct_task *task)
{
	uint64_t bytes = (uint64_t)emu_direct_lists_of(task) * sizeof(struct emu_direct_list);

	bytes += (uint64_t)emu_direct_taps_of(task) * sizeof(struct emu_direct_tap);
	bytes += (uint64_t)round_up(emu_direct_taps_of(task), task->block) * sizeof(int64_t);
	return (bytes + 63) / 64 * 64;
}

static uint64_t weight_bytes(const struct emu_conv_call *call)
{
	const struct emu_conv *conv = &call->conv;
	uint64_t of_group = (uint64_t)(conv->small_channels * conv->big_channels * volume(conv->kernel)) * sizeof(float);
	uint64_t bytes;

	if (emu_is_dense_floats(&call->weight))
		return 0;
	return __builtin_mul_overflow(of_group, (uint64_t)conv->groups, &bytes) || bytes > UINT64_MAX / 2
	               ? UINT64_MAX / 2 : (bytes + 63) / 64 * 64;
}

/* From a few channels on, products of BFLOAT16 are for the matrix registers of AMX, which are gemm's. */
static bool is_for_amx(const struct emu_conv_call *call)
{
	int64_t most_channels = call->direction == EMU_TO_WEIGHT ? 4 : 8;
	const struct emu_array *arrays[] = {&call->small, &call->big, &call->weight};

	for (int i = 0; i < 3; i++)
		if (arrays[i] != emu_written(call) && arrays[i]->number != EMU_BF16)
			return false;
	return call->isa >= EMU_ISA_AMX && call->conv.small_channels > most_channels &&
	       call->conv.big_channels > most_channels;
}

bool emu_direct_can_run(const struct emu_direct_vector *vector, const struct emu_conv_call *call)
{
	struct emu_direct_task task;

	if (!is_moderate(&call->conv) || is_for_amx(call))
		return false;
	make_plan(&task, vector, call);
	return task.private_bytes <= MOST_FLOATS * sizeof(float) && weight_bytes(call) < UINT64_MAX / 4;
}

uint64_t emu_direct_scratch_bytes(const struct emu_direct_vector *vector, const struct emu_conv_call *call)
{
	struct emu_direct_task task;

	make_plan(&task, vector, call);
	return list_bytes(&task) + weight_bytes(call) + (uint64_t)threads_of(call) * task.private_bytes;
}

void emu_direct_run(const struct emu_direct_vector *vector, const struct emu_conv_call *call, void *scratch)
{
	uint64_t bytes = weight_bytes(call);
	struct emu_direct_task task;
	struct emu_direct_tap *taps;

	make_plan(&task, vector, call);
	task.weights = bytes > 0 ? scratch : emu_floats(&call->weight);
	task.lists = (struct emu_direct_list *)((char *)scratch + bytes);
	taps = (struct emu_direct_tap *)(task.lists + emu_direct_lists_of(&task));
	task.offsets = (int64_t *)(taps + emu_direct_taps_of(&task));
	task.private = (char *)scratch + bytes + list_bytes(&task);
	emu_direct_make_lists(&task, taps);
	if (call->direction != EMU_TO_WEIGHT) {
		if (bytes > 0)
			emu_gather(task.weights, &call->weight, call->isa, 1);
		emu_direct_run_map(&task, threads_of(call));
		return;
	}
	/* numbers that are left over in the buffers count for nothing, but NaNs would */
	memset(task.private, 0, (size_t)threads_of(call) * (size_t)task.private_bytes);
	emu_direct_make_offsets(&task);
	emu_direct_run_weight(&task, threads_of(call));
	if (bytes > 0)
		emu_scatter(&call->weight, task.weights, call->isa, 1);
}
