//go:build !race

package proof_test

// These tests have one thread. Nothing can race, and the detector would make them ten times slower.

import (
	"fmt"
	"testing"

	"versus2048/internal/testkit"
	"versus2048/lab/proof"
	"versus2048/players/certificate"
	"versus2048/rules"
)

// Claims at the value, below and above it are decided as the solved board says, and
// each that holds has a proof that a check with other means accepts.
func TestClaimsAgreeWithSolvedBoards(t *testing.T) {
	for _, g := range testkit.Shortened(t, games, 5) {
		t.Run(fmt.Sprint(g.rules, " ", g.size), func(t *testing.T) {
			want := value(t, g.rules, g.size)
			p := open(t, g.rules, g.size, 1, "")
			for _, score := range []int{want, want + 4, want - 4} {
				got, err := p.AtLeast(t.Context(), score, nil)
				if err != nil || got != (score <= want) {
					t.Errorf("at least %d is %v, %v; the value is %d", score, got, err, want)
				}
				claimant := rules.Attacker
				if got {
					claimant = rules.Defender
				}
				checkProof(t, p, g.rules, parseSize(t, g.size), proof.Claim{Score: score, Claimant: claimant})
			}
			if low, high := p.Bounds(); low != want || high != want {
				t.Errorf("bounds %d and %d, want %d", low, high, want)
			}
		})
	}
}

// The value of 3x3 is taken from docs/report.md, since solving the board takes long.
func TestLargerBoard(t *testing.T) {
	testkit.Long(t)
	p := open(t, rules.GPCC2016, "3x3", 1, "")
	if got, err := p.Exact(t.Context(), nil); err != nil || got != 164 {
		t.Errorf("the score is %d, %v, want 164", got, err)
	}
	checkProof(t, p, rules.GPCC2016, parseSize(t, "3x3"), proof.Claim{Score: 168, Claimant: rules.Attacker})
}

// Under gpcc2015 the defender gets the most that the board can hold. A proof that it gets no more would have all
// positions.
func TestLargerBoardWithout4s(t *testing.T) {
	testkit.Long(t)
	size := parseSize(t, "3x3")
	p := openMemory(t, proof.Config{Rules: rules.GPCC2015, Size: size, Memory: 256 << 20, Threads: 1})
	for _, score := range []int{7172, 7176, 7168} {
		if got, err := p.AtLeast(t.Context(), score, nil); err != nil || got != (score <= 7172) {
			t.Errorf("at least %d is %v, %v; the value is 7172", score, got, err)
		}
	}
	checkProof(t, p, rules.GPCC2015, size, proof.Claim{Score: 7172, Claimant: rules.Defender})
}

// With a table that holds a small part of the proof, lost positions are searched again.
func TestSmallTable(t *testing.T) {
	testkit.Long(t)
	size := parseSize(t, "4x2")
	p := openMemory(t, proof.Config{Rules: rules.GPCC2016, Size: size, Memory: proof.LeastMemory, Threads: 1})
	for _, claim := range []proof.Claim{{Score: value(t, rules.GPCC2016, "4x2") + 4, Claimant: rules.Attacker}, {Score: 60, Claimant: rules.Defender}} {
		if n := checkProof(t, p, rules.GPCC2016, size, claim); n < 400 {
			t.Errorf("%v: %d positions", claim, n)
		}
	}
}

// checkProof extracts a proof and checks that it rests on nothing but itself. It returns
// how many positions it has.
func checkProof(t *testing.T, p *proof.Prover, r rules.Ruleset, s rules.Size, claim proof.Claim) int {
	t.Helper()
	all := map[rules.Board]certificate.Covered{}
	last := certificate.Covered{}
	err := p.Extract(t.Context(), claim, func(c certificate.Covered) error {
		if c.Board.Sum() < last.Board.Sum() || c.Board.Sum() == last.Board.Sum() && c.Board < last.Board {
			t.Errorf("%x comes after %x", c.Board, last.Board)
		}
		all[c.Board], last = c, c
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if start, ok := all[0]; !ok || start.Gain != claim.Score {
		t.Errorf("the empty board is covered for %d, want %d", start.Gain, claim.Score)
	}
	for _, c := range all {
		if !holds(all, r, s, claim.Claimant, c) {
			t.Fatalf("%v claims %d of %x, which does not follow", claim.Claimant, c.Gain, c.Board)
		}
	}
	return len(all)
}

// holds reports whether the claim of a proof about one position follows from the others.
func holds(all map[rules.Board]certificate.Covered, r rules.Ruleset, s rules.Size, claimant rules.Side, c certificate.Covered) bool {
	for cell := range 16 {
		for exponent := 1; exponent <= 2; exponent++ {
			move := rules.Place(cell, exponent == 2)
			if c.Board.Empty(s)>>(4*cell)&1 == 0 || exponent == 2 && !r.Fours() || claimant == rules.Attacker && move != c.Move {
				continue
			}
			fulfilled := suffices(all, s, c.Board.With(cell, exponent), claimant, c.Gain)
			if fulfilled != (claimant == rules.Defender) {
				return false
			}
		}
	}
	return true
}

// suffices reports whether the defender may gain enough after a placement: surely if the defender claims it,
// possibly if the attacker denies it.
func suffices(all map[rules.Board]certificate.Covered, s rules.Size, placed rules.Board, claimant rules.Side, gain int) bool {
	for slide := rules.North; slide <= rules.East; slide++ {
		slid := placed.Slide(s, slide)
		if slid == placed {
			continue
		}
		left := gain - (slid.Potential() - placed.Potential())
		next, ok := all[slid.Canonical(s)]
		switch {
		case left <= 0:
			return true
		case claimant == rules.Defender && ok && next.Gain >= left:
			return true
		case claimant == rules.Attacker && !(ok && next.Gain <= left):
			return true
		}
	}
	return false
}
