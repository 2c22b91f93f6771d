"""What docs/research.md and the notebook show works."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_the_page_runs() -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", (DOCS / "research.md").read_text(encoding="utf-8"), re.S | re.M)
    assert len(blocks) >= 5
    names: dict[str, object] = {}
    for block in blocks:
        exec(block, names)


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
