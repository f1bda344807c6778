"""One game in progress, for the environments: quick, and changed in place.

:class:`versus2048.position.Position` is the same as a value. Here the lines of a board are looked
up in tables: all equal lines are one object, which has the lines after its slides, their points and
its part of an observation. A step makes no new ones.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from versus2048.position import SIDES, Position, Ruleset, Side, slide_line

_BITS = 5  # of an exponent in the code of a line
_FIELD = 4 * _BITS  # of a line in a packed board
_FIELDS2, _FIELDS3 = 2 * _FIELD, 3 * _FIELD
_LINE = (1 << _FIELD) - 1
_SLIDES = [[slide for slide in range(4) if legal >> slide & 1] for legal in range(16)]
"""The legal slides, by the bits of State.legal."""
PLANES = 17
"""The planes of an observation: empty cells, and one for each tile."""


class Line:
    """A row or a column."""

    __slots__ = (
        "code", "count", "empty", "first", "free", "largest", "last", "planes", "points", "spread0",
        "spread1", "spread2", "spread3", "text", "ways",
    )  # fmt: skip
    code: int
    """The exponent of cell i in the bits from 5 * i on."""
    first: Line
    """The line after a slide to its first cell."""
    last: Line
    """The line after a slide to its last cell."""
    points: int
    """The points of a slide, equal in both directions."""
    ways: int
    """Bit 0 is set if a slide to the first cell is legal, bit 1 for one to the last."""
    empty: list[int]
    """The empty cells, in their order."""
    count: int
    """Their number."""
    free: bytes
    """A byte for each cell: 1 if it is empty."""
    planes: bytes
    """A byte for each plane and cell."""
    spread0: int
    """Cell i at cell 0 of line i across, in a packed board; spread1 has it at cell 1."""
    spread1: int
    spread2: int
    spread3: int
    largest: int
    """The largest tile."""
    text: str
    """The tiles, with commas between them."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _line, (len(self.free), self.code)  # a copy is the same object


class Lines(dict[int, Line]):
    """The lines of one length by their codes; each is made when it is asked for first."""

    def __init__(self, length: int) -> None:
        super().__init__()
        self.length = length

    def __missing__(self, code: int) -> Line:
        exponents = [code >> _BITS * i & (1 << _BITS) - 1 for i in range(self.length)]
        tiles = tuple(1 << k if k else 0 for k in exponents)
        first, points = slide_line(tiles)
        last = slide_line(tiles[::-1])[0][::-1]
        line = self[code] = Line()
        line.code, line.points = code, points
        line.first, line.last = self.of(first), self.of(last)
        line.ways = (first != tiles) + 2 * (last != tiles)
        line.empty = [i for i, k in enumerate(exponents) if not k]
        line.count = len(line.empty)
        line.free = bytes(not k for k in exponents)
        line.planes = bytes(k == plane for plane in range(PLANES) for k in exponents)
        line.spread0 = sum(k << _FIELD * i for i, k in enumerate(exponents))
        line.spread1, line.spread2 = line.spread0 << _BITS, line.spread0 << 2 * _BITS
        line.spread3 = line.spread0 << 3 * _BITS
        line.largest, line.text = max(tiles), ",".join(map(str, tiles))
        return line

    def __reduce__(self) -> tuple[Any, ...]:
        return lines, (self.length,)

    def of(self, tiles: tuple[int, ...]) -> Line:
        """Return the line with these tiles."""
        return self[sum(max(t.bit_length() - 1, 0) << _BITS * i for i, t in enumerate(tiles))]


@cache
def lines(length: int) -> Lines:
    """Return the table for a length; all games share it."""
    return Lines(length)


@cache
def _places(width: int, height: int, tiles: int) -> dict[int, tuple[int, int, int, int]]:
    """Return for each placement its column and row, and its tile in the codes of both."""
    places = [
        (x, y, exponent << _BITS * x, exponent << _BITS * y)
        for exponent in range(1, tiles + 1)
        for y in range(height)
        for x in range(width)
    ]
    return dict(enumerate(places))


def _line(length: int, code: int) -> Line:
    return lines(length)[code]


class State:
    """A position that moves change. A board of fewer than 4 lines has empty ones behind them."""

    __slots__ = (
        "_absent", "_down", "_places", "_width", "across", "attacks", "down", "height", "legal",
        "ply", "rules", "score", "width",
    )  # fmt: skip

    def __init__(self, position: Position) -> None:
        self.width, self.height = position.size
        self._width, self._down = lines(self.width), lines(self.height)
        self._absent = (4 - self.height) * self.width
        self.rules: Ruleset = position.rules
        self._places = _places(self.width, self.height, self.tiles)
        self.score, self.ply = position.score, position.ply
        self.attacks = position.side == "attacker"
        """Whether the attacker is to move."""
        rows = [self._width.of(row) for row in position.board]
        self.across = rows + [self._width[0]] * (4 - self.height)
        """The rows."""
        columns = [self._down.of(column) for column in zip(*position.board, strict=True)]
        self.down = columns + [self._down[0]] * (4 - self.width)
        """The columns."""
        self.legal = 0
        """The legal slides, if the defender is to move: bit 0 for N, then S, W, E."""
        if not self.attacks:
            self._see_slides()

    @property
    def side(self) -> Side:
        """The side to move."""
        return SIDES[not self.attacks]

    @property
    def over(self) -> bool:
        """Whether the defender is mated."""
        return not (self.legal or self.attacks)

    @property
    def largest_tile(self) -> int:
        """The largest tile, 0 on the empty board."""
        a, b, c, d = self.across
        return max(a.largest, b.largest, c.largest, d.largest)

    @property
    def tiles(self) -> int:
        """The number of tiles to choose from: 1 (a 2), or 2 (a 2 or a 4)."""
        return 1 if self.rules == "gpcc2015" else 2

    @property
    def empty(self) -> int:
        """The number of empty cells."""
        a, b, c, d = self.across
        return a.count + b.count + c.count + d.count - self._absent

    @property
    def text(self) -> str:
        """The text of the position."""
        a, b, c, d = self.across
        rows = f"{a.text}/{b.text}/{c.text}/{d.text}"
        if self._absent:
            rows = "/".join([row.text for row in self.across[: self.height]])
        return f"{rows} {'A' if self.attacks else 'D'} {self.score} {self.ply}"

    def position(self) -> Position:
        """Return the position."""
        rows = [tuple(map(int, row.text.split(","))) for row in self.across[: self.height]]
        return Position(tuple(rows), self.side, self.rules, self.score, self.ply)

    def copy(self) -> State:
        """Return a state that changes apart from this one."""
        other = State.__new__(State)
        for name in ("_absent", "_down", "_places", "_width", "attacks", "height", "legal", "ply",
                     "rules", "score", "width"):  # fmt: skip
            setattr(other, name, getattr(self, name))
        other.across, other.down = self.across[:], self.down[:]
        return other

    def actions(self) -> list[int]:
        """List the legal actions of the side to move."""
        if not self.attacks:
            return _SLIDES[self.legal]
        cells = [self.nth_empty(n) for n in range(self.empty)]
        return cells if self.tiles == 1 else cells + [self.width * self.height + c for c in cells]

    def play(self, action: int) -> bool:
        """Play an action, numbered as in :func:`versus2048.position.move_of`.

        Return whether it is legal; one that is not changes nothing.
        """
        if not self.attacks:
            return self._slide(action)
        place = self._places.get(action)
        if place is None:
            return False
        x, y, in_row, in_column = place
        across, down = self.across, self.down
        row = across[y]
        if not row.free[x]:
            return False
        across[y] = self._width[row.code | in_row]
        down[x] = self._down[down[x].code | in_column]
        self.ply += 1
        self.attacks = False
        self._see_slides()
        return True

    def points(self, direction: int) -> int:
        """Return the points of a slide."""
        a, b, c, d = self.across if direction > 1 else self.down
        return a.points + b.points + c.points + d.points

    def _slide(self, direction: int) -> bool:
        """Slide in a direction, 0 to 3 for N, S, W, E."""
        if direction not in _SLIDES[self.legal]:
            return False
        if direction > 1:
            lines, table = self.across, self._down
        else:
            lines, table = self.down, self._width
        a, b, c, d = lines
        self.score += a.points + b.points + c.points + d.points
        if direction & 1:
            slid = [a.last, b.last, c.last, d.last]
        else:
            slid = [a.first, b.first, c.first, d.first]
        a, b, c, d = slid
        packed = a.spread0 | b.spread1 | c.spread2 | d.spread3
        turned = [
            table[packed & _LINE],
            table[packed >> _FIELD & _LINE],
            table[packed >> _FIELDS2 & _LINE],
            table[packed >> _FIELDS3],
        ]
        if direction > 1:
            self.across, self.down = slid, turned
        else:
            self.across, self.down = turned, slid
        self.ply += 1
        self.attacks = True
        return True

    def nth_empty(self, n: int) -> int:
        """Return the nth empty cell; cells are numbered row by row from 0."""
        first = 0
        for row in self.across:
            if n < row.count:
                return first + row.empty[n]
            n -= row.count
            first += self.width
        raise IndexError(f"empty cell {n}: there are fewer")

    def _see_slides(self) -> None:
        a, b, c, d = self.down
        e, f, g, h = self.across
        self.legal = a.ways | b.ways | c.ways | d.ways | (e.ways | f.ways | g.ways | h.ways) << 2
