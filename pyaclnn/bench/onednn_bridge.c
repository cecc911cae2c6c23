/*
 * oneDNN as a fast program calls it: primitives and memory made once, then run over and over. Operands and results lie
 * in plain order (NCHW); where a primitive prefers another order, the copies into it and out of it are part of the run.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "oneapi/dnnl/dnnl.h"

enum {
	SPATIAL = 3,
	RANK = SPATIAL + 3, /* with the axes of groups and of the two kinds of channels */
	MAX_STEPS = 8,      /* 2 primitives, 4 operands and 2 results to be copied */
	MAX_MEMORIES = 16,
};

struct bench_problem {
	int spatial;
	bool transposed, any_order, bfloat16, float16;
	int64_t batch, in_channels, out_channels, groups;
	int64_t input[SPATIAL], output[SPATIAL], kernel[SPATIAL];
	int64_t stride[SPATIAL], padding[SPATIAL], dilation[SPATIAL];
};

struct bench_buffers {
	void *grad_output, *input, *weight, *grad_input, *grad_weight, *grad_bias;
};

struct step {
	dnnl_primitive_t primitive;
	int count;
	dnnl_exec_arg_t arguments[4];
};

struct bench_onednn {
	dnnl_engine_t engine;
	dnnl_stream_t stream;
	struct step steps[MAX_STEPS];
	int steps_used;
	dnnl_memory_t memories[MAX_MEMORIES];
	int memories_used;
};

/* The convolution in oneDNN's terms: plain descriptors, and those that the primitives are asked for. */
struct shapes {
	dnnl_memory_desc_t source, weights, bias, result;
	dnnl_memory_desc_t asked_source, asked_weights, asked_result;
	dnnl_dims_t strides, dilates, before, after;
};

typedef struct bench_onednn bench;

#define TRY(call)                                      \
	do {                                               \
		const dnnl_status_t try_status = (call);       \
		if (try_status != dnnl_success)                \
			return try_status;                         \
	} while (0)

/* ---- shapes ---- */

static void row_major(int rank, const dnnl_dims_t dims, dnnl_dims_t strides)
{
	for (int64_t axis = rank - 1, stride = 1; axis >= 0; stride *= dims[axis--])
		strides[axis] = stride;
}

static dnnl_status_t describe(int rank, const dnnl_dims_t dims, const dnnl_dims_t strides, dnnl_data_type_t type,
                              bool any, dnnl_memory_desc_t *plain, dnnl_memory_desc_t *asked)
{
	TRY(dnnl_memory_desc_create_with_strides(plain, rank, dims, type, strides));
	if (any)
		return dnnl_memory_desc_create_with_tag(asked, rank, dims, type, dnnl_format_tag_any);
	return dnnl_memory_desc_clone(asked, *plain);
}

static dnnl_status_t describe_map(const struct bench_problem *p, int64_t channels, const int64_t *size,
                                  dnnl_data_type_t type, dnnl_memory_desc_t *plain, dnnl_memory_desc_t *asked)
{
	dnnl_dims_t dims = {p->batch, channels}, strides;
	const int rank = 2 + p->spatial;

	for (int axis = 0; axis < p->spatial; axis++)
		dims[2 + axis] = size[axis];
	row_major(rank, dims, strides);
	return describe(rank, dims, strides, type, p->any_order, plain, asked);
}

/* oneDNN counts output channels before input channels; the weights of a transposed convolution lie the other way. */
static dnnl_status_t describe_weights(const struct bench_problem *p, dnnl_data_type_t type, struct shapes *shapes)
{
	const int grouped = p->groups > 1, rank = grouped + 2 + p->spatial;
	dnnl_dims_t dims, strides;

	dims[0] = p->groups;
	dims[grouped] = (p->transposed ? p->in_channels : p->out_channels) / p->groups;
	dims[grouped + 1] = (p->transposed ? p->out_channels : p->in_channels) / p->groups;
	for (int axis = 0; axis < p->spatial; axis++)
		dims[grouped + 2 + axis] = p->kernel[axis];
	row_major(rank, dims, strides);
	if (p->transposed) {
		const int64_t size = dims[grouped], stride = strides[grouped];

		dims[grouped] = dims[grouped + 1];
		strides[grouped] = strides[grouped + 1];
		dims[grouped + 1] = size;
		strides[grouped + 1] = stride;
	}
	return describe(rank, dims, strides, type, p->any_order, &shapes->weights, &shapes->asked_weights);
}

static void describe_axes(const struct bench_problem *p, struct shapes *shapes)
{
	for (int axis = 0; axis < p->spatial; axis++) {
		const int64_t small = p->transposed ? p->input[axis] : p->output[axis];
		const int64_t big = p->transposed ? p->output[axis] : p->input[axis];
		const int64_t reach = p->dilation[axis] * (p->kernel[axis] - 1) + 1;

		shapes->strides[axis] = p->stride[axis];
		shapes->dilates[axis] = p->dilation[axis] - 1;
		shapes->before[axis] = p->padding[axis];
		shapes->after[axis] = (small - 1) * p->stride[axis] + reach - big - p->padding[axis];
	}
}

static dnnl_status_t describe_all(const struct bench_problem *p, struct shapes *shapes)
{
	const dnnl_data_type_t type = p->bfloat16 ? dnnl_bf16 : p->float16 ? dnnl_f16 : dnnl_f32;
	const dnnl_dims_t channels = {p->out_channels};

	describe_axes(p, shapes);
	TRY(describe_map(p, p->in_channels, p->input, type, &shapes->source, &shapes->asked_source));
	TRY(describe_map(p, p->out_channels, p->output, type, &shapes->result, &shapes->asked_result));
	TRY(describe_weights(p, type, shapes));
	return dnnl_memory_desc_create_with_tag(&shapes->bias, 1, channels, type, dnnl_a);
}

static void forget(struct shapes *s)
{
	const dnnl_memory_desc_t all[] = {s->source,       s->weights,       s->bias,        s->result,
	                                  s->asked_source, s->asked_weights, s->asked_result};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (all[i])
			dnnl_memory_desc_destroy(all[i]);
}

/* ---- steps ---- */

static dnnl_status_t add_step(bench *b, const_dnnl_primitive_desc_t desc, int count, const dnnl_exec_arg_t *arguments)
{
	struct step *step = &b->steps[b->steps_used];

	TRY(dnnl_primitive_create(&step->primitive, desc));
	step->count = count;
	for (int i = 0; i < count; i++)
		step->arguments[i] = arguments[i];
	b->steps_used++;
	return dnnl_success;
}

static dnnl_status_t add_copy(bench *b, dnnl_memory_t from, dnnl_memory_t to)
{
	const dnnl_exec_arg_t arguments[] = {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}};
	const_dnnl_memory_desc_t from_desc, to_desc;
	dnnl_primitive_desc_t desc;

	TRY(dnnl_memory_get_memory_desc(from, &from_desc));
	TRY(dnnl_memory_get_memory_desc(to, &to_desc));
	TRY(dnnl_reorder_primitive_desc_create(&desc, from_desc, b->engine, to_desc, b->engine, NULL));
	const dnnl_status_t status = add_step(b, desc, 2, arguments);
	dnnl_primitive_desc_destroy(desc);
	return status;
}

static dnnl_status_t add_memory(bench *b, const_dnnl_memory_desc_t desc, void *buffer, dnnl_memory_t *memory)
{
	TRY(dnnl_memory_create(memory, desc, b->engine, buffer));
	b->memories[b->memories_used++] = *memory;
	return dnnl_success;
}

/* Memory in the wanted order: the plain one itself, or another one that is filled from it by a step. */
static dnnl_status_t operand(bench *b, dnnl_memory_t plain, const_dnnl_memory_desc_t wanted, dnnl_memory_t *memory)
{
	const_dnnl_memory_desc_t has;

	TRY(dnnl_memory_get_memory_desc(plain, &has));
	*memory = plain;
	if (dnnl_memory_desc_equal(has, wanted))
		return dnnl_success;
	TRY(add_memory(b, wanted, DNNL_MEMORY_ALLOCATE, memory));
	return add_copy(b, plain, *memory);
}

/* Memory for a result in the order in which it is computed; finish_result() brings it into plain order. */
static dnnl_status_t result(bench *b, dnnl_memory_t plain, const_dnnl_memory_desc_t computed, dnnl_memory_t *memory)
{
	const_dnnl_memory_desc_t has;

	TRY(dnnl_memory_get_memory_desc(plain, &has));
	*memory = plain;
	return dnnl_memory_desc_equal(has, computed) ? dnnl_success
	                                             : add_memory(b, computed, DNNL_MEMORY_ALLOCATE, memory);
}

static dnnl_status_t finish_result(bench *b, dnnl_memory_t computed, dnnl_memory_t plain)
{
	return computed == plain ? dnnl_success : add_copy(b, computed, plain);
}

/* ---- the two gradients ---- */

struct descriptors {
	dnnl_primitive_desc_t forward, data, weights;
};

static dnnl_status_t choose(bench *b, const struct shapes *s, bool transposed, struct descriptors *d)
{
	const dnnl_alg_kind_t how = transposed ? dnnl_deconvolution_direct : dnnl_convolution_direct;

	TRY((transposed ? dnnl_deconvolution_forward_primitive_desc_create
	                : dnnl_convolution_forward_primitive_desc_create)(
		&d->forward, b->engine, dnnl_forward_training, how, s->asked_source, s->asked_weights, s->bias,
		s->asked_result, s->strides, s->dilates, s->before, s->after, NULL));
	TRY((transposed ? dnnl_deconvolution_backward_data_primitive_desc_create
	                : dnnl_convolution_backward_data_primitive_desc_create)(
		&d->data, b->engine, how, s->asked_source, s->asked_weights, s->asked_result, s->strides, s->dilates,
		s->before, s->after, d->forward, NULL));
	return (transposed ? dnnl_deconvolution_backward_weights_primitive_desc_create
	                   : dnnl_convolution_backward_weights_primitive_desc_create)(
		&d->weights, b->engine, how, s->asked_source, s->asked_weights, s->bias, s->asked_result, s->strides,
		s->dilates, s->before, s->after, d->forward, NULL);
}

/* Loops that are there to be right, not to be used: minutes for a float16 row that takes others milliseconds. */
static bool is_reference(const_dnnl_primitive_desc_t desc)
{
	const char *name = NULL;

	return dnnl_primitive_desc_query(desc, dnnl_query_impl_info_str, 0, &name) == dnnl_success &&
	       strncmp(name, "ref", 3) == 0;
}

static const_dnnl_memory_desc_t order_of(const_dnnl_primitive_desc_t desc, dnnl_query_t what)
{
	return dnnl_primitive_desc_query_md(desc, what, 0);
}

static dnnl_status_t add_data(bench *b, const_dnnl_primitive_desc_t desc, dnnl_memory_t weights, dnnl_memory_t grads,
                              dnnl_memory_t grad_input)
{
	dnnl_memory_t computed, ordered_weights;

	TRY(operand(b, weights, order_of(desc, dnnl_query_weights_md), &ordered_weights));
	TRY(result(b, grad_input, order_of(desc, dnnl_query_diff_src_md), &computed));
	const dnnl_exec_arg_t arguments[] = {
		{DNNL_ARG_DIFF_DST, grads}, {DNNL_ARG_WEIGHTS, ordered_weights}, {DNNL_ARG_DIFF_SRC, computed}};
	TRY(add_step(b, desc, 3, arguments));
	return finish_result(b, computed, grad_input);
}

static dnnl_status_t add_weights(bench *b, const_dnnl_primitive_desc_t desc, dnnl_memory_t input, dnnl_memory_t grads,
                                 dnnl_memory_t grad_weight, dnnl_memory_t grad_bias)
{
	dnnl_memory_t computed, ordered_input;

	TRY(operand(b, input, order_of(desc, dnnl_query_src_md), &ordered_input));
	TRY(result(b, grad_weight, order_of(desc, dnnl_query_diff_weights_md), &computed));
	const dnnl_exec_arg_t arguments[] = {{DNNL_ARG_DIFF_DST, grads},
	                                     {DNNL_ARG_SRC, ordered_input},
	                                     {DNNL_ARG_DIFF_WEIGHTS, computed},
	                                     {DNNL_ARG_DIFF_BIAS, grad_bias}};
	TRY(add_step(b, desc, 4, arguments));
	return finish_result(b, computed, grad_weight);
}

static dnnl_status_t add_gradients(bench *b, const struct shapes *s, const struct descriptors *d,
                                   const struct bench_buffers *buffers)
{
	dnnl_memory_t plain, input, weights, grad_input, grad_weight, grad_bias, for_data, for_weights;
	const_dnnl_memory_desc_t order = order_of(d->data, dnnl_query_diff_dst_md);

	TRY(add_memory(b, s->result, buffers->grad_output, &plain));
	TRY(add_memory(b, s->source, buffers->input, &input));
	TRY(add_memory(b, s->weights, buffers->weight, &weights));
	TRY(add_memory(b, s->source, buffers->grad_input, &grad_input));
	TRY(add_memory(b, s->weights, buffers->grad_weight, &grad_weight));
	TRY(add_memory(b, s->bias, buffers->grad_bias, &grad_bias));

	TRY(operand(b, plain, order, &for_data));
	TRY(add_data(b, d->data, weights, for_data, grad_input));
	for_weights = for_data;
	if (!dnnl_memory_desc_equal(order, order_of(d->weights, dnnl_query_diff_dst_md)))
		TRY(operand(b, plain, order_of(d->weights, dnnl_query_diff_dst_md), &for_weights));
	return add_weights(b, d->weights, input, for_weights, grad_weight, grad_bias);
}

/* ---- what Python calls ---- */

void bench_onednn_destroy(bench *b)
{
	if (!b)
		return;
	for (int i = 0; i < b->steps_used; i++)
		dnnl_primitive_destroy(b->steps[i].primitive);
	for (int i = 0; i < b->memories_used; i++)
		dnnl_memory_destroy(b->memories[i]);
	if (b->stream)
		dnnl_stream_destroy(b->stream);
	if (b->engine)
		dnnl_engine_destroy(b->engine);
	free(b);
}

static dnnl_status_t build(bench *b, const struct bench_problem *problem, const struct bench_buffers *buffers)
{
	struct shapes shapes = {0};
	struct descriptors descriptors = {0};
	dnnl_status_t status = dnnl_engine_create(&b->engine, dnnl_cpu, 0);

	if (!status)
		status = dnnl_stream_create(&b->stream, b->engine, dnnl_stream_default_flags);
	if (!status)
		status = describe_all(problem, &shapes);
	if (!status)
		status = choose(b, &shapes, problem->transposed, &descriptors);
	if (!status && problem->float16 && (is_reference(descriptors.data) || is_reference(descriptors.weights)))
		status = dnnl_unimplemented;
	if (!status)
		status = add_gradients(b, &shapes, &descriptors, buffers);
	if (descriptors.forward)
		dnnl_primitive_desc_destroy(descriptors.forward);
	if (descriptors.data)
		dnnl_primitive_desc_destroy(descriptors.data);
	if (descriptors.weights)
		dnnl_primitive_desc_destroy(descriptors.weights);
	forget(&shapes);
	return status;
}

/* Returns the status of oneDNN; 3 means that it has no convolution of that kind, or no fast one. */
int bench_onednn_create(const struct bench_problem *problem, const struct bench_buffers *buffers, bench **created)
{
	bench *b = calloc(1, sizeof(*b));
	const dnnl_status_t status = b ? build(b, problem, buffers) : dnnl_out_of_memory;

	if (status != dnnl_success) {
		bench_onednn_destroy(b);
		return status;
	}
	*created = b;
	return dnnl_success;
}

int bench_onednn_run(bench *b)
{
	for (int i = 0; i < b->steps_used; i++)
		TRY(dnnl_primitive_execute(b->steps[i].primitive, b->stream, b->steps[i].count, b->steps[i].arguments));
	return dnnl_stream_wait(b->stream);
}

/* 10000 * major + 100 * minor + patch, of the library that was loaded. */
int bench_onednn_version(void)
{
	const dnnl_version_t *version = dnnl_version();

	return version->major * 10000 + version->minor * 100 + version->patch;
}
