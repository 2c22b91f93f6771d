"""What a report changes of the components of La Guerre des Moutons: how the landscapes mix colours, forests and villages."""

from __future__ import annotations

from sheepfold.game.what_if import WhatIf

WHAT_IFS = (
    WhatIf("twos", "landscapes", ((r'"(.)\1\1(.) ', r'"\1\1\2\2 '),)),
    WhatIf("fewer-walls", "landscapes", ((r' ([vf])\1\1(.)"', r' \1\1\2\2"'),)),
    WhatIf("more-walls", "landscapes", ((r' ([vf])([kyrb])\2([kyrb])"', r' \1\1\2\3"'),)),
)
