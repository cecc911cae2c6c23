/*
 * The kernel for about 16 channels per group, steps of 1: the channels of a group lie in the lanes, so that neither
 * positions nor taps have to fill vectors. What the driver (grouped.c) and the vector code (grouped_vector.inc, built
 * once per instruction set) share.
 */
#ifndef EMU_GROUPED_H
#define EMU_GROUPED_H

#include "kernels.h"

enum { EMU_GROUPED_CHANNELS = 16 /* of a position, whether the group has them or not */ };

struct emu_grouped_vector {
	int lanes;

	/* to[i][c] = from[c * pitch + i] for i < count; reads up to `lanes` elements more of each line */
	void (*spread)(float *to, const float *from, int64_t pitch, int64_t count);
	/* to[c * pitch + i] = from[i][c] for i < count, and anything in up to `lanes` more; reads as many more positions */
	void (*collect)(float *to, int64_t pitch, const float *from, int64_t count);
	/* to[i][c] = the sum over taps and k < inputs of weights[tap][k][c] * from[offsets[tap] + i][k] */
	void (*filter)(float *to, const float *from, const int64_t *offsets, int64_t taps, const float *weights,
	               int64_t inputs, int64_t count);
	/* sums[a][b] += the sum over rows and i < count of small[row][i][a] * big[row][i][b]; pitches in positions */
	void (*correlate)(float *sums, const float *small, int64_t small_pitch, const float *big, int64_t big_pitch,
	                  int64_t rows, int64_t count);
};

extern const struct emu_grouped_vector emu_grouped_baseline;
extern const struct emu_grouped_vector emu_grouped_avx2;
extern const struct emu_grouped_vector emu_grouped_avx512;

bool emu_grouped_can_run(const struct emu_grouped_vector *vector, const struct emu_conv_call *call);
uint64_t emu_grouped_scratch_bytes(const struct emu_grouped_vector *vector, const struct emu_conv_call *call);
void emu_grouped_run(const struct emu_grouped_vector *vector, const struct emu_conv_call *call, void *scratch);

#endif
