#include "check.h"

#include <inttypes.h>

#include "base/dtype.h"
#include "convert.h"
#include "plan.h"
#include "rules.h"
#include "runtime/handle.h"

#define MOST_ELEMENTS ((int64_t)1 << 48)
#define FARTHEST ((int64_t)1 << 56)

__extension__ typedef __int128 wide;

/* Distances from the base, too far ones cut off where the checks refuse them. */
static int64_t cut(wide distance)
{
	if (distance > 2 * (wide)FARTHEST)
		return 2 * FARTHEST;
	return distance < -2 * (wide)FARTHEST ? -2 * FARTHEST : (int64_t)distance;
}

struct emu_copy_reach emu_copy_reach(const struct emu_tensor_numbers *numbers)
{
	wide lowest = numbers->offset, highest = numbers->offset;

	for (int i = 0; i < numbers->rank; i++) {
		wide extent = (wide)(numbers->dims[i] - 1) * numbers->strides[i];

		if (extent < 0)
			lowest += extent;
		else
			highest += extent;
	}
	return (struct emu_copy_reach){cut(lowest), cut(highest)};
}

static int64_t count(const int64_t *dims, int rank)
{
	wide product = 1;

	for (int i = 0; i < rank; i++)
		if (!dims[i])
			return 0;
	for (int i = 0; i < rank; i++)
		product = cut(product * dims[i]);
	return (int64_t)product;
}

int64_t emu_copy_elements(const struct emu_tensor_numbers *numbers)
{
	return count(numbers->dims, numbers->rank);
}

static aclnnStatus check_given(const struct emu_copy_argument *argument)
{
	char text[EMU_HANDLE_TEXT];

	EMU_COPY_REQUIRE(argument->handle, COPY_ARGUMENT_NULL, "argument %s is null where a Tensor is expected",
	                 argument->name);
	EMU_COPY_REQUIRE(argument->cell, COPY_HANDLE_LIVE, "argument %s: %s", argument->name,
	                 emu_handle_describe(argument->handle, text));
	return 0;
}

static aclnnStatus check_type(const struct emu_copy_argument *argument)
{
	aclDataType dtype = argument->numbers.dtype;
	uint64_t one, eight;
	bool whole = emu_dtype_bytes(1, dtype, &one) && emu_dtype_bytes(8, dtype, &eight) && eight == 8 * one;

	EMU_COPY_REQUIRE(whole && dtype != ACL_STRING && dtype != ACL_DT_UNDEFINED, COPY_DTYPE,
	                 "Tensor %s not implemented for %s (%d)", argument->name, emu_dtype_name(dtype), (int)dtype);
	return 0;
}

static aclnnStatus check_cast(const struct emu_tensor_numbers *self, const struct emu_tensor_numbers *src)
{
	EMU_COPY_REQUIRE(self->dtype == src->dtype || (emu_copy_type(self->dtype) && emu_copy_type(src->dtype)), COPY_CAST,
	                 "selfRef has %s and src has %s", emu_dtype_name(self->dtype), emu_dtype_name(src->dtype));
	return 0;
}

static aclnnStatus check_sizes(const struct emu_copy_argument *argument)
{
	const struct emu_tensor_numbers *numbers = &argument->numbers;

	EMU_COPY_REQUIRE(numbers->rank <= EMU_COPY_RANK, COPY_RANK, "the %s tensor has %d dimensions", argument->name,
	                 numbers->rank);
	for (int i = 0; i < numbers->rank; i++)
		EMU_COPY_REQUIRE(numbers->dims[i] >= 0, COPY_SIZES, "dimension %d of %s is %" PRId64, i, argument->name,
		                 numbers->dims[i]);
	return 0;
}

static aclnnStatus check_broadcast(const struct emu_tensor_numbers *self, const struct emu_tensor_numbers *src)
{
	int more = self->rank - src->rank;
	bool fits = more >= 0;
	char self_text[EMU_DIMS_TEXT], src_text[EMU_DIMS_TEXT];

	for (int i = 0; fits && i < src->rank; i++)
		fits = src->dims[i] == 1 || src->dims[i] == self->dims[more + i];
	EMU_COPY_REQUIRE(fits, COPY_BROADCAST, "selfRef has sizes %s and src has sizes %s",
	                 emu_dims_text(self->dims, (uint64_t)self->rank, self_text),
	                 emu_dims_text(src->dims, (uint64_t)src->rank, src_text));
	return 0;
}

static bool is_contiguous(const struct emu_tensor_numbers *numbers)
{
	wide stride = 1;

	for (int i = numbers->rank - 1; i >= 0; i--) {
		if (numbers->dims[i] != 1 && numbers->strides[i] != stride)
			return false;
		stride *= numbers->dims[i];
	}
	return true;
}

/* As with every operator, a contiguous view is not compared with its storage; the run looks at the memory itself. */
static aclnnStatus check_place(const struct emu_copy_argument *argument)
{
	const struct emu_tensor_numbers *numbers = &argument->numbers;
	int64_t elements = emu_copy_elements(numbers);
	int64_t storage = count(numbers->storage_dims, numbers->storage_rank);
	struct emu_copy_reach reach;

	EMU_COPY_REQUIRE(numbers->strides_count == numbers->rank, COPY_STRIDES_COUNT, "%s has %d strides and %d dimensions",
	                 argument->name, numbers->strides_count, numbers->rank);
	if (!elements)
		return 0;
	reach = emu_copy_reach(numbers);
	EMU_COPY_REQUIRE(elements <= MOST_ELEMENTS && reach.lowest >= -FARTHEST && reach.highest <= FARTHEST, COPY_ELEMENTS,
	                 "%s has %" PRId64 " elements and reaches from %" PRId64 " to %" PRId64, argument->name, elements,
	                 reach.lowest, reach.highest);
	EMU_COPY_REQUIRE(is_contiguous(numbers) || (reach.lowest >= 0 && reach.highest < storage), COPY_IN_STORAGE,
	                 "%s reaches elements %" PRId64 " to %" PRId64 " of a storage of %" PRId64, argument->name,
	                 reach.lowest, reach.highest, storage);
	return 0;
}

static aclnnStatus check_distinct(const struct emu_tensor_numbers *self)
{
	if (!emu_copy_elements(self))
		return 0;
	for (int i = 0; i < self->rank; i++)
		EMU_COPY_REQUIRE(self->dims[i] <= 1 || self->strides[i], COPY_DISTINCT,
		                 "dimension %d of selfRef has size %" PRId64 " and stride 0", i, self->dims[i]);
	return 0;
}

aclnnStatus emu_copy_check(const struct emu_copy_argument *self, const struct emu_copy_argument *src)
{
	aclnnStatus status = check_given(self);

	if (!status)
		status = check_given(src);
	if (!status)
		status = check_type(self);
	if (!status)
		status = check_type(src);
	if (!status)
		status = check_cast(&self->numbers, &src->numbers);
	if (!status)
		status = check_sizes(self);
	if (!status)
		status = check_sizes(src);
	if (!status)
		status = check_broadcast(&self->numbers, &src->numbers);
	if (!status)
		status = check_place(self);
	if (!status)
		status = check_place(src);
	if (!status)
		status = check_distinct(&self->numbers);
	return status;
}
