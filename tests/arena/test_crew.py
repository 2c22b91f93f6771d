"""Work that is shared out: all of it is done once, in order where that is asked for, and only a few tasks are taken at a time."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sheepfold.arena.crew import AHEAD, all_done


def squared(number: int) -> int:
    if number < 0:
        raise ValueError(f"{number} is below nothing")
    return number * number


@pytest.mark.parametrize("workers", [1, 2])
def test_all_is_done_once_and_in_order_if_asked(workers: int) -> None:
    assert list(all_done(squared, range(30), workers, in_order=True)) == [squared(number) for number in range(30)]
    assert sorted(all_done(squared, range(30), workers)) == [squared(number) for number in range(30)]


def test_tasks_are_taken_a_few_at_a_time() -> None:
    taken = []

    def tasks() -> Iterator[int]:
        for number in range(100):
            taken.append(number)
            yield number

    done = all_done(squared, tasks(), 2)
    next(done)
    assert len(taken) == 2 * AHEAD
    done.close()  # type: ignore[attr-defined]


def test_what_goes_wrong_in_a_worker_is_said_here() -> None:
    with pytest.raises(ValueError, match="-1 is below nothing"):
        list(all_done(squared, [3, -1, 4], 2))
