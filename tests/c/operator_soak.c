/*
 * A soak: 16 host threads with a context and two streams each make many small calls. Every third executor is planned in
 * one thread and run in another; events order the two streams of a thread; contexts and streams end, with work in them
 * too, while the others run. Every result is compared with exact integers, and at the end nothing is left.
 *
 * `operator_soak 5000` makes another number of calls.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "acl/acl.h"
#include "aclnnop/aclnn_convolution_backward.h"
#include "check.h"
#include "soak_samples.h"

#if defined(__SANITIZE_THREAD__)
enum { CALLS = 10000, PLAIN = false };
#elif defined(__SANITIZE_ADDRESS__)
enum { CALLS = 20000, PLAIN = false };
#else
enum { CALLS = 100000, PLAIN = true };
#endif

enum {
	THREADS = 16,
	DEPTH = 8,                       /* calls that a thread has in its streams at most */
	LIFE = 50,                       /* calls of a thread until it takes a new context and new streams */
	EXCHANGED = 3,                   /* so many executors are open to be run by another thread */
	POOL = (THREADS + 1) * (DEPTH + 1) + EXCHANGED,
	RESIDENT_GROWTH = 2 << 20,       /* bytes from 20 % of the calls to all: no block of the heap for each */
	SLOT_GROWTH = 256,               /* as many handles may be open at once in the longer part than in the shorter */
};

struct call {
	const struct layout *layout;
	unsigned scale;
	unsigned number;
	int maker;               /* the thread of phase one */
	char *device;            /* memory for the six tensors, as the image has them */
	void *workspace;
	uint64_t workspace_size;
	aclOpExecutor *executor;
	char *results;           /* in pinned host memory */
};

struct worker {
	int index;
	unsigned first, end;     /* numbers of its calls */
	unsigned lives;
	aclrtContext context;
	aclrtStream streams[2];
	struct call *running[DEPTH];
	int running_count;
};

static struct layout layouts[PROBLEMS];
static _Atomic(struct call *) exchange[EXCHANGED];
static atomic_uchar *checked; /* times, by the number of the call */
static atomic_uint failures, moved;
static atomic_uint top_slot;  /* of the handles of executors */

/* ---- checks, on any thread ---- */

#define MUST(call) must((call) == ACL_SUCCESS, #call, __LINE__)

static void must(bool holds, const char *what, int line)
{
	const char *text;

	if (holds)
		return;
	text = aclGetRecentErrMsg();
	if (atomic_fetch_add(&failures, 1) < 10)
		fprintf(stderr, "line %d: not 0: %s\n%s\n", line, what, text ? text : "");
}

/* ---- calls that wait for their next use ---- */

static struct {
	pthread_mutex_t lock;
	struct call calls[POOL];
	struct call *free[POOL];
	int free_count;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER};

static size_t results_size(const struct layout *layout)
{
	return layout->at[OPERANDS] - layout->at[GRAD_INPUT];
}

static void open_pool(void)
{
	size_t most = 0;

	for (int i = 0; i < PROBLEMS; i++)
		most = most < results_size(&layouts[i]) ? results_size(&layouts[i]) : most;
	for (int i = 0; i < POOL; i++) {
		void *results = NULL;

		CHECK_EQUAL(aclrtMallocHost(&results, most), 0);
		pool.calls[i].results = results;
		pool.free[pool.free_count++] = &pool.calls[i];
	}
}

static void close_pool(void)
{
	CHECK_EQUAL(pool.free_count, POOL);
	for (int i = 0; i < POOL; i++)
		CHECK_EQUAL(aclrtFreeHost(pool.calls[i].results), 0);
}

static struct call *take_call(void)
{
	struct call *call;

	pthread_mutex_lock(&pool.lock);
	call = pool.free[--pool.free_count];
	pthread_mutex_unlock(&pool.lock);
	return call;
}

static void give_call_back(struct call *call)
{
	pthread_mutex_lock(&pool.lock);
	pool.free[pool.free_count++] = call;
	pthread_mutex_unlock(&pool.lock);
}

/* ---- phase one ---- */

static aclTensor *tensor_of(const struct call *call, enum operand operand)
{
	static const aclFormat formats[] = {ACL_FORMAT_NCL, ACL_FORMAT_NCHW, ACL_FORMAT_NCDHW};
	const struct layout *layout = call->layout;
	const int64_t *dims = layout->dims[operand];
	uint64_t rank = layout->rank[operand];
	aclFormat format = operand == GRAD_BIAS ? ACL_FORMAT_ND : formats[rank - 3];

	return aclCreateTensor(dims, rank, layout->problem->dtype, NULL, 0, format, dims, rank,
	                       call->device + layout->at[operand]);
}

static aclIntArray *repeated(int64_t value, int count)
{
	return aclCreateIntArray((int64_t[]){value, value, value}, (uint64_t)count);
}

static void note_slot(const void *handle)
{
	unsigned slot = (uintptr_t)handle & 0xfffff, top = atomic_load(&top_slot);

	while (slot > top && !atomic_compare_exchange_weak(&top_slot, &top, slot))
		;
}

static void plan(struct call *call)
{
	static const bool all[] = {true, true, true};
	const struct problem *p = call->layout->problem;
	aclTensor *tensors[OPERANDS];
	aclIntArray *const ints[] = {repeated(p->stride, p->spatial), repeated(p->padding, p->spatial),
	                             repeated(p->dilation, p->spatial), repeated(0, p->spatial)};
	aclBoolArray *mask = aclCreateBoolArray(all, 3);

	for (int i = 0; i < OPERANDS; i++)
		tensors[i] = tensor_of(call, (enum operand)i);
	MUST(aclnnConvolutionBackwardGetWorkspaceSize(
		tensors[GRAD_OUTPUT], tensors[INPUT], tensors[WEIGHT], NULL, ints[0], ints[1], ints[2], p->transposed, ints[3],
		(int)p->groups, mask, 0, tensors[GRAD_INPUT], tensors[GRAD_WEIGHT], tensors[GRAD_BIAS], &call->workspace_size,
		&call->executor));
	note_slot(call->executor);
	for (int i = 0; i < OPERANDS; i++)
		MUST(aclDestroyTensor(tensors[i]));
	for (int i = 0; i < 4; i++)
		MUST(aclDestroyIntArray(ints[i]));
	MUST(aclDestroyBoolArray(mask));
}

static struct call *make_call(int maker, unsigned number)
{
	struct call *call = take_call();
	char *results = call->results;
	void *device = NULL;

	*call = (struct call){.number = number, .maker = maker, .results = results};
	call->layout = &layouts[number % PROBLEMS];
	call->scale = number / PROBLEMS % SCALES;
	MUST(aclrtMalloc(&device, call->layout->at[OPERANDS], ACL_MEM_MALLOC_HUGE_FIRST));
	call->device = device;
	plan(call);
	if (call->workspace_size > 0)
		MUST(aclrtMalloc(&call->workspace, call->workspace_size, ACL_MEM_MALLOC_HUGE_FIRST));
	return call;
}

/* ---- phase two ---- */

/* What comes into `to` from now on waits for what is in `from` by now. The event may go before it is passed. */
static void let_wait(aclrtStream to, aclrtStream from)
{
	aclrtEvent event = NULL;

	MUST(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC));
	MUST(aclrtRecordEvent(event, from));
	MUST(aclrtStreamWaitEvent(to, event));
	MUST(aclrtDestroyEvent(event));
}

static void start(struct worker *worker, struct call *call)
{
	const struct layout *layout = call->layout;
	size_t operands = layout->at[GRAD_INPUT], results = results_size(layout);
	bool crosses = call->number % 4 == 1;
	aclrtStream stream = worker->streams[call->number % 2], before = worker->streams[(call->number + crosses) % 2];

	MUST(aclrtMemcpyAsync(call->device, operands, layout->image[call->scale], operands, ACL_MEMCPY_HOST_TO_DEVICE,
	                      before));
	MUST(aclrtMemsetAsync(call->device + operands, results, POISON, results, before));
	if (crosses)
		let_wait(stream, before);
	MUST(aclnnConvolutionBackward(call->workspace, call->workspace_size, call->executor, stream));
	MUST(aclrtMemcpyAsync(call->results, results, call->device + operands, results, ACL_MEMCPY_DEVICE_TO_HOST, stream));
	atomic_fetch_add(&moved, call->maker != worker->index);
	worker->running[worker->running_count++] = call;
}

static void check_results(struct call *call)
{
	const struct layout *layout = call->layout;
	const char *expected = layout->image[call->scale] + layout->at[GRAD_INPUT];

	must(!memcmp(call->results, expected, results_size(layout)), "a result differs from the definition", __LINE__);
	memset(call->results, 0, results_size(layout));
	atomic_fetch_add(&checked[call->number], 1);
	MUST(aclrtFree(call->device));
	if (call->workspace)
		MUST(aclrtFree(call->workspace));
	give_call_back(call);
}

static void check_all_results(struct worker *worker)
{
	while (worker->running_count > 0)
		check_results(worker->running[--worker->running_count]);
}

/* ---- waiting, in all ways ---- */

static void wait_for_event(aclrtStream stream)
{
	aclrtStreamStatus status = ACL_STREAM_STATUS_NOT_READY;
	aclrtEvent event = NULL;

	MUST(aclrtCreateEvent(&event));
	MUST(aclrtRecordEvent(event, stream));
	MUST(aclrtSynchronizeEvent(event));
	MUST(aclrtDestroyEvent(event));
	MUST(aclrtStreamQuery(stream, &status));
	must(status == ACL_STREAM_STATUS_COMPLETE, "the stream has work after its last event", __LINE__);
}

static void wait_for_streams(const struct worker *worker, unsigned way)
{
	if (way % 16 == 0)
		MUST(aclrtSynchronizeDevice());
	for (int i = 0; i < 2 && way % 16; i++) {
		if (way % 2)
			MUST(aclrtSynchronizeStream(worker->streams[i]));
		else
			wait_for_event(worker->streams[i]);
	}
}

/* ---- threads ---- */

static void open_life(struct worker *worker)
{
	MUST(aclrtCreateContext(&worker->context, 0));
	for (int i = 0; i < 2; i++)
		MUST(aclrtCreateStream(&worker->streams[i]));
}

/* Streams that end finish what they have; a context takes its streams along. */
static void end_life(struct worker *worker)
{
	unsigned way = worker->lives++ % 3;

	if (way == 0)
		wait_for_streams(worker, 1);
	for (int i = 0; i < 2 && way < 2; i++)
		MUST(aclrtDestroyStream(worker->streams[i]));
	MUST(aclrtDestroyContext(worker->context));
	check_all_results(worker);
}

static struct call *swap(struct call *call)
{
	return atomic_exchange(&exchange[call->number / 3 % EXCHANGED], call);
}

static void *work(void *argument)
{
	struct worker *worker = argument;

	open_life(worker);
	for (unsigned number = worker->first; number < worker->end; number++) {
		struct call *call = make_call(worker->index, number);

		if (number % 3 == 0)
			call = swap(call);
		if (call)
			start(worker, call);
		if (number % LIFE == LIFE - 1) {
			end_life(worker);
			open_life(worker);
		} else if (worker->running_count == DEPTH) {
			wait_for_streams(worker, number);
			check_all_results(worker);
		}
	}
	end_life(worker);
	return NULL;
}

/* Runs what is left in the exchange. */
static void work_off(void)
{
	struct worker worker = {.index = THREADS};
	aclrtContext before = NULL;

	MUST(aclrtGetCurrentContext(&before));
	open_life(&worker);
	for (int i = 0; i < EXCHANGED; i++) {
		struct call *call = atomic_exchange(&exchange[i], NULL);

		if (call)
			start(&worker, call);
	}
	end_life(&worker);
	MUST(aclrtSetCurrentContext(before));
}

static void run_calls(unsigned first, unsigned end)
{
	static struct worker workers[THREADS];
	pthread_t threads[THREADS];
	unsigned all = end - first;

	for (unsigned i = 0; i < THREADS; i++) {
		workers[i] = (struct worker){.index = (int)i};
		workers[i].first = first + (unsigned)((uint64_t)all * i / THREADS);
		workers[i].end = first + (unsigned)((uint64_t)all * (i + 1) / THREADS);
		pthread_create(&threads[i], NULL, work, &workers[i]);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	work_off();
}

/* ---- what is in use ---- */

struct use {
	long resident;
	size_t device_free;
	uint32_t streams_free;
	uint32_t events_free;
	unsigned slots;
};

static long resident_bytes(void)
{
	FILE *file = fopen("/proc/self/statm", "r");
	long all = 0, resident = 0;

	CHECK(file && fscanf(file, "%ld %ld", &all, &resident) == 2);
	if (file)
		fclose(file);
	return resident * sysconf(_SC_PAGESIZE);
}

static struct use measure(void)
{
	struct use use = {.resident = resident_bytes(), .slots = atomic_load(&top_slot)};
	size_t total;

	CHECK_EQUAL(aclrtGetMemInfo(ACL_HBM_MEM, &use.device_free, &total), 0);
	CHECK_EQUAL(aclrtGetStreamAvailableNum(&use.streams_free), 0);
	CHECK_EQUAL(aclrtGetEventAvailNum(&use.events_free), 0);
	printf("resident %.1f MiB, device memory free %zu, streams free %u, events free %u, handle slots %u\n",
	       (double)use.resident / (1 << 20), use.device_free, use.streams_free, use.events_free, use.slots);
	return use;
}

static void check_that_nothing_is_kept(const struct use *before, const struct use *after)
{
	CHECK_EQUAL(after->device_free, before->device_free);
	CHECK_EQUAL(after->streams_free, before->streams_free);
	CHECK_EQUAL(after->events_free, before->events_free);
}

static void check_that_every_call_was_checked_once(unsigned calls)
{
	unsigned once = 0;

	for (unsigned i = 0; i < calls; i++)
		once += atomic_load(&checked[i]) == 1;
	CHECK_EQUAL(once, calls);
}

static void soak(unsigned calls)
{
	struct use before = measure(), early, late;

	checked = calloc(calls, sizeof(*checked));
	run_calls(0, calls / 5);
	early = measure();
	run_calls(calls / 5, calls);
	late = measure();

	CHECK_EQUAL(failures, 0);
	check_that_every_call_was_checked_once(calls);
	CHECK(moved > calls / 50); /* a third, but for threads that run one after another */
	check_that_nothing_is_kept(&before, &early);
	check_that_nothing_is_kept(&before, &late);
	CHECK(late.slots < early.slots + SLOT_GROWTH);
	if (PLAIN)
		CHECK(late.resident < early.resident + RESIDENT_GROWTH);
	printf("%u calls, %u of them run by another thread than planned them\n", calls, moved);
	free(checked);
}

int main(int argc, char **argv)
{
	CHECK_EQUAL(aclInit(NULL), 0);
	CHECK_EQUAL(aclrtSetDevice(0), 0);
	for (int i = 0; i < PROBLEMS; i++) {
		layouts[i] = lay_out(&problems[i]);
		make_images(&layouts[i]);
	}
	open_pool();
	soak(argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : CALLS);
	close_pool();
	for (int i = 0; i < PROBLEMS; i++)
		free_images(&layouts[i]);
	CHECK_EQUAL(aclrtResetDevice(0), 0);
	CHECK_EQUAL(aclFinalize(), 0);
	return check_report();
}
