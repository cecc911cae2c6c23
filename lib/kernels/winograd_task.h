/* One run of minimal filtering: what its driver (winograd.c), its blocks and its two forms (map, weight) share. */
#ifndef EMU_WINOGRAD_TASK_H
#define EMU_WINOGRAD_TASK_H

#include <stdatomic.h>

#include "arithmetic.h"
#include "rows.h"
#include "winograd.h"

/*
 * Outputs along y or x. A dilation splits an axis into as many interleaved ones (residues), each a problem of its own
 * without dilation; their tiles of two outputs are cut into strips.
 */
struct emu_winograd_axis {
	int64_t source, written; /* sizes */
	int64_t dilation;
	int64_t padding;
	int64_t cut;             /* most tiles of a strip */
	int64_t strips;
};

struct emu_winograd_strip {
	int64_t residue;
	int64_t tile;       /* first of them in the residue */
	int64_t tiles;
	int64_t first;      /* position of output 0; the next is a dilation further */
	int64_t outputs;
	int64_t source;     /* position of source element 0 of 2 * tiles + 2; may lie outside */
	int64_t begin, end; /* the elements inside the map */
};

/* Tiles that are transformed together: a strip of each of some consecutive layers. */
struct emu_winograd_block {
	struct emu_winograd_strip y, x;
	int64_t image;  /* of layer 0 */
	int64_t layer;  /* first */
	int64_t layers;
	int64_t tiles;  /* of a layer */
};

/*
 * A map copied so that a channel is in each lane: [lanes of channels][layer][y][x][lane]. Along y and x the elements
 * lie by residue, as many of each as the tiles of the longest one take, with zeros where the map has none.
 */
struct emu_winograd_copy {
	const struct emu_array *array;
	bool is_source;
	int64_t channels, depth;  /* of a group, and of an image */
	int64_t rows, columns;    /* of a residue */
	int64_t line, layer;      /* floats from one to the next */
	int64_t lane_groups;      /* of a group */
	int64_t layers;
	float *floats;
};

struct emu_winograd_task {
	const struct emu_winograd_vector *vector;
	const struct emu_conv_call *call;
	const struct emu_rows *rows;
	const struct emu_array *source;  /* the map in squares of 4x4 */
	const struct emu_array *squares; /* the map in squares of 2x2: written, or read when the weight is written */
	int64_t inputs, outputs;         /* channels of a group: of these maps */
	struct emu_winograd_axis y, x;
	/*
	 * A layer is one position in depth of one image. Taps in depth read layers of the same image, `span` away; without
	 * them the layers of all images are in one row.
	 */
	int64_t depth_taps, depth_dilation, depth_padding, span;
	int64_t source_depth, squares_depth;
	int64_t images, layers;
	int64_t cut;          /* most layers of a block */
	int64_t layer_blocks; /* of an image */
	int64_t blocks;
	int64_t tiles;        /* most of a block */
	int64_t pitch;        /* of transformed source, from one channel to the next */
	int64_t row_pitch;    /* of rows that are transformed along x */

	float *shared;        /* writing a map: the transformed taps of the whole weight, or the transformed source */
	int64_t section;      /* of them: one product, one tap in depth, one panel */
	float *sums;          /* writing the weight: products summed over tiles */
	struct emu_winograd_copy source_copy, squares_copy;
	char *private;        /* one part per worker */
	uint64_t private_bytes;
	int64_t parts, part;  /* of the outputs of a group, for threads: their number and size */
	atomic_bool spoilt;   /* a result is no finite number */
};

/* A call that can be run, cut into blocks. */
void emu_winograd_plan(struct emu_winograd_task *task, const struct emu_winograd_vector *vector,
                       const struct emu_conv_call *call);

int64_t emu_winograd_most_tiles(const struct emu_winograd_axis *axis);
struct emu_winograd_strip emu_winograd_strip(const struct emu_winograd_axis *axis, int64_t index);
struct emu_winograd_block emu_winograd_block(const struct emu_winograd_task *task, int64_t index);

/* An estimate of the work of a block, and whether the whole is less than without minimal filtering. */
double emu_winograd_block_cost(const struct emu_winograd_task *task, int64_t layers, int64_t rows, int64_t width);
bool emu_winograd_pays(const struct emu_winograd_task *task);

/* Where layer `layer` of a block lies in the map of 2x2 squares. */
void emu_winograd_layer(const struct emu_winograd_task *task, const struct emu_winograd_block *block, int64_t layer,
                        int64_t *image, int64_t *depth);

/* Floats of memory that transforming a channel takes. */
int64_t emu_winograd_source_floats(const struct emu_winograd_task *task);
void emu_winograd_clear_source(const struct emu_winograd_task *task, float *memory);

/* Transforms the source of one channel: to[product * product_pitch + layer * tiles of a layer + tile]. */
void emu_winograd_source(const struct emu_winograd_task *task, const struct emu_winograd_block *block, int64_t channel,
                         float *to, int64_t product_pitch, float *memory);

uint64_t emu_winograd_shared_floats(const struct emu_winograd_task *task);
uint64_t emu_winograd_map_floats(const struct emu_winograd_task *task);
void emu_winograd_run_map(struct emu_winograd_task *task, int threads);

/* Copies of maps: their floats, and those that a worker takes to make one. */
int64_t emu_winograd_copy_floats(const struct emu_winograd_task *task, const struct emu_winograd_copy *copy);
int64_t emu_winograd_lines_floats(const struct emu_winograd_task *task);
struct emu_winograd_copy emu_winograd_copy(const struct emu_winograd_task *task, bool is_source);
void emu_winograd_fill_copies(struct emu_winograd_task *task, int threads);

/* The small channels whose sums a worker adds up at a time. */
int64_t emu_winograd_part(const struct emu_winograd_task *task);
uint64_t emu_winograd_sums_floats(const struct emu_winograd_task *task);
uint64_t emu_winograd_weight_floats(const struct emu_winograd_task *task);
void emu_winograd_run_weight(struct emu_winograd_task *task, int threads);

#endif
