"""Style, layers and types: ruff, import-linter and mypy, all of them, with one line each that says how it went.

    python tools/check.py [COMMAND ...]

With a command (the tests), what takes a second goes first and stops everything; mypy runs beside the command, and its verdict comes at
the end.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
QUICK = {
    "ruff check": ["ruff", "check", "--quiet", "."],
    "ruff format": ["ruff", "format", "--check", "--quiet", "--diff", "."],
    "lint-imports": ["lint-imports", "--no-cache"],
}
SLOW = {"mypy": ["mypy"]}

Running = dict[str, "subprocess.Popen[str]"]


def start(checks: dict[str, list[str]]) -> Running:
    """All at once, what they say kept."""
    return {
        name: subprocess.Popen([str(BIN / tool), *told], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for name, (tool, *told) in checks.items()
    }


def failed(running: Running) -> list[str]:
    """Those that found something, once all have ended; what they found is printed."""
    found = []
    for name, process in running.items():
        said, _ = process.communicate()
        print(f"{name}: {'failed' if process.returncode else 'passed'}", flush=True)
        if process.returncode:
            print(said, flush=True)
            found.append(name)
    return found


def main(command: list[str]) -> int:
    if not command:
        return 1 if failed(start({**QUICK, **SLOW})) else 0
    if failed(start(QUICK)):
        return 1
    beside = start(SLOW)
    code = subprocess.run(command, cwd=ROOT, check=False).returncode
    return 1 if failed(beside) else code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
