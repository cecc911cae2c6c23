/*
 * Which elements meet which: the positions a convolution writes, cut so that on each part every tap reads a regular
 * grid.
 *
 * Along an axis the written positions first, first + step, first + 2 step ... form a phase: all of them meet the same
 * taps, tap t at source position offset[t], offset[t] + source step, ... Where the small map (or the weight) is written
 * there is one phase; where the big map is written there is one for each remainder of the stride, and the source step
 * is 1.
 * Phases whose numbers of positions and offsets agree form a class: their sums differ in the weights alone.
 */
#ifndef EMU_GEOMETRY_H
#define EMU_GEOMETRY_H

#include "kernels.h"

struct emu_axis_phase {
	int64_t first;         /* written position */
	const int64_t *taps;   /* which taps, as many as the class says */
};

struct emu_axis_class {
	int64_t positions;
	int64_t taps;
	const int64_t *offsets;
	int64_t phases;
	const struct emu_axis_phase *phase;
};

struct emu_axis {
	int64_t source_size;
	int64_t source_step;
	int64_t written_size;
	int64_t written_step;
	int64_t classes;
	const struct emu_axis_class *class;
};

/* Bytes of tables of an axis; UINT64_MAX if they don't fit into 64 bits. */
uint64_t emu_axis_bytes(enum emu_direction direction, const struct emu_conv *conv, int axis);

/* Fills the tables; `memory` is aligned to 8 bytes. */
void emu_axis_build(struct emu_axis *tables, enum emu_direction direction, const struct emu_conv *conv, int axis,
                    void *memory);

/* A regular grid of positions, of all images, in a map of lines. */
struct emu_grid {
	int64_t positions[3];
	int64_t map[3];     /* size */
	int64_t step[2];    /* map positions from one grid position to the next, along z and y; along x it is 1 */
	int64_t image;      /* elements from one image to the next */
	int64_t line[2];    /* elements from one z and y of the map to the next */
	int64_t along;      /* elements from one x to the next */
	int64_t first;      /* element of map position 0 */
};

/* Consecutive positions whose elements are at one distance, `along`; inside = false: they lie outside the map. */
struct emu_run {
	int64_t source;
	int32_t at;
	int32_t count;
	bool inside;
};

/**
 * Where positions start..start+count-1 of a grid lie in a map.
 *
 * @param offset  map position of grid position 0; may lie outside
 * @param runs    room for `count` runs
 * @return        the number of runs
 */
int emu_grid_runs(const struct emu_grid *grid, const int64_t offset[3], int64_t start, int64_t count,
                  struct emu_run *runs);

#endif
