#include "problem.h"

#include <string.h>

#include "product.h"
#include "runtime/soc.h"

static void read_tensor(struct emu_tensor_argument *argument, const char *name, const aclTensor *tensor)
{
	argument->name = name;
	argument->handle = tensor;
	argument->presence = EMU_ABSENT;
	argument->cell = NULL;
	if (!tensor)
		return;
	argument->presence = emu_tensor_snapshot(tensor, &argument->numbers, &argument->cell) ? EMU_LIVE : EMU_DEAD;
}

static void read_ints(struct emu_ints_argument *argument, const char *name, const aclIntArray *array)
{
	argument->name = name;
	argument->handle = array;
	argument->array = array ? emu_int_array_acquire(array) : NULL;
	argument->presence = !array ? EMU_ABSENT : argument->array ? EMU_LIVE : EMU_DEAD;
}

static void read_bools(struct emu_bools_argument *argument, const char *name, const aclBoolArray *array)
{
	argument->name = name;
	argument->handle = array;
	argument->array = array ? emu_bool_array_acquire(array) : NULL;
	argument->presence = !array ? EMU_ABSENT : argument->array ? EMU_LIVE : EMU_DEAD;
}

void emu_problem_read(struct emu_problem *problem, const struct emu_request *request)
{
	struct emu_tensor_argument *tensors = problem->tensors;

	read_tensor(&tensors[EMU_GRAD_OUTPUT], "gradOutput", request->grad_output);
	read_tensor(&tensors[EMU_INPUT], "input", request->input);
	read_tensor(&tensors[EMU_WEIGHT], "weight", request->weight);
	read_tensor(&tensors[EMU_GRAD_INPUT], "gradInput", request->grad_input);
	read_tensor(&tensors[EMU_GRAD_WEIGHT], "gradWeight", request->grad_weight);
	read_tensor(&tensors[EMU_GRAD_BIAS], "gradBias", request->grad_bias);
	read_ints(&problem->bias_sizes, "biasSizes", request->bias_sizes);
	read_ints(&problem->stride, "stride", request->stride);
	read_ints(&problem->padding, "padding", request->padding);
	read_ints(&problem->dilation, "dilation", request->dilation);
	read_ints(&problem->output_padding, "outputPadding", request->output_padding);
	read_bools(&problem->output_mask, "outputMask", request->output_mask);
	problem->transposed = request->transposed;
	problem->groups = request->groups;
	problem->cube_math_type = request->cube_math_type;
	problem->soc = emu_soc();
	problem->product = problem->soc ? emu_product_find(problem->soc->architecture) : NULL;
}

void emu_problem_release(struct emu_problem *problem)
{
	struct emu_ints_argument *ints[] = {
		&problem->bias_sizes, &problem->stride, &problem->padding, &problem->dilation, &problem->output_padding,
	};

	for (int i = 0; i < EMU_OPERANDS; i++)
		emu_cell_release(problem->tensors[i].cell);
	for (size_t i = 0; i < sizeof(ints) / sizeof(ints[0]); i++)
		if (ints[i]->array)
			emu_object_release(&ints[i]->array->object);
	if (problem->output_mask.array)
		emu_object_release(&problem->output_mask.array->object);
}

bool emu_problem_wants(const struct emu_problem *problem, int output)
{
	return problem->output_mask.array->values[output];
}

static int64_t count(const int64_t *dims, int rank)
{
	int64_t product = 1;

	for (int i = 0; i < rank; i++)
		if (dims[i] == 0)
			return 0;
	for (int i = 0; i < rank; i++)
		if (dims[i] < 0 || __builtin_mul_overflow(product, dims[i], &product))
			return -1;
	return product;
}

int64_t emu_storage_count(const struct emu_tensor_numbers *numbers)
{
	return count(numbers->storage_dims, numbers->storage_rank);
}

int64_t emu_view_count(const struct emu_tensor_numbers *numbers)
{
	return count(numbers->dims, numbers->rank);
}

bool emu_is_contiguous(const struct emu_tensor_numbers *numbers)
{
	int64_t elements = emu_view_count(numbers);
	int64_t dense = 1;

	if (elements == 0 || elements == 1)
		return true;
	if (elements < 0)
		return false;
	for (int i = numbers->rank - 1; i >= 0; i--) {
		if (numbers->dims[i] != 1 && numbers->strides[i] != dense)
			return false;
		dense *= numbers->dims[i];
	}
	return true;
}

void emu_problem_padding(const struct emu_problem *problem, int axis, int64_t *leading, int64_t *trailing)
{
	const struct emu_int_array *padding = problem->padding.array;
	int spatial = problem->tensors[EMU_INPUT].numbers.rank - 2;
	bool four_sided = spatial == 2 && padding->size == 4;

	*leading = padding->values[four_sided ? 2 * axis : axis];
	*trailing = padding->values[four_sided ? 2 * axis + 1 : axis];
}

aclDataType emu_problem_promoted(const struct emu_problem *problem)
{
	aclDataType promoted = problem->tensors[EMU_GRAD_OUTPUT].numbers.dtype;

	/* two different types among FLOAT, FLOAT16, BF16 and the 8-bit floats always meet in FLOAT */
	for (int i = EMU_INPUT; i <= EMU_WEIGHT; i++)
		if (problem->tensors[i].numbers.dtype != promoted)
			return ACL_FLOAT;
	return promoted;
}

/* 1-D and 2-D problems are 3-D ones with leading axes of `absent`. */
static void fill_axes(int64_t axes[3], const int64_t *values, int spatial, int64_t absent)
{
	for (int i = 0; i < 3 - spatial; i++)
		axes[i] = absent;
	for (int i = 0; i < spatial; i++)
		axes[3 - spatial + i] = values[i];
}

void emu_problem_geometry(const struct emu_problem *problem, struct emu_conv *conv)
{
	const struct emu_tensor_numbers *input = &problem->tensors[EMU_INPUT].numbers;
	const struct emu_tensor_numbers *grad_output = &problem->tensors[EMU_GRAD_OUTPUT].numbers;
	const struct emu_tensor_numbers *weight = &problem->tensors[EMU_WEIGHT].numbers;
	const struct emu_tensor_numbers *small = problem->transposed ? input : grad_output;
	const struct emu_tensor_numbers *big = problem->transposed ? grad_output : input;
	int spatial = input->rank - 2;
	int64_t leading[3], trailing;

	for (int i = 0; i < spatial; i++)
		emu_problem_padding(problem, i, &leading[i], &trailing);
	conv->batch = input->dims[0];
	conv->groups = problem->groups;
	conv->small_channels = weight->dims[0] / problem->groups;
	conv->big_channels = weight->dims[1];
	fill_axes(conv->small, small->dims + 2, spatial, 1);
	fill_axes(conv->big, big->dims + 2, spatial, 1);
	fill_axes(conv->kernel, weight->dims + 2, spatial, 1);
	fill_axes(conv->stride, problem->stride.array->values, spatial, 1);
	fill_axes(conv->dilation, problem->dilation.array->values, spatial, 1);
	fill_axes(conv->padding, leading, spatial, 0);
	for (int i = 0; i < 3; i++)
		if (conv->kernel[i] == 1)
			conv->dilation[i] = 1; /* one tap has no distance to another; a huge value must not count */
}
