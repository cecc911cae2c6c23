/* The vector code for AMX: eight registers of 16 rows of 16 words, and one instruction that multiplies two of them. */
#include <immintrin.h>

#define THIN emu_thin_amx
#define THIN_PAIRS &emu_gemm_amx
#define LANES 16
#define DEPTH 192
#define PAIRS 1
#define TILE_VECTORS 3
#include "vector.inc"
#include "gemm_vector.inc"
#include "thin_vector.inc"

enum {
	SIDE = 16,               /* rows of a register, and words of a row */
	TILE_ROWS = 2 * SIDE,
	C_BYTES = COLUMNS * 4,   /* from one row to the next */
	A_BYTES = PITCH * 4,
	B_BYTES = COLUMNS * 4
};

struct tile_configuration {
	uint8_t palette, start_row;
	uint8_t reserved[14];
	uint16_t row_bytes[16];
	uint8_t rows[16];
};

static const struct tile_configuration all_full = {
	.palette = 1,
	.row_bytes = {64, 64, 64, 64, 64, 64, 64, 64},
	.rows = {SIDE, SIDE, SIDE, SIDE, SIDE, SIDE, SIDE, SIDE},
};

/* A register of C: loaded, or cleared. The number of a register has to be a constant. */
#define BEGIN(number, at)                       \
	do {                                    \
		if (fresh)                      \
			_tile_zero(number);     \
		else                            \
			_tile_loadd(number, at, C_BYTES); \
	} while (0)

/*
 * Up to two by three registers of C: few rows of A go a long way, since they come from the second level of cache, while
 * B stays in the first. The last rows and columns may be nobody's, the last words of the depth are zeros.
 */
static inline __attribute__((always_inline)) void multiply_tile(float *c, const uint32_t *a, const uint32_t *b,
                                                                int depth, bool fresh, const int down, const int across)
{
	float *below = c + SIDE * COLUMNS;

	BEGIN(0, c);
	if (across > 1)
		BEGIN(1, c + SIDE);
	if (across > 2)
		BEGIN(2, c + 2 * SIDE);
	if (down > 1)
		BEGIN(3, below);
	if (down > 1 && across > 1)
		BEGIN(4, below + SIDE);
	if (down > 1 && across > 2)
		BEGIN(5, below + 2 * SIDE);
	for (int k = 0; k < depth; k += SIDE) {
		const uint32_t *lines = b + k * COLUMNS;

		_tile_loadd(6, a + k, A_BYTES);
		_tile_loadd(7, lines, B_BYTES);
		_tile_dpbf16ps(0, 6, 7);
		if (across > 1) {
			_tile_loadd(7, lines + SIDE, B_BYTES);
			_tile_dpbf16ps(1, 6, 7);
		}
		if (across > 2) {
			_tile_loadd(7, lines + 2 * SIDE, B_BYTES);
			_tile_dpbf16ps(2, 6, 7);
		}
		if (down == 1)
			continue;
		_tile_loadd(6, a + k + SIDE * PITCH, A_BYTES);
		if (across > 2) {
			_tile_dpbf16ps(5, 6, 7);
			_tile_loadd(7, lines + SIDE, B_BYTES);
		}
		if (across > 1) {
			_tile_dpbf16ps(4, 6, 7);
			_tile_loadd(7, lines, B_BYTES);
		}
		_tile_dpbf16ps(3, 6, 7);
	}
	_tile_stored(0, c, C_BYTES);
	if (across > 1)
		_tile_stored(1, c + SIDE, C_BYTES);
	if (across > 2)
		_tile_stored(2, c + 2 * SIDE, C_BYTES);
	if (down > 1)
		_tile_stored(3, below, C_BYTES);
	if (down > 1 && across > 1)
		_tile_stored(4, below + SIDE, C_BYTES);
	if (down > 1 && across > 2)
		_tile_stored(5, below + 2 * SIDE, C_BYTES);
}

static inline __attribute__((always_inline)) void multiply_panel(float *tiles, const uint32_t *a, const uint32_t *b,
                                                                 int64_t rows, int depth, bool fresh, const int across)
{
	for (; rows > 0; rows -= TILE_ROWS, tiles += TILE_ROWS * COLUMNS, a += TILE_ROWS * PITCH) {
		if (rows > SIDE)
			multiply_tile(tiles, a, b, depth, fresh, 2, across);
		else
			multiply_tile(tiles, a, b, depth, fresh, 1, across);
	}
}

/* The registers are this thread's from here on and are given back, so that nobody else pays for saving them. */
static void multiply(float *tiles, const void *a, const void *panels, int64_t rows, int64_t columns, int depth,
                     bool fresh, struct emu_gemm_ahead *ahead)
{
	int64_t panel_floats = (rows + TILE_ROWS - 1) / TILE_ROWS * TILE_ROWS * COLUMNS;
	const uint32_t *b = panels;

	(void)ahead; /* it would take what the registers are loaded with */
	_tile_loadconfig(&all_full);
	for (; columns > 0; columns -= COLUMNS, b += DEPTH * COLUMNS, tiles += panel_floats) {
		if (columns > 2 * SIDE)
			multiply_panel(tiles, a, b, rows, depth, fresh, 3);
		else if (columns > SIDE)
			multiply_panel(tiles, a, b, rows, depth, fresh, 2);
		else
			multiply_panel(tiles, a, b, rows, depth, fresh, 1);
	}
	_tile_release();
}

const struct emu_gemm_vector emu_gemm_amx = {
	PAIRS, TILE_ROWS, COLUMNS, DEPTH, SIDE, PITCH, LANES, copy, copy_even, copy_halves, transpose, is_finite,
	multiply,
};

#include "implicit_vector.inc"
