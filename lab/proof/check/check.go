package check

// This file is the whole checker. To trust it, read it from the top to the end: it has rules of the game of its own,
// and imports the standard library only.
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
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"slices"
	"strings"
)

// The reasons to refuse a certificate: errors.Is finds them in the error of File.
var (
	ErrDamaged   = errors.New("damaged")            // the checksum or the count is wrong, or the file goes on after its end
	ErrTruncated = errors.New("truncated")          // the file ends too early
	ErrClaim     = errors.New("wrong claim")        // the first line has no claim, or the list does not begin with it
	ErrOrder     = errors.New("out of order")       // a position is not in its place, or is there twice
	ErrPosition  = errors.New("not a position")     // a board that is not the smallest of its symmetries, or full
	ErrMove      = errors.New("illegal move")       // a placement on a tile, outside of the board, or of a 4 under gpcc2015
	ErrUncovered = errors.New("uncovered position") // a position does not follow from the others
)

// A Result is the claim of a certificate, with counts of its positions.
type Result struct {
	Claim     string `json:"claim"`             // rules, size, at-least or below, score
	Positions int    `json:"positions"`         // the number of positions in the certificate
	Widest    int    `json:"widest"`            // the largest number of positions with one sum of tiles
	Sum       int    `json:"sum"`               // the largest sum of tiles; during a check of coarse boards, the present sum
	Checked   int    `json:"checked,omitempty"` // the number of coarse boards that were checked
	From      int    `json:"from,omitempty"`    // coarse boards: the attacker wins from this sum of tiles on
}

// A board has the exponents of its tiles, row by row, and 0 for an empty cell. A code is a board as one number: 4 bits for
// each cell, the first cell in the lowest bits.
type board []byte

// A covered position: its code, its gain in units of 4, and the attacker's placement.
type covered struct {
	code uint64
	gain int
	move byte // the cell, and 16 more for a 4
}

// A layer has all positions of one sum of tiles, by their codes.
type layer struct {
	sum       int
	positions []covered
}

type checker struct {
	in            *bufio.Reader
	stopped       func() error // returns an error once the check is to end
	hash          hash.Hash
	fours         bool // gpcc2016: the attacker may place a 4
	width, height int
	attacker      bool // whether the claim is the attacker's
	goal          int  // the gain from the empty board, in units of 4
	result        Result
	ahead         []layer // the layer that is checked, and the layers after it that were read
	count         uint64  // the number of positions that were read
	ended         bool    // all layers were read
}

// File checks a certificate, reading it once. It returns an error that wraps one of the reasons above if the
// certificate does not prove its claim, the reader's own error, or the error of ctx if ctx ends first. report
// may be nil; it is called after each sum of tiles with the counts so far.
func File(ctx context.Context, r io.Reader, report func(Result)) (Result, error) {
	c := &checker{in: bufio.NewReaderSize(r, 1<<16), stopped: ctx.Err, hash: sha256.New()}
	if begin, _ := c.in.Peek(len(coarseBegin)); string(begin) == coarseBegin {
		return coarseFile(&coarseChecker{in: c.in, stopped: c.stopped, report: report})
	}
	if err := c.header(); err != nil {
		return c.result, err
	}
	for sum := -2; ; sum = c.ahead[0].sum {
		if len(c.ahead) > 0 {
			c.ahead = c.ahead[1:]
		}
		if err := c.read(sum); err != nil {
			return c.result, err
		}
		if len(c.ahead) == 0 {
			return c.result, nil
		}
		if err := c.checkLayer(); err != nil {
			return c.result, err
		}
		if report != nil {
			report(c.result)
		}
	}
}

// header reads the first line: versus2048 certificate 1 gpcc2016 3x2 at-least 40.
func (c *checker) header() error {
	text, err := firstLine(c.in)
	if err != nil {
		return err
	}
	c.hash.Write([]byte(text))
	var rules, side string
	var score int
	if _, err := fmt.Sscanf(text, "versus2048 certificate 1 %s %dx%d %s %d\n", &rules, &c.width, &c.height, &side, &score); err != nil {
		return fmt.Errorf("%w: the first line %q does not begin a certificate", ErrClaim, text)
	}
	sound := (rules == "gpcc2015" || rules == "gpcc2016") && (side == "at-least" || side == "below") &&
		min(c.width, c.height) >= 1 && max(c.width, c.height) <= 4 && score >= 1 && score <= 1<<30
	if !sound {
		return fmt.Errorf("%w: %q", ErrClaim, text)
	}
	c.fours, c.attacker, c.goal = rules == "gpcc2016", side == "below", (score+3)/4 // all scores are multiples of 4
	c.result.Claim = fmt.Sprintf("%s %dx%d %s %d", rules, c.width, c.height, side, score)
	return nil
}

// firstLine reads a line that fits the buffer.
func firstLine(in *bufio.Reader) (string, error) {
	line, err := in.ReadSlice('\n')
	switch {
	case errors.Is(err, io.EOF):
		err = fmt.Errorf("%w: no first line", ErrTruncated)
	case errors.Is(err, bufio.ErrBufferFull):
		err = fmt.Errorf("%w: no first line", ErrClaim)
	}
	return string(line), err
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
		if first := l.positions[0]; last < 0 && (first.code != 0 || c.wrongStart(first.gain)) {
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

// readLayer reads the positions of one sum. An empty layer is the end of the file.
func (c *checker) readLayer() (l layer, err error) {
	next := uint64(0) // the code of the last position, plus 1; 0 before the first
	for {
		if err := c.stopped(); err != nil {
			return l, err
		}
		step, err := c.number()
		if err != nil {
			return l, err
		}
		if step == 0 {
			break
		}
		next += step
		p := covered{code: next - 1}
		if next < step { // the sum was larger than 64 bits
			return l, fmt.Errorf("%w: a step of %d", ErrOrder, step)
		}
		if err := c.rest(&p); err != nil {
			return l, err
		}
		sum := sumOf(c.board(p.code))
		if len(l.positions) > 0 && sum != l.sum {
			return l, fmt.Errorf("%w: %s among tiles of sum %d", ErrOrder, c.show(p.code), l.sum)
		}
		l.sum = sum
		l.positions = append(l.positions, p)
		c.count++
	}
	if len(l.positions) == 0 {
		return l, c.end()
	}
	return l, nil
}

// rest reads the bytes after a position's code, and checks that the code is a position.
func (c *checker) rest(p *covered) error {
	if cells := c.width * c.height; cells < 16 && p.code>>(4*cells) != 0 {
		return fmt.Errorf("%w: code %x", ErrPosition, p.code)
	}
	b := c.board(p.code)
	if c.smallest(b) != p.code || !bytes.Contains(b, []byte{0}) {
		return fmt.Errorf("%w: %s", ErrPosition, c.show(p.code))
	}
	p.gain = c.goal - scoreOf(b)
	if c.fours {
		gain, err := c.number()
		if err != nil {
			return err
		}
		p.gain = int(min(gain, 1<<40)) // #nosec G115 -- far from the largest int
	}
	if p.gain < 1 {
		return fmt.Errorf("%w: %s with nothing left to prove", ErrPosition, c.show(p.code))
	}
	if !c.attacker {
		return nil
	}
	var err error
	p.move, err = c.ReadByte()
	return truncated(err)
}

// end checks the number of positions and the checksum.
func (c *checker) end() error {
	c.ended = true
	count, err := c.number()
	if err != nil {
		return err
	}
	want := c.hash.Sum(nil)
	have, err := io.ReadAll(io.LimitReader(c.in, sha256.Size+1))
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

// number reads a number of variable length.
func (c *checker) number() (uint64, error) {
	n, err := binary.ReadUvarint(c)
	return n, truncated(err)
}

// truncated returns ErrTruncated in place of an error at the end of the file.
func truncated(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return ErrTruncated
	}
	return err
}

// ReadByte reads a byte of the file and adds it to the checksum.
func (c *checker) ReadByte() (byte, error) {
	b, err := c.in.ReadByte()
	if err == nil {
		c.hash.Write([]byte{b})
	}
	return b, err
}

// checkLayer checks that each position of the first layer follows from later ones.
func (c *checker) checkLayer() error {
	l := c.ahead[0]
	prove := c.defenderGains
	if c.attacker {
		prove = c.attackerHolds
	}
	for _, p := range l.positions {
		if err := c.stopped(); err != nil {
			return err
		}
		if err := prove(p); err != nil {
			return err
		}
	}
	c.result.Positions += len(l.positions)
	c.result.Widest = max(c.result.Widest, len(l.positions))
	c.result.Sum = l.sum
	return nil
}

// defenderGains checks that after every placement some slide gains enough.
func (c *checker) defenderGains(p covered) error {
	for cell, tile := range c.board(p.code) {
		for exponent := byte(1); tile == 0 && (exponent == 1 || exponent == 2 && c.fours); exponent++ {
			b := c.board(p.code)
			b[cell] = exponent
			if !c.someSlideGains(b, p.gain) {
				return fmt.Errorf("%w: %s, after a %d on cell %d no slide keeps a gain of %d", ErrUncovered, c.show(p.code), 1<<exponent, cell, 4*p.gain)
			}
		}
	}
	return nil
}

// someSlideGains reports whether a slide scores the gain, or leads to a position that is covered for the rest.
func (c *checker) someSlideGains(b board, gain int) bool {
	for direction := range 4 {
		after, points, legal := c.slide(b, direction)
		if !legal {
			continue
		}
		if points >= gain {
			return true
		}
		if rest, ok := c.find(after); ok && rest >= gain-points {
			return true
		}
	}
	return false
}

// attackerHolds checks that after the placement of the list no slide gains too much.
func (c *checker) attackerHolds(p covered) error {
	b := c.board(p.code)
	cell, four := int(p.move&15), p.move&16 != 0
	if p.move >= 32 || cell >= len(b) || b[cell] != 0 || four && !c.fours {
		return fmt.Errorf("%w: %s, placement %d", ErrMove, c.show(p.code), p.move)
	}
	b[cell] = 1
	if four {
		b[cell] = 2
	}
	for direction := range 4 {
		after, points, legal := c.slide(b, direction)
		if !legal {
			continue
		}
		if points >= p.gain {
			return fmt.Errorf("%w: %s, after placement %d a slide gains %d", ErrUncovered, c.show(p.code), p.move, 4*points)
		}
		if rest, ok := c.find(after); !ok || rest > p.gain-points {
			return fmt.Errorf("%w: %s, which follows from %s, for a gain of %d", ErrUncovered, show(after, c.width), c.show(p.code), 4*(p.gain-points))
		}
	}
	return nil
}

// find returns the gain of a covered board. ok is false if the board is not covered.
func (c *checker) find(b board) (gain int, ok bool) {
	sum := sumOf(b)
	for _, l := range c.ahead[1:] {
		if l.sum != sum || slices.Max(b) > 15 { // a code has no room for such a tile: nothing covers the board
			continue
		}
		i, found := slices.BinarySearchFunc(l.positions, c.smallest(b), func(p covered, code uint64) int {
			return cmp.Compare(p.code, code)
		})
		if found {
			return l.positions[i].gain, true
		}
	}
	return 0, false
}

// slide pushes all tiles north, south, west or east (0 to 3). Equal neighbours merge, each tile once; the pair nearest to
// the wall merges first. points are the values of the merged tiles, in units of 4.
func (c *checker) slide(b board, direction int) (after board, points int, legal bool) {
	after = make(board, len(b))
	for _, line := range lines(c.width, c.height, direction) {
		to, merged := 0, true // to: the number of settled tiles in the line; merged: whether the last of them may not merge
		for _, cell := range line {
			switch tile := b[cell]; {
			case tile == 0:
			case !merged && after[line[to-1]] == tile:
				after[line[to-1]]++
				points += 1 << tile / 2 // 2 * 2^tile, in units of 4
				merged = true
			default:
				after[line[to]] = tile
				to++
				merged = false
			}
		}
	}
	return after, points, !bytes.Equal(after, b)
}

// lines lists the cells of each row or column, from the wall that a slide pushes to.
func lines(width, height, direction int) (lines [][]int) {
	across, along := width, height
	if direction >= 2 {
		across, along = height, width
	}
	for i := range across {
		var line []int
		for j := range along {
			if direction%2 == 1 { // south and east begin at the far wall
				j = along - 1 - j
			}
			if direction < 2 {
				line = append(line, j*width+i)
			} else {
				line = append(line, i*width+j)
			}
		}
		lines = append(lines, line)
	}
	return lines
}

// smallest returns the smallest code of a board's mirror images and, on a square, rotations.
func (c *checker) smallest(b board) uint64 {
	least := ^uint64(0)
	for turn := range 8 {
		if turn >= 4 && c.width != c.height {
			break
		}
		code := uint64(0)
		for cell, tile := range b {
			x, y := cell%c.width, cell/c.width
			if turn&1 != 0 {
				x = c.width - 1 - x
			}
			if turn&2 != 0 {
				y = c.height - 1 - y
			}
			if turn&4 != 0 {
				x, y = y, x
			}
			code |= uint64(tile) << (4 * (y*c.width + x))
		}
		least = min(least, code)
	}
	return least
}

// board returns the board of a code.
func (c *checker) board(code uint64) board {
	b := make(board, c.width*c.height)
	for cell := range b {
		b[cell] = byte(code >> (4 * cell) & 15)
	}
	return b
}

// sumOf returns the sum of the tiles.
func sumOf(b board) (sum int) {
	for _, tile := range b {
		if tile > 0 {
			sum += 1 << tile
		}
	}
	return sum
}

// scoreOf returns the score of the defender, in units of 4, if all tiles were made of 2s: a tile 2^k was made of
// 2^(k-1) tiles 2, in k-1 rounds of merges that each scored 2^k.
func scoreOf(b board) (points int) {
	for _, tile := range b {
		if tile > 1 {
			points += (int(tile) - 1) << (tile - 2)
		}
	}
	return points
}

func (c *checker) show(code uint64) string { return show(c.board(code), c.width) }

// show writes a board as the project's programs do: 0,2/0,4.
func show(b board, width int) string {
	var text strings.Builder
	for cell, tile := range b {
		switch {
		case cell > 0 && cell%width == 0:
			text.WriteByte('/')
		case cell > 0:
			text.WriteByte(',')
		}
		fmt.Fprint(&text, 1<<tile&^1)
	}
	return text.String()
}
