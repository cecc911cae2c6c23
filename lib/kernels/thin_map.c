/*
 * Writing a map: rows of the small one are sums of lines of the padded big one; the other way round, all lines of a
 * row are computed as sums of the channels of the small map and added where they belong.
 */
#include <string.h>

#include "number.h"
#include "thin_task.h"

/* ---- to the small map ------------------------------------------------------------------------------------- */

static void pack_small(const struct emu_thin_task *task)
{
	const struct emu_conv *conv = &task->call->conv;
	int64_t channels = conv->small_channels, depth = task->vector->depth;

	for (int64_t output = 0; output < conv->groups * channels; output++) {
		const float *from = task->weights + output * task->lines;

		for (int64_t line = 0; line < task->lines; line += depth)
			memcpy(emu_thin_packed(task, output / channels, line / depth, channels, output % channels), from + line,
			       (size_t)least(depth, task->lines - line) * sizeof(float));
	}
}

/* The sum at one position of the taps that meet the map: a zero beside it must not meet an infinite weight. */
static float sum_inside(const struct emu_thin_task *task, const float *weights, const float *map, const int64_t at[3])
{
	const struct emu_conv *conv = &task->call->conv;
	int64_t taps = volume(conv->kernel);
	double sum = 0;

	for (int64_t line = 0; line < task->lines; line++) {
		int64_t tap[3];
		bool inside = true;

		split(line % taps, conv->kernel, tap);
		for (int axis = 0; axis < 3; axis++) {
			int64_t x = at[axis] * conv->stride[axis] + tap[axis] * conv->dilation[axis] - conv->padding[axis];

			inside &= x >= 0 && x < conv->big[axis];
		}
		if (inside)
			sum += (double)weights[line] * (double)map[task->line_offsets[line] + at[2]];
	}
	return (float)sum;
}

/* Sums anew what is no number, or met none where it should not have, in a row of a channel from position at[2]. */
static void set_right(const struct emu_thin_task *task, float *row, const float *map, int64_t channel,
                      const int64_t at[3], int64_t count)
{
	if (are_finite(row, count))
		return;
	for (int64_t i = 0; i < count; i++) {
		const int64_t position[3] = {at[0], at[1], at[2] + i};

		if (!are_finite(&row[i], 1))
			row[i] = sum_inside(task, task->weights + channel * task->lines, map, position);
	}
}

/* Rounds and stores rows of a channel of the small map, positions at[2]..at[2]+count-1 of each. */
static void store_small(const struct emu_thin_task *task, float *from, int64_t pitch, const float *map, int64_t image,
                        int64_t channel, const int64_t at[3], int64_t rows, int64_t count)
{
	const struct emu_array *array = &task->call->small;

	for (int64_t row = 0; row < rows; row++) {
		const int64_t begin[3] = {at[0], at[1] + row, at[2]};

		set_right(task, from + row * pitch, map + row * task->call->conv.stride[1] * task->padded.row, channel, begin,
		          count);
		if (emu_needs_rounding(array))
			task->rows->round(from + row * pitch, count, array->number);
	}
	task->rows->store_rows(emu_thin_element(array, image, channel, at[0], at[1], at[2]),
	                       array->view.strides[3] * emu_number_bytes(array->view.stored), array->view.strides[4], from,
	                       pitch, rows, count, array->view.stored);
}

/* One piece: some rows of all channels of a group. */
static void small_piece(void *argument, int64_t piece, int worker)
{
	const struct emu_thin_task *task = argument;
	const struct emu_conv *conv = &task->call->conv;
	const int64_t size[3] = {conv->groups, conv->small[0], ceil_div(conv->small[1], task->pass)};
	int64_t image = piece / volume(size), channels = conv->small_channels, depth = task->vector->depth;
	float *to = task->private + (uint64_t)worker * task->private_floats;
	const float *map;
	int64_t at[3], group, rows;

	split(piece % volume(size), size, at);
	group = at[0];
	at[0] = at[1];
	at[1] = at[2] * task->pass;
	rows = least(task->pass, conv->small[1] - at[1]);
	map = task->map + (image * conv->groups + group) * conv->big_channels * task->padded.channel +
	      at[0] * conv->stride[0] * task->padded.plane + at[1] * conv->stride[1] * task->padded.row;
	for (at[2] = 0; at[2] < conv->small[2]; at[2] += task->block) {
		int64_t count = least(task->block, conv->small[2] - at[2]), pitch = round_up(count, task->vector->lanes);
		struct emu_thin_part part = {1, rows, count, 0, pitch, 0, conv->stride[1] * task->padded.row};

		for (int64_t first = 0; first < channels; first += task->outputs) {
			int64_t outputs = least(task->outputs, channels - first);

			memset(to, 0, (size_t)(outputs * task->pitch) * sizeof(float));
			for (int64_t line = 0; line < task->lines; line += depth)
				task->vector->sum(to, task->row_offsets, outputs,
				                  emu_thin_packed(task, group, line / depth, channels, first), map + at[2],
				                  task->line_offsets + line, least(depth, task->lines - line), &part);
			for (int64_t i = 0; i < outputs; i++)
				store_small(task, to + i * task->pitch, pitch, map, image, group * channels + first + i, at, rows,
				            count);
		}
	}
}

void emu_thin_run_small(struct emu_thin_task *task, int threads)
{
	const struct emu_conv *conv = &task->call->conv;

	pack_small(task);
	for (int64_t row = 0; row < task->outputs; row++)
		task->row_offsets[row] = row * task->pitch;
	emu_thin_load_map(task, threads);
	emu_pool_run(threads, conv->batch * conv->groups * conv->small[0] * ceil_div(conv->small[1], task->pass),
	             small_piece, task);
}

/* ---- to the big map --------------------------------------------------------------------------------------- */

enum { TOGETHER = 16 /* weights of a row that are packed at a time */ };

/* Here lines lie in the order of kernel rows, then columns, then channels: those of some kernel rows are one range. */
static void pack_big(const struct emu_thin_task *task)
{
	const struct emu_conv *conv = &task->call->conv;
	int64_t channels = conv->big_channels, taps = volume(conv->kernel), inputs = conv->small_channels;

	for (int64_t first = 0, count; first < conv->groups * inputs; first += count) {
		int64_t input = first % inputs;
		const float *from = task->weights + first * task->lines;

		count = least(TOGETHER, inputs - input);
		for (int64_t line = 0; line < task->lines; line++) {
			float *to = emu_thin_packed(task, first / inputs, input / task->vector->depth, task->lines, line) +
			            input % task->vector->depth;

			for (int64_t i = 0; i < count; i++)
				to[i] = from[i * task->lines + line % channels * taps + line / channels];
		}
	}
}

/* The part of the big map that a piece writes, and the small positions of a row that reach it. */
struct part {
	int64_t image, group, depth;
	int64_t row, rows;
	int64_t cycle, cycles; /* positions of a phase */
	int64_t begin, end;
	float *small;
	float *to;             /* cycle - reach of each phase, and on */
	float *line;           /* of the big map, joined */
	float *columns;
};

static struct part part_of(const struct emu_thin_task *task, int64_t piece, int worker)
{
	const struct emu_conv *conv = &task->call->conv;
	const int64_t size[3] = {conv->big[0], task->bands, task->blocks};
	int64_t first = conv->padding[2] / task->phases, tiles = volume(size), at[3];
	int64_t end = (conv->padding[2] + conv->big[2] - 1) / task->phases + 1;
	struct part part = {.image = piece / tiles / conv->groups, .group = piece / tiles % conv->groups};

	split(piece % tiles, size, at);
	part.depth = at[0];
	part.row = at[1] * task->band;
	part.rows = least(task->band, conv->big[1] - part.row);
	part.cycle = first + at[2] * task->block;
	part.cycles = least(task->block, end - part.cycle);
	part.begin = most(part.cycle - task->reach, 0);
	part.end = least(part.cycle + part.cycles, conv->small[2]);
	part.small = task->private + (uint64_t)worker * task->private_floats;
	part.to = part.small + task->vector->depth * task->pitch;
	part.line = part.to + conv->big_channels * task->padded.channel;
	part.columns = part.line + task->phases * round_up(task->block, task->vector->lanes);
	return part;
}

/* value / unit rounded up, 0 for what is negative, at most `limit`. */
static int64_t ceil_within(int64_t value, int64_t unit, int64_t limit)
{
	return value <= 0 ? 0 : least(ceil_div(value, unit), limit);
}

/* The kernel rows by which a row of the small map meets the part, and where in it the first one does. */
struct meeting {
	int64_t begin, end;
	int64_t row;
};

static struct meeting meeting_of(const struct emu_thin_task *task, const struct part *part, int64_t y)
{
	const struct emu_conv *conv = &task->call->conv;
	/* of kernel row 0, counted from the first row of the part */
	int64_t row = y * conv->stride[1] - conv->padding[1] - part->row;
	struct meeting meeting = {ceil_within(-row, conv->dilation[1], conv->kernel[1]),
	                          ceil_within(part->rows - row, conv->dilation[1], conv->kernel[1]), 0};

	meeting.row = row + meeting.begin * conv->dilation[1];
	return meeting;
}

/* Adds what channels from `channel` of some rows of the small map give that meet the part by the same kernel rows. */
static void add_rows(const struct emu_thin_task *task, const struct part *part, const struct meeting *meeting,
                     int64_t kernel_depth, int64_t channel, const float *from, int64_t rows)
{
	const struct emu_conv *conv = &task->call->conv;
	int64_t depth = task->vector->depth, lines = conv->kernel[2] * conv->big_channels;
	int64_t count = part->end - part->begin;
	const struct emu_thin_part at = {1, rows, count, 0, conv->stride[1] * task->padded.row, 0, count};
	const float *factors = emu_thin_packed(task, part->group, channel / depth, task->lines,
	                                  (kernel_depth * conv->kernel[1] + meeting->begin) * lines);
	float *to = part->to + meeting->row * task->padded.row + part->begin - part->cycle + task->reach;

	if (meeting->begin >= meeting->end)
		return;
	if (task->vector->pairs)
		emu_thin_add_columns(task, to, (meeting->end - meeting->begin) * lines, factors, from,
		                     least(depth, conv->small_channels - channel), &at, part->columns);
	else
		task->vector->sum(to, task->line_offsets, (meeting->end - meeting->begin) * lines, factors, from,
		                  task->row_offsets, least(depth, conv->small_channels - channel), &at);
}

/* The same of a few rows from y, whatever they meet. */
static void add_pass(const struct emu_thin_task *task, const struct part *part, int64_t kernel_depth, int64_t channel,
                     int64_t y, int64_t rows)
{
	int64_t count = part->end - part->begin, last;

	for (int64_t first = 0; first < rows; first = last) {
		struct meeting meeting = meeting_of(task, part, y + first);

		for (last = first + 1; last < rows; last++) {
			struct meeting next = meeting_of(task, part, y + last);

			if (next.begin != meeting.begin || next.end != meeting.end)
				break;
		}
		add_rows(task, part, &meeting, kernel_depth, channel, part->small + first * count, last - first);
	}
}

/* Adds what one plane of the small map gives by one position of the kernel's depth. */
static void add_plane(const struct emu_thin_task *task, const struct part *part, int64_t z, int64_t kernel_depth)
{
	const struct emu_conv *conv = &task->call->conv;
	int64_t top = part->row + conv->padding[1], span = (conv->kernel[1] - 1) * conv->dilation[1];
	int64_t begin = ceil_within(top - span, conv->stride[1], conv->small[1]);
	int64_t end = ceil_within(top + part->rows, conv->stride[1], conv->small[1]);
	int64_t depth = task->vector->depth;

	for (int64_t channel = 0; channel < conv->small_channels; channel += depth) {
		for (int64_t y = begin; y < end; y += task->pass) {
			const int64_t at[3] = {z, y, part->begin};
			int64_t rows = least(task->pass, end - y);

			emu_thin_load_small(task, part->small, part->image, part->group, channel,
			                    least(depth, conv->small_channels - channel), at, rows, part->end - part->begin);
			add_pass(task, part, kernel_depth, channel, y, rows);
		}
	}
}

/* Rounds and stores a channel of the part; where there are phases, a row is joined of them before. */
static void store_part(const struct emu_thin_task *task, const struct part *part, float *from, int64_t channel)
{
	const struct emu_conv *conv = &task->call->conv;
	const struct emu_array *array = &task->call->big;
	int64_t pitch = array->view.strides[3] * emu_number_bytes(array->view.stored), stride = array->view.strides[4];
	int64_t together = task->phases > 1 ? 1 : part->rows, rows;
	/* of the padded row */
	int64_t first = part->cycle * task->phases, begin = most(first, conv->padding[2]);
	int64_t end = least(first + part->cycles * task->phases, conv->padding[2] + conv->big[2]);

	from += task->reach;
	for (int64_t row = 0; row < part->rows; row += rows, from += rows * task->padded.row) {
		float *line = (task->phases > 1 ? part->line : from) + begin - first;

		rows = least(together, part->rows - row);
		if (task->phases > 1)
			task->vector->join(part->line, from, task->padded.phase, task->phases, part->cycles);
		for (int64_t i = 0; i < rows && emu_needs_rounding(array); i++)
			task->rows->round(line + i * task->padded.row, end - begin, array->number);
		task->rows->store_rows(emu_thin_element(array, part->image, channel, part->depth, part->row + row,
		                                        begin - conv->padding[2]),
		                       pitch, stride, line, task->padded.row, rows, end - begin, array->view.stored);
	}
}

/* One piece: some rows of all channels of a group, and some cycles of each. */
static void big_piece(void *argument, int64_t piece, int worker)
{
	const struct emu_thin_task *task = argument;
	const struct emu_conv *conv = &task->call->conv;
	struct part part = part_of(task, piece, worker);

	memset(part.to, 0, (size_t)(conv->big_channels * task->padded.channel) * sizeof(float));
	for (int64_t tap = 0; tap < conv->kernel[0]; tap++) {
		int64_t z = part.depth + conv->padding[0] - tap * conv->dilation[0];

		if (part.begin < part.end && z >= 0 && z % conv->stride[0] == 0 && z / conv->stride[0] < conv->small[0])
			add_plane(task, &part, z / conv->stride[0], tap);
	}
	for (int64_t channel = 0; channel < conv->big_channels; channel++)
		store_part(task, &part, part.to + channel * task->padded.channel, part.group * conv->big_channels + channel);
}

void emu_thin_run_big(struct emu_thin_task *task, int threads)
{
	const struct emu_conv *conv = &task->call->conv;

	if (task->vector->pairs)
		emu_thin_pack_pairs(task);
	else
		pack_big(task);
	for (int64_t channel = 0; channel < conv->big_channels; channel++)
		emu_thin_lines(task, channel, task->line_offsets + channel, conv->big_channels);
	for (int64_t row = 0; row < task->vector->depth; row++)
		task->row_offsets[row] = row * task->pitch;
	emu_pool_run(threads, conv->batch * conv->groups * conv->big[0] * task->bands * task->blocks, big_piece, task);
}
