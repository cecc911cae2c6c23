"""A computation in a process of its own, whose environment says which libraries it is bound to.

The problem and the operands go there, and the answer comes back, in files of numpy's format: arrays as their bytes, and
one text in JSON.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any, Dict, Mapping, Optional, Sequence, Tuple

import numpy as np

from pyaclnn import libraries, paths
from pyaclnn.computation import Computation, compute
from pyaclnn.dtypes import BY_NAME
from pyaclnn.problem import Problem
from pyaclnn.random_operands import Operands
from pyaclnn.report import Arithmetic, Verdict
from pyaclnn.request import Request
from pyaclnn.violation import Violation

_OUTPUTS = ("gradInput", "gradWeight", "gradBias")


class SideFailed(RuntimeError):
    """The process could not compute; its own words say why."""


def compute_with(runtime: str, problem: Problem, operands: Operands, soc: Optional[str]) -> Computation:
    """What the libraries of ``"emulator"`` or ``"system"`` make of the problem."""
    with tempfile.TemporaryDirectory(prefix="pyaclnn-") as folder:
        question, answer = Path(folder) / "question.npz", Path(folder) / "answer.npz"
        _save(question, {"problem": str(problem), "soc": soc}, operands._asdict())
        # the folder has no module that could stand in for one of ours
        found_by = [str(paths.prefix().parent), *filter(None, [os.environ.get("PYTHONPATH")])]
        done = subprocess.run(
            [sys.executable, "-m", "pyaclnn.side_process", str(question), str(answer)],
            cwd=folder,
            env={**os.environ, libraries.VARIABLE: runtime, "PYTHONPATH": os.pathsep.join(found_by)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
        )
        if done.returncode != 0:
            how = done.stderr.strip() or f"the process ended with status {done.returncode}"
            raise SideFailed(f"runtime {runtime}: {how}")
        return _answer(problem, *_load(answer))


def answer_question(question: Path, answer: Path) -> None:
    """In that process: computes what stands in one file and writes the other."""
    facts, arrays = _load(question)
    problem = Problem.parse(facts["problem"])
    shapes = (problem.grad_output_shape, problem.input_shape, problem.weight_shape)
    operands = Operands(*map(_elements, (arrays[name] for name in Operands._fields), problem.dtypes, shapes))
    computation = compute(problem, operands, facts["soc"])
    told = {"verdict": asdict(computation.verdict), "plan": computation.plan, "seconds": computation.seconds}
    gradients = zip(_OUTPUTS, computation.gradients)
    _save(answer, told, {name: array for name, array in gradients if array is not None})


def _save(file: Path, facts: Dict[str, Any], arrays: Mapping[str, np.ndarray]) -> None:
    """numpy's files do not know the types of bfloat16 and HIFLOAT8 elements."""
    contents = {name: np.ascontiguousarray(array).reshape(-1).view(np.uint8) for name, array in arrays.items()}
    np.savez(str(file), facts=np.array(json.dumps(facts)), **contents)  # type: ignore[arg-type]


def _load(file: Path) -> Tuple[Dict[str, Any], Dict[str, np.ndarray]]:
    with np.load(file, allow_pickle=False) as saved:
        contents = {name: saved[name] for name in saved.files}
    return json.loads(str(contents.pop("facts"))), contents


def _elements(contents: np.ndarray, dtype: str, shape: Sequence[int]) -> np.ndarray:
    return contents.view(BY_NAME[dtype].numpy).reshape(shape)


def _answer(problem: Problem, facts: Dict[str, Any], arrays: Dict[str, np.ndarray]) -> Computation:
    told = facts["verdict"]
    arithmetic = told["arithmetic"]
    told["violations"] = tuple(Violation(**violation) for violation in told["violations"])
    if arithmetic:
        items: Any = {name: tuple(value) if isinstance(value, list) else value for name, value in arithmetic.items()}
        told["arithmetic"] = Arithmetic(**items)
    request = Request.of_problem(problem)
    layouts = (request.grad_input, request.grad_weight, request.grad_bias)
    gradients = tuple(
        _elements(arrays[name], layout.dtype, layout.shape) if layout and name in arrays else None
        for name, layout in zip(_OUTPUTS, layouts)
    )
    return Computation(Verdict(**told), facts["plan"], gradients, tuple(facts["seconds"]))

