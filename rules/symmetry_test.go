package rules_test

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"versus2048/rules"
)

// lopsided returns a position with a different tile on each cell, the largest a 65536.
func lopsided(t *testing.T, s rules.Size) rules.Position {
	t.Helper()
	tiles := make([][]int, s.Height)
	for y := range tiles {
		for x := range int(s.Width) {
			tiles[y] = append(tiles[y], 65536>>(y*int(s.Width)+x))
		}
	}
	score := 0
	for _, row := range tiles {
		for _, tile := range row {
			score += (bits.Len(uint(tile)) - 2) * tile
		}
	}
	p, err := rules.PositionFrom(rules.GPCC2015, tiles, rules.Defender, score, 0)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestSymmetriesAreAGroup(t *testing.T) {
	for _, s := range rules.Sizes() {
		p := lopsided(t, s)
		group := s.Symmetries()
		if want := map[bool]int{true: 8, false: 4}[s.Square()]; len(group) != want {
			t.Errorf("%v: %d symmetries, want %d", s, len(group), want)
		}
		images := make(map[rules.Position]bool)
		for _, y := range group {
			images[y.Position(p)] = true
		}
		if len(images) != len(group) {
			t.Errorf("%v: %d symmetries have %d images of %v", s, len(group), len(images), p)
		}
		if group[0].Position(p) != p {
			t.Errorf("%v: the first symmetry is not the identity", s)
		}
		for _, y := range group {
			if back := y.Inverse().Position(y.Position(p)); back != p {
				t.Errorf("%v: symmetry %d and its inverse lead from %v to %v", s, y, p, back)
			}
			for _, z := range group {
				if both := z.Position(y.Position(p)); !images[both] {
					t.Errorf("%v: symmetry %d after %d is none", s, z, y)
				}
			}
		}
	}
}

func TestSymmetriesByHand(t *testing.T) {
	for text, images := range map[string][]string{
		"2,4/8,16": {
			"2,4/8,16", "2,8/4,16", "4,2/16,8", "8,2/16,4", "8,16/2,4", "4,16/2,8", "16,8/4,2", "16,4/8,2",
		},
		"2,4,0/8,16,0": {"2,4,0/8,16,0", "0,4,2/0,16,8", "8,16,0/2,4,0", "0,16,8/0,4,2"},
		"2,0/4,8/0,0":  {"2,0/4,8/0,0", "0,2/8,4/0,0", "0,0/4,8/2,0", "0,0/8,4/0,2"},
	} {
		p := parse(t, rules.GPCC2015, text+" D")
		for i, y := range p.Size().Symmetries() {
			if got, want := y.Position(p), parse(t, rules.GPCC2015, images[i]+" D"); got != want {
				t.Errorf("%v under symmetry %d is %v, want %v", p, y, got, want)
			}
		}
	}
}

// forRandomPositions tests positions of random games: both sides to move, all
// sizes, and some positions with a 65536.
func forRandomPositions(t *testing.T, test func(p rules.Position)) {
	t.Helper()
	for _, s := range rules.Sizes() {
		rng := rand.New(rand.NewPCG(3, uint64(s.Cells())))
		for range 10 {
			for p := rules.NewPosition(rules.GPCC2016, s); !p.Over(); p = p.Next(randomMove(rng, p)) {
				test(p)
			}
		}
	}
	for _, text := range []string{
		"65536,2/0,0 A", "65536,32768/65536,0 D", "65536,32768,32768/65536,0,4 D",
		"65536,32768,32768,0/0,0,0,0/0,0,2,0/2,4,0,65536 D",
	} {
		test(parse(t, rules.GPCC2015, text))
	}
}

func TestMovesCommuteWithSymmetries(t *testing.T) {
	forRandomPositions(t, func(p rules.Position) {
		for _, y := range p.Size().Symmetries() {
			image := y.Position(p)
			legal := image.AppendMoves(nil)
			moves := p.AppendMoves(nil)
			if len(legal) != len(moves) {
				t.Errorf("%v has moves %v, its image %v has %v", p, moves, image, legal)
			}
			for _, m := range moves {
				mapped := y.Move(m, p.Size())
				if !slices.Contains(legal, mapped) {
					t.Errorf("%v: %v becomes %v, illegal at %v", p, m, mapped, image)
				}
				if got, want := image.Next(mapped), y.Position(p.Next(m)); got != want {
					t.Errorf("%v, %v under symmetry %d: %v, want %v", p, m, y, got, want)
				}
				if back := y.Inverse().Move(mapped, p.Size()); back != m {
					t.Errorf("%v under symmetry %d and back is %v", m, y, back)
				}
			}
		}
	})
}

func TestCanonical(t *testing.T) {
	forRandomPositions(t, func(p rules.Position) {
		canonical, by := p.Canonical(), p.CanonicalBy()
		if by.Position(p) != canonical {
			t.Errorf("%v: symmetry %d leads to %v, not to the canonical %v", p, by, by.Position(p), canonical)
		}
		if board := p.Board().Canonical(p.Size()); board != canonical.Board() {
			t.Errorf("%v: canonical board %x, of the canonical position %x", p, board, canonical.Board())
		}
		for _, y := range p.Size().Symmetries() {
			if other := y.Position(p).Canonical(); other != canonical {
				t.Errorf("%v: canonical %v, of its image %v", p, canonical, other)
			}
		}
	})
}

func TestSymmetriesKeepScoreAndTiles(t *testing.T) {
	forRandomPositions(t, func(p rules.Position) {
		for _, y := range p.Size().Symmetries() {
			q := y.Position(p)
			if q.Score() != p.Score() || q.LargestTile() != p.LargestTile() || q.Ply() != p.Ply() || q.SideToMove() != p.SideToMove() {
				t.Errorf("%v under symmetry %d is %v", p, y, q)
			}
		}
	})
}
