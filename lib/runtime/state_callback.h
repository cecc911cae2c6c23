/* Telling the client what becomes of streams and devices. None of our locks is held. */
#ifndef EMU_STATE_CALLBACK_H
#define EMU_STATE_CALLBACK_H

#include "acl/acl_rt.h"

void emu_stream_state_changes(aclrtStream stream, aclrtStreamState state);
void emu_device_state_changes(int32_t device, aclrtDeviceState state);
void emu_device_task_aborts(int32_t device, aclrtDeviceTaskAbortStage stage, uint32_t timeout);

#endif
