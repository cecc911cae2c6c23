/*
 * The implicit kernel: how large its copy is and how work is cut. Each element that is written belongs to one piece and
 * is summed in one order, so the number of threads changes nothing.
 */
#include "implicit_task.h"
#include "reference.h"
#include "work.h"

enum {
	LEAST_CHANNELS = 16,
	MOST_BLOCK = 960,              /* positions of a piece */
	LEAST_BLOCK = 192,
	BLOCK_BYTES = 512 * 1024,      /* of the copy that a piece reads: it stays in the second level of cache */
	PANEL_BYTES = 1024 * 1024,     /* at most, of the weights that all its positions meet */
	READ_BYTES = 1536 * 1024,      /* at most, of the copy that the smallest piece reads */
	BEYOND = 4 * EMU_IMPLICIT_UNIT, /* cells behind the last position that sums in units go on to */
	LEAST_SUM = 512,               /* positions that are summed over: fewer do not repay copies of both maps */
	PIECES = 6                     /* wanted for each thread, so that none waits long for another */
};

/* ---- the copy ---------------------------------------------------------------------------------------------- */

static void plan_axis(struct emu_implicit_axis *axis, const struct emu_conv_call *call, int i)
{
	const struct emu_conv *conv = &call->conv;
	bool to_small = call->direction != EMU_TO_BIG;
	int64_t stride = conv->stride[i], before = conv->padding[i];
	int64_t after = (conv->kernel[i] - 1) * conv->dilation[i] - before, halo;

	axis->step = to_small ? stride : 1;
	axis->data = to_small ? ceil_div(conv->big[i], stride) : conv->small[i];
	axis->positions = to_small ? conv->small[i] : ceil_div(conv->big[i], stride);
	axis->least = to_small ? floor_div(-before, stride) : -floor_div(after, stride);
	axis->most = to_small ? floor_div(after, stride) : -floor_div(-before, stride);
	halo = most(0, most(-axis->least, axis->most + axis->positions - axis->data));
	axis->pitch = most(axis->data + halo, axis->positions);
}

/* Cells from position 0 to one that has this distance along each axis. */
static int64_t distance(const struct emu_implicit_axis axis[3], int64_t z, int64_t y, int64_t x)
{
	return (z * axis[1].pitch + y) * axis[2].pitch + x;
}

static int64_t inputs_of_block(const struct emu_conv_call *call)
{
	return call->direction == EMU_TO_WEIGHT ? EMU_IMPLICIT_WORDS : 2 * EMU_IMPLICIT_WORDS;
}

static void plan_copy(struct emu_implicit_copy *copy, const struct emu_conv_call *call)
{
	struct emu_implicit_axis *axis = copy->axis;
	int64_t channels = call->direction == EMU_TO_BIG ? call->conv.small_channels : call->conv.big_channels;

	copy->remainders = 1;
	for (int i = 0; i < 3; i++) {
		plan_axis(&axis[i], call, i);
		copy->remainders *= axis[i].step;
	}
	copy->blocks = ceil_div(channels, inputs_of_block(call));
	copy->lead = most(0, -distance(axis, axis[0].least, axis[1].least, axis[2].least));
	copy->remainder = round_up(copy->lead + call->conv.batch * emu_implicit_image(copy) + BEYOND +
	                           most(0, distance(axis, axis[0].most, axis[1].most, axis[2].most)), 16);
	copy->block = copy->remainders * copy->remainder;
}

static bool is_before(const struct emu_implicit_tap *one, const struct emu_implicit_tap *two)
{
	return one->together < two->together || (one->together == two->together && one->cells < two->cells);
}

/* In place, over shrinking distances: qsort() may allocate. */
static void sort_taps(struct emu_implicit_tap *taps, int64_t count)
{
	for (int64_t gap = count / 2; gap > 0; gap /= 2) {
		for (int64_t i = gap; i < count; i++) {
			struct emu_implicit_tap tap = taps[i];
			int64_t at = i;

			for (; at >= gap && is_before(&tap, &taps[at - gap]); at -= gap)
				taps[at] = taps[at - gap];
			taps[at] = tap;
		}
	}
}

/* Where the taps of a class read; their weights differ from phase to phase. */
void emu_implicit_find_taps(struct emu_implicit_task *task)
{
	const struct emu_implicit_axis *axis = task->copy.axis;
	const struct emu_gemm_task *gemm = &task->gemm;
	const int64_t *kernel = gemm->call->conv.kernel;
	struct emu_implicit_tap *next = task->taps;
	const struct emu_axis_phase *phase[3];

	for (int64_t i = 0; i < emu_gemm_phases(gemm); i++) {
		emu_gemm_phase(gemm, i, phase);
		for (int64_t tap = 0; tap < gemm->taps; tap++) {
			int64_t at[3], remainder = 0, cells = 0, tile = 0;

			emu_gemm_tap(gemm, tap, at);
			for (int k = 0; k < 3; k++) {
				int64_t offset = gemm->class[k]->offsets[at[k]], place = floor_div(offset, axis[k].step);

				remainder = remainder * axis[k].step + offset - place * axis[k].step;
				cells = cells * axis[k].pitch + place;
				tile = tile * kernel[k] + phase[k]->taps[at[k]];
			}
			*next++ = (struct emu_implicit_tap){(remainder * task->copy.remainder + cells) * EMU_IMPLICIT_CELL,
			                                    tile * EMU_IMPLICIT_TILE, 2 * remainder + (cells & 1)};
		}
		sort_taps(next - gemm->taps, gemm->taps);
	}
}

/* ---- cutting ----------------------------------------------------------------------------------------------- */

static int64_t cost_of(const struct emu_implicit_slabs *slabs)
{
	return slabs->count * round_up(slabs->length, EMU_IMPLICIT_UNIT);
}

struct emu_implicit_slabs emu_implicit_slabs(const struct emu_implicit_copy *copy, int64_t images,
                                             const int64_t positions[3])
{
	int64_t slice = distance(copy->axis, 0, positions[1] - 1, positions[2]);
	int64_t image = distance(copy->axis, positions[0] - 1, 0, slice);
	const struct emu_implicit_slabs each[] = {
		{1, images * positions[0], slice},
		{0, images, image},
		{0, 1, (images - 1) * emu_implicit_image(copy) + image},
	};
	struct emu_implicit_slabs best = each[0];

	for (int i = 1; i < 3; i++)
		if (cost_of(&each[i]) <= cost_of(&best))
			best = each[i];
	return best;
}

int64_t emu_implicit_slab_start(const struct emu_implicit_task *task, int64_t index)
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

/* An even cut into blocks of at most `limit` positions. */
static void cut_blocks(struct emu_implicit_task *task, int64_t limit)
{
	int64_t length = task->slabs.length;

	task->block = round_up(ceil_div(length, ceil_div(length, limit)), EMU_IMPLICIT_UNIT);
	task->blocks = ceil_div(length, task->block);
}

/* Pieces shrink until there are enough; where they are cut changes no sum. */
void emu_implicit_cut(struct emu_implicit_task *task, int threads)
{
	int64_t groups = task->gemm.call->conv.groups, wanted = threads > 1 ? (int64_t)threads * PIECES : 1;
	int64_t limit = BLOCK_BYTES / (task->copy.blocks * EMU_IMPLICIT_CELL);

	task->slabs = emu_implicit_slabs(&task->copy, task->gemm.call->conv.batch, task->gemm.positions);
	task->part = task->panels;
	cut_blocks(task, most(LEAST_BLOCK, least(limit, MOST_BLOCK)));
	while (groups * task->slabs.count * task->blocks * ceil_div(task->panels, task->part) < wanted) {
		if (task->block > LEAST_BLOCK)
			cut_blocks(task, most(LEAST_BLOCK, task->block / 2));
		else if (task->part > 1)
			task->part = ceil_div(task->part, 2);
		else
			return;
	}
}

/* ---- whether, and with how much memory ----------------------------------------------------------------------- */

static double product(const int64_t size[3])
{
	return (double)size[0] * (double)size[1] * (double)size[2];
}

/* Whether all sizes can be counted, with much room. */
static bool is_countable(const struct emu_conv_call *call)
{
	const struct emu_conv *conv = &call->conv;
	double weights = (double)(conv->small_channels + 64) * (double)(conv->big_channels + 64) *
	                 (product(conv->kernel) + 1) * product(conv->stride);
	double copied = (double)conv->batch * (double)(conv->small_channels + conv->big_channels + 64) *
	                product(conv->stride);

	for (int i = 0; i < 3; i++)
		copied *= (double)conv->small[i] + (double)conv->big[i] + 2 * (double)conv->padding[i] +
		          2 * (double)conv->kernel[i] * (double)conv->dilation[i] + (double)conv->stride[i] + 64;
	return (weights + copied) * (double)conv->groups * 1024 + (double)call->threads * 0x1p20 < 0x1p60;
}

/* Cells of a block of inputs that the smallest piece reads: those of each tap along an axis, or all between them. */
static int64_t cells_read(const struct emu_implicit_copy *copy, const int64_t kernel[3])
{
	int64_t cells = LEAST_BLOCK, step = 1;

	for (int i = 2; i >= 0; step *= copy->axis[i--].pitch)
		cells = least(cells * kernel[i], cells + (copy->axis[i].most - copy->axis[i].least) * step);
	return cells;
}

/*
 * Whether the method pays: taps that share what is copied for them, and not too much that is summed for nothing, which
 * is halos and the channels that tiles are filled up with. Writing the weight, gathering costs less, and so does this.
 */
static bool pays(const struct emu_conv_call *call)
{
	const struct emu_conv *conv = &call->conv;
	bool to_weight = call->direction == EMU_TO_WEIGHT, to_big = call->direction == EMU_TO_BIG;
	int64_t in = to_big ? conv->small_channels : conv->big_channels, positions[3], taps = volume(conv->kernel);
	int64_t out = to_big ? conv->big_channels : conv->small_channels, phases = to_big ? volume(conv->stride) : 1;
	struct emu_implicit_slabs slabs;
	struct emu_implicit_copy copy;
	double summed, asked;

	plan_copy(&copy, call);
	for (int i = 0; i < 3; i++) {
		positions[i] = copy.axis[i].positions;
		if (conv->kernel[i] < conv->stride[i])
			return false;
	}
	slabs = emu_implicit_slabs(&copy, conv->batch, positions);
	summed = (double)cost_of(&slabs) * (double)round_up(in, inputs_of_block(call)) *
	         (double)round_up(out, EMU_IMPLICIT_OUTPUTS);
	asked = (double)conv->batch * product(positions) * (double)in * (double)out;
	if (least(in, out) < LEAST_CHANNELS || taps <= phases || asked <= 0 || summed > 3 * asked)
		return false;
	if (to_weight)
		return cost_of(&slabs) >= LEAST_SUM && summed <= 1.25 * asked && volume(conv->stride) == 1;
	return (!to_big || conv->stride[2] <= 2) && taps * copy.blocks * EMU_IMPLICIT_TILE <= PANEL_BYTES &&
	       copy.blocks * cells_read(&copy, conv->kernel) * EMU_IMPLICIT_CELL <= READ_BYTES;
}

bool emu_implicit_can_run(const struct emu_implicit_vector *vector, const struct emu_conv_call *call)
{
	return emu_gemm_can_run(vector->pairs, call) && is_countable(call) && pays(call);
}

static uint64_t line_bytes(int64_t bytes)
{
	return (uint64_t)round_up(bytes, 64);
}

static uint64_t tile_bytes(const struct emu_implicit_task *task)
{
	const struct emu_conv *conv = &task->gemm.call->conv;

	if (task->gemm.call->direction == EMU_TO_WEIGHT)
		return emu_implicit_small_bytes(task);
	return (uint64_t)(conv->groups * ceil_div(outputs(&task->gemm), EMU_IMPLICIT_OUTPUTS) * volume(conv->kernel) *
	                  task->copy.blocks * EMU_IMPLICIT_TILE);
}

static uint64_t tap_bytes(const struct emu_conv_call *call)
{
	return line_bytes(volume(call->conv.kernel) * (int64_t)sizeof(struct emu_implicit_tap));
}

static uint64_t cell_bytes(const struct emu_implicit_task *task)
{
	const struct emu_conv *conv = &task->gemm.call->conv;

	return (uint64_t)(conv->groups * task->copy.blocks * task->copy.block * EMU_IMPLICIT_CELL);
}

static uint64_t weight_bytes(const struct emu_conv_call *call)
{
	return call->direction == EMU_TO_WEIGHT ? 0 : emu_implicit_weight_bytes(call);
}

static struct emu_implicit_task plan(const struct emu_implicit_vector *vector, const struct emu_conv_call *call)
{
	struct emu_implicit_task task = {
		.vector = vector,
		.gemm = {.vector = vector->pairs, .row_code = emu_rows(call->isa), .call = call},
		.private_bytes = (uint64_t)(emu_implicit_pitch(MOST_BLOCK) * EMU_IMPLICIT_OUTPUTS) * sizeof(float),
	};

	plan_copy(&task.copy, call);
	if (call->direction == EMU_TO_WEIGHT) {
		task.slabs = emu_implicit_slabs(&task.copy, call->conv.batch, call->conv.small);
		task.private_bytes = emu_implicit_sum_bytes(&task);
	}
	return task;
}

uint64_t emu_implicit_scratch_bytes(const struct emu_implicit_vector *vector, const struct emu_conv_call *call)
{
	struct emu_implicit_task task = plan(vector, call);
	uint64_t bytes = emu_gemm_table_bytes(call) + tap_bytes(call) + cell_bytes(&task) + weight_bytes(call) +
	                 tile_bytes(&task) + (uint64_t)threads_of(call) * task.private_bytes;
	uint64_t of_gemm = call->direction == EMU_TO_WEIGHT ? emu_gemm_scratch_bytes(vector->pairs, call) : 0;

	return bytes > of_gemm ? bytes : of_gemm;
}

static void run_map(struct emu_implicit_task *task, int threads)
{
	emu_implicit_pack(task, threads);
	if (task->gemm.found_infinite)
		return;
	emu_implicit_fill(task, threads);
	emu_gemm_run_classes(&task->gemm, emu_implicit_run_class, task, threads);
}

/*
 * Zeros of the copy meet every weight, and every position of the small map. Writing the weight, positions that nobody
 * asks for are zeros of the small map that meet the big one. What is infinite or NaN there is left to others.
 */
void emu_implicit_run(const struct emu_implicit_vector *vector, const struct emu_conv_call *call, void *scratch)
{
	struct emu_implicit_task task = plan(vector, call);
	int threads = threads_of(call);
	char *memory = scratch;

	emu_gemm_build_tables(&task.gemm, memory);
	task.taps = (struct emu_implicit_tap *)(void *)(memory += emu_gemm_table_bytes(call));
	task.copy.cells = memory += tap_bytes(call);
	task.weights = (uint16_t *)(void *)(memory += cell_bytes(&task));
	task.tiles = memory += weight_bytes(call);
	task.private = memory + tile_bytes(&task);
	if (call->direction == EMU_TO_WEIGHT)
		emu_gemm_run_classes(&task.gemm, emu_implicit_run_weight, &task, threads);
	else
		run_map(&task, threads);
	if (task.gemm.found_infinite && call->direction == EMU_TO_WEIGHT)
		emu_gemm_run(vector->pairs, call, scratch);
	else if (task.gemm.found_infinite)
		emu_reference_run(call, scratch);
}
