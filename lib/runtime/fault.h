/* Explains a host access to device memory before the process dies of it, as it would with a card. */
#ifndef EMU_FAULT_H
#define EMU_FAULT_H

/* Puts our handler in front of those for SIGSEGV and SIGBUS. Called once, when the device window opens. */
void emu_fault_watch(void);

#endif
