#include "callbacks.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "fork.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of all lists */

static bool same(const struct emu_callback *a, const struct emu_callback *b)
{
	if (a->name || b->name)
		return a->name && b->name && !strcmp(a->name, b->name);
	return a->type == b->type && a->function == b->function;
}

/* The entry that is known by the same, else the end. The lock is held. */
static size_t find(const struct emu_callbacks *list, const struct emu_callback *entry)
{
	size_t i = 0;

	while (i < list->count && !same(&list->entries[i], entry))
		i++;
	return i;
}

static bool append(struct emu_callbacks *list, const struct emu_callback *entry)
{
	struct emu_callback *entries = realloc(list->entries, (list->count + 1) * sizeof(*entries));
	char *name = entry->name ? strdup(entry->name) : NULL;

	if (entries)
		list->entries = entries;
	if (!entries || (entry->name && !name)) {
		free(name);
		return false;
	}
	entries[list->count] = *entry;
	entries[list->count++].name = name;
	return true;
}

bool emu_callbacks_add(struct emu_callbacks *list, const struct emu_callback *entry)
{
	bool added = true;
	size_t at;

	pthread_mutex_lock(&lock);
	at = find(list, entry);
	if (at == list->count) {
		added = append(list, entry);
	} else {
		list->entries[at].function = entry->function;
		list->entries[at].data = entry->data;
	}
	pthread_mutex_unlock(&lock);
	return added;
}

bool emu_callbacks_remove(struct emu_callbacks *list, const struct emu_callback *entry)
{
	bool found;
	size_t at;

	pthread_mutex_lock(&lock);
	at = find(list, entry);
	found = at < list->count;
	if (found) {
		free((char *)list->entries[at].name);
		list->count--;
		memmove(&list->entries[at], &list->entries[at + 1], (list->count - at) * sizeof(*list->entries));
	}
	pthread_mutex_unlock(&lock);
	return found;
}

struct emu_callback *emu_callbacks_copy(const struct emu_callbacks *list, size_t *count)
{
	struct emu_callback *copy = NULL;

	pthread_mutex_lock(&lock);
	if (list->count)
		copy = malloc(list->count * sizeof(*copy));
	*count = copy ? list->count : 0;
	for (size_t i = 0; i < *count; i++) {
		copy[i] = list->entries[i];
		copy[i].name = NULL;
	}
	pthread_mutex_unlock(&lock);
	return copy;
}

/* ---- fork ---- */

void emu_callbacks_lock(void)
{
	pthread_mutex_lock(&lock);
}

void emu_callbacks_unlock(void)
{
	pthread_mutex_unlock(&lock);
}
