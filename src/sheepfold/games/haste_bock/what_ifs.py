"""What a report changes of the components of Haste Bock?: where panic breaks out, and how far cards lead."""

from __future__ import annotations

from sheepfold.game.what_if import WhatIf, entries

WHAT_IFS = (
    WhatIf("no-panic", "panic", entries("spaces = []")),
    WhatIf("half-panic", "panic", entries("spaces = [3, 15, 28, 40, 52, 65]")),
    WhatIf("turn-two", "cards", entries("turn = [2]\nleap = [1]")),
    WhatIf("slam-low", "cards", entries("slam = [1, 2]\nstep = [2, 3]")),
)
