"""Dice: every random number that Sheepfold uses.

The generator is Chris Doty-Humphrey's sfc32 (three words of 32 bits and a counter): it needs only
sums, shifts and exclusive ors that fit into 64 bits, so compiled and interpreted runs give the same
numbers. Seeds and stream names are hashed, so streams that are split off are independent of each
other and of the parent, and splitting never disturbs the parent.
"""

from __future__ import annotations

from hashlib import blake2b
from secrets import token_hex
from typing import Final

from mypy_extensions import i64

WORD: Final = 0xFFFFFFFF


class Dice:
    """A seeded stream of random numbers; `split` gives an independent one."""

    seed: Final[str]
    a: i64
    b: i64
    c: i64
    counter: i64

    def __init__(self, seed: object = None) -> None:
        """Any seed that prints the same is the same seed; without one the system's generator is asked."""
        self.seed = token_hex(16) if seed is None else str(seed)
        digest = blake2b(self.seed.encode(), digest_size=12).digest()
        self.a = int.from_bytes(digest[0:4], "little")
        self.b = int.from_bytes(digest[4:8], "little")
        self.c = int.from_bytes(digest[8:12], "little")
        self.counter = 1
        step: i64 = 0
        while step < 12:
            self.word()
            step += 1

    def __repr__(self) -> str:
        return f"Dice({self.seed!r})"

    def __reduce__(self) -> tuple[type[Dice], tuple[str], tuple[int, int, int, int]]:
        return Dice, (self.seed,), (self.a, self.b, self.c, self.counter)

    def __setstate__(self, state: tuple[int, int, int, int]) -> None:
        self.a, self.b, self.c, self.counter = state

    def split(self, *names: object) -> Dice:
        """A fresh stream for this seed and these names, whatever was drawn before."""
        return Dice("/".join([self.seed, *[str(name) for name in names]]))

    def word(self) -> i64:
        """32 random bits."""
        result = (self.a + self.b + self.counter) & WORD
        self.counter = (self.counter + 1) & WORD
        self.a = self.b ^ (self.b >> 9)
        self.b = (self.c + (self.c << 3)) & WORD
        self.c = (((self.c << 21) | (self.c >> 11)) + result) & WORD
        return result

    def below(self, bound: i64) -> i64:
        """A whole number from 0 to bound - 1, each equally likely; bound is at most 2**31."""
        if bound < 1 or bound > 0x80000000:
            raise ValueError(f"a bound from 1 to 2**31 is wanted, not {bound}")
        product = self.word() * bound
        rest = product & WORD
        if rest < bound:
            least = (WORD + 1 - bound) % bound
            while rest < least:
                product = self.word() * bound
                rest = product & WORD
        return product >> 32

    def weighted(self, weights: list[int]) -> i64:
        """An index into weights, each as likely as its weight."""
        total: i64 = 0
        weight: i64
        for weight in weights:
            total += weight
        left = self.below(total)
        index: i64 = 0
        for weight in weights:
            left -= weight
            if left < 0:
                return index
            index += 1
        raise ValueError("weights must not be negative")

    def fraction(self) -> float:
        """A number from 0 up to, but not including, 1."""
        return float(self.word()) / 4294967296.0
