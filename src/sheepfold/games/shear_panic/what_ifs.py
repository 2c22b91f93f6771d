"""What a report changes of the components of Shear Panic: where panic breaks out, the regroup die and the gates."""

from __future__ import annotations

from sheepfold.game.what_if import WhatIf, entries

WHAT_IFS = (
    WhatIf("one-panic", "panic", entries("four = [3]")),
    WhatIf("half-panic", "panic", entries("four = [3, 15, 28, 40, 52, 65]")),
    WhatIf("die", "regroup-die", entries("straight = 4\ndiagonal = 2")),
    WhatIf("gates", "gates", entries("four = [20, 57]")),
)
