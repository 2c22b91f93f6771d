"""The net: packed words sum up what plain arithmetic does; its file is read back as it was, or refused."""

import json
import random
from pathlib import Path

import pytest

from sheepfold.bots import bot, nets
from sheepfold.bots.guided import Guided
from sheepfold.bots.net import FINE, ONE, STEPS, Net, packed, unpacked
from sheepfold.bots.thinkers import evaluator_of, taught
from sheepfold.core.dice import Dice
from sheepfold.core.evaluator import Evaluator
from sheepfold.core.position import CHANCE, OVER, blank, let_chance_happen
from sheepfold.core.sequential import sequential
from sheepfold.game.registry import every_game, find
from sheepfold.games.flock import ACROSS, EAST, NEAR, NORTH, RELATIONS, SOUTH, write_relations

FIRST, SECOND = 12, 6


def weights(seats, inputs, actions, seed=1):
    draw = random.Random(seed)

    def whole(rows, width, most):
        return [[draw.randint(-most, most) for _ in range(width)] for _ in range(rows)]

    def halves(rows):
        return [[draw.randint(-64, 64) / 64 for _ in range(SECOND + 1)] for _ in range(rows)]

    return whole(inputs + seats + 1, FIRST, ONE // 4), whole(FIRST + 1, SECOND, FINE), halves(seats), halves(actions)


def clues_of(position, viewer):
    judge = evaluator_of(position)
    numbers = blank(len(judge.clues(position)))
    judge.write_clues(position, viewer, numbers)
    return list(numbers)


def a_net(position, seed=1):
    inputs = len(evaluator_of(position).clues(position))
    return Net(position.seats, *weights(position.seats, inputs, position.action_count, seed))


def a_file(position):
    seats, inputs, actions = position.seats, len(evaluator_of(position).clues(position)), position.action_count
    rows, columns, judging, choosing = weights(seats, inputs, actions)
    flat = [[number for row in table for number in row] for table in (rows, columns, judging + choosing)]
    head = {"seats": seats, "inputs": inputs, "actions": actions, "widths": [FIRST, SECOND], "reliance": 0.0}
    return nets.written(head, *flat)


def plainly(position, viewer, rows, columns, judging, choosing):
    """The same in floats, as one would write it down."""
    seen = clues_of(position, viewer) + [int(seat == viewer) for seat in range(position.seats)] + [1]
    sums = [sum(number * row[unit] for number, row in zip(seen, rows, strict=True)) for unit in range(FIRST)]
    said = [min(max(total, 0) // (ONE // STEPS), STEPS) for total in sums] + [1]
    after = [sum(number * row[unit] for number, row in zip(said, columns, strict=True)) for unit in range(SECOND)]
    thought = [min(max(total / FINE / STEPS, 0), 1) for total in after] + [1]
    return [[sum(a * b for a, b in zip(thought, row, strict=True)) for row in rows] for rows in (judging, choosing)]


def test_a_word_holds_several_sums():
    words = packed([[1, -2, 3], [-5, 0, 7], [-1000000, 999999, -1]])
    words[0] = words[0] + 3 * words[1] + words[2]
    units = packed([[0, 0, 0]] * 9)
    unpacked(words, units)
    assert list(units)[:3] == [1 - 15 - 1000000, -2 + 999999, 3 + 21 - 1]


@pytest.mark.parametrize("game", every_game(), ids=lambda game: game.name)
def test_it_finds_what_plain_arithmetic_finds(game):
    seats = 2
    dice = Dice("net")
    position = sequential(game.setup(seats).start())
    tables = weights(seats, len(clues_of(position, 0)), position.action_count)
    net = Net(seats, *tables)
    looked = 0
    while position.to_act != OVER and looked < 30:
        position.advance(position.random_action(dice))
        if position.to_act < 0:
            continue
        for viewer in range(seats):
            net.look(position, viewer, game.evaluator)
            judging, choosing = plainly(position, viewer, *tables)
            values = net.values([0.5, 0.5])
            assert sum(values) == pytest.approx(1)
            assert values[viewer] > values[1 - viewer] or judging[0] <= judging[1]
            assert [net.urge(action) for action in range(5)] == pytest.approx(choosing[:5])
            looked += 1
    assert looked


def test_it_starts_from_what_the_judge_says():
    """A net that knows nothing says the same, as far as it relies on it; seats are not confused."""
    position = sequential(find("sheepzzz").setup(3).start())
    position.advance(position.random_action(Dice("judge")))
    rows = [[0] * 3 for _ in range(len(clues_of(position, 0)) + 4)]
    heads = [[0.0] * 4 for _ in range(3)]
    actions = [[0.0] * 4 for _ in range(position.action_count)]
    for reliance, wanted in ((0.0, [1 / 3] * 3), (1.0, [0.2, 0.3, 0.5]), (2.0, [4 / 38, 9 / 38, 25 / 38])):
        net = Net(3, rows, [[0] * 3 for _ in range(4)], heads, actions, reliance)
        for viewer in range(3):
            net.look(position, viewer, evaluator_of(position))
            assert net.values([0.2, 0.3, 0.5]) == pytest.approx(wanted, abs=1e-3)


@pytest.mark.parametrize("game", every_game(), ids=lambda game: game.name)
def test_a_net_sees_what_its_viewer_sees(game):
    """Clues are written from no view, so in two worlds that look alike they must be the same: what is hidden is exchanged here."""
    dice = Dice("worlds")
    for seats in game.seats:
        position = sequential(game.setup(seats).start())
        differ = 0
        while position.to_act != OVER:
            position.advance(position.random_action(dice))
            for viewer in range(seats):
                world = position.seen_by(viewer).determinize(dice)
                assert clues_of(world, viewer) == clues_of(position, viewer)
                differ += world != position
        assert differ or not game.secrets, "nothing was hidden"


def test_a_net_sees_who_stands_beside_whom():
    """
    Three of the nine sheep, which look east: a of the viewer's, b of the next one's, k the black one. To them a is right behind b, and k
    stands at b's right side.

        . . .
        a b .
        . k .

    Two flocks that are the same but for where on the pasture, and which way they look, are the same to it; others are not.
    """
    rows, columns = [4, 2, 4, 8, 0, 0, 8, 8, 5], [3, 8, 4, 0, 0, 8, 8, 6, 4]

    def seen(rows, columns, facing, me):
        numbers = blank(RELATIONS)
        at_rows, at_columns, present = (packed([[number, 0, 0] for number in each]) for each in (rows, columns, [1] * 9))
        assert write_relations(at_rows, at_columns, present, facing, me, 4, numbers, 0) == RELATIONS
        return list(numbers)

    first = seen(rows, columns, EAST, 0)
    assert sum(first) == 9 * 8 // 2 + 2 * 9
    # turned by a quarter to the right, with the sheep
    assert seen(columns, [9 - row for row in rows], SOUTH, 0) == first
    assert seen([row + 3 for row in rows], [column + 1 for column in columns], EAST, 0) == first, "places do not matter, only who is where"
    assert seen(rows, columns, NORTH, 0) != first
    swapped = seen([*rows[2:4], *rows[:2], *rows[4:]], [*columns[2:4], *columns[:2], *columns[4:]], EAST, 0)
    assert swapped != first
    exchanged = seen([rows[1], rows[0], *rows[2:]], [columns[1], columns[0], *columns[2:]], EAST, 0)
    assert exchanged == first, "two sheep of a colour are alike"
    # a at (4, 3) is one field behind b at (4, 4), whom k at (5, 4) stands beside, to the right
    behind, right = (first[(pair * ACROSS + NEAR + ahead) * ACROSS + NEAR + side] for pair, ahead, side in ((1, 1, 0), (11, 0, 1)))
    assert (behind, right) == (1, 1)


def test_a_file_is_read_back_or_refused(tmp_path):
    rows, columns, judging, choosing = weights(2, 5, 3)
    flat = [[number for row in table for number in row] for table in (rows, columns, judging + choosing)]
    data = nets.written({"seats": 2, "inputs": 5, "actions": 3, "widths": [FIRST, SECOND], "reliance": 0.5}, *flat)
    about, net = nets.read(data)
    again = Net(2, rows, columns, judging, choosing)
    assert about["inputs"] == 5
    for name in ("rows", "columns", "judging", "choosing"):
        assert list(getattr(net, name)) == list(getattr(again, name))
    head, _, rest = data.partition(b"\n")
    other = json.dumps({**json.loads(head), "digest": "0"}).encode()
    for broken in (
        b"",
        b"{}\n",
        head,
        other + b"\n" + rest,
        head + b"\n" + rest[:-9],
        head.replace(b'"seats": 2', b'"seats": 3') + b"\n" + rest,
    ):
        with pytest.raises(nets.BadNet, match="holds no net that can be used"):
            nets.read(broken)
    with pytest.raises(nets.BadNet, match="cannot be read"):
        nets.net_from(str(tmp_path / "none.net"), sequential(find("sheepzzz").setup(2).start()))
    (tmp_path / "other.net").write_bytes(data)
    with pytest.raises(nets.BadNet, match="another game, another box or another number of players"):
        nets.net_from(str(tmp_path / "other.net"), sequential(find("sheepzzz").setup(2).start()))


def test_what_was_learned_has_a_card():
    """Every net of the package can be used, is small, and stands with its digest in the documents."""
    card = (Path(__file__).parents[2] / "docs" / "learning.md").read_text()
    for game in every_game():
        paths = [path for seats in game.seats if (path := game.net(seats))]
        assert sum(path.stat().st_size for path in paths) < 1_000_000
        for path in paths:
            about, net = nets.read(path.read_bytes())
            assert (about["game"], f"{net.seats}.net") == (game.name, path.name)
            assert f"`{about['digest'][:12]}`" in card


# The search that it guides.


@pytest.mark.parametrize("game", every_game(), ids=lambda game: game.name)
def test_guided_search_plays_a_game(game):
    for seats in (min(seats for seats in game.seats if seats > 1), max(game.seats)):
        position = sequential(game.setup(seats).start())
        net = a_net(position)
        dice = Dice("guided")
        for guide, look in ((net, 0.0), (None, 0.5)):
            for _ in range(12):
                let_chance_happen(position, dice)
                if position.to_act == OVER:
                    break
                actions = position.legal()
                chosen = actions[0]
                if len(actions) > 1:
                    view = position.seen_by(position.to_act)
                    search = Guided(taught(game.evaluator, guide), guide, look=look)
                    search.run(view, dice, 30)
                    found = search.choices(position.to_act)
                    assert sum(visits for _, visits, _ in found) == 30
                    assert {action for action, _, _ in found} <= set(actions)
                    assert sum(search.worth()) == pytest.approx(1) or seats == 1
                    chosen = found[0][0]
                position.advance(chosen)


def test_what_wins_at_once_is_found_among_many_simulations():
    """Four in a row: the judge knows nothing but results, so only the tree can have found it, or a look."""
    from sheepfold.yardsticks.connect_four import ConnectFour

    position = ConnectFour()
    for column in (6, 0, 6, 0, 6, 1):  # the first player has three on top of each other
        position.advance(column)
    looking, trying = (Guided(Evaluator(), None, look=look) for look in (0.5, 0.0))
    looking.run(position, Dice(1), 7)
    trying.run(position, Dice(1), 7)
    assert looking.choices(0)[0][:2] == (6, 7), "what a look finds best is tried first"
    assert trying.choices(0)[0][1] < 7
    search = Guided(Evaluator(), None)
    search.run(position, Dice(1), 300)
    assert search.choices(0)[0][0] == 6
    wanted = dict(search.improved())
    assert set(wanted) == set(position.legal())
    assert sum(wanted.values()) == pytest.approx(1)
    assert wanted[6] > 0.9, "a net is taught what wins, not how often it was tried"


def test_games_played_on_find_what_the_judge_does_not_see():
    """It knows nothing but results: all beginnings are alike to it, and not to who plays on; flat search finds the centre."""
    from sheepfold.yardsticks.connect_four import ConnectFour

    spreads = []
    for playouts in (0.0, 1.0):
        search = Guided(Evaluator(), None, share=playouts)
        search.run(ConnectFour(), Dice(1), 7)
        spreads.append(search.spread())
    assert spreads[0] < 0.02 < 0.2 < spreads[1]
    thoughts = bot("flat:7000").think(ConnectFour(), Dice(1))
    assert thoughts[0][0] == 3 and len(thoughts) == 7


def test_what_everybody_sees_of_chance_is_a_branch():
    """In Te Kuiti which tile turns up decides what to do next: after each of them the tree goes on by itself."""
    position = find("te-kuiti").setup(2).start()
    dice = Dice("branches")
    let_chance_happen(position, dice)
    search = Guided(find("te-kuiti").evaluator, None)
    search.run(position, dice, 400)
    branches = [action for mover, action in zip(search.mover, search.action, strict=True) if mover == CHANCE and action >= 0]
    assert len(branches) > 10
    assert len(set(branches)) == 7, "a branch for each kind of tile, not for each side that a flower may be at"


def test_without_its_two_voices_a_net_says_nothing(tmp_path):
    """For ablations: a net that neither judges leaves nor weighs actions leaves the tree of the judge; either voice alone changes it."""
    game = find("sheepzzz")
    dice = Dice("voices")
    position = sequential(game.setup(2).start())
    let_chance_happen(position, dice)
    view = position.seen_by(position.to_act)
    (tmp_path / "a.net").write_bytes(a_file(position))

    def grown(voices):
        return bot(f"guided:100:{voices}").think(view, Dice(1))

    file = f"net={tmp_path / 'a.net'}"
    judge = grown("judge")
    assert grown(f"{file}:no-leaves:no-priors") == judge
    trees = [judge, grown(file), grown(f"{file}:no-leaves"), grown(f"{file}:no-priors")]
    assert all(one != other for one in trees for other in trees if one is not other)


def test_playouts_that_reply_see_what_random_ones_overlook():
    """Four in a row: whoever looks takes the fourth, so that three on top of each other are as good as won; at random few games end so."""
    from sheepfold.yardsticks.connect_four import ConnectFour

    position = ConnectFour()
    for column in (6, 0, 6, 0, 6):  # three, and the other has to answer
        position.advance(column)
    blind, looking = (dict(bot(f"guided:70:judge:playouts=1:horizon=1{how}").think(position, Dice(1))) for how in ("", ":replies"))
    assert all(looking[column] < 0.05 for column in (1, 2, 3, 4, 5)), "whoever does not answer has lost"
    assert max(blind[column] for column in (1, 2, 3, 4, 5)) > 0.3


def test_what_was_learned_judges_for_every_kind_of_bot(tmp_path):
    """A look, a tree with looks and a guided tree think otherwise with a net than with the game's own judge."""
    position = sequential(find("haste-bock").setup(3).start())
    let_chance_happen(position, Dice("judges"))
    view = position.seen_by(position.to_act)
    (tmp_path / "a.net").write_bytes(a_file(position))
    for line in ("greedy:1", "plain:20:horizon=2:look", "guided:20:look=1"):
        judged, learned = (bot(f"{line}:{who}").think(view, Dice(1)) for who in ("scale=4", f"net={tmp_path / 'a.net'}"))
        assert {action for action, _ in judged} >= {action for action, _ in learned}
        assert judged != learned
        assert sum(value for _, value in learned) != pytest.approx(sum(value for _, value in judged))


def test_guided_bots_say_what_they_do_not_know():
    from sheepfold.bots import UnknownBot

    with pytest.raises(UnknownBot, match="whole number after the colon"):
        bot("guided:0")
    with pytest.raises(nets.BadNet, match="cannot be read"):
        bot("guided:10:net=nowhere.net").choose(sequential(find("te-kuiti").setup(2).start()), Dice(1))
