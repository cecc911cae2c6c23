/*
 * Every convolution kernel that this processor can run equals the definition.
 * Small integers make all sums exact, so equality is bit for bit; ordinary numbers are held to a bound.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "kernels/kernels.h"

#ifdef __SANITIZE_THREAD__
enum { IS_WATCHED = true };
#else
enum { IS_WATCHED = false };
#endif
enum { ALIGNMENT = 64, GUARD = 0x5a };

struct sizes {
	int64_t small, big, weight;
};

/* Values of the three arrays, dense. */
struct operands {
	float *small, *big, *weight;
};

/* How operands are stored and where the elements of all arrays lie. */
struct layout {
	enum emu_number stored;
	int64_t step; /* distance of neighbours */
	int64_t gap;  /* elements that are skipped behind each row */
};

static const char *const direction_names[EMU_DIRECTIONS] = {"to_small", "to_big", "to_weight"};

static uint64_t random_state = 88172645463325252u;

static uint64_t random_bits(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state >> 11;
}

static int64_t pick(int64_t least, int64_t most)
{
	return least + (int64_t)(random_bits() % (uint64_t)(most - least + 1));
}

static int64_t volume(const int64_t size[3])
{
	return size[0] * size[1] * size[2];
}

static struct sizes sizes_of(const struct emu_conv *conv)
{
	struct sizes sizes = {
		conv->batch * conv->groups * conv->small_channels * volume(conv->small),
		conv->batch * conv->groups * conv->big_channels * volume(conv->big),
		conv->groups * conv->small_channels * conv->big_channels * volume(conv->kernel),
	};

	return sizes;
}

static const char *text_of(const struct emu_conv *conv)
{
	static char text[512];

	snprintf(text, sizeof(text),
	         "n%" PRId64 " g%" PRId64 " small %" PRId64 "x%" PRId64 "x%" PRId64 "x%" PRId64 " big %" PRId64
	         "x%" PRId64
	         "x%" PRId64 "x%" PRId64 " k%" PRId64 "x%" PRId64 "x%" PRId64 " s%" PRId64 "x%" PRId64 "x%" PRId64
	         " d%" PRId64
	         "x%" PRId64 "x%" PRId64 " p%" PRId64 "x%" PRId64 "x%" PRId64,
	         conv->batch, conv->groups, conv->small_channels, conv->small[0], conv->small[1], conv->small[2],
	         conv->big_channels, conv->big[0], conv->big[1], conv->big[2], conv->kernel[0], conv->kernel[1],
	         conv->kernel[2], conv->stride[0], conv->stride[1], conv->stride[2], conv->dilation[0], conv->dilation[1],
	         conv->dilation[2], conv->padding[0], conv->padding[1], conv->padding[2]);
	return text;
}

/* ---- the definition: visit every product once and add it where it belongs ---- */

struct sums {
	double *small, *big, *weight;      /* the sums */
	double *magnitude[EMU_DIRECTIONS]; /* sums of absolute values, for the bound */
};

static void add_products(const struct emu_conv *conv, const struct operands *data, const struct sums *sums,
                         int64_t w, int64_t small_plane, int64_t big_plane, const int64_t k[3])
{
	int64_t s[3], b[3];

	for (s[0] = 0; s[0] < conv->small[0]; s[0]++) {
		for (s[1] = 0; s[1] < conv->small[1]; s[1]++) {
			for (s[2] = 0; s[2] < conv->small[2]; s[2]++) {
				bool inside = true;
				int64_t from, to;

				for (int i = 0; i < 3; i++) {
					b[i] = s[i] * conv->stride[i] + k[i] * conv->dilation[i] - conv->padding[i];
					inside = inside && b[i] >= 0 && b[i] < conv->big[i];
				}
				if (!inside)
					continue;
				from = small_plane * volume(conv->small) + s[0] * conv->small[1] * conv->small[2] +
				       s[1] * conv->small[2] + s[2];
				to = big_plane * volume(conv->big) + b[0] * conv->big[1] * conv->big[2] + b[1] * conv->big[2] + b[2];
				sums->small[from] += (double)data->big[to] * data->weight[w];
				sums->big[to] += (double)data->small[from] * data->weight[w];
				sums->weight[w] += (double)data->small[from] * data->big[to];
				sums->magnitude[EMU_TO_SMALL][from] += fabs((double)data->big[to] * data->weight[w]);
				sums->magnitude[EMU_TO_BIG][to] += fabs((double)data->small[from] * data->weight[w]);
				sums->magnitude[EMU_TO_WEIGHT][w] += fabs((double)data->small[from] * data->big[to]);
			}
		}
	}
}

static void define(const struct emu_conv *conv, const struct operands *data, const struct sums *sums)
{
	int64_t k[3], w = 0;

	for (int64_t m = 0; m < conv->groups * conv->small_channels; m++) {
		for (int64_t c = 0; c < conv->big_channels; c++) {
			for (k[0] = 0; k[0] < conv->kernel[0]; k[0]++) {
				for (k[1] = 0; k[1] < conv->kernel[1]; k[1]++) {
					for (k[2] = 0; k[2] < conv->kernel[2]; k[2]++, w++) {
						for (int64_t n = 0; n < conv->batch; n++)
							add_products(conv, data, sums, w, n * conv->groups * conv->small_channels + m,
							             (n * conv->groups + m / conv->small_channels) * conv->big_channels + c, k);
					}
				}
			}
		}
	}
}

/* ---- problems ---- */

static void random_axis(struct emu_conv *conv, int axis, int64_t most)
{
	int64_t kernel = pick(0, 3) ? pick(1, 5) : 1, dilation = pick(0, 2) ? 1 : pick(1, 4);
	int64_t stride = pick(0, 1) ? 1 : pick(1, 5), padding = pick(0, 2) ? pick(0, kernel) : pick(0, 2 * kernel + 3);
	int64_t trailing = pick(0, 2) ? padding : pick(0, kernel + 2), span = (kernel - 1) * dilation + 1;
	int64_t big = pick(1, most);

	if (big + padding + trailing < span)
		big = span - padding - trailing > 0 ? span - padding - trailing : 1;
	conv->kernel[axis] = kernel;
	conv->dilation[axis] = dilation;
	conv->stride[axis] = stride;
	conv->padding[axis] = padding;
	conv->big[axis] = big;
	conv->small[axis] = (big + padding + trailing - span) / stride + 1;
}

static struct emu_conv random_conv(void)
{
	static const int64_t most[4][3] = {{0, 0, 0}, {1, 1, 120}, {1, 20, 40}, {7, 7, 12}};
	struct emu_conv conv;
	int rank = (int)pick(1, 3);

	conv.batch = pick(1, 3);
	conv.groups = pick(0, 2) ? 1 : pick(2, 5);
	conv.small_channels = pick(0, 3) ? pick(1, 9) : pick(1, 40);
	conv.big_channels = pick(0, 3) ? pick(1, 9) : pick(1, 40);
	if (pick(0, 5) == 0) {
		conv.groups = pick(1, 20);
		conv.big_channels = 1;
		conv.small_channels = pick(1, 2);
	}
	for (int axis = 0; axis < 3; axis++) {
		conv.kernel[axis] = conv.dilation[axis] = conv.stride[axis] = conv.big[axis] = conv.small[axis] = 1;
		conv.padding[axis] = 0;
		if (axis >= 3 - rank)
			random_axis(&conv, axis, most[rank][axis]);
	}
	return conv;
}

/* ---- running one ---- */

static float *some_floats(int64_t count, bool integers)
{
	float *values = malloc((size_t)count * sizeof(float));

	for (int64_t i = 0; i < count; i++)
		values[i] = integers ? (float)pick(-3, 3) : (float)pick(-1000000, 1000000) / 700000.0f;
	return values;
}

static void set_dims(int64_t dims[5], int64_t a, int64_t b, const int64_t spatial[3])
{
	dims[0] = a;
	dims[1] = b;
	for (int axis = 0; axis < 3; axis++)
		dims[2 + axis] = spatial[axis];
}

static int64_t count_of(const struct emu_view *view)
{
	int64_t count = 1;

	for (int i = 0; i < 5; i++)
		count *= view->dims[i];
	return count;
}

/* Distance of element i, row-major, from the first. */
static int64_t place_of(const struct emu_view *view, int64_t i)
{
	int64_t at = 0;

	for (int axis = 4; axis >= 0; axis--) {
		at += i % view->dims[axis] * view->strides[axis];
		i /= view->dims[axis];
	}
	return at;
}

/* An array of a layout in exactly allocated memory. */
static void lay_out(struct emu_array *array, const struct layout *layout, const int64_t dims[5])
{
	int64_t stride = layout->step;
	int64_t last = 0;

	array->view.rank = 5;
	array->view.stored = array->number = layout->stored;
	for (int axis = 4; axis >= 0; axis--) {
		array->view.dims[axis] = dims[axis];
		array->view.strides[axis] = stride;
		last += (dims[axis] - 1) * stride;
		stride = stride * dims[axis] + (axis == 4 ? layout->gap : 0);
	}
	if (count_of(&array->view) == 0)
		last = -1;
	/* all bits set are NaNs: whatever is not written, or read unwritten, shows */
	array->first = malloc((size_t)(last + 1) * (size_t)emu_number_bytes(layout->stored));
	memset(array->first, 0xff, (size_t)(last + 1) * (size_t)emu_number_bytes(layout->stored));
}

static void lay_out_operand(struct emu_array *array, const struct layout *layout, const int64_t dims[5],
                            const float *values)
{
	lay_out(array, layout, dims);
	if (values)
		emu_scatter(array, values, EMU_ISA_BASELINE, 1);
}

/* The result of a kernel, dense, with guards behind its scratch. */
static float *result_of(const struct emu_kernel *kernel, enum emu_direction direction, const struct emu_conv *conv,
                        const struct operands *values, const struct layout *layout, int threads)
{
	const struct layout of_result = {EMU_F32, layout->step, layout->gap};
	struct emu_conv_call call = {.direction = direction, .conv = *conv, .isa = kernel->needs, .threads = threads};
	struct emu_array *written =
		direction == EMU_TO_SMALL ? &call.small : direction == EMU_TO_BIG ? &call.big : &call.weight;
	int64_t small[5], big[5], weight[5];
	struct emu_view view;
	unsigned char *scratch;
	uint64_t bytes;
	float *result;
	int spoilt = 0;

	set_dims(small, conv->batch, conv->groups * conv->small_channels, conv->small);
	set_dims(big, conv->batch, conv->groups * conv->big_channels, conv->big);
	set_dims(weight, conv->groups * conv->small_channels, conv->big_channels, conv->kernel);
	lay_out_operand(&call.small, direction == EMU_TO_SMALL ? &of_result : layout, small,
	                direction == EMU_TO_SMALL ? NULL : values->small);
	lay_out_operand(&call.big, direction == EMU_TO_BIG ? &of_result : layout, big,
	                direction == EMU_TO_BIG ? NULL : values->big);
	lay_out_operand(&call.weight, direction == EMU_TO_WEIGHT ? &of_result : layout, weight,
	                direction == EMU_TO_WEIGHT ? NULL : values->weight);

	view = written->view;
	emu_conv_fold(&call);
	bytes = kernel->scratch_bytes(&call);
	scratch = aligned_alloc(ALIGNMENT, (bytes / ALIGNMENT + 2) * ALIGNMENT);
	memset(scratch, 0xff, bytes);
	memset(scratch + bytes, GUARD, ALIGNMENT);
	kernel->run(&call, scratch);
	for (int i = 0; i < ALIGNMENT; i++)
		spoilt += scratch[bytes + (uint64_t)i] != GUARD;
	CHECK_EQUAL(spoilt, 0);
	free(scratch);

	result = malloc((size_t)count_of(&view) * sizeof(float));
	for (int64_t i = 0; i < count_of(&view); i++)
		result[i] = ((const float *)written->first)[place_of(&view, i)];
	free(call.small.first);
	free(call.big.first);
	free(call.weight.first);
	return result;
}

/* Whether a kernel takes a problem. */
static bool can_run(const struct emu_kernel *kernel, enum emu_direction direction, const struct emu_conv *conv,
                    const struct layout *layout)
{
	const struct emu_array array = {.view = {.stored = layout->stored}, .number = layout->stored};
	struct emu_conv_call call = {direction, *conv, array, array, array, emu_isa_detect(), 1};

	return kernel->needs <= call.isa && kernel->can_run(&call);
}

static bool is_within(const float *got, const double *want, const double *magnitude, int64_t count, double bound)
{
	for (int64_t i = 0; i < count; i++)
		if (!(fabs(got[i] - want[i]) <= bound * magnitude[i]))
			return false;
	return true;
}

static bool tried[64]; /* by row of the table */

static void check_kernel(const struct emu_kernel *kernel, enum emu_direction direction, const struct emu_conv *conv,
                         const struct operands *data, const struct layout *layout, const struct sums *sums,
                         double bound)
{
	struct sizes sizes = sizes_of(conv);
	int64_t count = direction == EMU_TO_SMALL ? sizes.small : direction == EMU_TO_BIG ? sizes.big : sizes.weight;
	const double *want = direction == EMU_TO_SMALL ? sums->small : direction == EMU_TO_BIG ? sums->big : sums->weight;
	float *first = result_of(kernel, direction, conv, data, layout, 1);
	static const int counts[] = {2, 16, 3}; /* of threads; many make small pieces */
	const struct emu_kernel *table;
	bool ok = CHECK(is_within(first, want, sums->magnitude[direction], count, bound));

	/* the reference is slow, and cut by channels and nothing else; so is all that ThreadSanitizer watches */
	for (size_t i = !strcmp(kernel->name, "reference") || IS_WATCHED ? 2 : 0; i < sizeof(counts) / sizeof(counts[0]);
	     i++) {
		float *again = result_of(kernel, direction, conv, data, layout, counts[i]);

		ok = CHECK(memcmp(first, again, (size_t)count * sizeof(float)) == 0) && ok;
		free(again);
	}
	if (!ok)
		fprintf(stderr, "  %s %s %s: %s\n", kernel->name, emu_isa_name(kernel->needs), direction_names[direction],
		        text_of(conv));
	emu_kernel_table(&table);
	tried[kernel - table] = true;
	free(first);
}

/* What an array of that type holds of them. */
static void round_to(float *values, int64_t count, enum emu_number stored)
{
	struct emu_array array = {NULL, {1, {count}, {1}, stored}, stored};

	array.first = malloc((size_t)count * (size_t)emu_number_bytes(stored));
	emu_scatter(&array, values, EMU_ISA_BASELINE, 1);
	emu_gather(values, &array, EMU_ISA_BASELINE, 1);
	free(array.first);
}

static double products_of(const struct emu_conv *conv)
{
	return (double)(conv->batch * conv->groups * conv->small_channels) * (double)(conv->big_channels) *
	       (double)(volume(conv->small) * volume(conv->kernel));
}

/* Larger problems are left out. The reference, which is slow and the same for all sizes, runs small ones only. */
static double most_products = INFINITY;
static const double most_of_reference = 1e6;

/* bound: of the error, relative to the sum of magnitudes; 0 for integers */
static void check_problem(const struct emu_conv *conv, const struct layout *layout, bool integers, double bound)
{
	struct sizes sizes = sizes_of(conv);
	struct operands data = {some_floats(sizes.small, integers), some_floats(sizes.big, integers),
	                        some_floats(sizes.weight, integers)};
	int64_t counts[EMU_DIRECTIONS] = {sizes.small, sizes.big, sizes.weight};
	struct sums sums = {calloc((size_t)sizes.small, sizeof(double)), calloc((size_t)sizes.big, sizeof(double)),
	                    calloc((size_t)sizes.weight, sizeof(double)), {0}};
	const struct emu_kernel *table;
	int kernels = emu_kernel_table(&table);

	if (products_of(conv) > most_products)
		goto out;
	round_to(data.small, sizes.small, layout->stored);
	round_to(data.big, sizes.big, layout->stored);
	round_to(data.weight, sizes.weight, layout->stored);
	for (int i = 0; i < EMU_DIRECTIONS; i++)
		sums.magnitude[i] = calloc((size_t)counts[i], sizeof(double));
	define(conv, &data, &sums);
	for (int direction = 0; direction < EMU_DIRECTIONS; direction++)
		for (int i = 0; i < kernels; i++)
			if (can_run(&table[i], (enum emu_direction)direction, conv, layout) &&
			    (i < kernels - 1 || products_of(conv) < most_of_reference))
				check_kernel(&table[i], (enum emu_direction)direction, conv, &data, layout, &sums, bound);
out:
	for (int i = 0; i < EMU_DIRECTIONS; i++)
		free(sums.magnitude[i]);
	free(sums.small);
	free(sums.big);
	free(sums.weight);
	free(data.small);
	free(data.big);
	free(data.weight);
}

static const struct layout dense_floats = {EMU_F32, 1, 0}, dense_bf16 = {EMU_BF16, 1, 0};

/* Small integers are exact in all of these. */
static struct layout random_layout(void)
{
	static const enum emu_number stored[] = {EMU_F32, EMU_F32, EMU_BF16, EMU_F16};
	struct layout layout = {stored[pick(0, 3)], pick(0, 3) ? 1 : pick(2, 3), pick(0, 2) ? 0 : pick(1, 5)};

	return layout;
}

/* ---- tests ---- */

static void test_every_kernel_equals_the_definition_on_random_problems(int count)
{
	for (int i = 0; i < count; i++) {
		struct emu_conv conv = random_conv();
		struct layout layout = random_layout();

		check_problem(&conv, &layout, true, 0);
	}
}

static void test_chosen_shapes_equal_the_definition(void)
{
	static const struct emu_conv chosen[] = {
		/* the usual 3x3, wide enough for several blocks */
		{2, 1, 70, 67, {1, 15, 17}, {1, 15, 17}, {1, 3, 3}, {1, 1, 1}, {1, 1, 1}, {0, 1, 1}},
		/* pointwise, and pointwise with a stride that leaves rows and columns unreached */
		{2, 1, 33, 50, {1, 14, 14}, {1, 14, 14}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {0, 0, 0}},
		{2, 1, 20, 30, {1, 5, 5}, {1, 15, 14}, {1, 1, 1}, {1, 3, 3}, {1, 1, 1}, {0, 0, 0}},
		/* patches: kernel equals stride */
		{2, 1, 40, 3, {1, 4, 4}, {1, 33, 32}, {1, 8, 8}, {1, 8, 8}, {1, 1, 1}, {0, 0, 0}},
		/* kernel twice the stride; stem */
		{1, 1, 20, 10, {1, 9, 9}, {1, 18, 18}, {1, 4, 4}, {1, 2, 2}, {1, 1, 1}, {0, 1, 1}},
		{1, 1, 64, 3, {1, 16, 16}, {1, 32, 32}, {1, 7, 7}, {1, 2, 2}, {1, 1, 1}, {0, 3, 3}},
		/* few channels in the big map: long rows and many channels in the small one, rows in bands, gaps between taps */
		{2, 1, 200, 1, {1, 1, 1100}, {1, 1, 5505}, {1, 1, 10}, {1, 1, 5}, {1, 1, 1}, {0, 0, 0}},
		{1, 2, 18, 3, {1, 30, 27}, {1, 61, 54}, {1, 7, 7}, {1, 2, 2}, {1, 1, 1}, {0, 4, 3}},
		{1, 1, 17, 2, {1, 40, 300}, {1, 40, 300}, {1, 3, 5}, {1, 1, 1}, {1, 3, 60}, {0, 3, 120}},
		{2, 1, 19, 3, {3, 9, 12}, {6, 18, 23}, {3, 3, 3}, {2, 2, 2}, {1, 1, 1}, {1, 1, 1}},
		{1, 1, 70, 12, {1, 3, 16}, {1, 5, 16}, {1, 5, 5}, {1, 2, 1}, {1, 1, 1}, {0, 2, 2}},
		/* depthwise, with and without stride; with a multiplier */
		{2, 9, 1, 1, {1, 20, 21}, {1, 20, 21}, {1, 3, 3}, {1, 1, 1}, {1, 1, 1}, {0, 1, 1}},
		{2, 9, 1, 1, {1, 10, 11}, {1, 20, 21}, {1, 3, 3}, {1, 2, 2}, {1, 1, 1}, {0, 1, 1}},
		{1, 5, 1, 1, {1, 1, 100}, {1, 1, 100}, {1, 1, 31}, {1, 1, 1}, {1, 1, 1}, {0, 0, 15}},
		{2, 4, 3, 1, {1, 12, 12}, {1, 12, 12}, {1, 5, 5}, {1, 1, 1}, {1, 1, 1}, {0, 2, 2}},
		/* minimal filtering: odd sizes, dilations, paddings, depth, groups, rows cut in two, hardly any tile */
		{3, 1, 33, 40, {1, 14, 13}, {1, 14, 13}, {1, 3, 3}, {1, 1, 1}, {1, 1, 1}, {0, 1, 1}},
		{2, 1, 48, 32, {1, 9, 31}, {1, 11, 33}, {1, 3, 3}, {1, 1, 1}, {1, 1, 1}, {0, 0, 0}},
		{4, 1, 40, 38, {1, 16, 22}, {1, 16, 24}, {1, 3, 3}, {1, 1, 1}, {1, 2, 3}, {0, 2, 2}},
		{1, 1, 48, 49, {1, 29, 33}, {1, 31, 33}, {1, 3, 3}, {1, 1, 1}, {1, 2, 2}, {0, 1, 2}},
		{2, 1, 40, 33, {5, 7, 6}, {5, 7, 8}, {3, 3, 3}, {1, 1, 1}, {1, 1, 1}, {1, 1, 0}},
		{1, 1, 36, 40, {6, 12, 14}, {8, 10, 14}, {3, 3, 3}, {1, 1, 1}, {2, 1, 2}, {1, 2, 2}},
		{2, 1, 32, 32, {3, 4, 4}, {3, 4, 4}, {1, 3, 3}, {1, 1, 1}, {1, 1, 1}, {0, 1, 1}},
		{1, 1, 33, 290, {1, 6, 70}, {1, 4, 70}, {1, 3, 3}, {1, 1, 1}, {1, 1, 1}, {0, 2, 1}},
		{2, 1, 50, 290, {2, 3, 5}, {2, 3, 5}, {3, 3, 3}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}},
		{20, 1, 160, 130, {1, 3, 2}, {1, 1, 2}, {1, 3, 3}, {1, 1, 1}, {1, 1, 1}, {0, 2, 1}},
		/* taps that lie beside the map for many positions, some for all */
		{2, 1, 20, 40, {1, 20, 20}, {1, 20, 20}, {1, 3, 3}, {1, 1, 1}, {1, 7, 7}, {0, 7, 7}},
		{3, 2, 33, 21, {1, 16, 24}, {1, 31, 47}, {1, 3, 3}, {1, 2, 2}, {1, 10, 10}, {0, 10, 10}},
		{2, 1, 35, 17, {6, 8, 10}, {6, 8, 10}, {3, 3, 3}, {1, 1, 1}, {3, 4, 5}, {3, 4, 5}},
		{2, 1, 18, 50, {1, 10, 30}, {1, 10, 30}, {1, 1, 5}, {1, 1, 1}, {1, 1, 16}, {0, 0, 32}},
		/* few channels per group: odd widths, pairs of neighbours with uneven padding, blocks of channels and a rest */
		{2, 3, 1, 1, {1, 13, 37}, {1, 13, 37}, {1, 7, 7}, {1, 1, 1}, {1, 1, 1}, {0, 3, 3}},
		{1, 3, 1, 1, {1, 9, 34}, {1, 11, 35}, {1, 4, 4}, {1, 1, 1}, {1, 1, 1}, {0, 1, 2}},
		{2, 3, 4, 4, {1, 13, 14}, {1, 13, 14}, {1, 3, 3}, {1, 1, 1}, {1, 1, 1}, {0, 1, 1}},
		{1, 2, 7, 16, {1, 7, 7}, {1, 7, 7}, {1, 3, 3}, {1, 1, 1}, {1, 1, 1}, {0, 1, 1}},
		{1, 2, 3, 2, {1, 8, 9}, {1, 24, 25}, {1, 3, 5}, {1, 3, 3}, {1, 1, 1}, {0, 0, 1}},
		/* about 16 channels per group: images that fill no vector, odd channels, gaps between taps, three axes */
		{2, 8, 16, 16, {1, 14, 14}, {1, 14, 14}, {1, 3, 3}, {1, 1, 1}, {1, 1, 1}, {0, 1, 1}},
		{1, 9, 10, 15, {1, 7, 31}, {1, 11, 29}, {1, 5, 1}, {1, 1, 1}, {1, 1, 1}, {0, 0, 1}},
		{2, 8, 13, 9, {3, 4, 17}, {5, 6, 15}, {3, 2, 3}, {1, 1, 1}, {1, 2, 3}, {0, 0, 4}},
		{1, 8, 9, 16, {1, 1, 700}, {1, 1, 700}, {1, 1, 7}, {1, 1, 1}, {1, 1, 2}, {0, 0, 6}},
		{1, 8, 10, 9, {1, 5, 6}, {1, 5, 6}, {1, 3, 3}, {1, 1, 1}, {1, 1, 1}, {0, 1, 1}},
		/* the same with rows and columns in several tiles; long dilated taps; three axes */
		{1, 2, 1, 1, {1, 150, 70}, {1, 150, 70}, {1, 3, 3}, {1, 1, 1}, {1, 1, 1}, {0, 1, 1}},
		{1, 2, 1, 1, {1, 1, 2500}, {1, 1, 2500}, {1, 1, 3}, {1, 1, 1}, {1, 1, 1}, {0, 0, 1}},
		{1, 2, 1, 2, {1, 1, 1300}, {1, 1, 2601}, {1, 1, 3}, {1, 1, 2}, {1, 1, 1}, {0, 0, 1}},
		{1, 2, 1, 1, {1, 30, 33}, {1, 30, 33}, {1, 3, 3}, {1, 1, 1}, {1, 12, 12}, {0, 12, 12}},
		{2, 3, 1, 1, {5, 6, 20}, {5, 6, 20}, {3, 3, 3}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}},
		{1, 3, 2, 1, {3, 4, 20}, {5, 8, 40}, {3, 3, 3}, {2, 2, 2}, {1, 1, 1}, {1, 1, 1}},
		/* taps read at one distance: all images in one, several pieces, groups, odd channels, halos between slices */
		{2, 1, 64, 70, {1, 15, 14}, {1, 15, 14}, {1, 3, 3}, {1, 1, 1}, {1, 1, 1}, {0, 1, 1}},
		{3, 2, 31, 33, {1, 40, 37}, {1, 42, 39}, {1, 3, 3}, {1, 1, 1}, {1, 1, 1}, {0, 0, 0}},
		{1, 1, 48, 31, {9, 10, 33}, {9, 10, 33}, {3, 3, 3}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}},
		{2, 1, 32, 32, {3, 30, 20}, {5, 26, 20}, {3, 1, 5}, {1, 1, 1}, {1, 1, 2}, {0, 2, 4}},
		{2, 1, 29, 64, {1, 1, 1100}, {1, 1, 1100}, {1, 1, 11}, {1, 1, 1}, {1, 1, 5}, {0, 0, 25}},
		/* the same with strides: remainders apart, phases that share their taps or do not, uneven ends */
		{2, 1, 40, 32, {1, 14, 15}, {1, 28, 29}, {1, 3, 3}, {1, 2, 2}, {1, 1, 1}, {0, 1, 1}},
		{2, 1, 32, 64, {1, 1, 200}, {1, 1, 401}, {1, 1, 3}, {1, 1, 2}, {1, 1, 1}, {0, 0, 0}},
		{1, 1, 32, 24, {4, 9, 30}, {8, 27, 60}, {2, 3, 4}, {2, 3, 2}, {1, 1, 1}, {0, 0, 1}},
		{1, 1, 30, 31, {1, 20, 40}, {1, 60, 41}, {1, 3, 2}, {1, 3, 1}, {1, 1, 1}, {0, 0, 0}},
		{2, 1, 32, 32, {1, 12, 13}, {1, 24, 39}, {1, 4, 6}, {1, 2, 3}, {1, 1, 1}, {0, 1, 2}},
		/* three axes, stride and dilation sharing a factor, or not */
		{1, 2, 5, 6, {4, 5, 6}, {9, 11, 13}, {3, 3, 3}, {2, 2, 2}, {1, 1, 1}, {1, 1, 1}},
		{1, 1, 5, 6, {1, 5, 7}, {1, 21, 22}, {1, 3, 3}, {1, 4, 3}, {1, 2, 3}, {0, 1, 2}},
		/* padding beyond the kernel: whole rows of the small map see zeros only */
		{1, 1, 4, 5, {1, 16, 16}, {1, 6, 6}, {1, 3, 3}, {1, 1, 1}, {1, 1, 1}, {0, 6, 6}},
		/* dilation beyond the map: only the middle tap meets anything */
		{1, 1, 4, 5, {1, 6, 6}, {1, 6, 6}, {1, 3, 3}, {1, 1, 1}, {1, 9, 9}, {0, 9, 9}},
		/* the kernel covers the map: channels, groups and taps as one, images as positions */
		{37, 2, 19, 3, {1, 1, 1}, {2, 5, 4}, {2, 5, 4}, {2, 5, 4}, {1, 1, 1}, {0, 0, 0}},
		{1, 1, 33, 20, {1, 1, 1}, {1, 1, 7}, {1, 1, 7}, {1, 1, 1}, {1, 1, 1}, {0, 0, 0}},
		/* many sums of one element; many channels of one position */
		{40, 1, 2, 3, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {0, 0, 0}},
		{1, 1, 600, 530, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {0, 0, 0}},
	};

	for (size_t i = 0; i < sizeof(chosen) / sizeof(chosen[0]); i++) {
		check_problem(&chosen[i], &dense_floats, true, 0);
		check_problem(&chosen[i], &dense_bf16, true, 0);
	}
}

static void test_ordinary_numbers_stay_within_a_bound_of_the_definition(int count)
{
	/* one large sum, where the order of addition matters, then anything */
	struct emu_conv conv = {2, 1, 40, 48, {1, 20, 20}, {1, 20, 20}, {1, 3, 3}, {1, 1, 1}, {1, 1, 1}, {0, 1, 1}};

	check_problem(&conv, &dense_floats, false, 0x1p-21);
	check_problem(&conv, &dense_bf16, false, 0x1p-21);
	for (int i = 0; i < count; i++) {
		struct layout layout = random_layout();

		conv = random_conv();
		check_problem(&conv, &layout, false, 0x1p-21);
	}
}

/* What minimal filtering takes. */
static struct emu_conv random_filter(void)
{
	struct emu_conv conv = {pick(2, 5), pick(0, 3) ? 1 : 2, pick(20, 40), pick(20, 40), {1, 1, 1}, {1, 1, 1},
	                        {pick(0, 3) ? 1 : pick(2, 3), 3, 3}, {1, 1, 1}, {pick(1, 2), 1, 1}, {0, 0, 0}};

	for (int axis = 0; axis < 3; axis++) {
		int64_t reach;

		if (axis > 0)
			conv.dilation[axis] = pick(0, 2) ? 1 : pick(2, 3);
		reach = (conv.kernel[axis] - 1) * conv.dilation[axis];
		conv.padding[axis] = pick(0, reach + (axis > 0));
		conv.big[axis] = axis == 0 ? reach + pick(1, 2) : pick(reach + 1, 20);
		conv.small[axis] = conv.big[axis] + conv.padding[axis] + pick(0, conv.padding[axis]) - reach;
	}
	return conv;
}

static void test_kernels_of_3x3_taps_equal_the_definition(int count)
{
	for (int i = 0; i < count; i++) {
		struct emu_conv conv = random_filter();
		struct layout layout = random_layout();

		check_problem(&conv, &layout, true, 0);
		check_problem(&conv, &dense_floats, false, 0x1p-21);
	}
}

/* Every sum is exact, whatever its size, so nothing but the definition's float will do. */
static void check_exact(const struct emu_conv *conv, const struct operands *data)
{
	struct sizes sizes = sizes_of(conv);
	const int64_t counts[EMU_DIRECTIONS] = {sizes.small, sizes.big, sizes.weight};
	const struct emu_kernel *table;
	int kernels = emu_kernel_table(&table);

	for (int i = 0; i < EMU_DIRECTIONS; i++) {
		enum emu_direction direction = (enum emu_direction)i;
		float *want = result_of(&table[kernels - 1], direction, conv, data, &dense_floats, 1);

		for (int k = 0; k < kernels - 1; k++) {
			float *got;

			if (!can_run(&table[k], direction, conv, &dense_floats))
				continue;
			got = result_of(&table[k], direction, conv, data, &dense_floats, 2);
			if (!CHECK(memcmp(got, want, (size_t)counts[i] * sizeof(float)) == 0))
				fprintf(stderr, "  %s %s %s: %s\n", table[k].name, emu_isa_name(table[k].needs), direction_names[i],
				        text_of(conv));
			free(got);
		}
		free(want);
	}
}

/* No sum on the way is much larger than those that are asked for. */
static void test_large_numbers_overflow_where_their_sums_do_only(void)
{
	const struct emu_conv conv = {1, 1, 20, 18, {1, 16, 16}, {1, 16, 16}, {1, 3, 3}, {1, 1, 1}, {1, 1, 1}, {0, 1, 1}};
	struct sizes sizes = sizes_of(&conv);
	struct operands data = {calloc((size_t)sizes.small, sizeof(float)), calloc((size_t)sizes.big, sizeof(float)),
	                        calloc((size_t)sizes.weight, sizeof(float))};

	/* one channel of each map, and the taps that join them */
	for (int i = 0; i < 16 * 16; i++)
		data.small[i] = data.big[i] = (float)pick(1, 2) * 0x1p126f;
	for (int i = 0; i < 9; i++)
		data.weight[i] = (float)pick(1, 2) * 0x1p-10f;
	check_exact(&conv, &data);
	for (int i = 0; i < 16 * 16; i++)
		data.small[i] = data.big[i] = (float)pick(1, 2) * 0x1p-10f;
	for (int i = 0; i < 9; i++)
		data.weight[i] = (float)pick(1, 2) * 0x1p126f;
	check_exact(&conv, &data);
	free(data.small);
	free(data.big);
	free(data.weight);
}

/* How a sum is to be: any number, or an infinity, or NaN. */
static bool is_same_kind(float got, double want)
{
	return isnan(want) ? isnan(got) : isinf(want) ? (double)got == want : isfinite(got);
}

/* An infinity reaches what its products reach, and a padded tap is no product. */
static void check_infinities(const struct emu_conv *conv, enum emu_direction direction, const struct operands *data,
                             const struct layout *layout, const struct sums *sums)
{
	struct sizes sizes = sizes_of(conv);
	int64_t count = direction == EMU_TO_SMALL ? sizes.small : direction == EMU_TO_BIG ? sizes.big : sizes.weight;
	const double *want = direction == EMU_TO_SMALL ? sums->small : direction == EMU_TO_BIG ? sums->big : sums->weight;
	const struct emu_kernel *table;
	int kernels = emu_kernel_table(&table);

	for (int i = 0; i < kernels; i++) {
		float *got;
		int64_t wrong = 0;

		if (!can_run(&table[i], direction, conv, layout))
			continue;
		got = result_of(&table[i], direction, conv, data, layout, 1);
		for (int64_t j = 0; j < count; j++)
			wrong += !is_same_kind(got[j], want[j]);
		if (!CHECK_EQUAL(wrong, 0))
			fprintf(stderr, "  %s %s %s\n", table[i].name, emu_isa_name(table[i].needs), direction_names[direction]);
		free(got);
	}
}

static void test_infinities_stay_where_their_products_are(void)
{
	static const struct emu_conv convs[] = {
		{1, 1, 9, 9, {1, 12, 12}, {1, 12, 12}, {1, 3, 3}, {1, 1, 1}, {1, 1, 1}, {0, 1, 1}},
		{1, 1, 18, 3, {1, 11, 12}, {1, 22, 23}, {1, 5, 5}, {1, 2, 2}, {1, 1, 1}, {0, 2, 2}},
		{2, 2, 1, 1, {1, 9, 40}, {1, 9, 40}, {1, 3, 3}, {1, 1, 1}, {1, 1, 1}, {0, 1, 1}},
		{1, 2, 1, 1, {1, 1, 60}, {1, 1, 60}, {1, 1, 31}, {1, 1, 1}, {1, 1, 1}, {0, 0, 15}},
		{1, 2, 4, 3, {1, 6, 20}, {1, 11, 39}, {1, 3, 3}, {1, 2, 2}, {1, 1, 1}, {0, 1, 1}},
		{1, 1, 40, 40, {1, 6, 7}, {1, 6, 7}, {1, 3, 3}, {1, 1, 1}, {1, 1, 1}, {0, 1, 1}},
		{2, 1, 24, 20, {1, 13, 14}, {1, 13, 14}, {1, 3, 3}, {1, 1, 1}, {1, 1, 1}, {0, 1, 1}},
		{1, 2, 1, 1, {4, 5, 6}, {4, 5, 6}, {3, 3, 3}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}},
		{1, 1, 16, 16, {1, 23, 24}, {1, 23, 24}, {1, 3, 3}, {1, 1, 1}, {1, 1, 1}, {0, 1, 1}},
		{1, 1, 16, 16, {1, 22, 24}, {1, 24, 26}, {1, 3, 3}, {1, 1, 1}, {1, 1, 1}, {0, 0, 0}},
		{1, 1, 32, 30, {1, 12, 15}, {1, 24, 30}, {1, 3, 3}, {1, 2, 2}, {1, 1, 1}, {0, 1, 1}},
		{1, 8, 12, 10, {1, 5, 6}, {1, 5, 6}, {1, 3, 3}, {1, 1, 1}, {1, 1, 1}, {0, 1, 1}},
	};

	for (size_t i = 0; i < sizeof(convs) / sizeof(convs[0]); i++) {
		struct sizes sizes = sizes_of(&convs[i]);

		/* one infinite element of each array, then a NaN */
		for (int array = 0; array < EMU_DIRECTIONS; array++) {
			for (int nan = 0; nan < 2; nan++) {
				struct operands data = {some_floats(sizes.small, true), some_floats(sizes.big, true),
				                        some_floats(sizes.weight, true)};
				int64_t counts[EMU_DIRECTIONS] = {sizes.small, sizes.big, sizes.weight};
				float *values[EMU_DIRECTIONS] = {data.small, data.big, data.weight};
				struct sums sums = {calloc((size_t)sizes.small, sizeof(double)),
				                    calloc((size_t)sizes.big, sizeof(double)),
				                    calloc((size_t)sizes.weight, sizeof(double)), {0}};

				for (int k = 0; k < EMU_DIRECTIONS; k++)
					sums.magnitude[k] = calloc((size_t)counts[k], sizeof(double));
				values[array][pick(0, 2) ? pick(0, counts[array] - 1) : 0] = nan ? NAN : INFINITY;
				define(&convs[i], &data, &sums);
				for (int direction = 0; direction < EMU_DIRECTIONS; direction++) {
					check_infinities(&convs[i], (enum emu_direction)direction, &data, &dense_floats, &sums);
					check_infinities(&convs[i], (enum emu_direction)direction, &data, &dense_bf16, &sums);
				}
				for (int k = 0; k < EMU_DIRECTIONS; k++) {
					free(sums.magnitude[k]);
					free(values[k]);
				}
				free(sums.small);
				free(sums.big);
				free(sums.weight);
			}
		}
	}
}

static void test_an_empty_batch_gives_a_zero_weight(void)
{
	struct emu_conv conv = {0, 1, 9, 5, {1, 4, 4}, {1, 4, 4}, {1, 3, 3}, {1, 1, 1}, {1, 1, 1}, {0, 1, 1}};

	check_problem(&conv, &dense_floats, true, 0);
	check_problem(&conv, &dense_bf16, true, 0);
}

static struct emu_conv_call planned_call(enum emu_direction direction, const struct emu_conv *conv, enum emu_isa isa)
{
	const struct emu_array floats = {NULL, {5, {1, 1, 1, 1, 1}, {1, 1, 1, 1, 1}, EMU_F32}, EMU_F32};
	const struct emu_conv_call call = {direction, *conv, floats, floats, floats, isa, 1};

	return call;
}

static void test_the_table_ends_with_the_reference_and_names_are_kept(void)
{
	struct emu_conv conv = {1, 1, 64, 64, {1, 9, 9}, {1, 9, 9}, {1, 3, 3}, {1, 1, 1}, {1, 1, 1}, {0, 1, 1}};
	struct emu_conv_call call = planned_call(EMU_TO_BIG, &conv, emu_isa_detect());
	const struct emu_kernel *table;
	int kernels = emu_kernel_table(&table);
	enum emu_isa isa;

	CHECK(strcmp(table[kernels - 1].name, "reference") == 0);
	CHECK(emu_kernel_choose(&call, "reference") == &table[kernels - 1]);
	CHECK(emu_kernel_choose(&call, "no such kernel") == emu_kernel_choose(&call, NULL));
	CHECK(emu_kernel_choose(&call, NULL) != &table[kernels - 1]);
	for (int i = 0; i < EMU_ISA_COUNT; i++) {
		call.isa = (enum emu_isa)i;
		CHECK(emu_kernel_choose(&call, NULL)->needs <= (enum emu_isa)i);
		CHECK(emu_isa_from_name(emu_isa_name((enum emu_isa)i), &isa) && isa == (enum emu_isa)i);
	}
	CHECK(!emu_isa_from_name("sse9", &isa));
}

/* Sizes whose scratch can't be counted leave the reference alone. */
static void test_absurd_sizes_choose_the_reference(void)
{
	struct emu_conv conv = {INT64_MAX / 8, 1, 64, 64, {1, 9, 9}, {1, 9, 9}, {1, 3, 3}, {1, 1, 1}, {1, 1, 1}, {0, 1, 1}};
	struct emu_conv_call call = planned_call(EMU_TO_WEIGHT, &conv, emu_isa_detect());

	CHECK(strcmp(emu_kernel_choose(&call, NULL)->name, "reference") == 0);
}

static void test_no_kernel_of_this_processor_was_left_out(void)
{
	const struct emu_kernel *table;
	int kernels = emu_kernel_table(&table);

	for (int i = 0; i < kernels; i++)
		if (table[i].needs <= emu_isa_detect() && !CHECK(tried[i]))
			fprintf(stderr, "  %s %s\n", table[i].name, emu_isa_name(table[i].needs));
}

/* The arguments are the number of random problems and how large any may be: an emulated processor takes its time. */
int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 150;

	if (argc > 2)
		most_products = atof(argv[2]);
	test_the_table_ends_with_the_reference_and_names_are_kept();
	test_absurd_sizes_choose_the_reference();
	test_an_empty_batch_gives_a_zero_weight();
	test_infinities_stay_where_their_products_are();
	test_large_numbers_overflow_where_their_sums_do_only();
	test_chosen_shapes_equal_the_definition();
	test_every_kernel_equals_the_definition_on_random_problems(count);
	test_kernels_of_3x3_taps_equal_the_definition(count / 20);
	test_ordinary_numbers_stay_within_a_bound_of_the_definition(count / 5);
	test_no_kernel_of_this_processor_was_left_out();
	return check_report();
}
