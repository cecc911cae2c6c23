#include "transfer.h"

#include <stdlib.h>
#include <string.h>

#include "context.h"
#include "streams.h"

/* ---- the bytes ---- */

static void fill_words(void *to, uint32_t pattern, uint64_t bytes)
{
	uint32_t *words = to;

	for (uint64_t i = 0; i < bytes / sizeof(pattern); i++)
		words[i] = pattern;
}

/*
 * A word that a stream may be waiting for arrives as a whole. Overlap is undefined on a device; here it must at least
 * not be undefined behaviour.
 */
static void copy_row(void *to, const void *from, uint64_t bytes)
{
	uint64_t word;

	if (bytes == sizeof(word) && (uintptr_t)to % sizeof(word) == 0) {
		memcpy(&word, from, sizeof(word));
		__atomic_store_n((uint64_t *)to, word, __ATOMIC_RELEASE);
	} else {
		memmove(to, from, bytes);
	}
}

static void move(const struct emu_transfer *t)
{
	char *to = t->to.bytes;
	const char *from = t->from.bytes;

	if (t->pattern_bytes == 4)
		fill_words(to, t->pattern, t->width);
	else if (t->pattern_bytes == 1)
		memset(to, (int)(t->pattern & 0xff), t->width);
	else
		copy_row(to, from, t->width);
	for (uint64_t row = 1; row < t->rows; row++)
		copy_row(to + row * t->to_pitch, from + row * t->from_pitch, t->width);
}

/* ---- finding them ---- */

static uint64_t reach(const struct emu_transfer *t, uint64_t pitch)
{
	return t->rows > 1 ? (t->rows - 1) * pitch + t->width : t->width;
}

aclError emu_transfer_view(struct emu_transfer *t)
{
	aclError status =
		emu_memory_view(t->function, t->to_name, t->to_address, reach(t, t->to_pitch), &t->to);

	if (!status && !t->pattern_bytes)
		status = emu_memory_view(t->function, "src", t->from_address, reach(t, t->from_pitch), &t->from);
	if (!status && t->accepts)
		status = t->accepts(t);
	if (status)
		emu_transfer_drop(t);
	return status;
}

void emu_transfer_drop(struct emu_transfer *t)
{
	emu_memory_unpin(&t->to.pin);
	emu_memory_unpin(&t->from.pin);
}

bool emu_transfer_touches(const struct emu_transfer *t, enum emu_place place)
{
	return t->to.place == place || (!t->pattern_bytes && t->from.place == place);
}

/* ---- doing it ---- */

static void wait_for(struct emu_stream *stream)
{
	const struct emu_deadline never = emu_deadline_in(-1);

	emu_queue_wait(&stream->queue, &never);
}

/* Waits for the default stream, whose work the copy may need; other streams are the caller's business. */
void emu_transfer_move_now(struct emu_transfer *viewed, struct emu_context *context)
{
	wait_for(context->default_stream);
	move(viewed);
	emu_transfer_drop(viewed);
}

static aclError run(void *argument)
{
	move(argument);
	return ACL_SUCCESS;
}

static void drop(void *argument)
{
	emu_transfer_drop(argument);
	free(argument);
}

/*
 * Pageable host memory may be gone when the stream comes to it, so the call waits for the stream and does the work
 * itself, as the device's driver does.
 */
aclError emu_transfer_move_in_stream(struct emu_transfer *viewed, struct emu_stream *stream)
{
	struct emu_task task = {.name = viewed->function, .run = run, .drop = drop};
	struct emu_transfer *queued = malloc(sizeof(*queued));

	if (queued && !emu_transfer_touches(viewed, EMU_PAGEABLE)) {
		*queued = *viewed;
		task.argument = queued;
		return emu_stream_push(stream, &task);
	}
	free(queued);
	wait_for(stream);
	move(viewed);
	emu_transfer_drop(viewed);
	return ACL_SUCCESS;
}

aclError emu_transfer_now(struct emu_transfer *transfer)
{
	struct emu_context *context;
	aclError status = emu_context_require(transfer->function, &context);

	if (status)
		return status;
	status = emu_transfer_view(transfer);
	if (!status)
		emu_transfer_move_now(transfer, context);
	emu_object_release(&context->object);
	return status;
}

aclError emu_transfer_in_stream(struct emu_transfer *transfer, aclrtStream stream)
{
	struct emu_context *context;
	struct emu_stream *target;
	aclError status = emu_stream_resolve(transfer->function, stream, false, &target, &context);

	if (status)
		return status;
	status = emu_transfer_view(transfer);
	if (!status)
		status = emu_transfer_move_in_stream(transfer, target);
	emu_object_release(&target->object);
	emu_object_release(&context->object);
	return status;
}
