/*
 * A 3x3 convolution with stride 2 and padding 1 on numbers that look like real ones: the device's gradients beside the
 * truth, which this program computes itself, in double precision and straight from the forward convolution's definition
 *
 *	y[n][m][oh][ow] = bias[m] + sum over c, kh, kw of x[n][c][oh * 2 - 1 + kh][ow * 2 - 1 + kw] * w[m][c][kh][kw]
 */
#include "common.h"

enum { BATCH = 2, IN = 3, OUT = 4, HEIGHT = 9, WIDTH = 11, KERNEL = 3, STRIDE = 2, PADDING = 1 };
enum {
	OUT_HEIGHT = (HEIGHT + 2 * PADDING - KERNEL) / STRIDE + 1,
	OUT_WIDTH = (WIDTH + 2 * PADDING - KERNEL) / STRIDE + 1,
	MAP = BATCH * IN * HEIGHT * WIDTH,
	OUT_MAP = BATCH * OUT * OUT_HEIGHT * OUT_WIDTH,
	WEIGHTS = OUT * IN * KERNEL * KERNEL
};

static float grad_output[OUT_MAP], input[MAP], weight[WEIGHTS];
static double true_grad_input[MAP], true_grad_weight[WEIGHTS], true_grad_bias[OUT];

/* Numbers between -1 and 1, the same ones on every machine. */
static void fill(float *values, int count, uint32_t seed)
{
	for (int i = 0; i < count; i++) {
		seed = seed * 1664525u + 1013904223u;
		values[i] = (float)(seed >> 8) / 8388608.0f - 1.0f;
	}
}

/* One product of the forward convolution: y[out_at] has the term input[in_at] * weight[weight_at]. */
static void add_term(int out_at, int in_at, int weight_at)
{
	true_grad_input[in_at] += (double)grad_output[out_at] * weight[weight_at];
	true_grad_weight[weight_at] += (double)grad_output[out_at] * input[in_at];
}

/* Visits every product that makes y[n][m][oh][ow]. */
static void add_terms_of(int n, int m, int oh, int ow)
{
	int out_at = ((n * OUT + m) * OUT_HEIGHT + oh) * OUT_WIDTH + ow;

	true_grad_bias[m] += grad_output[out_at];
	for (int c = 0; c < IN; c++)
		for (int kh = 0; kh < KERNEL; kh++)
			for (int kw = 0; kw < KERNEL; kw++) {
				int h = oh * STRIDE - PADDING + kh;
				int w = ow * STRIDE - PADDING + kw;
				if (h >= 0 && h < HEIGHT && w >= 0 && w < WIDTH)
					add_term(out_at, ((n * IN + c) * HEIGHT + h) * WIDTH + w,
					         ((m * IN + c) * KERNEL + kh) * KERNEL + kw);
			}
}

static void compute_truth(void)
{
	for (int n = 0; n < BATCH; n++)
		for (int m = 0; m < OUT; m++)
			for (int oh = 0; oh < OUT_HEIGHT; oh++)
				for (int ow = 0; ow < OUT_WIDTH; ow++)
					add_terms_of(n, m, oh, ow);
}

/* Prints both; true when they differ by less than sums of single-precision numbers of this size may. */
static bool agrees(const char *name, const struct device_tensor *device, const double *truth)
{
	const double tolerance = 1e-5;
	float *got = read_tensor(device);
	double largest = 0;
	for (int64_t i = 0; i < device->count; i++)
		largest = fmax(largest, isnan(got[i]) ? INFINITY : fabs((double)got[i] - truth[i]));

	bool good = largest <= tolerance;
	printf("%-10s  device ", name);
	for (int i = 0; i < 4; i++)
		printf(" %8.4f", (double)got[i]);
	printf(" ...\n%-10s  truth  ", "");
	for (int i = 0; i < 4; i++)
		printf(" %8.4f", truth[i]);
	printf(" ...   %lld elements, %s\n", (long long)device->count, good ? "all agree" : "THEY DIFFER");
	free(got);
	return good;
}

int main(void)
{
	const int64_t out_dims[4] = {BATCH, OUT, OUT_HEIGHT, OUT_WIDTH};
	const int64_t in_dims[4] = {BATCH, IN, HEIGHT, WIDTH};
	const int64_t weight_dims[4] = {OUT, IN, KERNEL, KERNEL};

	fill(grad_output, OUT_MAP, 1);
	fill(input, MAP, 2);
	fill(weight, WEIGHTS, 3);
	compute_truth();

	aclrtStream stream = open_device();
	printf("%s: 3x3 convolution, stride 2, padding 1, FLOAT\n", aclrtGetSocName());

	struct backward b = plain_backward(2);
	for (int axis = 0; axis < b.axes; axis++) {
		b.stride[axis] = STRIDE;
		b.padding[axis] = PADDING;
	}
	b.cube_math_type = 0; /* FLOAT stays FLOAT */
	b.grad_output = make_tensor(4, out_dims, grad_output);
	b.input = make_tensor(4, in_dims, input);
	b.weight = make_tensor(4, weight_dims, weight);
	make_outputs(&b);

	run_backward(&b, stream);

	bool good = agrees("gradInput", &b.grad_input, true_grad_input);
	good = agrees("gradWeight", &b.grad_weight, true_grad_weight) && good;
	good = agrees("gradBias", &b.grad_bias, true_grad_bias) && good;

	destroy_tensors(&b);
	close_device(stream);
	return good ? 0 : 1;
}
