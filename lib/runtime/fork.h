/*
 * fork() while other threads work: every lock of the runtime is taken before and given back after, in both processes,
 * so that the child finds whole tables. The pairs below are called by fork.c alone, in the order written there.
 */
#ifndef EMU_FORK_H
#define EMU_FORK_H

void emu_process_lock(void);
void emu_process_unlock(void);
void emu_devices_lock(void);
void emu_devices_unlock(void);
void emu_streams_lock(void);
void emu_streams_unlock(void);
void emu_streams_renew(void); /* in the child instead of unlock: its workers are gone, what was queued is dropped */
void emu_marks_lock(void);
void emu_marks_unlock(void);
void emu_marks_renew(void);   /* likewise: who waited is gone */
void emu_events_lock(void);
void emu_events_unlock(void);
void emu_reports_lock(void);
void emu_reports_unlock(void);
void emu_reports_renew(void); /* likewise */
void emu_callbacks_lock(void);
void emu_callbacks_unlock(void);
void emu_window_lock(void);
void emu_window_unlock(void);
void emu_memory_lock(void);
void emu_memory_unlock(void);
void emu_handles_lock(void);
void emu_handles_unlock(void);
void emu_error_lock(void);
void emu_error_unlock(void);

#endif
