"""The loops of compiled functions, as objdump shows them."""

import re
from collections import namedtuple

from toolchain import run

Instruction = namedtuple("Instruction", "address text")

# What each kind of processor calls a jump, a product of vectors that is added to a sum, and a vector that goes to
# memory. SSE has no instruction for the second; its additions are counted, each after a multiplication.
X86 = {
    "jump": re.compile(r"j\w+\s+([0-9a-f]+) "),
    "sum": re.compile(r"(vfn?madd\d+ps|vdpbf16ps|addps)\s"),
    "store": re.compile(r"v?mov\w+\s+%[xyz]mm\d+,[^%]*\("),
}
AARCH64 = {
    "jump": re.compile(r"(?:b|b\.\w+|cbn?z\s+\w+,|tbn?z\s+\w+, #\w+,)\s+([0-9a-f]+) "),
    "sum": re.compile(r"fml[as]\s+v\d+\.4s"),
    "store": re.compile(r"st[ru1p]\w*\s+[{ ]*[vq]\d+"),
}


def functions(objdump, path):
    """The instructions of each function of an object or an archive, by name."""
    found = {}
    for line in run([objdump, "-d", "--no-show-raw-insn", path]).splitlines():
        name = re.match(r"[0-9a-f]+ <(\w+).*>:$", line)
        instruction = re.match(r"\s+([0-9a-f]+):\t(.*)$", line)
        if name:
            body = found.setdefault(name[1], [])
        elif instruction:
            body.append(Instruction(int(instruction[1], 16), re.sub(r"\s+", " ", instruction[2]) + " "))
    return found


def summing_loops(body, language):
    """The innermost loops of a function that add products up: a loop ends with a jump back to where it begins."""
    places = {instruction.address: place for place, instruction in enumerate(body)}
    loops = []
    for place, instruction in enumerate(body):
        jump = language["jump"].match(instruction.text)
        begin = places.get(int(jump[1], 16)) if jump else None
        if begin is not None and begin <= place:
            loops.append((begin, place + 1))
    innermost = [
        (begin, end)
        for begin, end in loops
        if not any(begin <= b and e <= end and (b, e) != (begin, end) for b, e in loops)
    ]
    texts = [[instruction.text for instruction in body[begin:end]] for begin, end in innermost]
    return [loop for loop in texts if sums(loop, language)]


def sums(loop, language):
    return sum(bool(language["sum"].match(text)) for text in loop)


def stores(loop, language):
    return [text for text in loop if language["store"].match(text)]


def assert_sums_stay_in_registers(body, language, tile):
    """Some loop adds to as many sums as the tile has, and no loop that adds writes a vector to memory."""
    loops = summing_loops(body, language)
    spilt = [text for loop in loops for text in stores(loop, language)]
    assert not spilt, "\n".join(spilt)
    most = max((sums(loop, language) for loop in loops), default=0)
    assert most >= tile, f"no loop adds to {tile} sums, at most to {most}"
