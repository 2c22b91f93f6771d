"""Pieces: pictures that are much alike, as the tags in any of them, listed once, and for each picture which of them.

A whole game takes a few dozen KB so, about a tenth of the pictures themselves. Put together again they are the pictures, without style
and symbols, for a page that has the kit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

_KIT = re.compile(r"<style>.*?</style>|<defs>.*?</defs>", re.DOTALL)
_TAG = re.compile(r"<[^>]+>[^<]*")


class Pieces(NamedTuple):
    """What is in the pictures, and for each picture the numbers of its pieces in order."""

    pieces: list[str]
    frames: list[list[int]]


def bare(picture: str) -> str:
    """The picture for a page that has the kit."""
    return _KIT.sub("", picture)


def in_pieces(pictures: Iterable[str]) -> Pieces:
    known: dict[str, int] = {}
    frames = [[known.setdefault(tag, len(known)) for tag in _TAG.findall(bare(picture))] for picture in pictures]
    return Pieces(list(known), frames)
