/*
 * Minimal filtering by Winograd: kernels of 3x3 taps (and any number in depth) on steps of 1. A square of 4x4 source
 * elements gives 2x2 outputs by 16 products instead of 36:
 *
 *	outputs = A' [ (G taps G') . (B' source B) ] A        B': source differences, G: tap sums, halved, A': sums
 *
 * The products of one of the 16 elements, summed over channels, are a matrix multiply. Transposing the formula gives
 * the weight: taps = G' [ (A outputs A') . (B' source B) ] G, summed over all squares. All factors are 0, 1, -1 or 1/2,
 * so integers stay exact. An error is small against the largest numbers of the squares at hand, not of the 3x3 alone.
 *
 * An infinity, a NaN or an overflow on the way leaves none of the results it reaches finite. So the results are looked
 * at, and if one is not finite, another kernel computes them all.
 */
#ifndef EMU_WINOGRAD_H
#define EMU_WINOGRAD_H

#include "kernels.h"

enum {
	EMU_WINOGRAD_TAPS = 3,
	EMU_WINOGRAD_SIDE = 4,
	EMU_WINOGRAD_PRODUCTS = 16
};

/* C = A * B, or C += A * B. A is in panels of `rows` rows, stored by columns; B and C are row-major. */
struct emu_winograd_product {
	float *c;
	const float *a, *b;
	int64_t c_pitch;
	int64_t a_pitch; /* from one column of a panel to the next */
	int64_t a_panel; /* from one panel to the next */
	int64_t b_pitch;
	int64_t rows, columns, depth;
	bool fresh;      /* C is set, not added to */
};

/*
 * The vector code, built once per instruction set. It works on whole vectors: each line that is read or written goes on
 * for up to 2 * lanes elements behind its last one, with anything.
 */
struct emu_winograd_vector {
	int lanes;
	int rows; /* of a panel of A */

	void (*multiply)(const struct emu_winograd_product *product);
	/* Taps of up to `rows` channels, from[row * row_pitch + 0..8], to panels of A: to[product * pitch + row]. */
	void (*transform_taps)(float *to, int64_t pitch, const float *from, int64_t row_pitch, bool flip);
	/* Source elements 2 tile + 0..3 along x: to[0..3][tile], each `pitch` behind the other. */
	void (*transform_row)(float *to, int64_t pitch, const float *line, int64_t tiles);
	/* Four of these rows along y, the even ones and the odd ones `width` apart: to[0..15][tile]. */
	void (*transform_rows)(float *to, int64_t pitch, const float *even, const float *odd, int64_t row_pitch,
	                       int64_t width, int64_t tiles);
	/* Sums back to two rows of outputs, 2 * tile + 0..1; returns whether all are finite. */
	bool (*untransform)(float *upper, float *lower, const float *from, int64_t pitch, int64_t tiles);

	/* The rest has channels in the lanes. to[i][lane] = from[lane * pitch + i] for i < lanes */
	void (*transpose)(float *to, const float *from, int64_t pitch);
	/* Row `row` of the products of a row of tiles, from source rows `row_floats` apart: to[0..3][tile][lane]. */
	void (*spread_source)(float *to, int64_t pitch, int64_t tile_pitch, const float *rows, int64_t row_floats, int row,
	                      int64_t tiles);
	/* The same of outputs; the sign of the last row and column is left to untransform_taps. */
	void (*spread_outputs)(float *to, int64_t pitch, int64_t tile_pitch, const float *rows, int64_t row_floats, int row,
	                       int64_t tiles);
	/* Taps of up to `lanes` channels: to[channel * to_pitch + 0..8]; returns whether all are finite. */
	bool (*untransform_taps)(float *to, int64_t to_pitch, const float *from, int64_t pitch, int64_t channels);
};

extern const struct emu_winograd_vector emu_winograd_baseline;
extern const struct emu_winograd_vector emu_winograd_avx2;
extern const struct emu_winograd_vector emu_winograd_avx512;

bool emu_winograd_can_run(const struct emu_winograd_vector *vector, const struct emu_conv_call *call);
uint64_t emu_winograd_scratch_bytes(const struct emu_winograd_vector *vector, const struct emu_conv_call *call);
void emu_winograd_run(const struct emu_winograd_vector *vector, const struct emu_conv_call *call, void *scratch);

#endif
