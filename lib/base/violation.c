#include "base/violation.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/thread_store.h"

struct list {
	struct aclemuViolation *elements;
	size_t size;
	size_t room;
};

static void clear(struct list *list)
{
	for (size_t i = 0; i < list->size; i++)
		free((char *)list->elements[i].values);
	list->size = 0;
}

static void free_list(void *memory)
{
	struct list *list = memory;

	clear(list);
	free(list->elements);
	free(list);
}

static struct emu_thread_store lists = {.size = sizeof(struct list), .end = free_list};

static bool holds(const struct list *list, const struct aclemuViolation *wanted)
{
	for (size_t i = 0; i < list->size; i++)
		if (!strcmp(list->elements[i].rule, wanted->rule) && !strcmp(list->elements[i].values, wanted->values))
			return true;
	return false;
}

static bool make_room(struct list *list)
{
	size_t room = list->room ? 2 * list->room : 8;
	struct aclemuViolation *elements;

	if (list->size < list->room)
		return true;
	elements = realloc(list->elements, room * sizeof(*elements));
	if (!elements)
		return false;
	list->elements = elements;
	list->room = room;
	return true;
}

void emu_violations_clear(void)
{
	struct list *list = emu_thread_store_peek(&lists);

	if (list)
		clear(list);
}

void emu_violations_add(const struct aclemuViolation *violation)
{
	struct list *list = emu_thread_store_get(&lists);
	char *values;

	/* without memory the list stays short, but the status is right */
	if (!list || holds(list, violation) || !make_room(list))
		return;
	values = strdup(violation->values);
	if (!values)
		return;
	list->elements[list->size] = *violation;
	list->elements[list->size++].values = values;
}

size_t aclemuGetViolations(const struct aclemuViolation **violations)
{
	const struct list *list = emu_thread_store_peek(&lists);
	size_t size = list ? list->size : 0;

	if (violations)
		*violations = size ? list->elements : NULL;
	return size;
}
