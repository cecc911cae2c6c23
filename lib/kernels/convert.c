/* Reading strided views into dense floats and writing them back, with the rounding of each number format. */
#include "hifloat8.h"
#include "number.h"
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

/* Each loop twice: with a stride of 1 the compiler vectorises it. */
#define STRIDED_LOOP(statement)                                     \
	do {                                                        \
		if (stride == 1)                                    \
			for (int64_t i = 0, at = 0; i < count; at = ++i) \
				statement;                          \
		else                                                \
			for (int64_t i = 0, at = 0; i < count; i++, at += stride) \
				statement;                          \
	} while (0)

static void load_run(float *restrict dense, const void *first, int64_t offset, int64_t stride, int64_t count,
                     enum emu_number stored)
{
	const float *wide = (const float *)first + offset;
	const uint16_t *narrow = (const uint16_t *)first + offset;
	const uint8_t *bytes = (const uint8_t *)first + offset;

	if (stored == EMU_F16)
		STRIDED_LOOP(dense[i] = f16_to(narrow[at]));
	else if (stored == EMU_BF16)
		STRIDED_LOOP(dense[i] = bf16_to(narrow[at]));
	else if (stored == EMU_HIF8)
		STRIDED_LOOP(dense[i] = hif8_to(bytes[at]));
	else
		STRIDED_LOOP(dense[i] = wide[at]);
}

static void store_run(void *first, int64_t offset, int64_t stride, const float *restrict dense, int64_t count,
                      enum emu_number stored)
{
	float *wide = (float *)first + offset;
	uint16_t *narrow = (uint16_t *)first + offset;
	uint8_t *bytes = (uint8_t *)first + offset;

	if (stored == EMU_F16)
		STRIDED_LOOP(narrow[at] = f16_from(dense[i]));
	else if (stored == EMU_BF16)
		STRIDED_LOOP(narrow[at] = bf16_from(dense[i]));
	else if (stored == EMU_HIF8)
		STRIDED_LOOP(bytes[at] = hif8_from(dense[i]));
	else
		STRIDED_LOOP(wide[at] = dense[i]);
}

void emu_round_all(float *values, int64_t count, enum emu_number number)
{
	if (number == EMU_F16)
		for (int64_t i = 0; i < count; i++)
			values[i] = f16_to(f16_from(values[i]));
	else if (number == EMU_BF16)
		for (int64_t i = 0; i < count; i++)
			values[i] = bf16_to(bf16_from(values[i]));
	else if (number == EMU_HIF8)
		for (int64_t i = 0; i < count; i++)
			values[i] = hif8_to(hif8_from(values[i]));
	else if (number == EMU_HF32_11)
		for (int64_t i = 0; i < count; i++)
			values[i] = float_of(drop_bits(bits_of(values[i]), 12));
	else if (number == EMU_HF32_10)
		for (int64_t i = 0; i < count; i++)
			values[i] = float_of(drop_bits(bits_of(values[i]), 13));
	else if (number == EMU_F32_FINITE)
		for (int64_t i = 0; i < count; i++)
			values[i] = saturated(values[i], 0x1.fffffep127f);
	else if (number == EMU_F16_FINITE)
		for (int64_t i = 0; i < count; i++)
			values[i] = saturated(f16_to(f16_from(values[i])), 65504.0f);
}

const char *emu_number_name(enum emu_number number)
{
	static const char *const names[EMU_NUMBERS] = {
		"f32", "f16", "bf16", "hif8", "hf32-11", "hf32-10", "f32-finite", "f16-finite",
	};

	return names[number];
}

float emu_round_to(float value, enum emu_number number)
{
	emu_round_all(&value, 1, number);
	return value;
}

void emu_view_load(float *dense, const void *first, const struct emu_view *view, int64_t start, int64_t count)
{
	struct walk walk;

	walk_start(&walk, view, start);
	for (int64_t run; count > 0; count -= run, dense += run) {
		run = walk_run(&walk, count);
		load_run(dense, first, walk.offset, walk_stride(&walk), run, view->stored);
		walk_advance(&walk, run);
	}
}

struct transfer {
	void *first;
	const struct emu_view *view;
	float *dense_to;
	const float *dense_from;
	enum emu_number number;
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
	for (int64_t at = piece * PIECE; at < end; at += BLOCK) {
		int64_t count = end - at < BLOCK ? end - at : BLOCK;

		emu_view_load(transfer->dense_to + at, transfer->first, transfer->view, at, count);
		if (transfer->number != transfer->view->stored)
			emu_round_all(transfer->dense_to + at, count, transfer->number);
	}
}

static void scatter_piece(void *argument, int64_t piece, int worker)
{
	const struct transfer *transfer = argument;
	const struct emu_view *view = transfer->view;
	int64_t start = piece * PIECE, end = piece_end(transfer, piece);
	bool detour = transfer->number != EMU_F32 && transfer->number != view->stored;
	const float *dense = transfer->dense_from;
	float rounded[BLOCK];
	struct walk walk;

	(void)worker;
	walk_start(&walk, view, start);
	for (int64_t run; start < end; start += run) {
		const float *values = dense + start;

		run = walk_run(&walk, end - start);
		if (detour) {
			run = run < BLOCK ? run : BLOCK;
			memcpy(rounded, values, (size_t)run * sizeof(float));
			emu_round_all(rounded, run, transfer->number);
			values = rounded;
		}
		store_run(transfer->first, walk.offset, walk_stride(&walk), values, run, view->stored);
		walk_advance(&walk, run);
	}
}

static int64_t pieces(int64_t elements)
{
	return elements / PIECE + (elements % PIECE != 0);
}

void emu_gather(float *dense, const void *first, const struct emu_view *view, enum emu_number number, int threads)
{
	int64_t elements = emu_view_elements(view);
	struct transfer transfer = {(void *)(uintptr_t)first, view, dense, NULL, number, elements};

	emu_pool_run(threads, pieces(elements), gather_piece, &transfer);
}

void emu_scatter(void *first, const struct emu_view *view, const float *dense, enum emu_number through, int threads)
{
	int64_t elements = emu_view_elements(view);
	struct transfer transfer = {first, view, NULL, dense, through, elements};

	emu_pool_run(threads, pieces(elements), scatter_piece, &transfer);
}

void emu_fill_zero(void *first, const struct emu_view *view)
{
	static const float zeros[BLOCK];
	int64_t left = emu_view_elements(view);
	struct walk walk;

	if (left == 0)
		return;
	walk_start(&walk, view, 0);
	for (int64_t run; left > 0; left -= run) {
		run = walk_run(&walk, left < BLOCK ? left : BLOCK);
		store_run(first, walk.offset, walk_stride(&walk), zeros, run, view->stored);
		walk_advance(&walk, run);
	}
}
