"""Tries an installed sheepfold as a newcomer meets it: compiled, a few games, the page. `make wheels` and cibuildwheel run it.

    python tools/try_wheel.py                  what is installed in this environment
    python tools/try_wheel.py dist/*.whl       the wheel, in a fresh environment with no compiler on its path

Uses the standard library alone, and nothing of the source tree.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from urllib.request import urlopen


def try_here() -> None:
    """What is installed here works, and is compiled."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # so that nothing is found beside this file
        version = said("-m", "sheepfold", "--version", "--language", "en")
        print(version)
        if "(compiled)" not in version:
            raise SystemExit("sheepfold: this wheel is not compiled")
        for game in said("-c", "import sheepfold.games; print(*(game.name for game in sheepfold.games.every_game()))").split():
            said("-m", "sheepfold", "simulate", game, "-n", "5", "--seed", "1", "--check")
            print(f"  {game} plays")
        serve = [sys.executable, "-m", "sheepfold", "serve", "--port", "0", "--database", f"sqlite:///{folder}/try.db"]
        with subprocess.Popen(serve, stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout
                address = re.search(r"http://\S+", server.stdout.readline())
                if not address:
                    raise SystemExit("sheepfold: the server did not say where it is")
                with urlopen(address[0], timeout=60) as page:
                    if b"Sheepzzz" not in page.read():
                        raise SystemExit("sheepfold: the page shows no games")
            finally:
                server.terminate()
        print("  the page is there")


def said(*arguments: str) -> str:
    """What Python says when it is run so; it must end well."""
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"sheepfold: this failed: {' '.join(arguments)}\n{done.stdout}{done.stderr}")
    return done.stdout.strip()


def try_wheel(wheel: Path) -> None:
    """The same, where nothing else is: only the environment's own programs are on the path, so nothing can be compiled."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        programs = Path(folder) / ("Scripts" if os.name == "nt" else "bin")
        alone = {**os.environ, "PATH": str(programs), "CC": "there-is-no-compiler", "PYTHONPATH": "", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
        python = programs / "python"
        for command in ([python, "-m", "pip", "install", "-q", f"{wheel.resolve()}[web]"], [python, Path(__file__).resolve()]):
            if subprocess.run(command, env=alone, cwd=folder).returncode:
                raise SystemExit(f"sheepfold: {wheel.name} cannot be used without a compiler")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        try_wheel(Path(name))
    if not sys.argv[1:]:
        try_here()
