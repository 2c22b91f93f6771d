"""What the pictures of Haste Bock? and Shear Panic have in common: the track that winds once round the ground, the strip below it,
sheep with their numbers, the arrows of a turn, and the line that begins what another player has.
"""

from __future__ import annotations

from typing import Final, cast

from sheepfold import art
from sheepfold.games.flock import BLACK_SHEEP, COLOUR_NAMES, DIRECTION_NAMES, SHEEP_NAMES, Track
from sheepfold.kept import kept

SIZE: Final = 720
"""How wide the picture is; a phone shows it at half that."""
ABOVE: Final = 12
"""Room for the counter, which is taller than its space."""
STRIP: Final = 92
"""The height of the strip below the track."""
SMALL: Final = 56.0
"""The size of what other players have: twelve in a row."""
DRAWINGS: Final = (
    "act-", "berta-", "cell", "compass", "counter", "die", "gate", "glow", "hoofprint", "needle", "panic", "roger-", "shearer", "sheep-e",
    "sheep-n", "sheep-s", "space", "sqband", "square", "tuft", "clover",
)  # fmt: skip
"""The beginnings of names of drawings that both games use, for `Game.drawings`."""


def facing_of(direction: int) -> art.Facing:
    return cast(art.Facing, DIRECTION_NAMES[int(direction)])


class Ring:
    """The track, once round the ground: the start (0) in the top left corner, then clockwise."""

    def __init__(self, track: Track) -> None:
        self.track = track
        self.on_a_side = -(-(int(track.length) + 1) // 4)
        self.space = SIZE / (self.on_a_side + 1)

    def point(self, space: float) -> tuple[float, float]:
        """The middle of a space."""
        side, along = divmod(space, self.on_a_side)
        near, far = self.space / 2, SIZE - self.space / 2
        step = along * self.space
        return ((near + step, near), (far, near + step), (far - step, far), (near, far - step))[int(side)]

    def drawn(self, counter: int, id: str, pen: str = "gate", gates: bool = False, label: str = "") -> str:
        """The spaces with their signs, and the counter. A pen is shown as `pen`, what must be passed as a wall or as a gate."""
        x, y = self.point(counter)
        return _spaces(self.track, pen, gates) + art.counter(id=id, x=x, y=y - 6, size=52, label=label)

    def spaces(self, pen: str, gates: bool) -> str:
        """The spaces with their signs alone."""
        track, size = self.track, self.space
        by_phase: dict[int, str] = {}
        signs = ""
        for space in range(1, int(track.length) + 1):
            x, y = self.point(space)
            phase = int(track.phase[space])
            by_phase[phase] = by_phase.get(phase, "") + art.use(f"space{space % 3}", x * 100 / size, y * 100 / size)
            if track.pen[space]:
                signs += art.use(pen, x, y, size / 90)
            elif track.panic[space]:
                signs += art.use("panic", x, y, size / 160)
            elif space % 5 == 0:
                signs += art.text(x, y + 5.5, str(space), 16)
            if track.wall[space]:
                down = (space // self.on_a_side) % 2 == 1
                name, scale = ("gate", size / 100) if gates else ("wall", size / 82)
                signs += art.use(name, *self.point(space + 0.5), scale, turn=90 if down != gates else 0)
        scaled = f'transform="scale({size / 100:.4g})"'
        spaces = "".join(f'<g class="sf-phase{phase}" {scaled}>{uses}</g>' for phase, uses in by_phase.items())
        return "\n" + spaces + art.use("gate", *self.point(0), size / 100) + signs


@kept(64)
def _spaces(track: Track, pen: str, gates: bool) -> str:
    return Ring(track).spaces(pen, gates)


def strip(phase: int, facing: int, title: str, text: str = "") -> str:
    """The ground of the strip in the phase's colour, the compass, and what this phase is about."""
    middle = SIZE + STRIP / 2
    drawn = f'\n<rect class="sf-phase{phase}" x="2" y="{SIZE + 5}" width="{SIZE - 4}" height="{STRIP - 9}" rx="18"/>'
    drawn += art.compass(DIRECTION_NAMES[facing], id="compass", x=56, y=middle, size=70)
    room = SIZE - 108 - (16 if text else 210)  # without a text there are arrows at the right
    drawn += art.text(108, middle - 8 if text else middle + 9, title, art.fitting(title, 27, room), "start")
    return drawn + (art.text(108, middle + 25, text, art.fitting(text, 20, room), "start") if text else "")


def turn_arrows(ids: tuple[str, str], labels: tuple[str, str], ghosts: tuple[bool, bool]) -> str:
    """Clockwise at the right end of the strip, counter-clockwise beside it."""
    drawn = ""
    for way in range(2):
        drawn += art.turn_arrow(
            way == 0, id=ids[way], x=SIZE - (58 if way == 0 else 152), y=SIZE + STRIP / 2, size=92, label=labels[way],
            classes="ghost" if ghosts[way] else "",
        )  # fmt: skip
    return drawn


@kept(512)
def one_sheep(sheep: int, facing: int, id: str, x: float, y: float, size: float, label: str) -> str:
    """A sheep of a flock, the two of a colour with their number."""
    if sheep == BLACK_SHEEP:
        return art.berta(facing_of(facing), id=id, x=x, y=y, size=size, label=label)
    body = art.sheep(COLOUR_NAMES[sheep // 2], facing_of(facing), size=100) + art.text(31, 44, SHEEP_NAMES[sheep][1], 30, halo=True)
    return art.piece(body, id=id, x=x, y=y, size=size, label=label)


@kept(512)
def owner(seat: int, name: str, y: float) -> str:
    """The line above what another player has: mark and name."""
    return art.mark(COLOUR_NAMES[seat], x=22, y=y + 24, size=32) + art.text(46, y + 32, name, 24, "start")
