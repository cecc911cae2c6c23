/* How much work a problem is. */
#ifndef EMU_WORK_H
#define EMU_WORK_H

#include "kernels.h"

/* Whether waking threads brings more than it costs; in double, which no size overflows. */
static inline bool is_worth_threads(const struct emu_conv *conv)
{
	double products = (double)conv->batch * (double)conv->groups;

	products *= (double)conv->small_channels * (double)conv->big_channels;
	for (int axis = 0; axis < 3; axis++)
		products *= (double)conv->small[axis] * (double)conv->kernel[axis];
	return products >= 500000;
}

/* The threads that a call is cut for, at least one. */
static inline int threads_of(const struct emu_conv_call *call)
{
	return call->threads > 1 && is_worth_threads(&call->conv) ? call->threads : 1;
}

#endif
