/**
 * Statuses of the operator interface (aclnnStatus). The first digit tells whose side failed:
 * 1 the caller's arguments, 3 a call into the device runtime, 5 the operator library itself.
 */
#ifndef ACLNN_OPDEV_OP_ERRNO_H
#define ACLNN_OPDEV_OP_ERRNO_H

#include <stdint.h> /* the codes are of types that it has; and a file of macros alone is no C by the letter */

#define ACLNN_SUCCESS                               0

#define ACLNN_ERR_PARAM_NULLPTR                     161001 /**< a required argument is null */
#define ACLNN_ERR_PARAM_INVALID                     161002 /**< a value, type, format or shape is not accepted */

#define ACLNN_ERR_RUNTIME_ERROR                     361001 /**< a call into the device runtime failed */

#define ACLNN_ERR_INNER                             561000 /**< not specified further */
#define ACLNN_ERR_INNER_INFERSHAPE_ERROR            561001 /**< the output's shape could not be found */
#define ACLNN_ERR_INNER_TILING_ERROR                561002 /**< the work could not be cut into pieces */
#define ACLNN_ERR_INNER_FIND_KERNEL_ERROR           561003 /**< no kernel: package missing or of another version */
#define ACLNN_ERR_INNER_CREATE_EXECUTOR             561101 /**< the executor could not be made */
#define ACLNN_ERR_INNER_NOT_TRANS_EXECUTOR          561102 /**< phase one kept its executor to itself */
#define ACLNN_ERR_INNER_NULLPTR                     561103 /**< unexpected null, also of an executor */
#define ACLNN_ERR_INNER_WRONG_ATTR_INFO_SIZE        561104 /**< number of attributes */
#define ACLNN_ERR_INNER_KEY_CONFLICT                561105 /**< two kernels have the same key */
#define ACLNN_ERR_INNER_KEY_CONFILICT               561105 /**< old spelling */
#define ACLNN_ERR_INNER_INVALID_IMPL_MODE           561106 /**< implementation mode */
#define ACLNN_ERR_INNER_OPP_PATH_NOT_FOUND          561107 /**< ASCEND_OPP_PATH cannot be used */
#define ACLNN_ERR_INNER_LOAD_JSON_FAILED            561108 /**< a kernel's JSON file cannot be read */
#define ACLNN_ERR_INNER_JSON_VALUE_NOT_FOUND        561109 /**< it lacks a field */
#define ACLNN_ERR_INNER_JSON_FORMAT_INVALID         561110 /**< its `format` is wrong */
#define ACLNN_ERR_INNER_JSON_DTYPE_INVALID          561111 /**< its `dtype` is wrong */
#define ACLNN_ERR_INNER_OPP_KERNEL_PKG_NOT_FOUND    561112 /**< the package of kernels is not installed */
#define ACLNN_ERR_INNER_OP_FILE_INVALID             561113 /**< a kernel file, or a field in it, is wrong */
#define ACLNN_ERR_INNER_ATTR_NUM_OUT_OF_BOUND       561114 /**< number of attributes differs from the JSON file */
#define ACLNN_ERR_INNER_ATTR_LEN_NOT_ENOUGH         561115 /**< length of an attribute differs from the JSON file */
#define ACLNN_ERR_INNER_INPUT_NUM_IN_JSON_TOO_LARGE 561116 /**< more than 32 inputs */
#define ACLNN_ERR_INNER_INPUT_JSON_IS_NULL          561117 /**< the JSON file has no inputs */
#define ACLNN_ERR_INNER_STATIC_WORKSPACE_INVALID    561118 /**< workspace of a static kernel */
#define ACLNN_ERR_INNER_STATIC_BLOCK_DIM_INVALID    561119 /**< number of cores of a static kernel */

#endif
