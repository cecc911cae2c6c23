/* One number at a time, written without branches so that loops over them vectorise. */
#ifndef EMU_NUMBER_H
#define EMU_NUMBER_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline uint32_t bits_of(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

static inline float float_of(uint32_t bits)
{
	float value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

/* Whether no value is an infinity or a NaN. */
static inline bool are_finite(const float *values, int64_t count)
{
	const uint32_t infinity = 0x7f800000;
	uint32_t found = 0;

	for (int64_t i = 0; i < count; i++)
		found |= (bits_of(values[i]) & infinity) == infinity;
	return !found;
}

/* Drops the low bits of a float to nearest even. A NaN keeps its high bits and is made quiet, so it stays one. */
static inline uint32_t drop_bits(uint32_t bits, int drop)
{
	uint32_t rounded = bits + ((1u << (drop - 1)) - 1) + (bits >> drop & 1);
	uint32_t kept = (bits & 0x7fffffffu) > 0x7f800000u ? bits | 0x00400000u : rounded;

	return kept & ~((1u << drop) - 1);
}

/* The nearest number that is not beyond `most`; NaN is 0. */
static inline float saturated(float value, float most)
{
	float below = value > most ? most : value;
	float within = below < -most ? -most : below;

	return value != value ? 0 : within;
}

static inline uint16_t bf16_from(float value)
{
	return (uint16_t)(drop_bits(bits_of(value), 16) >> 16);
}

static inline float bf16_to(uint16_t code)
{
	return float_of((uint32_t)code << 16);
}

static inline uint16_t f16_from(float value)
{
	uint32_t bits = bits_of(value);
	uint32_t magnitude = bits & 0x7fffffffu;
	uint32_t normal = (magnitude + 0xfffu + (magnitude >> 13 & 1) - (112u << 23)) >> 13;
	/* below 2^-14: adding 1/2 leaves exactly the bits of a subnormal half, rounded by the addition */
	uint32_t subnormal = bits_of(float_of(magnitude) + 0.5f) - 0x3f000000u;
	uint32_t special = magnitude > 0x7f800000u ? 0x7e00u | (magnitude >> 13 & 0x3ffu) : 0x7c00u;
	uint32_t code = magnitude < 0x38800000u ? subnormal : normal;

	code = magnitude >= 0x477ff000u ? special : code;
	return (uint16_t)(code | (bits >> 16 & 0x8000u));
}

static inline float f16_to(uint16_t code)
{
	uint32_t magnitude = (uint32_t)(code & 0x7fff) << 13;
	uint32_t normal = magnitude + (112u << 23);
	uint32_t special = magnitude + (224u << 23);
	uint32_t subnormal = bits_of((float)(int32_t)(magnitude >> 13) * 0x1p-24f);
	uint32_t bits = magnitude < 0x00800000u ? subnormal : normal;

	bits = magnitude >= 0x0f800000u ? special : bits;
	return float_of(bits | (uint32_t)(code & 0x8000) << 16);
}

#endif
