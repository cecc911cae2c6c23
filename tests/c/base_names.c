/* Names, sizes and lists of data types and formats; shapes as text. */
#include "acl/acl_base.h"
#include "base/dtype.h"
#include "base/tensor.h"
#include "check.h"

static void check_bytes(uint64_t count, int dtype, uint64_t want)
{
	uint64_t bytes = 77;
	CHECK(emu_dtype_bytes(count, (aclDataType)dtype, &bytes));
	CHECK_EQUAL(bytes, want);
}

/* The table of aclnn_base section 8.1: number, bytes of 8 elements. */
static void test_every_type_has_its_size(void)
{
	static const struct {
		int dtype;
		uint64_t bytes_of_eight;
	} table[] = {
		{-1, 128}, {0, 32}, {1, 16}, {2, 8}, {3, 32}, {4, 8}, {6, 16}, {7, 16}, {8, 32}, {9, 64},
		{10, 64}, {11, 64}, {12, 8}, {13, 128}, {16, 64}, {17, 128}, {27, 16}, {29, 4}, {30, 1},
		{33, 32}, {34, 8}, {35, 8}, {36, 8}, {37, 8}, {38, 6}, {39, 6}, {40, 4}, {41, 4},
	};
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		check_bytes(8, table[i].dtype, table[i].bytes_of_eight);
}

static void test_packed_types_round_up(void)
{
	check_bytes(17, ACL_FLOAT16, 34);
	check_bytes(17, ACL_INT4, 9);
	check_bytes(1, ACL_UINT1, 1);
	check_bytes(9, ACL_UINT1, 2);
	check_bytes(3, ACL_FLOAT6_E3M2, 3);
	check_bytes(0, ACL_INT4, 0);
}

static void test_sizes_beyond_64_bits_and_unknown_types_have_no_answer(void)
{
	uint64_t bytes = 77;
	CHECK(!emu_dtype_bytes(INT64_MAX, ACL_FLOAT16, &bytes));
	CHECK(!emu_dtype_bytes(UINT64_MAX, ACL_INT8, &bytes));
	CHECK(!emu_dtype_bytes(UINT64_MAX, ACL_COMPLEX128, &bytes));
	CHECK(!emu_dtype_bytes(1, (aclDataType)5, &bytes));
	CHECK(!emu_dtype_bytes(1, (aclDataType)42, &bytes));
	CHECK_EQUAL(bytes, 77);
	check_bytes(INT64_MAX, ACL_INT8, INT64_MAX);
	check_bytes(INT64_MAX, ACL_INT4, INT64_MAX / 2 + 1);
}

static void check_name(const char *got, const char *want)
{
	if (!CHECK(!strcmp(got, want)))
		fprintf(stderr, "\"%s\" is not \"%s\"\n", got, want);
}

static void test_types_are_called_as_the_device_calls_them(void)
{
	check_name(emu_dtype_name(ACL_FLOAT), "DT_FLOAT");
	check_name(emu_dtype_name(ACL_FLOAT16), "DT_FLOAT16");
	check_name(emu_dtype_name(ACL_BF16), "DT_BFLOAT16");
	check_name(emu_dtype_name(ACL_INT8), "DT_INT8");
	check_name(emu_dtype_name(ACL_HIFLOAT8), "DT_HIFLOAT8");
	check_name(emu_dtype_name(ACL_FLOAT8_E4M3FN), "DT_FLOAT8_E4M3FN");
	check_name(emu_dtype_name(ACL_DOUBLE), "DT_DOUBLE");
	check_name(emu_dtype_name((aclDataType)28), "DT_UNDEFINED");
}

static void test_lists_of_types_end_with_a_comma(void)
{
	char text[EMU_DTYPES_TEXT];
	const aclDataType two[] = {ACL_FLOAT16, ACL_FLOAT};
	check_name(emu_dtypes_text(two, 2, text), "[DT_FLOAT16,DT_FLOAT,]");
	check_name(emu_dtypes_text(two, 0, text), "[]");
	aclDataType many[100];
	for (int i = 0; i < 100; i++)
		many[i] = ACL_FLOAT8_E4M3FN;
	CHECK_EQUAL(strlen(emu_dtypes_text(many, 100, text)), EMU_DTYPES_TEXT - 1);
}

static void test_formats_have_their_names(void)
{
	static const struct {
		int format;
		const char *name;
	} table[] = {
		{-1, "UNDEFINED"}, {0, "NCHW"}, {1, "NHWC"}, {2, "ND"}, {3, "NC1HWC0"}, {4, "FRACTAL_Z"},
		{12, "NC1HWC0_C04"}, {16, "HWCN"}, {27, "NDHWC"}, {29, "FRACTAL_NZ"}, {30, "NCDHW"}, {32, "NDC1HWC0"},
		{33, "FRACTAL_Z_3D"}, {35, "NC"}, {47, "NCL"}, {50, "FRACTAL_NZ_C0_16"}, {51, "FRACTAL_NZ_C0_32"},
		{52, "FRACTAL_NZ_C0_2"}, {53, "FRACTAL_NZ_C0_4"}, {54, "FRACTAL_NZ_C0_8"}, {5, "UNDEFINED"},
	};
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		check_name(emu_format_name((aclFormat)table[i].format), table[i].name);
}

static void test_shapes_print_in_brackets(void)
{
	char text[EMU_DIMS_TEXT];
	check_name(emu_dims_text((int64_t[]){2, 2, 7, 7}, 4, text), "[2, 2, 7, 7]");
	check_name(emu_dims_text((int64_t[]){INT64_MIN}, 1, text), "[-9223372036854775808]");
	check_name(emu_dims_text(NULL, 0, text), "[]");
}

static void test_a_long_shape_is_cut(void)
{
	int64_t dims[25];
	for (int i = 0; i < 25; i++)
		dims[i] = INT64_MIN;
	char text[EMU_DIMS_TEXT + 1];
	text[EMU_DIMS_TEXT] = '!';
	emu_dims_text(dims, 25, text);
	CHECK_EQUAL(text[EMU_DIMS_TEXT], '!');
	size_t length = strlen(text);
	CHECK(length < EMU_DIMS_TEXT && length > EMU_DIMS_TEXT - 30);
	CHECK(!strcmp(text + length - 4, "...]"));
}

int main(void)
{
	test_every_type_has_its_size();
	test_packed_types_round_up();
	test_sizes_beyond_64_bits_and_unknown_types_have_no_answer();
	test_types_are_called_as_the_device_calls_them();
	test_lists_of_types_end_with_a_comma();
	test_formats_have_their_names();
	test_shapes_print_in_brackets();
	test_a_long_shape_is_cut();
	return check_report();
}
