/*
 * Writing a map: of each block of tiles, C is [output channels][tiles] for each of the 16 products, A the transformed
 * taps, packed once for all, B [channels][tiles] the transformed source.
 */
#include <string.h>

#include "view.h"
#include "winograd_task.h"

enum {
	PANELS = 4,   /* of A that are multiplied and transformed back at a time */
	DEPTH = 256,  /* channels that are summed up in registers: a panel of B stays in the first level of cache */
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

static int64_t section_of(const struct emu_winograd_task *task)
{
	return round_up(task->inputs * task->vector->rows + task->vector->lanes, 16);
}

uint64_t emu_winograd_taps_floats(const struct emu_winograd_task *task)
{
	return (uint64_t)(task->call->conv.groups * panels_of(task) * EMU_WINOGRAD_PRODUCTS * task->depth_taps *
	                  section_of(task));
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

/* One piece: the panels that are read together. */
static void pack_taps(void *argument, int64_t piece, int worker)
{
	const struct emu_winograd_task *task = argument;
	struct reading reading = reading_of(task);
	int64_t pieces = ceil_div(task->outputs, reading.outputs), group = piece / pieces, rows = task->vector->rows;
	int64_t first = piece % pieces * reading.outputs, outputs = least(reading.outputs, task->outputs - first);
	int64_t panel_floats = EMU_WINOGRAD_PRODUCTS * task->depth_taps * task->section;
	float *lines = (float *)(void *)(task->private + (uint64_t)worker * task->private_bytes);
	float *panels = task->taps + (group * panels_of(task) + first / rows) * panel_floats;

	memset(lines, 0, (size_t)lines_floats(task) * sizeof(float));
	for (int64_t input = 0; input < task->inputs; input += reading.inputs) {
		int64_t inputs = least(reading.inputs, task->inputs - input);

		load_taps(task, &reading, lines, group, first, outputs, input, inputs);
		for (int64_t output = 0; output < outputs; output += rows)
			pack_panel(task, &reading, lines + output * reading.output, panels + output / rows * panel_floats, input,
			           inputs);
	}
}

/* ---- blocks ----------------------------------------------------------------------------------------------- */

/* The memory of one worker while it works on a block. */
struct memory {
	float *source;  /* of transforming */
	float *b;       /* [product][input][pitch] */
	float *c;       /* [product][output][c_pitch] */
	int64_t c_pitch;
	float *upper, *lower;
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
	int64_t block = c_floats(task) + EMU_WINOGRAD_PRODUCTS * task->inputs * task->pitch + 2 * outputs_floats(task) +
	                emu_winograd_source_floats(task);

	return (uint64_t)round_up(block > lines_floats(task) ? block : lines_floats(task), 16);
}

static struct memory memory_of(const struct emu_winograd_task *task, int worker)
{
	struct memory memory;

	memory.c = (float *)(void *)(task->private + (uint64_t)worker * task->private_bytes);
	memory.c_pitch = c_pitch_of(task);
	memory.b = memory.c + c_floats(task);
	memory.upper = memory.b + EMU_WINOGRAD_PRODUCTS * task->inputs * task->pitch;
	memory.lower = memory.upper + outputs_floats(task);
	memory.source = memory.lower + outputs_floats(task);
	return memory;
}

/* All products of some panels of A. */
static void multiply(const struct emu_winograd_task *task, const struct emu_winograd_block *block,
                     const struct memory *memory, const float *taps, int64_t outputs)
{
	int64_t product_pitch = task->depth_taps * task->section, rows = task->vector->rows;
	struct emu_winograd_product product = {
		.c_pitch = memory->c_pitch,
		.a_pitch = rows,
		.a_panel = EMU_WINOGRAD_PRODUCTS * product_pitch,
		.b_pitch = task->pitch,
		.rows = outputs,
		.columns = block->layers * block->tiles,
	};

	for (int i = 0; i < EMU_WINOGRAD_PRODUCTS; i++) {
		product.c = memory->c + i * PANELS * rows * memory->c_pitch;
		product.fresh = true;
		for (int64_t tap = 0; tap < task->depth_taps; tap++) {
			const float *a = taps + i * product_pitch + tap * task->section;
			const float *b = memory->b + i * task->inputs * task->pitch + tap * task->depth_dilation * block->tiles;

			for (int64_t input = 0; input < task->inputs; input += DEPTH) {
				product.a = a + input * rows;
				product.b = b + input * task->pitch;
				product.depth = least(DEPTH, task->inputs - input);
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

/* One piece: some outputs of one block. */
static void filter_block(void *argument, int64_t piece, int worker)
{
	struct emu_winograd_task *task = argument;
	struct emu_winograd_block block = emu_winograd_block(task, piece / task->parts % task->blocks);
	struct memory memory = memory_of(task, worker);
	int64_t group = piece / task->parts / task->blocks, rows = task->vector->rows;
	int64_t begin = piece % task->parts * task->part, end = least(begin + task->part, task->outputs);
	int64_t panel_floats = EMU_WINOGRAD_PRODUCTS * task->depth_taps * task->section;
	bool finite = true;

	if (atomic_load_explicit(&task->spoilt, memory_order_relaxed))
		return;
	emu_winograd_clear_source(task, memory.source);
	for (int64_t input = 0; input < task->inputs; input++)
		emu_winograd_source(task, &block, group * task->inputs + input, memory.b + input * task->pitch,
		                    task->inputs * task->pitch, memory.source);
	for (int64_t output = begin; output < end; output += PANELS * rows) {
		int64_t count = least(PANELS * rows, end - output);

		multiply(task, &block, &memory, task->taps + (group * panels_of(task) + output / rows) * panel_floats, count);
		for (int64_t i = 0; i < count; i++) {
			finite &= task->vector->untransform(memory.upper, memory.lower, memory.c + i * memory.c_pitch,
			                                    PANELS * rows * memory.c_pitch, block.layers * block.tiles);
			store_channel(task, &block, &memory, group * task->outputs + output + i);
		}
	}
	if (!finite)
		atomic_store_explicit(&task->spoilt, true, memory_order_relaxed);
}

void emu_winograd_run_map(struct emu_winograd_task *task, int threads)
{
	int64_t groups = task->call->conv.groups, panels = panels_of(task), pieces = groups * task->blocks;

	/* few blocks are shared by several threads, each transforming the source anew */
	task->parts =
		threads > 1 && pieces < 2 * threads ? least(ceil_div(2 * threads, pieces), ceil_div(panels, PANELS)) : 1;
	task->part = round_up(ceil_div(panels, task->parts), PANELS) * task->vector->rows;
	task->parts = ceil_div(task->outputs, task->part);
	task->section = section_of(task);
	emu_pool_run(threads, groups * ceil_div(task->outputs, reading_of(task).outputs), pack_taps, task);
	emu_pool_run(threads, pieces * task->parts, filter_block, task);
}
