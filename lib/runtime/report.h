/* Callbacks of streams that a thread of the client runs when it asks for them: aclrtProcessReport(). */
#ifndef EMU_REPORT_H
#define EMU_REPORT_H

#include "acl/acl_rt.h"
#include "streams.h"

/* 107011 with a record when a stream is subscribed; from then on it cannot be. */
aclError emu_report_refuse(const char *function, struct emu_stream *stream);

/* The stream ends: nobody serves it any more. */
void emu_report_forget(const struct emu_stream *stream);

/* The same if the calling thread serves it: it is about to wait for the stream, and cannot run its callbacks. */
void emu_report_leave(const struct emu_stream *stream);

#endif
