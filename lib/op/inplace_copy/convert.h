/* Element types that are numbers, and their conversion through one wide representation. */
#ifndef EMU_COPY_CONVERT_H
#define EMU_COPY_CONVERT_H

#include <stdint.h>

#include "acl/acl_base.h"

/* What holds every value of a type exactly. */
enum emu_copy_class { EMU_COPY_SIGNED, EMU_COPY_UNSIGNED, EMU_COPY_REAL };

union emu_copy_number {
	int64_t i;
	uint64_t u;
	double d;
};

struct emu_copy_type {
	aclDataType dtype;
	enum emu_copy_class class; /* of what load() gives */
	/* `stride` in bytes; the elements may lie at any address */
	void (*load)(union emu_copy_number *numbers, const char *from, int64_t stride, int64_t count);
	void (*store)(char *to, int64_t stride, const union emu_copy_number *numbers, enum emu_copy_class class,
	              int64_t count);
};

/* NULL for what is no real number. */
const struct emu_copy_type *emu_copy_type(aclDataType dtype);

#endif
