package rules_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"versus2048/rules"
)

// agree fails the test unless p and g are the same position with the same legal moves.
func agree(t *testing.T, p rules.Position, g *naiveGame) {
	t.Helper()
	legal := notations(p.AppendMoves(nil))
	switch {
	case !reflect.DeepEqual(p.Tiles(), g.tiles):
		t.Fatalf("%v: tiles are %v", p, g.tiles)
	case p.Score() != g.score || p.Ply() != g.ply || (p.SideToMove() == rules.Defender) != g.defends:
		t.Fatalf("%v: score %d, ply %d, defender to move %v", p, g.score, g.ply, g.defends)
	case !slices.Equal(legal, g.legal()):
		t.Fatalf("%v: moves %v, want %v", p, legal, g.legal())
	case p.Over() != (len(legal) == 0):
		t.Fatalf("%v: over %v, legal moves %v", p, p.Over(), legal)
	}
}

func notations(moves []rules.Move) []string {
	var texts []string
	for _, m := range moves {
		texts = append(texts, m.String())
	}
	return texts
}

// playBoth plays a game with both implementations until it is over or choose returns a negative number. choose
// picks one of n legal moves.
func playBoth(t *testing.T, r rules.Ruleset, s rules.Size, choose func(n int) int) (moves []rules.Move) {
	t.Helper()
	p, g := rules.NewPosition(r, s), newNaiveGame(r, s)
	for agree(t, p, g); !p.Over(); agree(t, p, g) {
		legal := p.AppendMoves(nil)
		i := choose(len(legal))
		if i < 0 {
			break
		}
		next, err := p.Play(legal[i])
		if err != nil {
			t.Fatal(err)
		}
		if unchecked := p.Next(legal[i]); next != unchecked {
			t.Fatalf("%v: Play(%v) is %v, Next is %v", p, legal[i], next, unchecked)
		}
		p = next
		g.play(legal[i].String())
		moves = append(moves, legal[i])
	}
	return moves
}

// forAllGames runs a subtest for each rule set and size.
func forAllGames(t *testing.T, test func(t *testing.T, r rules.Ruleset, s rules.Size)) {
	for _, r := range rules.Rulesets() {
		for _, s := range rules.Sizes() {
			t.Run(fmt.Sprintf("%v/%v", r, s), func(t *testing.T) { test(t, r, s) })
		}
	}
}

func TestGamesAgreeWithNaive(t *testing.T) {
	forAllGames(t, func(t *testing.T, r rules.Ruleset, s rules.Size) {
		for seed := range uint64(10) {
			playBoth(t, r, s, rand.New(rand.NewPCG(seed, 1)).IntN)
		}
	})
}

// Random games only have small tiles, so these boards have tiles of all values.
func TestSlidesAgreeWithNaive(t *testing.T) {
	for _, s := range rules.Sizes() {
		rng := rand.New(rand.NewPCG(7, uint64(s.Cells())))
		for range 1000 {
			cells := make([]byte, s.Cells())
			lowest := rng.IntN(16) // few values at once, so that many merge
			for i := range cells {
				cells[i] = byte(min(16, lowest+rng.IntN(3)) * rng.IntN(2))
			}
			slideBoth(t, s, cells)
		}
	}
}

// slideBoth slides a board with tiles of the given exponents, listed by rows, with
// both implementations.
func slideBoth(t *testing.T, s rules.Size, exponents []byte) {
	t.Helper()
	g := newNaiveGame(rules.GPCC2015, s)
	for i, k := range exponents {
		if k > 0 {
			g.tiles[i/g.width][i%g.width] = 1 << k
			g.score += (int(k) - 1) << k
		}
	}
	g.defends = true
	p, err := rules.PositionFrom(rules.GPCC2015, g.tiles, rules.Defender, g.score, 0)
	if err != nil {
		t.Fatal(err)
	}
	agree(t, p, g)
	for _, m := range p.AppendMoves(nil) {
		next := *g
		next.play(m.String())
		agree(t, p.Next(m), &next)
	}
}

func FuzzSlide(f *testing.F) {
	f.Add(uint8(0), []byte{1, 1, 0, 2})
	f.Add(uint8(8), []byte{15, 15, 16, 16, 1, 2, 3, 4, 0, 0, 15, 15, 4, 4, 4, 4})
	f.Add(uint8(5), []byte{16, 15, 15, 15, 1, 0, 16, 16, 2, 2, 2, 2})
	f.Fuzz(func(t *testing.T, size uint8, exponents []byte) {
		s := rules.Sizes()[int(size)%len(rules.Sizes())]
		cells := make([]byte, s.Cells())
		for i, k := range exponents[:min(len(exponents), len(cells))] {
			cells[i] = k % 17
		}
		slideBoth(t, s, cells)
	})
}

func FuzzGame(f *testing.F) {
	f.Add(uint8(0), uint8(0), []byte{0, 0, 0, 0})
	f.Add(uint8(8), uint8(1), []byte("each letter picks one of the legal moves"))
	f.Add(uint8(3), uint8(2), []byte{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3})
	f.Fuzz(func(t *testing.T, size, ruleset uint8, choices []byte) {
		s := rules.Sizes()[int(size)%len(rules.Sizes())]
		r := rules.Rulesets()[int(ruleset)%len(rules.Rulesets())]
		playBoth(t, r, s, func(n int) int {
			if len(choices) == 0 {
				return -1
			}
			choice := int(choices[0]) % n
			choices = choices[1:]
			return choice
		})
	})
}

// naiveGame is a second, simple implementation of the game: tile values in a
// slice, moves in the notation, no tables. The tests compare package rules with it.
type naiveGame struct {
	width, height int
	fours         bool
	tiles         [][]int
	defends       bool // the defender is to move
	score, ply    int
}

func newNaiveGame(r rules.Ruleset, s rules.Size) *naiveGame {
	g := &naiveGame{width: int(s.Width), height: int(s.Height), fours: r == rules.GPCC2016 || r == rules.Solo}
	for range g.height {
		g.tiles = append(g.tiles, make([]int, g.width))
	}
	return g
}

// legal returns the legal moves: placements from left to right and from top to
// bottom, or slides.
func (g *naiveGame) legal() []string {
	var moves []string
	if g.defends {
		for _, slide := range []string{"N", "S", "W", "E"} {
			if tiles, _ := g.slid(slide); !reflect.DeepEqual(tiles, g.tiles) {
				moves = append(moves, slide)
			}
		}
		return moves
	}
	for y := range g.height {
		for x := range g.width {
			if g.tiles[y][x] != 0 {
				continue
			}
			moves = append(moves, fmt.Sprintf("(%d,%d)", x+1, y+1))
			if g.fours {
				moves = append(moves, fmt.Sprintf("(%d,%d,4)", x+1, y+1))
			}
		}
	}
	return moves
}

// play plays a legal move.
func (g *naiveGame) play(move string) {
	if g.defends {
		tiles, gain := g.slid(move)
		g.tiles = tiles
		g.score += gain
	} else {
		x, y, tile := int(move[1]-'1'), int(move[3]-'1'), 2
		if len(move) > len("(x,y)") {
			tile = 4
		}
		g.tiles[y][x] = tile
	}
	g.defends = !g.defends
	g.ply++
}

// slid returns the tiles after a slide, and the sum of the merged tiles.
func (g *naiveGame) slid(slide string) (tiles [][]int, gain int) {
	for range g.height {
		tiles = append(tiles, make([]int, g.width))
	}
	for _, line := range g.lines(slide) {
		var values []int
		for _, at := range line {
			if v := g.tiles[at[1]][at[0]]; v != 0 {
				values = append(values, v)
			}
		}
		values, merged := mergeNaively(values)
		for i, v := range values {
			tiles[line[i][1]][line[i][0]] = v
		}
		gain += merged
	}
	return tiles, gain
}

// lines returns the cells (x, y) of each row or column, starting at the wall that the slide goes to.
func (g *naiveGame) lines(slide string) (lines [][][2]int) {
	if slide == "N" || slide == "S" {
		for x := range g.width {
			var line [][2]int
			for y := range g.height {
				line = append(line, [2]int{x, y})
			}
			lines = append(lines, line)
		}
	} else {
		for y := range g.height {
			var line [][2]int
			for x := range g.width {
				line = append(line, [2]int{x, y})
			}
			lines = append(lines, line)
		}
	}
	if slide == "S" || slide == "E" {
		for _, line := range lines {
			for i, j := 0, len(line)-1; i < j; i, j = i+1, j-1 {
				line[i], line[j] = line[j], line[i]
			}
		}
	}
	return lines
}

// mergeNaively merges equal neighbours, the first pair first, each tile once.
func mergeNaively(values []int) (out []int, gain int) {
	for i := 0; i < len(values); i++ {
		v := values[i]
		if i+1 < len(values) && values[i+1] == v && v < 65536 {
			v *= 2
			gain += v
			i++
		}
		out = append(out, v)
	}
	return out, gain
}
