#include "deadline.h"

struct emu_deadline emu_deadline_in(int64_t milliseconds)
{
	struct emu_deadline deadline = {.never = milliseconds < 0, .milliseconds = milliseconds};

	if (deadline.never)
		return deadline;
	clock_gettime(CLOCK_MONOTONIC, &deadline.at);
	deadline.at.tv_sec += milliseconds / 1000;
	deadline.at.tv_nsec += milliseconds % 1000 * 1000000;
	if (deadline.at.tv_nsec >= 1000000000) {
		deadline.at.tv_sec++;
		deadline.at.tv_nsec -= 1000000000;
	}
	return deadline;
}

void emu_deadline_condition(pthread_cond_t *condition)
{
	pthread_condattr_t monotonic;

	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(condition, &monotonic);
	pthread_condattr_destroy(&monotonic);
}

bool emu_deadline_wait(const struct emu_deadline *deadline, pthread_cond_t *condition, pthread_mutex_t *lock)
{
	if (deadline->never)
		return !pthread_cond_wait(condition, lock);
	return !pthread_cond_timedwait(condition, lock, &deadline->at);
}
