/* Walking strided views, shared by the conversions and the bias sums. */
#ifndef EMU_VIEW_H
#define EMU_VIEW_H

#include "kernels.h"

int64_t emu_view_elements(const struct emu_view *view);

/* dense[0..count) = the logical elements start.. of the view, row-major, as floats. */
void emu_view_load(float *dense, const void *first, const struct emu_view *view, int64_t start, int64_t count);

/* Rounds in place. */
void emu_round_all(float *values, int64_t count, enum emu_number number);

#endif
