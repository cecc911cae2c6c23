/* The chips by name: socs.def. Which of them is in force is for soc_choice.c to say. */
#ifndef EMU_SOC_H
#define EMU_SOC_H

#include <stdbool.h>
#include <stdint.h>

#include "export.h"

/* One row of socs.def: the facts of a chip that the runtime reports. */
struct emu_soc {
	const char *name;          /* "Ascend910B3" */
	int architecture;          /* 2201, 3510, 2002, 1001: the operators key their product table on it */
	int cube_cores;
	int vector_cores;
	int ai_cpus;
	uint64_t l2_bytes;
	uint64_t memory_bytes;
};

/*
 * The chip that the calling thread's calls are for: its own choice, else the process's, else that of ACLEMU_SOC.
 * NULL when that variable names no supported chip and nobody chose another. Lives as long as the process.
 */
EMU_SHARED const struct emu_soc *emu_soc(void);

/* The facts of a chip, for good; NULL when the name is unknown or names an unsupported chip (Ascend310B...). */
const struct emu_soc *emu_soc_find(const char *name);

/* Does the name belong to a chip that exists, but is not emulated? */
bool emu_soc_is_unsupported(const char *name);

/* The known names that are closest to an unknown one: "Ascend910A or Ascend910B". */
enum { EMU_SOC_NAMES = 512 };
const char *emu_soc_nearest(const char *name, char text[EMU_SOC_NAMES]);

#endif
