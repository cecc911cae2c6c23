/* Creating, re-initialising and destroying tensors. */
#include <pthread.h>
#include <stdlib.h>

#include "acl/acl_rt.h"
#include "aclnn/acl_meta.h"
#include "aclnn/opdev/op_errno.h"
#include "base/tensor.h"
#include "check.h"

static const int64_t image[] = {2, 3, 4, 5};
static char memory[64];

static aclTensor *tensor_of(const int64_t *dims, uint64_t count)
{
	return aclCreateTensor(dims, count, ACL_FLOAT, NULL, 0, ACL_FORMAT_NCHW, dims, count, memory);
}

static struct emu_tensor_numbers numbers_of(const aclTensor *tensor)
{
	struct emu_tensor_numbers numbers;
	struct emu_cell *cell = NULL;
	memset(&numbers, 0x5a, sizeof(numbers));
	CHECK(emu_tensor_snapshot(tensor, &numbers, &cell));
	emu_cell_release(cell);
	return numbers;
}

static void check_values(const int64_t *got, int got_count, const int64_t *want, int want_count)
{
	if (!CHECK_EQUAL(got_count, want_count))
		return;
	for (int i = 0; i < want_count; i++)
		CHECK_EQUAL(got[i], want[i]);
}

static void test_a_tensor_keeps_a_copy_of_everything(void)
{
	int64_t dims[] = {2, 3}, strides[] = {7, 2}, storage[] = {100};
	aclTensor *tensor = aclCreateTensor(dims, 2, ACL_BF16, strides, 9, ACL_FORMAT_ND, storage, 1, memory);
	CHECK(tensor);
	memset(dims, 0, sizeof(dims));
	memset(strides, 0, sizeof(strides));
	memset(storage, 0, sizeof(storage));

	struct emu_tensor_numbers numbers;
	struct emu_cell *cell;
	CHECK(emu_tensor_snapshot(tensor, &numbers, &cell));
	check_values(numbers.dims, numbers.rank, (int64_t[]){2, 3}, 2);
	check_values(numbers.strides, numbers.strides_count, (int64_t[]){7, 2}, 2);
	check_values(numbers.storage_dims, numbers.storage_rank, (int64_t[]){100}, 1);
	CHECK_EQUAL(numbers.offset, 9);
	CHECK_EQUAL(numbers.dtype, ACL_BF16);
	CHECK_EQUAL(numbers.format, ACL_FORMAT_ND);
	CHECK(atomic_load(&cell->address) == memory);
	emu_cell_release(cell);
	CHECK_EQUAL(aclDestroyTensor(tensor), 0);
}

static void test_without_strides_they_are_those_of_a_dense_view(void)
{
	const int64_t storage[] = {1000, 1000};
	aclTensor *tensor = aclCreateTensor(image, 4, ACL_FLOAT, NULL, 0, ACL_FORMAT_NCHW, storage, 2, memory);
	struct emu_tensor_numbers numbers = numbers_of(tensor);
	check_values(numbers.strides, numbers.strides_count, (int64_t[]){60, 20, 5, 1}, 4);
	aclDestroyTensor(tensor);
}

static void test_dims_of_zero_and_below_are_kept(void)
{
	const int64_t dims[] = {-2, 0, -3, INT64_MIN};
	aclTensor *tensor = tensor_of(dims, 4);
	struct emu_tensor_numbers numbers = numbers_of(tensor);
	check_values(numbers.dims, numbers.rank, dims, 4);
	check_values(numbers.storage_dims, numbers.storage_rank, dims, 4);
	aclDestroyTensor(tensor);
}

static void test_strides_beyond_64_bits_stop_at_the_end_of_the_range(void)
{
	const int64_t huge[] = {9, INT64_MAX, INT64_MAX, 2};
	aclTensor *tensor = tensor_of(huge, 4);
	struct emu_tensor_numbers numbers = numbers_of(tensor);
	check_values(numbers.strides, numbers.strides_count, (int64_t[]){INT64_MAX, INT64_MAX, 2, 1}, 4);
	aclDestroyTensor(tensor);

	const int64_t negative[] = {9, 4, INT64_MIN};
	tensor = tensor_of(negative, 3);
	numbers = numbers_of(tensor);
	check_values(numbers.strides, numbers.strides_count, (int64_t[]){INT64_MIN, INT64_MIN, 1}, 3);
	aclDestroyTensor(tensor);
}

static void test_rank_zero_needs_no_arrays(void)
{
	aclTensor *tensor = aclCreateTensor(NULL, 0, ACL_FLOAT, NULL, 0, ACL_FORMAT_ND, NULL, 0, NULL);
	CHECK(tensor);
	struct emu_tensor_numbers numbers = numbers_of(tensor);
	CHECK_EQUAL(numbers.rank, 0);
	CHECK_EQUAL(numbers.storage_rank, 0);
	CHECK_EQUAL(numbers.strides_count, 0);
	CHECK_EQUAL(aclDestroyTensor(tensor), 0);
}

static void test_a_missing_shape_of_some_length_gives_no_tensor(void)
{
	aclGetRecentErrMsg();
	CHECK(!aclCreateTensor(NULL, 4, ACL_FLOAT, NULL, 0, ACL_FORMAT_NCHW, image, 4, memory));
	CHECK_CONTAINS(aclGetRecentErrMsg(), "aclCreateTensor failed because viewDims cannot be a NULL pointer");
	CHECK(!aclCreateTensor(image, 4, ACL_FLOAT, NULL, 0, ACL_FORMAT_NCHW, NULL, 1, memory));
	CHECK_CONTAINS(aclGetRecentErrMsg(), "storageDims cannot be a NULL pointer");
}

static void test_twenty_five_dimensions_are_the_most(void)
{
	int64_t dims[26];
	for (int i = 0; i < 26; i++)
		dims[i] = 1;
	aclTensor *tensor = tensor_of(dims, 25);
	CHECK(tensor);
	CHECK_EQUAL(numbers_of(tensor).rank, 25);
	aclDestroyTensor(tensor);

	aclGetRecentErrMsg();
	CHECK(!aclCreateTensor(dims, 26, ACL_FLOAT, NULL, 0, ACL_FORMAT_ND, dims, 1, memory));
	CHECK_CONTAINS(aclGetRecentErrMsg(), "viewDimsNum is 26: a tensor cannot be larger than 25 dimensions");
	CHECK(!aclCreateTensor(dims, 1, ACL_FLOAT, NULL, 0, ACL_FORMAT_ND, dims, UINT64_MAX, memory));
	CHECK_CONTAINS(aclGetRecentErrMsg(), "storageDimsNum is 18446744073709551615");
}

static void test_types_formats_and_addresses_are_not_judged_here(void)
{
	const int formats[] = {-1, 3, 4, 12, 29, 32, 33, 50, 54, 99, 0x10004};
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		aclTensor *tensor = aclCreateTensor(image, 4, (aclDataType)42, NULL, INT64_MIN, (aclFormat)formats[i],
		                                    image, 4, (void *)1);
		struct emu_tensor_numbers numbers = numbers_of(tensor);
		CHECK_EQUAL(numbers.dtype, 42);
		CHECK_EQUAL(numbers.format, formats[i]);
		CHECK_EQUAL(numbers.offset, INT64_MIN);
		aclDestroyTensor(tensor);
	}
}

static void test_destroying_null_or_twice_is_fine(void)
{
	aclTensor *tensor = tensor_of(image, 4);
	aclGetRecentErrMsg();
	CHECK_EQUAL(aclDestroyTensor(NULL), 0);
	CHECK_EQUAL(aclDestroyTensor(tensor), 0);
	CHECK_EQUAL(aclDestroyTensor(tensor), 0);
	CHECK(!aclGetRecentErrMsg());
}

static void test_destroying_what_is_no_tensor_says_so(void)
{
	aclIntArray *array = aclCreateIntArray(image, 4);
	aclGetRecentErrMsg();
	CHECK_EQUAL(aclDestroyTensor((const aclTensor *)memory), ACLNN_ERR_PARAM_INVALID);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "aclDestroyTensor failed because tensor is not a live aclTensor");
	CHECK_EQUAL(aclDestroyTensor((const aclTensor *)array), ACLNN_ERR_PARAM_INVALID);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "an aclIntArray that is live");
	uint64_t size;
	CHECK_EQUAL(aclGetIntArraySize(array, &size), 0);
	aclDestroyIntArray(array);
}

static void test_a_snapshot_needs_a_live_tensor(void)
{
	struct emu_tensor_numbers numbers;
	struct emu_cell *cell = (struct emu_cell *)memory;
	aclTensor *tensor = tensor_of(image, 4);
	aclDestroyTensor(tensor);
	CHECK(!emu_tensor_snapshot(NULL, &numbers, &cell));
	CHECK(!emu_tensor_snapshot(tensor, &numbers, &cell));
	CHECK(!emu_tensor_snapshot((const aclTensor *)memory, &numbers, &cell));
	CHECK(cell == (struct emu_cell *)memory);
}

static void test_init_replaces_what_is_given(void)
{
	char other[8];
	const int64_t dims[] = {6, 7}, strides[] = {8, 1}, storage[] = {48};
	aclTensor *tensor = tensor_of(image, 4);
	CHECK_EQUAL(aclInitTensor(tensor, dims, 2, ACL_FLOAT16, strides, 3, ACL_FORMAT_ND, storage, 1, other), 0);
	struct emu_tensor_numbers numbers = numbers_of(tensor);
	check_values(numbers.dims, numbers.rank, dims, 2);
	check_values(numbers.strides, numbers.strides_count, strides, 2);
	check_values(numbers.storage_dims, numbers.storage_rank, storage, 1);
	CHECK_EQUAL(numbers.dtype, ACL_FLOAT16);
	CHECK_EQUAL(numbers.format, ACL_FORMAT_ND);
	CHECK_EQUAL(numbers.offset, 3);
	void *address;
	CHECK_EQUAL(aclGetRawTensorAddr(tensor, &address), 0);
	CHECK(address == other);
	aclDestroyTensor(tensor);
}

static void test_init_keeps_shapes_and_address_that_are_not_given(void)
{
	const int64_t strides[] = {1, 2, 3, 4};
	aclTensor *tensor = aclCreateTensor(image, 4, ACL_FLOAT, strides, 5, ACL_FORMAT_NCHW, image, 3, memory);
	CHECK_EQUAL(aclInitTensor(tensor, NULL, 4, ACL_BF16, NULL, 0, ACL_FORMAT_ND, image, 0, NULL), 0);
	struct emu_tensor_numbers numbers = numbers_of(tensor);
	check_values(numbers.dims, numbers.rank, image, 4);
	check_values(numbers.storage_dims, numbers.storage_rank, image, 3);
	check_values(numbers.strides, numbers.strides_count, (int64_t[]){60, 20, 5, 1}, 4);
	CHECK_EQUAL(numbers.dtype, ACL_BF16);
	CHECK_EQUAL(numbers.format, ACL_FORMAT_ND);
	CHECK_EQUAL(numbers.offset, 0);
	CHECK_EQUAL(aclInitTensor(tensor, strides, 0, ACL_BF16, NULL, 0, ACL_FORMAT_ND, NULL, 9, NULL), 0);
	numbers = numbers_of(tensor);
	check_values(numbers.dims, numbers.rank, image, 4);
	check_values(numbers.storage_dims, numbers.storage_rank, image, 3);
	void *address;
	CHECK_EQUAL(aclGetRawTensorAddr(tensor, &address), 0);
	CHECK(address == memory);
	aclDestroyTensor(tensor);
}

static void test_init_refuses_what_is_no_tensor(void)
{
	aclGetRecentErrMsg();
	CHECK_EQUAL(aclInitTensor(NULL, image, 4, ACL_FLOAT, NULL, 0, ACL_FORMAT_ND, image, 4, memory),
	            ACLNN_ERR_PARAM_NULLPTR);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "aclInitTensor failed because tensor cannot be a NULL pointer");
	aclTensor *tensor = tensor_of(image, 4);
	aclDestroyTensor(tensor);
	CHECK_EQUAL(aclInitTensor(tensor, image, 4, ACL_FLOAT, NULL, 0, ACL_FORMAT_ND, image, 4, memory),
	            ACLNN_ERR_PARAM_INVALID);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "that was destroyed");
}

static void test_init_with_too_many_dimensions_changes_nothing(void)
{
	const int64_t dims[26] = {0};
	aclTensor *tensor = tensor_of(image, 4);
	CHECK_EQUAL(aclInitTensor(tensor, dims, 26, ACL_BF16, NULL, 0, ACL_FORMAT_ND, NULL, 0, NULL),
	            ACLNN_ERR_PARAM_INVALID);
	CHECK_EQUAL(aclInitTensor(tensor, NULL, 26, ACL_BF16, dims, 0, ACL_FORMAT_ND, NULL, 0, NULL),
	            ACLNN_ERR_PARAM_INVALID);
	CHECK_EQUAL(aclInitTensor(tensor, NULL, 0, ACL_BF16, NULL, 0, ACL_FORMAT_ND, dims, 26, NULL),
	            ACLNN_ERR_PARAM_INVALID);
	struct emu_tensor_numbers numbers = numbers_of(tensor);
	check_values(numbers.dims, numbers.rank, image, 4);
	CHECK_EQUAL(numbers.dtype, ACL_FLOAT);
	aclDestroyTensor(tensor);
}

/* Every number of the tensor is the same, so that a mixture of two moments shows. */
static aclnnStatus init_all_numbers(aclTensor *tensor, int64_t number)
{
	int64_t numbers[EMU_MAX_RANK];
	for (int i = 0; i < EMU_MAX_RANK; i++)
		numbers[i] = number;
	return aclInitTensor(tensor, numbers, EMU_MAX_RANK, ACL_FLOAT, numbers, number, ACL_FORMAT_ND, numbers,
	                     EMU_MAX_RANK, NULL);
}

static atomic_bool enough;

static void *init_until_enough(void *tensor)
{
	for (int64_t i = 1; !atomic_load(&enough); i++)
		init_all_numbers(tensor, i);
	return NULL;
}

static void test_a_snapshot_beside_init_is_of_one_moment(void)
{
	aclTensor *tensor = tensor_of(image, 4);
	CHECK_EQUAL(init_all_numbers(tensor, 0), 0);
	pthread_t thread;
	pthread_create(&thread, NULL, init_until_enough, tensor);
	int torn = 0;
	for (int64_t moments = 0, last = 0; moments < 500;) {
		struct emu_tensor_numbers numbers;
		struct emu_cell *cell = NULL;
		torn += !emu_tensor_snapshot(tensor, &numbers, &cell);
		emu_cell_release(cell);
		for (int i = 0; i < EMU_MAX_RANK; i++)
			torn += numbers.dims[i] != numbers.offset || numbers.strides[i] != numbers.offset ||
			        numbers.storage_dims[i] != numbers.offset;
		moments += numbers.offset != last;
		last = numbers.offset;
	}
	atomic_store(&enough, true);
	pthread_join(thread, NULL);
	CHECK_EQUAL(torn, 0);
	aclDestroyTensor(tensor);
}

int main(void)
{
	test_a_tensor_keeps_a_copy_of_everything();
	test_without_strides_they_are_those_of_a_dense_view();
	test_dims_of_zero_and_below_are_kept();
	test_strides_beyond_64_bits_stop_at_the_end_of_the_range();
	test_rank_zero_needs_no_arrays();
	test_a_missing_shape_of_some_length_gives_no_tensor();
	test_twenty_five_dimensions_are_the_most();
	test_types_formats_and_addresses_are_not_judged_here();
	test_destroying_null_or_twice_is_fine();
	test_destroying_what_is_no_tensor_says_so();
	test_a_snapshot_needs_a_live_tensor();
	test_init_replaces_what_is_given();
	test_init_keeps_shapes_and_address_that_are_not_given();
	test_init_refuses_what_is_no_tensor();
	test_init_with_too_many_dimensions_changes_nothing();
	test_a_snapshot_beside_init_is_of_one_moment();
	return check_report();
}
