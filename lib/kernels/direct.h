/*
 * The kernel for few channels per group, where a matrix multiply would be mostly padding: what the driver (direct.c)
 * and the vector code (direct_vector.inc, built once per instruction set) share.
 */
#ifndef EMU_DIRECT_H
#define EMU_DIRECT_H

#include "kernels.h"

enum {
	EMU_DIRECT_OUTPUTS = 4, /* most that share what is loaded */
	EMU_DIRECT_BLOCK = 12   /* most taps whose sums are in registers */
};

/*
 * What an output adds at each position: from[offset + position] times a weight. A pair of outputs (neighbours of one
 * row) has a weight of its own for each; -1: that one doesn't use the tap.
 */
struct emu_direct_tap {
	int64_t offset;
	int64_t weight[2];
};

/* Of a pair: taps that only the first output uses, then those of both, then those of the second. */
struct emu_direct_list {
	struct emu_direct_tap *taps;
	int64_t both, second, end;
};

/*
 * Rows of a map and the planes that hold each phase of them: position i of a row is element i / phases of phase
 * i % phases, and rows are dealt out to phases of their own in the same way.
 */
struct emu_direct_rows {
	int64_t rows, phases, row_phases;
	int64_t map_pitch;               /* from row to row */
	int64_t pitch, plane, row_plane; /* from row to row of a phase, from phase to phase */
	int64_t head;                    /* cycles before position 0 */
	int64_t cycles;                  /* whole ones of the map */
	int64_t rest;                    /* positions behind them */
};

struct emu_direct_vector {
	int lanes;
	int products; /* vectors of sums that the registers hold when a weight is written */

	/* rows of a map to the planes of their phases, zeros before and behind; and rows back from there */
	void (*part)(const struct emu_direct_rows *rows, float *planes, const float *map);
	void (*join)(const struct emu_direct_rows *rows, float *map, const float *planes);
	/* to[output * pitch + i] = the sum over all taps of weights[weight[0] + output * step] * from[offset + i] */
	void (*sum)(float *to, int64_t pitch, const float *from, int64_t vectors, const struct emu_direct_list *list,
	            const float *weights, int64_t step, int outputs);
	/* the same of a pair of outputs, with weights[weight[output]] */
	void (*sum_pair)(float *to, int64_t pitch, const float *from, int64_t vectors, const struct emu_direct_list *list,
	                 const float *weights);
	/*
	 * sums[(offset * outputs + output) * lanes + i % lanes] += a[output * pitch + i] * b[offsets[offset] + i], for
	 * `block` offsets: an even number, with block * outputs <= products
	 */
	void (*correlate)(float *sums, const float *a, int64_t pitch, const float *b, const int64_t *offsets,
	                 int64_t vectors, int outputs, int block);
	/* totals[i] = the sum of sums[i * lanes] to sums[i * lanes + lanes - 1] */
	void (*total)(float *totals, const float *sums, int64_t count);
};

extern const struct emu_direct_vector emu_direct_baseline;
extern const struct emu_direct_vector emu_direct_avx2;
extern const struct emu_direct_vector emu_direct_avx512;

bool emu_direct_can_run(const struct emu_direct_vector *vector, const struct emu_conv_call *call);
uint64_t emu_direct_scratch_bytes(const struct emu_direct_vector *vector, const struct emu_conv_call *call);
void emu_direct_run(const struct emu_direct_vector *vector, const struct emu_conv_call *call, void *scratch);

#endif
