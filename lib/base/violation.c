#include "base/violation.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct list {
	struct aclemuViolation *elements;
	size_t size;
	size_t room;
};

static __thread struct list *own;
static pthread_key_t own_key;
static pthread_once_t own_once = PTHREAD_ONCE_INIT;

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
	own = NULL;
}

static void make_key(void)
{
	pthread_key_create(&own_key, free_list);
}

/* NULL when memory is exhausted: the list stays short, the status is right. */
static struct list *own_list(void)
{
	if (!own) {
		pthread_once(&own_once, make_key);
		own = calloc(1, sizeof(*own));
		if (own)
			pthread_setspecific(own_key, own);
	}
	return own;
}

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
	if (own)
		clear(own);
}

void emu_violations_add(const struct aclemuViolation *violation)
{
	struct list *list = own_list();
	char *values;

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
	size_t size = own ? own->size : 0;

	if (violations)
		*violations = size ? own->elements : NULL;
	return size;
}
