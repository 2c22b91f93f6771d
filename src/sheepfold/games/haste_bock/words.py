"""Haste Bock? in words."""

from __future__ import annotations

from sheepfold.games.haste_bock.notation import write
from sheepfold.games.haste_bock.rules import HasteBock
from sheepfold.words import Voice


def prompt(view: HasteBock, voice: Voice) -> str:
    return voice.name(int(view.to_act))


def describe(view: HasteBock, action: int, voice: Voice) -> str:
    return write(view, action)


def tell(before: HasteBock, action: int, after: HasteBock, voice: Voice) -> list[str]:
    return [write(before, action)]
