/* HIFLOAT8 read bit by bit from the description of the format, and its nearest value by looking at all of them. */
#ifndef HIF8_DEFINITION_H
#define HIF8_DEFINITION_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* Bits of the seven below the sign, from the highest: `at` moves on. */
static inline int hif8_bits(uint8_t code, int *at, int count)
{
	int value = 0;

	for (int end = *at + count; *at < end; ++*at)
		value = value * 2 + (code >> (6 - *at) & 1);
	return value;
}

/* The number of exponent bits that the prefix announces; -1 for numbers that are only an exponent. */
static inline int hif8_announced(uint8_t code, int *at)
{
	int exponent_bits = 4;

	/* 11, 10, 01, then 001, 0001, 0000 */
	switch (hif8_bits(code, at, 2)) {
	case 3:
		return exponent_bits;
	case 2:
		return exponent_bits - 1;
	case 1:
		return exponent_bits - 2;
	default:
		if (hif8_bits(code, at, 1))
			return exponent_bits - 3;
		return hif8_bits(code, at, 1) ? 0 : -1;
	}
}

static inline double hif8_value_of(uint8_t code)
{
	double sign = code & 0x80 ? -1 : 1;
	int at = 0, exponent = 0, mantissa, width = hif8_announced(code, &at);

	if (code == 0x80)
		return NAN;
	if ((code & 0x7f) == 0x6f)
		return sign * INFINITY;
	if (width == -1) {
		int power = hif8_bits(code, &at, 3);

		return power ? sign * ldexp(1, power - 23) : 0;
	}
	if (width > 0) {
		bool negative = hif8_bits(code, &at, 1);

		exponent = (1 << (width - 1)) + hif8_bits(code, &at, width - 1);
		exponent = negative ? -exponent : exponent;
	}
	width = 7 - at;
	mantissa = hif8_bits(code, &at, width);
	return sign * ldexp(1 + ldexp(mantissa, -width), exponent);
}

/* The magnitude of a code; infinity as the value whose place it takes. */
static inline double hif8_place_of(uint8_t code)
{
	return code == 0x6f ? 49152 : hif8_value_of(code);
}

/* The code of the nearest value, the larger one on a tie. */
static inline uint8_t hif8_nearest_code(double value)
{
	double magnitude = fabs(value), least = INFINITY;
	uint8_t best = 0;

	if (isnan(value))
		return 0x80;
	if (magnitude > 49152)
		return signbit(value) ? 0xef : 0x6f;
	for (int code = 0; code < 128; code++) {
		double distance = fabs(magnitude - hif8_place_of((uint8_t)code));

		if (distance > least || (distance == least && hif8_place_of((uint8_t)code) < hif8_place_of(best)))
			continue;
		least = distance;
		best = (uint8_t)code;
	}
	return signbit(value) && best ? best | 0x80 : best;
}

#endif
