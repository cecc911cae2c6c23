/* Copies and fills. Where an address lies decides what is done; the kind that the caller names is only checked. */
#include <inttypes.h>

#include "acl/acl_rt.h"
#include "fail.h"
#include "transfer.h"

/* ---- checks, in their documented order ---- */

static aclError check_copy(const struct emu_transfer *copy, uint64_t dst_max, aclrtMemcpyKind kind)
{
	if (!copy->to_address)
		return emu_fail_null(copy->function, "dst");
	if (!copy->from_address)
		return emu_fail_null(copy->function, "src");
	if ((unsigned)kind > ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE)
		return emu_fail(ACL_ERROR_INVALID_PARAM, "EH0007",
		                "%s failed because kind is %d; it must be 0 to 5 (ACL_MEMCPY_...).", copy->function,
		                (int)kind);
	if (copy->width > dst_max)
		return emu_fail(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
		                "%s failed because count %" PRIu64 " is larger than destMax %" PRIu64 ".",
		                copy->function, copy->width, dst_max);
	return ACL_SUCCESS;
}

static aclError check_fill(const struct emu_transfer *fill, uint64_t max_count)
{
	if (!fill->to_address)
		return emu_fail_null(fill->function, fill->to_name);
	if (fill->width > max_count)
		return emu_fail(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
		                "%s failed because count %" PRIu64 " is larger than maxCount %" PRIu64 ".",
		                fill->function, fill->width, max_count);
	return ACL_SUCCESS;
}

/* `words` of a fill with 32 bits each fit into what the caller says there is. */
static aclError check_fill_words(const struct emu_transfer *fill, uint64_t size, uint64_t words)
{
	if (!fill->to_address)
		return emu_fail_null(fill->function, fill->to_name);
	if ((uintptr_t)fill->to_address % sizeof(uint32_t) != 0)
		return emu_fail(ACL_ERROR_INVALID_PARAM, "EH0009",
		                "%s failed because ptr %p is not a multiple of 4.", fill->function, fill->to_address);
	if (words > size / sizeof(uint32_t))
		return emu_fail(ACL_ERROR_INVALID_PARAM, "EH0009",
		                "%s failed because %" PRIu64 " words do not fit into memSize %" PRIu64 ".",
		                fill->function, words, size);
	return ACL_SUCCESS;
}

/* Copies from host to host are for the host. */
static aclError needs_device(const struct emu_transfer *copy)
{
	if (emu_transfer_touches(copy, EMU_DEVICE))
		return ACL_SUCCESS;
	return emu_fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "EE1003",
	                "%s failed because both dst %p and src %p are host memory. Copy with memcpy or aclrtMemcpy.",
	                copy->function, copy->to_address, copy->from_address);
}

static aclError needs_registered(const struct emu_transfer *fill)
{
	if (fill->to.place != EMU_PAGEABLE)
		return ACL_SUCCESS;
	return emu_fail(ACL_ERROR_INVALID_PARAM, "EH0009",
	                "%s failed because %p is memory that the device does not know; it must come from aclrtMalloc or "
	                "aclrtMallocHost.",
	                fill->function, fill->to_address);
}

/* ---- what is moved, at once or in a stream ---- */

static struct emu_transfer copy_of(const char *function, void *dst, const void *src, uint64_t count)
{
	return (struct emu_transfer){
		.function = function, .to_name = "dst", .to_address = dst, .from_address = src, .width = count};
}

static struct emu_transfer fill_of(const char *function, void *address, int32_t value, uint64_t count)
{
	return (struct emu_transfer){.function = function,
	                             .to_name = "devPtr",
	                             .to_address = address,
	                             .width = count,
	                             .pattern_bytes = 1,
	                             .pattern = (uint32_t)value};
}

static struct emu_transfer fill_of_words(const char *function, void *address, uint32_t value, uint64_t words)
{
	return (struct emu_transfer){.function = function,
	                             .to_name = "ptr",
	                             .to_address = address,
	                             .width = words * sizeof(value),
	                             .pattern_bytes = sizeof(value),
	                             .pattern = value,
	                             .accepts = needs_registered};
}

static aclError copy_in_stream(const char *function, void *dst, uint64_t dst_max, const void *src, uint64_t count,
                               aclrtMemcpyKind kind, aclrtStream stream)
{
	struct emu_transfer copy = copy_of(function, dst, src, count);
	aclError status;

	copy.accepts = needs_device;
	if (count == 0)
		return ACL_SUCCESS;
	status = check_copy(&copy, dst_max, kind);
	if (status || dst == src)
		return status;
	return emu_transfer_in_stream(&copy, stream);
}

/* ---- API ---- */

aclError aclrtMemcpy(void *dst, size_t destMax, const void *src, size_t count, aclrtMemcpyKind kind)
{
	struct emu_transfer copy = copy_of(__func__, dst, src, count);
	aclError status;

	if (count == 0)
		return ACL_SUCCESS;
	status = check_copy(&copy, destMax, kind);
	if (status || dst == src)
		return status;
	return emu_transfer_now(&copy);
}

aclError aclrtMemcpyAsync(void *dst, size_t destMax, const void *src, size_t count, aclrtMemcpyKind kind,
                          aclrtStream stream)
{
	return copy_in_stream(__func__, dst, destMax, src, count, kind, stream);
}

/* The condition is that host memory is pinned, which aclrtMemcpyAsync finds out too. */
aclError aclrtMemcpyAsyncWithCondition(void *dst, size_t destMax, const void *src, size_t count, aclrtMemcpyKind kind,
                                       aclrtStream stream)
{
	return copy_in_stream(__func__, dst, destMax, src, count, kind, stream);
}

aclError aclrtMemset(void *devPtr, size_t maxCount, int32_t value, size_t count)
{
	struct emu_transfer fill = fill_of(__func__, devPtr, value, count);
	aclError status;

	if (count == 0)
		return ACL_SUCCESS;
	status = check_fill(&fill, maxCount);
	return status ? status : emu_transfer_now(&fill);
}

aclError aclrtMemsetAsync(void *devPtr, size_t maxCount, int32_t value, size_t count, aclrtStream stream)
{
	struct emu_transfer fill = fill_of(__func__, devPtr, value, count);
	aclError status;

	if (count == 0)
		return ACL_SUCCESS;
	status = check_fill(&fill, maxCount);
	return status ? status : emu_transfer_in_stream(&fill, stream);
}

aclError aclrtMemsetD32(void *ptr, size_t memSize, uint32_t value, size_t N)
{
	struct emu_transfer fill = fill_of_words(__func__, ptr, value, N);
	aclError status;

	if (N == 0)
		return ACL_SUCCESS;
	status = check_fill_words(&fill, memSize, N);
	return status ? status : emu_transfer_now(&fill);
}

aclError aclrtMemsetD32Async(void *ptr, size_t memSize, uint32_t value, size_t N, aclrtStream stream)
{
	struct emu_transfer fill = fill_of_words(__func__, ptr, value, N);
	aclError status;

	if (N == 0)
		return ACL_SUCCESS;
	status = check_fill_words(&fill, memSize, N);
	return status ? status : emu_transfer_in_stream(&fill, stream);
}
