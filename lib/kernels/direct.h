/*
 * The kernel for few channels per group, where a matrix multiply would be mostly padding: rows of one map are added to,
 * or multiplied with, rows of the other.
 */
#ifndef EMU_DIRECT_H
#define EMU_DIRECT_H

#include "kernels.h"

struct emu_direct_vector {
	/* to[i * to_step] += factor * from[i * from_step] */
	void (*add)(float *to, int64_t to_step, const float *from, int64_t from_step, int64_t count, float factor);
	/* the sum of a[j * a_pitch + i] * b[j * b_pitch + i * b_step] over i < count, j < rows */
	double (*dot)(const float *a, int64_t a_pitch, const float *b, int64_t b_pitch, int64_t b_step, int64_t count,
	              int64_t rows);
};

extern const struct emu_direct_vector emu_direct_baseline;
extern const struct emu_direct_vector emu_direct_avx2;
extern const struct emu_direct_vector emu_direct_avx512;

bool emu_direct_can_run(const struct emu_direct_vector *vector, enum emu_direction direction,
                        const struct emu_conv *conv);
uint64_t emu_direct_scratch_bytes(const struct emu_direct_vector *vector, enum emu_direction direction,
                                  const struct emu_conv *conv, int threads);
void emu_direct_run(const struct emu_direct_vector *vector, enum emu_direction direction, const struct emu_conv *conv,
                    const struct emu_conv_data *data, void *scratch, int threads);

#endif
