/* Walking strided views, shared by the conversions and the bias sums. */
#ifndef EMU_VIEW_H
#define EMU_VIEW_H

#include "kernels.h"

int64_t emu_view_elements(const struct emu_view *view);

/* dense[0..count) = the logical elements start.. of the array, row-major, rounded to array->number. */
void emu_view_load(float *dense, const struct emu_array *array, int64_t start, int64_t count, enum emu_isa isa);

/* Whether the elements are floats one after the other, row-major, and rounding them changes nothing. */
bool emu_is_dense_floats(const struct emu_array *array);

#endif
