"""What travels of a position: the fields that play changes. What all copies of a position share (what is printed, what was agreed) stays at
home; who has the same set-up has it too.

A `Form` is found out once for all positions of a set-up, by a first position and its copy: numbers, text and lists are written as they
are, packed vectors as their bytes, and of an object that a copy has of its own the fields. An object that copies share is the set-up's.
So no game writes anything for it, and a field that it adds later travels as well.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable, Iterable
from hashlib import blake2b
from inspect import get_annotations
from operator import attrgetter
from typing import Any

from sheepfold.core.errors import SheepfoldError

VECTORS = {"vec[i64]": "q", "vec[i32]": "i", "vec[i16]": "h", "vec[u8]": "B", "vec[float]": "d"}
"""The kinds of packed vectors, with their numbers as `array` calls them."""
SETTLED = ("seats", "action_count", "ply_bound", "interruptible", "origin")
"""Fields of every position that its set-up settles."""
PLAIN = (int, float, str, bytes, bytearray, list, tuple, dict, set, frozenset, type(None))

Written = tuple[tuple[Any, ...], tuple[int, ...], bytes]
"""The fields of a position: plain values, how long its vectors are, and what is in them one after the other."""


class BadState(SheepfoldError):
    """A state that cannot be read here; the message says why."""


def fields_of(thing: object) -> dict[str, str]:
    """The names of all fields of an object with their declared types, as far as they are known: compiled classes have forgotten them."""
    found: dict[str, str] = dict.fromkeys(getattr(thing, "__dict__", ()), "")
    for kind in reversed(type(thing).__mro__):
        found.update(dict.fromkeys(getattr(kind, "__mypyc_attrs__", ()), ""))
        found.update({name: str(declared) for name, declared in get_annotations(kind).items()})
    return {name: found[name] for name in sorted(found) if not name.startswith("__")}


class Form:
    """How positions of one kind are written and read, found out by one of them and its copy; without a copy all that it has is written.

    The fields of a part are named as Python names them: `map.places`.
    """

    def __init__(self, thing: object, twin: object = None) -> None:
        self._values: list[str] = []
        self._vectors: dict[str, str] = {}
        self._enter_all("", thing, twin)
        self._value_places = _places(self._values)
        self._vector_places = _places(self._vectors)
        self._owners = {owner for owner, _ in [*self._value_places, *self._vector_places]}
        self._get_values = _getter(self._values)
        self._get_vectors = _getter(list(self._vectors))
        self._buffers = _buffers(list(self._vectors.values()), self._get_vectors(thing))
        shape = (sys.byteorder, self._values, self._vectors)
        self.digest = blake2b(repr(shape).encode(), digest_size=4).hexdigest()
        """What tells this form from others, so that nothing is read by a form that did not write it."""

    def _enter_all(self, owner: str, thing: object, twin: object) -> None:
        for name, declared in fields_of(thing).items():
            if twin is None:
                self._enter(name, declared, getattr(thing, name), None)
            elif name not in SETTLED and not declared.startswith("Final") and _can_be_set(twin, name):
                self._enter(owner + name, declared, getattr(thing, name), getattr(twin, name))

    def _enter(self, name: str, declared: str, value: object, copied: object) -> None:
        kind = declared if declared in VECTORS else type(value).__name__
        if kind in VECTORS:
            self._vectors[name] = VECTORS[kind]
        elif copied is None or isinstance(value, PLAIN):
            self._values.append(name)
        elif value is not copied:
            self._enter_all(f"{name}.", value, copied)

    def write(self, thing: object) -> Written:
        """All that travels of a position, for `read`."""
        vectors = self._get_vectors(thing)
        return self._get_values(thing), tuple(map(len, vectors)), b"".join(self._buffers(vectors) if self._buffers else vectors)

    def read(self, thing: object, written: Written) -> None:
        """Make a position, which belongs to the caller alone, what was written."""
        owners = {owner: attrgetter(owner)(thing) if owner else thing for owner in self._owners}
        for (owner, name), value in zip(self._value_places, written[0], strict=True):
            setattr(owners[owner], name, value)
        for (owner, name), numbers in zip(self._vector_places, self._split(written), strict=True):
            setattr(owners[owner], name, type(getattr(owners[owner], name))(numbers))

    def _split(self, written: Written) -> list[array[Any]]:
        """The vectors, each by itself."""
        _, lengths, packed = written
        found, begin = [], 0
        for code, length in zip(self._vectors.values(), lengths, strict=True):
            numbers = array(code)
            end = begin + length * numbers.itemsize
            numbers.frombytes(packed[begin:end])
            found.append(numbers)
            begin = end
        if begin != len(packed):
            raise BadState(f"the vectors of this state have {len(packed)} bytes, where {begin} are wanted")
        return found

    def named(self, written: Written) -> dict[str, Any]:
        """What was written by the names of the fields, as JSON can hold it."""
        numbers = [vector.tolist() for vector in self._split(written)]
        return dict(zip([*self._values, *self._vectors], [*map(to_json, written[0]), *numbers], strict=True))

    def unnamed(self, named: Any) -> Written:
        """The other way round; BadState where the fields are not these."""
        names = [*self._values, *self._vectors]
        if not isinstance(named, dict) or sorted(named) != sorted(names):
            raise BadState(f"a state here has the fields {', '.join(names)}")
        try:
            vectors = [array(code, named[name]) for name, code in self._vectors.items()]
            return tuple([from_json(named[name]) for name in self._values]), tuple(map(len, vectors)), b"".join(vectors)
        except BadState:
            raise
        except (TypeError, ValueError, OverflowError) as error:
            raise BadState(f"a field of the state has not the kind of value that belongs there: {error}") from None


def _places(names: Iterable[str]) -> list[tuple[str, str]]:
    """Where each field is: in which part, nothing being the position itself, and what it is called there."""
    return [(owner, name) for owner, _, name in (name.rpartition(".") for name in names)]


def _can_be_set(thing: object, name: str) -> bool:
    """Compiled, what is final cannot."""
    try:
        setattr(thing, name, getattr(thing, name))
    except AttributeError:
        return False
    return True


def _getter(names: list[str]) -> Callable[[object], tuple[Any, ...]]:
    """All of these fields of a position, at once where there are several."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda thing: tuple([attrgetter(name)(thing) for name in names])


def _buffers(codes: list[str], vectors: tuple[Any, ...]) -> Callable[[tuple[Any, ...]], Iterable[Any]] | None:
    """What makes vectors like these what bytes can be joined from: interpreted most of them are lists, compiled they are that already."""
    if not any(isinstance(vector, list) for vector in vectors):
        return None
    return lambda vectors: [array(code, vector) for code, vector in zip(codes, vectors, strict=True)]


# Values in JSON, which knows neither tuples nor anything else of one's own.

REMEMBERED: dict[str, Callable[..., Any]] = {}


def remembers(make: Callable[..., Any]) -> None:
    """Let objects whose `__reduce__` names this function be written as JSON, too, with what it is called with."""
    REMEMBERED[make.__name__] = make


def to_json(value: Any) -> Any:
    """A value as JSON can hold it."""
    if isinstance(value, int) and not -(1 << 63) <= value < 1 << 63:  # few readers of JSON know larger ones
        return {"int": [str(value)]}
    if value is None or isinstance(value, int | float | str):
        return value
    if isinstance(value, list):
        return [to_json(item) for item in value]
    for kind in (tuple, set, frozenset, bytes, bytearray):
        if isinstance(value, kind):
            return {kind.__name__: [to_json(item) for item in _ordered(value)]}
    if isinstance(value, dict):
        return {"dict": [[to_json(key), to_json(item)] for key, item in value.items()]}
    try:
        make, arguments, *_ = value.__reduce_ex__(4)
    except TypeError:
        make = None
    if make in REMEMBERED.values():
        return {make.__name__: [to_json(item) for item in arguments]}
    raise BadState(f"a {type(value).__name__} cannot be written as JSON; `remembers` in sheepfold.core.travel says what can")


def _ordered(value: Iterable[Any]) -> Iterable[Any]:
    return sorted(value, key=repr) if isinstance(value, set | frozenset) else value


def from_json(value: Any) -> Any:
    """The value that `to_json` wrote."""
    if isinstance(value, list):
        return [from_json(item) for item in value]
    if not isinstance(value, dict):
        return value
    if len(value) != 1:
        raise BadState("an object in a state has one key, which says what it is")
    [(name, items)] = value.items()
    if not isinstance(items, list):
        raise BadState(f"what {name} is made of is a list")
    if name == "dict":
        return {from_json(key): from_json(item) for key, item in items}
    for kind in (tuple, set, frozenset, bytes, bytearray):
        if name == kind.__name__:
            return kind(from_json(item) for item in items)
    if name == "int":
        return int(*items)
    if name not in REMEMBERED:
        raise BadState(f"a state holds no {name!r} here")
    return REMEMBERED[name](*[from_json(item) for item in items])
