package proof_test

import (
	"context"
	"errors"
	"testing"

	"versus2048/internal/testkit"
	"versus2048/lab/proof"
	"versus2048/lab/retrograde"
	"versus2048/players/certificate"
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
	s, err := retrograde.Solve(t.Context(), r, parseSize(t, size), nil)
	if err != nil {
		t.Fatal(err)
	}
	v, err := s.Value(rules.NewPosition(r, parseSize(t, size)))
	if err != nil {
		t.Fatal(err)
	}
	return int(v.Gain)
}

// games are the games with solved boards, for comparison with claims.
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

func TestExact(t *testing.T) {
	for _, g := range testkit.Shortened(t, games, 5) {
		p := open(t, g.rules, g.size, 2, "")
		want := value(t, g.rules, g.size)
		if got, err := p.Exact(t.Context(), nil); err != nil || got != want {
			t.Errorf("%v on %s: %d, %v, want %d", g.rules, g.size, got, err, want)
		}
	}
}

// The searches of an extraction are counted to the last position, and nothing is open after it.
func TestExtractionCounts(t *testing.T) {
	claim := proof.Claim{Score: 520, Claimant: rules.Attacker}
	searching, extracting := open(t, rules.GPCC2015, "3x2", 1, ""), open(t, rules.GPCC2015, "3x2", 1, "")
	_, err := searching.AtLeast(t.Context(), claim.Score, nil)
	if err = errors.Join(err, extracting.Extract(t.Context(), claim, func(certificate.Covered) error { return nil })); err != nil {
		t.Fatal(err)
	}
	if had, now := searching.Progress(), extracting.Progress(); now.Nodes < had.Nodes || now.Refuted < had.Refuted || now.Open != 0 {
		t.Errorf("extracting searches %+v, want no less than %+v", now, had)
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
		"no room":   func(c *proof.Config) { c.Memory = 1 << 50 },
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
