/*
 * Every ACLEMU_... environment variable, read once, at the first use of any library. An unknown variable or value
 * prints one warning that names the nearest valid one. The table is in docs/configuration.md.
 */
#ifndef EMU_CONFIG_H
#define EMU_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "export.h"
#include "soc.h"

enum { EMU_MAX_DEVICES = 16 };

/* Versions as numbers that compare. */
#define EMU_CANN_VERSION(major, minor) (1000 * (major) + (minor))

struct emu_config {
	const struct emu_soc *soc;  /* ACLEMU_SOC, NULL when it names no supported chip. Ask emu_soc() instead */
	int cann_version;           /* ACLEMU_CANN_VERSION, default EMU_CANN_VERSION(9, 1) */
	bool streams_in_place;      /* ACLEMU_STREAM=sync */
	bool memory_shared;         /* ACLEMU_DEVICE_MEMORY=shared */
	uint64_t memory_bytes;      /* ACLEMU_MEMORY_GB; 0: the chip's */
	int devices;                /* ACLEMU_DEVICES, default 1 */
	int threads;                /* ACLEMU_THREADS, default all cores of the affinity mask */
	const char *kernel;         /* ACLEMU_KERNEL: forces a kernel by name; NULL */
	const char *isa;            /* ACLEMU_ISA: forces an instruction set; NULL */
	bool limits;                /* ACLEMU_LIMITS=device (true, default) or off */
	bool overflow_as_device;    /* ACLEMU_OVERFLOW=device: products without infinities saturate; default ieee */
	bool workspace_zero;        /* ACLEMU_WORKSPACE=zero: phase one answers 0, scratch is allocated inside */
	bool verbose_problem;       /* ACLEMU_VERBOSE=problem[,plan][,memory] */
	bool verbose_plan;
	bool verbose_memory;
};

EMU_SHARED const struct emu_config *emu_config(void);

#endif
