/*
 * What minimal filtering costs, to cut its blocks well and to run it only where it pays. The unit is about a cycle of a
 * core that multiplies two vectors in it; the numbers are fitted to measurements of AVX-512.
 */
#include "winograd_task.h"

enum {
	ROW = 30,          /* to load or store a row, but for its elements */
	STRIDED = 2,       /* an element of a row that is not dense, besides */
	RUN = 45,          /* of the plain kernel: to gather a row of all taps of one channel */
	PACK = 10,         /* to transform the taps of a pair of channels, beyond what packing them takes anyway */
	FINISH = 20,       /* to transform the sums of a pair of channels back to taps */
	FINISH_FAR = 30,   /* the same where all sums exceed the second level of cache */
	NEAR_FLOATS = 1 << 19
};

static double vectors(const struct emu_winograd_task *task, int64_t count)
{
	return (double)ceil_div(count, task->vector->lanes);
}

static double row_cost(const struct emu_winograd_task *task, int64_t elements)
{
	return ROW + (task->x.dilation > 1 ? STRIDED * (double)elements : 0);
}

static double pairs(const struct emu_winograd_task *task)
{
	return (double)task->inputs * (double)task->outputs * (double)task->depth_taps;
}

static double map_cost(const struct emu_winograd_task *task, int64_t layers, int64_t rows, int64_t width)
{
	int64_t tiles = layers * rows * width;
	double products = pairs(task) * vectors(task, tiles) * EMU_WINOGRAD_PRODUCTS / 2;
	double along_x = (double)(2 * rows + 2) * (row_cost(task, 2 * width) + 8 * vectors(task, width));
	double along_y = 5 + 28 * vectors(task, rows * width);
	double back = 5 + 40 * vectors(task, tiles) + (double)(2 * layers * rows) * row_cost(task, 2 * width);

	return products + (double)(task->inputs * (layers + task->span)) * (along_x + along_y) +
	       (double)task->outputs * back;
}

static double weight_cost(const struct emu_winograd_task *task, int64_t layers, int64_t rows, int64_t width)
{
	double tiles = (double)(layers * rows * width), lanes = (double)task->vector->lanes;
	double products = pairs(task) * tiles * EMU_WINOGRAD_PRODUCTS / (2 * lanes);
	double sums = 3 * pairs(task) * EMU_WINOGRAD_PRODUCTS / lanes;
	double channels = (double)(task->inputs * (layers + task->span) + task->outputs * layers);
	double copies = (double)(2 * rows) * (row_cost(task, 2 * width) + 6 * vectors(task, 2 * width));

	return products + sums + channels * (copies + (double)(rows * width) * 40 / lanes);
}

double emu_winograd_block_cost(const struct emu_winograd_task *task, int64_t layers, int64_t rows, int64_t width)
{
	return task->call->direction == EMU_TO_WEIGHT ? weight_cost(task, layers, rows, width)
	                                              : map_cost(task, layers, rows, width);
}

static double cost(const struct emu_winograd_task *task)
{
	double fixed = PACK;

	if (task->call->direction == EMU_TO_WEIGHT)
		fixed = pairs(task) * EMU_WINOGRAD_PRODUCTS > NEAR_FLOATS ? FINISH_FAR : FINISH;
	return (double)task->blocks * emu_winograd_block_cost(task, task->cut, task->y.cut, task->x.cut) +
	       fixed * pairs(task);
}

/* The same for a multiplication of gathered elements, which reaches two thirds of what a core can do. */
static double plain_cost(const struct emu_winograd_task *task)
{
	double rows = (double)task->images * (double)task->layers * (double)task->y.written;
	double products = pairs(task) * rows * (double)task->x.written * EMU_WINOGRAD_TAPS * EMU_WINOGRAD_TAPS /
	                  (double)(2 * task->vector->lanes);

	return 1.3 * products + (double)(task->inputs + task->outputs) * rows * RUN;
}

bool emu_winograd_pays(const struct emu_winograd_task *task)
{
	return cost(task) < plain_cost(task);
}
