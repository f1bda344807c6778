package rules

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// PositionFrom returns the position with the given tiles by rows (0 for an empty cell), side to move, score and
// ply (0 to 2^20). The number of rows and columns is the size of the board. It returns an error for
// an unsupported size, for a tile that is not a power of two from 2 to 65536, for a full board if the attacker
// is to move, for a score that these tiles cannot have, and for a ply out of range.
func PositionFrom(r Ruleset, tiles [][]int, side Side, score, ply int) (Position, error) {
	p, err := placeTiles(Position{rules: r, side: side}, tiles)
	if err != nil {
		return Position{}, err
	}
	if side == Attacker && p.board.Empty(p.size) == 0 {
		return Position{}, fmt.Errorf("position with the attacker to move: no cell is empty")
	}
	most := p.Score() // if every tile was built from 2s
	least := most
	if r.Fours() {
		least -= p.builtFrom4s()
	}
	if score < least || score > most || (most-score)%4 != 0 {
		return Position{}, fmt.Errorf("score %d: want %s", score, wantScore(least, most))
	}
	if ply < 0 || ply > 1<<20 {
		return Position{}, fmt.Errorf("ply %d: want 0 to %d", ply, 1<<20)
	}
	p.offset, p.ply = int32(score-most), uint32(ply)
	return p, nil
}

// wantScore tells which scores a position can have.
func wantScore(least, most int) string {
	if least == most {
		return fmt.Sprintf("%d, the score of these tiles", most)
	}
	return fmt.Sprintf("%d to %d in steps of 4: the score of these tiles if only 2s were placed, less 4 for each placed 4", least, most)
}

// placeTiles sets the size and the tiles of p, which has none yet.
func placeTiles(p Position, tiles [][]int) (Position, error) {
	height, width := len(tiles), 0
	if height > 0 {
		width = len(tiles[0])
	}
	size, err := ParseSize(fmt.Sprintf("%dx%d", width, height))
	if err != nil {
		return p, err
	}
	p.size = size
	for y, row := range tiles {
		if len(row) != width {
			return p, fmt.Errorf("row %d has %d cells, row 1 has %d", y+1, len(row), width)
		}
		for x, tile := range row {
			if p, err = p.withTile(4*y+x, tile); err != nil {
				return p, fmt.Errorf("tile at (%d,%d): %w", x+1, y+1, err)
			}
		}
	}
	return p, nil
}

// builtFrom4s returns the sum of the tiles from 4 up. If all of them were built from
// placed 4s instead of 2s, the score is lower by this sum.
func (p Position) builtFrom4s() int {
	sum := 0
	for i := range 16 {
		sum += tileValue(p.Exponent(i)) &^ 2
	}
	return sum
}

func (p Position) withTile(i, tile int) (Position, error) {
	if tile == 0 {
		return p, nil
	}
	k := bits.TrailingZeros(uint(tile))
	if tile < 2 || tile != 1<<k || k > maxExponent {
		return p, fmt.Errorf("%d: want 0 or a power of two from 2 to %d", tile, 1<<maxExponent)
	}
	p.board = p.board.With(i, min(k, maxNibble))
	if k == maxExponent {
		p.huge |= 1 << i
	}
	return p, nil
}

// String writes the position as the tiles by rows, the side to move (A or D),
// the score and the ply: "2,0,0,2/0,4,4,0/0,2,2,2/8,8,4,4 D 48 41".
func (p Position) String() string {
	var b strings.Builder
	for y, row := range p.Tiles() {
		if y > 0 {
			b.WriteByte('/')
		}
		for x, tile := range row {
			if x > 0 {
				b.WriteByte(',')
			}
			b.WriteString(strconv.Itoa(tile))
		}
	}
	fmt.Fprintf(&b, " %c %d %d", "AD"[p.side], p.Score(), p.ply)
	return b.String()
}

// ParsePosition reads a position as String writes it. The ply may be left out; it is then 0. The score may also
// be left out; it is then the score of these tiles if only 2s were placed. ParsePosition returns an error for
// any other text and for a position that PositionFrom rejects.
func ParsePosition(r Ruleset, text string) (Position, error) {
	p, err := parsePosition(r, strings.Fields(text))
	if err != nil {
		return Position{}, fmt.Errorf("position %.200q: %w", text, err)
	}
	return p, nil
}

func parsePosition(r Ruleset, fields []string) (Position, error) {
	if len(fields) < 2 || len(fields) > 4 {
		return Position{}, fmt.Errorf("want the tiles by rows and A or D, such as 2,0/2,0 D, and score and ply if you like")
	}
	tiles, err := parseTiles(fields[0])
	if err != nil {
		return Position{}, err
	}
	side, ok := map[string]Side{"A": Attacker, "D": Defender}[fields[1]]
	if !ok {
		return Position{}, fmt.Errorf("side to move %q: want A (attacker) or D (defender)", fields[1])
	}
	bare, err := placeTiles(Position{}, tiles)
	if err != nil {
		return Position{}, err
	}
	numbers := []int{bare.Score(), 0}
	for i, f := range fields[2:] {
		if numbers[i], err = strconv.Atoi(f); err != nil {
			return Position{}, fmt.Errorf("%s %q: want a whole number", []string{"score", "ply"}[i], f)
		}
	}
	return PositionFrom(r, tiles, side, numbers[0], numbers[1])
}

func parseTiles(text string) ([][]int, error) {
	var tiles [][]int
	for _, line := range strings.Split(text, "/") {
		var row []int
		for _, f := range strings.Split(line, ",") {
			tile, err := strconv.Atoi(f)
			if err != nil {
				return nil, fmt.Errorf("tile %q: want a whole number", f)
			}
			row = append(row, tile)
		}
		tiles = append(tiles, row)
	}
	return tiles, nil
}
