"""The page of a report: one file that needs nothing else, with the data of every plot as CSV in it.

What was measured of several levels stands in as many parts, of which the reader chooses one; no script is needed for that. Parts that
are far below what is seen are not laid out until they come near, so that a phone shows the first at once.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from html import escape
from io import StringIO
from typing import NamedTuple
from urllib.parse import quote

from sheepfold.arena import plots
from sheepfold.arena.replays import Replay, packed, script
from sheepfold.game.game import Game
from sheepfold.messages import Voice

STYLE = """
section { content-visibility: auto; contain-intrinsic-size: auto 420px; }
a { color: var(--one); } .data { margin: 4px 0 0; font-size: 14px; }
nav { display: flex; flex-wrap: wrap; gap: 2px 14px; font-size: 14px; margin: 12px 0; }
nav a, .data a { padding: 6px 0; display: inline-block; }
fieldset { border: 0; padding: 0; margin: 24px 0 0; display: flex; flex-wrap: wrap; gap: 8px; align-items: center; }
legend { padding: 0; margin-bottom: 6px; font-weight: 600; }
fieldset label { display: inline-flex; align-items: center; gap: 8px; min-height: 44px; padding: 0 16px; border: 1px solid var(--line);
  border-radius: 22px; cursor: pointer; } fieldset label:has(:checked) { border-color: var(--one); background: var(--band); }
fieldset input { accent-color: var(--one); margin: 0; }
.scroll th:first-child, .scroll td:first-child { position: sticky; left: 0; background: var(--paper); }
.replay { border: 1px solid var(--line); border-radius: 10px; padding: 0 12px; margin: 10px 0; }
.replay summary { cursor: pointer; padding: 12px 0; } .replay summary span { display: block; }
.replay figure { margin: 0 auto; max-width: 560px; min-height: 200px; } .replay figure svg { min-width: 0; }
.replay .told { min-height: 3em; } .replay .steps { display: flex; gap: 10px; align-items: center; margin-bottom: 12px; }
.replay input { flex: 1; min-width: 0; accent-color: var(--one); height: 44px; } .replay output { min-width: 4.5em; text-align: right; }
.replay button { min-width: 44px; min-height: 44px; font-size: 20px; border: 1px solid var(--line); border-radius: 8px;
  background: var(--paper); color: var(--ink); } .replay button:disabled { opacity: .4; }
@media print { nav, fieldset, .data, .replay .steps { display: none; } .level { display: block !important; }
  section { content-visibility: visible; break-inside: avoid; } }
"""


class Section(NamedTuple):
    """A part of the page: its name, heading, a sentence, what is drawn, and the data behind it, headings first."""

    name: str
    head: str
    text: str
    drawn: str
    data: Sequence[Sequence[object]] = ()


class Level(NamedTuple):
    """What was measured of one bot."""

    bot: str
    sections: Sequence[Section]


def page(
    game: Game, title: str, intro: str, shared: Sequence[Section], levels: Sequence[Level], replays: Sequence[Replay], voice: Voice
) -> str:
    """All of it as HTML: what is about all levels, then each of them."""
    choose, rules = "", ""
    if len(levels) > 1:
        for number, level in enumerate(levels):
            checked = " checked" * (number == 0)
            choose += f'<label><input type="radio" name="level" value="{number}"{checked}>{escape(level.bot)}</label>'
            rules += f'body:has([name="level"][value="{number}"]:checked) .level-{number} {{ display: block; }}\n'
        rules = f".level {{ display: none; }}\n{rules}"
        choose = f"<fieldset><legend>{escape(voice.say('choose'))}</legend>{choose}</fieldset>"
    body = _contents(shared, "") + "".join(_section(game, each, "", voice) for each in shared) + choose
    for number, level in enumerate(levels):
        parts = "".join(_section(game, each, level.bot, voice) for each in level.sections)
        body += f'<div class="level level-{number}">{_contents(level.sections, level.bot)}{parts}</div>'
    if replays:
        body += f'<script type="text/plain" id="replays">{packed(game, replays)}</script><script type="module">{script()}</script>'
    return (
        f'<!doctype html><html lang="{voice.language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{plots.STYLE}{STYLE}{rules}</style></head><body><main><h1>{escape(title)}</h1>"
        f"<p class=soft>{escape(intro)}</p>{body}</main></body></html>\n"
    )


def _contents(sections: Sequence[Section], bot: str) -> str:
    links = "".join(f'<a href="#{_id(each, bot)}">{escape(each.head)}</a>' for each in sections)
    return f"<nav>{links}</nav>" if len(sections) > 3 else ""


def _section(game: Game, section: Section, bot: str, voice: Voice) -> str:
    link = ""
    if section.data:
        name = "-".join(filter(None, (game.name, bot.replace(":", "-"), section.name)))
        link = f'<p class="data">{data_link(f"{name}.csv", "text/csv", as_csv(section.data), voice.say("csv"))}</p>'
    text = f"<p class=soft>{escape(section.text)}</p>"
    return f'<section id="{_id(section, bot)}"><h2>{escape(section.head)}</h2>{text}{section.drawn}{link}</section>'


def _id(section: Section, bot: str) -> str:
    return escape("-".join(filter(None, (section.name, bot))))


def as_csv(rows: Sequence[Sequence[object]]) -> str:
    """The rows as text that spreadsheets and programs read; numbers with a point, rounded where more says nothing."""
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerows([round(cell, 6) if isinstance(cell, float) else cell for cell in row] for row in rows)
    return text.getvalue()


def data_link(name: str, kind: str, text: str, label: str) -> str:
    """A link to a text that stands in the page itself, to be saved under that name."""
    return f'<a download="{escape(name)}" href="data:{kind};charset=utf-8,{quote(text)}">{escape(label)}</a>'
