/* Kernels that see dense floats only get them here: what isn't is copied to scratch before, or from there after. */
#include <string.h>

#include "view.h"

bool emu_is_dense_floats(const struct emu_array *array)
{
	const struct emu_view *view = &array->view;
	int64_t stride = 1;

	if (view->stored != EMU_F32 || array->number != EMU_F32)
		return false;
	for (int axis = view->rank - 1; axis >= 0; axis--) {
		if (view->dims[axis] != 1 && view->strides[axis] != stride)
			return false;
		stride *= view->dims[axis];
	}
	return true;
}

/* Makes an array dense floats that begin at `floats`. */
static void make_dense(struct emu_array *array, void *floats)
{
	int64_t stride = 1;

	array->first = floats;
	array->number = array->view.stored = EMU_F32;
	for (int axis = array->view.rank - 1; axis >= 0; axis--) {
		array->view.strides[axis] = stride;
		stride *= array->view.dims[axis];
	}
}

static uint64_t copy_bytes(const struct emu_kernel *kernel, const struct emu_array *array)
{
	uint64_t bytes;

	if (!kernel->takes_floats || emu_is_dense_floats(array))
		return 0;
	if (__builtin_mul_overflow((uint64_t)emu_view_elements(&array->view), sizeof(float), &bytes))
		return UINT64_MAX / 8;
	return bytes > UINT64_MAX / 8 ? UINT64_MAX / 8 : (bytes + 63) / 64 * 64;
}

uint64_t emu_kernel_scratch_bytes(const struct emu_kernel *kernel, const struct emu_conv_call *call)
{
	uint64_t copies = copy_bytes(kernel, &call->small) + copy_bytes(kernel, &call->big);
	uint64_t bytes = kernel->scratch_bytes(call);

	copies += copy_bytes(kernel, &call->weight);
	return bytes > UINT64_MAX - copies ? UINT64_MAX : bytes + copies;
}

void emu_kernel_run(const struct emu_kernel *kernel, const struct emu_conv_call *call, void *scratch)
{
	const struct emu_array *given[] = {&call->small, &call->big, &call->weight};
	struct emu_conv_call dense = *call;
	struct emu_array *arrays[] = {&dense.small, &dense.big, &dense.weight};
	char *memory = scratch;

	for (int i = 0; i < 3; i++) {
		uint64_t bytes = copy_bytes(kernel, given[i]);

		if (!bytes)
			continue;
		make_dense(arrays[i], memory);
		memory += bytes;
		if (given[i] != emu_written(call))
			emu_gather(arrays[i]->first, given[i], call->isa, call->threads);
	}
	kernel->run(&dense, memory);
	if (emu_written(&dense)->first != emu_written(call)->first)
		emu_scatter(emu_written(call), emu_floats(emu_written(&dense)), call->isa, call->threads);
}
