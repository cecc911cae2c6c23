"""The two phases of an operator call."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any, ContextManager, Optional

from pyaclnn import chip
from pyaclnn.native import ffi, lib
from pyaclnn.device import DeviceMemory, Stream, keep_until_synchronized
from pyaclnn.errors import call, check_status
from pyaclnn.handles import Handle, native

_DESCRIPTION_SIZE = 512


class Executor(Handle):
    """Phase one of `operator`, with its arguments up to the last that is not an out-pointer; run() is phase two.

    ``Executor("aclnnConvolutionBackward", grad_output, input, weight, None, ...)`` takes objects of this package, None
    for a null pointer, numbers, and what cffi makes. Phase one checks and plans for the chip or product `soc`, or for
    the one in force. The executor owns the workspace: close it, or leave its ``with`` block, after the stream has been
    synchronised. A stream that runs it keeps it until then.
    """

    def __init__(self, operator: str, *arguments: Any, soc: Optional[str] = None) -> None:
        self.operator = operator
        self._arguments = arguments  # the queued work uses the memory of the tensors among them
        self._repeatable = False
        self._workspace: Optional[DeviceMemory] = None
        size = ffi.new("uint64_t *")
        executor = ffi.new("aclOpExecutor **")
        chosen: ContextManager[None] = nullcontext() if soc is None else chip.soc(soc)
        with chosen:
            call(getattr(lib, operator + "GetWorkspaceSize"), *map(native, arguments), size, executor)
        self.workspace_size = int(size[0])
        super().__init__(executor[0], lib.aclDestroyAclOpExecutor)

    def describe(self) -> str:
        """What will be computed and how, as one line of items key=value; docs/configuration.md explains them."""
        text = ffi.new("char[]", _DESCRIPTION_SIZE)
        call(lib.aclemuDescribeExecutor, self.handle, text, _DESCRIPTION_SIZE)
        return str(ffi.string(text).decode())

    def make_repeatable(self) -> None:
        """Lets run() be called any number of times. Call it before the first."""
        call(lib.aclSetAclOpExecutorRepeatable, self.handle)
        self._repeatable = True

    def run(self, stream: Optional[Stream] = None) -> None:
        """Puts the work on the stream, or on the default stream, and returns at once."""
        if self._workspace is None:
            self._workspace = DeviceMemory(self.workspace_size)
        phase_two = getattr(lib, self.operator)
        if not self._repeatable:
            self._finalizer.detach()  # phase two uses the executor up, whatever the status
        keep_until_synchronized(self, stream)
        try:
            status = phase_two(self._workspace.address, self.workspace_size, self.handle, native(stream))
        except BaseException:
            # an interrupt: the work may be queued, and leaving the block must not free the workspace under it
            lib.aclrtSynchronizeStream(native(stream))
            raise
        check_status(status, self.operator)

    def close(self) -> None:
        super().close()
        if self._workspace is not None:
            self._workspace.close()

    def _describe(self) -> str:
        return f"{self.operator}, {self.workspace_size} bytes of workspace"
