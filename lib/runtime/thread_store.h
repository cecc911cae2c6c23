/* A piece of memory that every thread has one of, from its first use to the end of the thread. */
#ifndef EMU_THREAD_STORE_H
#define EMU_THREAD_STORE_H

#include <stdatomic.h>
#include <stddef.h>

#include "export.h"

struct emu_thread_store {
	size_t size;
	void (*end)(void *piece); /* frees what the piece holds, and the piece */
	atomic_uint key;          /* 0 until the first use by any thread, then one more than the system's key */
};

/* The calling thread's piece, zeroed if it is new; NULL when memory is exhausted. */
EMU_SHARED void *emu_thread_store_get(struct emu_thread_store *store);

/* The same, but NULL if the thread has none yet. */
EMU_SHARED void *emu_thread_store_peek(struct emu_thread_store *store);

#endif
