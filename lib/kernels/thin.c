/*
 * The thin kernel: how the work of each direction is cut, and the maps as it sees them. Each element that is written
 * belongs to one piece of work and is summed in one order, so the number of threads changes nothing.
 */
#include "thin.h"

#include <string.h>

#include "thin_task.h"
#include "view.h"
#include "work.h"

enum {
	MOST_CHANNELS = 16,     /* of the big map, per group */
	LEAST_CHANNELS = 4,     /* of the small one */
	MOST_REACH = 256,
	FEW_LINES = 32,
	DIRECT_CHANNELS = 16,   /* of each map: what the direct kernel takes */
	DIRECT_PAIRS = 96,      /* fewer pairs of channels are better off there */
	BLOCK = 512,            /* positions of a row: with all channels of a sum in the second level of cache */
	WEIGHT_BLOCK = 1024,    /* with the channels of a tile in the first one */
	BAND_FLOATS = 24 * 1024,
	SUM_FLOATS = 64 * 1024,
	OUTPUTS = 64,           /* channels of the small map that are written, or summed with, at a time */
	PIECES = 4              /* wanted of one run, so that the threads have something to share */
};

/* ---- sizes ------------------------------------------------------------------------------------------------ */

/* Even parts of `extent` of at most `limit`, each a multiple of `unit`. */
static int64_t part_of(int64_t extent, int64_t unit, int64_t limit)
{
	return round_up(ceil_div(extent, ceil_div(extent, limit)), unit);
}

static double product(const int64_t size[3])
{
	return (double)size[0] * (double)size[1] * (double)size[2];
}

/* Positions of an axis of the padded map that the small one meets. */
static double padded_size(const struct emu_conv *conv, int axis)
{
	return (double)(conv->small[axis] - 1) * (double)conv->stride[axis] +
	       (double)(conv->kernel[axis] - 1) * (double)conv->dilation[axis] + 1;
}

/*
 * Whether the method pays: rows long enough to fill vectors, a padded map that is not much larger than the map, sums
 * that are long enough to be worth their loads.
 */
static bool is_thin(const struct emu_thin_vector *vector, const struct emu_conv *conv)
{
	double padded = 1, big = product(conv->big);

	for (int axis = 0; axis < 3; axis++)
		padded *= padded_size(conv, axis);
	return conv->big_channels <= MOST_CHANNELS && conv->small_channels >= LEAST_CHANNELS &&
	       conv->big_channels <= conv->small_channels && padded <= 2 * big + 256 &&
	       conv->small[2] * 8 >= round_up(conv->small[2], vector->lanes) * 5 &&
	       (double)(conv->kernel[2] - 1) * (double)conv->dilation[2] / (double)conv->stride[2] <= MOST_REACH;
}

/* Whether all sizes of the task can be counted, with much room. */
static bool is_countable(const struct emu_conv_call *call)
{
	const struct emu_conv *conv = &call->conv;
	double images = (double)(conv->batch + 1) * (double)conv->groups * (double)call->threads;
	double channels = (double)(conv->small_channels + 64) * (double)(conv->big_channels + 64) * 256;
	double taps = product(conv->kernel) * (double)conv->stride[2];

	return images * channels * taps * (product(conv->big) + product(conv->small) + 1024) * 256 < 0x1p60;
}

static void plan_padded(struct emu_thin_padded *padded, int64_t phases)
{
	padded->row = phases * padded->phase;
	padded->plane = padded->size[1] * padded->row;
	padded->channel = padded->size[0] * padded->plane;
}

/* An odd number of cache lines: channels a power of two apart would share their cache sets. */
static int64_t pitch_of(int64_t floats)
{
	return (ceil_div(floats, 16) | 1) * 16;
}

/* What TO_SMALL and TO_WEIGHT read. */
static void plan_map(struct emu_thin_task *task)
{
	const struct emu_conv *conv = &task->call->conv;

	task->padded.size[0] = (int64_t)padded_size(conv, 0);
	task->padded.size[1] = (int64_t)padded_size(conv, 1);
	task->padded.phase = round_up(conv->small[2], task->vector->lanes) + task->reach;
	plan_padded(&task->padded, task->phases);
	task->map_floats = (uint64_t)(conv->batch * conv->groups * conv->big_channels * task->padded.channel);
	task->offsets = (uint64_t)(task->lines + OUTPUTS);
}

static uint64_t packed_floats(const struct emu_thin_task *task, int64_t rows, int64_t depth)
{
	int64_t chunks = ceil_div(depth, task->vector->depth);

	return (uint64_t)(task->call->conv.groups * chunks * (rows + task->spare_rows) * task->factor_pitch);
}

static void plan_small(struct emu_thin_task *task)
{
	const struct emu_conv *conv = &task->call->conv;

	plan_map(task);
	task->block = part_of(conv->small[2], 2 * task->vector->lanes, BLOCK);
	task->blocks = ceil_div(conv->small[2], task->block);
	task->packed_floats = packed_floats(task, conv->small_channels, task->lines);
	task->outputs = part_of(conv->small_channels, 1, OUTPUTS);
	task->pass = least(most(BLOCK / round_up(task->block, task->vector->lanes), 1), conv->small[1]);
	task->pass = part_of(conv->small[1], 1, least(task->pass, ceil_div(conv->small[1], PIECES)));
	task->pitch = pitch_of(task->pass * round_up(task->block, task->vector->lanes));
	task->private_floats = (uint64_t)(task->outputs * task->pitch);
}

static void plan_big(struct emu_thin_task *task)
{
	const struct emu_conv *conv = &task->call->conv;
	int64_t lanes = task->vector->lanes, first = conv->padding[2] / task->phases;
	int64_t cycles = (conv->padding[2] + conv->big[2] - 1) / task->phases + 1 - first, pieces, floats, count;

	task->block = part_of(cycles, 1, BLOCK);
	task->blocks = ceil_div(cycles, task->block);
	count = least(task->block + task->reach, conv->small[2]);
	task->pass = least(most(BLOCK / count, 1), conv->small[1]);
	task->pitch = pitch_of(task->pass * count + (task->vector->pairs ? task->vector->pairs->columns : lanes));
	task->padded.phase = round_up(task->block + 2 * task->reach + lanes, lanes);
	floats = conv->big_channels * task->phases * task->padded.phase;
	pieces = ceil_div(PIECES, conv->batch * conv->groups * conv->big[0] * task->blocks + (conv->batch == 0));
	task->band = part_of(conv->big[1], 1, least(most(BAND_FLOATS / floats, 1), ceil_div(conv->big[1], pieces)));
	task->bands = ceil_div(conv->big[1], task->band);
	task->padded.size[0] = 1;
	task->padded.size[1] = task->band;
	plan_padded(&task->padded, task->phases);
	task->offsets = (uint64_t)(task->lines + task->vector->depth);
	task->packed_floats = packed_floats(task, task->lines, conv->small_channels);
	task->private_floats = (uint64_t)(task->vector->depth * task->pitch + conv->big_channels * task->padded.channel +
	                                  task->phases * round_up(task->block, lanes));
	if (task->vector->pairs)
		task->private_floats += emu_thin_column_floats(task);
}

static void plan_weight(struct emu_thin_task *task)
{
	const struct emu_conv *conv = &task->call->conv;
	int64_t unit = task->vector->outputs, lanes = task->vector->lanes, limit;

	plan_map(task);
	task->block = part_of(conv->small[2], lanes, WEIGHT_BLOCK);
	task->blocks = ceil_div(conv->small[2], task->block);
	task->pass = least(most(WEIGHT_BLOCK / task->block, 1), conv->small[1]);
	task->images = 1;
	if (task->pass == conv->small[1] && task->blocks == 1 && conv->small[0] == 1)
		task->images = most(1, least(WEIGHT_BLOCK / volume(conv->small), conv->batch));
	task->pitch = pitch_of(task->images * task->pass * least(task->block, conv->small[2]) + lanes);
	task->tile = part_of(task->lines, 1, task->vector->lines);
	task->tiles = ceil_div(task->lines, task->tile);
	limit = least(OUTPUTS, most(SUM_FLOATS / (task->lines * lanes), unit));
	limit = least(limit, ceil_div(conv->small_channels, 2 * PIECES));
	task->outputs = part_of(conv->small_channels, unit, limit);
	/* whole vectors of vectors */
	task->private_floats = (uint64_t)(task->outputs * task->pitch +
	                                  round_up(task->outputs * task->tiles * task->tile, lanes) * lanes);
}

/* Everything but the memory. */
static void plan(struct emu_thin_task *task, const struct emu_thin_vector *vector, const struct emu_conv_call *call)
{
	const struct emu_conv *conv = &call->conv;

	*task = (struct emu_thin_task){.vector = vector, .call = call, .rows = emu_rows(call->isa)};
	task->lines = conv->big_channels * volume(conv->kernel);
	task->phases = conv->stride[2];
	task->reach = (conv->kernel[2] - 1) * conv->dilation[2] / task->phases;
	task->factor_pitch = vector->pairs ? vector->pairs->pitch : vector->pitch;
	task->spare_rows = vector->pairs ? vector->pairs->rows : 1;
	if (!emu_is_dense_floats(&call->weight))
		task->weight_floats = (uint64_t)(conv->groups * conv->small_channels * task->lines);
	if (call->direction == EMU_TO_SMALL)
		plan_small(task);
	else if (call->direction == EMU_TO_BIG)
		plan_big(task);
	else
		plan_weight(task);
}

/* Whether pairs of BFLOAT16 could be multiplied, and whether they are. */
static bool suits_pairs(const struct emu_thin_vector *vector, const struct emu_conv_call *call)
{
	bool of_pairs = (call->direction == EMU_TO_SMALL || fits_pairs(&call->small)) &&
	                (call->direction == EMU_TO_BIG || fits_pairs(&call->big)) &&
	                (call->direction == EMU_TO_WEIGHT || fits_pairs(&call->weight));

	if (vector->pairs)
		return of_pairs && call->direction == EMU_TO_BIG;
	/* else the multiply wins but for few lines */
	return !of_pairs || call->isa < EMU_ISA_AVX512_BF16 ||
	       (double)call->conv.big_channels * product(call->conv.kernel) <= FEW_LINES;
}

/* Of maps of few channels both, those for which other kernels are slower. */
static bool beats_direct(const struct emu_thin_vector *vector, const struct emu_conv_call *call)
{
	const struct emu_conv *conv = &call->conv;

	if (conv->small_channels > DIRECT_CHANNELS)
		return true;
	if (conv->groups > 1 || (vector->pairs && conv->big_channels > DIRECT_CHANNELS / 2))
		return call->direction == EMU_TO_WEIGHT && conv->big_channels > DIRECT_CHANNELS / 2;
	return conv->small_channels * conv->big_channels >= DIRECT_PAIRS;
}

bool emu_thin_can_run(const struct emu_thin_vector *vector, const struct emu_conv_call *call)
{
	return is_thin(vector, &call->conv) && beats_direct(vector, call) && suits_pairs(vector, call) &&
	       is_countable(call);
}

static uint64_t line_floats(uint64_t floats)
{
	return (floats + 15) / 16 * 16;
}

uint64_t emu_thin_scratch_bytes(const struct emu_thin_vector *vector, const struct emu_conv_call *call)
{
	struct emu_thin_task task;

	plan(&task, vector, call);
	return sizeof(float) * (line_floats(task.map_floats) + line_floats(task.weight_floats) +
	                        line_floats(task.packed_floats) + line_floats(2 * task.offsets) +
	                        (uint64_t)threads_of(call) * line_floats(task.private_floats));
}

/* ---- the maps --------------------------------------------------------------------------------------------- */

void *emu_thin_element(const struct emu_array *array, int64_t image, int64_t channel, int64_t z, int64_t y, int64_t x)
{
	const int64_t *strides = array->view.strides;

	return emu_element(array->first,
	                   image * strides[0] + channel * strides[1] + z * strides[2] + y * strides[3] + x * strides[4],
	                   array->view.stored);
}

void emu_thin_lines(const struct emu_thin_task *task, int64_t channel, int64_t *offsets, int64_t step)
{
	const struct emu_conv *conv = &task->call->conv;
	const struct emu_thin_padded *map = &task->padded;

	for (int64_t z = 0; z < conv->kernel[0]; z++) {
		for (int64_t y = 0; y < conv->kernel[1]; y++) {
			int64_t row =
				channel * map->channel + z * conv->dilation[0] * map->plane + y * conv->dilation[1] * map->row;
			int64_t phase = 0, cycle = 0;

			for (int64_t x = 0; x < conv->kernel[2]; x++, offsets += step) {
				*offsets = row + phase * map->phase + cycle;
				phase += conv->dilation[2] % task->phases;
				cycle += conv->dilation[2] / task->phases + (phase >= task->phases);
				phase -= phase >= task->phases ? task->phases : 0;
			}
		}
	}
}

float *emu_thin_packed(const struct emu_thin_task *task, int64_t group, int64_t chunk, int64_t rows, int64_t row)
{
	int64_t depth = task->call->direction == EMU_TO_SMALL ? task->lines : task->call->conv.small_channels;
	int64_t chunks = ceil_div(depth, task->vector->depth);

	return task->packed + ((group * chunks + chunk) * (rows + task->spare_rows) + row) * task->factor_pitch;
}

/* One row of the padded map; y is a position of the big one. */
static void load_padded_row(const struct emu_thin_task *task, float *to, int64_t image, int64_t channel, int64_t z,
                            int64_t y)
{
	const struct emu_conv *conv = &task->call->conv;
	const struct emu_array *array = &task->call->big;

	for (int64_t phase = 0; phase < task->phases; phase++, to += task->padded.phase) {
		int64_t before = conv->padding[2] - phase, begin = before > 0 ? ceil_div(before, task->phases) : 0;
		int64_t end = conv->big[2] + before > 0 ? ceil_div(conv->big[2] + before, task->phases) : 0;

		end = least(end, task->padded.phase);
		if (begin < end)
			emu_load_row(task->rows, array, to + begin,
			         emu_thin_element(array, image, channel, z, y, begin * task->phases - before),
			         array->view.strides[4] * task->phases, end - begin);
	}
}

/* One piece: one position of the depth axis of one channel. */
static void load_plane(void *argument, int64_t piece, int worker)
{
	const struct emu_thin_task *task = argument;
	const struct emu_conv *conv = &task->call->conv;
	int64_t channels = conv->groups * conv->big_channels, channel = piece / task->padded.size[0];
	int64_t z = piece % task->padded.size[0] - conv->padding[0];
	float *to = task->map + piece * task->padded.plane;

	(void)worker;
	memset(to, 0, (size_t)task->padded.plane * sizeof(float));
	if (z < 0 || z >= conv->big[0])
		return;
	for (int64_t row = 0; row < task->padded.size[1]; row++, to += task->padded.row) {
		int64_t y = row - conv->padding[1];

		if (y >= 0 && y < conv->big[1])
			load_padded_row(task, to, channel / channels, channel % channels, z, y);
	}
}

void emu_thin_load_map(const struct emu_thin_task *task, int threads)
{
	const struct emu_conv *conv = &task->call->conv;

	for (int64_t channel = 0; channel < conv->big_channels; channel++)
		emu_thin_lines(task, channel, task->line_offsets + channel * volume(conv->kernel), 1);
	emu_pool_run(threads, conv->batch * conv->groups * conv->big_channels * task->padded.size[0], load_plane,
	             (void *)(uintptr_t)task);
}

void emu_thin_load_small(const struct emu_thin_task *task, float *to, int64_t image, int64_t group, int64_t first,
                         int64_t channels, const int64_t at[3], int64_t rows, int64_t count)
{
	const struct emu_conv *conv = &task->call->conv;
	const struct emu_array *array = &task->call->small;
	int64_t step = array->view.strides[3], stride = array->view.strides[4];
	bool run_on = rows == 1 || (count == conv->small[2] && step == count * stride);

	first += group * conv->small_channels;
	for (int64_t channel = first; channel < first + channels; channel++, to += task->pitch) {
		const void *from = emu_thin_element(array, image, channel, at[0], at[1], at[2]);

		if (run_on)
			emu_load_row(task->rows, array, to, from, stride, rows * count);
		else
			for (int64_t row = 0; row < rows; row++)
				emu_load_row(task->rows, array, to + row * count, emu_element(from, row * step, array->view.stored),
				             stride, count);
	}
}

/* ---- running ---------------------------------------------------------------------------------------------- */

void emu_thin_run(const struct emu_thin_vector *vector, const struct emu_conv_call *call, void *scratch)
{
	struct emu_thin_task task;
	float *memory = scratch;
	int threads = threads_of(call);

	plan(&task, vector, call);
	task.line_offsets = scratch;
	task.row_offsets = task.line_offsets + task.lines;
	memory += line_floats(2 * task.offsets);
	task.weights = task.weight_floats ? memory : emu_floats(&call->weight);
	memory += line_floats(task.weight_floats);
	task.packed = memory;
	memory += line_floats(task.packed_floats);
	task.map = memory;
	memory += line_floats(task.map_floats);
	task.private = memory;
	task.private_floats = line_floats(task.private_floats);

	if (task.weight_floats && call->direction != EMU_TO_WEIGHT)
		emu_gather(task.weights, &call->weight, call->isa, threads);
	if (call->direction == EMU_TO_SMALL)
		emu_thin_run_small(&task, threads);
	else if (call->direction == EMU_TO_BIG)
		emu_thin_run_big(&task, threads);
	else
		emu_thin_run_weight(&task, threads);
	if (task.weight_floats && call->direction == EMU_TO_WEIGHT)
		emu_scatter(&call->weight, task.weights, call->isa, threads);
}
