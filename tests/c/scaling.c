/*
 * How a call would spread over many threads: runs it with that many, one piece of work after the other on the thread
 * that is free first, and counts what would have passed if they ran side by side. Memory and caches that threads share
 * are beyond it, so the result is a bound: what the cut of the work allows.
 *
 * Arguments: threads, number format (f32, bf16, f16), direction (0 to 2 as in kernels.h), and the 22 sizes of a
 * convolution in the order of struct emu_conv. Prints the kernel's name, the milliseconds of one thread and of many.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kernels/kernels.h"

enum { MOST_THREADS = 1024, ALIGNMENT = 64, REPEATS = 5 };

static const double wake_up = 5e-6; /* seconds until a helper has begun */
static double saved;

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Stands in for the pool. */
void emu_pool_run(int threads, int64_t count, emu_piece run, void *argument)
{
	double busy[MOST_THREADS] = {0}, start = now(), longest = 0;

	if (threads <= 1) { /* part of a piece, or nothing to save */
		for (int64_t piece = 0; piece < count; piece++)
			run(argument, piece, 0);
		return;
	}
	for (int64_t piece = 0; piece < count; piece++) {
		double begin;
		int first = 0;

		for (int i = 1; i < threads; i++)
			if (busy[i] < busy[first])
				first = i;
		begin = now();
		run(argument, piece, first);
		busy[first] += now() - begin;
	}
	for (int i = 0; i < threads; i++)
		longest = busy[i] > longest ? busy[i] : longest;
	saved += now() - start - longest - (count > 1 ? wake_up : 0);
}

static struct emu_array new_array(int64_t outer, int64_t inner, const int64_t size[3], enum emu_number number)
{
	struct emu_array array = {
		.view = {.rank = 5, .dims = {outer, inner, size[0], size[1], size[2]}, .stored = number}, .number = number,
	};
	int64_t elements = 1;

	for (int axis = 4; axis >= 0; axis--) {
		array.view.strides[axis] = elements;
		elements *= array.view.dims[axis];
	}
	array.first = aligned_alloc(ALIGNMENT, (size_t)(elements * 4 + 2 * ALIGNMENT) / ALIGNMENT * ALIGNMENT);
	emu_fill_zero(&array, EMU_ISA_BASELINE, 1);
	return array;
}

int main(int count, char **words)
{
	enum { SIZES = 22, FIRST = 4 };
	struct emu_conv_call call = {.isa = emu_isa_detect()};
	struct emu_conv *conv = &call.conv;
	const struct emu_kernel *kernel;
	enum emu_number number;
	double best = 1e9, alone = 0;
	int64_t sizes[SIZES];
	void *scratch;

	if (count != FIRST + SIZES)
		return fprintf(stderr, "22 sizes are wanted after threads, format and direction\n"), 1;
	call.threads = atoi(words[1]);
	number = strcmp(words[2], "bf16") == 0 ? EMU_BF16 : strcmp(words[2], "f16") == 0 ? EMU_F16 : EMU_F32;
	call.direction = (enum emu_direction)atoi(words[3]);
	for (int i = 0; i < SIZES; i++)
		sizes[i] = atoll(words[FIRST + i]);
	memcpy(conv, sizes, sizeof(*conv));
	call.small = new_array(conv->batch, conv->groups * conv->small_channels, conv->small, number);
	call.big = new_array(conv->batch, conv->groups * conv->big_channels, conv->big, number);
	call.weight = new_array(conv->groups * conv->small_channels, conv->big_channels, conv->kernel, number);
	emu_conv_fold(&call);
	kernel = emu_kernel_choose(&call, NULL);
	scratch = aligned_alloc(ALIGNMENT, (kernel->scratch_bytes(&call) + ALIGNMENT) / ALIGNMENT * ALIGNMENT);
	for (int i = 0; i < REPEATS; i++) {
		double start = now(), all;

		saved = 0;
		kernel->run(&call, scratch);
		all = now() - start;
		if (all - saved < best) {
			best = all - saved;
			alone = all;
		}
	}
	printf("%s %.4f %.4f\n", kernel->name, 1e3 * alone, 1e3 * best);
	return 0;
}
