/*
 * Every convolution kernel that this processor can run equals the definition.
 * Small integers make all sums exact, so equality is bit for bit; ordinary numbers are held to a bound.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "kernels/kernels.h"

enum { ALIGNMENT = 64, GUARD = 0x5a };

struct sizes {
	int64_t small, big, weight;
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

static void add_products(const struct emu_conv *conv, const struct emu_conv_data *data, const struct sums *sums,
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

static void define(const struct emu_conv *conv, const struct emu_conv_data *data, const struct sums *sums)
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

/* The result of a kernel in exactly allocated memory, with guards behind its scratch. */
static float *result_of(const struct emu_kernel *kernel, enum emu_direction direction, const struct emu_conv *conv,
                        const struct emu_conv_data *data, int threads)
{
	struct sizes sizes = sizes_of(conv);
	int64_t count = direction == EMU_TO_SMALL ? sizes.small : direction == EMU_TO_BIG ? sizes.big : sizes.weight;
	uint64_t bytes = kernel->scratch_bytes(direction, conv, threads);
	unsigned char *scratch = aligned_alloc(ALIGNMENT, (bytes / ALIGNMENT + 2) * ALIGNMENT);
	float *result = malloc((size_t)count * sizeof(float));
	struct emu_conv_data mine = *data;
	int spoilt = 0;

	/* all bits set are NaNs: whatever is not written, or read unwritten, shows */
	memset(result, 0xff, (size_t)count * sizeof(float));
	memset(scratch, 0xff, bytes);
	memset(scratch + bytes, GUARD, ALIGNMENT);
	if (direction == EMU_TO_SMALL)
		mine.small = result;
	else if (direction == EMU_TO_BIG)
		mine.big = result;
	else
		mine.weight = result;
	kernel->run(direction, conv, &mine, scratch, threads);
	for (int i = 0; i < ALIGNMENT; i++)
		spoilt += scratch[bytes + (uint64_t)i] != GUARD;
	CHECK_EQUAL(spoilt, 0);
	free(scratch);
	return result;
}

static bool is_within(const float *got, const double *want, const double *magnitude, int64_t count, double bound)
{
	for (int64_t i = 0; i < count; i++)
		if (!(fabs(got[i] - want[i]) <= bound * magnitude[i]))
			return false;
	return true;
}

static void check_kernel(const struct emu_kernel *kernel, enum emu_direction direction, const struct emu_conv *conv,
                         const struct emu_conv_data *data, const struct sums *sums, double bound)
{
	struct sizes sizes = sizes_of(conv);
	int64_t count = direction == EMU_TO_SMALL ? sizes.small : direction == EMU_TO_BIG ? sizes.big : sizes.weight;
	const double *want = direction == EMU_TO_SMALL ? sums->small : direction == EMU_TO_BIG ? sums->big : sums->weight;
	float *first = result_of(kernel, direction, conv, data, 1);
	bool ok = CHECK(is_within(first, want, sums->magnitude[direction], count, bound));

	for (int threads = 2; threads <= 3; threads++) {
		float *again = result_of(kernel, direction, conv, data, threads);

		ok = CHECK(memcmp(first, again, (size_t)count * sizeof(float)) == 0) && ok;
		free(again);
	}
	if (!ok)
		fprintf(stderr, "  %s %s %s: %s\n", kernel->name, emu_isa_name(kernel->needs), direction_names[direction],
		        text_of(conv));
	free(first);
}

/* bound: of the error, relative to the sum of magnitudes; 0 for integers */
static void check_problem(const struct emu_conv *conv, bool integers, double bound)
{
	struct sizes sizes = sizes_of(conv);
	struct emu_conv_data data = {some_floats(sizes.small, integers), some_floats(sizes.big, integers),
	                             some_floats(sizes.weight, integers)};
	int64_t counts[EMU_DIRECTIONS] = {sizes.small, sizes.big, sizes.weight};
	struct sums sums = {calloc((size_t)sizes.small, sizeof(double)), calloc((size_t)sizes.big, sizeof(double)),
	                    calloc((size_t)sizes.weight, sizeof(double)), {0}};
	const struct emu_kernel *table;
	int kernels = emu_kernel_table(&table);

	for (int i = 0; i < EMU_DIRECTIONS; i++)
		sums.magnitude[i] = calloc((size_t)counts[i], sizeof(double));
	define(conv, &data, &sums);
	for (int direction = 0; direction < EMU_DIRECTIONS; direction++)
		for (int i = 0; i < kernels; i++)
			if (table[i].needs <= emu_isa_detect() && table[i].can_run((enum emu_direction)direction, conv))
				check_kernel(&table[i], (enum emu_direction)direction, conv, &data, &sums, bound);
	for (int i = 0; i < EMU_DIRECTIONS; i++)
		free(sums.magnitude[i]);
	free(sums.small);
	free(sums.big);
	free(sums.weight);
	free(data.small);
	free(data.big);
	free(data.weight);
}

/* ---- tests ---- */

static void test_every_kernel_equals_the_definition_on_random_problems(int count)
{
	for (int i = 0; i < count; i++) {
		struct emu_conv conv = random_conv();

		check_problem(&conv, true, 0);
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
		/* depthwise, with and without stride; with a multiplier */
		{2, 9, 1, 1, {1, 20, 21}, {1, 20, 21}, {1, 3, 3}, {1, 1, 1}, {1, 1, 1}, {0, 1, 1}},
		{2, 9, 1, 1, {1, 10, 11}, {1, 20, 21}, {1, 3, 3}, {1, 2, 2}, {1, 1, 1}, {0, 1, 1}},
		{1, 5, 1, 1, {1, 1, 100}, {1, 1, 100}, {1, 1, 31}, {1, 1, 1}, {1, 1, 1}, {0, 0, 15}},
		{2, 4, 3, 1, {1, 12, 12}, {1, 12, 12}, {1, 5, 5}, {1, 1, 1}, {1, 1, 1}, {0, 2, 2}},
		/* three axes, stride and dilation sharing a factor, or not */
		{1, 2, 5, 6, {4, 5, 6}, {9, 11, 13}, {3, 3, 3}, {2, 2, 2}, {1, 1, 1}, {1, 1, 1}},
		{1, 1, 5, 6, {1, 5, 7}, {1, 21, 22}, {1, 3, 3}, {1, 4, 3}, {1, 2, 3}, {0, 1, 2}},
		/* padding beyond the kernel: whole rows of the small map see zeros only */
		{1, 1, 4, 5, {1, 16, 16}, {1, 6, 6}, {1, 3, 3}, {1, 1, 1}, {1, 1, 1}, {0, 6, 6}},
		/* dilation beyond the map: only the middle tap meets anything */
		{1, 1, 4, 5, {1, 6, 6}, {1, 6, 6}, {1, 3, 3}, {1, 1, 1}, {1, 9, 9}, {0, 9, 9}},
		/* many sums of one element; many channels of one position */
		{40, 1, 2, 3, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {0, 0, 0}},
		{1, 1, 600, 530, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {0, 0, 0}},
	};

	for (size_t i = 0; i < sizeof(chosen) / sizeof(chosen[0]); i++)
		check_problem(&chosen[i], true, 0);
}

static void test_ordinary_numbers_stay_within_a_bound_of_the_definition(int count)
{
	/* one large sum, where the order of addition matters, then anything */
	struct emu_conv conv = {2, 1, 40, 48, {1, 20, 20}, {1, 20, 20}, {1, 3, 3}, {1, 1, 1}, {1, 1, 1}, {0, 1, 1}};

	check_problem(&conv, false, 0x1p-21);
	for (int i = 0; i < count; i++) {
		conv = random_conv();
		check_problem(&conv, false, 0x1p-21);
	}
}

/* An infinity reaches what its products reach, and a padded tap is no product. */
static void test_an_infinity_stays_where_its_products_are(void)
{
	struct emu_conv conv = {1, 1, 9, 9, {1, 12, 12}, {1, 12, 12}, {1, 3, 3}, {1, 1, 1}, {1, 1, 1}, {0, 1, 1}};
	struct sizes sizes = sizes_of(&conv);
	struct emu_conv_data data = {NULL, some_floats(sizes.big, true), some_floats(sizes.weight, true)};
	const struct emu_kernel *table;
	int kernels = emu_kernel_table(&table);

	for (int64_t i = 0; i < sizes.weight; i++)
		data.weight[i] = 1;
	data.big[0] = INFINITY;
	for (int i = 0; i < kernels; i++) {
		float *small;
		int64_t infinite = 0, finite = 0;

		if (table[i].needs > emu_isa_detect() || !table[i].can_run(EMU_TO_SMALL, &conv))
			continue;
		small = result_of(&table[i], EMU_TO_SMALL, &conv, &data, 1);
		for (int64_t j = 0; j < sizes.small; j++) {
			infinite += isinf(small[j]) != 0;
			finite += isfinite(small[j]) != 0;
		}
		CHECK_EQUAL(infinite, 9 * 4);
		CHECK_EQUAL(finite, sizes.small - 9 * 4);
		free(small);
	}
	free(data.big);
	free(data.weight);
}

static void test_an_empty_batch_gives_a_zero_weight(void)
{
	struct emu_conv conv = {0, 1, 9, 5, {1, 4, 4}, {1, 4, 4}, {1, 3, 3}, {1, 1, 1}, {1, 1, 1}, {0, 1, 1}};

	check_problem(&conv, true, 0);
}

static void test_the_table_ends_with_the_reference_and_names_are_kept(void)
{
	struct emu_conv conv = {1, 1, 64, 64, {1, 9, 9}, {1, 9, 9}, {1, 3, 3}, {1, 1, 1}, {1, 1, 1}, {0, 1, 1}};
	const struct emu_kernel *table, *chosen;
	int kernels = emu_kernel_table(&table);
	enum emu_isa isa;

	CHECK(strcmp(table[kernels - 1].name, "reference") == 0);
	CHECK(emu_kernel_choose(EMU_TO_BIG, &conv, emu_isa_detect(), "reference") == &table[kernels - 1]);
	CHECK(strcmp(emu_kernel_choose(EMU_TO_BIG, &conv, emu_isa_detect(), "no such kernel")->name, "gemm") == 0);
	for (int i = 0; i < EMU_ISA_COUNT; i++) {
		chosen = emu_kernel_choose(EMU_TO_BIG, &conv, (enum emu_isa)i, NULL);
		CHECK(chosen->needs <= (enum emu_isa)i);
		CHECK(emu_isa_from_name(emu_isa_name((enum emu_isa)i), &isa) && isa == (enum emu_isa)i);
	}
	CHECK(!emu_isa_from_name("sse9", &isa));
}

/* Sizes whose scratch can't be counted leave the reference alone. */
static void test_absurd_sizes_choose_the_reference(void)
{
	struct emu_conv conv = {INT64_MAX / 8, 1, 64, 64, {1, 9, 9}, {1, 9, 9}, {1, 3, 3}, {1, 1, 1}, {1, 1, 1}, {0, 1, 1}};
	const struct emu_kernel *chosen = emu_kernel_choose(EMU_TO_WEIGHT, &conv, emu_isa_detect(), NULL);

	CHECK(strcmp(chosen->name, "reference") == 0);
}

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 150;

	test_the_table_ends_with_the_reference_and_names_are_kept();
	test_absurd_sizes_choose_the_reference();
	test_an_empty_batch_gives_a_zero_weight();
	test_an_infinity_stays_where_its_products_are();
	test_chosen_shapes_equal_the_definition();
	test_every_kernel_equals_the_definition_on_random_problems(count);
	test_ordinary_numbers_stay_within_a_bound_of_the_definition(count / 5);
	return check_report();
}
