"""The rules as a page: Markdown with anchors for the table to open them at, figures drawn when they are served, and our rulings marked.

A heading ends with its anchor (`## Your turn {#turn}`); a block called `picture` becomes a figure (`game.rule_figures`); the scales mark
a ruling of ours, where a rulebook is silent.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from html import escape, unescape
from itertools import pairwise
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from sheepfold.game import rule_figures
from sheepfold.game.component_file import Source
from sheepfold.game.game import Setup
from sheepfold.game.registry import find
from sheepfold.messages import Voice

HERE = Path(__file__).parent
RULING = "⚖"
SCROLLING = {"<pre>": '<pre tabindex="0">', "<table>": '<div class="broad" tabindex="0"><table>', "</table>": "</table></div>"}
"""What may be broader than the page scrolls by itself, so keys must reach it."""

SECTION, TAG = re.compile(r'<h2 id="([^"]+)">(.*?)</h2>'), re.compile(r"<[^>]*>")


def rules_text(game: str, language: str, setup: Setup | None = None) -> str:
    """The rules of a game as HTML, with the numbers of that set-up or of the game as it is in its box."""
    return _as_html(game, language, find(game).help(language, setup), setup.component_file if setup else None)


def contents(page: str) -> list[tuple[str, str]]:
    """The sections of such a page: where each begins, and what it is called."""
    return [(anchor, unescape(TAG.sub("", title))) for anchor, title in SECTION.findall(page)]


@lru_cache(64)
def _as_html(game: str, language: str, rules: str, component_file: Source | None) -> str:
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    chosen = find(game)

    def fence(renderer: Any, tokens: Sequence[Token], place: int, options: Any, env: Any) -> str:
        token = tokens[place]
        if token.info.strip() != "picture":
            return f"<pre><code>{escape(token.content)}</code></pre>"
        drawn = rule_figures.panels_as_svg(chosen, token.content, language, f"fig{place}", component_file)
        shown = "".join(f"<figure>{svg}<figcaption>{escape(caption)}</figcaption></figure>" for svg, caption in drawn)
        return f'<div class="figures">{shown}</div>'

    reader.add_render_rule("fence", fence)
    tokens = reader.parse(rules)
    for heading, inline in pairwise(tokens):
        if heading.type == "heading_open" and (found := rule_figures.ANCHOR.search(inline.content)):
            heading.attrSet("id", f"rule-{found[1]}")
            for text in reversed(inline.children or []):
                if text.content:
                    text.content = rule_figures.ANCHOR.sub("", text.content)
                    break
    voice = Voice([HERE / "locale"], language)
    said = escape(voice.say("rules.ruling"))
    mark = f'<abbr class="ruling" title="{said}">{RULING}</abbr>'
    page = str(reader.renderer.render(tokens, reader.options, {})).replace(RULING, mark)
    for plain, reachable in SCROLLING.items():
        page = page.replace(plain, reachable)
    if component_file:
        page = page.replace("</h1>", f"</h1>\n<p>{escape(voice.say('rules.own-file', name=Path(str(component_file)).name))}</p>", 1)
    return page
