/* Many copies in one call. All of them are checked before the first one is made. */
#include <inttypes.h>
#include <stdlib.h>

#include "acl/acl_rt.h"
#include "context.h"
#include "fail.h"
#include "streams.h"
#include "transfer.h"

/* What a caller passes. */
struct batch {
	const char *function;
	void **dsts;
	size_t *dst_maxs;
	void **srcs;
	size_t *sizes;
	size_t count;
	const aclrtMemcpyBatchAttr *attrs;
	const size_t *first_of_attr; /* attribute k holds from this copy on */
	size_t attr_count;
	size_t *fail_index;
};

static const char *find_null(const struct batch *batch)
{
	const struct {
		const void *array;
		const char *name;
	} arrays[] = {
		{batch->dsts, "dsts"},   {batch->dst_maxs, "destMaxs"}, {batch->srcs, "srcs"},
		{batch->sizes, "sizes"}, {batch->attrs, "attrs"},       {batch->first_of_attr, "attrsIndexes"},
		{batch->fail_index, "failIndex"},
	};

	for (size_t i = 0; i < sizeof(arrays) / sizeof(arrays[0]); i++)
		if (!arrays[i].array)
			return arrays[i].name;
	return NULL;
}

static aclError check_attributes(const struct batch *batch)
{
	if (batch->attr_count == 0 || batch->attr_count > batch->count)
		return emu_fail(ACL_ERROR_INVALID_PARAM, "EH0009",
		                "%s failed because numAttrs is %zu; it must be 1 to numBatches, which is %zu.",
		                batch->function, batch->attr_count, batch->count);
	for (size_t k = 0; k < batch->attr_count; k++) {
		size_t index = batch->first_of_attr[k];

		if (k == 0 ? index != 0 : index <= batch->first_of_attr[k - 1] || index >= batch->count)
			return emu_fail(ACL_ERROR_INVALID_PARAM, "EH0009",
			                "%s failed because attrsIndexes[%zu] is %zu; they must begin with 0, rise, and stay "
			                "below numBatches, which is %zu.",
			                batch->function, k, index, batch->count);
	}
	return ACL_SUCCESS;
}

static aclError check_batch(const struct batch *batch)
{
	const char *missing = find_null(batch);

	if (missing)
		return emu_fail_null(batch->function, missing);
	if (batch->count == 0)
		return emu_fail(ACL_ERROR_INVALID_PARAM, "EH0009", "%s failed because numBatches is 0.", batch->function);
	return check_attributes(batch);
}

static bool agrees(const aclrtMemLocation *declared, const struct emu_side *real)
{
	if (real->place == EMU_DEVICE)
		return declared->type == ACL_MEM_LOCATION_TYPE_DEVICE && declared->id == (uint32_t)real->device;
	return declared->type == ACL_MEM_LOCATION_TYPE_HOST ||
	       (declared->type == ACL_MEM_LOCATION_TYPE_UNREGISTERED && real->place == EMU_PAGEABLE);
}

static aclError check_locations(const struct batch *batch, size_t i, const aclrtMemcpyBatchAttr *attr,
                                const struct emu_transfer *copy, const struct emu_transfer *first)
{
	bool to_device = copy->to.place == EMU_DEVICE;

	if (!agrees(&attr->dstLoc, &copy->to) || !agrees(&attr->srcLoc, &copy->from))
		return emu_fail(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
		                "%s failed because copy %zu does not lead from and to where its attribute says.",
		                batch->function, i);
	if (to_device == (copy->from.place == EMU_DEVICE) || to_device != (first->to.place == EMU_DEVICE))
		return emu_fail(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
		                "%s failed because of copy %zu: all must lead from host to device, or all from device to host.",
		                batch->function, i);
	return ACL_SUCCESS;
}

static aclError view_one(const struct batch *batch, size_t i, struct emu_transfer *copy)
{
	*copy = (struct emu_transfer){
		.function = batch->function,
		.to_name = "dst",
		.to_address = batch->dsts[i],
		.from_address = batch->srcs[i],
		.width = batch->sizes[i],
	};
	if (!copy->to_address)
		return emu_fail_null(batch->function, "an entry of dsts");
	if (!copy->from_address)
		return emu_fail_null(batch->function, "an entry of srcs");
	if (copy->width == 0 || copy->width > batch->dst_maxs[i])
		return emu_fail(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
		                "%s failed because sizes[%zu] is %zu; it must be 1 to destMaxs[%zu], which is %zu.",
		                batch->function, i, batch->sizes[i], i, batch->dst_maxs[i]);
	return emu_transfer_view(copy);
}

static void drop_all(struct emu_transfer *copies, size_t count)
{
	while (count > 0)
		emu_transfer_drop(&copies[--count]);
}

/* Pins all or none. */
static aclError view_all(const struct batch *batch, struct emu_transfer *copies)
{
	const aclrtMemcpyBatchAttr *attr = batch->attrs;
	size_t next = 1;

	for (size_t i = 0; i < batch->count; i++) {
		aclError status = view_one(batch, i, &copies[i]);

		if (next < batch->attr_count && batch->first_of_attr[next] == i)
			attr = &batch->attrs[next++];
		if (!status) {
			status = check_locations(batch, i, attr, &copies[i], &copies[0]);
			if (status)
				emu_transfer_drop(&copies[i]);
		}
		if (status) {
			drop_all(copies, i);
			*batch->fail_index = i;
			return status;
		}
	}
	return ACL_SUCCESS;
}

static aclError view(const struct batch *batch, struct emu_transfer **copies)
{
	aclError status;

	*copies = calloc(batch->count, sizeof(**copies));
	if (!*copies)
		return emu_fail(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL, "EE1023",
		                "%s failed: the host has no memory for %zu copies.", batch->function, batch->count);
	status = view_all(batch, *copies);
	if (status)
		free(*copies);
	return status;
}

/* failIndex tells which copy is wrong, and SIZE_MAX when it is none of them. */
static aclError begin(const struct batch *batch)
{
	aclError status = check_batch(batch);

	if (batch->fail_index)
		*batch->fail_index = SIZE_MAX;
	return status;
}

aclError aclrtMemcpyBatch(void **dsts, size_t *destMaxs, void **srcs, size_t *sizes, size_t numBatches,
                          aclrtMemcpyBatchAttr *attrs, size_t *attrsIndexes, size_t numAttrs, size_t *failIndex)
{
	struct batch batch = {__func__, dsts,         destMaxs, srcs,     sizes, numBatches,
	                      attrs,    attrsIndexes, numAttrs, failIndex};
	struct emu_transfer *copies;
	struct emu_context *context;
	aclError status = begin(&batch);

	if (!status)
		status = emu_context_require(__func__, &context);
	if (status)
		return status;
	status = view(&batch, &copies);
	if (!status) {
		for (size_t i = 0; i < numBatches; i++)
			emu_transfer_move_now(&copies[i], context);
		free(copies);
	}
	emu_object_release(&context->object);
	return status;
}

aclError aclrtMemcpyBatchAsync(void **dsts, size_t *destMaxs, void **srcs, size_t *sizes, size_t numBatches,
                               aclrtMemcpyBatchAttr *attrs, size_t *attrsIndexes, size_t numAttrs, size_t *failIndex,
                               aclrtStream stream)
{
	struct batch batch = {__func__, dsts,         destMaxs, srcs,     sizes, numBatches,
	                      attrs,    attrsIndexes, numAttrs, failIndex};
	struct emu_transfer *copies;
	struct emu_context *context;
	struct emu_stream *target;
	aclError status = begin(&batch);

	if (!status)
		status = emu_stream_resolve(__func__, stream, false, &target, &context);
	if (status)
		return status;
	status = view(&batch, &copies);
	if (!status) {
		size_t done = 0;

		while (done < numBatches && !status)
			status = emu_transfer_move_in_stream(&copies[done++], target);
		while (done < numBatches)
			emu_transfer_drop(&copies[done++]);
		free(copies);
	}
	emu_object_release(&target->object);
	emu_object_release(&context->object);
	return status;
}
