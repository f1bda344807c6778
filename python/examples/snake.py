#!/usr/bin/env python3
"""A bot that looks one ply ahead and likes big tiles in a snake from the top left corner.

snake.py                                      over stdin and stdout
snake.py ws://127.0.0.1:2048/bot snake        connected to an arena
"""

import sys

import versus2048
from versus2048 import Answer, Position, RootMove, Turn


def worth(position: Position) -> float:
    """Estimate a board for the defender: its score, empty cells, big tiles along the snake."""
    value, weight, empty = 0.0, 1.0, 0
    for y, row in enumerate(position.board):
        for tile in row if y % 2 == 0 else reversed(row):
            value += weight * tile
            weight *= 0.6
            empty += not tile
    return position.score + value + empty * position.largest_tile / 8


def after(position: Position) -> float:
    """Estimate a position: of the defender's best slide if it is to move, and a mate is worst."""
    if position.side == "attacker":
        return worth(position)
    return max((worth(position.play(move)) for move in position.moves()), default=-1.0)


def choose(turn: Turn) -> Answer:
    """Return the move with the best position after it, and the values of all moves."""
    position = turn.position
    moves = [RootMove(move, after(position.play(move))) for move in position.moves()]
    moves.sort(key=lambda m: m.value, reverse=turn.role == "defender")
    return Answer(moves[0].move, nodes=len(moves), pv=[moves[0].move], moves=moves[:32])


if __name__ == "__main__":
    url, name = sys.argv[1:] or (None, "snake")
    versus2048.run(choose, name=name, version="1.0", url=url)
