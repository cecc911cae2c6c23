/* Copies of rows that lie apart. */
#include <inttypes.h>

#include "acl/acl_rt.h"
#include "fail.h"
#include "transfer.h"

static const size_t widest = 5000000;  /* bytes of a row */
static const size_t tallest = 5242880; /* rows */

static aclError check_pitch(const struct emu_transfer *copy, const char *argument, uint64_t pitch)
{
	if (copy->width <= pitch)
		return ACL_SUCCESS;
	return emu_fail(ACL_ERROR_INVALID_PARAM, "EH0009",
	                "%s failed because width %" PRIu64 " is larger than %s %" PRIu64 ".", copy->function, copy->width,
	                argument, pitch);
}

static aclError check_extent(const struct emu_transfer *copy)
{
	if (copy->width > widest || copy->rows > tallest)
		return emu_fail(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
		                "%s failed because width is %" PRIu64 " and height %" PRIu64
		                "; they must be at most %zu and %zu.",
		                copy->function, copy->width, copy->rows, widest, tallest);
	if (copy->to_pitch > UINT64_MAX / 2 / tallest || copy->from_pitch > UINT64_MAX / 2 / tallest)
		return emu_fail(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
		                "%s failed because dpitch %" PRIu64 " or spitch %" PRIu64 " is larger than any memory.",
		                copy->function, copy->to_pitch, copy->from_pitch);
	return ACL_SUCCESS;
}

static aclError check(const struct emu_transfer *copy, aclrtMemcpyKind kind)
{
	aclError status;

	if (!copy->to_address)
		return emu_fail_null(copy->function, "dst");
	if (!copy->from_address)
		return emu_fail_null(copy->function, "src");
	status = check_pitch(copy, "dpitch", copy->to_pitch);
	if (!status)
		status = check_pitch(copy, "spitch", copy->from_pitch);
	if (status)
		return status;
	if (kind < ACL_MEMCPY_HOST_TO_DEVICE || kind > ACL_MEMCPY_DEFAULT)
		return emu_fail(ACL_ERROR_INVALID_PARAM, "EH0007",
		                "%s failed because kind is %d; it must be 1 to 4 (ACL_MEMCPY_...).", copy->function,
		                (int)kind);
	return check_extent(copy);
}

static aclError needs_device(const struct emu_transfer *copy)
{
	if (emu_transfer_touches(copy, EMU_DEVICE))
		return ACL_SUCCESS;
	return emu_fail(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
	                "%s failed because both dst %p and src %p are host memory.", copy->function, copy->to_address,
	                copy->from_address);
}

static aclError inside_device(const struct emu_transfer *copy)
{
	return emu_fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "EE1003",
	                "%s failed because a copy from device to device must be queued: call aclrtMemcpy2dAsync.",
	                copy->function);
}

static aclError needs_one_device(const struct emu_transfer *copy)
{
	if (copy->to.place == EMU_DEVICE && copy->from.place == EMU_DEVICE)
		return inside_device(copy);
	return needs_device(copy);
}

static struct emu_transfer rows_of(const char *function, void *dst, size_t dpitch, const void *src, size_t spitch,
                                   size_t width, size_t height)
{
	return (struct emu_transfer){.function = function,
	                             .to_name = "dst",
	                             .to_address = dst,
	                             .from_address = src,
	                             .width = width,
	                             .rows = height,
	                             .to_pitch = dpitch,
	                             .from_pitch = spitch};
}

aclError aclrtMemcpy2d(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
                       aclrtMemcpyKind kind)
{
	struct emu_transfer copy = rows_of(__func__, dst, dpitch, src, spitch, width, height);
	aclError status;

	copy.accepts = needs_one_device;
	if (width == 0 || height == 0)
		return ACL_SUCCESS;
	status = check(&copy, kind);
	if (status)
		return status;
	return kind == ACL_MEMCPY_DEVICE_TO_DEVICE ? inside_device(&copy) : emu_transfer_now(&copy);
}

aclError aclrtMemcpy2dAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
                            aclrtMemcpyKind kind, aclrtStream stream)
{
	struct emu_transfer copy = rows_of(__func__, dst, dpitch, src, spitch, width, height);
	aclError status;

	copy.accepts = needs_device;
	if (width == 0 || height == 0)
		return ACL_SUCCESS;
	status = check(&copy, kind);
	return status ? status : emu_transfer_in_stream(&copy, stream);
}
