/* The taps that each phase of the walked map meets: where they lie in the buffer of the source, and their weights. */
#include "direct_task.h"

static int64_t column_lists(const struct emu_direct_task *task)
{
	return task->paired ? 1 : task->axis[2].walked;
}

int64_t emu_direct_lists_of(const struct emu_direct_task *task)
{
	return task->axis[0].walked * task->axis[1].walked * column_lists(task);
}

struct emu_direct_list *emu_direct_list(const struct emu_direct_task *task, const struct emu_direct_phase *phase)
{
	int64_t row = phase->at[0] * task->axis[1].walked + phase->at[1];

	return &task->lists[row * column_lists(task) + (task->paired ? 0 : phase->at[2])];
}

/* Taps of all lists together. */
int64_t emu_direct_taps_of(const struct emu_direct_task *task)
{
	const int64_t *kernel = task->call->conv.kernel;

	return task->source.channels * kernel[0] * kernel[1] * (kernel[2] + (task->paired ? 1 : 0));
}

/* Where a source position, met from cycle 0, lies in the buffer. */
static int64_t offset_of(const struct emu_direct_task *task, int axis, int64_t position)
{
	const struct emu_direct_axis *cycle = &task->axis[axis];
	int64_t at = floor_div(position, cycle->source), phase = position - at * cycle->source;

	if (axis == 1)
		return phase * task->buffer.source_rows + (at - cycle->least) * task->buffer.pitch;
	return phase * task->buffer.source_plane + at - cycle->least;
}

/*
 * Appends the taps of one row of the kernel that the first output of a pair meets at places begin..end-1 in the
 * source; the second meets them one tap earlier. Without pairs the places are the taps.
 */
static void list_row(const struct emu_direct_task *task, struct emu_direct_list *list,
                     const struct emu_direct_phase *phase, int64_t offset, int64_t weight, int64_t begin, int64_t end)
{
	bool to_big = task->call->direction == EMU_TO_BIG;
	int64_t taps = task->call->conv.kernel[2], position;

	for (int64_t place = begin; place < end; place++) {
		int64_t tap = task->paired && to_big ? taps - 1 - place : place;
		int64_t other = to_big ? tap + 1 : tap - 1;
		bool is_first = tap >= 0 && tap < taps, is_second = task->paired && other >= 0 && other < taps;

		if (emu_direct_meets(task, 2, phase->at[2], tap, &position))
			list->taps[list->end++] = (struct emu_direct_tap){
				offset + offset_of(task, 2, position), {is_first ? weight + tap : -1, is_second ? weight + other : -1}};
	}
}

static void list_places(const struct emu_direct_task *task, struct emu_direct_list *list,
                        const struct emu_direct_phase *phase, int64_t begin, int64_t end)
{
	const int64_t *kernel = task->call->conv.kernel;
	int64_t y, z;

	for (int64_t channel = 0; channel < task->source.channels; channel++)
		for (int64_t row = 0; row < kernel[0] * kernel[1]; row++) {
			int64_t offset = channel * task->buffer.source_channel + row / kernel[1] * task->buffer.source_depth;

			if (emu_direct_meets(task, 0, phase->at[0], row / kernel[1], &z) &&
			    emu_direct_meets(task, 1, phase->at[1], row % kernel[1], &y))
				list_row(task, list, phase, offset + offset_of(task, 1, y),
				         channel * task->source.weight_step + row * kernel[2], begin, end);
		}
}

static void make_list(const struct emu_direct_task *task, struct emu_direct_list *list,
                      const struct emu_direct_phase *phase, struct emu_direct_tap *taps)
{
	int64_t places = task->call->conv.kernel[2];

	*list = (struct emu_direct_list){.taps = taps};
	if (task->paired)
		list_places(task, list, phase, 0, 1);
	list->both = list->end;
	list_places(task, list, phase, task->paired ? 1 : 0, places);
	list->second = list->end;
	if (task->paired)
		list_places(task, list, phase, places, places + 1);
}

void emu_direct_make_lists(struct emu_direct_task *task, struct emu_direct_tap *taps)
{
	int64_t size[3] = {task->axis[0].walked, task->axis[1].walked, column_lists(task)};
	struct emu_direct_phase phase;

	for (int64_t i = 0; i < emu_direct_lists_of(task); i++) {
		split(i, size, phase.at);
		make_list(task, &task->lists[i], &phase, taps);
		taps += task->lists[i].end;
	}
}

/* Fills the last block with a tap whose sums nobody wants. */
void emu_direct_make_offsets(struct emu_direct_task *task)
{
	const struct emu_direct_list *list = &task->lists[0];

	for (int64_t i = 0; i < round_up(list->end, task->block); i++)
		task->offsets[i] = list->taps[least(i, list->end - 1)].offset;
}
