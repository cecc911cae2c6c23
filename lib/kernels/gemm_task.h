/* One run of the matrix multiply: what its driver (gemm.c) and its parts (gemm_planes.c, _pack.c ...) share. */
#ifndef EMU_GEMM_TASK_H
#define EMU_GEMM_TASK_H

#include <stdatomic.h>
#include <string.h>

#include "arithmetic.h"
#include "gemm.h"
#include "rows.h"

enum {
	EMU_GEMM_RUNS = 1024, /* at least the elements of a line of any instruction set, and a few */
	EMU_GEMM_SLACK = 64   /* bytes behind every buffer that copy may leave something in */
};

/*
 * A map as lines along x: where it lies, or a copy in the scratch. A tap of a stride reads neighbours in a copy, which
 * has the elements of each remainder together, and elements that lie apart where the map lies.
 */
struct emu_planes {
	const struct emu_array *array;
	bool small;        /* which map of the call */
	int element;       /* bytes: 4, or 2 for single BFLOAT16 */
	bool channel_pairs; /* words of two neighbouring channels */
	bool copied;
	int64_t stride[3]; /* of the convolution, where it reads this map; else 1 */
	const void *first;
	const void *end;
	int64_t channels;  /* per group, in words */
	int64_t image, channel, line[2]; /* elements from one image, channel, z and y to the next */
	int64_t remainder; /* elements from one remainder of x to the next */
	int64_t along;     /* elements between those that a tap reads: 1 or 2 */
};

/* How C is cut: blocks of rows x columns. */
struct emu_gemm_blocks {
	int64_t rows, columns;            /* of C */
	int64_t block_rows, block_columns;
	int64_t row_blocks, column_blocks;
};

struct emu_gemm_task {
	const struct emu_gemm_vector *vector;
	const struct emu_rows *row_code;
	const struct emu_conv_call *call;
	struct emu_axis axes[3];
	const struct emu_axis_class *class[3]; /* the phases at work */
	struct emu_gemm_blocks blocks;
	int threads;                           /* that take pieces */
	struct emu_planes gathered;            /* the map whose taps are gathered */
	struct emu_planes packed;              /* writing the weight: the small map */
	int64_t positions[3];                  /* of the class */
	int64_t taps;                          /* of the class */
	int64_t depth;                         /* all of K, in elements that copy moves */
	int64_t chunk;                         /* elements of K that one call of multiply sums up */
	int64_t chunks;
	char *shared;                          /* the operand packed once */
	int64_t shared_chunk;                  /* words of one chunk of one group */
	int32_t *places;                       /* writing a map: where each tap of the kernel lies in the class */
	char *private;                         /* one part per worker */
	uint64_t private_bytes;
	bool zeros_meet_products;              /* some tap reads outside its map */
	atomic_bool found_infinite;            /* in the operand that is not gathered */
};

/* The block of one piece. */
struct emu_gemm_block {
	int64_t group;
	int64_t row, rows;
	int64_t column, columns;
};

/* Cuts C for pieces of work. */
struct emu_gemm_blocks emu_gemm_cut(const struct emu_gemm_task *task, int64_t rows, int64_t columns, int threads);

int64_t emu_gemm_pieces(const struct emu_gemm_task *task);
struct emu_gemm_block emu_gemm_block(const struct emu_gemm_task *task, int64_t piece);

/* The size of even blocks of at most `most`, each a multiple of `unit`. */
int64_t emu_gemm_even_block(int64_t extent, int64_t unit, int64_t most);

/*
 * The block, and the element of the depth, that the thread of a piece will gather after one of its chunks: of the same
 * block, else of the one it is likely to take next. False if nothing follows.
 */
bool emu_gemm_coming(const struct emu_gemm_task *task, int64_t piece, int64_t chunk, struct emu_gemm_block *block,
                     int64_t *first);

/* Cuts the depth of the task evenly into chunks of at most `most`, multiples of `unit`. */
void emu_gemm_cut_depth(struct emu_gemm_task *task, int64_t most, int64_t unit);

/* The tap of the class with an index, by axis: a place in the list of each axis. */
void emu_gemm_tap(const struct emu_gemm_task *task, int64_t index, int64_t at[3]);

/* The phase of the class with an index, by axis. */
void emu_gemm_phase(const struct emu_gemm_task *task, int64_t index, const struct emu_axis_phase *phase[3]);

/* Where one tap of the class reads positions start..start+count-1 of the gathered map. */
int emu_gemm_tap_runs(const struct emu_gemm_task *task, int64_t tap, int64_t start, int64_t count,
                      struct emu_run *runs);

/* The worker's own memory: what it gathers at its beginning, the tiles of its block at its end. */
void *emu_gemm_gathered(const struct emu_gemm_task *task, int worker);
float *emu_gemm_tiles(const struct emu_gemm_task *task, int worker);

/* What tells which elements meet which: the axes, and room for places. */
uint64_t emu_gemm_table_bytes(const struct emu_conv_call *call);
void emu_gemm_build_tables(struct emu_gemm_task *task, void *memory);

/* Writing a map, class after class of the written positions: clears those that meet nothing, runs the others. */
void emu_gemm_run_classes(struct emu_gemm_task *task, void (*run)(void *argument, int threads), void *argument,
                          int threads);

/* Packs the weights of the class. */
void emu_gemm_pack(struct emu_gemm_task *task, int threads);

/* Elements of a weight at even steps: where the first lies, from the first of the array. */
struct emu_weight_run {
	int64_t offset, stride, count;
};

/* The run that begins with element `first` of [channels of the big map][taps] of one small channel, `most` at most. */
struct emu_weight_run emu_gemm_weight_run(const struct emu_view *weight, int64_t small, int64_t first, int64_t most);

/* Stores elements begin..begin+count-1 of [channels][taps] of the weight of one small channel. */
void emu_gemm_store_weights(const struct emu_gemm_task *task, const float *from, int64_t small, int64_t begin,
                            int64_t count);

/* Copies `lines` lines, of channels that follow each other, with zeros up to where multiply goes on. */
void emu_gemm_copy_rows(const struct emu_gemm_task *task, void *to, int64_t to_pitch, const struct emu_planes *planes,
                        int64_t channel, int64_t lines, struct emu_run *runs, int made, int64_t count);

/* Packs piece [group][chunk] of B: positions of the packed map, whose position 0 lies at `offset`, transposed. */
void emu_gemm_pack_map(struct emu_gemm_task *task, int64_t piece, const int64_t positions[3], const int64_t offset[3],
                       int64_t first, int64_t count, int worker);

/* Boxes that positions are cut into, where taps lie beside the map so often that it pays; else 0. */
int64_t emu_gemm_boxes(const struct emu_conv_call *call);
uint64_t emu_gemm_boxes_private_bytes(const struct emu_gemm_vector *vector, const struct emu_conv *conv);
void emu_gemm_run_boxes(struct emu_gemm_task *task, int threads);

void emu_gemm_run_map(struct emu_gemm_task *task, int threads);
void emu_gemm_run_weight(struct emu_gemm_task *task, int threads);

/* Describes the lines of a map; the copy, if there is one, takes emu_planes_bytes() of scratch. */
void emu_planes_describe(struct emu_planes *planes, const struct emu_conv_call *call, bool small, bool pairs,
                         bool channel_pairs);
uint64_t emu_planes_bytes(const struct emu_planes *planes);
void emu_planes_fill(struct emu_planes *planes, const struct emu_gemm_task *task, void *memory, int threads);

/* The runs of positions start.. of a map whose tap has an offset, in elements from channel 0 of image 0. */
int emu_planes_runs(const struct emu_planes *planes, const int64_t positions[3], const int64_t offset[3], int64_t start,
                    int64_t count, struct emu_run *runs);

/* Copies runs of words of some lines, of channels that follow each other. */
static inline void emu_planes_copy(const struct emu_planes *planes, const struct emu_gemm_vector *vector, void *to,
                                   int64_t to_pitch, const void *from, int64_t lines, const struct emu_run *runs,
                                   int count)
{
	(planes->along == 2 ? vector->copy_even : vector->copy)(to, to_pitch, from, planes->channel, planes->end, lines,
	                                                        runs, count);
}

/* Nothing to ask for: no line behind one that is there. */
static inline struct emu_gemm_ahead emu_planes_nothing(const struct emu_planes *planes)
{
	return (struct emu_gemm_ahead){.at = planes->first};
}

/* The first run of some channels, from `channel` of all groups on. */
static inline struct emu_gemm_ahead emu_planes_ahead(const struct emu_planes *planes, int64_t channel,
                                                     const struct emu_run *run, int64_t lines)
{
	struct emu_gemm_ahead ahead = emu_planes_nothing(planes);

	if (!run->inside)
		return ahead;
	ahead.at += (channel * planes->channel + run->source) * planes->element;
	ahead.pitch = planes->channel * planes->element;
	ahead.bytes = (int64_t)run->count * planes->along * planes->element;
	ahead.lines = lines;
	return ahead;
}

/* Elements of a word of operands whose words are along positions. */
static inline int64_t emu_gemm_per_word(const struct emu_gemm_task *task)
{
	return task->vector->pairs ? 2 : 1;
}

/* Words that multiply takes for a number of these elements. */
static inline int64_t emu_gemm_words(const struct emu_gemm_task *task, int64_t count)
{
	return round_up(ceil_div(count, emu_gemm_per_word(task)), task->vector->unit);
}

static inline int64_t outputs(const struct emu_gemm_task *task)
{
	const struct emu_conv *conv = &task->call->conv;

	return task->call->direction == EMU_TO_SMALL ? conv->small_channels : conv->big_channels;
}

static inline int64_t inputs(const struct emu_gemm_task *task)
{
	const struct emu_conv *conv = &task->call->conv;

	return task->call->direction == EMU_TO_SMALL ? conv->big_channels : conv->small_channels;
}

static inline int64_t emu_gemm_phases(const struct emu_gemm_task *task)
{
	return task->class[0]->phases * task->class[1]->phases * task->class[2]->phases;
}

static inline int64_t emu_gemm_padded_rows(const struct emu_gemm_task *task)
{
	return round_up(task->blocks.rows, task->vector->rows);
}

#endif
