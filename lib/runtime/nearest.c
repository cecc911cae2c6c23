#include "nearest.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { MAX_WORD = 63 };

static unsigned min3(unsigned a, unsigned b, unsigned c)
{
	unsigned least = a < b ? a : b;

	return least < c ? least : c;
}

static bool same_letter(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

unsigned emu_edit_distance(const char *one, const char *other)
{
	size_t rows = strnlen(one, MAX_WORD);
	size_t columns = strnlen(other, MAX_WORD);
	unsigned row[MAX_WORD + 1];

	for (size_t j = 0; j <= columns; j++)
		row[j] = (unsigned)j;
	for (size_t i = 1; i <= rows; i++) {
		unsigned diagonal = row[0];

		row[0] = (unsigned)i;
		for (size_t j = 1; j <= columns; j++) {
			unsigned above = row[j];

			row[j] = min3(above + 1, row[j - 1] + 1, diagonal + !same_letter(one[i - 1], other[j - 1]));
			diagonal = above;
		}
	}
	return row[columns];
}

const char *emu_nearest(const char *word, const char *const *candidates, size_t count)
{
	const char *nearest = NULL;
	unsigned least = 0;

	for (size_t i = 0; i < count; i++) {
		unsigned distance = emu_edit_distance(word, candidates[i]);

		if (!nearest || distance < least) {
			nearest = candidates[i];
			least = distance;
		}
	}
	return nearest;
}

const char *emu_nearest_all(const char *word, const char *const *candidates, size_t count, char *text, size_t size)
{
	const char *first = emu_nearest(word, candidates, count);
	size_t used = 0;

	text[0] = 0;
	for (size_t i = 0; i < count && used < size; i++)
		if (emu_edit_distance(word, candidates[i]) == emu_edit_distance(word, first))
			used += (size_t)snprintf(text + used, size - used, "%s%s", used ? " or " : "", candidates[i]);
	return text;
}
