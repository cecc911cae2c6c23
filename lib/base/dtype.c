#include "base/dtype.h"

#include <stddef.h>
#include <stdio.h>

#include "base/tensor.h"

static const struct dtype {
	aclDataType value;
	unsigned bits; /* of one element */
	const char *name;
} dtypes[] = {
	{ACL_DT_UNDEFINED, 128, "DT_UNDEFINED"},
	{ACL_FLOAT, 32, "DT_FLOAT"},
	{ACL_FLOAT16, 16, "DT_FLOAT16"},
	{ACL_INT8, 8, "DT_INT8"},
	{ACL_INT32, 32, "DT_INT32"},
	{ACL_UINT8, 8, "DT_UINT8"},
	{ACL_INT16, 16, "DT_INT16"},
	{ACL_UINT16, 16, "DT_UINT16"},
	{ACL_UINT32, 32, "DT_UINT32"},
	{ACL_INT64, 64, "DT_INT64"},
	{ACL_UINT64, 64, "DT_UINT64"},
	{ACL_DOUBLE, 64, "DT_DOUBLE"},
	{ACL_BOOL, 8, "DT_BOOL"},
	{ACL_STRING, 128, "DT_STRING"},
	{ACL_COMPLEX64, 64, "DT_COMPLEX64"},
	{ACL_COMPLEX128, 128, "DT_COMPLEX128"},
	{ACL_BF16, 16, "DT_BFLOAT16"},
	{ACL_INT4, 4, "DT_INT4"},
	{ACL_UINT1, 1, "DT_UINT1"},
	{ACL_COMPLEX32, 32, "DT_COMPLEX32"},
	{ACL_HIFLOAT8, 8, "DT_HIFLOAT8"},
	{ACL_FLOAT8_E5M2, 8, "DT_FLOAT8_E5M2"},
	{ACL_FLOAT8_E4M3FN, 8, "DT_FLOAT8_E4M3FN"},
	{ACL_FLOAT8_E8M0, 8, "DT_FLOAT8_E8M0"},
	{ACL_FLOAT6_E3M2, 6, "DT_FLOAT6_E3M2"},
	{ACL_FLOAT6_E2M3, 6, "DT_FLOAT6_E2M3"},
	{ACL_FLOAT4_E2M1, 4, "DT_FLOAT4_E2M1"},
	{ACL_FLOAT4_E1M2, 4, "DT_FLOAT4_E1M2"},
};

static const struct format {
	aclFormat value;
	const char *name;
} formats[] = {
	{ACL_FORMAT_UNDEFINED, "UNDEFINED"},
	{ACL_FORMAT_NCHW, "NCHW"},
	{ACL_FORMAT_NHWC, "NHWC"},
	{ACL_FORMAT_ND, "ND"},
	{ACL_FORMAT_NC1HWC0, "NC1HWC0"},
	{ACL_FORMAT_FRACTAL_Z, "FRACTAL_Z"},
	{ACL_FORMAT_NC1HWC0_C04, "NC1HWC0_C04"},
	{ACL_FORMAT_HWCN, "HWCN"},
	{ACL_FORMAT_NDHWC, "NDHWC"},
	{ACL_FORMAT_FRACTAL_NZ, "FRACTAL_NZ"},
	{ACL_FORMAT_NCDHW, "NCDHW"},
	{ACL_FORMAT_NDC1HWC0, "NDC1HWC0"},
	{ACL_FRACTAL_Z_3D, "FRACTAL_Z_3D"},
	{ACL_FORMAT_NC, "NC"},
	{ACL_FORMAT_NCL, "NCL"},
	{ACL_FORMAT_FRACTAL_NZ_C0_16, "FRACTAL_NZ_C0_16"},
	{ACL_FORMAT_FRACTAL_NZ_C0_32, "FRACTAL_NZ_C0_32"},
	{ACL_FORMAT_FRACTAL_NZ_C0_2, "FRACTAL_NZ_C0_2"},
	{ACL_FORMAT_FRACTAL_NZ_C0_4, "FRACTAL_NZ_C0_4"},
	{ACL_FORMAT_FRACTAL_NZ_C0_8, "FRACTAL_NZ_C0_8"},
};

static const struct dtype *find_dtype(aclDataType value)
{
	for (size_t i = 0; i < sizeof(dtypes) / sizeof(dtypes[0]); i++)
		if (dtypes[i].value == value)
			return &dtypes[i];
	return NULL;
}

static const struct format *find_format(aclFormat value)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		if (formats[i].value == value)
			return &formats[i];
	return NULL;
}

bool emu_dtype_is_known(aclDataType dtype)
{
	return find_dtype(dtype);
}

bool emu_format_is_known(aclFormat format)
{
	return find_format(format);
}

const char *emu_dtype_name(aclDataType dtype)
{
	const struct dtype *found = find_dtype(dtype);
	return found ? found->name : "DT_UNDEFINED";
}

const char *emu_format_name(aclFormat format)
{
	const struct format *found = find_format(format);
	return found ? found->name : "UNDEFINED";
}

bool emu_dtype_bytes(uint64_t count, aclDataType dtype, uint64_t *bytes)
{
	const struct dtype *found = find_dtype(dtype);
	if (!found)
		return false;
	/* Eight elements of n bits are n bytes, whatever n is. */
	uint64_t eights, total;
	if (__builtin_mul_overflow(count / 8, found->bits, &eights) ||
	    __builtin_add_overflow(eights, (count % 8 * found->bits + 7) / 8, &total) || total > INT64_MAX)
		return false;
	*bytes = total;
	return true;
}

/* The longest name has 16 characters and there are 28 types: the list always fits. */
const char *emu_dtypes_text(const aclDataType *list, int count, char text[EMU_DTYPES_TEXT])
{
	int length = snprintf(text, EMU_DTYPES_TEXT, "[");
	for (int i = 0; i < count && length < EMU_DTYPES_TEXT; i++)
		length += snprintf(text + length, (size_t)(EMU_DTYPES_TEXT - length), "%s,", emu_dtype_name(list[i]));
	if (length < EMU_DTYPES_TEXT)
		snprintf(text + length, (size_t)(EMU_DTYPES_TEXT - length), "]");
	return text;
}

const char *emu_dims_text(const int64_t *dims, uint64_t count, char text[EMU_DIMS_TEXT])
{
	static const char cut[] = "...]";
	size_t end = 1;
	text[0] = '[';
	for (uint64_t i = 0; i < count; i++) {
		char one[32];
		int length = snprintf(one, sizeof(one), "%s%lld", i ? ", " : "", (long long)dims[i]);
		if (end + (size_t)length + sizeof(cut) > EMU_DIMS_TEXT) {
			snprintf(text + end, EMU_DIMS_TEXT - end, "%s", cut);
			return text;
		}
		snprintf(text + end, EMU_DIMS_TEXT - end, "%s", one);
		end += (size_t)length;
	}
	snprintf(text + end, EMU_DIMS_TEXT - end, "]");
	return text;
}
