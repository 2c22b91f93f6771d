"""What a report changes of the components of Te Kuiti: how many tiles of a mood bear a flower, which matters in the solo game alone."""

from __future__ import annotations

from sheepfold.game.what_if import WhatIf, entries


def _flowers(count: int) -> WhatIf:
    moods = ("cheerful", "sleepy", "shy", "angry", "dreamy")
    return WhatIf(f"flowers-{count}", "flowers", entries("\n".join(f"{mood} = {count}" for mood in moods)))


WHAT_IFS = (_flowers(1), _flowers(3), _flowers(4))
