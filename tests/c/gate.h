/* A host function that holds its stream until the test lets it go: for order without sleeping. */
#ifndef GATE_H
#define GATE_H

#include <semaphore.h>
#include <time.h>

#include "acl/acl.h"
#include "check.h"

struct gate {
	sem_t entered;
	sem_t open;
};

static inline void pass_gate(void *gate)
{
	sem_post(&((struct gate *)gate)->entered);
	sem_wait(&((struct gate *)gate)->open);
}

/* From here on the stream stands still; the function may not have begun yet. */
static inline void shut_gate(struct gate *gate, aclrtStream stream)
{
	sem_init(&gate->entered, 0, 0);
	sem_init(&gate->open, 0, 0);
	CHECK_EQUAL(aclrtLaunchHostFunc(stream, pass_gate, gate), 0);
}

static inline void open_gate(struct gate *gate)
{
	sem_post(&gate->open);
}

/* For what cannot be seen: that a stream has come to a wait. A test that naps too short finds less, and does not fail. */
static inline void nap(void)
{
	nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
}

static inline aclrtStream new_stream(void)
{
	aclrtStream stream = NULL;

	CHECK_EQUAL(aclrtCreateStream(&stream), 0);
	return stream;
}

#endif
