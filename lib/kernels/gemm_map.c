/*
 * Writing a map: C is [channels of each phase][positions], A the weights [..][taps * channels], packed once for all,
 * B [taps * channels][positions] gathered from the other map by each piece.
 */
#include "gemm_task.h"

enum { STORED_ROWS = 8 };

/* ---- gathering --------------------------------------------------------------------------------------------- */

/* Words from one panel to the next. The line behind the last one takes what copy leaves behind that. */
static int64_t panel_words(const struct emu_gemm_task *task)
{
	return (int64_t)(task->vector->depth + 1) * task->vector->columns;
}

/* Cuts runs along a line of all panels where a panel ends. */
static int cut_at_panels(const struct emu_gemm_task *task, struct emu_run *cut, const struct emu_run *runs, int count)
{
	int32_t width = task->vector->columns, panel = (int32_t)panel_words(task);
	int made = 0;

	for (int i = 0; i < count; i++) {
		for (int32_t done = 0, some; done < runs[i].count; done += some) {
			int32_t at = runs[i].at + done;

			some = (int32_t)least(runs[i].count - done, width - at % width);
			cut[made++] = (struct emu_run){runs[i].source + done * task->gathered.along,
			                               at / width * panel + at % width, some, runs[i].inside};
		}
	}
	return made;
}

/* Gathers lines first..last-1 of [tap][channel] x positions start..start+count-1 to panels of B. */
static void gather_panels(const struct emu_gemm_task *task, char *b, int64_t group, int64_t first, int64_t last,
                          int64_t start, int64_t count)
{
	const struct emu_planes *planes = &task->gathered;
	int64_t width = task->vector->columns, panels = ceil_div(count, width), lines, line = 0;
	struct emu_run runs[EMU_GEMM_RUNS], cut[EMU_GEMM_RUNS];

	for (; first < last; first += lines, line += lines) {
		int64_t tap = first / planes->channels, channel = first % planes->channels;
		int made = emu_gemm_tap_runs(task, tap, start, count, runs);
		const char *map = (const char *)planes->first + (group * planes->channels + channel) * planes->channel * 4;

		lines = least(planes->channels - channel, last - first);
		if (count < panels * width)
			runs[made++] = (struct emu_run){0, (int32_t)count, (int32_t)(panels * width - count), false};
		made = cut_at_panels(task, cut, runs, made);
		emu_planes_copy(planes, task->vector, b + line * width * 4, width, map, lines, cut, made);
	}
	for (int64_t panel = 0; panel < panels; panel++)
		memset(b + (panel * panel_words(task) + line * width) * 4, 0,
		       (size_t)((round_up(line, task->vector->unit) - line) * width) * 4);
}

/* Whether any of positions start..start+count-1 has this tap inside the map. */
static bool meets(const struct emu_gemm_task *task, int64_t tap, int64_t start, int64_t count)
{
	struct emu_run runs[EMU_GEMM_RUNS];
	int made = emu_gemm_tap_runs(task, tap, start, count, runs);

	for (int i = 0; i < made; i++)
		if (runs[i].inside)
			return true;
	return false;
}

/* Leaves out, at both ends of lines *first..*last-1, what lies beside the map for the whole block. */
static void trim(const struct emu_gemm_task *task, const struct emu_gemm_block *block, int64_t *first, int64_t *last)
{
	int64_t channels = task->gathered.channels, begin = *first, end = *last;

	while (begin < end && !meets(task, begin / channels, block->column, block->columns))
		begin = (begin / channels + 1) * channels;
	while (begin / channels < (end - 1) / channels &&
	       !meets(task, (end - 1) / channels, block->column, block->columns))
		end = (end - 1) / channels * channels;
	*first += (least(begin, *last) - *first) / task->vector->unit * task->vector->unit;
	*last = end > begin ? end : *first;
}

/* What is gathered after a chunk of a piece, as far as its lines lie at one distance. */
static struct emu_gemm_ahead ahead_of(const struct emu_gemm_task *task, int64_t piece, int64_t chunk)
{
	const struct emu_planes *planes = &task->gathered;
	struct emu_run runs[EMU_GEMM_RUNS];
	struct emu_gemm_block block;
	int64_t first, channel;

	if (!emu_gemm_coming(task, piece, chunk, &block, &first))
		return emu_planes_nothing(planes);
	emu_gemm_tap_runs(task, first / planes->channels, block.column, block.columns, runs);
	channel = first % planes->channels;
	return emu_planes_ahead(planes, block.group * planes->channels + channel, runs,
	                        least(planes->channels - channel, task->chunk));
}

/* ---- storing ----------------------------------------------------------------------------------------------- */

/* A stretch of C that lies along one row of the written map. */
struct stretch {
	const float *values; /* in a panel of tiles */
	int64_t rows;
	int64_t count;       /* positions */
	char *to;            /* where the first value goes */
};

/* Rows are channels of one phase. */
static void store_channels(const struct emu_gemm_task *task, const struct stretch *stretch)
{
	const struct emu_view *view = &emu_written(task->call)->view;
	int64_t to_next = view->strides[1] * emu_number_bytes(view->stored), width = task->vector->columns;

	/* what lies between belongs to another phase, which is not at work */
	if (task->axes[2].written_step == 2 && view->strides[4] == 1)
		task->row_code->weave_rows(stretch->to, to_next, stretch->values, width, stretch->rows, stretch->count,
		                           view->stored);
	else
		task->row_code->store_rows(stretch->to, to_next, task->axes[2].written_step * view->strides[4],
		                           stretch->values, width, stretch->rows, stretch->count, view->stored);
}

/* Rows are phases of one channel, next to each other in the written row. */
static void store_phases(const struct emu_gemm_task *task, const struct stretch *stretch)
{
	const struct emu_view *view = &emu_written(task->call)->view;
	int64_t step = task->axes[2].written_step * view->strides[4], width = task->vector->columns;
	float line[EMU_GEMM_RUNS];

	if (stretch->rows == 2 && step == 2 && view->stored == EMU_F32) {
		task->row_code->zip((float *)(void *)stretch->to, stretch->values, stretch->values + width, stretch->count);
		return;
	}
	if (stretch->rows == 2)
		task->row_code->zip(line, stretch->values, stretch->values + width, stretch->count);
	else
		for (int64_t row = 0; row < stretch->rows; row++)
			for (int64_t i = 0; i < stretch->count; i++)
				line[i * stretch->rows + row] = stretch->values[row * width + i];
	if (stretch->rows == task->axes[2].written_step) {
		task->row_code->store(stretch->to, view->strides[4], line, stretch->rows * stretch->count, view->stored);
		return;
	}
	for (int64_t i = 0; i < stretch->count; i++)
		task->row_code->store(emu_element(stretch->to, i * step, view->stored), view->strides[4],
		                      line + i * stretch->rows, stretch->rows, view->stored);
}

/* Whether the phases that differ in x alone, from `first` on, are neighbours in the written row. */
static bool are_neighbours(const struct emu_axis_class *class, int64_t first, int64_t count)
{
	for (int64_t i = 1; i < count; i++)
		if (class->phase[first + i].first != class->phase[first].first + i)
			return false;
	return true;
}

/* Of rows row..end-1, those that can be stored together; their phase and channel. */
static int64_t rows_together(const struct emu_gemm_task *task, int64_t row, int64_t end, int64_t *phase,
                             int64_t *channel)
{
	int64_t in_x = task->class[2]->phases, line = row / in_x, most = EMU_GEMM_RUNS / task->vector->columns;
	int64_t rest = least(in_x - row % in_x, end - row);

	*phase = line / outputs(task) * in_x + row % in_x;
	*channel = line % outputs(task);
	if (in_x == 1)
		return least(outputs(task) - *channel, end - row);
	rest = least(rest, most);
	return are_neighbours(task->class[2], row % in_x, rest) ? rest : 1;
}

/* Stores some rows of a panel of tiles, positions start..start+count-1. */
static void store_panel(const struct emu_gemm_task *task, const float *panel, int64_t rows, int64_t phase_index,
                        int64_t channel, int64_t start, int64_t count)
{
	const struct emu_array *written = emu_written(task->call);
	const struct emu_view *view = &written->view;
	const struct emu_axis_phase *phase[3];
	int64_t at[3], run;

	emu_gemm_phase(task, phase_index, phase);
	for (int64_t done = 0; done < count; done += run) {
		int64_t offset = channel * view->strides[1] + (start + done) / volume(task->positions) * view->strides[0];
		struct stretch stretch = {panel + done, rows, 0, NULL};

		split((start + done) % volume(task->positions), task->positions, at);
		stretch.count = run = least(task->positions[2] - at[2], count - done);
		for (int axis = 0; axis < 3; axis++)
			offset += (phase[axis]->first + at[axis] * task->axes[axis].written_step) * view->strides[2 + axis];
		stretch.to = emu_element(written->first, offset, view->stored);
		if (task->class[2]->phases == 1)
			store_channels(task, &stretch);
		else
			store_phases(task, &stretch);
	}
}

static void store_map(const struct emu_gemm_task *task, float *tiles, int64_t group, int64_t row, int64_t rows,
                      int64_t column, int64_t columns)
{
	const struct emu_array *written = emu_written(task->call);
	int64_t width = task->vector->columns, panel = round_up(rows, task->vector->rows) * width, together;

	if (emu_needs_rounding(written))
		task->row_code->round(tiles, ceil_div(columns, width) * panel, written->number);
	/* a few rows at a time, so that what lies together in the map is written together */
	for (int64_t done = 0; done < rows; done += together) {
		int64_t phase, channel;

		together = least(rows_together(task, row + done, row + rows, &phase, &channel),
		                 task->class[2]->phases == 1 ? STORED_ROWS : rows);
		for (int64_t at = 0; at < columns; at += width)
			store_panel(task, tiles + at / width * panel + done * width, together, phase,
			            group * outputs(task) + channel, column + at, least(columns - at, width));
	}
}

/* ---- one piece --------------------------------------------------------------------------------------------- */

/* One piece: one block of C of one group. */
static void multiply_map(void *argument, int64_t piece, int worker)
{
	const struct emu_gemm_task *task = argument;
	const struct emu_gemm_vector *vector = task->vector;
	const struct emu_gemm_block block = emu_gemm_block(task, piece);
	int64_t rows = block.rows, columns = block.columns;
	const char *a = task->shared + (block.group * task->chunks * task->shared_chunk + block.row * vector->pitch) * 4;
	char *b = emu_gemm_gathered(task, worker);
	float *tiles = emu_gemm_tiles(task, worker);
	struct emu_gemm_ahead ahead;
	bool fresh = true;

	for (int64_t chunk = 0; chunk < task->chunks; chunk++) {
		int64_t begin = chunk * task->chunk, first = begin, last = least(first + task->chunk, task->depth);

		if (task->zeros_meet_products)
			trim(task, &block, &first, &last);
		/* tiles that no chunk meets are cleared by a product of depth 0 */
		if (first == last && !(fresh && chunk == task->chunks - 1))
			continue;
		gather_panels(task, b, block.group, first, last, block.column, columns);
		ahead = ahead_of(task, piece, chunk);
		for (int64_t at = 0; at < columns; at += vector->columns)
			vector->multiply(tiles + at * round_up(rows, vector->rows),
			                 a + (chunk * task->shared_chunk + first - begin) * 4,
			                 b + at / vector->columns * panel_words(task) * 4, rows,
			                 least(columns - at, vector->columns), (int)round_up(last - first, vector->unit), fresh,
			                 &ahead);
		fresh = false;
	}
	store_map(task, tiles, block.group, block.row, rows, block.column, columns);
}

static void run_class(void *argument, int threads)
{
	struct emu_gemm_task *task = argument;
	const struct emu_conv *conv = &task->call->conv;
	int64_t positions = conv->batch * volume(task->positions);

	task->depth = task->taps * task->gathered.channels;
	emu_gemm_cut_depth(task, task->vector->depth, task->vector->unit);
	task->threads = threads;
	task->blocks = emu_gemm_cut(task, emu_gemm_phases(task) * outputs(task), positions, threads);
	task->shared_chunk = emu_gemm_padded_rows(task) * task->vector->pitch;
	if (task->chunks == 0)
		return;
	emu_gemm_pack(task, threads);
	if (!task->found_infinite)
		emu_pool_run(threads, emu_gemm_pieces(task), multiply_map, task);
}

/* Whether some positions meet no tap at all: all are cleared then, and those classes left out. */
static bool has_empty_class(const struct emu_gemm_task *task)
{
	for (int axis = 0; axis < 3; axis++)
		for (int64_t i = 0; i < task->axes[axis].classes; i++)
			if (task->axes[axis].class[i].taps == 0)
				return true;
	return false;
}

void emu_gemm_run_classes(struct emu_gemm_task *task, void (*run)(void *argument, int threads), void *argument,
                          int threads)
{
	int64_t classes[3] = {task->axes[0].classes, task->axes[1].classes, task->axes[2].classes}, at[3];

	if (has_empty_class(task))
		emu_fill_zero(emu_written(task->call), task->call->isa, threads);
	for (int64_t i = 0; i < volume(classes); i++) {
		split(i, classes, at);
		task->taps = 1;
		for (int axis = 0; axis < 3; axis++) {
			task->class[axis] = &task->axes[axis].class[at[axis]];
			task->positions[axis] = task->class[axis]->positions;
			task->taps *= task->class[axis]->taps;
		}
		if (task->taps > 0)
			run(argument, threads);
	}
}

void emu_gemm_run_map(struct emu_gemm_task *task, int threads)
{
	emu_gemm_run_classes(task, run_class, task, threads);
}
