/* Words in device memory that a stream writes, or waits for. */
#include <inttypes.h>
#include <stdlib.h>

#include "acl/acl_rt.h"
#include "allocation.h"
#include "context.h"
#include "fail.h"
#include "streams.h"

enum { POLL_MILLISECONDS = 1 };

struct word {
	struct emu_side side;
	struct emu_queue *queue; /* the task runs in it, so it is there */
	struct emu_mark *never;  /* of a wait: is never reached, but lets the queue cancel the wait */
	uint64_t value;
	uint32_t condition;
};

static uint64_t *place_of(const struct word *word)
{
	return word->side.bytes;
}

static aclError write_word(void *argument)
{
	const struct word *word = argument;

	__atomic_store_n(place_of(word), word->value, __ATOMIC_RELEASE);
	return ACL_SUCCESS;
}

static bool is_met(const struct word *word)
{
	uint64_t found = __atomic_load_n(place_of(word), __ATOMIC_ACQUIRE);

	switch (word->condition) {
	case ACL_STREAM_WAIT_VALUE_GEQ:
		return (int64_t)(found - word->value) >= 0;
	case ACL_STREAM_WAIT_VALUE_EQ:
		return found == word->value;
	case ACL_STREAM_WAIT_VALUE_AND:
		return (found & word->value) != 0;
	default:
		return ~(found | word->value) != 0;
	}
}

/* Whoever writes the word may do so with any copy or operator, so there is nobody to be woken by. */
static aclError wait_for_word(void *argument)
{
	const struct word *word = argument;

	while (!is_met(word)) {
		struct emu_deadline soon = emu_deadline_in(POLL_MILLISECONDS);

		if (emu_queue_hold(word->queue, word->never, &soon) == EMU_HOLD_CANCELLED)
			break;
	}
	return ACL_SUCCESS;
}

static void drop(void *argument)
{
	struct word *word = argument;

	emu_memory_unpin(&word->side.pin);
	emu_mark_release(word->never);
	free(word);
}

static struct word *make(const struct word *wanted, struct emu_stream *stream)
{
	struct word *word = malloc(sizeof(*word));

	if (!word)
		return NULL;
	*word = *wanted;
	word->queue = &stream->queue;
	word->never = emu_mark_create(&stream->object);
	if (word->never)
		return word;
	free(word);
	return NULL;
}

static aclError check(const char *function, const void *address, uint32_t flag, uint32_t most)
{
	if (!address)
		return emu_fail_null(function, "devAddr");
	if (flag > most)
		return emu_fail(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
		                "%s failed because flag is %" PRIu32 "; it must be at most %" PRIu32 ".", function, flag,
		                most);
	if ((uintptr_t)address % sizeof(uint64_t) != 0)
		return emu_fail(ACL_ERROR_RT_PARAM_INVALID, "EE1003",
		                "%s failed because devAddr %p is not a multiple of 8.", function, address);
	return ACL_SUCCESS;
}

static aclError view(const char *function, const void *address, struct emu_side *side)
{
	aclError status = emu_memory_view(function, "devAddr", address, sizeof(uint64_t), side);

	if (status || side->place == EMU_DEVICE)
		return status;
	return emu_fail(ACL_ERROR_RT_PARAM_INVALID, "EE1003", "%s failed because devAddr %p is not device memory.",
	                function, address);
}

static aclError submit(const char *function, void *address, const struct word *wanted, aclError (*run)(void *),
                       aclrtStream stream)
{
	struct emu_task task = {.name = function, .run = run, .drop = drop};
	struct emu_context *context;
	struct emu_stream *target;
	struct word *word;
	aclError status = emu_stream_resolve(function, stream, false, &target, &context);

	if (status)
		return status;
	word = make(wanted, target);
	if (!word) {
		status = emu_fail(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL, "EE1023",
		                  "%s failed: the host's memory is exhausted.", function);
		goto out;
	}
	status = view(function, address, &word->side);
	if (status) {
		drop(word);
		goto out;
	}
	task.argument = word;
	status = emu_stream_push(target, &task);
out:
	emu_object_release(&target->object);
	emu_object_release(&context->object);
	return status;
}

aclError aclrtValueWrite(void *devAddr, uint64_t value, uint32_t flag, aclrtStream stream)
{
	struct word word = {.value = value};
	aclError status = check(__func__, devAddr, flag, 0);

	return status ? status : submit(__func__, devAddr, &word, write_word, stream);
}

aclError aclrtValueWait(void *devAddr, uint64_t value, uint32_t flag, aclrtStream stream)
{
	struct word word = {.value = value, .condition = flag};
	aclError status = check(__func__, devAddr, flag, ACL_STREAM_WAIT_VALUE_NOR);

	return status ? status : submit(__func__, devAddr, &word, wait_for_word, stream);
}
