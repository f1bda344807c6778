#!/usr/bin/env python3
"""A bot for versus 2048 that expects tiles where chance would place them.

    arena event run --rules solo --bot 'ex=exec:python3 expectimax.py' --bot expectimax
    arena event run --bot 'ex=exec:python3 expectimax.py' --bot greedy

It speaks the line protocol (docs/STDIO.md) on stdin and stdout. As the defender it plays the slide
with the best mean over placements, a turn deeper each time until its time is up. As the attacker it
plays the placement after which the defender expects least. A board is a tuple of rows. Each row is
slid and valued once, since both functions have a cache.
"""
import sys
from functools import lru_cache
from time import monotonic

LARGEST = 65536     # two of these do not merge
MATE = -1000.0      # what is lost when no slide is left
SAMPLES = 6         # about how many empty cells are looked at, deeper in the search

# How likely each tile is. Under gpcc2016, where the attacker chooses, both are.
CHANCES = {
    "gpcc2015": [(2, 1.0)],
    "gpcc2016": [(2, 0.5), (4, 0.5)],
    "solo": [(2, 0.9), (4, 0.1)],
}


# The rules.

@lru_cache(maxsize=None)
def slide_row(row):
    """Slide a row to the left; return the row after it, and the score."""
    tiles, out, score = [tile for tile in row if tile], [], 0
    while tiles:
        tile = tiles.pop(0)
        if tiles and tiles[0] == tile != LARGEST:
            tile += tiles.pop(0)
            score += tile
        out.append(tile)
    return tuple(out) + (0,) * (len(row) - len(out)), score


def slides(board):
    """Return the legal slides as (move, board after it, score)."""
    found = []
    for move, step in ("N", 1), ("S", -1), ("W", 1), ("E", -1):
        lines = tuple(zip(*board)) if move in "NS" else board
        slid = [slide_row(line[::step]) for line in lines]
        after = tuple(line[::step] for line, _ in slid)
        if after != lines:
            after = tuple(zip(*after)) if move in "NS" else after
            found.append((move, after, sum(score for _, score in slid)))
    return found


def place(board, x, y, tile):
    """Return the board with a new tile."""
    return board[:y] + (board[y][:x] + (tile,) + board[y][x + 1:],) + board[y + 1:]


def empty_cells(board):
    return [(x, y) for y, row in enumerate(board) for x, tile in enumerate(row) if not tile]


# The search.

@lru_cache(maxsize=None)
def worth_of_row(row):
    """Value a row or column: room, equal neighbours, and tiles in order of size."""
    powers = [tile.bit_length() for tile in row]
    falls = sum(max(0, b - a) ** 2 for a, b in zip(powers, powers[1:]))
    rises = sum(max(0, a - b) ** 2 for a, b in zip(powers, powers[1:]))
    equal = sum(a == b > 0 for a, b in zip(powers, powers[1:]))
    return 12.0 * powers.count(0) + 12.0 * equal - 3.0 * min(falls, rises)


def worth(board):
    """Value a board after a slide."""
    return sum(map(worth_of_row, board)) + sum(map(worth_of_row, zip(*board)))


class OutOfTime(Exception):
    pass


class Search:
    """A search in one position, which raises OutOfTime when its time is up."""

    def __init__(self, rules, end):
        self.tiles = CHANCES.get(rules, CHANCES["gpcc2015"])
        self.end, self.nodes, self.known = end, 0, {}

    def before_slide(self, board, depth):
        """Return what the defender expects if it is to move."""
        return max((score + self.after_slide(after, depth) for _, after, score in slides(board)),
                   default=MATE)

    def after_slide(self, board, depth):
        """Return what the defender expects if chance places a tile next."""
        if depth == 0:
            return worth(board)
        if (board, depth) in self.known:
            return self.known[board, depth]
        self.nodes += 1
        if monotonic() > self.end:
            raise OutOfTime
        cells = empty_cells(board)
        cells = cells[::max(1, len(cells) // SAMPLES)]
        value = sum(chance * self.before_slide(place(board, x, y, tile), depth - 1)
                    for x, y in cells for tile, chance in self.tiles) / len(cells)
        self.known[board, depth] = value
        return value

    def values(self, board, side, depth):
        """Return the legal moves with their values, the best one first."""
        if side == "D":
            valued = [(score + self.after_slide(after, depth), move)
                      for move, after, score in slides(board)]
        else:
            valued = [(self.before_slide(place(board, x, y, tile), depth - 1),
                       f"({x + 1},{y + 1})" if tile == 2 else f"({x + 1},{y + 1},{tile})")
                      for x, y in empty_cells(board) for tile, _ in self.tiles]
        return sorted(valued, reverse=side == "D")


def choose(board, side, rules, seconds, most):
    """Return the best move of the deepest search that ends in time, and say what it found."""
    began = monotonic()
    search = Search(rules, began + seconds)
    turns = 1 if side == "A" else 0
    best = search.values(board, side, turns)
    try:
        for depth in range(turns + 1, most + 1):
            best, turns = search.values(board, side, depth), depth
    except OutOfTime:
        pass
    plies = 2 * turns + (side == "D")
    spent = int(1000 * (monotonic() - began))
    print(f"info depth={plies} nodes={search.nodes} time_ms={spent} pv={best[0][1]}")
    for value, move in best:
        print(f"info move={move} value={value:.2f}")
    return best[0][1]


# The line protocol.

def answer(words, settings):
    """Answer a go line."""
    keys = dict(word.split("=", 1) for word in words[2:] if "=" in word)
    seconds = settings["time_ms"] / 1000
    if "left_ms" in keys:
        seconds = min(seconds, int(keys["left_ms"]) / 3000)
    board = tuple(tuple(map(int, row.split(","))) for row in words[0].split("/"))
    move = choose(board, words[1], keys.get("rules"), seconds, settings["depth"])
    print(f"move {move}", flush=True)


def main():
    settings = {"time_ms": 100, "depth": 20}

    def change(text):
        name, _, value = text.partition("=")
        if name in settings:
            settings[name] = int(value)

    for text in sys.argv[1:]:
        change(text)
    for line in sys.stdin:
        word, *rest = line.split() or [""]
        if word == "v2048":
            print("id name expectimax\nid version 1")
            print("option name=time_ms type=int min=1 max=600000 default=%(time_ms)d" % settings)
            print("option name=depth type=int min=1 max=100 default=%(depth)d" % settings)
            print("ready", flush=True)
        elif word == "set":
            change(rest[0])
        elif word == "go":
            answer(rest, settings)
        elif word == "quit":
            return


if __name__ == "__main__":
    main()
