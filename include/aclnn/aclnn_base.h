/**
 * The operator interface: everything of acl_meta.h, and initialisation.
 *
 * Every function may be called by any thread at any time.
 */
#ifndef ACLNN_ACLNN_BASE_H
#define ACLNN_ACLNN_BASE_H

#include "acl_meta.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Initialises the operator libraries. This or aclInit() is enough; both, in any order, and again are fine. Thread-safe.
 *
 * @param[in] configPath  path of a JSON file; null, "" or a missing file: no configuration; read during the call only
 * @retval ACLNN_SUCCESS  0: always; a file that is no JSON is ignored
 */
ACL_FUNC_VISIBILITY aclnnStatus aclnnInit(const char *configPath);

/**
 * Ends the use of the operator libraries. Objects stay alive; calling it any number of times is fine. Thread-safe.
 *
 * @retval ACLNN_SUCCESS  0: always
 */
ACL_FUNC_VISIBILITY aclnnStatus aclnnFinalize(void);

/**
 * Chooses statically compiled kernels anew. There are none here, so nothing changes. Thread-safe.
 *
 * @retval ACLNN_SUCCESS  0: always
 */
ACL_FUNC_VISIBILITY aclnnStatus aclnnReselectStaticKernel(void);

/**
 * As aclnnReselectStaticKernel(), with kernels from a given folder. Thread-safe.
 *
 * @param[in] path  an existing path; only read during the call
 * @retval ACLNN_SUCCESS            0: done
 * @retval ACLNN_ERR_PARAM_NULLPTR  161001: `path` is null
 * @retval ACLNN_ERR_PARAM_INVALID  161002: `path` is empty or does not exist
 */
ACL_FUNC_VISIBILITY aclnnStatus aclnnReselectStaticKernelWithPath(const char *path);

#ifdef __cplusplus
}
#endif

#endif
