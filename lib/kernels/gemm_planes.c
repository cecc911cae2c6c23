/* Maps as lines of words: in place where they lie that way, else converted and rearranged once. */
#include "gemm_task.h"

enum { LINE = EMU_MOST_HALVES /* elements converted at a time */ };

static int64_t big_remainder_length(const struct emu_planes *planes)
{
	return ceil_div(planes->array->view.dims[4], planes->stride[2]);
}

static bool lies_in_place(const struct emu_planes *planes)
{
	const struct emu_array *array = planes->array;
	enum emu_number wanted = planes->element == 2 ? EMU_BF16 : EMU_F32;

	return !planes->channel_pairs && planes->stride[2] <= (planes->element == 4 ? 2 : 1) &&
	       array->view.stored == wanted && array->number == wanted &&
	       (array->view.strides[4] == 1 || array->view.dims[4] == 1);
}

static void describe_in_place(struct emu_planes *planes)
{
	const struct emu_view *view = &planes->array->view;
	int64_t last = 0;

	planes->image = view->strides[0];
	planes->channel = view->strides[1];
	planes->line[0] = view->strides[2];
	planes->line[1] = view->strides[3];
	planes->remainder = 1;
	planes->along = planes->stride[2];
	for (int axis = 0; axis < 5; axis++)
		if (view->strides[axis] > 0)
			last += (view->dims[axis] - 1) * view->strides[axis];
	planes->first = planes->array->first;
	planes->end = (const char *)planes->first + (last + 1) * planes->element;
}

static void describe_copy(struct emu_planes *planes, int64_t groups)
{
	const struct emu_view *view = &planes->array->view;

	planes->remainder = big_remainder_length(planes);
	planes->along = 1;
	planes->line[1] = planes->remainder * planes->stride[2];
	planes->line[0] = planes->line[1] * view->dims[3];
	planes->channel = planes->line[0] * view->dims[2];
	planes->image = planes->channel * planes->channels * groups;
}

void emu_planes_describe(struct emu_planes *planes, const struct emu_conv_call *call, bool small, bool pairs,
                         bool channel_pairs)
{
	const struct emu_conv *conv = &call->conv;
	int64_t channels = small ? conv->small_channels : conv->big_channels;

	planes->array = small ? &call->small : &call->big;
	planes->small = small;
	planes->channel_pairs = channel_pairs;
	planes->element = pairs && !channel_pairs ? 2 : 4;
	planes->channels = channel_pairs ? ceil_div(channels, 2) : channels;
	for (int axis = 0; axis < 3; axis++)
		planes->stride[axis] = small ? 1 : conv->stride[axis];
	planes->copied = !lies_in_place(planes);
	if (planes->copied)
		describe_copy(planes, conv->groups);
	else
		describe_in_place(planes);
}

uint64_t emu_planes_bytes(const struct emu_planes *planes)
{
	uint64_t bytes = (uint64_t)planes->image;

	if (!planes->copied)
		return 0;
	if (__builtin_mul_overflow(bytes, (uint64_t)planes->array->view.dims[0], &bytes) ||
	    __builtin_mul_overflow(bytes, (uint64_t)planes->element, &bytes) || bytes > UINT64_MAX / 4)
		return UINT64_MAX;
	return (bytes + 2 * EMU_GEMM_SLACK - 1) / EMU_GEMM_SLACK * EMU_GEMM_SLACK;
}

/* ---- filling a copy ---------------------------------------------------------------------------------------- */

struct fill {
	const struct emu_planes *planes;
	const struct emu_conv *conv;
	const struct emu_rows *rows;
	char *memory;
};

/* `next` is where the other channel of a pair has this element; NULL if there is none. */
static void fill_line(const struct fill *fill, char *to, const char *from, const char *next, int64_t stride,
                      int64_t count)
{
	const struct emu_planes *planes = fill->planes;
	int64_t source = stride * emu_number_bytes(planes->array->view.stored);
	static const uint16_t nothing[LINE];
	uint16_t low[LINE], high[LINE];

	for (int64_t part; count > 0; count -= part, to += part * planes->element, from += part * source) {
		part = least(count, LINE);
		if (planes->channel_pairs) {
			const uint16_t *first = emu_find_halves(fill->rows, planes->array, low, from, stride, part);
			const uint16_t *second =
				next ? emu_find_halves(fill->rows, planes->array, high, next, stride, part) : nothing;

			fill->rows->zip_halves((uint32_t *)(void *)to, first, second, part);
			next = next ? next + part * source : NULL;
		} else if (planes->element == 2) {
			emu_load_halves(fill->rows, planes->array, (uint16_t *)(void *)to, from, stride, part);
		} else {
			emu_load_row(fill->rows, planes->array, (float *)(void *)to, from, stride, part);
		}
	}
}

/* Whether any tap reads map positions with this remainder of the stride. */
static bool is_read(const struct fill *fill, int axis, int64_t position)
{
	const struct emu_conv *conv = fill->conv;
	int64_t stride = fill->planes->stride[axis];

	if (stride == 1 || conv->kernel[axis] >= stride)
		return true;
	for (int64_t tap = 0; tap < conv->kernel[axis]; tap++)
		if ((position + conv->padding[axis] - tap * conv->dilation[axis]) % stride == 0)
			return true;
	return false;
}

static void fill_row(const struct fill *fill, char *to, const char *from, const char *next)
{
	const struct emu_planes *planes = fill->planes;
	const struct emu_view *view = &planes->array->view;
	int64_t stride = planes->stride[2], width = view->dims[4];
	int bytes = emu_number_bytes(view->stored);

	for (int64_t first = 0; first < stride && first < width; first++) {
		int64_t skipped = first * view->strides[4] * bytes;

		if (is_read(fill, 2, first))
			fill_line(fill, to + first * planes->remainder * planes->element, from + skipped,
			          next ? next + skipped : NULL, view->strides[4] * stride, ceil_div(width - first, stride));
	}
}

/* Whether the rows of a plane follow each other without gaps, in the array as in the copy. */
static bool is_one_row(const struct emu_planes *planes)
{
	const struct emu_view *view = &planes->array->view;

	int64_t row = view->dims[4] * view->strides[4];

	return planes->stride[2] == 1 && (view->dims[3] == 1 || view->strides[3] == row) &&
	       (view->dims[2] == 1 || view->strides[2] == view->dims[3] * row);
}

/* One piece: one plane. */
static void fill_plane(void *argument, int64_t piece, int worker)
{
	const struct fill *fill = argument;
	const struct emu_planes *planes = fill->planes;
	const struct emu_view *view = &planes->array->view;
	int64_t words = planes->channels * fill->conv->groups, image = piece / words, word = piece % words;
	int64_t group = word / planes->channels, place = word % planes->channels;
	int64_t channels = view->dims[1] / fill->conv->groups, channel = planes->channel_pairs ? 2 * place : place;
	const char *from = emu_element(planes->array->first, image * view->strides[0] +
	                               (group * channels + channel) * view->strides[1], view->stored);
	bool has_next = planes->channel_pairs && channel + 1 < channels;
	int64_t to_next = view->strides[1] * emu_number_bytes(view->stored);
	char *to = fill->memory + piece * planes->channel * planes->element;

	(void)worker;
	if (is_one_row(planes)) {
		fill_line(fill, to, from, has_next ? from + to_next : NULL, view->strides[4], volume(view->dims + 2));
		return;
	}
	for (int64_t z = 0; z < view->dims[2]; z++) {
		if (!is_read(fill, 0, z))
			continue;
		for (int64_t y = 0; y < view->dims[3]; y++) {
			const char *row = emu_element(from, z * view->strides[2] + y * view->strides[3], view->stored);

			if (is_read(fill, 1, y))
				fill_row(fill, to + (z * planes->line[0] + y * planes->line[1]) * planes->element, row,
				         has_next ? row + to_next : NULL);
		}
	}
}

void emu_planes_fill(struct emu_planes *planes, const struct emu_gemm_task *task, void *memory, int threads)
{
	struct fill fill = {planes, &task->call->conv, task->row_code, memory};

	if (!planes->copied)
		return;
	planes->first = memory;
	planes->end = (char *)memory + emu_planes_bytes(planes);
	emu_pool_run(threads, planes->array->view.dims[0] * planes->channels * fill.conv->groups, fill_plane, &fill);
}

int emu_planes_runs(const struct emu_planes *planes, const int64_t positions[3], const int64_t offset[3], int64_t start,
                    int64_t count, struct emu_run *runs)
{
	const int64_t *map = planes->array->view.dims + 2;
	int64_t stride = planes->stride[2], first = offset[2] % stride + (offset[2] % stride < 0 ? stride : 0);
	const struct emu_grid grid = {
		.positions = {positions[0], positions[1], positions[2]},
		.map = {map[0], map[1], first < map[2] ? ceil_div(map[2] - first, stride) : 0},
		.step = {planes->stride[0], planes->stride[1]},
		.image = planes->image,
		.line = {planes->line[0], planes->line[1]},
		.along = planes->along,
		.first = first * planes->remainder,
	};
	const int64_t from[3] = {offset[0], offset[1], (offset[2] - first) / stride};

	return emu_grid_runs(&grid, from, start, count, runs);
}
