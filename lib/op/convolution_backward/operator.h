/* The operator behind its exported functions: libopapi_nn.so and libopapi.so both export api.c, which calls these. */
#ifndef EMU_CONVOLUTION_BACKWARD_H
#define EMU_CONVOLUTION_BACKWARD_H

#include "aclnn/acl_meta.h"
#include "base/executor.h"
#include "problem.h"
#include "runtime/export.h"

EMU_SHARED extern const struct emu_operator emu_convolution_backward;

/* Phase one: checks, plan, executor. The out-pointers are written on success only. */
EMU_SHARED aclnnStatus emu_convolution_backward_prepare(const struct emu_request *request, uint64_t *workspace_size,
                                                        aclOpExecutor **executor);

#endif
