/* One run of the matrix multiply: what its driver (gemm.c) and its two forms (gemm_map.c, gemm_weight.c) share. */
#ifndef EMU_GEMM_TASK_H
#define EMU_GEMM_TASK_H

#include "gemm.h"

enum { EMU_GEMM_RUNS = 256 /* at least the depth and the columns of any instruction set */ };

/* How C is cut: blocks of rows x columns. */
struct emu_gemm_blocks {
	int64_t rows, columns;            /* of C */
	int64_t block_rows, block_columns;
	int64_t row_blocks, column_blocks;
};

struct emu_gemm_task {
	const struct emu_gemm_vector *vector;
	enum emu_direction direction;
	const struct emu_conv *conv;
	const struct emu_conv_data *data;
	struct emu_axis axes[3];
	const struct emu_axis_class *class[3]; /* the phases at work */
	struct emu_gemm_blocks blocks;
	struct emu_grid grid;                  /* of the gathered map */
	int64_t taps;                          /* of the class */
	int64_t depth;                         /* all of K */
	int64_t chunks;
	float *shared;                         /* the operand packed once */
	int64_t shared_chunk;                  /* floats of one chunk of one group */
	char *private;                         /* one part per worker */
	uint64_t private_bytes;
};

/* Cuts C for pieces of work, by its shape alone. */
struct emu_gemm_blocks emu_gemm_cut(const struct emu_gemm_vector *vector, int64_t rows, int64_t columns, int64_t groups,
                                    bool is_weight);

/* The tap of the class with an index, by axis: a place in the list of each axis. */
void emu_gemm_tap(const struct emu_gemm_task *task, int64_t index, int64_t at[3]);

/* Where one tap of the class reads positions start..start+count-1. */
int emu_gemm_tap_runs(const struct emu_gemm_task *task, int64_t tap, int64_t start, int64_t count,
                      struct emu_run *runs);

/* The worker's own memory: what it gathers at its beginning, the tiles of its block at its end. */
float *emu_gemm_gathered(const struct emu_gemm_task *task, int worker);
float *emu_gemm_tiles(const struct emu_gemm_task *task, int worker);

void emu_gemm_run_map(struct emu_gemm_task *task, int threads);
void emu_gemm_run_weight(struct emu_gemm_task *task, int threads);

static inline int64_t volume(const int64_t size[3])
{
	return size[0] * size[1] * size[2];
}

static inline int64_t ceil_div(int64_t value, int64_t unit)
{
	return value / unit + (value % unit != 0);
}

static inline int64_t round_up(int64_t value, int64_t unit)
{
	return ceil_div(value, unit) * unit;
}

static inline int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static inline int64_t outputs(const struct emu_gemm_task *task)
{
	return task->direction == EMU_TO_SMALL ? task->conv->small_channels : task->conv->big_channels;
}

static inline int64_t inputs(const struct emu_gemm_task *task)
{
	return task->direction == EMU_TO_SMALL ? task->conv->big_channels : task->conv->small_channels;
}

static inline void split(int64_t index, const int64_t size[3], int64_t at[3])
{
	at[2] = index % size[2];
	at[1] = index / size[2] % size[1];
	at[0] = index / size[2] / size[1];
}

#endif
