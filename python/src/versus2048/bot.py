"""Bots: functions from a turn to a move; and :func:`run`, which plays with a bot."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from versus2048.position import Position, Side

Value = int | float | str | bool
"""The value of an option."""


@dataclass(frozen=True)
class Option:
    """A setting that the arena may change before a game. It has the type of its default."""

    name: str
    default: Value
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """The type's name: bool, int, float, choice or string."""
        if isinstance(self.default, bool | int | float):
            return type(self.default).__name__
        return "choice" if self.choices else "string"

    def read(self, text: str) -> Value:
        """Return the value of a text. ValueError if the option does not allow it."""
        value: Value = text
        if self.kind == "bool":
            if text not in ("true", "false"):
                raise ValueError(f"option {self.name}={text}: want true or false")
            value = text == "true"
        elif self.kind in ("int", "float"):
            value = self._number(text)
        elif self.choices and text not in self.choices:
            raise ValueError(f"option {self.name}={text}: want one of {', '.join(self.choices)}")
        return value

    def _number(self, text: str) -> int | float:
        """Return the number of a text within the bounds."""
        low, high = self.minimum, self.maximum
        try:
            number = int(text) if self.kind == "int" else float(text)
            if (low is None or number >= low) and (high is None or number <= high):
                return number
        except ValueError:
            pass
        want = "a whole number" if self.kind == "int" else "a number"
        want += f" from {low}" if low is not None else ""
        want += f" to {high}" if high is not None else ""
        raise ValueError(f"option {self.name}={text}: want {want}")


@dataclass(frozen=True)
class Turn:
    """A request to a bot for a move: a position with a legal move for the bot."""

    position: Position
    game: str = ""
    """The game's name, the same for all turns of a game."""
    seed: int = 0
    """For the bot's random choices in the game, 0 to 2^53-1."""
    left_ms: int | None = None
    """Milliseconds for this move; None if there is no limit."""
    last: str | None = None
    """The other side's last move, if it is known."""
    opponent: str = ""
    search: bool = True
    """Whether the arena records reports on searches, as an :class:`Answer` has them."""
    options: Mapping[str, Value] = field(default_factory=dict)

    @property
    def role(self) -> Side:
        """The bot's side: attacker or defender."""
        return self.position.side


@dataclass(frozen=True)
class RootMove:
    """The result of a search for one legal move."""

    move: str
    value: float
    """The defender's expected score, -10^9 to 10^9, also in the report of an attacker."""
    visits: int = 0
    mate: int = 0
    """Plies until the game is over, 1 to 999, if the search has seen that; otherwise 0."""
    prior: float = 0
    """The share of the move in the policy that guided the search, 0 to 1; 0 if there is none."""


@dataclass(frozen=True)
class Answer:
    """A move with a report on the search behind it. Zeros and empty lists stand for unknown."""

    move: str
    playouts: int = 0
    nodes: int = 0
    expanded: Sequence[int] = ()
    """How many positions were given children, by depth from 0; at most 64 numbers."""
    time_us: int = 0
    cpu_us: int = 0
    tokens_read: int = 0
    """Tokens of a language model's prompts, over all attempts at the move."""
    tokens_written: int = 0
    """Tokens of a language model's answers, over all attempts at the move."""
    source: str = ""
    """The basis of the move: "proof", a certificate that the bot follows, or "search"."""
    pv: Sequence[str] = ()
    """The expected line of play, which begins with the move; at most 64 moves."""
    moves: Sequence[RootMove] = ()
    """The legal moves, the best one first; at most 32."""


RESIGN = "resign"
"""In place of a move: the bot resigns the game, where the event allows it."""

Choose = Callable[[Turn], str | Answer]
"""A bot: it returns a move, an Answer or RESIGN. An exception gives up the game."""


@dataclass(frozen=True)
class Description:
    """How a bot describes itself."""

    name: str = "python bot"
    version: str = ""
    author: str = ""
    options: tuple[Option, ...] = ()
    plays: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The names that the bot plays, by the keys rules, size and role; without a key all names."""

    def __post_init__(self) -> None:
        """Reject a name in place of a list of names."""
        for key, names in self.plays.items():
            if isinstance(names, str):
                raise TypeError(f"plays has {names!r} for {key}: want a list, such as [{names!r}]")

    def defaults(self) -> dict[str, Value]:
        """Return the options' usual values."""
        return {option.name: option.default for option in self.options}


def answer_of(choose: Choose, turn: Turn) -> Answer:
    """Ask a bot. IllegalMoveError if its move is illegal."""
    chosen = choose(turn)
    answer = chosen if isinstance(chosen, Answer) else Answer(chosen)
    if answer.move != RESIGN:
        turn.position.play(answer.move)
    return answer


def run(
    choose: Choose,
    *,
    name: str = "python bot",
    version: str = "",
    author: str = "",
    options: Sequence[Option] = (),
    plays: Mapping[str, Sequence[str]] | None = None,
    url: str | None = None,
    token: str | None = None,
    invitation: str | None = None,
    slots: int = 1,
) -> None:
    """Play with a bot until there is nothing more to play.

    Without a URL, run uses the line protocol on stdin and stdout, for programs that the arena
    starts with ``exec:``. The bot's own output then goes to stderr. With a URL, such as
    ``ws://127.0.0.1:2048/bot``, run connects to an arena and plays up to ``slots`` games at once,
    in several threads if there is more than one slot. If the arena refuses the bot or is lost, run
    raises :class:`versus2048.client.Refused` or a ConnectionError. If a bot does not play every
    game, ``plays`` lists its games, such as ``{"size": ["4x4"], "rules": ["gpcc2015"]}``.

    ``invitation`` is the link or the code of an invitation, or ``open`` for an arena that registers
    everybody: the bot takes its name with a secret of its own, which is kept in a file of this
    user, where ``bot run`` finds it, too, and used from then on. Without a link, ``url`` is needed.
    """
    code = ""
    if invitation is not None:
        from versus2048.invitation import read_invitation

        code, url = read_invitation(invitation, url)
    about = Description(name, version, author, tuple(options), plays or {})
    if url is None:
        if code:
            raise ValueError("an invitation that is no link needs the arena's url, too")
        from versus2048 import stdio

        stdio.serve(choose, about)
    else:
        from versus2048.client import Client

        Client(choose, about, url, token=token, invitation=code, slots=slots).run()
