/*
 * Writing a map: of each block of tiles, C is [output channels][tiles] for each of the 16 products, A the transformed
 * taps, B [channels][tiles] the transformed source. With many blocks, the taps are packed once for all of them, and
 * each transforms its source. With few, the source is transformed once, and taps are packed where they are multiplied:
 * a large weight would leave the caches between its packing and its only use.
 */
#include <string.h>

#include "view.h"
#include "winograd_task.h"

enum {
	PANELS = 4,   /* of A that are multiplied and transformed back at a time */
	DEPTH = 256,  /* channels that are summed up in registers: a panel of B stays in the first level of cache */
	FEW_BLOCKS = 2,
	RUN_FLOATS = 576, /* of taps that are loaded in one go */
	RUNS = 16
};

static int64_t taps_of(const struct emu_winograd_task *task)
{
	return task->depth_taps * EMU_WINOGRAD_TAPS * EMU_WINOGRAD_TAPS;
}

static int64_t panels_of(const struct emu_winograd_task *task)
{
	return ceil_div(task->outputs, task->vector->rows);
}

static bool has_few_blocks(const struct emu_winograd_task *task)
{
	return task->blocks <= FEW_BLOCKS;
}

/* Inputs whose taps are packed before they are multiplied. */
static int64_t packed_inputs(const struct emu_winograd_task *task)
{
	return has_few_blocks(task) ? least(DEPTH, task->inputs) : task->inputs;
}

static int64_t section_of(const struct emu_winograd_task *task)
{
	return round_up(packed_inputs(task) * task->vector->rows + task->vector->lanes, 16);
}

static int64_t panel_floats(const struct emu_winograd_task *task)
{
	return EMU_WINOGRAD_PRODUCTS * task->depth_taps * section_of(task);
}

/* Of the transformed source of a block. */
static int64_t b_floats(const struct emu_winograd_task *task)
{
	return EMU_WINOGRAD_PRODUCTS * task->inputs * task->pitch;
}

uint64_t emu_winograd_shared_floats(const struct emu_winograd_task *task)
{
	int64_t of_group = has_few_blocks(task) ? task->blocks * b_floats(task) : panels_of(task) * panel_floats(task);

	return (uint64_t)(task->call->conv.groups * of_group);
}

/* ---- taps ------------------------------------------------------------------------------------------------- */

/*
 * Taps are read in long runs: where the big map is written, those of some panels and one input lie together, else those
 * of one output and some inputs.
 */
struct reading {
	bool flip;
	int64_t outputs, inputs;   /* at a time */
	int64_t output, input;     /* floats from one to the next */
};

static struct reading reading_of(const struct emu_winograd_task *task)
{
	int64_t rows = task->vector->rows, taps = taps_of(task);

	if (task->call->direction == EMU_TO_BIG)
		return (struct reading){true, PANELS * rows, RUNS, taps, PANELS * rows * taps + 16};
	return (struct reading){false, rows, RUN_FLOATS / taps, RUN_FLOATS / taps * taps + 16, taps};
}

static int64_t lines_floats(const struct emu_winograd_task *task)
{
	struct reading reading = reading_of(task);

	return reading.outputs * reading.output + reading.inputs * reading.input + task->vector->lanes * reading.output +
	       16;
}

static void load_taps(const struct emu_winograd_task *task, const struct reading *reading, float *lines, int64_t group,
                      int64_t output, int64_t outputs, int64_t input, int64_t inputs)
{
	const struct emu_conv_call *call = task->call;
	int64_t taps = taps_of(task), channels = call->conv.big_channels, row = group * call->conv.small_channels;

	if (reading->flip)
		for (int64_t i = 0; i < inputs; i++)
			emu_view_load(lines + i * reading->input, &call->weight, ((row + input + i) * channels + output) * taps,
			              outputs * taps, call->isa);
	else
		for (int64_t i = 0; i < outputs; i++)
			emu_view_load(lines + i * reading->output, &call->weight, ((row + output + i) * channels + input) * taps,
			              inputs * taps, call->isa);
}

/* One panel of some inputs. */
static void pack_panel(const struct emu_winograd_task *task, const struct reading *reading, const float *lines,
                       float *panel, int64_t input, int64_t inputs)
{
	int64_t rows = task->vector->rows, last = task->depth_taps - 1;

	for (int64_t tap = 0; tap < task->depth_taps; tap++) {
		float *section = panel + (reading->flip ? last - tap : tap) * task->section;
		const float *from = lines + tap * EMU_WINOGRAD_TAPS * EMU_WINOGRAD_TAPS;

		for (int64_t i = 0; i < inputs; i++, from += reading->input)
			task->vector->transform_taps(section + (input + i) * rows, task->depth_taps * task->section, from,
			                             reading->output, reading->flip);
	}
}

/* Packs the panels of outputs first..first+outputs-1, inputs begin..end-1; `lines` is memory to do so. */
static void pack_panels(const struct emu_winograd_task *task, float *panels, float *lines, int64_t group, int64_t first,
                        int64_t outputs, int64_t begin, int64_t end)
{
	struct reading reading = reading_of(task);
	int64_t rows = task->vector->rows;

	memset(lines, 0, (size_t)lines_floats(task) * sizeof(float));
	for (int64_t output = 0, some; output < outputs; output += some) {
		some = least(reading.outputs, outputs - output);
		for (int64_t input = begin, inputs; input < end; input += inputs) {
			inputs = least(reading.inputs, end - input);
			load_taps(task, &reading, lines, group, first + output, some, input, inputs);
			for (int64_t i = 0; i < some; i += rows)
				pack_panel(task, &reading, lines + i * reading.output,
				           panels + (output + i) / rows * panel_floats(task), input - begin, inputs);
		}
	}
}

/* One piece: the panels that are read together. */
static void pack_taps(void *argument, int64_t piece, int worker)
{
	const struct emu_winograd_task *task = argument;
	int64_t outputs = reading_of(task).outputs, pieces = ceil_div(task->outputs, outputs);
	int64_t group = piece / pieces, first = piece % pieces * outputs;

	pack_panels(task, task->shared + (group * panels_of(task) + first / task->vector->rows) * panel_floats(task),
	            (float *)(void *)(task->private + (uint64_t)worker * task->private_bytes), group, first,
	            least(outputs, task->outputs - first), 0, task->inputs);
}

/* ---- blocks ----------------------------------------------------------------------------------------------- */

/* The memory of one worker. */
struct memory {
	float *source;       /* of transforming */
	float *b;            /* [product][input][pitch] of a block, where there are many */
	float *c;            /* [product][output][c_pitch], of each block where there are few */
	int64_t c_pitch;
	float *upper, *lower;
	float *taps, *lines; /* to pack some panels, where blocks are few */
};

static int64_t outputs_floats(const struct emu_winograd_task *task)
{
	return round_up(2 * task->tiles + 2 * task->vector->lanes, 16);
}

static int64_t c_pitch_of(const struct emu_winograd_task *task)
{
	return round_up(task->tiles + task->vector->lanes, 32) + 16;
}

static int64_t c_floats(const struct emu_winograd_task *task)
{
	return EMU_WINOGRAD_PRODUCTS * PANELS * task->vector->rows * c_pitch_of(task);
}

uint64_t emu_winograd_map_floats(const struct emu_winograd_task *task)
{
	int64_t floats = 2 * outputs_floats(task) + round_up(emu_winograd_source_floats(task), 16);

	if (has_few_blocks(task))
		floats += task->blocks * c_floats(task) + PANELS * panel_floats(task) + lines_floats(task);
	else
		floats += c_floats(task) + b_floats(task);
	return (uint64_t)round_up(floats > lines_floats(task) ? floats : lines_floats(task), 16);
}

static struct memory memory_of(const struct emu_winograd_task *task, int worker)
{
	struct memory memory;

	memory.upper = (float *)(void *)(task->private + (uint64_t)worker * task->private_bytes);
	memory.lower = memory.upper + outputs_floats(task);
	memory.source = memory.lower + outputs_floats(task);
	memory.c = memory.source + round_up(emu_winograd_source_floats(task), 16);
	memory.c_pitch = c_pitch_of(task);
	memory.b = memory.c + c_floats(task);
	memory.taps = memory.c + task->blocks * c_floats(task);
	memory.lines = memory.taps + PANELS * panel_floats(task);
	return memory;
}

/* All products of some panels of A, for inputs begin..end-1. */
static void multiply(const struct emu_winograd_task *task, const struct emu_winograd_block *block, float *c,
                     int64_t c_pitch, const float *b_of_block, const float *taps, int64_t outputs, int64_t begin,
                     int64_t end)
{
	int64_t product_pitch = task->depth_taps * task->section, rows = task->vector->rows;
	struct emu_winograd_product product = {
		.c_pitch = c_pitch,
		.a_pitch = rows,
		.a_panel = EMU_WINOGRAD_PRODUCTS * product_pitch,
		.b_pitch = task->pitch,
		.rows = outputs,
		.columns = block->layers * block->tiles,
	};

	for (int i = 0; i < EMU_WINOGRAD_PRODUCTS; i++) {
		product.c = c + i * PANELS * rows * c_pitch;
		product.fresh = begin == 0;
		for (int64_t tap = 0; tap < task->depth_taps; tap++) {
			const float *a = taps + i * product_pitch + tap * task->section;
			const float *b = b_of_block + i * task->inputs * task->pitch + tap * task->depth_dilation * block->tiles;

			for (int64_t input = begin; input < end; input += DEPTH) {
				product.a = a + (input - begin) * rows;
				product.b = b + input * task->pitch;
				product.depth = least(DEPTH, end - input);
				task->vector->multiply(&product);
				product.fresh = false;
			}
		}
	}
}

static void store_line(const struct emu_winograd_task *task, const struct emu_winograd_block *block, int64_t offset,
                       float *line)
{
	const struct emu_array *array = task->squares;

	if (emu_needs_rounding(array))
		task->rows->round(line, block->x.outputs, array->number);
	task->rows->store(emu_element(array->first, offset, array->view.stored),
	                  array->view.strides[4] * task->x.dilation, line, block->x.outputs, array->view.stored);
}

static void store_channel(const struct emu_winograd_task *task, const struct emu_winograd_block *block,
                          const struct memory *memory, int64_t channel)
{
	const int64_t *strides = task->squares->view.strides;
	float *upper = memory->upper, *lower = memory->lower;

	for (int64_t layer = 0; layer < block->layers; layer++) {
		int64_t image, depth, offset;

		emu_winograd_layer(task, block, layer, &image, &depth);
		offset = image * strides[0] + channel * strides[1] + depth * strides[2] + block->y.first * strides[3] +
		         block->x.first * strides[4];
		for (int64_t row = 0; row < 2 * block->y.tiles;
		     row += 2, upper += 2 * block->x.tiles, lower += 2 * block->x.tiles) {
			store_line(task, block, offset + row * task->y.dilation * strides[3], upper);
			if (row + 1 < block->y.outputs)
				store_line(task, block, offset + (row + 1) * task->y.dilation * strides[3], lower);
		}
	}
}

/* Transforms the sums of some outputs of a block back; returns whether all are finite. */
static bool finish(const struct emu_winograd_task *task, const struct emu_winograd_block *block,
                   const struct memory *memory, const float *c, int64_t first, int64_t outputs)
{
	bool finite = true;

	for (int64_t i = 0; i < outputs; i++) {
		finite &= task->vector->untransform(memory->upper, memory->lower, c + i * memory->c_pitch,
		                                    PANELS * task->vector->rows * memory->c_pitch,
		                                    block->layers * block->tiles);
		store_channel(task, block, memory, first + i);
	}
	return finite;
}

static bool is_spoilt(const struct emu_winograd_task *task)
{
	return atomic_load_explicit(&task->spoilt, memory_order_relaxed);
}

/* One piece where blocks are many: some outputs of one of them. */
static void filter_block(void *argument, int64_t piece, int worker)
{
	struct emu_winograd_task *task = argument;
	struct emu_winograd_block block = emu_winograd_block(task, piece / task->parts % task->blocks);
	struct memory memory = memory_of(task, worker);
	int64_t group = piece / task->parts / task->blocks, rows = task->vector->rows;
	int64_t begin = piece % task->parts * task->part, end = least(begin + task->part, task->outputs);
	bool finite = true;

	if (is_spoilt(task))
		return;
	emu_winograd_clear_source(task, memory.source);
	for (int64_t input = 0; input < task->inputs; input++)
		emu_winograd_source(task, &block, group * task->inputs + input, memory.b + input * task->pitch,
		                    task->inputs * task->pitch, memory.source);
	for (int64_t output = begin; output < end; output += PANELS * rows) {
		int64_t count = least(PANELS * rows, end - output);

		multiply(task, &block, memory.c, memory.c_pitch, memory.b,
		         task->shared + (group * panels_of(task) + output / rows) * panel_floats(task), count, 0, task->inputs);
		finite &= finish(task, &block, &memory, memory.c, group * task->outputs + output, count);
	}
	if (!finite)
		atomic_store_explicit(&task->spoilt, true, memory_order_relaxed);
}

/* One piece where blocks are few: the source of one input, of all of them. */
static void transform_source(void *argument, int64_t piece, int worker)
{
	const struct emu_winograd_task *task = argument;
	int64_t group = piece / task->inputs, input = piece % task->inputs;
	struct memory memory = memory_of(task, worker);

	emu_winograd_clear_source(task, memory.source);
	for (int64_t index = 0; index < task->blocks; index++) {
		struct emu_winograd_block block = emu_winograd_block(task, index);

		emu_winograd_source(task, &block, piece,
		                    task->shared + (group * task->blocks + index) * b_floats(task) + input * task->pitch,
		                    task->inputs * task->pitch, memory.source);
	}
}

/* One piece where blocks are few: some outputs of all of them. */
static void filter_outputs(void *argument, int64_t piece, int worker)
{
	struct emu_winograd_task *task = argument;
	struct memory memory = memory_of(task, worker);
	int64_t most = PANELS * task->vector->rows, pieces = ceil_div(task->outputs, most), group = piece / pieces;
	int64_t first = piece % pieces * most, outputs = least(most, task->outputs - first);
	const float *b = task->shared + group * task->blocks * b_floats(task);
	bool finite = true;

	if (is_spoilt(task))
		return;
	for (int64_t input = 0, end; input < task->inputs; input = end) {
		end = least(input + packed_inputs(task), task->inputs);
		pack_panels(task, memory.taps, memory.lines, group, first, outputs, input, end);
		for (int64_t index = 0; index < task->blocks; index++) {
			struct emu_winograd_block block = emu_winograd_block(task, index);

			multiply(task, &block, memory.c + index * c_floats(task), memory.c_pitch, b + index * b_floats(task),
			         memory.taps, outputs, input, end);
		}
	}
	for (int64_t index = 0; index < task->blocks; index++) {
		struct emu_winograd_block block = emu_winograd_block(task, index);

		finite &= finish(task, &block, &memory, memory.c + index * c_floats(task), group * task->outputs + first,
		                 outputs);
	}
	if (!finite)
		atomic_store_explicit(&task->spoilt, true, memory_order_relaxed);
}

static void run_few_blocks(struct emu_winograd_task *task, int threads)
{
	int64_t groups = task->call->conv.groups;

	emu_pool_run(threads, groups * task->inputs, transform_source, task);
	emu_pool_run(threads, groups * ceil_div(task->outputs, PANELS * task->vector->rows), filter_outputs, task);
}

static void run_many_blocks(struct emu_winograd_task *task, int threads)
{
	int64_t groups = task->call->conv.groups, panels = panels_of(task), pieces = groups * task->blocks;

	/* blocks are shared by several threads where they are too few for them, each transforming the source anew */
	task->parts =
		threads > 1 && pieces < 2 * threads ? least(ceil_div(2 * threads, pieces), ceil_div(panels, PANELS)) : 1;
	task->part = round_up(ceil_div(panels, task->parts), PANELS) * task->vector->rows;
	task->parts = ceil_div(task->outputs, task->part);
	emu_pool_run(threads, groups * ceil_div(task->outputs, reading_of(task).outputs), pack_taps, task);
	emu_pool_run(threads, pieces * task->parts, filter_block, task);
}

void emu_winograd_run_map(struct emu_winograd_task *task, int threads)
{
	task->section = section_of(task);
	if (has_few_blocks(task))
		run_few_blocks(task, threads);
	else
		run_many_blocks(task, threads);
}
