/*
 * The most float32 multiply-adds that this processor does: independent sums in registers, no memory.
 */
#include <pthread.h>
#include <stdint.h>
#include <time.h>

#if defined(__AVX512F__)
#define VECTOR_BYTES 64
#elif defined(__AVX__)
#define VECTOR_BYTES 32
#else
#define VECTOR_BYTES 16
#endif

enum {
	SUMS = 12, /* more than the latency of an addition times the additions of a cycle, and few enough for all registers */
	LANES = VECTOR_BYTES / sizeof(float),
	ROUNDS = 20000,
	MAX_THREADS = 1024,
};

typedef float vector __attribute__((vector_size(VECTOR_BYTES)));

struct worker {
	pthread_t thread;
	double seconds; /* to run for */
	double flops;   /* a second */
	volatile float seed, result; /* keep the compiler from doing the work once, or not at all */
};

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static float multiply_add(float seed)
{
	vector sums[SUMS], factor = (vector){0} + seed, term = (vector){0} + seed;
	float total = 0;

#pragma GCC unroll 16
	for (int i = 0; i < SUMS; i++)
		sums[i] = (vector){0} + (float)i;
	for (int round = 0; round < ROUNDS; round++) {
#pragma GCC unroll 16
		for (int i = 0; i < SUMS; i++)
			sums[i] = sums[i] * factor + term;
	}
#pragma GCC unroll 16
	for (int i = 0; i < SUMS; i++)
		total += sums[i][0];
	return total;
}

static void *work(void *argument)
{
	struct worker *worker = argument;
	const double flops = 2.0 * ROUNDS * SUMS * LANES;
	const double end = now() + worker->seconds;
	double best = 0;

	for (double started = now(); started < end;) {
		worker->result = multiply_add(worker->seed);
		const double ended = now();
		const double speed = flops / (ended - started);
		best = speed > best ? speed : best;
		started = ended;
	}
	worker->flops = best;
	return NULL;
}

/* Operations a second of all threads together, or 0 if they cannot be started. */
double bench_peak(int threads, double seconds)
{
	static struct worker workers[MAX_THREADS];
	double flops = 0;
	int started = 0;

	for (; started < threads && started < MAX_THREADS; started++) {
		workers[started].seconds = seconds;
		workers[started].seed = 0.5f;
		if (pthread_create(&workers[started].thread, NULL, work, &workers[started]))
			break;
	}
	for (int i = 0; i < started; i++) {
		pthread_join(workers[i].thread, NULL);
		flops += workers[i].flops;
	}
	return started == threads ? flops : 0;
}
