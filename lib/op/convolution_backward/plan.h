/*
 * What phase two will do: plain data, made in phase one from a checked problem, read by execute.c and by nothing else.
 * The plan holds no handle and no address; every byte of scratch is booked in the workspace.
 */
#ifndef EMU_PLAN_H
#define EMU_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/kernels.h"
#include "problem.h"
#include "validate.h"

/* A tensor of the call as phase two finds it: a view at some distance from the storage base. */
struct emu_plan_tensor {
	const char *name;
	struct emu_view view;
	int64_t first;      /* bytes from the storage base to element 0 of the view */
	int64_t lowest;     /* bytes from the storage base to the lowest byte of the view */
	uint64_t reach;     /* bytes from there to the end of its highest element */
	bool used;          /* read or written by the run */
};

/* One gradient that a convolution kernel computes; the addresses of the call are filled in when it runs. */
struct emu_plan_gradient {
	const struct emu_kernel *kernel; /* NULL: not asked for */
	struct emu_conv_call call;       /* the written array's number is what the device stores before the user's type */
};

struct emu_plan {
	enum emu_route route;
	bool transposed;           /* which of input and gradOutput is the small map of a call */
	enum emu_number operand;   /* what operands are rounded to before they are multiplied (section 6.3) */
	enum emu_isa isa;
	int threads;
	struct emu_plan_tensor tensors[EMU_OPERANDS];
	struct emu_plan_gradient grad_input;
	struct emu_plan_gradient grad_weight;
	enum emu_number bias_operand;
	enum emu_number bias_through;
	uint64_t sums_at;          /* gradBias before rounding */
	uint64_t scratch_at;       /* shared by the kernels, which run one after the other */
	uint64_t guard_at;         /* the last bytes: a pattern that must survive */
	uint64_t workspace_size;   /* 0 when nothing was booked */
};

enum { EMU_WORKSPACE_ALIGNMENT = 64, EMU_GUARD_BYTES = 32 };

/* Plans a problem that passed the checks, which is why this cannot fail. */
void emu_plan_make(struct emu_plan *plan, const struct emu_problem *problem, enum emu_route route);

/* One line without its end, written as by snprintf(): gives the length of the whole line. */
enum { EMU_PLAN_TEXT = 512 };
size_t emu_plan_text(const struct emu_plan *plan, char *text, size_t size);

/* Prints that line for ACLEMU_VERBOSE=plan. */
void emu_plan_print(const struct emu_plan *plan);

#endif
