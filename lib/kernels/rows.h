/* Elements at one distance from each other: reading, rounding and writing them, built once per instruction set. */
#ifndef EMU_ROWS_H
#define EMU_ROWS_H

#include "kernels.h"

enum {
	EMU_PARTIALS = 16,     /* independent sums, so that the additions overlap */
	EMU_MOST_HALVES = 1024
};

struct emu_rows {
	/* to[i] = from[i * stride] as a float */
	void (*load)(float *to, const void *from, int64_t stride, int64_t count, enum emu_number stored);
	/* to[i * stride] = from[i] rounded to the stored type */
	void (*store)(void *to, int64_t stride, const float *from, int64_t count, enum emu_number stored);
	/* the same for `rows` rows: to_pitch bytes apart there, from_pitch floats here */
	void (*store_rows)(void *to, int64_t to_pitch, int64_t stride, const float *from, int64_t from_pitch, int64_t rows,
	                   int64_t count, enum emu_number stored);
	/*
	 * The same with a stride of 2. Rewrites the elements between the first and the last with what they hold, which
	 * must be the caller's to touch.
	 */
	void (*weave_rows)(void *to, int64_t to_pitch, const float *from, int64_t from_pitch, int64_t rows, int64_t count,
	                   enum emu_number stored);
	/* to[i] = from[i * stride], 16 bits; to[i] = low[i] below high[i] in 32 bits */
	void (*load_halves)(uint16_t *to, const uint16_t *from, int64_t stride, int64_t count);
	void (*zip_halves)(uint32_t *to, const uint16_t *low, const uint16_t *high, int64_t count);
	/* to[2 * i] = first[i], to[2 * i + 1] = second[i] */
	void (*zip)(float *to, const float *first, const float *second, int64_t count);
	/* partial[i % 16] += values[i] */
	void (*add)(double partial[EMU_PARTIALS], const float *values, int64_t count);
	/* rounds in place */
	void (*round)(float *values, int64_t count, enum emu_number number);
};

/* The best one that the instruction set has. */
const struct emu_rows *emu_rows(enum emu_isa isa);

/* Whether rounding to the number of an array does what its stored type does not do already. */
static inline bool emu_needs_rounding(const struct emu_array *array)
{
	return array->number != array->view.stored && array->number != EMU_F32;
}

/* `count` elements of an array, `stride` apart, as floats rounded to its number. */
static inline void emu_load_row(const struct emu_rows *rows, const struct emu_array *array, float *to, const void *from,
                                int64_t stride, int64_t count)
{
	rows->load(to, from, stride, count, array->view.stored);
	if (emu_needs_rounding(array))
		rows->round(to, count, array->number);
}

/* The same as BFLOAT16, of at most EMU_MOST_HALVES elements. */
static inline void emu_load_halves(const struct emu_rows *rows, const struct emu_array *array, uint16_t *to,
                                   const void *from, int64_t stride, int64_t count)
{
	float floats[EMU_MOST_HALVES];

	if (array->view.stored == EMU_BF16 && array->number == EMU_BF16) {
		rows->load_halves(to, from, stride, count);
		return;
	}
	emu_load_row(rows, array, floats, from, stride, count);
	rows->store(to, 1, floats, count, EMU_BF16);
}

/* Where they are as BFLOAT16: in the array itself if they lie there side by side, else in `line`. */
static inline const uint16_t *emu_find_halves(const struct emu_rows *rows, const struct emu_array *array,
                                              uint16_t *line, const void *from, int64_t stride, int64_t count)
{
	if (stride == 1 && array->view.stored == EMU_BF16 && array->number == EMU_BF16)
		return from;
	emu_load_halves(rows, array, line, from, stride, count);
	return line;
}

/* `offset` elements behind `first`. */
static inline void *emu_element(const void *first, int64_t offset, enum emu_number stored)
{
	return (char *)(uintptr_t)first + offset * emu_number_bytes(stored);
}

#endif
