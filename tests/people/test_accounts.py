"""Who has an account is found again by a passkey or by a code on paper; and nobody else by any of the ways that others would try."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest
from authenticator import Authenticator, text
from sqlalchemy import select
from tables_helper import QuickTables, in_a_loop, people, sqlite_at

from sheepfold.people.accounts import (
    LENGTH,
    LETTERS,
    MOST_PASSKEYS,
    SOON,
    Accounts,
    NotProven,
    Site,
    TooManyPasskeys,
    UnknownPasskey,
    WrongCode,
)
from sheepfold.people.identity import Identity, NotCarried, OtherAccount
from sheepfold.people.my_games import Places
from sheepfold.table.schema import challenges, devices, passkeys, places, recoveries
from sheepfold.table.store import Store

SITE = Site("https://sheep.test")


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return sqlite_at(tmp_path / "tables.db") if request.param == "sqlite" else request.getfixturevalue("postgres")


class House:
    """All that a server has of people."""

    def __init__(self, tables: QuickTables) -> None:
        self.tables, self.store = tables, tables.store
        self.identity, self.places, self.accounts = Identity(self.store), Places(self.store), Accounts(self.store)

    async def seated(self, device: str, game: str = "te-kuiti") -> str:
        """A table where somebody sits, by its id."""
        table = await self.tables.create(game, people("Anna", "Ben"), {})
        await asyncio.wrap_future(self.places.visit(device, table, table.seats[0].token))
        return table.id

    async def kept(self, device: str) -> Authenticator:
        """A passkey for who has a device."""
        key = Authenticator()
        await self.accounts.keep(device, SITE, key.create(await self.accounts.ask_for_new(device, SITE, "Anna")))
        return key

    async def enter(self, device: str, key: Authenticator) -> str:
        """What a device is called when somebody has signed in there."""
        return await self.accounts.sign_in(device, SITE, key.get(await self.accounts.ask_for_any(device, SITE)))

    def games(self, device: str) -> set[str]:
        return {each.table for each in self.places.of(device).going_on}

    def rows(self, kind) -> list:
        with self.store.engine.connect() as connection:
            return list(connection.execute(select(kind)).mappings())


def at_home(url: str, work: Callable[[House], Awaitable[None]]) -> None:
    async def whole() -> None:
        tables = QuickTables(Store(url), 0.0)
        try:
            await asyncio.wait_for(work(House(tables)), 60)
        finally:
            await tables.close()

    in_a_loop(whole())


def test_a_passkey_finds_the_games_on_another_device(url: str) -> None:
    async def work(house: House) -> None:
        desk, phone, stranger = (house.identity.new_device() for _ in range(3))
        on_desk, on_phone = await house.seated(desk), await house.seated(phone)
        key = await house.kept(desk)
        assert house.games(desk) == {on_desk}
        before, phone = phone, await house.enter(phone, key)
        assert house.games(phone) == house.games(desk) == {on_desk, on_phone}, "what the device had moves in"
        assert {each.id for each in house.identity.devices(desk)} == {desk, phone}
        assert house.games(before) == set(), "who has kept a copy of its cookie has nothing by it"
        assert house.games(stranger) == set() and await house.accounts.passkeys(stranger) == []
        await house.enter(phone, key)
        assert len(house.identity.devices(desk)) == 2, "once more does no harm"
        assert house.rows(challenges) == [], "all are answered"

    at_home(url, work)


def test_what_an_authenticator_is_asked(url: str) -> None:
    async def work(house: House) -> None:
        device = house.identity.new_device()
        options = await house.accounts.ask_for_new(device, SITE, "Anna · today")
        assert options["rp"] == {"name": "Sheepfold", "id": "sheep.test"} and options["attestation"] == "none"
        wanted = options["authenticatorSelection"]
        assert (wanted["residentKey"], wanted["requireResidentKey"], wanted["userVerification"]) == ("required", True, "preferred")
        assert options["excludeCredentials"] == []
        key = Authenticator()
        await house.accounts.keep(device, SITE, key.create(options))
        (kept,) = house.rows(passkeys)
        assert kept["handle"] == options["user"]["id"] and kept["handle"] not in (kept["person"], device)
        again = await house.accounts.ask_for_new(device, SITE, "Anna")
        assert again["user"]["id"] == options["user"]["id"], "one person to the authenticator"
        assert [each["id"] for each in again["excludeCredentials"]] == [kept["credential"]]
        shown = await house.accounts.ask_for_any(device, SITE)
        assert shown["allowCredentials"] == [] and shown["userVerification"] == "preferred"
        assert "Anna" not in str(house.rows(passkeys)), "what the authenticator shows is not kept here"

    at_home(url, work)


def test_what_was_not_signed_here_and_now_by_the_right_one_is_refused(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(house: House) -> None:
        anna, ben, phone = (house.identity.new_device() for _ in range(3))
        table = await house.seated(anna)
        key, other = await house.kept(anna), await house.kept(ben)

        async def asked() -> dict:
            return await house.accounts.ask_for_any(phone, SITE)

        good = key.get(await asked())
        await asyncio.wrap_future(house.identity.forget(await house.accounts.sign_in(phone, SITE, good)))
        wrong = {
            "replayed": good,
            "of another site": replace(key, origin="https://evil.test").get(await asked()),
            "for another site's name": key.get({**await asked(), "rpId": "evil.test"}),
            "to nobody's challenge": key.get({**await asked(), "challenge": "A" * 43}),
            "with somebody else's handle": replace(key, handle=other.handle).get(await asked()),
            "with another key": replace(other, id=key.id, handle=key.handle, count=key.count + 9).get(await asked()),
            "a new one's answer": Authenticator().create(await house.accounts.ask_for_new(phone, SITE, "Anna")),
            "to what was asked for a new one": key.get(
                {**await asked(), "challenge": (await house.accounts.ask_for_new(phone, SITE, "A"))["challenge"]}
            ),
            "asked on another device": key.get(await house.accounts.ask_for_any(ben, SITE)),
            "counted back": replace(key, count=0).get(await asked()),
            "unsigned": {**(plain := key.get(await asked())), "response": {**plain["response"], "signature": "AAAA"}},
            "nothing": {},
            "no text": {"response": {"clientDataJSON": text(b'{"challenge": "\\u0000"}')}},
            "rubbish": {"id": 5, "response": {"clientDataJSON": [1]}},
            "halves": {**(plain := key.get(await asked())), "id": "\ud800"},
        }
        for what, answer in wrong.items():
            with pytest.raises(NotProven):
                await house.accounts.sign_in(phone, SITE, answer)
            assert house.games(phone) == set(), what
        late = key.get(await asked())
        now = time.time()
        monkeypatch.setattr(time, "time", lambda: now + SOON + 1)
        with pytest.raises(NotProven):
            await house.accounts.sign_in(phone, SITE, late)
        monkeypatch.undo()
        with pytest.raises(UnknownPasskey):
            await house.enter(phone, Authenticator(handle=key.handle))
        assert house.games(await house.enter(phone, key)) == {table}, "and the right one still goes in"

    at_home(url, work)


def test_a_new_passkey_is_checked_too(url: str) -> None:
    async def work(house: House) -> None:
        anna, ben = house.identity.new_device(), house.identity.new_device()
        key = await house.kept(anna)

        async def asked(device: str = ben) -> dict:
            return await house.accounts.ask_for_new(device, SITE, "Ben")

        options = await asked()
        wrong = [
            Authenticator(origin="https://evil.test").create(await asked()),
            Authenticator().create({**(await asked()), "rp": {"id": "evil.test"}}),
            Authenticator().create({**(await asked()), "challenge": "A" * 43}),
            Authenticator().create(await asked(anna)),
            Authenticator().get(await house.accounts.ask_for_any(ben, SITE)),
            replace(key).create(await asked()),  # somebody has it already
            {}, {"response": {}},
        ]  # fmt: skip
        for answer in wrong:
            with pytest.raises(NotProven):
                await house.accounts.keep(ben, SITE, answer)
        fine = Authenticator().create(options)
        await house.accounts.keep(ben, SITE, fine)
        with pytest.raises(NotProven):
            await house.accounts.keep(ben, SITE, fine)
        assert (len(await house.accounts.passkeys(ben)), len(await house.accounts.passkeys(anna))) == (1, 1)

    at_home(url, work)


def test_an_authenticator_that_does_not_count_is_fine(url: str) -> None:
    async def work(house: House) -> None:
        anna, phone = house.identity.new_device(), house.identity.new_device()
        key = Authenticator(counts=False)
        await house.accounts.keep(anna, SITE, key.create(await house.accounts.ask_for_new(anna, SITE, "Anna")))
        for _ in range(2):
            phone = await house.enter(phone, key)
        answer = key.get(await house.accounts.ask_for_any(anna, SITE))
        await asyncio.wrap_future(house.identity.forget(await house.accounts.sign_in(anna, SITE, answer)))
        with pytest.raises(NotProven):  # though nothing in it has changed
            await house.accounts.sign_in(anna, SITE, answer)

    at_home(url, work)


def test_of_two_servers_that_are_shown_the_same_count_one_believes_it(url: str) -> None:
    """Both have looked up the passkey before either has written down that it was used."""

    async def work(house: House) -> None:
        anna = house.identity.new_device()
        key = await house.kept(anna)
        phones = [house.identity.new_device() for _ in range(2)]
        copies = [replace(key).get(await house.accounts.ask_for_any(phone, SITE)) for phone in phones]
        elsewhere = Accounts(Store(url)) if house.store.shared else house.accounts
        done = await asyncio.gather(
            *(
                accounts.sign_in(phone, SITE, copy)
                for accounts, phone, copy in zip((house.accounts, elsewhere), phones, copies, strict=True)
            ),
            return_exceptions=True,
        )
        if house.store.shared:
            elsewhere.store.close()
        assert [type(each) for each in done if not isinstance(each, str)] == [NotProven]
        assert len(house.identity.devices(anna)) == 2

    at_home(url, work)


def test_several_passkeys_with_names(url: str) -> None:
    async def work(house: House) -> None:
        anna, ben = house.identity.new_device(), house.identity.new_device()
        first, second = await house.kept(anna), await house.kept(anna)
        theirs = await house.accounts.passkeys(anna)
        assert [each.name for each in theirs] == ["", ""]
        await house.kept(ben)
        await house.accounts.rename(ben, theirs[0].id, "mine")
        await house.accounts.remove(ben, theirs[0].id)
        await house.accounts.rename(anna, theirs[1].id, "key ring")
        assert [each.name for each in await house.accounts.passkeys(anna)] == ["", "key ring"], "nobody else's are touched"
        used = theirs[0].used
        await house.enter(house.identity.new_device(), first)
        assert (await house.accounts.passkeys(anna))[0].used > used
        await house.accounts.remove(anna, theirs[0].id)
        with pytest.raises(UnknownPasskey):
            await house.enter(house.identity.new_device(), first)
        await house.enter(house.identity.new_device(), second)
        for _ in range(MOST_PASSKEYS - 1):
            await house.kept(anna)
        with pytest.raises(TooManyPasskeys):
            await house.kept(anna)

    at_home(url, work)


def test_who_signs_out_everywhere_is_still_found(url: str) -> None:
    async def work(house: House) -> None:
        desk, phone = house.identity.new_device(), house.identity.new_device()
        table = await house.seated(desk)
        key = await house.kept(desk)
        await asyncio.wrap_future(house.identity.forget(desk))
        assert house.games(desk) == set() and house.rows(devices) == [] and len(house.rows(places)) == 1
        assert house.games(await house.enter(phone, key)) == {table}

    at_home(url, work)


def test_an_account_is_not_dissolved_by_another(url: str) -> None:
    """Neither who signs in on a device of somebody else's, nor who sends them a link, gets their games."""

    async def work(house: House) -> None:
        anna, ben = house.identity.new_device(), house.identity.new_device()
        table = await house.seated(anna)
        await house.kept(anna)
        key = await house.kept(ben)
        with pytest.raises(OtherAccount):
            await house.enter(anna, key)
        code, done = house.identity.carry(ben)
        await asyncio.wrap_future(done)
        with pytest.raises(OtherAccount):
            await asyncio.wrap_future(house.identity.carried(anna, code))
        assert house.games(anna) == {table} and house.games(ben) == set()
        await asyncio.wrap_future(house.identity.carried(house.identity.new_device(), code))  # it was not used up
        with pytest.raises(NotCarried):
            await asyncio.wrap_future(house.identity.carried(house.identity.new_device(), code))

    at_home(url, work)


def test_the_code_on_paper(url: str) -> None:
    async def work(house: House) -> None:
        desk, phone, new, thief = (house.identity.new_device() for _ in range(4))
        table, own = await house.seated(desk), await house.seated(new)
        key = await house.kept(desk)
        phone = await house.enter(phone, key)
        assert await house.accounts.code_made(desk) is None
        first, code = await house.accounts.make_code(desk), await house.accounts.make_code(phone)
        assert re.fullmatch(rf"(?:[{LETTERS}]{{4}}-){{5}}[{LETTERS}]{{4}}", code) and len(LETTERS) ** LENGTH > 2**100
        (kept,) = house.rows(recoveries)
        assert code.replace("-", "") not in str(kept) and code not in str(kept)
        assert (await house.accounts.code_made(desk)) == kept["at"]
        for wrong in (first, code[:-1], "", "-----", kept["code"], code[:-1] + ("A" if code[-1] != "A" else "C")):
            with pytest.raises(WrongCode):
                await house.accounts.recover(thief, wrong)
        new = await house.accounts.recover(new, f" {code.lower().replace('-', ' ')}\n")
        assert house.games(new) == {table, own}, "however it was typed"
        assert [each.id for each in house.identity.devices(new)] == [new]
        assert house.games(desk) == house.games(phone) == set()
        assert house.games(await house.accounts.recover(phone, code)) == {table, own}, "until another is made"

    at_home(url, work)


def test_only_this_device(url: str) -> None:
    async def work(house: House) -> None:
        desk, phone = house.identity.new_device(), house.identity.new_device()
        table = await house.seated(desk)
        phone = await house.enter(phone, await house.kept(desk))
        code, done = house.identity.carry(phone)
        await asyncio.wrap_future(done)
        await asyncio.wrap_future(house.identity.forget_others(desk))
        assert [each.id for each in house.identity.devices(desk)] == [desk]
        assert house.games(desk) == {table} and house.games(phone) == set()
        assert not house.identity.can_be_carried(code), "a link that the other one has made is no good either"

    at_home(url, work)


@pytest.mark.parametrize(
    ("origin", "has"),
    [
        ("https://sheep.example", True), ("https://sheep.example:8443", True), ("http://localhost:8321", True),
        ("http://sheep.localhost", True), ("http://sheep.example", False), ("http://127.0.0.1:8321", False), ("https://192.0.2.1", False),
        ("https://[2001:db8::1]", False),
    ],
)  # fmt: skip
def test_where_browsers_have_passkeys(origin: str, has: bool) -> None:
    assert Site(origin).has_passkeys == has
