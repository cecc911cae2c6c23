/*
 * What was asked, in our terms: every argument of phase one as plain numbers, and the geometry that follows from them.
 * Written once by emu_problem_read() and emu_problem_normalise(), read by the checks and the plan.
 */
#ifndef EMU_PROBLEM_H
#define EMU_PROBLEM_H

#include <stdbool.h>
#include <stdint.h>

#include "aclnn/acl_meta.h"
#include "base/array.h"
#include "base/tensor.h"
#include "kernels/kernels.h"

/* The arguments of aclnnConvolutionBackwardGetWorkspaceSize(), unlooked at. */
struct emu_request {
	const aclTensor *grad_output;
	const aclTensor *input;
	const aclTensor *weight;
	const aclIntArray *bias_sizes;
	const aclIntArray *stride;
	const aclIntArray *padding;
	const aclIntArray *dilation;
	bool transposed;
	const aclIntArray *output_padding;
	int groups;
	const aclBoolArray *output_mask;
	int8_t cube_math_type;
	const aclTensor *grad_input;
	const aclTensor *grad_weight;
	const aclTensor *grad_bias;
};

/* The tensors in the order of the executor's addresses (aclnn_base section 6). */
enum emu_operand {
	EMU_GRAD_OUTPUT,
	EMU_INPUT,
	EMU_WEIGHT,
	EMU_GRAD_INPUT,
	EMU_GRAD_WEIGHT,
	EMU_GRAD_BIAS,
	EMU_OPERANDS
};

/* A handle argument: absent (null), live, or something else that is no live object of its kind. */
enum emu_presence { EMU_ABSENT, EMU_LIVE, EMU_DEAD };

struct emu_tensor_argument {
	const char *name;                  /* "gradOutput" */
	enum emu_presence presence;
	const void *handle;
	struct emu_tensor_numbers numbers; /* when live */
	struct emu_cell *cell;             /* when live; released by emu_problem_release() */
};

struct emu_ints_argument {
	const char *name;
	enum emu_presence presence;
	const void *handle;
	struct emu_int_array *array; /* when live */
};

struct emu_bools_argument {
	const char *name;
	enum emu_presence presence;
	const void *handle;
	struct emu_bool_array *array; /* when live */
};

struct emu_problem {
	struct emu_tensor_argument tensors[EMU_OPERANDS];
	struct emu_ints_argument bias_sizes;
	struct emu_ints_argument stride;
	struct emu_ints_argument padding;
	struct emu_ints_argument dilation;
	struct emu_ints_argument output_padding;
	struct emu_bools_argument output_mask;
	bool transposed;
	int groups;
	int8_t cube_math_type;
	const struct emu_soc *soc;         /* the chip that the call is for, NULL for none */
	const struct emu_product *product; /* of that chip, NULL for none */
};

/* Looks every handle up and copies its numbers. Cannot fail: what is wrong is for the checks to say. */
void emu_problem_read(struct emu_problem *problem, const struct emu_request *request);

/* Gives the references back. */
void emu_problem_release(struct emu_problem *problem);

/* ---- answers that are defined once the checks before them have passed ---- */

/* Is output 0, 1 or 2 (gradInput, gradWeight, gradBias) asked for? Null rules passed. */
bool emu_problem_wants(const struct emu_problem *problem, int output);

/* Number of elements of the storage shape, -1 on overflow or a negative dimension. */
int64_t emu_storage_count(const struct emu_tensor_numbers *numbers);

/* Number of elements of the view shape, -1 on overflow or a negative dimension. */
int64_t emu_view_count(const struct emu_tensor_numbers *numbers);

/* Row-major dense strides (a dimension of 1 does not count); 0 or 1 elements are contiguous. */
bool emu_is_contiguous(const struct emu_tensor_numbers *numbers);

/* Leading and trailing padding of a spatial axis, 0 to rank - 3: [H, W] or [top, bottom, left, right]. */
void emu_problem_padding(const struct emu_problem *problem, int axis, int64_t *leading, int64_t *trailing);

/* The promoted type of gradOutput, input and weight (section 6.2). Dtypes passed. */
aclDataType emu_problem_promoted(const struct emu_problem *problem);

/* The geometry in the kernels' terms. All checks passed. */
void emu_problem_geometry(const struct emu_problem *problem, struct emu_conv *conv);

/* One line of the problem language (docs/problems.md), for messages and ACLEMU_VERBOSE. */
enum { EMU_PROBLEM_TEXT = 512 };
const char *emu_problem_text(const struct emu_problem *problem, char text[EMU_PROBLEM_TEXT]);

#endif
