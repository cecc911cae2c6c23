"""What a chip rounds gradOutput, input and weight to before it multiplies them. The emulator's plan says the same."""

from __future__ import annotations

from pyaclnn.problem import Problem

_ALLOW_DOWN_PRECISION, _USE_FP16, _USE_HF32 = 1, 2, 3
"""Values of cubeMathType."""
_HF32 = {"950": "hf32-10"}
"""By product; the others that have HF32 round to 11 bits."""
_WITHOUT_HF32 = ("310P", "910A")


def operand_format(problem: Problem, product: str) -> str:
    """A name of docs/configuration.md, "What a plan says", for a problem that the product accepts."""
    promoted = problem.dtypes[0] if len(set(problem.dtypes)) == 1 else "f32"
    cube = problem.cube_math_type
    if cube == _USE_FP16 and promoted in ("f32", "bf16"):
        return "f16"
    if promoted == "f32" and cube in (_ALLOW_DOWN_PRECISION, _USE_HF32):
        return "f16" if product in _WITHOUT_HF32 else _HF32.get(product, "hf32-11")
    return promoted
