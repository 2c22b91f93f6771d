"""MaskablePPO of sb3-contrib on the Gymnasium environment, which says what is legal by `action_masks`.

    python examples/learners/maskable_ppo.py sheepzzz --steps 100000 --out runs/maskable

Against bots of ours in the other seats (`--against`), from a seat that is drawn for every game.
"""

from __future__ import annotations

from typing import Any

import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env

from measured import task, trial
from sheepfold.research.gymnasium import SheepfoldEnv


def main() -> None:
    torch.set_num_threads(1)  # networks this small only lose by more
    wanted = task(__doc__, against="random")
    env = make_vec_env(lambda: SheepfoldEnv(wanted.game, wanted.seats, opponents=wanted.against), n_envs=32, seed=wanted.seed)
    model = MaskablePPO(
        "MlpPolicy",
        env,
        seed=wanted.seed,
        learning_rate=lambda left: 1e-3 * left,
        n_steps=128,
        batch_size=512,
        n_epochs=4,
        gamma=1.0,
        ent_coef=0.005,
        device="cpu",
    )

    def policy(seen: Any, masks: Any) -> Any:
        return model.predict(seen, action_masks=masks, deterministic=True)[0]

    trial("MaskablePPO", wanted, policy, lambda: model.learn(wanted.steps))
    if wanted.out:
        model.save(wanted.out / "model.zip")


if __name__ == "__main__":
    main()
