/*
 * The matrix multiply behind the fast kernel: what the driver (gemm.c) and the vector code (gemm_vector.inc and its
 * kin, built once per instruction set) share.
 *
 * Everything is counted in words of 32 bits along the summed axis: a word is one FLOAT, or two BFLOAT16 whose products
 * are added up at once.
 */
#ifndef EMU_GEMM_H
#define EMU_GEMM_H

#include "geometry.h"

/*
 * What will be gathered after a multiplication, for it to ask for on its way: lines of some bytes each, and how many
 * are left. Nothing else foresees lines that lie far apart.
 */
struct emu_gemm_ahead {
	const char *at;
	int64_t pitch; /* bytes from one line to the next */
	int64_t bytes;
	int64_t lines;
};

/*
 * C = A * B in blocks. A block of A is row-major with a pitch of `pitch` words; B is in panels of [depth][columns]; C
 * is in tiles of [rows][columns] floats, the tiles of one panel of B following each other.
 */
struct emu_gemm_vector {
	bool pairs;  /* words of two BFLOAT16 */
	int rows;    /* of a tile */
	int columns; /* of a tile */
	int depth;   /* most words that one call of multiply sums up in registers */
	int unit;    /* multiply goes on to a multiple of it: zeros are due there */
	int pitch;
	int lanes;

	/*
	 * Copies the runs of each line, reading nothing at or past `end`; elements of 32 or 16 bits. Leaves anything in up
	 * to 16 elements behind the last run of each line.
	 */
	void (*copy)(void *to, int64_t to_pitch, const void *from, int64_t from_pitch, const void *end, int64_t lines,
	             const struct emu_run *runs, int count);
	/* the same, of elements of 32 bits that lie two apart */
	void (*copy_even)(void *to, int64_t to_pitch, const void *from, int64_t from_pitch, const void *end, int64_t lines,
	                  const struct emu_run *runs, int count);
	void (*copy_halves)(void *to, int64_t to_pitch, const void *from, int64_t from_pitch, const void *end,
	                    int64_t lines, const struct emu_run *runs, int count);
	/* to[k * to_pitch + i] = from[i * from_pitch + k] for i < lanes, k < count rounded up to lanes; words */
	void (*transpose)(void *to, int64_t to_pitch, const void *from, int64_t from_pitch, int64_t count);
	/* whether no word holds an infinity or a NaN */
	bool (*is_finite)(const void *words, int64_t count);
	/* adds to the tiles, or sets them when `fresh`; moves `ahead` on past the lines that it asked for */
	void (*multiply)(float *tiles, const void *a, const void *b, int64_t rows, int64_t columns, int depth, bool fresh,
	                 struct emu_gemm_ahead *ahead);
};

/* The numbers that a word of two BFLOAT16 holds exactly. */
static inline bool fits_pairs(const struct emu_array *array)
{
	return array->number == EMU_BF16 || array->number == EMU_HIF8;
}

extern const struct emu_gemm_vector emu_gemm_baseline;
extern const struct emu_gemm_vector emu_gemm_avx2;
extern const struct emu_gemm_vector emu_gemm_avx512;
extern const struct emu_gemm_vector emu_gemm_avx512_bf16;
extern const struct emu_gemm_vector emu_gemm_amx;

bool emu_gemm_can_run(const struct emu_gemm_vector *vector, const struct emu_conv_call *call);
uint64_t emu_gemm_scratch_bytes(const struct emu_gemm_vector *vector, const struct emu_conv_call *call);
void emu_gemm_run(const struct emu_gemm_vector *vector, const struct emu_conv_call *call, void *scratch);

#endif
