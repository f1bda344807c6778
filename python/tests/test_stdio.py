import io
import subprocess
import sys
from pathlib import Path

import pytest

from versus2048 import RESIGN, Answer, Position, RootMove
from versus2048.bot import Description, Option
from versus2048.stdio import report_lines, serve

GO = "go 2,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0 D ply=1 score=0 left_ms=1000 last=(1,1)"
ABOUT = Description(
    "first one",
    "1.2",
    options=(
        Option("depth", 3, 1, 9),
        Option("speed", 0.5),
        Option("style", "calm", choices=("calm", "wild")),
        Option("loud", False),
        Option("book", "my openings"),
    ),
)


def talk(choose, *lines, about=ABOUT):
    """Return the bot's answers to lines."""
    out = io.StringIO()
    serve(choose, about, io.BytesIO("".join(f"{line}\n" for line in lines).encode()), out)
    return out.getvalue().splitlines()


def first(turn):
    return turn.position.moves()[0]


def test_introduction():
    assert talk(first, "v2048 1") == [
        "id name first one",
        "id version 1.2",
        "option name=depth type=int default=3 min=1 max=9",
        "option name=speed type=float default=0.5",
        "option name=style type=choice default=calm choices=calm,wild",
        "option name=loud type=bool default=false",
        "option name=book type=string default=my%20openings",
        "ready",
    ]


def test_a_bot_says_what_it_plays():
    about = Description("x", plays={"rules": ["gpcc2015", "gpcc2016"], "size": ("4x4",)})
    lines = ["id name x", "plays rules=gpcc2015,gpcc2016 size=4x4", "ready"]
    assert talk(first, "v2048 1", about=about) == lines


def test_a_name_is_no_list_of_names():
    with pytest.raises(TypeError, match=r"for size: want a list, such as \['4x4'\]"):
        Description("x", plays={"size": "4x4"})


def test_without_websockets_the_extra_is_named():
    program = (
        "import sys; sys.modules['websockets.exceptions'] = None\n"
        "import versus2048; versus2048.run(lambda turn: 'N', url='ws://127.0.0.1:1/bot')"
    )
    done = subprocess.run([sys.executable, "-c", program], text=True, capture_output=True)
    assert "pip install 'versus2048[client]'" in done.stderr


def test_a_stateless_bot_needs_only_go():
    line = "go 2,0,0/0,0,4 A ply=7 score=0 rules=gpcc2016 size=3x2 role=attacker future=1"
    turns = []

    def remember(turn):
        turns.append(turn)
        return "(2,1,4)"

    assert talk(remember, line) == ["move (2,1,4)"]
    assert turns[0].position == Position.parse("2,0,0/0,0,4 A 0 7", "gpcc2016")
    assert (turns[0].left_ms, turns[0].last, turns[0].role) == (None, None, "attacker")


def test_a_game():
    turns = []

    def remember(turn):
        turns.append(turn)
        return first(turn)

    answers = talk(
        remember,
        "",
        "  ",
        "unknown line x=1",
        "set depth=5",
        "set style=wild",
        "set loud=true",
        "set book=the other one",
        "set unknown=1",
        "new game=g%201 role=defender rules=gpcc2015 size=4x4 seed=77 opponent=a%20b move_ms=1000",
        GO + "\r",
        "over result=loss score=0 ending=mate",
        "quit",
        GO,
    )
    assert answers == ["move S"]
    turn = turns[0]
    assert (turn.game, turn.seed, turn.opponent) == ("g 1", 77, "a b")
    assert (turn.left_ms, turn.last) == (1000, "(1,1)")
    assert turn.options == {
        "depth": 5,
        "speed": 0.5,
        "style": "wild",
        "loud": True,
        "book": "the other one",
    }


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("depth=10", "error option depth=10: want a whole number from 1 to 9"),
        ("depth=x", "error option depth=x: want a whole number from 1 to 9"),
        ("speed=x", "error option speed=x: want a number"),
        ("style=mild", "error option style=mild: want one of calm, wild"),
        ("loud=yes", "error option loud=yes: want true or false"),
    ],
)
def test_wrong_options(text, why):
    assert talk(first, f"set {text}") == [why]


@pytest.mark.parametrize(("bounds", "want"), [((2, None), "from 2"), ((None, 0), "to 0")])
def test_one_bound(bounds, want):
    with pytest.raises(ValueError, match=f"option depth=1: want a whole number {want}$"):
        Option("depth", 3, *bounds).read("1")


def test_words_between_tabs():
    """docs/STDIO.md: words are separated by one or more spaces or tabs."""
    answers = talk(
        lambda turn: turn.options["book"], "v2048\t1", "set \tbook=S", "new\trole=defender",
        GO.replace(" ", " \t"),
    )  # fmt: skip
    assert answers[-2:] == ["ready", "move S"]


def test_unknown_keys():
    """docs/STDIO.md: both sides ignore keys that they do not know."""
    answers = talk(lambda turn: "S", "v2048 1 later=1", f"{GO} later=1", "quit later=1", GO)
    assert answers[-2:] == ["ready", "move S"]


def test_faults_of_the_bot(capsys):
    def fail(turn):
        print("thinking")
        raise RuntimeError("out of\nideas")

    assert talk(fail, GO) == ["error RuntimeError: out of ideas"]
    log = capsys.readouterr()
    assert log.out == ""
    assert log.err.startswith("thinking\nTraceback")
    [answer] = talk(lambda turn: "W", GO)
    assert answer.startswith("error IllegalMoveError: move 'W'")
    [answer] = talk(lambda turn: Answer("S", moves=[RootMove("S", None)]), GO)
    assert answer.startswith("error TypeError: ")
    [answer] = talk(lambda turn: None, GO)
    assert answer == "error IllegalMoveError: move None: want N, S, W, E, (X,Y) or (X,Y,4)"
    [answer] = talk(first, "go nonsense D")
    assert answer.startswith("error ValueError: position 'nonsense D': want rows")
    [answer] = talk(first, f"{GO} rules=later")
    assert answer.startswith("error ValueError: rules 'later': want gpcc2015")


def test_resigning():
    assert talk(lambda turn: RESIGN, GO) == ["resign"]


def test_report():
    answer = Answer(
        "S",
        playouts=100,
        nodes=50,
        expanded=[1, 12],
        time_us=12_045,
        cpu_us=900,
        tokens_read=812,
        tokens_written=9,
        source="proof",
        pv=["S", "(2,3)", "E"],
        moves=[RootMove("S", 12.25, 60), RootMove("E", -3, mate=7)],
    )
    lines = [
        "info nodes=50 visits=100 time_ms=12.045 cpu_ms=0.900 tokens_read=812"
        " tokens_written=9 expanded=1,12 source=proof pv=S,(2,3),E",
        "info move=S visits=60 value=12.25",
        "info move=E value=-3 mate=7",
    ]
    assert report_lines(answer) == lines
    assert talk(lambda turn: answer, GO) == [*lines, "move S"]


def test_numbers_of_a_report():
    answer = Answer("S", time_us=1500.4, cpu_us=2, moves=[RootMove("S", 1234567.5)])
    assert report_lines(answer) == [
        "info time_ms=1.500 cpu_ms=0.002",
        "info move=S value=1234567.5",
    ]
    [line] = talk(lambda turn: Answer("S", moves=[RootMove("S", float("nan"))]), GO)
    assert line == "error ValueError: value nan of move S: want a finite number"


@pytest.mark.parametrize("end", ["quit\n", ""])
def test_process(end):
    bot = Path(__file__).parents[1] / "examples/snake.py"
    lines = f"v2048 1\n{GO}\n{end}"
    done = subprocess.run([sys.executable, bot], input=lines, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    answers = done.stdout.splitlines()
    assert answers[:3] == ["id name snake", "id version 1.0", "ready"]
    assert answers[-1] == "move E"
