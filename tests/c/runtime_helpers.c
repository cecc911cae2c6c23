/* Half floats, sizes of types, data buffers. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "acl/acl.h"
#include "check.h"

/* ---- half floats ---- */

/* The value of a code by its definition, in double: (-1)^s * 2^(e-15) * (1 + m/1024), or 2^-14 * m/1024; no infinities. */
static double value_of(unsigned code)
{
	int exponent = (int)(code >> 10 & 31);
	double mantissa = (double)(code & 1023) / 1024;
	double size = exponent ? (1 + mantissa) * pow(2, exponent - 15) : mantissa * pow(2, -14);

	return code >> 15 ? -size : size;
}

static void test_every_half_converts_to_its_value(void)
{
	int wrong = 0;

	for (unsigned code = 0; code < 65536; code++) {
		double value = aclFloat16ToFloat((aclFloat16)code);

		wrong += value != value_of(code) || !!signbit(value) != (int)(code >> 15);
	}
	CHECK_EQUAL(wrong, 0);
	CHECK(aclFloat16ToFloat(0x7C00) == 65536);
	CHECK(aclFloat16ToFloat(0xFC00) == -65536);
	CHECK(aclFloat16ToFloat(0x7E00) == 98304);
}

static void test_every_finite_half_survives_the_round_trip(void)
{
	int wrong = 0;

	for (unsigned code = 0; code < 65536; code++)
		if ((code & 0x7C00) != 0x7C00)
			wrong += aclFloatToFloat16(aclFloat16ToFloat((aclFloat16)code)) != code;
	CHECK_EQUAL(wrong, 0);
}

/* Between neighbours the nearer wins, in the middle the even one: checked at the middle and one float to each side. */
static void test_between_two_halves_the_nearest_even_is_taken(void)
{
	int wrong = 0;

	for (unsigned code = 0; code < 0x7BFF; code++) {
		float middle = (float)((value_of(code) + value_of(code + 1)) / 2);
		unsigned even = code & 1 ? code + 1 : code;

		wrong += aclFloatToFloat16(middle) != even;
		wrong += aclFloatToFloat16(nextafterf(middle, 0)) != code;
		wrong += aclFloatToFloat16(nextafterf(middle, INFINITY)) != code + 1;
		wrong += aclFloatToFloat16(-middle) != (even | 0x8000);
	}
	CHECK_EQUAL(wrong, 0);
}

static void test_what_is_too_large_saturates(void)
{
	float quiet_nan_with_sign = copysignf(NAN, -1);

	CHECK_EQUAL(aclFloatToFloat16(65519.996f), 0x7BFF);
	CHECK_EQUAL(aclFloatToFloat16(65520), 0x7BFF);
	CHECK_EQUAL(aclFloatToFloat16(3e38f), 0x7BFF);
	CHECK_EQUAL(aclFloatToFloat16(-3e38f), 0xFBFF);
	CHECK_EQUAL(aclFloatToFloat16(INFINITY), 0x7BFF);
	CHECK_EQUAL(aclFloatToFloat16(-INFINITY), 0xFBFF);
	CHECK_EQUAL(aclFloatToFloat16(NAN), 0x7BFF);
	CHECK_EQUAL(aclFloatToFloat16(quiet_nan_with_sign), 0x7BFF);
}

static void test_what_is_too_small_becomes_a_zero_of_its_sign(void)
{
	CHECK_EQUAL(aclFloatToFloat16(0.0f), 0);
	CHECK_EQUAL(aclFloatToFloat16(-0.0f), 0x8000);
	CHECK_EQUAL(aclFloatToFloat16(0x1p-25f), 0);
	CHECK_EQUAL(aclFloatToFloat16(nextafterf(0x1p-25f, 1)), 1);
	CHECK_EQUAL(aclFloatToFloat16(-0x1p-149f), 0x8000);
}

/* ---- sizes ---- */

static void test_sizes_of_types(void)
{
	static const struct {
		aclDataType type;
		size_t size;
	} rows[] = {
		{ACL_DT_UNDEFINED, 0}, {ACL_STRING, 0}, {ACL_BOOL, 1}, {ACL_INT8, 1}, {ACL_UINT8, 1}, {ACL_INT4, 1}, {ACL_UINT1, 1},
		{ACL_HIFLOAT8, 1}, {ACL_FLOAT8_E5M2, 1}, {ACL_FLOAT8_E4M3FN, 1}, {ACL_FLOAT8_E8M0, 1}, {ACL_FLOAT16, 2}, {ACL_BF16, 2},
		{ACL_INT16, 2}, {ACL_UINT16, 2}, {ACL_FLOAT, 4}, {ACL_INT32, 4}, {ACL_UINT32, 4}, {ACL_COMPLEX32, 4}, {ACL_INT64, 8},
		{ACL_UINT64, 8}, {ACL_DOUBLE, 8}, {ACL_COMPLEX64, 8}, {ACL_COMPLEX128, 16}, {ACL_FLOAT6_E3M2, 8}, {ACL_FLOAT6_E2M3, 8},
		{ACL_FLOAT4_E2M1, 8}, {ACL_FLOAT4_E1M2, 8}, {(aclDataType)1000, 8},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (!CHECK_EQUAL(aclDataTypeSize(rows[i].type), rows[i].size))
			fprintf(stderr, "  for type %d\n", (int)rows[i].type);
}

/* ---- data buffers ---- */

static void test_a_data_buffer_holds_what_it_was_given(void)
{
	char data[10], other[20];
	aclDataBuffer *buffer = aclCreateDataBuffer(data, sizeof(data));

	CHECK(aclGetDataBufferAddr(buffer) == data);
	CHECK_EQUAL(aclGetDataBufferSize(buffer), 10);
	CHECK_EQUAL(aclUpdateDataBuffer(buffer, other, ((size_t)1 << 32) + 5), 0);
	CHECK(aclGetDataBufferAddr(buffer) == other);
	CHECK_EQUAL(aclGetDataBufferSize(buffer), 5); /* 32 bits of it */
	CHECK_EQUAL(aclGetDataBufferSizeV2(buffer), (1LL << 32) + 5);
	CHECK_EQUAL(aclDestroyDataBuffer(buffer), 0);
}

static void test_a_data_buffer_may_be_empty(void)
{
	aclDataBuffer *buffer = aclCreateDataBuffer(NULL, 0);

	CHECK(buffer != NULL);
	CHECK(aclGetDataBufferAddr(buffer) == NULL);
	CHECK_EQUAL(aclGetDataBufferSizeV2(buffer), 0);
	CHECK_EQUAL(aclDestroyDataBuffer(buffer), 0);
}

static void test_null_and_dead_data_buffers_are_refused(void)
{
	aclDataBuffer *buffer = aclCreateDataBuffer(NULL, 4);

	CHECK_EQUAL(aclDestroyDataBuffer(NULL), 100000);
	CHECK_EQUAL(aclUpdateDataBuffer(NULL, NULL, 0), 100000);
	CHECK(aclGetDataBufferAddr(NULL) == NULL);
	CHECK_EQUAL(aclGetDataBufferSize(NULL), 0);
	CHECK_EQUAL(aclGetDataBufferSizeV2(NULL), 0);
	aclDestroyDataBuffer(buffer);
	CHECK_EQUAL(aclDestroyDataBuffer(buffer), 100000);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "an aclDataBuffer that was destroyed");
	CHECK_EQUAL(aclUpdateDataBuffer(buffer, NULL, 0), 100000);
	CHECK(aclGetDataBufferAddr(buffer) == NULL);
	CHECK_EQUAL(aclGetDataBufferSizeV2(buffer), 0);
}

int main(void)
{
	test_every_half_converts_to_its_value();
	test_every_finite_half_survives_the_round_trip();
	test_between_two_halves_the_nearest_even_is_taken();
	test_what_is_too_large_saturates();
	test_what_is_too_small_becomes_a_zero_of_its_sign();
	test_sizes_of_types();
	test_a_data_buffer_holds_what_it_was_given();
	test_a_data_buffer_may_be_empty();
	test_null_and_dead_data_buffers_are_refused();
	return check_report();
}
