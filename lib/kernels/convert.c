/* Reading strided views into dense floats and writing them back, with the rounding of each number format. */
#include <string.h>

#include "rows.h"
#include "view.h"

enum {
	PIECE = 1 << 16, /* elements of one piece of parallel work */
	BLOCK = 1024     /* elements converted at a time on their way out */
};

/* A view without axes of 1 and with neighbours joined where their strides allow it, the innermost axis last. */
struct walk {
	int rank;
	int64_t dims[EMU_VIEW_RANK];
	int64_t strides[EMU_VIEW_RANK];
	int64_t at[EMU_VIEW_RANK];
	int64_t offset; /* in elements, of the element `at` */
};

static void walk_start(struct walk *walk, const struct emu_view *view, int64_t start)
{
	int last = 0;

	walk->rank = 1;
	walk->dims[0] = 1;
	walk->strides[0] = 0;
	for (int i = 0; i < view->rank; i++) {
		if (view->dims[i] == 1)
			continue;
		if (walk->dims[last] == 1 || walk->strides[last] == view->strides[i] * view->dims[i]) {
			walk->dims[last] *= view->dims[i];
		} else {
			last = walk->rank++;
			walk->dims[last] = view->dims[i];
		}
		walk->strides[last] = view->strides[i];
	}

	walk->offset = 0;
	for (int i = last; i >= 0; i--) {
		walk->at[i] = start % walk->dims[i];
		walk->offset += walk->at[i] * walk->strides[i];
		start /= walk->dims[i];
	}
}

/* Elements left in the innermost row, at most `limit`. */
static int64_t walk_run(const struct walk *walk, int64_t limit)
{
	int64_t left = walk->dims[walk->rank - 1] - walk->at[walk->rank - 1];

	return left < limit ? left : limit;
}

static void walk_advance(struct walk *walk, int64_t count)
{
	int axis = walk->rank - 1;

	walk->at[axis] += count;
	walk->offset += count * walk->strides[axis];
	while (axis > 0 && walk->at[axis] == walk->dims[axis]) {
		walk->offset += walk->strides[axis - 1] - walk->dims[axis] * walk->strides[axis];
		walk->at[axis--] = 0;
		walk->at[axis]++;
	}
}

static int64_t walk_stride(const struct walk *walk)
{
	return walk->strides[walk->rank - 1];
}

int64_t emu_view_elements(const struct emu_view *view)
{
	int64_t elements = 1;

	for (int i = 0; i < view->rank; i++)
		elements *= view->dims[i];
	return elements;
}

bool emu_is_dense_floats(const struct emu_array *array)
{
	const struct emu_view *view = &array->view;
	int64_t stride = 1;

	if (view->stored != EMU_F32 || array->number != EMU_F32)
		return false;
	for (int axis = view->rank - 1; axis >= 0; axis--) {
		if (view->dims[axis] != 1 && view->strides[axis] != stride)
			return false;
		stride *= view->dims[axis];
	}
	return true;
}

const char *emu_number_name(enum emu_number number)
{
	static const char *const names[EMU_NUMBERS] = {
		"f32", "f16", "bf16", "hif8", "hf32-11", "hf32-10", "f32-finite", "f16-finite",
	};

	return names[number];
}

void emu_view_load(float *dense, const struct emu_array *array, int64_t start, int64_t count, enum emu_isa isa)
{
	const struct emu_view *view = &array->view;
	const struct emu_rows *rows = emu_rows(isa);
	struct walk walk;
	float *begin = dense;

	walk_start(&walk, view, start);
	for (int64_t run; dense < begin + count; dense += run) {
		run = walk_run(&walk, begin + count - dense);
		rows->load(dense, emu_element(array->first, walk.offset, view->stored), walk_stride(&walk), run, view->stored);
		walk_advance(&walk, run);
	}
	if (emu_needs_rounding(array))
		rows->round(begin, count, array->number);
}

struct transfer {
	const struct emu_array *array;
	const struct emu_rows *rows;
	float *dense_to;
	const float *dense_from;
	enum emu_isa isa;
	int64_t elements;
};

static int64_t piece_end(const struct transfer *transfer, int64_t piece)
{
	int64_t end = (piece + 1) * PIECE;

	return end < transfer->elements ? end : transfer->elements;
}

static void gather_piece(void *argument, int64_t piece, int worker)
{
	const struct transfer *transfer = argument;
	int64_t end = piece_end(transfer, piece);

	(void)worker;
	for (int64_t at = piece * PIECE; at < end; at += BLOCK)
		emu_view_load(transfer->dense_to + at, transfer->array, at, end - at < BLOCK ? end - at : BLOCK, transfer->isa);
}

static void scatter_piece(void *argument, int64_t piece, int worker)
{
	const struct transfer *transfer = argument;
	const struct emu_array *array = transfer->array;
	const struct emu_view *view = &array->view;
	int64_t start = piece * PIECE, end = piece_end(transfer, piece);
	bool detour = emu_needs_rounding(array);
	float rounded[BLOCK];
	struct walk walk;

	(void)worker;
	walk_start(&walk, view, start);
	for (int64_t run; start < end; start += run) {
		const float *values = transfer->dense_from + start;

		run = walk_run(&walk, end - start);
		if (detour) {
			run = run < BLOCK ? run : BLOCK;
			memcpy(rounded, values, (size_t)run * sizeof(float));
			transfer->rows->round(rounded, run, array->number);
			values = rounded;
		}
		transfer->rows->store(emu_element(array->first, walk.offset, view->stored), walk_stride(&walk), values, run,
		                      view->stored);
		walk_advance(&walk, run);
	}
}

static int64_t pieces(int64_t elements)
{
	return elements / PIECE + (elements % PIECE != 0);
}

void emu_gather(float *dense, const struct emu_array *array, enum emu_isa isa, int threads)
{
	int64_t elements = emu_view_elements(&array->view);
	struct transfer transfer = {array, emu_rows(isa), dense, NULL, isa, elements};

	emu_pool_run(threads, pieces(elements), gather_piece, &transfer);
}

void emu_scatter(const struct emu_array *array, const float *dense, enum emu_isa isa, int threads)
{
	int64_t elements = emu_view_elements(&array->view);
	struct transfer transfer = {array, emu_rows(isa), NULL, dense, isa, elements};

	emu_pool_run(threads, pieces(elements), scatter_piece, &transfer);
}

/* +0 has the same bits in all types. */
static void clear_piece(void *argument, int64_t piece, int worker)
{
	static const float zeros[BLOCK];
	const struct transfer *transfer = argument;
	const struct emu_view *view = &transfer->array->view;
	int64_t start = piece * PIECE, end = piece_end(transfer, piece), bytes = emu_number_bytes(view->stored);
	struct walk walk;

	(void)worker;
	walk_start(&walk, view, start);
	for (int64_t run; start < end; start += run) {
		void *to = emu_element(transfer->array->first, walk.offset, view->stored);

		run = walk_run(&walk, end - start);
		if (walk_stride(&walk) == 1) {
			memset(to, 0, (size_t)(run * bytes));
		} else {
			run = run < BLOCK ? run : BLOCK;
			transfer->rows->store(to, walk_stride(&walk), zeros, run, view->stored);
		}
		walk_advance(&walk, run);
	}
}

void emu_fill_zero(const struct emu_array *array, enum emu_isa isa, int threads)
{
	int64_t elements = emu_view_elements(&array->view);
	struct transfer transfer = {array, emu_rows(isa), NULL, NULL, isa, elements};

	emu_pool_run(threads, pieces(elements), clear_piece, &transfer);
}
