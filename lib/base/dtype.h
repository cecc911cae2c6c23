/* Sizes and lists of data types (aclnn_base section 8.1). Their names are in tensor.h. */
#ifndef EMU_DTYPE_H
#define EMU_DTYPE_H

#include <stdbool.h>
#include <stdint.h>

#include "acl/acl_base.h"
#include "runtime/export.h"

/* Is it a number that aclDataType names? */
bool emu_dtype_is_known(aclDataType dtype);
bool emu_format_is_known(aclFormat format);

/* Bytes of `count` elements, packed types rounded up. False (nothing written) for an unknown type or on overflow. */
EMU_SHARED bool emu_dtype_bytes(uint64_t count, aclDataType dtype, uint64_t *bytes);

enum { EMU_DTYPES_TEXT = 512 };

/* "[DT_FLOAT16,DT_FLOAT,]", the way the device prints a list; "[]" for an empty one. */
EMU_SHARED const char *emu_dtypes_text(const aclDataType *dtypes, int count, char text[EMU_DTYPES_TEXT]);

#endif
