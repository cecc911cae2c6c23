/* One class of the written positions: its weights as tiles, its pieces of work, the rows that they store. */
#include "implicit_task.h"

/* ---- weights ----------------------------------------------------------------------------------------------- */

static int64_t panels_of_phase(const struct emu_implicit_task *task)
{
	return ceil_div(outputs(&task->gemm), EMU_IMPLICIT_OUTPUTS);
}

/* Tiles of a panel of one group. */
static char *tiles_of(const struct emu_implicit_task *task, int64_t group, int64_t panel)
{
	return task->tiles +
	       (group * task->panels + panel) * task->copy.blocks * task->gemm.taps * EMU_IMPLICIT_TILE;
}

/* One piece: one panel of one group, transposed from what emu_gemm_pack() made. */
static void pack_panel(void *argument, int64_t piece, int worker)
{
	const struct emu_implicit_task *task = argument;
	const struct emu_gemm_task *gemm = &task->gemm;
	const struct emu_gemm_vector *pairs = task->vector->pairs;
	int64_t group = piece / task->panels, panel = piece % task->panels, in_phase = panels_of_phase(task);
	int64_t row = emu_gemm_row(gemm, panel / in_phase, panel % in_phase * EMU_IMPLICIT_OUTPUTS);
	const char *rows = gemm->shared + (group * gemm->chunks * gemm->shared_chunk + row * pairs->pitch) * 4;
	char *tiles = tiles_of(task, group, panel);

	(void)worker;
	for (int64_t tap = 0; tap < gemm->taps; tap++) {
		for (int64_t block = 0; block < task->copy.blocks; block++) {
			int64_t k = tap * gemm->tap_words + block * EMU_IMPLICIT_WORDS;

			pairs->transpose(tiles + (block * gemm->taps + tap) * EMU_IMPLICIT_TILE, EMU_IMPLICIT_OUTPUTS,
			                 rows + (k / gemm->chunk * gemm->shared_chunk + k % gemm->chunk) * 4,
			                 pairs->pitch * gemm->class[2]->phases, EMU_IMPLICIT_WORDS);
		}
	}
}

static void pack(struct emu_implicit_task *task, int threads)
{
	struct emu_gemm_task *gemm = &task->gemm;

	gemm->tap_words = task->copy.blocks * EMU_IMPLICIT_WORDS;
	gemm->depth = gemm->taps * gemm->tap_words;
	gemm->chunk = task->vector->pairs->depth;
	gemm->chunks = ceil_div(gemm->depth, gemm->chunk);
	gemm->blocks.rows = emu_gemm_phases(gemm) * outputs(gemm);
	gemm->shared_chunk = emu_gemm_padded_rows(gemm) * task->vector->pairs->pitch;
	emu_gemm_pack(gemm, threads);
	if (!gemm->found_infinite)
		emu_pool_run(threads, gemm->call->conv.groups * task->panels, pack_panel, task);
}

/* ---- storing ----------------------------------------------------------------------------------------------- */

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

/* Where a slab begins in the copy. */
static int64_t slab_start(const struct emu_implicit_task *task, int64_t index)
{
	const struct emu_implicit_axis *axis = task->copy.axis;
	int64_t size[3] = {task->gemm.positions[0], task->gemm.positions[1], task->gemm.positions[2]}, at[3], image;

	for (int i = 0; i < 3; i++)
		if (i >= task->slabs.axis)
			size[i] = 1;
	image = index / volume(size);
	split(index % volume(size), size, at);
	return image * emu_implicit_image(&task->copy) + (at[0] * axis[1].pitch + at[1]) * axis[2].pitch;
}

/* One piece: some panels of one group at some positions of a slab. */
static void sum_piece(void *argument, int64_t piece, int worker)
{
	const struct emu_implicit_task *task = argument;
	const struct emu_implicit_copy *copy = &task->copy;
	const struct emu_array *written = emu_written(task->gemm.call);
	int64_t parts = ceil_div(task->panels, task->part), panel = piece % parts * task->part;
	int64_t block = piece / parts % task->blocks * task->block, slab = piece / parts / task->blocks;
	int64_t group = slab / task->slabs.count, start = slab_start(task, slab % task->slabs.count) + block;
	int64_t count = least(task->block, task->slabs.length - block), pitch = emu_implicit_pitch(task->block);
	int64_t positions = round_up(count, EMU_IMPLICIT_UNIT), last = least(panel + task->part, task->panels);
	struct emu_implicit_sum sum = {
		.first = copy->cells + (group * copy->blocks * copy->block + copy->lead + start) * EMU_IMPLICIT_CELL,
		.offsets = task->offsets,
		.taps = task->gemm.taps,
		.blocks = copy->blocks,
		.block_bytes = copy->block * EMU_IMPLICIT_CELL,
	};
	void *rows = task->private + (uint64_t)worker * task->private_bytes;

	for (; panel < last; panel++) {
		sum.weights = tiles_of(task, group, panel);
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

static void find_offsets(struct emu_implicit_task *task)
{
	const struct emu_implicit_axis *axis = task->copy.axis;

	for (int64_t tap = 0; tap < task->gemm.taps; tap++) {
		int64_t at[3], remainder = 0, cells = 0;

		emu_gemm_tap(&task->gemm, tap, at);
		for (int i = 0; i < 3; i++) {
			int64_t offset = task->gemm.class[i]->offsets[at[i]], step = axis[i].step;

			remainder = remainder * step + (offset % step + step) % step;
			cells = cells * axis[i].pitch + floor_div(offset, step);
		}
		task->offsets[tap] = (remainder * task->copy.remainder + cells) * EMU_IMPLICIT_CELL;
	}
}

void emu_implicit_run_class(void *argument, int threads)
{
	struct emu_implicit_task *task = argument;

	task->panels = emu_gemm_phases(&task->gemm) * panels_of_phase(task);
	emu_implicit_cut(task, threads);
	find_offsets(task);
	pack(task, threads);
	if (!task->gemm.found_infinite)
		emu_pool_run(threads,
		             task->gemm.call->conv.groups * task->slabs.count * task->blocks *
		                 ceil_div(task->panels, task->part),
		             sum_piece, task);
}
