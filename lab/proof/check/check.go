package check

// This file is the checker, together with answers.go, board.go, input.go and threads.go. To trust them, read
// them from the top to the end: they contain the rules of the game themselves, and import the standard library only.
//
// A certificate is a list of covered positions, all with the attacker to move. Each has a gain g. A claim of the defender
// says that the defender gains at least g from each position; a claim of the attacker says that the attacker keeps the
// defender's gain below g. The list proves its claim if it covers the empty board, and if each position follows from
// positions with larger sums of tiles:
//
//   - the defender gains g if after every placement some slide scores g, or scores p and leads to a
//     position that is covered for g-p or more;
//   - the attacker keeps the gain below g if after the placement in the list every slide scores p < g and
//     leads to a position that is covered for g-p or less.
//
// A placement adds 2 or 4 to the sum of tiles and a slide adds nothing. So three layers are in memory: the layer that is
// checked, and the layers of the next two sums.

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math"
)

// The reasons to refuse a certificate: errors.Is finds them in the error of File.
var (
	ErrDamaged   = errors.New("damaged")            // the checksum or the count is wrong, or the file goes on after its end
	ErrTruncated = errors.New("truncated")          // the file ends too early
	ErrClaim     = errors.New("wrong claim")        // the first line has no claim, or the list does not begin with the empty board, covered for the score
	ErrOrder     = errors.New("out of order")       // a position is not in its place, or is there twice
	ErrPosition  = errors.New("not a position")     // a board that is full, is not the smallest of its images, or has nothing left to prove
	ErrMove      = errors.New("illegal move")       // a placement on a tile, outside of the board, or of a 4 under gpcc2015
	ErrUncovered = errors.New("uncovered position") // a position does not follow from the others
)

// ErrPart is the error of Part for a certificate that has no such part.
var ErrPart = errors.New("it has no such part")

// A Result is the claim of a certificate, with counts of its positions.
type Result struct {
	Claim     string `json:"claim"`             // rules, size, at-least or below, score
	Positions int    `json:"positions"`         // the number of positions in the certificate
	Widest    int    `json:"widest"`            // the largest number of positions with one sum of tiles
	Sum       int    `json:"sum"`               // the largest sum of tiles; during a check, the present sum
	Checked   int    `json:"checked,omitempty"` // the number of boards that were checked; of coarse boards, others than the positions
	From      int    `json:"from,omitempty"`    // coarse boards: the attacker wins from this sum of tiles on
	Low       int    `json:"low,omitempty"`     // a check in parts: the smallest sum of tiles that was checked
	High      int    `json:"high,omitempty"`    // a check in parts: the largest sum of tiles that was checked
}

// A layer has all positions of one sum of tiles: the boards, and for each its gain in units of 4, and the attacker's
// placement.
type layer struct {
	sum    int
	boards *set
	gains  []int32
	moves  []byte // the cell, and 16 more for a 4; empty if the claim is the defender's
}

type checker struct {
	input
	size
	threads  int
	low      int  // the smallest sum of tiles to be checked
	high     int  // the largest sum of tiles to be checked
	fours    bool // gpcc2016: the attacker may place a 4
	attacker bool // whether the claim is the attacker's
	goal     int  // the gain from the empty board, in units of 4
	slid     [5][]slide
	result   Result
	ahead    []*layer     // the layer that is checked, and the layers after it that were read
	count    uint64       // the number of positions that were read
	ended    bool         // all layers were read
	report   func(Result) // or nil
}

// File checks a certificate with a number of threads, 1 or more, reading it once; the result does not depend on the
// threads. It returns an error that wraps one of the reasons above if the certificate does not prove its claim, the
// reader's own error, or the error of ctx if ctx ends first. report may be nil; it is called after each sum of tiles
// with the counts so far.
func File(ctx context.Context, r io.Reader, threads int, report func(Result)) (Result, error) {
	result, err := Part(ctx, r, threads, 0, math.MaxInt, report)
	result.Low, result.High = 0, 0
	return result, err
}

// Part checks the sums of tiles from low to high, which is above 0. It reads the whole file, but does not check that boards
// of other sums follow from the rest. So several machines can check a part each, of the same bytes: if their
// parts have all sums, and none is refused, the claim is proven. Part returns ErrPart if low is above the largest sum.
func Part(ctx context.Context, r io.Reader, threads, low, high int, report func(Result)) (Result, error) {
	in := input{Reader: bufio.NewReaderSize(r, 1<<16), stopped: ctx.Err}
	if in.coarse() {
		c := newCoarseChecker(in, threads, low, high, report)
		result, err := coarseFile(c)
		result.Low, result.High = c.low, c.high
		return result, err
	}
	c := &checker{input: in, threads: threads, low: low, high: high, report: report}
	c.input.sum = sha256.New()
	err := c.file()
	c.result.Low, c.result.High = c.low, min(c.high, c.result.Sum)
	return c.result, err
}

// file checks the certificate of c.
func (c *checker) file() error {
	if err := c.header(); err != nil {
		return err
	}
	if err := c.read(-2); err != nil {
		return err
	}
	for len(c.ahead) > 0 {
		if err := c.checkLayer(); err != nil {
			return err
		}
		if c.report != nil {
			c.report(c.result)
		}
		checked := c.ahead[0].sum
		c.ahead = c.ahead[1:]
		if err := c.read(checked); err != nil {
			return err
		}
	}
	if c.low > c.result.Sum {
		return fmt.Errorf("%w: no tiles have a larger sum than %d", ErrPart, c.result.Sum)
	}
	return nil
}

// header reads the first line: versus2048 certificate 1 gpcc2016 3x2 at-least 40.
func (c *checker) header() error {
	text, err := c.firstLine()
	if err != nil {
		return err
	}
	c.input.sum.Write([]byte(text))
	var rules, side string
	var width, height, score int
	if _, err := fmt.Sscanf(text, "versus2048 certificate 1 %s %dx%d %s %d\n", &rules, &width, &height, &side, &score); err != nil {
		return fmt.Errorf("%w: the first line %q does not begin a certificate", ErrClaim, text)
	}
	sound := (rules == "gpcc2015" || rules == "gpcc2016") && (side == "at-least" || side == "below") &&
		min(width, height) >= 1 && max(width, height) <= 4 && score >= 1 && score <= 1<<30
	if !sound {
		return fmt.Errorf("%w: %q", ErrClaim, text)
	}
	c.fours, c.attacker, c.goal = rules == "gpcc2016", side == "below", (score+3)/4 // all scores are multiples of 4
	c.result.Claim = fmt.Sprintf("%s %dx%d %s %d", rules, width, height, side, score)
	c.size = newSize(width, height)
	for _, length := range []int{width, height} {
		c.slid[length] = make([]slide, 1<<(4*length))
		for line := range c.slid[length] {
			c.slid[length][line] = newSlide(line, length)
		}
	}
	return nil
}

// read reads layers until the next two sums after the layer to be checked are in memory. checked is the sum of the layer
// that was checked last, -2 before the first one.
func (c *checker) read(checked int) error {
	for !c.ended && (len(c.ahead) == 0 || c.ahead[len(c.ahead)-1].sum < c.ahead[0].sum+4) {
		l, err := c.readLayer()
		if err != nil {
			return err
		}
		if c.ended {
			break
		}
		last := checked
		if len(c.ahead) > 0 {
			last = c.ahead[len(c.ahead)-1].sum
		}
		if l.sum <= last {
			return fmt.Errorf("%w: tiles of sum %d after tiles of sum %d", ErrOrder, l.sum, last)
		}
		if last < 0 && (l.boards.codes[0] != 0 || c.wrongStart(int(l.gains[0]))) {
			return fmt.Errorf("%w: the empty board is not covered for the score", ErrClaim)
		}
		c.ahead = append(c.ahead, l)
	}
	return nil
}

// wrongStart reports whether a gain from the empty board does not prove the claim.
func (c *checker) wrongStart(gain int) bool {
	return !c.attacker && gain < c.goal || c.attacker && gain > c.goal
}

// readLayer reads the positions of one sum. If there are none, it checks the end of the file.
func (c *checker) readLayer() (*layer, error) {
	l := &layer{}
	var codes []uint64
	for more := true; more; {
		begin, err := len(codes), error(nil)
		codes, more, err = c.readSome(l, codes)
		if begin == 0 && len(codes) > 0 {
			l.sum = sumOf(codes[0])
		}
		wrong := each(c.threads, len(l.gains)-begin, 1<<8, func(i int) error { return c.checkPosition(l, codes[begin+i], begin+i) })
		if err = cmp.Or(wrong, err); err != nil {
			return l, err
		}
	}
	c.count += uint64(len(codes))
	if len(codes) == 0 {
		return l, c.end()
	}
	l.boards = &set{codes: codes}
	if c.low <= l.sum && l.sum-4 <= c.high { // boards of this part, or answers to their placements
		l.boards = newSet(codes)
	}
	return l, nil
}

// readSome reads the next positions of a sum, and appends them to the layer and to the codes of its boards. more is
// false after the last one.
func (c *checker) readSome(l *layer, codes []uint64) (_ []uint64, more bool, err error) {
	for range 1 << 16 {
		code, more, err := c.next(codes)
		if !more {
			return codes, false, err
		}
		gain, move := uint64(0), byte(0)
		if c.fours {
			if gain, err = c.number(); err != nil {
				return codes, false, err
			}
		}
		if c.attacker {
			if move, err = c.ReadByte(); err != nil {
				return codes, false, truncated(err)
			}
			l.moves = append(l.moves, move)
		}
		codes = append(codes, code)
		l.gains = append(l.gains, int32(min(gain, 1<<30))) // #nosec G115 -- no game gains more
	}
	return codes, true, nil
}

// checkPosition checks that a code is a position with the layer's sum. Under gpcc2015 it finds the gain.
func (c *checker) checkPosition(l *layer, code uint64, place int) error {
	if !c.isPosition(code) {
		return fmt.Errorf("%w: %s, code %x", ErrPosition, c.show(code), code)
	}
	if !c.fours {
		l.gains[place] = int32(c.goal - scoreOf(code)) // #nosec G115 -- at most 2^28
	}
	if l.gains[place] < 1 {
		return fmt.Errorf("%w: %s with nothing left to prove", ErrPosition, c.show(code))
	}
	if sum := sumOf(code); sum != l.sum {
		return fmt.Errorf("%w: %s among tiles of sum %d", ErrOrder, c.show(code), l.sum)
	}
	return nil
}

// end checks the number of positions and the checksum.
func (c *checker) end() error {
	c.ended = true
	count, err := c.number()
	if err != nil {
		return err
	}
	want := c.checksum()
	have, err := io.ReadAll(io.LimitReader(c.Reader, sha256.Size+1))
	switch {
	case err != nil:
		return err
	case len(have) < sha256.Size:
		return ErrTruncated
	case !bytes.Equal(have, want):
		return fmt.Errorf("%w: the checksum does not match the file", ErrDamaged)
	case count != c.count:
		return fmt.Errorf("%w: the file counts %d positions, and has %d", ErrDamaged, count, c.count)
	case count == 0:
		return fmt.Errorf("%w: it has no positions", ErrClaim)
	}
	return nil
}

// checkLayer checks that each position of the first layer follows from later ones, and counts the layer.
func (c *checker) checkLayer() error {
	l := c.ahead[0]
	n := len(l.boards.codes)
	c.result.Positions += n
	c.result.Widest = max(c.result.Widest, n)
	c.result.Sum = l.sum
	if l.sum < c.low || l.sum > c.high {
		return nil
	}
	c.result.Checked += n
	if c.attacker {
		return each(c.threads, n, 1<<6, func(i int) error {
			return cmp.Or(c.stopped(), c.attackerHolds(l.boards.codes[i], int(l.gains[i]), l.moves[i]))
		})
	}
	return each(c.threads, (n+most-1)/most, 1, func(i int) error {
		begin, end := i*most, min(n, (i+1)*most)
		return cmp.Or(c.stopped(), c.defenderGains(&portion{sum: l.sum, codes: l.boards.codes[begin:end], gains: l.gains[begin:end]}))
	})
}

// attackerHolds checks that after the placement of the list no slide gains too much.
func (c *checker) attackerHolds(code uint64, gain int, move byte) error {
	cell, placed := int(move&15), uint64(1+move>>4)
	if placed > 2 || cell >= c.cells || code>>(4*cell)&15 != 0 || placed == 2 && !c.fours {
		return fmt.Errorf("%w: %s, placement %d", ErrMove, c.show(code), move)
	}
	before := code | placed<<(4*cell)
	covered := c.layer(sumOf(before))
	for i := range c.slides {
		t := &c.slides[i]
		after, points, legal := c.slide(before, t)
		if !legal {
			continue
		}
		if points >= gain {
			return fmt.Errorf("%w: %s, after placement %d a slide gains %d", ErrUncovered, c.show(code), move, 4*points)
		}
		after = t.back.of(after)
		if place, ok := covered.boards.find(c.smallest(after)); !ok || int(covered.gains[place]) > gain-points {
			return fmt.Errorf("%w: %s, which follows from %s, for a gain of %d", ErrUncovered, c.show(after), c.show(code), 4*(gain-points))
		}
	}
	return nil
}

// layer returns the layer of one of the next two sums. It is empty if no board of this sum is covered. It has no board
// where a slide has made a tile 2^16: a code has no room for that tile, so the code has another sum.
func (c *checker) layer(sum int) *layer {
	for _, l := range c.ahead[1:] {
		if l.sum == sum {
			return l
		}
	}
	return &layer{boards: &set{}}
}

// slide pushes all tiles to one side. points are the values of the merged tiles, in units of 4. after is still turned.
func (c *checker) slide(code uint64, t *turn) (after uint64, points int, legal bool) {
	from := t.there.of(code)
	for row := range t.rows {
		s := c.slid[t.length][t.row(from, row)]
		after |= uint64(s.line) << (4 * t.length * row)
		points += int(s.points)
	}
	return after, points, after != from
}

// A slide has a line as it is after a slide, and the values of the merged tiles in units of 4.
type slide struct {
	line   uint16
	points uint32
}

// newSlide pushes all tiles of a line to its first cell. Equal neighbours merge, each tile once; the pair nearest to the
// wall merges first.
func newSlide(line, length int) (s slide) {
	to, merged := 0, true // to: the number of settled tiles in the line; merged: whether the last of them may not merge
	var after [4]int
	for cell := range length {
		switch tile := line >> (4 * cell) & 15; {
		case tile == 0:
		case !merged && after[to-1] == tile:
			after[to-1]++
			s.points += 1 << tile / 2 // 2 * 2^tile, in units of 4
			merged = true
		default:
			after[to] = tile
			to++
			merged = false
		}
	}
	for cell, tile := range after {
		s.line |= uint16(tile&15) << (4 * cell) // #nosec G115 -- 2^16 is left out: see find
	}
	return s
}

// sumOf returns the sum of the tiles.
func sumOf(code uint64) (sum int) {
	for ; code != 0; code >>= 4 {
		sum += 1 << (code & 15) &^ 1
	}
	return sum
}

// scoreOf returns the score of the defender, in units of 4, if all tiles were made of 2s: a tile 2^k was made of
// 2^(k-1) tiles 2, in k-1 rounds of merges that each scored 2^k.
func scoreOf(code uint64) (points int) {
	for ; code != 0; code >>= 4 {
		if k := int(code & 15); k > 1 {
			points += (k - 1) << (k - 2)
		}
	}
	return points
}
