"""Catalogues: complete in every language, with the same values to fill in, and with exactly the messages that the code asks for.

What is looked for is looked for by tools/translations.py, so that a translator finds the same without running tests.
"""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
from pathlib import Path

import pytest

import sheepfold
from sheepfold.messages import OFFERED, PSEUDO, Voice, book, languages, typeset
from sheepfold.messages.pseudo import disguised_page, disguised_text

SOURCES = Path(sheepfold.__file__).parent
DESK = Path(__file__).parents[2] / "tools" / "translations.py"
spec = importlib.util.spec_from_file_location("desk", DESK)
assert spec and spec.loader
desk = importlib.util.module_from_spec(spec)
spec.loader.exec_module(desk)
OF_A_GAME = {"about", "what-if.seats"}
"""Keys that are asked of a game by who knows none of them."""


@pytest.mark.parametrize("language", OFFERED)
def test_a_language_that_is_offered_lacks_nothing(language):
    """What is offered is written together with the code. `tools/translations.py missing de` lists what is to be done."""
    assert list(desk.missing(language)) == []


@pytest.mark.parametrize("language", desk.languages())
@pytest.mark.parametrize("check", [check for check in desk.CHECKS if check is not desk.missing], ids=lambda check: check.__name__)
def test_what_a_language_has_is_right(language, check):
    """No message that English has not, the same values form by form, the language's number of forms, no id twice, its typography."""
    assert list(check(language)) == []


def test_no_message_is_unused():
    assert list(desk.unused()) == []


@pytest.mark.skipif(shutil.which("msgfmt") is None, reason="needs gettext's msgfmt")
@pytest.mark.parametrize("folder", desk.folders(), ids=lambda folder: str(folder.relative_to(SOURCES)))
def test_gettext_reads_every_catalogue_without_a_word(folder):
    for path in folder.glob("*.po"):
        answer = subprocess.run(["msgfmt", "--check", "-o", "/dev/null", str(path)], capture_output=True, text=True, check=False)
        assert (answer.returncode, answer.stderr) == (0, "")


def catalogue_in(folder: Path, language: str, text: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{language}.po").write_text(desk.header(language) + text, encoding="utf-8")


@pytest.fixture
def small_house(tmp_path, monkeypatch):
    """A house with one small catalogue in English and an old one in German."""
    monkeypatch.setattr(desk, "SOURCES", tmp_path)
    catalogue_in(
        tmp_path / "locale", "en", '\n#. On a button.\nmsgid "go"\nmsgstr "Go, {who}"\n\n'
        'msgid "sheep"\nmsgid_plural "sheep"\nmsgstr[0] "{count} sheep"\nmsgstr[1] "{count} sheep"\n',
    )  # fmt: skip
    catalogue_in(tmp_path / "locale", "de", '\n#. English: Come, {who}\nmsgid "go"\nmsgstr "Komm, {wer}"\n\nmsgid "gone"\nmsgstr "weg"\n')
    desk.messages.cache_clear()
    yield tmp_path / "locale"
    desk.messages.cache_clear()


def test_the_desk_finds_what_is_wrong(small_house):
    assert [line.split(" (")[0] for line in desk.missing("de")] == ["locale: sheep"]
    assert list(desk.stale("de")) == ["locale: gone is not in en.po"]
    assert list(desk.wrong_values("de")) == ["locale: go has ['wer'], English ['who']"]
    assert sorted(desk.unused()) == ["locale: go", "locale: sheep"]


def test_an_update_shows_the_english_and_marks_what_it_has_overtaken(small_house):
    desk.main(["update", "de"])
    german = (small_house / "de.po").read_text(encoding="utf-8")
    assert "#. English: Go, {who}\n#. On a button.\n#. {who}: a player's name, or several\n" in german
    assert '#, fuzzy\nmsgid "go"\nmsgstr "Komm, {wer}"' in german
    assert "#. English, more: {count} sheep\n" in german and 'msgstr[1] ""' in german and "gone" not in german


def test_a_new_language_has_its_own_plural(small_house):
    desk.main(["new", "pl"])
    polish = (small_house / "pl.po").read_text(encoding="utf-8")
    assert '"Language: pl\\n"' in polish and "nplurals=3" in polish and 'msgstr[2] ""' in polish


FOLDERS = desk.folders()


def rooms_of(path: Path) -> list[Path]:
    """The catalogues that a module's words may come from: its own folder's or the one's above, and the shared ones."""
    return [folder / "locale" for folder in path.parents if (folder / "locale") in FOLDERS and folder.is_relative_to(SOURCES)] + [
        SOURCES / "messages" / "locale"
    ]


def test_every_key_that_is_said_exists():
    speaking = [path for path in sorted(SOURCES.rglob("*.py")) if len(rooms_of(path)) > 1 and desk.strings(path).said]
    assert len(speaking) >= 2 * len(sheepfold.games()), "the search finds some"
    for path in speaking:
        known = {key for folder in rooms_of(path) for key in desk.messages(folder, "en")}
        assert desk.strings(path).said <= known | OF_A_GAME, path


@pytest.mark.parametrize("game", sheepfold.games(), ids=lambda game: game.name)
def test_every_option_has_its_sentence(game):
    for language in languages():
        voice = Voice([game.folder / "locale"], language)
        for option in game.options:
            assert len(voice.say(f"option.{option.name}")) > 10


@pytest.mark.parametrize("game", sheepfold.games(), ids=lambda game: game.name)
def test_every_language_has_its_own_help(game):
    texts = [game.help(language) for language in languages()]
    assert len(set(texts)) == len(texts)
    assert all(text.startswith("# ") for text in texts)


def test_a_voice_speaks():
    english, french = Voice(language="en"), Voice(language="fr", names=["Berta", "Roger"])
    assert english.name(1) == "Player 2"
    assert [french.name(0), french.name(5)] == ["Berta", "Joueur 6"]
    assert [english.say("points", count=count) for count in (0, 1, 2, -1)] == ["0 points", "1 point", "2 points", "-1 point"]
    assert [french.say("points", count=count) for count in (0, 1, 2, -2)] == ["0 point", "1 point", "2 points", "-2 points"]
    assert Voice(language="xx").language == "en"
    assert english.has("points") and not english.has("wool")
    with pytest.raises(KeyError, match="no message 'wool'"):
        english.say("wool")


def test_plural_forms_follow_the_catalogue(tmp_path, monkeypatch):
    """Polish has three forms for whole numbers; what is not translated is said in English, also from another folder."""
    monkeypatch.setattr("sheepfold.messages.languages", lambda: ("en", "pl"))
    forms = "".join(f'msgstr[{at}] "{{count}} {word}"\n' for at, word in enumerate(("owca", "owce", "owiec")))
    catalogue_in(tmp_path, "pl", f'\nmsgid "sheep"\nmsgid_plural "sheep"\n{forms}\nmsgid "ram"\nmsgstr ""\n')
    catalogue_in(tmp_path, "en", '\nmsgid "ram"\nmsgstr "a ram"\n')
    voice = Voice([tmp_path], "pl")
    assert [voice.say("sheep", count=count) for count in (1, 2, 5, 22)] == ["1 owca", "2 owce", "5 owiec", "22 owce"]
    assert voice.say("ram") == "a ram" and voice.say("player", number=1) == "Player 1"


def test_numbers_are_written_as_the_language_writes_them():
    english, french = Voice(language="en"), Voice(language="fr")
    assert [english.number(1234.5, 1), english.number(12), english.percent(0.123, 1)] == ["1,234.5", "12", "12.3%"]
    assert [french.number(1234.5, 1), french.percent(0.12)] == ["1\u202f234,5", "12\u00a0%"]
    assert [english.number(2.5, 2, signed=True), french.number(-2.5, 2, signed=True)] == ["+2.50", "-2,50"]


def test_french_does_not_break_before_its_marks():
    assert typeset("Quoi ? « Non » : 5 % ; si !", "fr") == "Quoi\u00a0? «\u00a0Non\u00a0»\u00a0: 5\u00a0%\u00a0; si\u00a0!"
    assert typeset("| a | b |\n| :-- | :-: |", "fr") == "| a | b |\n| :-- | :-: |"
    assert typeset("What ?", "en") == "What ?"
    assert "\u00a0" in sheepfold.games()[0].help("fr")


def test_nobody_is_offered_the_made_up_language(monkeypatch):
    assert PSEUDO not in languages() and Voice(language=PSEUDO).language == "en"
    languages.cache_clear()
    try:
        monkeypatch.setenv("SHEEPFOLD_LANGUAGES", PSEUDO)
        assert languages() == (*OFFERED, PSEUDO)
        voice = Voice(language=PSEUDO)
        assert voice.say("points", count=2) == "⟦2 pöîñťš~⟧" and voice.number(1234) == "1,234"
    finally:
        languages.cache_clear()
        book.cache_clear()


def test_the_made_up_language_keeps_values_and_code():
    assert disguised_text("{who} rams {count} sheep to the east") == "⟦{who} řåmš {count} šhéép ťö ťhé éåšť~~~~~~~~⟧"
    page = "# A\nbe\n\n- one\n- `two` c {#a}\n\n```\ncode\n--- At\n```\n"
    assert disguised_page(page) == "# ⟦Å⟧\n⟦bé⟧\n\n- ⟦öñé⟧\n- ⟦`two` ç~⟧ {#a}\n\n```\ncode\n--- ⟦Åť⟧\n```\n"


def test_words_are_one_voice_without_names_for_each_language():
    ann, ben = Voice([], "fr", ["Ann"]), Voice([], "fr", ["Ben"])
    assert ann.words is ben.words
    assert ann.words is not Voice([], "de").words
    assert (ann.name(0), ann.words.name(0)) == ("Ann", Voice([], "fr").say("player", number=1))
