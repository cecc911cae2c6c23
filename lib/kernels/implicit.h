/*
 * The implicit kernel: products of BFLOAT16 straight out of a padded copy of a map. The copy has the channels of a
 * position next to each other and zeros around each row, so that a tap reads all positions at one distance, and nothing
 * is gathered for it. A cell is a position of 16 words: pairs of channels, or, where positions are what is summed over
 * (writing the weight), channels with their next position.
 */
#ifndef EMU_IMPLICIT_H
#define EMU_IMPLICIT_H

#include "gemm.h"

enum {
	EMU_IMPLICIT_WORDS = 16,                         /* of a cell */
	EMU_IMPLICIT_CELL = EMU_IMPLICIT_WORDS * 4,      /* bytes of them */
	EMU_IMPLICIT_OUTPUTS = 16,                       /* channels that are summed at a time */
	EMU_IMPLICIT_TILE = EMU_IMPLICIT_OUTPUTS * EMU_IMPLICIT_CELL, /* bytes of weights: one tap, some inputs */
	EMU_IMPLICIT_UNIT = 32                           /* positions are summed in multiples of it */
};

/* Where a tap reads, and its weights: bytes. Taps of one remainder, and of every second cell of that, are together. */
struct emu_implicit_tap {
	int64_t cells;
	int64_t tile;
	int64_t together;
};

/* What a sum adds up: for each block of inputs each tap. */
struct emu_implicit_sum {
	const char *cells;   /* what position 0 would read at a distance of 0 */
	const char *tiles;   /* [block][tap of the kernel] */
	const struct emu_implicit_tap *tap;
	int64_t taps;
	int64_t blocks;      /* of inputs */
	int64_t block_cells; /* bytes from one block to the next */
	int64_t block_tiles;
};

/*
 * Products of the small map and the big one, shifted by a tap, summed over positions: squares of 16 channels of the
 * small map and 16 of the big one, [block of big channels][block of small ones][tap].
 */
struct emu_implicit_product {
	const char *cells;       /* what the first position would read at a distance of 0 */
	int64_t block_cells;     /* bytes from one block of big channels to the next */
	int64_t big_blocks;
	const struct emu_implicit_tap *tap;
	int64_t taps;
	const char *tiles;       /* of the small map: 16 channels, 32 positions */
	int64_t block_tiles;     /* bytes from one block of small channels to the next */
	int64_t small_blocks;
	int64_t steps;           /* of 32 positions */
	bool fresh;              /* sets the sums, else adds to them */
};

struct emu_implicit_vector {
	const struct emu_gemm_vector *pairs;
	/* sums of 16 channels at `positions` (a multiple of 32) positions: rows of floats, `pitch` apart, or of BFLOAT16 */
	void (*sum)(float *rows, int64_t pitch, const struct emu_implicit_sum *sum, int64_t positions);
	void (*sum_halves)(uint16_t *rows, int64_t pitch, const struct emu_implicit_sum *sum, int64_t positions);
	/* to[i * step] = from[i] for some rows, to_pitch bytes apart there; step 1 or 2 */
	void (*store_halves)(void *to, int64_t to_pitch, int64_t step, const uint16_t *from, int64_t from_pitch,
	                     int64_t rows, int64_t count);
	/*
	 * The tiles of `taps` taps, up to 16 outputs and up to 32 inputs, zeros for those that are missing. The taps of
	 * an output and an input follow each other; outputs and inputs are `of_output` and `of_input` BFLOAT16 apart.
	 */
	void (*pack)(uint32_t *tiles, const uint16_t *weights, int64_t taps, int64_t outputs, int64_t of_output,
	             int64_t inputs, int64_t of_input);
	void (*add)(float *sums, const struct emu_implicit_product *product);
};

extern const struct emu_implicit_vector emu_implicit_amx;

bool emu_implicit_can_run(const struct emu_implicit_vector *vector, const struct emu_conv_call *call);
uint64_t emu_implicit_scratch_bytes(const struct emu_implicit_vector *vector, const struct emu_conv_call *call);
void emu_implicit_run(const struct emu_implicit_vector *vector, const struct emu_conv_call *call, void *scratch);

#endif
