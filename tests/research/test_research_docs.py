"""What the README, the pages in docs and the notebook show works."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


def run(page: Path) -> int:
    """Run the Python blocks of a page, one after the other; how many there are."""
    blocks = re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.S | re.M)
    names: dict[str, object] = {}
    for block in blocks:
        exec(block, names)
    return len(blocks)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_the_page_runs() -> None:
    assert run(DOCS / "research.md") >= 5


@pytest.mark.parametrize("page", ["README.md", "docs/terminal.md"])
def test_what_other_pages_show_runs(page: str) -> None:
    assert run(DOCS.parent / page) == 1


def test_the_notebook_runs_and_shows_what_it_holds() -> None:
    cells = json.loads((DOCS / "research.ipynb").read_text(encoding="utf-8"))["cells"]
    names: dict[str, object] = {}
    pictures = 0
    for cell in cells:
        if cell["cell_type"] == "code":
            *lines, last = "".join(cell["source"]).split("\n")
            exec("\n".join(lines), names)
            assert eval(last, names)._repr_svg_().startswith("<svg")
            pictures += "".join(cell["outputs"][0]["data"]["image/svg+xml"]).startswith("<svg")
    assert pictures == 2
