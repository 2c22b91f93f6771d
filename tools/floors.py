"""The floors of pyproject.toml, tried: an environment with every direct dependency at its declared minimum, and the tests run in it.

    python tools/floors.py [what pytest is to be told]     `make floors` runs all tests but those in a browser

What stands with `==` stays; what is needed indirectly is whatever fits. Uses the standard library alone, and the compiled rules that lie
beside the sources.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv-floors"
PYTHON = VENV / "bin" / "python"
EXTRAS = ("web", "dev")
"""What the tests need; `dev` names others of ours."""
BROWSER = "tests/web/test_*browser*.py"


def floors(project: dict[str, object]) -> list[str]:
    """Every direct requirement, `>=` and `~=` turned into `==` and upper bounds left away: `fastapi>=0.115,<1` is `fastapi==0.115`."""
    extras: dict[str, list[str]] = project["optional-dependencies"]  # type: ignore[assignment]
    found: list[str] = list(project["dependencies"])  # type: ignore[call-overload]
    wanted = list(EXTRAS)
    for extra in wanted:
        for requirement in extras[extra]:
            if ours := re.fullmatch(r"sheepfold\[(.+)\]", requirement):
                wanted += [name for name in ours[1].split(",") if name not in wanted]
            else:
                found.append(requirement)
    return sorted({re.sub(r"[>~]=", "==", re.sub(r",\s*<[^;]*", "", requirement)) for requirement in found})


def main() -> int:
    pins = floors(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"])
    print("sheepfold: floors:", *pins, sep="\n  ", flush=True)
    pip = [str(PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([sys.executable, "-m", "venv", "--clear", str(VENV)], check=True)
    subprocess.run([*pip, *pins], check=True)
    pure = {**os.environ, "SHEEPFOLD_PURE": "1"}  # they lie there compiled, and need not be compiled again
    subprocess.run([*pip, "--no-deps", "--no-build-isolation", "-e", "."], cwd=ROOT, env=pure, check=True)
    told = sys.argv[1:] or ["-n", "2", "--dist", "loadfile", f"--ignore-glob={BROWSER}"]
    return subprocess.run([str(PYTHON), "-m", "pytest", *told], cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
