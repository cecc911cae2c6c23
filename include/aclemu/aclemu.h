/**
 * What only an emulator has: another product at any moment, every reason why a call was refused, and the arithmetic
 * that a planned call will do. A program that uses it does not link against the toolkit of a device.
 *
 * What holds for every function:
 *
 * - It may be called at any time, with or without aclInit() and an open device.
 * - Out-parameters are written on success only. aclGetRecentErrMsg() has the sentence to a failure.
 * - Threads. Any thread may call it; what it says of "the calling thread" no other thread changes.
 */
#ifndef ACLEMU_ACLEMU_H
#define ACLEMU_ACLEMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "acl/acl_base.h"
#include "aclnn/acl_meta.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- The product ---- */

/**
 * Chooses the chip of the process, in place of the one that ACLEMU_SOC names.
 *
 * Every later call of every thread follows, but for the threads that chose for themselves: aclrtGetSocName(), the
 * checks and the plan of phase one, the numbers that the runtime reports. Executors that exist keep the plan that was
 * made for them. The size of the device memory stays what it was when the process opened its first device.
 *
 * @param[in] name  name of a chip as aclrtGetSocName() gives it; null for the one of ACLEMU_SOC, or the default
 * @retval ACL_SUCCESS              0       chosen
 * @retval ACL_ERROR_INVALID_PARAM  100000  no such chip, or one that is not emulated: the sentence names the nearest
 *                                          that are; the choice is as before
 */
ACL_FUNC_VISIBILITY aclError aclemuSetSoc(const char *name);

/**
 * Chooses the chip of the calling thread, for what it calls from now on. Streams and other threads do not notice.
 *
 * @param[in] name  name of a chip as aclrtGetSocName() gives it; null to follow the process again
 * @retval ACL_SUCCESS              0       chosen
 * @retval ACL_ERROR_INVALID_PARAM  100000  as of aclemuSetSoc()
 */
ACL_FUNC_VISIBILITY aclError aclemuSetThreadSoc(const char *name);

/* ---- Why a call was refused ---- */

/** One rule of an operator that a call of phase one broke. docs/rules.md lists them all. */
struct aclemuViolation {
	const char *rule;     /**< its name: "CONVBWD_STRIDE_RANGE" */
	const char *stage;    /**< the group of checks that it belongs to: "VALUES" */
	aclnnStatus status;   /**< what a call returns that breaks only this rule */
	const char *sentence; /**< what holds in a correct call */
	const char *hint;     /**< what to do */
	const char *values;   /**< the argument, and the values that break the rule in this call */
};

/**
 * Tells which rules the last phase one of the calling thread broke.
 *
 * Element 0 decided the status. The others follow in the order in which the device would find them once those before
 * are mended, as far as that can be said: what depends on a broken rule is left out. Their statuses had no effect.
 *
 * @param[out] violations  receives the first element, or null if there is none; it and its texts are valid until the
 *                         thread's next phase one or its end; may be null
 * @return how many there are; 0 after a phase one that succeeded, and before the first
 */
ACL_FUNC_VISIBILITY size_t aclemuGetViolations(const struct aclemuViolation **violations);

/* ---- The arithmetic of a call ---- */

/**
 * Describes what an executor will compute, as one line of items key=value; docs/configuration.md explains them.
 *
 * @param[in]  executor  made by phase one, and not used up
 * @param[out] text      receives the line with a closing zero
 * @param[in]  size      bytes of `text`; 512 are always enough
 * @retval ACLNN_SUCCESS               0       described
 * @retval ACLNN_ERR_PARAM_NULLPTR     161001  `executor` or `text` is null
 * @retval ACLNN_ERR_PARAM_INVALID     161002  `size` is too small; the sentence says how much it takes
 * @retval ACLNN_ERR_INNER             561000  `executor` is no live executor
 */
ACL_FUNC_VISIBILITY aclnnStatus aclemuDescribeExecutor(const aclOpExecutor *executor, char *text, size_t size);

/* ---- What is in force ---- */

/**
 * Describes what counts for the calling thread's calls, whoever chose it: the version of these libraries, the chip, the
 * instruction set and threads of the kernels, and every other setting of docs/configuration.md, as one line of items
 * key=value.
 *
 * @param[out] text  receives the line with a closing zero
 * @param[in]  size  bytes of `text`; 512 are enough unless ACLEMU_KERNEL names something long that does not exist
 * @retval ACLNN_SUCCESS               0       described
 * @retval ACLNN_ERR_PARAM_NULLPTR     161001  `text` is null
 * @retval ACLNN_ERR_PARAM_INVALID     161002  `size` is too small; the sentence says how much it takes
 */
ACL_FUNC_VISIBILITY aclnnStatus aclemuDescribeSettings(char *text, size_t size);

/* ---- What is left ---- */

/** Device memory that aclrtMalloc() or another function of its kind gave and that was not freed. */
struct aclemuAllocation {
	uint64_t number;     /**< 1 for the first allocation of the process; never used again */
	uint64_t bytes;      /**< as they were asked for */
	const void *address; /**< on the device */
	int32_t device;
};

/**
 * Lists the device memory of all devices that is not freed now, as a test does when it ends.
 *
 * @param[out] allocations  receives the oldest first, if there is room for all, otherwise any; may be null
 * @param[in]  size         so many elements fit in
 * @return how many there are, which may be more than `size`
 */
ACL_FUNC_VISIBILITY size_t aclemuGetAllocations(struct aclemuAllocation *allocations, size_t size);

/**
 * Tells whether any stream of any device has work that is queued or runs.
 *
 * @return true until all work that was submitted before the call has ended; false also if there never was any
 */
ACL_FUNC_VISIBILITY bool aclemuHasUnfinishedWork(void);

#ifdef __cplusplus
}
#endif

#endif
