/*
 * Convolution kernels: pointers, sizes and strides in, numbers out. They know nothing of tensors, statuses or rules.
 *
 * Every convolution is seen as two feature maps and a weight. The small map is what a forward convolution of the big
 * map with the weight produces, so that with x = position in the big map, o = position in the small one, k = tap:
 *
 *	x = o * stride - padding + k * dilation            (per axis; terms outside the big map are 0)
 *
 * Normal convolution: big = input, small = gradOutput. Transposed: big = gradOutput, small = input. The three
 * directions below are then all that any gradient needs. 1-D and 2-D problems have leading axes of 1. Axis order is
 * d, h, w.
 */
#ifndef EMU_KERNELS_H
#define EMU_KERNELS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The axes of the arrays: small [batch][groups * small_channels][small...], big [batch][groups * big_channels][big...],
 * weight [groups * small_channels][big_channels][kernel...]. Channel q of a map belongs to group q / channels.
 */
struct emu_conv {
	int64_t batch;
	int64_t groups;
	int64_t small_channels; /* per group */
	int64_t big_channels;   /* per group */
	int64_t small[3];
	int64_t big[3];
	int64_t kernel[3];
	int64_t stride[3];
	int64_t dilation[3];
	int64_t padding[3];     /* leading; the trailing one only shows in the sizes */
};

enum emu_direction {
	EMU_TO_SMALL,  /* small  = big  (*) weight   the forward convolution */
	EMU_TO_BIG,    /* big    = small (*) weight  its transpose */
	EMU_TO_WEIGHT, /* weight = small (*) big     summed over batch and positions */
	EMU_DIRECTIONS
};

enum emu_isa {
	EMU_ISA_BASELINE, /* what the compiler targets by default: NEON on AArch64 */
	EMU_ISA_AVX2,     /* with FMA and F16C */
	EMU_ISA_AVX512,   /* F, BW, DQ, VL */
	EMU_ISA_AVX512_BF16,
	EMU_ISA_AMX,      /* with products of BFLOAT16 */
	EMU_ISA_COUNT
};

/* The best instruction set of this processor. */
enum emu_isa emu_isa_detect(void);

/* "baseline" (whose own name is "neon" on AArch64), "avx2", "avx512", "avx512_bf16", "amx"; false for another name. */
bool emu_isa_from_name(const char *name, enum emu_isa *isa);
const char *emu_isa_name(enum emu_isa isa);

enum emu_number { /* a set of representable numbers; storage for the first four */
	EMU_F32,
	EMU_F16,
	EMU_BF16,
	EMU_HIF8,
	EMU_HF32_11,    /* FLOAT with 11 explicit mantissa bits (A2, A3) */
	EMU_HF32_10,    /* FLOAT with 10 (950) */
	EMU_F32_FINITE, /* FLOAT where whatever is too large becomes the largest number, and NaN 0 (310P, 910A) */
	EMU_F16_FINITE, /* the same of FLOAT16 */
	EMU_NUMBERS
};

/* "f32", "hif8": for messages. */
const char *emu_number_name(enum emu_number number);

/* Bytes of a stored element. */
static inline int emu_number_bytes(enum emu_number stored)
{
	return stored == EMU_F32 ? 4 : stored == EMU_HIF8 ? 1 : 2;
}

enum { EMU_VIEW_RANK = 5 };

struct emu_view {
	int rank;                       /* 1 to 5 */
	int64_t dims[EMU_VIEW_RANK];
	int64_t strides[EMU_VIEW_RANK]; /* in elements; any sign, 0 allowed when reading */
	enum emu_number stored;         /* EMU_F32, EMU_F16, EMU_BF16 or EMU_HIF8 */
};

/* One array as it lies in memory. */
struct emu_array {
	void *first;            /* element 0; NULL while the call is only planned */
	struct emu_view view;   /* its five axes as above */
	enum emu_number number; /* what elements are rounded to when read, and sums before they are stored */
};

/* One gradient: the array that the direction names is written, every element of it, as sums that start at 0. */
struct emu_conv_call {
	enum emu_direction direction;
	struct emu_conv conv;
	struct emu_array small;
	struct emu_array big;
	struct emu_array weight;
	enum emu_isa isa; /* at most this instruction set */
	int threads;      /* at most; their number never changes a bit of the result */
};

/*
 * Rewrites a call to one with the same result that is easier to compute: where the kernel covers the whole big map,
 * each of its elements becomes a channel, and the images become the positions of one.
 */
void emu_conv_fold(struct emu_conv_call *call);

struct emu_kernel {
	const char *name;
	enum emu_isa needs;
	bool (*can_run)(const struct emu_conv_call *call);
	/* bytes of scratch, 64-byte aligned by the caller; UINT64_MAX when they can't be counted */
	uint64_t (*scratch_bytes)(const struct emu_conv_call *call);
	void (*run)(const struct emu_conv_call *call, void *scratch);
};

/**
 * The first kernel of the table that fits.
 *
 * @param forced_name  takes only kernels of this name if one of them can run; NULL takes the best
 */
const struct emu_kernel *emu_kernel_choose(const struct emu_conv_call *call, const char *forced_name);

/* The table, for tests and for messages: returns the number of kernels, best first. */
int emu_kernel_table(const struct emu_kernel **kernels);

/* The array that the call writes. */
static inline const struct emu_array *emu_written(const struct emu_conv_call *call)
{
	return call->direction == EMU_TO_SMALL ? &call->small : call->direction == EMU_TO_BIG ? &call->big : &call->weight;
}

/* The elements of an array that is known to be dense floats. */
static inline float *emu_floats(const struct emu_array *array)
{
	return array->first;
}

/* ---- strided views: reading operands, writing results ---- */

/*
 * Numbers are rounded to nearest, ties to even (EMU_HIF8: away from zero); overflow gives infinity and NaN stays NaN
 * but for the FINITE ones. Here a view may have 1 to 5 axes.
 */

/* Writes the elements of an array, row-major and dense, each rounded to array->number. */
void emu_gather(float *dense, const struct emu_array *array, enum emu_isa isa, int threads);

/* The way back: rounds each value to array->number, then to the stored type; writes the elements of the view only. */
void emu_scatter(const struct emu_array *array, const float *dense, enum emu_isa isa, int threads);

/* Fills the elements of the view with +0. */
void emu_fill_zero(const struct emu_array *array, enum emu_isa isa, int threads);

/*
 * sums[c] = the sum of the array [batch][channels][spatial...] over all but axis 1, in FP32 or wider, rounded once to
 * FLOAT. The elements are rounded to array->number before.
 */
void emu_sum_channels(float *sums, const struct emu_array *array, enum emu_isa isa, int threads);

/* ---- the worker pool ---- */

/* One piece of work. Pieces are independent: which thread runs which is nobody's business but the pool's. */
typedef void (*emu_piece)(void *argument, int64_t piece, int worker);

/**
 * Runs pieces 0..count-1 on up to `threads` threads, the calling one included, and returns when all are done.
 *
 * Shared by all streams: while another call has the pool, the pieces run on the calling thread alone. Idle threads
 * sleep. `worker` is 0..threads-1, unique among the pieces that run at the same time: an index for scratch memory.
 * After fork() the child makes a fresh pool on first use.
 */
void emu_pool_run(int threads, int64_t count, emu_piece run, void *argument);

#endif
