/* Points in time for pthread_cond_timedwait() on conditions of the monotonic clock. */
#ifndef EMU_DEADLINE_H
#define EMU_DEADLINE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct emu_deadline {
	bool never;
	int64_t milliseconds; /* as asked for */
	struct timespec at;
};

/* In so many milliseconds; below 0 is never. */
struct emu_deadline emu_deadline_in(int64_t milliseconds);

/* A condition for emu_deadline_wait(). */
void emu_deadline_condition(pthread_cond_t *condition);

/* As pthread_cond_wait(); false when the deadline has passed. */
bool emu_deadline_wait(const struct emu_deadline *deadline, pthread_cond_t *condition, pthread_mutex_t *lock);

#endif
