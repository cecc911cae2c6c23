/* What the environment forces upon the kernels, as far as it can be. */
#ifndef EMU_IN_FORCE_H
#define EMU_IN_FORCE_H

#include "kernels/kernels.h"

/* The highest instruction set that kernels may use. The first call warns of names that do not exist. */
enum emu_isa emu_isa_in_force(void);

#endif
