#!/usr/bin/env python3
"""A bot for the versus 2048 arena (protocol versus2048.v1), in plain Python 3.11.

    client.py ws://127.0.0.1:2048/bot NAME [--token TOKEN] [--slots N] [--give-up SECONDS]

It plays both roles on all boards and under all rules, and several games at once
if it has more than one slot.  It searches one ply: the defender prefers merges,
empty cells and big tiles in the top left corner, the attacker places where the
defender's best answer is worst.  That takes about a millisecond, so one thread
both reads the socket and thinks.

The bot reconnects if it loses the connection, after pauses that grow from 1 to 5 s.
It waits in the same way, and says so, while its name is in use: started again after
it was killed, it may come before the arena has noticed.  If the arena says goodbye
to come back later, the bot tries until it is interrupted or gives up.  It exits with
status 0 after any other goodbye, and with status 1 and one line on stderr if it is
refused or cannot connect.
"""

import argparse
import base64
import hashlib
import json
import math
import os
import socket
import ssl
import struct
import sys
import time
from contextlib import suppress
from functools import cache
from urllib.parse import urlsplit

SUBPROTOCOL = "versus2048.v1"
SILENCE = 15.0          # seconds without a frame before the connection counts as lost
HURRY_MS = 50           # with less time than this, play the first legal move
MAX_MESSAGE = 1 << 20   # bytes of the arena's longest message
LARGEST_TILE = 65536    # two of these do not merge


class Fatal(Exception):
    """The bot cannot continue; the text says why."""


# --- The game: a board is a tuple of rows, a row a tuple of tiles -------------------

@cache
def slide_line(line):
    """Slide a line towards its first cell; return the new line and the score."""
    out, score, mergeable = [], 0, False
    for tile in filter(None, line):
        if mergeable and out[-1] == tile != LARGEST_TILE:
            out[-1] = 2 * tile
            score += 2 * tile
            mergeable = False
        else:
            out.append(tile)
            mergeable = True
    return tuple(out) + (0,) * (len(line) - len(out)), score


def slide(board, direction):
    """Return the board after a slide, and the slide's score."""
    vertical = direction in "NS"
    step = -1 if direction in "SE" else 1
    lines = zip(*board) if vertical else board
    slid = [slide_line(line[::step]) for line in lines]
    lines = tuple(line[::step] for line, _ in slid)
    return tuple(zip(*lines)) if vertical else lines, sum(score for _, score in slid)


def slides(board):
    """Yield each legal slide as (direction, board after it, score)."""
    for direction in "NWES":
        after, score = slide(board, direction)
        if after != board:
            yield direction, after, score


def placements(board, rules):
    """Yield each legal placement as (text of the move, board after it)."""
    for y, row in enumerate(board):
        for x, tile in enumerate(row):
            if tile:
                continue
            for new in (2, 4) if rules == "gpcc2016" else (2,):
                text = f"({x + 1},{y + 1})" if new == 2 else f"({x + 1},{y + 1},{new})"
                yield text, board[:y] + (row[:x] + (new,) + row[x + 1:],) + board[y + 1:]


# --- The strategy ------------------------------------------------------------------

def worth(board):
    """Estimate a board for the defender: big tiles in a snake from (1,1), empty cells."""
    value, weight, empty = 0.0, 1.0, 0
    for y, row in enumerate(board):
        for tile in row if y % 2 == 0 else reversed(row):
            value += weight * tile
            weight *= 0.6
            empty += not tile
    return value + empty * max(map(max, board)) / 8


def worth_to_move(board):
    """Return the value of the defender's best slide; a mate is worst."""
    return max((score + worth(after) for _, after, score in slides(board)), default=-1.0)


def choose(role, rules, board, hurry=False):
    """Return the best legal move of a one-ply search, as text."""
    if role == "defender":
        moves = ((score + worth(after), move) for move, after, score in slides(board))
    elif hurry:
        moves = ((0.0, move) for move, _ in placements(board, rules))
    else:
        moves = ((-worth_to_move(after), move) for move, after in placements(board, rules))
    return (next(moves) if hurry else max(moves))[1]


# --- WebSocket (RFC 6455), the part that a client needs ----------------------------

class Closed(ConnectionError):
    """The other end sent a close frame."""

    def __init__(self, code, reason):
        super().__init__(f"closed with code {code}" + (f": {reason}" if reason else ""))
        self.code = code


class WebSocket:
    """A client's connection.  It raises OSError when the connection is lost."""

    TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10

    def __init__(self, sock):
        self.sock = sock
        self.file = sock.makefile("rb")

    @classmethod
    def connect(cls, url):
        parts = urlsplit(url)
        if parts.scheme not in ("ws", "wss") or not parts.hostname:
            raise Fatal(f"not a ws:// or wss:// URL: {url}")
        port = parts.port or (443 if parts.scheme == "wss" else 80)
        sock = socket.create_connection((parts.hostname, port), timeout=SILENCE)
        try:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if parts.scheme == "wss":
                context = ssl.create_default_context()
                sock = context.wrap_socket(sock, server_hostname=parts.hostname)
            self = cls(sock)
            self._handshake(parts)
            return self
        except BaseException:
            sock.close()
            raise

    def _handshake(self, parts):
        key = base64.b64encode(os.urandom(16)).decode()
        target = (parts.path or "/bot") + (f"?{parts.query}" if parts.query else "")
        host = parts.netloc.rpartition("@")[2]
        self.sock.sendall((
            f"GET {target} HTTP/1.1\r\nHost: {host}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Protocol: {SUBPROTOCOL}\r\n\r\n").encode())
        status = self.file.readline(8192).decode("latin-1").strip()
        headers = {}
        while line := self.file.readline(8192).decode("latin-1").strip():
            name, _, value = line.partition(":")
            headers[name.strip().lower()] = value.strip()
        if status.split()[1:2] != ["101"]:
            raise ConnectionError(f"no WebSocket there: {status or 'no answer'}")
        guid = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        accept = base64.b64encode(hashlib.sha1((key + guid).encode()).digest()).decode()
        if headers.get("sec-websocket-accept") != accept:
            raise ConnectionError("wrong Sec-WebSocket-Accept")

    def _read(self, size):
        data = self.file.read(size)
        if len(data) < size:
            raise ConnectionError("the connection ended without a close frame")
        return data

    def _read_frame(self):
        first, second = self._read(2)
        size = second & 0x7F
        if size == 126:
            size, = struct.unpack("!H", self._read(2))
        elif size == 127:
            size, = struct.unpack("!Q", self._read(8))
        if first & 0x70 or second & 0x80 or size > MAX_MESSAGE:
            raise ConnectionError("not a frame that a server may send")
        return bool(first & 0x80), first & 0x0F, self._read(size)

    def _send_frame(self, opcode, payload):
        size = len(payload)
        if size < 126:
            head = struct.pack("!BB", 0x80 | opcode, 0x80 | size)
        elif size < 1 << 16:
            head = struct.pack("!BBH", 0x80 | opcode, 0x80 | 126, size)
        else:
            head = struct.pack("!BBQ", 0x80 | opcode, 0x80 | 127, size)
        mask = os.urandom(4)
        repeated = (mask * (size // 4 + 1))[:size]
        masked = int.from_bytes(payload, "big") ^ int.from_bytes(repeated, "big")
        self.sock.sendall(head + mask + masked.to_bytes(size, "big"))

    def send(self, message):
        self._send_frame(self.TEXT, json.dumps(message).encode())

    def receive(self):
        """Return the next message; answer pings and closes in between."""
        data, opcode = b"", None
        while True:
            final, code, payload = self._read_frame()
            if code == self.PING:
                self._send_frame(self.PONG, payload)
            elif code == self.CLOSE:
                self._send_frame(self.CLOSE, payload[:2])
                number = struct.unpack("!H", payload[:2])[0] if len(payload) > 1 else 1005
                raise Closed(number, payload[2:].decode(errors="replace"))
            elif code <= self.BINARY:
                if (code == 0) == (opcode is None):
                    raise ConnectionError("a fragment out of order")
                opcode, data = code or opcode, data + payload
                if len(data) > MAX_MESSAGE:
                    raise ConnectionError("a message longer than 1 MiB")
                if final and opcode == self.TEXT:
                    try:
                        return json.loads(data)
                    except ValueError:
                        raise ConnectionError("a message that is no JSON") from None
                if final:
                    data, opcode = b"", None    # binary frames are ignored

    def close(self):
        with suppress(OSError):
            self._send_frame(self.CLOSE, struct.pack("!H", 1000))
        self.file.close()
        self.sock.close()


# --- The bot -----------------------------------------------------------------------

class Bot:
    BOT_AT_FAULT = {1002, 1003, 1007, 1008, 1009, 1010}   # close codes
    TEMPORARY = {"name_in_use", "internal_error", "busy"}   # refusals that pass
    REFUSED = 60.0          # seconds to keep trying after them, at least

    def __init__(self, url, hello, give_up):
        self.url, self.hello = url, hello
        self.give_up = give_up  # seconds to wait for an arena that shut down to come back
        self.games = {}         # name -> its start message
        self.patience = 0.0     # seconds to keep trying to connect; 0 before the first welcome

    def admit(self):
        """Connect and say hello; try again after growing pauses while patience lasts."""
        began, pause = time.monotonic(), 1.0
        while True:
            patience = self.patience
            try:
                ws = WebSocket.connect(self.url)
                ws.send(self.hello)             # with the secret of the last welcome, or ""
                answer = ws.receive()
                if answer.get("type") == "welcome":
                    break
                ws.close()
                problem = f"refused ({answer.get('code')}): {answer.get('message')}"
                if answer.get("code") not in self.TEMPORARY:
                    raise Fatal(problem)
                patience = max(patience, self.REFUSED)
            except OSError as error:
                problem = f"can't connect to {self.url}: {error}"
            if time.monotonic() - began >= patience:
                raise Fatal(problem)
            print(f"{problem}; trying again in {pause:g} s", file=sys.stderr)
            time.sleep(pause)
            pause = min(2 * pause, 5.0)
        # An arena with a short grace may still need 15 s to free the name.
        self.patience = max(answer.get("grace_ms", 30000) / 1000, SILENCE + 5)
        self.hello["resume"] = answer.get("resume", "")
        self.games.clear()      # the arena sends a start for each game in progress
        print(f"connected as {answer.get('name')}", flush=True)
        return ws

    def run(self):
        """Play until the arena says goodbye for good."""
        while True:
            ws = self.admit()
            try:
                while self.handle(ws, message := ws.receive()):
                    pass
                if not message.get("reconnect"):
                    return
                self.patience = self.give_up
            except Closed as closed:
                if closed.code in self.BOT_AT_FAULT:
                    raise Fatal(str(closed)) from None
                print(f"lost: {closed}", file=sys.stderr)
            except OSError as error:
                print(f"lost: {error}", file=sys.stderr)
            except KeyboardInterrupt:
                with suppress(OSError):
                    ws.send({"type": "goodbye", "reason": "interrupted", "reconnect": False})
                raise
            finally:
                ws.close()

    def handle(self, ws, message):
        """Handle one message; return False after a goodbye."""
        match message.get("type"):
            case "start":
                self.games[message["game"]] = message
            case "request":
                ws.send(self.answer(message))
            case "over":
                self.games.pop(message["game"], None)
                print(f"game {message['game']}: {message.get('ending')}, score "
                      f"{message.get('score')} {message.get('detail', '')}".rstrip(), flush=True)
            case "error" if message.get("code") != "unknown_game":   # it crossed an over
                print(f"error {message.get('code')}: {message.get('message')}", file=sys.stderr)
            case "goodbye":
                print(f"goodbye: {message.get('reason')}", flush=True)
                return False
        return True

    def answer(self, request):
        began = time.perf_counter_ns()
        asked = {"game": request["game"], "ply": request["ply"]}
        start = self.games.get(request["game"])
        if start is None:
            return {"type": "error", "code": "cannot_move", "message": "no start came", **asked}
        board = tuple(map(tuple, request["board"]))
        left = request.get("left_ms")
        hurry = left is not None and left < HURRY_MS
        move = choose(start["role"], start["rules"], board, hurry)
        spent = (time.perf_counter_ns() - began) // 1000
        return {"type": "move", "move": move, "spent_us": spent, **asked}


def main():
    parser = argparse.ArgumentParser(description="A bot for the versus 2048 arena.")
    parser.add_argument("url", metavar="URL", help="such as ws://127.0.0.1:2048/bot")
    parser.add_argument("name", metavar="NAME", help="the name to play under")
    parser.add_argument("--token", help="the token for the name, if the arena requires one")
    parser.add_argument("--slots", type=int, default=1, help="games at once (default 1)")
    parser.add_argument("--give-up", type=float, default=math.inf, metavar="SECONDS",
                        help="how long to wait for an arena that shut down (default: for ever)")
    args = parser.parse_args()
    hello = {"type": "hello", "name": args.name, "version": "1.0", "slots": args.slots,
             "spec": "python, one ply", "resume": ""}
    if args.token:
        hello["token"] = args.token
    try:
        Bot(args.url, hello, args.give_up).run()
    except Fatal as error:
        sys.exit(f"client.py: {error}")
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
