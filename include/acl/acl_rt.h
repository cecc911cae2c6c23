/**
 * The device runtime: process, device, context, stream and memory.
 *
 * What holds for every function:
 *
 * - Status. 0 is success. The outer layer answers a null pointer, a zero size or an unknown enumerator with 100000; the
 *   layer below answers a bad value with 107000, a bad device with 107001, a missing context with 107002, a stream of
 *   another context with 107003 and a dead handle with 107017. aclGetRecentErrMsg() has the sentence to a failure.
 * - Out-parameters are written on success only.
 * - Initialisation is not enforced: everything works without aclInit().
 * - Context. A thread works in the context that it set last, or in the primary context of the device that it set later,
 *   or in none; a new thread starts with none.
 * - Stream. Null is the default stream of the current context; only destroying needs a real handle. Work in one stream
 *   runs in order; streams, the default one included, do not wait for each other.
 * - Asynchronous calls return when the work is queued. What goes wrong later is returned, once, by the next synchronise
 *   of that stream or device; an operator that met a bad address gives 507015.
 * - Threads. Any thread may call any function at any time; one stream may be fed by several. What a function reads or
 *   changes for the calling thread only is said there.
 *
 * The first part has the functions, each group with its types. The second part has the types of the rest of the
 * interface, whose functions are not emulated and therefore not declared: a program that calls one does not compile,
 * instead of failing at run time.
 */
#ifndef ACL_ACL_RT_H
#define ACL_ACL_RT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "acl_base.h"

/* Version of this interface. */
#define ACL_MAJOR_VERSION 1
#define ACL_MINOR_VERSION 17
#define ACL_PATCH_VERSION 0

#ifdef __cplusplus
extern "C" {
#endif

/* ==== Process ==== */

/**
 * Initialises the process, or counts one more user of it.
 *
 * The first successful configuration stays in force until the process exits, aclFinalize() included; null, "" and an
 * empty file are the same configuration. A failed call changes nothing. Thread-safe.
 *
 * Two keys of the configuration mean something here: `err_msg_mode`, "0" for error text per thread (the default) or
 * "1" for one text per process; and `defaultDevice.default_device`, the number of a device as a string, which threads
 * without a context then work on. Others are accepted.
 *
 * @param[in] configPath  path of a JSON file; null or "" for no configuration; only read during the call
 * @retval ACL_SUCCESS                  0: initialised; the count of users is 1
 * @retval ACL_ERROR_REPEAT_INITIALIZE  100002: initialised already; harmless, the count went up by 1
 * @retval ACL_ERROR_INVALID_PARAM      100000: the content differs from the first configuration's, or `err_msg_mode` is
 *                                      neither "0" nor "1"
 * @retval ACL_ERROR_INVALID_FILE       100003: the file does not exist or cannot be read
 * @retval ACL_ERROR_PARSE_FILE         100006: not JSON, or braces or brackets nested deeper than 10
 * @retval ACL_ERROR_INTERNAL_ERROR     500000: the chip's name is unknown
 * @retval ACL_ERROR_FAILURE            500001: the section of the default device or of a stack size is malformed
 */
ACL_FUNC_VISIBILITY aclError aclInit(const char *configPath);

/**
 * Ends the process's use of the runtime, however often it was initialised.
 *
 * Resets no device and frees no memory and no stream; destroying those later is still fine. Does not wait.
 * Thread-safe.
 *
 * @retval ACL_SUCCESS                0: the count of users is 0 now; also the very first call of a process that never
 *                                    initialised
 * @retval ACL_ERROR_REPEAT_FINALIZE  100037: finalised already
 */
ACL_FUNC_VISIBILITY aclError aclFinalize(void);

/**
 * Takes back one aclInit(); the last one finalises as aclFinalize() does. Thread-safe.
 *
 * @param[out] refCount  receives the users that are left, 0 also in the error case; may be null
 * @retval ACL_SUCCESS                0: one user less
 * @retval ACL_ERROR_REPEAT_FINALIZE  100037: there was none
 */
ACL_FUNC_VISIBILITY aclError aclFinalizeReference(uint64_t *refCount);

/**
 * Hands out the text of the errors since the last call, newest first, and forgets it.
 *
 * Belongs to the calling thread, or to the whole process if it was initialised with `err_msg_mode` "1". The text
 * carries codes to look for: EZ1001 arguments of an operator, EZ9903 a runtime call inside an operator, EZ9999 other
 * failures in an operator, EH... and EE... the runtime's checks.
 *
 * @return a text that stays valid until the next call from the same thread and is not freed; null if there is none
 */
ACL_FUNC_VISIBILITY const char *aclGetRecentErrMsg(void);

/**
 * Version of this interface: 1, 17, 0. Thread-safe.
 *
 * @deprecated aclsysGetVersionStr() names the version of the installation.
 * @param[out] majorVersion  receives ACL_MAJOR_VERSION
 * @param[out] minorVersion  receives ACL_MINOR_VERSION
 * @param[out] patchVersion  receives ACL_PATCH_VERSION
 * @retval ACL_SUCCESS              0: all three written
 * @retval ACL_ERROR_INVALID_PARAM  100000: a pointer is null
 */
ACL_FUNC_VISIBILITY ACL_DEPRECATED_MESSAGE("call aclsysGetVersionStr instead")
aclError aclrtGetVersion(int32_t *majorVersion, int32_t *minorVersion, int32_t *patchVersion);

/**
 * Version of an installed package: the `Version=` line of its version.info below $ASCEND_HOME_PATH. Thread-safe.
 *
 * @param[in]  pkgName     name of the package, e.g. "runtime"; `-` and `_` are the same; only read
 * @param[out] versionStr  buffer of at least ACL_PKG_VERSION_MAX_SIZE (128) bytes, receives text ended by a zero byte
 * @retval ACL_SUCCESS              0: written
 * @retval ACL_ERROR_INVALID_PARAM  100000: a pointer is null
 * @retval ACL_ERROR_INVALID_FILE   100003: the variable is not set, or there is no such package
 * @retval ACL_ERROR_FAILURE        500001: the file has no proper `Version=` line
 */
ACL_FUNC_VISIBILITY aclError aclsysGetVersionStr(char *pkgName, char *versionStr);

/** The module on whose initialisation or release a callback is called. */
typedef enum aclRegisterCallbackType {
	ACL_REG_TYPE_ACL_MODEL = 0,
	ACL_REG_TYPE_ACL_OP_EXECUTOR = 1,
	ACL_REG_TYPE_ACL_OP_CBLAS = 2,
	ACL_REG_TYPE_ACL_OP_COMPILER = 3,
	ACL_REG_TYPE_ACL_TDT_CHANNEL = 4,
	ACL_REG_TYPE_ACL_TDT_QUEUE = 5,
	ACL_REG_TYPE_ACL_DVPP = 6,
	ACL_REG_TYPE_ACL_RETR = 7,
	ACL_REG_TYPE_OTHER = 0xffff
} aclRegisterCallbackType;

/** Runs inside aclInit(): configuration text, its length in bytes, the pointer given at registration. */
typedef aclError (*aclInitCallbackFunc)(const char *configStr, size_t len, void *userData);

/** Runs inside aclFinalize(). */
typedef aclError (*aclFinalizeCallbackFunc)(void *userData);

/**
 * Wants a function called at the first aclInit(); called at once if the process is initialised. Thread-safe.
 *
 * What it returns other than 0 becomes the status of aclInit(), which has then failed.
 *
 * @param[in] type      the module that asks; only tells registrations apart
 * @param[in] cbFunc    the function; registered twice with one type it is called once
 * @param[in] userData  handed to the function
 * @retval ACL_SUCCESS              0: registered
 * @retval ACL_ERROR_INVALID_PARAM  100000: `cbFunc` is null
 */
ACL_FUNC_VISIBILITY aclError aclInitCallbackRegister(aclRegisterCallbackType type, aclInitCallbackFunc cbFunc,
                                                     void *userData);

/**
 * Takes back aclInitCallbackRegister(). Thread-safe.
 *
 * @param[in] type    as registered
 * @param[in] cbFunc  as registered
 * @retval ACL_SUCCESS              0: it is not called any more
 * @retval ACL_ERROR_INVALID_PARAM  100000: `cbFunc` is null, or not registered with that type
 */
ACL_FUNC_VISIBILITY aclError aclInitCallbackUnRegister(aclRegisterCallbackType type, aclInitCallbackFunc cbFunc);

/**
 * Wants a function called when the process is finalised. Thread-safe.
 *
 * What it returns other than 0 becomes the status of aclFinalize(), which has then done nothing.
 *
 * @param[in] type      the module that asks; only tells registrations apart
 * @param[in] cbFunc    the function; registered twice with one type it is called once
 * @param[in] userData  handed to the function
 * @retval ACL_SUCCESS              0: registered
 * @retval ACL_ERROR_INVALID_PARAM  100000: `cbFunc` is null
 */
ACL_FUNC_VISIBILITY aclError aclFinalizeCallbackRegister(aclRegisterCallbackType type, aclFinalizeCallbackFunc cbFunc,
                                                         void *userData);

/**
 * Takes back aclFinalizeCallbackRegister(). Thread-safe.
 *
 * @param[in] type    as registered
 * @param[in] cbFunc  as registered
 * @retval ACL_SUCCESS              0: it is not called any more
 * @retval ACL_ERROR_INVALID_PARAM  100000: `cbFunc` is null, or not registered with that type
 */
ACL_FUNC_VISIBILITY aclError aclFinalizeCallbackUnRegister(aclRegisterCallbackType type,
                                                           aclFinalizeCallbackFunc cbFunc);

/**
 * Version of an installed package as one number that can be compared: 9.1.0 is 90100000.
 *
 * Major times 10^7, minor times 10^5, patch times 10^3; a pre-release counts 300 (alpha), 200 (beta) or 100 (rc) less,
 * and its own number more. Thread-safe.
 *
 * @param[in]  pkgName     as for aclsysGetVersionStr()
 * @param[out] versionNum  receives the number
 * @retval ACL_SUCCESS               0: written
 * @retval ACL_ERROR_INVALID_PARAM   100000: a pointer is null
 * @retval ACL_ERROR_INVALID_FILE    100003: the variable is not set, or there is no such package
 * @retval ACL_ERROR_INTERNAL_ERROR  500000: the file has no version, or one of another form
 */
ACL_FUNC_VISIBILITY aclError aclsysGetVersionNum(char *pkgName, int32_t *versionNum);

/**
 * Version of a part of the installation, whole and in parts; without $ASCEND_HOME_PATH that of the toolkit that is
 * emulated (ACLEMU_CANN_VERSION), but for the driver's. Thread-safe.
 *
 * @deprecated aclsysGetVersionStr() names any package.
 * @param[in]  name     the part; ACL_PKG_NAME_CANN stands for the runtime
 * @param[out] version  receives the texts; a part that the version does not have is empty
 * @retval ACL_SUCCESS               0: written
 * @retval ACL_ERROR_INVALID_PARAM   100000: `version` is null, or `name` is no part
 * @retval ACL_ERROR_INVALID_FILE    100003: there is no such package
 * @retval ACL_ERROR_INTERNAL_ERROR  500000: the file has no version
 */
ACL_FUNC_VISIBILITY ACL_DEPRECATED_MESSAGE("call aclsysGetVersionStr instead")
aclError aclsysGetCANNVersion(aclCANNPackageName name, aclCANNPackageVersion *version);

/**
 * Would begin to dump the tensors of operators. There is no dump here. Thread-safe.
 *
 * @retval ACL_SUCCESS                       0: never
 * @retval ACL_ERROR_RT_FEATURE_NOT_SUPPORT  207000: always
 */
ACL_FUNC_VISIBILITY aclError aclmdlInitDump(void);

/**
 * Would say which tensors are dumped. There is no dump here. Thread-safe.
 *
 * @param[in] dumpCfgPath  path of a JSON file
 * @retval ACL_SUCCESS                       0: never
 * @retval ACL_ERROR_INVALID_PARAM           100000: `dumpCfgPath` is null
 * @retval ACL_ERROR_RT_FEATURE_NOT_SUPPORT  207000: always
 */
ACL_FUNC_VISIBILITY aclError aclmdlSetDump(const char *dumpCfgPath);

/**
 * Would end the dump. There is no dump here. Thread-safe.
 *
 * @retval ACL_SUCCESS                       0: never
 * @retval ACL_ERROR_RT_FEATURE_NOT_SUPPORT  207000: always
 */
ACL_FUNC_VISIBILITY aclError aclmdlFinalizeDump(void);

/* ==== Device ==== */

/** Where the program runs. An ordinary host process runs in mode ACL_HOST, which is 1. */
typedef enum aclrtRunMode {
	ACL_DEVICE = 0, /**< the program runs on the device itself, and both share one memory */
	ACL_HOST = 1    /**< the program runs on the host */
} aclrtRunMode;

/**
 * Counts the devices that the process may use. Thread-safe; needs neither initialisation nor a context.
 *
 * @param[out] count  receives the number; devices are numbered from 0
 * @retval ACL_SUCCESS              0: written
 * @retval ACL_ERROR_INVALID_PARAM  100000: `count` is null
 * @retval ACL_ERROR_RT_NO_DEVICE   207004: ASCEND_RT_VISIBLE_DEVICES leaves none
 */
ACL_FUNC_VISIBILITY aclError aclrtGetDeviceCount(uint32_t *count);

/**
 * Opens a device for the calling thread.
 *
 * The device's primary context, which all threads share, becomes current in this thread, in place of a context that
 * was set explicitly. Every call takes one more reference, to be given back with aclrtResetDevice().
 *
 * @param[in] deviceId  0 to the count of devices minus 1
 * @retval ACL_SUCCESS                    0: the primary context is current
 * @retval ACL_ERROR_RT_INVALID_DEVICEID  107001: there is no such device
 * @retval ACL_ERROR_RT_DEV_SETUP_ERROR   507033: the device cannot be opened
 */
ACL_FUNC_VISIBILITY aclError aclrtSetDevice(int32_t deviceId);

/**
 * Gives one reference on a device back; the last one closes it.
 *
 * Closing waits for outstanding work and destroys the primary context with its streams; threads that worked in it have
 * no context afterwards. Contexts made with aclrtCreateContext() stay. The device may be set again. Thread-safe.
 *
 * @param[in] deviceId  a device that was set
 * @retval ACL_SUCCESS                         0: one reference less
 * @retval ACL_ERROR_RT_PARAM_INVALID          107000: called by a function that runs in a stream of its primary context
 * @retval ACL_ERROR_RT_INVALID_DEVICEID       107001: there is no such device
 * @retval ACL_ERROR_RT_CONTEXT_RELEASE_ERROR  507007: never set, or reset already
 */
ACL_FUNC_VISIBILITY aclError aclrtResetDevice(int32_t deviceId);

/**
 * Closes a device however many references there are; otherwise as aclrtResetDevice(). Thread-safe.
 *
 * @param[in] deviceId  a device that was set
 * @retval ACL_SUCCESS                         0: closed
 * @retval ACL_ERROR_RT_PARAM_INVALID          107000: called by a function that runs in a stream of its primary context
 * @retval ACL_ERROR_RT_INVALID_DEVICEID       107001: there is no such device
 * @retval ACL_ERROR_RT_CONTEXT_RELEASE_ERROR  507007: never set, or reset already
 */
ACL_FUNC_VISIBILITY aclError aclrtResetDeviceForce(int32_t deviceId);

/**
 * Tells which device the calling thread works on.
 *
 * @param[out] deviceId  receives the device of the current context; if there is none, the configured default device
 * @retval ACL_SUCCESS                0: written
 * @retval ACL_ERROR_INVALID_PARAM    100000: `deviceId` is null
 * @retval ACL_ERROR_RT_CONTEXT_NULL  107002: the thread has no context and no default device is configured
 */
ACL_FUNC_VISIBILITY aclError aclrtGetDevice(int32_t *deviceId);

/**
 * Tells whether the program runs on the host or on the device: always ACL_HOST (1) here. Thread-safe.
 *
 * @param[out] runMode  receives the mode
 * @retval ACL_SUCCESS              0: written
 * @retval ACL_ERROR_INVALID_PARAM  100000: `runMode` is null
 */
ACL_FUNC_VISIBILITY aclError aclrtGetRunMode(aclrtRunMode *runMode);

/**
 * Waits until all streams of the current context's device are done, whoever fed them.
 *
 * @retval ACL_SUCCESS                     0: done, and nothing failed
 * @retval ACL_ERROR_RT_PARAM_INVALID      107000: called by a function that runs in one of them
 * @retval ACL_ERROR_RT_CONTEXT_NULL       107002: the thread has no context
 * @retval ACL_ERROR_RT_DEVICE_TASK_ABORT  107022: the device was aborted meanwhile
 * @retval ACL_ERROR_RT_STREAM_ABORT       107023: a stream was aborted meanwhile
 * @retval ACL_ERROR_RT_AICORE_EXCEPTION   507015, or another 507xxx: work that had been queued failed
 */
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeDevice(void);

/**
 * As aclrtSynchronizeDevice(), but not longer than a given time.
 *
 * @param[in] timeout  milliseconds, at least 1; -1 waits for ever
 * @retval ACL_SUCCESS                       0: done, and nothing failed
 * @retval ACL_ERROR_RT_PARAM_INVALID        107000: `timeout` is 0 or less than -1, or called in one of them
 * @retval ACL_ERROR_RT_CONTEXT_NULL         107002: the thread has no context
 * @retval ACL_ERROR_RT_DEVICE_TASK_ABORT    107022: the device was aborted meanwhile
 * @retval ACL_ERROR_RT_STREAM_ABORT         107023: a stream was aborted meanwhile
 * @retval ACL_ERROR_RT_AICORE_EXCEPTION     507015, or another 507xxx: work that had been queued failed
 * @retval ACL_ERROR_RT_STREAM_SYNC_TIMEOUT  507046: the time is over; the work goes on
 */
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeDeviceWithTimeout(int32_t timeout);

/** The moment at which an aclrtDeviceStateCallback is called. */
typedef enum aclrtDeviceState {
	ACL_RT_DEVICE_STATE_SET_PRE = 0,
	ACL_RT_DEVICE_STATE_SET_POST = 1,
	ACL_RT_DEVICE_STATE_RESET_PRE = 2,
	ACL_RT_DEVICE_STATE_RESET_POST = 3
} aclrtDeviceState;

/** Runs around setting and resetting a device. */
typedef void (*aclrtDeviceStateCallback)(int32_t deviceId, aclrtDeviceState state, void *args);

/**
 * Wants a function called before and after every aclrtSetDevice() and reset of a device. Thread-safe.
 *
 * @param[in] regName   a name; a function that was registered by it before is replaced
 * @param[in] callback  the function, called on the thread that sets or resets; null takes the one of that name away
 * @param[in] args      handed to the function
 * @retval ACL_SUCCESS                 0: registered, or taken away
 * @retval ACL_ERROR_INVALID_PARAM     100000: `regName` is null
 * @retval ACL_ERROR_RT_PARAM_INVALID  107000: nothing of that name can be taken away
 */
ACL_FUNC_VISIBILITY aclError aclrtRegDeviceStateCallback(const char *regName, aclrtDeviceStateCallback callback,
                                                         void *args);

/** The moment at which an aclrtDeviceTaskAbortCallback is called. */
typedef enum aclrtDeviceTaskAbortStage {
	ACL_RT_DEVICE_TASK_ABORT_PRE = 0,
	ACL_RT_DEVICE_TASK_ABORT_POST = 1
} aclrtDeviceTaskAbortStage;

/** Runs before and after the tasks of a device are aborted; `timeout` in milliseconds. */
typedef int32_t (*aclrtDeviceTaskAbortCallback)(int32_t deviceId, aclrtDeviceTaskAbortStage stage, uint32_t timeout,
                                                void *args);

/**
 * Wants a function called before and after aclrtDeviceTaskAbort(). Thread-safe.
 *
 * @param[in] regName   a name; a function that was registered by it before is replaced
 * @param[in] callback  the function, called on the thread that aborts; null takes the one of that name away
 * @param[in] args      handed to the function
 * @retval ACL_SUCCESS                 0: registered, or taken away
 * @retval ACL_ERROR_INVALID_PARAM     100000: `regName` is null
 * @retval ACL_ERROR_RT_PARAM_INVALID  107000: nothing of that name can be taken away
 */
ACL_FUNC_VISIBILITY aclError aclrtSetDeviceTaskAbortCallback(const char *regName, aclrtDeviceTaskAbortCallback callback,
                                                             void *args);

/**
 * Drops the work that waits in the streams of a device; whoever synchronises one of them is sent away with 107022.
 *
 * What runs already runs to its end. The streams can be used again afterwards. Thread-safe.
 *
 * @param[in] deviceId  0 to the count of devices minus 1
 * @param[in] timeout   milliseconds that it may take; it takes none here
 * @retval ACL_SUCCESS                    0: dropped
 * @retval ACL_ERROR_RT_INVALID_DEVICEID  107001: there is no such device
 */
ACL_FUNC_VISIBILITY aclError aclrtDeviceTaskAbort(int32_t deviceId, uint32_t timeout);

/* ==== Context ==== */

/**
 * Makes a context with a default stream of its own, and makes it current in the calling thread.
 *
 * The thread no longer works in the primary context of the device that it set. aclrtSetDevice() is not needed before.
 *
 * @param[out] context   receives the context; freed with aclrtDestroyContext()
 * @param[in]  deviceId  0 to the count of devices minus 1
 * @retval ACL_SUCCESS                    0: the new context is current
 * @retval ACL_ERROR_INVALID_PARAM        100000: `context` is null
 * @retval ACL_ERROR_RT_INVALID_DEVICEID  107001: there is no such device
 */
ACL_FUNC_VISIBILITY aclError aclrtCreateContext(aclrtContext *context, int32_t deviceId);

/**
 * Waits for the work of a context, then destroys it with its streams.
 *
 * A thread in which it was current is left without a context; it does not fall back to the primary one. Thread-safe.
 *
 * @param[in] context  a context made by aclrtCreateContext()
 * @retval ACL_SUCCESS                         0: destroyed
 * @retval ACL_ERROR_INVALID_PARAM             100000: `context` is null
 * @retval ACL_ERROR_RT_PARAM_INVALID          107000: called by a function that runs in one of its streams
 * @retval ACL_ERROR_RT_CONTEXT_NULL           107002: destroyed already, no context, or a primary one
 * @retval ACL_ERROR_RT_CONTEXT_RELEASE_ERROR  507007: another thread is destroying it
 */
ACL_FUNC_VISIBILITY aclError aclrtDestroyContext(aclrtContext context);

/**
 * Makes a context current in the calling thread, in place of whatever it worked in. Many threads may share one
 * context.
 *
 * @param[in] context  a live context
 * @retval ACL_SUCCESS                 0: current
 * @retval ACL_ERROR_INVALID_PARAM     100000: `context` is null
 * @retval ACL_ERROR_RT_PARAM_INVALID  107000: destroyed, or no context
 */
ACL_FUNC_VISIBILITY aclError aclrtSetCurrentContext(aclrtContext context);

/**
 * Tells which context the calling thread works in; after aclrtSetDevice() the primary one.
 *
 * @param[out] context  receives the context, which stays whose it was
 * @retval ACL_SUCCESS                0: written
 * @retval ACL_ERROR_INVALID_PARAM    100000: `context` is null
 * @retval ACL_ERROR_RT_CONTEXT_NULL  107002: the thread has no context
 */
ACL_FUNC_VISIBILITY aclError aclrtGetCurrentContext(aclrtContext *context);

/* ==== System parameters: determinism ==== */

/** Options that change how work is planned. Values and defaults: aclrtSetSysParamOpt(). */
typedef enum aclSysParamOpt {
	ACL_OPT_DETERMINISTIC = 0,            /**< the same input gives the same bits */
	ACL_OPT_ENABLE_DEBUG_KERNEL = 1,      /**< kernels with address checks */
	ACL_OPT_STRONG_CONSISTENCY ACL_DEPRECATED_MESSAGE("set ACL_OPT_DETERMINISTIC to 2 instead") = 2,
	ACL_OPT_ENABLE_KERNEL_EARLY_START = 3 /**< process level only */
} aclSysParamOpt;

/**
 * Sets an option in the current context and, since operators read that one, in the process.
 *
 * @param[in] opt    option 0, 1 or 2; ACL_OPT_ENABLE_KERNEL_EARLY_START exists in the process only
 * @param[in] value  as for aclrtSetSysParamOpt()
 * @retval ACL_SUCCESS                 0: set
 * @retval ACL_ERROR_INVALID_PARAM     100000: `opt` is none of the three
 * @retval ACL_ERROR_RT_PARAM_INVALID  107000: `value` is out of range
 * @retval ACL_ERROR_RT_CONTEXT_NULL   107002: the thread has no context
 */
ACL_FUNC_VISIBILITY aclError aclrtCtxSetSysParamOpt(aclSysParamOpt opt, int64_t value);

/**
 * Reads an option of the current context.
 *
 * @param[in]  opt    option 0, 1 or 2
 * @param[out] value  receives the value
 * @retval ACL_SUCCESS                       0: written
 * @retval ACL_ERROR_INVALID_PARAM           100000: `value` is null, or `opt` is none of the three
 * @retval ACL_ERROR_RT_CONTEXT_NULL         107002: the thread has no context
 * @retval ACL_ERROR_RT_SYSPARAMOPT_NOT_SET  107021: never set in this context
 */
ACL_FUNC_VISIBILITY aclError aclrtCtxGetSysParamOpt(aclSysParamOpt opt, int64_t *value);

/**
 * Sets an option for the process. Operators that are planned afterwards follow it. Thread-safe; needs no context.
 *
 * @param[in] opt    an option
 * @param[in] value  0 off, 1 on; ACL_OPT_DETERMINISTIC also 2, strong consistency, and 3, batch consistency
 * @retval ACL_SUCCESS                 0: set
 * @retval ACL_ERROR_INVALID_PARAM     100000: `opt` is no option
 * @retval ACL_ERROR_RT_PARAM_INVALID  107000: `value` is out of range
 */
ACL_FUNC_VISIBILITY aclError aclrtSetSysParamOpt(aclSysParamOpt opt, int64_t value);

/**
 * Reads an option of the process. Thread-safe; needs no context.
 *
 * @param[in]  opt    an option
 * @param[out] value  receives the value; 0 if it was never set
 * @retval ACL_SUCCESS              0: written
 * @retval ACL_ERROR_INVALID_PARAM  100000: `value` is null, or `opt` is no option
 */
ACL_FUNC_VISIBILITY aclError aclrtGetSysParamOpt(aclSysParamOpt opt, int64_t *value);

/* ==== Stream ==== */

#define ACL_STREAM_FAST_LAUNCH     0x00000001U /**< resources are set aside when the stream is made */
#define ACL_STREAM_FAST_SYNC       0x00000002U /**< synchronising polls instead of sleeping */
#define ACL_STREAM_PERSISTENT      0x00000004U /**< holds work that is run again and again; cannot be waited for */
#define ACL_STREAM_HUGE            0x00000008U /**< room for more tasks */
#define ACL_STREAM_CPU_SCHEDULE    0x00000010U /**< fed by the AI CPU; cannot be waited for */
#define ACL_STREAM_DEVICE_USE_ONLY 0x00000020U /**< used by the device only; excludes all other flags */

/**
 * Makes a stream of the current context with ordinary priority and no flags.
 *
 * @param[out] stream  receives the stream; freed with aclrtDestroyStream()
 * @retval ACL_SUCCESS                      0: made
 * @retval ACL_ERROR_INVALID_PARAM          100000: `stream` is null
 * @retval ACL_ERROR_RT_CONTEXT_NULL        107002: the thread has no context
 * @retval ACL_ERROR_RT_NO_STREAM_RESOURCE  207008: no more streams
 */
ACL_FUNC_VISIBILITY aclError aclrtCreateStream(aclrtStream *stream);

/**
 * Makes a stream of the current context with a priority and flags.
 *
 * @param[out] stream    receives the stream; freed with aclrtDestroyStream()
 * @param[in]  priority  0 (first) to 7 (last); larger numbers count as 7
 * @param[in]  flag      ACL_STREAM_... bits, or 0; unknown bits are ignored
 * @retval ACL_SUCCESS                      0: made
 * @retval ACL_ERROR_INVALID_PARAM          100000: `stream` is null
 * @retval ACL_ERROR_RT_PARAM_INVALID       107000: ACL_STREAM_DEVICE_USE_ONLY together with another flag
 * @retval ACL_ERROR_RT_CONTEXT_NULL        107002: the thread has no context
 * @retval ACL_ERROR_RT_NO_STREAM_RESOURCE  207008: no more streams
 */
ACL_FUNC_VISIBILITY aclError aclrtCreateStreamWithConfig(aclrtStream *stream, uint32_t priority, uint32_t flag);

/**
 * Waits for the work in a stream, then frees it. Default streams go with their context only.
 *
 * @param[in] stream  a stream of the current context
 * @retval ACL_SUCCESS                   0: freed
 * @retval ACL_ERROR_INVALID_PARAM       100000: `stream` is null
 * @retval ACL_ERROR_RT_PARAM_INVALID    107000: a default stream, or called by a function that runs in the stream
 * @retval ACL_ERROR_RT_STREAM_CONTEXT   107003: the stream belongs to another context
 * @retval ACL_ERROR_RT_INVALID_HANDLE   107017: destroyed already, or no stream
 * @retval ACL_ERROR_RT_STREAM_CAPTURED  107027: the stream is being captured
 */
ACL_FUNC_VISIBILITY aclError aclrtDestroyStream(aclrtStream stream);

/**
 * Frees a stream without waiting for it: what has not started is dropped. Otherwise as aclrtDestroyStream().
 *
 * @param[in] stream  a stream of the current context
 * @retval ACL_SUCCESS                   0: freed
 * @retval ACL_ERROR_INVALID_PARAM       100000: `stream` is null
 * @retval ACL_ERROR_RT_PARAM_INVALID    107000: a default stream, or called by a function that runs in the stream
 * @retval ACL_ERROR_RT_STREAM_CONTEXT   107003: the stream belongs to another context
 * @retval ACL_ERROR_RT_INVALID_HANDLE   107017: destroyed already, or no stream
 * @retval ACL_ERROR_RT_STREAM_CAPTURED  107027: the stream is being captured
 */
ACL_FUNC_VISIBILITY aclError aclrtDestroyStreamForce(aclrtStream stream);

/**
 * Waits until everything that is in a stream by now is done, and tells whether it succeeded.
 *
 * A stream of another context is fine. Streams with PERSISTENT, CPU_SCHEDULE or DEVICE_USE_ONLY are not waited for.
 *
 * @param[in] stream  a stream; null for the default stream of the current context
 * @retval ACL_SUCCESS                     0: done, and nothing failed
 * @retval ACL_ERROR_RT_PARAM_INVALID      107000: called by a function that runs in the stream
 * @retval ACL_ERROR_RT_CONTEXT_NULL       107002: the thread has no context
 * @retval ACL_ERROR_RT_INVALID_HANDLE     107017: destroyed, or no stream
 * @retval ACL_ERROR_RT_DEVICE_TASK_ABORT  107022: the device was aborted meanwhile
 * @retval ACL_ERROR_RT_STREAM_ABORT       107023: the stream was aborted meanwhile
 * @retval ACL_ERROR_RT_STREAM_CAPTURED    107027: the stream is being captured
 * @retval ACL_ERROR_RT_AICORE_EXCEPTION   507015, or another 507xxx: something in the stream failed, e.g. a bad
 *                                         address; reported once, what came behind it was run nevertheless
 */
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeStream(aclrtStream stream);

/**
 * As aclrtSynchronizeStream(), but not longer than a given time.
 *
 * @param[in] stream   a stream; null for the default stream of the current context
 * @param[in] timeout  milliseconds, at least 1; -1 waits for ever
 * @retval ACL_SUCCESS                       0: done, and nothing failed
 * @retval ACL_ERROR_RT_PARAM_INVALID        107000: `timeout` is 0 or less than -1, or called in the stream
 * @retval ACL_ERROR_RT_CONTEXT_NULL         107002: the thread has no context
 * @retval ACL_ERROR_RT_INVALID_HANDLE       107017: destroyed, or no stream
 * @retval ACL_ERROR_RT_DEVICE_TASK_ABORT    107022: the device was aborted meanwhile
 * @retval ACL_ERROR_RT_STREAM_ABORT         107023: the stream was aborted meanwhile
 * @retval ACL_ERROR_RT_STREAM_CAPTURED      107027: the stream is being captured
 * @retval ACL_ERROR_RT_AICORE_EXCEPTION     507015, or another 507xxx: something in the stream failed
 * @retval ACL_ERROR_RT_STREAM_SYNC_TIMEOUT  507046: the time is over; the work goes on
 */
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t timeout);

/** Is everything in a stream done? */
typedef enum aclrtStreamStatus {
	ACL_STREAM_STATUS_COMPLETE = 0,
	ACL_STREAM_STATUS_NOT_READY = 1,
	ACL_STREAM_STATUS_RESERVED = 0xffff
} aclrtStreamStatus;

/**
 * Tells whether everything in a stream is done, without waiting. Failures stay for the next synchronise.
 *
 * @param[in]  stream  a stream of the current context; null for its default stream
 * @param[out] status  receives ACL_STREAM_STATUS_COMPLETE (0) or ACL_STREAM_STATUS_NOT_READY (1)
 * @retval ACL_SUCCESS                  0: written
 * @retval ACL_ERROR_INVALID_PARAM      100000: `status` is null
 * @retval ACL_ERROR_RT_CONTEXT_NULL    107002: the thread has no context
 * @retval ACL_ERROR_RT_STREAM_CONTEXT  107003: the stream belongs to another context
 * @retval ACL_ERROR_RT_INVALID_HANDLE  107017: destroyed, or no stream
 */
ACL_FUNC_VISIBILITY aclError aclrtStreamQuery(aclrtStream stream, aclrtStreamStatus *status);

/**
 * Number of a stream, not negative; no other stream of the process has it.
 *
 * @param[in]  stream    a stream; null for the default stream of the current context
 * @param[out] streamId  receives the number
 * @retval ACL_SUCCESS                  0: written
 * @retval ACL_ERROR_INVALID_PARAM      100000: `streamId` is null
 * @retval ACL_ERROR_RT_CONTEXT_NULL    107002: the thread has no context
 * @retval ACL_ERROR_RT_INVALID_HANDLE  107017: destroyed, or no stream
 */
ACL_FUNC_VISIBILITY aclError aclrtStreamGetId(aclrtStream stream, int32_t *streamId);

/**
 * Priority of a stream: 0 (first) to 7 (last). It makes no difference here.
 *
 * @param[in]  stream    a stream; null for the default stream of the current context
 * @param[out] priority  receives the priority
 * @retval ACL_SUCCESS                  0: written
 * @retval ACL_ERROR_INVALID_PARAM      100000: `priority` is null
 * @retval ACL_ERROR_RT_CONTEXT_NULL    107002: the thread has no context
 * @retval ACL_ERROR_RT_INVALID_HANDLE  107017: destroyed, or no stream
 */
ACL_FUNC_VISIBILITY aclError aclrtStreamGetPriority(aclrtStream stream, uint32_t *priority);

/**
 * Flags that a stream was made with.
 *
 * @param[in]  stream  a stream; null for the default stream of the current context
 * @param[out] flags   receives the flags
 * @retval ACL_SUCCESS                  0: written
 * @retval ACL_ERROR_INVALID_PARAM      100000: `flags` is null
 * @retval ACL_ERROR_RT_CONTEXT_NULL    107002: the thread has no context
 * @retval ACL_ERROR_RT_INVALID_HANDLE  107017: destroyed, or no stream
 */
ACL_FUNC_VISIBILITY aclError aclrtStreamGetFlags(aclrtStream stream, uint32_t *flags);

/**
 * Range of priorities of streams: 7 to 0. Thread-safe; needs no context.
 *
 * @param[out] leastPriority     receives 7; may be null
 * @param[out] greatestPriority  receives 0; may be null
 * @retval ACL_SUCCESS  0: written
 */
ACL_FUNC_VISIBILITY aclError aclrtDeviceGetStreamPriorityRange(int32_t *leastPriority, int32_t *greatestPriority);

/**
 * Tells how many more streams the current context's device can have.
 *
 * @param[out] streamCount  receives the number
 * @retval ACL_SUCCESS                0: written
 * @retval ACL_ERROR_INVALID_PARAM    100000: `streamCount` is null
 * @retval ACL_ERROR_RT_CONTEXT_NULL  107002: the thread has no context
 */
ACL_FUNC_VISIBILITY aclError aclrtGetStreamAvailableNum(uint32_t *streamCount);

/**
 * Handle of the default stream of the current context, for calls that want one.
 *
 * @param[out] stream  receives the stream, which lives as long as its context and must not be destroyed
 * @retval ACL_SUCCESS                0: written
 * @retval ACL_ERROR_INVALID_PARAM    100000: `stream` is null
 * @retval ACL_ERROR_RT_CONTEXT_NULL  107002: the thread has no context
 */
ACL_FUNC_VISIBILITY aclError aclrtCtxGetCurrentDefaultStream(aclrtStream *stream);

#define ACL_CONTINUE_ON_FAILURE 0x00000000U /**< failure mode: later work runs nevertheless; the default */
#define ACL_STOP_ON_FAILURE     0x00000001U /**< failure mode: nothing more runs in the context */

/**
 * Says, once for a stream, what happens after a failure.
 *
 * By default later work runs nevertheless, and the failure is reported once. With ACL_STOP_ON_FAILURE nothing more runs
 * in any stream of the context after a failure: queued work is dropped, and whoever queues more or synchronises gets
 * the status of that failure until the context is destroyed.
 *
 * @param[in] stream  a stream; null for the default stream of the current context, on A2 and newer chips
 * @param[in] mode    ACL_CONTINUE_ON_FAILURE (0) or ACL_STOP_ON_FAILURE (1)
 * @retval ACL_SUCCESS                       0: set
 * @retval ACL_ERROR_RT_PARAM_INVALID        107000: `mode` is neither, or the stream had its mode set before
 * @retval ACL_ERROR_RT_CONTEXT_NULL         107002: the thread has no context
 * @retval ACL_ERROR_RT_INVALID_HANDLE       107017: destroyed, or no stream
 * @retval ACL_ERROR_RT_FEATURE_NOT_SUPPORT  207000: a default stream, on an older chip
 */
ACL_FUNC_VISIBILITY aclError aclrtSetStreamFailureMode(aclrtStream stream, uint64_t mode);

/**
 * Turns the detection of overflows in a stream on or off. It means something where overflows saturate, and only there.
 *
 * @param[in] stream  a stream; null for the default stream of the current context
 * @param[in] flag    1 on, 0 off
 * @retval ACL_SUCCESS                       0: set
 * @retval ACL_ERROR_INVALID_PARAM           100000: `flag` is neither
 * @retval ACL_ERROR_RT_CONTEXT_NULL         107002: the thread has no context
 * @retval ACL_ERROR_RT_INVALID_HANDLE       107017: destroyed, or no stream
 * @retval ACL_ERROR_RT_FEATURE_NOT_SUPPORT  207000: on, while overflows saturate: they are not detected here
 */
ACL_FUNC_VISIBILITY aclError aclrtSetStreamOverflowSwitch(aclrtStream stream, uint32_t flag);

/**
 * Tells whether the detection of overflows in a stream is on.
 *
 * @param[in]  stream  a stream; null for the default stream of the current context
 * @param[out] flag    receives 1 or 0
 * @retval ACL_SUCCESS                  0: written
 * @retval ACL_ERROR_INVALID_PARAM      100000: `flag` is null
 * @retval ACL_ERROR_RT_CONTEXT_NULL    107002: the thread has no context
 * @retval ACL_ERROR_RT_INVALID_HANDLE  107017: destroyed, or no stream
 */
ACL_FUNC_VISIBILITY aclError aclrtGetStreamOverflowSwitch(aclrtStream stream, uint32_t *flag);

/** Attributes of a stream; each has its member in aclrtStreamAttrValue. */
typedef enum aclrtStreamAttr {
	ACL_STREAM_ATTR_FAILURE_MODE = 1,
	ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK = 2,
	ACL_STREAM_ATTR_USER_CUSTOM_TAG = 3,
	ACL_STREAM_ATTR_CACHE_OP_INFO = 4,
	ACL_STREAM_ATTR_PRIORITY = 5
} aclrtStreamAttr;

/** Value of a stream attribute. */
typedef union aclrtStreamAttrValue {
	uint64_t failureMode;
	uint32_t overflowSwitch;
	uint32_t userCustomTag;
	uint32_t cacheOpInfoSwitch;
	uint32_t streamPriority;
	uint32_t reserve[4];
} aclrtStreamAttrValue;

/**
 * Sets an attribute of a stream. The custom tag and the cache switch are kept and mean nothing here.
 *
 * @param[in] stream       a stream; null for the default stream of the current context
 * @param[in] stmAttrType  the attribute
 * @param[in] value        its value, in the member for it; only read
 * @retval ACL_SUCCESS                       0: set
 * @retval ACL_ERROR_INVALID_PARAM           100000: `value` is null, `stmAttrType` is none of the five, or the
 *                                           overflow switch is neither 0 nor 1
 * @retval ACL_ERROR_RT_PARAM_INVALID        107000: the value is out of range; the failure mode can be set once
 * @retval ACL_ERROR_RT_CONTEXT_NULL         107002: the thread has no context
 * @retval ACL_ERROR_RT_INVALID_HANDLE       107017: destroyed, or no stream
 * @retval ACL_ERROR_RT_FEATURE_NOT_SUPPORT  207000: see the functions for failure mode and overflow switch
 */
ACL_FUNC_VISIBILITY aclError aclrtSetStreamAttribute(aclrtStream stream, aclrtStreamAttr stmAttrType,
                                                     aclrtStreamAttrValue *value);

/**
 * Reads an attribute of a stream.
 *
 * @param[in]  stream       a stream; null for the default stream of the current context
 * @param[in]  stmAttrType  the attribute
 * @param[out] value        receives the value, in the member for it
 * @retval ACL_SUCCESS                  0: written
 * @retval ACL_ERROR_INVALID_PARAM      100000: `value` is null, or `stmAttrType` is none of the five
 * @retval ACL_ERROR_RT_CONTEXT_NULL    107002: the thread has no context
 * @retval ACL_ERROR_RT_INVALID_HANDLE  107017: destroyed, or no stream
 */
ACL_FUNC_VISIBILITY aclError aclrtGetStreamAttribute(aclrtStream stream, aclrtStreamAttr stmAttrType,
                                                     aclrtStreamAttrValue *value);

/**
 * Drops the work that waits in a stream; whoever synchronises it is sent away with 107023.
 *
 * What runs already runs to its end. The stream can be used again afterwards.
 *
 * @param[in] stream  a stream of the current context; null for its default stream
 * @retval ACL_SUCCESS                  0: dropped
 * @retval ACL_ERROR_RT_CONTEXT_NULL    107002: the thread has no context
 * @retval ACL_ERROR_RT_STREAM_CONTEXT  107003: the stream belongs to another context
 * @retval ACL_ERROR_RT_INVALID_HANDLE  107017: destroyed, or no stream
 */
ACL_FUNC_VISIBILITY aclError aclrtStreamAbort(aclrtStream stream);

/** The moment in a stream's life at which an aclrtStreamStateCallback is called. */
typedef enum aclrtStreamState {
	ACL_RT_STREAM_STATE_CREATE_POST = 1,
	ACL_RT_STREAM_STATE_DESTROY_PRE = 2
} aclrtStreamState;

/** Runs after a stream was made and before it is destroyed. */
typedef void (*aclrtStreamStateCallback)(aclrtStream stream, aclrtStreamState state, void *args);

/**
 * Wants a function called after a stream was made and before it is destroyed. Thread-safe.
 *
 * @param[in] regName   a name; a function that was registered by it before is replaced
 * @param[in] callback  the function, called on the thread that makes or destroys; null takes the one of that name away
 * @param[in] args      handed to the function
 * @retval ACL_SUCCESS                 0: registered, or taken away
 * @retval ACL_ERROR_INVALID_PARAM     100000: `regName` is null
 * @retval ACL_ERROR_RT_PARAM_INVALID  107000: nothing of that name can be taken away
 */
ACL_FUNC_VISIBILITY aclError aclrtRegStreamStateCallback(const char *regName, aclrtStreamStateCallback callback,
                                                         void *args);

/* ==== Event ==== */

#define ACL_EVENT_SYNC                    0x00000001U /**< streams can wait for it */
#define ACL_EVENT_CAPTURE_STREAM_PROGRESS 0x00000002U /**< can be asked whether it was reached */
#define ACL_EVENT_TIME_LINE               0x00000008U /**< takes the time */
#define ACL_EVENT_DEVICE_USE_ONLY         0x00000010U /**< used by the device only */
#define ACL_EVENT_EXTERNAL                0x00000020U /**< reaches out of a captured graph */
#define ACL_EVENT_IPC                     0x00000040U /**< shared between processes */

#define ACL_EVENT_RECORD_DEFAULT  0x00000000U
#define ACL_EVENT_RECORD_EXTERNAL 0x00000001U
#define ACL_EVENT_WAIT_DEFAULT    0x00000000U
#define ACL_EVENT_WAIT_EXTERNAL   0x00000001U

/**
 * Makes an event of the older family: for order, progress and time; it can be reset.
 *
 * @param[out] event  receives the event; freed with aclrtDestroyEvent()
 * @retval ACL_SUCCESS                     0: made
 * @retval ACL_ERROR_INVALID_PARAM         100000: `event` is null
 * @retval ACL_ERROR_RT_CONTEXT_NULL       107002: the thread has no context
 * @retval ACL_ERROR_RT_NO_EVENT_RESOURCE  207007: no more events
 */
ACL_FUNC_VISIBILITY aclError aclrtCreateEvent(aclrtEvent *event);

/**
 * Makes an event of the older family for given uses.
 *
 * @param[out] event  receives the event; freed with aclrtDestroyEvent()
 * @param[in]  flag   ACL_EVENT_SYNC, ACL_EVENT_CAPTURE_STREAM_PROGRESS and ACL_EVENT_TIME_LINE in any mix, or
 *                    ACL_EVENT_DEVICE_USE_ONLY or ACL_EVENT_EXTERNAL alone
 * @retval ACL_SUCCESS                     0: made
 * @retval ACL_ERROR_INVALID_PARAM         100000: `event` is null
 * @retval ACL_ERROR_RT_PARAM_INVALID      107000: `flag` is 0 or no such mix
 * @retval ACL_ERROR_RT_CONTEXT_NULL       107002: the thread has no context
 * @retval ACL_ERROR_RT_NO_EVENT_RESOURCE  207007: no more events
 */
ACL_FUNC_VISIBILITY aclError aclrtCreateEventWithFlag(aclrtEvent *event, uint32_t flag);

/**
 * Makes an event of the newer family: recorded as often as wanted, never reset; a wait is for the latest record.
 *
 * @param[out] event  receives the event; freed with aclrtDestroyEvent()
 * @param[in]  flag   ACL_EVENT_SYNC, ACL_EVENT_CAPTURE_STREAM_PROGRESS and ACL_EVENT_TIME_LINE in any mix
 * @retval ACL_SUCCESS                       0: made
 * @retval ACL_ERROR_INVALID_PARAM           100000: `event` is null
 * @retval ACL_ERROR_RT_PARAM_INVALID        107000: `flag` is 0 or no such mix
 * @retval ACL_ERROR_RT_CONTEXT_NULL         107002: the thread has no context
 * @retval ACL_ERROR_RT_FEATURE_NOT_SUPPORT  207000: ACL_EVENT_IPC alone, which is correct: not emulated
 * @retval ACL_ERROR_RT_NO_EVENT_RESOURCE    207007: no more events
 */
ACL_FUNC_VISIBILITY aclError aclrtCreateEventExWithFlag(aclrtEvent *event, uint32_t flag);

/**
 * Frees an event. Records and waits that are queued take place nevertheless. Thread-safe; needs no context.
 *
 * @param[in] event  an event
 * @retval ACL_SUCCESS                  0: freed
 * @retval ACL_ERROR_INVALID_PARAM      100000: `event` is null
 * @retval ACL_ERROR_RT_INVALID_HANDLE  107017: destroyed, or no event
 */
ACL_FUNC_VISIBILITY aclError aclrtDestroyEvent(aclrtEvent event);

/**
 * Puts a mark behind the work that is in a stream by now; the event shows that mark from now on.
 *
 * @param[in] event   an event
 * @param[in] stream  a stream of the current context; null for its default stream
 * @retval ACL_SUCCESS                    0: queued
 * @retval ACL_ERROR_INVALID_PARAM        100000: `event` is null
 * @retval ACL_ERROR_RT_CONTEXT_NULL      107002: the thread has no context
 * @retval ACL_ERROR_RT_STREAM_CONTEXT    107003: the stream belongs to another context
 * @retval ACL_ERROR_RT_INVALID_HANDLE    107017: event or stream destroyed, or none
 * @retval ACL_ERROR_RT_AICORE_EXCEPTION  507015, or another 507xxx: an earlier failure stopped the context
 */
ACL_FUNC_VISIBILITY aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream);

/**
 * As aclrtRecordEvent(), with a flag for captured streams, of which there are none here.
 *
 * @param[in] event   an event
 * @param[in] stream  a stream of the current context; null for its default stream
 * @param[in] flag    ACL_EVENT_RECORD_DEFAULT (0) or ACL_EVENT_RECORD_EXTERNAL (1)
 * @retval ACL_SUCCESS                       0: queued
 * @retval ACL_ERROR_INVALID_PARAM           100000: `event` is null, or `flag` is neither
 * @retval ACL_ERROR_RT_CONTEXT_NULL         107002: the thread has no context
 * @retval ACL_ERROR_RT_STREAM_CONTEXT       107003: the stream belongs to another context
 * @retval ACL_ERROR_RT_INVALID_HANDLE       107017: event or stream destroyed, or none
 * @retval ACL_ERROR_RT_STREAM_NOT_CAPTURED  107029: external, but the stream is not being captured
 * @retval ACL_ERROR_RT_AICORE_EXCEPTION     507015, or another 507xxx: an earlier failure stopped the context
 */
ACL_FUNC_VISIBILITY aclError aclrtRecordEventWithFlag(aclrtEvent event, aclrtStream stream, uint32_t flag);

/**
 * Sets an event of the older family back, when a stream comes to it. A record that is queued later is not affected.
 *
 * @param[in] event   an event
 * @param[in] stream  a stream of the current context; null for its default stream
 * @retval ACL_SUCCESS                       0: queued
 * @retval ACL_ERROR_INVALID_PARAM           100000: `event` is null
 * @retval ACL_ERROR_RT_CONTEXT_NULL         107002: the thread has no context
 * @retval ACL_ERROR_RT_STREAM_CONTEXT       107003: the stream belongs to another context
 * @retval ACL_ERROR_RT_INVALID_HANDLE       107017: event or stream destroyed, or none
 * @retval ACL_ERROR_RT_FEATURE_NOT_SUPPORT  207000: an event of the newer family
 * @retval ACL_ERROR_RT_AICORE_EXCEPTION     507015, or another 507xxx: an earlier failure stopped the context
 */
ACL_FUNC_VISIBILITY aclError aclrtResetEvent(aclrtEvent event, aclrtStream stream);

/**
 * Lets the later work of a stream wait for the latest record of an event. The host does not wait.
 *
 * Nothing happens if the mark is reached already or lies in the same stream, or if an event of the newer family was
 * never recorded. The limit of aclrtSetOpWaitTimeout() holds; a wait that takes longer fails with 107019.
 *
 * @param[in] stream  a stream of the current context; null for its default stream
 * @param[in] event   an event, of any context
 * @retval ACL_SUCCESS                       0: queued, or nothing to wait for
 * @retval ACL_ERROR_INVALID_PARAM           100000: `event` is null
 * @retval ACL_ERROR_RT_PARAM_INVALID        107000: an event of the older family that was never recorded,
 *                                           or not since its reset
 * @retval ACL_ERROR_RT_CONTEXT_NULL         107002: the thread has no context
 * @retval ACL_ERROR_RT_STREAM_CONTEXT       107003: the stream belongs to another context
 * @retval ACL_ERROR_RT_INVALID_HANDLE       107017: event or stream destroyed, or none
 * @retval ACL_ERROR_RT_FEATURE_NOT_SUPPORT  207000: the event was made without ACL_EVENT_SYNC
 * @retval ACL_ERROR_RT_AICORE_EXCEPTION     507015, or another 507xxx: an earlier failure stopped the context
 */
ACL_FUNC_VISIBILITY aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event);

/**
 * As aclrtStreamWaitEvent(), with a limit of its own. A wait that takes longer fails with 107019.
 *
 * @param[in] stream   a stream of the current context; null for its default stream
 * @param[in] event    an event, of any context
 * @param[in] timeout  seconds; 0 for no limit
 * @retval ACL_SUCCESS                       0: queued, or nothing to wait for
 * @retval ACL_ERROR_RT_PARAM_INVALID        107000: `event` is null, `timeout` is negative, or as above
 * @retval ACL_ERROR_RT_CONTEXT_NULL         107002: the thread has no context
 * @retval ACL_ERROR_RT_STREAM_CONTEXT       107003: the stream belongs to another context
 * @retval ACL_ERROR_RT_INVALID_HANDLE       107017: event or stream destroyed, or none
 * @retval ACL_ERROR_RT_FEATURE_NOT_SUPPORT  207000: the event was made without ACL_EVENT_SYNC
 * @retval ACL_ERROR_RT_AICORE_EXCEPTION     507015, or another 507xxx: an earlier failure stopped the context
 */
ACL_FUNC_VISIBILITY aclError aclrtStreamWaitEventWithTimeout(aclrtStream stream, aclrtEvent event, int32_t timeout);

/**
 * As aclrtStreamWaitEventWithTimeout(), with a flag for captured streams, of which there are none here.
 *
 * @param[in] stream   a stream of the current context; null for its default stream
 * @param[in] event    an event, of any context
 * @param[in] timeout  seconds; 0 for no limit
 * @param[in] flag     ACL_EVENT_WAIT_DEFAULT (0) or ACL_EVENT_WAIT_EXTERNAL (1)
 * @retval ACL_SUCCESS                       0: queued, or nothing to wait for
 * @retval ACL_ERROR_INVALID_PARAM           100000: `event` is null, `flag` is neither, or external with a limit
 * @retval ACL_ERROR_RT_PARAM_INVALID        107000: as for aclrtStreamWaitEvent()
 * @retval ACL_ERROR_RT_CONTEXT_NULL         107002: the thread has no context
 * @retval ACL_ERROR_RT_STREAM_CONTEXT       107003: the stream belongs to another context
 * @retval ACL_ERROR_RT_INVALID_HANDLE       107017: event or stream destroyed, or none
 * @retval ACL_ERROR_RT_STREAM_NOT_CAPTURED  107029: external, but the stream is not being captured
 * @retval ACL_ERROR_RT_FEATURE_NOT_SUPPORT  207000: the event was made without ACL_EVENT_SYNC
 * @retval ACL_ERROR_RT_AICORE_EXCEPTION     507015, or another 507xxx: an earlier failure stopped the context
 */
ACL_FUNC_VISIBILITY aclError aclrtStreamWaitEventWithFlag(aclrtStream stream, aclrtEvent event, uint32_t timeout,
                                                          uint32_t flag);

/** Has the work before an event's latest record finished? */
typedef enum aclrtEventRecordedStatus {
	ACL_EVENT_RECORDED_STATUS_NOT_READY = 0,
	ACL_EVENT_RECORDED_STATUS_COMPLETE = 1
} aclrtEventRecordedStatus;

/**
 * Tells whether a stream has come to the latest record of an event. Thread-safe; needs no context.
 *
 * @param[in]  event   an event
 * @param[out] status  receives ACL_EVENT_RECORDED_STATUS_COMPLETE (1) or ACL_EVENT_RECORDED_STATUS_NOT_READY (0); if
 *                     the event was never recorded, 1 for the newer family and 0 for the older
 * @retval ACL_SUCCESS                  0: written
 * @retval ACL_ERROR_INVALID_PARAM      100000: a pointer is null
 * @retval ACL_ERROR_RT_INVALID_HANDLE  107017: destroyed, or no event
 */
ACL_FUNC_VISIBILITY aclError aclrtQueryEventStatus(aclrtEvent event, aclrtEventRecordedStatus *status);

/** Deprecated event state; the opposite encoding of aclrtEventRecordedStatus. */
typedef enum aclrtEventStatus {
	ACL_EVENT_STATUS_COMPLETE = 0,
	ACL_EVENT_STATUS_NOT_READY = 1,
	ACL_EVENT_STATUS_RESERVED = 2
} aclrtEventStatus;

/**
 * The same for events of the older family, in the opposite encoding. Thread-safe; needs no context.
 *
 * @deprecated aclrtQueryEventStatus() knows both families.
 * @param[in]  event   an event
 * @param[out] status  receives ACL_EVENT_STATUS_COMPLETE (0), also if it was never recorded, or
 *                     ACL_EVENT_STATUS_NOT_READY (1)
 * @retval ACL_SUCCESS                       0: written
 * @retval ACL_ERROR_INVALID_PARAM           100000: a pointer is null
 * @retval ACL_ERROR_RT_INVALID_HANDLE       107017: destroyed, or no event
 * @retval ACL_ERROR_RT_FEATURE_NOT_SUPPORT  207000: an event of the newer family
 */
ACL_FUNC_VISIBILITY ACL_DEPRECATED_MESSAGE("call aclrtQueryEventStatus instead")
aclError aclrtQueryEvent(aclrtEvent event, aclrtEventStatus *status);

/** Have all waits on an event been passed? */
typedef enum aclrtEventWaitStatus {
	ACL_EVENT_WAIT_STATUS_COMPLETE = 0,
	ACL_EVENT_WAIT_STATUS_NOT_READY = 1,
	ACL_EVENT_WAIT_STATUS_RESERVED = 0xffff
} aclrtEventWaitStatus;

/**
 * Tells whether all streams have passed their waits for an event of the older family. Thread-safe; needs no context.
 *
 * @param[in]  event   an event
 * @param[out] status  receives ACL_EVENT_WAIT_STATUS_COMPLETE (0) or ACL_EVENT_WAIT_STATUS_NOT_READY (1)
 * @retval ACL_SUCCESS                       0: written
 * @retval ACL_ERROR_INVALID_PARAM           100000: a pointer is null
 * @retval ACL_ERROR_RT_INVALID_HANDLE       107017: destroyed, or no event
 * @retval ACL_ERROR_RT_FEATURE_NOT_SUPPORT  207000: an event of the newer family
 */
ACL_FUNC_VISIBILITY aclError aclrtQueryEventWaitStatus(aclrtEvent event, aclrtEventWaitStatus *status);

/**
 * Waits until a stream has come to the latest record of an event. Thread-safe; needs no context.
 *
 * @param[in] event  an event; one that was never recorded is not waited for
 * @retval ACL_SUCCESS                    0: reached
 * @retval ACL_ERROR_INVALID_PARAM        100000: `event` is null
 * @retval ACL_ERROR_RT_PARAM_INVALID     107000: called by a function that runs in that stream before the record
 * @retval ACL_ERROR_RT_INVALID_HANDLE    107017: destroyed, or no event
 * @retval ACL_ERROR_RT_STREAM_ABORT      107023: never reached: the stream was aborted, or destroyed by force
 * @retval ACL_ERROR_RT_AICORE_EXCEPTION  507015, or another 507xxx: something in that stream failed; reported once
 */
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeEvent(aclrtEvent event);

/**
 * As aclrtSynchronizeEvent(), but not longer than a given time.
 *
 * @param[in] event    an event; one that was never recorded is not waited for
 * @param[in] timeout  milliseconds, at least 1; -1 waits for ever
 * @retval ACL_SUCCESS                      0: reached
 * @retval ACL_ERROR_INVALID_PARAM          100000: `event` is null
 * @retval ACL_ERROR_RT_PARAM_INVALID       107000: `timeout` is 0 or less than -1, or as above
 * @retval ACL_ERROR_RT_INVALID_HANDLE      107017: destroyed, or no event
 * @retval ACL_ERROR_RT_STREAM_ABORT        107023: never reached: the stream was aborted, or destroyed by force
 * @retval ACL_ERROR_RT_EVENT_SYNC_TIMEOUT  507047: the time is over; the work goes on
 * @retval ACL_ERROR_RT_AICORE_EXCEPTION    507015, or another 507xxx: something in that stream failed; reported once
 */
ACL_FUNC_VISIBILITY aclError aclrtSynchronizeEventWithTimeout(aclrtEvent event, int32_t timeout);

/**
 * Time between two events in milliseconds, on the clock of this host. Thread-safe; needs no context.
 *
 * @param[out] ms          receives the end minus the start; may be negative
 * @param[in]  startEvent  an event made with ACL_EVENT_TIME_LINE, and reached
 * @param[in]  endEvent    likewise
 * @retval ACL_SUCCESS                           0: written
 * @retval ACL_ERROR_INVALID_PARAM               100000: a pointer is null
 * @retval ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID  107006: an event is not reached yet, or takes no time
 * @retval ACL_ERROR_RT_INVALID_HANDLE           107017: destroyed, or no event
 * @retval ACL_ERROR_RT_INTERNAL_ERROR           507000: an event was never recorded
 */
ACL_FUNC_VISIBILITY aclError aclrtEventElapsedTime(float *ms, aclrtEvent startEvent, aclrtEvent endEvent);

/**
 * Time at which a stream came to the latest record of an event, from an arbitrary start. Thread-safe; needs no context.
 *
 * @param[in]  event      an event made with ACL_EVENT_TIME_LINE, and reached
 * @param[out] timestamp  receives microseconds
 * @retval ACL_SUCCESS                           0: written
 * @retval ACL_ERROR_INVALID_PARAM               100000: a pointer is null
 * @retval ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID  107006: the event is not reached yet, or takes no time
 * @retval ACL_ERROR_RT_INVALID_HANDLE           107017: destroyed, or no event
 * @retval ACL_ERROR_RT_INTERNAL_ERROR           507000: the event was never recorded
 */
ACL_FUNC_VISIBILITY aclError aclrtEventGetTimestamp(aclrtEvent event, uint64_t *timestamp);

/**
 * Number of an event; no other event of the process has it. Thread-safe; needs no context.
 *
 * @param[in]  event    an event
 * @param[out] eventId  receives the number
 * @retval ACL_SUCCESS                  0: written
 * @retval ACL_ERROR_INVALID_PARAM      100000: a pointer is null
 * @retval ACL_ERROR_RT_INVALID_HANDLE  107017: destroyed, or no event
 */
ACL_FUNC_VISIBILITY aclError aclrtGetEventId(aclrtEvent event, uint32_t *eventId);

/**
 * Tells how many more events the current context's device can have.
 *
 * @param[out] eventCount  receives the number
 * @retval ACL_SUCCESS                0: written
 * @retval ACL_ERROR_INVALID_PARAM    100000: `eventCount` is null
 * @retval ACL_ERROR_RT_CONTEXT_NULL  107002: the thread has no context
 */
ACL_FUNC_VISIBILITY aclError aclrtGetEventAvailNum(uint32_t *eventCount);

/**
 * Limits how long streams wait for events, in waits that are queued from now on. Thread-safe; needs no context.
 *
 * @param[in] timeout  seconds; 0, as at the start, for no limit
 * @retval ACL_SUCCESS  0: set
 */
ACL_FUNC_VISIBILITY aclError aclrtSetOpWaitTimeout(uint32_t timeout);

/* ==== Functions of the host in a stream: one of two styles for each stream ==== */

/** Runs in a stream, on a thread of the runtime; must not wait for that stream. */
typedef void (*aclrtHostFunc)(void *args);

/**
 * Queues a function of the host, on a thread of the runtime. The stream goes on when it has returned.
 *
 * The context of the stream is current in the function. It may call the runtime, but what would wait for its own stream
 * fails with 107000.
 *
 * @param[in] stream  a stream of the current context; null for its default stream
 * @param[in] fn      the function
 * @param[in] args    handed to the function
 * @retval ACL_SUCCESS                    0: queued
 * @retval ACL_ERROR_RT_PARAM_INVALID     107000: `fn` is null
 * @retval ACL_ERROR_RT_CONTEXT_NULL      107002: the thread has no context
 * @retval ACL_ERROR_RT_STREAM_CONTEXT    107003: the stream belongs to another context
 * @retval ACL_ERROR_RT_STREAM_SUBSCRIBE  107011: the stream has the other style: it is subscribed
 * @retval ACL_ERROR_RT_INVALID_HANDLE    107017: destroyed, or no stream
 * @retval ACL_ERROR_RT_AICORE_EXCEPTION  507015, or another 507xxx: an earlier failure stopped the context
 */
ACL_FUNC_VISIBILITY aclError aclrtLaunchHostFunc(aclrtStream stream, aclrtHostFunc fn, void *args);

/** Runs in a stream, on a thread of the runtime. */
typedef void (*aclrtCallback)(void *userData);

/** Does a callback in a stream hold up the work behind it? */
typedef enum aclrtCallbackBlockType {
	ACL_CALLBACK_NO_BLOCK = 0,
	ACL_CALLBACK_BLOCK = 1
} aclrtCallbackBlockType;

/**
 * Lets a thread serve a stream: it runs the callbacks of the stream in aclrtProcessReport().
 *
 * @param[in] threadId  the thread, as pthread_self() calls it
 * @param[in] stream    a stream of the current context; null for its default stream
 * @retval ACL_SUCCESS                    0: subscribed
 * @retval ACL_ERROR_RT_CONTEXT_NULL      107002: the thread has no context
 * @retval ACL_ERROR_RT_STREAM_CONTEXT    107003: the stream belongs to another context
 * @retval ACL_ERROR_RT_STREAM_SUBSCRIBE  107011: the stream is subscribed already, or has the other style
 * @retval ACL_ERROR_RT_THREAD_SUBSCRIBE  107012: the thread serves streams of another device
 * @retval ACL_ERROR_RT_INVALID_HANDLE    107017: destroyed, or no stream
 */
ACL_FUNC_VISIBILITY aclError aclrtSubscribeReport(uint64_t threadId, aclrtStream stream);

/**
 * Queues a callback for the thread that serves the stream.
 *
 * @param[in] fn         the function
 * @param[in] userData   handed to the function
 * @param[in] blockType  does the stream wait until it has returned?
 * @param[in] stream     a stream of the current context; null for its default stream
 * @retval ACL_SUCCESS                    0: queued
 * @retval ACL_ERROR_INVALID_PARAM        100000: `blockType` is no such type
 * @retval ACL_ERROR_RT_PARAM_INVALID     107000: `fn` is null
 * @retval ACL_ERROR_RT_CONTEXT_NULL      107002: the thread has no context
 * @retval ACL_ERROR_RT_STREAM_CONTEXT    107003: the stream belongs to another context
 * @retval ACL_ERROR_RT_STREAM_SUBSCRIBE  107011: the stream has the other style
 * @retval ACL_ERROR_RT_STREAM_NO_CB_REG  107015: the stream is not subscribed
 * @retval ACL_ERROR_RT_INVALID_HANDLE    107017: destroyed, or no stream
 * @retval ACL_ERROR_RT_AICORE_EXCEPTION  507015, or another 507xxx: an earlier failure stopped the context
 */
ACL_FUNC_VISIBILITY aclError aclrtLaunchCallback(aclrtCallback fn, void *userData, aclrtCallbackBlockType blockType,
                                                 aclrtStream stream);

/**
 * Runs the next callback of the streams that the calling thread serves, waiting for one.
 *
 * @param[in] timeout  milliseconds, at least 1; -1 waits for ever
 * @retval ACL_SUCCESS                    0: one has run
 * @retval ACL_ERROR_INVALID_PARAM        100000: `timeout` is 0 or less than -1
 * @retval ACL_ERROR_RT_THREAD_SUBSCRIBE  107012: the thread serves no stream
 * @retval ACL_ERROR_RT_REPORT_TIMEOUT    507012: none came in time
 */
ACL_FUNC_VISIBILITY aclError aclrtProcessReport(int32_t timeout);

/**
 * Ends a thread's service of a stream. Callbacks that the stream came to and the thread did not run are dropped.
 *
 * @param[in] threadId  as subscribed
 * @param[in] stream    as subscribed
 * @retval ACL_SUCCESS                    0: nobody serves the stream any more
 * @retval ACL_ERROR_RT_CONTEXT_NULL      107002: the thread has no context
 * @retval ACL_ERROR_RT_STREAM_CONTEXT    107003: the stream belongs to another context
 * @retval ACL_ERROR_RT_THREAD_SUBSCRIBE  107012: another thread serves the stream
 * @retval ACL_ERROR_RT_STREAM_NO_CB_REG  107015: nobody serves the stream
 * @retval ACL_ERROR_RT_INVALID_HANDLE    107017: destroyed, or no stream
 */
ACL_FUNC_VISIBILITY aclError aclrtUnSubscribeReport(uint64_t threadId, aclrtStream stream);

/* ==== Failures, and what an overflow is ==== */

/** Scope of the last-error query. */
typedef enum aclrtLastErrLevel {
	ACL_RT_THREAD_LEVEL = 0
} aclrtLastErrLevel;

/**
 * Gives the status of the calling thread's last failure in the layer below the outer checks, and forgets it.
 *
 * Statuses 107xxx, 207xxx and 507xxx count. The 107002 of aclrtGetDevice() does not.
 *
 * @param[in] level  ACL_RT_THREAD_LEVEL (0)
 * @retval ACL_SUCCESS                 0: nothing failed
 * @retval ACL_ERROR_INVALID_PARAM     100000: `level` is no level
 * @retval ACL_ERROR_RT_PARAM_INVALID  107000, or another: what failed
 */
ACL_FUNC_VISIBILITY aclError aclrtGetLastError(aclrtLastErrLevel level);

/**
 * Gives the status of the calling thread's last failure in the layer below the outer checks, and keeps it.
 *
 * Statuses 107xxx, 207xxx and 507xxx count. The 107002 of aclrtGetDevice() does not.
 *
 * @param[in] level  ACL_RT_THREAD_LEVEL (0)
 * @retval ACL_SUCCESS                 0: nothing failed
 * @retval ACL_ERROR_INVALID_PARAM     100000: `level` is no level
 * @retval ACL_ERROR_RT_PARAM_INVALID  107000, or another: what failed
 */
ACL_FUNC_VISIBILITY aclError aclrtPeekAtLastError(aclrtLastErrLevel level);

typedef struct rtExceptionInfo aclrtExceptionInfo;

/** Runs once for every task that fails, on a thread of the runtime. */
typedef void (*aclrtExceptionInfoCallback)(aclrtExceptionInfo *exceptionInfo);

/**
 * Wants one function called for every task that fails, in place of the one that was set before. Thread-safe.
 *
 * @deprecated aclrtExceptionInfoCallbackRegister() takes several.
 * @param[in] callback  the function; null for none
 * @retval ACL_SUCCESS  0: set
 */
ACL_FUNC_VISIBILITY ACL_DEPRECATED_MESSAGE("call aclrtExceptionInfoCallbackRegister instead")
aclError aclrtSetExceptionInfoCallback(aclrtExceptionInfoCallback callback);

/**
 * Wants a function called once for every task that fails, before the failure can be synchronised. Thread-safe.
 *
 * @param[in] callback  the function; registered twice it is called once
 * @retval ACL_SUCCESS                 0: registered
 * @retval ACL_ERROR_RT_PARAM_INVALID  107000: `callback` is null
 */
ACL_FUNC_VISIBILITY aclError aclrtExceptionInfoCallbackRegister(aclrtExceptionInfoCallback callback);

/**
 * Takes back aclrtExceptionInfoCallbackRegister(). Thread-safe.
 *
 * @param[in] callback  the function
 * @retval ACL_SUCCESS                 0: it is not called any more
 * @retval ACL_ERROR_RT_PARAM_INVALID  107000: `callback` is null, or not registered
 */
ACL_FUNC_VISIBILITY aclError aclrtExceptionInfoCallbackUnregister(aclrtExceptionInfoCallback callback);

/**
 * For functions that are told of a failure.
 *
 * @param[in] info  what the function was given
 * @return the number of the task that failed, in its stream; 0xFFFFFFFF if `info` is null
 */
ACL_FUNC_VISIBILITY uint32_t aclrtGetTaskIdFromExceptionInfo(const aclrtExceptionInfo *info);

/**
 * For functions that are told of a failure.
 *
 * @param[in] info  what the function was given
 * @return the number of the stream; 0xFFFFFFFF if `info` is null
 */
ACL_FUNC_VISIBILITY uint32_t aclrtGetStreamIdFromExceptionInfo(const aclrtExceptionInfo *info);

/**
 * For functions that are told of a failure.
 *
 * @param[in] info  what the function was given
 * @return the number of the thread that queued the task, as the kernel counts them; 0xFFFFFFFF if `info` is null
 */
ACL_FUNC_VISIBILITY uint32_t aclrtGetThreadIdFromExceptionInfo(const aclrtExceptionInfo *info);

/**
 * For functions that are told of a failure.
 *
 * @param[in] info  what the function was given
 * @return the number of the device; 0xFFFFFFFF if `info` is null
 */
ACL_FUNC_VISIBILITY uint32_t aclrtGetDeviceIdFromExceptionInfo(const aclrtExceptionInfo *info);

/**
 * For functions that are told of a failure.
 *
 * @param[in] info  what the function was given
 * @return the status that synchronising will return; 0xFFFFFFFF if `info` is null
 */
ACL_FUNC_VISIBILITY uint32_t aclrtGetErrorCodeFromExceptionInfo(const aclrtExceptionInfo *info);

/**
 * Number of the task that the calling thread queued last, in its stream; 0 before the first.
 *
 * @param[out] taskId  receives the number
 * @retval ACL_SUCCESS              0: written
 * @retval ACL_ERROR_INVALID_PARAM  100000: `taskId` is null
 */
ACL_FUNC_VISIBILITY aclError aclrtGetThreadLastTaskId(uint32_t *taskId);

/** Class of a device fault. */
typedef enum aclrtErrorType {
	ACL_RT_NO_ERROR = 0,
	ACL_RT_ERROR_MEMORY = 1,
	ACL_RT_ERROR_L2 = 2,
	ACL_RT_ERROR_AICORE = 3,
	ACL_RT_ERROR_LINK = 4,
	ACL_RT_ERROR_L3_PORT = 5,
	ACL_RT_ERROR_OTHERS = 0xffff
} aclrtErrorType;

/** Origin of an AI core fault. */
typedef enum aclrtAicoreErrorType {
	ACL_RT_AICORE_ERROR_UNKNOWN = 0,
	ACL_RT_AICORE_ERROR_SW = 1,
	ACL_RT_AICORE_ERROR_HW_LOCAL = 2
} aclrtAicoreErrorType;

/** A range of device memory with an uncorrectable error. */
typedef struct aclrtMemUceInfo {
	void *addr;
	size_t len; /**< bytes */
	size_t reserved[14];
} aclrtMemUceInfo;

/** Up to 20 such ranges. */
typedef struct aclrtMemUceInfoArray {
	size_t arraySize; /**< how many are valid */
	aclrtMemUceInfo repairInfo[20];
} aclrtMemUceInfoArray;

/** Details of a fault: the first member for ACL_RT_ERROR_MEMORY, the second for ACL_RT_ERROR_AICORE. */
typedef union aclrtErrorInfoDetail {
	aclrtMemUceInfoArray uceInfo;
	aclrtAicoreErrorType aicoreErrType;
} aclrtErrorInfoDetail;

/** What is known of a device's fault. */
typedef struct aclrtErrorInfo {
	uint8_t tryRepair; /**< 1 if repairing it is worth a try */
	uint8_t hasDetail; /**< 1 if `detail` is filled in */
	uint8_t reserved[2];
	aclrtErrorType errorType;
	aclrtErrorInfoDetail detail;
} aclrtErrorInfo;

/**
 * Tells what is broken in a device. Nothing is ever broken here. Thread-safe; needs no context.
 *
 * @param[in]  deviceId   0 to the count of devices minus 1
 * @param[out] errorInfo  receives ACL_RT_NO_ERROR and no details
 * @retval ACL_SUCCESS                    0: written
 * @retval ACL_ERROR_INVALID_PARAM        100000: `errorInfo` is null
 * @retval ACL_ERROR_RT_INVALID_DEVICEID  107001: there is no such device
 */
ACL_FUNC_VISIBILITY aclError aclrtGetErrorVerbose(int32_t deviceId, aclrtErrorInfo *errorInfo);

/**
 * Repairs what is broken in a device. Nothing is ever broken here. Thread-safe; needs no context.
 *
 * @param[in] deviceId   0 to the count of devices minus 1
 * @param[in] errorInfo  what aclrtGetErrorVerbose() told; only read
 * @retval ACL_SUCCESS                    0: nothing to repair
 * @retval ACL_ERROR_INVALID_PARAM        100000: `errorInfo` is null
 * @retval ACL_ERROR_RT_INVALID_DEVICEID  107001: there is no such device
 * @retval ACL_ERROR_RT_PARAM_INVALID     107000: an error that this device does not have
 */
ACL_FUNC_VISIBILITY aclError aclrtRepairError(int32_t deviceId, const aclrtErrorInfo *errorInfo);

/**
 * Lists the memory of a device that has uncorrectable errors. None has, here. Thread-safe; needs no context.
 *
 * @param[in]  deviceId         0 to the count of devices minus 1
 * @param[out] memUceInfoArray  receives up to `arraySize` ranges
 * @param[in]  arraySize        entries of the array
 * @param[out] retSize          receives how many there are: 0
 * @retval ACL_SUCCESS                    0: written
 * @retval ACL_ERROR_INVALID_PARAM        100000: a pointer is null
 * @retval ACL_ERROR_RT_INVALID_DEVICEID  107001: there is no such device
 */
ACL_FUNC_VISIBILITY aclError aclrtGetMemUceInfo(int32_t deviceId, aclrtMemUceInfo *memUceInfoArray, size_t arraySize,
                                                size_t *retSize);

/**
 * Repairs memory with uncorrectable errors. There is none, here. Thread-safe; needs no context.
 *
 * @param[in] deviceId         0 to the count of devices minus 1
 * @param[in] memUceInfoArray  what aclrtGetMemUceInfo() listed; only read
 * @param[in] arraySize        entries of the array, at most 20
 * @retval ACL_SUCCESS                    0: nothing to repair
 * @retval ACL_ERROR_INVALID_PARAM        100000: `memUceInfoArray` is null, or `arraySize` exceeds 20
 * @retval ACL_ERROR_RT_INVALID_DEVICEID  107001: there is no such device
 * @retval ACL_ERROR_RT_PARAM_INVALID     107000: a range that has no error
 */
ACL_FUNC_VISIBILITY aclError aclrtMemUceRepair(int32_t deviceId, aclrtMemUceInfo *memUceInfoArray, size_t arraySize);

/** What a floating-point overflow turns into. */
typedef enum aclrtFloatOverflowMode {
	ACL_RT_OVERFLOW_MODE_SATURATION = 0, /**< the largest finite number */
	ACL_RT_OVERFLOW_MODE_INFNAN = 1,     /**< infinity or NaN */
	ACL_RT_OVERFLOW_MODE_UNDEF = 2
} aclrtFloatOverflowMode;

/**
 * Says what an overflow turns into. Kept, and told to who asks; the arithmetic does not follow. Thread-safe.
 *
 * @param[in] mode  ACL_RT_OVERFLOW_MODE_SATURATION (0) or ACL_RT_OVERFLOW_MODE_INFNAN (1)
 * @retval ACL_SUCCESS                 0: set for the process
 * @retval ACL_ERROR_RT_PARAM_INVALID  107000: `mode` is neither
 */
ACL_FUNC_VISIBILITY aclError aclrtSetDeviceSatMode(aclrtFloatOverflowMode mode);

/**
 * Tells what an overflow turns into: what was set, else ACL_RT_OVERFLOW_MODE_INFNAN since A2, saturation before.
 *
 * @param[out] mode  receives the mode
 * @retval ACL_SUCCESS              0: written
 * @retval ACL_ERROR_INVALID_PARAM  100000: `mode` is null
 */
ACL_FUNC_VISIBILITY aclError aclrtGetDeviceSatMode(aclrtFloatOverflowMode *mode);

/**
 * Says after what time an operator counts as hung.
 *
 * Operators are never cut off here: a processor may need longer than a device. Thread-safe; needs no context.
 *
 * @param[in] timeout  seconds; 0 for the default
 * @retval ACL_SUCCESS  0: kept
 */
ACL_FUNC_VISIBILITY aclError aclrtSetOpExecuteTimeOut(uint32_t timeout);

/**
 * As aclrtSetOpExecuteTimeOut(), in milliseconds.
 *
 * @param[in] timeout  milliseconds; 0 for the default
 * @retval ACL_SUCCESS  0: kept
 */
ACL_FUNC_VISIBILITY aclError aclrtSetOpExecuteTimeOutWithMs(uint32_t timeout);

/**
 * As aclrtSetOpExecuteTimeOut(), in microseconds.
 *
 * @param[in]  timeout        microseconds; 0 for the default
 * @param[out] actualTimeout  receives what holds now
 * @retval ACL_SUCCESS              0: kept
 * @retval ACL_ERROR_INVALID_PARAM  100000: `actualTimeout` is null
 */
ACL_FUNC_VISIBILITY aclError aclrtSetOpExecuteTimeOutV2(uint64_t timeout, uint64_t *actualTimeout);

/**
 * Tells after what time an operator counts as hung: by default 1091 s, on the first products 68 s. Thread-safe.
 *
 * @param[out] timeoutMs  receives milliseconds
 * @retval ACL_SUCCESS              0: written
 * @retval ACL_ERROR_INVALID_PARAM  100000: `timeoutMs` is null
 */
ACL_FUNC_VISIBILITY aclError aclrtGetOpExecuteTimeout(uint32_t *const timeoutMs);

/* ==== Memory ==== */

/**
 * Page size and placement that an allocation asks for; one value, or one value with ACL_MEM_TYPE_... bits.
 *
 * On a host without a device it makes no visible difference. Unknown values are accepted.
 */
typedef enum aclrtMemMallocPolicy {
	ACL_MEM_MALLOC_HUGE_FIRST = 0,      /**< huge pages above 1 MiB, else normal ones */
	ACL_MEM_MALLOC_HUGE_ONLY = 1,       /**< huge pages (2 MiB) or failure */
	ACL_MEM_MALLOC_NORMAL_ONLY = 2,     /**< normal pages (4 KiB) */
	ACL_MEM_MALLOC_HUGE_FIRST_P2P = 3,  /**< as 0, open to other devices */
	ACL_MEM_MALLOC_HUGE_ONLY_P2P = 4,   /**< as 1, open to other devices */
	ACL_MEM_MALLOC_NORMAL_ONLY_P2P = 5, /**< as 2, open to other devices */
	ACL_MEM_MALLOC_HUGE1G_ONLY = 6,     /**< pages of 1 GiB */
	ACL_MEM_MALLOC_HUGE1G_ONLY_P2P = 7, /**< as 6, open to other devices */
	ACL_MEM_TYPE_LOW_BAND_WIDTH = 0x100,
	ACL_MEM_TYPE_HIGH_BAND_WIDTH = 0x1000,
	ACL_MEM_ACCESS_USER_SPACE_READONLY = 0x100000
} aclrtMemMallocPolicy;

/**
 * Direction of a copy.
 *
 * The runtime finds it from the addresses, so that any of the first six copies correctly.
 */
typedef enum aclrtMemcpyKind {
	ACL_MEMCPY_HOST_TO_HOST = 0,
	ACL_MEMCPY_HOST_TO_DEVICE = 1,
	ACL_MEMCPY_DEVICE_TO_HOST = 2,
	ACL_MEMCPY_DEVICE_TO_DEVICE = 3,
	ACL_MEMCPY_DEFAULT = 4,                /**< the runtime decides */
	ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE = 5,  /**< through a buffer of the runtime */
	ACL_MEMCPY_INNER_DEVICE_TO_DEVICE = 6, /**< within one device; not for aclrtMemcpy() */
	ACL_MEMCPY_INTER_DEVICE_TO_DEVICE = 7  /**< between devices; not for aclrtMemcpy() */
} aclrtMemcpyKind;

/**
 * Allocates device memory. The host must not read or write it; aclrtMemcpy() moves data in and out.
 *
 * The address is aligned to 64 bytes at least, the size is rounded up to a multiple of 32 and 32 more (no more on the
 * 950 series), and the content is undefined. Addresses inside the block may be used everywhere but in aclrtFree(). A
 * failure harms nothing: the caller may free other blocks and try again.
 *
 * @param[out] devPtr  receives the address; freed with aclrtFree(), by any thread
 * @param[in]  size    bytes, at least 1
 * @param[in]  policy  page size and placement; any value is accepted
 * @retval ACL_SUCCESS                     0: allocated
 * @retval ACL_ERROR_INVALID_PARAM         100000: `devPtr` is null, `size` is 0 or too large to be rounded up
 * @retval ACL_ERROR_RT_CONTEXT_NULL       107002: the thread has no context
 * @retval ACL_ERROR_RT_MEMORY_ALLOCATION  207001: not enough device memory
 */
ACL_FUNC_VISIBILITY aclError aclrtMalloc(void **devPtr, size_t size, aclrtMemMallocPolicy policy);

/**
 * Frees device memory. Any thread may do it, without a context.
 *
 * Does not wait: synchronise the streams that use the block first.
 *
 * @param[in] devPtr  an address from aclrtMalloc(), not one inside the block
 * @retval ACL_SUCCESS                  0: freed
 * @retval ACL_ERROR_INVALID_PARAM      100000: `devPtr` is null
 * @retval ACL_ERROR_RT_PARAM_INVALID   107000: freed already, or not the start of a block
 * @retval ACL_ERROR_RT_INVALID_HANDLE  107017: no device was ever opened
 */
ACL_FUNC_VISIBILITY aclError aclrtFree(void *devPtr);

/**
 * Allocates page-locked host memory, which the host uses like any other and asynchronous copies use without a detour.
 *
 * @param[out] hostPtr  receives the address, aligned to 64 bytes; freed with aclrtFreeHost(), by any thread
 * @param[in]  size     bytes, at least 1; rounded up to a multiple of 32
 * @retval ACL_SUCCESS                     0: allocated, the content is undefined
 * @retval ACL_ERROR_INVALID_PARAM         100000: `hostPtr` is null or `size` is 0
 * @retval ACL_ERROR_RT_CONTEXT_NULL       107002: the thread has no context
 * @retval ACL_ERROR_RT_MEMORY_ALLOCATION  207001: not enough memory
 */
ACL_FUNC_VISIBILITY aclError aclrtMallocHost(void **hostPtr, size_t size);

/**
 * Frees page-locked host memory. Any thread may do it, without a context.
 *
 * @param[in] hostPtr  an address from aclrtMallocHost()
 * @retval ACL_SUCCESS                 0: freed
 * @retval ACL_ERROR_INVALID_PARAM     100000: `hostPtr` is null
 * @retval ACL_ERROR_RT_PARAM_INVALID  107000: device memory, heap memory, or freed already
 */
ACL_FUNC_VISIBILITY aclError aclrtFreeHost(void *hostPtr);

/**
 * Copies memory between host and device, or within either, and returns when it is done.
 *
 * Does not wait for work in streams: synchronise first what still writes to `src` or uses `dst`. The direction is
 * found from the addresses. The two ranges must not overlap.
 *
 * @param[out] dst      where to; host or device
 * @param[in]  destMax  bytes there are at `dst`
 * @param[in]  src      where from; host or device
 * @param[in]  count    bytes to copy; 0 copies nothing and succeeds whatever the other arguments
 * @param[in]  kind     one of the first six directions
 * @retval ACL_SUCCESS                      0: copied, or nothing to do because `dst` is `src`
 * @retval ACL_ERROR_INVALID_PARAM          100000: `dst` or `src` is null, or `kind` is none of the first six
 * @retval ACL_ERROR_RT_PARAM_INVALID       107000: `count` exceeds `destMax`, or a device range leaves its block
 * @retval ACL_ERROR_RT_CONTEXT_NULL        107002: the thread has no context
 * @retval ACL_ERROR_RT_DRV_INTERNAL_ERROR  507899: a device address that is not allocated
 */
ACL_FUNC_VISIBILITY aclError aclrtMemcpy(void *dst, size_t destMax, const void *src, size_t count,
                                         aclrtMemcpyKind kind);

/**
 * Copies memory in the order of a stream.
 *
 * Page-locked and device memory must stay alive until the stream has been synchronised. Ordinary host memory makes the
 * call wait: for the stream, then for the copy.
 *
 * @param[out] dst      where to; host or device
 * @param[in]  destMax  bytes there are at `dst`
 * @param[in]  src      where from; host or device
 * @param[in]  count    bytes to copy; 0 copies nothing and succeeds whatever the other arguments
 * @param[in]  kind     one of the first six directions
 * @param[in]  stream   a stream of the current context; null for its default stream
 * @retval ACL_SUCCESS                       0: queued, or copied
 * @retval ACL_ERROR_INVALID_PARAM           100000: `dst` or `src` is null, or `kind` is none of the first six
 * @retval ACL_ERROR_RT_PARAM_INVALID        107000: `count` exceeds `destMax`, or the addresses fit no direction
 * @retval ACL_ERROR_RT_CONTEXT_NULL         107002: the thread has no context
 * @retval ACL_ERROR_RT_STREAM_CONTEXT       107003: the stream belongs to another context
 * @retval ACL_ERROR_RT_INVALID_HANDLE       107017: destroyed, or no stream
 * @retval ACL_ERROR_RT_FEATURE_NOT_SUPPORT  207000: from host to host
 */
ACL_FUNC_VISIBILITY aclError aclrtMemcpyAsync(void *dst, size_t destMax, const void *src, size_t count,
                                              aclrtMemcpyKind kind, aclrtStream stream);

/**
 * Fills memory with a byte and returns when it is done. Does not wait for work in streams.
 *
 * @param[out] devPtr    device or host memory
 * @param[in]  maxCount  bytes there are at `devPtr`
 * @param[in]  value     its lower 8 bits are the byte
 * @param[in]  count     bytes to fill; 0 fills nothing and succeeds whatever the other arguments
 * @retval ACL_SUCCESS                 0: filled
 * @retval ACL_ERROR_INVALID_PARAM     100000: `devPtr` is null
 * @retval ACL_ERROR_RT_PARAM_INVALID  107000: `count` exceeds `maxCount`, or the range leaves its block
 * @retval ACL_ERROR_RT_CONTEXT_NULL   107002: the thread has no context
 */
ACL_FUNC_VISIBILITY aclError aclrtMemset(void *devPtr, size_t maxCount, int32_t value, size_t count);

/**
 * Fills memory with a byte in the order of a stream.
 *
 * @param[out] devPtr    device or host memory
 * @param[in]  maxCount  bytes there are at `devPtr`
 * @param[in]  value     its lower 8 bits are the byte
 * @param[in]  count     bytes to fill; 0 fills nothing and succeeds whatever the other arguments
 * @param[in]  stream    a stream of the current context; null for its default stream
 * @retval ACL_SUCCESS                  0: queued
 * @retval ACL_ERROR_INVALID_PARAM      100000: `devPtr` is null
 * @retval ACL_ERROR_RT_PARAM_INVALID   107000: `count` exceeds `maxCount`
 * @retval ACL_ERROR_RT_CONTEXT_NULL    107002: the thread has no context
 * @retval ACL_ERROR_RT_STREAM_CONTEXT  107003: the stream belongs to another context
 * @retval ACL_ERROR_RT_INVALID_HANDLE  107017: destroyed, or no stream
 */
ACL_FUNC_VISIBILITY aclError aclrtMemsetAsync(void *devPtr, size_t maxCount, int32_t value, size_t count,
                                              aclrtStream stream);

/* ==== Memory: other ways to allocate and free ==== */

/** Attributes of an allocation; each has its member in aclrtMallocAttrValue. */
typedef enum aclrtMallocAttrType {
	ACL_RT_MEM_ATTR_RSV = 0,
	ACL_RT_MEM_ATTR_MODULE_ID = 1,
	ACL_RT_MEM_ATTR_DEVICE_ID = 2,
	ACL_RT_MEM_ATTR_VA_FLAG = 3
} aclrtMallocAttrType;

/** Value of an allocation attribute. */
typedef union aclrtMallocAttrValue {
	uint16_t moduleId;
	uint32_t deviceId;
	uint32_t vaFlag;
	uint8_t rsv[8];
} aclrtMallocAttrValue;

/** One attribute of an allocation. */
typedef struct aclrtMallocAttribute {
	aclrtMallocAttrType attr;
	aclrtMallocAttrValue value;
} aclrtMallocAttribute;

/** The attributes of an allocation. */
typedef struct aclrtMallocConfig {
	aclrtMallocAttribute *attrs;
	size_t numAttrs;
} aclrtMallocConfig;

/**
 * Allocates device memory without the 32 bytes at the end that aclrtMalloc() adds; otherwise the same.
 *
 * @param[out] devPtr  receives the address; freed with aclrtFree(), by any thread
 * @param[in]  size    bytes, at least 1; rounded up to a multiple of 32
 * @param[in]  policy  page size and placement; any value is accepted
 * @retval ACL_SUCCESS                     0: allocated
 * @retval ACL_ERROR_INVALID_PARAM         100000: `devPtr` is null, `size` is 0 or too large to be rounded up
 * @retval ACL_ERROR_RT_CONTEXT_NULL       107002: the thread has no context
 * @retval ACL_ERROR_RT_MEMORY_ALLOCATION  207001: not enough device memory
 */
ACL_FUNC_VISIBILITY aclError aclrtMallocAlign32(void **devPtr, size_t size, aclrtMemMallocPolicy policy);

/**
 * Allocates device memory that the device may cache; aclrtMemFlush() and aclrtMemInvalidate() go with it.
 *
 * @param[out] devPtr  receives the address; freed with aclrtFree(), by any thread
 * @param[in]  size    bytes, as for aclrtMalloc()
 * @param[in]  policy  page size and placement; any value is accepted
 * @retval ACL_SUCCESS                     0: allocated
 * @retval ACL_ERROR_INVALID_PARAM         100000: `devPtr` is null, `size` is 0 or too large to be rounded up
 * @retval ACL_ERROR_RT_CONTEXT_NULL       107002: the thread has no context
 * @retval ACL_ERROR_RT_MEMORY_ALLOCATION  207001: not enough device memory
 */
ACL_FUNC_VISIBILITY aclError aclrtMallocCached(void **devPtr, size_t size, aclrtMemMallocPolicy policy);

/**
 * Allocates device memory with attributes. ACL_RT_MEM_ATTR_DEVICE_ID takes it from another device than the current one;
 * the other attributes change nothing here.
 *
 * @param[out] devPtr  receives the address; freed with aclrtFree(), by any thread
 * @param[in]  size    bytes, as for aclrtMalloc()
 * @param[in]  policy  page size and placement; any value is accepted
 * @param[in]  cfg     the attributes; null for none
 * @retval ACL_SUCCESS                     0: allocated
 * @retval ACL_ERROR_INVALID_PARAM         100000: `devPtr` is null, `size` is 0 or too large to be rounded up, there are
 *                                         attributes but `attrs` is null, or one is unknown
 * @retval ACL_ERROR_RT_INVALID_DEVICEID   107001: an attribute names a device that does not exist
 * @retval ACL_ERROR_RT_CONTEXT_NULL       107002: the thread has no context
 * @retval ACL_ERROR_RT_MEMORY_ALLOCATION  207001: not enough device memory
 */
ACL_FUNC_VISIBILITY aclError aclrtMallocWithCfg(void **devPtr, size_t size, aclrtMemMallocPolicy policy,
                                                aclrtMallocConfig *cfg);

/**
 * Allocates device memory for the task scheduler; here the same as aclrtMallocWithCfg().
 *
 * @param[out] devPtr  receives the address; freed with aclrtFree(), by any thread
 * @param[in]  size    bytes, as for aclrtMalloc()
 * @param[in]  policy  page size and placement; any value is accepted
 * @param[in]  cfg     the attributes; null for none
 * @retval ACL_SUCCESS                     0: allocated
 * @retval ACL_ERROR_INVALID_PARAM         100000: as for aclrtMallocWithCfg()
 * @retval ACL_ERROR_RT_INVALID_DEVICEID   107001: an attribute names a device that does not exist
 * @retval ACL_ERROR_RT_CONTEXT_NULL       107002: the thread has no context
 * @retval ACL_ERROR_RT_MEMORY_ALLOCATION  207001: not enough device memory
 */
ACL_FUNC_VISIBILITY aclError aclrtMallocForTaskScheduler(void **devPtr, size_t size, aclrtMemMallocPolicy policy,
                                                         aclrtMallocConfig *cfg);

/**
 * Allocates page-locked host memory with attributes, which change nothing here.
 *
 * @param[out] ptr   receives the address, aligned to a page; freed with aclrtFreeHost(), by any thread
 * @param[in]  size  bytes, at least 1; rounded up to a multiple of 32
 * @param[in]  cfg   the attributes; null for none
 * @retval ACL_SUCCESS                     0: allocated, the content is undefined
 * @retval ACL_ERROR_INVALID_PARAM         100000: `ptr` is null, `size` is 0, there are attributes but `attrs` is null,
 *                                         or one is unknown
 * @retval ACL_ERROR_RT_INVALID_DEVICEID   107001: an attribute names a device that does not exist
 * @retval ACL_ERROR_RT_CONTEXT_NULL       107002: the thread has no context
 * @retval ACL_ERROR_RT_MEMORY_ALLOCATION  207001: not enough memory
 */
ACL_FUNC_VISIBILITY aclError aclrtMallocHostWithCfg(void **ptr, uint64_t size, aclrtMallocConfig *cfg);

/**
 * Waits for the device that the memory lies on, then frees the memory. Errors of the work stay with its streams.
 *
 * @param[in] devPtr  an address that aclrtFree() would take
 * @retval ACL_SUCCESS                  0: freed
 * @retval ACL_ERROR_INVALID_PARAM      100000: `devPtr` is null
 * @retval ACL_ERROR_RT_PARAM_INVALID   107000: freed already, or not the start of a block
 * @retval ACL_ERROR_RT_INVALID_HANDLE  107017: no device was ever opened
 */
ACL_FUNC_VISIBILITY aclError aclrtFreeWithDevSync(void *devPtr);

/**
 * Waits for the current device, then frees page-locked host memory. Errors of the work stay with its streams.
 *
 * @param[in] hostPtr  an address that aclrtFreeHost() would take
 * @retval ACL_SUCCESS                 0: freed
 * @retval ACL_ERROR_INVALID_PARAM     100000: `hostPtr` is null
 * @retval ACL_ERROR_RT_PARAM_INVALID  107000: device memory, heap memory, or freed already
 * @retval ACL_ERROR_RT_CONTEXT_NULL   107002: the thread has no context
 */
ACL_FUNC_VISIBILITY aclError aclrtFreeHostWithDevSync(void *hostPtr);

/* ==== Memory: what can be asked ==== */

/** Kinds of device memory that the memory query can be asked about. */
typedef enum aclrtMemAttr {
	ACL_DDR_MEM = 0,
	ACL_HBM_MEM = 1,
	ACL_DDR_MEM_HUGE = 2,
	ACL_DDR_MEM_NORMAL = 3,
	ACL_HBM_MEM_HUGE = 4,
	ACL_HBM_MEM_NORMAL = 5,
	ACL_DDR_MEM_P2P_HUGE = 6,
	ACL_DDR_MEM_P2P_NORMAL = 7,
	ACL_HBM_MEM_P2P_HUGE = 8,
	ACL_HBM_MEM_P2P_NORMAL = 9,
	ACL_HBM_MEM_HUGE1G = 10,
	ACL_HBM_MEM_P2P_HUGE1G = 11,
	ACL_MEM_NORMAL = 12,
	ACL_MEM_HUGE = 13,
	ACL_MEM_HUGE1G = 14,
	ACL_MEM_P2P_NORMAL = 15,
	ACL_MEM_P2P_HUGE = 16,
	ACL_MEM_P2P_HUGE1G = 17
} aclrtMemAttr;

/** Memory that one module of the runtime uses, in bytes. */
typedef struct aclrtMemUsageInfo {
	char name[32];
	uint64_t curMemSize;
	uint64_t memPeakSize;
	size_t reserved[8];
} aclrtMemUsageInfo;

/** Kind of memory that an address belongs to. */
typedef enum aclrtMemLocationType {
	ACL_MEM_LOCATION_TYPE_HOST = 0,         /**< page-locked host memory */
	ACL_MEM_LOCATION_TYPE_DEVICE = 1,       /**< device memory */
	ACL_MEM_LOCATION_TYPE_UNREGISTERED = 2, /**< memory that the runtime knows nothing of, such as the heap */
	ACL_MEM_LOCATION_TYPE_MANAGED = 3,
	ACL_MEM_LOCATION_TYPE_HOST_NUMA = 4
} aclrtMemLocationType;

/** A place where memory is. */
typedef struct aclrtMemLocation {
	uint32_t id; /**< number of the device */
	aclrtMemLocationType type;
} aclrtMemLocation;

/** What is known of an address. */
typedef struct aclrtPtrAttributes {
	aclrtMemLocation location;
	uint32_t pageSize; /**< bytes */
	uint32_t rsv[4];
} aclrtPtrAttributes;

/**
 * Tells how much memory the current device has, and how much of it is free. An allocation that asks for more than is
 * free fails.
 *
 * @param[in]  attr   kind of memory; kinds that the chip lacks give 0 and 0
 * @param[out] free   receives the free bytes
 * @param[out] total  receives all bytes
 * @retval ACL_SUCCESS                       0: written
 * @retval ACL_ERROR_INVALID_PARAM           100000: `free` or `total` is null
 * @retval ACL_ERROR_RT_CONTEXT_NULL         107002: the thread has no context
 * @retval ACL_ERROR_RT_INVALID_MEMORY_TYPE  107016: no such kind
 */
ACL_FUNC_VISIBILITY aclError aclrtGetMemInfo(aclrtMemAttr attr, size_t *free, size_t *total);

/**
 * Tells what the modules of the runtime use of a device's memory. Here one record stands for all of them. Thread-safe.
 *
 * @param[in]  deviceId      0 to the count of devices minus 1
 * @param[out] memUsageInfo  receives the records
 * @param[in]  inputNum      records there is room for
 * @param[out] outputNum     receives how many were written
 * @retval ACL_SUCCESS                    0: written
 * @retval ACL_ERROR_INVALID_PARAM        100000: a pointer is null, or `inputNum` is 0
 * @retval ACL_ERROR_RT_INVALID_DEVICEID  107001: there is no such device
 */
ACL_FUNC_VISIBILITY aclError aclrtGetMemUsageInfo(int32_t deviceId, aclrtMemUsageInfo *memUsageInfo, size_t inputNum,
                                                  size_t *outputNum);

/**
 * Tells what kind of memory an address belongs to, and whose. Thread-safe; needs no context.
 *
 * @param[in]  ptr         any address; an address inside of a block is fine
 * @param[out] attributes  receives the place and the page size
 * @retval ACL_SUCCESS                      0: written; for memory that the runtime knows nothing of, type UNREGISTERED
 * @retval ACL_ERROR_INVALID_PARAM          100000: a pointer is null
 * @retval ACL_ERROR_RT_DRV_INTERNAL_ERROR  507899: a device address that is not allocated, or no more
 */
ACL_FUNC_VISIBILITY aclError aclrtPointerGetAttributes(const void *ptr, aclrtPtrAttributes *attributes);

/**
 * Finds the block that an address lies in. Thread-safe; needs no context.
 *
 * @param[in]  ptr    an address of device memory, or of page-locked or registered host memory
 * @param[out] pbase  receives the start of the block
 * @param[out] psize  receives its size with padding; of mapped memory, the piece that was mapped at once
 * @retval ACL_SUCCESS                 0: written
 * @retval ACL_ERROR_INVALID_PARAM     100000: a pointer is null
 * @retval ACL_ERROR_RT_PARAM_INVALID  107000: the address lies in no block
 */
ACL_FUNC_VISIBILITY aclError aclrtMemGetAddressRange(void *ptr, void **pbase, size_t *psize);

/* ==== Memory: other shapes of copies and fills ==== */

/** Where the copies of a batch lead from and to. */
typedef struct aclrtMemcpyBatchAttr {
	aclrtMemLocation dstLoc;
	aclrtMemLocation srcLoc;
	uint8_t rsv[16];
} aclrtMemcpyBatchAttr;

/**
 * Copies rows that lie apart, between host and device, and returns when it is done.
 *
 * @param[out] dst     where the first row goes
 * @param[in]  dpitch  bytes from one row to the next at `dst`
 * @param[in]  src     where the first row is
 * @param[in]  spitch  bytes from one row to the next at `src`
 * @param[in]  width   bytes of a row, at most 5000000
 * @param[in]  height  rows, at most 5242880; if it or `width` is 0, nothing is copied whatever the other arguments
 * @param[in]  kind    direction 1 to 4
 * @retval ACL_SUCCESS                       0: copied
 * @retval ACL_ERROR_INVALID_PARAM           100000: `dst` or `src` is null, `width` exceeds a pitch, or `kind` is none of
 *                                           the four
 * @retval ACL_ERROR_RT_PARAM_INVALID        107000: too wide or too high, a device range leaves its block, or both sides
 *                                           are host memory
 * @retval ACL_ERROR_RT_CONTEXT_NULL         107002: the thread has no context
 * @retval ACL_ERROR_RT_FEATURE_NOT_SUPPORT  207000: from device to device
 */
ACL_FUNC_VISIBILITY aclError aclrtMemcpy2d(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                                           size_t height, aclrtMemcpyKind kind);

/**
 * Copies rows that lie apart in the order of a stream; also within a device. Host memory as for aclrtMemcpyAsync().
 *
 * @param[out] dst     where the first row goes
 * @param[in]  dpitch  bytes from one row to the next at `dst`
 * @param[in]  src     where the first row is
 * @param[in]  spitch  bytes from one row to the next at `src`
 * @param[in]  width   bytes of a row, at most 5000000
 * @param[in]  height  rows, at most 5242880; if it or `width` is 0, nothing is copied whatever the other arguments
 * @param[in]  kind    direction 1 to 4
 * @param[in]  stream  a stream of the current context; null for its default stream
 * @retval ACL_SUCCESS                  0: queued, or copied
 * @retval ACL_ERROR_INVALID_PARAM      100000: `dst` or `src` is null, `width` exceeds a pitch, or `kind` is none of the
 *                                      four
 * @retval ACL_ERROR_RT_PARAM_INVALID   107000: too wide or too high, a device range leaves its block, or both sides are
 *                                      host memory
 * @retval ACL_ERROR_RT_CONTEXT_NULL    107002: the thread has no context
 * @retval ACL_ERROR_RT_STREAM_CONTEXT  107003: the stream belongs to another context
 * @retval ACL_ERROR_RT_INVALID_HANDLE  107017: destroyed, or no stream
 */
ACL_FUNC_VISIBILITY aclError aclrtMemcpy2dAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                                                size_t height, aclrtMemcpyKind kind, aclrtStream stream);

/**
 * Copies memory in the order of a stream, as aclrtMemcpyAsync() does.
 *
 * @deprecated aclrtMemcpyAsync() itself finds out now whether host memory is page-locked.
 * @param[out] dst      where to; host or device
 * @param[in]  destMax  bytes there are at `dst`
 * @param[in]  src      where from; host or device
 * @param[in]  count    bytes to copy; 0 copies nothing and succeeds whatever the other arguments
 * @param[in]  kind     one of the first six directions
 * @param[in]  stream   a stream of the current context; null for its default stream
 * @retval ACL_SUCCESS                       0: queued, or copied
 * @retval ACL_ERROR_INVALID_PARAM           100000: `dst` or `src` is null, or `kind` is none of the first six
 * @retval ACL_ERROR_RT_PARAM_INVALID        107000: `count` exceeds `destMax`, or a device range leaves its block
 * @retval ACL_ERROR_RT_CONTEXT_NULL         107002: the thread has no context
 * @retval ACL_ERROR_RT_STREAM_CONTEXT       107003: the stream belongs to another context
 * @retval ACL_ERROR_RT_INVALID_HANDLE       107017: destroyed, or no stream
 * @retval ACL_ERROR_RT_FEATURE_NOT_SUPPORT  207000: from host to host
 */
ACL_FUNC_VISIBILITY ACL_DEPRECATED_MESSAGE("call aclrtMemcpyAsync instead")
aclError aclrtMemcpyAsyncWithCondition(void *dst, size_t destMax, const void *src, size_t count, aclrtMemcpyKind kind,
                                       aclrtStream stream);

/**
 * Makes many copies in one call, all from host to device or all from device to host, and returns when they are done.
 * All are checked before the first is made. Their order is not specified.
 *
 * @param[in]  dsts          where each copy leads to
 * @param[in]  destMaxs      bytes there are at each of them
 * @param[in]  srcs          where each comes from
 * @param[in]  sizes         bytes of each, at least 1
 * @param[in]  numBatches    number of copies
 * @param[in]  attrs         places that copies lead from and to
 * @param[in]  attrsIndexes  the copy from which on each of `attrs` holds: 0 first, then rising
 * @param[in]  numAttrs      entries of `attrs` and `attrsIndexes`, 1 to `numBatches`
 * @param[out] failIndex     receives the copy that is wrong, or SIZE_MAX if it is none of them; in every case
 * @retval ACL_SUCCESS                 0: copied
 * @retval ACL_ERROR_INVALID_PARAM     100000: a pointer or an entry is null, `numBatches` or `numAttrs` is wrong, or
 *                                     `attrsIndexes` does not rise
 * @retval ACL_ERROR_RT_PARAM_INVALID  107000: a size is 0 or exceeds its `destMaxs`, a device range leaves its block, a
 *                                     copy leads elsewhere than its attribute says, or in another direction than the first
 * @retval ACL_ERROR_RT_CONTEXT_NULL   107002: the thread has no context
 */
ACL_FUNC_VISIBILITY aclError aclrtMemcpyBatch(void **dsts, size_t *destMaxs, void **srcs, size_t *sizes,
                                              size_t numBatches, aclrtMemcpyBatchAttr *attrs, size_t *attrsIndexes,
                                              size_t numAttrs, size_t *failIndex);

/**
 * Makes many copies in the order of a stream; otherwise as aclrtMemcpyBatch(). Ordinary host memory makes it wait.
 *
 * @param[in]  dsts          where each copy leads to
 * @param[in]  destMaxs      bytes there are at each of them
 * @param[in]  srcs          where each comes from
 * @param[in]  sizes         bytes of each, at least 1
 * @param[in]  numBatches    number of copies
 * @param[in]  attrs         places that copies lead from and to
 * @param[in]  attrsIndexes  the copy from which on each of `attrs` holds: 0 first, then rising
 * @param[in]  numAttrs      entries of `attrs` and `attrsIndexes`, 1 to `numBatches`
 * @param[out] failIndex     receives the copy that is wrong, or SIZE_MAX if it is none of them; in every case
 * @param[in]  stream        a stream of the current context; null for its default stream
 * @retval ACL_SUCCESS                  0: queued, or copied
 * @retval ACL_ERROR_INVALID_PARAM      100000: as for aclrtMemcpyBatch()
 * @retval ACL_ERROR_RT_PARAM_INVALID   107000: as for aclrtMemcpyBatch()
 * @retval ACL_ERROR_RT_CONTEXT_NULL    107002: the thread has no context
 * @retval ACL_ERROR_RT_STREAM_CONTEXT  107003: the stream belongs to another context
 * @retval ACL_ERROR_RT_INVALID_HANDLE  107017: destroyed, or no stream
 */
ACL_FUNC_VISIBILITY aclError aclrtMemcpyBatchAsync(void **dsts, size_t *destMaxs, void **srcs, size_t *sizes,
                                                   size_t numBatches, aclrtMemcpyBatchAttr *attrs,
                                                   size_t *attrsIndexes, size_t numAttrs, size_t *failIndex,
                                                   aclrtStream stream);

/**
 * Fills memory with a word of 32 bits and returns when it is done. Does not wait for work in streams.
 *
 * @param[out] ptr      device memory, or page-locked or registered host memory; a multiple of 4
 * @param[in]  memSize  bytes there are at `ptr`
 * @param[in]  value    the word
 * @param[in]  N        words to fill; 0 fills nothing and succeeds whatever the other arguments
 * @retval ACL_SUCCESS                 0: filled
 * @retval ACL_ERROR_INVALID_PARAM     100000: `ptr` is null, unaligned or ordinary host memory, or `memSize` is too small
 * @retval ACL_ERROR_RT_PARAM_INVALID  107000: the range leaves its block
 * @retval ACL_ERROR_RT_CONTEXT_NULL   107002: the thread has no context
 */
ACL_FUNC_VISIBILITY aclError aclrtMemsetD32(void *ptr, size_t memSize, uint32_t value, size_t N);

/**
 * Fills memory with a word of 32 bits in the order of a stream.
 *
 * @param[out] ptr      device memory, or page-locked or registered host memory; a multiple of 4
 * @param[in]  memSize  bytes there are at `ptr`
 * @param[in]  value    the word
 * @param[in]  N        words to fill; 0 fills nothing and succeeds whatever the other arguments
 * @param[in]  stream   a stream of the current context; null for its default stream
 * @retval ACL_SUCCESS                  0: queued
 * @retval ACL_ERROR_INVALID_PARAM      100000: `ptr` is null, unaligned or ordinary host memory, or `memSize` is too small
 * @retval ACL_ERROR_RT_PARAM_INVALID   107000: the range leaves its block
 * @retval ACL_ERROR_RT_CONTEXT_NULL    107002: the thread has no context
 * @retval ACL_ERROR_RT_STREAM_CONTEXT  107003: the stream belongs to another context
 * @retval ACL_ERROR_RT_INVALID_HANDLE  107017: destroyed, or no stream
 */
ACL_FUNC_VISIBILITY aclError aclrtMemsetD32Async(void *ptr, size_t memSize, uint32_t value, size_t N,
                                                 aclrtStream stream);

/* ==== Memory: of the host, for the device ==== */

/** How host memory is registered. */
typedef enum aclrtHostRegisterType {
	ACL_HOST_REGISTER_MAPPED = 0,
	ACL_HOST_REGISTER_IOMEMORY = 4,
	ACL_HOST_REGISTER_READONLY = 8
} aclrtHostRegisterType;

#define ACL_HOST_REG_MAPPED   0x00000002U
#define ACL_HOST_REG_IOMEMORY 0x00000004U
#define ACL_HOST_REG_READONLY 0x00000008U
#define ACL_HOST_REG_PINNED   0x10000000U

/**
 * Lets the device use host memory of the program's, which from now on counts as page-locked.
 *
 * @param[in]  ptr     start of the memory, a multiple of 4096; must stay until it is unregistered
 * @param[in]  size    bytes
 * @param[in]  type    how; IOMEMORY is not supported, READONLY is not enforced
 * @param[out] devPtr  receives the address under which operators reach it: here the same
 * @retval ACL_SUCCESS                              0: registered
 * @retval ACL_ERROR_INVALID_PARAM                  100000: a pointer is null, `size` is 0, or there is no such type
 * @retval ACL_ERROR_RT_PARAM_INVALID               107000: unaligned, or not all of it is memory of the host
 * @retval ACL_ERROR_RT_CONTEXT_NULL                107002: the thread has no context
 * @retval ACL_ERROR_RT_FEATURE_NOT_SUPPORT         207000: IOMEMORY
 * @retval ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED 507910: overlaps what is registered
 */
ACL_FUNC_VISIBILITY aclError aclrtHostRegister(void *ptr, uint64_t size, aclrtHostRegisterType type, void **devPtr);

/**
 * Registers host memory as aclrtHostRegister() does; aclrtHostGetDevicePointer() then gives the address.
 *
 * @param[in] ptr   start of the memory, a multiple of 4096; must stay until it is unregistered
 * @param[in] size  bytes
 * @param[in] flag  ACL_HOST_REG_... bits; with PINNED alone, copies use the memory but operators do not reach it
 * @retval ACL_SUCCESS                              0: registered
 * @retval ACL_ERROR_INVALID_PARAM                  100000: `ptr` is null, `size` is 0, or `flag` is 0 or has other bits
 * @retval ACL_ERROR_RT_PARAM_INVALID               107000: unaligned, or not all of it is memory of the host
 * @retval ACL_ERROR_RT_CONTEXT_NULL                107002: the thread has no context
 * @retval ACL_ERROR_RT_FEATURE_NOT_SUPPORT         207000: IOMEMORY
 * @retval ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED 507910: overlaps what is registered
 */
ACL_FUNC_VISIBILITY aclError aclrtHostRegisterV2(void *ptr, uint64_t size, uint32_t flag);

/**
 * Gives the address under which operators reach registered host memory. Thread-safe; needs no context.
 *
 * @param[in]  pHost    an address in registered memory
 * @param[out] pDevice  receives the address
 * @param[in]  flag     0
 * @retval ACL_SUCCESS                           0: written
 * @retval ACL_ERROR_INVALID_PARAM               100000: a pointer is null, or `flag` is not 0
 * @retval ACL_ERROR_HOST_MEMORY_NOT_REGISTERED  507911: not registered, or only as PINNED
 */
ACL_FUNC_VISIBILITY aclError aclrtHostGetDevicePointer(void *pHost, void **pDevice, uint32_t flag);

/**
 * Takes host memory back from the device. Any thread may do it, without a context.
 *
 * Does not wait: synchronise the streams that use the memory first.
 *
 * @param[in] ptr  start of registered memory
 * @retval ACL_SUCCESS                           0: the program's alone again
 * @retval ACL_ERROR_INVALID_PARAM               100000: `ptr` is null
 * @retval ACL_ERROR_HOST_MEMORY_NOT_REGISTERED  507911: not the start of registered memory
 */
ACL_FUNC_VISIBILITY aclError aclrtHostUnregister(void *ptr);

/* ==== Memory: addresses and what is mapped there ==== */

/** Kind of a physical allocation. */
typedef enum aclrtMemAllocationType {
	ACL_MEM_ALLOCATION_TYPE_PINNED = 0
} aclrtMemAllocationType;

/** How a physical allocation can be handed to another process. */
typedef enum aclrtMemHandleType {
	ACL_MEM_HANDLE_TYPE_NONE = 0,
	ACL_MEM_HANDLE_TYPE_POSIX = 2
} aclrtMemHandleType;

/** Kind of physical memory to allocate. */
typedef struct aclrtPhysicalMemProp {
	aclrtMemHandleType handleType;
	aclrtMemAllocationType allocationType;
	aclrtMemAttr memAttr;
	aclrtMemLocation location;
	uint64_t reserve;
} aclrtPhysicalMemProp;

/** Which granularity of physical memory is asked for. */
typedef enum aclrtMemGranularityOptions {
	ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM = 0,
	ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED = 1,
	ACL_RT_MEM_ALLOC_GRANULARITY_UNDEF = 0xffff
} aclrtMemGranularityOptions;

/** Access rights of a mapped range. */
typedef enum aclrtMemAccessFlags {
	ACL_RT_MEM_ACCESS_FLAGS_NONE = 0,
	ACL_RT_MEM_ACCESS_FLAGS_READ = 1,
	ACL_RT_MEM_ACCESS_FLAGS_READWRITE = 3
} aclrtMemAccessFlags;

/** Rights of a place on a mapped range. */
typedef struct aclrtMemAccessDesc {
	aclrtMemAccessFlags flags;
	aclrtMemLocation location;
	uint8_t rsv[12];
} aclrtMemAccessDesc;

/** Physical memory, made by aclrtMallocPhysical(). */
typedef void *aclrtDrvMemHandle;

#define ACL_RT_VMM_EXPORT_FLAG_DEFAULT                0x0U
#define ACL_RT_VMM_EXPORT_FLAG_DISABLE_PID_VALIDATION 0x1U

/**
 * Reserves device addresses without memory behind them, which costs nothing. aclrtMapMem() puts memory there.
 *
 * @param[out] virPtr     receives the start, a multiple of 2 MiB; given back with aclrtReleaseMemAddress()
 * @param[in]  size       bytes; rounded up to a multiple of 2 MiB
 * @param[in]  alignment  0
 * @param[in]  expectPtr  where it should begin if it can, between 16 and 24 TiB; null for anywhere
 * @param[in]  flags      0, or 1 for huge pages
 * @retval ACL_SUCCESS                     0: reserved
 * @retval ACL_ERROR_INVALID_PARAM         100000: `virPtr` is null, `size` is 0, or `flags` is neither 0 nor 1
 * @retval ACL_ERROR_RT_PARAM_INVALID      107000: `alignment` is not 0, or `expectPtr` is no such address
 * @retval ACL_ERROR_RT_CONTEXT_NULL       107002: the thread has no context
 * @retval ACL_ERROR_RT_MEMORY_ALLOCATION  207001: not enough addresses
 */
ACL_FUNC_VISIBILITY aclError aclrtReserveMemAddress(void **virPtr, size_t size, size_t alignment, void *expectPtr,
                                                    uint64_t flags);

/**
 * Gives reserved addresses back. Any thread may do it, without a context.
 *
 * @param[in] virPtr  start of a reservation in which nothing is mapped
 * @retval ACL_SUCCESS                 0: given back
 * @retval ACL_ERROR_INVALID_PARAM     100000: `virPtr` is null
 * @retval ACL_ERROR_RT_PARAM_INVALID  107000: not the start of a reservation, or something is mapped in it
 */
ACL_FUNC_VISIBILITY aclError aclrtReleaseMemAddress(void *virPtr);

/**
 * Allocates device memory without an address.
 *
 * @param[out] handle  receives the memory; freed with aclrtFreePhysical()
 * @param[in]  size    bytes, a multiple of aclrtMemGetAllocationGranularity()
 * @param[in]  prop    kind and device; only memory of devices is supported
 * @param[in]  flags   0
 * @retval ACL_SUCCESS                       0: allocated, the content is undefined
 * @retval ACL_ERROR_INVALID_PARAM           100000: a pointer is null, `size` is 0, or `flags`, the handle type or the
 *                                           allocation type is not 0
 * @retval ACL_ERROR_RT_PARAM_INVALID        107000: `size` is no multiple, or no memory of a device is of that kind
 * @retval ACL_ERROR_RT_INVALID_DEVICEID     107001: there is no such device
 * @retval ACL_ERROR_RT_CONTEXT_NULL         107002: the thread has no context
 * @retval ACL_ERROR_RT_FEATURE_NOT_SUPPORT  207000: memory of the host
 * @retval ACL_ERROR_RT_MEMORY_ALLOCATION    207001: not enough device memory
 */
ACL_FUNC_VISIBILITY aclError aclrtMallocPhysical(aclrtDrvMemHandle *handle, size_t size,
                                                 const aclrtPhysicalMemProp *prop, uint64_t flags);

/**
 * Gives a handle back. The memory is freed when it has no handle and is mapped nowhere. Any thread may do it.
 *
 * @param[in] handle  made by aclrtMallocPhysical(), aclrtMemImportFromShareableHandle() or
 *                    aclrtMemRetainAllocationHandle()
 * @retval ACL_SUCCESS                  0: given back
 * @retval ACL_ERROR_INVALID_PARAM      100000: `handle` is null
 * @retval ACL_ERROR_RT_INVALID_HANDLE  107017: given back already, or no such handle
 */
ACL_FUNC_VISIBILITY aclError aclrtFreePhysical(aclrtDrvMemHandle handle);

/**
 * Maps memory at reserved addresses: from now on they are ordinary device memory. Adjacent pieces are one range to
 * copies and operators. The same memory may be mapped at several addresses. Needs no context.
 *
 * @param[in] virPtr  address in a reservation, a multiple of the granularity; nothing is mapped there
 * @param[in] size    bytes: the size of the memory
 * @param[in] offset  0
 * @param[in] handle  the memory; one reservation holds memory of one device
 * @param[in] flags   0
 * @retval ACL_SUCCESS                  0: mapped
 * @retval ACL_ERROR_INVALID_PARAM      100000: `virPtr` or `handle` is null, `size` is 0, or `offset` or `flags` is not
 * @retval ACL_ERROR_RT_PARAM_INVALID   107000: another size, an unaligned address, addresses that are not reserved, that
 *                                      hold memory or are still used by work that is queued, or of another device
 * @retval ACL_ERROR_RT_INVALID_HANDLE  107017: `handle` was given back, or is none
 */
ACL_FUNC_VISIBILITY aclError aclrtMapMem(void *virPtr, size_t size, size_t offset, aclrtDrvMemHandle handle,
                                         uint64_t flags);

/**
 * Undoes aclrtMapMem(). Does not wait: synchronise the streams that use the memory first. Any thread may do it.
 *
 * @param[in] virPtr  the address that memory was mapped at
 * @retval ACL_SUCCESS                 0: the addresses are free
 * @retval ACL_ERROR_INVALID_PARAM     100000: `virPtr` is null
 * @retval ACL_ERROR_RT_PARAM_INVALID  107000: nothing was mapped at that address
 */
ACL_FUNC_VISIBILITY aclError aclrtUnmapMem(void *virPtr);

/**
 * Says what devices may do with mapped memory. It is remembered, not enforced. Thread-safe; needs no context.
 *
 * @param[in] virPtr  start of mapped memory
 * @param[in] size    bytes: whole pieces, as they were mapped
 * @param[in] desc    rights, each with its device; at first the memory's own device has READWRITE and others NONE
 * @param[in] count   entries of `desc`
 * @retval ACL_SUCCESS                    0: set
 * @retval ACL_ERROR_INVALID_PARAM        100000: a pointer is null, `size` or `count` is 0, or there is no such right
 * @retval ACL_ERROR_RT_PARAM_INVALID     107000: not mapped, not whole pieces, or the place of a right is no device
 * @retval ACL_ERROR_RT_INVALID_DEVICEID  107001: there is no such device
 */
ACL_FUNC_VISIBILITY aclError aclrtMemSetAccess(void *virPtr, size_t size, aclrtMemAccessDesc *desc, size_t count);

/**
 * Tells what a device may do with mapped memory. Thread-safe; needs no context.
 *
 * @param[in]  virPtr    an address in mapped memory
 * @param[in]  location  the device
 * @param[out] flag      receives the right, one of aclrtMemAccessFlags
 * @retval ACL_SUCCESS                    0: written
 * @retval ACL_ERROR_INVALID_PARAM        100000: a pointer is null
 * @retval ACL_ERROR_RT_PARAM_INVALID     107000: not mapped, or the place is no device
 * @retval ACL_ERROR_RT_INVALID_DEVICEID  107001: there is no such device
 */
ACL_FUNC_VISIBILITY aclError aclrtMemGetAccess(void *virPtr, aclrtMemLocation *location, uint64_t *flag);

/**
 * Tells of which size physical memory must be a multiple. Thread-safe; needs no context.
 *
 * @param[in]  prop         kind and device
 * @param[in]  option       the minimum, or what is recommended: both are the same
 * @param[out] granularity  receives 4 KiB for normal pages, 1 GiB for those of 1 GiB, otherwise 2 MiB
 * @retval ACL_SUCCESS                       0: written
 * @retval ACL_ERROR_INVALID_PARAM           100000: a pointer is null, or there is no such option
 * @retval ACL_ERROR_RT_PARAM_INVALID        107000: no memory of a device is of that kind
 * @retval ACL_ERROR_RT_INVALID_DEVICEID     107001: there is no such device
 * @retval ACL_ERROR_RT_FEATURE_NOT_SUPPORT  207000: memory of the host
 */
ACL_FUNC_VISIBILITY aclError aclrtMemGetAllocationGranularity(aclrtPhysicalMemProp *prop,
                                                              aclrtMemGranularityOptions option, size_t *granularity);

/**
 * Gives one more handle for the memory behind a mapped address. Thread-safe; needs no context.
 *
 * @param[in]  virPtr  an address in mapped memory
 * @param[out] handle  receives the handle; given back with aclrtFreePhysical()
 * @retval ACL_SUCCESS                 0: written
 * @retval ACL_ERROR_INVALID_PARAM     100000: a pointer is null
 * @retval ACL_ERROR_RT_PARAM_INVALID  107000: nothing is mapped there
 */
ACL_FUNC_VISIBILITY aclError aclrtMemRetainAllocationHandle(void *virPtr, aclrtDrvMemHandle *handle);

/**
 * Gives a number by which physical memory can be handed on. It holds as long as the memory lives, in this process only:
 * emulated memory cannot be shared with another one. Thread-safe; needs no context.
 *
 * @param[in]  handle           the memory
 * @param[in]  handleType       ACL_MEM_HANDLE_TYPE_NONE
 * @param[in]  flags            ACL_RT_VMM_EXPORT_FLAG_... value
 * @param[out] shareableHandle  receives the number
 * @retval ACL_SUCCESS                  0: written
 * @retval ACL_ERROR_INVALID_PARAM      100000: a pointer is null, or `handleType` or `flags` is none of these
 * @retval ACL_ERROR_RT_INVALID_HANDLE  107017: `handle` was given back, or is none
 */
ACL_FUNC_VISIBILITY aclError aclrtMemExportToShareableHandle(aclrtDrvMemHandle handle, aclrtMemHandleType handleType,
                                                             uint64_t flags, uint64_t *shareableHandle);

/**
 * Gives a handle for memory that was exported. Thread-safe; needs no context.
 *
 * @param[in]  shareableHandle  number from aclrtMemExportToShareableHandle(), in this process
 * @param[in]  deviceId         device that will use it
 * @param[out] handle           receives the handle; given back with aclrtFreePhysical()
 * @retval ACL_SUCCESS                       0: written
 * @retval ACL_ERROR_INVALID_PARAM           100000: `handle` is null
 * @retval ACL_ERROR_RT_PARAM_INVALID        107000: no such number, or the memory was freed
 * @retval ACL_ERROR_RT_INVALID_DEVICEID     107001: there is no such device
 * @retval ACL_ERROR_RT_FEATURE_NOT_SUPPORT  207000: the number comes from another process
 */
ACL_FUNC_VISIBILITY aclError aclrtMemImportFromShareableHandle(uint64_t shareableHandle, int32_t deviceId,
                                                               aclrtDrvMemHandle *handle);

/**
 * Says which processes may import exported memory. Only the calling process can. Thread-safe; needs no context.
 *
 * @param[in] shareableHandle  number from aclrtMemExportToShareableHandle()
 * @param[in] pid              the processes
 * @param[in] pidNum           entries of `pid`
 * @retval ACL_SUCCESS                       0: all of them are the calling process
 * @retval ACL_ERROR_INVALID_PARAM           100000: `pid` is null or `pidNum` is 0
 * @retval ACL_ERROR_RT_PARAM_INVALID        107000: no such number, or the memory was freed
 * @retval ACL_ERROR_RT_FEATURE_NOT_SUPPORT  207000: another process is named, or the number comes from one
 */
ACL_FUNC_VISIBILITY aclError aclrtMemSetPidToShareableHandle(uint64_t shareableHandle, int32_t *pid, size_t pidNum);

/* ==== Memory: values between streams, and caches ==== */

#define ACL_STREAM_WAIT_VALUE_GEQ 0x00000000U /**< waits until the value is at least the given one */
#define ACL_STREAM_WAIT_VALUE_EQ  0x00000001U /**< ... is the given one */
#define ACL_STREAM_WAIT_VALUE_AND 0x00000002U /**< ... has a bit in common with it */
#define ACL_STREAM_WAIT_VALUE_NOR 0x00000003U /**< ... leaves a bit 0 that it leaves 0 too */

/** Operations on the device's cache. */
typedef enum aclrtCmoType {
	ACL_RT_CMO_TYPE_PREFETCH = 0,
	ACL_RT_CMO_TYPE_WRITEBACK = 1,
	ACL_RT_CMO_TYPE_INVALID = 2,
	ACL_RT_CMO_TYPE_FLUSH = 3
} aclrtCmoType;

/**
 * Writes 8 bytes to device memory in the order of a stream.
 *
 * @param[out] devAddr  device memory, a multiple of 8
 * @param[in]  value    what to write
 * @param[in]  flag     0
 * @param[in]  stream   a stream of the current context; null for its default stream
 * @retval ACL_SUCCESS                  0: queued
 * @retval ACL_ERROR_INVALID_PARAM      100000: `devAddr` is null
 * @retval ACL_ERROR_RT_PARAM_INVALID   107000: `flag` is not 0, or `devAddr` is unaligned or no device memory
 * @retval ACL_ERROR_RT_CONTEXT_NULL    107002: the thread has no context
 * @retval ACL_ERROR_RT_STREAM_CONTEXT  107003: the stream belongs to another context
 * @retval ACL_ERROR_RT_INVALID_HANDLE  107017: destroyed, or no stream
 */
ACL_FUNC_VISIBILITY aclError aclrtValueWrite(void *devAddr, uint64_t value, uint32_t flag, aclrtStream stream);

/**
 * Holds a stream until 8 bytes of device memory fulfil a condition, whoever writes them.
 *
 * @param[in] devAddr  device memory, a multiple of 8
 * @param[in] value    what to compare with
 * @param[in] flag     one of the ACL_STREAM_WAIT_VALUE_... conditions
 * @param[in] stream   a stream of the current context; null for its default stream
 * @retval ACL_SUCCESS                  0: queued
 * @retval ACL_ERROR_INVALID_PARAM      100000: `devAddr` is null
 * @retval ACL_ERROR_RT_PARAM_INVALID   107000: no such condition, or `devAddr` is unaligned or no device memory
 * @retval ACL_ERROR_RT_CONTEXT_NULL    107002: the thread has no context
 * @retval ACL_ERROR_RT_STREAM_CONTEXT  107003: the stream belongs to another context
 * @retval ACL_ERROR_RT_INVALID_HANDLE  107017: destroyed, or no stream
 */
ACL_FUNC_VISIBILITY aclError aclrtValueWait(void *devAddr, uint64_t value, uint32_t flag, aclrtStream stream);

/**
 * Gives the device's cache a hint in the order of a stream. There is no such cache here, so nothing happens.
 *
 * @param[in] src      device memory
 * @param[in] size     bytes
 * @param[in] cmoType  the hint
 * @param[in] stream   a stream of the current context; null for its default stream
 * @retval ACL_SUCCESS                  0: done
 * @retval ACL_ERROR_INVALID_PARAM      100000: `src` is null, `size` is 0, or there is no such hint
 * @retval ACL_ERROR_RT_CONTEXT_NULL    107002: the thread has no context
 * @retval ACL_ERROR_RT_STREAM_CONTEXT  107003: the stream belongs to another context
 * @retval ACL_ERROR_RT_INVALID_HANDLE  107017: destroyed, or no stream
 */
ACL_FUNC_VISIBILITY aclError aclrtCmoAsync(void *src, size_t size, aclrtCmoType cmoType, aclrtStream stream);

/**
 * Writes cached device memory back. There is no such cache here, so nothing happens. Thread-safe.
 *
 * @param[in] devPtr  memory from aclrtMallocCached()
 * @param[in] size    bytes
 * @retval ACL_SUCCESS              0: done
 * @retval ACL_ERROR_INVALID_PARAM  100000: `devPtr` is null or `size` is 0
 */
ACL_FUNC_VISIBILITY aclError aclrtMemFlush(void *devPtr, size_t size);

/**
 * Forgets cached device memory. There is no such cache here, so nothing happens. Thread-safe.
 *
 * @param[in] devPtr  memory from aclrtMallocCached()
 * @param[in] size    bytes
 * @retval ACL_SUCCESS              0: done
 * @retval ACL_ERROR_INVALID_PARAM  100000: `devPtr` is null or `size` is 0
 */
ACL_FUNC_VISIBILITY aclError aclrtMemInvalidate(void *devPtr, size_t size);

/* ==== Device: what it is ==== */

/** Numbers that describe a device. */
typedef enum aclrtDevAttr {
	ACL_DEV_ATTR_AICPU_CORE_NUM = 1,
	ACL_DEV_ATTR_AICORE_CORE_NUM = 101,
	ACL_DEV_ATTR_CUBE_CORE_NUM = 102,
	ACL_DEV_ATTR_VECTOR_CORE_NUM = 201,
	ACL_DEV_ATTR_WARP_SIZE = 202,
	ACL_DEV_ATTR_MAX_THREAD_PER_VECTOR_CORE = 203,
	ACL_DEV_ATTR_LOCAL_MEM_PER_VECTOR_CORE = 204,
	ACL_DEV_ATTR_UBUF_PER_VECTOR_CORE = 204, /**< another name of 204 */
	ACL_DEV_ATTR_MAX_GRID_DIM_X = 205,
	ACL_DEV_ATTR_MAX_GRID_DIM_Y = 206,
	ACL_DEV_ATTR_MAX_GRID_DIM_Z = 207,
	ACL_DEV_ATTR_MAX_BLOCK_PER_GRID = 208,
	ACL_DEV_ATTR_MAX_THREADS_PER_BLOCK = 209,
	ACL_DEV_ATTR_MAX_BLOCK_DIM_X = 210,
	ACL_DEV_ATTR_MAX_BLOCK_DIM_Y = 211,
	ACL_DEV_ATTR_MAX_BLOCK_DIM_Z = 212,
	ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE = 301,
	ACL_DEV_ATTR_L2_CACHE_SIZE = 302,
	ACL_DEV_ATTR_SMP_ID = 401,
	ACL_DEV_ATTR_PHY_CHIP_ID = 402,
	ACL_DEV_ATTR_SUPER_POD_DEVIDE_ID = 403,  /**< old spelling of SUPER_POD_DEVICE_ID */
	ACL_DEV_ATTR_SUPER_POD_DEVICE_ID = 403,
	ACL_DEV_ATTR_SUPER_POD_SERVER_ID = 404,
	ACL_DEV_ATTR_SUPER_POD_ID = 405,
	ACL_DEV_ATTR_CUST_OP_PRIVILEGE = 406,
	ACL_DEV_ATTR_MAINBOARD_ID = 407,
	ACL_DEV_ATTR_HD_CONNECT_TYPE = 408,
	ACL_DEV_ATTR_DEVICE_FORM_FACTOR = 409,
	ACL_DEV_ATTR_IS_VIRTUAL = 501,
	ACL_DEV_ATTR_NPU_ARCH = 601
} aclrtDevAttr;

/** Features that can be asked for. */
typedef enum aclrtDevFeatureType {
	ACL_FEATURE_TSCPU_TASK_UPDATE_SUPPORT_AIC_AIV = 1,
	ACL_FEATURE_SYSTEM_MEMQ_EVENT_CROSS_DEV = 21
} aclrtDevFeatureType;

#define ACL_DEV_FEATURE_NOT_SUPPORT 0
#define ACL_DEV_FEATURE_SUPPORT     1

/** Health of a device. */
typedef enum aclrtDeviceStatus {
	ACL_RT_DEVICE_STATUS_NORMAL = 0,
	ACL_RT_DEVICE_STATUS_ABNORMAL = 1,
	ACL_RT_DEVICE_STATUS_END = 0xffff
} aclrtDeviceStatus;

/** Not described. */
typedef struct aclrtUtilizationExtendInfo aclrtUtilizationExtendInfo;

/** Load of a device's parts in per cent. */
typedef struct aclrtUtilizationInfo {
	int32_t cubeUtilization;
	int32_t vectorUtilization;
	int32_t aicpuUtilization;
	int32_t memoryUtilization;
	aclrtUtilizationExtendInfo *utilizationExtend; /**< must be null */
} aclrtUtilizationInfo;

/** A unique number of a device. */
typedef struct aclrtUuid {
	char bytes[16];
} aclrtUuid;

/** Task scheduler of a device. */
typedef enum aclrtTsId {
	ACL_TS_ID_AICORE = 0,
	ACL_TS_ID_AIVECTOR = 1,
	ACL_TS_ID_RESERVED = 2
} aclrtTsId;

/**
 * Tells a number of a device. Thread-safe; needs no context.
 *
 * @param[in]  deviceId  0 to the count of devices minus 1
 * @param[in]  attr      which number; those of a machine around the device (401 to 501) are 0 here, but for PHY_CHIP_ID
 * @param[out] value     receives the number
 * @retval ACL_SUCCESS                       0: written
 * @retval ACL_ERROR_INVALID_PARAM           100000: `value` is null
 * @retval ACL_ERROR_RT_PARAM_INVALID        107000: there is no such device, or no such number
 * @retval ACL_ERROR_RT_FEATURE_NOT_SUPPORT  207000: 202 to 212 of the 950 series; other chips have 0 there
 */
ACL_FUNC_VISIBILITY aclError aclrtGetDeviceInfo(uint32_t deviceId, aclrtDevAttr attr, int64_t *value);

/**
 * Tells whether a device has a feature. Emulated devices have neither. Thread-safe; needs no context.
 *
 * @param[in]  deviceId        0 to the count of devices minus 1
 * @param[in]  devFeatureType  the feature
 * @param[out] value           receives ACL_DEV_FEATURE_SUPPORT or ACL_DEV_FEATURE_NOT_SUPPORT
 * @retval ACL_SUCCESS                    0: written
 * @retval ACL_ERROR_INVALID_PARAM        100000: `value` is null
 * @retval ACL_ERROR_RT_PARAM_INVALID     107000: no such feature
 * @retval ACL_ERROR_RT_INVALID_DEVICEID  107001: there is no such device
 */
ACL_FUNC_VISIBILITY aclError aclrtGetDeviceCapability(int32_t deviceId, aclrtDevFeatureType devFeatureType,
                                                      int32_t *value);

/**
 * Tells whether code for another chip can run on this one: whether both are of one architecture. Thread-safe.
 *
 * @param[in]  socVersion     name of a chip, as aclrtGetSocName() gives it
 * @param[out] canCompatible  receives 1 or 0
 * @retval ACL_SUCCESS              0: written
 * @retval ACL_ERROR_INVALID_PARAM  100000: a pointer is null
 */
ACL_FUNC_VISIBILITY aclError aclrtCheckArchCompatibility(const char *socVersion, int32_t *canCompatible);

/**
 * Tells whether a device is well: it always is. Thread-safe; needs no context.
 *
 * @param[in]  deviceId      0 to the count of devices minus 1
 * @param[out] deviceStatus  receives ACL_RT_DEVICE_STATUS_NORMAL
 * @retval ACL_SUCCESS                    0: written
 * @retval ACL_ERROR_INVALID_PARAM        100000: `deviceStatus` is null
 * @retval ACL_ERROR_RT_INVALID_DEVICEID  107001: there is no such device
 */
ACL_FUNC_VISIBILITY aclError aclrtQueryDeviceStatus(int32_t deviceId, aclrtDeviceStatus *deviceStatus);

/**
 * Tells the load of a device: 100 for cube and vector cores while any stream of it has work, else 0. Thread-safe.
 *
 * @param[in]     deviceId         0 to the count of devices minus 1
 * @param[in,out] utilizationInfo  receives the loads, -1 for memory; its extension is null
 * @retval ACL_SUCCESS                    0: written
 * @retval ACL_ERROR_INVALID_PARAM        100000: `utilizationInfo` is null, or its extension is not
 * @retval ACL_ERROR_RT_INVALID_DEVICEID  107001: there is no such device
 */
ACL_FUNC_VISIBILITY aclError aclrtGetDeviceUtilizationRate(int32_t deviceId, aclrtUtilizationInfo *utilizationInfo);

/**
 * Gives the number that a visible device has among all of the machine. Thread-safe; needs no context.
 *
 * @param[in]  userDevid   0 to the count of devices minus 1
 * @param[out] logicDevId  receives the number: the same, unless ASCEND_RT_VISIBLE_DEVICES is set
 * @retval ACL_SUCCESS                    0: written
 * @retval ACL_ERROR_INVALID_PARAM        100000: `logicDevId` is null
 * @retval ACL_ERROR_RT_INVALID_DEVICEID  107001: there is no such device
 */
ACL_FUNC_VISIBILITY aclError aclrtGetLogicDevIdByUserDevId(const int32_t userDevid, int32_t *const logicDevId);

/**
 * Gives the number that a device has in hardware: here the same. Thread-safe; needs no context.
 *
 * @param[in]  logicDevId  a device of the machine, visible or not
 * @param[out] phyDevId    receives the number
 * @retval ACL_SUCCESS                    0: written
 * @retval ACL_ERROR_INVALID_PARAM        100000: `phyDevId` is null
 * @retval ACL_ERROR_RT_INVALID_DEVICEID  107001: the machine has no such device
 */
ACL_FUNC_VISIBILITY aclError aclrtGetPhyDevIdByLogicDevId(const int32_t logicDevId, int32_t *const phyDevId);

/**
 * Gives the number of the process as devices know it: here the operating system's. Thread-safe; needs no context.
 *
 * @param[out] pid  receives the number
 * @retval ACL_SUCCESS              0: written
 * @retval ACL_ERROR_INVALID_PARAM  100000: `pid` is null
 */
ACL_FUNC_VISIBILITY aclError aclrtDeviceGetBareTgid(int32_t *pid);

/**
 * Gives 16 bytes that no other device of the machine has. Thread-safe; needs no context.
 *
 * @param[in]  deviceId  0 to the count of devices minus 1
 * @param[out] uuid      receives the bytes
 * @retval ACL_SUCCESS                    0: written
 * @retval ACL_ERROR_INVALID_PARAM        100000: `uuid` is null
 * @retval ACL_ERROR_RT_INVALID_DEVICEID  107001: there is no such device
 */
ACL_FUNC_VISIBILITY aclError aclrtDeviceGetUuid(int32_t deviceId, aclrtUuid *uuid);

/**
 * Tells whether a device has its primary context, that is, whether anybody has it set. Thread-safe; needs no context.
 *
 * @param[in]  deviceId  0 to the count of devices minus 1
 * @param[in]  flags     null
 * @param[out] active    receives 1 or 0
 * @retval ACL_SUCCESS                    0: written
 * @retval ACL_ERROR_INVALID_PARAM        100000: `flags` is not null, or `active` is
 * @retval ACL_ERROR_RT_INVALID_DEVICEID  107001: there is no such device
 */
ACL_FUNC_VISIBILITY aclError aclrtGetPrimaryCtxState(int32_t deviceId, uint32_t *flags, int32_t *active);

/**
 * Chooses a task scheduler of the device. Emulated devices have one for everything, so nothing changes. Thread-safe.
 *
 * @param[in] tsId  0 or 1
 * @retval ACL_SUCCESS              0: done
 * @retval ACL_ERROR_INVALID_PARAM  100000: no such scheduler
 */
ACL_FUNC_VISIBILITY aclError aclrtSetTsDevice(aclrtTsId tsId);

/* ==== Device: access to others ==== */

/**
 * Tells whether a device can reach the memory of another: emulated ones always can. Thread-safe; needs no context.
 *
 * @param[out] canAccessPeer  receives 1 or 0
 * @param[in]  deviceId       a device
 * @param[in]  peerDeviceId   another device
 * @retval ACL_SUCCESS                    0: written
 * @retval ACL_ERROR_INVALID_PARAM        100000: `canAccessPeer` is null, or both devices are the same
 * @retval ACL_ERROR_RT_INVALID_DEVICEID  107001: there is no such device
 */
ACL_FUNC_VISIBILITY aclError aclrtDeviceCanAccessPeer(int32_t *canAccessPeer, int32_t deviceId, int32_t peerDeviceId);

/**
 * Lets the current device reach the memory of another. Copies between devices work here without it.
 *
 * @param[in] peerDeviceId  another device
 * @param[in] flags         0
 * @retval ACL_SUCCESS                    0: enabled
 * @retval ACL_ERROR_INVALID_PARAM        100000: the current device itself
 * @retval ACL_ERROR_RT_INVALID_DEVICEID  107001: there is no such device
 * @retval ACL_ERROR_RT_CONTEXT_NULL      107002: the thread has no context
 * @retval ACL_ERROR_FEATURE_UNSUPPORTED  200006: `flags` is not 0
 */
ACL_FUNC_VISIBILITY aclError aclrtDeviceEnablePeerAccess(int32_t peerDeviceId, uint32_t flags);

/**
 * Undoes aclrtDeviceEnablePeerAccess().
 *
 * @param[in] peerDeviceId  another device
 * @retval ACL_SUCCESS                    0: disabled
 * @retval ACL_ERROR_INVALID_PARAM        100000: the current device itself
 * @retval ACL_ERROR_RT_INVALID_DEVICEID  107001: there is no such device
 * @retval ACL_ERROR_RT_CONTEXT_NULL      107002: the thread has no context
 */
ACL_FUNC_VISIBILITY aclError aclrtDeviceDisablePeerAccess(int32_t peerDeviceId);

/**
 * Tells whether aclrtDeviceEnablePeerAccess() is in force. Thread-safe; needs no context.
 *
 * @param[in]  deviceId      a device
 * @param[in]  peerDeviceId  another device
 * @param[out] status        receives 1 or 0
 * @retval ACL_SUCCESS                    0: written
 * @retval ACL_ERROR_INVALID_PARAM        100000: `status` is null, or both devices are the same
 * @retval ACL_ERROR_RT_INVALID_DEVICEID  107001: there is no such device
 */
ACL_FUNC_VISIBILITY aclError aclrtDevicePeerAccessStatus(int32_t deviceId, int32_t peerDeviceId, int32_t *status);

/* ==== Device: limits. They are kept for those who ask; emulated operators do not depend on them ==== */

/** Cores whose number can be limited. */
typedef enum aclrtDevResLimitType {
	ACL_RT_DEV_RES_CUBE_CORE = 0,
	ACL_RT_DEV_RES_VECTOR_CORE = 1
} aclrtDevResLimitType;

/** Sizes on the device that can be changed. */
typedef enum aclrtDeviceLimit {
	ACL_RT_DEV_LIMIT_SIMT_STACK_SIZE = 0,
	ACL_RT_DEV_LIMIT_SIMT_DVG_WARP_STACK_SIZE = 1,
	ACL_RT_DEV_LIMIT_SIMD_STACK_SIZE = 2,
	ACL_RT_DEV_LIMIT_SIMD_PRINTF_FIFO_SIZE_PER_CORE = 3,
	ACL_RT_DEV_LIMIT_SIMT_PRINTF_FIFO_SIZE = 4
} aclrtDeviceLimit;

/**
 * Tells how many cores operators may use on a device. Thread-safe; needs no context.
 *
 * @param[in]  deviceId  0 to the count of devices minus 1
 * @param[in]  type      cube or vector cores
 * @param[out] value     receives the number; all cores, if it was never set
 * @retval ACL_SUCCESS                    0: written
 * @retval ACL_ERROR_INVALID_PARAM        100000: `value` is null, or there is no such type
 * @retval ACL_ERROR_RT_INVALID_DEVICEID  107001: there is no such device
 */
ACL_FUNC_VISIBILITY aclError aclrtGetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type, uint32_t *value);

/**
 * Sets how many cores operators may use on a device. Thread-safe; needs no context.
 *
 * @param[in] deviceId  0 to the count of devices minus 1
 * @param[in] type      cube or vector cores
 * @param[in] value     1 to the number of such cores
 * @retval ACL_SUCCESS                    0: set
 * @retval ACL_ERROR_INVALID_PARAM        100000: there is no such type
 * @retval ACL_ERROR_RT_PARAM_INVALID     107000: `value` is 0 or more than there are
 * @retval ACL_ERROR_RT_INVALID_DEVICEID  107001: there is no such device
 */
ACL_FUNC_VISIBILITY aclError aclrtSetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type, uint32_t value);

/**
 * Lets operators use all cores of a device again. Thread-safe; needs no context.
 *
 * @param[in] deviceId  0 to the count of devices minus 1
 * @retval ACL_SUCCESS                    0: reset
 * @retval ACL_ERROR_RT_INVALID_DEVICEID  107001: there is no such device
 */
ACL_FUNC_VISIBILITY aclError aclrtResetDeviceResLimit(int32_t deviceId);

/**
 * Tells how many cores operators may use in a stream.
 *
 * @param[in]  stream  a stream; null for the default stream of the current context
 * @param[in]  type    cube or vector cores
 * @param[out] value   receives the number; that of the device, if it was never set
 * @retval ACL_SUCCESS                  0: written
 * @retval ACL_ERROR_INVALID_PARAM      100000: `value` is null, or there is no such type
 * @retval ACL_ERROR_RT_CONTEXT_NULL    107002: the thread has no context
 * @retval ACL_ERROR_RT_INVALID_HANDLE  107017: destroyed, or no stream
 */
ACL_FUNC_VISIBILITY aclError aclrtGetStreamResLimit(aclrtStream stream, aclrtDevResLimitType type, uint32_t *value);

/**
 * Sets how many cores operators may use in a stream.
 *
 * @param[in] stream  a stream; null for the default stream of the current context
 * @param[in] type    cube or vector cores
 * @param[in] value   1 to the number of such cores
 * @retval ACL_SUCCESS                  0: set
 * @retval ACL_ERROR_INVALID_PARAM      100000: there is no such type
 * @retval ACL_ERROR_RT_PARAM_INVALID   107000: `value` is 0 or more than there are
 * @retval ACL_ERROR_RT_CONTEXT_NULL    107002: the thread has no context
 * @retval ACL_ERROR_RT_INVALID_HANDLE  107017: destroyed, or no stream
 */
ACL_FUNC_VISIBILITY aclError aclrtSetStreamResLimit(aclrtStream stream, aclrtDevResLimitType type, uint32_t value);

/**
 * Lets the device's limit hold for a stream again.
 *
 * @param[in] stream  a stream; null for the default stream of the current context
 * @retval ACL_SUCCESS                  0: reset
 * @retval ACL_ERROR_RT_CONTEXT_NULL    107002: the thread has no context
 * @retval ACL_ERROR_RT_INVALID_HANDLE  107017: destroyed, or no stream
 */
ACL_FUNC_VISIBILITY aclError aclrtResetStreamResLimit(aclrtStream stream);

/**
 * Lets the calling thread plan operators with the limits of a stream.
 *
 * @param[in] stream  a stream; null for the default stream of the current context
 * @retval ACL_SUCCESS                  0: in use
 * @retval ACL_ERROR_RT_CONTEXT_NULL    107002: the thread has no context
 * @retval ACL_ERROR_RT_INVALID_HANDLE  107017: destroyed, or no stream
 */
ACL_FUNC_VISIBILITY aclError aclrtUseStreamResInCurrentThread(aclrtStream stream);

/**
 * Undoes aclrtUseStreamResInCurrentThread() of the same stream; any other changes nothing.
 *
 * @param[in] stream  a stream; null for the default stream of the current context
 * @retval ACL_SUCCESS                  0: not in use
 * @retval ACL_ERROR_RT_CONTEXT_NULL    107002: the thread has no context
 * @retval ACL_ERROR_RT_INVALID_HANDLE  107017: destroyed, or no stream
 */
ACL_FUNC_VISIBILITY aclError aclrtUnuseStreamResInCurrentThread(aclrtStream stream);

/**
 * Tells how many cores operators that the calling thread plans may use: of the stream in use, else of the device.
 *
 * @param[in]  type   cube or vector cores
 * @param[out] value  receives the number
 * @retval ACL_SUCCESS                0: written
 * @retval ACL_ERROR_INVALID_PARAM    100000: `value` is null, or there is no such type
 * @retval ACL_ERROR_RT_CONTEXT_NULL  107002: the thread has no context
 */
ACL_FUNC_VISIBILITY aclError aclrtGetResInCurrentThread(aclrtDevResLimitType type, uint32_t *value);

/**
 * Sets a size on the current device.
 *
 * @param[in] limit  which size
 * @param[in] value  bytes; any number is accepted
 * @retval ACL_SUCCESS                0: set
 * @retval ACL_ERROR_INVALID_PARAM    100000: no such limit
 * @retval ACL_ERROR_RT_CONTEXT_NULL  107002: the thread has no context
 */
ACL_FUNC_VISIBILITY aclError aclrtDeviceSetLimit(aclrtDeviceLimit limit, size_t value);

/**
 * Tells a size on the current device.
 *
 * @param[in]  limit  which size
 * @param[out] value  receives the bytes; 0 if it was never set
 * @retval ACL_SUCCESS                0: written
 * @retval ACL_ERROR_INVALID_PARAM    100000: `value` is null, or there is no such limit
 * @retval ACL_ERROR_RT_CONTEXT_NULL  107002: the thread has no context
 */
ACL_FUNC_VISIBILITY aclError aclrtDeviceGetLimit(aclrtDeviceLimit limit, size_t *value);

/* ==== Types of the rest of the interface; see the top of this file ==== */

/* ---- Handles ---- */

typedef void *aclrtNotify;
typedef void *aclrtCntNotify;
typedef void *aclrtLabel;
typedef void *aclrtLabelList;
typedef void *aclrtMbuf;
typedef void *aclrtBinary;
typedef void *aclrtBinHandle;
typedef void *aclrtFuncHandle;
typedef void *aclrtArgsHandle;
typedef void *aclrtParamHandle;
typedef void *aclrtAllocatorDesc;
typedef void *aclrtAllocator;
typedef void *aclrtAllocatorBlock;
typedef void *aclrtAllocatorAddr;
typedef void *aclrtTaskGrp;
typedef void *aclrtMemPool;
typedef void *aclmdlRI;
typedef void *aclmdlRITask;
typedef void *aclmdlRICondHandle;
typedef struct tagRtGroupInfo aclrtGroupInfo;

/* ---- Process ---- */

/** State of a process with respect to snapshots. */
typedef enum aclrtProcessState {
	ACL_RT_PROCESS_STATE_RUNNING = 0,
	ACL_RT_PROCESS_STATE_LOCKED = 1
} aclrtProcessState;

/** Stages of a process snapshot. */
typedef enum aclrtSnapShotStage {
	ACL_RT_SNAPSHOT_LOCK_PRE = 0,
	ACL_RT_SNAPSHOT_BACKUP_PRE = 1,
	ACL_RT_SNAPSHOT_BACKUP_POST = 2,
	ACL_RT_SNAPSHOT_RESTORE_PRE = 3,
	ACL_RT_SNAPSHOT_RESTORE_POST = 4,
	ACL_RT_SNAPSHOT_UNLOCK_POST = 5
} aclrtSnapShotStage;

/* ---- Device ---- */

/** Attributes of a group of cores. */
typedef enum aclrtGroupAttr {
	ACL_GROUP_AICORE_INT = 0,
	ACL_GROUP_AIV_INT = 1,
	ACL_GROUP_AIC_INT = 2,
	ACL_GROUP_SDMANUM_INT = 3,
	ACL_GROUP_ASQNUM_INT = 4,
	ACL_GROUP_GROUPID_INT = 5
} aclrtGroupAttr;

/** Atomic operations that can be asked about. */
typedef enum aclrtAtomicOperation {
	ACL_RT_ATOMIC_OPERATION_INTEGER_ADD = 0,
	ACL_RT_ATOMIC_OPERATION_INTEGER_MIN = 1,
	ACL_RT_ATOMIC_OPERATION_INTEGER_MAX = 2,
	ACL_RT_ATOMIC_OPERATION_INTEGER_INCREMENT = 3,
	ACL_RT_ATOMIC_OPERATION_INTEGER_DECREMENT = 4,
	ACL_RT_ATOMIC_OPERATION_AND = 5,
	ACL_RT_ATOMIC_OPERATION_OR = 6,
	ACL_RT_ATOMIC_OPERATION_XOR = 7,
	ACL_RT_ATOMIC_OPERATION_EXCHANGE = 8,
	ACL_RT_ATOMIC_OPERATION_CAS = 9,
	ACL_RT_ATOMIC_OPERATION_FLOAT_ADD = 10,
	ACL_RT_ATOMIC_OPERATION_FLOAT_MIN = 11,
	ACL_RT_ATOMIC_OPERATION_FLOAT_MAX = 12,
	ACL_RT_ATOMIC_OPERATION_DMA_ADD = 30,
	ACL_RT_ATOMIC_OPERATION_DMA_MIN = 31,
	ACL_RT_ATOMIC_OPERATION_DMA_MAX = 32,
	ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_ADD = 40,
	ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_MIN = 41,
	ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_MAX = 42,
	ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_CAS = 43,
	ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_EXCH = 44
} aclrtAtomicOperation;

/** Bits that describe an atomic operation between devices. */
typedef enum aclrtAtomicOperationCapability {
	ACL_RT_ATOMIC_CAPABILITY_SIGNED = 1,
	ACL_RT_ATOMIC_CAPABILITY_UNSIGNED = 2,
	ACL_RT_ATOMIC_CAPABILITY_REDUCATION = 4, /**< old spelling of REDUCTION */
	ACL_RT_ATOMIC_CAPABILITY_REDUCTION = 4,
	ACL_RT_ATOMIC_CAPABILITY_SCALAR8 = 8,
	ACL_RT_ATOMIC_CAPABILITY_SCALAR16 = 16,
	ACL_RT_ATOMIC_CAPABILITY_SCALAR32 = 32,
	ACL_RT_ATOMIC_CAPABILITY_SCALAR64 = 64,
	ACL_RT_ATOMIC_CAPABILITY_SCALAR128 = 128,
	ACL_RT_ATOMIC_CAPABILITY_VECTOR32X4 = 256
} aclrtAtomicOperationCapability;

/** The same for tasks of operators, with the pointer given at registration. */
typedef void (*aclrtOpExceptionCallback)(aclrtExceptionInfo *exceptionInfo, void *userData);

/* ---- Stream ---- */

/** Members of aclrtStreamConfigHandle. */
typedef enum aclrtStreamConfigAttr {
	ACL_RT_STREAM_WORK_ADDR_PTR = 0,
	ACL_RT_STREAM_WORK_SIZE = 1,
	ACL_RT_STREAM_FLAG = 2,
	ACL_RT_STREAM_PRIORITY = 3
} aclrtStreamConfigAttr;

/** Comparisons of a conditional switch between streams. */
typedef enum aclrtCondition {
	ACL_RT_EQUAL = 0,
	ACL_RT_NOT_EQUAL = 1,
	ACL_RT_GREATER = 2,
	ACL_RT_GREATER_OR_EQUAL = 3,
	ACL_RT_LESS = 4,
	ACL_RT_LESS_OR_EQUAL = 5
} aclrtCondition;

/** Operand types of a conditional switch between streams. */
typedef enum aclrtCompareDataType {
	ACL_RT_SWITCH_INT32 = 0,
	ACL_RT_SWITCH_INT64 = 1
} aclrtCompareDataType;

/** How a stream is to be made. */
typedef struct aclrtStreamConfigHandle {
	void *workptr;
	size_t workSize; /**< bytes */
	size_t flag;     /**< ACL_STREAM_... bits */
	uint32_t priority;
} aclrtStreamConfigHandle;

/* ---- Notify, events between processes ---- */

/** How a record changes a counting notify. */
typedef enum aclrtCntNotifyRecordMode {
	ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE = 0,
	ACL_RT_CNT_NOTIFY_RECORD_ADD_MODE = 1,
	ACL_RT_CNT_NOTIFY_RECORD_BIT_OR_MODE = 2,
	ACL_RT_CNT_NOTIFY_RECORD_BIT_AND_MODE = 4
} aclrtCntNotifyRecordMode;

/** When a wait on a counting notify is satisfied. */
typedef enum aclrtCntNotifyWaitMode {
	ACL_RT_CNT_NOTIFY_WAIT_LESS_MODE = 0,
	ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE = 1,
	ACL_RT_CNT_NOTIFY_WAIT_BIGGER_MODE = 2,
	ACL_RT_CNT_NOTIFY_WAIT_BIGGER_OR_EQUAL_MODE = 3,
	ACL_RT_CNT_NOTIFY_WAIT_EQUAL_WITH_BITMASK_MODE = 4
} aclrtCntNotifyWaitMode;

#define ACL_NOTIFY_DEFAULT         0x00000000U
#define ACL_NOTIFY_DEVICE_USE_ONLY 0x00000001U

#define ACL_RT_NOTIFY_EXPORT_FLAG_DEFAULT                0x0U
#define ACL_RT_NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION 0x2U
#define ACL_RT_NOTIFY_IMPORT_FLAG_DEFAULT                0x0U
#define ACL_RT_NOTIFY_IMPORT_FLAG_ENABLE_PEER_ACCESS     0x2U

/** An event as another process knows it; passed by value. */
typedef struct aclrtIpcEventHandle {
	char reserved[64];
} aclrtIpcEventHandle;

/* ---- Memory ---- */

/** Form of a handle that is shared between processes. */
typedef enum aclrtMemSharedHandleType {
	ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT = 1,
	ACL_MEM_SHARE_HANDLE_TYPE_FABRIC = 2
} aclrtMemSharedHandleType;

/** Advice on the use of managed memory. */
typedef enum aclrtMemManagedAdviseType {
	ACL_MEM_ADVISE_SET_READ_MOSTLY = 0,
	ACL_MEM_ADVISE_UNSET_READ_MOSTLY = 1,
	ACL_MEM_ADVISE_SET_PREFERRED_LOCATION = 2,
	ACL_MEM_ADVISE_UNSET_PREFERRED_LOCATION = 3,
	ACL_MEM_ADVISE_SET_ACCESSED_BY = 4,
	ACL_MEM_ADVISE_UNSET_ACCESSED_BY = 5
} aclrtMemManagedAdviseType;

/** Kind of place that managed memory can be asked to live at. */
typedef enum aclrtMemManagedLocationType {
	ACL_MEM_LOCATIONTYPE_INVALID = 0,
	ACL_MEM_LOCATIONTYPE_DEVICE = 1,
	ACL_MEM_LOCATIONTYPE_HOST = 2,
	ACL_MEM_LOCATIONTYPE_HOST_NUMA = 3,
	ACL_MEM_LOCATIONTYPE_HOST_NUMA_CURRENT = 4
} aclrtMemManagedLocationType;

/** Attributes of a range of managed memory. */
typedef enum aclrtMemManagedRangeAttribute {
	ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY = 1,
	ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION = 2,
	ACL_MEM_RANGE_ATTRIBUTE_ACCESSED_BY = 3,
	ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE = 4,
	ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID = 5,
	ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION = 6,
	ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE = 7,
	ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID = 8
} aclrtMemManagedRangeAttribute;

/** Can a unit of the device reach host memory? */
typedef enum aclrtHostMemMapCapability {
	ACL_RT_HOST_MEM_MAP_NOT_SUPPORTED = 0,
	ACL_RT_HOST_MEM_MAP_SUPPORTED = 1
} aclrtHostMemMapCapability;

/** Units of a device that may reach host memory. */
typedef enum aclrtHacType {
	ACL_RT_HAC_TYPE_STARS = 0,
	ACL_RT_HAC_TYPE_AICPU = 1,
	ACL_RT_HAC_TYPE_AIC = 2,
	ACL_RT_HAC_TYPE_AIV = 3,
	ACL_RT_HAC_TYPE_PCIEDMA = 4,
	ACL_RT_HAC_TYPE_RDMA = 5,
	ACL_RT_HAC_TYPE_SDMA = 6,
	ACL_RT_HAC_TYPE_DVPP = 7,
	ACL_RT_HAC_TYPE_UDMA = 8,
	ACL_RT_HAC_TYPE_CCU = 9
} aclrtHacType;

/** Attributes of memory shared between processes. */
typedef enum aclrtIpcMemAttrType {
	ACL_RT_IPC_MEM_ATTR_ACCESS_LINK = 0
} aclrtIpcMemAttrType;

/** Link over which shared memory is reached. */
typedef enum aclrtMemLinkType {
	ACL_RT_MEM_ACCESS_LINK_SIO = 0,
	ACL_RT_MEM_ACCESS_LINK_HCCS = 1,
	ACL_RT_MEM_ACCESS_UB_ONE_PORT_PATH = 2,
	ACL_RT_MEM_ACCESS_UB_MULTI_PORT_PATH = 3
} aclrtMemLinkType;

/** Reductions that a copy can perform. */
typedef enum aclrtReduceKind {
	ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM = 10,
	ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX = 11,
	ACL_RT_MEMCPY_SDMA_AUTOMATIC_MIN = 12,
	ACL_RT_MEMCPY_SDMA_AUTOMATIC_EQUAL = 13
} aclrtReduceKind;

#define ACL_RT_MEM_ATTACH_GLOBAL 0x00000001U

#define ACL_RT_MEM_TYPE_DEV  0x00000002U
#define ACL_RT_MEM_TYPE_DVPP 0x00000008U
#define ACL_RT_MEM_TYPE_RSVD 0x00000010U

#define ACL_RT_IPC_MEM_EXPORT_FLAG_DEFAULT                0x0U
#define ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION 0x1U
#define ACL_RT_IPC_MEM_IMPORT_FLAG_DEFAULT                0x0U
#define ACL_RT_IPC_MEM_IMPORT_FLAG_ENABLE_PEER_ACCESS     0x1U

/** A place where managed memory is. The members are in the opposite order of aclrtMemLocation. */
typedef struct aclrtMemManagedLocation {
	aclrtMemManagedLocationType type;
	int32_t id;
} aclrtMemManagedLocation;

/** Memory as another server knows it. */
typedef struct aclrtMemFabricHandle {
	uint8_t data[128];
} aclrtMemFabricHandle;

/** Processes of one server. */
typedef struct aclrtServerPid {
	uint32_t sdid;
	int32_t *pid;
	size_t num; /**< entries of `pid` */
} aclrtServerPid;

/* ---- Kernels ---- */

/** Options for loading a kernel binary. */
typedef enum aclrtBinaryLoadOptionType {
	ACL_RT_BINARY_LOAD_OPT_LAZY_LOAD = 1,
	ACL_RT_BINARY_LOAD_OPT_LAZY_MAGIC = 2, /**< another name of MAGIC */
	ACL_RT_BINARY_LOAD_OPT_MAGIC = 2,
	ACL_RT_BINARY_LOAD_OPT_CPU_KERNEL_MODE = 3
} aclrtBinaryLoadOptionType;

/** Attributes of a loaded kernel function. */
typedef enum aclrtFuncAttribute {
	ACL_FUNC_ATTR_KERNEL_TYPE = 1,
	ACL_FUNC_ATTR_KERNEL_RATIO = 2,
	ACL_FUNC_ATTR_KERNEL_SCHED_MODE = 3
} aclrtFuncAttribute;

/** Kinds of kernel. */
typedef enum aclrtKernelType {
	ACL_KERNEL_TYPE_AICORE = 0,
	ACL_KERNEL_TYPE_CUBE = 1,
	ACL_KERNEL_TYPE_VECTOR = 2,
	ACL_KERNEL_TYPE_MIX = 3,
	ACL_KERNEL_TYPE_AICPU = 100
} aclrtKernelType;

/** Core type that runs a kernel. */
typedef enum aclrtEngineType {
	ACL_RT_ENGINE_TYPE_AIC = 0,
	ACL_RT_ENGINE_TYPE_AIV = 1
} aclrtEngineType;

/** Attributes of a kernel launch; each has its member in aclrtLaunchKernelAttrValue. */
typedef enum aclrtLaunchKernelAttrId {
	ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE = 1,
	ACL_RT_LAUNCH_KERNEL_ATTR_LOCAL_MEMORY_SIZE = 2,
	ACL_RT_LAUNCH_KERNEL_ATTR_DYN_UBUF_SIZE = 2, /**< another name of 2 */
	ACL_RT_LAUNCH_KERNEL_ATTR_ENGINE_TYPE = 3,
	ACL_RT_LAUNCH_KERNEL_ATTR_BLOCKDIM_OFFSET = 4,
	ACL_RT_LAUNCH_KERNEL_ATTR_BLOCK_TASK_PREFETCH = 5,
	ACL_RT_LAUNCH_KERNEL_ATTR_DATA_DUMP = 6,
	ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT = 7,
	ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT_US = 8,
	ACL_RT_LAUNCH_KERNEL_ATTR_ENABLE_PROFILING = 9
} aclrtLaunchKernelAttrId;

/** Kinds of task that can be updated in place. */
typedef enum aclrtUpdateTaskAttrId {
	ACL_RT_UPDATE_RANDOM_TASK = 1,
	ACL_RT_UPDATE_AIC_AIV_TASK = 2
} aclrtUpdateTaskAttrId;

/** Distributions of a random-number task. */
typedef enum aclrtRandomNumFuncType {
	ACL_RT_RANDOM_NUM_FUNC_TYPE_DROPOUT_BITMASK = 0,
	ACL_RT_RANDOM_NUM_FUNC_TYPE_UNIFORM_DIS = 1,
	ACL_RT_RANDOM_NUM_FUNC_TYPE_NORMAL_DIS = 2,
	ACL_RT_RANDOM_NUM_FUNC_TYPE_TRUNCATED_NORMAL_DIS = 3
} aclrtRandomNumFuncType;

/** A place in a kernel's arguments that is filled with the address of data behind them; offsets in bytes. */
typedef struct aclrtPlaceHolderInfo {
	uint32_t addrOffset;
	uint32_t dataOffset;
} aclrtPlaceHolderInfo;

/** A time limit in microseconds, in two halves. */
typedef struct aclrtTimeoutUs {
	uint32_t timeoutLow;
	uint32_t timeoutHigh;
} aclrtTimeoutUs;

/** Value of a launch attribute. */
typedef union aclrtLaunchKernelAttrValue {
	uint8_t schemMode;
	uint32_t localMemorySize; /**< bytes */
	uint32_t dynUBufSize;     /**< bytes */
	aclrtEngineType engineType;
	uint32_t blockDimOffset;
	uint8_t isBlockTaskPrefetch;
	uint8_t isDataDump;
	uint16_t timeout; /**< seconds */
	aclrtTimeoutUs timeoutUs;
	uint32_t rsv[4];
} aclrtLaunchKernelAttrValue;

/** One attribute of a launch. */
typedef struct aclrtLaunchKernelAttr {
	aclrtLaunchKernelAttrId id;
	aclrtLaunchKernelAttrValue value;
} aclrtLaunchKernelAttr;

/** The attributes of a launch. */
typedef struct aclrtLaunchKernelCfg {
	aclrtLaunchKernelAttr *attrs;
	size_t numAttrs;
} aclrtLaunchKernelCfg;

/* ---- Captured graphs ---- */

/** Which calls are forbidden while a stream is captured. */
typedef enum aclmdlRICaptureMode {
	ACL_MODEL_RI_CAPTURE_MODE_GLOBAL = 0,
	ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL = 1,
	ACL_MODEL_RI_CAPTURE_MODE_RELAXED = 2
} aclmdlRICaptureMode;

/** State of a capture. */
typedef enum aclmdlRICaptureStatus {
	ACL_MODEL_RI_CAPTURE_STATUS_NONE = 0,
	ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE = 1,
	ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED = 2
} aclmdlRICaptureStatus;

/** Kinds of task in a captured graph. */
typedef enum aclmdlRITaskType {
	ACL_MODEL_RI_TASK_DEFAULT = 0,
	ACL_MODEL_RI_TASK_KERNEL = 1,
	ACL_MODEL_RI_TASK_EVENT_RECORD = 2,
	ACL_MODEL_RI_TASK_EVENT_WAIT = 3,
	ACL_MODEL_RI_TASK_EVENT_RESET = 4,
	ACL_MODEL_RI_TASK_VALUE_WRITE = 5,
	ACL_MODEL_RI_TASK_VALUE_WAIT = 6
} aclmdlRITaskType;

/** Flags of a condition handle. */
typedef enum aclmdlRICondHandleFlag {
	ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT = 1
} aclmdlRICondHandleFlag;

/** Kinds of conditional task. */
typedef enum aclmdlRICondTaskType {
	ACL_MODEL_RI_COND_TYPE_IF = 0,
	ACL_MODEL_RI_COND_TYPE_WHILE = 1,
	ACL_MODEL_RI_COND_TYPE_SWITCH = 2
} aclmdlRICondTaskType;

/** A conditional task; passed by value. */
typedef struct aclmdlRICondTaskParams {
	aclmdlRICondHandle handle;
	aclmdlRICondTaskType type;
	uint32_t size;          /**< entries of `modelRIArray` */
	aclmdlRI *modelRIArray; /**< the graphs to choose from */
} aclmdlRICondTaskParams;

#ifdef __cplusplus
}
#endif

/** Extent of a launch in three dimensions. In C++ every dimension is 1 until it is given. */
#ifdef __cplusplus
struct dim3 {
	uint32_t x;
	uint32_t y;
	uint32_t z;
	dim3(uint32_t nx = 1, uint32_t ny = 1, uint32_t nz = 1) : x(nx), y(ny), z(nz) {}
};
#else
typedef struct dim3 {
	uint32_t x;
	uint32_t y;
	uint32_t z;
} dim3;
#endif

#endif
