/* Copies of maps with a channel in each lane, which is what transforming for the weight reads. */
#include <string.h>

#include "winograd_task.h"

static int64_t residues_of(const struct emu_winograd_axis *axis)
{
	return least(axis->dilation, axis->written);
}

struct emu_winograd_copy emu_winograd_copy(const struct emu_winograd_task *task, bool is_source)
{
	int64_t lanes = task->vector->lanes, beyond = is_source ? 2 : 0;
	struct emu_winograd_copy copy = {
		.array = is_source ? task->source : task->squares,
		.is_source = is_source,
		.channels = is_source ? task->inputs : task->outputs,
		.depth = is_source ? task->source_depth : task->squares_depth,
		.rows = 2 * emu_winograd_most_tiles(&task->y) + beyond,
		.columns = 2 * emu_winograd_most_tiles(&task->x) + beyond,
	};

	copy.line = residues_of(&task->x) * copy.columns * lanes;
	/* the last transposition of a layer goes on behind it */
	copy.layer = residues_of(&task->y) * copy.rows * copy.line + lanes * lanes;
	copy.lane_groups = ceil_div(copy.channels, lanes);
	copy.layers = task->call->conv.batch * copy.depth;
	return copy;
}

int64_t emu_winograd_copy_floats(const struct emu_winograd_task *task, const struct emu_winograd_copy *copy)
{
	return task->call->conv.groups * copy->lane_groups * copy->layers * copy->layer;
}

static int64_t line_pitch(const struct emu_winograd_task *task)
{
	return round_up(2 * emu_winograd_most_tiles(&task->x) + 2, task->vector->lanes) + 16;
}

int64_t emu_winograd_lines_floats(const struct emu_winograd_task *task)
{
	return task->vector->lanes * line_pitch(task);
}

/* One line of some channels, of one residue along x. */
static void copy_line(const struct emu_winograd_task *task, const struct emu_winograd_copy *copy, int64_t offset,
                      int64_t channels, const struct emu_winograd_strip *x, float *lines, float *to)
{
	const struct emu_array *array = copy->array;
	const int64_t *strides = array->view.strides;
	int64_t begin = copy->is_source ? x->begin : 0, end = copy->is_source ? x->end : x->outputs;
	int64_t lanes = task->vector->lanes, pitch = line_pitch(task);

	offset += ((copy->is_source ? x->source : x->first) + begin * task->x.dilation) * strides[4];
	for (int64_t channel = 0; channel < channels; channel++) {
		float *line = lines + channel * pitch;

		memset(line, 0, (size_t)begin * sizeof(float));
		emu_load_row(task->rows, array, line + begin,
		             emu_element(array->first, offset + channel * strides[1], array->view.stored),
		             strides[4] * task->x.dilation, end - begin);
		memset(line + end, 0, (size_t)(copy->columns - end) * sizeof(float));
	}
	for (int64_t at = 0; at < copy->columns; at += lanes)
		task->vector->transpose(to + at * lanes, lines + at, pitch);
}

/* One piece: one layer of some channels. */
static void copy_layer(struct emu_winograd_task *task, const struct emu_winograd_copy *copy, int64_t piece,
                       float *lines)
{
	const int64_t *strides = copy->array->view.strides;
	int64_t lanes = task->vector->lanes, layer = piece % copy->layers, lane_group = piece / copy->layers;
	int64_t first = lane_group % copy->lane_groups * lanes;
	int64_t channel = lane_group / copy->lane_groups * copy->channels + first;
	int64_t offset = layer / copy->depth * strides[0] + channel * strides[1] + layer % copy->depth * strides[2];
	struct emu_winograd_axis y_axis = task->y, x_axis = task->x;
	float *to = copy->floats + piece * copy->layer;

	y_axis.cut = emu_winograd_most_tiles(&y_axis);
	x_axis.cut = emu_winograd_most_tiles(&x_axis);
	for (int64_t residue = 0; residue < residues_of(&y_axis); residue++) {
		struct emu_winograd_strip y = emu_winograd_strip(&y_axis, residue);
		int64_t begin = copy->is_source ? y.begin : 0, end = copy->is_source ? y.end : y.outputs;

		for (int64_t row = 0; row < copy->rows; row++, to += copy->line) {
			int64_t at = offset + ((copy->is_source ? y.source : y.first) + row * y_axis.dilation) * strides[3];

			if (row < begin || row >= end) {
				memset(to, 0, (size_t)copy->line * sizeof(float));
				continue;
			}
			for (int64_t i = 0; i < residues_of(&x_axis); i++) {
				struct emu_winograd_strip x = emu_winograd_strip(&x_axis, i);

				copy_line(task, copy, at, least(lanes, copy->channels - first), &x, lines,
				          to + i * copy->columns * lanes);
			}
		}
	}
}

static void fill_piece(void *argument, int64_t piece, int worker)
{
	struct emu_winograd_task *task = argument;
	int64_t of_source = task->call->conv.groups * task->source_copy.lane_groups * task->source_copy.layers;
	float *lines = (float *)(void *)(task->private + (uint64_t)worker * task->private_bytes);

	if (piece < of_source)
		copy_layer(task, &task->source_copy, piece, lines);
	else
		copy_layer(task, &task->squares_copy, piece - of_source, lines);
}

void emu_winograd_fill_copies(struct emu_winograd_task *task, int threads)
{
	const struct emu_winograd_copy *source = &task->source_copy, *squares = &task->squares_copy;

	emu_pool_run(threads,
	             task->call->conv.groups *
	                 (source->lane_groups * source->layers + squares->lane_groups * squares->layers),
	             fill_piece, task);
}
