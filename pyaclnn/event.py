"""Points in streams that others wait for, and the time between them."""

from __future__ import annotations

from typing import Optional

from pyaclnn.native import ffi, lib
from pyaclnn.device import Stream
from pyaclnn.errors import call
from pyaclnn.handles import Handle, native


class Event(Handle):
    """Shows how far a stream is. It can be recorded again and again; what waits is for the latest record."""

    def __init__(self) -> None:
        event = ffi.new("aclrtEvent *")
        flags = lib.ACL_EVENT_SYNC | lib.ACL_EVENT_CAPTURE_STREAM_PROGRESS | lib.ACL_EVENT_TIME_LINE
        call(lib.aclrtCreateEventExWithFlag, event, flags)
        super().__init__(event[0], lib.aclrtDestroyEvent)

    def record(self, stream: Optional[Stream] = None) -> None:
        """Marks what is in a stream by now; None is the default stream."""
        call(lib.aclrtRecordEvent, self.handle, native(stream))

    def wait(self, stream: Optional[Stream] = None) -> None:
        """Lets the later work of a stream wait for the mark; the caller goes on."""
        call(lib.aclrtStreamWaitEvent, native(stream), self.handle)

    def synchronize(self) -> None:
        """Waits until the mark is reached and reports the errors of its stream."""
        call(lib.aclrtSynchronizeEvent, self.handle)

    def query(self) -> bool:
        """Is the mark reached? An event that was never recorded has nothing to wait for."""
        status = ffi.new("aclrtEventRecordedStatus *")
        call(lib.aclrtQueryEventStatus, self.handle, status)
        return bool(status[0] == lib.ACL_EVENT_RECORDED_STATUS_COMPLETE)

    def elapsed(self, end: Event) -> float:
        """Milliseconds from this event to another one; both must be reached."""
        milliseconds = ffi.new("float *")
        call(lib.aclrtEventElapsedTime, milliseconds, self.handle, end.handle)
        return float(milliseconds[0])
