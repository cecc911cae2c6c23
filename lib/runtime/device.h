/* Devices: how many there are, who has them open, and their primary contexts. */
#ifndef EMU_DEVICE_H
#define EMU_DEVICE_H

#include <stdbool.h>

#include "acl/acl_base.h"

/* Devices that ASCEND_RT_VISIBLE_DEVICES leaves visible. */
int emu_device_count(void);

/* The number that a visible device has among all of the machine. */
int emu_device_logical(int device);

/* 107001 for a bad id, 507033 when no device of the chosen chip can be opened; both with a record. */
aclError emu_device_check(const char *function, int32_t device);

/* Handle of the primary context, or NULL while nobody has the device set. */
void *emu_device_primary(int device);

/* The device that threads without a context get ("defaultDevice" of aclInit's file); -1 for none. */
void emu_device_choose_default(int device);
int emu_device_default(void);

/* Sets the default device on the calling thread; false when there is none. */
bool emu_device_set_default(void);

#endif
