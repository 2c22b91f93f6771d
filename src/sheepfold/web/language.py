"""In which language somebody is answered: the one they chose here, else the one that their browser likes best of those we speak."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from starlette.requests import Request, cookie_parser

from sheepfold.messages import languages

WORDS = Path(__file__).parent / "locale"
"""The page's own messages."""


def language_of(request: Request) -> str:
    """The language for a request."""
    return chosen(request.cookies.get("language", ""), request.headers.get("accept-language", ""))


def language_from(headers: Mapping[bytes, bytes]) -> str:
    """The same where there are only raw headers."""
    cookies = cookie_parser(headers.get(b"cookie", b"").decode("latin-1"))
    return chosen(cookies.get("language", ""), headers.get(b"accept-language", b"").decode("latin-1"))


def chosen(cookie: str, accepted: str) -> str:
    return cookie if cookie in languages() else best(accepted[:500])


def likes(accepted: str) -> dict[str, float]:
    """How much each language of an Accept-Language header is liked, from 0 (not at all) to 1: 'fr-CH, fr;q=0.9, *;q=0.5'."""
    found: dict[str, float] = {}
    for tag, weight in weights(accepted):
        main = tag.split("-")[0]
        found[main] = max(found.get(main, 0.0), weight)
    return found


def takes_gzip(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    """Whether a client wants answers compressed: 'gzip;q=0' does not."""
    accepted = ",".join(value.decode("latin-1") for name, value in headers if name == b"accept-encoding")
    liked = dict(weights(accepted[:500]))
    return liked.get("gzip", liked.get("*", 0.0)) > 0


def weights(accepted: str) -> Iterable[tuple[str, float]]:
    """What a header of the kind Accept-… names, with how much each is liked."""
    for part in accepted.lower().split(","):
        tag, *parameters = (piece.strip() for piece in part.split(";"))
        weight = 1.0
        for parameter in parameters:
            name, _, value = parameter.partition("=")
            if name.strip() == "q":
                try:
                    weight = min(1.0, max(0.0, float(value)))
                except ValueError:
                    weight = 0.0
        if tag:
            yield tag, weight


def best(accepted: str) -> str:
    """The language of ours that is liked best, the one named first among equals; English where none is."""
    liked = likes(accepted)
    rest = liked.get("*", 0.0)
    order = list(liked)
    ours = sorted(languages(), key=lambda each: (-liked.get(each, rest), order.index(each) if each in liked else len(order)))
    return ours[0] if liked.get(ours[0], rest) > 0 else languages()[0]
