"""How far the work of each row of the benchmark could spread: python tests/scaling.py BUILD [THREADS], a Markdown table.

BUILD is a folder of meson with -Dtests=true. What is measured and what it leaves out: tests/c/scaling.c.
"""

import subprocess
import sys
from pathlib import Path

from pyaclnn.bench import workloads

DTYPES = {"f32": "FLOAT", "bf16": "BF16"}
TO_SMALL, TO_BIG, TO_WEIGHT = range(3)


def sizes(row):
    """The numbers of struct emu_conv."""

    def axes(values, missing):
        return [missing] * (3 - len(values)) + list(values)

    maps = [row.grad_output_shape, row.input_shape]
    small, big = reversed(maps) if row.transposed else maps
    numbers = [small[0], row.groups, small[1] // row.groups, big[1] // row.groups]
    for values in (small[2:], big[2:], row.weight_shape[2:], row.stride, row.dilation):
        numbers += axes(values, 1)
    return numbers + axes(row.padding, 0)


def measure(program, row, number, threads):
    """Milliseconds of both gradients on one thread and on many, by direction with the kernel's name."""
    found = []
    for direction in (TO_SMALL if row.transposed else TO_BIG, TO_WEIGHT):
        command = [program, threads, number, direction, *sizes(row)]
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True)
        kernel, alone, together = done.stdout.split()
        found.append((kernel, float(alone), float(together)))
    return found


def table(program, rows, threads):
    yield f"| row | {' | '.join(f'{name}: kernels | speed-up' for name in DTYPES.values())} |"
    yield f"|---|{'---|---:|' * len(DTYPES)}"
    for row in rows:
        cells = [row.name]
        for number in DTYPES:
            found = measure(program, row, number, threads)
            kernels = dict.fromkeys(kernel for kernel, _, _ in found)
            speed_up = sum(alone for _, alone, _ in found) / sum(together for _, _, together in found)
            cells += [", ".join(kernels), f"{speed_up:.0f}" if speed_up >= 9.5 else f"{speed_up:.1f}"]
        yield f"| {' | '.join(cells)} |"


def main(build, threads="64"):
    for line in table(Path(build) / "tests" / "c" / "scaling", workloads.load(), int(threads)):
        print(line, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
