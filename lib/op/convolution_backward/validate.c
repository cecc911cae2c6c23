#include "validate.h"

#include <stddef.h>

#include "checks.h"

/*
 * A check, and the groups of rules without which it would follow a null pointer, divide by 0 or complain of echoes.
 * With a group go the groups that its own checks need: else it is not broken only because nobody looked.
 */
struct step {
	aclnnStatus (*check)(const struct emu_problem *problem);
	unsigned needs;
};

enum {
	READABLE = EMU_STAGE_NULLS | EMU_STAGE_PRODUCT,
	TYPED = READABLE | EMU_STAGE_TYPES,
	RANKED = READABLE | EMU_STAGE_RANKS,
	COUNTED = RANKED | EMU_STAGE_VALUES,
	SLIDING = COUNTED | EMU_STAGE_INPUTS | EMU_STAGE_LENGTHS
};

static const struct step arguments[] = {
	{emu_check_nulls, 0},
	{emu_check_product, 0},
	{emu_check_types, READABLE},
	{emu_check_eight_bit, TYPED},
	{emu_check_formats, READABLE},
	{emu_check_values, EMU_STAGE_NULLS},
	{emu_check_cube_range, 0},
	{emu_check_cube_float, TYPED | EMU_STAGE_CUBE_MATH},
};

static const struct step shapes[] = {
	{emu_check_inputs, RANKED},
	{emu_check_outputs, RANKED},
	{emu_check_lengths, RANKED},
	{emu_check_channels, COUNTED},
	{emu_check_equation, SLIDING},
};

static const struct step views[] = {
	{emu_check_views, READABLE},
};

static const struct step empty[] = {
	{emu_check_bias_sizes, COUNTED},
	{emu_check_empty_input, RANKED},
};

static const struct step empty_on_big_products[] = {
	{emu_check_lengths, RANKED},
	{emu_check_empty_channels, COUNTED},
	{emu_check_empty_kernel, COUNTED | EMU_STAGE_LENGTHS},
};

static const struct step zeros[] = {
	{emu_check_zero_weight, TYPED},
	{emu_check_zero_bias, TYPED | COUNTED | EMU_STAGE_BIAS_SIZES},
};

static const struct step plan[] = {
	{emu_check_three_dimensions, TYPED},
	{emu_check_plan_bias, TYPED | EMU_STAGE_FORMATS},
};

static const struct step convolution[] = {
	{emu_check_eight_bit_kernel, TYPED | EMU_STAGE_EIGHT_BIT},
	{emu_check_dimensions, READABLE},
	{emu_check_batch, RANKED},
	{emu_check_groups, COUNTED | EMU_STAGE_CHANNELS},
	{emu_check_axes, SLIDING | EMU_STAGE_EQUATION},
};

static const struct step extents[] = {
	{emu_check_extents, READABLE},
};

static bool has_empty_operand(const struct emu_problem *problem)
{
	return emu_storage_empty(problem, EMU_INPUT) || emu_storage_empty(problem, EMU_WEIGHT) ||
	       emu_storage_empty(problem, EMU_GRAD_OUTPUT);
}

/* The big products leave the shapes of an empty input or weight to the empty route; the old ones check them all. */
static bool has_shapes(const struct emu_problem *problem)
{
	return !problem->product->is_big ||
	       !(emu_storage_empty(problem, EMU_INPUT) || emu_storage_empty(problem, EMU_WEIGHT));
}

static bool is_empty_on_big_product(const struct emu_problem *problem)
{
	return problem->product->is_big && has_empty_operand(problem);
}

static bool is_planned(const struct emu_problem *problem)
{
	return !has_empty_operand(problem);
}

static bool is_convolution(const struct emu_problem *problem)
{
	return is_planned(problem) && emu_computes(problem);
}

#define STEPS(list) (list), sizeof(list) / sizeof((list)[0])

/* Steps in the device's order, and when they are taken: always, or when that holds of a readable problem. */
static const struct {
	const struct step *steps;
	size_t count;
	bool (*applies)(const struct emu_problem *problem);
} parts[] = {
	{STEPS(arguments), NULL},
	{STEPS(shapes), has_shapes},
	{STEPS(views), NULL},
	{STEPS(empty), has_empty_operand},
	{STEPS(empty_on_big_products), is_empty_on_big_product},
	{STEPS(zeros), has_empty_operand},
	{STEPS(plan), is_planned},
	{STEPS(convolution), is_convolution},
	{STEPS(extents), is_planned},
};
enum { PARTS = sizeof(parts) / sizeof(parts[0]) };

static aclnnStatus take(const struct step *steps, size_t count, const struct emu_problem *problem)
{
	for (size_t i = 0; i < count; i++)
		if (!emu_rules_broken(steps[i].needs))
			EMU_PASS(steps[i].check(problem));
	return 0;
}

static aclnnStatus check(const struct emu_problem *problem)
{
	for (size_t i = 0; i < PARTS; i++)
		if (!parts[i].applies || (!emu_rules_broken(READABLE) && parts[i].applies(problem)))
			EMU_PASS(take(parts[i].steps, parts[i].count, problem));
	return 0;
}

aclnnStatus emu_validate(const struct emu_problem *problem, enum emu_route *route)
{
	EMU_NEED(check(problem));
	*route = has_empty_operand(problem) ? EMU_ROUTE_EMPTY : EMU_ROUTE_COMPUTE;
	return 0;
}

void emu_validate_rest(const struct emu_problem *problem)
{
	emu_rules_collect(true);
	check(problem);
	emu_rules_collect(false);
}
