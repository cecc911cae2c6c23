/*
 * HIFLOAT8: sign, a prefix that says how the other bits are shared out, exponent, mantissa. docs/hifloat8.md has the
 * layout, all 256 codes and where each fact comes from.
 */
#ifndef EMU_HIFLOAT8_H
#define EMU_HIFLOAT8_H

#include "number.h"

enum {
	HIF8_NAN = 0x80,
	HIF8_INFINITY = 0x6f,      /* takes the place of 1.5 * 2^15 */
	HIF8_LEAST_NORMAL = -15,   /* exponents below are powers of two without a mantissa, down to 2^-22 */
	HIF8_DENORMAL_BIAS = 23
};

/* Bits of mantissa beside an exponent of this magnitude. */
static inline int hif8_mantissa_bits(int magnitude)
{
	return magnitude <= 3 ? 3 : magnitude <= 7 ? 2 : magnitude <= 15 ? 1 : 0;
}

/* Stored bits of an exponent: its sign, and its magnitude without the leading 1. */
static inline int hif8_exponent_bits(int magnitude)
{
	return magnitude == 0 ? 0 : magnitude == 1 ? 1 : magnitude <= 3 ? 2 : magnitude <= 7 ? 3 : 4;
}

/* The prefix of 2, 3 or 4 bits, in its place below the sign; `exponent_bits` of 0 to 4. */
static inline uint32_t hif8_prefix(int exponent_bits)
{
	return exponent_bits == 0 ? 0x08 : exponent_bits == 1 ? 0x10 : (uint32_t)(exponent_bits - 1) << 5;
}

/* The seven bits of a normal number: 2^exponent * (1 + mantissa / 2^(its bits)). */
static inline uint32_t hif8_normal(int exponent, uint32_t mantissa)
{
	int magnitude = exponent < 0 ? -exponent : exponent;
	int bits = hif8_exponent_bits(magnitude);
	uint32_t leading_one = 1u << bits >> 1;
	uint32_t stored = ((uint32_t)magnitude - leading_one) | (exponent < 0 ? leading_one : 0);

	return hif8_prefix(bits) | stored << hif8_mantissa_bits(magnitude) | mantissa;
}

/* To nearest, ties away from zero. What is nearer to 0 than to 2^-22 becomes the one zero, which has no sign. */
static inline uint8_t hif8_from(float value)
{
	const uint32_t half_of_least = 0x34000000u, least = 0x34800000u, overflow = 0x47200000u; /* 2^-23, 2^-22, 40960 */
	uint32_t bits = bits_of(value), sign = bits >> 24 & 0x80, magnitude = bits & 0x7fffffffu;
	int exponent, kept;

	if (magnitude > 0x7f800000u)
		return HIF8_NAN;
	if (magnitude >= overflow)
		return (uint8_t)(sign | HIF8_INFINITY);
	if (magnitude < half_of_least)
		return 0;
	magnitude = magnitude < least ? least : magnitude;
	exponent = (int)(magnitude >> 23) - 127;
	kept = hif8_mantissa_bits(exponent < 0 ? -exponent : exponent);
	magnitude += 1u << (22 - kept);
	if ((int)(magnitude >> 23) - 127 != exponent) { /* a carry leaves a power of two */
		exponent++;
		magnitude = 0;
	}
	if (exponent < HIF8_LEAST_NORMAL)
		return (uint8_t)(sign | (uint32_t)(exponent + HIF8_DENORMAL_BIAS));
	return (uint8_t)(sign | hif8_normal(exponent, (magnitude & 0x7fffffu) >> (23 - kept)));
}

static inline float hif8_to(uint8_t code)
{
	uint32_t sign = (uint32_t)(code & 0x80) << 24, magnitude = code & 0x7f, leading_one, stored, mantissa;
	int bits, kept, exponent;

	if (code == HIF8_NAN)
		return float_of(0x7fc00000u);
	if (magnitude == HIF8_INFINITY)
		return float_of(sign | 0x7f800000u);
	if (magnitude == 0)
		return 0;
	if (magnitude < 0x08)
		return float_of(sign | (magnitude - HIF8_DENORMAL_BIAS + 127) << 23);
	bits = magnitude >= 0x20 ? (int)(magnitude >> 5) + 1 : magnitude >= 0x10;
	kept = bits < 3 ? 3 : 5 - bits;
	leading_one = 1u << bits >> 1;
	stored = (magnitude - hif8_prefix(bits)) >> kept;
	exponent = (int)(stored | leading_one);
	if (stored & leading_one)
		exponent = -exponent;
	mantissa = magnitude & ((1u << kept) - 1);
	return float_of(sign | (uint32_t)(exponent + 127) << 23 | mantissa << (23 - kept));
}

#endif
