"""Phase one with any arguments, in a process of its own: a crash ends that process and not the tests.

A call is a dictionary of plain values that survives JSON. Run as a program, this module reads one call a line and
answers each with one line.
"""

import json
import subprocess
import sys
from pathlib import Path

TENSORS = ("gradOutput", "input", "weight", "gradInput", "gradWeight", "gradBias")
INTS = ("biasSizes", "stride", "padding", "dilation", "outputPadding")


class Asker:
    """Asks a process that is started again after it died."""

    def __init__(self):
        self.process = None

    def ask(self, call):
        if self.process is None:
            command = [sys.executable, __file__]
            self.process = subprocess.Popen(
                command, cwd=Path(__file__).parent, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
        self.process.stdin.write(json.dumps(call) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            died, self.process = self.process.wait(), None
            raise AssertionError(f"the process ended with {died}")
        return json.loads(line)

    def close(self):
        if self.process:
            self.process.communicate()
            self.process = None


def answer(call):
    """Makes the call and tells what came of it."""
    from two_phase import NULL, OUT_SENTINEL, acl, address_of, check, ffi, take_message

    made = []

    def keep(handle, destroy):
        made.append((handle, destroy))
        return handle

    def tensor(dims, strides, offset, storage, dtype, format):
        steps = NULL if strides is None else strides
        return acl.aclCreateTensor(dims, len(dims), dtype, steps, offset, format, storage, len(storage), NULL)

    def handle(kind, description):
        create, destroy = {
            "aclTensor": (lambda d: tensor(**d), acl.aclDestroyTensor),
            "aclIntArray": (lambda d: acl.aclCreateIntArray(d, len(d)), acl.aclDestroyIntArray),
            "aclBoolArray": (lambda d: acl.aclCreateBoolArray(d, len(d)), acl.aclDestroyBoolArray),
        }[kind]
        if description is None:
            return NULL
        if description == "foreign":
            return ffi.cast(f"{kind} *", 0x1234)
        if description == "of another kind":
            return ffi.cast(f"{kind} *", keep(acl.aclCreateFloatArray([1.0], 1), acl.aclDestroyFloatArray))
        if description == "dead":
            dead = acl.aclCreateIntArray([1], 1)
            check(acl.aclDestroyIntArray(dead))
            return ffi.cast(f"{kind} *", dead)
        return keep(create(description), destroy)

    def soc(name):
        check(acl.aclemuSetThreadSoc(NULL if name is None else name.encode()))

    soc(call["soc"])
    tensors = {name: handle("aclTensor", call[name]) for name in TENSORS}
    ints = {name: handle("aclIntArray", call[name]) for name in INTS}
    mask = handle("aclBoolArray", call["outputMask"])
    size = ffi.new("uint64_t *", OUT_SENTINEL)
    executor = ffi.new("aclOpExecutor **", ffi.cast("aclOpExecutor *", OUT_SENTINEL))
    take_message()
    status = acl.aclnnConvolutionBackwardGetWorkspaceSize(
        tensors["gradOutput"], tensors["input"], tensors["weight"], ints["biasSizes"], ints["stride"], ints["padding"],
        ints["dilation"], call["transposed"], ints["outputPadding"], call["groups"], mask, call["cubeMathType"],
        tensors["gradInput"], tensors["gradWeight"], tensors["gradBias"],
        size if call["workspaceSize"] else NULL, executor if call["executor"] else NULL,
    )
    found = ffi.new("struct aclemuViolation **")
    count = acl.aclemuGetViolations(found)
    members = ("rule", "stage", "sentence", "hint", "values")
    result = {
        "status": status,
        "message": take_message(),
        "untouched": size[0] == OUT_SENTINEL and address_of(executor[0]) == OUT_SENTINEL,
        "violations": [
            {"status": found[0][i].status} | {name: ffi.string(getattr(found[0][i], name)).decode() for name in members}
            for i in range(count)
        ],
    }
    if status == 0:
        text = ffi.new("char[512]")
        check(acl.aclemuDescribeExecutor(executor[0], text, 512))
        result["description"] = ffi.string(text).decode()
        check(acl.aclDestroyAclOpExecutor(executor[0]))
    for object, destroy in made:
        if object != NULL:
            check(destroy(object))
    soc(None)
    return result


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)
