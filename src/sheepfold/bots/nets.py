"""Nets as files: what was learned for one game and number of players, read without anything but the standard library.

A line of JSON says for what it is and how wide its layers are; then come the weights, compressed: whole numbers of the two layers, and
halves (16-bit floats) of the last. `digest` in the line is that of the weights, so a broken file is refused.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from sheepfold.bots.net import Net
from sheepfold.core.errors import SheepfoldError
from sheepfold.core.position import Position
from sheepfold.game.registry import game_of

KIND = "sheepfold net 2"


class BadNet(SheepfoldError):
    """A file holds no net, or a broken one."""


def written(about: dict[str, Any], rows: Sequence[int], columns: Sequence[int], heads: Sequence[float]) -> bytes:
    """The file of a net. `about` has seats, inputs, actions, widths and reliance; weights row by row as `Net` wants them, those of the
    last layer by seat and then by action."""
    whole = struct.pack(f"<{len(rows)}i{len(columns)}i", *rows, *columns)
    # low bytes beside low bytes, and high beside high, are told in less space
    planes = b"".join(whole[at::4] for at in range(4)) + struct.pack(f"<{len(heads)}e", *heads)
    head = {"kind": KIND, **about, "digest": sha256(planes).hexdigest()}
    return json.dumps(head).encode() + b"\n" + zlib.compress(planes, 9)


def read(data: bytes, where: str = "the file") -> tuple[dict[str, Any], Net]:
    """What a net's file says of itself, and the net."""
    line, _, packed = data.partition(b"\n")
    try:
        about = json.loads(line)
        if about.pop("kind") != KIND:
            raise ValueError(f"it is not of the kind {KIND!r}")
        planes = zlib.decompress(packed)
        if sha256(planes).hexdigest() != about["digest"]:
            raise ValueError("its weights are not those that it was written with")
        return about, _net(about, planes)
    except (ValueError, KeyError, TypeError, zlib.error, struct.error) as error:
        raise BadNet(f"{where} holds no net that can be used: {error}") from None


def _net(about: dict[str, Any], planes: bytes) -> Net:
    seats, inputs, actions = about["seats"], about["inputs"], about["actions"]
    first, second = about["widths"]
    count = (inputs + seats + 1) * first + (first + 1) * second
    whole = bytearray(4 * count)
    for at in range(4):
        whole[at::4] = planes[at * count : (at + 1) * count]
    numbers = struct.unpack(f"<{count}i", whole)
    heads = struct.unpack(f"<{(seats + actions) * (second + 1)}e", planes[4 * count :])
    begin = (inputs + seats + 1) * first
    head_rows = _rows(heads, second + 1)
    return Net(
        seats, _rows(numbers[:begin], first), _rows(numbers[begin:], second), head_rows[:seats], head_rows[seats:], about["reliance"]
    )


def _rows(numbers: Sequence[Any], width: int) -> list[list[Any]]:
    return [list(numbers[at : at + width]) for at in range(0, len(numbers), width)]


def net_from(path: str, view: Position) -> Net:
    """The net of a file, for such views."""
    net = _net_from(path)
    if not fits(net, view):
        raise BadNet(f"{path} holds a net for another game, another box or another number of players")
    return net


@cache
def _net_from(path: str) -> Net:
    try:
        return read(Path(path).read_bytes(), path)[1]
    except OSError as error:
        raise BadNet(f"{path} cannot be read: {error}") from None


def fits(net: Net, view: Position) -> bool:
    """Whether a net was made for such views."""
    game = game_of(view)
    return game is not None and net.seats == view.seats and net.inputs == len(game.evaluator.clues(view))


def net_of(view: Position) -> Net | None:
    """What was learned for the game and number of players of a view; None where nothing was, or its box is another."""
    game = game_of(view)
    path = game.net(int(view.seats)) if game else None
    net = _net_from(str(path)) if path else None
    return net if net is not None and fits(net, view) else None
