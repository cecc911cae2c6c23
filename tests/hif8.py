"""HIFLOAT8 in exact rational numbers, read off the description in docs/hifloat8.md; nothing comes from the library."""

from fractions import Fraction

import numpy as np

# Prefix, exponent bits, mantissa bits; a prefix of four zeros announces a bare exponent.
PREFIXES = (("11", 4, 1), ("10", 3, 2), ("01", 2, 3), ("001", 1, 3), ("0001", 0, 3))
NAN, INFINITIES = "10000000", ("01101111", "11101111")


def fields(code):
    """Sign, prefix, exponent and mantissa of a code, as texts of bits."""
    bits = f"{code:08b}"
    sign, rest = bits[0], bits[1:]
    for prefix, exponent_bits, _ in PREFIXES:
        if rest.startswith(prefix):
            end = len(prefix) + exponent_bits
            return sign, prefix, rest[len(prefix) : end], rest[end:]
    return sign, "0000", "", rest[4:]


def place(code):
    """The rational number of a code, as if it were none of NaN and the infinities."""
    sign, prefix, exponent, mantissa = fields(code)
    if prefix == "0000":
        power = int(mantissa, 2)
        magnitude = Fraction(2) ** (power - 23) if power else Fraction(0)
    else:
        magnitude = 1 + Fraction(int(mantissa, 2), 2 ** len(mantissa))
        if exponent:
            power = int("1" + exponent[1:], 2)
            magnitude *= Fraction(2) ** (-power if exponent[0] == "1" else power)
    return -magnitude if sign == "1" else magnitude


def is_finite(code):
    return f"{code:08b}" not in (NAN, *INFINITIES)


def value(code):
    """As a float, which holds every code exactly."""
    bits = f"{code:08b}"
    if bits == NAN:
        return float("nan")
    return float(place(code)) if is_finite(code) else float(f"{'-' if bits[0] == '1' else ''}inf")


VALUES = np.array([value(code) for code in range(256)])
_ASCENDING = sorted(range(128), key=place)
TIES = [(place(low) + place(high)) / 2 for low, high in zip(_ASCENDING, _ASCENDING[1:])]
_FLOAT_TIES = np.array([float(tie) for tie in TIES])
assert all(Fraction(tie) == exact for tie, exact in zip(_FLOAT_TIES, TIES))


def encode(values):
    """The nearest codes of float64 values, a tie to the larger magnitude; what is nearest to 0 is the only zero."""
    with np.errstate(invalid="ignore"):  # a signalling NaN is a NaN
        values = np.asarray(values, np.float64)
    rank = np.zeros(values.shape, np.uint8)
    for tie in _FLOAT_TIES:
        rank += np.abs(values) >= tie
    codes = np.array(_ASCENDING, np.uint8)[rank]
    signed = codes + np.where(np.signbit(values) & (codes > 0), 128, 0)
    return np.where(np.isnan(values), 128, signed).astype(np.uint8)


def decode(codes):
    return VALUES[codes]


def table():
    """Markdown: every code with its fields and its value, each beside the code of the other sign."""
    lines = ["| sign 0 | sign 1 | prefix | exponent | mantissa | value |", "|---|---|---|---|---|---|"]
    for code in range(128):
        _, prefix, exponent, mantissa = fields(code)
        row = [f"`{code:02x}`", f"`{code | 128:02x}`", prefix, exponent, mantissa, _text(code)]
        lines.append("| " + " | ".join(row) + " |")
    return "\n".join(lines) + "\n"


def _text(code):
    if code == 0:
        return "0 and NaN"
    if not is_finite(code):
        return "±infinity"
    number = place(code)
    shift = 0
    while number >= 2:
        number, shift = number / 2, shift + 1
    while number < 1:
        number, shift = number * 2, shift - 1
    return f"±{float(number):g}" + (f" × 2^{shift} = ±{float(place(code)):.9g}" if shift else "")


if __name__ == "__main__":
    print(table(), end="")
