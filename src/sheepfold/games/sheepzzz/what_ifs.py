"""What a report changes of the components of Sheepzzz: how many pillows are on the sheep."""

from __future__ import annotations

from sheepfold.game.what_if import WhatIf, entries

WHAT_IFS = (
    WhatIf("middle", "sheep", entries("9 = [0, 2, 3, 3]\n10 = [0, 2, 3, 3]\n11 = [0, 2, 3, 3]")),
    WhatIf("ends", "sheep", entries("1 = [7]\n19 = [7]")),
    WhatIf("powers", "sheep", entries("2 = [2]\n3 = [2]\n17 = [2]\n18 = [2]")),
)
