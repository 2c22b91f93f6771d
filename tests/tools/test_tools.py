"""The tools that `make` runs: the checks end with the right code and say what failed; floors are read out of pyproject.toml."""

from __future__ import annotations

import runpy
import sys
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
