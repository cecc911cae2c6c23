/*
 * The kernel for maps of which the big one has few channels per group: there a matrix multiply would gather each
 * element of it once per tap, for too few products. Here the lanes are neighbouring positions of a row, and a tap is
 * nothing but a distance in memory.
 */
#ifndef EMU_THIN_H
#define EMU_THIN_H

#include "gemm.h"

/* Rows of positions as two arrays have them. */
struct emu_thin_part {
	int64_t images; /* for correlate */
	int64_t rows;   /* of an image */
	int64_t count;  /* positions of a row */
	int64_t a_image, a_row;
	int64_t b_image, b_row;
};

struct emu_thin_vector {
	int lanes;
	int depth;   /* most lines that one call of sum adds up */
	int pitch;   /* of its factors */
	int outputs; /* of correlate */
	int lines;   /* of correlate, at most */
	const struct emu_gemm_vector *pairs; /* multiplies words of two BFLOAT16: then EMU_TO_BIG is all that is offered */

	/*
	 * a[a_offsets[i] + x] += the sum of factors[i * pitch + k] * b[b_offsets[k] + x] over k < depth; i < outputs, x
	 * each position of the part. Reads one row of factors more, reads and rewrites up to lanes - 1 floats behind each
	 * row.
	 */
	void (*sum)(float *a, const int64_t *a_offsets, int64_t outputs, const float *factors, const float *b,
	            const int64_t *b_offsets, int64_t depth, const struct emu_thin_part *part);
	/*
	 * Adds to a vector of sums for each of `lines` lines and each output the products of lanes
	 * a[output * a_pitch + x] * b[b_offsets[line] + x]. Reads up to lanes - 1 floats behind each row.
	 */
	void (*correlate)(float *sums, const float *a, int64_t a_pitch, const float *b, const int64_t *b_offsets, int lines,
	                  const struct emu_thin_part *part);
	/* words of two BFLOAT16, whose floats are known to be such; whole vectors */
	void (*pair)(void *to, const float *low, const float *high, int64_t count);
	/* a[a_offsets[i] + x] += b[i * b_pitch + x]; i < outputs, x < count, reading and rewriting as sum does */
	void (*add)(float *a, const int64_t *a_offsets, int64_t outputs, const float *b, int64_t b_pitch, int64_t count);
	/* to[x * phases + i] = from[i * phase + x]; i < phases, x < count, writing and reading up to whole vectors */
	void (*join)(float *to, const float *from, int64_t phase, int64_t phases, int64_t count);
	/* to[i] = the sum of the lanes of vector i; writes whole vectors, reads as many vectors as these have lanes. */
	void (*add_lanes)(float *to, const float *vectors, int64_t count);
};

extern const struct emu_thin_vector emu_thin_baseline;
extern const struct emu_thin_vector emu_thin_avx2;
extern const struct emu_thin_vector emu_thin_avx512;
extern const struct emu_thin_vector emu_thin_avx512_bf16;
extern const struct emu_thin_vector emu_thin_amx;

bool emu_thin_can_run(const struct emu_thin_vector *vector, const struct emu_conv_call *call);
uint64_t emu_thin_scratch_bytes(const struct emu_thin_vector *vector, const struct emu_conv_call *call);
void emu_thin_run(const struct emu_thin_vector *vector, const struct emu_conv_call *call, void *scratch);

#endif
