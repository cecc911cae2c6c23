/*
 * 3-D convolution, everything 1: the smallest call that asks for all three gradients.
 *
 * The right numbers, for a kernel of one tap, stride 1 and no padding:
 *
 *	gradInput[n][c][d][h][w]   sums gradOutput[n][m][d][h][w] * weight[m][c] over the 2 output channels m:  2
 *	gradWeight[m][c][0][0][0]  sums gradOutput * input over 2 batches, 7 * 7 * 7 = 343 positions:           2 * 343
 *	gradBias[m]                sums gradOutput[n][m][d][h][w] over 2 batches, 343 positions:                2 * 343
 */
#include "common.h"

int main(void)
{
	const int64_t map[5] = {2, 2, 7, 7, 7};    /* batch, channels, depth, height, width: gradOutput and input */
	const int64_t kernel[5] = {2, 2, 1, 1, 1}; /* output channels, input channels, depth, height, width */
	aclrtStream stream = open_device();

	struct backward b = plain_backward(3);
	b.grad_output = make_ones(5, map);
	b.input = make_ones(5, map);
	b.weight = make_ones(5, kernel);
	make_outputs(&b);

	run_backward(&b, stream);

	int64_t wrong = 0;
	wrong += count_wrong("gradInput", &b.grad_input, 2);
	wrong += count_wrong("gradWeight", &b.grad_weight, 686);
	wrong += count_wrong("gradBias", &b.grad_bias, 686);

	destroy_tensors(&b);
	close_device(stream);
	return wrong ? 1 : 0;
}
