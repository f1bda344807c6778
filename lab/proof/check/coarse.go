package check

// This file is the whole checker of certificates from coarse boards, except for the names of the errors, the
// lines of a board, firstLine and truncated, which are in check.go. Like that file, it is meant to be trusted
// by being read.
//
// A coarse board has one kind of tile, large, for all tiles of 2^K and more. The claim is that the attacker
// never lets the large tiles be worth 2^T together, and so prevents a tile of 2^T. Their worth is known: only
// placements change the sum of all tiles, and this sum minus the smaller tiles is V times 2^K, the worth of the
// large tiles. V in binary has some number of ones, and there are at least as many large tiles. So the number of
// pairs of large tiles that can merge in a slide is at most the number of large tiles minus the number of ones. The
// defender may choose which of them merge: if the attacker forces something on a coarse board, it forces the same
// on all boards behind it.
//
// The certificate lists the lost boards, with the attacker to move, by falling sums. It is a proof if all other
// boards are won: there is a placement after which no slide leads to a listed board, or makes the large tiles
// worth 2^T. At a sum below 2^T without lost boards the attacker wins on every board, and it can reach
// such a sum by placing 2s.
//
// Not all boards need a check. On a lost board every 2 is answered by a slide to a listed board, or by a slide
// that makes large tiles. Slides of the first kind are taken back. A table has, for each line, all lines that a
// slide changes into it; it is made by sliding all lines. The second kind matters while a placement can bring
// the sum to 2^T. Then the checker goes through all boards of the sum with a slide that makes enough large
// tiles: the 2 is part of no such pair, since large tiles are made of 4s at least.

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math/bits"
	"slices"
)

// The first line of a certificate from coarse boards begins with coarseBegin, and has the format coarseLine.
const (
	coarseBegin = "versus2048 coarse "
	coarseLine  = "versus2048 coarse certificate 1 %s %dx%d large %d prevents %d\n"
)

// A change is the line after a slide of another line, or the line before it.
type change struct {
	line   uint64 // 4 bits a cell, the one at the wall lowest
	merged int    // pairs of large tiles that merged
	made   int    // large tiles that were made of smaller ones
}

// changes has the changes of every line, by the length of the line and by the line.
type changes [5]map[uint64][]change

// A listing has the lost boards of a sum of tiles, by their codes. A code is as in check.go.
type listing map[uint64]struct{}

type coarseChecker struct {
	in            *bufio.Reader
	stopped       func() error // returns an error once the check is to end
	checksum      uint32       // of the part that is being read
	count         int          // the number of boards that were read
	fours         bool         // gpcc2016: the attacker may place a 4
	cells         int
	large, tile   int        // K and T
	symmetries    [][]int    // for each symmetry and cell, the cell that its tile comes from
	lines         [4][][]int // by direction
	after, before changes    // the lines after a slide, by the line before; and the lines before, by the line after
	sum           int        // the sum of tiles that is being checked
	listed        [3]listing // of this sum, and of the sums that are 2 and 4 larger
	pending       []uint64   // boards that are to be checked, perhaps several times
	result        Result
	report        func(Result) // or nil
}

// coarseFile checks a certificate from coarse boards.
func coarseFile(c *coarseChecker) (Result, error) {
	if err := c.header(); err != nil {
		return c.result, err
	}
	most := 1<<c.tile - 1<<c.large // the largest worth of the large tiles
	next, list, err := c.read(most + c.cells<<(c.large-1) + 2)
	largest := next
	for c.sum = most + c.cells<<(c.large-1); c.sum >= 0 && err == nil; c.sum -= 2 {
		c.listed[2], c.listed[1], c.listed[0] = c.listed[1], c.listed[0], nil
		if next == c.sum {
			c.listed[0] = list
			if next, list, err = c.read(c.sum); err != nil {
				break
			}
		}
		if err = c.checkSum(); err != nil {
			break
		}
		if c.sum < 1<<c.tile && len(c.listed[0]) == 0 {
			c.result.From, c.result.Sum = c.sum, largest
			return c.result, c.wantEnd(next)
		}
	}
	if err == nil {
		err = fmt.Errorf("%w: there are lost boards down to the empty one", ErrUncovered)
	}
	return c.result, err
}

// header reads the first line, and prepares the tables.
func (c *coarseChecker) header() error {
	text, err := firstLine(c.in)
	if err != nil {
		return err
	}
	var rules string
	var width, height, large, tile int
	if _, err := fmt.Sscanf(text, coarseLine, &rules, &width, &height, &large, &tile); err != nil {
		return fmt.Errorf("%w: the first line %q does not begin a certificate", ErrClaim, text)
	}
	c.fours, c.cells = rules == "gpcc2016", width*height
	c.large, c.tile = bits.Len(uint(max(large, 0)))-1, bits.Len(uint(max(tile, 0)))-1
	sound := (rules == "gpcc2015" || c.fours) && min(width, height) >= 1 && max(width, height) <= 4 &&
		large == 1<<max(c.large, 0) && tile == 1<<max(c.tile, 0) && c.large >= 3 && c.large <= 8 && // no placed tile is large
		c.tile > c.large && c.tile <= 20 && c.tile-c.large <= c.cells
	if !sound {
		return fmt.Errorf("%w: %q", ErrClaim, text)
	}
	// The most points without that tile: one large tile of each size, and on all other cells the largest small
	// tile. A tile 2^k of 2s scored (k-1)*2^k.
	bound := (c.cells - (c.tile - c.large)) * (c.large - 2) << (c.large - 1)
	for k := c.large; k < c.tile; k++ {
		bound += (k - 1) << k
	}
	c.result.Claim = fmt.Sprintf("%s %dx%d below %d", rules, width, height, bound+1)
	for direction := range c.lines {
		c.lines[direction] = lines(width, height, direction)
	}
	c.makeSymmetries(width, height)
	c.makeChanges(width)
	c.makeChanges(height)
	return nil
}

func (c *coarseChecker) makeSymmetries(width, height int) {
	for turn := range 8 {
		if turn >= 4 && width != height {
			break
		}
		var from []int
		for cell := range c.cells {
			x, y := cell%width, cell/width
			if turn&1 != 0 {
				x = width - 1 - x
			}
			if turn&2 != 0 {
				y = height - 1 - y
			}
			if turn&4 != 0 {
				x, y = y, x
			}
			from = append(from, y*width+x)
		}
		c.symmetries = append(c.symmetries, from)
	}
}

// makeChanges slides all lines of a length.
func (c *coarseChecker) makeChanges(length int) {
	c.after[length], c.before[length] = map[uint64][]change{}, map[uint64][]change{}
	line := make([]int, length)
	for more := true; more; {
		from := uint64(0)
		for i, tile := range line {
			from |= uint64(tile) << (4 * i) // #nosec G115 -- an exponent
		}
		c.slide(line, 0, change{}, func(to change) {
			c.after[length][from] = append(c.after[length][from], to)
			back := change{line: from, merged: to.merged, made: to.made}
			c.before[length][to.line] = append(c.before[length][to.line], back)
		})
		more = false
		for i := 0; i < length && !more; i++ { // the next line, counting
			line[i] = (line[i] + 1) % (c.large + 1)
			more = line[i] > 0
		}
	}
}

// slide calls visit for each result of sliding tiles towards the beginning of a line, where some settled tiles lie
// already. Two large neighbours may merge or stay apart.
func (c *coarseChecker) slide(tiles []int, settled int, to change, visit func(change)) {
	for len(tiles) > 0 && tiles[0] == 0 {
		tiles = tiles[1:]
	}
	if len(tiles) == 0 {
		visit(to)
		return
	}
	tile, rest := tiles[0], tiles[1:]
	for len(rest) > 0 && rest[0] == 0 {
		rest = rest[1:]
	}
	single, double := to, to
	single.line |= uint64(tile) << (4 * settled)                 // #nosec G115 -- an exponent
	double.line |= uint64(min(tile+1, c.large)) << (4 * settled) // #nosec G115 -- an exponent
	equal := len(rest) > 0 && rest[0] == tile
	if equal {
		switch tile {
		case c.large:
			double.merged++
		case c.large - 1:
			double.made++
		}
		c.slide(rest[1:], settled+1, double, visit)
	}
	if !equal || tile == c.large {
		c.slide(rest, settled+1, single, visit)
	}
}

// read reads the next listing, which must have a sum below the given one. It returns the sum 0 at the end of the file.
func (c *coarseChecker) read(below int) (sum int, list listing, err error) {
	c.checksum = 0
	n, err := c.number()
	if err != nil {
		return 0, nil, err
	}
	if n == 0 {
		return 0, nil, c.end()
	}
	if n >= uint64(below) || n%2 != 0 { // #nosec G115 -- not negative
		return 0, nil, fmt.Errorf("%w: boards of sum %d: want an even sum below %d", ErrOrder, n, below)
	}
	list = listing{}
	for code := uint64(0); ; {
		if err := c.stopped(); err != nil {
			return 0, nil, err
		}
		step, err := c.number()
		if err != nil {
			return 0, nil, err
		}
		if step == 0 {
			break
		}
		if code+step < step {
			return 0, nil, fmt.Errorf("%w: a step of %d", ErrOrder, step)
		}
		code += step
		if !c.isPosition(code - 1) {
			return 0, nil, fmt.Errorf("%w: code %x", ErrPosition, code-1)
		}
		list[code-1] = struct{}{}
	}
	c.count += len(list)
	c.result.Positions, c.result.Widest = c.count, max(c.result.Widest, len(list))
	return int(n), list, c.checkPart() // #nosec G115 -- less than below
}

// isPosition reports whether a code is a coarse board with an empty cell, and the smallest code of its
// symmetries.
func (c *coarseChecker) isPosition(code uint64) bool {
	empty := false
	for cell := range c.cells {
		tile := int(code >> (4 * cell) & 15)
		if tile > c.large {
			return false
		}
		empty = empty || tile == 0
	}
	return empty && code>>(4*c.cells-4)>>4 == 0 && c.smallest(code) == code
}

// checkPart checks the checksum after a part of the file: CRC-32C, the highest byte first.
func (c *coarseChecker) checkPart() error {
	want := c.checksum
	var have [4]byte
	if _, err := io.ReadFull(c.in, have[:]); err != nil {
		return truncated(err)
	}
	if binary.BigEndian.Uint32(have[:]) != want {
		return fmt.Errorf("%w: a checksum does not match its part of the file", ErrDamaged)
	}
	return nil
}

// end checks the number of boards, and that nothing follows.
func (c *coarseChecker) end() error {
	count, err := c.number()
	if err != nil {
		return err
	}
	if err := c.checkPart(); err != nil {
		return err
	}
	if count != uint64(c.count) { // #nosec G115 -- a count
		return fmt.Errorf("%w: the file counts %d boards, and has %d", ErrDamaged, count, c.count)
	}
	if _, err := c.in.ReadByte(); err == nil {
		return fmt.Errorf("%w: the file goes on after its end", ErrDamaged)
	}
	return nil
}

// wantEnd returns an error unless the file has ended.
func (c *coarseChecker) wantEnd(next int) error {
	if next != 0 {
		return fmt.Errorf("%w: boards of sum %d, while none of sum %d is lost", ErrOrder, next, c.sum)
	}
	return nil
}

func (c *coarseChecker) number() (uint64, error) {
	n, err := binary.ReadUvarint(c)
	return n, truncated(err)
}

// ReadByte reads a byte of the file and adds it to the checksum.
func (c *coarseChecker) ReadByte() (byte, error) {
	b, err := c.in.ReadByte()
	if err == nil {
		c.checksum = crc32.Update(c.checksum, crc32.MakeTable(crc32.Castagnoli), []byte{b})
	}
	return b, err
}

// checkSum checks that all boards of a sum are won or listed.
func (c *coarseChecker) checkSum() (err error) {
	for code := range c.listed[1] {
		if err = c.takeBack(code); err != nil {
			break
		}
	}
	if err == nil && c.sum+4 >= 1<<c.tile {
		err = c.addMakers()
	}
	if err == nil {
		err = c.checkPending()
	}
	if c.report != nil {
		c.result.Sum = c.sum
		c.report(c.result)
	}
	return err
}

// addMakers adds the boards of the sum with a slide that makes enough large tiles. It goes through the possible
// numbers of large tiles and the possible sums of the others.
func (c *coarseChecker) addMakers() error {
	for small := c.sum & (1<<c.large - 1); small <= c.sum; small += 1 << c.large {
		worth := (c.sum - small) >> c.large
		if worth >= 1<<(c.tile-c.large) {
			continue
		}
		for large := bits.OnesCount(uint(worth)); large <= min(worth, c.cells-1); large++ {
			if err := c.fill(0, 0, large, small, 1<<(c.tile-c.large)-worth); err != nil {
				return err
			}
		}
	}
	return nil
}

// fill adds the boards that have the tiles of code on the cells before cell. On the other cells they have as many
// large tiles as large says, and smaller tiles with the sum small. It leaves out boards where every slide makes
// fewer large tiles than least.
func (c *coarseChecker) fill(cell int, code uint64, large, small, least int) error {
	if left := c.cells - cell; large > left || small > (left-large)<<(c.large-1) {
		return nil
	}
	if cell == c.cells {
		if c.mostMade(code) < least || !c.isPosition(code) {
			return c.stopped()
		}
		return c.add(code)
	}
	for tile := range c.large + 1 {
		nextLarge, nextSmall := large, small
		switch {
		case tile == c.large:
			nextLarge--
		case tile > 0:
			nextSmall -= 1 << tile
		}
		if nextLarge < 0 || nextSmall < 0 {
			continue
		}
		if err := c.fill(cell+1, code|uint64(tile)<<(4*cell), nextLarge, nextSmall, least); err != nil { // #nosec G115 -- an exponent
			return err
		}
	}
	return nil
}

// mostMade returns the largest number of large tiles that a slide makes. Merges of large tiles do not change it.
func (c *coarseChecker) mostMade(code uint64) (most int) {
	for direction := range c.lines {
		made := 0
		for _, cells := range c.lines[direction] {
			made += c.after[len(cells)][take(code, cells)][0].made
		}
		most = max(most, made)
	}
	return most
}

// add remembers a board that is to be checked.
func (c *coarseChecker) add(code uint64) error {
	if c.pending = append(c.pending, code); len(c.pending) < 1<<20 {
		return nil
	}
	return c.checkPending()
}

// checkPending checks that the boards to be checked are won or listed.
func (c *coarseChecker) checkPending() error {
	slices.Sort(c.pending)
	for _, code := range slices.Compact(c.pending) {
		if err := c.stopped(); err != nil {
			return err
		}
		c.result.Checked++
		if _, lost := c.listed[0][code]; lost || c.wins(code) {
			continue
		}
		return fmt.Errorf("%w: board %x (cell 1 lowest, %x is large) of sum %d is not listed, and no placement wins", ErrUncovered, code, c.large, c.sum)
	}
	c.pending = c.pending[:0]
	return nil
}

// takeBack adds the boards where a slide to the given board may answer a 2.
func (c *coarseChecker) takeBack(code uint64) error {
	for direction := range c.lines {
		err := c.eachBefore(direction, code, 0, 0, 0, func(from uint64, merged int) error {
			_, merges, ok := c.worth(from, c.sum+2)
			if from == code || !ok || merged > merges {
				return nil
			}
			for cell := range c.cells {
				if from>>(4*cell)&15 != 1 {
					continue
				}
				if err := c.add(c.smallest(from &^ (15 << (4 * cell)))); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// eachBefore calls visit for the boards that a slide may have changed into the board code, with the number of pairs
// of large tiles that merged. from and merged are of the lines before line i.
func (c *coarseChecker) eachBefore(direction int, code uint64, i int, from uint64, merged int, visit func(uint64, int) error) error {
	if i == len(c.lines[direction]) {
		return visit(from, merged)
	}
	cells := c.lines[direction][i]
	for _, b := range c.before[len(cells)][take(code, cells)] {
		if err := c.eachBefore(direction, code, i+1, from|put(b.line, cells), merged+b.merged, visit); err != nil {
			return err
		}
	}
	return nil
}

// worth returns the worth of the large tiles of a board, in units of 2^K, and the number of pairs of them that can
// merge. ok is false if no real board is behind the coarse one.
func (c *coarseChecker) worth(code uint64, sum int) (worth, merges int, ok bool) {
	large, rest := 0, sum
	for cell := range c.cells {
		switch tile := int(code >> (4 * cell) & 15); {
		case tile == c.large:
			large++
		case tile > 0:
			rest -= 1 << tile
		}
	}
	worth = rest >> c.large
	if rest < 0 || rest&(1<<c.large-1) != 0 {
		return 0, 0, false
	}
	merges = large - bits.OnesCount(uint(worth))
	return worth, merges, merges >= 0 && large <= worth
}

// wins reports whether there is a placement after which no slide leads to a listed board, or makes the large tiles
// worth 2^T.
func (c *coarseChecker) wins(code uint64) bool {
	worth, merges, ok := c.worth(code, c.sum)
	if !ok {
		return true // no real board is behind this one
	}
	room := 1<<(c.tile-c.large) - 1 - worth // the number of large tiles that a slide may make
	for cell := range c.cells {
		if code>>(4*cell)&15 != 0 {
			continue
		}
		if !c.escapes(code|1<<(4*cell), merges, room, c.listed[1]) || c.fours && !c.escapes(code|2<<(4*cell), merges, room, c.listed[2]) {
			return true
		}
	}
	return false
}

// escapes reports whether some slide leads to a board of the list, or makes more large tiles than room.
func (c *coarseChecker) escapes(code uint64, merges, room int, list listing) bool {
	for direction := range c.lines {
		if c.someAfter(direction, code, 0, change{}, func(to change) bool {
			if to.line == code || to.merged > merges {
				return false
			}
			_, lost := list[c.smallest(to.line)]
			return lost || to.made > room
		}) {
			return true
		}
	}
	return false
}

// someAfter reports whether a condition holds for some board after a slide of the board code. to is of the lines
// before line i.
func (c *coarseChecker) someAfter(direction int, code uint64, i int, to change, holds func(change) bool) bool {
	if i == len(c.lines[direction]) {
		return holds(to)
	}
	cells := c.lines[direction][i]
	for _, a := range c.after[len(cells)][take(code, cells)] {
		if c.someAfter(direction, code, i+1, change{to.line | put(a.line, cells), to.merged + a.merged, to.made + a.made}, holds) {
			return true
		}
	}
	return false
}

// take returns the line of a board on the given cells.
func take(code uint64, cells []int) (line uint64) {
	for i, cell := range cells {
		line |= code >> (4 * cell) & 15 << (4 * i)
	}
	return line
}

// put returns a board with the line on the given cells, and nothing else.
func put(line uint64, cells []int) (code uint64) {
	for i, cell := range cells {
		code |= line >> (4 * i) & 15 << (4 * cell)
	}
	return code
}

// smallest returns the smallest code of a board's symmetries.
func (c *coarseChecker) smallest(code uint64) uint64 {
	least := ^uint64(0)
	for _, from := range c.symmetries {
		least = min(least, take(code, from))
	}
	return least
}
