"""The recipes of examples/learners learn: a short run of each ends where docs/research.md says, and the gradient by hand is one."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
RECIPES = ROOT / "examples" / "learners"
ROW = r"^\| `python (examples/learners/\w+\.py [^`]+)` \| .* \| (\d+) to (\d+) \|$"
SHORT_RUNS = re.findall(ROW, (ROOT / "docs" / "research.md").read_text(encoding="utf-8"), re.M)
NEEDS = {"maskable_ppo": "sb3_contrib", "openspiel_ppo": "torch"}


def test_every_recipe_has_a_short_run() -> None:
    recipes = {path.stem for path in RECIPES.glob("*.py")} - {"measured"}
    assert {Path(command.split()[0]).stem for command, _, _ in SHORT_RUNS} == recipes >= NEEDS.keys()


@pytest.mark.parametrize(("command", "low", "high"), SHORT_RUNS)
def test_a_short_run_ends_in_its_published_interval(command: str, low: str, high: str) -> None:
    needed = NEEDS.get(Path(command.split()[0]).stem)
    if needed and not importlib.util.find_spec(needed):
        pytest.skip(f"{needed} is not installed: pip install 'sheepfold[learners]'")
    one_thread = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run([sys.executable, *command.split()], cwd=ROOT, env=one_thread, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout.splitlines()[-1])
    before, after = (100 * result[when]["random"][0] for when in ("untrained", "trained"))
    assert before < int(low) <= after <= int(high), result


def test_the_gradient_by_hand_is_that_of_what_ppo_minimises(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(RECIPES))
    import ppo

    draw = np.random.default_rng(1)
    network = ppo.Network(7, 5, seed=1)
    for name, weight in network.weights.items():
        network.weights[name] = draw.normal(0, 0.5, weight.shape)
    seen, mask, action = draw.normal(size=(40, 7)), draw.random((40, 5)) < 0.7, np.arange(40) % 5
    done = np.arange(40), action
    mask[done] = True
    chance = network.forward(seen, mask)[2][done] + draw.uniform(-0.4, 0.4, 40)  # some are clipped, some are not
    advantage, gain = draw.normal(size=40), draw.normal(size=40)
    advantage = (advantage - advantage.mean()) / advantage.std()
    some = ppo.Decisions(seen, mask, action, chance, advantage, gain)

    def loss() -> float:
        *_, chances, values = network.forward(seen, mask)
        ratio = np.exp(chances[done] - chance)
        surrogate = np.minimum(ratio * advantage, ratio.clip(1 - ppo.CLIP, 1 + ppo.CLIP) * advantage)
        entropy = -np.where(mask, np.exp(chances) * chances, 0).sum(1)
        return float((-surrogate - ppo.ENTROPY * entropy + ppo.VALUE / 2 * (values - gain) ** 2).mean())

    gradient = network.gradient(some)
    for name, weight in network.weights.items():
        for index in list(np.ndindex(weight.shape))[::37]:
            here, step = weight[index], 1e-6
            weight[index] = here + step
            above = loss()
            weight[index] = here - step
            assert gradient[name][index] == pytest.approx((above - loss()) / (2 * step), abs=1e-6), (name, index)
            weight[index] = here
