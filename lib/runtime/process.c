/* aclInit and its ends. Nothing else in the runtime asks whether the process is initialised. */
#include <pthread.h>

#include "acl/acl_rt.h"
#include "config.h"
#include "fail.h"
#include "fork.h"
#include "init_file.h"
#include "leaks.h"
#include "process_callback.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t references;
static bool finalized;
static bool has_fingerprint;  /* of the first configuration that succeeded; kept across finalize */
static uint64_t fingerprint;

static aclError start(const char *function, const struct emu_init_file *file)
{
	if (has_fingerprint && file->fingerprint != fingerprint)
		return emu_fail(ACL_ERROR_INVALID_PARAM, "EH0009",
		                "%s failed because the configuration differs from the first one of this "
		                "process.",
		                function);
	if (references > 0) {
		references++;
		return ACL_ERROR_REPEAT_INITIALIZE;
	}
	if (!emu_soc())
		return emu_fail(ACL_ERROR_INTERNAL_ERROR, "EH9999",
		                "%s failed because ACLEMU_SOC names no supported product.", function);
	emu_init_file_apply(file);
	has_fingerprint = true;
	fingerprint = file->fingerprint;
	references = 1;
	finalized = false;
	return ACL_SUCCESS;
}

/* What a callback refused did not take place. */
static void take_back_start(bool had_fingerprint)
{
	pthread_mutex_lock(&lock);
	references = 0;
	has_fingerprint = had_fingerprint;
	pthread_mutex_unlock(&lock);
}

aclError aclInit(const char *configPath)
{
	struct emu_init_file file;
	aclError status = emu_init_file_read(__func__, configPath, &file);
	bool had_fingerprint;

	if (status)
		return status;
	pthread_mutex_lock(&lock);
	had_fingerprint = has_fingerprint;
	status = start(__func__, &file);
	pthread_mutex_unlock(&lock);
	if (!status) {
		status = emu_process_starts(file.content ? file.content : "", file.size);
		if (status)
			take_back_start(had_fingerprint);
	}
	emu_init_file_free(&file);
	return status;
}

bool emu_process_is_initialised(void)
{
	bool initialised;

	pthread_mutex_lock(&lock);
	initialised = references > 0;
	pthread_mutex_unlock(&lock);
	return initialised;
}

static aclError already_final(const char *function)
{
	return emu_fail(ACL_ERROR_REPEAT_FINALIZE, "EH0009", "%s failed because there is no aclInit left to end.",
	                function);
}

/* Nothing ends when a callback refuses. */
static aclError finalize(const char *function)
{
	aclError status = ACL_SUCCESS;

	pthread_mutex_lock(&lock);
	if (finalized)
		status = already_final(function);
	pthread_mutex_unlock(&lock);
	if (!status)
		status = emu_process_ends();
	if (status)
		return status;
	pthread_mutex_lock(&lock);
	finalized = true;
	references = 0;
	pthread_mutex_unlock(&lock);
	emu_leaks_report();
	return ACL_SUCCESS;
}

/* As published: the first call ends the process's use even if it was never begun. */
aclError aclFinalize(void)
{
	return finalize(__func__);
}

aclError aclFinalizeReference(uint64_t *refCount)
{
	aclError status = ACL_SUCCESS;
	bool is_last;

	pthread_mutex_lock(&lock);
	is_last = references == 1;
	if (references == 0)
		status = already_final(__func__);
	else if (!is_last)
		references--;
	pthread_mutex_unlock(&lock);
	if (is_last)
		status = finalize(__func__);
	pthread_mutex_lock(&lock);
	if (refCount)
		*refCount = references;
	pthread_mutex_unlock(&lock);
	return status;
}

/* ---- fork ---- */

void emu_process_lock(void)
{
	pthread_mutex_lock(&lock);
}

void emu_process_unlock(void)
{
	pthread_mutex_unlock(&lock);
}
