"""Who has gone away is told that it is their turn: once a table, at the right time, with nothing of the game in it; and no move waits."""

from __future__ import annotations

import asyncio
import hmac
import json
import time
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from receiver import Receiver, receiving
from sqlalchemy import select, update
from sqlalchemy.exc import SQLAlchemyError
from tables_helper import QuickTables, a_move, in_a_loop, people, sqlite_at

from sheepfold.messages import Voice
from sheepfold.people import notices as notices_module
from sheepfold.people.identity import Identity
from sheepfold.people.my_games import Places
from sheepfold.people.notices import TRIES, Notices
from sheepfold.people.post import Answer, NoAddress, checked, post
from sheepfold.people.push import Browser, NoSubscription
from sheepfold.people.ways import Nowhere, Quiet, TooMany, Ways, transaction
from sheepfold.table.schema import notices as notice_rows
from sheepfold.table.schema import places, subscriptions
from sheepfold.table.store import Store
from sheepfold.table.table import Table
from sheepfold.web.language import WORDS


class Place:
    """A server with two people at a table, who have gone, and who are told at a receiver."""

    def __init__(self, url: str, receiver: Receiver) -> None:
        self.house = QuickTables(Store(url), 0.0)
        self.receiver = receiver
        self.identity, self.here, self.ways = Identity(self.house.store), Places(self.house.store), Ways(self.house.store)
        self.notices = Notices(self.house, lambda language: Voice([WORDS], language), anywhere=True)
        self.devices = [self.identity.new_device(), self.identity.new_device()]

    async def begin(self, game: str = "haste-bock", **settings: object) -> Table:
        """A table that both have visited and left."""
        table = await self.house.create(game, people("Anna", "Ben"), {}, settings)
        for seat in range(2):
            await self.visit(table, seat)
        return table

    async def visit(self, table: Table, seat: int) -> None:
        await asyncio.wrap_future(self.here.visit(self.devices[seat], table, table.seats[seat].token))

    async def subscribe(self, seat: int, name: str = "", language: str = "en") -> None:
        await self.ways.subscribe(self.devices[seat], self.receiver.browser(name or f"phone-{seat}"), language, "https://sheep.example.org")

    async def turn(self, table: Table) -> int:
        """Play until it is somebody else's turn; whose."""
        mover = int(table.position.to_act)
        while int(table.position.to_act) == mover:
            await self.house.move(table.id, *a_move(table))
        return int(table.position.to_act)

    async def go_round(self) -> int:
        """All that a server does every second; how much has been heard since."""
        before = len(self.receiver.heard)
        await self.notices.note_presence()
        await self.notices.find()
        await self.notices.send()
        await asyncio.gather(*self.notices._tasks)
        await self.notices.send()
        return len(self.receiver.heard) - before

    async def all_due(self) -> None:
        """What is to be sent later is due now."""
        soon = update(notice_rows).values(due=time.time() - 1)
        await asyncio.wrap_future(self.house.store.write(lambda connection: connection.execute(soon) and None))

    def waiting(self) -> list[tuple[str, float, int]]:
        with self.house.store.engine.connect() as connection:
            return [tuple(row) for row in connection.execute(select(notice_rows.c.kind, notice_rows.c.due, notice_rows.c.tries))]


Work = Callable[[Place], Awaitable[None]]


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def at_place(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Work], None]:
    monkeypatch.setattr(notices_module, "GRACE", 0.0)
    url = sqlite_at(tmp_path / "tables.db") if request.param == "sqlite" else request.getfixturevalue("postgres")

    def run(work: Work) -> None:
        async def whole() -> None:
            async with receiving() as receiver:
                place = Place(url, receiver)
                try:
                    await asyncio.wait_for(work(place), 60)
                finally:
                    await place.notices.close()
                    await place.house.close()

        in_a_loop(whole())

    return run


def test_one_notice_until_the_table_is_visited(at_place: Callable[[Work], None]) -> None:
    async def work(place: Place) -> None:
        table = await place.begin()
        for seat in range(2):
            await place.subscribe(seat)
        assert await place.go_round() == 0, "nobody is told of what was there when they left"
        seat = await place.turn(table)
        assert await place.go_round() == 1
        told = place.receiver.unsealed()
        assert place.receiver.heard[-1][0] == f"/push/phone-{seat}"
        assert told == {
            "kind": "turn", "table": table.id, "game": "haste-bock", "title": "Haste Bock?", "name": ("Anna", "Ben")[seat],
            "text": "It is your turn.", "address": f"/t/{table.id}", "url": f"https://sheep.example.org/t/{table.id}",
            "since": told["since"],
        }  # fmt: skip
        assert place.receiver.heard[-1][1]["topic"] == table.id
        assert await place.go_round() == 0, "once"
        other = await place.turn(table)
        assert await place.go_round() == 1 and place.receiver.heard[-1][0] == f"/push/phone-{other}"
        assert await place.turn(table) == seat
        assert await place.go_round() == 0, "they know that it waits for them, and were not there since"
        await place.visit(table, seat)
        assert await place.go_round() == 0, "they have seen that it is their turn"
        await place.turn(table)
        await place.go_round()
        assert await place.turn(table) == seat
        assert await place.go_round() == 1

    at_place(work)


def test_who_looks_is_not_told(at_place: Callable[[Work], None]) -> None:
    async def work(place: Place) -> None:
        table = await place.begin()
        for seat in range(2):
            await place.subscribe(seat)
        pairs = [(place.devices[0], table.id), (place.devices[0], "elsewhere"), ("nobody", table.id)]
        assert place.ways.any_for(pairs) == {pairs[0]}
        with place.notices.presence.looking(place.devices[0], table.id), place.notices.presence.looking(place.devices[1], table.id):
            for _ in range(3):
                await place.turn(table)
                assert await place.go_round() == 0
        presence = place.notices.presence
        assert not presence.here and not presence.seen and not presence.asked
        await place.turn(table)
        assert await place.go_round() == 1

    at_place(work)


def test_who_goes_while_it_is_noted_that_they_look_is_forgotten(at_place: Callable[[Work], None], monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(place: Place) -> None:
        table, presence = await place.begin(), place.notices.presence
        await place.subscribe(0)
        with ExitStack() as looks:
            looks.enter_context(presence.looking(place.devices[0], table.id))

            async def meanwhile(*noted: Any) -> Any:
                looks.close()
                return await transaction(*noted)

            monkeypatch.setattr(notices_module, "transaction", meanwhile)
            await place.notices.note_presence()
        assert not presence.here and not presence.seen and not presence.asked

    at_place(work)


def test_who_wants_to_be_told_while_they_look_is_not_told_of_it(at_place: Callable[[Work], None]) -> None:
    """The page is open, a turn has been noted as nobody's business, then somebody taps the bell."""

    async def work(place: Place) -> None:
        table = await place.begin()
        with place.notices.presence.looking(place.devices[0], table.id), place.notices.presence.looking(place.devices[1], table.id):
            await place.turn(table)
            assert await place.go_round() == 0
            for seat in range(2):
                await place.subscribe(seat)
                place.notices.presence.ask_again(place.devices[seat])
            for _ in range(3):
                assert await place.go_round() == 0
                await place.turn(table)
            assert await place.go_round() == 0

    at_place(work)


def test_who_asked_for_nothing_is_told_nothing(at_place: Callable[[Work], None]) -> None:
    async def work(place: Place) -> None:
        table = await place.begin()
        await place.turn(table)
        assert await place.go_round() == 0 and place.waiting() == []

    at_place(work)


def test_muted_tables_and_browsers_that_are_told_no_more(at_place: Callable[[Work], None]) -> None:
    async def work(place: Place) -> None:
        table = await place.begin()
        for seat in range(2):
            await place.subscribe(seat)
        await place.ways.mute(place.devices[0], table.id, True)
        assert await place.ways.is_muted(place.devices[0], table.id) and not await place.ways.is_muted(place.devices[1], table.id)
        while await place.turn(table) != 0:
            await place.go_round()
        before = len(place.receiver.heard)
        assert await place.go_round() == 0
        await place.ways.mute(place.devices[0], table.id, False)
        await place.turn(table)
        await place.turn(table)
        assert await place.go_round() >= 1 and len(place.receiver.heard) > before
        for seat in range(2):
            await place.ways.unsubscribe(place.devices[seat])
            assert not await place.ways.is_subscribed(place.devices[seat])
        for _ in range(2):
            await place.visit(table, 0)
            await place.visit(table, 1)
            await place.turn(table)
            assert await place.go_round() == 0

    at_place(work)


def test_what_is_no_longer_so_is_not_told(at_place: Callable[[Work], None]) -> None:
    """Written down, but visited or played on before it was sent."""

    async def work(place: Place) -> None:
        table = await place.begin()
        for seat in range(2):
            await place.subscribe(seat)
        seat = await place.turn(table)
        assert await place.notices.find() == 1
        await place.visit(table, seat)
        await place.notices.send()
        assert place.receiver.heard == [] and place.waiting() == []
        other = await place.turn(table)
        assert await place.notices.find() == 1 and other != seat
        await place.turn(table)
        await place.notices.send()
        assert place.receiver.heard == [] and [kind for kind, _, _ in place.waiting()] == []

    at_place(work)


def test_a_service_that_is_down_is_tried_again_and_again_later(at_place: Callable[[Work], None]) -> None:
    async def work(place: Place) -> None:
        table = await place.begin()
        for seat in range(2):
            await place.subscribe(seat)
        place.receiver.answers = ["503 Busy"] * 2 + ["429 Slowly\r\nRetry-After: 4000"]
        await place.turn(table)
        waits = []
        for tries in range(1, 4):
            assert await place.go_round() == 1
            ((_, due, tried),) = place.waiting()
            assert tried == tries
            waits.append(due - time.time())
            assert await place.go_round() == 0, "not at once"
            await place.all_due()
        assert 5 < waits[0] < 20 < waits[1] < 70 and waits[2] > 3900
        assert await place.go_round() == 1 and place.waiting() == []
        assert place.house.counted["notices sent"] == 1 and place.house.counted["notices that failed"] == 3

    at_place(work)


def test_a_service_that_stays_down_is_given_up(at_place: Callable[[Work], None]) -> None:
    async def work(place: Place) -> None:
        table = await place.begin()
        for seat in range(2):
            await place.subscribe(seat)
        place.receiver.answers = ["500 Oh"] * 20
        await place.turn(table)
        for _ in range(TRIES + 1):
            assert await place.go_round() == 1
            await place.all_due()
        assert place.waiting() == [] and await place.go_round() == 0
        with place.house.store.engine.connect() as connection:
            assert len(connection.execute(select(subscriptions)).all()) == 2, "the next one may be heard"

    at_place(work)


def test_a_browser_that_is_gone_is_forgotten(at_place: Callable[[Work], None]) -> None:
    async def work(place: Place) -> None:
        table = await place.begin()
        for seat in range(2):
            await place.subscribe(seat)
        place.receiver.answers = ["410 Gone"]
        seat = await place.turn(table)
        assert await place.go_round() == 1
        assert place.waiting() == [] and not await place.ways.is_subscribed(place.devices[seat])
        assert await place.ways.is_subscribed(place.devices[1 - seat])

    at_place(work)


def test_a_service_that_never_answers_holds_up_nobody(at_place: Callable[[Work], None]) -> None:
    async def work(place: Place) -> None:
        tables = [await place.begin() for _ in range(3)]
        for seat in range(2):
            await place.subscribe(seat)
        place.receiver.answers = ["silence"] * 3
        for table in tables:
            await place.turn(table)
        await place.notices.find()
        await place.notices.send()
        assert len(place.notices._sending) == 3
        began = time.monotonic()
        for table in tables:
            await place.turn(table)
        assert time.monotonic() - began < 5, "moves go on"
        async with receiving() as other:
            device = place.devices[int(tables[0].position.to_act)]
            await place.ways.add_hook(device, f"{other.url}/hook", "json", "en", "http://sheep")
            await place.notices.find()
            await place.notices.send()
            for _ in range(200):
                await asyncio.sleep(0.02)
                if other.heard:
                    break
            assert other.heard, "who can be told is told"

    at_place(work)


def test_quiet_hours(at_place: Callable[[Work], None]) -> None:
    async def work(place: Place) -> None:
        table = await place.begin()
        minute = time.gmtime().tm_hour * 60 + time.gmtime().tm_min
        for seat in range(2):
            await place.subscribe(seat)
            await place.ways.be_quiet(place.devices[seat], Quiet((minute - 60) % 1440, (minute + 60) % 1440, "UTC"))
        await place.turn(table)
        assert await place.go_round() == 0
        ((kind, due, _),) = place.waiting()
        assert kind == "turn" and 58 * 60 < due - time.time() <= 60 * 60
        await place.all_due()
        assert await place.go_round() == 1
        for seat in range(2):
            await place.ways.be_quiet(place.devices[seat], None)
            assert await place.ways.quiet(place.devices[seat]) is None

    at_place(work)


@pytest.mark.parametrize(
    ("zone", "at", "awake"),
    [
        ("UTC", "2026-11-17T21:59:00", "2026-11-17T21:59:00"),
        ("UTC", "2026-11-17T22:00:00", "2026-11-18T08:00:00"),
        ("UTC", "2026-11-18T07:59:59", "2026-11-18T08:00:00"),
        ("UTC", "2026-11-18T08:00:00", "2026-11-18T08:00:00"),
        ("Pacific/Auckland", "2026-11-17T09:30:00", "2026-11-17T19:00:00"),  # half past ten in the evening there
        ("Europe/Berlin", "2026-03-28T23:30:00", "2026-03-29T06:00:00"),  # the night that has one hour less
        ("No/Such", "2026-11-17T23:00:00", "2026-11-18T08:00:00"),
    ],
)
def test_quiet_hours_end(zone: str, at: str, awake: str) -> None:
    from datetime import datetime

    moment, wanted = (datetime.fromisoformat(f"{each}+00:00").timestamp() for each in (at, awake))
    assert Quiet(22 * 60, 8 * 60, zone).awake(moment) == wanted


def test_a_reminder_before_the_clock_runs_out(at_place: Callable[[Work], None]) -> None:
    async def work(place: Place) -> None:
        table = await place.begin(seconds=86400)
        for seat in range(2):
            await place.subscribe(seat, language="de")
        seat = await place.turn(table)
        assert await place.go_round() == 1 and place.receiver.unsealed()["text"] == "Du bist am Zug."
        ((kind, due, _),) = place.waiting()
        assert kind == "reminder" and abs(due - (table.since + 0.75 * 86400)) < 1
        await place.visit(table, seat)
        await place.all_due()
        assert await place.go_round() == 1, "who has looked, but not moved, is reminded"
        assert place.receiver.unsealed()["text"].startswith("Deine Zeit ist fast um")
        await place.turn(table)
        await place.go_round()
        before = len(place.receiver.heard)
        await place.turn(table)
        await place.all_due()
        assert [kind for kind, _, _ in place.waiting()] == ["reminder"]
        await place.notices.send()
        assert len(place.receiver.heard) == before, "who has moved is not"
        quick = await place.begin(seconds=300)
        await place.turn(quick)
        await place.go_round()
        assert all(due < time.time() + 86400 for _, due, _ in place.waiting())
        assert len(place.waiting()) <= 1, "nobody is reminded of a clock of minutes"

    at_place(work)


def test_an_address_is_called_with_a_signature(at_place: Callable[[Work], None]) -> None:
    async def work(place: Place) -> None:
        table = await place.begin()
        hooks = [
            await place.ways.add_hook(device, f"{place.receiver.url}/hook?to={seat}", "json", "en", "http://sheep")
            for seat, device in enumerate(place.devices)
        ]
        seat = await place.turn(table)
        assert await place.go_round() == 1
        path, headers, body = place.receiver.heard[-1]
        assert path == f"/hook?to={seat}" and headers["content-type"] == "application/json"
        assert json.loads(body)["url"] == f"http://sheep/t/{table.id}"
        stamp, _, signed = headers["sheepfold-signature"].partition(",v1=")
        at = stamp.removeprefix("t=")
        assert (
            signed == hmac.new(hooks[seat].secret.encode(), f"{at}.".encode() + body, sha256).hexdigest()
            and abs(int(at) - time.time()) < 60
        )
        place.receiver.answers = ["404 Not Found"]
        await place.turn(table)
        await place.go_round()
        assert len(await place.ways.hooks(place.devices[1 - seat])) == 1 and place.waiting() == [], "an address of one's own may come back"

    at_place(work)


def test_a_chat_hears_of_everybody_at_a_table(at_place: Callable[[Work], None]) -> None:
    async def work(place: Place) -> None:
        table, elsewhere = await place.begin(), await place.begin()
        hook = await place.ways.add_hook(place.devices[0], f"{place.receiver.url}/chat", "chat", "en", "http://sheep", table.id)
        assert await place.ways.hooks(place.devices[0]) == [] and await place.ways.hooks(place.devices[0], table.id) == [hook]
        for _ in range(2):
            seat = await place.turn(table)
            await place.turn(elsewhere)
            assert await place.go_round() == 1
            line = f"Haste Bock?: it is {('Anna', 'Ben')[seat]}'s turn. http://sheep/t/{table.id}"
            assert json.loads(place.receiver.heard[-1][2]) == {"text": line, "content": line}
        assert (await place.notices.try_hook(hook)).taken
        place.receiver.answers = ["500 Oh", "silence"]
        assert (await place.notices.try_hook(hook)).status == 500
        await place.ways.remove_hook(place.devices[1], hook.id)
        assert await place.ways.hook(place.devices[0], hook.id) == hook, "only its owner removes it"
        await place.ways.remove_hook(place.devices[0], hook.id)
        assert await place.ways.hooks(place.devices[0], table.id) == []

    at_place(work)


def test_two_servers_tell_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, postgres: str) -> None:
    monkeypatch.setattr(notices_module, "GRACE", 0.0)

    async def work() -> None:
        async with receiving() as receiver:
            both = [Place(postgres, receiver), Place(postgres, receiver)]
            both[1].devices = both[0].devices
            tables = [await both[0].begin() for _ in range(20)]
            for seat in range(2):
                await both[0].subscribe(seat, f"phone-{seat}")
            for table in tables:
                await both[0].turn(table)
            await asyncio.gather(*(place.notices.find() for place in both))
            for _ in range(20):
                await asyncio.gather(*(place.notices.send() for place in both))
                await asyncio.gather(*both[0].notices._tasks, *both[1].notices._tasks)
            assert sorted(headers["topic"] for _, headers, _ in receiver.heard) == sorted(table.id for table in tables)
            for place in both:
                await place.notices.close()
                await place.house.close()

    in_a_loop(work())


def test_what_nobody_was_told_while_no_server_ran(at_place: Callable[[Work], None]) -> None:
    async def work(place: Place) -> None:
        table = await place.begin()
        for seat in range(2):
            await place.subscribe(seat)
        await place.turn(table)  # and the server is killed
        place.notices = Notices(place.house, lambda language: Voice([WORDS], language), anywhere=True)
        assert await place.go_round() == 1
        assert await place.go_round() == 0

    at_place(work)


def test_what_could_not_be_looked_at_is_looked_at_later(at_place: Callable[[Work], None], monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(place: Place) -> None:
        table = await place.begin()
        for seat in range(2):
            await place.subscribe(seat)
        await place.turn(table)
        looks = place.notices._waiting

        def no_database(*_: float) -> None:
            raise SQLAlchemyError("away")

        monkeypatch.setattr(place.notices, "_waiting", no_database)
        place.notices._looked = time.time() - 1
        for _ in range(3):
            with pytest.raises(SQLAlchemyError):
                await place.notices.find()
        monkeypatch.setattr(place.notices, "_waiting", looks)
        assert await place.go_round() == 1

    at_place(work)


def test_who_rests_is_not_reminded_and_earlier_reminders_go(at_place: Callable[[Work], None]) -> None:
    async def work(place: Place) -> None:
        table = await place.begin(seconds=86400)
        for seat in range(2):
            await place.subscribe(seat)
        for _ in range(6):
            await place.turn(table)
            await place.go_round()
        assert [kind for kind, _, _ in place.waiting()] == ["reminder"] * 2, "one for each"
        await place.house.pause(table.id, [0, 1], "yes")
        before = len(place.receiver.heard)
        await place.all_due()
        await place.go_round()
        assert len(place.receiver.heard) == before and place.waiting() == []

    at_place(work)


# What is asked for.


@pytest.mark.parametrize(
    "url",
    [
        "", "x", "ftp://a/b", "https://", "http://user@a/", "http://a:0/", "http://a:99999/", "https://a b/", "https://ä/", "http://[1",
        f"http://{'a' * 2000}",
    ],
)  # fmt: skip
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(NoAddress):
        checked(url)


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "[::1]", "10.0.0.1", "192.168.1.1", "169.254.169.254", "[fe80::1]", "0.0.0.0", "[::ffff:127.0.0.1]"]
)
def test_nothing_is_sent_to_this_machine_or_its_neighbours(host: str) -> None:
    async def work() -> None:
        async with receiving() as receiver:
            port = receiver.url.rpartition(":")[2]
            with pytest.raises(NoAddress):
                await post(f"http://{host}:{port}/", {}, b"{}")
            assert receiver.heard == []

    in_a_loop(work())


def test_answers_of_any_kind_are_understood() -> None:
    async def work() -> None:
        async with receiving() as receiver:
            receiver.answers = [
                "200 Fine",
                "302 Elsewhere\r\nLocation: /x",
                "nonsense",
                "silence",
                "429 Slowly\r\nRetry-After: 7",
                "404 No",
            ]
            kinds = [await post(receiver.url, {}, b"{}", anywhere=True, patience=0.5) for _ in range(6)]
            assert [each.status for each in kinds] == [200, 302, 0, 0, 429, 404]
            assert [each.taken for each in kinds] == [True, False, False, False, False, False]
            assert [each.hopeless for each in kinds] == [False, False, False, False, False, True]
            assert kinds[4].retry_after == 7 and kinds[5].gone
        assert await post(receiver.url, {}, b"{}", anywhere=True) == Answer(0), "nobody is there any more"

    in_a_loop(work())


def test_what_is_no_browser_is_refused(at_place: Callable[[Work], None]) -> None:
    async def work(place: Place) -> None:
        await place.begin()
        fine = place.receiver.browser()
        for wrong in (Browser(fine.endpoint, "x", fine.auth), Browser(fine.endpoint, fine.p256dh, ""), Browser(fine.endpoint, "", "")):
            with pytest.raises(NoSubscription):
                await place.ways.subscribe(place.devices[0], wrong, "en", "http://sheep")
        with pytest.raises(NoAddress):
            await place.ways.subscribe(place.devices[0], Browser("file:///etc", fine.p256dh, fine.auth), "en", "http://sheep")
        assert not await place.ways.is_subscribed(place.devices[0])
        for number in range(5):
            await place.ways.add_hook(place.devices[0], f"http://a.example/{number}", "json", "en", "http://sheep")
        with pytest.raises(TooMany):
            await place.ways.add_hook(place.devices[0], "http://a.example/6", "json", "en", "http://sheep")

    at_place(work)


def test_devices_that_become_one_persons_are_all_told(at_place: Callable[[Work], None]) -> None:
    async def work(place: Place) -> None:
        table = await place.begin()
        phone = place.identity.new_device()
        with pytest.raises(Nowhere):
            await place.ways.subscribe(phone, place.receiver.browser("pocket"), "en", "http://sheep")
        elsewhere = await place.house.create("te-kuiti", people("Anna", "Cleo"), {})
        await asyncio.wrap_future(place.here.visit(phone, elsewhere, elsewhere.seats[0].token))
        await place.subscribe(0, "desk")
        await place.ways.subscribe(phone, place.receiver.browser("pocket"), "en", "http://sheep")
        await place.ways.be_quiet(phone, Quiet(0, 0, "UTC"))
        code, done = place.identity.carry(phone)
        await asyncio.wrap_future(done)
        await asyncio.wrap_future(place.identity.carried(place.devices[0], code))
        if int(table.position.to_act) == 0:
            await place.turn(table)
        await place.turn(table)
        await place.go_round()
        assert {path for path, _, _ in place.receiver.heard} == {"/push/desk", "/push/pocket"}
        await asyncio.wrap_future(place.identity.forget(phone))
        await place.visit(table, 0)
        await place.turn(table)
        await place.turn(table)
        place.receiver.heard.clear()
        await place.go_round()
        assert {path for path, _, _ in place.receiver.heard} == {"/push/desk"}
        await asyncio.wrap_future(place.identity.forget(place.devices[0]))
        with place.house.store.engine.connect() as connection:
            assert connection.execute(select(subscriptions)).all() == [] and len(connection.execute(select(places)).all()) == 1

    at_place(work)
