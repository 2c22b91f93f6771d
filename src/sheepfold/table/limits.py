"""Limits: how much one client may ask of a server, all in one place. docs/server.md tells them.

A host sets any of them by the environment: `SHEEPFOLD_STREAMS=200` is the field `streams`; or, for all servers of a database and while they
run, by `sheepfold admin limits`. A client is an address (`client_name`). Of what is made
(tables, lines of chat, reports, analyses) a person whose device is known may have so much, too, whatever addresses they come from.
"""

from __future__ import annotations

import ipaddress
import math
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from functools import lru_cache

from sheepfold.core.errors import SheepfoldError

LARGEST_BODY = 64 * 1024
"""Bytes of a request."""
CHAT_SHOWN = 40
"""How many lines of chat a scene carries, and a page of earlier ones has."""
LONGEST_NAME = 40
"""Letters of a client's name; an IPv6 network has no more."""
PREFIX = "SHEEPFOLD_"


class BadLimit(SheepfoldError):
    """The environment asks for a limit that is none."""


@dataclass
class Limits:
    """What one client may do, unless a field says otherwise. All of a server share one, which may change."""

    burst: float = 120
    """Requests at once, and"""
    per_second: float = 30
    """requests in the long run."""
    connections: float = 256
    """Connections at the same time; a proxy that is trusted may have any number."""
    request_seconds: float = 20
    """How long a request may take to arrive, from its first byte to its last."""
    streams: float = 60
    """Streams at the same time."""
    streams_per_table: float = 500
    """Streams at one table, of all clients together; who sits there always gets one."""
    tables: float = 60
    """Tables and uploaded records made at once, and"""
    tables_per_hour: float = 120
    """made in the long run."""
    listed: float = 12
    """Tables for the lobby made at once, and made in an hour."""
    entries: float = 60
    """Entries into tournaments at once, and in an hour."""
    chat: float = 20
    """Lines of chat at once, and"""
    chat_per_minute: float = 30
    """in the long run."""
    reports: float = 12
    """Lines of chat reported to the host at once, and reported in an hour."""
    keys: float = 6
    """Keys tried at the host's page at once, and tried in an hour."""
    recoveries: float = 6
    """Recovery codes tried at once, and tried in an hour."""
    waiting: float = 16
    """Hints, films, uploads and the like that may wait for a processor."""
    analyses: float = 5
    """Games that may wait for their analysis."""
    tables_in_memory: float = 2000
    """Tables of all clients that are kept in memory; the others are read again when somebody comes."""


NO_LIMITS = {each.name: math.inf for each in fields(Limits) if each.name not in ("tables_in_memory", "request_seconds")}
"""For benches, whose load all comes from one address."""


def limits_from(environment: Mapping[str, str] = os.environ) -> Limits:
    """The limits as the host wants them."""
    given = {each.name: environment.get(PREFIX + each.name.upper()) for each in fields(Limits)}
    return Limits(**{name: limit(PREFIX + name.upper(), text) for name, text in given.items() if text})


def limit(name: str, text: str) -> float:
    """What somebody has written for a limit, as a number."""
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not found > 0:
        raise BadLimit(f"{name}={text} is no limit; a number above 0 would be one, and `inf` is none at all")
    return found


def limits_asked_for(wishes: Iterable[str]) -> dict[str, float | None]:
    """Limits as a host writes them on a command line: `streams=200`, or `streams=` for what is usual."""
    found: dict[str, float | None] = {}
    names = [each.name for each in fields(Limits)]
    for wish in wishes:
        name, is_set, text = wish.partition("=")
        if not is_set or name not in names:
            raise BadLimit(f"{wish} names no limit; streams=200 would, and streams= is as usual again. There are: {', '.join(names)}")
        found[name] = limit(name, text) if text else None
    return found


@lru_cache(4096)
def client_name(address: str) -> str:
    """Who has that address. With IPv6 everybody has very many of them, so the network of 64 bits counts. What a proxy says may be anything,
    and is told to other servers and stored: so it is short and plain."""
    plain = address[:LONGEST_NAME].encode("ascii", "replace").decode()
    if ":" not in address:
        return plain
    try:
        found = ipaddress.IPv6Address(address.partition("%")[0])
    except ValueError:
        return plain
    return str(found.ipv4_mapped or ipaddress.IPv6Network((int(found) >> 64 << 64, 64)))
