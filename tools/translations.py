"""The translators' desk: what is missing in a language, a new language, catalogues brought up to date, and everything checked.

    python tools/translations.py missing [LANGUAGE …]    how complete each language is, and what it lacks
    python tools/translations.py new LANGUAGE            empty catalogues for a new language
    python tools/translations.py update [LANGUAGE …]     catalogues in the English order, the English text beside every id
    python tools/translations.py unused                  messages that no code asks for
    python tools/translations.py check [LANGUAGE …]      all that would fail a test, in one list

English is the model: its catalogues have the ids, and comments that explain them (`#.`), which `update` copies to the others
together with the English text. That comment is also a memory: where English has changed since, `update` marks the translation fuzzy.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from string import Formatter

from babel import Locale
from babel.messages.catalog import Catalog, Message
from babel.messages.plurals import get_plural
from babel.messages.pofile import normalize, read_po

from sheepfold.messages import typeset

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "src" / "sheepfold"
MODEL = "en"

PLACEHOLDERS = {
    "who": "a player's name, or several",
    "count": "the number that chooses the form",
    "sheep": "one sheep or several, by name",
    "others": "sheep or players, by name",
    "pile": "the number of a pile",
    "number": "a number",
    "points": "a number of points",
    "colour": "a colour, from this catalogue",
    "colours": "colours, with commas",
    "way": "a direction, from this catalogue",
    "side": "a side, from this catalogue",
    "other": "another player, sheep or number",
    "card": "a card, from this catalogue",
    "space": "the number of a space of the track",
    "cell": "a place such as b3",
    "tile": "a tile, from this catalogue",
    "edge": "a side of a place, such as b3 east",
    "where": "a place such as +2-1",
    "seats": "how many players",
    "title": "the title of a game",
    "name": "a name",
    "path": "a file",
    "command": "a command to type",
    "percent": "a number",
    "level": "the level of a bot",
}
"""What stands in braces, for translators; a comment of a message itself is better where this is not enough."""


def key_of(message: Message) -> str:
    return str(message.id[0] if isinstance(message.id, tuple | list) else message.id)


def forms_of(message: Message) -> tuple[str, ...]:
    return tuple(message.string) if isinstance(message.string, tuple | list) else (str(message.string),)


def values(text: str) -> set[str]:
    """The names in braces."""
    return {name.split(".")[0].split("[")[0] for _, name, _, _ in Formatter().parse(text) if name is not None}


def folders() -> list[Path]:
    """Every folder with catalogues."""
    return sorted({path.parent for path in SOURCES.rglob(f"{MODEL}.po")})


def helps() -> list[Path]:
    """Every folder with rules for players."""
    return sorted({path.parent for path in SOURCES.rglob(f"help/{MODEL}.md")})


def languages() -> list[str]:
    """Every language with a catalogue, English first."""
    found = {path.stem for folder in folders() for path in folder.glob("*.po")}
    return [MODEL, *sorted(found - {MODEL})]


def read(folder: Path, language: str) -> Catalog:
    path = folder / f"{language}.po"
    if not path.exists():
        return Catalog(locale=language)
    with path.open("rb") as file:
        return read_po(file, locale=language)


@cache
def messages(folder: Path, language: str) -> dict[str, Message]:
    return {key_of(message): message for message in read(folder, language) if message.id}


def translated(message: Message | None) -> bool:
    return message is not None and all(form.strip() for form in forms_of(message))


# Writing.


def explained(message: Message) -> list[str]:
    """The comments of a message for translators: what English says, what its author adds, and what stands in braces."""
    labels = ["English"] if len(forms_of(message)) == 1 else ["English, one", "English, more"]
    texts = [f"{label}: {form}".replace("\n", "\\n") for label, form in zip(labels, forms_of(message), strict=True)]
    names = sorted(set().union(*map(values, forms_of(message))))
    return [*texts, *message.auto_comments, *(f"{{{name}}}: {PLACEHOLDERS[name]}" for name in names if name in PLACEHOLDERS)]


def english_in(comments: list[str]) -> list[str]:
    return [comment for comment in comments if comment.startswith("English")]


def header(language: str) -> str:
    plural = get_plural(language)
    lines = {
        "Project-Id-Version": "Sheepfold",
        "Language": language,
        "Language-Team": Locale.parse(language).get_language_name("en") or language,
        "Last-Translator": "Sheepfold's translators",
        "PO-Revision-Date": "2026-11-16 00:00+0000",
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=utf-8",
        "Content-Transfer-Encoding": "8bit",
        "Plural-Forms": f"nplurals={plural.num_plurals}; plural={plural.plural_expr};",
    }
    return 'msgid ""\nmsgstr ""\n' + "".join(f'"{name}: {value}\\n"\n' for name, value in lines.items())


def update(folder: Path, language: str) -> None:
    """Rewrite a catalogue in the order of the English one. Nothing that is translated is lost; what English no longer has goes."""
    old = messages(folder, language)
    entries = []
    for key, model in messages(folder, MODEL).items():
        known = old.get(key)
        plural = len(forms_of(model)) > 1
        text = ("",) * (get_plural(language).num_plurals if plural else 1)
        if known is not None and (len(forms_of(known)) > 1) == plural:
            text = forms_of(known)
        comments = list(model.auto_comments) if language == MODEL else explained(model)
        before = english_in(known.auto_comments) if known is not None else []
        overtaken = bool(before) and before != english_in(comments)
        fuzzy = language != MODEL and known is not None and translated(known) and (overtaken or known.fuzzy)
        lines = [f"# {note}" for note in (known.user_comments if known is not None else ())]
        lines += [f"#. {comment}" for comment in comments] + ["#, fuzzy"] * fuzzy + [f'msgid "{key}"']
        lines += [f'msgid_plural "{key}"'] * plural
        lines += [f"msgstr[{at}] {quoted(form)}" if plural else f"msgstr {quoted(form)}" for at, form in enumerate(text)]
        entries.append("\n".join(lines) + "\n")
    (folder / f"{language}.po").write_text("\n".join([header(language), *entries]), encoding="utf-8")


def quoted(text: str) -> str:
    """A text as a catalogue writes it, a line for each of its lines."""
    return str(normalize(text, width=0))


# Looking.


def missing(language: str) -> Iterator[str]:
    """What a language lacks: 'games/te_kuiti/words: tell.ram'."""
    for folder in folders():
        found = messages(folder, language)
        for key, model in messages(folder, MODEL).items():
            if not translated(found.get(key)):
                yield f"{folder.relative_to(SOURCES)}: {key} ({forms_of(model)[-1]!r})"
            elif found[key].fuzzy:
                yield f"{folder.relative_to(SOURCES)}: {key} is fuzzy ({forms_of(model)[-1]!r})"
    for folder in helps():
        if not (folder / f"{language}.md").exists():
            yield f"{folder.relative_to(SOURCES)}/{language}.md"


def complete(language: str) -> float:
    """The share of messages that a language has."""
    total = sum(len(messages(folder, MODEL)) for folder in folders()) + len(helps())
    return 1 - len(list(missing(language))) / total


def stale(language: str) -> Iterator[str]:
    """Messages that English does not have."""
    for folder in folders():
        for key in messages(folder, language).keys() - messages(folder, MODEL).keys():
            yield f"{folder.relative_to(SOURCES)}: {key} is not in {MODEL}.po"


def wrong_values(language: str) -> Iterator[str]:
    """Messages with other values than the English ones; only the count may be left out of a form, and none is new."""
    for folder in folders():
        models = messages(folder, MODEL)
        for key, message in messages(folder, language).items():
            if key not in models or not translated(message):
                continue
            wanted = [values(form) for form in forms_of(models[key])]
            forms = [values(form) for form in forms_of(message)]
            if forms[-1] != wanted[-1] or any(form | {"count"} not in [each | {"count"} for each in wanted] for form in forms[:-1]):
                yield f"{folder.relative_to(SOURCES)}: {key} has {sorted(set().union(*forms))}, English {sorted(set().union(*wanted))}"


def wrong_forms(language: str) -> Iterator[str]:
    """Messages with another number of forms than the language has."""
    wanted = get_plural(language).num_plurals
    for folder in folders():
        models = messages(folder, MODEL)
        for key, message in messages(folder, language).items():
            if key in models and len(forms_of(message)) != (wanted if len(forms_of(models[key])) > 1 else 1):
                yield f"{folder.relative_to(SOURCES)}: {key} has {len(forms_of(message))} forms"


def wrong_headers(language: str) -> Iterator[str]:
    for folder in folders():
        path = folder / f"{language}.po"
        if path.exists() and not path.read_text(encoding="utf-8").startswith(header(language)):
            yield f"{path.relative_to(SOURCES)}: the header is not that of `update`"


def twice(language: str) -> Iterator[str]:
    """Ids that stand twice in a file; Babel takes the last of them and says nothing."""
    for folder in folders():
        path = folder / f"{language}.po"
        keys = re.findall(r'^msgid "(.+)"', path.read_text(encoding="utf-8"), re.MULTILINE) if path.exists() else []
        for key in sorted({key for key in keys if keys.count(key) > 1}):
            yield f"{path.relative_to(SOURCES)}: {key} stands twice"


TYPOGRAPHY: dict[str, list[tuple[str, str]]] = {
    "fr": [
        (r"[^\s\u00a0\u202f(][?!;]", "no space before ? ! ;"),
        (r"\w:(?=\s)", "no space before :"),
        (r"«(?![\u00a0\u202f])|(?<![\u00a0\u202f])»", "no space inside « »"),
        (r" [?!;:»%]|« ", "a space that may break"),
        (r"[\"“”]", "quotation marks other than « »"),
    ],
    "de": [
        (r"[^:\s]\s[?!;:]", "a space before ? ! ; :"),
        (r"[\"”»«]", "quotation marks other than „ “"),
        (r" %|\d%", "no firm space before %"),
    ],
    "en": [(r"[^:\s]\s[?!;:](?!\w)", "a space before ? ! ; :")],
}
"""What a language does not write, as patterns with their names. Firm spaces are put in when a catalogue is read (sheepfold.messages)."""
EXEMPT = re.compile(
    r"Haste Bock\?|`[^`]*`|\S+://\S*|\[[^\]]*\]\([^)]*\)|(?:^|  )[@!|]\s\S+|'\?'|(?<= )\? |[A-Z]+!|^\?|\d!|\{who\}!|:-", re.MULTILINE
)
"""Commands, addresses and legends of signs are no sentences."""


CODE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def _captions(block: re.Match[str]) -> str:
    """Of a figure in a help file its captions are sentences, the rest is notation."""
    return "\n".join(re.findall(r"^--- (.+)", block[0], re.MULTILINE))


def typography(language: str) -> Iterator[str]:
    """Sentences that break the language's rules of spacing and quotation."""
    texts = [
        (f"{folder.relative_to(SOURCES)}: {key}", form)
        for folder in folders()
        for key, message in messages(folder, language).items()
        for form in forms_of(message)
        if not key.endswith(".example")
    ]
    for folder in helps():
        path = folder / f"{language}.md"
        prose = CODE.sub(_captions, path.read_text(encoding="utf-8")) if path.exists() else ""
        texts += [(f"{path.relative_to(SOURCES)}", line) for line in prose.split("\n")]
    for where, text in texts:
        for pattern, what in TYPOGRAPHY.get(language, []):
            if re.search(pattern, EXEMPT.sub("_", typeset(text, language))):
                yield f"{where}: {what}: {text!r}"


class Strings(ast.NodeVisitor):
    """All strings of a module; those with values in them as patterns; and the literal keys that are given to `say`."""

    def __init__(self) -> None:
        self.plain: set[str] = set()
        self.patterns: set[str] = set()
        self.said: set[str] = set()

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str):
            self.plain.add(node.value)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        parts = [re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".+" for part in node.values]
        if re.match(r"\w", parts[0]):
            self.patterns.add("".join(parts))
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        called = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id if isinstance(node.func, ast.Name) else ""
        if called == "say" and node.args and isinstance(node.args[0], ast.Constant) and isinstance(node.args[0].value, str):
            self.said.add(node.args[0].value)
        self.generic_visit(node)


@cache
def strings(path: Path) -> Strings:
    found = Strings()
    found.visit(ast.parse(path.read_text(encoding="utf-8")))
    return found


def unused() -> Iterator[str]:
    """Messages that no code, template or script asks for."""
    modules = sorted(SOURCES.rglob("*.py"))
    plain = set().union(*(strings(path).plain for path in modules))
    patterns = [re.compile(pattern) for path in modules for pattern in strings(path).patterns]
    pages = "\n".join(path.read_text(encoding="utf-8") for end in ("html", "j2", "js") for path in sorted(SOURCES.rglob(f"*.{end}")))
    beginnings = tuple(re.findall(r"""["'`]([\w-]+\.(?:[\w-]+\.)*)["'`]\s*[~+]""", pages))

    def asked_for(key: str) -> bool:
        in_pages = key.startswith(beginnings) or re.search(rf"""["'`]{re.escape(key)}["'`]""", pages)
        return bool(key in plain or in_pages or any(pattern.fullmatch(key) for pattern in patterns))

    for folder in folders():
        for key in messages(folder, MODEL):
            if not asked_for(key) and not asked_for(key.removesuffix(".other")):  # which a prompt says to who only looks on
                yield f"{folder.relative_to(SOURCES)}: {key}"


CHECKS: tuple[Callable[[str], Iterator[str]], ...] = (missing, stale, wrong_values, wrong_forms, wrong_headers, twice, typography)


def main(words: list[str]) -> int:
    command, *chosen = words or [""]
    tongues = chosen or languages()
    if command == "missing":
        for language in tongues:
            print(f"{language}: {100 * complete(language):.1f} % complete", *missing(language), sep="\n  ")
    elif command in ("new", "update") and (chosen or command == "update"):
        for language in tongues:
            Locale.parse(language)
            for folder in folders():
                update(folder, language)
            messages.cache_clear()
    elif command == "unused":
        found = list(unused())
        print(*found, sep="\n")
        return int(bool(found))
    elif command == "check":
        found = [problem for language in tongues for check in CHECKS for problem in check(language)] + list(unused())
        print(*(found or ["all is well"]), sep="\n")
        return int(bool(found))
    else:
        print(__doc__)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
