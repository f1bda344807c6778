"""One position of the game, as a value, and the notation of moves and positions.

This is the readable implementation, for bots and environments. :mod:`versus2048.rules` has the
same rules for many boards at once. Both follow ``docs/PROTOCOL.md``, "The game".
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal

Ruleset = Literal["gpcc2015", "gpcc2016", "solo"]
Side = Literal["attacker", "defender"]
Line = tuple[int, ...]
Board = tuple[Line, ...]

RULES: tuple[Ruleset, ...] = ("gpcc2015", "gpcc2016", "solo")
SIDES: tuple[Side, ...] = ("attacker", "defender")
DIRECTIONS = "NSWE"
"""The slides, in the order of their actions 0 to 3."""
LARGEST_TILE = 65536
"""Two of these do not merge."""
_MOST_PLIES = 1 << 20

_POSITION = re.compile(r"(\d+(?:[,/]\d+)*) ([AD])(?: (\d+))?(?: (\d+))?", re.ASCII)
_PLACEMENT = re.compile(r"\(([1-4]),([1-4])(,4)?\)")


class IllegalMoveError(ValueError):
    """A move that the position, or the notation, does not allow."""


@cache
def slide_line(line: Line) -> tuple[Line, int]:
    """Slide a line of tiles towards its first cell; return the new line and the score."""
    out: list[int] = []
    score = 0
    mergeable = False
    for tile in line:
        if not tile:
            continue
        if mergeable and out[-1] == tile != LARGEST_TILE:
            out[-1] = 2 * tile
            score += 2 * tile
            mergeable = False
        else:
            out.append(tile)
            mergeable = True
    return (*out, *(0,) * (len(line) - len(out))), score


def slide(board: Board, direction: str) -> tuple[Board, int]:
    """Slide a board in one of DIRECTIONS; return the new board and the score."""
    lines: Board = tuple(zip(*board, strict=True)) if direction in "NS" else board
    step = -1 if direction in "SE" else 1
    slid = [slide_line(line[::step]) for line in lines]
    after: Board = tuple(line[::step] for line, _ in slid)
    if direction in "NS":
        after = tuple(zip(*after, strict=True))
    return after, sum(score for _, score in slid)


@lru_cache(maxsize=1 << 14)
def slides(board: Board) -> dict[str, tuple[Board, int]]:
    """Return the board and the score of each legal slide, in the order NSWE. Do not change it."""
    results = {direction: slide(board, direction) for direction in DIRECTIONS}
    return {direction: (b, score) for direction, (b, score) in results.items() if b != board}


def parse_size(text: str) -> tuple[int, int]:
    """Read a size, columns x rows from "2x2" to "4x4"; return (columns, rows)."""
    if not re.fullmatch(r"[2-4]x[2-4]", text):
        raise ValueError(f"size {text!r}: want columns x rows, 2x2 to 4x4")
    return int(text[0]), int(text[2])


def move_of(action: int, side: Side, size: tuple[int, int]) -> str:
    """Return the move of an action.

    The defender's actions 0 to 3 are N, S, W, E. On a board of c columns and r rows the attacker's
    action c*(y-1) + x-1 places a 2 on column x of row y, and the action c*r higher a 4. Other
    numbers are an IllegalMoveError.
    """
    columns, rows = size
    actions = len(DIRECTIONS) if side == "defender" else 2 * columns * rows
    if not 0 <= action < actions:
        raise IllegalMoveError(f"action {action} of the {side}: want 0 to {actions - 1}")
    if side == "defender":
        return DIRECTIONS[action]
    four, cell = divmod(int(action), columns * rows)
    y, x = divmod(cell, columns)
    return f"({x + 1},{y + 1},4)" if four else f"({x + 1},{y + 1})"


def action_of(move: str, size: tuple[int, int]) -> int:
    """Return the action of a move: the inverse of :func:`move_of`."""
    columns, rows = size
    text = str(move)  # a bot may return anything, and forget to return at all
    if len(text) == 1 and text in DIRECTIONS:
        return DIRECTIONS.index(text)
    match = _PLACEMENT.fullmatch(text)
    if not match:
        raise IllegalMoveError(f"move {move!r}: want N, S, W, E, (X,Y) or (X,Y,4)")
    x, y = int(match[1]), int(match[2])
    if x > columns or y > rows:
        raise IllegalMoveError(f"move {move!r}: outside the {columns}x{rows} board")
    return (y - 1) * columns + x - 1 + (columns * rows if match[3] else 0)


@dataclass(frozen=True, slots=True)
class Position:
    """A position: the board, the side to move, the defender's score and the number of plies.

    A board is a tuple of rows from the top, a row a tuple of tiles: 0 for an empty cell, or a
    power of two from 2 to 65536.
    """

    board: Board
    side: Side = "attacker"
    rules: Ruleset = "gpcc2015"
    score: int = 0
    ply: int = 0

    @classmethod
    def empty(cls, size: str = "4x4", rules: Ruleset = "gpcc2015") -> Position:
        """Return the usual start: the empty board, the attacker to move."""
        columns, rows = parse_size(size)
        return cls(((0,) * columns,) * rows, "attacker", _known(rules))

    @classmethod
    def parse(cls, text: str, rules: Ruleset = "gpcc2015") -> Position:
        """Read a position such as ``2,0/2,0 A 0 4``: rows, side, score and ply.

        The ply may be left out (0), and so may the score, which is then computed as if only 2s
        had been placed. Other text is a ValueError, and so is a score that the tiles cannot have.
        """
        match = _POSITION.fullmatch(" ".join(text.split()))
        if not match:
            raise ValueError(f"position {text!r}: want rows, A or D, score and ply: 2,0/2,0 A 0 4")
        board = tuple(tuple(map(int, row.split(","))) for row in match[1].split("/"))
        _check_board(board, text)
        side: Side = "attacker" if match[2] == "A" else "defender"
        if side == "attacker" and all(map(all, board)):
            raise ValueError(f"position {text!r}: the attacker is to move, want an empty cell")
        least, most = _scores(board, _known(rules))
        score, ply = int(match[3] or most), int(match[4] or 0)
        if not least <= score <= most or (most - score) % 4:
            want = f"{most}, the score of these tiles"
            if least < most:
                want = (
                    f"{least} to {most} in steps of 4: the score of these tiles if only 2s were"
                    " placed, less 4 for each placed 4"
                )
            raise ValueError(f"position {text!r}: score {score}: want {want}")
        if ply > _MOST_PLIES:
            raise ValueError(f"position {text!r}: ply {ply}: want 0 to {_MOST_PLIES}")
        return cls(board, side, rules, score, ply)

    def __str__(self) -> str:
        rows = "/".join(",".join(map(str, row)) for row in self.board)
        return f"{rows} {'A' if self.side == 'attacker' else 'D'} {self.score} {self.ply}"

    def _repr_svg_(self) -> str:
        from versus2048.drawing import as_svg

        return as_svg(self)

    @property
    def size(self) -> tuple[int, int]:
        """The number of columns and of rows, 2 to 4."""
        return len(self.board[0]), len(self.board)

    @property
    def size_text(self) -> str:
        """The size as text, columns x rows: ``4x4``."""
        return f"{self.size[0]}x{self.size[1]}"

    @property
    def largest_tile(self) -> int:
        """The largest tile, 0 on the empty board."""
        return max(map(max, self.board))

    @property
    def over(self) -> bool:
        """Whether the defender is mated: it is to move and has no legal slide."""
        return self.side == "defender" and not slides(self.board)

    def slid(self, direction: str) -> Position | None:
        """Return the position after a slide, None if the slide changes nothing."""
        if direction not in slides(self.board):
            return None
        after, score = slides(self.board)[direction]
        return Position(after, "attacker", self.rules, self.score + score, self.ply + 1)

    def actions(self) -> list[int]:
        """List the legal actions, numbered as in :func:`move_of`, in their order."""
        if self.side == "defender":
            return [DIRECTIONS.index(direction) for direction in slides(self.board)]
        tiles = [tile for row in self.board for tile in row]
        cells = [cell for cell, tile in enumerate(tiles) if not tile]
        if self.rules == "gpcc2015":
            return cells
        return cells + [cell + len(tiles) for cell in cells]

    def moves(self) -> list[str]:
        """List the legal moves: slides in the order NSWE, placements row by row, 2s first."""
        if self.side == "defender":
            return list(slides(self.board))
        return [move_of(action, self.side, self.size) for action in self.actions()]

    def play(self, move: str) -> Position:
        """Return the position after a move; an illegal one is an IllegalMoveError."""
        action = action_of(move, self.size)
        if (len(move) == 1) != (self.side == "defender"):
            raise IllegalMoveError(f"move {move!r} in {self}: the {self.side} is to move")
        if self.side == "defender":
            after = self.slid(move)
            if after is None:
                raise IllegalMoveError(f"move {move!r} in {self}: the slide changes nothing")
            return after
        return self._placed(move, action)

    def _placed(self, move: str, action: int) -> Position:
        columns, rows = self.size
        four, cell = divmod(action, columns * rows)
        y, x = divmod(cell, columns)
        if four and self.rules == "gpcc2015":
            raise IllegalMoveError(f"move {move!r}: {self.rules} has 2s only")
        if self.board[y][x]:
            raise IllegalMoveError(f"move {move!r} in {self}: the cell is not empty")
        row = self.board[y]
        row = (*row[:x], 4 if four else 2, *row[x + 1 :])
        board = (*self.board[:y], row, *self.board[y + 1 :])
        return Position(board, "defender", self.rules, self.score, self.ply + 1)


def _known(rules: Ruleset) -> Ruleset:
    """Refuse unknown rules, such as the rules of a later version."""
    if rules not in RULES:
        raise ValueError(f"rules {rules!r}: want {', '.join(RULES)}")
    return rules


def _scores(board: Board, rules: Ruleset) -> tuple[int, int]:
    """Return the least score of a board's tiles, if all were built from 4s, and the most, from 2s.

    A tile of 2^k that was built from 2s has scored (k-1) * 2^k.
    """
    tiles = [tile for row in board for tile in row if tile]
    most = sum((tile.bit_length() - 2) * tile for tile in tiles)
    return most if rules == "gpcc2015" else most - sum(t for t in tiles if t > 2), most


def _check_board(board: Board, text: str) -> None:
    sizes = {len(row) for row in board}
    if len(sizes) != 1 or not 2 <= len(board) <= 4 or not sizes <= {2, 3, 4}:
        raise ValueError(f"position {text!r}: want 2 to 4 rows of 2 to 4 tiles each")
    for tile in sum(board, ()):
        if tile and (tile < 2 or tile > LARGEST_TILE or tile & (tile - 1)):
            raise ValueError(f"position {text!r}: tile {tile}: want 0 or a power of two to 65536")
