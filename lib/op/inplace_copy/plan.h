/* What phase two does: plain data. */
#ifndef EMU_COPY_PLAN_H
#define EMU_COPY_PLAN_H

#include <stddef.h>

#include "check.h"
#include "convert.h"

enum { EMU_COPY_RANK = 8 }; /* as many dimensions as the device's operators take */

enum emu_copy_side { EMU_COPY_TO, EMU_COPY_FROM, EMU_COPY_SIDES };

/* One of the two tensors; all numbers are bytes. */
struct emu_copy_view {
	const char *name;
	const struct emu_copy_type *type; /* NULL for a type whose elements are copied as they are */
	aclDataType dtype;
	int64_t strides[EMU_COPY_RANK];
	int64_t first;                    /* element 0, from the base */
	int64_t lowest;                   /* the lowest byte, from the base */
	uint64_t reach;                   /* bytes from there on that the view touches */
};

/* Dimensions that lie behind each other in both tensors are one; an empty tensor has one dimension of 0. */
struct emu_copy_plan {
	int rank;                         /* at least 1 */
	int64_t dims[EMU_COPY_RANK];
	int64_t element;                  /* bytes, when both types are the same; else 0 */
	struct emu_copy_view sides[EMU_COPY_SIDES];
};

/* Of arguments that passed the checks. */
void emu_copy_plan_make(struct emu_copy_plan *plan, const struct emu_copy_argument *self,
                        const struct emu_copy_argument *src);

/* One line of items key=value, written as by snprintf(). */
size_t emu_copy_plan_text(const struct emu_copy_plan *plan, char *text, size_t size);

#endif
