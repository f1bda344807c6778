"""The line protocol on stdin and stdout, the bot's end: ``v2048 1`` of ``docs/STDIO.md``."""

from __future__ import annotations

import contextlib
import math
import sys
import traceback
from typing import BinaryIO, TextIO, cast
from urllib.parse import quote, unquote

from versus2048.bot import RESIGN, Answer, Choose, Description, Turn, answer_of
from versus2048.position import Position, Ruleset

GREETING = "v2048 1"
_LONGEST_LINE = 64 * 1024


def serve(
    choose: Choose,
    about: Description,
    lines: BinaryIO | None = None,
    out: TextIO | None = None,
) -> None:
    """Answer the arena's lines until ``quit`` or the end of the input."""
    with contextlib.redirect_stdout(sys.stderr):  # the bot's output is its author's log
        talk = _Talk(choose, about, out or cast(TextIO, sys.__stdout__))
        for line in lines or sys.stdin.buffer:
            text = line[:_LONGEST_LINE].decode(errors="replace").strip()
            if first_word(text)[0] == "quit":
                return
            talk.hear(text)


def arguments(text: str) -> tuple[list[str], dict[str, str]]:
    """Split a line's arguments into plain words and words of the form key=value."""
    words = text.split()
    plain = [word for word in words if "=" not in word]
    keyed = dict(word.split("=", 1) for word in words if "=" in word)
    return plain, keyed


def first_word(line: str) -> tuple[str, str]:
    """Split a line into its first word, "" if there is none, and the rest."""
    word, rest, *_ = [*line.split(None, 1), "", ""]
    return word, rest.strip()


class _Talk:
    """The state of a talk with the arena."""

    def __init__(self, choose: Choose, about: Description, out: TextIO) -> None:
        self._choose, self._about, self._out = choose, about, out
        self._options = about.defaults()
        self._game: dict[str, str] = {}

    def hear(self, line: str) -> None:
        """Handle a line; unknown lines are ignored."""
        word, rest = first_word(line)
        if line.split()[:2] == GREETING.split():
            self._introduce()
        elif word == "set":
            self._set(rest)
        elif word == "new":
            self._game = arguments(rest)[1]
        elif word == "go":
            self._answer(rest)

    def _say(self, *lines: str) -> None:
        self._out.write("".join(f"{line}\n" for line in lines))
        self._out.flush()

    def _introduce(self) -> None:
        about = self._about
        for key, value in (("name", about.name), ("version", about.version),
                           ("author", about.author)):  # fmt: skip
            if value:
                self._say(f"id {key} {value}")
        for option in about.options:
            default = quote(str(option.default))
            words = [f"option name={option.name} type={option.kind}"]
            words.append(f"default={default.lower() if option.kind == 'bool' else default}")
            if option.minimum is not None:
                words.append(f"min={option.minimum}")
            if option.maximum is not None:
                words.append(f"max={option.maximum}")
            if option.choices:
                words.append(f"choices={','.join(map(quote, option.choices))}")
            self._say(" ".join(words))
        if about.plays:
            games = (f"{key}={','.join(names)}" for key, names in about.plays.items())
            self._say(f"plays {' '.join(games)}")
        self._say("ready")

    def _set(self, text: str) -> None:
        name, _, value = text.partition("=")
        for option in self._about.options:
            if option.name == name:
                try:
                    self._options[name] = option.read(value)
                except ValueError as error:
                    self._say(f"error {one_line(error)}")

    def _answer(self, text: str) -> None:
        try:
            answer = answer_of(self._choose, self._turn(text))
            report = report_lines(answer)
        except Exception as error:  # any error of the bot, or in its report
            traceback.print_exc()
            self._say(f"error {type(error).__name__}: {one_line(error)}")
            return
        if answer.move == RESIGN:
            self._say(RESIGN)
        else:
            self._say(*report, f"move {answer.move}")

    def _turn(self, text: str) -> Turn:
        plain, keyed = arguments(text)
        facts = self._game | keyed
        rules = cast(Ruleset, facts.get("rules", "gpcc2015"))
        numbers = [facts["score"], facts.get("ply", "0")] if "score" in facts else []
        left = keyed.get("left_ms")
        return Turn(
            position=Position.parse(" ".join([*plain[:2], *numbers]), rules),
            game=unquote(facts.get("game", "")),
            seed=int(facts.get("seed", "0")),
            left_ms=int(left) if left is not None else None,
            last=keyed.get("last"),
            opponent=unquote(facts.get("opponent", "")),
            options=dict(self._options),
        )


def one_line(error: BaseException) -> str:
    """Return an error's text as one line of at most 200 characters."""
    return " ".join(str(error).split())[:200]


def report_lines(answer: Answer) -> list[str]:
    """Return the info lines of an answer's report; none if it has no report.

    A value that is no finite number is a ValueError.
    """
    facts = {"nodes": answer.nodes, "visits": answer.playouts}
    words = [f"{key}={value}" for key, value in facts.items() if value]
    times = {"time_ms": answer.time_us, "cpu_ms": answer.cpu_us}
    words += [f"{key}={us / 1000:.3f}" for key, us in times.items() if us]
    tokens = {"tokens_read": answer.tokens_read, "tokens_written": answer.tokens_written}
    words += [f"{key}={value}" for key, value in tokens.items() if value]
    if answer.expanded:
        words.append(f"expanded={','.join(map(str, answer.expanded))}")
    if answer.source:
        words.append(f"source={answer.source}")
    if answer.pv:
        words.append(f"pv={','.join(answer.pv)}")
    lines = [f"info {' '.join(words)}"] if words else []
    for m in answer.moves:
        if not math.isfinite(m.value):
            raise ValueError(f"value {m.value} of move {m.move}: want a finite number")
        visits = f" visits={m.visits}" if m.visits else ""
        mate = f" mate={m.mate}" if m.mate else ""
        prior = f" prior={m.prior:.6g}" if m.prior else ""
        lines.append(f"info move={m.move}{visits} value={m.value:.12g}{mate}{prior}")
    return lines
