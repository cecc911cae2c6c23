/* Events: each shows the mark that the latest record put into a stream. */
#ifndef EMU_EVENT_H
#define EMU_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "acl/acl_base.h"
#include "handle.h"
#include "mark.h"

struct emu_context;
struct emu_stream;

struct emu_event {
	struct emu_object object;
	bool reusable;            /* of the newer family: recorded again and again, never reset */
	uint32_t flags;
	int device;
	uint32_t id;              /* never used again in the process */
	atomic_uint waits;        /* of streams, queued and not passed */
	struct emu_mark *latest;  /* ... use emu_event_view() for these three */
	bool reset_queued;        /* since the latest record */
	bool reset_done;
};

/* An event at one moment. */
struct emu_event_view {
	struct emu_mark *mark;    /* of the latest record, retained; NULL if there was none */
	bool reset_queued;
	bool reset_done;
};

/* The handle table owns the event. 0 or 207007 with a record. */
aclError emu_event_create(const char *function, const struct emu_context *context, uint32_t flags, bool reusable,
                          aclrtEvent *handle);

/* A reference on a live event. 100000 for null, 107017 otherwise, both with a record. */
aclError emu_event_resolve(const char *function, aclrtEvent handle, struct emu_event **event);

struct emu_event_view emu_event_view(struct emu_event *event);

/* Tasks for a stream. 0 or a status with a record. */
aclError emu_event_record(const char *function, struct emu_event *event, struct emu_stream *stream);
aclError emu_event_reset(const char *function, struct emu_event *event, struct emu_stream *stream);

/* The stream waits for a mark that the event showed, so long at most; below 0 is for ever. */
aclError emu_event_wait(const char *function, struct emu_event *event, struct emu_mark *mark,
                        struct emu_stream *stream, int64_t milliseconds);

/* How many more events a device can have. */
unsigned emu_events_available(int device);

#endif
