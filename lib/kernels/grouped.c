/*
 * The grouped kernel. A group of an image is copied to positions of 16 channels, with zeros around it as far as taps
 * reach; then every tap is a constant distance, whichever direction is computed. Taps that meet zeros only are computed
 * like others. A zero must not meet an infinite number: where one is found, the reference kernel computes the call.
 */
#include "grouped.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "arithmetic.h"
#include "reference.h"
#include "rows.h"
#include "view.h"
#include "work.h"

enum {
	LEAST_CHANNELS = 9,     /* of both maps: with fewer, too many lanes would be idle */
	LEAST_PIECES = 8,       /* with fewer, threads would be idle that other kernels use */
	MOST_TAPS = 1024,
	MOST_POSITIONS = 8192,  /* of an image with its zeros: they stay in the second level of cache */
	MOST_DISTANCE = 1 << 20,
	PIECES = 8,             /* wanted for each thread */
	CHUNK = 512,            /* positions that are summed up at a time, writing the weight */
	POSITION = EMU_GROUPED_CHANNELS,
	LINE_FLOATS = 16,       /* of a line of cache */
	LINE_BYTES = 64
};

struct task {
	const struct emu_grouped_vector *vector;
	const struct emu_conv_call *call;
	const struct emu_array *source;  /* the map around which zeros lie */
	const struct emu_array *other;   /* the other one, which is written or multiplied with the source */
	int64_t inputs, outputs;         /* channels of the two */
	int64_t extent[3];               /* of the other map */
	int64_t low[3];                  /* the least distance of a tap, from a position there to one of the source */
	int64_t padded[3];               /* of the source with its zeros */
	int64_t taps;
	int64_t *offsets;                /* of the taps, in positions of the padded source */
	float *weights;                  /* [group][tap][input][output] */
	float *private;
	int64_t private_floats;
	int64_t together;                /* groups of a piece, writing a map */
	atomic_bool spoilt;              /* a number is not finite */
};

/* What a worker has for itself. */
struct memory {
	float *padded; /* the source */
	float *other;  /* positions of the other map */
	float *lines;  /* [channel][position] */
	float *sums;   /* writing the weight: [tap][small channel][big channel] */
};

static bool is_weight(const struct emu_conv_call *call)
{
	return call->direction == EMU_TO_WEIGHT;
}

/* Whether taps run backwards from the positions that are written. */
static int64_t tap_distance(const struct emu_conv_call *call, int axis, int64_t tap)
{
	int64_t distance = tap * call->conv.dilation[axis] - call->conv.padding[axis];

	return call->direction == EMU_TO_BIG ? -distance : distance;
}

static void make_plan(struct task *task, const struct emu_grouped_vector *vector, const struct emu_conv_call *call)
{
	const struct emu_conv *conv = &call->conv;
	bool to_big = call->direction == EMU_TO_BIG;

	*task = (struct task){
		.vector = vector,
		.call = call,
		.source = to_big ? &call->small : &call->big,
		.other = to_big ? &call->big : &call->small,
		.inputs = to_big ? conv->small_channels : conv->big_channels,
		.outputs = to_big ? conv->big_channels : conv->small_channels,
		.taps = volume(conv->kernel),
	};
	for (int axis = 0; axis < 3; axis++) {
		int64_t first = tap_distance(call, axis, 0), last = tap_distance(call, axis, conv->kernel[axis] - 1);

		task->extent[axis] = to_big ? conv->big[axis] : conv->small[axis];
		task->low[axis] = least(first, last);
		task->padded[axis] = task->extent[axis] + most(first, last) - task->low[axis];
	}
}

static int64_t weights_of_group(const struct task *task)
{
	return task->taps * task->inputs * POSITION;
}

/* From one line to the next: whole squares are read and written behind their ends. */
static int64_t line_pitch(const struct task *task)
{
	int64_t source = volume(task->source->view.dims + 2), other = volume(task->extent);

	return round_up(most(source, other) + task->vector->lanes, LINE_FLOATS) + LINE_FLOATS;
}

static int64_t padded_floats(const struct task *task)
{
	return volume(task->padded) * POSITION;
}

static int64_t other_floats(const struct task *task)
{
	return (volume(task->extent) + task->vector->lanes) * POSITION;
}

static int64_t sums_floats(const struct task *task)
{
	return is_weight(task->call) ? task->taps * POSITION * POSITION : 0;
}

static int64_t private_floats(const struct task *task)
{
	int64_t lines = most(line_pitch(task) * POSITION, task->taps * POSITION * POSITION);

	return padded_floats(task) + other_floats(task) + lines + sums_floats(task);
}

static struct memory memory_of(const struct task *task, int worker)
{
	struct memory memory;

	memory.padded = task->private + worker * task->private_floats;
	memory.other = memory.padded + padded_floats(task);
	memory.sums = memory.other + other_floats(task);
	memory.lines = memory.sums + sums_floats(task);
	return memory;
}

static int64_t shared_floats(const struct task *task)
{
	int64_t weights = is_weight(task->call) ? 0 : task->call->conv.groups * weights_of_group(task);

	return round_up(weights + 2 * task->taps, LINE_FLOATS);
}

/* ---- maps ------------------------------------------------------------------------------------------------- */

/* One channel of one image. */
static struct emu_array slice_of(const struct emu_array *array, int64_t image, int64_t channel)
{
	const struct emu_view *view = &array->view;
	struct emu_array slice = {.view = {.rank = 3, .stored = view->stored}, .number = array->number};

	for (int axis = 0; axis < 3; axis++) {
		slice.view.dims[axis] = view->dims[2 + axis];
		slice.view.strides[axis] = view->strides[2 + axis];
	}
	slice.first = emu_element(array->first, image * view->strides[0] + channel * view->strides[1], view->stored);
	return slice;
}

/* The channels of a group as lines; those that it does not have are zeros. */
static void load_lines(const struct task *task, const struct emu_array *array, int64_t image, int64_t first,
                       int64_t channels, float *lines)
{
	int64_t pitch = line_pitch(task);

	struct emu_array slice = slice_of(array, image, first);

	for (int64_t i = 0; i < channels; i++) {
		emu_gather(lines + i * pitch, &slice, task->call->isa, 1);
		slice.first = emu_element(slice.first, array->view.strides[1], slice.view.stored);
	}
	memset(lines + channels * pitch, 0, (size_t)((POSITION - channels) * pitch) * sizeof(float));
}

static void load_source(const struct task *task, int64_t image, int64_t group, const struct memory *memory)
{
	const int64_t *size = task->source->view.dims + 2;
	int64_t begin = most(0, task->low[2]), end = least(size[2], task->low[2] + task->padded[2]);

	load_lines(task, task->source, image, group * task->inputs, task->inputs, memory->lines);
	memset(memory->padded, 0, (size_t)padded_floats(task) * sizeof(float));
	for (int64_t z = most(0, task->low[0]); z < least(size[0], task->low[0] + task->padded[0]); z++) {
		for (int64_t y = most(0, task->low[1]); y < least(size[1], task->low[1] + task->padded[1]); y++) {
			int64_t row = (z - task->low[0]) * task->padded[1] + y - task->low[1];

			if (begin < end)
				task->vector->spread(memory->padded + (row * task->padded[2] + begin - task->low[2]) * POSITION,
				                     memory->lines + (z * size[1] + y) * size[2] + begin, line_pitch(task),
				                     end - begin);
		}
	}
}

/*
 * Asks for a share of the channels of a group that will be loaded soon, while another one is computed. It is a guess
 * that they lie together, as they mostly do.
 */
static void ask(const struct emu_array *array, int64_t image, int64_t first, int64_t channels, int64_t share,
                int64_t shares)
{
	const struct emu_view *view = &array->view;
	int64_t bytes = channels * view->strides[1] * emu_number_bytes(view->stored);
	const char *at = emu_element(array->first, image * view->strides[0] + first * view->strides[1], view->stored);

	if (bytes < 0 || bytes > MOST_POSITIONS * POSITION * 4)
		return;
	for (int64_t i = bytes * share / shares; i < bytes * (share + 1) / shares; i += LINE_BYTES)
		__builtin_prefetch(at + i);
}

/* ---- writing a map ---------------------------------------------------------------------------------------- */

static bool are_finite(const float *values, int64_t count)
{
	bool finite = true;

	for (int64_t i = 0; i < count; i++)
		finite &= isfinite(values[i]) != 0;
	return finite;
}

/* One piece: the weights of a group, which lie as [small channel][big channel][tap]. */
static void pack_weights(void *argument, int64_t group, int worker)
{
	struct task *task = argument;
	const struct emu_conv *conv = &task->call->conv;
	bool to_big = task->call->direction == EMU_TO_BIG;
	int64_t count = conv->small_channels * conv->big_channels * task->taps;
	float *dense = memory_of(task, worker).lines, *to = task->weights + group * weights_of_group(task);

	emu_view_load(dense, &task->call->weight, group * count, count, task->call->isa);
	if (!are_finite(dense, count))
		atomic_store_explicit(&task->spoilt, true, memory_order_relaxed);
	memset(to, 0, (size_t)weights_of_group(task) * sizeof(float));
	for (int64_t small = 0; small < conv->small_channels; small++) {
		for (int64_t big = 0; big < conv->big_channels; big++, dense += task->taps) {
			int64_t input = to_big ? small : big, output = to_big ? big : small;

			for (int64_t tap = 0; tap < task->taps; tap++)
				to[(tap * task->inputs + input) * POSITION + output] = dense[tap];
		}
	}
}

static void filter_group(const struct task *task, int64_t image, int64_t group, bool is_last,
                         const struct memory *memory)
{
	const float *weights = task->weights + group * weights_of_group(task);
	struct emu_array slice = slice_of(task->other, image, group * task->outputs);
	int64_t rows = task->extent[0] * task->extent[1];
	float *to = memory->other;

	load_source(task, image, group, memory);
	for (int64_t row = 0; row < rows; row++, to += task->extent[2] * POSITION) {
		int64_t z = row / task->extent[1], y = row % task->extent[1];

		if (!is_last)
			ask(task->source, image, (group + 1) * task->inputs, task->inputs, row, rows);
		task->vector->filter(to, memory->padded + (z * task->padded[1] + y) * task->padded[2] * POSITION,
		                     task->offsets, task->taps, weights, task->inputs, task->extent[2]);
	}
	task->vector->collect(memory->lines, line_pitch(task), memory->other, volume(task->extent));
	for (int64_t i = 0; i < task->outputs; i++) {
		emu_scatter(&slice, memory->lines + i * line_pitch(task), task->call->isa, 1);
		slice.first = emu_element(slice.first, task->other->view.strides[1], slice.view.stored);
	}
}

/* One piece: some groups of one image. */
static void filter_groups(void *argument, int64_t piece, int worker)
{
	const struct task *task = argument;
	int64_t pieces = ceil_div(task->call->conv.groups, task->together), first = piece % pieces * task->together;
	int64_t end = least(first + task->together, task->call->conv.groups);
	struct memory memory = memory_of(task, worker);

	for (int64_t group = first; group < end; group++)
		filter_group(task, piece / pieces, group, group + 1 == end, &memory);
}

static void run_map(struct task *task, int threads)
{
	int64_t groups = task->call->conv.groups, all = groups * task->call->conv.batch;

	task->together = most(1, least(groups, all / ((int64_t)threads * PIECES)));
	emu_pool_run(threads, groups, pack_weights, task);
	if (!atomic_load(&task->spoilt))
		emu_pool_run(threads, task->call->conv.batch * ceil_div(groups, task->together), filter_groups, task);
}

/* ---- writing the weight ----------------------------------------------------------------------------------- */

/* Adds an image to the sums of all taps. */
static void add_image(const struct task *task, int64_t image, int64_t group, const struct memory *memory)
{
	const int64_t *extent = task->extent, *padded = task->padded;
	int64_t most_rows = most(1, CHUNK / extent[2]);

	for (int64_t tap = 0; tap < task->taps; tap++) {
		float *sums = memory->sums + tap * POSITION * POSITION;

		if (image + 1 < task->call->conv.batch) {
			ask(task->source, image + 1, group * task->inputs, task->inputs, tap, task->taps);
			ask(task->other, image + 1, group * task->outputs, task->outputs, tap, task->taps);
		}
		for (int64_t z = 0; z < extent[0]; z++) {
			for (int64_t y = 0; y < extent[1]; y += most_rows) {
				const float *small = memory->other + (z * extent[1] + y) * extent[2] * POSITION;
				int64_t at = (z * padded[1] + y) * padded[2] + task->offsets[tap];

				task->vector->correlate(sums, small, extent[2], memory->padded + at * POSITION, padded[2],
				                        least(most_rows, extent[1] - y), extent[2]);
			}
		}
	}
}

static void store_weights(const struct task *task, int64_t group, const struct memory *memory)
{
	const struct emu_conv *conv = &task->call->conv;
	struct emu_array slice = task->call->weight;
	float *to = memory->lines;

	for (int64_t small = 0; small < conv->small_channels; small++)
		for (int64_t big = 0; big < conv->big_channels; big++)
			for (int64_t tap = 0; tap < task->taps; tap++)
				*to++ = memory->sums[(tap * POSITION + small) * POSITION + big];
	slice.first = emu_element(slice.first, group * conv->small_channels * slice.view.strides[0], slice.view.stored);
	slice.view.dims[0] = conv->small_channels;
	emu_scatter(&slice, memory->lines, task->call->isa, 1);
}

/* One piece: all weights of a group. */
static void sum_group(void *argument, int64_t group, int worker)
{
	struct task *task = argument;
	struct memory memory = memory_of(task, worker);

	memset(memory.sums, 0, (size_t)sums_floats(task) * sizeof(float));
	for (int64_t image = 0; image < task->call->conv.batch; image++) {
		load_lines(task, task->other, image, group * task->outputs, task->outputs, memory.lines);
		task->vector->spread(memory.other, memory.lines, line_pitch(task), volume(task->extent));
		load_source(task, image, group, &memory);
		add_image(task, image, group, &memory);
	}
	if (!are_finite(memory.sums, sums_floats(task)))
		atomic_store_explicit(&task->spoilt, true, memory_order_relaxed);
	store_weights(task, group, &memory);
}

/* ---- the call --------------------------------------------------------------------------------------------- */

/* Whether the sizes are so small that products of them can be formed without a thought. */
static bool is_moderate(const struct emu_conv *conv)
{
	int64_t taps = 1, positions = 1, reach = 1;

	if (least(conv->small_channels, conv->big_channels) < LEAST_CHANNELS ||
	    most(conv->small_channels, conv->big_channels) > POSITION || conv->groups > MOST_DISTANCE)
		return false;
	for (int axis = 0; axis < 3; axis++) {
		if (conv->stride[axis] != 1 || conv->kernel[axis] > MOST_TAPS || conv->dilation[axis] > MOST_DISTANCE ||
		    conv->padding[axis] > MOST_DISTANCE || conv->padding[axis] < -MOST_DISTANCE ||
		    conv->small[axis] > MOST_POSITIONS || conv->big[axis] > MOST_POSITIONS || conv->small[axis] == 0 ||
		    conv->big[axis] == 0)
			return false;
		taps *= conv->kernel[axis];
		positions *= most(conv->small[axis], conv->big[axis]) + (conv->kernel[axis] - 1) * conv->dilation[axis];
		reach *= most(conv->small[axis], conv->big[axis]);
		if (taps > MOST_TAPS || positions > MOST_POSITIONS || reach > MOST_POSITIONS)
			return false;
	}
	return taps > 1;
}

bool emu_grouped_can_run(const struct emu_grouped_vector *vector, const struct emu_conv_call *call)
{
	const struct emu_conv *conv = &call->conv;

	(void)vector;
	return is_moderate(conv) && (conv->groups >= LEAST_PIECES ||
	                             (!is_weight(call) && conv->batch >= ceil_div(LEAST_PIECES, conv->groups)));
}

uint64_t emu_grouped_scratch_bytes(const struct emu_grouped_vector *vector, const struct emu_conv_call *call)
{
	struct task task;

	make_plan(&task, vector, call);
	return (uint64_t)(shared_floats(&task) + threads_of(call) * private_floats(&task)) * sizeof(float);
}

static void make_offsets(struct task *task)
{
	int64_t at[3];

	for (int64_t tap = 0; tap < task->taps; tap++) {
		split(tap, task->call->conv.kernel, at);
		for (int axis = 0; axis < 3; axis++)
			at[axis] = tap_distance(task->call, axis, at[axis]) - task->low[axis];
		task->offsets[tap] = (at[0] * task->padded[1] + at[1]) * task->padded[2] + at[2];
	}
}

void emu_grouped_run(const struct emu_grouped_vector *vector, const struct emu_conv_call *call, void *scratch)
{
	struct task task;

	make_plan(&task, vector, call);
	atomic_init(&task.spoilt, false);
	task.offsets = scratch;
	task.weights = (float *)scratch + 2 * task.taps;
	task.private = (float *)scratch + shared_floats(&task);
	task.private_floats = private_floats(&task);
	make_offsets(&task);
	if (is_weight(call))
		emu_pool_run(threads_of(call), call->conv.groups, sum_group, &task);
	else
		run_map(&task, threads_of(call));
	if (atomic_load(&task.spoilt))
		emu_reference_run(call, scratch);
}
