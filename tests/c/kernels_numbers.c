/* The number formats and the strided views of the kernels. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "check.h"
#include "hif8_definition.h"
#include "kernels/kernels.h"

static uint64_t random_state = 2463534242u;

static uint32_t random_word(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (uint32_t)(random_state >> 16);
}

static int64_t pick(int64_t least, int64_t most)
{
	return least + (int64_t)(random_word() % (uint64_t)(most - least + 1));
}

static float float_of_bits(uint32_t bits)
{
	float value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

static uint32_t bits_of_float(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

/* ---- the formats by their definition: sign, exponent range, mantissa bits ---- */

struct format {
	int mantissa; /* explicit bits */
	int least;    /* smallest normal exponent */
	int most;     /* largest */
};

static const struct format formats[] = {
	[EMU_F32] = {23, -126, 127},
	[EMU_F16] = {10, -14, 15},
	[EMU_BF16] = {7, -126, 127},
	[EMU_HF32_11] = {11, -126, 127},
	[EMU_HF32_10] = {10, -126, 127},
	[EMU_F32_FINITE] = {23, -126, 127},
	[EMU_F16_FINITE] = {10, -14, 15},
};

/* In double arithmetic: scale to units of the last place and round there, ties to even. */
static double nearest_even(double value, enum emu_number number)
{
	const struct format *format = &formats[number];
	double unit, units, below;
	int exponent;

	if (isnan(value) || isinf(value) || value == 0)
		return value;
	frexp(value, &exponent);
	exponent = exponent - 1 < format->least ? format->least : exponent - 1;
	unit = ldexp(1, exponent - format->mantissa);
	units = fabs(value) / unit;
	below = floor(units);
	if (units - below > 0.5 || (units - below == 0.5 && fmod(below, 2) == 1))
		below += 1;
	if (below * unit >= ldexp(1, format->most + 1))
		return copysign(INFINITY, value);
	return copysign(below * unit, value);
}

/* What rounding to the format makes of a float. */
static double nearest(double value, enum emu_number number)
{
	if (number == EMU_HIF8)
		return hif8_value_of(hif8_nearest_code(value));
	if (number != EMU_F32_FINITE && number != EMU_F16_FINITE)
		return nearest_even(value, number);
	if (isnan(value))
		return 0;
	value = nearest_even(value, number);
	return isinf(value) ? copysign(number == EMU_F16_FINITE ? 65504 : 0x1.fffffep127, value) : value;
}

/* The value of a 16-bit code. */
static double value_of(uint16_t code, enum emu_number number)
{
	int mantissa_bits = formats[number].mantissa, exponent = (code & 0x7fff) >> mantissa_bits;
	int mantissa = code & ((1 << mantissa_bits) - 1), top = 0x7fff >> mantissa_bits;
	double value;

	if (exponent == top)
		value = mantissa ? NAN : INFINITY;
	else if (exponent == 0)
		value = ldexp(mantissa, formats[number].least - mantissa_bits);
	else
		value = ldexp((1 << mantissa_bits) + mantissa, exponent - 1 + formats[number].least - mantissa_bits);
	return code & 0x8000 ? -value : value;
}

static bool same(float got, double want)
{
	return isnan(want) ? isnan(got) : got == want && !signbit(got) == !signbit(want);
}

/* ---- numbers ---- */

static void test_every_16_bit_code_reads_as_its_value_and_writes_back(void)
{
	static const enum emu_number stored[] = {EMU_F16, EMU_BF16};
	static uint16_t codes[65536], written[65536];
	static float values[65536];

	for (int i = 0; i < 65536; i++)
		codes[i] = (uint16_t)i;
	for (int f = 0; f < 2; f++) {
		struct emu_array array = {codes, {1, {65536}, {1}, stored[f]}, stored[f]};
		int wrong = 0, lost = 0;

		emu_gather(values, &array, emu_isa_detect(), 1);
		array.first = written;
		emu_scatter(&array, values, emu_isa_detect(), 1);
		for (int i = 0; i < 65536; i++) {
			double want = value_of((uint16_t)i, stored[f]);

			wrong += !same(values[i], want);
			lost += isnan(want) ? !isnan(value_of(written[i], stored[f])) : written[i] != i;
		}
		CHECK_EQUAL(wrong, 0);
		CHECK_EQUAL(lost, 0);
	}
}

/* Rounding is reading: a float as an array of one element. */
static float round_to(float value, enum emu_number number)
{
	const struct emu_array array = {&value, {1, {1}, {1}, EMU_F32}, number};
	float rounded;

	emu_gather(&rounded, &array, emu_isa_detect(), 1);
	return rounded;
}

static int misrounded(float value, enum emu_number number)
{
	return !same(round_to(value, number), nearest(value, number));
}

/* of what is tried, one in `share` */
static void test_rounding_is_to_nearest_even_everywhere(int share)
{
	static const enum emu_number numbers[] = {EMU_F32,     EMU_F16,        EMU_BF16,      EMU_HF32_11,
	                                          EMU_HF32_10, EMU_F32_FINITE, EMU_F16_FINITE};

	for (int n = 0; n < 7; n++) {
		int wrong = 0;

		for (int i = 0; i < 400000 / share; i++)
			wrong += misrounded(float_of_bits(random_word()), numbers[n]);
		/* every upper half with the lower halves at, above and below each tie */
		for (uint32_t high = 0; high < 65536; high += (uint32_t)share) {
			static const uint32_t low[] = {0,      1,      0x07ff, 0x0800, 0x0801, 0x0fff, 0x1000, 0x1001,
			                               0x1800, 0x2fff, 0x3000, 0x3001, 0x7fff, 0x8000, 0x8001, 0xffff};

			for (int i = 0; i < 16; i++)
				wrong += misrounded(float_of_bits(high << 16 | low[i]), numbers[n]);
		}
		CHECK_EQUAL(wrong, 0);
	}
}

static void test_known_numbers_round_as_documented(void)
{
	CHECK(round_to(65519.0f, EMU_F16) == 65504.0f);
	CHECK(round_to(65520.0f, EMU_F16) == INFINITY);
	CHECK(round_to(-65520.0f, EMU_F16) == -INFINITY);
	CHECK(round_to(0x1p-25f, EMU_F16) == 0.0f);
	CHECK(round_to(0x1.8p-25f, EMU_F16) == 0x1p-24f);
	CHECK(round_to(2049.0f, EMU_F16) == 2048.0f);
	CHECK(round_to(2051.0f, EMU_F16) == 2052.0f);
	CHECK(round_to(257.0f, EMU_BF16) == 256.0f);
	CHECK(round_to(259.0f, EMU_BF16) == 260.0f);
	CHECK(round_to(4097.0f, EMU_HF32_11) == 4096.0f);
	CHECK(round_to(4099.0f, EMU_HF32_11) == 4100.0f);
	CHECK(round_to(4098.0f, EMU_HF32_10) == 4096.0f);
	CHECK(round_to(4102.0f, EMU_HF32_10) == 4104.0f);
	CHECK(round_to(float_of_bits(0x7f7fffff), EMU_HF32_10) == INFINITY);
	CHECK(isnan(round_to(float_of_bits(0x7f800001), EMU_F16)));
	CHECK(isnan(round_to(float_of_bits(0x7f800001), EMU_BF16)));
	CHECK(isnan(round_to(float_of_bits(0xffffffff), EMU_HF32_11)));
	CHECK_EQUAL(bits_of_float(round_to(-0.0f, EMU_BF16)), 0x80000000u);
	CHECK(round_to(65520.0f, EMU_F16_FINITE) == 65504.0f);
	CHECK(round_to(-INFINITY, EMU_F16_FINITE) == -65504.0f);
	CHECK(round_to(INFINITY, EMU_F32_FINITE) == 0x1.fffffep127f);
	CHECK_EQUAL(bits_of_float(round_to(-NAN, EMU_F16_FINITE)), 0);
	CHECK_EQUAL(bits_of_float(round_to(NAN, EMU_F32_FINITE)), 0);
}

/* ---- views ---- */

enum { ROOM = 1 << 16 };

struct picture {
	struct emu_view view;
	int64_t first; /* element 0 of the view in an array of ROOM elements */
};

/* A view of distinct elements inside the array: axes in random order, gaps, some of them backwards. */
static struct picture random_picture(void)
{
	struct picture picture = {.view = {.rank = (int)pick(1, EMU_VIEW_RANK)}, .first = pick(0, 100)};
	struct emu_view *view = &picture.view;
	int order[EMU_VIEW_RANK] = {0, 1, 2, 3, 4};
	int64_t extent = pick(0, 2) ? 1 : pick(2, 3);

	view->stored = (enum emu_number)pick(EMU_F32, EMU_HIF8);
	for (int i = view->rank - 1; i > 0 && pick(0, 1); i--) {
		int other = (int)pick(0, i), swapped = order[i];

		order[i] = order[other];
		order[other] = swapped;
	}
	for (int i = view->rank - 1; i >= 0; i--) {
		int axis = order[i];
		int64_t dim = pick(0, 4) ? pick(1, 6) : pick(1, 20);

		dim = extent * dim * 2 > ROOM - 200 ? 1 : dim;
		view->dims[axis] = dim;
		view->strides[axis] = pick(0, 3) ? extent : -extent;
		if (view->strides[axis] < 0)
			picture.first += (dim - 1) * extent;
		extent = extent * dim + (pick(0, 2) || extent * dim * 2 > ROOM / 4 ? 0 : pick(1, 3));
	}
	return picture;
}

static int64_t elements(const struct emu_view *view)
{
	int64_t count = 1;

	for (int i = 0; i < view->rank; i++)
		count *= view->dims[i];
	return count;
}

/* The array index of logical element i. */
static int64_t place(const struct picture *picture, int64_t i)
{
	int64_t at = picture->first;

	for (int axis = picture->view.rank - 1; axis >= 0; axis--) {
		at += i % picture->view.dims[axis] * picture->view.strides[axis];
		i /= picture->view.dims[axis];
	}
	return at;
}

static size_t size_of(enum emu_number stored)
{
	return stored == EMU_F32 ? 4 : stored == EMU_HIF8 ? 1 : 2;
}

static double stored_value(const void *array, int64_t at, enum emu_number stored)
{
	if (stored == EMU_F32)
		return ((const float *)array)[at];
	if (stored == EMU_HIF8)
		return hif8_value_of(((const uint8_t *)array)[at]);
	return value_of(((const uint16_t *)array)[at], stored);
}

static enum emu_isa random_isa(void)
{
	return (enum emu_isa)pick(EMU_ISA_BASELINE, emu_isa_detect());
}

static void check_gather(const struct picture *picture, const void *array, int threads)
{
	int64_t count = elements(&picture->view);
	float *dense = malloc((size_t)count * sizeof(float));
	enum emu_number number = (enum emu_number)pick(EMU_F32, EMU_NUMBERS - 1);
	char *first = (char *)(uintptr_t)array + picture->first * (int64_t)size_of(picture->view.stored);
	const struct emu_array viewed = {first, picture->view, number};
	int wrong = 0;

	emu_gather(dense, &viewed, random_isa(), threads);
	for (int64_t i = 0; i < count; i++)
		wrong += !same(dense[i], nearest(stored_value(array, place(picture, i), picture->view.stored), number));
	CHECK_EQUAL(wrong, 0);
	free(dense);
}

/* After a scatter the elements of the view have their values, and all other bytes are as before. */
static void check_scatter(const struct picture *picture, const unsigned char *before, int threads)
{
	int64_t count = elements(&picture->view), wrong = 0;
	size_t size = size_of(picture->view.stored);
	enum emu_number through = (enum emu_number)pick(EMU_F32, EMU_NUMBERS - 1);
	float *dense = malloc((size_t)count * sizeof(float));
	unsigned char *array = malloc(ROOM * size);
	struct emu_array viewed;

	memcpy(array, before, ROOM * size);
	for (int64_t i = 0; i < count; i++)
		dense[i] = pick(0, 9) ? float_of_bits(random_word()) : (float)pick(-70000, 70000);
	viewed = (struct emu_array){array + picture->first * (int64_t)size, picture->view, through};
	emu_scatter(&viewed, dense, random_isa(), threads);
	for (int64_t i = 0; i < count; i++) {
		int64_t at = place(picture, i);

		wrong += !same((float)stored_value(array, at, picture->view.stored),
		               nearest(nearest(dense[i], through), picture->view.stored));
		memcpy(array + at * (int64_t)size, before + at * (int64_t)size, size);
	}
	CHECK_EQUAL(wrong, 0);
	CHECK(memcmp(array, before, ROOM * size) == 0);
	free(array);
	free(dense);
}

static void check_fill(const struct picture *picture, const unsigned char *before)
{
	int64_t count = elements(&picture->view), wrong = 0;
	size_t size = size_of(picture->view.stored);
	unsigned char *array = malloc(ROOM * size);
	static const unsigned char zero[4];

	memcpy(array, before, ROOM * size);
	emu_fill_zero(&(struct emu_array){array + picture->first * (int64_t)size, picture->view, EMU_F32}, emu_isa_detect(),
	              2);
	for (int64_t i = 0; i < count; i++) {
		int64_t at = place(picture, i) * (int64_t)size;

		wrong += memcmp(array + at, zero, size) != 0;
		memcpy(array + at, before + at, size);
	}
	CHECK_EQUAL(wrong, 0);
	CHECK(memcmp(array, before, ROOM * size) == 0);
	free(array);
}

static unsigned char *random_array(void)
{
	unsigned char *array = malloc(ROOM * sizeof(float));

	for (int i = 0; i < ROOM; i++) {
		uint32_t word = random_word();

		memcpy(array + (size_t)i * 4, &word, 4);
	}
	return array;
}

static void test_views_read_and_write_their_elements_and_no_others(int count)
{
	unsigned char *array = random_array();

	for (int i = 0; i < count; i++) {
		struct picture picture = random_picture();

		check_gather(&picture, array, (int)pick(1, 3));
		check_scatter(&picture, array, (int)pick(1, 3));
		check_fill(&picture, array);
	}
	free(array);
}

static void test_a_stride_of_zero_repeats_an_element(void)
{
	static float values[] = {1, 2, 3};
	const struct emu_array array = {values, {3, {2, 3, 4}, {0, 1, 0}, EMU_F32}, EMU_F32};
	float dense[24];

	emu_gather(dense, &array, emu_isa_detect(), 1);
	for (int i = 0; i < 24; i++)
		CHECK(dense[i] == values[i / 4 % 3]);
}

/* Large enough for many pieces, whose borders fall inside rows. */
static void test_large_views_survive_the_cut_into_pieces(void)
{
	struct emu_view source = {3, {7, 300, 211}, {300 * 211, 1, 300}, EMU_F16};
	struct emu_view dense_view = {1, {7 * 300 * 211}, {1}, EMU_F16};
	int64_t count = elements(&source);
	uint16_t *array = malloc((size_t)count * 2), *back = malloc((size_t)count * 2);
	float *dense = malloc((size_t)count * 4);
	int64_t wrong = 0;

	for (int64_t i = 0; i < count; i++)
		array[i] = (uint16_t)(i * 40503u & 0x7bff);
	emu_gather(dense, &(struct emu_array){array, source, EMU_F16}, emu_isa_detect(), 3);
	emu_scatter(&(struct emu_array){back, dense_view, EMU_F32}, dense, emu_isa_detect(), 3);
	for (int64_t i = 0; i < count; i++)
		wrong += back[i] != array[i / 211 / 300 * 300 * 211 + i / 211 % 300 + i % 211 * 300];
	CHECK_EQUAL(wrong, 0);
	free(dense);
	free(back);
	free(array);
}

static void test_empty_views_touch_nothing(void)
{
	struct emu_view view = {3, {2, 0, 3}, {0, 3, 1}, EMU_F32};

	const struct emu_array array = {NULL, view, EMU_F16};

	emu_gather(NULL, &array, EMU_ISA_BASELINE, 2);
	emu_scatter(&array, NULL, EMU_ISA_BASELINE, 2);
	emu_fill_zero(&array, EMU_ISA_BASELINE, 1);
	CHECK_EQUAL(elements(&view), 0);
}

/* ---- sums of channels ---- */

static void test_channel_sums_are_exact_roundings_for_any_strides(int count)
{
	unsigned char *array = random_array();
	float *floats = (float *)array;
	uint16_t *codes = (uint16_t *)array;

	for (int i = 0; i < count; i++) {
		struct picture picture = random_picture();
		float sums[3][20];
		double want[20] = {0};
		int64_t elements_of_view, channels;
		struct emu_array viewed;

		if (picture.view.rank < 2)
			continue;
		/* halves of small integers: every sum is exact in double */
		for (int j = 0; j < ROOM; j++) {
			float value = (float)pick(-200, 200) / 2;

			if (picture.view.stored == EMU_F32)
				floats[j] = value * 1001;
			else if (picture.view.stored == EMU_HIF8)
				array[j] = hif8_nearest_code(value);
			else
				codes[j] = picture.view.stored == EMU_BF16 ? (uint16_t)(bits_of_float(value) >> 16)
				                                           : (uint16_t)(0x4000 | pick(0, 1023) | pick(0, 1) << 15);
		}
		elements_of_view = elements(&picture.view);
		channels = picture.view.dims[1];
		for (int64_t j = 0; j < elements_of_view; j++) {
			int64_t inner = 1;

			for (int axis = 2; axis < picture.view.rank; axis++)
				inner *= picture.view.dims[axis];
			want[j / inner % channels] += stored_value(array, place(&picture, j), picture.view.stored);
		}
		viewed.first = array + picture.first * (int64_t)size_of(picture.view.stored);
		viewed.view = picture.view;
		viewed.number = picture.view.stored;
		for (int threads = 1; threads <= 3; threads++)
			emu_sum_channels(sums[threads - 1], &viewed, random_isa(), threads);
		for (int64_t c = 0; c < channels; c++)
			CHECK(sums[0][c] == (float)want[c] && sums[1][c] == sums[0][c] && sums[2][c] == sums[0][c]);
	}
	free(array);
}

static void test_channel_sums_keep_what_float_would_lose(void)
{
	enum { LENGTH = 100000 };
	struct emu_view view = {3, {1, 2, LENGTH}, {2 * LENGTH, LENGTH, 1}, EMU_F32};
	float *values = malloc(2 * LENGTH * sizeof(float)), sums[2];
	const struct emu_array array = {values, view, EMU_F32};

	for (int i = 0; i < 2 * LENGTH; i++)
		values[i] = 1;
	values[0] = 0x1p30f;
	values[LENGTH - 1] = -0x1p30f;
	for (int threads = 1; threads <= 3; threads++) {
		emu_sum_channels(sums, &array, emu_isa_detect(), threads);
		CHECK(sums[0] == LENGTH - 2);
		CHECK(sums[1] == LENGTH);
	}
	free(values);
}

static void test_channel_sums_round_the_elements_first(void)
{
	static float values[] = {INFINITY, NAN, -1, 1 + 0x1p-12f, 0, 0};
	const struct emu_array array = {values, {3, {1, 2, 3}, {6, 3, 1}, EMU_F32}, EMU_F16_FINITE};
	float sums[2];

	emu_sum_channels(sums, &array, emu_isa_detect(), 1);
	CHECK(sums[0] == 65503);
	CHECK(sums[1] == 1);
}

/* An emulated processor takes its time: argument 10 tries a tenth of the random numbers and views. */
int main(int argc, char **argv)
{
	int share = argc > 1 ? atoi(argv[1]) : 1;

	test_every_16_bit_code_reads_as_its_value_and_writes_back();
	test_rounding_is_to_nearest_even_everywhere(share);
	test_known_numbers_round_as_documented();
	test_views_read_and_write_their_elements_and_no_others(300 / share);
	test_a_stride_of_zero_repeats_an_element();
	test_large_views_survive_the_cut_into_pieces();
	test_empty_views_touch_nothing();
	test_channel_sums_are_exact_roundings_for_any_strides(60 / share);
	test_channel_sums_keep_what_float_would_lose();
	test_channel_sums_round_the_elements_first();
	return check_report();
}
