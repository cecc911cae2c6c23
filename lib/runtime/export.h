/* Marks the internal functions that one of our libraries offers to the others; everything else stays hidden. */
#ifndef EMU_EXPORT_H
#define EMU_EXPORT_H

#define EMU_SHARED __attribute__((visibility("default")))
#define EMU_PRINTF(format_at, values_at) __attribute__((format(printf, format_at, values_at)))

#endif
