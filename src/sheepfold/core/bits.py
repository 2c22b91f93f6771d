"""Bits: a set of small numbers as one `i64`, the number n being the bit 2 to the n.

What mypyc has no quick word for is here once: how many bits are set, which they are, and shifts by more than 30 places, which come
out wrong compiled and are therefore looked up in BIT.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64, u8

from sheepfold.core.packed import append, vec


def powers(base: i64, count: i64) -> vec[i64]:
    """1, the base, its square and so on."""
    found = vec[i64](capacity=count)
    value: i64 = 1
    while i64(len(found)) < count:
        found = append(found, value)
        value *= base
    return found


BITS: Final = 62
BIT: Final = powers(2, BITS)


def _bit_by_rest() -> vec[i64]:
    """Powers of two differ modulo 67: which bit each rest means."""
    bits = vec[i64]([0] * 67)
    bit: i64 = 0
    while bit < 62:
        bits[BIT[bit] % 67] = bit
        bit += 1
    return bits


_BIT_BY_REST: Final = _bit_by_rest()


def ones(mask: i64) -> i64:
    """How many bits are set."""
    count: i64 = 0
    while mask != 0:
        mask &= mask - 1
        count += 1
    return count


def first_bit(mask: i64) -> i64:
    """The lowest bit that is set."""
    return _BIT_BY_REST[(mask & -mask) % 67]


def nth_bit(mask: i64, rank: i64) -> i64:
    """A bit that is set, counted from the lowest."""
    while rank > 0:
        mask &= mask - 1
        rank -= 1
    return first_bit(mask)


def append_bits(numbers: vec[i64], first: i64, mask: i64) -> vec[i64]:
    """These numbers and, for every bit that is set, that many more than `first`."""
    while mask != 0:
        if mask & 1 != 0:
            numbers = append(numbers, first)
        mask >>= 1
        first += 1
    return numbers


def every_bit(mask: i64) -> list[int]:
    """All bits that are set, lowest first; for pictures and words."""
    found: list[int] = []
    while mask != 0:
        found.append(int(first_bit(mask)))
        mask &= mask - 1
    return found


def mask_of(numbers: list[int]) -> i64:
    """The bits of these numbers, all set."""
    mask: i64 = 0
    for number in numbers:
        mask |= BIT[number]
    return mask


def write_bits(numbers: vec[u8], at: i64, mask: i64, count: i64) -> i64:
    """Write a 1 for every bit that is set, where it is blank; the index after `count` numbers."""
    index = at
    while mask != 0:
        numbers[index] = u8(mask & 1)  # no branch: half of them would be guessed wrong
        mask >>= 1
        index += 1
    return at + count
