"""Check a certificate: whether it proves what it claims about the game.

The format and the argument are in PROOFS.md. This program follows them in plain
Python, with the standard library only; it is for small certificates.

    python3 check_proof.py 3x2.proof
"""

import hashlib
import re
import sys

FIRST_LINE = rb"versus2048 certificate 1 (gpcc2015|gpcc2016) ([1-4])x([1-4]) (at-least|below) (\d{1,9})\n"


class Refused(Exception):
    """The certificate does not prove its claim, for the reason given."""


class Certificate:
    """A certificate in memory: its claim, and the gain and the move of each covered board."""

    def __init__(self, data):
        head = re.match(FIRST_LINE, data)
        if data.startswith(b"versus2048 coarse certificate 1 "):
            raise Refused("a certificate from coarse boards: check it by check_coarse.py")
        if not head:
            raise Refused("wrong claim: the first line is not that of a certificate")
        rules, width, height, side, score = (group.decode() for group in head.groups())
        self.claim = f"{rules} {width}x{height} {side} {score}"
        self.fours = rules == "gpcc2016"
        self.width, self.height = int(width), int(height)
        self.below = side == "below"
        self.goal = (int(score) + 3) // 4 * 4
        self.covered = {}
        self.data, self.at = data, head.end()
        self.read()
        start = self.covered.get((0,) * (self.width * self.height))
        if start is None or (start[0] > self.goal if self.below else start[0] < self.goal):
            raise Refused("wrong claim: the empty board is not covered for the score")

    def byte(self):
        if self.at >= len(self.data):
            raise Refused("truncated")
        self.at += 1
        return self.data[self.at - 1]

    def number(self):
        value, shift = 0, 0
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def read(self):
        """Read all positions, sum by sum, and what follows them."""
        last = -1
        while True:
            total = self.read_sum(last)
            if total is None:
                break
            last = total
        if self.number() != len(self.covered):
            raise Refused("damaged: the number of positions is wrong")
        checksum = hashlib.sha256(self.data[: self.at]).digest()
        rest = self.data[self.at :]
        if len(rest) < len(checksum):
            raise Refused("truncated")
        if rest != checksum:
            raise Refused("damaged: the checksum does not match the file")

    def read_sum(self, last):
        """Read the positions of one sum, which must be larger than the last; None at the end."""
        following, total = 0, None
        while step := self.number():
            following += step
            board = self.board(following - 1)
            if sum_of(board) <= last or total not in (None, sum_of(board)):
                raise Refused(f"out of order: {self.shown(board)}")
            total = sum_of(board)
            gain = 4 * self.number() if self.fours else self.goal - scored(board)
            if gain < 4:
                raise Refused(f"not a position: {self.shown(board)}, with nothing left to prove")
            self.covered[board] = gain, self.byte() if self.below else None
        return total

    def board(self, code):
        cells = self.width * self.height
        board = tuple(code >> 4 * cell & 15 for cell in range(cells))
        if code >> 4 * cells or self.smallest(board) != board or 0 not in board:
            raise Refused(f"not a position: {self.shown(board)}")
        return board

    def shown(self, board):
        """Return a board as rows of tiles, such as 2,4/0,8."""
        tiles = [str(2**tile if tile else 0) for tile in board]
        return "/".join(",".join(tiles[i : i + self.width]) for i in range(0, len(tiles), self.width))

    def rows(self, board):
        return [board[i : i + self.width] for i in range(0, len(board), self.width)]

    def smallest(self, board):
        """Return the smallest of the boards that are equal under a symmetry: the last cell counts most."""
        rows = self.rows(board)
        images = []
        for image in [rows, list(zip(*rows))] if self.width == self.height else [rows]:
            for vertical in (image, image[::-1]):
                images += [vertical, [row[::-1] for row in vertical]]
        return min((sum(map(tuple, image), ()) for image in images), key=lambda b: b[::-1])

    def slides(self, board):
        """Yield what each legal slide scores, and the board after it."""
        rows = self.rows(board)
        columns = list(zip(*rows))
        for lines, turned, back in ((columns, True, False), (columns, True, True), (rows, False, False), (rows, False, True)):
            slid, points = [], 0
            for line in lines:
                after, scores = push(line[::-1] if back else line)
                slid.append(after[::-1] if back else after)
                points += scores
            after = sum(map(tuple, zip(*slid) if turned else slid), ())
            if after != board:
                yield points, after

    def check(self):
        """Raise Refused unless each position follows from others."""
        for board, (gain, move) in self.covered.items():
            if self.below:
                self.check_hold(board, gain, move)
            else:
                self.check_gain(board, gain)

    def check_gain(self, board, gain):
        for cell in (cell for cell, tile in enumerate(board) if tile == 0):
            for exponent in (1, 2) if self.fours else (1,):
                placed = board[:cell] + (exponent,) + board[cell + 1 :]
                if not any(
                    points >= gain or self.covered.get(self.smallest(after), (0,))[0] >= gain - points
                    for points, after in self.slides(placed)
                ):
                    raise Refused(f"uncovered position: {self.shown(board)}, after a {2**exponent} on cell {cell}")

    def check_hold(self, board, gain, move):
        cell, four = move & 15, move & 16
        if move >= 32 or cell >= len(board) or board[cell] or (four and not self.fours):
            raise Refused(f"illegal move: {self.shown(board)}, placement {move}")
        placed = board[:cell] + (2 if four else 1,) + board[cell + 1 :]
        for points, after in self.slides(placed):
            rest = self.covered.get(self.smallest(after))
            if points >= gain or rest is None or rest[0] > gain - points:
                raise Refused(f"uncovered position: {self.shown(after)}, which follows from {self.shown(board)}")


def push(line):
    """Push a line to its beginning; return it with what the merged tiles score."""
    after, points, merged = [], 0, True
    for tile in filter(None, line):
        if not merged and after[-1] == tile:
            after[-1] += 1
            points += 2 ** after[-1]
            merged = True
        else:
            after.append(tile)
            merged = False
    return tuple(after) + (0,) * (len(line) - len(after)), points


def sum_of(board):
    return sum(2**tile for tile in board if tile)


def scored(board):
    """Return what the defender has scored if all tiles were made of 2s."""
    return sum((tile - 1) * 2**tile for tile in board if tile)


def main():
    if len(sys.argv) != 2 or sys.argv[1] in ("-h", "--help"):
        sys.exit("usage: python3 check_proof.py FILE")
    try:
        with open(sys.argv[1], "rb") as file:
            data = file.read()
    except OSError as error:
        sys.exit(f"{sys.argv[1]}: {error.strerror}")
    try:
        certificate = Certificate(data)
        certificate.check()
    except Refused as refused:
        sys.exit(f"{sys.argv[1]} is refused: {refused}")
    print(f"proven: {certificate.claim}, {len(certificate.covered)} positions")


if __name__ == "__main__":
    main()
