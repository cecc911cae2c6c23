/* Telling the client of tasks that failed. */
#ifndef EMU_EXCEPTION_H
#define EMU_EXCEPTION_H

#include <stdint.h>

/* What clients know as aclrtExceptionInfo, by pointer only. */
struct rtExceptionInfo {
	uint32_t task;
	uint32_t stream;
	uint32_t thread; /* that submitted the task */
	uint32_t device;
	uint32_t error;
};

/* Calls all registered functions, on the calling thread. */
void emu_exception_raise(struct rtExceptionInfo *exception);

#endif
