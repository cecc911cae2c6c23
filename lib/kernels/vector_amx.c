/* The vector code for AMX: eight registers of 16 rows of 16 words, and one instruction that multiplies two of them. */
#include <immintrin.h>

#define THIN emu_thin_amx
#define THIN_PAIRS &emu_gemm_amx
#define LANES 16
#define DEPTH 192
#define PAIRS 1
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

/* Two by two registers of C. The last rows and columns may be nobody's, the last words of the depth are zeros. */
static void multiply_square(float *c, const uint32_t *a, const uint32_t *b, int depth, bool fresh)
{
	float *below = c + SIDE * COLUMNS;

	if (fresh) {
		_tile_zero(0);
		_tile_zero(1);
		_tile_zero(2);
		_tile_zero(3);
	} else {
		_tile_loadd(0, c, C_BYTES);
		_tile_loadd(1, c + SIDE, C_BYTES);
		_tile_loadd(2, below, C_BYTES);
		_tile_loadd(3, below + SIDE, C_BYTES);
	}
	for (int k = 0; k < depth; k += SIDE) {
		_tile_loadd(6, b + k * COLUMNS, B_BYTES);
		_tile_loadd(4, a + k, A_BYTES);
		_tile_dpbf16ps(0, 4, 6);
		_tile_loadd(7, b + k * COLUMNS + SIDE, B_BYTES);
		_tile_dpbf16ps(1, 4, 7);
		_tile_loadd(5, a + k + SIDE * PITCH, A_BYTES);
		_tile_dpbf16ps(2, 5, 6);
		_tile_dpbf16ps(3, 5, 7);
	}
	_tile_stored(0, c, C_BYTES);
	_tile_stored(1, c + SIDE, C_BYTES);
	_tile_stored(2, below, C_BYTES);
	_tile_stored(3, below + SIDE, C_BYTES);
}

/* Half as many rows. */
static void multiply_half(float *c, const uint32_t *a, const uint32_t *b, int depth, bool fresh)
{
	if (fresh) {
		_tile_zero(0);
		_tile_zero(1);
	} else {
		_tile_loadd(0, c, C_BYTES);
		_tile_loadd(1, c + SIDE, C_BYTES);
	}
	for (int k = 0; k < depth; k += SIDE) {
		_tile_loadd(4, a + k, A_BYTES);
		_tile_loadd(6, b + k * COLUMNS, B_BYTES);
		_tile_dpbf16ps(0, 4, 6);
		_tile_loadd(7, b + k * COLUMNS + SIDE, B_BYTES);
		_tile_dpbf16ps(1, 4, 7);
	}
	_tile_stored(0, c, C_BYTES);
	_tile_stored(1, c + SIDE, C_BYTES);
}

/* The registers are this thread's from here on and are given back, so that nobody else pays for saving them. */
static void multiply(float *tiles, const void *a, const void *panels, int64_t rows, int64_t columns, int depth,
                     bool fresh)
{
	const uint32_t *b = panels;

	_tile_loadconfig(&all_full);
	for (; columns > 0; columns -= COLUMNS, b += DEPTH * COLUMNS) {
		for (int64_t row = 0; row < rows; row += TILE_ROWS, tiles += TILE_ROWS * COLUMNS) {
			const uint32_t *lines = (const uint32_t *)a + row * PITCH;

			if (rows - row > SIDE)
				multiply_square(tiles, lines, b, depth, fresh);
			else
				multiply_half(tiles, lines, b, depth, fresh);
		}
	}
	_tile_release();
}

const struct emu_gemm_vector emu_gemm_amx = {
	PAIRS, TILE_ROWS, COLUMNS, DEPTH, SIDE, PITCH, LANES, copy, copy_halves, transpose, is_finite, multiply,
};
