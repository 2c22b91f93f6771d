"""Playing: draws what the person at the keyboard may see, asks for a choice, and goes on.

There is one question in all of this, `_choose`: a seat is shown its view, what has happened, and a list; a line comes back that is
a number, a notation or a command. A decision, an interruption and the pause before a bot goes on are that question with other lists.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sheepfold import bots
from sheepfold.core.dice import Dice
from sheepfold.core.errors import AmbiguousAction, SheepfoldError
from sheepfold.core.position import CHANCE, SPECTATOR, Position
from sheepfold.ink import beside, ink, width
from sheepfold.terminal.choices import Choice, Entry, Page, fold, pages
from sheepfold.terminal.screen import EndOfInput, Screen
from sheepfold.terminal.sitting import Sitting, save
from sheepfold.terminal.speech import game_voice, terminal_voice

COMMANDS = ("undo", "hint", "log", "save", "back", "on", "quit")
LEAST_ROWS = 5
"""Lines that the list of choices gets even where the picture leaves none."""
MOST_NEWS = 12
NARROW = 30
"""Columns beside the picture that are enough for what happened."""


class Quit(Exception):
    """The person wants to leave."""


@dataclass
class Question:
    """What is asked of a seat: a heading, the choices, what an empty line means ('take', 'go on' or nothing)."""

    seat: int
    view: Position
    heading: str
    choices: list[Choice]
    enter: str = ""
    asides: tuple[str, ...] = ()
    """Quiet lines under the list."""


class Play:
    """One person or several at one keyboard, playing a sitting to its end."""

    def __init__(self, sitting: Sitting, screen: Screen, language: str) -> None:
        self.sitting = sitting
        self.screen = screen
        self.language = language
        self.game = sitting.record.setup.game
        self.say = terminal_voice(language).say
        self.voice = game_voice(self.game, language, sitting.record.names)
        self.commands = {word: name for name in COMMANDS for word in (name, *self.say(f"command.{name}").split(", "))}
        self.shown: dict[int, int] = {}
        """By viewer, the ply up to which they have been told what happened."""
        self.looking: int | None = None
        """The person who last had the screen."""
        self.waved_on = -1
        """The ply at which people let a bot go on."""
        self.undisturbed = False
        """Whether the person wants no offers to interrupt before the next decision of their own."""
        self.warned = False
        self.unsaved = False

    # The run of the game.

    def run(self) -> int:
        """Play until the end or until the person leaves; the exit code."""
        people = self.sitting.people
        self.screen.enter(alternate=self.game.secrets and len(people) > 1)
        try:
            while True:
                self._play()
                if not self._finish():
                    return 0
        except (EndOfInput, Quit):
            self.screen.leave()
            self.screen.show(self.farewell())
            return 0
        except KeyboardInterrupt:
            self.screen.leave()
            print(f"\n{self.farewell()}", file=sys.stderr)
            return 130
        finally:
            self.screen.leave()

    def farewell(self) -> str:
        """How to go on with a game that is left."""
        if self.sitting.path:
            return self.say("farewell.saved", command=f"sheepfold play --record {shlex.quote(str(self.sitting.path))}")
        return self.say("farewell.unsaved") if self.unsaved else self.say("farewell")

    def _play(self) -> None:
        sitting = self.sitting
        while not sitting.over:
            seat = int(sitting.position.to_act)
            if seat == CHANCE:
                sitting.let_chance_happen()
            elif sitting.let_bots_interrupt():
                self.unsaved = True
            elif sitting.players[seat] is None:
                self._decide(seat)
            elif self._may_go_on(seat):
                self._thinking(seat)
                sitting.let_bot_act()
                self.unsaved = True

    def _decide(self, seat: int) -> None:
        self.undisturbed = False
        view = self._hand_over(seat)
        choices = self._choices(view, view.legal())
        others = [other for other in self.sitting.people if other != seat and self.sitting.position.may_interrupt(other)]
        asides = (self.say("aside.interrupt", seats=self._seats(others)),) if others else ()
        prompt = self.game.prompt(view, self.voice)
        action = self._choose(Question(seat, view, prompt, choices, "take" if len(choices) == 1 else "", asides))
        if action is not None:
            self.sitting.act(action)
            self.unsaved = True

    def _may_go_on(self, bot: int) -> bool:
        """Before a bot acts: whether nobody here wants to interrupt, asking in a way that gives no secret away."""
        sitting = self.sitting
        able = [seat for seat in sitting.people if sitting.position.may_interrupt(seat)]
        if not sitting.people:
            return self._watched(bot)
        if sitting.ply == self.waved_on or self.undisturbed or not able:
            return True
        if len(sitting.people) > 1:
            question = self._question_to_all(bot, able)
        elif actions := sitting.view(able[0]).interruptions(able[0]):
            question = self._question_to_interrupt(able[0], actions)
        else:
            return True
        self._answer_out_of_turn(question)
        return False

    def _question_to_all(self, bot: int, able: list[int]) -> Question:
        """Several people share the screen: who might interrupt is public, what with is not."""
        seat = self.looking if self.looking is not None and not self.game.secrets else SPECTATOR
        heading = self.say("before.all", who=self.voice.name(bot), seats=self._seats(able))
        return Question(seat, self.sitting.view(seat), heading, [], "go on")

    def _question_to_interrupt(self, seat: int, actions: Sequence[int]) -> Question:
        view = self.sitting.view(seat)
        heading = self.say("before", who=self.voice.name(int(self.sitting.position.to_act)))
        return Question(seat, view, heading, self._choices(view, actions), "go on")

    def _answer_out_of_turn(self, question: Question) -> None:
        """Take an interruption, or remember that there was none."""
        ply = self.sitting.ply
        action = self._choose(question)
        if action is not None:
            self.sitting.interrupt(question.seat, action)
            self.unsaved = True
        elif self.sitting.ply == ply:
            self.waved_on = ply

    def _interrupt_by(self, seat: int) -> str:
        """Somebody typed '2!': the screen goes to that person; what to say afterwards."""
        sitting = self.sitting
        if seat not in sitting.people or seat == sitting.position.to_act or not sitting.position.may_interrupt(seat):
            return self.say("interrupt.cannot", number=seat + 1)
        view = self._hand_over(seat)
        actions = view.interruptions(seat)
        if not actions and not self.game.secrets:
            return self.say("interrupt.nothing", who=self.voice.name(seat))
        heading = self.say("interrupt.choose" if actions else "interrupt.nothing", who=self.voice.name(seat))
        action = self._choose(Question(seat, view, heading, self._choices(view, actions), "go on"))
        if action is not None:
            sitting.interrupt(seat, action)
            self.unsaved = True
        return ""

    def _watched(self, bot: int) -> bool:
        """Only bots play: a person at a terminal looks on, step by step."""
        if self.screen.live and not self.undisturbed and self.sitting.ply != self.waved_on:
            heading = self.say("before.watch", who=self.voice.name(bot))
            self._answer_out_of_turn(Question(SPECTATOR, self.sitting.view(SPECTATOR), heading, [], "go on"))
            return False
        if not self.screen.live:
            self._tell(SPECTATOR)
        return True

    def _hand_over(self, seat: int) -> Position:
        """Give the screen to a person, hiding what the one before could see; that person's view."""
        if self.game.secrets and len(self.sitting.people) > 1 and self.looking != seat:
            self.screen.clear()
            for _ in range(self.screen.height // 3 if self.screen.live else 0):
                self.screen.show()
            self.screen.ask(f"  {self.say('hand-over', who=self.voice.name(seat))} ")
        self.looking = seat
        return self.sitting.view(seat)

    def _thinking(self, seat: int) -> None:
        if self.screen.live and not isinstance(self.sitting.players[seat], bots.RandomBot):
            print(ink(self.say("thinking", who=self.voice.name(seat)), "dim") if self.screen.colour else "", flush=True)

    def _finish(self) -> bool:
        """Show the end; whether the last move was taken back, so that the game goes on."""
        people = self.sitting.people
        viewer = people[0] if len(people) == 1 else SPECTATOR
        view = self.sitting.view(viewer)
        self.screen.leave()
        self.screen.clear()
        self._draw_top(Question(viewer, view, "", []), self._news(viewer))
        self.screen.show()
        for line in self._results():
            self.screen.show(line)
        if self.sitting.path:
            command = f"sheepfold replay {shlex.quote(str(self.sitting.path))}"
            self.screen.show(self.say("end.saved", path=self.sitting.path, command=command))
        while self.screen.live and people:
            line = self.screen.ask(f"{self.say('end.ask')} ")
            if line in ("", "q") or self.commands.get(line) == "quit":
                return False
            if self.commands.get(line) == "undo":
                return self._undo() == ""
            self.screen.show(self._command(line, Question(viewer, view, "", [])) or "")
        return False

    def _results(self) -> list[str]:
        scores, ranks = self.sitting.position.scores(), self.sitting.position.ranks()
        if len(scores) == 1:
            return [self.say("end.alone", points=self.say("points", count=scores[0]))]
        winners = [self.voice.name(seat) for seat, rank in enumerate(ranks) if rank == 1]
        first = self.say("end.wins", who=winners[0]) if len(winners) == 1 else self.say("end.share", who=", ".join(winners))
        order = sorted(range(len(scores)), key=lambda seat: ranks[seat])
        longest = max(len(self.voice.name(seat)) for seat in order)
        return [
            ink(first, "bold"),
            *(f"  {ranks[seat]}.  {self.voice.name(seat):{longest}}  {self.say('points', count=scores[seat])}" for seat in order),
        ]

    # The question.

    def _choose(self, question: Question) -> int | None:
        """One of the question's actions; None when an empty line let things go on or when the position has changed meanwhile."""
        lists = [question.choices]
        page, message, redraw = 0, "", True
        news = self._news(question.seat)
        while True:
            ply = self.sitting.ply
            entries, shown = self._listed(question, lists[-1], news)
            if redraw or self.screen.live:
                self._draw(question, news, shown, page % len(shown), len(lists) > 1)
            if message:
                self.screen.show(ink(message, "yellow"))
            line = self.screen.ask("> ", [choice.notation for choice in question.choices])
            message, redraw = "", False
            if not line:
                if len(shown) > 1:
                    page, redraw = page + 1, True
                elif len(lists) > 1:
                    lists.pop()
                    redraw = True
                elif question.enter == "take":
                    return question.choices[0].action
                elif question.enter == "go on":
                    return None
                else:
                    message = self.say("bad.nothing")
                continue
            command = line.split()[0]
            if line.isdecimal():
                if not 1 <= int(line) <= len(entries):
                    message = self.say("bad.number", number=line, most=len(entries)) if entries else self.say("bad.no-choices")
                    continue
                picked = entries[int(line) - 1].choices
                if len(picked) == 1:
                    return picked[0].action
                lists.append(list(picked))
                page, redraw = 0, True
            elif self.commands.get(command) == "back":
                del lists[1:]
                page, redraw = 0, True
            elif self.commands.get(command) == "on" and question.enter == "go on":
                self.undisturbed = True
                return None
            elif line.startswith("/"):
                found = [choice for choice in question.choices if line[1:].strip().lower() in f"{choice.notation} {choice.text}".lower()]
                message = "" if found else self.say("bad.search", text=line[1:].strip())
                lists = [question.choices, found] if found and len(found) < len(question.choices) else [question.choices]
                page, redraw = 0, bool(found)
            elif line.endswith("!") and line[:-1].isdecimal():
                message = self._interrupt_by(int(line[:-1]) - 1)
                if self.sitting.ply != ply:
                    return None
                question.view = self._hand_over(question.seat) if question.seat >= 0 else question.view
                redraw = True
            elif self.commands.get(command) == "undo":
                message = self._undo()
                if self.sitting.ply != ply:
                    return None
            elif command.startswith("?") or command in self.commands:
                message = self._command(line, question)
                redraw = True
            else:
                action, message, found = self._read(question, line)
                if action is not None:
                    return action
                if found:
                    lists, page, redraw = [question.choices, found], 0, True

    def _read(self, question: Question, line: str) -> tuple[int | None, str, list[Choice]]:
        """The action that a notation means, or what to say about it, and the choices that it leaves."""
        if not question.choices:
            return None, self.say("bad.no-choices"), []
        try:
            return self.game.read(question.view, line, question.seat), "", []
        except AmbiguousAction as error:
            begun = [choice for choice in question.choices if choice.notation.lower() in error.candidates]
            return None, self.say("bad.ambiguous", text=line), begun
        except SheepfoldError as error:
            return None, self.say("bad.unreadable", reason=str(error)), []

    def _choices(self, view: Position, actions: Sequence[int]) -> list[Choice]:
        return [Choice(action, self.game.write(view, action), self.game.describe(view, action, self.voice)) for action in actions]

    # Drawing.

    def _news(self, viewer: int) -> list[str]:
        """What the viewer should be told: on a screen since the last thing they did, in a pipe since they were told last."""
        first = max(0, self.sitting.last_done_by(viewer) - 1) if self.screen.live else min(self.shown.get(viewer, 0), self.sitting.ply)
        self.shown[viewer] = self.sitting.ply
        return self.sitting.told(viewer, self.voice, first)

    def _tell(self, viewer: int) -> None:
        for line in self._news(viewer):
            self.screen.show(line)

    def _picture(self, question: Question) -> str:
        return self.game.text_picture(question.view, question.seat, self.screen.width, self.voice)

    def _room_beside(self, picture: str) -> int:
        """The columns that are free at the right of the picture."""
        return self.screen.width - max(width(line) for line in picture.split("\n")) - 4

    def _listed(self, question: Question, choices: list[Choice], news: Sequence[str]) -> tuple[list[Entry], list[Page]]:
        """The list as it fits on the screen under the picture."""
        if not choices:
            return [], [Page([], 0)]
        picture = self._picture(question)
        taken = picture.count("\n") + 1 + len(question.asides) + 7
        if self._room_beside(picture) < NARROW:
            taken += min(len(news), 4) + 1
        rows = max(LEAST_ROWS, self.screen.height - taken)
        entries = fold(choices, len(choices))
        listed = pages(entries, self.screen.width, rows)
        if len(listed) > 1:
            entries = fold(choices, max(rows, 9))
            listed = pages(entries, self.screen.width, rows)
        return entries, listed

    def _draw_top(self, question: Question, news: Sequence[str], rows: int = MOST_NEWS) -> None:
        """Title, picture and what happened, which stands beside the picture where there is room."""
        if self.screen.live:
            self.screen.show(ink(f"{self.game.title} · {self.say('bar')}"[: self.screen.width], "dim"))
        picture = self._picture(question).rstrip("\n")
        free = self._room_beside(picture)
        if free >= NARROW and self.screen.live:
            lines = [line for text in news for line in self.screen.wrapped(text, "· ", free)]
            high = picture.count("\n") + 1
            self.screen.show(beside(picture, "\n".join(self._last(lines, high)), 4) if lines else picture)
            return
        self.screen.show(picture)
        if news:
            self.screen.show()
        lines = [line for text in news for line in self.screen.wrapped(text, "· ")]
        for line in self._last(lines, rows) if self.screen.live else lines:
            self.screen.show(line)

    def _last(self, lines: list[str], rows: int) -> list[str]:
        """The newest lines, with a word about older ones."""
        hidden = len(lines) - rows + 1
        return lines if len(lines) <= rows else [ink(self.say("news.more", count=hidden), "dim"), *lines[hidden:]]

    def _draw(self, question: Question, news: Sequence[str], listed: Sequence[Page], page: int, narrowed: bool) -> None:
        self.screen.clear()
        picture_rows = self._picture(question).count("\n") + 1
        left = self.screen.height - picture_rows - len(listed[page].lines) - len(question.asides) - 7
        self._draw_top(question, news, max(3, min(MOST_NEWS, left)))
        self.screen.show()
        for line in self.screen.wrapped(question.heading):
            self.screen.show(ink(line, "bold"))
        for line in listed[page].lines:
            self.screen.show(line)
        hints = list(question.asides)
        if len(listed) > 1:
            hints.append(self.say("page", page=page + 1, pages=len(listed)))
        if narrowed:
            hints.append(self.say("narrowed"))
        elif question.enter == "go on":
            hints.append(self.say("enter.on" if question.choices else "enter.next"))
        elif question.enter == "take":
            hints.append(self.say("enter.take"))
        for hint in hints:
            self.screen.show(ink(hint, "dim"))

    # Commands.

    def _command(self, line: str, question: Question) -> str:
        """Do what was asked for; a message for the person, often empty."""
        command, _, rest = line.partition(" ")
        if command.startswith("?"):
            self._help(f"{command[1:]} {rest}".strip())
            return ""
        name = self.commands.get(command, "")
        if name == "quit":
            return self._quit()
        if name == "log":
            lines = [wrapped for text in self.sitting.told(question.seat, self.voice) for wrapped in self.screen.wrapped(text, "· ")]
            self.screen.pages(lines or [self.say("log.empty")], f"{self.say('pages.more')} ")
            return ""
        if name == "save":
            return self._save(rest.strip())
        if name == "hint":
            return self._hint(question)
        return self.say("bad.nothing")

    def _help(self, topic: str) -> None:
        if topic[:1].lower() == "r":
            from rich.markdown import Markdown

            lines = self.screen.rendered(Markdown(self.game.help(self.language)))
        else:
            lines = self.say("help.playing", title=self.game.title).split("\n")
        self.screen.pages(lines, f"{self.say('pages.more')} ")

    def _quit(self) -> str:
        if self.unsaved and not self.sitting.path and not self.warned and self.screen.live:
            self.warned = True
            return self.say("quit.unsaved")
        raise Quit

    def _undo(self) -> str:
        if not self.sitting.undo():
            return self.say("undo.nothing")
        self.shown = {viewer: min(ply, self.sitting.ply) for viewer, ply in self.shown.items()}
        self.waved_on = -1
        return ""

    def _save(self, name: str) -> str:
        if not name:
            return self.say("save.name")
        path = Path(name).expanduser()
        if path.exists() and path != self.sitting.path:
            return self.say("save.exists", path=path)
        try:
            save(self.sitting.record, path)
        except SheepfoldError as error:
            return str(error)
        self.sitting.path = path
        return self.say("save.done", path=path)

    def _hint(self, question: Question) -> str:
        level = bots.LEVELS[-1] if bots.LEVELS else "random"
        if level == "random":
            return self.say("hint.nobody")
        if question.seat != self.sitting.position.to_act:
            return self.say("hint.later")
        adviser, view = bots.bot(level), self.sitting.for_bot(question.seat)
        dice = Dice(self.sitting.seed).split("hint", self.sitting.ply)
        if isinstance(adviser, bots.Thinker):
            best = [(action, f" ({100 * share:.0f} %)") for action, share in adviser.think(view, dice)[:3]]
        else:
            best = [(adviser.choose(view, dice), "")]
        texts = [f"{self.game.describe(question.view, action, self.voice)}{share}" for action, share in best]
        return self.say("hint", level=level, first=texts[0]) + (self.say("hint.else", others="; ".join(texts[1:])) if texts[1:] else "")

    def _seats(self, seats: Sequence[int]) -> str:
        return ", ".join(f"{seat + 1}! ({self.voice.name(seat)})" for seat in seats)
