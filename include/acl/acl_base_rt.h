/**
 * Base types of the device runtime: element types, tensor formats, handles, the status codes of the outer layer, and a
 * few small helpers that need neither initialisation nor a device.
 *
 * Every function may be called by any thread at any time.
 */
#ifndef ACL_ACL_BASE_RT_H
#define ACL_ACL_BASE_RT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Marks a function that the libraries export. */
#ifndef ACL_FUNC_VISIBILITY
#define ACL_FUNC_VISIBILITY __attribute__((visibility("default")))
#endif

/** Marks what is kept for old programs only, and names what replaces it. */
#ifndef ACL_DEPRECATED_MESSAGE
#define ACL_DEPRECATED_MESSAGE(message) __attribute__((deprecated(message)))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Handles and scalars ---- */

/** Status of a call into the runtime: 0, or one of the ACL_ERROR_... codes. */
typedef int aclError;

/** An IEEE binary16 number, as its bits. */
typedef uint16_t aclFloat16;

/** A queue of work on a device. Null stands for the default stream of the current context. */
typedef void *aclrtStream;

/** A point in a stream. */
typedef void *aclrtEvent;

/** What a thread works in: a device, its default stream and the streams made in it. */
typedef void *aclrtContext;

/** A pointer and a size in one object; made by aclCreateDataBuffer(). */
typedef struct aclDataBuffer aclDataBuffer;

/* ---- Status codes of the outer layer; error_codes/rt_error_codes.h has those of the runtime ---- */

#define ACL_SUCCESS    0
#define ACL_ERROR_NONE 0

/* 100xxx: the caller's mistake, or a step out of order. */
#define ACL_ERROR_INVALID_PARAM                   100000 /**< null pointer, zero size, unknown enumerator */
#define ACL_ERROR_UNINITIALIZE                    100001 /**< never returned: initialisation is not enforced */
#define ACL_ERROR_REPEAT_INITIALIZE               100002 /**< aclInit() again: harmless, the call was counted */
#define ACL_ERROR_INVALID_FILE                    100003 /**< configuration or version file missing or unreadable */
#define ACL_ERROR_WRITE_FILE                      100004
#define ACL_ERROR_INVALID_FILE_SIZE               100005
#define ACL_ERROR_PARSE_FILE                      100006 /**< configuration is not valid JSON */
#define ACL_ERROR_FILE_MISSING_ATTR               100007
#define ACL_ERROR_FILE_ATTR_INVALID               100008
#define ACL_ERROR_INVALID_DUMP_CONFIG             100009
#define ACL_ERROR_INVALID_PROFILING_CONFIG        100010
#define ACL_ERROR_INVALID_MODEL_ID                100011
#define ACL_ERROR_DESERIALIZE_MODEL               100012
#define ACL_ERROR_PARSE_MODEL                     100013
#define ACL_ERROR_READ_MODEL_FAILURE              100014
#define ACL_ERROR_MODEL_SIZE_INVALID              100015
#define ACL_ERROR_MODEL_MISSING_ATTR              100016
#define ACL_ERROR_MODEL_INPUT_NOT_MATCH           100017
#define ACL_ERROR_MODEL_OUTPUT_NOT_MATCH          100018
#define ACL_ERROR_MODEL_NOT_DYNAMIC               100019
#define ACL_ERROR_OP_TYPE_NOT_MATCH               100020
#define ACL_ERROR_OP_INPUT_NOT_MATCH              100021
#define ACL_ERROR_OP_OUTPUT_NOT_MATCH             100022
#define ACL_ERROR_OP_ATTR_NOT_MATCH               100023
#define ACL_ERROR_OP_NOT_FOUND                    100024
#define ACL_ERROR_OP_LOAD_FAILED                  100025
#define ACL_ERROR_UNSUPPORTED_DATA_TYPE           100026
#define ACL_ERROR_FORMAT_NOT_MATCH                100027
#define ACL_ERROR_BIN_SELECTOR_NOT_REGISTERED     100028
#define ACL_ERROR_KERNEL_NOT_FOUND                100029
#define ACL_ERROR_BIN_SELECTOR_ALREADY_REGISTERED 100030
#define ACL_ERROR_KERNEL_ALREADY_REGISTERED       100031
#define ACL_ERROR_INVALID_QUEUE_ID                100032
#define ACL_ERROR_REPEAT_SUBSCRIBE                100033
#define ACL_ERROR_STREAM_NOT_SUBSCRIBE            100034
#define ACL_ERROR_THREAD_NOT_SUBSCRIBE            100035
#define ACL_ERROR_WAIT_CALLBACK_TIMEOUT           100036
#define ACL_ERROR_REPEAT_FINALIZE                 100037 /**< finalize without a live initialisation */
#define ACL_ERROR_NOT_STATIC_AIPP                 100038
#define ACL_ERROR_COMPILING_STUB_MODE             100039
#define ACL_ERROR_GROUP_NOT_SET                   100040
#define ACL_ERROR_GROUP_NOT_CREATE                100041
#define ACL_ERROR_PROF_ALREADY_RUN                100042
#define ACL_ERROR_PROF_NOT_RUN                    100043
#define ACL_ERROR_DUMP_ALREADY_RUN                100044
#define ACL_ERROR_DUMP_NOT_RUN                    100045

/* 148xxx: the same, added later. */
#define ACL_ERROR_PROF_REPEAT_SUBSCRIBE          148046
#define ACL_ERROR_PROF_API_CONFLICT              148047
#define ACL_ERROR_INVALID_MAX_OPQUEUE_NUM_CONFIG 148048
#define ACL_ERROR_INVALID_OPP_PATH               148049
#define ACL_ERROR_OP_UNSUPPORTED_DYNAMIC         148050
#define ACL_ERROR_RELATIVE_RESOURCE_NOT_CLEARED  148051
#define ACL_ERROR_UNSUPPORTED_JPEG               148052
#define ACL_ERROR_INVALID_BUNDLE_MODEL_ID        148053

/* 200xxx: a resource or a capability is missing. */
#define ACL_ERROR_BAD_ALLOC                200000
#define ACL_ERROR_API_NOT_SUPPORT          200001
#define ACL_ERROR_INVALID_DEVICE           200002
#define ACL_ERROR_MEMORY_ADDRESS_UNALIGNED 200003
#define ACL_ERROR_RESOURCE_NOT_MATCH       200004
#define ACL_ERROR_INVALID_RESOURCE_HANDLE  200005
#define ACL_ERROR_FEATURE_UNSUPPORTED      200006 /**< e.g. flags that must be 0 are not */
#define ACL_ERROR_PROF_MODULES_UNSUPPORTED 200007

/* 300xxx: data flow. */
#define ACL_ERROR_STORAGE_OVER_LIMIT 300000

/* 500xxx: inside the libraries. */
#define ACL_ERROR_INTERNAL_ERROR    500000 /**< e.g. the chip's name is unknown */
#define ACL_ERROR_FAILURE           500001 /**< e.g. a section of the configuration is malformed */
#define ACL_ERROR_GE_FAILURE        500002
#define ACL_ERROR_RT_FAILURE        500003
#define ACL_ERROR_DRV_FAILURE       500004
#define ACL_ERROR_PROFILING_FAILURE 500005

/* ---- Element types and formats ---- */

/**
 * Element types. The numbers are those of the graph engine; the ones left out are its internal types.
 *
 * Bytes per element are given where they are whole; smaller elements are packed without gaps, ceil(bits / 8) in total.
 */
typedef enum aclDataType {
	ACL_DT_UNDEFINED = -1,  /**< no type; also what an unknown number reads back as */
	ACL_FLOAT = 0,          /**< 4 bytes, IEEE binary32 */
	ACL_FLOAT16 = 1,        /**< 2 bytes, IEEE binary16 */
	ACL_INT8 = 2,           /**< 1 byte */
	ACL_INT32 = 3,          /**< 4 bytes */
	ACL_UINT8 = 4,          /**< 1 byte */
	ACL_INT16 = 6,          /**< 2 bytes */
	ACL_UINT16 = 7,         /**< 2 bytes */
	ACL_UINT32 = 8,         /**< 4 bytes */
	ACL_INT64 = 9,          /**< 8 bytes */
	ACL_UINT64 = 10,        /**< 8 bytes */
	ACL_DOUBLE = 11,        /**< 8 bytes, IEEE binary64 */
	ACL_BOOL = 12,          /**< 1 byte, 0 or 1 */
	ACL_STRING = 13,        /**< no fixed size */
	ACL_COMPLEX64 = 16,     /**< 8 bytes: two binary32 */
	ACL_COMPLEX128 = 17,    /**< 16 bytes: two binary64 */
	ACL_BF16 = 27,          /**< 2 bytes: the upper half of a binary32 */
	ACL_INT4 = 29,          /**< 4 bits */
	ACL_UINT1 = 30,         /**< 1 bit */
	ACL_COMPLEX32 = 33,     /**< 4 bytes: two binary16 */
	ACL_HIFLOAT8 = 34,      /**< 1 byte, exponent field of varying width */
	ACL_FLOAT8_E5M2 = 35,   /**< 1 byte: sign, 5 exponent, 2 mantissa bits */
	ACL_FLOAT8_E4M3FN = 36, /**< 1 byte: sign, 4 exponent, 3 mantissa bits */
	ACL_FLOAT8_E8M0 = 37,   /**< 1 byte: 8 exponent bits, no sign */
	ACL_FLOAT6_E3M2 = 38,   /**< 6 bits */
	ACL_FLOAT6_E2M3 = 39,   /**< 6 bits */
	ACL_FLOAT4_E2M1 = 40,   /**< 4 bits */
	ACL_FLOAT4_E1M2 = 41    /**< 4 bits */
} aclDataType;

/**
 * Meaning and order of a tensor's dimensions.
 *
 * N batch, C channels, D depth, H height, W width, L length; ND says nothing about the dimensions. Names with C0 or
 * FRACTAL are the device's private, tiled layouts.
 */
typedef enum aclFormat {
	ACL_FORMAT_UNDEFINED = -1,        /**< no format; also what an unknown number reads back as */
	ACL_FORMAT_NCHW = 0,              /**< 4-D, images */
	ACL_FORMAT_NHWC = 1,              /**< 4-D, channels last */
	ACL_FORMAT_ND = 2,                /**< any number of dimensions, no particular meaning */
	ACL_FORMAT_NC1HWC0 = 3,           /**< private */
	ACL_FORMAT_FRACTAL_Z = 4,         /**< private, 2-D weights */
	ACL_FORMAT_NC1HWC0_C04 = 12,      /**< private, C0 is 4 */
	ACL_FORMAT_HWCN = 16,             /**< 4-D */
	ACL_FORMAT_NDHWC = 27,            /**< 5-D, channels last */
	ACL_FORMAT_FRACTAL_NZ = 29,       /**< private, matrices */
	ACL_FORMAT_NCDHW = 30,            /**< 5-D, volumes */
	ACL_FORMAT_NDC1HWC0 = 32,         /**< private */
	ACL_FRACTAL_Z_3D = 33,            /**< private, 3-D weights; no FORMAT_ in the name */
	ACL_FORMAT_NC = 35,               /**< 2-D */
	ACL_FORMAT_NCL = 47,              /**< 3-D, sequences */
	ACL_FORMAT_FRACTAL_NZ_C0_16 = 50, /**< private */
	ACL_FORMAT_FRACTAL_NZ_C0_32 = 51, /**< private */
	ACL_FORMAT_FRACTAL_NZ_C0_2 = 52,  /**< private */
	ACL_FORMAT_FRACTAL_NZ_C0_4 = 53,  /**< private */
	ACL_FORMAT_FRACTAL_NZ_C0_8 = 54   /**< private */
} aclFormat;

/** Where a tensor of the graph-engine side lives. */
typedef enum aclMemType {
	ACL_MEMTYPE_DEVICE = 0,
	ACL_MEMTYPE_HOST = 1,
	ACL_MEMTYPE_HOST_COMPILE_INDEPENDENT = 2
} aclMemType;

/* ---- The installation ---- */

/** Severity of a log line. */
typedef enum aclLogLevel {
	ACL_DEBUG = 0,
	ACL_INFO = 1,
	ACL_WARNING = 2,
	ACL_ERROR = 3
} aclLogLevel;

/**
 * Writes a line to the log: to the standard output if ASCEND_SLOG_PRINT_TO_STDOUT is 1 and `logLevel` is at least
 * ASCEND_GLOBAL_LOG_LEVEL (by default 3, errors), else nowhere. Thread-safe.
 *
 * @param[in] logLevel  severity
 * @param[in] func      name of the caller
 * @param[in] file      name of its file
 * @param[in] line      line in it
 * @param[in] fmt       as for printf(), with the values behind it; the text is cut at 1023 bytes
 * @return nothing; never fails
 */
ACL_FUNC_VISIBILITY void aclAppLog(aclLogLevel logLevel, const char *func, const char *file, uint32_t line,
                                   const char *fmt, ...);

/** Capabilities of an installation. */
typedef enum aclCannAttr {
	ACL_CANN_ATTR_UNDEFINED = -1,
	ACL_CANN_ATTR_INF_NAN = 0,
	ACL_CANN_ATTR_BF16 = 1,
	ACL_CANN_ATTR_JIT_COMPILE = 2
} aclCannAttr;

/** Facts about a device. */
typedef enum aclDeviceInfo {
	ACL_DEVICE_INFO_UNDEFINED = -1,
	ACL_DEVICE_INFO_AI_CORE_NUM = 0,
	ACL_DEVICE_INFO_VECTOR_CORE_NUM = 1,
	ACL_DEVICE_INFO_L2_SIZE = 2
} aclDeviceInfo;

/** Parts of an installation that have a version of their own. */
typedef enum aclCANNPackageName {
	ACL_PKG_NAME_CANN = 0,
	ACL_PKG_NAME_RUNTIME = 1,
	ACL_PKG_NAME_COMPILER = 2,
	ACL_PKG_NAME_HCCL = 3,
	ACL_PKG_NAME_TOOLKIT = 4,
	ACL_PKG_NAME_OPP = 5,
	ACL_PKG_NAME_OPP_KERNEL = 6,
	ACL_PKG_NAME_DRIVER = 7
} aclCANNPackageName;

#define ACL_PKG_VERSION_MAX_SIZE       128 /**< bytes of a whole version text */
#define ACL_PKG_VERSION_PARTS_MAX_SIZE 64  /**< bytes of one part of it */

/** Version of one package, whole and in parts, each text ended by a zero byte. */
typedef struct aclCANNPackageVersion {
	char version[ACL_PKG_VERSION_MAX_SIZE];
	char majorVersion[ACL_PKG_VERSION_PARTS_MAX_SIZE];
	char minorVersion[ACL_PKG_VERSION_PARTS_MAX_SIZE];
	char releaseVersion[ACL_PKG_VERSION_PARTS_MAX_SIZE];
	char patchVersion[ACL_PKG_VERSION_PARTS_MAX_SIZE];
	char reserved[ACL_PKG_VERSION_MAX_SIZE];
} aclCANNPackageVersion;

/**
 * Tells whether the toolkit can do something on the chip in force. Thread-safe; needs no context.
 *
 * @param[in]  cannAttr  infinities and NaN, BF16: 1 on A2 and later; compiling at run time: 0
 * @param[out] value     receives 1 or 0
 * @retval ACL_SUCCESS              0: written
 * @retval ACL_ERROR_INVALID_PARAM  100000: `value` is null, or there is no such attribute
 */
ACL_FUNC_VISIBILITY aclError aclGetCannAttribute(aclCannAttr cannAttr, int32_t *value);

/**
 * Lists what aclGetCannAttribute() can be asked about. Thread-safe; needs no context.
 *
 * @param[out] cannAttrList  receives the list, which is never freed
 * @param[out] num           receives its length
 * @retval ACL_SUCCESS              0: written
 * @retval ACL_ERROR_INVALID_PARAM  100000: a pointer is null
 */
ACL_FUNC_VISIBILITY aclError aclGetCannAttributeList(const aclCannAttr **cannAttrList, size_t *num);

/**
 * Tells a number of a device. Thread-safe; needs no context.
 *
 * @param[in]  deviceId    0 to the count of devices minus 1
 * @param[in]  deviceInfo  which number; AI_CORE_NUM counts the cube cores
 * @param[out] value       receives the number
 * @retval ACL_SUCCESS              0: written
 * @retval ACL_ERROR_INVALID_PARAM  100000: `value` is null, or there is no such device or number
 */
ACL_FUNC_VISIBILITY aclError aclGetDeviceCapability(uint32_t deviceId, aclDeviceInfo deviceInfo, int64_t *value);

/**
 * Names the chip that is worked on, e.g. "Ascend910B3".
 *
 * Thread-safe; needs neither aclInit() nor a device.
 *
 * @return a text that lives as long as the process and is not freed; null if the chip is unknown
 */
ACL_FUNC_VISIBILITY const char *aclrtGetSocName(void);

/* ---- Numbers ---- */

/**
 * Widens a half-precision number.
 *
 * Exact for every finite number, subnormals and the sign of zero included. Infinity and NaN are read as if they were
 * ordinary numbers, as the device's library does: 0x7C00 gives 65536, 0xFC00 gives -65536, 0x7E00 gives 98304.
 * Thread-safe.
 *
 * @param[in] value  the bits of a binary16 number
 * @return the number
 */
ACL_FUNC_VISIBILITY float aclFloat16ToFloat(aclFloat16 value);

/**
 * Rounds a number to half precision, to nearest with ties to even.
 *
 * Saturates: overflow, +infinity and NaN give 0x7BFF (65504); -infinity and negative overflow give 0xFBFF (-65504).
 * The sign of zero is kept. Thread-safe.
 *
 * @param[in] value  the number
 * @return the bits of a binary16 number
 */
ACL_FUNC_VISIBILITY aclFloat16 aclFloatToFloat16(float value);

/**
 * Bytes that one element of a type takes.
 *
 * Packed types are not counted in bits: ACL_INT4 and ACL_UINT1 give 1. The 4-bit and 6-bit floats and every number
 * that is no enumerator give 8. Thread-safe.
 *
 * @param[in] dataType  an element type
 * @return 1, 2, 4, 8 or 16; 0 for ACL_STRING and ACL_DT_UNDEFINED
 */
ACL_FUNC_VISIBILITY size_t aclDataTypeSize(aclDataType dataType);

/* ---- Data buffers ---- */

/**
 * Makes an object that holds a pointer and a size. Neither is looked at, and the memory stays the caller's.
 *
 * Thread-safe.
 *
 * @param[in] data  device or host memory; may be null
 * @param[in] size  its size in bytes; may be 0
 * @return the object, freed with aclDestroyDataBuffer(); null if host memory is exhausted
 */
ACL_FUNC_VISIBILITY aclDataBuffer *aclCreateDataBuffer(void *data, size_t size);

/**
 * Frees a data buffer, but not the memory that it points to.
 *
 * Thread-safe, except that no other thread may still be using the same buffer.
 *
 * @param[in] dataBuffer  a buffer made by aclCreateDataBuffer()
 * @retval ACL_SUCCESS              0: freed
 * @retval ACL_ERROR_INVALID_PARAM  100000: `dataBuffer` is null
 */
ACL_FUNC_VISIBILITY aclError aclDestroyDataBuffer(const aclDataBuffer *dataBuffer);

/**
 * Gives a data buffer another pointer and size. The memory that it pointed to before is not freed.
 *
 * Two threads must not update the same buffer at once.
 *
 * @param[in,out] dataBuffer  a buffer made by aclCreateDataBuffer()
 * @param[in]     data        device or host memory; may be null; stays the caller's
 * @param[in]     size        its size in bytes; may be 0
 * @retval ACL_SUCCESS              0: updated
 * @retval ACL_ERROR_INVALID_PARAM  100000: `dataBuffer` is null
 */
ACL_FUNC_VISIBILITY aclError aclUpdateDataBuffer(aclDataBuffer *dataBuffer, void *data, size_t size);

/**
 * The pointer in a data buffer. Thread-safe.
 *
 * @param[in] dataBuffer  a buffer made by aclCreateDataBuffer()
 * @return the pointer that the buffer was given last; null if `dataBuffer` is null
 */
ACL_FUNC_VISIBILITY void *aclGetDataBufferAddr(const aclDataBuffer *dataBuffer);

/**
 * The lower 32 bits of the size in a data buffer; aclGetDataBufferSizeV2() gives all of it. Thread-safe.
 *
 * @param[in] dataBuffer  a buffer made by aclCreateDataBuffer()
 * @return the size in bytes, modulo 2^32; 0 if `dataBuffer` is null
 */
ACL_FUNC_VISIBILITY uint32_t aclGetDataBufferSize(const aclDataBuffer *dataBuffer);

/**
 * The size in a data buffer. Thread-safe.
 *
 * @param[in] dataBuffer  a buffer made by aclCreateDataBuffer()
 * @return the size in bytes; 0 if `dataBuffer` is null
 */
ACL_FUNC_VISIBILITY size_t aclGetDataBufferSizeV2(const aclDataBuffer *dataBuffer);

#ifdef __cplusplus
}
#endif

#endif
