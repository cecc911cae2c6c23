/* A tensor as an argument of the base's own functions: looked up, or refused with a status and a sentence. */
#ifndef EMU_TENSOR_ARGUMENT_H
#define EMU_TENSOR_ARGUMENT_H

#include "base/tensor.h"

/* Copies the numbers. Returns 0; 161001 for null, 161002 for no live tensor, each with a record. */
aclnnStatus emu_tensor_read(const char *function, const aclTensor *tensor, struct emu_tensor_numbers *numbers);

/* Takes a reference on the cell. Returns 0; `null_status` for null, 161002 for no live tensor, each with a record. */
aclnnStatus emu_tensor_cell_acquire(const char *function, const char *argument, const aclTensor *tensor,
                                    aclnnStatus null_status, struct emu_cell **cell);

#endif
