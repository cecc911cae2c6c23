/*
 * The definition: every element is the plain sum of its products in double, rounded to float once.
 * Never tuned; the fast kernels are measured against it. Built without contraction.
 */
#include "reference.h"

#include "arithmetic.h"
#include "number.h"
#include "rows.h"

/* The position in the big map that tap k of small position o meets; false outside. */
static bool big_position(const struct emu_conv *conv, const int64_t o[3], const int64_t k[3], int64_t x[3])
{
	for (int axis = 0; axis < 3; axis++) {
		x[axis] = o[axis] * conv->stride[axis] - conv->padding[axis] + k[axis] * conv->dilation[axis];
		if (x[axis] < 0 || x[axis] >= conv->big[axis])
			return false;
	}
	return true;
}

/* The small position whose tap k meets big position x; false if there is none. */
static bool small_position(const struct emu_conv *conv, const int64_t x[3], const int64_t k[3], int64_t o[3])
{
	for (int axis = 0; axis < 3; axis++) {
		int64_t distance = x[axis] + conv->padding[axis] - k[axis] * conv->dilation[axis];

		o[axis] = distance / conv->stride[axis];
		if (distance < 0 || distance % conv->stride[axis] != 0 || o[axis] >= conv->small[axis])
			return false;
	}
	return true;
}

/* Element [i][j][at] of an array, rounded to its number. */
static double read(const struct emu_array *array, int64_t i, int64_t j, const int64_t at[3])
{
	const struct emu_view *view = &array->view;
	int64_t offset = i * view->strides[0] + j * view->strides[1];
	float value;

	for (int axis = 0; axis < 3; axis++)
		offset += at[axis] * view->strides[2 + axis];
	if (array->number == view->stored && view->stored == EMU_F32)
		return (double)((const float *)array->first)[offset];
	if (array->number == view->stored && view->stored == EMU_BF16)
		return (double)bf16_to(((const uint16_t *)array->first)[offset]);
	if (array->number == view->stored && view->stored == EMU_F16)
		return (double)f16_to(((const uint16_t *)array->first)[offset]);
	emu_load_row(emu_rows(EMU_ISA_BASELINE), array, &value, emu_element(array->first, offset, view->stored), 1, 1);
	return (double)value;
}

static void write(const struct emu_array *array, int64_t i, int64_t j, const int64_t at[3], double sum)
{
	const struct emu_view *view = &array->view;
	int64_t offset = i * view->strides[0] + j * view->strides[1];
	float value = (float)sum;

	for (int axis = 0; axis < 3; axis++)
		offset += at[axis] * view->strides[2 + axis];
	if (emu_needs_rounding(array))
		emu_rows(EMU_ISA_BASELINE)->round(&value, 1, array->number);
	emu_rows(EMU_ISA_BASELINE)->store(emu_element(array->first, offset, view->stored), 1, &value, 1, view->stored);
}

/* One piece of the next two: one channel of one image. */
static void small_plane(void *argument, int64_t plane, int worker)
{
	const struct emu_conv_call *call = argument;
	const struct emu_conv *conv = &call->conv;
	int64_t channels = conv->groups * conv->small_channels, channel = plane % channels, image = plane / channels;
	int64_t first = channel / conv->small_channels * conv->big_channels;
	int64_t o[3], k[3], x[3];

	(void)worker;
	for (int64_t position = 0; position < volume(conv->small); position++) {
		double sum = 0;

		split(position, conv->small, o);
		for (int64_t tap = 0; tap < volume(conv->kernel); tap++) {
			split(tap, conv->kernel, k);
			if (!big_position(conv, o, k, x))
				continue;
			for (int64_t c = 0; c < conv->big_channels; c++)
				sum += read(&call->big, image, first + c, x) * read(&call->weight, channel, c, k);
		}
		write(&call->small, image, channel, o, sum);
	}
}

static void big_plane(void *argument, int64_t plane, int worker)
{
	const struct emu_conv_call *call = argument;
	const struct emu_conv *conv = &call->conv;
	int64_t channels = conv->groups * conv->big_channels, channel = plane % channels, image = plane / channels;
	int64_t first = channel / conv->big_channels * conv->small_channels;
	int64_t o[3], k[3], x[3];

	(void)worker;
	for (int64_t position = 0; position < volume(conv->big); position++) {
		double sum = 0;

		split(position, conv->big, x);
		for (int64_t tap = 0; tap < volume(conv->kernel); tap++) {
			split(tap, conv->kernel, k);
			if (!small_position(conv, x, k, o))
				continue;
			for (int64_t m = 0; m < conv->small_channels; m++)
				sum += read(&call->small, image, first + m, o) *
				       read(&call->weight, first + m, channel % conv->big_channels, k);
		}
		write(&call->big, image, channel, x, sum);
	}
}

/* One piece: the taps of one pair of channels. */
static void weight_pair(void *argument, int64_t pair, int worker)
{
	const struct emu_conv_call *call = argument;
	const struct emu_conv *conv = &call->conv;
	int64_t channel = pair / conv->big_channels, big_channel = pair % conv->big_channels;
	int64_t first = channel / conv->small_channels * conv->big_channels;
	int64_t o[3], k[3], x[3];

	(void)worker;
	for (int64_t tap = 0; tap < volume(conv->kernel); tap++) {
		double sum = 0;

		split(tap, conv->kernel, k);
		for (int64_t image = 0; image < conv->batch; image++) {
			for (int64_t position = 0; position < volume(conv->small); position++) {
				split(position, conv->small, o);
				if (big_position(conv, o, k, x))
					sum += read(&call->small, image, channel, o) * read(&call->big, image, first + big_channel, x);
			}
		}
		write(&call->weight, channel, big_channel, k, sum);
	}
}

bool emu_reference_can_run(const struct emu_conv_call *call)
{
	(void)call;
	return true;
}

uint64_t emu_reference_scratch_bytes(const struct emu_conv_call *call)
{
	(void)call;
	return 0;
}

void emu_reference_run(const struct emu_conv_call *call, void *scratch)
{
	const struct emu_conv *conv = &call->conv;
	void *argument = (void *)(uintptr_t)call;

	(void)scratch;
	if (call->direction == EMU_TO_SMALL)
		emu_pool_run(call->threads, conv->batch * conv->groups * conv->small_channels, small_plane, argument);
	else if (call->direction == EMU_TO_BIG)
		emu_pool_run(call->threads, conv->batch * conv->groups * conv->big_channels, big_plane, argument);
	else
		emu_pool_run(call->threads, conv->groups * conv->small_channels * conv->big_channels, weight_pair, argument);
}
