"""The tools that `make` runs: the checks end with the right code and say what failed; floors are read out of pyproject.toml."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

TOOLS = Path(__file__).parents[2] / "tools"
FINE, WRONG = [sys.executable, "-c", ""], [sys.executable, "-c", "print('line 7 is wrong'); raise SystemExit(3)"]


@pytest.mark.parametrize(
    ("quick", "slow", "command", "code", "said"),
    [
        (FINE, FINE, [], 0, "quick: passed\nslow: passed\n"),
        (FINE, WRONG, [], 1, "quick: passed\nslow: failed\nline 7 is wrong\n"),
        (FINE, FINE, FINE, 0, "quick: passed\nslow: passed\n"),
        (FINE, FINE, WRONG, 3, "quick: passed\nslow: passed\n"),
        (FINE, WRONG, FINE, 1, "quick: passed\nslow: failed\nline 7 is wrong\n"),
        (WRONG, FINE, FINE, 1, "quick: failed\nline 7 is wrong\n"),
    ],
)
def test_checks_end_with_the_right_code(quick, slow, command, code, said, capsys) -> None:
    main = runpy.run_path(str(TOOLS / "check.py"))["main"]
    main.__globals__.update(QUICK={"quick": quick}, SLOW={"slow": slow})
    assert main(command) == code
    assert capsys.readouterr().out.strip() == said.strip()


def test_floors_are_the_least_that_is_promised() -> None:
    floors = runpy.run_path(str(TOOLS / "floors.py"))["floors"]
    extras = {
        "web": ["fastapi>=0.115", "uvicorn[standard]>=0.32,<0.55"],
        "dev": ["sheepfold[web,data]", "ruff~=0.9.2"],
        "data": ["pyarrow>=18"],
    }
    project = {"dependencies": ["librt==0.16.0", "rich>=13.9"], "optional-dependencies": {**extras, "ray": ["ray>=2.40"]}}
    assert floors(project) == ["fastapi==0.115", "librt==0.16.0", "pyarrow==18", "rich==13.9", "ruff==0.9.2", "uvicorn[standard]==0.32"]


def test_the_citation_is_of_this_version() -> None:
    import yaml

    import sheepfold

    cited = yaml.safe_load((TOOLS.parent / "CITATION.cff").read_text(encoding="utf-8"))
    assert cited["version"] == sheepfold.__version__ and cited["license"] == "MIT" and cited["cff-version"] == "1.2.0"
    assert cited["authors"] and cited["title"] and cited["message"]


def test_wheels_are_made_for_the_pythons_that_are_promised_and_tried() -> None:
    import yaml

    project = tomllib.loads((TOOLS.parent / "pyproject.toml").read_text(encoding="utf-8"))
    wheels = project["tool"]["cibuildwheel"]
    least = re.search(r"3\.(\d+)", project["project"]["requires-python"])
    assert least and wheels["build"][0] == f"cp3{least[1]}-*" and wheels["environment"] == {"SHEEPFOLD_COMPILE": "1"}
    assert (TOOLS / wheels["test-command"].rpartition("/")[2]).exists()
    workflow = yaml.safe_load((TOOLS.parent / ".github" / "workflows" / "wheels.yml").read_text(encoding="utf-8"))
    assert set(workflow["jobs"]["publish"]["needs"]) == {"wheels", "sources"}


@pytest.mark.parametrize("command", ["egg_info", "sdist"])
def test_what_compiles_nothing_is_not_kept_waiting_by_the_compiler(command: str) -> None:
    """pip asks setup.py several times before it builds anything."""
    ask = f"import sys, runpy, setuptools; sys.argv = ['setup.py', {command!r}]; setuptools.setup = lambda **given: print(given)\n"
    ask += "runpy.run_path('setup.py'); print('mypyc' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", ask], cwd=TOOLS.parent, capture_output=True, text=True, check=True)
    assert done.stdout == "{'ext_modules': []}\nFalse\n"


def test_a_release_that_cannot_be_compiled_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    ask = "import sys, runpy; sys.modules['mypyc.build'] = None; sys.argv = ['setup.py', 'bdist_wheel']; runpy.run_path('setup.py')"
    monkeypatch.setenv("SHEEPFOLD_COMPILE", "1")
    monkeypatch.delenv("SHEEPFOLD_PURE", raising=False)
    done = subprocess.run([sys.executable, "-c", ask], cwd=TOOLS.parent, capture_output=True, text=True, check=False)
    assert done.returncode and "mypyc.build" in done.stderr
