/* Writing one class of the positions: the pieces of work, and the rows that they store. */
#include "implicit_task.h"

/* ---- storing ----------------------------------------------------------------------------------------------- */

static int64_t panels_of_phase(const struct emu_implicit_task *task)
{
	return ceil_div(outputs(&task->gemm), EMU_IMPLICIT_OUTPUTS);
}

/* Whether sums are stored as BFLOAT16, without or with gaps that a mask passes over. */
static bool stores_halves(const struct emu_implicit_task *task)
{
	const struct emu_array *written = emu_written(task->gemm.call);
	int64_t step = task->gemm.axes[2].written_step * written->view.strides[4];

	return written->number == EMU_BF16 && written->view.stored == EMU_BF16 && (step == 1 || step == 2);
}

static void store_part(const struct emu_implicit_task *task, void *to, const void *rows, int64_t done, int64_t channels,
                       int64_t count)
{
	const struct emu_view *view = &emu_written(task->gemm.call)->view;
	int64_t to_next = view->strides[1] * emu_number_bytes(view->stored), pitch = emu_implicit_pitch(task->block);
	int64_t written_step = task->gemm.axes[2].written_step, step = written_step * view->strides[4];
	const float *floats = rows;

	if (stores_halves(task))
		task->vector->store_halves(to, to_next, step, (const uint16_t *)rows + done, pitch, channels, count);
	else if (written_step == 2 && view->strides[4] == 1)
		task->gemm.row_code->weave_rows(to, to_next, floats + done, pitch, channels, count, view->stored);
	else
		task->gemm.row_code->store_rows(to, to_next, step, floats + done, pitch, channels, count, view->stored);
}

/* Stores what of `count` positions of the copy from `start` on is written. */
static void store_rows(const struct emu_implicit_task *task, const void *rows, int64_t group, int64_t panel,
                       int64_t start, int64_t count)
{
	const struct emu_gemm_task *gemm = &task->gemm;
	const struct emu_array *written = emu_written(gemm->call);
	const struct emu_view *view = &written->view;
	int64_t in_phase = panels_of_phase(task), channel = panel % in_phase * EMU_IMPLICIT_OUTPUTS;
	int64_t channels = least(outputs(gemm) - channel, EMU_IMPLICIT_OUTPUTS), first;
	const struct emu_axis_phase *phase[3];
	struct emu_implicit_part part;

	emu_gemm_phase(gemm, panel / in_phase, phase);
	first = (group * outputs(gemm) + channel) * view->strides[1];
	for (int64_t done = 0; done < count; done += part.count) {
		int64_t offset;

		part = emu_implicit_part(&task->copy, start + done, count - done);
		offset = first + part.image * view->strides[0];
		for (int axis = 0; axis < 3; axis++)
			offset += (phase[axis]->first + part.at[axis] * gemm->axes[axis].written_step) * view->strides[2 + axis];
		if (part.at[0] < gemm->positions[0] && part.at[1] < gemm->positions[1] && part.at[2] < gemm->positions[2])
			store_part(task, emu_element(written->first, offset, view->stored), rows, done, channels,
			           least(part.count, gemm->positions[2] - part.at[2]));
	}
}

/* ---- pieces ------------------------------------------------------------------------------------------------ */

/* One piece: some panels of one group at some positions of a slab. */
static void sum_piece(void *argument, int64_t piece, int worker)
{
	const struct emu_implicit_task *task = argument;
	const struct emu_implicit_copy *copy = &task->copy;
	const struct emu_array *written = emu_written(task->gemm.call);
	int64_t parts = ceil_div(task->panels, task->part), panel = piece % parts * task->part;
	int64_t block = piece / parts % task->blocks * task->block, slab = piece / parts / task->blocks;
	int64_t group = slab / task->slabs.count, start = emu_implicit_slab_start(task, slab % task->slabs.count) + block;
	int64_t count = least(task->block, task->slabs.length - block), pitch = emu_implicit_pitch(task->block);
	int64_t positions = round_up(count, EMU_IMPLICIT_UNIT), last = least(panel + task->part, task->panels);
	int64_t taps = task->gemm.taps, in_phase = panels_of_phase(task);
	struct emu_implicit_sum sum = {
		.cells = copy->cells + (group * copy->blocks * copy->block + copy->lead + start) * EMU_IMPLICIT_CELL,
		.taps = taps,
		.blocks = copy->blocks,
		.block_cells = copy->block * EMU_IMPLICIT_CELL,
		.block_tiles = volume(task->gemm.call->conv.kernel) * EMU_IMPLICIT_TILE,
	};
	void *rows = task->private + (uint64_t)worker * task->private_bytes;

	for (; panel < last; panel++) {
		sum.tap = task->taps + panel / in_phase * taps;
		sum.tiles = task->tiles + (group * in_phase + panel % in_phase) * copy->blocks * sum.block_tiles;
		if (stores_halves(task)) {
			task->vector->sum_halves(rows, pitch, &sum, positions);
		} else {
			task->vector->sum(rows, pitch, &sum, positions);
			if (emu_needs_rounding(written))
				for (int64_t i = 0; i < EMU_IMPLICIT_OUTPUTS; i++)
					task->gemm.row_code->round((float *)rows + i * pitch, positions, written->number);
		}
		store_rows(task, rows, group, panel, start, count);
	}
}

void emu_implicit_run_class(void *argument, int threads)
{
	struct emu_implicit_task *task = argument;

	task->panels = emu_gemm_phases(&task->gemm) * panels_of_phase(task);
	emu_implicit_cut(task, threads);
	emu_implicit_find_taps(task);
	emu_pool_run(threads,
	             task->gemm.call->conv.groups * task->slabs.count * task->blocks * ceil_div(task->panels, task->part),
	             sum_piece, task);
}
