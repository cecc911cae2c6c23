#include "mark.h"

#include <stdlib.h>

#include "fork.h"

/* One lock for all marks: it is held for moments only, and fork() can take it. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t settled;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static unsigned waiters;
static unsigned process; /* number of forks that led to this process */

static void init_condition(void)
{
	emu_deadline_condition(&settled);
}

struct emu_mark *emu_mark_create(struct emu_object *owner)
{
	struct emu_mark *mark = calloc(1, sizeof(*mark));

	pthread_once(&once, init_condition);
	if (!mark)
		return NULL;
	atomic_init(&mark->references, 1);
	mark->owner = owner;
	mark->process = process;
	emu_object_retain(owner);
	return mark;
}

void emu_mark_retain(struct emu_mark *mark)
{
	atomic_fetch_add(&mark->references, 1);
}

void emu_mark_release(struct emu_mark *mark)
{
	if (!mark || atomic_fetch_sub(&mark->references, 1) > 1)
		return;
	emu_object_release(mark->owner);
	free(mark);
}

static void settle(struct emu_mark *mark, enum emu_mark_state state)
{
	pthread_mutex_lock(&lock);
	if (mark->state == EMU_MARK_PENDING) {
		mark->state = state;
		clock_gettime(CLOCK_MONOTONIC, &mark->reached_at);
		if (waiters)
			pthread_cond_broadcast(&settled);
	}
	pthread_mutex_unlock(&lock);
}

void emu_mark_reach(struct emu_mark *mark)
{
	settle(mark, EMU_MARK_REACHED);
}

void emu_mark_drop(struct emu_mark *mark)
{
	settle(mark, EMU_MARK_DROPPED);
}

/* What was pending when the process forked is reached in the parent only. The lock is held. */
static enum emu_mark_state state_of(const struct emu_mark *mark)
{
	if (mark->state == EMU_MARK_PENDING && mark->process != process)
		return EMU_MARK_DROPPED;
	return mark->state;
}

enum emu_mark_state emu_mark_state(struct emu_mark *mark)
{
	enum emu_mark_state state;

	pthread_mutex_lock(&lock);
	state = state_of(mark);
	pthread_mutex_unlock(&lock);
	return state;
}

int64_t emu_mark_time(struct emu_mark *mark)
{
	struct timespec at;

	pthread_mutex_lock(&lock);
	at = mark->reached_at;
	pthread_mutex_unlock(&lock);
	return (int64_t)at.tv_sec * 1000000000 + at.tv_nsec;
}

enum emu_mark_state emu_mark_wait(struct emu_mark *mark, const struct emu_deadline *deadline, const bool *cancelled)
{
	enum emu_mark_state state;

	pthread_mutex_lock(&lock);
	waiters++;
	while ((state = state_of(mark)) == EMU_MARK_PENDING && !*cancelled)
		if (!emu_deadline_wait(deadline, &settled, &lock))
			break;
	state = state_of(mark);
	waiters--;
	pthread_mutex_unlock(&lock);
	return state;
}

void emu_mark_cancel(bool *cancelled)
{
	pthread_mutex_lock(&lock);
	*cancelled = true;
	if (waiters)
		pthread_cond_broadcast(&settled);
	pthread_mutex_unlock(&lock);
}

/* ---- fork ---- */

void emu_marks_lock(void)
{
	pthread_once(&once, init_condition);
	pthread_mutex_lock(&lock);
}

void emu_marks_unlock(void)
{
	pthread_mutex_unlock(&lock);
}

void emu_marks_renew(void)
{
	init_condition(); /* those who waited do not exist here */
	waiters = 0;
	process++;
	pthread_mutex_unlock(&lock);
}
