"""The command line: what each command takes, and how it ends.

Commands are thin; what they do stands in the modules beside this one. They are made by `build`, because their help is in the
player's language. Errors that a user can mend are one line on standard error; the exit codes are those of Unix.
"""

# Annotations are evaluated as they stand, because typer reads the help inside them: no `from __future__ import annotations` here.

import os
import sys
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import Annotated, Any

import typer

from sheepfold.core.errors import SheepfoldError
from sheepfold.messages import languages
from sheepfold.terminal.language import checked_language, chosen_language, terminal_voice

OK, ERROR, USAGE, CTRL_C, BROKEN_PIPE = 0, 1, 2, 130, 141


def run(arguments: Sequence[str]) -> None:
    """Read the command line and do it; ends the process."""
    language = chosen_language(arguments)
    build(language)(args=list(arguments), prog_name="sheepfold")


def guarded(command: Callable[..., int | None]) -> Callable[..., None]:
    """A command that ends as Unix users expect, whatever happens in it."""

    @wraps(command)
    def ending(*args: Any, **values: Any) -> None:
        try:
            checked_language(values.get("language"))
            code = command(*args, **values) or OK
            sys.stdout.flush()
        except SheepfoldError as error:
            print(f"sheepfold: {error}", file=sys.stderr)
            code = ERROR
        except KeyboardInterrupt:
            print(file=sys.stderr)
            code = CTRL_C
        except BrokenPipeError:
            # Whoever read our output has gone; nothing may be written to it any more, not even by Python at its end.
            silence()
            code = BROKEN_PIPE
        except OSError as error:
            print(f"sheepfold: {explained(error)}", file=sys.stderr)
            silence()
            code = ERROR
        raise typer.Exit(code)

    return ending


def silence() -> None:
    """Let what is still to be written to standard output vanish."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def explained(error: OSError) -> str:
    """What the system refused, and for which file."""
    return f"{error.filename}: {error.strerror}" if error.filename is not None else str(error.strerror or error)


def parsed_options(texts: Sequence[str], hint: str = "--option") -> dict[str, str]:
    """`name=value` texts as a dictionary."""
    options = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise typer.BadParameter(f"an option is written name=value, not {text!r}", param_hint=hint)
        options[name.strip()] = value.strip()
    return options


def parsed_list(texts: Sequence[str]) -> list[str]:
    """Repeated and comma-separated values as one list."""
    return [part.strip() for text in texts for part in readable(text).split(",") if part.strip()]


def readable(text: str) -> str:
    """What was typed, read as UTF-8, whatever the locale says, because records and messages are written so."""
    return os.fsencode(text).decode("utf-8", "replace")


def build(language: str) -> typer.Typer:
    """The whole command line, with its help in a language."""
    say = terminal_voice(language).say
    app = typer.Typer(
        name="sheepfold", no_args_is_help=True, add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )  # fmt: skip

    game_argument = Annotated[str, typer.Argument(help=say("arg.game"), metavar="GAME", show_default=False)]
    game_if_any = Annotated[str | None, typer.Argument(help=say("arg.game-if-any"), metavar="GAME", show_default=False)]
    file_argument = Annotated[Path, typer.Argument(help=say("arg.file"), metavar="FILE", show_default=False)]
    seats_option = Annotated[int | None, typer.Option(help=say("opt.seats"), min=1, metavar="N", show_default=False)]
    option_option = Annotated[list[str], typer.Option("--option", help=say("opt.option"), metavar="NAME=VALUE", show_default=False)]
    components_option = Annotated[str | None, typer.Option(help=say("opt.components"), metavar="FILE", show_default=False)]
    seed_option = Annotated[str | None, typer.Option(help=say("opt.seed"), metavar="S", show_default=False)]
    database_option = Annotated[
        str | None, typer.Option(help=say("opt.database"), envvar="SHEEPFOLD_DATABASE", metavar="URL", show_default=False)
    ]
    backup_argument = Annotated[Path, typer.Argument(help=say("arg.backup"), metavar="FILE", show_default=False)]
    language_option = Annotated[str | None, typer.Option(help=say("opt.language"), metavar="|".join(languages()), show_default=False)]

    def command(name: str, room: typer.Typer = app) -> Callable[[Callable[..., int | None]], None]:
        def register(function: Callable[..., int | None]) -> None:
            text = f"{say(f'cmd.{name}')}\n\n\b\n{say('example')}\n  {say(f'cmd.{name}.example')}"
            room.command(name, help=text, short_help=say(f"cmd.{name}"))(guarded(function))

        return register

    @app.callback(help=say("cmd"))
    def everything(
        version: Annotated[bool, typer.Option("--version", help=say("opt.version"), is_eager=True, callback=_version)] = False,
        language: language_option = None,
    ) -> None:
        pass

    @command("games")
    def games(
        game: Annotated[str | None, typer.Argument(help=say("arg.game-options"), metavar="GAME", show_default=False)] = None,
        language: language_option = None,
    ) -> None:
        from sheepfold.terminal.listings import options_of, shelf

        options_of(game, _language(language)) if game else shelf(_language(language))

    @command("play")
    def play(
        game: game_if_any = None,
        seats: seats_option = None,
        bot: Annotated[list[str], typer.Option("--bot", help=say("opt.bot"), metavar="LEVEL", show_default=False)] = [],  # noqa: B006
        option: option_option = [],  # noqa: B006
        components: components_option = None,
        seed: seed_option = None,
        record: Annotated[Path | None, typer.Option(help=say("opt.record"), metavar="FILE", show_default=False)] = None,
        names: Annotated[list[str], typer.Option(help=say("opt.names"), metavar="A,B,…", show_default=False)] = [],  # noqa: B006
        hints: Annotated[bool, typer.Option("--hints", help=say("opt.hints"))] = False,
        language: language_option = None,
    ) -> int:
        from sheepfold.terminal.play import Play
        from sheepfold.terminal.screen import EndOfInput, Screen
        from sheepfold.terminal.seating import Wishes, sit_down

        wishes = Wishes(game, seats, parsed_list(bot), parsed_options(option), components, seed, record, parsed_list(names))
        screen = Screen()
        try:
            sitting = sit_down(wishes, screen, _language(language))
        except EndOfInput:
            return OK
        return Play(sitting, screen, _language(language), hints).run()

    @command("serve")
    def serve(
        host: Annotated[str, typer.Option(help=say("opt.host"), metavar="ADDRESS")] = "127.0.0.1",
        port: Annotated[int | None, typer.Option(help=say("opt.port"), min=0, max=65535, metavar="N", show_default=False)] = None,
        database: database_option = None,
        open_browser: Annotated[bool, typer.Option("--open", help=say("opt.open"))] = False,
        components: Annotated[list[str], typer.Option(help=say("opt.serve-components"), metavar="GAME=FILE", show_default=False)] = [],  # noqa: B006
        processes: Annotated[int, typer.Option(help=say("opt.processes"), min=1, max=256, metavar="N")] = 1,
        bot: Annotated[list[str], typer.Option("--bot", help=say("opt.serve-bot"), metavar="NAME=cmd:PROGRAM", show_default=False)] = [],  # noqa: B006
        language: language_option = None,
    ) -> int:
        from sheepfold.web.serve import serve

        wanted = parsed_options(components, "--components")
        return serve(host, port, database, open_browser, wanted, processes, parsed_options(bot, "--bot"))

    @command("mcp")
    def mcp(
        game: game_if_any = None,
        seats: seats_option = None,
        bot: Annotated[list[str], typer.Option("--bot", help=say("opt.bot"), metavar="LEVEL", show_default=False)] = [],  # noqa: B006
        option: option_option = [],  # noqa: B006
        components: components_option = None,
        seed: seed_option = None,
        record: Annotated[Path | None, typer.Option(help=say("opt.record"), metavar="FILE", show_default=False)] = None,
        table: Annotated[str | None, typer.Option(help=say("opt.mcp-table"), metavar="URL", show_default=False)] = None,
        seat: Annotated[int | None, typer.Option(help=say("opt.mcp-seat"), min=1, metavar="N", show_default=False)] = None,
        name: Annotated[str, typer.Option(help=say("opt.mcp-name"), metavar="NAME", show_default=False)] = "",
        token: Annotated[
            str | None, typer.Option(help=say("opt.mcp-token"), envvar="SHEEPFOLD_TOKEN", metavar="TOKEN", show_default=False)
        ] = None,
        language: language_option = None,
    ) -> int:
        from sheepfold.core.errors import wanted
        from sheepfold.terminal.model_seat import offer, seat_here, seat_there
        from sheepfold.terminal.seating import Wishes

        wanted("mcp.server.mcpserver", "mcp")
        spoken, names = _language(language), [readable(name)] if name else []
        if table:
            return offer(seat_there(table, seat, readable(name), token, spoken), spoken)
        return offer(
            seat_here(Wishes(game, seats, parsed_list(bot), parsed_options(option), components, seed, record, names), spoken), spoken
        )

    @command("backup")
    def backup(file: backup_argument, database: database_option = None, language: language_option = None) -> None:
        from sheepfold.terminal.hosting import take_backup

        take_backup(database, file, _language(language))

    @command("restore")
    def restore(file: backup_argument, database: database_option = None, language: language_option = None) -> None:
        from sheepfold.terminal.hosting import restore_backup

        restore_backup(database, file, _language(language))

    @command("upgrade")
    def upgrade(database: database_option = None, language: language_option = None) -> None:
        from sheepfold.terminal.hosting import upgrade_database

        upgrade_database(database, _language(language))

    admin = typer.Typer(help=say("cmd.admin"), no_args_is_help=True, rich_markup_mode=None)
    app.add_typer(admin, name="admin")

    @command("tables", admin)
    def tables(
        status: Annotated[str | None, typer.Option(help=say("opt.status"), metavar="open|playing|over|closed", show_default=False)] = None,
        most: Annotated[int, typer.Option(help=say("opt.most"), min=1, metavar="N")] = 50,
        database: database_option = None,
        language: language_option = None,
    ) -> None:
        from sheepfold.terminal.hosting import show_tables

        show_tables(database, status, most, _language(language))

    @command("people", admin)
    def people(
        name: Annotated[str | None, typer.Argument(help=say("arg.person"), metavar="NAME", show_default=False)] = None,
        most: Annotated[int, typer.Option(help=say("opt.most"), min=1, metavar="N")] = 50,
        database: database_option = None,
        language: language_option = None,
    ) -> None:
        from sheepfold.terminal.hosting import show_people

        show_people(database, name and readable(name), most, _language(language))

    @command("close", admin)
    def close(
        table: Annotated[str, typer.Argument(help=say("arg.table"), metavar="TABLE", show_default=False)],
        reason: Annotated[str, typer.Option(help=say("opt.reason"), metavar="TEXT", show_default=False)] = "",
        database: database_option = None,
        language: language_option = None,
    ) -> None:
        from sheepfold.terminal.hosting import close_table

        close_table(database, table, readable(reason), _language(language))

    @command("limits", admin)
    def limits(
        wishes: Annotated[list[str], typer.Argument(help=say("arg.limits"), metavar="[NAME=VALUE]…", show_default=False)] = [],  # noqa: B006
        database: database_option = None,
        language: language_option = None,
    ) -> None:
        from sheepfold.terminal.hosting import change_limits

        change_limits(database, wishes, _language(language))

    @command("erase", admin)
    def erase(
        table: Annotated[str | None, typer.Argument(help=say("arg.table"), metavar="TABLE", show_default=False)] = None,
        person: Annotated[str | None, typer.Option(help=say("opt.person"), metavar="NUMBER", show_default=False)] = None,
        database: database_option = None,
        language: language_option = None,
    ) -> None:
        from sheepfold.terminal.hosting import erase_person, erase_table

        if (table is None) == (person is None):
            raise typer.BadParameter(say("admin.erase.what"))
        if table is not None:
            erase_table(database, table, _language(language))
        elif person is not None:
            erase_person(database, readable(person), _language(language))

    @command("tidy", admin)
    def tidy(
        finished: Annotated[float, typer.Option(help=say("opt.finished"), min=0, metavar="DAYS")] = 365,
        abandoned: Annotated[float, typer.Option(help=say("opt.abandoned"), min=0, metavar="DAYS")] = 60,
        database: database_option = None,
        language: language_option = None,
    ) -> None:
        from sheepfold.terminal.hosting import tidy_up

        tidy_up(database, finished, abandoned, _language(language))

    @command("ratings", admin)
    def ratings(database: database_option = None, language: language_option = None) -> None:
        from sheepfold.terminal.hosting import count_ratings

        count_ratings(database, _language(language))

    @command("audit", admin)
    def audit(
        most: Annotated[int, typer.Option(help=say("opt.most"), min=1, metavar="N")] = 50,
        database: database_option = None,
        language: language_option = None,
    ) -> None:
        from sheepfold.terminal.hosting import show_audit

        show_audit(database, most, _language(language))

    @command("simulate")
    def simulate(
        game: game_argument,
        count: Annotated[int, typer.Option("-n", "--games", help=say("opt.n"), min=1, metavar="N")] = 1000,
        seats: seats_option = None,
        bots: Annotated[list[str], typer.Option("--bots", help=say("opt.bots"), metavar="A,B,…", show_default=False)] = [],  # noqa: B006
        option: option_option = [],  # noqa: B006
        components: components_option = None,
        seed: seed_option = None,
        workers: Annotated[int, typer.Option(help=say("opt.workers"), min=1, metavar="W")] = 1,
        json: Annotated[Path | None, typer.Option(help=say("opt.json"), metavar="FILE", show_default=False)] = None,
        dataset: Annotated[Path | None, typer.Option(help=say("opt.dataset"), metavar="PATH", show_default=False)] = None,
        ray: Annotated[str | None, typer.Option(help=say("opt.ray"), metavar="ADDRESS", show_default=False)] = None,
        check: Annotated[bool, typer.Option("--check", help=say("opt.check"))] = False,
        language: language_option = None,
    ) -> int:
        from sheepfold.terminal.listings import simulation
        from sheepfold.terminal.seating import setup_from

        setup = setup_from(game, seats, components, parsed_options(option))
        return simulation(setup, count, parsed_list(bots), seed, workers, json, check, _language(language), dataset, ray)

    @command("arena")
    def arena(
        game: game_argument,
        bots: Annotated[list[str], typer.Option("--bots", help=say("opt.arena-bots"), metavar="A,B,…")] = ["lamb,ewe,ram"],  # noqa: B006
        count: Annotated[int, typer.Option("-n", "--games", help=say("opt.n"), min=1, metavar="N")] = 100,
        seats: seats_option = None,
        alone: Annotated[bool, typer.Option("--alone", help=say("opt.alone"))] = False,
        option: option_option = [],  # noqa: B006
        components: components_option = None,
        seed: Annotated[str, typer.Option(help=say("opt.seed"), metavar="S")] = "1",
        workers: Annotated[int, typer.Option(help=say("opt.workers"), min=1, metavar="W")] = 1,
        ray: Annotated[str | None, typer.Option(help=say("opt.ray"), metavar="ADDRESS", show_default=False)] = None,
        out: Annotated[Path | None, typer.Option(help=say("opt.out"), metavar="DIR", show_default=False)] = None,
        language: language_option = None,
    ) -> int:
        from sheepfold.terminal.arena import arena

        options = parsed_options(option)
        return arena(game, parsed_list(bots), count, seats, options, components, alone, seed, workers, ray, out, _language(language))

    @command("benchmark")
    def benchmark(
        agent: Annotated[str | None, typer.Option(help=say("opt.agent"), metavar="BOT", show_default=False)] = None,
        name: Annotated[str | None, typer.Option(help=say("opt.agent-name"), metavar="NAME", show_default=False)] = None,
        task: Annotated[list[str], typer.Option("--task", help=say("opt.task"), metavar="A,B,…", show_default=False)] = [],  # noqa: B006
        count: Annotated[int | None, typer.Option("-n", "--games", help=say("opt.task-n"), min=1, metavar="N", show_default=False)] = None,
        board: Annotated[Path | None, typer.Option(help=say("opt.board"), metavar="FILE", show_default=False)] = None,
        folder: Annotated[Path | None, typer.Option(help=say("opt.out"), metavar="DIR", show_default=False)] = None,
        workers: Annotated[int, typer.Option(help=say("opt.workers"), min=1, metavar="W")] = 1,
        ray: Annotated[str | None, typer.Option(help=say("opt.ray"), metavar="ADDRESS", show_default=False)] = None,
        language: language_option = None,
    ) -> int:
        from sheepfold.terminal.benchmark import benchmark

        return benchmark(agent, name, parsed_list(task), count, board, folder, workers, ray, _language(language))

    @command("report")
    def report(
        what: Annotated[str, typer.Argument(help=say("arg.report"), metavar="GAME|FILE", show_default=False)],
        out: Annotated[Path, typer.Option(help=say("opt.report-out"), metavar="FILE")] = Path("report.html"),
        count: Annotated[int, typer.Option("-n", "--games", help=say("opt.n"), min=2, metavar="N")] = 200,
        bots: Annotated[list[str], typer.Option("--bots", "--bot", help=say("opt.report-bots"), metavar="A,B,…")] = ["bellwether-1"],  # noqa: B006
        ladder: Annotated[int, typer.Option(help=say("opt.ladder"), min=0, metavar="N")] = 0,
        changes: Annotated[bool, typer.Option(help=say("opt.changes"))] = False,
        seats: seats_option = None,
        option: option_option = [],  # noqa: B006
        components: components_option = None,
        seed: Annotated[str, typer.Option(help=say("opt.seed"), metavar="S")] = "1",
        workers: Annotated[int, typer.Option(help=say("opt.workers"), min=1, metavar="W")] = 1,
        ray: Annotated[str | None, typer.Option(help=say("opt.ray"), metavar="ADDRESS", show_default=False)] = None,
        language: language_option = None,
    ) -> int:
        from sheepfold.terminal.arena import report

        options = parsed_options(option)
        spoken = _language(language)
        return report(what, out, count, parsed_list(bots), ladder, changes, seats, options, components, seed, workers, spoken, ray)

    @command("compare")
    def compare(
        game: game_argument,
        a: Annotated[str, typer.Option("--a", help=say("opt.side"), metavar="SIDE", show_default=False)] = "",
        b: Annotated[str, typer.Option("--b", help=say("opt.side"), metavar="SIDE", show_default=False)] = "",
        count: Annotated[int, typer.Option("-n", "--games", help=say("opt.pairs"), min=1, metavar="N")] = 10_000,
        seats: seats_option = None,
        bots: Annotated[list[str], typer.Option("--bots", help=say("opt.compare-bots"), metavar="A,B,…")] = ["glance"],  # noqa: B006
        option: option_option = [],  # noqa: B006
        components: components_option = None,
        seed: Annotated[str, typer.Option(help=say("opt.seed"), metavar="S")] = "1",
        best: Annotated[str, typer.Option(help=say("opt.best"), metavar="BOT")] = "ram",
        skill: Annotated[int | None, typer.Option(help=say("opt.skill"), min=0, metavar="N", show_default=False)] = None,
        workers: Annotated[int | None, typer.Option(help=say("opt.all-workers"), min=1, metavar="W", show_default=False)] = None,
        ray: Annotated[str | None, typer.Option(help=say("opt.ray"), metavar="ADDRESS", show_default=False)] = None,
        out: Annotated[Path | None, typer.Option(help=say("opt.compare-out"), metavar="DIR", show_default=False)] = None,
        json: Annotated[Path | None, typer.Option(help=say("opt.json"), metavar="FILE", show_default=False)] = None,
        language: language_option = None,
    ) -> int:
        from sheepfold.terminal.compare import comparison

        return comparison(
            game, readable(a), readable(b), count, seats, parsed_list(bots), parsed_options(option), components, seed, best, skill,
            workers, ray, out, json, _language(language),
        )  # fmt: skip

    @command("tune")
    def tune(
        game: game_argument,
        goal: Annotated[list[str], typer.Option("--goal", help=say("opt.goal"), metavar="GOAL", show_default=False)],
        vary: Annotated[list[str], typer.Option("--vary", help=say("opt.vary"), metavar="RANGE", show_default=False)],
        tries: Annotated[int, typer.Option(help=say("opt.tries"), min=1, metavar="N")] = 40,
        count: Annotated[int, typer.Option("-n", "--games", help=say("opt.tune-n"), min=1, metavar="N")] = 400,
        fresh: Annotated[int, typer.Option(help=say("opt.fresh"), min=1, metavar="N")] = 2000,
        seats: seats_option = None,
        bots: Annotated[list[str], typer.Option("--bots", help=say("opt.compare-bots"), metavar="A,B,…")] = ["glance"],  # noqa: B006
        option: option_option = [],  # noqa: B006
        components: components_option = None,
        seed: Annotated[str, typer.Option(help=say("opt.seed"), metavar="S")] = "1",
        best: Annotated[str, typer.Option(help=say("opt.best"), metavar="BOT")] = "ram",
        workers: Annotated[int | None, typer.Option(help=say("opt.all-workers"), min=1, metavar="W", show_default=False)] = None,
        ray: Annotated[str | None, typer.Option(help=say("opt.ray"), metavar="ADDRESS", show_default=False)] = None,
        out: Annotated[Path, typer.Option(help=say("opt.out"), metavar="DIR")] = Path("tuned"),
        language: language_option = None,
    ) -> int:
        from sheepfold.terminal.seating import setup_from
        from sheepfold.terminal.tune import tuned
        from sheepfold.tune.study import Plan

        setup = setup_from(game, seats, components, parsed_options(option))
        plan = Plan(
            setup.game.name, setup.seats, tuple(goal), tuple(map(readable, vary)), parsed_options(option), components,
            tuple(parsed_list(bots)), best, count, seed,
        )  # fmt: skip
        return tuned(plan, out, tries, fresh, workers, ray, _language(language))

    @command("train")
    def train(
        game: game_argument,
        seats: seats_option = None,
        hours: Annotated[float, typer.Option(help=say("opt.hours"), min=0, metavar="H")] = 2.0,
        folder: Annotated[Path, typer.Option(help=say("opt.train-folder"), metavar="DIR")] = Path("training"),
        out: Annotated[Path | None, typer.Option(help=say("opt.train-out"), metavar="FILE", show_default=False)] = None,
        games: Annotated[
            int | None, typer.Option("-n", "--games", help=say("opt.round-games"), min=1, metavar="N", show_default=False)
        ] = None,
        looks: Annotated[bool, typer.Option("--looks", help=say("opt.looks"))] = False,
        beat: Annotated[str, typer.Option(help=say("opt.beat"), metavar="BOT", show_default=False)] = "",
        option: option_option = [],  # noqa: B006
        workers: Annotated[int, typer.Option(help=say("opt.workers"), min=1, metavar="W")] = 1,
        ray: Annotated[str | None, typer.Option(help=say("opt.ray"), metavar="ADDRESS", show_default=False)] = None,
        language: language_option = None,
    ) -> int:
        from sheepfold.terminal.training import train

        return train(game, seats, parsed_options(option), hours, folder, out, games, looks, beat, workers, ray, _language(language))

    @command("replay")
    def replay(
        file: file_argument,
        to: Annotated[int | None, typer.Option("--to", help=say("opt.to"), min=0, metavar="PLY", show_default=False)] = None,
        seat: Annotated[int | None, typer.Option(help=say("opt.seat"), min=1, metavar="N", show_default=False)] = None,
        step: Annotated[bool, typer.Option("--step", help=say("opt.step"))] = False,
        components: components_option = None,
        language: language_option = None,
    ) -> int:
        from sheepfold.terminal.replay import replay

        return replay(file, to, seat, step, components, _language(language))

    @command("count")
    def count(
        game: game_argument,
        depth: Annotated[int, typer.Option(help=say("opt.depth"), min=0, metavar="D", show_default=False)],
        seats: seats_option = None,
        breakdown: Annotated[bool, typer.Option("--breakdown", help=say("opt.breakdown"))] = False,
        option: option_option = [],  # noqa: B006
        components: components_option = None,
        language: language_option = None,
    ) -> None:
        from sheepfold.terminal.listings import counted
        from sheepfold.terminal.seating import setup_from

        counted(setup_from(game, seats, components, parsed_options(option)), depth, breakdown, _language(language))

    @command("new-game")
    def new_game(
        name: Annotated[str, typer.Argument(help=say("arg.new-game"), metavar="NAME", show_default=False)],
        language: language_option = None,
    ) -> None:
        from sheepfold.terminal.new_game import new_game

        new_game(name, _language(language))

    @command("bench")
    def bench(
        games: Annotated[list[str], typer.Argument(help=say("arg.games"), metavar="GAME...", show_default=False)] = [],  # noqa: B006
        seconds: Annotated[float, typer.Option(help=say("opt.seconds"), min=0.01, metavar="S")] = 2.0,
        json: Annotated[Path | None, typer.Option(help=say("opt.json"), metavar="FILE", show_default=False)] = None,
        language: language_option = None,
    ) -> None:
        from sheepfold.terminal.listings import benchmark

        benchmark(games, seconds, json, _language(language))

    return app


def _language(given: str | None) -> str:
    return given or chosen_language(sys.argv[1:])


def _version(asked: bool) -> None:
    if asked:
        import sheepfold

        say = terminal_voice(chosen_language(sys.argv[1:])).say
        print(f"sheepfold {sheepfold.__version__} ({say('compiled' if sheepfold.compiled() else 'interpreted')})")
        raise typer.Exit
