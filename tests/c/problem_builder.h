/*
 * Problems built by hand, and what emu_validate() says of them. No handles are needed: one process sees every product.
 *
 * Each rule of rules.def has a call that breaks it, REJECTS(rule, ...), and its nearest neighbour that does not,
 * ACCEPTS(rule). test_rules.py compares the rules with these names.
 */
#ifndef PROBLEM_BUILDER_H
#define PROBLEM_BUILDER_H

#include <stdlib.h>

#include "acl/acl_rt.h"
#include "base/violation.h"
#include "check.h"
#include "op/convolution_backward/product.h"
#include "op/convolution_backward/rules.h"
#include "op/convolution_backward/validate.h"

enum { A2 = 2201, C950 = 3510, P310 = 2002, A910 = 1001 };
enum { NULLPTR = 161001, INVALID = 161002, INNER = 561103 };

/* ---- the problem under test ---- */

static struct emu_problem p;

/* Arrays of the current problem, freed when the next one begins. */
static void *arrays[64];
static int array_count;

static inline void *new_array(size_t bytes)
{
	arrays[array_count] = calloc(1, bytes);
	return arrays[array_count++];
}

static inline void free_arrays(void)
{
	while (array_count)
		free(arrays[--array_count]);
}

static inline void set_ints(struct emu_ints_argument *argument, uint64_t size, const int64_t *values)
{
	argument->array = new_array(sizeof(*argument->array) + size * sizeof(int64_t));
	argument->array->size = size;
	memcpy(argument->array->values, values, size * sizeof(int64_t));
	argument->presence = EMU_LIVE;
}

#define INTS(argument, ...) \
	set_ints(&p.argument, sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t), (int64_t[]){__VA_ARGS__})

static inline void set_mask(uint64_t size, bool grad_input, bool grad_weight, bool grad_bias)
{
	const bool values[4] = {grad_input, grad_weight, grad_bias, true};

	p.output_mask.array = new_array(sizeof(*p.output_mask.array) + 4);
	p.output_mask.array->size = size;
	memcpy(p.output_mask.array->values, values, 4);
	p.output_mask.presence = EMU_LIVE;
}

#define MASK(grad_input, grad_weight, grad_bias) set_mask(3, grad_input, grad_weight, grad_bias)

/* A dense view of a storage of the same shape. */
static inline void set_dims(enum emu_operand operand, int rank, const int64_t *dims)
{
	static const aclFormat formats[] = {[3] = ACL_FORMAT_NCL, [4] = ACL_FORMAT_NCHW, [5] = ACL_FORMAT_NCDHW};
	struct emu_tensor_numbers *numbers = &p.tensors[operand].numbers;
	int64_t stride = 1;

	numbers->rank = numbers->strides_count = numbers->storage_rank = rank;
	numbers->offset = 0;
	numbers->format = rank >= 3 && rank <= 5 ? formats[rank] : ACL_FORMAT_ND;
	for (int i = rank - 1; i >= 0; i--) {
		numbers->dims[i] = numbers->storage_dims[i] = dims[i];
		numbers->strides[i] = stride;
		if (__builtin_mul_overflow(stride, dims[i], &stride))
			stride = INT64_MAX;
	}
	p.tensors[operand].presence = EMU_LIVE;
}

#define DIMS(operand, ...) \
	set_dims(operand, sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t), (int64_t[]){__VA_ARGS__})

/* The dimensions of an input and of the output that follows it. */
#define DIMS2(operand, output, ...) \
	do { \
		DIMS(operand, __VA_ARGS__); \
		DIMS(output, __VA_ARGS__); \
	} while (0)

static inline void all_dtypes(aclDataType dtype)
{
	for (int i = 0; i < EMU_OPERANDS; i++)
		p.tensors[i].numbers.dtype = dtype;
}

#define TENSOR(operand) (p.tensors[operand].numbers)
#define OMIT(operand) (p.tensors[operand].presence = EMU_ABSENT)

/* Batch 2, input with 4 channels, gradOutput with 6, size 7, kernel 3, padding 1; all outputs asked for. */
static inline void make(int architecture, int rank, bool transposed)
{
	static const char *const names[EMU_OPERANDS] = {"gradOutput", "input", "weight", "gradInput", "gradWeight",
	                                                "gradBias"};
	const int64_t grad_output[] = {2, 6, 7, 7, 7}, input[] = {2, 4, 7, 7, 7};
	const int64_t weight[] = {6, 4, 3, 3, 3}, weight_transposed[] = {4, 6, 3, 3, 3};
	const int64_t ones[] = {1, 1, 1}, zeros[] = {0, 0, 0};
	uint64_t spatial = (uint64_t)rank - 2;

	free_arrays();
	memset(&p, 0, sizeof(p));
	for (int i = 0; i < EMU_OPERANDS; i++)
		p.tensors[i].name = names[i];
	p.bias_sizes.name = "biasSizes";
	p.stride.name = "stride";
	p.padding.name = "padding";
	p.dilation.name = "dilation";
	p.output_padding.name = "outputPadding";
	p.output_mask.name = "outputMask";
	set_dims(EMU_GRAD_OUTPUT, rank, grad_output);
	set_dims(EMU_INPUT, rank, input);
	set_dims(EMU_WEIGHT, rank, transposed ? weight_transposed : weight);
	set_dims(EMU_GRAD_INPUT, rank, input);
	set_dims(EMU_GRAD_WEIGHT, rank, transposed ? weight_transposed : weight);
	DIMS(EMU_GRAD_BIAS, 6);
	all_dtypes(ACL_FLOAT16);
	INTS(bias_sizes, 6);
	set_ints(&p.stride, spatial, ones);
	set_ints(&p.padding, spatial, ones);
	set_ints(&p.dilation, spatial, ones);
	set_ints(&p.output_padding, spatial, zeros);
	MASK(true, true, true);
	p.transposed = transposed;
	p.groups = 1;
	p.cube_math_type = 0;
	p.product = emu_product_find(architecture);
}

/* A grouped call: 4 channels a group into 6 in 2 groups. */
static inline void make_grouped(int architecture, int rank)
{
	const int64_t input[] = {2, 8, 7, 7, 7};

	make(architecture, rank, false);
	set_dims(EMU_INPUT, rank, input);
	set_dims(EMU_GRAD_INPUT, rank, input);
	p.groups = 2;
}

/* A call with an empty batch; the route of section "empty". */
static inline void make_empty(int architecture, int rank, bool transposed)
{
	const int64_t grad_output[] = {0, 6, 7, 7, 7}, input[] = {0, 4, 7, 7, 7};

	make(architecture, rank, transposed);
	set_dims(EMU_GRAD_OUTPUT, rank, grad_output);
	set_dims(EMU_INPUT, rank, input);
	set_dims(EMU_GRAD_INPUT, rank, input);
}

/* ---- the two answers ---- */

#define REJECTS(rule, status, values) rejects(#rule, status, values, __FILE__, __LINE__)
#define ACCEPTS(rule) accepts(EMU_ROUTE_COMPUTE, #rule, __FILE__, __LINE__)
#define ACCEPTS_EMPTY(rule) accepts(EMU_ROUTE_EMPTY, #rule, __FILE__, __LINE__)

/*
 * What every product says of this problem, one line each: "CONVBWD_DTYPE: 950 accepted". So a rule's rejecting calls
 * show which products it is for, and that the others let them pass; test_c_programs.py compares this with rules.def.
 */
static inline void print_products(const char *rule)
{
	const struct emu_product *product = p.product;
	const struct aclemuViolation *violations;
	enum emu_route route;

	for (int i = 0; i < 4; i++) {
		p.product = emu_product_find((const int[]){A2, C950, P310, A910}[i]);
		emu_violations_clear();
		emu_validate(&p, &route);
		printf("%s: %s %s\n", rule, p.product->name,
		       aclemuGetViolations(&violations) ? violations[0].rule : "accepted");
	}
	p.product = product;
	aclGetRecentErrMsg();
}

/* The error text names one rule only: the first broken check is the last one made. */
static inline void rejects(const char *rule, aclnnStatus status, const char *values, const char *file, int line)
{
	enum emu_route route = (enum emu_route)99;
	const char *text;

	check_equal(emu_validate(&p, &route), status, rule, file, line);
	check_equal(route, 99, "the route after a reject", file, line);
	text = aclGetRecentErrMsg();
	if (check_contains(text, rule, file, line))
		check_that(!strstr(strstr(text, "CONVBWD_") + 1, "CONVBWD_"), "one rule is named", file, line);
	check_contains(text, values, file, line);
	check_contains(text, status < 200000 ? "EZ1001" : "EZ9999", file, line);
	print_products(rule);
}

static inline void accepts(enum emu_route expected, const char *rule, const char *file, int line)
{
	enum emu_route route = (enum emu_route)99;
	const char *text;

	check_equal(emu_validate(&p, &route), 0, rule, file, line);
	check_equal(route, expected, "the route", file, line);
	text = aclGetRecentErrMsg();
	if (!check_that(!text, "no error text", file, line))
		fprintf(stderr, "%s\n", text);
}

#endif
