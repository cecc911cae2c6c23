/* The direct kernel where the weight is written: sums over the positions, a few taps at a time in registers. */
#include <math.h>
#include <string.h>

#include "direct_task.h"

enum { MOST_VECTORS = 512 /* that a sum of floats takes in before it is added to the total */ };

/* One piece: some walked channels of a group. */
struct part {
	int64_t group, begin, end;
};

struct parts {
	const struct emu_direct_task *task;
	int64_t channels; /* of a part, but for the last one of a group */
};

/* What goes through the kernel together: a pair of phases, or up to as many channels. */
static int outputs_of(const struct emu_direct_task *task, const struct part *part, int64_t first)
{
	return task->paired ? 2 : (int)least(part->end - first, EMU_DIRECT_OUTPUTS);
}

static int64_t padded_taps(const struct emu_direct_task *task)
{
	return round_up(task->lists[0].end, task->block);
}

static double *total_of(const struct emu_direct_task *task, double *totals, const struct emu_direct_tap *tap,
                        int64_t first, int output)
{
	if (task->paired)
		return tap->weight[output] < 0 ? NULL : &totals[tap->weight[output]];
	return &totals[tap->weight[0] + (first + output) * task->walked.weight_step];
}

/* Adds the sums to the totals and starts them anew. */
static void flush(const struct emu_direct_task *task, const struct part *part, const struct emu_direct_memory *memory)
{
	const struct emu_direct_list *list = &task->lists[0];
	int64_t taps = padded_taps(task);
	int lanes = task->vector->lanes;
	float *sums = memory->sums;

	for (int64_t first = part->begin; first < part->end; first += EMU_DIRECT_OUTPUTS) {
		int outputs = outputs_of(task, part, first);

		/* in place: what is read lies ahead of what is written */
		task->vector->total(sums, sums, list->end * outputs);
		for (int64_t i = 0; i < list->end * outputs; i++) {
			double *total = total_of(task, memory->totals, &list->taps[i / outputs], first, (int)(i % outputs));

			if (total)
				*total += (double)sums[i];
		}
		memset(sums, 0, (size_t)(taps * outputs * lanes) * sizeof(float));
		sums += taps * outputs * lanes;
	}
}

static void multiply_tile(const struct emu_direct_task *task, const struct part *part,
                          const struct emu_direct_tile *tile, const struct emu_direct_memory *memory)
{
	const struct emu_direct_vector *vector = task->vector;
	int64_t taps = padded_taps(task), plane = task->buffer.walked_plane;
	int64_t vectors = ceil_div(emu_direct_line(task, tile), vector->lanes);
	float *sums = memory->sums;

	for (int64_t first = part->begin; first < part->end; first += EMU_DIRECT_OUTPUTS) {
		int outputs = outputs_of(task, part, first);

		for (int64_t i = 0; i < taps; i += task->block, sums += task->block * outputs * vector->lanes)
			vector->correlate(sums, memory->walked + (first - part->begin) * plane, plane, memory->source,
			                  task->offsets + i, vectors, outputs, task->block);
	}
}

/* The same straight to the totals, without any zero around the source: one must not meet an infinity. */
static void multiply_inside(const struct emu_direct_task *task, const struct emu_direct_tile *tile,
                            const struct emu_direct_memory *memory, const struct emu_direct_tap *tap,
                            const float *walked, int64_t channel, int output)
{
	struct emu_direct_phase phase = {{0, 0, task->paired ? output : 0}};
	double *total = total_of(task, memory->totals, tap, channel, output);
	struct emu_direct_inside inside;

	if (!total)
		return;
	inside = emu_direct_inside(task, tile, &phase, total - memory->totals);
	for (int64_t row = inside.row_begin; row < inside.row_end; row++)
		for (int64_t column = inside.column_begin; column < inside.column_end; column++) {
			int64_t at = row * task->buffer.pitch + column;

			*total += (double)walked[at] * (double)memory->source[tap->offset + at];
		}
}

static void multiply_tile_inside(const struct emu_direct_task *task, const struct part *part,
                                 const struct emu_direct_tile *tile, const struct emu_direct_memory *memory)
{
	const struct emu_direct_list *list = &task->lists[0];

	for (int64_t first = part->begin; first < part->end; first += EMU_DIRECT_OUTPUTS)
		for (int output = 0; output < outputs_of(task, part, first); output++) {
			const float *walked = memory->walked + (first - part->begin + output) * task->buffer.walked_plane;

			for (int64_t i = 0; i < list->end; i++)
				multiply_inside(task, tile, memory, &list->taps[i], walked, first, output);
		}
}

static void sum_part(const struct emu_direct_task *task, const struct part *part,
                     const struct emu_direct_memory *memory, bool inside)
{
	int64_t tiles = emu_direct_tiles(task), vectors = 0;

	memset(memory->sums, 0, (size_t)task->buffer.sums * sizeof(float));
	memset(memory->totals, 0, (size_t)task->buffer.totals * sizeof(double));
	for (int64_t i = 0; i < task->call->conv.batch * tiles; i++) {
		struct emu_direct_tile tile = emu_direct_tile(task, i % tiles);

		tile.group = part->group;
		tile.image = i / tiles;
		emu_direct_load_source(task, &tile, memory);
		emu_direct_load_walked(task, &tile, part->begin, part->end - part->begin, memory);
		if (inside) {
			multiply_tile_inside(task, part, &tile, memory);
			continue;
		}
		multiply_tile(task, part, &tile, memory);
		vectors += ceil_div(emu_direct_line(task, &tile), task->vector->lanes);
		if (vectors >= MOST_VECTORS) {
			flush(task, part, memory);
			vectors = 0;
		}
	}
	flush(task, part, memory);
}

static bool are_finite(const double *totals, int64_t count)
{
	for (int64_t i = 0; i < count; i++)
		if (!isfinite(totals[i]))
			return false;
	return true;
}

static void weight_piece(void *argument, int64_t piece, int worker)
{
	const struct parts *parts = argument;
	const struct emu_direct_task *task = parts->task;
	struct emu_direct_memory memory = emu_direct_memory(task, worker);
	int64_t of_group = ceil_div(task->walked.channels, parts->channels), step = task->walked.weight_step;
	struct part part = {piece / of_group, piece % of_group * parts->channels, 0};

	part.end = least(part.begin + parts->channels, task->walked.channels);
	sum_part(task, &part, &memory, false);
	if (!are_finite(memory.totals + part.begin * step, (part.end - part.begin) * step))
		sum_part(task, &part, &memory, true);
	for (int64_t i = part.begin * step; i < part.end * step; i++)
		task->weights[part.group * task->buffer.totals + i] = (float)memory.totals[i];
}

/* Each part reads the source, so a group is cut only where there are fewer groups than threads. */
void emu_direct_run_weight(const struct emu_direct_task *task, int threads)
{
	int64_t groups = task->call->conv.groups;
	int64_t wanted = groups > 0 ? ceil_div(threads, groups) : 1;
	struct parts parts = {task, round_up(ceil_div(task->walked.channels, wanted), EMU_DIRECT_OUTPUTS)};

	emu_pool_run(threads, groups * ceil_div(task->walked.channels, parts.channels), weight_piece, &parts);
}
