"""Check a certificate from coarse boards: whether it proves what it claims about the game.

The format and the argument are in PROOFS.md. This program follows them in plain
Python, with the standard library only. Boards that cannot be lost are left out: see
Certificate.doubtful.

    python3 check_coarse.py 3x2.proof
"""

import itertools
import operator
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
        if data.startswith(b"versus2048 certificate 1 "):
            raise Refused("a certificate of positions: check it by check_proof.py")
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
        self.images = self.symmetries()
        self.after, self.before = self.pushed_lines()
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
                raise Refused(f"not a position: {self.shown(board)}")
            boards.add(board)
        return boards

    def shown(self, board):
        """Return a board as rows of tiles, such as 2,4/0,8."""
        tiles = [str(2**tile if tile else 0) for tile in board]
        return "/".join(",".join(tiles[i : i + self.width]) for i in range(0, len(tiles), self.width))

    def claim(self):
        """Return what is proven: the score with one large tile of each size, and the rest as large as can be."""
        tiles = [*range(self.large, self.tile)]
        tiles += [self.large - 1] * (self.cells - len(tiles))
        rules = "gpcc2016" if len(self.placed) > 1 else "gpcc2015"
        return f"{rules} {self.width}x{self.height} below {sum((k - 1) * 2**k for k in tiles) + 1}"

    def symmetries(self):
        """Return a function for each symmetry, which returns the image of a board from its last cell to its first."""
        rows = [range(y * self.width, (y + 1) * self.width) for y in range(self.height)]
        images = []
        for image in [rows, list(zip(*rows))] if self.width == self.height else [rows]:
            for vertical in (image, image[::-1]):
                images += [vertical, [row[::-1] for row in vertical]]
        return [operator.itemgetter(*sum(map(tuple, image), ())[::-1]) for image in images]

    def smallest(self, board):
        """Return the smallest of the boards that are equal under a symmetry: the last cell counts most."""
        return min([image(board) for image in self.images])[::-1]

    def check(self):
        """Raise Refused unless all boards are won or listed, down to a sum that has no lost board."""
        for total in range((1 << self.tile) + (self.cells << self.large), -1, -2):
            lost = self.lost.get(total, ())
            for board in self.doubtful(total):
                if board not in lost and not self.wins(board, total):
                    raise Refused(f"uncovered position: {self.shown(board)}, of sum {total}")
            if total < 1 << self.tile and not lost:
                if any(other < total for other in self.lost):
                    raise Refused(f"out of order: boards below sum {total}, which has none")
                return
        raise Refused("uncovered position: the empty board")

    def doubtful(self, total):
        """Return the boards of a sum that may be lost; on all others, every placement of a 2 wins.

        A slide that answers a 2 leads to a listed board, or makes large tiles.
        """
        found = set(self.makers(total))
        for board in self.lost.get(total + 2, ()):
            for placed, merged in self.boards_before(board):
                worth = self.worth(placed, total + 2)
                if placed != board and worth is not None and merged <= worth[1]:
                    found.update(self.smallest(placed[:i] + (0,) + placed[i + 1 :]) for i, t in enumerate(placed) if t == 1)
        return found

    def pushed_lines(self):
        """Return the lines that a push makes of each line, and those that it makes each line of.

        Beside each of them is how many large tiles merge; after a push also how many are made.
        """
        after, before = {}, {}
        for length in {self.width, self.height}:
            for line in itertools.product(range(self.large + 1), repeat=length):
                after[line] = []
                for tiles, merged, made in self.pushes([tile for tile in line if tile]):
                    pushed = (*tiles, *(0,) * (length - len(tiles)))
                    after[line].append((pushed, merged, made))
                    before.setdefault(pushed, []).append((line, merged))
        return after, before

    def boards_before(self, board):
        """Yield the boards that a slide may change into this one, and how many large tiles merge."""
        rows = [board[i : i + self.width] for i in range(0, self.cells, self.width)]
        for lines, turned in ((rows, False), (list(zip(*rows)), True)):
            for step in (1, -1):
                for choice in itertools.product(*(self.before.get(tuple(line[::step]), ()) for line in lines)):
                    slid = [line[::step] for line, _ in choice]
                    yield sum(zip(*slid) if turned else slid, ()), sum(merged for _, merged in choice)

    def worth(self, board, total):
        """Return what the large tiles are worth, and how many of them can merge; None if no real board is like this."""
        large = board.count(self.large)
        worth, rest = divmod(total - sum(2**tile for tile in board if 0 < tile < self.large), 1 << self.large)
        merges = large - bin(worth).count("1")
        return (worth, merges) if not rest and large <= worth and merges >= 0 else None

    def makers(self, total):
        """Yield the boards with enough pairs of the largest small tiles to bring the large ones up to 2^T.

        That is out of reach while a placement does not bring the sum to 2^T.
        """
        if total + 4 < 1 << self.tile:
            return
        for small in range(total % (1 << self.large), self.cells << self.large - 1, 1 << self.large):
            worth = total - small >> self.large
            made = (1 << self.tile - self.large) - worth
            if made < 1:
                continue
            for large in range(bin(worth).count("1"), min(worth, self.cells - 1) + 1):
                for pairs in range(2 * made, self.cells - large):
                    rest = small - (pairs << self.large - 1)
                    for counts in self.splits(self.cells - large - pairs, rest, self.large - 2):
                        for board in arrangements([*counts, pairs, large], self.cells):
                            if self.smallest(board) == board:
                                yield board

    def splits(self, cells, small, tile):
        """Yield how many cells can have each tile from 0 to the given one, one empty at least, so that they sum up."""
        if tile == 0:
            if small == 0 and cells > 0:
                yield [cells]
            return
        for count in range(min(cells, max(small, 0) >> tile) + 1):
            for fewer in self.splits(cells - count, small - (count << tile), tile - 1):
                yield [*fewer, count]

    def wins(self, board, total):
        """Report whether some placement leaves no slide to a lost board."""
        worth = self.worth(board, total)
        if worth is None:
            return True  # no real board is like this one
        merges, room = worth[1], (1 << self.tile - self.large) - 1 - worth[0]
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
            for step in (1, -1):
                for choice in itertools.product(*(self.after[tuple(line[::step])] for line in lines)):
                    slid = [line[::step] for line, _, _ in choice]
                    after = sum(zip(*slid) if turned else slid, ())
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


def arrangements(counts, cells):
    """Yield the boards with these numbers of each tile, on that many cells."""
    board = [0] * cells

    def place(tile, free):
        if tile == 0:
            yield tuple(board)
            return
        for chosen in itertools.combinations(free, counts[tile]):
            for cell in chosen:
                board[cell] = tile
            yield from place(tile - 1, [cell for cell in free if cell not in chosen])
            for cell in chosen:
                board[cell] = 0

    yield from place(len(counts) - 1, range(cells))


def main():
    if len(sys.argv) != 2 or sys.argv[1] in ("-h", "--help"):
        sys.exit("usage: python3 check_coarse.py FILE")
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
    print(f"proven: {certificate.claim()}, {certificate.count} lost boards")


if __name__ == "__main__":
    main()
