"""A program that speaks the line protocol, as an opponent: the arena's end of ``docs/STDIO.md``."""

from __future__ import annotations

import contextlib
import os
import queue
import shutil
import signal
import subprocess
import sys
import sysconfig
import threading
import time
from collections import deque
from collections.abc import Sequence

from versus2048.position import Position, Side
from versus2048.stdio import GREETING, arguments, first_word


class EngineError(RuntimeError):
    """The program ended, was silent for too long, or gave up; the text has its last lines."""


class Engine:
    """A process that plays one game at a time, started with the first game.

    Args:
        command: the program and its arguments. A name without a folder is looked for as a shell
            does, and then beside Python itself, where a wheel of a release puts ``bot``.
        options: set before each game.
        timeout_s: how long a move may take.
        farewell_s: how long the program may take to end after ``quit``, and after SIGTERM.
        start_timeout_s: how long the program may take until it is ready.

    """

    def __init__(
        self,
        command: Sequence[str],
        options: dict[str, str] | None = None,
        timeout_s: float = 60.0,
        farewell_s: float = 2.0,
        start_timeout_s: float = 60.0,
    ) -> None:
        if not command:
            raise ValueError("exec: want a command")
        self._command, self._options = list(command), options or {}
        self._timeout_s, self._farewell_s = timeout_s, farewell_s
        self._start_timeout_s = start_timeout_s
        self._process: subprocess.Popen[bytes] | None = None
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._heard: deque[str] = deque(maxlen=5)
        self._games = 0

    def new_game(self, position: Position, role: Side, seed: int) -> None:
        """Begin a game; starts the program if it does not run."""
        if self._process is None:
            self._start()
        for name, value in self._options.items():
            self._say(f"set {name}={value}")
        self._games += 1
        self._say(
            f"new game={self._games} role={role} rules={position.rules} "
            f"size={position.size_text} seed={seed}"
        )

    def choose(self, position: Position, last: str | None) -> str:
        """Return the program's move, which may be illegal; raise EngineError without one."""
        rows, side = str(position).split()[:2]
        line = f"go {rows} {side} ply={position.ply} score={position.score}"
        line += f" role={position.side} rules={position.rules} size={position.size_text}"
        for _ in range(self._lines.qsize()):  # unasked lines are no answer
            self._next(0)
        self._say(line + (f" last={last}" if last else ""))
        word, rest = self._hear(self._timeout_s, "move", "resign", "error")
        if word != "move":
            raise self._error(f"it gave up: {word} {rest}".strip())
        return " ".join(arguments(rest)[0])

    def close(self) -> None:
        """End the program with its children: ``quit``, then SIGTERM, then SIGKILL.

        Where there are no groups of processes, as under Windows, its children are left alone.
        """
        if self._process is None:
            return
        process, self._process = self._process, None
        assert process.stdin is not None and process.stdout is not None
        with contextlib.suppress(OSError):
            process.stdin.write(b"quit\n")
            process.stdin.close()
        for at_once in (False, True):
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(self._farewell_s)
                break
            _end(process, at_once)
        process.wait()
        _end(process, at_once=True)  # remaining processes of its group
        self._reader.join(self._farewell_s)
        process.stdout.close()

    def _start(self) -> None:
        self._process = subprocess.Popen(
            _found(self._command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # its children end with it
        )
        self._lines = queue.Queue()
        self._heard.clear()  # of the process before
        self._reader = threading.Thread(target=self._read, args=(self._process,), daemon=True)
        self._reader.start()
        self._say(GREETING)
        self._hear(self._start_timeout_s, "ready", option="start_timeout_s")

    def _read(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        with contextlib.suppress(ValueError):  # it was closed meanwhile
            for line in process.stdout:
                self._lines.put(line.decode(errors="replace").strip())
        self._lines.put(None)

    def _say(self, line: str) -> None:
        assert self._process is not None and self._process.stdin is not None
        try:
            self._process.stdin.write(line.encode() + b"\n")
            self._process.stdin.flush()
        except OSError as error:
            raise self._error(f"it has ended, {line.split()[0]} was not sent") from error

    def _hear(self, timeout_s: float, *words: str, option: str = "timeout_s") -> tuple[str, str]:
        """Return the next line that begins with one of the words: that word, and the rest.

        An error names the option that gives it more time.
        """
        deadline = time.monotonic() + timeout_s
        while (left := deadline - time.monotonic()) > 0:
            with contextlib.suppress(queue.Empty):
                word, rest = first_word(self._next(left))
                if word in words:
                    return word, rest
        longer = f"a program that needs longer: {option}={2 * timeout_s:g}"
        raise self._error(f"no {words[0]} within {timeout_s:g} s; {longer}")

    def _next(self, timeout_s: float) -> str:
        """Return the next line; queue.Empty if there is none in time."""
        line = self._lines.get(timeout=timeout_s)
        if line is None:
            raise self._error("it has ended")
        self._heard.append(line)
        return line

    def _error(self, what: str) -> EngineError:
        heard = " | ".join(self._heard) or "nothing"
        self.close()
        return EngineError(f"{' '.join(self._command)}: {what}; its last lines: {heard}")


def _found(command: Sequence[str]) -> list[str]:
    """Return the command with the path of its program, if that is only beside Python itself."""
    program, *rest = command
    beside = shutil.which(program, path=sysconfig.get_path("scripts"))
    if beside is None or shutil.which(program) is not None:
        return list(command)
    return [beside, *rest]


def _end(process: subprocess.Popen[bytes], at_once: bool) -> None:
    """Ask a process and its group to end, or end them."""
    if sys.platform == "win32":
        process.terminate()  # at once
    else:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL if at_once else signal.SIGTERM)
