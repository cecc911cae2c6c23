"""How far the elements of a gradient are from what they should be."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Optional, Sequence, Tuple

import numpy as np

from pyaclnn.number_formats import numbers, round_through, ulps


@dataclass(frozen=True)
class Element:
    """An element, and what it should be."""

    index: Tuple[int, ...]
    found: float
    expected: float


@dataclass(frozen=True)
class ErrorStatistics:
    """Of no elements all numbers are 0, and all elements are correctly rounded."""

    elements: int
    largest: float
    """The largest error."""
    reference: float
    """The largest number of the definition; errors are relative to it."""
    ulp_largest: float
    """The largest distance from the definition, correctly rounded, in units in the last place."""
    ulp_mean: float
    correctly_rounded: float
    """The share of elements with distance 0."""
    worst: Optional[Element]
    """The element with the largest error."""

    @property
    def relative(self) -> float:
        if self.largest == 0:
            return 0.0
        return self.largest / self.reference if self.reference else float("inf")


@dataclass(frozen=True)
class Errors:
    """The errors of every element of a gradient."""

    found: np.ndarray
    definition: np.ndarray
    """In float64, not rounded."""
    rounded: np.ndarray
    """The definition, rounded as the result is."""
    absolute: np.ndarray
    ulps: np.ndarray

    @classmethod
    def of(cls, found: np.ndarray, definition: np.ndarray, dtype: str, through: Sequence[str]) -> Errors:
        """`found` has elements of the type `dtype`; a correct result is rounded to the formats `through` in order."""
        rounded = round_through(definition, through)
        values = numbers(found)
        with np.errstate(invalid="ignore"):
            absolute = np.abs(values - definition)
        # an infinity or NaN that the definition leads to is right, however far from finite numbers
        right = (values == rounded) | (np.isnan(values) & np.isnan(rounded))
        absolute = np.where(right & ~np.isfinite(values), 0.0, np.where(np.isnan(absolute), np.inf, absolute))
        return cls(values, definition, rounded, absolute, ulps(found, rounded, dtype))

    @cached_property
    def reference(self) -> float:
        """The largest finite number of the definition."""
        return largest_finite(self.definition)

    @cached_property
    def statistics(self) -> ErrorStatistics:
        count = int(self.found.size)
        return ErrorStatistics(
            elements=count,
            largest=float(self.absolute.max(initial=0.0)),
            reference=self.reference,
            ulp_largest=float(self.ulps.max(initial=0.0)),
            ulp_mean=float(self.ulps.mean()) if count else 0.0,
            correctly_rounded=float(np.mean(self.ulps == 0)) if count else 1.0,
            worst=self._worst() if count else None,
        )

    def _worst(self) -> Element:
        place = int(self.absolute.argmax())
        index = tuple(int(number) for number in np.unravel_index(place, self.found.shape))
        return Element(index, float(self.found[index]), float(self.definition[index]))


def largest_finite(values: np.ndarray) -> float:
    """Of the sizes of numbers; 0 if there are none."""
    sizes = np.abs(values)
    return float(np.max(sizes, initial=0.0, where=np.isfinite(sizes)))


def histogram(distances: np.ndarray) -> Tuple[Tuple[str, int], ...]:
    """How many elements are 0, 1, 2, 3 to 4, 5 to 8 ... units in the last place away, up to the farthest."""
    finite = distances[np.isfinite(distances)]
    farthest = float(finite.max(initial=0.0))
    counts, low, high = [], 0, 0
    while low <= farthest:
        label = str(low) if low == high else f"{low}-{high}"
        counts.append((label, int(np.count_nonzero((finite >= low) & (finite <= high)))))
        low, high = high + 1, max(1, 2 * high)
    if finite.size < distances.size:
        counts.append(("NaN", int(distances.size - finite.size)))
    return tuple(counts)
