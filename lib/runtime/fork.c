#include "fork.h"

#include <pthread.h>

/* Devices open contexts, contexts streams, and so on: the order in which the locks may be held together. */
static void before(void)
{
	emu_process_lock();
	emu_devices_lock();
	emu_streams_lock();
	emu_reports_lock();
	emu_events_lock();
	emu_marks_lock();
	emu_callbacks_lock();
	emu_window_lock();
	emu_memory_lock();
	emu_handles_lock();
	emu_error_lock();
}

static void unlock_tables(void)
{
	emu_error_unlock();
	emu_handles_unlock();
	emu_memory_unlock();
	emu_window_unlock();
	emu_callbacks_unlock();
}

static void in_parent(void)
{
	unlock_tables();
	emu_marks_unlock();
	emu_events_unlock();
	emu_reports_unlock();
	emu_streams_unlock();
	emu_devices_unlock();
	emu_process_unlock();
}

static void in_child(void)
{
	unlock_tables();
	emu_marks_renew();
	emu_events_unlock();
	emu_reports_renew();
	emu_streams_renew();
	emu_devices_unlock();
	emu_process_unlock();
}

/* From the start: a client's thread may hold one of the locks before we have a thread of our own. */
static void __attribute__((constructor)) install(void)
{
	pthread_atfork(before, in_parent, in_child);
}
