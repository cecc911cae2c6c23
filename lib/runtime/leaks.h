/* Device memory that a program forgets: with ACLEMU_VERBOSE=memory, a report on standard error when it ends. */
#ifndef EMU_LEAKS_H
#define EMU_LEAKS_H

/* The process says that it is done. Reports once per process, if there is anything to report. */
void emu_leaks_report(void);

#endif
