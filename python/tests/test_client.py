import contextlib
import json
import queue
import signal
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.server import serve

import versus2048
from conftest import program
from versus2048 import RESIGN, Answer, RootMove, client, load_games
from versus2048.bot import Description
from versus2048.client import SUBPROTOCOL, Client, Refused, as_json, move_message
from versus2048.invitation import read_invitation

WELCOME = {"type": "welcome", "name": "x", "grace_ms": 30000, "games": [], "resume": "secret"}
START = {
    "type": "start",
    "game": "1",
    "role": "defender",
    "opponent": "rook",
    "rules": "gpcc2015",
    "seed": 7,
    "search": True,
}
REQUEST = {
    "type": "request",
    "game": "1",
    "ply": 3,
    "board": [[2, 0], [2, 0]],
    "score": 0,
    "moves": ["S", "(1,1)"],
    "left_ms": 5000,
}
MATE = {"type": "over", "game": "1", "ending": "mate", "score": 8}


class Arena:
    """An arena that does with each connection what the next script says."""

    def __init__(self, *scripts):
        self.hellos, self._scripts, self._errors = [], list(scripts), []
        self._server = serve(
            self._play, "127.0.0.1", 0, subprotocols=[SUBPROTOCOL], compression=None
        )
        self.url = f"ws://127.0.0.1:{self._server.socket.getsockname()[1]}/bot"
        self._thread = threading.Thread(target=self._server.serve_forever)

    def _play(self, connection):
        try:
            self.hellos.append(json.loads(connection.recv()))
            self._scripts.pop(0)(connection)
        except Exception as error:
            self._errors.append(error)
            raise

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._thread.join()
        assert self._errors == []
        assert self._scripts == []


def say(connection, *messages):
    for message in messages:
        connection.send(json.dumps(message))


def hear(connection):
    return json.loads(connection.recv(60))


def run(arena, choose, **settings):
    Client(choose, Description("x"), arena.url, retry_s=0.01, **settings).run()


def first(turn):
    return turn.position.moves()[0]


GOODBYE = {"type": "goodbye", "reason": "enough"}


@pytest.mark.parametrize(("token", "sent"), [(None, "v2048_of_env"), ("v2048_x", "v2048_x")])
def test_token(token, sent, monkeypatch):
    monkeypatch.setenv("VERSUS2048_TOKEN", "v2048_of_env")
    with Arena(lambda connection: say(connection, WELCOME, GOODBYE)) as arena:
        run(arena, first, token=token)
    assert [hello["token"] for hello in arena.hellos] == [sent]


def test_a_game():
    turns, answers = [], []

    def play(connection):
        say(connection, WELCOME, START, {"type": "news", "x": 1}, REQUEST)
        answers.append(hear(connection))
        say(connection, {"type": "error", "code": "bad_search", "message": "no"}, MATE, GOODBYE)

    def choose(turn):
        turns.append(turn)
        return Answer(
            "N",
            nodes=3,
            source="search",
            pv=["N"],
            expanded=[1, 2],
            moves=[RootMove("N", 4.5), RootMove("S", 4, 2, 9)],
        )

    with Arena(play) as arena:
        run(arena, choose, token="v2048_x", slots=2)
    assert arena.hellos == [
        {"type": "hello", "name": "x", "version": "", "author": "", "slots": 2, "resume": "",
         "token": "v2048_x"}
    ]  # fmt: skip
    [turn], [answer] = turns, answers
    assert str(turn.position) == "2,0/2,0 D 0 3"
    assert (turn.game, turn.seed, turn.left_ms, turn.last) == ("1", 7, 5000, "(1,1)")
    assert (turn.opponent, turn.search) == ("rook", True)
    assert answer.pop("spent_us") >= 0
    assert answer == {
        "type": "move",
        "game": "1",
        "ply": 3,
        "move": "N",
        "search": {
            "nodes": 3,
            "source": "search",
            "expanded": [1, 2],
            "pv": ["N"],
            "moves": [
                {"move": "N", "value": 4.5},
                {"move": "S", "value": 4, "visits": 2, "mate": 9},
            ],
        },
    }


def test_numbers_of_numpy():
    answers = []

    def play(connection):
        say(connection, WELCOME, START, REQUEST)
        answers.append(hear(connection))
        say(connection, GOODBYE)

    def choose(turn):
        return Answer(
            "N",
            nodes=np.int64(3),
            expanded=list(np.array([1, 2])),
            moves=[RootMove("N", np.float32(4.5), np.int64(2))],
        )

    with Arena(play) as arena:
        run(arena, choose)
    [answer] = answers
    assert answer["search"] == {
        "nodes": 3,
        "expanded": [1, 2],
        "moves": [{"move": "N", "value": 4.5, "visits": 2}],
    }


def test_pings_are_answered_while_the_bot_thinks():
    answered = threading.Event()

    def play(connection):
        say(connection, WELCOME, START, REQUEST)
        assert connection.ping().wait(60)
        answered.set()
        assert hear(connection)["move"] == "N"
        say(connection, GOODBYE)

    def choose(turn):
        assert answered.wait(60)
        return "N"

    with Arena(play) as arena:
        run(arena, choose)


def test_it_comes_back(monkeypatch):
    """After a loss, with the secret; a request that it still thinks about is answered once."""
    lost, back = threading.Event(), threading.Event()
    calls, answers = [], []

    def lose(connection):
        say(connection, WELCOME, START, REQUEST)
        lost.wait(60)
        connection.socket.close()

    def refuse(connection):
        say(connection, {"type": "refusal", "code": "name_in_use", "message": "wait"})

    def resume(connection):
        say(connection, WELCOME, START | {"resumed": True}, REQUEST)
        say(connection, {"type": "error", "code": "not_asked", "message": "after the request"})
        answers.append(hear(connection))
        say(connection, REQUEST | {"ply": 5})
        answers.append(hear(connection))
        say(connection, GOODBYE | {"reconnect": True})

    def end(connection):
        say(connection, WELCOME, GOODBYE)

    def choose(turn):
        calls.append(turn.position.ply)
        lost.set()
        assert back.wait(60)
        return first(turn)

    def log(text):
        if "after the request" in text:
            back.set()

    monkeypatch.setattr(client, "_log", log)
    with Arena(lose, refuse, resume, end) as arena:
        run(arena, choose)
    assert calls == [3, 5]
    assert [answer["ply"] for answer in answers] == [3, 5]
    assert [hello["resume"] for hello in arena.hellos] == ["", "secret", "secret", "secret"]


@pytest.mark.parametrize(
    ("choose", "want"),
    [
        (lambda turn: RESIGN, {"type": "resign"}),
        (lambda turn: {}[1], {
            "type": "error", "code": "cannot_move", "message": "KeyError: 1",
        }),
        (lambda turn: Answer("N", source=b"x"), {
            "type": "error", "code": "cannot_move",
            "message": "AttributeError: 'bytes' object has no attribute 'item'",
        }),
    ],
)  # fmt: skip
def test_no_move(choose, want, capsys):
    answers = []

    def play(connection):
        say(connection, WELCOME, START, REQUEST)
        answers.append(hear(connection))
        say(connection, GOODBYE)

    with Arena(play) as arena:
        run(arena, choose)
    assert answers == [want | {"game": "1", "ply": 3}]
    assert ("Traceback" in capsys.readouterr().err) == (want["type"] == "error")


def test_refusals():
    def refuse(connection):
        say(connection, {"type": "refusal", "code": "bad_token", "message": "revoked"})

    with Arena(refuse) as arena, pytest.raises(Refused, match="bad_token: revoked"):
        run(arena, first)

    def strike(connection):
        say(connection, WELCOME)
        connection.close(1008, "three strikes")

    with Arena(strike) as arena, pytest.raises(Refused, match="code 1008: three strikes"):
        run(arena, first)
    with pytest.raises(ConnectionError, match="cannot connect to"):
        versus2048.run(first, url=arena.url)


def test_it_waits_for_its_name(monkeypatch, capsys):
    """Started again after it was killed, it may come before the arena has noticed."""

    def refuse(connection):
        say(connection, {"type": "refusal", "code": "name_in_use", "message": "wait"})

    def end(connection):
        say(connection, WELCOME, GOODBYE)

    with Arena(refuse, refuse, refuse, refuse, end) as arena:
        run(arena, first)
    said = [line for line in capsys.readouterr().err.splitlines() if "wait" in line]
    pauses = [float(line.split()[-2]) for line in said]
    assert [pause / pauses[0] for pause in pauses] == [1, 2, 4, 5]
    assert said[0].startswith("name_in_use: wait; trying again in ")

    monkeypatch.setattr(client, "_REFUSED_S", 0)
    with Arena(refuse) as arena, pytest.raises(Refused, match="name_in_use: wait"):
        run(arena, first)


def test_reports_only_if_they_are_wanted():
    assert move_message(Answer("N", nodes=3), False) == {"type": "move", "move": "N"}
    assert move_message(Answer("N"), True) == {"type": "move", "move": "N"}
    message = move_message(Answer("N", time_us=1500.4), True)  # the arena takes whole numbers
    assert as_json(message["search"]) == '{"time_us": 1500}'
    message = move_message(Answer("N", tokens_read=812, tokens_written=9), True)
    assert message["search"] == {"tokens_read": 812, "tokens_written": 9}


@pytest.mark.parametrize("value", [np.float32("nan"), float("inf")])
def test_values_that_json_does_not_have(value):
    message = move_message(Answer("N", moves=[RootMove("N", value)]), True)
    with pytest.raises(ValueError, match="not JSON compliant"):
        as_json(message)


def test_an_interrupt_says_goodbye():
    heard = queue.SimpleQueue()

    def play(connection):
        say(connection, WELCOME, START, MATE)
        with contextlib.suppress(ConnectionClosed):
            heard.put(hear(connection))

    with Arena(play) as arena:
        bot = Client(first, Description("x"), arena.url)

        def interrupt(message):
            if message["type"] == "over":
                raise KeyboardInterrupt

        bot._handle = interrupt
        with pytest.raises(KeyboardInterrupt):
            bot.run()
    assert heard.get(timeout=60) == {"type": "goodbye", "reason": "interrupted"}


@pytest.mark.parametrize("error", [SystemExit(3), SystemExit(), KeyboardInterrupt()])
def test_a_bot_that_exits_ends_the_client(error, capsys):
    """At once, in the thread of run: elsewhere nobody sees it, and the game is lost on time."""
    heard = []

    def play(connection):
        say(connection, WELCOME, START, REQUEST)
        heard.append(hear(connection))

    def choose(turn):
        raise error

    with Arena(play) as arena, pytest.raises(type(error)) as raised:
        run(arena, choose, slots=2)
    assert raised.value is error
    [goodbye] = heard
    assert goodbye["type"] == "goodbye"
    assert goodbye["reason"].startswith(f"{type(error).__name__}: {error}")
    assert "Traceback" in capsys.readouterr().err


@pytest.mark.parametrize(
    "answer", [WELCOME, {"type": "refusal", "code": "name_in_use", "message": "wait"}]
)
def test_a_bot_that_exits_after_a_loss(answer, monkeypatch):
    """The client does not stay, nor try to come back."""
    asked, away, left = (threading.Event() for _ in range(3))
    leave = Client._leave

    def lose(connection):
        say(connection, WELCOME, START, REQUEST)
        assert asked.wait(60)
        connection.socket.close()

    def admit(connection):
        away.set()
        assert left.wait(60)
        say(connection, answer)
        with contextlib.suppress(ConnectionClosed):
            connection.recv(60)

    def choose(turn):
        asked.set()
        assert away.wait(60)
        sys.exit(3)

    def leave_and_tell(*arguments):
        leave(*arguments)
        left.set()

    monkeypatch.setattr(Client, "_leave", leave_and_tell)
    with Arena(lose, admit) as arena, pytest.raises(SystemExit, match="3"):
        run(arena, choose)


@contextlib.contextmanager
def served(db):
    """Serve an arena; yield the address of its bots, and a list of processes to end with it."""
    server = subprocess.Popen(
        [program("arena"), "serve", "--db", db, "--addr", "127.0.0.1:0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    processes = [server]
    try:
        address = next(line for line in server.stdout if "http://" in line)
        yield address[address.index("http://") :].split()[0].rstrip("/.,"), processes
    finally:
        for process in processes[::-1]:
            process.terminate()
            process.communicate(timeout=60)


def start_snake(url):
    """Start the example as a process, and wait until it is connected."""
    example = Path(__file__).parents[1] / "examples/snake.py"
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)  # nohup makes processes ignore it
    try:
        bot = subprocess.Popen(
            [sys.executable, example, url.replace("http", "ws") + "/bot", "snake"],
            stderr=subprocess.PIPE,
            text=True,
        )
    finally:
        signal.signal(signal.SIGHUP, before)
    said = next(line for line in bot.stderr if "trying again" not in line)
    assert said == "connected as snake\n"
    return bot


def test_a_real_arena(arena, tmp_path):
    """The example plays a match in an arena, with reports, and none of its games is lost."""
    db = tmp_path / "arena.db"
    with served(db) as (url, processes):
        processes.append(start_snake(url))
        arena("event", "run", "--server", url, "--bot", "snake", "--bot", "greedy",
              "--matches", 1, "--size", "3x3", "--search", "--quiet")  # fmt: skip
        tables = load_games(db)
        for form in ("jsonl", "parquet"):
            loaded = load_games(f"{url}/events/1/export?format={form}")
            assert loaded.plies.equals(tables.plies) and loaded.searches.equals(tables.searches)
        with pytest.raises(ValueError, match="/events/9/export: HTTP Error 404"):
            load_games(f"{url}/events/9/export")
    assert tables.games["ending"].to_pylist() == ["mate", "mate"]
    defended = next(g for g in tables.games.to_pylist() if g["defender"] == "snake")["game"]
    reports = [s for s in tables.searches.to_pylist() if s["game"] == defended]
    assert reports[0]["ply"] == 1
    assert reports[0]["pv"] == [reports[0]["moves"][0]["move"]]


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP])
def test_it_dies_and_is_started_again(tmp_path, end):
    """It has forgotten its secret, and plays its games on all the same."""
    db = tmp_path / "arena.db"
    with served(db) as (url, processes):
        bot = start_snake(url)
        event = subprocess.Popen(
            [program("arena"), "event", "run", "--server", url, "--bot", "snake",
             "--bot", "greedy", "--matches", "100000", "--size", "3x3", "--quiet"],
            stdout=subprocess.DEVNULL,
        )  # fmt: skip
        processes.append(event)
        for _ in range(2):
            assert next(line for line in bot.stderr if line.startswith("game "))
            bot.send_signal(end)
            bot.communicate(timeout=60)
            bot = start_snake(url)
        processes.append(bot)
        assert next(line for line in bot.stderr if line.startswith("game "))
        event.terminate()  # the bot is there until it has ended
        event.communicate(timeout=60)
    games = load_games(db).games.to_pylist()
    assert {game["ending"] for game in games if game["finished"]} == {"mate"}


CODE = "KQ7M2XWDPA5C"
BAD_TOKEN = {"type": "refusal", "code": "bad_token", "message": "no"}
REGISTERED = WELCOME | {"registered": True}


@pytest.fixture
def settings(tmp_path, monkeypatch):
    """The folder of the user's settings, and no token in the environment."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("APPDATA", str(tmp_path))
    monkeypatch.delenv("VERSUS2048_TOKEN", raising=False)
    return tmp_path


def saying(*messages):
    return lambda connection: say(connection, *messages)


def kept(settings):
    return [path for path in settings.rglob("*") if path.is_file()]


def test_invitation(settings):
    """The bot registers by a token of its own, keeps it, and needs no invitation later."""
    with Arena(saying(REGISTERED, GOODBYE), saying(WELCOME, GOODBYE)) as arena:
        run(arena, first, invitation=CODE)
        [file] = kept(settings)
        run(arena, first)
    before, after = (hello["token"] for hello in arena.hellos)
    assert before.startswith(CODE + "-")
    assert len(before) >= len(CODE) + 1 + 20
    assert (after, file.read_text()) == (before, before)
    if sys.platform != "win32":
        assert file.stat().st_mode & 0o777 == 0o600


def test_invitation_refused(settings):
    """A token that never registered the name is not kept."""
    with (
        Arena(saying(BAD_TOKEN)) as arena,
        pytest.raises(Refused, match="bad_token: no"),
    ):
        run(arena, first, invitation=CODE)
    assert kept(settings) == []


def test_lost_welcome(settings):
    """A token that may have registered the name is kept, until an arena calls it wrong."""
    lost, refuses, admits = saying(), saying(BAD_TOKEN), saying(WELCOME, GOODBYE)
    with Arena(lost, admits, admits, lost, refuses, admits) as arena:
        with pytest.raises(ConnectionError):
            run(arena, first, invitation=CODE)
        run(arena, first)
        run(arena, first, invitation=CODE)
        tokens = [hello["token"] for hello in arena.hellos]
        assert tokens == [tokens[0]] * 3
        [file] = kept(settings)
        assert file.read_text() == tokens[0]
        file.unlink()
        with pytest.raises(ConnectionError):
            run(arena, first, invitation=CODE)
        run(arena, first)
    assert "token" not in arena.hellos[5]
    assert kept(settings) == []


def test_invitation_of_another_arena(settings):
    """With another invitation the bot registers again, and keeps its token until it is admitted."""
    admits, refuses = saying(REGISTERED, GOODBYE), saying(BAD_TOKEN)
    with Arena(admits, refuses, refuses, refuses, admits) as arena:
        run(arena, first, invitation=CODE)
        [file] = kept(settings)
        old = file.read_text()
        with pytest.raises(Refused, match="bad_token"):
            run(arena, first, invitation="A" * 12)
        assert file.read_text() == old
        run(arena, first, invitation="B" * 12)
    tokens = [hello["token"] for hello in arena.hellos]
    assert tokens[1] == tokens[3] == old
    assert tokens[4] == file.read_text()
    assert tokens[4].startswith("B" * 12 + "-")


def test_given_token_replaces_the_kept_one(settings):
    with Arena(saying(REGISTERED, GOODBYE), saying(WELCOME, GOODBYE)) as arena:
        run(arena, first, invitation="open")
        [file] = kept(settings)
        run(arena, first, token="v2048_new")
    assert file.read_text() == "v2048_new"
    with pytest.raises(ValueError, match="not both"):
        run(arena, first, token="v2048_x", invitation=CODE)


@pytest.mark.parametrize(
    ("text", "url", "want"),
    [
        (CODE.lower(), None, (CODE, None)),
        ("Open", "ws://h/bot", ("open", "ws://h/bot")),
        (f"https://h:1/connect?invitation={CODE}", None, (CODE, "wss://h:1/bot")),
        (f"http://h/connect?invitation={CODE}", "ws://i/bot", (CODE, "ws://i/bot")),
    ],
)
def test_read_invitation(text, url, want):
    assert read_invitation(text, url) == want


def test_no_url():
    with pytest.raises(ValueError, match="needs the arena's url"):
        versus2048.run(first, invitation=CODE)


@pytest.mark.parametrize("text", ["", "short", "https://h/connect"])
def test_no_invitation(text):
    with pytest.raises(ValueError, match="want the link or the code"):
        versus2048.run(first, invitation=text)
