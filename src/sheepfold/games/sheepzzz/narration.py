"""Words of Sheepzzz: what is expected, what a choice would do, what happened. From views; of piles no more than size and top is said."""

from __future__ import annotations

from sheepfold.core.position import HIDDEN, OVER
from sheepfold.game.defaults.narration import expected
from sheepfold.games.sheepzzz.notation import parts
from sheepfold.games.sheepzzz.rules import (
    ASLEEP,
    BITE,
    DEAL,
    DRAW,
    IMPOSE,
    LAY,
    NAME,
    NAMES_NEXT,
    NONE,
    ORDER,
    PILES,
    PLAY,
    START,
    STARTER,
    TABLE,
    TURN,
    TURNS_PLAY,
    UP,
    Cards,
    Sheepzzz,
)  # fmt: skip
from sheepfold.messages import Voice

PROMPTS = {
    STARTER: "prompt.starter", TABLE: "prompt.table", DEAL: "prompt.deal", BITE: "prompt.bite", DRAW: "prompt.draw", LAY: "prompt.lay",
    ORDER: "prompt.order", PLAY: "prompt.play", START: "prompt.start", TURN: "prompt.turn", IMPOSE: "prompt.impose",
}  # fmt: skip


def card_name(cards: Cards, kind: int, voice: Voice) -> str:
    """'7 (3 pillows)', 'wolf'."""
    if kind == cards.wolf:
        return voice.say("card.wolf")
    pillows = int(cards.pillows[kind])
    number = int(cards.numbers[kind])
    return voice.say("card.sheep", count=pillows, number=number) if pillows else voice.say("card.bare", number=number)


def told_size(view: Sheepzzz, pile: int) -> int:
    """How many cards are in a pile; 0 where that is to be remembered."""
    return 0 if view.terms.memory_game else int(view.pile_size[pile])


def told_taken(view: Sheepzzz, seat: int) -> int:
    """How many cards somebody has taken; NONE where that is to be remembered."""
    return NONE if view.terms.memory_game else int(view.taken_size(seat))


def with_size(key: str, size: int, voice: Voice, pile: int, who: str = "") -> str:
    """A message about a pile, with its size or, in a game of memory, without."""
    return voice.say(key, count=size, pile=pile, who=who) if size else voice.say(f"{key}.memory", pile=pile, who=who)


def next_player(view: Sheepzzz) -> int:
    """Who plays after the one whose turn it is, as things stand."""
    return int(view.named if view.named != NONE else view.next_with_cards())


def prompt(view: Sheepzzz, voice: Voice) -> str:
    """What is expected now, of whom."""
    if view.to_act == OVER:
        return result(view, voice)
    who = voice.name(int(view.turn)) if view.turn != NONE else ""
    pile = int(view.pile) + 1
    if view.stage == PLAY and view.imposed != NONE:
        return expected(view, "prompt.imposed", voice, who=who, pile=int(view.imposed) + 1)
    other = voice.name(next_player(view)) if view.stage == IMPOSE else ""
    key = PROMPTS.get(int(view.stage), "prompt.name")
    return voice.say(key, who=who, pile=pile) if view.to_act < 0 else expected(view, key, voice, who=who, pile=pile, other=other)


def rule(view: Sheepzzz) -> str:
    """Where the rules explain what is to be decided."""
    if view.stage == PLAY:
        return "turn" if view.imposed == NONE else "imposed"
    if view.stage in (TURN, IMPOSE, NAME):
        return "special"
    return {START: "take", BITE: "wolf", DRAW: "turn", LAY: "round-end"}.get(int(view.stage), "end" if view.to_act == OVER else "start")


def describe(view: Sheepzzz, action: int, voice: Voice) -> str:
    """What an action would do."""
    verb, kind, pile = parts(view, action)
    if verb in ("up", "down"):
        return voice.say(f"do.{verb}", highest=int(view.cards.highest))
    if verb in ("turn", "keep"):
        if view.terms.names_after_turn:
            return voice.say(f"do.{verb}")
        then = view.copy()
        if verb == "turn":
            then.direction = -then.direction
        return voice.say(f"do.{verb}.next", who=voice.name(next_player(then)))
    if verb in ("next", "starter"):
        return voice.say(f"do.{verb}", who=voice.name(kind))
    if verb == "free":
        return voice.say("do.free", who=voice.name(next_player(view)))
    if verb == "impose":
        top = int(view.cards.numbers[view.top[pile]])
        return voice.say("do.impose", who=voice.name(next_player(view)), pile=pile + 1, top=top)
    if verb == "take":
        return with_size("do.take" if view.deck_size else "do.take.last", told_size(view, pile), voice, pile + 1)
    if verb == "draw":
        return voice.say("do.lay" if view.stage == LAY else "do.draw", card=card_name(view.cards, kind, voice))
    if verb == "play" and kind == view.cards.wolf:
        return with_size("do.wolf.down" if view.order == UP else "do.wolf.up", told_size(view, pile), voice, pile + 1)
    card = card_name(view.cards, kind, voice)
    if verb == "start":
        done = voice.say("do.start", card=card, pile=int(view.pile) + 1)
    else:
        done = voice.say("do.play", card=card, pile=pile + 1, top=int(view.cards.numbers[view.top[pile]]))
    return done + power(view, int(view.cards.power[kind]), voice)


def power(view: Sheepzzz, which: int, voice: Voice) -> str:
    """What a sheep with that power lets its player choose, as the end of a sentence; nothing for most."""
    others = others_with_cards(view)
    if not others:
        return ""
    if which and others == 1:
        return voice.say("power.pile") if view.piles_left() > 1 else ""
    if which == NAMES_NEXT:
        return voice.say("power.name")
    if which == TURNS_PLAY:
        return voice.say("power.turn.name" if view.terms.names_after_turn else "power.turn")
    return ""


def others_with_cards(view: Sheepzzz) -> int:
    """How many others have cards, of whom somebody may be next."""
    return sum(1 for seat in range(view.seats) if seat != view.turn and view.hand_size[seat])


def tell(before: Sheepzzz, action: int, after: Sheepzzz, voice: Voice) -> list[str]:
    """What happened, and why a round ended and how it was counted."""
    said = [told_event(before, action, voice)]
    if before.stage == DEAL and after.stage == ORDER:
        said.append(voice.say("tell.dealt"))
    round_over = after.rounds > before.rounds
    if before.stage != LAY and (round_over or after.stage == LAY):
        said.append(voice.say(why_over(before, action)))
    elif before.stage == DRAW and after.deck_size == 0:
        said.append(voice.say("tell.deck.out"))
    if round_over:
        said += told_sums(before, after, voice)
    return [line for line in said if line]


def told_event(before: Sheepzzz, action: int, voice: Voice) -> str:
    """The event itself, in a sentence; empty where it is not worth one."""
    who = voice.name(int(before.turn)) if before.turn != NONE else ""
    if action == HIDDEN:
        return ""  # that everybody draws after a turn goes without saying
    verb, kind, pile = parts(before, action)
    if verb in ("keep", "free"):
        return ""
    if verb in ("next", "starter"):
        return voice.say(f"tell.{verb}", who=who, other=voice.name(kind))
    if verb == "impose":
        return voice.say("tell.impose", who=who, other=voice.name(next_player(before)), pile=pile + 1)
    if verb == "take":
        return with_size("tell.take", told_size(before, pile), voice, pile + 1, who)
    if verb in ("up", "down", "turn"):
        return voice.say(f"tell.{verb}", who=who)
    card = card_name(before.cards, kind, voice)
    if verb == "start":
        return voice.say("tell.start", who=who, card=card, pile=int(before.pile) + 1)
    if verb == "play":
        if kind == before.cards.wolf:
            return voice.say("tell.wolf.down" if before.order == UP else "tell.wolf.up", who=who, pile=pile + 1)
        return voice.say("tell.play", who=who, card=card, pile=pile + 1)
    pile = int(before.pile) + 1
    if before.stage == BITE and kind == before.cards.wolf:
        return with_size("tell.eaten", told_size(before, pile - 1), voice, pile, who)
    stages = {TABLE: "tell.table", DEAL: "tell.deal", DRAW: "tell.draw", BITE: "tell.saved", LAY: "tell.lay"}
    return voice.say(stages[int(before.stage)], who=who, card=card, pile=pile)


def why_over(before: Sheepzzz, action: int) -> str:
    """The message that says why the round is over."""
    verb, kind, _ = parts(before, action)
    if verb == "take":
        return "tell.over.taken"
    if before.stage == BITE and kind == before.cards.wolf:
        return "tell.over.piles" if before.piles_left() == 1 else "tell.over.eaten"
    return "tell.over.first" if before.terms.first_out_ends else "tell.over.cards"


def why_counted(before: Sheepzzz, action: int) -> str:
    """The same where the last card has been laid open since, as far as the position still shows it: by the option for who is out first
    it may not."""
    if before.stage != LAY:
        return why_over(before, action)
    if before.deck_size:
        return "tell.over.piles"
    if before.terms.first_out_ends:
        return "tell.over.first" if before.piles_left() == PILES else ""
    return "tell.over.taken"


def told_sums(before: Sheepzzz, after: Sheepzzz, voice: Voice) -> list[str]:
    """Everybody's pillows of the round and in all, and what follows from them."""
    said = [voice.say("tell.round", number=int(after.rounds))]
    for seat in range(after.seats):
        total = int(after.totals[seat])
        said.append(voice.say("tell.sum", count=total - int(before.totals[seat]), who=voice.name(seat), total=total))
    return said + what_follows(after, voice)


def what_follows(after: Sheepzzz, voice: Voice) -> list[str]:
    """What a count leads to: who starts the next round, or how the game ended."""
    if after.to_act != OVER:
        return [voice.say("tell.starts", who=voice.name(int(after.starter)))]
    asleep = [voice.name(seat) for seat in range(after.seats) if after.totals[seat] >= ASLEEP]
    why = voice.say("tell.asleep", count=len(asleep), who=joined(asleep, voice)) if asleep else voice.say("tell.rounds.out")
    return [why, result(after, voice)]


def result(view: Sheepzzz, voice: Voice) -> str:
    """Who won."""
    ranks = view.ranks()
    winners = [voice.name(seat) for seat in range(view.seats) if ranks[seat] == 1]
    return voice.say("result", count=len(winners), who=joined(winners, voice), pillows=min(view.scores()))


def joined(names: list[str], voice: Voice) -> str:
    """'Ann, Bea and Cleo'."""
    return names[0] if len(names) == 1 else voice.say("and", first=", ".join(names[:-1]), last=names[-1])
