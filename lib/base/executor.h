/*
 * The executor: what phase one leaves for phase two. It owns the operator's plan; phase two, the same for every
 * operator, is emu_executor_launch(). Life cycle and statuses: aclnn_base section 7.
 */
#ifndef EMU_EXECUTOR_H
#define EMU_EXECUTOR_H

#include <stddef.h>
#include <stdint.h>

#include "acl/acl_base.h"
#include "aclnn/acl_meta.h"
#include "base/tensor.h"
#include "runtime/export.h"

enum { EMU_MAX_OPERANDS = 8 };

/* What phase two gives to a run. Addresses are storage bases, read from the cells when phase two was called. */
struct emu_launch {
	void *addresses[EMU_MAX_OPERANDS];
	void *workspace;
	uint64_t workspace_size;
};

struct emu_operator {
	const char *name; /* "aclnnConvolutionBackward" */
	/*
	 * Runs a plan on a stream's thread, on several at once when the executor is repeatable.
	 * Returns 0 or the aclError for the next synchronise, explained by emu_error_add().
	 */
	aclError (*run)(const void *plan, const struct emu_launch *launch);
	void (*destroy_plan)(void *plan);
	/* The plan as one line of items key=value, written as by snprintf(): gives the length of the whole line. */
	size_t (*describe)(const void *plan, char *text, size_t size);
};

/**
 * Makes an executor. Takes over `plan` on success and takes a reference on every cell.
 *
 * @param cells  one per operand in the operator's order; NULL where the operand is absent
 * @return the handle, or NULL when no memory or no handle is left (the plan stays the caller's)
 */
EMU_SHARED aclOpExecutor *emu_executor_create(const struct emu_operator *op, void *plan,
                                              struct emu_cell *const *cells, int cell_count);

/* Phase two of every operator. */
EMU_SHARED aclnnStatus emu_executor_launch(const struct emu_operator *op, void *workspace, uint64_t workspace_size,
                                           aclOpExecutor *executor, aclrtStream stream);

#endif
