/*
 * What the files of the thin kernel share.
 *
 * The big map is seen with its padding around it. A row of it is kept as `phases` rows, one for each remainder of the
 * stride: small position x then meets tap k in phase k * dilation % stride at x + k * dilation / stride, so all
 * positions of a row meet it in consecutive floats. A line is what one tap of one channel reads (or writes) that way.
 */
#ifndef EMU_THIN_TASK_H
#define EMU_THIN_TASK_H

#include "arithmetic.h"
#include "rows.h"
#include "thin.h"

/* A part of the padded big map, rows in phases; all in floats. */
struct emu_thin_padded {
	int64_t size[2]; /* depth and rows */
	int64_t phase;   /* from one phase of a row to the next */
	int64_t row;
	int64_t plane;
	int64_t channel;
};

struct emu_thin_task {
	const struct emu_thin_vector *vector;
	const struct emu_conv_call *call;
	const struct emu_rows *rows;
	int64_t lines;           /* taps * channels of the big map */
	int64_t phases;
	int64_t reach;           /* most that a tap adds to a small position */
	int64_t block;           /* small positions of a row that are taken at a time; TO_BIG: of a phase of the big row */
	int64_t blocks;
	int64_t pass;            /* rows of the small map that are loaded at a time */
	int64_t images;          /* TO_WEIGHT: of which all rows are */
	int64_t pitch;           /* from one of its channels to the next */
	struct emu_thin_padded padded;
	int64_t band, bands;     /* TO_BIG: rows that are written at a time */
	int64_t outputs;         /* small channels that are taken at a time */
	int64_t tile, tiles;     /* TO_WEIGHT: lines whose sums are kept together */
	int64_t factor_pitch;    /* of packed weights */
	int64_t spare_rows;      /* of them that are read, beyond the last one */
	uint64_t map_floats, weight_floats, packed_floats, offsets, private_floats;
	int64_t *line_offsets;   /* in the padded map */
	int64_t *row_offsets;    /* of channels of the small map */
	float *weights;          /* dense */
	float *packed;           /* weights as vector->sum wants them */
	float *map;
	float *private;
};

/* Where the padded map has the lines of a channel. */
void emu_thin_lines(const struct emu_thin_task *task, int64_t channel, int64_t *offsets, int64_t step);

/* The padded big map, dense floats in phases, zeros around. */
void emu_thin_load_map(const struct emu_thin_task *task, int threads);

/* Channels first..first+channels-1 of a group of the small map: `rows` rows from y, positions x..x+count-1 of each. */
void emu_thin_load_small(const struct emu_thin_task *task, float *to, int64_t image, int64_t group, int64_t first,
                         int64_t channels, const int64_t at[3], int64_t rows, int64_t count);

/* TO_BIG in pairs of BFLOAT16: the packed weights, of `rows` lines by group, and the sums as vector->sum makes them. */
void emu_thin_pack_pairs(const struct emu_thin_task *task);
void emu_thin_add_columns(const struct emu_thin_task *task, float *to, int64_t lines, const float *factors,
                          const float *from, int64_t channels, const struct emu_thin_part *part, float *memory);
uint64_t emu_thin_column_floats(const struct emu_thin_task *task);

/* A row of packed weights, of `rows`, of one chunk of the summed axis. */
float *emu_thin_packed(const struct emu_thin_task *task, int64_t group, int64_t chunk, int64_t rows, int64_t row);

/* An element. */
void *emu_thin_element(const struct emu_array *array, int64_t image, int64_t channel, int64_t z, int64_t y, int64_t x);

void emu_thin_run_small(struct emu_thin_task *task, int threads);
void emu_thin_run_big(struct emu_thin_task *task, int threads);
void emu_thin_run_weight(struct emu_thin_task *task, int threads);

#endif
