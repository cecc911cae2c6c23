/*
 * What the files of the direct kernel share.
 *
 * One map is walked: the one that is written or, writing the weight, the small one. The other one is the source. Along
 * an axis the positions of both are cut into cycles, so that whatever is walked at one phase of a cycle meets taps at
 * the same distance in the source, cycle by cycle: with stride 2 a cycle is one position of the small map and two of
 * the big one.
 *
 * A tile of the source is copied to a buffer, each phase of rows and columns into a plane of its own, zeros where the
 * map ends. Then a tap is a constant distance in the buffer, and all positions of one phase of the walked tile are one
 * line that runs on from row to row; what falls between the rows is dropped.
 */
#ifndef EMU_DIRECT_TASK_H
#define EMU_DIRECT_TASK_H

#include "arithmetic.h"
#include "direct.h"
#include "rows.h"

enum { LINE_BYTES = 64 /* of a line of cache */ };

/* The array that is walked or the source, its channels per group. */
struct emu_direct_map {
	const struct emu_array *array;
	int64_t channels;
	int64_t weight_step; /* of a channel, in the dense weight */
	int64_t size[3];
};

struct emu_direct_axis {
	int64_t walked; /* positions of a cycle */
	int64_t source;
	int64_t cycles;
	int64_t least, most; /* cycles from a walked position to the source positions that it meets */
	int64_t tile;        /* most cycles of a tile */
};

/* Sizes within the buffers, in floats. */
struct emu_direct_buffer {
	int64_t pitch;
	int64_t source_plane; /* of one phase */
	int64_t source_rows;  /* of one phase of rows: the planes of its phases of columns */
	int64_t source_depth; /* of one position of the depth axis */
	int64_t source_channel;
	int64_t walked_plane; /* the same of what is walked */
	int64_t walked_rows;
	int64_t walked_channel;
	int64_t source;
	int64_t walked;
	int64_t lines; /* a few rows of a map, in any case one of each phase */
	int64_t sums;
	int64_t totals;
};

struct emu_direct_task {
	const struct emu_direct_vector *vector;
	const struct emu_conv_call *call;
	const struct emu_rows *rows;
	struct emu_direct_map walked, source;
	struct emu_direct_axis axis[3];
	struct emu_direct_buffer buffer;
	bool paired;                   /* two neighbours of a row are summed together */
	int block;                     /* taps whose sums are kept together, writing the weight */
	int64_t row_tiles, column_tiles;
	struct emu_direct_list *lists; /* for each phase (or pair of phases) that is walked */
	int64_t *offsets;              /* of the taps, writing the weight: whole blocks */
	float *weights;                /* dense */
	char *private;
	uint64_t private_bytes;
};

/* A part of the walked positions, in cycles. */
struct emu_direct_tile {
	int64_t image, group;
	int64_t depth; /* a position, not a cycle */
	int64_t row, rows;
	int64_t column, columns;
};

/* One phase of what is walked. */
struct emu_direct_phase {
	int64_t at[3];
};

/* The positions of a tile where a tap meets the source map. */
struct emu_direct_inside {
	int64_t row_begin, row_end;
	int64_t column_begin, column_end;
};

/* What a worker has for itself. */
struct emu_direct_memory {
	float *source;
	float *walked;
	float *lines;
	float *sums;     /* writing the weight: vectors of sums of each list entry */
	double *totals;  /* and of each weight of a group */
};

struct emu_direct_memory emu_direct_memory(const struct emu_direct_task *task, int worker);

/* The source position that a tap meets from a phase of cycle 0; false if no cycle meets any. */
bool emu_direct_meets(const struct emu_direct_task *task, int axis, int64_t phase, int64_t tap, int64_t *position);

struct emu_direct_tile emu_direct_tile(const struct emu_direct_task *task, int64_t index);
int64_t emu_direct_tiles(const struct emu_direct_task *task); /* of an image */

/* Positions of the line of a tile. */
int64_t emu_direct_line(const struct emu_direct_task *task, const struct emu_direct_tile *tile);

/*
 * Memory that is wanted soon, asked for step by step while something else is computed: between the tiles the
 * prefetchers of the processor lose their way.
 */
struct emu_direct_ahead {
	const char *at;
	int64_t bytes, step;
};

/* The rows of a tile in a map, to be asked for in a number of steps; none if the tile lies behind the last image. */
struct emu_direct_ahead emu_direct_ahead(const struct emu_direct_task *task, const struct emu_direct_map *map,
                                         int64_t rows_of_cycle, const struct emu_direct_tile *tile, int64_t steps);

static inline void emu_direct_ask(struct emu_direct_ahead *ahead)
{
	for (int64_t i = 0; i < ahead->step && ahead->bytes > 0; i += LINE_BYTES) {
		__builtin_prefetch(ahead->at);
		ahead->at += LINE_BYTES;
		ahead->bytes -= LINE_BYTES;
	}
}

void emu_direct_load_source(const struct emu_direct_task *task, const struct emu_direct_tile *tile,
                            const struct emu_direct_memory *memory);
void emu_direct_load_walked(const struct emu_direct_task *task, const struct emu_direct_tile *tile, int64_t first,
                            int64_t channels, const struct emu_direct_memory *memory);
/* Stores a channel, which lies in `planes`. */
void emu_direct_store_walked(const struct emu_direct_task *task, const struct emu_direct_tile *tile, int64_t channel,
                             const float *planes, float *lines);

struct emu_direct_inside emu_direct_inside(const struct emu_direct_task *task, const struct emu_direct_tile *tile,
                                           const struct emu_direct_phase *phase, int64_t weight);

/* How many lists there are, and how many taps they have together at most. */
int64_t emu_direct_lists_of(const struct emu_direct_task *task);
int64_t emu_direct_taps_of(const struct emu_direct_task *task);
void emu_direct_make_lists(struct emu_direct_task *task, struct emu_direct_tap *taps);
/* Writing the weight: the offsets of the one list that there is then. */
void emu_direct_make_offsets(struct emu_direct_task *task);

/* The list of a phase; of a pair, that of the first. */
struct emu_direct_list *emu_direct_list(const struct emu_direct_task *task, const struct emu_direct_phase *phase);

void emu_direct_run_map(const struct emu_direct_task *task, int threads);
void emu_direct_run_weight(const struct emu_direct_task *task, int threads);

#endif
