"""The releases of uvicorn that `web/fast_moves.py` answers inside of, tried: its tests with the newest of each minor release that
pyproject.toml allows, and with the oldest one. `make uvicorns` runs it, where a release is added to `TRIED` and before one of ours.

    python tools/uvicorns.py [VERSION ...]     only these
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).resolve().parent.parent
TESTS = (
    "tests/web/test_fast_moves.py",
    "tests/terminal/test_terminal_commands.py::test_ctrl_c_ends_the_server_in_the_middle_of_a_game_without_a_word",
)


def allowed() -> list[str]:
    """Of each minor release the newest, and the oldest of all, as far as the project takes them."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    ours = next(need for each in project["optional-dependencies"]["web"] if (need := Requirement(each)).name == "uvicorn")
    told = subprocess.run([sys.executable, "-m", "pip", "index", "versions", "uvicorn"], capture_output=True, text=True, check=True).stdout
    listed = re.search(r"^Available versions: (.*)$", told, re.MULTILINE)
    assert listed, told
    fitting = sorted(version for text in listed[1].split(", ") if (version := Version(text)) in ours.specifier)
    newest = {version.release[:2]: version for version in fitting}
    return [str(version) for version in dict.fromkeys([fitting[0], *newest.values()])]


def passes(version: str) -> bool:
    """Whether the tests pass with that release in place of the installed one."""
    with tempfile.TemporaryDirectory() as folder:
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
        subprocess.run([*pip, "--target", folder, f"uvicorn=={version}"], check=True)
        settings = {**os.environ, "PYTHONPATH": folder}
        found = subprocess.check_output([sys.executable, "-c", "import uvicorn; print(uvicorn.__version__)"], env=settings, text=True)
        assert found.strip() == version
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *TESTS]
        run = subprocess.run(command, cwd=ROOT, env=settings, capture_output=True, text=True, check=False)
    said = [line for line in run.stdout.splitlines() if " in " in line and ("passed" in line or "failed" in line)]
    print(f"uvicorn {version:8} {said[-1] if said else run.stderr}", flush=True)
    if run.returncode:
        print(run.stdout, file=sys.stderr)
    return run.returncode == 0


if __name__ == "__main__":
    failed = [version for version in sys.argv[1:] or allowed() if not passes(version)]
    sys.exit(1 if failed else 0)
