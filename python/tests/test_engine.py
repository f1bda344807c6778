import os
import signal
import socket
import sys
import sysconfig

import pytest

from versus2048 import Position
from versus2048.engine import Engine, EngineError

START = Position.parse("2,0/0,0 D 0 1")


def script(text, **settings):
    return Engine([sys.executable, "-uc", text], **settings)


READY = "input(); print('hello'); print('ready')\n"


def test_a_game():
    engine = script(
        "import sys, versus2048\n"
        "option = versus2048.bot.Option('move', 'S')\n"
        "versus2048.run(lambda turn: turn.options['move'], options=[option])",
        options={"move": "E"},
    )
    for seed in range(2):
        engine.new_game(START, "defender", seed)
        assert engine.choose(START, "(1,1)") == "E"
    engine.close()
    engine.close()


@pytest.mark.skipif(os.name != "posix", reason="scripts are programs")
def test_a_program_beside_python(tmp_path, monkeypatch):
    """A wheel puts ``bot`` there, where no PATH may lead."""
    program = tmp_path / "beside"
    program.write_text(f"#!{sys.executable} -u\n" + READY + "input(); input(); print('move N')\n")
    program.chmod(0o755)
    monkeypatch.setattr(sysconfig, "get_path", lambda name: str(tmp_path))
    engine = Engine(["beside"])
    engine.new_game(START, "defender", 1)
    assert engine.choose(START, None) == "N"
    engine.close()
    with pytest.raises(FileNotFoundError):
        Engine(["elsewhere"]).new_game(START, "defender", 1)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("input(); print('id name x')", "it has ended; its last lines: id name x"),
        (
            READY + "input(); input(); print('junk')",
            "it has ended; its last lines: hello | ready | junk",
        ),
        (READY + "input(); input(); print('error out of ideas')", "it gave up: error out of ideas"),
        (READY + "input(); input(); print('resign')", "it gave up: resign;"),
        (
            READY + "while True: input()",
            "no move within 0.2 s; a program that needs longer: timeout_s=0.4; "
            "its last lines: hello | ready",
        ),
    ],
)
def test_faults(text, why):
    engine = script(text, timeout_s=0.2 if "while True" in text else 60)
    with pytest.raises(EngineError, match=why.replace("|", r"\|")):
        engine.new_game(START, "defender", 1)
        engine.choose(START, None)


@pytest.mark.parametrize("text", ["", READY + "input(); input()\n"])
def test_lines_without_an_answer_do_not_win_time(text):
    """Neither before ready nor after go."""
    option, patience = ("timeout_s", 60) if text else ("start_timeout_s", 0.2)
    text += "while True: print('info depth=1')"
    engine = script(text, timeout_s=0.2, farewell_s=0.2, start_timeout_s=patience)
    with pytest.raises(EngineError, match=rf"within 0\.2 s; .* longer: {option}=0\.4;"):
        engine.new_game(START, "defender", 1)
        engine.choose(START, None)


def test_lines_before_go_are_no_answer():
    """An error of set is for the log, and so is a second answer."""
    engine = script(
        READY + "input(); print('error no such depth')\n"
        "input(); input(); print('move N'); print('move W'); input(); print('move E')",
        options={"depth": "99"},
    )
    engine.new_game(START, "defender", 1)
    assert wait_for_a_line(engine).choose(START, None) == "N"
    assert wait_for_a_line(engine).choose(START, None) == "E"
    engine.close()


def test_the_last_lines_are_of_the_same_process(tmp_path):
    seen = tmp_path / "seen"
    engine = script(
        f"import os; again = os.path.exists({str(seen)!r}); open({str(seen)!r}, 'w')\n"
        "print('second' if again else 'first'); input()"
    )
    for number in ("first", "second"):
        with pytest.raises(EngineError, match=f"its last lines: {number}$"):
            engine.new_game(START, "defender", 1)


def test_words_between_tabs():
    engine = script(READY + "input(); input(); print('move\t E')")
    engine.new_game(START, "defender", 1)
    assert engine.choose(START, None) == "E"
    engine.close()


def test_unknown_keys():
    engine = script(READY + "input(); input(); print('move later=1 E x=2')")
    engine.new_game(START, "defender", 1)
    assert engine.choose(START, None) == "E"
    engine.close()


def wait_for_a_line(engine):
    while engine._lines.empty():
        pass
    return engine


def test_it_ends_with_its_children(tmp_path):
    """A program that ignores quit and SIGTERM is killed, with what it has started."""
    pid = tmp_path / "pid"
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(60)
        child = (
            "import socket\n"
            f"held = socket.create_connection(('127.0.0.1', {server.getsockname()[1]}))\n"
            "held.recv(1)  # until the test ends, if it is not killed"
        )
        engine = script(
            "import os, signal, subprocess, sys\n"
            "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
            f"subprocess.Popen([sys.executable, '-c', {child!r}], stdout=subprocess.DEVNULL)\n"
            f"print(os.getpid(), file=open({str(pid)!r}, 'w'), flush=True)\n"
            + READY
            + "while True: signal.pause()",
            farewell_s=0.2,
        )
        engine.new_game(START, "defender", 1)
        held, _ = server.accept()
    with held:
        engine.close()
        with pytest.raises(ProcessLookupError):
            os.kill(int(pid.read_text()), 0)
        held.settimeout(60)
        assert held.recv(1) == b""  # the system closes what the child held once it is gone


def test_without_groups_of_processes(monkeypatch):
    """Under Windows the process alone is ended; os.killpg and SIGKILL are not there."""
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.delattr(os, "killpg")
    monkeypatch.delattr(signal, "SIGKILL")
    engine = script(READY + "while True: pass", farewell_s=0.2)
    engine.new_game(START, "defender", 1)
    process = engine._process
    engine.close()
    assert process.returncode is not None


def test_no_command():
    with pytest.raises(ValueError, match="want a command"):
        Engine([])
