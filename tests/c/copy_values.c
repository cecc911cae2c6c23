/* What the copy writes: conversions against numbers worked out by hand, views against a loop over indices. */
#include <math.h>
#include <stdlib.h>

#include "acl/acl_rt.h"
#include "aclnnop/aclnn_copy.h"
#include "check.h"

static void *device(const void *data, size_t size)
{
	void *address = NULL;

	CHECK_EQUAL(aclrtMalloc(&address, size, ACL_MEM_MALLOC_HUGE_FIRST), 0);
	CHECK_EQUAL(aclrtMemcpy(address, size, data, size, ACL_MEMCPY_HOST_TO_DEVICE), 0);
	return address;
}

static void take_back(void *data, void *address, size_t size)
{
	CHECK_EQUAL(aclrtMemcpy(data, size, address, size, ACL_MEMCPY_DEVICE_TO_HOST), 0);
	CHECK_EQUAL(aclrtFree(address), 0);
}

/* Destroys both tensors between the phases. Returns what the synchronise says. */
static aclError copy(aclTensor *to, aclTensor *from)
{
	aclOpExecutor *executor = NULL;
	uint64_t size = 1;

	CHECK_EQUAL(aclnnInplaceCopyGetWorkspaceSize(to, from, &size, &executor), 0);
	CHECK_EQUAL(aclDestroyTensor(to), 0);
	CHECK_EQUAL(aclDestroyTensor(from), 0);
	CHECK_EQUAL(aclnnInplaceCopy(NULL, size, executor, NULL), 0);
	return aclrtSynchronizeDevice();
}

static aclTensor *vector(aclDataType dtype, int64_t count, int64_t stride, void *address)
{
	int64_t storage = count * stride;

	return aclCreateTensor(&count, 1, dtype, &stride, 0, ACL_FORMAT_ND, &storage, 1, address);
}

/* ---- conversions ---- */

/* Every element of `from` becomes that of `to`; gaps between the elements stay as they are. */
static void check_convert(aclDataType from, const void *source, aclDataType to, const void *expected, int64_t count)
{
	size_t from_size = aclDataTypeSize(from), to_size = aclDataTypeSize(to);

	for (int64_t stride = 1; stride <= 3; stride += 2) {
		size_t from_bytes = (size_t)(count * stride) * from_size, to_bytes = (size_t)(count * stride) * to_size;
		unsigned char *here = malloc(from_bytes), *there = malloc(to_bytes);
		void *from_device, *to_device;

		memset(here, 0xA5, from_bytes);
		memset(there, 0x5A, to_bytes);
		for (int64_t i = 0; i < count; i++)
			memcpy(here + (size_t)(i * stride) * from_size, (const char *)source + (size_t)i * from_size, from_size);
		from_device = device(here, from_bytes);
		to_device = device(there, to_bytes);
		CHECK_EQUAL(copy(vector(to, count, stride, to_device), vector(from, count, stride, from_device)), 0);
		take_back(there, to_device, to_bytes);
		CHECK_EQUAL(aclrtFree(from_device), 0);
		for (int64_t i = 0; i < count; i++) {
			unsigned char *element = there + (size_t)(i * stride) * to_size;

			if (!CHECK(!memcmp(element, (const char *)expected + (size_t)i * to_size, to_size)))
				fprintf(stderr, "element %lld, type %d to %d\n", (long long)i, (int)from, (int)to);
			memset(element, 0x5A, to_size);
		}
		for (size_t i = 0; i < to_bytes; i++)
			CHECK_EQUAL(there[i], 0x5A);
		free(here);
		free(there);
	}
}

#define CONVERT(from, from_type, to, to_type, count, source, ...) \
	check_convert(from, (from_type[count])source, to, (to_type[count])__VA_ARGS__, count)
#define LIST(...) {__VA_ARGS__}

static void test_reals_lose_their_fraction_and_stay_in_range(void)
{
	CONVERT(ACL_FLOAT, float, ACL_INT8, int8_t, 6, LIST(1.9f, -1.9f, 200, -200, NAN, 127.5f),
	        {1, -1, 127, -128, 0, 127});
	CONVERT(ACL_FLOAT, float, ACL_UINT8, uint8_t, 5, LIST(1.9f, -0.5f, 255.9f, 1e30f, -INFINITY),
	        {1, 0, 255, 255, 0});
	CONVERT(ACL_FLOAT, float, ACL_INT32, int32_t, 4, LIST(-2147483648.f, 2147483648.f, 2147483520.f, -1e20f),
	        {INT32_MIN, INT32_MAX, 2147483520, INT32_MIN});
	CONVERT(ACL_DOUBLE, double, ACL_INT64, int64_t, 5, LIST(0x1p63, -0x1p63, 0x1p62, NAN, -0.9),
	        {INT64_MAX, INT64_MIN, (int64_t)1 << 62, 0, 0});
	CONVERT(ACL_DOUBLE, double, ACL_UINT64, uint64_t, 5, LIST(0x1p64, 0x1p63, -1, NAN, 3.7),
	        {UINT64_MAX, 1ull << 63, 0, 0, 3});
	CONVERT(ACL_DOUBLE, double, ACL_UINT32, uint32_t, 3, LIST(4294967295.0, 4294967296.0, 3.99),
	        {UINT32_MAX, UINT32_MAX, 3});
	CONVERT(ACL_DOUBLE, double, ACL_UINT16, uint16_t, 3, LIST(65535, 65536, 0.5), {65535, 65535, 0});
	CONVERT(ACL_DOUBLE, double, ACL_INT16, int16_t, 3, LIST(-32769, 32768, -32768), {-32768, 32767, -32768});
	/* 0x3e00 is 1.5, 0xfc00 -infinity, 0x7e00 NaN, 0x7bff 65504 */
	CONVERT(ACL_FLOAT16, uint16_t, ACL_INT32, int32_t, 4, LIST(0x3e00, 0xfc00, 0x7e00, 0x7bff),
	        {1, INT32_MIN, 0, 65504});
}

static void test_integers_keep_their_low_bits(void)
{
	CONVERT(ACL_INT32, int32_t, ACL_INT8, int8_t, 4, LIST(128, -129, 511, 5), {-128, 127, -1, 5});
	CONVERT(ACL_INT64, int64_t, ACL_UINT32, uint32_t, 3, LIST(-1, 1ll << 32, 7), {UINT32_MAX, 0, 7});
	CONVERT(ACL_INT8, int8_t, ACL_UINT64, uint64_t, 2, LIST(-1, 1), {UINT64_MAX, 1});
	CONVERT(ACL_UINT64, uint64_t, ACL_INT64, int64_t, 2, LIST(UINT64_MAX, 5), {-1, 5});
	CONVERT(ACL_UINT8, uint8_t, ACL_INT16, int16_t, 2, LIST(255, 3), {255, 3});
	CONVERT(ACL_UINT16, uint16_t, ACL_INT32, int32_t, 2, LIST(65535, 3), {65535, 3});
	CONVERT(ACL_UINT32, uint32_t, ACL_INT64, int64_t, 2, LIST(UINT32_MAX, 3), {UINT32_MAX, 3});
	CONVERT(ACL_INT16, int16_t, ACL_UINT8, uint8_t, 2, LIST(-2, 258), {254, 2});
}

static void test_numbers_are_rounded_once_to_nearest_even(void)
{
	/* halfway cases; 65520 is halfway between the largest half and what would be the next: infinity */
	CONVERT(ACL_FLOAT, float, ACL_FLOAT16, uint16_t, 6,
	        LIST(1 + 0x1p-11f, 1 + 3 * 0x1p-11f, 65504, 65520, 0x1p-25f, -0x1.8p-25f),
	        {0x3c00, 0x3c02, 0x7bff, 0x7c00, 0x0000, 0x8001});
	CONVERT(ACL_FLOAT, float, ACL_BF16, uint16_t, 3, LIST(1 + 0x1p-8f, 1 + 3 * 0x1p-8f, 3e38f),
	        {0x3f80, 0x3f82, 0x7f62});
	CONVERT(ACL_DOUBLE, double, ACL_FLOAT, float, 3, LIST(1 + 0x1p-24, 1 + 3 * 0x1p-24, 1e300),
	        {1, 1 + 0x1p-22f, INFINITY});
	CONVERT(ACL_BF16, uint16_t, ACL_FLOAT, float, 2, LIST(0x3f80, 0xc040), {1, -3});
	CONVERT(ACL_BF16, uint16_t, ACL_FLOAT16, uint16_t, 2, LIST(0x4040, 0x7f00), {0x4200, 0x7c00});
	CONVERT(ACL_FLOAT16, uint16_t, ACL_DOUBLE, double, 3, LIST(0x0001, 0x4200, 0xfc00), {0x1p-24, 3, -INFINITY});
	/* the nearest float of 2^60 + 2^36 + 1 is above the tie; through double it would be the tie, and round down */
	CONVERT(ACL_INT64, int64_t, ACL_FLOAT, float, 2, LIST((1ll << 60) + (1ll << 36) + 1, -16777217),
	        {0x1p60f + 0x1p37f, -16777216});
	CONVERT(ACL_UINT64, uint64_t, ACL_DOUBLE, double, 2, LIST(UINT64_MAX, 1ull << 63), {0x1p64, 0x1p63});
	CONVERT(ACL_INT32, int32_t, ACL_FLOAT16, uint16_t, 3, LIST(2049, 2051, 70000), {0x6800, 0x6802, 0x7c00});
	CONVERT(ACL_INT32, int32_t, ACL_BF16, uint16_t, 2, LIST(257, 259), {0x4380, 0x4382});
	CONVERT(ACL_INT32, int32_t, ACL_DOUBLE, double, 1, LIST(INT32_MIN), {INT32_MIN});
}

static void test_whatever_is_not_zero_is_true(void)
{
	CONVERT(ACL_FLOAT, float, ACL_BOOL, uint8_t, 5, LIST(0, -0.f, 0.25f, NAN, -3), {0, 0, 1, 1, 1});
	CONVERT(ACL_INT64, int64_t, ACL_BOOL, uint8_t, 3, LIST(0, 256, -1), {0, 1, 1});
	CONVERT(ACL_UINT64, uint64_t, ACL_BOOL, uint8_t, 2, LIST(0, 1ull << 63), {0, 1});
	CONVERT(ACL_BOOL, uint8_t, ACL_FLOAT, float, 3, LIST(0, 1, 7), {0, 1, 1});
	CONVERT(ACL_BOOL, uint8_t, ACL_FLOAT16, uint16_t, 2, LIST(0, 1), {0, 0x3c00});
	CONVERT(ACL_BOOL, uint8_t, ACL_INT32, int32_t, 2, LIST(1, 0), {1, 0});
}

static void test_equal_types_are_copied_bit_for_bit(void)
{
	CONVERT(ACL_FLOAT, uint32_t, ACL_FLOAT, uint32_t, 2, LIST(0x7f800001, 0x80000000), {0x7f800001, 0x80000000});
	CONVERT(ACL_HIFLOAT8, uint8_t, ACL_HIFLOAT8, uint8_t, 3, LIST(1, 0x80, 255), {1, 0x80, 255});
	CONVERT(ACL_BOOL, uint8_t, ACL_BOOL, uint8_t, 2, LIST(1, 0), {1, 0});
	CONVERT(ACL_FLOAT16, uint16_t, ACL_FLOAT16, uint16_t, 2, LIST(0x7c01, 0x1234), {0x7c01, 0x1234});
	CONVERT(ACL_COMPLEX64, float _Complex, ACL_COMPLEX64, float _Complex, 2, LIST(1, 2), {1, 2});
	CONVERT(ACL_COMPLEX128, double _Complex, ACL_COMPLEX128, double _Complex, 2, LIST(1, 2), {1, 2});
}

/* ---- views ---- */

enum { D = 3, H = 5, W = 700, STORAGE = 4 * D * H * W };

struct view {
	int64_t dims[3];
	int64_t strides[3];
	int64_t offset;
};

static aclTensor *tensor(const struct view *view, aclDataType dtype, void *address)
{
	const int64_t storage = STORAGE;

	return aclCreateTensor(view->dims, 3, dtype, view->strides, view->offset, ACL_FORMAT_ND, &storage, 1, address);
}

static int64_t place(const struct view *view, int64_t d, int64_t h, int64_t w)
{
	return view->offset + d * view->strides[0] + h * view->strides[1] + w * view->strides[2];
}

/* int32 to int32 and to int64; what is beside the view stays. */
static void check_views(const struct view *to, const struct view *from)
{
	int32_t *source = malloc(STORAGE * sizeof(*source)), *same = malloc(STORAGE * sizeof(*same));
	int64_t *wide = malloc(STORAGE * sizeof(*wide));
	void *source_device, *same_device, *wide_device;
	int32_t *expected = malloc(STORAGE * sizeof(*expected));

	for (int i = 0; i < STORAGE; i++) {
		source[i] = i;
		expected[i] = same[i] = -i - 1;
		wide[i] = -i - 1;
	}
	for (int64_t d = 0; d < D; d++)
		for (int64_t h = 0; h < H; h++)
			for (int64_t w = 0; w < W; w++)
				expected[place(to, d, h, w)] = source[place(from, from->dims[0] == 1 ? 0 : d, h, w)];
	source_device = device(source, STORAGE * sizeof(*source));
	same_device = device(same, STORAGE * sizeof(*same));
	wide_device = device(wide, STORAGE * sizeof(*wide));
	CHECK_EQUAL(copy(tensor(to, ACL_INT32, same_device), tensor(from, ACL_INT32, source_device)), 0);
	CHECK_EQUAL(copy(tensor(to, ACL_INT64, wide_device), tensor(from, ACL_INT32, source_device)), 0);
	take_back(same, same_device, STORAGE * sizeof(*same));
	take_back(wide, wide_device, STORAGE * sizeof(*wide));
	CHECK_EQUAL(aclrtFree(source_device), 0);
	CHECK(!memcmp(same, expected, STORAGE * sizeof(*same)));
	for (int i = 0; i < STORAGE; i++)
		if (wide[i] != expected[i]) {
			CHECK_EQUAL(wide[i], expected[i]);
			break;
		}
	free(source);
	free(same);
	free(wide);
	free(expected);
}

static void test_any_view_goes_to_any_other(void)
{
	static const struct view views[] = {
		{{D, H, W}, {H * W, W, 1}, 0},
		{{D, H, W}, {H * W, W, 1}, 17},
		{{D, H, W}, {1, D, D * H}, 0},                /* permuted */
		{{D, H, W}, {H * W * 2, W * 2, 2}, 1},        /* strided */
		{{D, H, W}, {-H * W, W, 1}, (D - 1) * H * W}, /* reversed */
		{{D, H, W}, {1, W * D, D}, 5},
	};
	static const struct view repeated = {{1, H, W}, {2 * H * W, W, 1}, 3}, expanded = {{D, H, W}, {0, W, 1}, 3};
	const int count = sizeof(views) / sizeof(views[0]);

	for (int to = 0; to < count; to++) {
		for (int from = 0; from < count; from++)
			check_views(&views[to], &views[from]);
		check_views(&views[to], &repeated);
		check_views(&views[to], &expanded);
	}
}

static void test_a_reversed_view_may_fill_its_memory(void)
{
	enum { COUNT = 64 };
	const int64_t count = COUNT, stride = -1;
	float numbers[COUNT], found[COUNT];
	void *from, *to;
	aclTensor *reversed;

	for (int i = 0; i < COUNT; i++)
		numbers[i] = (float)i;
	from = device(numbers, sizeof(numbers));
	to = device(numbers, sizeof(numbers));
	reversed = aclCreateTensor(&count, 1, ACL_FLOAT, &stride, COUNT - 1, ACL_FORMAT_ND, &count, 1, from);
	CHECK_EQUAL(copy(vector(ACL_FLOAT, COUNT, 1, to), reversed), 0);
	take_back(found, to, sizeof(found));
	for (int i = 0; i < COUNT; i++)
		CHECK_EQUAL(found[i], COUNT - 1 - i);
	CHECK_EQUAL(aclrtFree(from), 0);
}

static void test_nothing_is_written_for_an_empty_tensor(void)
{
	CHECK_EQUAL(copy(vector(ACL_FLOAT, 0, 1, NULL), vector(ACL_FLOAT, 0, 1, NULL)), 0);
}

static void test_memory_that_is_not_the_devices_is_found_by_the_run(void)
{
	float here[4] = {1, 2, 3, 4}, back[4];
	void *there = device(here, sizeof(here));

	aclGetRecentErrMsg();
	CHECK_EQUAL(copy(vector(ACL_FLOAT, 4, 1, there), vector(ACL_FLOAT, 4, 1, here)), 507015);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "src");
	CHECK_EQUAL(copy(vector(ACL_FLOAT, 4, 1, NULL), vector(ACL_FLOAT, 4, 1, there)), 507015);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "selfRef");
	CHECK_EQUAL(copy(vector(ACL_FLOAT, 100, 1, there), vector(ACL_FLOAT, 1, 1, there)), 507015);
	take_back(back, there, sizeof(back));
	CHECK(!memcmp(here, back, sizeof(back)));
}

int main(void)
{
	CHECK_EQUAL(aclrtSetDevice(0), 0);
	test_reals_lose_their_fraction_and_stay_in_range();
	test_integers_keep_their_low_bits();
	test_numbers_are_rounded_once_to_nearest_even();
	test_whatever_is_not_zero_is_true();
	test_equal_types_are_copied_bit_for_bit();
	test_any_view_goes_to_any_other();
	test_a_reversed_view_may_fill_its_memory();
	test_nothing_is_written_for_an_empty_tensor();
	test_memory_that_is_not_the_devices_is_found_by_the_run();
	CHECK_EQUAL(aclrtResetDevice(0), 0);
	return check_report();
}
