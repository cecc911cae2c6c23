/* The definition of the three directions: any problem, no scratch. */
#ifndef EMU_REFERENCE_H
#define EMU_REFERENCE_H

#include "kernels.h"

bool emu_reference_can_run(enum emu_direction direction, const struct emu_conv *conv);
uint64_t emu_reference_scratch_bytes(enum emu_direction direction, const struct emu_conv *conv, int threads);
void emu_reference_run(enum emu_direction direction, const struct emu_conv *conv, const struct emu_conv_data *data,
                       void *scratch, int threads);

#endif
