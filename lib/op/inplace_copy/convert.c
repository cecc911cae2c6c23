#include "convert.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "kernels/number.h"

/* A real number loses its fraction; what is beyond the type becomes its nearest end, and NaN becomes 0. */
static int64_t truncate_signed(double value, int64_t least, int64_t most)
{
	if (value != value)
		return 0;
	if (value <= (double)least)
		return least;
	return value >= (double)most ? most : (int64_t)value;
}

static uint64_t truncate_unsigned(double value)
{
	if (!(value > 0))
		return 0;
	return value >= 0x1p64 ? UINT64_MAX : (uint64_t)value;
}

/*
 * load_NAME() and store_NAME() for elements of C type `type`. `wide` is the member of the union that `of_element`
 * goes to; `from_i`, `from_u` and `from_d` make an element of a wide number n. An integer that is too large keeps its
 * low bits; a number that becomes a 16-bit float goes through float.
 */
#define NUMBER(name, type, wide, of_element, from_i, from_u, from_d) \
	static void load_##name(union emu_copy_number *numbers, const char *from, int64_t stride, int64_t count) \
	{ \
		for (int64_t k = 0; k < count; k++) { \
			type e; \
			memcpy(&e, from + k * stride, sizeof(e)); \
			numbers[k].wide = of_element; \
		} \
	} \
	static type from_i_##name(int64_t n) { return (type)(from_i); } \
	static type from_u_##name(uint64_t n) { return (type)(from_u); } \
	static type from_d_##name(double n) { return (type)(from_d); } \
	static void store_##name(char *to, int64_t stride, const union emu_copy_number *numbers, \
	                         enum emu_copy_class class, int64_t count) \
	{ \
		for (int64_t k = 0; k < count; k++) { \
			type e = class == EMU_COPY_SIGNED ? from_i_##name(numbers[k].i) : \
			         class == EMU_COPY_UNSIGNED ? from_u_##name(numbers[k].u) : from_d_##name(numbers[k].d); \
			memcpy(to + k * stride, &e, sizeof(e)); \
		} \
	}

#define INTEGER(name, least, most) NUMBER(name, name##_t, i, e, n, n, truncate_signed(n, least, most))

INTEGER(int8, INT8_MIN, INT8_MAX)
INTEGER(int16, INT16_MIN, INT16_MAX)
INTEGER(int32, INT32_MIN, INT32_MAX)
INTEGER(int64, INT64_MIN, INT64_MAX)
INTEGER(uint8, 0, UINT8_MAX)
INTEGER(uint16, 0, UINT16_MAX)
INTEGER(uint32, 0, UINT32_MAX)
NUMBER(uint64, uint64_t, u, e, n, n, truncate_unsigned(n))
NUMBER(bool, uint8_t, i, e != 0, n != 0, n != 0, n != 0)
NUMBER(float, float, d, e, n, n, n)
NUMBER(double, double, d, e, n, n, n)
NUMBER(f16, uint16_t, d, f16_to(e), f16_from((float)n), f16_from((float)n), f16_from((float)n))
NUMBER(bf16, uint16_t, d, bf16_to(e), bf16_from((float)n), bf16_from((float)n), bf16_from((float)n))

static const struct emu_copy_type types[] = {
	{ACL_FLOAT, EMU_COPY_REAL, load_float, store_float},
	{ACL_FLOAT16, EMU_COPY_REAL, load_f16, store_f16},
	{ACL_INT8, EMU_COPY_SIGNED, load_int8, store_int8},
	{ACL_INT32, EMU_COPY_SIGNED, load_int32, store_int32},
	{ACL_UINT8, EMU_COPY_SIGNED, load_uint8, store_uint8},
	{ACL_INT16, EMU_COPY_SIGNED, load_int16, store_int16},
	{ACL_UINT16, EMU_COPY_SIGNED, load_uint16, store_uint16},
	{ACL_UINT32, EMU_COPY_SIGNED, load_uint32, store_uint32},
	{ACL_INT64, EMU_COPY_SIGNED, load_int64, store_int64},
	{ACL_UINT64, EMU_COPY_UNSIGNED, load_uint64, store_uint64},
	{ACL_DOUBLE, EMU_COPY_REAL, load_double, store_double},
	{ACL_BOOL, EMU_COPY_SIGNED, load_bool, store_bool},
	{ACL_BF16, EMU_COPY_REAL, load_bf16, store_bf16},
};

const struct emu_copy_type *emu_copy_type(aclDataType dtype)
{
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (types[i].dtype == dtype)
			return &types[i];
	return NULL;
}
