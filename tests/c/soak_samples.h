/*
 * Small problems for the soak with the gradients that the definition gives, in integers that every element type holds
 * exactly: computed here with loops that share nothing with the libraries.
 */
#ifndef SOAK_SAMPLES_H
#define SOAK_SAMPLES_H

#include <stdint.h>
#include <stdlib.h>

#include "acl/acl.h"
#include "check.h"

enum operand { GRAD_OUTPUT, INPUT, WEIGHT, GRAD_INPUT, GRAD_WEIGHT, GRAD_BIAS, OPERANDS };

enum { SCALES = 7, POISON = 0xA5, MOST_DIMS = 5 };

struct problem {
	aclDataType dtype;
	bool transposed;
	int spatial;
	int64_t batch, in_channels, out_channels, groups;
	int64_t size[3], kernel[3]; /* of the input; 1 in dimensions that are not there */
	int64_t stride, padding, dilation;
};

static const struct problem problems[] = {
	{ACL_FLOAT, false, 1, 2, 3, 4, 1, {1, 1, 9}, {1, 1, 3}, 2, 1, 1},
	{ACL_FLOAT16, false, 2, 2, 4, 6, 2, {1, 6, 5}, {1, 3, 3}, 1, 1, 1},
	{ACL_BF16, false, 2, 1, 4, 4, 1, {1, 5, 5}, {1, 1, 1}, 1, 0, 1},
	{ACL_FLOAT, true, 2, 2, 4, 2, 1, {1, 3, 4}, {1, 2, 3}, 2, 1, 1},
	{ACL_FLOAT16, false, 3, 1, 2, 3, 1, {3, 4, 3}, {2, 2, 2}, 1, 0, 1},
	{ACL_FLOAT, false, 2, 1, 6, 6, 6, {1, 7, 7}, {1, 3, 3}, 1, 2, 2},
	{ACL_BF16, true, 1, 2, 4, 4, 2, {1, 1, 6}, {1, 1, 3}, 1, 1, 1},
	{ACL_FLOAT, false, 2, 1, 5, 20, 1, {1, 8, 8}, {1, 3, 3}, 1, 1, 1},
};

enum { PROBLEMS = sizeof(problems) / sizeof(problems[0]) };

/* A problem and where its six tensors lie in a piece of memory; what begins at at[GRAD_INPUT] are results. */
struct layout {
	const struct problem *problem;
	int64_t dims[OPERANDS][MOST_DIMS];
	uint64_t rank[OPERANDS];
	size_t count[OPERANDS];
	size_t at[OPERANDS + 1];
	char *image[SCALES]; /* the memory as it should be after the call, for gradOutput times 1, 2, ... */
};

/* ---- where things lie ---- */

static inline int64_t output_size(const struct problem *p, int axis)
{
	bool there = axis >= 3 - p->spatial;
	int64_t stride = there ? p->stride : 1, padding = there ? p->padding : 0;
	int64_t reach = (there ? p->dilation : 1) * (p->kernel[axis] - 1);

	if (p->transposed)
		return (p->size[axis] - 1) * stride - 2 * padding + reach + 1;
	return (p->size[axis] + 2 * padding - reach - 1) / stride + 1;
}

static inline void set_dims(struct layout *layout, enum operand operand, int64_t first, int64_t second,
                            const int64_t spatial[3])
{
	const struct problem *p = layout->problem;

	layout->dims[operand][0] = first;
	layout->dims[operand][1] = second;
	layout->count[operand] = (size_t)(first * second);
	for (int i = 0; i < p->spatial; i++) {
		layout->dims[operand][2 + i] = spatial[3 - p->spatial + i];
		layout->count[operand] *= (size_t)spatial[3 - p->spatial + i];
	}
	layout->rank[operand] = 2 + (uint64_t)p->spatial;
}

static inline size_t element_size(aclDataType dtype)
{
	return dtype == ACL_FLOAT ? 4 : 2;
}

static inline struct layout lay_out(const struct problem *p)
{
	const int64_t output[] = {output_size(p, 0), output_size(p, 1), output_size(p, 2)};
	const int64_t outer = p->transposed ? p->in_channels : p->out_channels;
	const int64_t inner = (p->transposed ? p->out_channels : p->in_channels) / p->groups;
	struct layout layout = {.problem = p};

	set_dims(&layout, GRAD_OUTPUT, p->batch, p->out_channels, output);
	set_dims(&layout, INPUT, p->batch, p->in_channels, p->size);
	set_dims(&layout, WEIGHT, outer, inner, p->kernel);
	set_dims(&layout, GRAD_INPUT, p->batch, p->in_channels, p->size);
	set_dims(&layout, GRAD_WEIGHT, outer, inner, p->kernel);
	layout.dims[GRAD_BIAS][0] = p->out_channels;
	layout.rank[GRAD_BIAS] = 1;
	layout.count[GRAD_BIAS] = (size_t)p->out_channels;
	for (int i = 0; i < OPERANDS; i++)
		layout.at[i + 1] = (layout.at[i] + layout.count[i] * element_size(p->dtype) + 63) / 64 * 64;
	return layout;
}

/* ---- the definition ---- */

/* Every pair of a place in the small map and one in the big map that an element of the weight joins. */
static inline void backward(const struct layout *layout, int64_t *const values[OPERANDS])
{
	const struct problem *p = layout->problem;
	const int64_t output[] = {output_size(p, 0), output_size(p, 1), output_size(p, 2)};
	const int64_t *small_size = p->transposed ? p->size : output, *big_size = p->transposed ? output : p->size;
	const int64_t small_channels = p->transposed ? p->in_channels : p->out_channels;
	const int64_t big_channels = p->transposed ? p->out_channels : p->in_channels;
	const int64_t inner = big_channels / p->groups, taps = p->kernel[0] * p->kernel[1] * p->kernel[2];
	const int64_t small_places = small_size[0] * small_size[1] * small_size[2];
	const int64_t big_places = big_size[0] * big_size[1] * big_size[2];
	const int64_t joins = p->batch * small_channels * inner * taps * small_places;

	for (int64_t join = 0; join < joins; join++) {
		int64_t place = join % small_places, tap = join / small_places % taps;
		int64_t channel = join / small_places / taps % inner, n = join / small_places / taps / inner;
		int64_t s = n % small_channels, b = s / (small_channels / p->groups) * inner + channel;
		int64_t w = (s * inner + channel) * taps + tap;
		int64_t small = n * small_places + place, big = 0;
		bool inside = true;

		n /= small_channels;
		for (int axis = 0, rest_place = 1, rest_tap = 1; axis < 3; axis++) {
			bool there = axis >= 3 - p->spatial;
			int64_t at, in_place, in_tap;

			rest_place = rest_tap = 1;
			for (int i = axis + 1; i < 3; i++) {
				rest_place *= (int)small_size[i];
				rest_tap *= (int)p->kernel[i];
			}
			in_place = place / rest_place % small_size[axis];
			in_tap = tap / rest_tap % p->kernel[axis];
			at = there ? in_place * p->stride - p->padding + in_tap * p->dilation : in_place + in_tap;
			inside = inside && at >= 0 && at < big_size[axis];
			big = big * big_size[axis] + at;
		}
		if (!inside)
			continue;
		big += (n * big_channels + b) * big_places;
		if (p->transposed) {
			values[GRAD_INPUT][small] += values[GRAD_OUTPUT][big] * values[WEIGHT][w];
			values[GRAD_WEIGHT][w] += values[GRAD_OUTPUT][big] * values[INPUT][small];
		} else {
			values[GRAD_INPUT][big] += values[GRAD_OUTPUT][small] * values[WEIGHT][w];
			values[GRAD_WEIGHT][w] += values[GRAD_OUTPUT][small] * values[INPUT][big];
		}
	}
	for (size_t i = 0; i < layout->count[GRAD_OUTPUT]; i++) {
		size_t places = layout->count[GRAD_OUTPUT] / (size_t)(p->batch * p->out_channels);

		values[GRAD_BIAS][i / places % (size_t)p->out_channels] += values[GRAD_OUTPUT][i];
	}
}

/* ---- as elements ---- */

/* An integer of at most 11 bits. */
static inline uint16_t half_of(int64_t value)
{
	unsigned sign = value < 0 ? 0x8000 : 0, magnitude = (unsigned)(value < 0 ? -value : value);
	unsigned exponent = 0;

	if (!magnitude)
		return 0;
	while (magnitude >> (exponent + 1))
		exponent++;
	return (uint16_t)(sign | (exponent + 15) << 10 | (magnitude << (10 - exponent) & 0x3ff));
}

/* Larger integers than these would be rounded. */
static inline int64_t largest(aclDataType dtype)
{
	return dtype == ACL_FLOAT ? 1 << 24 : dtype == ACL_FLOAT16 ? 2047 : 255;
}

static inline void store(aclDataType dtype, int64_t value, void *where)
{
	float number = (float)value;
	uint32_t bits;
	uint16_t upper;

	CHECK(value <= largest(dtype) && value >= -largest(dtype));
	memcpy(&bits, &number, 4);
	upper = dtype == ACL_BF16 ? (uint16_t)(bits >> 16) : half_of(value);
	if (dtype == ACL_FLOAT)
		memcpy(where, &number, 4);
	else
		memcpy(where, &upper, 2);
}

/* ---- images ---- */

static inline void fill_images(struct layout *layout, int64_t *const values[OPERANDS])
{
	aclDataType dtype = layout->problem->dtype;

	for (int scale = 0; scale < SCALES; scale++) {
		char *image = layout->image[scale];

		memset(image, POISON, layout->at[OPERANDS]);
		for (int i = 0; i < OPERANDS; i++)
			for (size_t k = 0; k < layout->count[i]; k++)
				store(dtype, values[i][k] * (i == INPUT || i == WEIGHT ? 1 : scale + 1),
				      image + layout->at[i] + k * element_size(dtype));
	}
}

/* Operands of -1, 0 and 1, and what follows from them. The images are pinned host memory. */
static inline void make_images(struct layout *layout)
{
	int64_t *values[OPERANDS];

	for (int scale = 0; scale < SCALES; scale++) {
		void *image = NULL;

		CHECK_EQUAL(aclrtMallocHost(&image, layout->at[OPERANDS]), 0);
		layout->image[scale] = image;
	}
	for (int i = 0; i < OPERANDS; i++) {
		values[i] = calloc(layout->count[i], sizeof(int64_t));
		for (size_t k = 0; k < layout->count[i] && i < GRAD_INPUT; k++)
			values[i][k] = (int64_t)((k * k + 5 * k + (size_t)i) % 7 % 3) - 1;
	}
	backward(layout, values);
	fill_images(layout, values);
	for (int i = 0; i < OPERANDS; i++)
		free(values[i]);
}

static inline void free_images(struct layout *layout)
{
	for (int scale = 0; scale < SCALES; scale++)
		CHECK_EQUAL(aclrtFreeHost(layout->image[scale]), 0);
}

#endif
