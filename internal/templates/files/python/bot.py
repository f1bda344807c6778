#!/usr/bin/env python3
"""A bot for versus 2048.

    python3 bot.py                                speaks the line protocol on stdin and stdout
    python3 bot.py ws://127.0.0.1:2048/bot NAME   connects to an arena (--invitation CODE)
    python3 bot.py perft gpcc2015 0,0/0,0 A 8     counts sequences of plies, to test the rules
"""
import sys

NAME, VERSION = "mybot", "1"
LARGEST = 65536  # two of these do not merge


# The rules. A board is a list of rows, a row a list of tiles, 0 is an empty cell.

def slide_row(row):
    """Slide a row to the left. Return the row after it, and the score."""
    tiles, out, score = [tile for tile in row if tile], [], 0
    while tiles:
        tile = tiles.pop(0)
        if tiles and tiles[0] == tile != LARGEST:
            tile += tiles.pop(0)
            score += tile
        out.append(tile)
    return out + [0] * (len(row) - len(out)), score


def slide(board, move):
    """Slide a board. Return the board after it, and the score."""
    step = -1 if move in "SE" else 1
    lines = zip(*board) if move in "NS" else board
    slid = [slide_row(line[::step]) for line in lines]
    lines = [line[::step] for line, _ in slid]
    return [list(row) for row in (zip(*lines) if move in "NS" else lines)], sum(s for _, s in slid)


def slides(board):
    """Return the defender's legal moves, each with the board after it and its score."""
    moves = [(move, *slide(board, move)) for move in "NSWE"]
    return [m for m in moves if m[1] != board]


def placements(board, rules):
    """Return the attacker's legal moves, each with the board after it."""
    moves = []
    for y, row in enumerate(board):
        for x in [x for x, tile in enumerate(row) if not tile]:
            for tile in [2] if rules == "gpcc2015" else [2, 4]:
                after = [list(row) for row in board]
                after[y][x] = tile
                moves.append((f"({x + 1},{y + 1}{',4' if tile == 4 else ''})", after))
    return moves


# The choice. Begin here to make the bot stronger.

def worth(board):
    """Say what a board is worth to the defender after a slide: a point for each empty cell."""
    return sum(row.count(0) for row in board)


def best_slide(board):
    """Return the value of the best slide, and the slide. Nothing is worse than mate."""
    return max(((score + worth(after), move) for move, after, score in slides(board)),
               default=(-1, None))


def choose(board, side, rules):
    """Return a move: the best slide, or the placement with the worst best answer."""
    if side == "D":
        return best_slide(board)[1]
    return min((best_slide(after)[0], move) for move, after in placements(board, rules))[1]


def perft(board, side, rules, plies):
    """Count the sequences of that many plies."""
    moves = slides(board) if side == "D" else placements(board, rules)
    if plies == 1:
        return len(moves)
    return sum(perft(move[1], "A" if side == "D" else "D", rules, plies - 1) for move in moves)


# The line protocol.

def read(text):
    """Read a board such as 2,0/0,4."""
    return [[int(tile) for tile in row.split(",")] for row in text.split("/")]


def answer_lines():
    """Answer the lines of an arena."""
    for line in sys.stdin:
        word, *rest = line.split() or [""]
        if word == "v2048":
            print(f"id name {NAME}\nid version {VERSION}\nready", flush=True)
        elif word == "go":
            keys = dict(key.split("=", 1) for key in rest if "=" in key)
            print("move", choose(read(rest[0]), rest[1], keys.get("rules")), flush=True)
        elif word == "quit":
            return


if __name__ == "__main__":
    if sys.argv[1:2] == ["perft"]:
        rules, board, side, plies = sys.argv[2:]
        print(*(perft(read(board), side, rules, n + 1) for n in range(int(plies))))
    elif sys.argv[1:] and not sys.argv[1].startswith(("ws://", "wss://")):
        sys.exit(__doc__)
    elif sys.argv[1:]:
        import websocket
        url, name, _, code = (sys.argv[1:] + [NAME, "", ""][len(sys.argv) - 2:])[:4]
        websocket.play(url, name, VERSION, choose, code)
    else:
        answer_lines()
