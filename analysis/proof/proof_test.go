package proof_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"versus2048/analysis/exact"
	"versus2048/analysis/proof"
	"versus2048/rules"
)

// open returns a prover with 16 MiB.
func open(t testing.TB, r rules.Ruleset, size string, threads int, state string) *proof.Prover {
	t.Helper()
	return openMemory(t, proof.Config{Rules: r, Size: parseSize(t, size), Memory: 16 << 20, Threads: threads, State: state})
}

func openMemory(t testing.TB, c proof.Config) *proof.Prover {
	t.Helper()
	p, err := proof.Open(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

func parseSize(t testing.TB, text string) rules.Size {
	t.Helper()
	s, err := rules.ParseSize(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// value returns the score under perfect play, from the solved board.
func value(t testing.TB, r rules.Ruleset, size string) int {
	t.Helper()
	s, err := exact.Solve(t.Context(), r, parseSize(t, size), nil)
	if err != nil {
		t.Fatal(err)
	}
	v, err := s.Value(rules.NewPosition(r, parseSize(t, size)))
	if err != nil {
		t.Fatal(err)
	}
	return int(v.Gain)
}

// games are the games on which claims are compared with solved boards.
var games = []struct {
	rules rules.Ruleset
	size  string
}{
	{rules.GPCC2015, "2x2"},
	{rules.GPCC2016, "2x2"},
	{rules.GPCC2015, "3x2"},
	{rules.GPCC2016, "3x2"},
	{rules.GPCC2016, "2x3"},
	{rules.GPCC2016, "4x2"},
}

// Claims at the value, below and above it are decided as the solved board says, and
// each that holds has a proof that a check with other means accepts.
func TestClaimsAgreeWithSolvedBoards(t *testing.T) {
	for _, g := range games {
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

// checkProof extracts a proof and checks that it rests on nothing but itself. It returns
// how many positions it has.
func checkProof(t *testing.T, p *proof.Prover, r rules.Ruleset, s rules.Size, claim proof.Claim) int {
	t.Helper()
	all := map[rules.Board]proof.Covered{}
	last := proof.Covered{}
	err := p.Extract(t.Context(), claim, func(c proof.Covered) error {
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

// holds reports whether what a proof says of one position follows from the others.
func holds(all map[rules.Board]proof.Covered, r rules.Ruleset, s rules.Size, claimant rules.Side, c proof.Covered) bool {
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

// suffices reports whether the defender may gain what is asked after a placement: surely
// if the defender claims it, possibly if the attacker denies it.
func suffices(all map[rules.Board]proof.Covered, s rules.Size, placed rules.Board, claimant rules.Side, gain int) bool {
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

// The value of 3x3, from docs/analysis.md, since solving it takes long.
func TestLargerBoard(t *testing.T) {
	p := open(t, rules.GPCC2016, "3x3", 1, "")
	if got, err := p.Exact(t.Context(), nil); err != nil || got != 164 {
		t.Errorf("the score is %d, %v, want 164", got, err)
	}
	checkProof(t, p, rules.GPCC2016, parseSize(t, "3x3"), proof.Claim{Score: 168, Claimant: rules.Attacker})
}

func TestExact(t *testing.T) {
	for _, g := range games {
		p := open(t, g.rules, g.size, 2, "")
		want := value(t, g.rules, g.size)
		if got, err := p.Exact(t.Context(), nil); err != nil || got != want {
			t.Errorf("%v on %s: %d, %v, want %d", g.rules, g.size, got, err, want)
		}
	}
}

// With a table that holds a small part of the proof, what is lost is searched again.
func TestSmallTable(t *testing.T) {
	size := parseSize(t, "4x2")
	p := openMemory(t, proof.Config{Rules: rules.GPCC2016, Size: size, Memory: proof.LeastMemory, Threads: 1})
	for _, claim := range []proof.Claim{{Score: value(t, rules.GPCC2016, "4x2") + 4, Claimant: rules.Attacker}, {Score: 60, Claimant: rules.Defender}} {
		if n := checkProof(t, p, rules.GPCC2016, size, claim); n < 400 {
			t.Errorf("%v: %d positions", claim, n)
		}
	}
}

func TestWrongClaim(t *testing.T) {
	p := open(t, rules.GPCC2016, "2x2", 1, "")
	for _, claim := range []proof.Claim{{Score: 12, Claimant: rules.Defender}, {Score: 8, Claimant: rules.Attacker}} {
		if err := p.Extract(t.Context(), claim, nil); !errors.Is(err, proof.ErrRefuted) {
			t.Errorf("%v: %v, want %v", claim, err, proof.ErrRefuted)
		}
	}
	if _, err := p.AtLeast(t.Context(), 0, nil); err == nil {
		t.Error("no error for a score of 0")
	}
}

func TestStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p := open(t, rules.GPCC2016, "4x4", 2, "")
	if _, err := p.AtLeast(ctx, 1000, nil); !errors.Is(err, proof.ErrStopped) {
		t.Errorf("%v, want %v", err, proof.ErrStopped)
	}
}

func TestWrongConfig(t *testing.T) {
	right := proof.Config{Rules: rules.GPCC2015, Size: rules.Full, Memory: 1 << 20, Threads: 1}
	for name, change := range map[string]func(*proof.Config){
		"solo":      func(c *proof.Config) { c.Rules = rules.Solo },
		"memory":    func(c *proof.Config) { c.Memory = 1000 },
		"threads":   func(c *proof.Config) { c.Threads = 0 },
		"no folder": func(c *proof.Config) { c.State = t.TempDir() + "/none/state" },
		"a folder":  func(c *proof.Config) { c.State = t.TempDir() },
	} {
		c := right
		change(&c)
		if _, err := proof.Open(c); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
