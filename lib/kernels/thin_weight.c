/*
 * Writing the weight: vectors of sums over the positions of the rows of some small channels, with all lines of the
 * padded big map; the lanes are added at the end.
 */
#include <math.h>
#include <string.h>

#include "thin_task.h"

/* What a piece has for itself. */
struct memory {
	float *small;
	float *sums; /* [outputs of a call][tiles][lines of a tile][output][lanes] */
};

static struct memory memory_of(const struct emu_thin_task *task, int worker)
{
	float *small = task->private + (uint64_t)worker * task->private_floats;

	return (struct memory){small, small + task->outputs * task->pitch};
}

static const float *map_at(const struct emu_thin_task *task, int64_t image, int64_t group, const int64_t at[3])
{
	const struct emu_conv *conv = &task->call->conv;

	return task->map + (image * conv->groups + group) * conv->big_channels * task->padded.channel +
	       at[0] * conv->stride[0] * task->padded.plane + at[1] * conv->stride[1] * task->padded.row + at[2];
}

/* Adds the products of some rows of the small map. */
static void add_rows(const struct emu_thin_task *task, const struct memory *memory, const float *map,
                     const struct emu_thin_part *part)
{
	const struct emu_thin_vector *vector = task->vector;
	int64_t tile_floats = task->tile * vector->outputs * vector->lanes;
	float *sums = memory->sums;

	for (int64_t output = 0; output < task->outputs; output += vector->outputs)
		for (int64_t line = 0; line < task->lines; line += task->tile, sums += tile_floats)
			vector->correlate(sums, memory->small + output * task->pitch, task->pitch, map, task->line_offsets + line,
			                  (int)least(task->tile, task->lines - line), part);
}

/* Adds some images: more than one when they are taken as a whole. */
static void add_images(const struct emu_thin_task *task, const struct memory *memory, int64_t image, int64_t images,
                       int64_t group, int64_t first, int64_t outputs)
{
	const struct emu_conv *conv = &task->call->conv;
	int64_t image_floats = conv->groups * conv->big_channels * task->padded.channel, at[3];

	for (at[0] = 0; at[0] < conv->small[0]; at[0]++) {
		for (at[1] = 0; at[1] < conv->small[1]; at[1] += task->pass) {
			for (at[2] = 0; at[2] < conv->small[2]; at[2] += task->block) {
				int64_t rows = least(task->pass, conv->small[1] - at[1]);
				int64_t count = least(task->block, conv->small[2] - at[2]);
				struct emu_thin_part part = {images, rows, count, rows * count, count, image_floats,
				                             conv->stride[1] * task->padded.row};

				for (int64_t i = 0; i < images; i++)
					emu_thin_load_small(task, memory->small + i * part.a_image, image + i, group, first, outputs, at,
					                    rows, count);
				add_rows(task, memory, map_at(task, image, group, at), &part);
			}
		}
	}
}

/*
 * The sum where a tap meets the map, position by position. Lanes that count for nothing are multiplied with 0, which
 * an infinity or a NaN on the other side turns into a NaN: that shows in the sum, and then this one counts.
 */
static float sum_inside(const struct emu_thin_task *task, float *row, int64_t group, int64_t output, int64_t line)
{
	const struct emu_conv *conv = &task->call->conv;
	int64_t taps = volume(conv->kernel), rows = conv->small[0] * conv->small[1], tap[3], at[3];
	double sum = 0;

	split(line % taps, conv->kernel, tap);
	for (int axis = 0; axis < 3; axis++)
		tap[axis] = tap[axis] * conv->dilation[axis] - conv->padding[axis];
	for (int64_t i = 0; i < conv->batch * rows; i++) {
		const float *map;
		int64_t z, y;

		split(i % rows, (const int64_t[3]){1, conv->small[0], conv->small[1]}, at);
		z = at[1] * conv->stride[0] + tap[0];
		y = at[2] * conv->stride[1] + tap[1];
		if (z < 0 || z >= conv->big[0] || y < 0 || y >= conv->big[1])
			continue;
		for (int64_t x = 0; x < conv->small[2]; x += task->block) {
			const int64_t position[3] = {at[1], at[2], x};
			int64_t count = least(task->block, conv->small[2] - x);

			map = map_at(task, i / rows, group, position) + task->line_offsets[line];
			emu_thin_load_small(task, row, i / rows, group, output, 1, position, 1, count);
			for (int64_t j = 0; j < count; j++) {
				int64_t big = (x + j) * conv->stride[2] + tap[2];

				if (big >= 0 && big < conv->big[2])
					sum += (double)row[j] * (double)map[j];
			}
		}
	}
	return (float)sum;
}

/* Sums anew what is no number, or met none where it should not have. */
static void set_right(const struct emu_thin_task *task, const struct memory *memory, int64_t group, int64_t first,
                      int64_t outputs)
{
	float *to = task->weights + (group * task->call->conv.small_channels + first) * task->lines;

	for (int64_t i = 0; i < outputs * task->lines; i++)
		if (!isfinite(to[i]))
			to[i] = sum_inside(task, memory->small, group, first + i / task->lines, i % task->lines);
}

/* One piece: all weights of some channels of the small map. */
static void weight_piece(void *argument, int64_t piece, int worker)
{
	const struct emu_thin_task *task = argument;
	const struct emu_thin_vector *vector = task->vector;
	const struct emu_conv *conv = &task->call->conv;
	struct memory memory = memory_of(task, worker);
	int64_t pieces = ceil_div(conv->small_channels, task->outputs), group = piece / pieces;
	int64_t first = piece % pieces * task->outputs, outputs = least(task->outputs, conv->small_channels - first);
	float *to = task->weights + (group * conv->small_channels + first) * task->lines;

	/* rows that no channel fills, and what lies behind the others, count for nothing as long as they are numbers */
	memset(memory.small, 0, (size_t)task->private_floats * sizeof(float));
	for (int64_t image = 0; image < conv->batch; image += task->images)
		add_images(task, &memory, image, least(task->images, conv->batch - image), group, first, outputs);
	/* in place: what is read lies behind what is written */
	vector->add_lanes(memory.sums, memory.sums, task->outputs * task->tiles * task->tile);
	for (int64_t output = 0; output < outputs; output++) {
		int64_t within = output % vector->outputs;
		const float *sums = memory.sums + (output - within) * task->tiles * task->tile + within;

		for (int64_t line = 0; line < task->lines; line++, to++)
			*to = sums[line * vector->outputs];
	}
	set_right(task, &memory, group, first, outputs);
}

void emu_thin_run_weight(struct emu_thin_task *task, int threads)
{
	const struct emu_conv *conv = &task->call->conv;

	emu_thin_load_map(task, threads);
	emu_pool_run(threads, conv->groups * ceil_div(conv->small_channels, task->outputs), weight_piece, task);
}
