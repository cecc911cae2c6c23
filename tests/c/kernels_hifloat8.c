/* HIFLOAT8 against its definition: every code, every border between two codes, and many floats. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "hif8_definition.h"
#include "kernels/kernels.h"

enum { CODES = 256 };

/* Rounding is reading: a float as an array of one element. */
static float round_to(float value, enum emu_number number)
{
	const struct emu_array array = {&value, {1, {1}, {1}, EMU_F32}, number};
	float rounded;

	emu_gather(&rounded, &array, emu_isa_detect(), 1);
	return rounded;
}

static void encode(uint8_t *codes, const float *values, int64_t count)
{
	const struct emu_array array = {codes, {1, {count}, {1}, EMU_HIF8}, EMU_F32};

	emu_scatter(&array, values, emu_isa_detect(), 1);
}

static bool same(float got, double want)
{
	return isnan(want) ? isnan(got) : got == want && !signbit(got) == !signbit(want);
}

static void test_every_code_reads_as_its_value_and_writes_back(void)
{
	uint8_t codes[CODES], written[CODES];
	const struct emu_array array = {codes, {1, {CODES}, {1}, EMU_HIF8}, EMU_HIF8};
	float values[CODES];

	for (int i = 0; i < CODES; i++)
		codes[i] = (uint8_t)i;
	emu_gather(values, &array, emu_isa_detect(), 1);
	encode(written, values, CODES);
	for (int i = 0; i < CODES; i++) {
		CHECK(same(values[i], hif8_value_of((uint8_t)i)));
		CHECK_EQUAL(written[i], i);
	}
}

static void test_documented_codes_have_their_values(void)
{
	static const struct {
		uint8_t code;
		float value;
	} known[] = {
		{0x00, 0},         {0x01, 0x1p-22f},  {0x07, 0x1p-16f}, {0x08, 1},         {0x0f, 1.875f},
		{0x10, 2},         {0x18, 0.5f},      {0x20, 4},        {0x2f, 15},        {0x30, 0.25f},
		{0x40, 16},        {0x50, 0x1p-4f},   {0x5f, 0x1.cp-7f}, {0x60, 256},      {0x6e, 32768},
		{0x6f, INFINITY},  {0x70, 0x1p-8f},   {0x7f, 0x1.8p-15f}, {0x88, -1},      {0xee, -32768},
		{0xef, -INFINITY},
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		uint8_t code;

		CHECK(hif8_value_of(known[i].code) == known[i].value);
		encode(&code, &known[i].value, 1);
		CHECK_EQUAL(code, known[i].code);
	}
}

static int misrounded(const float *values, int64_t count)
{
	uint8_t *codes = malloc((size_t)count);
	int wrong = 0;

	encode(codes, values, count);
	for (int64_t i = 0; i < count; i++) {
		uint8_t want = hif8_nearest_code(values[i]);

		wrong += codes[i] != want || !same(round_to(values[i], EMU_HIF8), hif8_value_of(want));
	}
	free(codes);
	return wrong;
}

static int by_value(const void *one, const void *other)
{
	double a = hif8_place_of(*(const uint8_t *)one), b = hif8_place_of(*(const uint8_t *)other);

	return (a > b) - (a < b);
}

static void test_ties_go_away_from_zero_and_their_neighbours_to_their_own_side(void)
{
	uint8_t codes[128];

	for (int i = 0; i < 128; i++)
		codes[i] = (uint8_t)i;
	qsort(codes, 128, 1, by_value);
	for (int i = 0; i + 1 < 128; i++) {
		float tie = (float)((hif8_place_of(codes[i]) + hif8_place_of(codes[i + 1])) / 2);
		float around[] = {nextafterf(tie, 0), tie, nextafterf(tie, INFINITY), -tie, -nextafterf(tie, 0)};
		uint8_t got[5];

		encode(got, around, 5);
		CHECK_EQUAL(got[0], codes[i]);
		CHECK_EQUAL(got[1], codes[i + 1]);
		CHECK_EQUAL(got[2], codes[i + 1]);
		CHECK_EQUAL(got[3], codes[i + 1] | 0x80);
		CHECK_EQUAL(got[4], codes[i] ? codes[i] | 0x80 : 0);
		CHECK_EQUAL(misrounded(around, 5), 0);
	}
}

static void test_the_ends_of_the_range_are_documented(void)
{
	CHECK(round_to(40959.996f, EMU_HIF8) == 32768);
	CHECK(round_to(40960, EMU_HIF8) == INFINITY);
	CHECK(round_to(-0x1.fffffep127f, EMU_HIF8) == -INFINITY);
	CHECK(round_to(0x1p-23f, EMU_HIF8) == 0x1p-22f);
	CHECK(round_to(0x1.fffffep-24f, EMU_HIF8) == 0);
	CHECK(!signbit(round_to(-0x1p-149f, EMU_HIF8)));
	CHECK(!signbit(round_to(-0.0f, EMU_HIF8)));
	CHECK(isnan(round_to(NAN, EMU_HIF8)));
}

/* Half of any bits at all, half of them with an exponent that the format knows. */
static void test_any_float_becomes_the_nearest(int count)
{
	float *values = malloc((size_t)count * sizeof(float));
	uint64_t state = 88172645463325252u;

	for (int i = 0; i < count; i++) {
		uint32_t bits;

		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		bits = (uint32_t)(state >> 16);
		if (i % 2)
			bits = (bits & 0x807fffffu) | (uint32_t)(127 - 25 + state % 43) << 23;
		memcpy(&values[i], &bits, sizeof(bits));
	}
	CHECK_EQUAL(misrounded(values, count), 0);
	free(values);
}

/* An emulated processor takes its time: the argument is the number of random floats. */
int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 1 << 20;

	test_every_code_reads_as_its_value_and_writes_back();
	test_documented_codes_have_their_values();
	test_ties_go_away_from_zero_and_their_neighbours_to_their_own_side();
	test_the_ends_of_the_range_are_documented();
	test_any_float_becomes_the_nearest(count);
	return check_report();
}
