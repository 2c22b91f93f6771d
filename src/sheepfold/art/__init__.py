"""Sheepfold's drawings: one hand-drawn meadow for all games, as SVG text.

A picture is a string of pieces wrapped by ``document``::

    from sheepfold import art

    body = art.pasture(9, 9, 40, id=lambda r, c: f"field-{r}-{c}")
    body += art.sheep("blue", "e", id="sheep-blue-1", x=60, y=100, size=40, label=words)
    picture = art.document(360, 360, body, title, description)

Every piece takes the keywords of ``Place`` (x, y, size, id, label, classes, tap); ``x, y`` is
its middle and ``size`` its width. Labels come from the caller, in the player's language. The
state classes ``can chosen ghost last threat`` go on the piece (or on the field of a ``pasture``)
and are toggled by the page; nothing is redrawn for them, nor for a change of theme.

pen: the unsteady line. theme: colours and style. svg: the sheet. signs: marks, digits, icons.
animals, ground, tiles, cards, brand: what their names say.
"""

from .animals import FACINGS, Facing, berta, person, roger, sheep, shorn, wolf
from .brand import emblem, icon, logo
from .cards import (
    ACTION_RATIO,
    CARD_RATIO,
    action_card,
    card_back,
    card_spot,
    counting_card,
    pillow,
    power_icon,
    wolf_card,
)
from .ground import (
    VIGNETTE,
    compass,
    counter,
    die,
    fence,
    fence_place,
    gate,
    lawn,
    meadow,
    paper,
    pasture,
    pegs,
    pen_frame,
    rank_label,
    score_marker,
    track,
    track_point,
    track_space,
    wall,
)
from .signs import (
    ACTIONS,
    DIRECTIONS,
    MARKS,
    SIGNS,
    Action,
    Direction,
    Power,
    action_icon,
    arrow,
    badge,
    bubble,
    mark,
    number,
    turn_arrow,
)
from .svg import Place, button, document, fitting, kit, part, piece, shortened, target, text, use
from .theme import COLOURS, PALETTES, Colour, Theme, style
from .tiles import (
    MOODS,
    SIDES,
    Middle,
    Mood,
    Motif,
    Side,
    bag,
    empty_spot,
    landscape,
    landscape_back,
    landscape_face,
    mood_face,
    mood_sign,
    mood_tile,
    turned,
)

__all__ = [
    "ACTIONS",
    "ACTION_RATIO",
    "CARD_RATIO",
    "COLOURS",
    "DIRECTIONS",
    "FACINGS",
    "MARKS",
    "MOODS",
    "PALETTES",
    "SIDES",
    "SIGNS",
    "VIGNETTE",
    "Action",
    "Colour",
    "Direction",
    "Facing",
    "Middle",
    "Mood",
    "Motif",
    "Place",
    "Power",
    "Side",
    "Theme",
    "action_card",
    "action_icon",
    "arrow",
    "badge",
    "bag",
    "berta",
    "bubble",
    "button",
    "card_back",
    "card_spot",
    "compass",
    "counter",
    "counting_card",
    "die",
    "document",
    "emblem",
    "empty_spot",
    "fence",
    "fence_place",
    "fitting",
    "gate",
    "icon", "kit",
    "landscape",
    "landscape_back",
    "landscape_face",
    "lawn",
    "logo",
    "mark",
    "meadow",
    "mood_face",
    "mood_sign",
    "mood_tile",
    "number",
    "paper",
    "part",
    "pasture",
    "pegs",
    "pen_frame",
    "person",
    "piece",
    "pillow",
    "power_icon",
    "rank_label",
    "roger",
    "score_marker",
    "sheep",
    "shorn",
    "shortened",
    "style",
    "target",
    "text",
    "track",
    "track_point",
    "track_space",
    "turn_arrow",
    "turned",
    "use",
    "wall",
    "wolf",
    "wolf_card",
]  # fmt: skip
