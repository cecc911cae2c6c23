/**
 * Status codes of the graph engine: unsigned numbers, unlike all others. No function of these libraries returns one;
 * they are here for programs that name them.
 */
#ifndef ACL_ERROR_CODES_GE_ERROR_CODES_H
#define ACL_ERROR_CODES_GE_ERROR_CODES_H

#include <stdint.h> /* the codes are of types that it has; and a file of macros alone is no C by the letter */

/* ---- 145xxx: the caller's mistake ---- */

#define ACL_ERROR_GE_PARAM_INVALID                145000U
#define ACL_ERROR_GE_EXEC_NOT_INIT                145001U
#define ACL_ERROR_GE_EXEC_MODEL_PATH_INVALID      145002U
#define ACL_ERROR_GE_EXEC_MODEL_ID_INVALID        145003U
#define ACL_ERROR_GE_EXEC_MODEL_DATA_SIZE_INVALID 145006U
#define ACL_ERROR_GE_EXEC_MODEL_ADDR_INVALID      145007U
#define ACL_ERROR_GE_EXEC_MODEL_QUEUE_ID_INVALID  145008U
#define ACL_ERROR_GE_EXEC_LOAD_MODEL_REPEATED     145009U
#define ACL_ERROR_GE_DYNAMIC_INPUT_ADDR_INVALID   145011U
#define ACL_ERROR_GE_DYNAMIC_INPUT_LENGTH_INVALID 145012U
#define ACL_ERROR_GE_DYNAMIC_BATCH_SIZE_INVALID   145013U
#define ACL_ERROR_GE_AIPP_BATCH_EMPTY             145014U
#define ACL_ERROR_GE_AIPP_NOT_EXIST               145015U
#define ACL_ERROR_GE_AIPP_MODE_INVALID            145016U
#define ACL_ERROR_GE_OP_TASK_TYPE_INVALID         145017U
#define ACL_ERROR_GE_OP_KERNEL_TYPE_INVALID       145018U
#define ACL_ERROR_GE_PLGMGR_PATH_INVALID          145019U
#define ACL_ERROR_GE_FORMAT_INVALID               145020U
#define ACL_ERROR_GE_SHAPE_INVALID                145021U
#define ACL_ERROR_GE_DATATYPE_INVALID             145022U

/* ---- 245xxx: a resource is missing ---- */

#define ACL_ERROR_GE_MEMORY_ALLOCATION            245000U
#define ACL_ERROR_GE_MEMORY_OPERATE_FAILED        245001U
#define ACL_ERROR_GE_DEVICE_MEMORY_OPERATE_FAILED 245002U

/* ---- 345xxx: the data or the system is not in order ---- */

#define ACL_ERROR_GE_SUBHEALTHY           345102U
#define ACL_ERROR_GE_USER_RAISE_EXCEPTION 345103U
#define ACL_ERROR_GE_DATA_NOT_ALIGNED     345104U

/* ---- 545xxx: the graph engine failed ---- */

#define ACL_ERROR_GE_INTERNAL_ERROR                    545000U
#define ACL_ERROR_GE_LOAD_MODEL                        545001U
#define ACL_ERROR_GE_EXEC_LOAD_MODEL_PARTITION_FAILED  545002U
#define ACL_ERROR_GE_EXEC_LOAD_WEIGHT_PARTITION_FAILED 545003U
#define ACL_ERROR_GE_EXEC_LOAD_TASK_PARTITION_FAILED   545004U
#define ACL_ERROR_GE_EXEC_LOAD_KERNEL_PARTITION_FAILED 545005U
#define ACL_ERROR_GE_EXEC_RELEASE_MODEL_DATA           545006U
#define ACL_ERROR_GE_COMMAND_HANDLE                    545007U
#define ACL_ERROR_GE_GET_TENSOR_INFO                   545008U
#define ACL_ERROR_GE_UNLOAD_MODEL                      545009U
#define ACL_ERROR_GE_MODEL_EXECUTE_TIMEOUT             545601U
#define ACL_ERROR_GE_REDEPLOYING                       545602U

#endif
