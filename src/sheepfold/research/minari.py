"""A data set of `sheepfold simulate --dataset` as one of Minari's: every seat's decisions in a game are an episode.

    >>> from sheepfold.research.minari import export
    >>> export("games.parquet", "sheepfold/te-kuiti/ewe-v0")

An observation has the numbers of the view, divided, and the mask of what is legal, as the environments give them (`observation`,
`action_mask`); the reward comes with the last decision and is how the game ended. After it nothing is seen any more, so the last
observation stands twice.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from sheepfold.core.errors import SheepfoldError, wanted

np: Any = wanted("numpy", "minari")
minari: Any = wanted("minari", "minari")
spaces: Any = wanted("gymnasium.spaces", "minari")
parquet: Any = wanted("pyarrow.parquet", "minari")
EpisodeBuffer: Any = wanted("minari.data_collector", "minari").EpisodeBuffer

TOGETHER = 1000
"""So many episodes are in memory at a time."""


def export(source: str | Path, dataset_id: str, split: str = "train") -> Any:
    """Make a data set of that name from a file, or from a split of a folder; what Minari has of it."""
    path = Path(source)
    files = sorted(path.glob(f"{split}-*.parquet")) if path.is_dir() else [path]
    if not files or not files[0].exists():
        raise SheepfoldError(f"{path}: there is no data set; `sheepfold simulate GAME --dataset PATH` makes one")
    about = {key.decode(): value.decode() for key, value in parquet.read_schema(files[0]).metadata.items()}
    if "sheepfold.layout" not in about:
        raise SheepfoldError(f"{files[0]}: not a data set of this version of Sheepfold")
    divisors = np.array([whole for _, count, whole in json.loads(about["sheepfold.layout"]) for _ in range(count)], np.float32)
    actions = int(about["sheepfold.actions"])
    made = None
    episodes = _episodes(files, divisors, actions)
    while some := list(islice(episodes, TOGETHER)):
        if made is None:
            made = minari.create_dataset_from_buffers(
                dataset_id, buffer=some, algorithm_name=about["sheepfold.bots"], author="Sheepfold",
                action_space=spaces.Discrete(actions), observation_space=_space(len(divisors), actions),
                data_format="arrow",
                description=f"Made by: {about['sheepfold.command']}",
            )  # fmt: skip
        else:
            made.update_dataset_from_buffer(some)
    return made


def _space(wide: int, actions: int) -> Any:
    return spaces.Dict({"observation": spaces.Box(0, 1, (wide,), np.float32), "action_mask": spaces.Box(0, 1, (actions,), np.int8)})


def _episodes(files: list[Path], divisors: Any, actions: int) -> Iterator[Any]:
    """Seat by seat, game by game."""
    for file in files:
        rows: dict[int, list[dict[str, Any]]] = {}
        game = None
        for batch in parquet.ParquetFile(file).iter_batches(4096):
            for row in batch.to_pylist():
                if row["game"] != game:
                    yield from (_episode(each, divisors, actions) for _, each in sorted(rows.items()))
                    game, rows = row["game"], {}
                rows.setdefault(row["seat"], []).append(row)
        yield from (_episode(each, divisors, actions) for _, each in sorted(rows.items()))


def _episode(rows: list[dict[str, Any]], divisors: Any, actions: int) -> Any:
    count = len(rows)
    masks = np.zeros((count + 1, actions), np.int8)
    for number, row in enumerate([*rows, rows[-1]]):
        masks[number, row["legal"]] = 1
    views = np.array([row["view"] for row in [*rows, rows[-1]]], np.float32) / divisors
    rewards = np.zeros(count, np.float32)
    rewards[-1] = rows[-1]["result"]
    ends = np.zeros(count, bool)
    ends[-1] = True
    return EpisodeBuffer(
        observations={"observation": views, "action_mask": masks}, actions=np.array([row["action"] for row in rows]), rewards=rewards,
        terminations=ends, truncations=np.zeros(count, bool),
    )  # fmt: skip
