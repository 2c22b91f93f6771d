"""Packed vectors of whole numbers: `vec[i64]`, `append` and `pop`.

Compiled code uses librt's vectors, which hold machine words side by side; mypyc
knows them by the types named here and never calls what stands below. Interpreted
code gets plain lists under the same names (for bytes a bytearray), which is the faster choice there and
needs no librt. Write `v = append(v, x)` and never touch the old `v` again.
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from mypy_extensions import u8

if TYPE_CHECKING:
    from librt.vecs import append as append
    from librt.vecs import pop as pop
    from librt.vecs import vec as vec
else:

    class _Lists:
        """`vec[i64](items)` is `list(items)`."""

        def __getitem__(self, kind: object) -> Callable[..., list | bytearray]:
            return bytearray if kind is u8 else _listed

    def _listed(items: Iterable[object] = (), capacity: int = 0) -> list:
        return list(items)

    vec = _Lists()

    def append(items: list, item: object) -> list:
        items.append(item)
        return items

    def pop(items: list, index: int) -> tuple[list, object]:
        return items, items.pop(index)
