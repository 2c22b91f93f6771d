"""Installed as an app, and without a network: the manifest, the worker, and the page it shows then.

The worker (`static/service_worker.js`) keeps the files that this module lists and the offline page, and nothing else: what belongs to a
table or a seat always comes from the server.
"""

from __future__ import annotations

import json
from functools import cache
from hashlib import blake2b

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response

from sheepfold import art
from sheepfold.game.registry import every_game
from sheepfold.messages import Voice
from sheepfold.web.language import language_of
from sheepfold.web.rendering import HERE, render, static

router = APIRouter(include_in_schema=False)
KEPT = ("art.css", "sheepfold.css", "app.js", "icon.svg")
"""What the offline page needs."""
ICONS = (("icon-192.png", "192x192", "any"), ("icon-512.png", "512x512", "any"), ("icon-maskable.png", "512x512", "maskable"))


@router.get("/manifest.webmanifest")
async def manifest(request: Request) -> Response:
    """What a system shows of the installed app, in the reader's language."""
    voice = Voice([HERE / "locale"], language_of(request))
    icons = [{"src": static(name), "sizes": sizes, "type": "image/png", "purpose": purpose} for name, sizes, purpose in ICONS]
    icons.append({"src": static("icon.svg"), "sizes": "any", "type": "image/svg+xml", "purpose": "any"})
    content = {
        "id": "/", "start_url": "/", "scope": "/", "name": "Sheepfold", "short_name": "Sheepfold", "description": voice.say("home.lead"),
        "lang": voice.language, "dir": "ltr", "display": "standalone", "categories": ["games"], "icons": icons,
        "background_color": art.PALETTES["light"]["paper"], "theme_color": art.PALETTES["light"]["shade"],
        "shortcuts": [{"name": game.title, "url": f"/new/{game.name}"} for game in every_game()],
    }  # fmt: skip
    return JSONResponse(content, media_type="application/manifest+json", headers={"Cache-Control": "no-cache"})


@router.get("/offline")
async def offline(request: Request) -> Response:
    response = render(request, "offline.html", picture=asleep())
    response.headers["Cache-Control"] = "no-cache"
    return response


@cache
def asleep() -> str:
    """Sheep that wait until somebody is there again; with its own drawings, for a page that may stand alone."""
    flock = (("white", 250, 128, 1.1), ("black", 345, 140, 0.9), ("white", 425, 130, 0.8))
    body = "".join(art.use("sheep-doze", x, y, size, f"sf-{colour}") for colour, x, y, size in flock)
    body += art.use("zzz", 292, 84, 1.1) + art.use("zzz", 452, 96, 0.8)
    return art.document(640, 190, body, "Sheepfold", interactive=False)


@router.get("/worker.js")
async def worker() -> Response:
    """From the top, because a worker stands in only for addresses below its own."""
    return Response(worker_script(), media_type="text/javascript", headers={"Cache-Control": "no-cache"})


@cache
def worker_script() -> str:
    """The script, with the list of files; another list or page is another version, which browsers fetch at once."""
    files = [static(name) for name in KEPT]
    page = (HERE / "templates" / "offline.html").read_bytes() + (HERE / "templates" / "base.html").read_bytes()
    version = blake2b(page + "".join(files).encode(), digest_size=4).hexdigest()
    kept = json.dumps({"version": version, "files": files, "page": "/offline"})
    return f"const kept = {kept};\n" + (HERE / "static" / "service_worker.js").read_text(encoding="utf-8")
