"""Reads Shear Panic's component file: the menu and its signs, the start, the tracks, the regroup die and the extra moves, all checked."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from sheepfold.game.component_file import ComponentFile, Source
from sheepfold.games.flock import SHEEP_NAMES, Track
from sheepfold.games.shear_panic.rules import ALIGN, DIAGONAL, EVER, KIND_NAMES, LINE, NO_SIGN, SQUARES, TURN, UNTIL_A_DIE, Printed

TABLES = ("menu", "no-reverse", "start", "fields", "gates", "panic", "regroup-die", "extra-moves", "extra-moves-left")
TRACK_OF = {2: "three", 3: "three", 4: "four"}
"""Two players use the track of three (SP-70)."""
SIGNED = [KIND_NAMES[kind] for kind in (ALIGN, LINE, DIAGONAL, TURN)]
"""The actions that may bear a sign against undoing; the others bear the one for own sheep."""

SIGN_MARKS = {NO_SIGN: "–", UNTIL_A_DIE: "○", EVER: "●"}


@dataclass(frozen=True)
class Components:
    """What is printed, for each number of seats."""

    digest: str
    printed: dict[int, Printed]

    def named(self) -> dict[str, object]:
        """Every number by its name, as the help calls them: of each action its values and its sign, of each track the fields and gates."""
        two = self.printed[2]
        extras = [value for value, count in enumerate(two.extras) for _ in range(count)]
        values: dict[str, object] = {
            "squares": len(two.kind),
            "straight": int(two.straight_faces),
            "diagonal-faces": int(two.diagonal_faces),
            "extra-count": len(extras),
            "extras": ", ".join(map(str, extras)),
            "penalty": int(two.extra_penalty),
        }
        for kind, name in enumerate(KIND_NAMES):
            squares = zip(two.kind, two.value, strict=True)
            values[name] = ", ".join(str(value) for each, value in squares if each == kind)
            values[f"{name}-back"] = SIGN_MARKS[int(two.sign[kind])]
        for seats, track_name in ((3, "three"), (4, "four")):
            track = self.printed[seats].track
            for field in range(1, 5):
                within = [space for space in range(1, int(track.length) + 1) if track.phase[space] == field]
                values[f"{track_name}-{field}"] = f"{within[0]}-{within[-1]}"
                values[f"{track_name}-gate-{field}"] = ", ".join(str(space) for space in within if track.wall[space])
        return values


def read_components(path: Source) -> Components:
    """Read and check a component file."""
    file = ComponentFile(path, TABLES)
    kinds, values = _menu(file)
    signs, start = _signs(file), _start(file)
    straight, diagonal = file.whole("regroup-die.straight", 1, 5), file.whole("regroup-die.diagonal", 1, 5)
    if straight + diagonal != 6:
        file.fail("regroup-die", f"straight and diagonal must make six faces, not {straight + diagonal}")
    extras = file.wholes("extra-moves.values", 1, 3)
    penalty = file.whole("extra-moves-left.points", 0, 100)
    printed = {
        seats: Printed(kinds, values, signs, start, _track(file, name), straight, diagonal, extras if seats == 2 else [], penalty)
        for seats, name in TRACK_OF.items()
    }
    return Components(file.digest, printed)


def _menu(file: ComponentFile) -> tuple[list[int], list[int]]:
    kinds: list[int] = []
    values: list[int] = []
    for kind, name in enumerate(KIND_NAMES):
        printed = sorted(file.wholes(f"menu.{name}", 1, 9))
        kinds += [kind] * len(printed)
        values += printed
    if len(values) != SQUARES:
        file.fail("menu", f"must have {SQUARES} squares, not {len(values)}")
    return kinds, values


def _signs(file: ComponentFile) -> list[int]:
    """For each kind of action the sign against undoing it."""
    ever, until_a_die = file.words("no-reverse.ever", SIGNED), file.words("no-reverse.until-a-die", SIGNED)
    for name in ever:
        if name in until_a_die:
            file.fail("no-reverse.until-a-die", f"{name!r} stands in `ever` too; an action bears one sign")
    return [EVER if name in ever else UNTIL_A_DIE if name in until_a_die else NO_SIGN for name in KIND_NAMES]


def _start(file: ComponentFile) -> list[tuple[int, int]]:
    """Row and column of each sheep, in the order of their names."""
    rows = file.words("start.rows")
    letters = "".join(rows)
    if [len(row) for row in rows] != [3, 3, 3] or sorted(letters) != sorted(name[0] for name in SHEEP_NAMES):
        file.fail(
            "start.rows",
            f'must be three words of three letters, with b, y, g, r twice each and k once, as in "ybr", "gky", "brg", not {rows!r}',
        )
    places = {letter: [divmod(index, 3) for index, other in enumerate(letters) if other == letter] for letter in letters}
    return [places[name[0]][0 if name[1:] in ("", "1") else 1] for name in SHEEP_NAMES]


def _track(file: ComponentFile, name: str) -> Track:
    ends = file.wholes(f"fields.{name}", 1, 200, count=4)
    if any(one >= other for one, other in itertools.pairwise(ends)):
        file.fail(f"fields.{name}", "the four fields must end one after the other")
    gates = file.wholes(f"gates.{name}", 1, ends[3], count=2)
    if not (ends[0] < gates[0] < ends[1] and ends[2] < gates[1] < ends[3]):
        file.fail(f"gates.{name}", f"must lie inside fields 2 and 4 ({ends[0] + 1}-{ends[1] - 1} and {ends[2] + 1}-{ends[3] - 1})")
    panics = file.wholes(f"panic.{name}", 1, ends[3] - 1)
    if len(set(panics)) != len(panics):
        file.fail(f"panic.{name}", "has a space twice")
    return Track(ends, gates, [ends[1], ends[3]], panics)
