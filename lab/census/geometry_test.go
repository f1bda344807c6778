package census

import (
	"maps"
	"math/rand/v2"
	"testing"

	"versus2048/rules"
)

// randomPositions returns positions of random games with the attacker to move.
func randomPositions(s rules.Size, games int) (all []rules.Position) {
	rng := rand.New(rand.NewPCG(uint64(s.Width), uint64(s.Height)))
	for range games {
		for p := rules.NewPosition(rules.GPCC2015, s); !p.Over(); {
			if p.SideToMove() == rules.Attacker {
				all = append(all, p)
			}
			moves := p.AppendMoves(nil)
			p = p.Next(moves[rng.IntN(len(moves))])
		}
	}
	return all
}

// The successors are the boards that the rules allow, with few repetitions.
func TestSuccessors(t *testing.T) {
	for _, s := range rules.Sizes() {
		g := newGeometry(s)
		made, different := 0, 0
		for _, p := range randomPositions(s, 40) {
			var got boards
			g.successors(&got, p.Board())
			g.canonicalize(got.at[:got.n])
			found := map[rules.Board]bool{}
			for _, b := range got.at[:got.n] {
				found[b] = true
			}
			if want := boardsAfter(p); !maps.Equal(found, want) {
				t.Fatalf("%v: successors %v, want %v", p, found, want)
			}
			made, different = made+got.n, different+len(found)
		}
		if s == rules.Full && made > different*6/5 {
			t.Errorf("%v: %d successors for %d different ones", s, made, different)
		}
	}
}

// boardsAfter returns the canonical boards two plies later.
func boardsAfter(p rules.Position) map[rules.Board]bool {
	after := map[rules.Board]bool{}
	for _, place := range p.AppendMoves(nil) {
		q := p.Next(place)
		for _, slide := range q.AppendMoves(nil) {
			after[q.Next(slide).Canonical().Board()] = true
		}
	}
	return after
}

func TestCanonicalBoards(t *testing.T) {
	g, rng := newGeometry(rules.Full), rand.New(rand.NewPCG(1, 5))
	for range 10000 {
		b := rules.Board(rng.Uint64() & rng.Uint64())
		got := []rules.Board{b}
		g.canonicalize(got)
		if want := b.Canonical(rules.Full); got[0] != want {
			t.Fatalf("%x: %x, want %x", b, got[0], want)
		}
	}
}

// A filter leaves out only boards that it has seen.
func TestFilter(t *testing.T) {
	f, seen, rng := new(filter), map[rules.Board]bool{}, rand.New(rand.NewPCG(1, 6))
	kept := 0
	for range 300 {
		to := boards{n: batch * mostSuccessors}
		for i := range to.at {
			to.at[i] = rules.Board(1 + rng.Uint64N(50000))
		}
		all := to.at
		f.keep(&to)
		kept += to.n
		left := map[rules.Board]bool{}
		for _, b := range to.at[:to.n] {
			left[b] = true
		}
		for _, b := range all {
			if !seen[b] && !left[b] {
				t.Fatalf("%x is left out the first time", b)
			}
			seen[b] = true
		}
	}
	if kept > 300*batch*mostSuccessors*3/4 {
		t.Errorf("%d are kept", kept)
	}
}
