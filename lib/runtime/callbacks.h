/* Lists of functions that the client wants called. */
#ifndef EMU_CALLBACKS_H
#define EMU_CALLBACKS_H

#include <stdbool.h>
#include <stddef.h>

struct emu_callback {
	const char *name;         /* what the client registered it as; NULL: known by type and function */
	int type;
	void (*function)(void);   /* cast to what it is */
	void *data;
};

struct emu_callbacks {
	struct emu_callback *entries;
	size_t count;
};

/* Adds an entry, or replaces the one that is known by the same. False without memory. */
bool emu_callbacks_add(struct emu_callbacks *list, const struct emu_callback *entry);

/* False when there is none. */
bool emu_callbacks_remove(struct emu_callbacks *list, const struct emu_callback *entry);

/* All entries in the order of registration, without names, for free(): what is called may add and remove. */
struct emu_callback *emu_callbacks_copy(const struct emu_callbacks *list, size_t *count);

#endif
