"""Makes .venv ready, for `make`: installs what sheepfold needs and compiles the rules, saying what it does and how long it takes.

Uses the standard library alone, because it runs before anything is installed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
PROJECT = ROOT / "pyproject.toml"


@contextmanager
def step(what: str) -> Iterator[None]:
    """Say what is being done and, when it is done, how long it took."""
    print(f"sheepfold: {what} ...", end=" ", flush=True)
    began = time.monotonic()
    yield
    print(f"{time.monotonic() - began:.0f} s", flush=True)


def run(*command: str | Path, **environment: str) -> None:
    """Run a command quietly; show all it said if it fails."""
    done = subprocess.run(list(map(str, command)), cwd=ROOT, env={**os.environ, **environment}, capture_output=True, text=True)
    if done.returncode:
        print(f"failed\n{done.stdout}{done.stderr}", file=sys.stderr)
        raise SystemExit(f"sheepfold: this command failed: {' '.join(map(str, command))}")


def touch(name: str) -> None:
    (VENV / name).write_text("made by tools/setup_venv.py\n")


def make_venv() -> None:
    if PYTHON.exists():
        return
    with step("making .venv"):
        try:
            run(sys.executable, "-m", "venv", VENV)
        except SystemExit:
            print("sheepfold: on Debian and Ubuntu: apt install python3-venv", file=sys.stderr)
            raise


def pip(*wanted: str) -> None:
    run(PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *wanted, SHEEPFOLD_PURE="1")


def install(stamp: str, what: str, *wanted: str) -> None:
    """Anew only when pyproject.toml has changed."""
    made = VENV / stamp
    if made.exists() and made.stat().st_mtime > PROJECT.stat().st_mtime:
        return
    with step(f"installing {what}"):
        pip(*wanted)
    touch(stamp)


def compilers_needs() -> list[str]:
    import tomllib  # not there before Python 3.11, which main() tells about

    needs: list[str] = tomllib.loads(PROJECT.read_text())["build-system"]["requires"]
    return needs


def remove_compiled() -> None:
    for old in (ROOT / "src").rglob("*.so"):
        old.unlink()


def is_compiled() -> bool:
    """Whether everything in compiled.txt is compiled as it stands now."""
    lines = (ROOT / "compiled.txt").read_text().split()
    sources = [ROOT / "setup.py", ROOT / "compiled.txt", *(path for line in lines for path in ROOT.glob(line))]
    libraries = list((ROOT / "src").glob("sheepfold__mypyc*.so"))
    return bool(libraries) and min(each.stat().st_mtime for each in libraries) > max(each.stat().st_mtime for each in sources)


def is_to_be_compiled() -> bool:
    if os.environ.get("SHEEPFOLD_PURE") == "1":
        print("sheepfold: SHEEPFOLD_PURE=1, running uncompiled", flush=True)
        return False
    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()[0]
    if not shutil.which(compiler):
        remove_compiled()
        print(f"sheepfold: no C compiler ({compiler}): running uncompiled, about 20 times slower", flush=True)
        return False
    return not is_compiled()


@contextmanager
def compiling() -> Iterator[None]:
    """The rules are compiled while what stands inside goes on: one core does this, another that."""
    if not is_to_be_compiled():
        yield
        return
    remove_compiled()
    command = [str(PYTHON), "setup.py", "--quiet", "build_ext", "--inplace"]
    began = time.monotonic()
    with tempfile.TemporaryFile("w+") as said, subprocess.Popen(command, cwd=ROOT, stdout=said, stderr=said) as compiler:
        try:
            yield
            print("sheepfold: compiling the rules (a minute or two, once) ...", end=" ", flush=True)
            compiler.wait()
        except BaseException:
            compiler.kill()
            remove_compiled()
            raise
        print(f"{time.monotonic() - began:.0f} s" if compiler.returncode == 0 else "failed", flush=True)
        if compiler.returncode:
            said.seek(0)
            remove_compiled()
            print(f"{said.read()}sheepfold: this failed: {' '.join(command)}; running uncompiled", file=sys.stderr)


def install_chromium() -> None:
    """For the browser tests, where this may be done; without it they are skipped, and say so.

    Without a window it takes a third less of the processor than the whole browser, which draws its own frame for every page.
    """
    if any(map(shutil.which, ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome"))):
        return
    if not shutil.which("apt-get") or os.geteuid() != 0:
        print("sheepfold: no Chromium here, so the browser tests are skipped (apt install chromium)", flush=True)
        return
    with step("installing Chromium for the browser tests"):
        apt_get("update")
        if not apt_get("-y", "install", "chromium-headless-shell", "fonts-liberation"):
            apt_get("-y", "install", "chromium")


def look_at_types() -> None:
    """While one core still compiles, the other may do mypy's work. What it finds is told by tools/check.py, which has it from the cache."""
    with step("looking at types"):
        subprocess.run([str(VENV / "bin" / "mypy")], cwd=ROOT, capture_output=True, check=False)


def apt_get(*words: str) -> bool:
    """Whether that could be done."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    return subprocess.run(["apt-get", "-q", *words], env=environment, capture_output=True, check=False).returncode == 0


def main() -> None:
    if sys.version_info < (3, 11):  # noqa: UP036 - this is who tells
        raise SystemExit(f"sheepfold needs Python 3.11 or newer, this is {sys.version.split()[0]}; make PYTHON=python3.12 names another")
    make_venv()
    tools = "--tools" in sys.argv
    install("compiler", "the compiler of the rules", *compilers_needs())
    with compiling():
        install("installed", "what it needs", "--no-build-isolation", "-e", ".[web,push,passkeys]")
        if tools:  # most of what the tests' libraries bring is never imported, so bytecode is made of what is
            install("installed[dev]", "what the tests need", "--no-compile", "--no-build-isolation", "-e", ".[dev]")
            install_chromium()
            look_at_types()
    touch("ready")
    if tools:
        touch("tools")


if __name__ == "__main__":
    main()
