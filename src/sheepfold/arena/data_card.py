"""What others need to know of a data set: a card to read, and a description as Croissant 1.0 has it (mlcommons.org/croissant)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

FIELDS = {
    "game": ("sc:Integer", "The number of the game."),
    "ply": ("sc:Integer", "How many events there were in it before this decision, chance included."),
    "seat": ("sc:Integer", "Who decides."),
    "view": (
        "sc:Integer",
        "What that seat may know, as numbers; `layout` in the metadata says what they tell, and by what to divide them.",
    ),
    "legal": ("sc:Integer", "The numbers of the legal actions, ascending."),
    "action": ("sc:Integer", "The number of the action that was chosen."),
    "result": ("sc:Float", "How the game ended for that seat: 1 for winning alone, while the others share the loss."),
    "score": ("sc:Integer", "The seat's points at the end."),
    "rank": ("sc:Integer", "The seat's place at the end; 1 is the winner's."),
}
CROISSANT = """citeAs column equivalentProperty extract field fileProperty fileObject fileSet format includes isLiveDataset jsonPath key md5
    parentField path recordSet references regex repeated replace samplingRate separator source subField transform"""
CONTEXT: dict[str, Any] = {
    **{name: f"cr:{name}" for name in CROISSANT.split()}, "@language": "en", "@vocab": "https://schema.org/", "sc": "https://schema.org/",
    "conformsTo": "dct:conformsTo", "cr": "http://mlcommons.org/croissant/", "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"}, "examples": {"@id": "cr:examples", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"}, "dct": "http://purl.org/dc/terms/",
}  # fmt: skip
LICENSE = "https://spdx.org/licenses/MIT.html"


def _title(about: Mapping[str, str]) -> str:
    return f"{about['game']}, {about['seats']} seats, {about['bots']}"


def card(about: Mapping[str, str], games: Mapping[str, int], rows: Mapping[str, int]) -> str:
    """The data card, as Markdown."""
    splits = "\n".join(f"| {split} | {games[split]} | {rows[split]} |" for split in ("train", "validation", "test") if games[split])
    columns = "\n".join(f"| `{name}` | {what} |" for name, (_, what) in FIELDS.items())
    facts = "\n".join(
        f"- {name}: {about[name] or 'none'}" for name in ("game", "seats", "options", "components", "bots", "seed", "version", "actions")
    )
    return f"""# {_title(about)}

Every decision of games that bots played, one row each. Made by Sheepfold {about["version"]}, which makes the same rows again with

    {about["command"]} --dataset FOLDER

and says the same digest: `{about["digest"]}`.

{facts}

| split | games | decisions |
|---|---|---|
{splits}

A game is wholly in one split: by the last digit of its number, 8 is for validation and 9 for testing. Games are independent of each other.

| column | meaning |
|---|---|
{columns}

Of what is hidden a row has only what the seat that decides may know; results are known at the end alone. Nothing is about any person.
What bots play is not what people play: do not take it for how a game is usually played, nor for better play than these bots'.
Licence: MIT, as the program that made it.
"""


def croissant(about: Mapping[str, str], files: Mapping[str, list[Path]], wide: int) -> str:
    """The description, as JSON-LD."""
    objects: list[dict[str, Any]] = []
    for paths in files.values():
        objects += [
            {"@type": "cr:FileObject", "@id": path.name, "name": path.name, "contentUrl": path.name, "sha256": _sum(path),
             "contentSize": f"{path.stat().st_size} B", "encodingFormat": "application/x-parquet"} for path in paths
        ]  # fmt: skip
    objects += [
        {"@type": "cr:FileSet", "@id": f"{split}-files", "name": f"{split}-files", "includes": f"{split}-*.parquet",
         "encodingFormat": "application/x-parquet"} for split in files
    ]  # fmt: skip
    sets = [
        {"@type": "cr:RecordSet", "@id": split, "name": split, "description": f"The decisions for {split}.",
         "field": [_field(split, name, kind, what) for name, (kind, what) in FIELDS.items()]} for split in files
    ]  # fmt: skip
    return json.dumps(
        {
            "@context": CONTEXT, "@type": "sc:Dataset", "conformsTo": "http://mlcommons.org/croissant/1.0", "name": _title(about),
            "description": f"Every decision of games that bots played; a view has {wide} numbers. Rows: sha256 {about['digest']}.",
            "version": about["version"].split("+")[0], "license": LICENSE, "url": "https://pypi.org/project/sheepfold/",
            "datePublished": datetime.now(UTC).date().isoformat(), "citeAs": "Sheepfold: five sheep games",
            "distribution": objects, "recordSet": sets,
        },
        indent=1,
    )  # fmt: skip


def _field(split: str, name: str, kind: str, what: str) -> dict[str, Any]:
    found: dict[str, Any] = {
        "@type": "cr:Field", "@id": f"{split}/{name}", "name": f"{split}/{name}", "description": what, "dataType": kind,
        "source": {"fileSet": {"@id": f"{split}-files"}, "extract": {"column": name}},
    }  # fmt: skip
    return found | ({"repeated": True} if name in ("view", "legal") else {})


def _sum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
