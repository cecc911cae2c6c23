/* The definition of the three directions: any problem, no scratch. */
#ifndef EMU_REFERENCE_H
#define EMU_REFERENCE_H

#include "kernels.h"

bool emu_reference_can_run(const struct emu_conv_call *call);
uint64_t emu_reference_scratch_bytes(const struct emu_conv_call *call);
void emu_reference_run(const struct emu_conv_call *call, void *scratch);

#endif
