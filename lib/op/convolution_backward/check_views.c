/* Where the elements of a view lie: the device's checks of the inputs, and ours that keep every address computable. */
#include <inttypes.h>

#include "acl/acl_rt.h"
#include "axis.h"
#include "checks.h"

#define MOST_ELEMENTS ((int64_t)1 << 48)
#define FARTHEST ((int64_t)1 << 56)

/* The lowest and the highest element index that a view reaches, from the storage base. */
struct reach {
	int64_t lowest;
	int64_t highest;
};

static struct reach reach_of(const struct emu_tensor_numbers *numbers)
{
	struct reach reach = {numbers->offset, numbers->offset};

	for (int i = 0; i < numbers->rank; i++) {
		emu_wide extent = ((emu_wide)numbers->dims[i] - 1) * numbers->strides[i];

		if (numbers->dims[i] <= 1)
			continue; /* the stride of a single element leads nowhere */
		if (extent < 0)
			reach.lowest = emu_narrow(reach.lowest + extent);
		else
			reach.highest = emu_narrow(reach.highest + extent);
	}
	return reach;
}

static bool within_storage(const struct emu_tensor_numbers *numbers)
{
	struct reach reach = reach_of(numbers);
	int64_t count = emu_storage_count(numbers);

	return reach.lowest >= 0 && (count < 0 || reach.highest < count); /* a count that overflows is refused as such */
}

static aclnnStatus check_in_storage(const struct emu_problem *problem, enum emu_operand operand, enum emu_rule_id rule)
{
	const struct emu_tensor_numbers *numbers = emu_numbers(problem, operand);
	struct reach reach = reach_of(numbers);
	char dims[EMU_DIMS_TEXT], strides[EMU_DIMS_TEXT];

	EMU_REQUIRE(within_storage(numbers), rule,
	            "%s with sizes %s, strides %s and offset %" PRId64 " reaches elements %" PRId64 " to %" PRId64
	            " of a storage of %" PRId64,
	            problem->tensors[operand].name, emu_dims_text(numbers->dims, (uint64_t)numbers->rank, dims),
	            emu_dims_text(numbers->strides, (uint64_t)numbers->rank, strides), numbers->offset, reach.lowest,
	            reach.highest, emu_storage_count(numbers));
	return 0;
}

static aclnnStatus check_strides_count(const struct emu_problem *problem, enum emu_operand operand)
{
	const struct emu_tensor_numbers *numbers = emu_numbers(problem, operand);

	EMU_REQUIRE(numbers->strides_count == numbers->rank, CONVBWD_STRIDES_COUNT, "%s has %d strides and rank %d",
	            problem->tensors[operand].name, numbers->strides_count, numbers->rank);
	return 0;
}

/* A contiguous view is not compared with its storage, not even its offset: the device does not. */
static aclnnStatus check_input_view(const struct emu_problem *problem, enum emu_operand operand)
{
	if (emu_is_contiguous(emu_numbers(problem, operand)))
		return 0;
	EMU_PASS(check_strides_count(problem, operand));
	return check_in_storage(problem, operand, CONVBWD_INPUT_IN_STORAGE);
}

static aclnnStatus check_deterministic(const struct emu_problem *problem)
{
	int64_t deterministic = 0;

	if (problem->product->is_big || !emu_wants(problem, EMU_GRAD_WEIGHT) ||
	    emu_numbers(problem, EMU_INPUT)->rank != 5 || problem->groups == 1)
		return 0;
	/* Never fails for this option. */
	aclrtGetSysParamOpt(ACL_OPT_DETERMINISTIC, &deterministic);
	EMU_REQUIRE(deterministic != 1, CONVBWD_DETERMINISTIC_GROUPS,
	            "groups is %d, input has rank 5, outputMask[1] is true and ACL_OPT_DETERMINISTIC is 1",
	            problem->groups);
	return 0;
}

aclnnStatus emu_check_views(const struct emu_problem *problem)
{
	for (int i = EMU_GRAD_OUTPUT; i <= EMU_WEIGHT; i++)
		EMU_PASS(check_input_view(problem, i));
	return check_deterministic(problem);
}

/* ---- operands that the call uses ---- */

static aclnnStatus check_count(const struct emu_problem *problem, enum emu_operand operand)
{
	const struct emu_tensor_numbers *numbers = emu_numbers(problem, operand);
	int64_t view = emu_view_count(numbers);
	int64_t storage = emu_storage_count(numbers);
	char dims[EMU_DIMS_TEXT], storage_dims[EMU_DIMS_TEXT];

	EMU_REQUIRE(view >= 0 && view <= MOST_ELEMENTS && storage >= 0 && storage <= MOST_ELEMENTS, CONVBWD_ELEMENTS,
	            "%s has sizes %s in a storage of sizes %s", problem->tensors[operand].name,
	            emu_dims_text(numbers->dims, (uint64_t)numbers->rank, dims),
	            emu_dims_text(numbers->storage_dims, (uint64_t)numbers->storage_rank, storage_dims));
	return 0;
}

static aclnnStatus check_reach(const struct emu_problem *problem, enum emu_operand operand)
{
	struct reach reach = reach_of(emu_numbers(problem, operand));

	EMU_REQUIRE(reach.lowest >= -FARTHEST && reach.highest <= FARTHEST, CONVBWD_REACH,
	            "%s reaches elements %" PRId64 " to %" PRId64, problem->tensors[operand].name, reach.lowest,
	            reach.highest);
	return 0;
}

/* What is written must not spoil other memory of the client, nor depend on the order of writing. */
static aclnnStatus check_written(const struct emu_problem *problem, enum emu_operand operand)
{
	const struct emu_tensor_numbers *numbers = emu_numbers(problem, operand);

	EMU_PASS(check_strides_count(problem, operand));
	EMU_PASS(check_in_storage(problem, operand, CONVBWD_OUTPUT_IN_STORAGE));
	for (int i = 0; i < numbers->rank; i++)
		EMU_REQUIRE(numbers->dims[i] <= 1 || numbers->strides[i] != 0, CONVBWD_OUTPUT_OVERLAP,
		            "%s has size %" PRId64 " and stride 0 in dimension %d", problem->tensors[operand].name,
		            numbers->dims[i], i);
	return 0;
}

aclnnStatus emu_check_extent(const struct emu_problem *problem, enum emu_operand operand)
{
	EMU_PASS(check_count(problem, operand));
	EMU_PASS(check_reach(problem, operand));
	if (operand >= EMU_GRAD_INPUT && !emu_is_contiguous(emu_numbers(problem, operand)))
		EMU_PASS(check_written(problem, operand));
	return 0;
}
