/*
 * Marks: points in streams. A mark is reached when its stream comes to it, or dropped when the stream never will. One
 * of the two happens to every mark, so that nobody waits for ever. Knows nothing of streams and events.
 */
#ifndef EMU_MARK_H
#define EMU_MARK_H

#include <stdbool.h>
#include <stdint.h>

#include "deadline.h"
#include "handle.h"

enum emu_mark_state { EMU_MARK_PENDING, EMU_MARK_REACHED, EMU_MARK_DROPPED };

struct emu_mark {
	atomic_uint references;
	struct emu_object *owner;      /* the stream it lies in, retained */
	unsigned process;              /* how many forks led to the process that made it */
	enum emu_mark_state state;     /* use emu_mark_state() */
	struct timespec reached_at;
};

/* The caller has the reference; NULL without memory. */
struct emu_mark *emu_mark_create(struct emu_object *owner);
void emu_mark_retain(struct emu_mark *mark);
void emu_mark_release(struct emu_mark *mark); /* NULL is fine */

/* The first one counts. */
void emu_mark_reach(struct emu_mark *mark);
void emu_mark_drop(struct emu_mark *mark);

enum emu_mark_state emu_mark_state(struct emu_mark *mark);

/* Nanoseconds on the monotonic clock; the mark is reached. */
int64_t emu_mark_time(struct emu_mark *mark);

/* Waits while the mark is pending, the deadline is not over and nobody has called emu_mark_cancel(cancelled). */
enum emu_mark_state emu_mark_wait(struct emu_mark *mark, const struct emu_deadline *deadline, const bool *cancelled);
void emu_mark_cancel(bool *cancelled);

#endif
