/* What phase one accepts. */
#ifndef EMU_COPY_CHECK_H
#define EMU_COPY_CHECK_H

#include "base/tensor.h"

/* One tensor of a call: its numbers, and its cell when it is alive. */
struct emu_copy_argument {
	const char *name;
	const void *handle;
	struct emu_tensor_numbers numbers;
	struct emu_cell *cell; /* NULL for a null or dead handle */
};

/* The first and the last element that a view reaches, as distances from its base in elements. */
struct emu_copy_reach {
	int64_t lowest;
	int64_t highest;
};

/* Of a view that passed the checks and is not empty. */
struct emu_copy_reach emu_copy_reach(const struct emu_tensor_numbers *numbers);

/* 0 if one of the sizes is. */
int64_t emu_copy_elements(const struct emu_tensor_numbers *numbers);

/* The rules of rules.def in their order; the first broken one decides. */
aclnnStatus emu_copy_check(const struct emu_copy_argument *self, const struct emu_copy_argument *src);

#endif
