package check

// This file is the checker of certificates from coarse boards, together with coarse_doubts.go, coarse_makers.go,
// board.go, input.go and threads.go. check.go has Result, the errors, and File, which chooses the checker.
//
// A coarse board has one kind of tile, large, for all tiles of 2^K and more. The claim is that the attacker never
// lets the large tiles be worth 2^T together, and so prevents a tile of 2^T. Their worth is known: only placements
// change the sum of all tiles, and this sum minus the smaller tiles is V times 2^K, the worth of the large tiles. V
// in binary has some number of ones, and there are at least as many large tiles. So the number of pairs of large
// tiles that can merge in a slide is at most the number of large tiles minus the number of ones. On a coarse board the
// defender chooses the pairs that merge. So if the attacker forces something there, it forces the same on all real
// boards that the coarse board stands for.
//
// The certificate lists the lost boards, with the attacker to move, by falling sums. It is a proof if all other
// boards are won: there is a placement after which no slide leads to a listed board or makes the large tiles worth
// 2^T. At a sum below 2^T without lost boards the attacker wins on every board, and it can reach such a sum by
// placing 2s.
//
// Not all boards need a check. On a lost board every 2 is answered by a slide to a listed board, or by a slide that
// makes large tiles; so is a 2 on the first empty cell. Slides of the first kind are taken back. A table has, for
// each line, all lines that a slide changes into it; the checker makes this table by sliding all lines. The second
// kind matters only if a placement can bring the sum to 2^T. Then the checker goes through all boards of the sum with
// a slide that makes enough large tiles, without the 2: a 2 merges into no large tile.

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/bits"
	"slices"
	"sync/atomic"
)

// The first line of a certificate from coarse boards begins with coarseBegin, and has the format coarseLine.
const (
	coarseBegin = "versus2048 coarse "
	coarseLine  = "versus2048 coarse certificate 1 %s %dx%d large %d prevents %d\n"
)

// A change is a line after a slide.
type change struct {
	line   uint64 // 4 bits for each cell, the cell at the wall in the lowest bits
	merged int    // pairs of large tiles that merged
	made   int    // large tiles that were made of smaller ones
}

// An origin is a line before a slide.
type origin struct {
	line   uint64
	merged int // pairs of large tiles that merge in the slide
	tally      // of the line; made is 0
}

// A tally counts the tiles of some cells: the number of large tiles, the sum of the other tiles, and the number of
// large tiles that a slide makes of the others.
type tally struct{ large, small, made int }

// tally returns the tally of the cells of a code, with made 0.
func (c *coarseChecker) tally(code uint64) (t tally) {
	for ; code > 0; code >>= 4 {
		switch tile := int(code & 15); { // #nosec G115 -- 4 bits
		case tile == c.large:
			t.large++
		case tile > 0:
			t.small += 1 << tile
		}
	}
	return t
}

type coarseChecker struct {
	input
	size
	threads     int
	task, batch int           // the number of listed boards for a task, and of tasks for a batch, 1 or more
	count       int           // the number of boards that were read
	fours       bool          // gpcc2016: the attacker may place a 4
	large, tile int           // K and T
	after       [5][][]change // the changes of every line, by the length of the line and by the line
	before      [5][][]origin // the origins of every line, likewise
	tiles       int           // the sum of tiles that is being checked
	low, high   int           // the smallest and the largest sum of tiles to be checked
	listed      [3]*set       // the lost boards of this sum, and of the sums that are 2 and 4 larger; nil for none
	spare       []uint64      // the memory of an old list, for the next one
	done        [][]uint64    // the boards of this sum that were checked, in ascending order: a part for each batch of tasks
	checked     atomic.Int64  // the number of boards that were checked
	result      Result
	report      func(Result) // or nil
}

// The usual sizes of tasks and batches. The boards that a batch finds need a few gigabytes at most.
const (
	usualTask  = 1 << 10
	usualBatch = 1 << 14
)

// newCoarseChecker returns a checker of the sums of tiles from low to high. report may be nil.
func newCoarseChecker(in input, threads, low, high int, report func(Result)) *coarseChecker {
	return &coarseChecker{input: in, threads: threads, task: usualTask, batch: usualBatch, low: low, high: high, report: report}
}

// coarseFile checks a certificate from coarse boards.
func coarseFile(c *coarseChecker) (Result, error) {
	if err := c.header(); err != nil {
		return c.result, err
	}
	most := 1<<c.tile - 1<<c.large     // the largest worth of the large tiles
	top := most + c.cells<<(c.large-1) // the largest sum
	if c.high = min(c.high, top); c.low > top {
		return c.result, fmt.Errorf("%w: no tiles have a larger sum than %d", ErrPart, top)
	}
	next, list, err := c.read(top + 2)
	largest := next
	for c.tiles = top; c.tiles >= 0 && err == nil; c.tiles -= 2 {
		c.spare = c.listed[2].all()[:0]
		c.listed[2], c.listed[1], c.listed[0] = c.listed[1], c.listed[0], nil
		if next > 0 && next == c.tiles { // next is 0 at the end of the file
			c.listed[0] = list
			if next, list, err = c.read(c.tiles); err != nil {
				break
			}
		}
		if c.inPart(c.tiles) {
			err = c.checkSum()
		}
		if err != nil {
			break
		}
		c.showProgress()
		if c.tiles < 1<<c.tile && c.listed[0] == nil {
			c.result.From, c.result.Sum = c.tiles, largest
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
	text, err := c.firstLine()
	if err != nil {
		return err
	}
	var rules string
	var width, height, large, tile int
	if _, err := fmt.Sscanf(text, coarseLine, &rules, &width, &height, &large, &tile); err != nil {
		return fmt.Errorf("%w: the first line %q does not begin a certificate", ErrClaim, text)
	}
	c.fours = rules == "gpcc2016"
	c.large, c.tile = bits.Len(uint(max(large, 0)))-1, bits.Len(uint(max(tile, 0)))-1
	sound := (rules == "gpcc2015" || c.fours) && min(width, height) >= 1 && max(width, height) <= 4 &&
		large == 1<<max(c.large, 0) && tile == 1<<max(c.tile, 0) && c.large >= 3 && c.large <= 8 && // no placed tile is large
		c.tile > c.large && c.tile <= 20 && c.tile-c.large <= width*height
	if !sound {
		return fmt.Errorf("%w: %q", ErrClaim, text)
	}
	c.size = newSize(width, height)
	// The most points without a tile of 2^T: one large tile of each size below it, and on all other cells the largest
	// small tile. A tile of 2^k that was merged from 2s has scored (k-1)*2^k.
	bound := (c.cells - (c.tile - c.large)) * (c.large - 2) << (c.large - 1)
	for k := c.large; k < c.tile; k++ {
		bound += (k - 1) << k
	}
	c.result.Claim = fmt.Sprintf("%s %dx%d below %d", rules, width, height, bound+1)
	c.input.sum = crc32.New(crc32.MakeTable(crc32.Castagnoli))
	c.makeChanges(width)
	c.makeChanges(height)
	return nil
}

// makeChanges slides all lines of a length, and fills the tables after and before.
func (c *coarseChecker) makeChanges(length int) {
	c.after[length], c.before[length] = make([][]change, 1<<(4*length)), make([][]origin, 1<<(4*length))
	line := make([]int, length)
	for more := true; more; {
		from := uint64(0)
		for i, tile := range line {
			from |= uint64(tile) << (4 * i) // #nosec G115 -- an exponent
		}
		tiles := c.tally(from)
		c.slide(line, 0, change{}, func(to change) {
			c.after[length][from] = append(c.after[length][from], to)
			back := origin{line: from, merged: to.merged, tally: tiles}
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

// read reads the next lost boards, which must have a sum below the given one. It returns the sum 0 at the end of the
// file.
func (c *coarseChecker) read(below int) (sum int, list *set, err error) {
	c.input.sum.Reset()
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
	codes := c.spare
	c.spare = nil
	for more := true; more; {
		begin, err := len(codes), error(nil)
		codes, more, err = c.readSome(codes)
		if !c.inPart(int(n)) { // #nosec G115 -- less than below
			begin = len(codes)
		}
		wrong := each(c.threads, len(codes)-begin, 1<<8, func(i int) error { return c.checkPosition(codes[begin+i]) })
		if err = cmp.Or(wrong, err); err != nil {
			return 0, nil, err
		}
	}
	if len(codes) > 0 {
		list = newSet(codes)
		list.addFilter(c.threads)
	}
	c.count += len(codes)
	c.result.Positions, c.result.Widest = c.count, max(c.result.Widest, len(codes))
	return int(n), list, c.checkPart() // #nosec G115 -- less than below
}

// readSome reads the next boards of a sum, and appends their codes. more is false after the last one.
func (c *coarseChecker) readSome(codes []uint64) (_ []uint64, more bool, err error) {
	for range 1 << 16 {
		code, more, err := c.next(codes)
		if !more {
			return codes, false, err
		}
		codes = append(codes, code)
	}
	return codes, true, nil
}

// checkPosition checks that a code is a coarse board with an empty cell, and the smallest of its images.
func (c *coarseChecker) checkPosition(code uint64) error {
	// Every second cell gets a byte here. An exponent above the one of a large tile overflows into the upper half of
	// its byte.
	const even, one = 0x0F0F_0F0F_0F0F_0F0F, 0x0101_0101_0101_0101
	room := one * uint64(15-c.large) // #nosec G115 -- large is at most 8
	if sums := (code&even + room) | (code>>4&even + room); sums&^even != 0 || !c.isPosition(code) {
		return fmt.Errorf("%w: code %x", ErrPosition, code)
	}
	return nil
}

// checkPart checks the checksum after a part of the file: CRC-32C, the highest byte first.
func (c *coarseChecker) checkPart() error {
	want := c.checksum()
	have := make([]byte, len(want))
	if _, err := io.ReadFull(c.Reader, have); err != nil {
		return truncated(err)
	}
	if !bytes.Equal(have, want) {
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
	switch _, err := c.Reader.ReadByte(); {
	case err == nil:
		return fmt.Errorf("%w: the file goes on after its end", ErrDamaged)
	case !errors.Is(err, io.EOF):
		return err
	}
	return nil
}

// wantEnd returns an error unless next is 0, which stands for the end of the file.
func (c *coarseChecker) wantEnd(next int) error {
	if next != 0 {
		return fmt.Errorf("%w: boards of sum %d, while none of sum %d is lost", ErrOrder, next, c.tiles)
	}
	return nil
}

// checkSum checks that all boards of a sum are won or listed.
func (c *coarseChecker) checkSum() error {
	var tasks []func(*doubts) error
	defer func() { c.done = nil }()
	add := func(task func(*doubts) error) (err error) {
		if tasks = append(tasks, task); len(tasks) >= c.batch {
			err, tasks = c.checkDoubts(tasks, true), nil
		}
		return err
	}
	if c.tiles+4 >= 1<<c.tile {
		if err := c.makers(add); err != nil {
			return err
		}
	}
	if c.listed[1] != nil {
		for some := range slices.Chunk(c.listed[1].codes, c.task) {
			if err := add(func(d *doubts) error { return d.takeBack(some) }); err != nil {
				return err
			}
		}
	}
	return c.checkDoubts(tasks, false)
}

// inPart reports whether the boards of a sum are checked.
func (c *coarseChecker) inPart(sum int) bool { return c.low <= sum && sum <= c.high }

// showProgress reports the counts of whole sums. The number of boards up to an error depends on the threads.
func (c *coarseChecker) showProgress() {
	c.result.Checked = int(c.checked.Load())
	if c.report != nil {
		c.result.Sum = c.tiles
		c.report(c.result)
	}
}

// worth returns the worth of the large tiles of a board, in units of 2^K, and the number of pairs of them that can
// merge. sum is the sum of all tiles. ok is false if the coarse board stands for no real board.
func (c *coarseChecker) worth(tiles tally, sum int) (worth, merges int, ok bool) {
	rest := sum - tiles.small
	worth = rest >> c.large
	if rest < 0 || rest&(1<<c.large-1) != 0 {
		return 0, 0, false
	}
	merges = tiles.large - bits.OnesCount(uint(worth)) // #nosec G115 -- not negative
	return worth, merges, merges >= 0 && tiles.large <= worth
}

// escapes reports whether some slide leads to a board of the list, or makes more large tiles than room. merges is the
// number of pairs of large tiles that can merge. escapes tries the slide likely first, and sets likely to the slide
// that it finds.
func (c *coarseChecker) escapes(code uint64, merges, room int, list *set, likely *int) bool {
	for i := range c.slides {
		slide := (*likely + i) % len(c.slides)
		t := &c.slides[slide]
		e := escape{c, t, t.there.of(code), merges, room, list}
		if e.reaches(0, 0, 0, 0) {
			*likely = slide
			return true
		}
	}
	return false
}

// An escape is a slide of a turned board that escapes tries.
type escape struct {
	*coarseChecker
	*turn
	from         uint64
	merges, room int
	list         *set
}

// reaches reports whether some result of the slide is a board of the list, or has more than room new large tiles. to,
// merged and made are the result for the rows before row.
func (e *escape) reaches(row int, to uint64, merged, made int) bool {
	if merged > e.merges {
		return false
	}
	if row < e.rows {
		for _, a := range e.coarseChecker.after[e.length][e.row(e.from, row)] {
			if e.reaches(row+1, to|a.line<<(4*e.length*row), merged+a.merged, made+a.made) {
				return true
			}
		}
		return false
	}
	if to == e.from {
		return false
	}
	if made > e.room {
		return true
	}
	_, lost := e.list.find(e.smallest(e.image(e.turn, to)))
	return lost
}
