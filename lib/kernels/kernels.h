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
 * All arrays are dense, row-major: small [batch][groups * small_channels][small...],
 * big [batch][groups * big_channels][big...], weight [groups * small_channels][big_channels][kernel...].
 * Channel q of a map belongs to group q / channels.
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

/* The three arrays; the direction says which one is written. Every element of it is written, sums start at 0. */
struct emu_conv_data {
	float *small;
	float *big;
	float *weight;
};

enum emu_isa {
	EMU_ISA_BASELINE, /* what the compiler targets by default */
	EMU_ISA_AVX2,     /* with FMA and F16C */
	EMU_ISA_AVX512,   /* F, BW, DQ, VL */
	EMU_ISA_COUNT
};

/* The best instruction set of this processor. */
enum emu_isa emu_isa_detect(void);

/* "baseline", "avx2", "avx512"; returns false for another name. */
bool emu_isa_from_name(const char *name, enum emu_isa *isa);
const char *emu_isa_name(enum emu_isa isa);

struct emu_kernel {
	const char *name;
	enum emu_isa needs;
	bool (*can_run)(enum emu_direction direction, const struct emu_conv *conv);
	/* bytes of scratch, 64-byte aligned by the caller; may depend on the number of threads */
	uint64_t (*scratch_bytes)(enum emu_direction direction, const struct emu_conv *conv, int threads);
	/* the number of threads never changes a bit of the result */
	void (*run)(enum emu_direction direction, const struct emu_conv *conv, const struct emu_conv_data *data,
	            void *scratch, int threads);
};

/**
 * The first kernel of the table that fits.
 *
 * @param isa          at most this instruction set
 * @param forced_name  takes only kernels of this name if one of them can run; NULL takes the best
 */
const struct emu_kernel *emu_kernel_choose(enum emu_direction direction, const struct emu_conv *conv, enum emu_isa isa,
                                           const char *forced_name);

/* The table, for tests and for messages: returns the number of kernels, best first. */
int emu_kernel_table(const struct emu_kernel **kernels);

/* ---- strided views: reading operands, writing results ---- */

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

/*
 * Rounds to nearest, ties to even (EMU_HIF8: away from zero); overflow to infinity and NaN to NaN but for the FINITE
 * ones. The value as a float.
 */
float emu_round_to(float value, enum emu_number number);

/* Writes the elements of a view, row-major and dense, each rounded to `number`. `first` is element 0 of the view. */
void emu_gather(float *dense, const void *first, const struct emu_view *view, enum emu_number number, int threads);

/* The way back: rounds each value to `through`, then to the stored type; writes the elements of the view, no others. */
void emu_scatter(void *first, const struct emu_view *view, const float *dense, enum emu_number through, int threads);

/* Fills the elements of the view with +0. */
void emu_fill_zero(void *first, const struct emu_view *view);

/*
 * sums[c] = the sum of the view [batch][channels][spatial...] over all but axis 1, in FP32 or wider, rounded once to
 * FLOAT. The elements are rounded to `number` before.
 */
void emu_sum_channels(float *sums, const void *first, const struct emu_view *view, enum emu_number number, int threads);

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
