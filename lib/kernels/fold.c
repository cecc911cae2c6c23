/* Convolutions whose kernel covers the whole map are matrix products over the batch; as such they are computed. */
#include "arithmetic.h"
#include "kernels.h"

static bool covers_the_map(const struct emu_conv *conv)
{
	for (int axis = 0; axis < 3; axis++)
		if (conv->small[axis] != 1 || conv->padding[axis] != 0 || conv->kernel[axis] != conv->big[axis] ||
		    (conv->kernel[axis] > 1 && conv->dilation[axis] != 1))
			return false;
	return true;
}

/* Whether channels and positions follow each other at one distance. */
static bool is_even(const struct emu_view *view)
{
	int64_t stride = view->strides[4];

	for (int axis = 4; axis > 1; axis--) {
		if (view->dims[axis] != 1 && view->strides[axis] != stride)
			return false;
		stride *= view->dims[axis];
	}
	return view->dims[1] == 1 || view->strides[1] == stride;
}

/* Each element of an image becomes a channel. */
static void make_channels(struct emu_view *view)
{
	view->strides[1] = view->dims[1] == 1 && volume(view->dims + 2) == 1 ? view->strides[1] : view->strides[4];
	view->dims[1] *= volume(view->dims + 2);
	for (int axis = 2; axis < 5; axis++) {
		view->dims[axis] = 1;
		view->strides[axis] = view->strides[1];
	}
}

/* The images become the positions of one. */
static void lay_images_along_x(struct emu_view *view)
{
	view->dims[4] = view->dims[0];
	view->strides[4] = view->strides[0];
	view->dims[0] = 1;
}

void emu_conv_fold(struct emu_conv_call *call)
{
	struct emu_conv *conv = &call->conv;

	if (!covers_the_map(conv) || !is_even(&call->big.view) || !is_even(&call->weight.view))
		return;
	make_channels(&call->big.view);
	make_channels(&call->weight.view);
	lay_images_along_x(&call->big.view);
	lay_images_along_x(&call->small.view);
	conv->big_channels *= volume(conv->kernel);
	for (int axis = 0; axis < 3; axis++)
		conv->big[axis] = conv->kernel[axis] = conv->stride[axis] = conv->dilation[axis] = 1;
	conv->big[2] = conv->small[2] = conv->batch;
	conv->batch = 1;
}
