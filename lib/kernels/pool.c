/*
 * The worker pool of the process. The caller works too; pieces are claimed one by one from a counter, so a helper that
 * wakes late finds the work done and costs nothing.
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

#include "kernels.h"

struct pool {
	pthread_mutex_t lock;
	pthread_cond_t work;      /* helpers wait here for a call */
	pthread_cond_t done;      /* the caller waits here for its helpers */
	atomic_bool taken;        /* one call at a time has the pool */
	int helpers;              /* threads that exist */
	int wanted;               /* helpers the current call still takes in */
	int active;               /* helpers at work */
	int next_worker;
	emu_piece run;            /* the current call */
	void *argument;
	int64_t count;
	atomic_int_least64_t next;
};

static struct pool pool = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
	.work = PTHREAD_COND_INITIALIZER,
	.done = PTHREAD_COND_INITIALIZER,
};

static void drain(int worker)
{
	int64_t piece;

	while ((piece = atomic_fetch_add_explicit(&pool.next, 1, memory_order_relaxed)) < pool.count)
		pool.run(pool.argument, piece, worker);
}

static void *help(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&pool.lock);
	for (;;) {
		int worker;

		while (pool.wanted == 0)
			pthread_cond_wait(&pool.work, &pool.lock);
		pool.wanted--;
		pool.active++;
		worker = pool.next_worker++;
		pthread_mutex_unlock(&pool.lock);
		drain(worker);
		pthread_mutex_lock(&pool.lock);
		if (--pool.active == 0)
			pthread_cond_signal(&pool.done);
	}
	return NULL;
}

/* The threads of the parent don't exist in the child, whatever state they were in. */
static void forget_parent(void)
{
	pool = (struct pool){
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.work = PTHREAD_COND_INITIALIZER,
		.done = PTHREAD_COND_INITIALIZER,
	};
}

static void watch_fork(void)
{
	pthread_atfork(NULL, NULL, forget_parent);
}

/* Signals are the host program's affair, so helpers take none but those that a fault of their own raises. */
static void start_helpers(int helpers)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	sigset_t blocked, before;
	pthread_attr_t attributes;
	pthread_t thread;

	pthread_once(&once, watch_fork);
	if (pool.helpers >= helpers || pthread_attr_init(&attributes) != 0)
		return;
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	sigfillset(&blocked);
	sigdelset(&blocked, SIGSEGV);
	sigdelset(&blocked, SIGBUS);
	sigdelset(&blocked, SIGFPE);
	sigdelset(&blocked, SIGILL);
	pthread_sigmask(SIG_SETMASK, &blocked, &before);
	while (pool.helpers < helpers && pthread_create(&thread, &attributes, help, NULL) == 0)
		pool.helpers++;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
}

static void run_alone(int64_t count, emu_piece run, void *argument)
{
	for (int64_t piece = 0; piece < count; piece++)
		run(argument, piece, 0);
}

void emu_pool_run(int threads, int64_t count, emu_piece run, void *argument)
{
	if (threads <= 1 || count <= 1 || atomic_exchange_explicit(&pool.taken, true, memory_order_acquire)) {
		run_alone(count, run, argument);
		return;
	}

	pthread_mutex_lock(&pool.lock);
	pool.run = run;
	pool.argument = argument;
	pool.count = count;
	pool.wanted = (int)(count < threads ? count : threads) - 1;
	pool.next_worker = 1;
	atomic_store_explicit(&pool.next, 0, memory_order_relaxed);
	start_helpers(pool.wanted);
	pthread_cond_broadcast(&pool.work);
	pthread_mutex_unlock(&pool.lock);

	drain(0);

	pthread_mutex_lock(&pool.lock);
	pool.wanted = 0;
	while (pool.active > 0)
		pthread_cond_wait(&pool.done, &pool.lock);
	pthread_mutex_unlock(&pool.lock);
	atomic_store_explicit(&pool.taken, false, memory_order_release);
}
