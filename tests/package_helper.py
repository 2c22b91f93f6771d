"""Games of other packages for tests: found by their entry points as if they were installed, in this process's children."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path

EXAMPLE = Path(__file__).parents[1] / "examples" / "clover_thief"


def environment_with(room: Path, *packages: Path, **changes: str) -> dict[str, str]:
    """The environment of a process in which these packages are installed; `room` is an empty folder for what pip would write."""
    paths = [str(room)]
    for package in packages:
        project = tomllib.loads((package / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        facts = room / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
        facts.mkdir(parents=True)
        (facts / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
        games = project["entry-points"]["sheepfold.games"]
        (facts / "entry_points.txt").write_text("[sheepfold.games]\n" + "".join(f"{name} = {value}\n" for name, value in games.items()))
        paths.append(str(package / "src"))
    return os.environ | {"PYTHONPATH": os.pathsep.join([*paths, os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)} | changes
