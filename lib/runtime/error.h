/*
 * The error text that aclGetRecentErrMsg() hands out: one store per thread, or one per process with err_msg_mode "1".
 *
 * Codes choose the title: "EZ1001" AclNN_Parameter_Error, "EZ9903" AclNN_Runtime_Error, "EZ9999" AclNN_Inner_Error,
 * "EH0001".. the outer runtime layer, "EE1001".. the inner one (spec: aclnn_base section 10, acl_runtime section 11).
 */
#ifndef EMU_ERROR_H
#define EMU_ERROR_H

#include <stdarg.h>
#include <stdbool.h>

#include "export.h"

/* Adds one record to the calling thread's text. Never fails; one is cut at 1023 bytes, an identical one is dropped. */
EMU_SHARED void emu_error_add(const char *code, const char *format, ...) EMU_PRINTF(2, 3);
void emu_error_add_list(const char *code, const char *format, va_list values);

/*
 * Moving text between threads: a stream's worker takes what a failed task recorded, and the thread that synchronises
 * gets it. Between emu_error_collect() and emu_error_take() the calling thread's records go into one opaque parcel
 * (NULL when there were none); emu_error_give() adds a parcel's records to the calling thread's store and frees it.
 */
struct emu_error_parcel;
void emu_error_collect(void);
struct emu_error_parcel *emu_error_take(void);
void emu_error_give(struct emu_error_parcel *parcel);
void emu_error_discard(struct emu_error_parcel *parcel);

/* One store for all threads from now on (err_msg_mode "1"), or one per thread. */
void emu_error_share(bool process_wide);

#endif
