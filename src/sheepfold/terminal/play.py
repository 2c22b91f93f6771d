"""Playing: draws what the person at the keyboard may see, asks for a choice, and goes on.

There is one question in all of this, `_choose`: a seat is shown its view, what has happened, and a list; a line comes back that is
a number, a notation or a command. A decision, an interruption and the pause before a bot goes on are that question with other lists.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import sheepfold
from sheepfold import bots
from sheepfold.ansi import ink
from sheepfold.core.errors import AmbiguousAction, SheepfoldError
from sheepfold.core.position import CHANCE, SPECTATOR, Position
from sheepfold.game.game import tidy
from sheepfold.game.moments import Moment
from sheepfold.game.rule_figures import without_figures
from sheepfold.game.session import NoUndo
from sheepfold.terminal.choices import Choice
from sheepfold.terminal.language import game_voice, terminal_voice
from sheepfold.terminal.layout import Sheet, bullets, lay_out, room_for_picture, wrapped
from sheepfold.terminal.moments import framed, under
from sheepfold.terminal.screen import EndOfInput, Screen, whole
from sheepfold.terminal.seating import level_name
from sheepfold.terminal.sitting import Sitting, save

COMMANDS = ("undo", "hint", "log", "board", "save", "back", "on", "quit")
HELP_INDENT = 18
"""Where the second column of the help for players begins."""
GO_ON = -1
"""As an answer: an empty line, so the game goes on without this seat."""


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


@dataclass
class Asking:
    """A question while it is being asked: the list as it was narrowed and the page that is shown."""

    question: Question
    news: list[str]
    narrowed: list[Choice] = field(default_factory=list)
    page: int = 0
    message: str = ""
    redraw: bool = True
    fresh: bool = True
    """Not drawn yet."""

    @property
    def choices(self) -> list[Choice]:
        return self.narrowed or self.question.choices

    def show(self, choices: Sequence[Choice]) -> None:
        """Narrow the list to these, or widen it to all."""
        self.narrowed = list(choices) if len(choices) < len(self.question.choices) else []
        self.page, self.redraw = 0, True


class Play:
    """One person or several at one keyboard, playing a sitting to its end."""

    def __init__(self, sitting: Sitting, screen: Screen, language: str, hints: bool = False) -> None:
        self.sitting = sitting
        self.hints = hints or len(sitting.people) < 2
        """Whether there are hints: also among people, if they want it so."""
        self.screen = screen
        self.language = language
        self.session = sitting.session
        self.game = sitting.session.game
        self.say = terminal_voice(language).say
        self.voice = game_voice(self.game, language, sitting.session.record.names)
        self.commands = {word: name for name in COMMANDS for word in (name, *self.say(f"command.{name}").split(", "))}
        self.shown: dict[int, int] = {}
        """By viewer, the ply up to which they have been told what happened."""
        self.looking: int | None = None
        """The person who last had the screen."""
        self.waved_on = -1
        """The ply at which people let a bot go on."""
        self.stopped = sitting.session.ply
        """The ply up to which play has stopped for moments."""
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
                    return int(self.sitting.unsaved is not None)
        except (EndOfInput, Quit):
            self.screen.leave()
            self.screen.show(self.farewell())
            return int(self.sitting.unsaved is not None)
        except KeyboardInterrupt:
            self.screen.leave()
            print(f"\n{self.farewell()}", file=sys.stderr)
            return 130
        except BrokenPipeError:
            print(self.farewell(), file=sys.stderr)
            raise
        finally:
            self.screen.leave()

    def farewell(self) -> str:
        """How to go on with a game that is left."""
        if self.sitting.unsaved:
            return self._said(self.sitting.unsaved)
        if self.sitting.path:
            return self.say("farewell.saved", command=self._command_line("play --record"))
        return self.say("farewell.unsaved") if self.unsaved else self.say("farewell")

    def _command_line(self, command: str) -> str:
        """What to type to go on with the record, or to look at it."""
        components = self.session.setup.component_file
        more = f" --components {shlex.quote(components)}" if isinstance(components, str) else ""  # else the record has it
        return f"sheepfold {command} {shlex.quote(str(self.sitting.path))}{more}"

    def _play(self) -> None:
        sitting = self.sitting
        while not self.session.over:
            seat = int(self.session.position.to_act)
            if seat == CHANCE:
                sitting.let_chance_happen()
            elif (foregone := self.session.foregone(self.session.position)) is not None:
                sitting.act(foregone)
            elif sitting.let_bots_interrupt():
                self.unsaved = True
            elif sitting.players[seat] is None:
                self._decide(seat)
            elif self._may_go_on(seat):
                self._thinking(seat)
                sitting.let_bot_act()
                self.unsaved = True
            self._stop_for_moments()

    def _stop_for_moments(self) -> None:
        """Show what play stops for, right after it happened; whoever sits here goes on with Enter."""
        since, self.stopped = min(self.stopped, self.session.ply), self.session.ply
        viewer = self._onlooker
        for _, moment in self.session.moments(viewer, self.voice, since):
            if not self.screen.live:
                self.screen.show_all(bullets(self._news(viewer), self.screen.size.columns))
                self.screen.show_all(["", *self._framed(moment), ""])
            elif self.sitting.people or not self.undisturbed:
                self._show_moment(self._framed(moment), viewer)

    def _show_moment(self, frame: list[str], viewer: int) -> None:
        """The frame on a screen of its own, under as much of the board as there is room for."""
        size = self.screen.size
        board = self.game.text_picture(self.session.view(viewer), viewer, size.columns, self.voice)
        self.screen.pages(under(board, frame, (size.rows or 0) - 2), f"{self.say('pages.more')} ")

    def _framed(self, moment: Moment) -> list[str]:
        return framed(moment, self.voice, self.say, self.game.colours, self.screen.size.columns)

    @property
    def _onlooker(self) -> int:
        """Who sees what everybody at this keyboard may: the only person, else nobody in particular."""
        people = self.sitting.people
        return people[0] if len(people) == 1 else SPECTATOR

    def _decide(self, seat: int) -> None:
        self.undisturbed = False
        view = self._hand_over(seat)
        choices = self._choices(view, view.legal())
        others = [other for other in self.sitting.people if other != seat and self.session.position.may_interrupt(other)]
        asides = (self.say("aside.interrupt", seats=self._seats(others)),) if others else ()
        prompt = self.say("your-turn", who=self.voice.name(seat), prompt=self.game.prompt(view, self.voice))
        action = self._choose(Question(seat, view, prompt, choices, "take" if len(choices) == 1 else "", asides))
        if action is not None:
            self.sitting.act(action)
            self.unsaved = True

    def _may_go_on(self, bot: int) -> bool:
        """Before a bot acts: whether nobody here wants to interrupt, asking in a way that gives no secret away."""
        sitting = self.sitting
        able = [seat for seat in sitting.people if self.session.position.may_interrupt(seat)]
        if not sitting.people:
            return self._watched(bot)
        if self.session.ply == self.waved_on or self.undisturbed or not able:
            return True
        if len(sitting.people) > 1:
            question = self._question_to_all(bot, able)
        elif actions := self.session.view(able[0]).interruptions(able[0]):
            question = self._question_to_interrupt(able[0], actions)
        else:
            return True
        self._answer_out_of_turn(question)
        return False

    def _question_to_all(self, bot: int, able: list[int]) -> Question:
        """Several people share the screen: who might interrupt is public, what with is not."""
        seat = self.looking if self.looking is not None and not self.game.secrets else SPECTATOR
        heading = self.say("before.all", who=self.voice.name(bot), seats=self._seats(able))
        return Question(seat, self.session.view(seat), heading, [], "go on")

    def _question_to_interrupt(self, seat: int, actions: Sequence[int]) -> Question:
        view = self.session.view(seat)
        heading = self.say("before", who=self.voice.name(int(self.session.position.to_act)))
        return Question(seat, view, heading, self._choices(view, actions), "go on")

    def _answer_out_of_turn(self, question: Question) -> None:
        """Take an interruption, or remember that there was none."""
        ply = self.session.ply
        action = self._choose(question)
        if action is not None:
            self.sitting.interrupt(question.seat, action)
            self.unsaved = True
        elif self.session.ply == ply:
            self.waved_on = ply

    def _interrupt_by(self, seat: int) -> str:
        """Somebody typed '2!': the screen goes to that person; what to say afterwards."""
        sitting = self.sitting
        if seat not in sitting.people or seat == self.session.position.to_act or not self.session.position.may_interrupt(seat):
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
        if self.screen.live and not self.undisturbed and self.session.ply != self.waved_on:
            heading = self.say("before.watch", who=self.voice.name(bot))
            self._answer_out_of_turn(Question(SPECTATOR, self.session.view(SPECTATOR), heading, [], "go on"))
            return False
        if not self.screen.live:
            self.screen.show_all(bullets(self._news(SPECTATOR), self.screen.size.columns))
        return True

    def _hand_over(self, seat: int) -> Position:
        """Give the screen to a person, hiding what the one before could see; that person's view."""
        if self.game.secrets and len(self.sitting.people) > 1 and self.looking != seat:
            self.screen.clear()
            self.screen.show("\n" * ((self.screen.size.rows or 0) // 3))
            self.screen.ask(f"  {self.say('hand-over', who=self.voice.name(seat))} ")
        self.looking = seat
        return self.session.view(seat)

    def _thinking(self, seat: int) -> None:
        if self.screen.live and not isinstance(self.sitting.players[seat], bots.RandomBot):
            self.screen.pass_by(ink(self.say("thinking", who=self.voice.name(seat)), "dim"))

    def _finish(self) -> bool:
        """Show the end; whether the last move was taken back, so that the game goes on."""
        people, viewer = self.sitting.people, self._onlooker
        view = self.session.view(viewer)
        self.screen.leave()
        self.screen.clear()
        results, saved = self._results(), ""
        if self.sitting.unsaved:
            saved = self._said(self.sitting.unsaved)
        elif self.sitting.path:
            saved = self.say("end.saved", path=self.sitting.path, command=self._command_line("replay"))
        asides = len(results) + len(self._wrapped(saved))
        self.screen.show_all([*self._lay_out(Question(viewer, view, "", []), self._news(viewer), [], asides).top, *results])
        if saved:
            self.screen.show(saved)
        while self.screen.live and people:
            line = self.screen.ask(f"{self.say('end.ask')} ")
            if not line or self.commands.get(line.lower()) == "quit":
                return False
            self.screen.show(self._command(line, Question(viewer, view, "", [])))
            if not self.session.over:
                return True
        return False

    def _results(self) -> list[str]:
        scores, ranks = self.session.position.scores(), self.session.position.ranks()
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
        asking = Asking(question, self._news(question.seat))
        if self.sitting.unsaved:
            asking.message = self._said(self.sitting.unsaved)
        ply = self.session.ply
        self._tell_first(asking)
        while True:
            sheet = self._draw(asking)
            line = self.screen.ask("> ", [choice.notation for choice in question.choices])
            asking.message, asking.redraw = "", False
            answer = self._answer(asking, sheet, line)
            if answer is not None:
                return None if answer == GO_ON else answer
            if self.session.ply != ply:
                return None

    def _answer(self, asking: Asking, sheet: Sheet, line: str) -> int | None:
        """What a line means: an action, GO_ON, or None when the question is still open."""
        word = line.split()[0].lower() if line else ""
        command = self.commands.get(word)
        if not line:
            return self._empty_line(asking, sheet)
        if asking.choices and asking.choices[0].label and line[0].isdecimal() and not line.endswith("!"):
            return self._label(asking, line.lower())
        if line.isdecimal():
            return self._number(asking, sheet, line)
        if line.endswith("!") and line[:-1].isdecimal():
            ply = self.session.ply
            asking.message = self._interrupt_by(whole(line[:-1]) - 1)
            if self.session.ply == ply and asking.question.seat >= 0:
                self._hand_over(asking.question.seat)
            asking.redraw = True
        elif line.startswith("/"):
            self._search(asking, line[1:].strip())
        elif command == "back":
            asking.show(asking.question.choices)
        elif command == "on" and asking.question.enter == "go on":
            self.undisturbed = True
            return GO_ON
        elif command or word.startswith("?"):
            asking.message = self._command(line, asking.question)
            asking.redraw = True
        else:
            return self._notation(asking, line)
        return None

    def _empty_line(self, asking: Asking, sheet: Sheet) -> int | None:
        if len(sheet.pages) > 1:
            asking.page, asking.redraw = (asking.page + 1) % len(sheet.pages), True
        elif asking.narrowed:
            asking.show(asking.question.choices)
        elif asking.question.enter == "take":
            return asking.question.choices[0].action
        elif asking.question.enter == "go on":
            return GO_ON
        else:
            asking.message = self.say("bad.nothing")
        return None

    def _number(self, asking: Asking, sheet: Sheet, text: str) -> int | None:
        number = whole(text)
        if not sheet.entries:
            asking.message = self.say("bad.no-choices")
        elif not 1 <= number <= len(sheet.entries):
            asking.message = self.say("bad.number", number=text if len(text) < 13 else f"{text[:12]}…", most=len(sheet.entries))
        else:
            picked = sheet.entries[number - 1].choices
            if len(picked) == 1:
                return picked[0].action
            asking.show(picked)
        return None

    def _label(self, asking: Asking, label: str) -> int | None:
        """A number on the board, with or without its letter."""
        meant = [choice for choice in asking.question.choices if label in (choice.label, choice.place)]
        if len(meant) == 1:
            return meant[0].action
        if meant:
            asking.show(meant)
        else:
            asking.message = self.say("bad.label", label=label)
        return None

    def _search(self, asking: Asking, text: str) -> None:
        found = [choice for choice in asking.question.choices if text.lower() in f"{choice.notation} {choice.text}".lower()]
        if found:
            asking.show(found)
        else:
            asking.message = self.say("bad.search", text=text)

    def _notation(self, asking: Asking, line: str) -> int | None:
        """The action that a notation means; where it could be several, the list is narrowed to them."""
        question = asking.question
        if not question.choices:
            asking.message = self.say("bad.no-choices")
            return None
        try:
            return self.game.read(question.view, line, question.seat)
        except AmbiguousAction as error:
            asking.show([choice for choice in question.choices if tidy(choice.notation) in error.candidates] or question.choices)
            asking.message = self.say("bad.ambiguous", text=line)
        except SheepfoldError as error:
            asking.message = self.say("bad.unreadable", reason=self._said(error))
        return None

    def _said(self, error: SheepfoldError) -> str:
        """What was wrong, in the player's language where it is known in it."""
        voice = self.voice if self.voice.has(error.key) else terminal_voice(self.language)
        return voice.say(error.key, None, **error.values) if voice.has(error.key) else str(error)

    def _choices(self, view: Position, actions: Sequence[int]) -> list[Choice]:
        labels = self.game.labels(view) if view.viewer == view.to_act else {}
        choices = [
            Choice(action, self.game.write(view, action), self.game.describe(view, action, self.voice), labels.get(action, ""))
            for action in actions
        ]
        # Either all are numbered on the board or the list has numbers of its own: never both, people would mix them up.
        return choices if all(choice.label for choice in choices) else [choice._replace(label="") for choice in choices]

    # Drawing.

    def _news(self, viewer: int) -> list[str]:
        """What the viewer should be told: on a screen since the last thing they did, in a pipe since they were told last."""
        first = max(self.session.faded, self._done(viewer) - 1) if self.screen.live else min(self.shown.get(viewer, 0), self.session.ply)
        self.shown[viewer] = self.session.ply
        return self._told(viewer, first)

    def _told(self, viewer: int, first: int) -> list[str]:
        """What happened from a ply on, in words, as that viewer saw it."""
        lost = [self.say("forfeit", who=self.voice.name(seat), why=why) for ply, seat, why in self.sitting.forfeits if ply >= first]
        return lost + [line for told in self.session.told(viewer, self.voice, first) for line in told.lines]

    def _done(self, seat: int) -> int:
        """The ply after the last thing that the seat did; 0 if it has done nothing yet."""
        ply = self.session.last_ply_of((seat,))
        return 0 if ply is None else ply + 1

    def _lay_out(
        self, question: Question, news: Sequence[str], choices: Sequence[Choice], asides: int, page: Sequence[Choice] = ()
    ) -> Sheet:  # fmt: skip
        """Fit the question to the screen. A picture that is too long for it shows what belongs to the page of choices, or to all."""
        size = self.screen.size
        picture = self.game.text_picture(question.view, question.seat, size.columns, self.voice)
        room = room_for_picture(size, question.heading, asides, len(choices))
        if picture.count("\n") >= room:
            listed = [choice.action for choice in page or choices]
            picture = self.game.text_excerpt(question.view, question.seat, size.columns, room, self.voice, listed)
        bar = f"{self.game.title} · {self.say('bar')}"[: size.columns]
        return lay_out(bar, picture, news, self.say("news.older"), self.say("board.cut"), question.heading, asides, choices, size)

    def _draw(self, asking: Asking) -> Sheet:
        """Print the question, in a pipe only where something has changed."""
        message, hints = self._wrapped(asking.message), self._wrapped(*self._hints(asking))
        sheet = self._lay_out(asking.question, asking.news, asking.choices, len(hints) + len(message))
        if len(sheet.pages) > 1:
            hints = self._turning(asking, sheet)
            sheet = self._lay_out(asking.question, asking.news, asking.choices, len(hints) + len(message))
        asking.page = min(asking.page, len(sheet.pages) - 1)
        if len(sheet.pages) > 1:
            first = sum(page.entries for page in sheet.pages[: asking.page])
            listed = [choice for entry in sheet.entries[first:][: sheet.pages[asking.page].entries] for choice in entry.choices]
            sheet = self._lay_out(asking.question, asking.news, asking.choices, len(hints) + len(message), listed)
        if asking.redraw or self.screen.live:
            self.screen.clear()
            top = sheet.top if asking.fresh or self.screen.live else sheet.top[-1:]
            asking.fresh = False
            if len(sheet.pages) > 1:
                hints = self._turning(asking, sheet)
            self.screen.show_all([*top, *sheet.pages[asking.page].lines, *(ink(hint, "dim") for hint in hints)])
        self.screen.show_all([ink(line, "yellow") for line in message])
        return sheet

    def _turning(self, asking: Asking, sheet: Sheet) -> list[str]:
        """What stands under a list of several pages."""
        return self._wrapped(*asking.question.asides, self.say("page", page=asking.page + 1, pages=len(sheet.pages)))

    def _wrapped(self, *texts: str) -> list[str]:
        """The texts as lines that fit; in a pipe as they are."""
        given = [text for text in texts if text]
        return [line for text in given for line in wrapped(text, self.screen.size.columns)] if self.screen.live else given

    def _tell_first(self, asking: Asking) -> None:
        """On a short screen, what others did is told on a screen of its own before the choices need the room."""
        question = asking.question
        since = self.session.events[self._done(question.seat) :]
        others = any(event.who not in (question.seat, CHANCE) for event in since)
        if not self.screen.live or not others or self._lay_out(question, asking.news, asking.choices, 1).complete:
            return
        self.screen.clear()
        self.screen.show_all(self._lay_out(replace(question, heading=""), asking.news, [], 0).top)
        self.screen.ask(f"{self.say('pages.more')} ")

    def _hints(self, asking: Asking) -> list[str]:
        """The quiet lines under the list."""
        question = asking.question
        if asking.narrowed:
            return [*question.asides, self.say("narrowed")]
        if question.enter == "go on":
            return [*question.asides, self.say("enter.on" if question.choices else "enter.next")]
        return [*question.asides, self.say("enter.take")] if question.enter == "take" else list(question.asides)

    # Commands.

    def _command(self, line: str, question: Question) -> str:
        """Do what was asked for; a message for the person, often empty."""
        command, _, rest = line.partition(" ")
        command = command.lower()
        if command.startswith("?"):
            self._help(f"{command[1:]} {rest}".strip())
            return ""
        name = self.commands.get(command, "")
        if name == "quit":
            return self._quit()
        if name == "log":
            first = max(self.session.faded, self._done(question.seat) - 1) if self.session.forgetful else 0
            lines = bullets(self._told(question.seat, first), self.screen.size.columns)
            self.screen.pages(lines or [self.say("log.empty")], f"{self.say('pages.more')} ")
            return ""
        if name == "board":
            picture = self.game.text_picture(question.view, question.seat, self.screen.size.columns, self.voice)
            self.screen.pages(picture.split("\n"), f"{self.say('pages.more')} ")
            return ""
        if name == "undo":
            return self._undo()
        if name == "save":
            return self._save(rest.strip())
        if name == "hint":
            return self._hint(question)
        return self.say("bad.nothing")

    def _help(self, topic: str) -> None:
        if topic[:1].lower() == "r":
            from rich.markdown import Markdown

            lines = self.screen.rendered(Markdown(without_figures(self.game.help(self.language, self.session.setup))))
        else:
            lines = [part for line in self.say("help.playing", title=self.game.title).split("\n") for part in self._hanging(line)]
        self.screen.pages(lines, f"{self.say('pages.more')} ")

    def _hanging(self, line: str) -> list[str]:
        """A line of the help, what it does wrapped beside what is typed."""
        return wrapped(line[HELP_INDENT:], self.screen.size.columns, line[:HELP_INDENT]) if line.startswith(" ") else [line]

    def _quit(self) -> str:
        if self.unsaved and not self.sitting.path and not self.warned and self.screen.live:
            self.warned = True
            return self.say("quit.unsaved")
        raise Quit

    def _undo(self) -> str:
        """Take back what a person did last; what to say where that is not fair."""
        try:
            self.sitting.undo()
        except NoUndo as refusal:
            return self._said(refusal)
        self.shown = {viewer: min(ply, self.session.ply) for viewer, ply in self.shown.items()}
        self.waved_on = -1
        return ""

    def _save(self, name: str) -> str:
        if not name:
            return self.say("save.name")
        path = Path(name).expanduser()
        if path.exists() and path != self.sitting.path:
            return self.say("save.exists", path=path)
        try:
            save(self.session.record, path)
        except SheepfoldError as error:
            return self._said(error)
        self.sitting.path, self.sitting.unsaved = path, None
        return self.say("save.done", path=path)

    def _hint(self, question: Question) -> str:
        level = bots.LEVELS[-1 if sheepfold.compiled() else min(1, len(bots.LEVELS) - 1)]
        if level == "random":
            return self.say("hint.nobody")
        if self.session.forgetful:
            return self.say("hint.memory")
        if not self.hints:
            return self.say("hint.people")
        if question.seat != self.session.position.to_act:
            return self.say("hint.later")
        adviser, view = bots.bot(level), self.session.shown_to_bot(question.seat)
        dice = self.sitting.dice("hint")
        if isinstance(adviser, bots.Thinker):
            best = [action for action, _ in adviser.think(view, dice)[:3]]
        else:
            best = [adviser.choose(view, dice)]
        because = self.game.reason(question.view, best[0], self.voice)
        texts = [f"{choice.text} ({choice.notation})" for choice in self._choices(question.view, best)]
        advice = self.say("hint", level=level_name(level, self.language), first=texts[0])
        advice += self.say("hint.else", others="; ".join(texts[1:])) if texts[1:] else ""
        return f"{advice} {because}".strip()

    def _seats(self, seats: Sequence[int]) -> str:
        return ", ".join(f"{seat + 1}! ({self.voice.name(seat)})" for seat in seats)
