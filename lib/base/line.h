/* Writes one line of text piece by piece, as snprintf() would: cut where the room ends, with the whole length known. */
#ifndef EMU_LINE_H
#define EMU_LINE_H

#include <stddef.h>

#include "runtime/export.h"

struct emu_line {
	char *text; /* NULL only counts */
	size_t size;
	size_t used; /* of the whole line, beyond `size` too */
};

EMU_SHARED void emu_line_put(struct emu_line *line, const char *format, ...) EMU_PRINTF(2, 3);

#endif
