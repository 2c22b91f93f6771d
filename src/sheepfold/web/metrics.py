"""MetricsMiddleware: what the server does, counted for Prometheus (`/metrics`) and logged a line a request, moves that went well left out.

Routes are named by their pattern (`/t/{table_id}/move`), never by an address, so that no token and no table's id gets into either.
"""

from __future__ import annotations

import logging
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sheepfold.table.tables import Tables
from sheepfold.web.logs import dropped

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
STREAMS = ("/stream", "/events")
"""How the addresses of streams end."""
log = logging.getLogger("sheepfold.web")


class Metrics:
    """Counts since the start."""

    def __init__(self) -> None:
        self.requests: Counter[tuple[str, str, int]] = Counter()
        self.buckets = [0] * (len(BUCKETS) + 1)
        self.seconds = 0.0
        self.timed = 0

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """One request is counted and logged."""
        self.count(method, route, status, None if route.endswith(STREAMS) else seconds)
        level = logging.ERROR if status >= 500 else logging.INFO
        if log.isEnabledFor(level):
            fields = {"method": method, "route": route, "status": status, "ms": round(1000 * seconds, 1)}
            log.log(level, "request", extra={"fields": fields})

    def count(self, method: str, route: str, status: int, seconds: float | None) -> None:
        """One request is counted; a stream lasts as long as somebody looks on, so its time says nothing."""
        self.requests[method, route, status] += 1
        if seconds is not None:
            self.timed += 1
            self.seconds += seconds
            self.buckets[bisect_left(BUCKETS, seconds)] += 1

    def samples(self, tables: Tables) -> dict[str, float]:
        """What this server has counted, by the names that Prometheus knows it by. Those of several servers can be added."""
        found: dict[str, float] = {}
        for (method, route, status), count in sorted(self.requests.items()):
            found[f'sheepfold_requests_total{{method="{method}",route="{route}",status="{status}"}}'] = count
        for bucket, count in zip(BUCKETS, accumulate(self.buckets), strict=False):
            found[f'sheepfold_request_seconds_bucket{{le="{bucket}"}}'] = count
        found['sheepfold_request_seconds_bucket{le="+Inf"}'] = self.timed
        found["sheepfold_request_seconds_sum"] = round(self.seconds, 6)
        found["sheepfold_request_seconds_count"] = self.timed
        found |= {f'sheepfold_events_total{{what="{what}"}}': count for what, count in sorted(tables.counted.items())}
        found["sheepfold_tables_loaded"] = len(tables.in_memory)
        found["sheepfold_streams"] = tables.listeners.count
        found["sheepfold_log_dropped_total"] = dropped()
        found["sheepfold_servers"] = 1
        return found


FAMILIES = (
    ("sheepfold_requests_total", "counter", "Requests answered."),
    ("sheepfold_request_seconds", "histogram", "Time to answer, streams left out."),
    ("sheepfold_events_total", "counter", "What happened at tables since the start."),
    ("sheepfold_tables", "gauge", "Tables in the database."),
    ("sheepfold_tables_loaded", "gauge", "Tables in memory."),
    ("sheepfold_streams", "gauge", "Viewers with a live stream."),
    ("sheepfold_log_dropped_total", "counter", "Lines of the log that nobody read."),
    ("sheepfold_servers", "gauge", "Servers that work on this database."),
)


def text(reports: Sequence[Mapping[str, float]], counts: Mapping[str, int]) -> str:
    """What several servers have counted, together, in Prometheus' text format; `counts` is how many tables there are of each status."""
    total: Counter[str] = Counter({f'sheepfold_tables{{status="{status}"}}': count for status, count in sorted(counts.items())})
    for report in reports:
        for name, value in report.items():
            total[name] += value  # type: ignore[assignment]
    lines = []
    for family, kind, what in FAMILIES:
        lines += [f"# HELP {family} {what}", f"# TYPE {family} {kind}"]
        endings = ("_bucket", "_sum", "_count") if kind == "histogram" else ("",)
        lines += [f"{name} {value:.12g}" for name, value in total.items() if name.split("{")[0] in {family + end for end in endings}]
    return "\n".join(lines) + "\n"


class MetricsMiddleware:
    """ASGI middleware, the outermost."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app = app
        self.metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began, status = time.monotonic(), 500

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = int(message["status"])
            await send(message)

        try:
            await self.app(scope, receive, sending)
        finally:
            self.metrics.answered(scope["method"], route_name(scope), status, time.monotonic() - began)


def route_name(scope: Scope) -> str:
    """The pattern that the address matched; 'other' for what matched none."""
    path = getattr(scope.get("route"), "path", None)
    if path:
        return str(path)
    return "/static" if scope["path"].startswith("/static/") else "other"
