/*
 * A queue of tasks that run one after another: on a worker of its own, started by the first task, and on threads that
 * wait for it without a time limit, sooner than they could be woken; or, with ACLEMU_STREAM=sync, on the threads that
 * submit. Knows nothing of handles, contexts and devices.
 */
#ifndef EMU_QUEUE_H
#define EMU_QUEUE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "error.h"
#include "mark.h"
#include "stream.h"

struct emu_queue;

struct emu_queued_task {
	struct emu_task task;
	uint32_t id;     /* counts the tasks of the queue */
	uint32_t thread; /* that submitted it, as the kernel numbers threads */
	struct emu_queued_task *next;
};

/* Whose queue it is. Called on the threads that run tasks, without a lock. */
struct emu_queue_owner {
	bool (*stopped)(const struct emu_queue *queue); /* nothing more runs: tasks are dropped instead */
	void (*failed)(struct emu_queue *queue, const struct emu_queued_task *task, aclError error);
};

struct emu_queue {
	const struct emu_queue_owner *owner;
	pthread_mutex_t lock;
	pthread_cond_t work;                /* the worker waits for a task */
	pthread_cond_t done;                /* others wait for `finished` */
	struct emu_queued_task *first;
	struct emu_queued_task **last;
	uint32_t last_id;
	uint64_t submitted;                 /* tasks ever, without aborted ones; the n-th is done when `finished` >= n */
	uint64_t finished;
	unsigned waiters;
	unsigned aborts;                    /* so many times was the queue aborted */
	unsigned aborts_before;             /* the task that runs */
	aclError abort_status;              /* of the latest abort */
	bool *held;                         /* cancels the wait of the task that runs, if it waits */
	struct emu_mark *reached;           /* by the task that runs, when it is finished */
	bool busy;                          /* a task runs, of those that were queued */
	bool worker_waits;
	bool worker_runs;
	bool closed;                        /* nothing more comes in */
	bool dropping;                      /* closed, and nothing more starts */
	pthread_t worker;
	aclError error;                     /* of the latest failed task, until it is taken */
	struct emu_error_parcel *error_text;
};

bool emu_queue_init(struct emu_queue *queue, const struct emu_queue_owner *owner);

/* The queue is closed. */
void emu_queue_destroy(struct emu_queue *queue);

/*
 * Takes the task over. 0; 107017 when the queue is closed, 107000 for a task that feeds the queue it runs in, in place,
 * 207005 without memory or threads, all without a record.
 */
aclError emu_queue_submit(struct emu_queue *queue, const struct emu_task *task);

/* The number of the task that the calling thread submitted last, to any queue; 0 before the first. */
uint32_t emu_queue_last_id_of_thread(void);

enum emu_wait {
	EMU_WAIT_DONE,
	EMU_WAIT_TIMEOUT,
	EMU_WAIT_ABORTED, /* what was waited for was dropped: emu_queue_abort() */
	EMU_WAIT_OWN,     /* the caller is a task of this queue, and would wait for itself */
};

/* Waits for what was submitted until now. */
enum emu_wait emu_queue_wait(struct emu_queue *queue, const struct emu_deadline *deadline);

/* What the latest abort was called with. */
aclError emu_queue_abort_status(struct emu_queue *queue);

/* Is the caller a task of this queue? */
bool emu_queue_is_own(const struct emu_queue *queue);

bool emu_queue_is_done(struct emu_queue *queue);

/* The kept error, once; its text goes to the calling thread. */
aclError emu_queue_take_error(struct emu_queue *queue);

enum emu_hold {
	EMU_HOLD_DONE,      /* the mark is reached or dropped */
	EMU_HOLD_TIMEOUT,
	EMU_HOLD_CANCELLED, /* the queue was aborted, or destroyed by force */
};

/* For a task of the queue: waits for a mark. */
enum emu_hold emu_queue_hold(struct emu_queue *queue, struct emu_mark *mark, const struct emu_deadline *deadline);

/* For a task of the queue: reaches a mark at the moment when the task is finished; nobody sees one of the two only. */
void emu_queue_reach(struct emu_queue *queue, struct emu_mark *mark);

/* Drops what waits, lets a task that holds the queue go, and sends those away who wait for the queue. */
void emu_queue_abort(struct emu_queue *queue, aclError status);

/* Lets nothing more in, finishes (or drops) what waits, ends the worker. Called once, and by no task of the queue. */
void emu_queue_close(struct emu_queue *queue, bool drop_waiting);

/* For fork.h. Renewing gives back the tasks that waited, for the caller to drop. */
void emu_queue_lock(struct emu_queue *queue);
void emu_queue_unlock(struct emu_queue *queue);
struct emu_queued_task *emu_queue_renew(struct emu_queue *queue);
void emu_queue_drop(struct emu_queued_task *tasks);
void emu_queue_forget_thread(void); /* the child's one thread has another number */

#endif
