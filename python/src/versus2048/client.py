"""A bot's connection to an arena over WebSocket: ``versus2048.v1`` of ``docs/PROTOCOL.md``."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from versus2048.bot import RESIGN, Answer, Choose, Description, RootMove, Turn, answer_of
from versus2048.invitation import OwnToken
from versus2048.position import Position, Side
from versus2048.stdio import one_line

try:
    from websockets.exceptions import ConnectionClosed, WebSocketException
    from websockets.sync.client import ClientConnection, connect
    from websockets.typing import Subprotocol
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "a bot with a url needs websockets: pip install 'versus2048[client]'", name=error.name
    ) from None

SUBPROTOCOL = Subprotocol("versus2048.v1")
_SILENCE_S = 15.0
_TEMPORARY = {"name_in_use", "internal_error", "busy"}  # refusals that pass
_REFUSED_S = 60.0  # for how long to try again after them, at least
_LONGEST = 5.0  # the longest pause between attempts, times retry_s
_BOT_AT_FAULT = {1002, 1003, 1007, 1008, 1009, 1010}  # close codes


class Refused(ConnectionError):  # noqa: N818 -- an event
    """The arena does not admit the bot, or has closed its connection for a fault of the bot."""


class Client:
    """A bot that is connected to an arena, and comes back when it loses the connection.

    Pings are answered while the bot thinks. Each of the slots has a thread. While the name is in
    use, the bot waits: if it was killed and started again, the arena may not have noticed yet.

    Args:
        choose: the bot; with several slots it is called from several threads at once.
        about: the bot's description of itself, with its name.
        url: for example ``ws://127.0.0.1:2048/bot``.
        token: the token for the name, if the arena requires one; the default is the environment
            variable VERSUS2048_TOKEN, then the one by which this user has registered the name.
        invitation: the code of an invitation, by which the name is registered the first time.
        slots: the number of games at once, 1 to 1024.
        retry_s: the wait in seconds before the second attempt to connect; the waits grow to five
            times as long.

    """

    def __init__(
        self,
        choose: Choose,
        about: Description,
        url: str,
        *,
        token: str | None = None,
        invitation: str = "",
        slots: int = 1,
        retry_s: float = 1.0,
    ) -> None:
        self._choose, self._options, self._url, self._retry_s = (
            choose, about.defaults(), url, retry_s)  # fmt: skip
        self._hello: dict[str, Any] = {"type": "hello", "name": about.name, "slots": slots}
        self._hello |= {"version": about.version, "author": about.author, "resume": ""}
        if about.plays:
            self._hello["plays"] = {key: list(names) for key, names in about.plays.items()}
        self._own = OwnToken(url, about.name, invitation)
        self._given = token or os.environ.get("VERSUS2048_TOKEN") or ""
        if self._given and invitation:
            raise ValueError("give a token or an invitation, not both")
        self._pool = ThreadPoolExecutor(slots, "versus2048")
        self._lock = threading.Lock()
        self._connection: ClientConnection | None = None
        self._games: dict[str, dict[str, Any]] = {}
        self._thinking: set[tuple[str, int]] = set()
        self._patience_s = 0.0  # for how long to try to connect; 0 before the first welcome
        self._exit: BaseException | None = None  # the bot's own, in one of its threads

    def run(self) -> None:
        """Play until the arena says goodbye for good, or the bot is interrupted or exits."""
        self._present(self._given or self._own.offer() or "")
        try:
            while self._stay():
                pass
        finally:
            self._pool.shutdown(wait=False, cancel_futures=True)

    def _stay(self) -> bool:
        """Connect and play; return whether to connect again."""
        with self._admitted() as connection:
            self._connection = connection
            try:
                goodbye = self._play(connection)
            except KeyboardInterrupt:
                with contextlib.suppress(ConnectionClosed):
                    self._send(as_json({"type": "goodbye", "reason": "interrupted"}))
                raise
            finally:
                self._connection = None
        self._raise_exit()
        if goodbye is not None:
            _log(f"goodbye: {goodbye.get('reason', '')}")
            self._patience_s = float("inf")
            return bool(goodbye.get("reconnect"))
        if connection.close_code in _BOT_AT_FAULT:
            raise Refused(f"closed with code {connection.close_code}: {connection.close_reason}")
        _log(f"the connection is lost (code {connection.close_code})")
        return True

    def _play(self, connection: ClientConnection) -> dict[str, Any] | None:
        """Handle messages; return the goodbye, None if the connection or the bot ends before."""
        with contextlib.suppress(ConnectionClosed):
            while self._exit is None:
                message: dict[str, Any] = json.loads(connection.recv())
                if message.get("type") == "goodbye":
                    return message
                self._handle(message)
        return None

    @contextlib.contextmanager
    def _admitted(self) -> Iterator[ClientConnection]:
        """Connect and say hello; try again after growing pauses while patience lasts."""
        began, pause = time.monotonic(), 1.0
        with contextlib.ExitStack() as stack:
            while True:
                self._raise_exit()
                waited_s = time.monotonic() - began
                try:
                    connection = self._admit(stack)
                    break
                except Refused as refused:
                    if refused.args[0] == "bad_token" and (token := self._renewed()) is not None:
                        self._present(token)
                        continue
                    problem = ": ".join(refused.args)
                    patience_s = max(self._patience_s, _REFUSED_S)
                    if refused.args[0] not in _TEMPORARY or waited_s >= patience_s:
                        raise Refused(problem) from None
                except (OSError, WebSocketException) as error:
                    problem = f"cannot connect to {self._url}: {error}"
                    if waited_s >= self._patience_s:
                        raise ConnectionError(problem) from error
                _log(f"{problem}; trying again in {pause * self._retry_s:g} s")
                time.sleep(pause * self._retry_s)
                pause = min(2 * pause, _LONGEST)
            yield connection

    def _admit(self, stack: contextlib.ExitStack) -> ClientConnection:
        """Connect and say hello once; the stack closes the connection, if there is a welcome."""
        with contextlib.ExitStack() as attempt:
            connection = attempt.enter_context(
                connect(
                    self._url,
                    subprotocols=[SUBPROTOCOL],
                    compression=None,
                    ping_interval=5,
                    ping_timeout=_SILENCE_S,
                    proxy=None,
                )
            )
            connection.send(json.dumps(self._hello))
            answer = json.loads(connection.recv(_SILENCE_S))
            if answer.get("type") == "refusal":
                raise Refused(str(answer.get("code")), str(answer.get("message")))
            stack.push(attempt.pop_all())
        # An arena with a short grace may still need 15 s to free the name.
        self._patience_s = max(answer.get("grace_ms", 30_000) / 1000, _SILENCE_S + 5)
        self._hello["resume"] = answer.get("resume", "")
        self._games.clear()  # the arena sends a start for each game in progress
        _log(f"connected as {answer.get('name')}")
        if self._own.welcomed(self._given):
            _log(f"the name is yours now, by the token in {self._own.path}")
        return connection

    def _present(self, token: str) -> None:
        """Say hello with a token from now on, or without one if it is empty."""
        self._hello.pop("token", None)
        if token:
            self._hello["token"] = token

    def _renewed(self) -> str | None:
        """Return what to present after a wrong token: None for nothing, as after a welcome."""
        return None if self._given or self._patience_s else self._own.offer()

    def _handle(self, message: dict[str, Any]) -> None:
        """Handle a message; unknown types are ignored."""
        match message.get("type"):
            case "start":
                self._games[message["game"]] = message
            case "request":
                self._think(message)
            case "over":
                self._games.pop(message["game"], None)
                _log(f"game {message['game']}: {message.get('ending')}, score "
                     f"{message.get('score')} {message.get('detail', '')}".rstrip())  # fmt: skip
            case "error" if message.get("code") != "unknown_game":  # it crossed an over
                _log(f"error {message.get('code')}: {message.get('message')}")

    def _think(self, request: dict[str, Any]) -> None:
        """Answer a request in another thread, unless one thinks about it already."""
        asked = (request["game"], request["ply"])
        start = self._games.get(request["game"])
        with self._lock:
            if start is None or asked in self._thinking:
                return
            self._thinking.add(asked)
        self._pool.submit(self._answer, start, request)

    def _answer(self, start: dict[str, Any], request: dict[str, Any]) -> None:
        began = time.perf_counter_ns()
        asked = {"game": request["game"], "ply": request["ply"]}
        try:
            answer = answer_of(self._choose, self._turn(start, request))
            message = move_message(answer, start.get("search", False))
            if message["type"] == "move":
                message["spent_us"] = (time.perf_counter_ns() - began) // 1000
            text = as_json(message | asked)
        except BaseException as error:  # any error of the bot, or a report that is no JSON
            traceback.print_exc()
            why = f"{type(error).__name__}: {one_line(error)}"
            if not isinstance(error, Exception):
                self._leave(error, why)
                return
            text = as_json({"type": "error", "code": "cannot_move", "message": why} | asked)
        with self._lock:
            self._thinking.discard((request["game"], request["ply"]))
        with contextlib.suppress(ConnectionClosed):  # the arena asks again after a loss
            self._send(text)

    def _leave(self, error: BaseException, why: str) -> None:
        """End the client, from a thread of the bot that exits or is interrupted."""
        self._exit = error
        if (connection := self._connection) is not None:
            with contextlib.suppress(ConnectionClosed):
                connection.send(as_json({"type": "goodbye", "reason": why}))
            connection.close()  # which wakes the thread that waits for messages

    def _raise_exit(self) -> None:
        """Raise the exception that the bot has ended itself with, in the thread of run."""
        if self._exit is not None:
            raise self._exit

    def _turn(self, start: dict[str, Any], request: dict[str, Any]) -> Turn:
        role: Side = start["role"]
        board = tuple(tuple(row) for row in request["board"])
        moves = request.get("moves", ())
        theirs = [move for move in moves if (len(move) == 1) != (role == "defender")]
        return Turn(
            position=Position(board, role, start["rules"], request["score"], request["ply"]),
            game=start["game"],
            seed=start.get("seed", 0),
            left_ms=request.get("left_ms"),
            last=theirs[-1] if theirs else None,
            opponent=start.get("opponent", ""),
            search=start.get("search", False),
            options=dict(self._options),
        )

    def _send(self, text: str) -> None:
        connection = self._connection
        if connection is not None:
            connection.send(text)


def as_json(message: dict[str, Any]) -> str:
    """Return a message as text. Numbers of NumPy are numbers; NaN and infinity are errors."""
    return json.dumps(message, default=lambda number: number.item(), allow_nan=False)


def move_message(answer: Answer, search: bool) -> dict[str, Any]:
    """Return the message for an answer, without game and ply; with its report if it is wanted."""
    if answer.move == RESIGN:
        return {"type": "resign"}
    report: dict[str, Any] = {
        "playouts": answer.playouts,
        "nodes": answer.nodes,
        "expanded": list(answer.expanded),
        "time_us": round(answer.time_us),  # an arena takes no fractions
        "cpu_us": round(answer.cpu_us),
        "tokens_read": answer.tokens_read,
        "tokens_written": answer.tokens_written,
        "source": answer.source,
        "pv": list(answer.pv),
        "moves": [_root_move(m) for m in answer.moves],
    }
    report = {key: value for key, value in report.items() if value}
    message: dict[str, Any] = {"type": "move", "move": answer.move}
    return message | {"search": report} if search and report else message


def _root_move(m: RootMove) -> dict[str, Any]:
    fields = {"move": m.move, "value": m.value, "visits": m.visits}
    fields |= {"mate": m.mate, "prior": m.prior}
    return {key: value for key, value in fields.items() if key == "move" or value}


def _log(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
