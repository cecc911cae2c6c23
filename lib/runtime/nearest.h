/* "Did you mean": the candidate that a mistyped word is closest to. */
#ifndef EMU_NEAREST_H
#define EMU_NEAREST_H

#include <stdbool.h>
#include <stddef.h>

/* Number of letters to change, insert or delete; words are looked at up to 63 letters, case does not count. */
unsigned emu_edit_distance(const char *one, const char *other);

/* The nearest of `count` words, NULL for none. */
const char *emu_nearest(const char *word, const char *const *candidates, size_t count);

/* All that are equally near, in their order: "one or another or a third". Cut where `size` ends. Gives `text`. */
const char *emu_nearest_all(const char *word, const char *const *candidates, size_t count, char *text, size_t size);

#endif
