"""Ranges: what may be varied. A place is an option or an entry of the component file, as a side of a comparison names it.

heap=10..40               whole numbers
heap=10..40:5             every fifth
weights.x=0.5..2:0.25     fractions
some-option=yes|no        any of these, written as for a side
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from sheepfold.core.errors import SheepfoldError

RANGE = re.compile(r"\s*([\w.-]+)\s*=\s*(-?[\d.]+?)\s*\.\.\s*(-?[\d.]+)\s*(?::\s*([\d.]+))?\s*")
CHOICE = re.compile(r"\s*([\w.-]+)\s*=(.+)", re.S)
HOW = "PLACE=LOW..HIGH, PLACE=LOW..HIGH:STEP or PLACE=A|B|C"
MOST = 10_000


@dataclass(frozen=True)
class Range:
    """A place and the values that it may have, as they are written; numbers ascending."""

    place: str
    values: tuple[str, ...]
    ordered: bool
    """Whether neighbours are alike."""


def range_of(text: str) -> Range:
    """The range that a text describes, or an error that says what is wrong with it."""
    if found := RANGE.fullmatch(text):
        place, *numbers = found.groups()
        try:
            low, high, step = (Decimal(number or "1") for number in numbers)
        except InvalidOperation:
            raise SheepfoldError(f"{text!r}: {numbers[0]} and {numbers[1]} should be numbers") from None
        if low > high or step <= 0:
            raise SheepfoldError(f"{text!r}: a range goes from the lower number to the higher one, in steps above 0")
        count = int((high - low) / step) + 1
        if count > MOST:
            raise SheepfoldError(f"{text!r} has {count} values; a range has at most {MOST}")
        return Range(place, tuple(str(low + number * step) for number in range(count)), True)
    choice = CHOICE.fullmatch(text)
    values = tuple(value.strip() for value in choice[2].split("|")) if choice else ()
    if not choice or len(values) < 2 or not all(values):
        raise SheepfoldError(f"{text!r} is nothing that could be varied; it is {HOW}")
    return Range(choice[1], values, False)
