"""Accounts in a real Chromium, with an authenticator as phones have one inside: kept in two taps, found on other devices, lost and
recovered, taken away, and erased while others look."""

from __future__ import annotations

import json
import zipfile

import pytest
from browser_helper import in_chromium
from test_browser_access import DRAWN, examine
from test_browser_coming_back import with_a_friend

pytestmark = in_chromium
AUTHENTICATOR = {
    "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True, "isUserVerified": True,
    "automaticPresenceSimulation": True,
}  # fmt: skip

SAY = """async () => (await fetch(location.pathname + '/say',
    { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ text: 'hello' }) })).status"""


class Keys:
    """The authenticator of a page's device."""

    def __init__(self, page) -> None:
        self.line = page.context.new_cdp_session(page)
        self.line.send("WebAuthn.enable")
        self.id = self.line.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})["authenticatorId"]

    def all(self) -> list:
        return self.line.send("WebAuthn.getCredentials", {"authenticatorId": self.id})["credentials"]

    def synced(self, other: Keys) -> None:
        """What the other one has, this one has too, as makers of phones do it."""
        for each in other.all():
            self.line.send("WebAuthn.addCredential", {"authenticatorId": self.id, "credential": each})


@pytest.fixture
def home(server: str) -> str:
    """Passkeys are for names, not for numbers."""
    return server.replace("127.0.0.1", "localhost")


@pytest.fixture
def arrive(visit, home: str):
    """A page on a device of its own, with its authenticator."""

    def open_page(width: int = 1280, height: int = 800, **settings):
        page = visit(width, height, at=None, **settings)
        keys = Keys(page)
        page.goto(home)
        return page, keys

    return open_page


def keep(page, home: str) -> None:
    page.goto(f"{home}/mine")
    page.click("[data-passkey=keep]")
    page.wait_for_selector(".passkeys li")


def playing(page) -> str:
    """A table where this browser sits; its address."""
    page.click('form[action="/play/te-kuiti"] button')
    page.wait_for_function(DRAWN)
    return page.url


def recovery_code(page, home: str) -> str:
    page.goto(f"{home}/mine")
    if not page.locator("form[action='/account/code'] button").is_visible():
        page.click("#account summary >> nth=0")
    page.click("form[action='/account/code'] button")
    return page.inner_text(".code code").strip()


def narrow(page) -> bool:
    return page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_kept_in_two_taps_and_found_on_another_device(arrive, home: str) -> None:
    desk, keys = arrive()
    table = playing(desk)
    keep(desk, home)
    (made,) = keys.all()
    assert made["isResidentCredential"] and made["rpId"] == "localhost"
    assert desk.locator(".my-games li").count() == 1
    desk.click("[data-passkey=keep]")
    desk.wait_for_function("() => document.querySelector('#passkey-said').textContent.includes('already')")
    desk.fill(".passkeys input[name=name]", "Laptop")
    desk.click(".passkeys form >> nth=0 >> button")
    assert desk.input_value(".passkeys input[name=name]") == "Laptop"

    phone, theirs = arrive(390, 844, color_scheme="dark")
    theirs.synced(keys)
    own = playing(phone)
    phone.goto(home)
    phone.click("[data-passkey=enter]")
    phone.wait_for_url("**/mine")
    assert {each.get_attribute("href") for each in phone.locator(".my-games li > a:first-child").all()} == {
        "/" + address.split("/", 3)[3] for address in (table, own)
    }
    assert phone.locator(".own-devices li").count() == 2 and narrow(phone)
    phone.goto(table)
    phone.wait_for_function(DRAWN)
    assert phone.locator("#own").count() == 1

    fresh, others = arrive()
    others.synced(theirs)
    fresh.goto(f"{home}/mine")
    fresh.click("[data-passkey=enter]")
    fresh.wait_for_selector(".my-games li")
    assert fresh.locator(".my-games li").count() == 2, "who had never been here has all of it"
    fresh.click("form[action='/mine/forget'] button")
    fresh.goto(table)
    fresh.wait_for_function(DRAWN)
    assert fresh.locator("#own").count() == 0
    desk.goto(f"{home}/mine")
    desk.click("form[action='/account/elsewhere'] button")
    assert desk.locator(".own-devices").count() == 0
    phone.goto(table)
    phone.wait_for_function(DRAWN)
    assert phone.locator("#own").count() == 0, "signed out from afar"


def test_a_passkey_that_was_removed_and_one_that_somebody_has_not(arrive, home: str) -> None:
    page, _ = arrive(forgives="422")
    playing(page)
    keep(page, home)
    page.click(".passkeys form[action$='/remove'] button")
    assert "Remove your last passkey?" in page.inner_text("h1")
    page.click("a.go")
    assert page.locator(".passkeys li").count() == 1, "not without being sure"
    page.click(".passkeys form[action$='/remove'] button")
    page.click("form[action$='/remove'] button")
    assert page.locator(".passkeys").count() == 0 and page.locator(".my-games li").count() == 1
    page.click("[data-passkey=enter]")
    page.wait_for_function("() => document.querySelector('#passkey-said').textContent.includes('Nobody here has this passkey')")
    assert page.is_enabled("[data-passkey=enter]")


def test_all_devices_lost_and_the_code_on_paper(arrive, home: str) -> None:
    lost, _ = arrive(forgives="403")
    ben, _ = arrive()
    table = with_a_friend(lost, ben, "sheepzzz")
    keep(lost, home)
    code = recovery_code(lost, home)
    assert len(code) == 29 and lost.is_visible("#print")
    lost.goto(table)
    lost.wait_for_function(DRAWN)
    new, _ = arrive(390, 844, forgives="422")
    new.goto(f"{home}/account/lost")
    new.fill("[name=code]", "AAAA-AAAA")
    new.click("button.go.large")
    assert new.locator("[role=alert]").is_visible() and narrow(new)
    new.fill("[name=code]", code.lower())
    new.click("button.go.large")
    new.click(".my-games li > a >> nth=0")
    new.wait_for_function(DRAWN)
    assert new.locator("#own").count() == 1
    assert (lost.evaluate(SAY), new.evaluate(SAY)) == (403, 200), "the finder's open page acts no more"


def test_all_of_it_taken_away_and_erased_while_somebody_looks(arrive, home: str, tmp_path) -> None:
    anna, _ = arrive(forgives="422")
    ben, _ = arrive(locale="de-DE")
    table = with_a_friend(anna, ben)
    keep(anna, home)
    anna.click("#account summary >> nth=-1")
    with anna.expect_download() as loading:
        anna.click("#account a[href='/account/export']")
    loading.value.save_as(tmp_path / "mine.zip")
    with zipfile.ZipFile(tmp_path / "mine.zip") as archive:
        mine = json.loads(archive.read("mine.json"))
        assert archive.namelist() == [f"games/{table.split('/')[-1]}.json", "mine.json"]
    assert [row["name"] for row in mine["seats"]] == ["Anna"]
    anna.click("#account a[href='/account/delete']")
    assert ben.locator("#players").inner_text().count("Anna") == 1
    anna.click("form[action='/account/delete'] button")
    assert anna.inner_text("h1") == "All of yours is gone"
    ben.wait_for_function("() => /Jemand/.test(document.querySelector('#players').textContent) && !/Anna/.test(document.body.textContent)")
    ben.wait_for_selector("#said.mine")  # the bot goes on, if it was its turn
    anna.goto(home)
    assert anna.locator(".my-games").count() == 0
    anna.click("[data-passkey=enter]")
    anna.wait_for_function("() => document.querySelector('#passkey-said').textContent.includes('Nobody here')")


def test_axe_finds_nothing_about_accounts(arrive, home: str) -> None:
    page, _ = arrive(360, 740, reduced_motion="reduce", forgives="422")
    wrong = examine(page, "home with a way in")
    page.goto(f"{home}/mine")
    wrong += examine(page, "an account for who has no device")
    page.goto(home)
    playing(page)
    page.goto(f"{home}/mine")
    wrong += examine(page, "an account that could be")
    keep(page, home)
    page.click(".passkeys form[action$='/remove'] button")
    wrong += examine(page, "the last passkey")
    recovery_code(page, home)
    wrong += examine(page, "a code")
    page.goto(f"{home}/mine")
    page.evaluate("() => document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    wrong += examine(page, "an account, all open")
    assert narrow(page)
    page.goto(f"{home}/account/lost")
    page.fill("[name=code]", "A")
    page.click("button.go.large")
    wrong += examine(page, "a wrong code")
    page.goto(f"{home}/account/delete")
    wrong += examine(page, "before it is all deleted")
    page.click("form[action='/account/delete'] button")
    wrong += examine(page, "when it is")
    assert wrong == []


def test_without_a_network_a_passkey_says_so(arrive) -> None:
    page, _ = arrive(forgives="ERR_INTERNET_DISCONNECTED")
    page.context.set_offline(True)
    page.click("[data-passkey=enter]")
    page.wait_for_function("() => document.querySelector('#passkey-said').textContent === 'No connection just now'")


def test_at_a_number_the_page_says_why_there_are_no_passkeys(visit, server: str) -> None:
    page = visit()
    assert "127.0.0.1" in server
    playing(page)
    page.goto(f"{server}/mine")
    assert page.locator("[data-passkey]").count() == 0
    assert "Passkeys are not offered here" in page.inner_text("#account")
