#include "thread_store.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

/* Without a lock, which a fork could catch: of two threads that come first at once, one gives its key back. */
static bool open_store(struct emu_thread_store *store)
{
	pthread_key_t key;
	unsigned none = 0;

	if (atomic_load(&store->key))
		return true;
	if (pthread_key_create(&key, store->end))
		return false;
	if (!atomic_compare_exchange_strong(&store->key, &none, (unsigned)key + 1))
		pthread_key_delete(key);
	return true;
}

void *emu_thread_store_peek(struct emu_thread_store *store)
{
	unsigned key = atomic_load(&store->key);

	return key ? pthread_getspecific((pthread_key_t)(key - 1)) : NULL;
}

void *emu_thread_store_get(struct emu_thread_store *store)
{
	void *piece = emu_thread_store_peek(store);

	if (piece || !open_store(store))
		return piece;
	piece = calloc(1, store->size);
	if (piece && pthread_setspecific((pthread_key_t)(atomic_load(&store->key) - 1), piece)) {
		free(piece);
		piece = NULL;
	}
	return piece;
}
