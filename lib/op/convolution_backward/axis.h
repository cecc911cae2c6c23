/* One spatial axis of a problem in the terms of the shape equation, computed exactly whatever the values. */
#ifndef EMU_AXIS_H
#define EMU_AXIS_H

#include <stdint.h>

#include "problem.h"

/* Holds the sum of a few products of two 64-bit numbers. */
__extension__ typedef __int128 emu_wide;

struct emu_axis {
	char letter;  /* 'D', 'H' or 'W' */
	int64_t big;  /* of the map that the kernel slides over */
	int64_t small;
	int64_t kernel;
	int64_t stride;
	int64_t dilation;
	int64_t leading;
	int64_t trailing;
};

/* Axis 0 to rank of input - 3. A dimension that gradOutput or weight does not have is 0. The lengths were checked. */
void emu_axis_read(const struct emu_problem *problem, int axis, struct emu_axis *numbers);

/* What the dilated kernel leaves of the padded big map; negative when it does not fit. */
emu_wide emu_axis_room(const struct emu_axis *axis);

/* The size of the small map that fits the equation, 0 when the kernel does not fit. */
emu_wide emu_axis_small(const struct emu_axis *axis);

/* The nearest 64-bit number, for messages. */
int64_t emu_narrow(emu_wide value);

#endif
