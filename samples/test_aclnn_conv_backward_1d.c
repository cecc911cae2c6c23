/*
 * 1-D convolution, everything 1: the smallest call that asks for all three gradients.
 *
 * The right numbers, for a kernel of one tap, stride 1 and no padding:
 *
 *	gradInput[n][c][i]   sums gradOutput[n][m][i] * weight[m][c][0] over the 2 output channels m:  2
 *	gradWeight[m][c][0]  sums gradOutput[n][m][i] * input[n][c][i] over 2 batches, 7 positions:    2 * 7 = 14
 *	gradBias[m]          sums gradOutput[n][m][i] over 2 batches, 7 positions:                     2 * 7 = 14
 */
#include "common.h"

int main(void)
{
	const int64_t map[3] = {2, 2, 7};    /* batch, channels, length: gradOutput and input */
	const int64_t kernel[3] = {2, 2, 1}; /* output channels, input channels, length */
	aclrtStream stream = open_device();

	struct backward b = plain_backward(1);
	b.grad_output = make_ones(3, map);
	b.input = make_ones(3, map);
	b.weight = make_ones(3, kernel);
	make_outputs(&b);

	run_backward(&b, stream);

	int64_t wrong = 0;
	wrong += count_wrong("gradInput", &b.grad_input, 2);
	wrong += count_wrong("gradWeight", &b.grad_weight, 14);
	wrong += count_wrong("gradBias", &b.grad_bias, 14);

	destroy_tensors(&b);
	close_device(stream);
	return wrong ? 1 : 0;
}
