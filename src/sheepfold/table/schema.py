"""Schema: the tables of the database, and how a database that an earlier version wrote becomes one of today.

A new database is made as it stands here and marked with the latest migration. An older one goes through those that it lacks
(`migrations/versions`); what is newer than this program, or is no database of ours, is refused before anything is served.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
    inspect,
    select,
    text,
)
from sqlalchemy.engine import Engine

from sheepfold.core.errors import SheepfoldError

metadata = MetaData()
tables = Table(
    "tables", metadata,
    Column("id", String(32), primary_key=True),
    Column("game", String(40), nullable=False),
    Column("seats", Integer, nullable=False),
    Column("options", Text, nullable=False),
    Column("settings", Text, nullable=False),
    Column("components", String(32), nullable=False),
    Column("status", String(12), nullable=False),
    Column("created", Float, nullable=False),
    Column("touched", Float, nullable=False),
    Column("revision", Integer, nullable=False, server_default="0"),
    Column("undos", Integer, nullable=False, server_default="0"),
    Column("asides", Integer, nullable=False, server_default="0"),
    Column("since", Float, nullable=False, server_default="0"),
    Column("turn", Integer),
    Column("used", Text),
    Column("writer", String(32), nullable=False, server_default=""),
    Column("due", Float),
    Column("secret", String(64), nullable=False, server_default=""),
    Column("rules", Integer, nullable=False, server_default="1"),
    Index("tables_by_status", "status", "touched"),
    Index("tables_by_due", "due"),
    Index("tables_by_since", "since"),
)  # fmt: skip
"""`revision` grows with every change that is stored, and a change is stored only if it is still the one that its writer knew. `since` is
when the present decision began, for clocks; `turn` is the seat of the person whom it waits for, if it is one, and `used` what each
seat has used up of its time, where that is for the whole game. `writer` is the server that
changed the table last; bots and clocks there are its business until `due`, by the database's own clock. `undos` is how often something was
taken back: where it is the same, the log has only grown. `asides` is how often something else was stored than events: where it is the same,
nobody has sat down or spoken. `rules` is the version of the game's rules and actions that the log is written in (`Game.rules_version`)."""
component_files = Table(
    "component_files", metadata,
    Column("digest", String(32), primary_key=True),
    Column("text", Text, nullable=False),
)  # fmt: skip
"""What was printed on the pieces of games that were begun here, by its digest: they go on with it, whatever is printed today."""
seats = Table(
    "seats", metadata,
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("kind", String(8), nullable=False),
    Column("name", String(60), nullable=False),
    Column("token", String(64), nullable=False),
    Column("level", String(20), nullable=False),
)  # fmt: skip
events = Table(
    "events", metadata,
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("ply", Integer, primary_key=True),
    Column("who", Integer, nullable=False),
    Column("action", Integer, nullable=False),
    Column("interrupt", Boolean, nullable=False),
    Column("at", Float, nullable=False),
    sqlite_with_rowid=False,
)  # fmt: skip
results = Table(
    "results", metadata,
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("score", Integer, nullable=False),
    Column("rank", Integer, nullable=False),
)  # fmt: skip
"""How games have ended."""
chat = Table(
    "chat", metadata,
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("who", String(60), nullable=False),
    Column("text", Text, nullable=False),
    Column("at", Float, nullable=False),
    Column("person", String(32), nullable=False, server_default=""),
    Index("chat_by_person", "person"),
)  # fmt: skip
"""`person` is who said it, where that is known. A line without a text was removed by a host."""
uploads = Table(
    "uploads", metadata,
    Column("id", String(32), primary_key=True),
    Column("record", Text, nullable=False),
    Column("at", Float, nullable=False),
    Index("uploads_by_age", "at"),
)  # fmt: skip
analyses = Table(
    "analyses", metadata,
    Column("id", String(32), primary_key=True),
    Column("digest", String(16), nullable=False),
    Column("state", String(8), nullable=False),
    Column("plies", Text, nullable=False),
    Column("at", Float, nullable=False),
    Column("client", String(64), nullable=False, server_default=""),
    Column("writer", String(32), nullable=False, server_default=""),
    Column("due", Float),
    Column("person", String(32), nullable=False, server_default=""),
)  # fmt: skip
"""`client` is who waits for it, `person` too, where that is known. `writer` is the server that looks at its next decision, until `due`."""
findings = Table(
    "findings", metadata,
    Column("id", String(32), primary_key=True),
    Column("ply", Integer, primary_key=True),
    Column("found", Text, nullable=False),
)  # fmt: skip
limits = Table(
    "limits", metadata,
    Column("name", String(40), primary_key=True),
    Column("value", Float, nullable=False),
)  # fmt: skip
"""Those that a host has set for all servers (`admin limits`)."""
audit = Table(
    "audit", metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("at", Float, nullable=False),
    Column("who", String(60), nullable=False),
    Column("what", Text, nullable=False),
)  # fmt: skip
"""What hosts did (`admin`)."""
servers = Table(
    "servers", metadata,
    Column("name", String(32), primary_key=True),
    Column("seen", Float, nullable=False),
    Column("figures", Text, nullable=False),
)  # fmt: skip
"""The servers that work here, and what each has counted; seen by the database's clock."""

# People (docs/privacy.md says what is kept of them, and why).
keys = Table(
    "keys", metadata,
    Column("name", String(20), primary_key=True),
    Column("value", Text, nullable=False),
)  # fmt: skip
"""What the servers of a database sign with; made when it is first needed."""
devices = Table(
    "devices", metadata,
    Column("id", String(32), primary_key=True),
    Column("person", String(32), nullable=False),
    Column("at", Float, nullable=False),
    Index("devices_by_person", "person"),
)  # fmt: skip
"""Whose a device is, where one person has several. A device that is not here is a person by itself, of the same name."""
places = Table(
    "places", metadata,
    Column("person", String(32), primary_key=True),
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("token", String(64), nullable=False),
    Column("visited", Float, nullable=False),
    Column("told", Float, nullable=False, server_default="0"),
    Column("hidden", Boolean, nullable=False, server_default=false()),
    Column("muted", Boolean, nullable=False, server_default=false()),
    Index("places_by_table", "table_id"),
)  # fmt: skip
"""Where people sit: theirs are the seats that have that token. `visited` is when they last looked at the table, `told` when they were last
told that it waits for them; with `muted` they want no notices from there."""
carries = Table(
    "carries", metadata,
    Column("code", String(64), primary_key=True),
    Column("person", String(32), nullable=False),
    Column("due", Float, nullable=False),
)  # fmt: skip
"""Links that make another device one's own: a digest of each, and until when it can be used, once."""
people = Table(
    "people", metadata,
    Column("id", String(32), primary_key=True),
    Column("zone", String(60), nullable=False, server_default=""),
    Column("quiet_from", Integer),
    Column("quiet_until", Integer),
)  # fmt: skip
"""Who wants quiet hours: from and until which minute of the day, and where on Earth that is."""
subscriptions = Table(
    "subscriptions", metadata,
    Column("id", String(64), primary_key=True),
    Column("person", String(32), nullable=False),
    Column("device", String(32), nullable=False),
    Column("endpoint", Text, nullable=False),
    Column("p256dh", String(100), nullable=False),
    Column("auth", String(40), nullable=False),
    Column("language", String(8), nullable=False),
    Column("origin", String(200), nullable=False),
    Index("subscriptions_by_person", "person"),
)  # fmt: skip
"""Browsers that are told by their makers' push services; `origin` is the address of this server as that browser knows it."""
hooks = Table(
    "hooks", metadata,
    Column("id", String(32), primary_key=True),
    Column("person", String(32), nullable=False),
    Column("table_id", String(32), ForeignKey("tables.id")),
    Column("url", Text, nullable=False),
    Column("format", String(8), nullable=False),
    Column("secret", String(64), nullable=False),
    Column("language", String(8), nullable=False),
    Column("origin", String(200), nullable=False),
    Index("hooks_by_person", "person"),
    Index("hooks_by_table", "table_id"),
)  # fmt: skip
"""Addresses that are told: of all that waits for a person, or of everybody's turn at one table, wished for by that person."""
notices = Table(
    "notices", metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("kind", String(8), nullable=False),
    Column("person", String(32), nullable=False),
    Column("table_id", String(32), nullable=False),
    Column("target", String(64), nullable=False),
    Column("since", Float, nullable=False),
    Column("due", Float, nullable=False),
    Column("tries", Integer, nullable=False, server_default="0"),
    Index("notices_by_due", "due"),
    UniqueConstraint("target", "person", "table_id", "kind", "since", name="one_notice"),
)  # fmt: skip
"""What is to be sent: of which decision (`since`), to which browser or address, and when. Who sends one puts off `due` first."""
intents = Table(
    "intents", metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("table_id", String(32), ForeignKey("tables.id"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("token", String(64), nullable=False),
    Column("ply", Integer, nullable=False),
    Column("undos", Integer, nullable=False),
    Column("line", Text, nullable=False),
    Column("standing", String(40), nullable=False),
    Column("looked", Integer, nullable=False),
    Column("due", Float),
    Column("due_ply", Integer),
    Column("gone", Boolean, nullable=False, server_default=false()),
    Index("intents_by_table", "table_id"),
)  # fmt: skip
"""What people mean to do before they are asked: set by who showed that token, at that ply and number of `undos`. `looked` is the revision
at which it was last looked at, `due` when it is done, at that ply; what is `gone` cannot be any more."""
puzzles = Table(
    "puzzles", metadata,
    Column("person", String(32), primary_key=True),
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("ply", Integer, primary_key=True),
    Column("solved", Boolean, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("at", Float, nullable=False),
)  # fmt: skip
"""Decisions of their own games that people have tried to make better."""

# Ratings and profiles. What is counted stays when a table is erased: numbers that say who was before whom.
profiles = Table(
    "profiles", metadata,
    Column("id", String(32), primary_key=True),
    Column("person", String(32), nullable=False, unique=True),
    Column("name", String(60), nullable=False),
    Column("shown", Boolean, nullable=False),
    Column("at", Float, nullable=False),
)  # fmt: skip
"""Who plays rated games, or wants a page of their own: the number by which all may know them, and what they last called themselves."""
rated_games = Table(
    "rated_games", metadata,
    Column("table_id", String(32), primary_key=True),
    Column("game", String(40), nullable=False),
    Column("ended", Float, nullable=False),
    Index("rated_games_by_end", "game", "ended"),
)  # fmt: skip
"""Games whose result counts, in the order in which they ended."""
rated_seats = Table(
    "rated_seats", metadata,
    Column("table_id", String(32), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("player", String(32), nullable=False),
    Column("rank", Integer),
    Column("mu", Float),
    Column("sigma", Float),
    Index("rated_seats_by_player", "player"),
)  # fmt: skip
"""Who plays a rated game where: a profile's id, noted when they have come, or a bot's level. When it is over the rank that counts, and what
the player's rating was after it."""
ratings = Table(
    "ratings", metadata,
    Column("game", String(40), primary_key=True),
    Column("player", String(32), primary_key=True),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("games", Integer, nullable=False),
    Index("ratings_by_strength", "game", "mu"),
)  # fmt: skip
"""What is known of each player of each game, from the rated games alone."""
rating_cursors = Table(
    "rating_cursors", metadata,
    Column("game", String(40), primary_key=True),
    Column("version", Integer, nullable=False),
    Column("ended", Float, nullable=False),
    Column("table_id", String(32), nullable=False),
    Column("again", Float),
)  # fmt: skip
"""Up to which game the ratings of each game are counted; and from when on they are to be counted again, if so. What is counted is stored
only if the version is still the one that its counter knew."""


# Manners: what people report, and what hosts do about it.
reports = Table(
    "reports", metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("table_id", String(32), ForeignKey("tables.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("person", String(32), nullable=False),
    Column("text", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("at", Float, nullable=False),
    Column("settled", Float),
    Index("reports_by_person", "person"),
    UniqueConstraint("table_id", "number", "person", name="one_report"),
)  # fmt: skip
"""A line of chat that a person wants a host to look at. When one has, only that fact is kept (`settled`): so nobody reports it again."""
silences = Table(
    "silences", metadata,
    Column("person", String(32), primary_key=True),
    Column("at", Float, nullable=False),
    Column("until", Float),
)  # fmt: skip
"""Who may say nothing in chat, until when; without a time for good."""

# Accounts: a person who wants to be found again without any of their devices.
passkeys = Table(
    "passkeys", metadata,
    Column("id", String(64), primary_key=True),
    Column("person", String(32), nullable=False),
    Column("handle", String(32), nullable=False),
    Column("credential", Text, nullable=False),
    Column("public_key", Text, nullable=False),
    Column("count", BigInteger, nullable=False),
    Column("name", String(60), nullable=False, server_default=""),
    Column("at", Float, nullable=False),
    Column("used", Float, nullable=False),
    Index("passkeys_by_person", "person"),
)  # fmt: skip
"""Passkeys, by a digest of what their authenticator calls them (`credential`). `handle` is the random number by which it knows the person,
`count` how often it says that it has signed, `used` when it last did so here."""
recoveries = Table(
    "recoveries", metadata,
    Column("person", String(32), primary_key=True),
    Column("code", String(64), nullable=False),
    Column("at", Float, nullable=False),
    Index("recoveries_by_code", "code", unique=True),
)  # fmt: skip
"""Codes on paper for who has lost all devices: a digest of each, and when it was made."""
challenges = Table(
    "challenges", metadata,
    Column("challenge", String(64), primary_key=True),
    Column("device", String(32), nullable=False),
    Column("handle", String(32), nullable=False),
    Column("due", Float, nullable=False),
    Index("challenges_by_due", "due"),
)  # fmt: skip
"""What a passkey has to sign, once and soon, on the device that asked; `handle` is whom a new one is for, nobody's where one is shown."""

# Tournaments.
tournaments = Table(
    "tournaments", metadata,
    Column("id", String(32), primary_key=True),
    Column("name", String(60), nullable=False),
    Column("game", String(40), nullable=False),
    Column("settings", Text, nullable=False),
    Column("organiser", String(32)),
    Column("state", String(12), nullable=False),
    Column("round", Integer, nullable=False, server_default="0"),
    Column("revision", Integer, nullable=False, server_default="0"),
    Column("created", Float, nullable=False),
    Column("since", Float, nullable=False),
    Column("starts", Float),
    Column("writer", String(32), nullable=False, server_default=""),
    Column("due", Float),
    Index("tournaments_by_state", "state", "since"),
    Index("tournaments_by_organiser", "organiser"),
)  # fmt: skip
"""`state` is announced, running, over or off; `round` the one that is played, from 1. `revision` grows with every change that somebody
could see, and a round is stored only if it is still the one that it was paired from. `starts` is when it begins by itself, `since` when
its state or round has changed last. `writer` is the server that goes on with it, until `due`."""
entrants = Table(
    "entrants", metadata,
    Column("tournament_id", String(32), ForeignKey("tournaments.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("person", String(32)),
    Column("name", String(60), nullable=False),
    Column("level", String(20), nullable=False, server_default=""),
    Column("left_in", Integer),
    Index("entrants_by_person", "person"),
)  # fmt: skip
"""Who takes part: a person, or a bot of a level. `left_in` is the round in which they have left, and are paired no more."""
pairings = Table(
    "pairings", metadata,
    Column("tournament_id", String(32), ForeignKey("tournaments.id"), primary_key=True),
    Column("round", Integer, primary_key=True),
    Column("entrant", Integer, primary_key=True),
    Column("board", Integer),
    Column("seat", Integer, nullable=False, server_default="0"),
    Column("table_id", String(32)),
    Column("rank", Integer),
    Column("score", Integer),
    Index("pairings_by_table", "table_id"),
)  # fmt: skip
"""Who sat where in which round, and how that ended. Without a `board` it was a bye. `table_id` is stored together with the
table, after the pairing; a table may have been erased since."""

FIRST, LATEST = "0001", "0009"
"""The migrations that made the database of version 0.1, which has no mark, and today's."""
MARK = Table("alembic_version", MetaData(), Column("version_num", String(32), primary_key=True))
_LOCK = 0x5EE9F01D
"""Of PostgreSQL, so that servers that start together do not all do it."""


class WrongDatabase(SheepfoldError):
    """The database is newer than this program, or something else."""


def prepare(engine: Engine) -> None:
    """Make the database one of today: from nothing, or from what an earlier version wrote. All of it or nothing."""
    with engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
        found = mark(connection)
        if found == LATEST:
            return
        if engine.dialect.name == "sqlite":
            connection.exec_driver_sql("BEGIN IMMEDIATE")  # else Python's driver commits each of these statements by itself
            found = mark(connection)
        if found is None:
            metadata.create_all(connection)
            MARK.create(connection)
            connection.execute(MARK.insert().values(version_num=LATEST))
        else:
            from sheepfold.table.migrations import upgrade

            upgrade(connection, found)


def mark(connection: Connection) -> str | None:
    """The migration that a database has come to; None for an empty one."""
    names = set(inspect(connection).get_table_names())
    if MARK.name in names:
        found = connection.execute(select(MARK.c.version_num)).scalar()
        if found is not None and not FIRST <= found <= LATEST:
            raise WrongDatabase(
                f"the database was written by a newer version of Sheepfold (schema {found}; this one knows {LATEST}): "
                "install that version again, or restore a backup that was made before it"
            )
        return found
    if not names:
        return None
    if missing := {"tables", "seats", "events", "chat"} - names:
        raise WrongDatabase(f"this database is not one of Sheepfold's: it has tables, but no {', '.join(sorted(missing))}")
    return FIRST
