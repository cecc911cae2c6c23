/* The blocks of minimal filtering: how maps are cut into them, and how their source is transformed. */
#include <string.h>

#include "winograd_task.h"

enum { /* floats of the transformed source of a block: it stays in the second level of cache */
	MOST_FLOATS = 1 << 18,
	MOST_WEIGHT_FLOATS = 1 << 17 /* here sums are at work besides */
};

static int64_t tiles_of(int64_t outputs)
{
	return (outputs + 1) / 2;
}

/* Residues with one output more than the others come first. */
static int64_t strips_of(const struct emu_winograd_axis *axis)
{
	int64_t longer = axis->written % axis->dilation, outputs = axis->written / axis->dilation;

	return longer * ceil_div(tiles_of(outputs + 1), axis->cut) +
	       (axis->dilation - longer) * ceil_div(tiles_of(outputs), axis->cut);
}

int64_t emu_winograd_most_tiles(const struct emu_winograd_axis *axis)
{
	return tiles_of(ceil_div(axis->written, axis->dilation));
}

struct emu_winograd_strip emu_winograd_strip(const struct emu_winograd_axis *axis, int64_t index)
{
	int64_t longer = axis->written % axis->dilation, outputs = axis->written / axis->dilation, count;
	int64_t strips_of_longer = ceil_div(tiles_of(outputs + 1), axis->cut);
	struct emu_winograd_strip strip;

	if (index < longer * strips_of_longer) {
		strip.residue = index / strips_of_longer;
		strip.tile = index % strips_of_longer * axis->cut;
		outputs++;
	} else {
		int64_t strips = ceil_div(tiles_of(outputs), axis->cut);

		index -= longer * strips_of_longer;
		strip.residue = longer + index / strips;
		strip.tile = index % strips * axis->cut;
	}
	strip.tiles = least(axis->cut, tiles_of(outputs) - strip.tile);
	strip.first = strip.residue + 2 * strip.tile * axis->dilation;
	strip.outputs = least(2 * strip.tiles, outputs - 2 * strip.tile);
	strip.source = strip.first - axis->padding;
	count = 2 * strip.tiles + 2;
	strip.begin = strip.source < 0 ? least(ceil_div(-strip.source, axis->dilation), count) : 0;
	strip.end = axis->source > strip.source ? least(ceil_div(axis->source - strip.source, axis->dilation), count) : 0;
	if (strip.end < strip.begin)
		strip.end = strip.begin;
	return strip;
}

struct emu_winograd_block emu_winograd_block(const struct emu_winograd_task *task, int64_t index)
{
	struct emu_winograd_block block;

	block.x = emu_winograd_strip(&task->x, index % task->x.strips);
	index /= task->x.strips;
	block.y = emu_winograd_strip(&task->y, index % task->y.strips);
	index /= task->y.strips;
	block.layer = index % task->layer_blocks * task->cut;
	block.layers = least(task->cut, task->layers - block.layer);
	block.image = index / task->layer_blocks;
	block.tiles = block.y.tiles * block.x.tiles;
	return block;
}

void emu_winograd_layer(const struct emu_winograd_task *task, const struct emu_winograd_block *block, int64_t layer,
                        int64_t *image, int64_t *depth)
{
	if (task->span > 0) {
		*image = block->image;
		*depth = block->layer + layer;
	} else {
		*image = (block->layer + layer) / task->squares_depth;
		*depth = (block->layer + layer) % task->squares_depth;
	}
}

/* ---- cutting ---------------------------------------------------------------------------------------------- */

static void cut_blocks(struct emu_winograd_task *task)
{
	bool is_weight = task->call->direction == EMU_TO_WEIGHT;
	int64_t channels = task->inputs + (is_weight ? emu_winograd_part(task) : 0);
	int64_t rows_of_all = emu_winograd_most_tiles(&task->y);
	int64_t most = is_weight ? MOST_WEIGHT_FLOATS / EMU_WINOGRAD_SIDE / channels
	                         : MOST_FLOATS / EMU_WINOGRAD_PRODUCTS / channels;
	double lowest = -1;

	if (most < 2 * task->vector->lanes)
		most = 2 * task->vector->lanes;
	task->x.cut = ceil_div(emu_winograd_most_tiles(&task->x), ceil_div(emu_winograd_most_tiles(&task->x), most));
	task->x.strips = strips_of(&task->x);
	for (int64_t rows = least(rows_of_all, most / task->x.cut); rows > 0; rows--) {
		int64_t room = most / (rows * task->x.cut) - task->span, layers = room < 1 ? 1 : least(room, task->layers);
		struct emu_winograd_axis y = task->y;
		double cost;

		layers = ceil_div(task->layers, ceil_div(task->layers, layers));
		y.cut = rows;
		y.strips = strips_of(&y);
		cost = (double)y.strips * (double)(ceil_div(task->layers, layers)) *
		       emu_winograd_block_cost(task, layers, rows, task->x.cut);
		if (lowest >= 0 && cost >= lowest)
			continue;
		lowest = cost;
		task->y = y;
		task->cut = layers;
	}
}

static struct emu_winograd_axis axis_of(const struct emu_conv_call *call, int axis)
{
	const struct emu_conv *conv = &call->conv;
	int64_t reach = (conv->kernel[axis] - 1) * conv->dilation[axis];

	if (call->direction == EMU_TO_BIG)
		return (struct emu_winograd_axis){conv->small[axis], conv->big[axis], conv->dilation[axis],
		                                  reach - conv->padding[axis], 0, 0};
	return (struct emu_winograd_axis){
		conv->big[axis], conv->small[axis], conv->dilation[axis], conv->padding[axis], 0, 0};
}

void emu_winograd_plan(struct emu_winograd_task *task, const struct emu_winograd_vector *vector,
                       const struct emu_conv_call *call)
{
	const struct emu_conv *conv = &call->conv;
	bool to_big = call->direction == EMU_TO_BIG;
	struct emu_winograd_axis depth = axis_of(call, 0);

	task->vector = vector;
	task->call = call;
	task->rows = emu_rows(call->isa);
	task->source = to_big ? &call->small : &call->big;
	task->squares = to_big ? &call->big : &call->small;
	task->inputs = to_big ? conv->small_channels : conv->big_channels;
	task->outputs = to_big ? conv->big_channels : conv->small_channels;
	task->y = axis_of(call, 1);
	task->x = axis_of(call, 2);
	task->depth_taps = conv->kernel[0];
	task->depth_dilation = conv->dilation[0];
	task->depth_padding = depth.padding;
	task->span = (conv->kernel[0] - 1) * conv->dilation[0];
	task->source_depth = depth.source;
	task->squares_depth = depth.written;
	task->images = task->span > 0 ? conv->batch : 1;
	task->layers = task->span > 0 ? depth.written : conv->batch * depth.written;
	cut_blocks(task);
	task->layer_blocks = ceil_div(task->layers, task->cut);
	task->blocks = task->images * task->layer_blocks * task->y.strips * task->x.strips;
	task->tiles = task->cut * task->y.cut * task->x.cut;
	/* whole cache lines, and an odd number of them: a power of two would share cache sets */
	task->pitch = round_up((task->cut + task->span) * task->y.cut * task->x.cut + 2 * vector->lanes, 32) + 16;
	task->source_copy = emu_winograd_copy(task, true);
	task->squares_copy = emu_winograd_copy(task, false);
	task->row_pitch = (task->y.cut + 1) * task->x.cut + 2 * vector->lanes;
}

/* ---- transforming ----------------------------------------------------------------------------------------- */

static int64_t line_floats(const struct emu_winograd_task *task)
{
	return 2 * task->x.cut + 2 + 4 * task->vector->lanes;
}

int64_t emu_winograd_source_floats(const struct emu_winograd_task *task)
{
	return line_floats(task) + 2 * EMU_WINOGRAD_SIDE * task->row_pitch;
}

/* The line keeps zeros where the map has no elements. */
void emu_winograd_clear_source(const struct emu_winograd_task *task, float *memory)
{
	memset(memory, 0, (size_t)line_floats(task) * sizeof(float));
}

static void load_line(const struct emu_winograd_task *task, const struct emu_winograd_block *block, int64_t offset,
                      int64_t row, float *line)
{
	const struct emu_array *array = task->source;
	const int64_t *strides = array->view.strides;
	int64_t y = block->y.source + row * task->y.dilation;
	int64_t x = block->x.source + block->x.begin * task->x.dilation, count = block->x.end - block->x.begin;
	const void *from = emu_element(array->first, offset + y * strides[3] + x * strides[4], array->view.stored);

	line += block->x.begin;
	emu_load_row(task->rows, array, line, from, strides[4] * task->x.dilation, count);
}

static void zero_row(float *to, int64_t pitch, int64_t tiles)
{
	for (int i = 0; i < EMU_WINOGRAD_SIDE; i++)
		memset(to + i * pitch, 0, (size_t)tiles * sizeof(float));
}

void emu_winograd_source(const struct emu_winograd_task *task, const struct emu_winograd_block *block, int64_t channel,
                         float *to, int64_t product_pitch, float *memory)
{
	const int64_t *strides = task->source->view.strides;
	float *even = memory + line_floats(task), *odd = even + EMU_WINOGRAD_SIDE * task->row_pitch;

	for (int64_t layer = 0; layer < block->layers + task->span; layer++, to += block->tiles) {
		int64_t image, depth, offset;
		bool inside;

		emu_winograd_layer(task, block, layer, &image, &depth);
		depth -= task->depth_padding;
		inside = depth >= 0 && depth < task->source_depth && block->x.begin < block->x.end;
		offset = image * strides[0] + channel * strides[1] + depth * strides[2];
		for (int64_t row = 0; row < 2 * block->y.tiles + 2; row++) {
			float *row_to = (row % 2 ? odd : even) + row / 2 * block->x.tiles;

			if (inside && row >= block->y.begin && row < block->y.end) {
				load_line(task, block, offset, row, memory);
				task->vector->transform_row(row_to, task->row_pitch, memory, block->x.tiles);
			} else {
				zero_row(row_to, task->row_pitch, block->x.tiles);
			}
		}
		task->vector->transform_rows(to, product_pitch, even, odd, task->row_pitch, block->x.tiles, block->tiles);
	}
}
