#include "device.h"

#include <ctype.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "acl/acl_rt.h"
#include "config.h"
#include "context.h"
#include "fail.h"
#include "fork.h"
#include "state_callback.h"
#include "window.h"

static const char visible_variable[] = "ASCEND_RT_VISIBLE_DEVICES";

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct device {
	unsigned references;       /* aclrtSetDevice calls without their reset */
	_Atomic(void *) primary;   /* handle of the primary context */
} devices[EMU_MAX_DEVICES];

static atomic_int default_device = -1;

static int visible_count;
static int visible_ids[EMU_MAX_DEVICES]; /* among the devices of the machine */
static pthread_once_t count_once = PTHREAD_ONCE_INIT;

/* Ascending ids below `devices`, separated by commas; counting stops at the first character that does not fit. */
static int read_listed(const char *list, int devices_present)
{
	int count = 0;
	long last = -1;

	while (isdigit((unsigned char)*list)) {
		char *end;
		long id = strtol(list, &end, 10);

		if (id <= last || id >= devices_present)
			break;
		last = id;
		visible_ids[count++] = (int)id;
		if (*end != ',')
			break;
		list = end + 1;
	}
	return count;
}

static void count_visible(void)
{
	const char *list = getenv(visible_variable);

	for (int i = 0; i < EMU_MAX_DEVICES; i++)
		visible_ids[i] = i;
	visible_count = list ? read_listed(list, emu_config()->devices) : emu_config()->devices;
}

int emu_device_count(void)
{
	pthread_once(&count_once, count_visible);
	return visible_count;
}

int emu_device_logical(int device)
{
	pthread_once(&count_once, count_visible);
	return visible_ids[device];
}

aclError emu_device_check(const char *function, int32_t device)
{
	int count = emu_device_count();

	if (device < 0 || device >= count)
		return emu_fail(ACL_ERROR_RT_INVALID_DEVICEID, "EE1003",
		                "%s failed because deviceId is %d, but there %s %d visible "
		                "device%s, numbered from 0 (ACLEMU_DEVICES, %s).",
		                function, device, count == 1 ? "is" : "are", count, count == 1 ? "" : "s",
		                visible_variable);
	if (!emu_soc())
		return emu_fail(ACL_ERROR_RT_DEV_SETUP_ERROR, "EE1016",
		                "%s failed: device %d cannot be opened because ACLEMU_SOC "
		                "names no supported product.",
		                function, device);
	if (!emu_window_open())
		return emu_fail(ACL_ERROR_RT_DEV_SETUP_ERROR, "EE1016",
		                "%s failed: device %d cannot be opened because the process "
		                "may not reserve address space (see ulimit -v).",
		                function, device);
	return ACL_SUCCESS;
}

void *emu_device_primary(int device)
{
	return atomic_load(&devices[device].primary);
}

/* One more reference; the first one makes the primary context. */
static aclError open_device(const char *function, int device)
{
	aclError status = emu_device_check(function, device);
	void *handle;

	if (status)
		return status;
	pthread_mutex_lock(&lock);
	if (devices[device].references == 0)
		status = emu_context_open(function, device, true, &handle);
	if (!status && devices[device].references++ == 0)
		atomic_store(&devices[device].primary, handle);
	pthread_mutex_unlock(&lock);
	if (!status)
		emu_thread_bind_device(device);
	return status;
}

/* One reference less, or none at all. *last is the primary context when nobody is left. */
static aclError drop_reference(const char *function, int device, bool force, void **last)
{
	aclError status = ACL_SUCCESS;

	*last = NULL;
	pthread_mutex_lock(&lock);
	if (devices[device].references == 0) {
		status = emu_fail(ACL_ERROR_RT_CONTEXT_RELEASE_ERROR, "EE1018",
		                  "%s failed because device %d is not set: either "
		                  "aclrtSetDevice was not called, or every call has had its reset.",
		                  function, device);
	} else {
		devices[device].references = force ? 0 : devices[device].references - 1;
		if (devices[device].references == 0)
			*last = atomic_exchange(&devices[device].primary, NULL);
	}
	pthread_mutex_unlock(&lock);
	return status;
}

/* A function that runs in a stream of the primary context cannot wait for its end. */
static aclError refuse_own(const char *function, int device)
{
	struct emu_context *context =
		(struct emu_context *)emu_handle_acquire(emu_device_primary(device), EMU_KIND_CONTEXT);
	aclError status;

	if (!context)
		return ACL_SUCCESS;
	status = emu_context_refuse_own(function, context);
	emu_object_release(&context->object);
	return status;
}

static aclError reset_device(const char *function, int32_t device, bool force)
{
	struct emu_context *context;
	aclError status = emu_device_check(function, device);
	void *handle;

	if (!status)
		status = refuse_own(function, device);
	if (status)
		return status;
	emu_device_state_changes(device, ACL_RT_DEVICE_STATE_RESET_PRE);
	status = drop_reference(function, device, force, &handle);
	if (!status && handle) {
		context = (struct emu_context *)emu_handle_acquire(handle, EMU_KIND_CONTEXT);
		emu_context_close(function, context, "ended by the reset of its device");
		emu_object_release(&context->object);
	}
	if (!status)
		emu_device_state_changes(device, ACL_RT_DEVICE_STATE_RESET_POST);
	return status;
}

/* ---- the default device ---- */

void emu_device_choose_default(int device)
{
	atomic_store(&default_device, device);
}

int emu_device_default(void)
{
	return atomic_load(&default_device);
}

bool emu_device_set_default(void)
{
	int device = emu_device_default();

	return device >= 0 && open_device("aclrtSetDevice", device) == ACL_SUCCESS;
}

/* ---- API ---- */

aclError aclrtGetDeviceCount(uint32_t *count)
{
	int devices_visible = emu_device_count();

	if (!count)
		return emu_fail_null(__func__, "count");
	if (devices_visible == 0)
		return emu_fail(ACL_ERROR_RT_NO_DEVICE, "EE1003", "%s failed because %s lists no usable device id.",
		                __func__, visible_variable);
	*count = (uint32_t)devices_visible;
	return ACL_SUCCESS;
}

aclError aclrtSetDevice(int32_t deviceId)
{
	aclError status = emu_device_check(__func__, deviceId);

	if (status)
		return status;
	emu_device_state_changes(deviceId, ACL_RT_DEVICE_STATE_SET_PRE);
	status = open_device(__func__, deviceId);
	if (!status)
		emu_device_state_changes(deviceId, ACL_RT_DEVICE_STATE_SET_POST);
	return status;
}

aclError aclrtResetDevice(int32_t deviceId)
{
	return reset_device(__func__, deviceId, false);
}

aclError aclrtResetDeviceForce(int32_t deviceId)
{
	return reset_device(__func__, deviceId, true);
}

/* A probe of frameworks: without a context it answers 107002 and leaves no record. */
aclError aclrtGetDevice(int32_t *deviceId)
{
	struct emu_context *context;

	if (!deviceId)
		return emu_fail_null(__func__, "deviceId");
	context = emu_context_current();
	if (context) {
		*deviceId = context->device;
		emu_object_release(&context->object);
		return ACL_SUCCESS;
	}
	if (emu_device_default() < 0)
		return ACL_ERROR_RT_CONTEXT_NULL;
	*deviceId = emu_device_default();
	return ACL_SUCCESS;
}

aclError aclrtGetRunMode(aclrtRunMode *runMode)
{
	if (!runMode)
		return emu_fail_null(__func__, "runMode");
	*runMode = ACL_HOST;
	return ACL_SUCCESS;
}

void emu_devices_lock(void)
{
	pthread_mutex_lock(&lock);
}

void emu_devices_unlock(void)
{
	pthread_mutex_unlock(&lock);
}
