#include "base/tensor_argument.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "aclnn/opdev/op_errno.h"
#include "base/object.h"
#include "runtime/error.h"

struct tensor {
	struct emu_object object;
	pthread_mutex_t lock;      /* aclInitTensor() may rewrite the numbers while another thread plans with them */
	struct emu_tensor_numbers numbers;
	struct emu_cell *cell;     /* the same one for life */
};

/* What a caller gives to aclCreateTensor() and aclInitTensor(). */
struct description {
	const int64_t *dims;
	uint64_t dims_count;
	const int64_t *strides; /* null: contiguous */
	int64_t offset;
	aclDataType dtype;
	aclFormat format;
	const int64_t *storage_dims;
	uint64_t storage_count;
};

static struct emu_cell *cell_create(void *address)
{
	struct emu_cell *cell = malloc(sizeof(*cell));
	if (!cell)
		return NULL;
	atomic_init(&cell->references, 1);
	atomic_init(&cell->address, address);
	return cell;
}

void emu_cell_retain(struct emu_cell *cell)
{
	atomic_fetch_add_explicit(&cell->references, 1, memory_order_relaxed);
}

void emu_cell_release(struct emu_cell *cell)
{
	if (cell && atomic_fetch_sub_explicit(&cell->references, 1, memory_order_acq_rel) == 1)
		free(cell);
}

static void free_tensor(struct emu_object *object)
{
	struct tensor *tensor = (struct tensor *)object;
	pthread_mutex_destroy(&tensor->lock);
	emu_cell_release(tensor->cell);
	free(tensor);
}

/* The caller's numbers are not checked, so their products may leave the range; they stop at its end and do not wrap. */
static void set_contiguous_strides(struct emu_tensor_numbers *numbers)
{
	int64_t stride = 1;
	for (int axis = numbers->rank - 1; axis >= 0; axis--) {
		numbers->strides[axis] = stride;
		int64_t product;
		if (__builtin_mul_overflow(stride, numbers->dims[axis], &product))
			product = (stride < 0) == (numbers->dims[axis] < 0) ? INT64_MAX : INT64_MIN;
		stride = product;
	}
	numbers->strides_count = numbers->rank;
}

static void set_dims(int64_t *to, int *rank, const int64_t *from, uint64_t count)
{
	if (count)
		memcpy(to, from, (size_t)count * sizeof(*to));
	*rank = (int)count;
}

/* dtype, format, offset and dims are for the operators to check, not here (aclnn_base section 4). */
static void set_layout(struct emu_tensor_numbers *numbers, const struct description *description)
{
	numbers->dtype = description->dtype;
	numbers->format = description->format;
	numbers->offset = description->offset;
	if (description->strides)
		set_dims(numbers->strides, &numbers->strides_count, description->strides, description->dims_count);
	else
		set_contiguous_strides(numbers);
}

static aclnnStatus check_rank(const char *function, const char *argument, uint64_t count)
{
	if (count <= EMU_MAX_RANK)
		return ACLNN_SUCCESS;
	emu_error_add("EZ1007", "%s failed because %s is %" PRIu64 ": a tensor cannot be larger than %d dimensions",
	              function, argument, count, EMU_MAX_RANK);
	return ACLNN_ERR_PARAM_INVALID;
}

static aclnnStatus check_shape(const char *function, const char *argument, const char *count_argument,
                               const int64_t *dims, uint64_t count)
{
	if (!dims && count)
		return emu_refuse_null(ACLNN_ERR_PARAM_NULLPTR, function, argument);
	return check_rank(function, count_argument, count);
}

static aclTensor *create_tensor(const struct description *description, void *address)
{
	struct tensor *tensor = calloc(1, sizeof(*tensor));
	struct emu_cell *cell = cell_create(address);
	if (!tensor || !cell)
		goto no_memory;
	struct emu_tensor_numbers *numbers = &tensor->numbers;
	set_dims(numbers->dims, &numbers->rank, description->dims, description->dims_count);
	set_dims(numbers->storage_dims, &numbers->storage_rank, description->storage_dims, description->storage_count);
	set_layout(numbers, description);
	tensor->cell = cell;
	pthread_mutex_init(&tensor->lock, NULL);
	if (emu_handle_open(&tensor->object, EMU_KIND_TENSOR, free_tensor))
		return tensor->object.handle;
	pthread_mutex_destroy(&tensor->lock);
no_memory:
	emu_cell_release(cell);
	free(tensor);
	emu_error_add("EZ9999", "aclCreateTensor failed because no memory or no handle is left");
	return NULL;
}

aclTensor *aclCreateTensor(const int64_t *viewDims, uint64_t viewDimsNum, aclDataType dataType, const int64_t *stride,
                           int64_t offset, aclFormat format, const int64_t *storageDims, uint64_t storageDimsNum,
                           void *tensorData)
{
	static const char function[] = "aclCreateTensor";
	if (check_shape(function, "viewDims", "viewDimsNum", viewDims, viewDimsNum) ||
	    check_shape(function, "storageDims", "storageDimsNum", storageDims, storageDimsNum))
		return NULL;
	struct description description = {viewDims, viewDimsNum, stride,      offset,
	                                  dataType, format,      storageDims, storageDimsNum};
	return create_tensor(&description, tensorData);
}

aclnnStatus aclDestroyTensor(const aclTensor *tensor)
{
	return emu_object_destroy("aclDestroyTensor", "tensor", tensor, EMU_KIND_TENSOR);
}

/* Absent shapes and a null address leave the old ones; everything else is overwritten (aclnn_base section 5). */
static void init_tensor(struct tensor *tensor, const struct description *description, void *address)
{
	struct emu_tensor_numbers *numbers = &tensor->numbers;
	pthread_mutex_lock(&tensor->lock);
	if (description->dims && description->dims_count)
		set_dims(numbers->dims, &numbers->rank, description->dims, description->dims_count);
	if (description->storage_dims && description->storage_count)
		set_dims(numbers->storage_dims, &numbers->storage_rank, description->storage_dims,
		         description->storage_count);
	set_layout(numbers, description);
	if (address)
		atomic_store(&tensor->cell->address, address);
	pthread_mutex_unlock(&tensor->lock);
}

aclnnStatus aclInitTensor(aclTensor *tensor, const int64_t *viewDims, uint64_t viewDimsNum, aclDataType dataType,
                          const int64_t *stride, int64_t offset, aclFormat format, const int64_t *storageDims,
                          uint64_t storageDimsNum, void *tensorDataAddr)
{
	static const char function[] = "aclInitTensor";
	struct tensor *object = (struct tensor *)emu_handle_acquire(tensor, EMU_KIND_TENSOR);
	if (!object)
		return emu_refuse_handle(function, "tensor", tensor, EMU_KIND_TENSOR, ACLNN_ERR_PARAM_NULLPTR);
	aclnnStatus status = ACLNN_SUCCESS;
	if (viewDims || stride)
		status = check_rank(function, "viewDimsNum", viewDimsNum);
	if (!status && storageDims)
		status = check_rank(function, "storageDimsNum", storageDimsNum);
	struct description description = {viewDims, viewDimsNum, stride,      offset,
	                                  dataType, format,      storageDims, storageDimsNum};
	if (!status)
		init_tensor(object, &description, tensorDataAddr);
	emu_object_release(&object->object);
	return status;
}

static void copy_numbers(struct tensor *tensor, struct emu_tensor_numbers *numbers)
{
	pthread_mutex_lock(&tensor->lock);
	*numbers = tensor->numbers;
	pthread_mutex_unlock(&tensor->lock);
}

bool emu_tensor_snapshot(const aclTensor *tensor, struct emu_tensor_numbers *numbers, struct emu_cell **cell)
{
	struct tensor *object = (struct tensor *)emu_handle_acquire(tensor, EMU_KIND_TENSOR);
	if (!object)
		return false;
	copy_numbers(object, numbers);
	emu_cell_retain(object->cell);
	*cell = object->cell;
	emu_object_release(&object->object);
	return true;
}

aclnnStatus emu_tensor_read(const char *function, const aclTensor *tensor, struct emu_tensor_numbers *numbers)
{
	struct tensor *object = (struct tensor *)emu_handle_acquire(tensor, EMU_KIND_TENSOR);
	if (!object)
		return emu_refuse_handle(function, "tensor", tensor, EMU_KIND_TENSOR, ACLNN_ERR_PARAM_NULLPTR);
	copy_numbers(object, numbers);
	emu_object_release(&object->object);
	return ACLNN_SUCCESS;
}

aclnnStatus emu_tensor_cell_acquire(const char *function, const char *argument, const aclTensor *tensor,
                                    aclnnStatus null_status, struct emu_cell **cell)
{
	struct tensor *object = (struct tensor *)emu_handle_acquire(tensor, EMU_KIND_TENSOR);
	if (!object)
		return emu_refuse_handle(function, argument, tensor, EMU_KIND_TENSOR, null_status);
	emu_cell_retain(object->cell);
	*cell = object->cell;
	emu_object_release(&object->object);
	return ACLNN_SUCCESS;
}
