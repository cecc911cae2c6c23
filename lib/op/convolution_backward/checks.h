/* The steps of emu_validate(), and what they share. What a step relies on stands in the tables of validate.c. */
#ifndef EMU_CHECKS_H
#define EMU_CHECKS_H

#include <stdbool.h>

#include "problem.h"
#include "product.h"
#include "rules.h"

aclnnStatus emu_check_nulls(const struct emu_problem *problem);
aclnnStatus emu_check_product(const struct emu_problem *problem);
aclnnStatus emu_check_types(const struct emu_problem *problem);
aclnnStatus emu_check_eight_bit(const struct emu_problem *problem);
aclnnStatus emu_check_formats(const struct emu_problem *problem);
aclnnStatus emu_check_values(const struct emu_problem *problem);
aclnnStatus emu_check_cube_range(const struct emu_problem *problem);
aclnnStatus emu_check_cube_float(const struct emu_problem *problem);
aclnnStatus emu_check_inputs(const struct emu_problem *problem);
aclnnStatus emu_check_outputs(const struct emu_problem *problem);
aclnnStatus emu_check_lengths(const struct emu_problem *problem);
aclnnStatus emu_check_channels(const struct emu_problem *problem);
aclnnStatus emu_check_equation(const struct emu_problem *problem);
aclnnStatus emu_check_views(const struct emu_problem *problem);

/* the empty route */
aclnnStatus emu_check_bias_sizes(const struct emu_problem *problem);
aclnnStatus emu_check_empty_input(const struct emu_problem *problem);
aclnnStatus emu_check_empty_channels(const struct emu_problem *problem);
aclnnStatus emu_check_empty_kernel(const struct emu_problem *problem);
aclnnStatus emu_check_zero_weight(const struct emu_problem *problem);
aclnnStatus emu_check_zero_bias(const struct emu_problem *problem);

/* the plan; the five in the middle are for calls that compute a convolution */
aclnnStatus emu_check_three_dimensions(const struct emu_problem *problem);
aclnnStatus emu_check_plan_bias(const struct emu_problem *problem);
aclnnStatus emu_check_eight_bit_kernel(const struct emu_problem *problem);
aclnnStatus emu_check_dimensions(const struct emu_problem *problem);
aclnnStatus emu_check_batch(const struct emu_problem *problem);
aclnnStatus emu_check_groups(const struct emu_problem *problem);
aclnnStatus emu_check_axes(const struct emu_problem *problem);
aclnnStatus emu_check_extents(const struct emu_problem *problem);

/* Addresses of this operand can be computed; an output can be written. For every operand that a route uses. */
aclnnStatus emu_check_extent(const struct emu_problem *problem, enum emu_operand operand);

/* The array is NULL or live; asked where it is looked at. */
aclnnStatus emu_check_live_ints(const struct emu_ints_argument *argument);

static inline const struct emu_tensor_numbers *emu_numbers(const struct emu_problem *problem, enum emu_operand operand)
{
	return &problem->tensors[operand].numbers;
}

static inline bool emu_given(const struct emu_problem *problem, enum emu_operand operand)
{
	return problem->tensors[operand].presence == EMU_LIVE;
}

/* Is this output, EMU_GRAD_INPUT to EMU_GRAD_BIAS, asked for? */
static inline bool emu_wants(const struct emu_problem *problem, enum emu_operand output)
{
	return emu_problem_wants(problem, (int)(output - EMU_GRAD_INPUT));
}

/* Does the call compute a convolution, or nothing but sums? */
static inline bool emu_computes(const struct emu_problem *problem)
{
	return emu_wants(problem, EMU_GRAD_INPUT) || emu_wants(problem, EMU_GRAD_WEIGHT);
}

/* The map that the weight slides over: what the equations call the input. */
static inline enum emu_operand emu_big_map(const struct emu_problem *problem)
{
	return problem->transposed ? EMU_GRAD_OUTPUT : EMU_INPUT;
}

static inline enum emu_operand emu_small_map(const struct emu_problem *problem)
{
	return problem->transposed ? EMU_INPUT : EMU_GRAD_OUTPUT;
}

/* Emptiness goes by the storage, not by the view */
static inline bool emu_storage_empty(const struct emu_problem *problem, enum emu_operand operand)
{
	return emu_storage_count(emu_numbers(problem, operand)) == 0;
}

static inline bool emu_same_dims(const struct emu_tensor_numbers *a, const struct emu_tensor_numbers *b)
{
	if (a->rank != b->rank)
		return false;
	for (int i = 0; i < a->rank; i++)
		if (a->dims[i] != b->dims[i])
			return false;
	return true;
}

#endif
