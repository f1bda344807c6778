"""Check a certificate from coarse boards: whether it proves what it claims about the game.

The format and the argument are in PROOFS.md. This program follows them in plain
Python, with the standard library only. It goes through all coarse boards, not only
those that matter, and is for the smallest ones.

    python3 check_coarse.py 3x2.proof
"""

import itertools
import re
import sys

FIRST_LINE = rb"versus2048 coarse certificate 1 (gpcc2015|gpcc2016) ([1-4])x([1-4]) large (\d+) prevents (\d+)\n"


class Refused(Exception):
    """The certificate does not prove its claim, for the reason given."""


def crc32c(data):
    """Return the CRC-32C of bytes."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


class Certificate:
    """A certificate in memory: its claim, and the lost boards of each sum of tiles."""

    def __init__(self, data):
        head = re.match(FIRST_LINE, data)
        if not head:
            raise Refused("wrong claim: the first line is not that of a certificate")
        rules, width, height, large, prevents = (group.decode() for group in head.groups())
        self.placed = (1, 2) if rules == "gpcc2016" else (1,)
        self.width, self.height = int(width), int(height)
        self.cells = self.width * self.height
        self.large, self.tile = int(large).bit_length() - 1, int(prevents).bit_length() - 1
        if not 3 <= self.large <= 8 or not self.large < self.tile <= min(20, self.large + self.cells):
            raise Refused("wrong claim: the tiles make no sense")
        if (1 << self.large, 1 << self.tile) != (int(large), int(prevents)):
            raise Refused("wrong claim: these are no tiles")
        self.data, self.at = data, head.end()
        self.lost = {}
        self.count = 0
        self.last = (1 << self.tile) + (self.cells << self.large)
        while self.read_sum():
            pass
        if self.at < len(data):
            raise Refused("damaged: it goes on after its end")

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

    def read_sum(self):
        """Read the boards of one sum, and report whether there were some."""
        begin = self.at
        total = self.number()
        if total == 0:
            if self.number() != self.count:
                raise Refused("damaged: the number of boards is wrong")
        elif total >= self.last or total % 2:
            raise Refused(f"out of order: sum {total}")
        else:
            self.lost[total] = self.read_boards()
            self.last = total
            self.count += len(self.lost[total])
        checksum = crc32c(self.data[begin : self.at])
        if sum(self.byte() << shift for shift in (24, 16, 8, 0)) != checksum:
            raise Refused("damaged: a checksum is wrong")
        return total > 0

    def read_boards(self):
        boards, code = set(), 0
        while step := self.number():
            code += step
            board = tuple(code - 1 >> 4 * cell & 15 for cell in range(self.cells))
            if code - 1 >> 4 * self.cells or max(board) > self.large or 0 not in board or self.smallest(board) != board:
                raise Refused(f"not a position: {board}")
            boards.add(board)
        return boards

    def claim(self):
        """Return what is proven: the score with one large tile of each size, and the rest as large as can be."""
        tiles = [*range(self.large, self.tile)]
        tiles += [self.large - 1] * (self.cells - len(tiles))
        rules = "gpcc2016" if len(self.placed) > 1 else "gpcc2015"
        return f"{rules} {self.width}x{self.height} below {sum((k - 1) * 2**k for k in tiles) + 1}"

    def smallest(self, board):
        """Return the smallest of the boards that are equal under a symmetry: the last cell counts most."""
        rows = [board[i : i + self.width] for i in range(0, self.cells, self.width)]
        images = []
        for image in [rows, list(zip(*rows))] if self.width == self.height else [rows]:
            for vertical in (image, image[::-1]):
                images += [vertical, [row[::-1] for row in vertical]]
        return min((sum(map(tuple, image), ()) for image in images), key=lambda b: b[::-1])

    def boards(self):
        """Return all boards with an empty cell, by the number of large tiles and the sum of the others."""
        found = {}
        for board in itertools.product(range(self.large + 1), repeat=self.cells):
            if 0 in board:
                small = sum(2**tile for tile in board if 0 < tile < self.large)
                found.setdefault((board.count(self.large), small), []).append(board)
        return found

    def check(self):
        """Raise Refused unless all boards are won or listed, down to a sum that has no lost board."""
        groups = self.boards()
        for total in range((1 << self.tile) + (self.cells << self.large), -1, -2):
            for (large, small), boards in groups.items():
                worth, rest = divmod(total - small, 1 << self.large)
                merges = large - bin(worth).count("1")
                if rest or not large <= worth < 1 << self.tile - self.large or merges < 0:
                    continue
                room = (1 << self.tile - self.large) - 1 - worth
                for board in boards:
                    if self.smallest(board) not in self.lost.get(total, ()) and not self.wins(board, total, merges, room):
                        raise Refused(f"uncovered position: {board}, of sum {total}")
            if total < 1 << self.tile and not self.lost.get(total):
                if any(other < total for other in self.lost):
                    raise Refused(f"out of order: boards below sum {total}, which has none")
                return
        raise Refused("uncovered position: the empty board")

    def wins(self, board, total, merges, room):
        """Report whether some placement leaves no slide to a lost board."""
        for cell in (cell for cell, tile in enumerate(board) if tile == 0):
            for exponent in self.placed:
                placed = board[:cell] + (exponent,) + board[cell + 1 :]
                wanted = self.lost.get(total + 2**exponent, ())
                if not any(
                    merged <= merges and (made > room or self.smallest(after) in wanted)
                    for after, merged, made in self.slides(placed)
                ):
                    return True
        return False

    def slides(self, board):
        """Yield the boards that a slide can lead to, how many large tiles merged, and how many were made."""
        rows = [board[i : i + self.width] for i in range(0, self.cells, self.width)]
        for lines, turned in ((rows, False), (list(zip(*rows)), True)):
            for back in (False, True):
                choices = [list(self.pushes([tile for tile in line[:: -1 if back else 1] if tile])) for line in lines]
                for choice in itertools.product(*choices):
                    slid = []
                    for line, (tiles, _, _) in zip(lines, choice):
                        full = tuple(tiles) + (0,) * (len(line) - len(tiles))
                        slid.append(full[::-1] if back else full)
                    after = sum(map(tuple, zip(*slid) if turned else slid), ())
                    if after != board:
                        yield after, sum(merged for _, merged, _ in choice), sum(made for _, _, made in choice)

    def pushes(self, tiles):
        """Yield what may become of the tiles of a line: two large neighbours merge or do not."""
        if not tiles:
            yield [], 0, 0
            return
        first, equal = tiles[0], tiles[1:2] == tiles[:1]
        if not equal or first == self.large:
            for rest, merged, made in self.pushes(tiles[1:]):
                yield [first, *rest], merged, made
        if equal:
            for rest, merged, made in self.pushes(tiles[2:]):
                yield [min(first + 1, self.large), *rest], merged + (first == self.large), made + (first == self.large - 1)


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: python3 check_coarse.py FILE")
    with open(sys.argv[1], "rb") as file:
        data = file.read()
    try:
        certificate = Certificate(data)
        certificate.check()
    except Refused as refused:
        sys.exit(f"{sys.argv[1]} is refused: {refused}")
    print(f"proven: {certificate.claim()}, {certificate.count} lost boards")


if __name__ == "__main__":
    main()
