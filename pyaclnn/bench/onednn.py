"""oneDNN from PyPI's wheels, through onednn_bridge.c: in the order of memory that it prefers, and in plain order."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path
from typing import Any, Dict, Tuple

import numpy as np

from pyaclnn.bench import compiler
from pyaclnn.bench.contestant import Contestant, Unavailable
from pyaclnn.bench.operands import Gradients, Operands
from pyaclnn.bench.workloads import Case

WAYS = {"onednn any": True, "onednn plain": False}
_WHEELS = ("onednn-cpu-gomp", "onednn-devel-cpu-gomp")
_VERSION = "2023.2.0"
_UNIMPLEMENTED = 3

_DECLARATIONS = """
struct bench_problem {
    int spatial;
    bool transposed, any_order, bfloat16, float16;
    int64_t batch, in_channels, out_channels, groups;
    int64_t input[3], output[3], kernel[3];
    int64_t stride[3], padding[3], dilation[3];
};
struct bench_buffers { void *grad_output, *input, *weight, *grad_input, *grad_weight, *grad_bias; };
int bench_onednn_create(const struct bench_problem *, const struct bench_buffers *, struct bench_onednn **);
int bench_onednn_run(struct bench_onednn *);
void bench_onednn_destroy(struct bench_onednn *);
int bench_onednn_version(void);
"""


class OneDnn:
    def __init__(self, threads: int) -> None:
        """The library takes its number of threads from OMP_NUM_THREADS."""
        headers, library = _installed()
        flags = [f"-I{headers}", str(library), f"-Wl,-rpath,{library.parent}"]
        self._ffi, self._lib = compiler.load("onednn_bridge.c", _DECLARATIONS, flags)

    def versions(self) -> Dict[str, str]:
        version = self._lib.bench_onednn_version()
        return {"oneDNN": f"{version // 10000}.{version // 100 % 100}.{version % 100}"}

    def contestants(self, case: Case, operands: Operands) -> Dict[str, Contestant]:
        opened: Dict[str, Contestant] = {}
        for name, any_order in WAYS.items():
            primitives = Primitives(self._ffi, self._lib, case, operands, any_order)
            if primitives.implemented:
                opened[name] = primitives
        return opened


class Primitives:
    """One case in one order of memory."""

    def __init__(self, ffi: Any, lib: Any, case: Case, operands: Operands, any_order: bool) -> None:
        self._lib = lib
        row = case.row
        shapes = (row.input_shape, row.weight_shape, row.grad_output_shape[1:2])
        self._results = [np.zeros(shape, operands.input.dtype) for shape in shapes]
        self._operands = operands  # the library keeps their addresses
        addresses = [ffi.cast("void *", array.ctypes.data) for array in (*operands, *self._results)]
        created = ffi.new("struct bench_onednn **")
        buffers = ffi.new("struct bench_buffers *", addresses)
        status = lib.bench_onednn_create(_problem(ffi, case, any_order), buffers, created)
        if status not in (0, _UNIMPLEMENTED):
            raise RuntimeError(f"oneDNN makes no primitive, status {status}")
        self.implemented = status == 0
        self._handle = created[0]

    def run(self) -> None:
        status = self._lib.bench_onednn_run(self._handle)
        if status:
            raise RuntimeError(f"oneDNN does not run, status {status}")

    def gradients(self) -> Gradients:
        self.run()
        grad_input, grad_weight, grad_bias = (result.copy() for result in self._results)
        return grad_input, grad_weight, grad_bias

    def close(self) -> None:
        self._lib.bench_onednn_destroy(self._handle)


def _problem(ffi: Any, case: Case, any_order: bool) -> Any:
    row = case.row
    return ffi.new(
        "struct bench_problem *",
        {
            "spatial": len(row.stride),
            "transposed": row.transposed,
            "any_order": any_order,
            "bfloat16": case.dtype == "bfloat16",
            "float16": case.dtype == "float16",
            "batch": row.input_shape[0],
            "in_channels": row.input_shape[1],
            "out_channels": row.grad_output_shape[1],
            "groups": row.groups,
            "input": row.input_shape[2:],
            "output": row.grad_output_shape[2:],
            "kernel": row.weight_shape[2:],
            "stride": row.stride,
            "padding": row.padding,
            "dilation": row.dilation,
        },
    )


def _installed() -> Tuple[Path, Path]:
    """The folder of the headers, and the library."""
    wheels = " ".join(f"{wheel}=={_VERSION}" for wheel in _WHEELS)
    try:
        library = _file(_WHEELS[0], "libdnnl.so")
        header = _file(_WHEELS[1], "oneapi/dnnl/dnnl.h")
    except (metadata.PackageNotFoundError, FileNotFoundError) as error:
        advice = f"on x86-64: pip install {wheels}, or make bench"
        raise Unavailable(f"oneDNN is not installed ({error}); {advice}") from None
    return header.parents[2], library


def _file(distribution: str, ending: str) -> Path:
    """A file of an installed distribution; only its own list of files knows where that is."""
    for path in metadata.files(distribution) or ():
        if path.as_posix().endswith(f"/{ending}"):
            return Path(str(path.locate())).resolve()
    raise FileNotFoundError(f"{distribution} without {ending}")
