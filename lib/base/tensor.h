/* What an operator sees of an aclTensor: a copy of its numbers and a share of the cell that holds its address. */
#ifndef EMU_TENSOR_H
#define EMU_TENSOR_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "acl/acl_base.h"
#include "aclnn/acl_meta.h"
#include "runtime/export.h"

enum { EMU_MAX_RANK = 25 }; /* the base layer's capacity; operators accept far less */

/*
 * The storage base address of a tensor, shared by the tensor and the executors planned with it, so that
 * aclSet...TensorAddr() reaches an executor and a destroyed tensor costs it nothing.
 */
struct emu_cell {
	atomic_uint references;
	_Atomic(void *) address;
};

EMU_SHARED void emu_cell_retain(struct emu_cell *cell);
EMU_SHARED void emu_cell_release(struct emu_cell *cell); /* NULL is fine */

struct emu_tensor_numbers {
	int rank;
	int64_t dims[EMU_MAX_RANK];
	int64_t strides[EMU_MAX_RANK];  /* in elements */
	int64_t offset;                 /* in elements, from the storage base */
	aclDataType dtype;              /* as given, unknown numbers included */
	aclFormat format;
	int storage_rank;
	int64_t storage_dims[EMU_MAX_RANK];
	int strides_count;              /* = rank, unless aclInitTensor() was given strides and no shape */
};

/**
 * Copies a live tensor's numbers and takes a reference on its cell.
 *
 * @return false when `tensor` is null or no live aclTensor (nothing written)
 */
EMU_SHARED bool emu_tensor_snapshot(const aclTensor *tensor, struct emu_tensor_numbers *numbers,
                                    struct emu_cell **cell);

/* "DT_FLOAT16"; "DT_UNDEFINED" for an unknown number. */
EMU_SHARED const char *emu_dtype_name(aclDataType dtype);

/* "NCHW"; "UNDEFINED" for an unknown number. */
EMU_SHARED const char *emu_format_name(aclFormat format);

enum { EMU_DIMS_TEXT = 256 };

/* "[2, 2, 7, 7]", cut with "..." when it does not fit. */
EMU_SHARED const char *emu_dims_text(const int64_t *dims, uint64_t count, char text[EMU_DIMS_TEXT]);

#endif
