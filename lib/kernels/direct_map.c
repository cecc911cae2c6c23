/* The direct kernel where a map is written: sums stay in registers until all their taps are added. */
#include <string.h>

#include "direct_task.h"
#include "number.h"

enum { CHUNK = 16 /* vectors that are summed between two looks ahead */ };

/* Adds a tap where it meets the source only: a zero beside the map must not meet an infinite weight. */
static void add_inside(const struct emu_direct_task *task, const struct emu_direct_tile *tile,
                       const struct emu_direct_phase *phase, float *to, const float *from, int64_t weight, float factor)
{
	struct emu_direct_inside inside = emu_direct_inside(task, tile, phase, weight);

	for (int64_t row = inside.row_begin; row < inside.row_end; row++) {
		int64_t at = row * task->buffer.pitch;

		for (int64_t i = at + inside.column_begin; i < at + inside.column_end; i++)
			to[i] += factor * from[i];
	}
}

/* Outputs of one phase (or pair of phases) without any zero around the source. */
static void sum_inside(const struct emu_direct_task *task, const struct emu_direct_tile *tile,
                       const struct emu_direct_phase *phase, float *to, const float *from, const float *weights,
                       int outputs)
{
	const struct emu_direct_list *list = emu_direct_list(task, phase);

	for (int output = 0; output < outputs; output++, to += task->buffer.walked_plane) {
		struct emu_direct_phase own = *phase;

		own.at[2] += task->paired ? output : 0;
		memset(to, 0, (size_t)emu_direct_line(task, tile) * sizeof(float));
		for (int64_t i = 0; i < list->end; i++) {
			const struct emu_direct_tap *tap = &list->taps[i];
			int64_t weight = task->paired ? tap->weight[output] : tap->weight[0];
			int64_t step = task->paired ? 0 : output * task->walked.weight_step;

			if (weight >= 0)
				add_inside(task, tile, &own, to, from + tap->offset, weight, weights[weight + step]);
		}
	}
}

/* What is wanted soon: where the sums go, and the source of the next tile. */
struct soon {
	struct emu_direct_ahead written, source;
};

static void sum_phase(const struct emu_direct_task *task, const struct emu_direct_list *list, float *to,
                      const float *from, int64_t vectors, const float *weights, int channels, struct soon *soon)
{
	const struct emu_direct_vector *vector = task->vector;
	const struct emu_direct_buffer *buffer = &task->buffer;
	int64_t step = (int64_t)CHUNK * vector->lanes;

	for (; vectors > 0; vectors -= CHUNK, to += step, from += step) {
		int64_t some = least(vectors, CHUNK);

		emu_direct_ask(&soon->written);
		emu_direct_ask(&soon->source);
		if (task->paired)
			vector->sum_pair(to, buffer->walked_plane, from, some, list, weights);
		else
			vector->sum(to, buffer->walked_channel, from, some, list, weights, task->walked.weight_step, channels);
	}
}

/* A few channels, in one phase of rows and all phases of columns. */
static void sum_rows(const struct emu_direct_task *task, const struct emu_direct_tile *tile, int64_t row_phase,
                     const struct emu_direct_memory *memory, const float *weights, int channels, bool finite,
                     struct soon *soon)
{
	const struct emu_direct_buffer *buffer = &task->buffer;
	struct emu_direct_phase phase = {{tile->depth % task->axis[0].walked, row_phase, 0}};
	int64_t vectors = ceil_div(emu_direct_line(task, tile), task->vector->lanes);

	for (; phase.at[2] < task->axis[2].walked; phase.at[2] += task->paired ? 2 : 1) {
		float *to = memory->walked + row_phase * buffer->walked_rows + phase.at[2] * buffer->walked_plane;

		if (finite)
			sum_phase(task, emu_direct_list(task, &phase), to, memory->source, vectors, weights, channels, soon);
		else if (task->paired)
			sum_inside(task, tile, &phase, to, memory->source, weights, 2);
		else
			for (int i = 0; i < channels; i++)
				sum_inside(task, tile, &phase, to + i * buffer->walked_channel, memory->source,
				           weights + i * task->walked.weight_step, 1);
	}
}

static struct emu_direct_tile tile_of(const struct emu_direct_task *task, int64_t piece)
{
	int64_t tiles = emu_direct_tiles(task), groups = task->call->conv.groups;
	struct emu_direct_tile tile = emu_direct_tile(task, piece % tiles);

	tile.group = piece / tiles % groups;
	tile.image = piece / tiles / groups;
	return tile;
}

static struct soon soon_of(const struct emu_direct_task *task, int64_t piece)
{
	const struct emu_direct_axis *axis = task->axis;
	struct emu_direct_tile tile = tile_of(task, piece), next = tile_of(task, piece + 1);
	int64_t vectors = ceil_div(emu_direct_line(task, &tile), task->vector->lanes);
	int64_t phases = axis[1].walked * (task->paired ? 1 : axis[2].walked);
	int64_t steps = ceil_div(task->walked.channels, EMU_DIRECT_OUTPUTS) * phases * ceil_div(vectors, CHUNK);
	struct soon soon = {emu_direct_ahead(task, &task->walked, axis[1].walked, &tile, steps),
	                    emu_direct_ahead(task, &task->source, axis[1].source, &next, steps)};

	return soon;
}

/* One piece: a tile of all channels of a group. */
static void map_piece(void *argument, int64_t piece, int worker)
{
	const struct emu_direct_task *task = argument;
	const struct emu_conv *conv = &task->call->conv;
	struct emu_direct_memory memory = emu_direct_memory(task, worker);
	struct emu_direct_tile tile = tile_of(task, piece);
	struct soon soon = soon_of(task, piece);
	int64_t weights_of_group = conv->small_channels * conv->big_channels * volume(conv->kernel);
	const float *weights = task->weights + tile.group * weights_of_group;
	bool finite = are_finite(weights, weights_of_group);

	emu_direct_load_source(task, &tile, &memory);
	for (int64_t first = 0; first < task->walked.channels; first += EMU_DIRECT_OUTPUTS) {
		int together = (int)least(task->walked.channels - first, EMU_DIRECT_OUTPUTS);

		for (int64_t row_phase = 0; row_phase < task->axis[1].walked; row_phase++)
			sum_rows(task, &tile, row_phase, &memory, weights + first * task->walked.weight_step, together, finite,
			         &soon);
		for (int i = 0; i < together; i++)
			emu_direct_store_walked(task, &tile, tile.group * task->walked.channels + first + i,
			                        memory.walked + i * task->buffer.walked_channel, memory.lines);
	}
}

void emu_direct_run_map(const struct emu_direct_task *task, int threads)
{
	const struct emu_conv *conv = &task->call->conv;

	emu_pool_run(threads, conv->batch * conv->groups * emu_direct_tiles(task), map_piece, (void *)(uintptr_t)task);
}
