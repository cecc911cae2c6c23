/* The operator behind its exported functions: libopapi_math.so and libopapi.so both export api.c, which calls these. */
#ifndef EMU_INPLACE_COPY_H
#define EMU_INPLACE_COPY_H

#include "aclnn/acl_meta.h"
#include "base/executor.h"
#include "runtime/export.h"

EMU_SHARED extern const struct emu_operator emu_inplace_copy;

/* Phase one: checks, plan, executor. The out-pointers are written on success only. */
EMU_SHARED aclnnStatus emu_inplace_copy_prepare(aclTensor *self, const aclTensor *src, uint64_t *workspace_size,
                                                aclOpExecutor **executor);

#endif
