/*
 * The matrix multiply behind the fast kernel: what the driver (gemm.c) and the vector code (gemm_vector.inc, built once
 * per instruction set) share.
 */
#ifndef EMU_GEMM_H
#define EMU_GEMM_H

#include "geometry.h"

/*
 * C = A * B in blocks. A block of A is row-major with a pitch of `pitch`; B is in panels of [depth][columns]; C is in
 * tiles of [rows][columns], the tiles of one panel of B following each other.
 */
struct emu_gemm_vector {
	int rows;    /* of a tile */
	int columns; /* of a tile */
	int depth;   /* most that one call of multiply sums up in registers */
	int pitch;
	int lanes;

	/* Copies the runs of each plane, reading nothing past `end`. Rewrites up to lanes - 1 elements behind a run
	 * with what they hold. */
	void (*copy)(float *to, int64_t to_pitch, const float *from, int64_t from_pitch, const float *end, int64_t planes,
	             const struct emu_run *runs, int count, int64_t step);
	/* to[k * columns + i] = from[i * pitch + k] for i < lanes, k < depth rounded up to lanes */
	void (*transpose)(float *to, const float *from, int depth);
	/* adds to the tiles, or sets them when `fresh` */
	void (*multiply)(float *tiles, const float *a, const float *b, int64_t rows, int64_t columns, int depth,
	                 bool fresh);
};

extern const struct emu_gemm_vector emu_gemm_baseline;
extern const struct emu_gemm_vector emu_gemm_avx2;
extern const struct emu_gemm_vector emu_gemm_avx512;

bool emu_gemm_can_run(const struct emu_gemm_vector *vector, enum emu_direction direction, const struct emu_conv *conv);
uint64_t emu_gemm_scratch_bytes(const struct emu_gemm_vector *vector, enum emu_direction direction,
                                const struct emu_conv *conv, int threads);
void emu_gemm_run(const struct emu_gemm_vector *vector, enum emu_direction direction, const struct emu_conv *conv,
                  const struct emu_conv_data *data, void *scratch, int threads);

#endif
