/* The life of an executor, with an operator that only notes what it was given. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "acl/acl_rt.h"
#include "aclnn/acl_meta.h"
#include "aclnn/opdev/op_errno.h"
#include "base/executor.h"
#include "check.h"

/* ---- the operator: a plan counts its runs and its end, and may wait at a gate ---- */

enum { SEEN = 8 };

struct plan {
	atomic_int runs;
	atomic_int ends;
	aclError result;
	bool waits;
	struct emu_launch seen[SEEN];
};

static struct {
	pthread_mutex_t lock;
	pthread_cond_t opened;
	bool open;
} gate = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false};

static void set_gate(bool open)
{
	pthread_mutex_lock(&gate.lock);
	gate.open = open;
	pthread_cond_broadcast(&gate.opened);
	pthread_mutex_unlock(&gate.lock);
}

static void pass_gate(void)
{
	pthread_mutex_lock(&gate.lock);
	while (!gate.open)
		pthread_cond_wait(&gate.opened, &gate.lock);
	pthread_mutex_unlock(&gate.lock);
}

static aclError run(const void *argument, const struct emu_launch *launch)
{
	struct plan *plan = (struct plan *)argument;
	if (plan->waits)
		pass_gate();
	int at = atomic_fetch_add(&plan->runs, 1);
	if (at < SEEN)
		plan->seen[at] = *launch;
	return plan->result;
}

static void end(void *argument)
{
	struct plan *plan = argument;
	atomic_fetch_add(&plan->ends, 1);
}

static size_t describe(const void *argument, char *text, size_t size)
{
	const struct plan *plan = argument;
	return (size_t)snprintf(text, size, "result=%d", plan->result);
}

static const struct emu_operator op = {"aclnnNote", run, end, describe};
static const struct emu_operator other_op = {"aclnnOther", run, end, describe};

/* ---- helpers ---- */

static char a, b, c, workspace[8];
static aclrtStream stream;

static aclTensor *tensor_at(void *address)
{
	return aclCreateTensor(NULL, 0, ACL_FLOAT, NULL, 0, ACL_FORMAT_ND, NULL, 0, address);
}

/* As phase one does: takes the cells, leaves the tensors alone. */
static aclOpExecutor *executor_of(struct plan *plan, const aclTensor *first, const aclTensor *second)
{
	const aclTensor *tensors[] = {first, NULL, second};
	struct emu_cell *cells[3] = {NULL};
	struct emu_tensor_numbers numbers;
	for (int i = 0; i < 3; i++)
		emu_tensor_snapshot(tensors[i], &numbers, &cells[i]);
	aclOpExecutor *executor = emu_executor_create(&op, plan, cells, 3);
	for (int i = 0; i < 3; i++)
		emu_cell_release(cells[i]);
	return executor;
}

static aclOpExecutor *bare_executor(struct plan *plan)
{
	return emu_executor_create(&op, plan, NULL, 0);
}

static aclnnStatus phase_two(aclOpExecutor *executor)
{
	return emu_executor_launch(&op, NULL, 0, executor, stream);
}

static void synchronize(void)
{
	CHECK_EQUAL(aclrtSynchronizeStream(stream), 0);
}

static void check_counts(const struct plan *plan, int runs, int ends)
{
	CHECK_EQUAL(atomic_load(&plan->runs), runs);
	CHECK_EQUAL(atomic_load(&plan->ends), ends);
}

/* ---- one-shot executors ---- */

static void test_a_run_gets_the_addresses_and_the_workspace_of_phase_two(void)
{
	struct plan plan = {0};
	aclTensor *first = tensor_at(&a), *second = tensor_at(&b);
	aclOpExecutor *executor = executor_of(&plan, first, second);
	CHECK_EQUAL(aclSetTensorAddr(executor, 0, first, &c), 0);
	CHECK_EQUAL(emu_executor_launch(&op, workspace, sizeof(workspace), executor, stream), 0);
	synchronize();
	check_counts(&plan, 1, 1);
	CHECK(plan.seen[0].addresses[0] == &c);
	CHECK(!plan.seen[0].addresses[1]);
	CHECK(plan.seen[0].addresses[2] == &b);
	CHECK(plan.seen[0].workspace == workspace);
	CHECK_EQUAL(plan.seen[0].workspace_size, sizeof(workspace));
	aclDestroyTensor(first);
	aclDestroyTensor(second);
}

static void test_tensors_may_go_between_the_phases(void)
{
	struct plan plan = {0};
	aclTensor *first = tensor_at(&a), *second = tensor_at(&b);
	aclOpExecutor *executor = executor_of(&plan, first, second);
	CHECK_EQUAL(aclDestroyTensor(first), 0);
	CHECK_EQUAL(aclDestroyTensor(second), 0);
	CHECK_EQUAL(phase_two(executor), 0);
	synchronize();
	CHECK(plan.seen[0].addresses[0] == &a);
	CHECK(plan.seen[0].addresses[2] == &b);
}

static void test_an_address_moved_after_phase_two_does_not_reach_it(void)
{
	struct plan plan = {.waits = true};
	aclTensor *tensor = tensor_at(&a);
	aclOpExecutor *executor = executor_of(&plan, tensor, NULL);
	set_gate(false);
	CHECK_EQUAL(phase_two(executor), 0);
	CHECK_EQUAL(aclSetRawTensorAddr(tensor, &b), 0);
	set_gate(true);
	synchronize();
	CHECK(plan.seen[0].addresses[0] == &a);
	aclDestroyTensor(tensor);
}

static void test_phase_two_uses_an_executor_up(void)
{
	struct plan plan = {0};
	aclOpExecutor *executor = bare_executor(&plan);
	CHECK_EQUAL(phase_two(executor), 0);
	aclGetRecentErrMsg();
	CHECK_EQUAL(phase_two(executor), ACLNN_ERR_INNER);
	const char *text = aclGetRecentErrMsg();
	CHECK_CONTAINS(text, "EZ9999");
	CHECK_CONTAINS(text, "aclnnNote failed because executor is not a live aclOpExecutor");
	CHECK_CONTAINS(text, "used up by phase two");
	CHECK_EQUAL(aclSetAclOpExecutorRepeatable(executor), ACLNN_ERR_INNER);
	CHECK_EQUAL(aclDestroyAclOpExecutor(executor), ACLNN_ERR_INNER);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "used up by phase two");
	synchronize();
	check_counts(&plan, 1, 1);
}

static void test_an_executor_may_be_destroyed_without_a_run(void)
{
	struct plan plan = {0};
	aclOpExecutor *executor = bare_executor(&plan);
	CHECK_EQUAL(aclDestroyAclOpExecutor(executor), 0);
	check_counts(&plan, 0, 1);
	aclGetRecentErrMsg();
	CHECK_EQUAL(aclDestroyAclOpExecutor(executor), ACLNN_ERR_INNER);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "that was destroyed");
	CHECK_EQUAL(phase_two(executor), ACLNN_ERR_INNER);
	check_counts(&plan, 0, 1);
}

static void test_a_missing_workspace_uses_up_even_a_repeatable_executor(void)
{
	for (int repeatable = 0; repeatable < 2; repeatable++) {
		struct plan plan = {0};
		aclOpExecutor *executor = bare_executor(&plan);
		if (repeatable)
			CHECK_EQUAL(aclSetAclOpExecutorRepeatable(executor), 0);
		aclGetRecentErrMsg();
		CHECK_EQUAL(emu_executor_launch(&op, NULL, 512, executor, stream), ACLNN_ERR_PARAM_NULLPTR);
		const char *text = aclGetRecentErrMsg();
		CHECK_CONTAINS(text, "EZ1001");
		CHECK_CONTAINS(text, "workspace cannot be a NULL pointer: workspaceSize is 512");
		check_counts(&plan, 0, 1);
		CHECK_EQUAL(phase_two(executor), ACLNN_ERR_INNER);
	}
}

static void test_handles_that_are_no_executor(void)
{
	aclTensor *tensor = tensor_at(&a);
	aclGetRecentErrMsg();
	CHECK_EQUAL(phase_two(NULL), ACLNN_ERR_PARAM_NULLPTR);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "aclnnNote failed because executor cannot be a NULL pointer");
	CHECK_EQUAL(aclSetAclOpExecutorRepeatable(NULL), ACLNN_ERR_INNER_NULLPTR);
	CHECK_EQUAL(aclDestroyAclOpExecutor(NULL), ACLNN_ERR_INNER_NULLPTR);
	aclGetRecentErrMsg();
	void *strangers[] = {&a, tensor, (void *)1, (void *)UINTPTR_MAX};
	for (int i = 0; i < 4; i++) {
		CHECK_EQUAL(phase_two(strangers[i]), ACLNN_ERR_INNER);
		CHECK_EQUAL(emu_executor_launch(&op, NULL, 8, strangers[i], stream), ACLNN_ERR_INNER);
		CHECK_EQUAL(aclSetAclOpExecutorRepeatable(strangers[i]), ACLNN_ERR_INNER);
		CHECK_EQUAL(aclDestroyAclOpExecutor(strangers[i]), ACLNN_ERR_INNER);
		CHECK_CONTAINS(aclGetRecentErrMsg(), "executor is not a live aclOpExecutor");
	}
	CHECK_EQUAL(aclDestroyTensor(tensor), 0);
}

static void test_another_operators_executor_is_refused_and_kept(void)
{
	struct plan plan = {0};
	aclOpExecutor *executor = bare_executor(&plan);
	aclGetRecentErrMsg();
	CHECK_EQUAL(emu_executor_launch(&other_op, NULL, 0, executor, stream), ACLNN_ERR_INNER);
	const char *text = aclGetRecentErrMsg();
	CHECK_CONTAINS(text, "aclnnOther failed because executor");
	CHECK_CONTAINS(text, "was made by aclnnNoteGetWorkspaceSize");
	CHECK_EQUAL(phase_two(executor), 0);
	synchronize();
	check_counts(&plan, 1, 1);
}

static void test_a_failing_run_shows_at_the_synchronise(void)
{
	struct plan plan = {.result = ACL_ERROR_RT_AICORE_EXCEPTION};
	aclrtStream failing;
	CHECK_EQUAL(aclrtCreateStream(&failing), 0);
	CHECK_EQUAL(emu_executor_launch(&op, NULL, 0, bare_executor(&plan), failing), 0);
	CHECK_EQUAL(aclrtSynchronizeStream(failing), ACL_ERROR_RT_AICORE_EXCEPTION);
	check_counts(&plan, 1, 1);
	CHECK_EQUAL(aclrtDestroyStream(failing), 0);
}

/* ---- repeatable executors ---- */

static void test_a_repeatable_executor_follows_its_tensors(void)
{
	struct plan plan = {0};
	aclTensor *first = tensor_at(&a), *second = tensor_at(&a);
	aclOpExecutor *executor = executor_of(&plan, first, second);
	CHECK_EQUAL(aclSetAclOpExecutorRepeatable(executor), 0);
	CHECK_EQUAL(aclSetAclOpExecutorRepeatable(executor), 0);
	CHECK_EQUAL(phase_two(executor), 0);
	CHECK_EQUAL(aclSetInputTensorAddr(executor, 0, first, &b), 0);
	CHECK_EQUAL(phase_two(executor), 0);
	CHECK_EQUAL(aclSetOutputTensorAddr(executor, 0, second, &c), 0);
	CHECK_EQUAL(aclInitTensor(first, NULL, 0, ACL_FLOAT, NULL, 0, ACL_FORMAT_ND, NULL, 0, &c), 0);
	CHECK_EQUAL(phase_two(executor), 0);
	synchronize();
	check_counts(&plan, 3, 0);
	CHECK(plan.seen[0].addresses[0] == &a && plan.seen[0].addresses[2] == &a);
	CHECK(plan.seen[1].addresses[0] == &b && plan.seen[1].addresses[2] == &a);
	CHECK(plan.seen[2].addresses[0] == &c && plan.seen[2].addresses[2] == &c);
	aclDestroyTensor(first);
	aclDestroyTensor(second);
	CHECK_EQUAL(aclDestroyAclOpExecutor(executor), 0);
	check_counts(&plan, 3, 1);
	CHECK_EQUAL(phase_two(executor), ACLNN_ERR_INNER);
}

static void test_another_tensor_of_the_same_shape_moves_only_itself(void)
{
	struct plan plan = {0};
	aclTensor *planned = tensor_at(&a), *look_alike = tensor_at(&a);
	aclOpExecutor *executor = executor_of(&plan, planned, NULL);
	CHECK_EQUAL(aclSetInputTensorAddr(executor, 0, look_alike, &b), 0);
	CHECK_EQUAL(phase_two(executor), 0);
	synchronize();
	CHECK(plan.seen[0].addresses[0] == &a);
	aclDestroyTensor(planned);
	aclDestroyTensor(look_alike);
}

static void test_an_executor_destroyed_while_it_is_queued_still_runs(void)
{
	struct plan plan = {.waits = true};
	aclTensor *tensor = tensor_at(&a);
	aclOpExecutor *executor = executor_of(&plan, tensor, NULL);
	CHECK_EQUAL(aclSetAclOpExecutorRepeatable(executor), 0);
	set_gate(false);
	for (int i = 0; i < 3; i++)
		CHECK_EQUAL(phase_two(executor), 0);
	CHECK_EQUAL(aclDestroyAclOpExecutor(executor), 0);
	CHECK_EQUAL(aclDestroyTensor(tensor), 0);
	check_counts(&plan, 0, 0);
	set_gate(true);
	synchronize();
	check_counts(&plan, 3, 1);
	CHECK(plan.seen[2].addresses[0] == &a);
}

static void test_a_repeatable_executor_runs_on_several_streams(void)
{
	struct plan plan = {0};
	aclrtStream second;
	aclOpExecutor *executor = bare_executor(&plan);
	CHECK_EQUAL(aclrtCreateStream(&second), 0);
	CHECK_EQUAL(aclSetAclOpExecutorRepeatable(executor), 0);
	CHECK_EQUAL(emu_executor_launch(&op, NULL, 0, executor, second), 0);
	CHECK_EQUAL(phase_two(executor), 0);
	CHECK_EQUAL(emu_executor_launch(&op, NULL, 0, executor, NULL), 0);
	CHECK_EQUAL(aclrtSynchronizeDevice(), 0);
	check_counts(&plan, 3, 0);
	CHECK_EQUAL(aclDestroyAclOpExecutor(executor), 0);
	CHECK_EQUAL(aclrtDestroyStream(second), 0);
}

/* ---- what the runtime refuses ---- */

static void test_a_dead_stream_is_a_runtime_error(void)
{
	aclrtStream dead;
	CHECK_EQUAL(aclrtCreateStream(&dead), 0);
	CHECK_EQUAL(aclrtDestroyStream(dead), 0);
	struct plan plan = {0}, kept = {0};
	aclOpExecutor *executor = bare_executor(&plan), *repeatable = bare_executor(&kept);
	CHECK_EQUAL(aclSetAclOpExecutorRepeatable(repeatable), 0);
	aclGetRecentErrMsg();
	CHECK_EQUAL(emu_executor_launch(&op, NULL, 0, executor, dead), ACLNN_ERR_RUNTIME_ERROR);
	const char *text = aclGetRecentErrMsg();
	CHECK_CONTAINS(text, "EZ9903");
	CHECK_CONTAINS(text, "runtime status 107017 (ACL_ERROR_RT_INVALID_HANDLE");
	check_counts(&plan, 0, 1);
	CHECK_EQUAL(phase_two(executor), ACLNN_ERR_INNER);

	CHECK_EQUAL(emu_executor_launch(&op, NULL, 0, repeatable, dead), ACLNN_ERR_RUNTIME_ERROR);
	CHECK_EQUAL(phase_two(repeatable), 0);
	synchronize();
	check_counts(&kept, 1, 0);
	CHECK_EQUAL(aclDestroyAclOpExecutor(repeatable), 0);
}

static void *launch_without_a_context(void *executor)
{
	aclGetRecentErrMsg();
	CHECK_EQUAL(emu_executor_launch(&op, NULL, 0, executor, NULL), ACLNN_ERR_RUNTIME_ERROR);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "runtime status 107002 (ACL_ERROR_RT_CONTEXT_NULL");
	return NULL;
}

static void test_a_thread_without_a_context_is_a_runtime_error(void)
{
	struct plan plan = {0};
	pthread_t thread;
	pthread_create(&thread, NULL, launch_without_a_context, bare_executor(&plan));
	pthread_join(thread, NULL);
	check_counts(&plan, 0, 1);
}

static void test_a_stream_of_another_context_is_a_runtime_error(void)
{
	struct plan plan = {0};
	aclrtContext own, second;
	CHECK_EQUAL(aclrtGetCurrentContext(&own), 0);
	CHECK_EQUAL(aclrtCreateContext(&second, 0), 0);
	aclGetRecentErrMsg();
	CHECK_EQUAL(phase_two(bare_executor(&plan)), ACLNN_ERR_RUNTIME_ERROR);
	CHECK_CONTAINS(aclGetRecentErrMsg(), "runtime status 107003 (ACL_ERROR_RT_STREAM_CONTEXT");
	CHECK_EQUAL(aclrtSetCurrentContext(own), 0);
	CHECK_EQUAL(aclrtDestroyContext(second), 0);
	check_counts(&plan, 0, 1);
}

/* ---- threads ---- */

enum { ROUNDS = 200 };

struct racer {
	pthread_barrier_t *start;
	aclOpExecutor **executors;
	aclnnStatus (*act)(aclOpExecutor *);
	aclnnStatus statuses[ROUNDS]; /* looked at when the race is over: checks are for one thread */
};

static void *race(void *argument)
{
	struct racer *racer = argument;
	aclrtSetDevice(0);
	for (int i = 0; i < ROUNDS; i++) {
		pthread_barrier_wait(racer->start);
		racer->statuses[i] = racer->act(racer->executors[i]);
	}
	return NULL;
}

static void check_race(aclnnStatus (*first)(aclOpExecutor *), aclnnStatus (*second)(aclOpExecutor *), bool first_runs,
                       bool second_runs)
{
	static struct plan plans[ROUNDS];
	static aclOpExecutor *executors[ROUNDS];
	memset(plans, 0, sizeof(plans));
	for (int i = 0; i < ROUNDS; i++)
		executors[i] = bare_executor(&plans[i]);
	pthread_barrier_t start;
	pthread_barrier_init(&start, NULL, 2);
	struct racer racers[2] = {{&start, executors, first, {0}}, {&start, executors, second, {0}}};
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, race, &racers[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	synchronize();
	for (int i = 0; i < ROUNDS; i++) {
		bool first_won = racers[0].statuses[i] == 0;
		CHECK_EQUAL(racers[first_won].statuses[i], ACLNN_ERR_INNER);
		CHECK_EQUAL(racers[!first_won].statuses[i], 0);
		check_counts(&plans[i], first_won ? first_runs : second_runs, 1);
	}
	pthread_barrier_destroy(&start);
}

static void test_of_two_threads_in_phase_two_one_gets_through(void)
{
	check_race(phase_two, phase_two, true, true);
}

static void test_phase_two_and_destroy_in_two_threads_end_in_one_of_both(void)
{
	check_race(phase_two, aclDestroyAclOpExecutor, true, false);
}

int main(void)
{
	setenv("ACLEMU_STREAM", "async", 1); /* the gate keeps a stream's worker waiting, not the caller */
	if (!CHECK_EQUAL(aclrtSetDevice(0), 0) || !CHECK_EQUAL(aclrtCreateStream(&stream), 0))
		return check_report();
	test_a_run_gets_the_addresses_and_the_workspace_of_phase_two();
	test_tensors_may_go_between_the_phases();
	test_an_address_moved_after_phase_two_does_not_reach_it();
	test_phase_two_uses_an_executor_up();
	test_an_executor_may_be_destroyed_without_a_run();
	test_a_missing_workspace_uses_up_even_a_repeatable_executor();
	test_handles_that_are_no_executor();
	test_another_operators_executor_is_refused_and_kept();
	test_a_failing_run_shows_at_the_synchronise();
	test_a_repeatable_executor_follows_its_tensors();
	test_another_tensor_of_the_same_shape_moves_only_itself();
	test_an_executor_destroyed_while_it_is_queued_still_runs();
	test_a_repeatable_executor_runs_on_several_streams();
	test_a_dead_stream_is_a_runtime_error();
	test_a_thread_without_a_context_is_a_runtime_error();
	test_a_stream_of_another_context_is_a_runtime_error();
	test_of_two_threads_in_phase_two_one_gets_through();
	test_phase_two_and_destroy_in_two_threads_end_in_one_of_both();
	CHECK_EQUAL(aclrtDestroyStream(stream), 0);
	return check_report();
}
