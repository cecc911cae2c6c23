/**
 * The objects that operators work with: tensors, scalars, arrays, lists, executors.
 *
 * What holds for every function:
 *
 * - Objects are opaque. What is made here is freed with the aclDestroy... function of its kind. Values given at
 *   creation are copied; device memory is not, and stays the caller's.
 * - A pointer that is no live object is refused, never followed: with 161002, or 561000 where an executor belongs.
 * - Out-parameters are written on success only. aclGetRecentErrMsg() has the sentence to a failure. The names of the
 *   statuses are in aclnn/opdev/op_errno.h.
 * - Threads. Any thread may use any object; two threads must not change or destroy the same object at once, nor one
 *   change what another reads.
 */
#ifndef ACLNN_ACL_META_H
#define ACLNN_ACL_META_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Types ---- */

/* A header that defines these types itself says so with ACLNN_META. */
#ifndef ACLNN_META
#define ACLNN_META

/** The plan of one operator call, made by phase one and used by phase two. */
typedef struct aclOpExecutor aclOpExecutor;

/** Shape, strides, element type, format and address of data in device memory. */
typedef struct aclTensor aclTensor;

/** One number with an element type. */
typedef struct aclScalar aclScalar;

/** A row of 64-bit integers. */
typedef struct aclIntArray aclIntArray;

/** A row of single-precision numbers. */
typedef struct aclFloatArray aclFloatArray;

/** A row of truth values. */
typedef struct aclBoolArray aclBoolArray;

/** A row of tensors, which it owns. */
typedef struct aclTensorList aclTensorList;

/** A row of scalars, which it owns. */
typedef struct aclScalarList aclScalarList;

/** Status of an operator function: 0, or one of the ACLNN_ERR_... codes. */
typedef int32_t aclnnStatus;

/** Success. */
static const aclnnStatus OK __attribute__((unused)) = 0;

#endif

/* ---- Creating ---- */

/**
 * Describes a tensor in device memory.
 *
 * The storage is one block that begins at `tensorData`; the view picks elements from it: element (i0, i1, ...) lies
 * `offset` + i0 * stride[0] + i1 * stride[1] + ... elements behind the beginning. Shapes of view and storage need not
 * match. Whether type, format, shape and strides make sense is for the operator to check, not for this function.
 *
 * Thread-safe.
 *
 * @param[in] viewDims        `viewDimsNum` dimensions of the view; may be null if there are none
 * @param[in] viewDimsNum     rank of the view; 0 for a single element
 * @param[in] dataType        element type
 * @param[in] stride          `viewDimsNum` strides of the view in elements; null for a dense, row-major view
 * @param[in] offset          elements from the beginning of the storage to the first element of the view
 * @param[in] format          meaning of the dimensions
 * @param[in] storageDims     `storageDimsNum` dimensions of the storage; may be null if there are none
 * @param[in] storageDimsNum  rank of the storage
 * @param[in] tensorData      device address of the storage; stays the caller's; may be null and set later
 * @return the tensor, freed with aclDestroyTensor(); null if `viewDims` or `storageDims` is null although its count is
 *         not 0, or if host memory is exhausted
 */
ACL_FUNC_VISIBILITY aclTensor *aclCreateTensor(const int64_t *viewDims, uint64_t viewDimsNum, aclDataType dataType,
                                               const int64_t *stride, int64_t offset, aclFormat format,
                                               const int64_t *storageDims, uint64_t storageDimsNum, void *tensorData);

/**
 * Copies one number. Thread-safe.
 *
 * @param[in] value     host memory that holds the number as `dataType` says; may vanish after the call
 * @param[in] dataType  element type; not ACL_STRING, ACL_INT4, ACL_UINT1, ACL_COMPLEX32 or ACL_DT_UNDEFINED
 * @return the scalar, freed with aclDestroyScalar(); null if `value` is null, the type is not accepted or host memory
 *         is exhausted
 */
ACL_FUNC_VISIBILITY aclScalar *aclCreateScalar(void *value, aclDataType dataType);

/**
 * Copies integers into an array. Thread-safe.
 *
 * @param[in] value  `size` integers; null gives an empty array, whatever `size`
 * @param[in] size   how many; may be 0
 * @return the array, freed with aclDestroyIntArray(); null only if host memory is exhausted
 */
ACL_FUNC_VISIBILITY aclIntArray *aclCreateIntArray(const int64_t *value, uint64_t size);

/**
 * Copies single-precision numbers into an array. Thread-safe.
 *
 * @param[in] value  `size` numbers; null gives an empty array, whatever `size`
 * @param[in] size   how many; may be 0
 * @return the array, freed with aclDestroyFloatArray(); null only if host memory is exhausted
 */
ACL_FUNC_VISIBILITY aclFloatArray *aclCreateFloatArray(const float *value, uint64_t size);

/**
 * Copies truth values into an array. Thread-safe.
 *
 * @param[in] value  `size` values of one byte each; null gives an empty array, whatever `size`
 * @param[in] size   how many; may be 0
 * @return the array, freed with aclDestroyBoolArray(); null only if host memory is exhausted
 */
ACL_FUNC_VISIBILITY aclBoolArray *aclCreateBoolArray(const bool *value, uint64_t size);

/**
 * Makes a list of tensors. The list takes them over: they are destroyed with it and must not be destroyed on their
 * own.
 *
 * Thread-safe.
 *
 * @param[in] value  `size` tensors, each of which may be null; null gives an empty list, whatever `size`; only the
 *                   pointers are copied
 * @param[in] size   how many; may be 0
 * @return the list, freed with aclDestroyTensorList(); null only if host memory is exhausted
 */
ACL_FUNC_VISIBILITY aclTensorList *aclCreateTensorList(const aclTensor *const *value, uint64_t size);

/**
 * Makes a list of scalars. The list takes them over: they are destroyed with it and must not be destroyed on their
 * own.
 *
 * Thread-safe.
 *
 * @param[in] value  `size` scalars, each of which may be null; null gives an empty list, whatever `size`; only the
 *                   pointers are copied
 * @param[in] size   how many; may be 0
 * @return the list, freed with aclDestroyScalarList(); null only if host memory is exhausted
 */
ACL_FUNC_VISIBILITY aclScalarList *aclCreateScalarList(const aclScalar *const *value, uint64_t size);

/* ---- Destroying ---- */

/**
 * Frees a tensor, but not the device memory that it describes. Executors planned with it stay usable.
 *
 * Thread-safe, except that no other thread may still be using the same object.
 *
 * @param[in] tensor  made by aclCreateTensor(); null does nothing
 * @retval ACLNN_SUCCESS            0: freed, also if it was freed before
 * @retval ACLNN_ERR_PARAM_INVALID  161002: `tensor` never was an aclTensor
 */
ACL_FUNC_VISIBILITY aclnnStatus aclDestroyTensor(const aclTensor *tensor);

/**
 * Frees a scalar.
 *
 * Thread-safe, except that no other thread may still be using the same object.
 *
 * @param[in] scalar  made by aclCreateScalar(); null does nothing
 * @retval ACLNN_SUCCESS            0: freed, also if it was freed before
 * @retval ACLNN_ERR_PARAM_INVALID  161002: `scalar` never was an aclScalar
 */
ACL_FUNC_VISIBILITY aclnnStatus aclDestroyScalar(const aclScalar *scalar);

/**
 * Frees an array of integers.
 *
 * Thread-safe, except that no other thread may still be using the same object.
 *
 * @param[in] array  made by aclCreateIntArray(); null does nothing
 * @retval ACLNN_SUCCESS            0: freed, also if it was freed before
 * @retval ACLNN_ERR_PARAM_INVALID  161002: `array` never was an aclIntArray
 */
ACL_FUNC_VISIBILITY aclnnStatus aclDestroyIntArray(const aclIntArray *array);

/**
 * Frees an array of single-precision numbers.
 *
 * Thread-safe, except that no other thread may still be using the same object.
 *
 * @param[in] array  made by aclCreateFloatArray(); null does nothing
 * @retval ACLNN_SUCCESS            0: freed, also if it was freed before
 * @retval ACLNN_ERR_PARAM_INVALID  161002: `array` never was an aclFloatArray
 */
ACL_FUNC_VISIBILITY aclnnStatus aclDestroyFloatArray(const aclFloatArray *array);

/**
 * Frees an array of truth values.
 *
 * Thread-safe, except that no other thread may still be using the same object.
 *
 * @param[in] array  made by aclCreateBoolArray(); null does nothing
 * @retval ACLNN_SUCCESS            0: freed, also if it was freed before
 * @retval ACLNN_ERR_PARAM_INVALID  161002: `array` never was an aclBoolArray
 */
ACL_FUNC_VISIBILITY aclnnStatus aclDestroyBoolArray(const aclBoolArray *array);

/**
 * Frees a list and every tensor in it, but not the device memory that they describe.
 *
 * Thread-safe, except that no other thread may still be using the same object.
 *
 * @param[in] array  made by aclCreateTensorList(); null does nothing
 * @retval ACLNN_SUCCESS            0: freed, also if it was freed before
 * @retval ACLNN_ERR_PARAM_INVALID  161002: `array` never was an aclTensorList
 */
ACL_FUNC_VISIBILITY aclnnStatus aclDestroyTensorList(const aclTensorList *array);

/**
 * Frees a list and every scalar in it.
 *
 * Thread-safe, except that no other thread may still be using the same object.
 *
 * @param[in] array  made by aclCreateScalarList(); null does nothing
 * @retval ACLNN_SUCCESS            0: freed, also if it was freed before
 * @retval ACLNN_ERR_PARAM_INVALID  161002: `array` never was an aclScalarList
 */
ACL_FUNC_VISIBILITY aclnnStatus aclDestroyScalarList(const aclScalarList *array);

/* ---- Reading ---- */

/**
 * Dimensions of a tensor's view.
 *
 * Thread-safe.
 *
 * @param[in]  tensor       a tensor
 * @param[out] viewDims     receives an array of the dimensions, freed by the caller with delete[] of C++; never null
 * @param[out] viewDimsNum  receives how many there are
 * @retval ACLNN_SUCCESS            0: both written
 * @retval ACLNN_ERR_PARAM_NULLPTR  161001: a pointer is null
 * @retval ACLNN_ERR_PARAM_INVALID  161002: `tensor` is no live tensor
 * @retval ACLNN_ERR_INNER_NULLPTR  561103: host memory is exhausted
 */
ACL_FUNC_VISIBILITY aclnnStatus aclGetViewShape(const aclTensor *tensor, int64_t **viewDims, uint64_t *viewDimsNum);

/**
 * Dimensions of a tensor's storage.
 *
 * Thread-safe.
 *
 * @param[in]  tensor          a tensor
 * @param[out] storageDims     receives an array of the dimensions, freed by the caller with delete[] of C++; never null
 * @param[out] storageDimsNum  receives how many there are
 * @retval ACLNN_SUCCESS            0: both written
 * @retval ACLNN_ERR_PARAM_NULLPTR  161001: a pointer is null
 * @retval ACLNN_ERR_PARAM_INVALID  161002: `tensor` is no live tensor
 * @retval ACLNN_ERR_INNER_NULLPTR  561103: host memory is exhausted
 */
ACL_FUNC_VISIBILITY aclnnStatus aclGetStorageShape(const aclTensor *tensor, int64_t **storageDims,
                                                   uint64_t *storageDimsNum);

/**
 * Strides of a tensor's view, in elements.
 *
 * Thread-safe.
 *
 * @param[in]  tensor        a tensor
 * @param[out] stridesValue  receives an array of the strides, freed by the caller with delete[] of C++; never null
 * @param[out] stridesNum    receives how many there are
 * @retval ACLNN_SUCCESS            0: both written
 * @retval ACLNN_ERR_PARAM_NULLPTR  161001: a pointer is null
 * @retval ACLNN_ERR_PARAM_INVALID  161002: `tensor` is no live tensor
 * @retval ACLNN_ERR_INNER_NULLPTR  561103: host memory is exhausted
 */
ACL_FUNC_VISIBILITY aclnnStatus aclGetViewStrides(const aclTensor *tensor, int64_t **stridesValue,
                                                  uint64_t *stridesNum);

/**
 * Offset of a tensor's view. Thread-safe.
 *
 * @param[in]  tensor  a tensor
 * @param[out] offset  receives the elements from the beginning of the storage to the first element of the view
 * @retval ACLNN_SUCCESS            0: written
 * @retval ACLNN_ERR_PARAM_NULLPTR  161001: a pointer is null
 * @retval ACLNN_ERR_PARAM_INVALID  161002: `tensor` is no live tensor
 */
ACL_FUNC_VISIBILITY aclnnStatus aclGetViewOffset(const aclTensor *tensor, int64_t *offset);

/**
 * Format of a tensor. Thread-safe.
 *
 * @param[in]  tensor  a tensor
 * @param[out] format  receives the format; ACL_FORMAT_UNDEFINED for a number that is no enumerator
 * @retval ACLNN_SUCCESS            0: written
 * @retval ACLNN_ERR_PARAM_NULLPTR  161001: a pointer is null
 * @retval ACLNN_ERR_PARAM_INVALID  161002: `tensor` is no live tensor
 */
ACL_FUNC_VISIBILITY aclnnStatus aclGetFormat(const aclTensor *tensor, aclFormat *format);

/**
 * Element type of a tensor. Thread-safe.
 *
 * @param[in]  tensor    a tensor
 * @param[out] dataType  receives the type; ACL_DT_UNDEFINED for a number that is no enumerator
 * @retval ACLNN_SUCCESS            0: written
 * @retval ACLNN_ERR_PARAM_NULLPTR  161001: a pointer is null
 * @retval ACLNN_ERR_PARAM_INVALID  161002: `tensor` is no live tensor
 */
ACL_FUNC_VISIBILITY aclnnStatus aclGetDataType(const aclTensor *tensor, aclDataType *dataType);

/**
 * Counts the integers in an array. Thread-safe.
 *
 * @param[in]  array  made by aclCreateIntArray()
 * @param[out] size   receives the count
 * @retval ACLNN_SUCCESS            0: written
 * @retval ACLNN_ERR_PARAM_NULLPTR  161001: a pointer is null
 * @retval ACLNN_ERR_PARAM_INVALID  161002: `array` is no live aclIntArray
 */
ACL_FUNC_VISIBILITY aclnnStatus aclGetIntArraySize(const aclIntArray *array, uint64_t *size);

/**
 * Counts the numbers in an array. Thread-safe.
 *
 * @param[in]  array  made by aclCreateFloatArray()
 * @param[out] size   receives the count
 * @retval ACLNN_SUCCESS            0: written
 * @retval ACLNN_ERR_PARAM_NULLPTR  161001: a pointer is null
 * @retval ACLNN_ERR_PARAM_INVALID  161002: `array` is no live aclFloatArray
 */
ACL_FUNC_VISIBILITY aclnnStatus aclGetFloatArraySize(const aclFloatArray *array, uint64_t *size);

/**
 * Counts the truth values in an array. Thread-safe.
 *
 * @param[in]  array  made by aclCreateBoolArray()
 * @param[out] size   receives the count
 * @retval ACLNN_SUCCESS            0: written
 * @retval ACLNN_ERR_PARAM_NULLPTR  161001: a pointer is null
 * @retval ACLNN_ERR_PARAM_INVALID  161002: `array` is no live aclBoolArray
 */
ACL_FUNC_VISIBILITY aclnnStatus aclGetBoolArraySize(const aclBoolArray *array, uint64_t *size);

/**
 * Counts the entries of a list of tensors. Thread-safe.
 *
 * @param[in]  tensorList  made by aclCreateTensorList()
 * @param[out] size        receives the count
 * @retval ACLNN_SUCCESS            0: written
 * @retval ACLNN_ERR_PARAM_NULLPTR  161001: a pointer is null
 * @retval ACLNN_ERR_PARAM_INVALID  161002: `tensorList` is no live aclTensorList
 */
ACL_FUNC_VISIBILITY aclnnStatus aclGetTensorListSize(const aclTensorList *tensorList, uint64_t *size);

/**
 * Counts the entries of a list of scalars. Thread-safe.
 *
 * @param[in]  scalarList  made by aclCreateScalarList()
 * @param[out] size        receives the count
 * @retval ACLNN_SUCCESS            0: written
 * @retval ACLNN_ERR_PARAM_NULLPTR  161001: a pointer is null
 * @retval ACLNN_ERR_PARAM_INVALID  161002: `scalarList` is no live aclScalarList
 */
ACL_FUNC_VISIBILITY aclnnStatus aclGetScalarListSize(const aclScalarList *scalarList, uint64_t *size);

/* ---- Using a tensor again ---- */

/**
 * Gives a tensor new properties, as if it had been made anew. Not between the two phases of a call that uses it.
 *
 * No other thread may be using the tensor.
 *
 * @param[in,out] tensor          a tensor
 * @param[in]     viewDims        `viewDimsNum` dimensions of the view; null keeps the old ones
 * @param[in]     viewDimsNum     rank of the view; 0 keeps the old dimensions
 * @param[in]     dataType        element type
 * @param[in]     stride          a stride in elements for each dimension of the view; null: dense, row-major
 * @param[in]     offset          elements from the beginning of the storage to the first element of the view
 * @param[in]     format          meaning of the dimensions
 * @param[in]     storageDims     `storageDimsNum` dimensions of the storage; null keeps the old ones
 * @param[in]     storageDimsNum  rank of the storage; 0 keeps the old dimensions
 * @param[in]     tensorDataAddr  device address of the storage, which stays the caller's; null keeps the old one
 * @retval ACLNN_SUCCESS            0: changed
 * @retval ACLNN_ERR_PARAM_NULLPTR  161001: `tensor` is null
 * @retval ACLNN_ERR_PARAM_INVALID  161002: `tensor` is no live tensor
 */
ACL_FUNC_VISIBILITY aclnnStatus aclInitTensor(aclTensor *tensor, const int64_t *viewDims, uint64_t viewDimsNum,
                                              aclDataType dataType, const int64_t *stride, int64_t offset,
                                              aclFormat format, const int64_t *storageDims, uint64_t storageDimsNum,
                                              void *tensorDataAddr);

/**
 * Gives a tensor another device address. Not between the two phases of a call that uses it; see aclSetTensorAddr().
 *
 * No other thread may be using the tensor.
 *
 * @param[in,out] tensor  a tensor
 * @param[in]     addr    device address of the storage, which stays the caller's; may be null
 * @retval ACLNN_SUCCESS            0: changed
 * @retval ACLNN_ERR_PARAM_NULLPTR  161001: `tensor` is null
 * @retval ACLNN_ERR_PARAM_INVALID  161002: `tensor` is no live tensor
 */
ACL_FUNC_VISIBILITY aclnnStatus aclSetRawTensorAddr(aclTensor *tensor, void *addr);

/**
 * Device address of a tensor's storage, without the offset of the view. Thread-safe.
 *
 * @param[in]  tensor  a tensor
 * @param[out] addr    receives the address, which may be null
 * @retval ACLNN_SUCCESS            0: written
 * @retval ACLNN_ERR_PARAM_NULLPTR  161001: a pointer is null
 * @retval ACLNN_ERR_PARAM_INVALID  161002: `tensor` is no live tensor
 */
ACL_FUNC_VISIBILITY aclnnStatus aclGetRawTensorAddr(const aclTensor *tensor, void **addr);

/* ---- Executors ---- */

/**
 * Lets an executor be run more than once; to be called between the phases.
 *
 * Afterwards phase two does not use it up, the addresses of its tensors may be moved between the runs, and the caller
 * frees it with aclDestroyAclOpExecutor(). Calling it twice is fine. No other thread may be using the executor.
 *
 * @param[in,out] executor  a plan made by phase one
 * @retval ACLNN_SUCCESS            0: repeatable
 * @retval ACLNN_ERR_INNER_NULLPTR  561103: `executor` is null
 * @retval ACLNN_ERR_INNER          561000: used up, destroyed, or no executor
 */
ACL_FUNC_VISIBILITY aclnnStatus aclSetAclOpExecutorRepeatable(aclOpExecutor *executor);

/**
 * Frees an executor: a repeatable one, or one that was not run. Work that it queued is not disturbed.
 *
 * No other thread may be using the executor.
 *
 * @param[in] executor  a plan made by phase one
 * @retval ACLNN_SUCCESS            0: freed
 * @retval ACLNN_ERR_INNER_NULLPTR  561103: `executor` is null
 * @retval ACLNN_ERR_INNER          561000: used up, destroyed already, or no executor
 */
ACL_FUNC_VISIBILITY aclnnStatus aclDestroyAclOpExecutor(aclOpExecutor *executor);

/* ---- Moving the addresses of a repeatable executor ---- */

/**
 * Gives an input tensor of an executor another address, for the runs that follow.
 *
 * What counts is the tensor object: it must be the one that phase one was given, and every executor planned with it
 * reads the new address. The index is not looked at for operators that are built in; pass it as if it were, 0 for the
 * first input. The tensor is changed even if the executor is refused. Neither object may be in use by another thread.
 *
 * @param[in,out] executor  a plan made by phase one
 * @param[in]     index     place among the inputs
 * @param[in,out] tensor    the tensor that phase one was given
 * @param[in]     addr      device address of the storage, which stays the caller's; may be null
 * @retval ACLNN_SUCCESS            0: changed
 * @retval ACLNN_ERR_PARAM_INVALID  161002: `tensor` is no live tensor
 * @retval ACLNN_ERR_INNER          561000: `executor` is no live executor
 * @retval ACLNN_ERR_INNER_NULLPTR  561103: `tensor` or `executor` is null
 */
ACL_FUNC_VISIBILITY aclnnStatus aclSetInputTensorAddr(aclOpExecutor *executor, const size_t index, aclTensor *tensor,
                                                      void *addr);

/**
 * As aclSetInputTensorAddr(), for an output. Neither object may be in use by another thread.
 *
 * @param[in,out] executor  a plan made by phase one
 * @param[in]     index     place among the outputs
 * @param[in,out] tensor    the tensor that phase one was given
 * @param[in]     addr      device address of the storage, which stays the caller's; may be null
 * @retval ACLNN_SUCCESS            0: changed
 * @retval ACLNN_ERR_PARAM_INVALID  161002: `tensor` is no live tensor
 * @retval ACLNN_ERR_INNER          561000: `executor` is no live executor
 * @retval ACLNN_ERR_INNER_NULLPTR  561103: `tensor` or `executor` is null
 */
ACL_FUNC_VISIBILITY aclnnStatus aclSetOutputTensorAddr(aclOpExecutor *executor, const size_t index, aclTensor *tensor,
                                                       void *addr);

/**
 * As aclSetInputTensorAddr(), for any tensor. Neither object may be in use by another thread.
 *
 * @param[in,out] executor  a plan made by phase one
 * @param[in]     index     place among the inputs and, behind them, the outputs
 * @param[in,out] tensor    the tensor that phase one was given
 * @param[in]     addr      device address of the storage, which stays the caller's; may be null
 * @retval ACLNN_SUCCESS            0: changed
 * @retval ACLNN_ERR_PARAM_INVALID  161002: `tensor` is no live tensor
 * @retval ACLNN_ERR_INNER          561000: `executor` is no live executor
 * @retval ACLNN_ERR_INNER_NULLPTR  561103: `tensor` or `executor` is null
 */
ACL_FUNC_VISIBILITY aclnnStatus aclSetTensorAddr(aclOpExecutor *executor, const size_t index, aclTensor *tensor,
                                                 void *addr);

/**
 * Gives a tensor in an input list of an executor another address, for the runs that follow.
 *
 * As aclSetInputTensorAddr(): the tensor object counts, and it is changed even if the executor is refused. None of the
 * objects may be in use by another thread.
 *
 * @param[in,out] executor       a plan made by phase one
 * @param[in]     irIndex        place of the list among the inputs; not looked at for operators that are built in
 * @param[in]     relativeIndex  place of the tensor in the list
 * @param[in,out] tensors        the list that phase one was given
 * @param[in]     addr           device address of the storage, which stays the caller's; may be null
 * @retval ACLNN_SUCCESS            0: changed
 * @retval ACLNN_ERR_PARAM_INVALID  161002: no place `relativeIndex` in the list; or a list or tensor that is not live
 * @retval ACLNN_ERR_INNER          561000: `executor` is no live executor
 * @retval ACLNN_ERR_INNER_NULLPTR  561103: `tensors`, the tensor there or `executor` is null
 */
ACL_FUNC_VISIBILITY aclnnStatus aclSetDynamicInputTensorAddr(aclOpExecutor *executor, size_t irIndex,
                                                             const size_t relativeIndex, aclTensorList *tensors,
                                                             void *addr);

/**
 * As aclSetDynamicInputTensorAddr(), for an output list. None of the objects may be in use by another thread.
 *
 * @param[in,out] executor       a plan made by phase one
 * @param[in]     irIndex        place of the list among the outputs
 * @param[in]     relativeIndex  place of the tensor in the list
 * @param[in,out] tensors        the list that phase one was given
 * @param[in]     addr           device address of the storage, which stays the caller's; may be null
 * @retval ACLNN_SUCCESS            0: changed
 * @retval ACLNN_ERR_PARAM_INVALID  161002: no place `relativeIndex` in the list; or a list or tensor that is not live
 * @retval ACLNN_ERR_INNER          561000: `executor` is no live executor
 * @retval ACLNN_ERR_INNER_NULLPTR  561103: `tensors`, the tensor there or `executor` is null
 */
ACL_FUNC_VISIBILITY aclnnStatus aclSetDynamicOutputTensorAddr(aclOpExecutor *executor, size_t irIndex,
                                                              const size_t relativeIndex, aclTensorList *tensors,
                                                              void *addr);

/**
 * As aclSetDynamicInputTensorAddr(), for any list. None of the objects may be in use by another thread.
 *
 * @param[in,out] executor       a plan made by phase one
 * @param[in]     irIndex        place of the list among the inputs and, behind them, the outputs
 * @param[in]     relativeIndex  place of the tensor in the list
 * @param[in,out] tensors        the list that phase one was given
 * @param[in]     addr           device address of the storage, which stays the caller's; may be null
 * @retval ACLNN_SUCCESS            0: changed
 * @retval ACLNN_ERR_PARAM_INVALID  161002: no place `relativeIndex` in the list; or a list or tensor that is not live
 * @retval ACLNN_ERR_INNER          561000: `executor` is no live executor
 * @retval ACLNN_ERR_INNER_NULLPTR  561103: `tensors`, the tensor there or `executor` is null
 */
ACL_FUNC_VISIBILITY aclnnStatus aclSetDynamicTensorAddr(aclOpExecutor *executor, size_t irIndex,
                                                        const size_t relativeIndex, aclTensorList *tensors,
                                                        void *addr);

/* The same six once more, under the names with a capital A that some programs use. */

/**
 * Another name of aclSetInputTensorAddr(). Neither object may be in use by another thread.
 *
 * @param[in,out] executor  a plan made by phase one
 * @param[in]     index     place among the inputs
 * @param[in,out] tensor    the tensor that phase one was given
 * @param[in]     addr      device address of the storage, which stays the caller's; may be null
 * @retval ACLNN_SUCCESS            0: changed
 * @retval ACLNN_ERR_PARAM_INVALID  161002: `tensor` is no live tensor
 * @retval ACLNN_ERR_INNER          561000: `executor` is no live executor
 * @retval ACLNN_ERR_INNER_NULLPTR  561103: `tensor` or `executor` is null
 */
ACL_FUNC_VISIBILITY aclnnStatus AclSetInputTensorAddr(aclOpExecutor *executor, const size_t index, aclTensor *tensor,
                                                      void *addr);

/**
 * Another name of aclSetOutputTensorAddr(). Neither object may be in use by another thread.
 *
 * @param[in,out] executor  a plan made by phase one
 * @param[in]     index     place among the outputs
 * @param[in,out] tensor    the tensor that phase one was given
 * @param[in]     addr      device address of the storage, which stays the caller's; may be null
 * @retval ACLNN_SUCCESS            0: changed
 * @retval ACLNN_ERR_PARAM_INVALID  161002: `tensor` is no live tensor
 * @retval ACLNN_ERR_INNER          561000: `executor` is no live executor
 * @retval ACLNN_ERR_INNER_NULLPTR  561103: `tensor` or `executor` is null
 */
ACL_FUNC_VISIBILITY aclnnStatus AclSetOutputTensorAddr(aclOpExecutor *executor, const size_t index, aclTensor *tensor,
                                                       void *addr);

/**
 * Another name of aclSetTensorAddr(). Neither object may be in use by another thread.
 *
 * @param[in,out] executor  a plan made by phase one
 * @param[in]     index     place among the inputs and, behind them, the outputs
 * @param[in,out] tensor    the tensor that phase one was given
 * @param[in]     addr      device address of the storage, which stays the caller's; may be null
 * @retval ACLNN_SUCCESS            0: changed
 * @retval ACLNN_ERR_PARAM_INVALID  161002: `tensor` is no live tensor
 * @retval ACLNN_ERR_INNER          561000: `executor` is no live executor
 * @retval ACLNN_ERR_INNER_NULLPTR  561103: `tensor` or `executor` is null
 */
ACL_FUNC_VISIBILITY aclnnStatus AclSetTensorAddr(aclOpExecutor *executor, const size_t index, aclTensor *tensor,
                                                 void *addr);

/**
 * Another name of aclSetDynamicInputTensorAddr(). None of the objects may be in use by another thread.
 *
 * @param[in,out] executor       a plan made by phase one
 * @param[in]     irIndex        place of the list among the inputs
 * @param[in]     relativeIndex  place of the tensor in the list
 * @param[in,out] tensors        the list that phase one was given
 * @param[in]     addr           device address of the storage, which stays the caller's; may be null
 * @retval ACLNN_SUCCESS            0: changed
 * @retval ACLNN_ERR_PARAM_INVALID  161002: no place `relativeIndex` in the list; or a list or tensor that is not live
 * @retval ACLNN_ERR_INNER          561000: `executor` is no live executor
 * @retval ACLNN_ERR_INNER_NULLPTR  561103: `tensors`, the tensor there or `executor` is null
 */
ACL_FUNC_VISIBILITY aclnnStatus AclSetDynamicInputTensorAddr(aclOpExecutor *executor, size_t irIndex,
                                                             const size_t relativeIndex, aclTensorList *tensors,
                                                             void *addr);

/**
 * Another name of aclSetDynamicOutputTensorAddr(). None of the objects may be in use by another thread.
 *
 * @param[in,out] executor       a plan made by phase one
 * @param[in]     irIndex        place of the list among the outputs
 * @param[in]     relativeIndex  place of the tensor in the list
 * @param[in,out] tensors        the list that phase one was given
 * @param[in]     addr           device address of the storage, which stays the caller's; may be null
 * @retval ACLNN_SUCCESS            0: changed
 * @retval ACLNN_ERR_PARAM_INVALID  161002: no place `relativeIndex` in the list; or a list or tensor that is not live
 * @retval ACLNN_ERR_INNER          561000: `executor` is no live executor
 * @retval ACLNN_ERR_INNER_NULLPTR  561103: `tensors`, the tensor there or `executor` is null
 */
ACL_FUNC_VISIBILITY aclnnStatus AclSetDynamicOutputTensorAddr(aclOpExecutor *executor, size_t irIndex,
                                                              const size_t relativeIndex, aclTensorList *tensors,
                                                              void *addr);

/**
 * Another name of aclSetDynamicTensorAddr(). None of the objects may be in use by another thread.
 *
 * @param[in,out] executor       a plan made by phase one
 * @param[in]     irIndex        place of the list among the inputs and, behind them, the outputs
 * @param[in]     relativeIndex  place of the tensor in the list
 * @param[in,out] tensors        the list that phase one was given
 * @param[in]     addr           device address of the storage, which stays the caller's; may be null
 * @retval ACLNN_SUCCESS            0: changed
 * @retval ACLNN_ERR_PARAM_INVALID  161002: no place `relativeIndex` in the list; or a list or tensor that is not live
 * @retval ACLNN_ERR_INNER          561000: `executor` is no live executor
 * @retval ACLNN_ERR_INNER_NULLPTR  561103: `tensors`, the tensor there or `executor` is null
 */
ACL_FUNC_VISIBILITY aclnnStatus AclSetDynamicTensorAddr(aclOpExecutor *executor, size_t irIndex,
                                                        const size_t relativeIndex, aclTensorList *tensors,
                                                        void *addr);

/* ---- Dumping ---- */

/**
 * Hands tensors to the dump, if one is configured; there is none here, so only the arguments are checked. Thread-safe.
 *
 * @param[in] opType           kind of the operator
 * @param[in] opName           name of this use of it
 * @param[in] tensors          `inputTensorNum` inputs, then `outputTensorNum` outputs; only read
 * @param[in] inputTensorNum   how many inputs
 * @param[in] outputTensorNum  how many outputs
 * @param[in] stream           the stream in whose order they are dumped; null is refused
 * @retval ACLNN_SUCCESS            0: nothing to do
 * @retval ACLNN_ERR_PARAM_NULLPTR  161001: a pointer or the stream is null
 */
ACL_FUNC_VISIBILITY aclnnStatus aclDumpOpTensors(const char *opType, const char *opName, aclTensor **tensors,
                                                 size_t inputTensorNum, size_t outputTensorNum, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif
