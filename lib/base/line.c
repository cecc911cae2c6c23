#include "base/line.h"

#include <stdarg.h>
#include <stdio.h>

void emu_line_put(struct emu_line *line, const char *format, ...)
{
	size_t room = line->used < line->size ? line->size - line->used : 0;
	va_list values;
	int written;

	va_start(values, format);
	written = vsnprintf(room ? line->text + line->used : NULL, room, format, values);
	va_end(values);
	if (written > 0)
		line->used += (size_t)written;
}
