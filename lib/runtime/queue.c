#include "queue.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "config.h"

/* The tasks that the calling thread is running, innermost first: in place, one may run inside another. */
struct frame {
	const struct emu_queue *queue;
	const struct frame *outer;
};

static __thread const struct frame *running;
static __thread uint32_t last_id_of_thread;
static __thread uint32_t thread_id; /* as the kernel numbers threads; 0 when it was not asked yet */

/* ---- life ---- */

static void init_conditions(struct emu_queue *queue)
{
	pthread_cond_init(&queue->work, NULL);
	emu_deadline_condition(&queue->done);
}

bool emu_queue_init(struct emu_queue *queue, const struct emu_queue_owner *owner)
{
	*queue = (struct emu_queue){.owner = owner, .last = &queue->first};
	if (pthread_mutex_init(&queue->lock, NULL))
		return false;
	init_conditions(queue);
	return true;
}

void emu_queue_destroy(struct emu_queue *queue)
{
	emu_error_discard(queue->error_text);
	pthread_cond_destroy(&queue->done);
	pthread_cond_destroy(&queue->work);
	pthread_mutex_destroy(&queue->lock);
}

void emu_queue_drop(struct emu_queued_task *tasks)
{
	while (tasks) {
		struct emu_queued_task *next = tasks->next;

		tasks->task.drop(tasks->task.argument);
		free(tasks);
		tasks = next;
	}
}

/* ---- running ---- */

bool emu_queue_is_own(const struct emu_queue *queue)
{
	for (const struct frame *frame = running; frame; frame = frame->outer)
		if (frame->queue == queue)
			return true;
	return false;
}

static struct emu_error_parcel *unexplained(const struct emu_task *task, aclError error)
{
	emu_error_collect();
	emu_error_add("EZ9999", "The task %s failed with status %d.", task->name, error);
	return emu_error_take();
}

/* Runs and drops a task; *text is what it recorded when it failed, for the thread that will synchronise. */
static aclError execute(struct emu_queue *queue, const struct emu_queued_task *queued, struct emu_error_parcel **text)
{
	const struct emu_task *task = &queued->task;
	struct frame frame = {queue, running};
	aclError error = ACL_SUCCESS;

	running = &frame;
	if (!queue->owner->stopped(queue)) {
		emu_error_collect();
		error = task->run(task->argument);
		*text = emu_error_take();
	}
	if (error) {
		if (!*text)
			*text = unexplained(task, error);
		queue->owner->failed(queue, queued, error);
	}
	task->drop(task->argument);
	running = frame.outer;
	return error;
}

/* The stream outlives its tasks, so the mark does not hold the last reference on it. The lock is held. */
static void reach(struct emu_queue *queue)
{
	if (queue->reached)
		emu_mark_reach(queue->reached);
	emu_mark_release(queue->reached);
	queue->reached = NULL;
}

/* The lock is held, but not while the task runs. Continuing on failure, the latest failure is kept. */
static void run_task(struct emu_queue *queue, const struct emu_queued_task *queued)
{
	struct emu_error_parcel *text = NULL;
	aclError error;

	queue->aborts_before = queue->aborts;
	pthread_mutex_unlock(&queue->lock);
	error = execute(queue, queued, &text);
	pthread_mutex_lock(&queue->lock);

	emu_error_discard(error ? queue->error_text : text);
	if (error) {
		queue->error_text = text;
		queue->error = error;
	}
	queue->finished++;
	reach(queue);
	if (queue->waiters)
		pthread_cond_broadcast(&queue->done);
}

static void wake_worker(struct emu_queue *queue)
{
	if (queue->worker_waits)
		pthread_cond_signal(&queue->work);
}

/* There is a first task and none is running. The lock is held, but not while the task runs. */
static void run_first(struct emu_queue *queue)
{
	struct emu_queued_task *task = queue->first;

	queue->first = task->next;
	if (!queue->first)
		queue->last = &queue->first;
	queue->busy = true;
	run_task(queue, task);
	queue->busy = false;
	free(task);
}

static void *work(void *argument)
{
	struct emu_queue *queue = argument;

	pthread_mutex_lock(&queue->lock);
	while (queue->first || !queue->closed) {
		if (queue->first && !queue->busy) {
			run_first(queue);
			continue;
		}
		queue->worker_waits = true;
		pthread_cond_wait(&queue->work, &queue->lock);
		queue->worker_waits = false;
	}
	pthread_mutex_unlock(&queue->lock);
	return NULL;
}

/*
 * Waking the worker takes longer than a small task, so who waits anyway runs it instead; but not within a task of its
 * own, whose record of failures is open. The lock is held.
 */
static bool run_as_waiter(struct emu_queue *queue)
{
	if (running || queue->busy || !queue->first || !queue->first->task.by_waiter)
		return false;
	run_first(queue);
	if (queue->first || queue->closed)
		wake_worker(queue);
	return true;
}

/* Signals sent to the process are for the client's threads; faults stay with the thread that makes them. */
static bool start_worker(struct emu_queue *queue)
{
	sigset_t blocked, before;

	sigfillset(&blocked);
	sigdelset(&blocked, SIGSEGV);
	sigdelset(&blocked, SIGBUS);
	sigdelset(&blocked, SIGFPE);
	sigdelset(&blocked, SIGILL);
	pthread_sigmask(SIG_SETMASK, &blocked, &before);
	queue->worker_runs = !pthread_create(&queue->worker, NULL, work, queue);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (queue->worker_runs)
		pthread_setname_np(queue->worker, "aclemu-stream");
	return queue->worker_runs;
}

static void wait_until(struct emu_queue *queue, uint64_t target)
{
	queue->waiters++;
	while (queue->finished < target)
		pthread_cond_wait(&queue->done, &queue->lock);
	queue->waiters--;
}

/* ---- submitting ---- */

uint32_t emu_queue_last_id_of_thread(void)
{
	return last_id_of_thread;
}

void emu_queue_forget_thread(void)
{
	thread_id = 0;
}

/* The lock is held. */
static void number(struct emu_queue *queue, struct emu_queued_task *queued)
{
	if (!thread_id)
		thread_id = (uint32_t)syscall(SYS_gettid);
	queued->id = ++queue->last_id;
	queued->thread = thread_id;
	last_id_of_thread = queued->id;
}

static aclError submit_to_worker(struct emu_queue *queue, const struct emu_task *task)
{
	struct emu_queued_task *queued = malloc(sizeof(*queued));
	aclError status = ACL_SUCCESS;

	if (!queued) {
		task->drop(task->argument);
		return ACL_ERROR_RT_RESOURCE_ALLOC_FAIL;
	}
	*queued = (struct emu_queued_task){.task = *task};
	pthread_mutex_lock(&queue->lock);
	if (queue->closed) {
		status = ACL_ERROR_RT_INVALID_HANDLE;
	} else if (!queue->worker_runs && !start_worker(queue)) {
		status = ACL_ERROR_RT_RESOURCE_ALLOC_FAIL;
	} else {
		number(queue, queued);
		*queue->last = queued;
		queue->last = &queued->next;
		queue->submitted++;
		wake_worker(queue);
	}
	pthread_mutex_unlock(&queue->lock);
	if (status)
		emu_queue_drop(queued);
	return status;
}

/* Threads that feed one queue take turns in the order of their tickets. */
static aclError run_in_place(struct emu_queue *queue, const struct emu_task *task)
{
	struct emu_queued_task queued = {.task = *task};
	bool own = emu_queue_is_own(queue);

	pthread_mutex_lock(&queue->lock);
	if (queue->closed || own) {
		pthread_mutex_unlock(&queue->lock);
		task->drop(task->argument);
		return own ? ACL_ERROR_RT_PARAM_INVALID : ACL_ERROR_RT_INVALID_HANDLE;
	}
	number(queue, &queued);
	wait_until(queue, queue->submitted++);
	run_task(queue, &queued);
	pthread_mutex_unlock(&queue->lock);
	return ACL_SUCCESS;
}

aclError emu_queue_submit(struct emu_queue *queue, const struct emu_task *task)
{
	return emu_config()->streams_in_place ? run_in_place(queue, task) : submit_to_worker(queue, task);
}

/* ---- waiting ---- */

enum emu_wait emu_queue_wait(struct emu_queue *queue, const struct emu_deadline *deadline)
{
	enum emu_wait result = EMU_WAIT_DONE;
	unsigned aborts;
	uint64_t target;

	if (emu_queue_is_own(queue))
		return EMU_WAIT_OWN;
	pthread_mutex_lock(&queue->lock);
	target = queue->submitted;
	aborts = queue->aborts;
	queue->waiters++;
	while (queue->finished < target && queue->aborts == aborts) {
		if (deadline->never && run_as_waiter(queue))
			continue;
		if (!emu_deadline_wait(deadline, &queue->done, &queue->lock))
			break;
	}
	queue->waiters--;
	if (queue->aborts != aborts)
		result = EMU_WAIT_ABORTED;
	else if (queue->finished < target)
		result = EMU_WAIT_TIMEOUT;
	pthread_mutex_unlock(&queue->lock);
	return result;
}

aclError emu_queue_abort_status(struct emu_queue *queue)
{
	aclError status;

	pthread_mutex_lock(&queue->lock);
	status = queue->abort_status;
	pthread_mutex_unlock(&queue->lock);
	return status;
}

bool emu_queue_is_done(struct emu_queue *queue)
{
	bool done;

	pthread_mutex_lock(&queue->lock);
	done = queue->finished == queue->submitted;
	pthread_mutex_unlock(&queue->lock);
	return done;
}

aclError emu_queue_take_error(struct emu_queue *queue)
{
	struct emu_error_parcel *text;
	aclError error;

	pthread_mutex_lock(&queue->lock);
	error = queue->error;
	text = queue->error_text;
	queue->error = ACL_SUCCESS;
	queue->error_text = NULL;
	pthread_mutex_unlock(&queue->lock);
	emu_error_give(text);
	return error;
}

/* ---- marks, aborting and ending ---- */

enum emu_hold emu_queue_hold(struct emu_queue *queue, struct emu_mark *mark, const struct emu_deadline *deadline)
{
	enum emu_mark_state state;
	bool cancelled;

	pthread_mutex_lock(&queue->lock);
	cancelled = queue->dropping || queue->aborts != queue->aborts_before;
	queue->held = &cancelled;
	pthread_mutex_unlock(&queue->lock);
	state = emu_mark_wait(mark, deadline, &cancelled);
	pthread_mutex_lock(&queue->lock);
	queue->held = NULL;
	pthread_mutex_unlock(&queue->lock);
	if (state != EMU_MARK_PENDING)
		return EMU_HOLD_DONE;
	return cancelled ? EMU_HOLD_CANCELLED : EMU_HOLD_TIMEOUT;
}

void emu_queue_reach(struct emu_queue *queue, struct emu_mark *mark)
{
	emu_mark_retain(mark);
	queue->reached = mark;
}

/* The lock is held. */
static void let_go(struct emu_queue *queue)
{
	if (queue->held)
		emu_mark_cancel(queue->held);
}

static struct emu_queued_task *take_waiting(struct emu_queue *queue)
{
	struct emu_queued_task *waiting = queue->first;

	queue->first = NULL;
	queue->last = &queue->first;
	return waiting;
}

void emu_queue_abort(struct emu_queue *queue, aclError status)
{
	struct emu_queued_task *dropped;

	pthread_mutex_lock(&queue->lock);
	dropped = take_waiting(queue);
	for (const struct emu_queued_task *task = dropped; task; task = task->next)
		queue->submitted--;
	queue->aborts++;
	queue->abort_status = status;
	let_go(queue);
	pthread_cond_broadcast(&queue->done);
	pthread_mutex_unlock(&queue->lock);
	emu_queue_drop(dropped);
}

void emu_queue_close(struct emu_queue *queue, bool drop_waiting)
{
	struct emu_queued_task *dropped = NULL;
	bool worker_runs;

	pthread_mutex_lock(&queue->lock);
	queue->closed = true;
	if (drop_waiting) {
		queue->dropping = true;
		dropped = take_waiting(queue);
		let_go(queue);
	}
	worker_runs = queue->worker_runs;
	queue->worker_runs = false;
	pthread_cond_signal(&queue->work);
	pthread_mutex_unlock(&queue->lock);

	if (worker_runs)
		pthread_join(queue->worker, NULL);
	emu_queue_drop(dropped);

	pthread_mutex_lock(&queue->lock);
	queue->waiters++;
	while (queue->busy)                         /* a waiter runs a task */
		pthread_cond_wait(&queue->done, &queue->lock);
	queue->waiters--;
	if (drop_waiting && worker_runs)
		queue->finished = queue->submitted; /* lets those go who waited for dropped tasks */
	pthread_cond_broadcast(&queue->done);
	wait_until(queue, queue->submitted);        /* of tasks that run in place */
	pthread_mutex_unlock(&queue->lock);
}

/* ---- fork ---- */

void emu_queue_lock(struct emu_queue *queue)
{
	pthread_mutex_lock(&queue->lock);
}

void emu_queue_unlock(struct emu_queue *queue)
{
	pthread_mutex_unlock(&queue->lock);
}

struct emu_queued_task *emu_queue_renew(struct emu_queue *queue)
{
	init_conditions(queue); /* those who waited do not exist here */
	queue->waiters = 0;
	queue->held = NULL;
	queue->reached = NULL;
	queue->worker_waits = false;
	queue->worker_runs = false;
	queue->busy = false;
	queue->finished = queue->submitted;
	return take_waiting(queue);
}
