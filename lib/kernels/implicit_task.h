/* One run of the implicit kernel: what its driver (implicit.c) and its parts share. */
#ifndef EMU_IMPLICIT_TASK_H
#define EMU_IMPLICIT_TASK_H

#include "gemm_task.h"
#include "implicit.h"

/*
 * An axis of the padded copy. Zeros behind a row are those before the next one as well. With a stride where the map is
 * read, each remainder of the positions is a map of its own.
 */
struct emu_implicit_axis {
	int64_t step;          /* of the convolution, where it reads the map */
	int64_t least, most;   /* positions of the copy that a tap adds */
	int64_t positions;     /* written ones, of the largest phase */
	int64_t data;          /* positions of the copy that hold the map */
	int64_t pitch;         /* positions from one row to the next */
};

/* The cells of the copy: [group][block of inputs][remainder in z, y, x][image][z][y][x]. */
struct emu_implicit_copy {
	struct emu_implicit_axis axis[3];
	int64_t blocks;    /* of inputs, per group */
	int64_t lead;      /* cells before the first position */
	int64_t remainders;
	int64_t remainder; /* cells from one remainder to the next */
	int64_t block;     /* cells from one block to the next */
	char *cells;
};

/* Stretches of written positions that are summed, halo and all: so many, each so long. */
struct emu_implicit_slabs {
	int axis;          /* positions along it and behind it belong to one slab; -1: images too */
	int64_t count;
	int64_t length;
};

struct emu_implicit_task {
	const struct emu_implicit_vector *vector;
	struct emu_gemm_task gemm;  /* the class at work */
	struct emu_implicit_copy copy;
	struct emu_implicit_slabs slabs;
	int64_t block;              /* positions of a piece */
	int64_t blocks;             /* of a slab */
	int64_t panels;             /* of 16 outputs, of all phases of the class */
	int64_t part;               /* panels of a piece */
	int64_t big_part;           /* writing the weight: blocks of big channels of a piece; panels are of small ones */
	struct emu_implicit_tap *taps; /* by phase and tap of the class */
	uint16_t *weights;          /* a dense copy, where they do not lie that way */
	char *tiles;                /* the weights as they are multiplied: [group][panel][block][tap] */
	char *private;              /* rows of sums, one part per worker */
	uint64_t private_bytes;
};

/* Consecutive positions of one row of the copy. */
struct emu_implicit_part {
	int64_t image;
	int64_t at[3];
	int64_t count;
};

/* Cells from one image of the copy to the next. */
static inline int64_t emu_implicit_image(const struct emu_implicit_copy *copy)
{
	return copy->axis[0].pitch * copy->axis[1].pitch * copy->axis[2].pitch;
}

/* The part that begins at a position of the copy, counted from its first one, and has at most `most` of them. */
static inline struct emu_implicit_part emu_implicit_part(const struct emu_implicit_copy *copy, int64_t position,
                                                         int64_t most)
{
	const int64_t pitch[3] = {copy->axis[0].pitch, copy->axis[1].pitch, copy->axis[2].pitch};
	struct emu_implicit_part part = {.image = position / volume(pitch)};

	split(position % volume(pitch), pitch, part.at);
	part.count = least(pitch[2] - part.at[2], most);
	return part;
}

/* Positions from one row of sums to the next: rows a power of two apart would share their cache sets. */
static inline int64_t emu_implicit_pitch(int64_t block)
{
	return (ceil_div(block, EMU_IMPLICIT_UNIT) | 1) * EMU_IMPLICIT_UNIT;
}

/* Makes the copy. Writing the weight, finds what is infinite there. */
void emu_implicit_fill(struct emu_implicit_task *task, int threads);

/* Where the taps of the class at work read. */
void emu_implicit_find_taps(struct emu_implicit_task *task);

/* Stretches that leave out what lies between slices, or images; or all in one, where that is mostly the last unit. */
struct emu_implicit_slabs emu_implicit_slabs(const struct emu_implicit_copy *copy, int64_t images,
                                             const int64_t positions[3]);

/* Where a slab begins in the copy. */
int64_t emu_implicit_slab_start(const struct emu_implicit_task *task, int64_t index);

/* The weights as tiles, and bytes of the copy in between. */
void emu_implicit_pack(struct emu_implicit_task *task, int threads);
uint64_t emu_implicit_weight_bytes(const struct emu_conv_call *call);

/* How the class at work is cut. */
void emu_implicit_cut(struct emu_implicit_task *task, int threads);

/* Writes the class at work. The argument is the task. */
void emu_implicit_run_class(void *argument, int threads);
void emu_implicit_run_weight(void *argument, int threads);

/* Writing the weight: bytes of the small map in tiles, and of the sums of a worker. */
uint64_t emu_implicit_small_bytes(const struct emu_implicit_task *task);
uint64_t emu_implicit_sum_bytes(const struct emu_implicit_task *task);

#endif
