/*
 * 2-D convolution, everything 1: the smallest call that asks for all three gradients.
 *
 * The right numbers, for a kernel of one tap, stride 1 and no padding:
 *
 *	gradInput[n][c][h][w]   sums gradOutput[n][m][h][w] * weight[m][c][0][0] over the 2 output channels m:  2
 *	gradWeight[m][c][0][0]  sums gradOutput[n][m][h][w] * input[n][c][h][w] over 2 batches, 49 positions:   2 * 49 = 98
 *	gradBias[m]             sums gradOutput[n][m][h][w] over 2 batches, 49 positions:                       2 * 49 = 98
 */
#include "common.h"

int main(void)
{
	const int64_t map[4] = {2, 2, 7, 7};    /* batch, channels, height, width: gradOutput and input */
	const int64_t kernel[4] = {2, 2, 1, 1}; /* output channels, input channels, height, width */
	aclrtStream stream = open_device();

	struct backward b = plain_backward(2);
	b.grad_output = make_ones(4, map);
	b.input = make_ones(4, map);
	b.weight = make_ones(4, kernel);
	make_outputs(&b);

	run_backward(&b, stream);

	int64_t wrong = 0;
	wrong += count_wrong("gradInput", &b.grad_input, 2);
	wrong += count_wrong("gradWeight", &b.grad_weight, 98);
	wrong += count_wrong("gradBias", &b.grad_bias, 98);

	destroy_tensors(&b);
	close_device(stream);
	return wrong ? 1 : 0;
}
