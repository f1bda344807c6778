package sweep_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"versus2048/internal/testkit"
	"versus2048/lab/proof"
	"versus2048/lab/proof/check"
	"versus2048/lab/proof/sweep"
	"versus2048/lab/retrograde"
	"versus2048/players/certificate"
	"versus2048/rules"
)

// games have the scores under perfect play, as solved boards have them (docs/report.md).
var games = []struct {
	rules   rules.Ruleset
	size    string
	score   int
	ceiling int // above the score
}{
	{rules.GPCC2015, "2x2", 68, 72},
	{rules.GPCC2015, "3x2", 516, 1000},
	{rules.GPCC2016, "2x2", 8, 100},
	{rules.GPCC2016, "3x2", 40, 44},
	{rules.GPCC2016, "2x3", 40, 200},
	{rules.GPCC2016, "4x2", 112, 200},
	{rules.GPCC2016, "2x4", 112, 116},
	{rules.GPCC2016, "3x3", 164, 168},
	// Up to these ceilings there are sums without boards below the largest.
	{rules.GPCC2016, "2x2", 8, 132},
	{rules.GPCC2015, "2x2", 68, 196},
	{rules.GPCC2015, "2x2", 68, sweep.MostCeiling},
	{rules.GPCC2016, "3x2", 40, 1000},
}

func size(t testing.TB, text string) rules.Size {
	t.Helper()
	s, err := rules.ParseSize(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// run sweeps to the end.
func run(t testing.TB, c sweep.Config) *sweep.Sweep {
	t.Helper()
	s, err := sweep.Open(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := s.Run(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	return s
}

// With a ceiling above the score it is found; with a lower one it is said to be reached.
func TestScores(t *testing.T) {
	for _, g := range testkit.Shortened(t, games, 5) {
		t.Run(fmt.Sprint(g.rules, " ", g.size, " below ", g.ceiling), func(t *testing.T) {
			c := sweep.Config{Rules: g.rules, Size: size(t, g.size), Ceiling: g.ceiling, Threads: 2}
			if score, exact := run(t, c).Score(); score != g.score || !exact {
				t.Errorf("score %d, %v; want %d", score, exact, g.score)
			}
			c.Ceiling = g.score
			if score, exact := run(t, c).Score(); score != g.score || exact {
				t.Errorf("with the score as the ceiling: %d, %v", score, exact)
			}
		})
	}
}

// Bounds hold for all boards that a game can come to.
func TestBoundsAgreeWithSolvedBoards(t *testing.T) {
	for _, g := range testkit.Shortened(t, games[:6], 5) {
		t.Run(fmt.Sprint(g.rules, " ", g.size), func(t *testing.T) {
			solution, err := retrograde.Solve(t.Context(), g.rules, size(t, g.size), nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, ceiling := range []int{g.ceiling, g.score / 2} {
				c := sweep.Config{Rules: g.rules, Size: size(t, g.size), Ceiling: ceiling, Threads: 2, State: t.TempDir()}
				compareBounds(t, run(t, c), solution, c)
			}
		})
	}
}

// compareBounds plays games at random and compares the boards in them.
func compareBounds(t *testing.T, s *sweep.Sweep, solution *retrograde.Solution, c sweep.Config) {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		p := rules.NewPosition(c.Rules, c.Size)
		for !p.Over() {
			moves := p.AppendMoves(nil)
			p = p.Next(moves[random.IntN(len(moves))])
			if p.SideToMove() == rules.Attacker {
				compareBound(t, s, solution, p)
			}
		}
	}
}

func compareBound(t *testing.T, s *sweep.Sweep, solution *retrograde.Solution, p rules.Position) {
	t.Helper()
	value, err := solution.Value(p)
	if err != nil {
		t.Fatal(err)
	}
	low, high, err := s.Known(p.Board().Canonical(p.Size()))
	if err != nil || low > int(value.Gain) || high < int(value.Gain) {
		t.Fatalf("%v: %d to %d, %v; the gain is %v", p, low, high, err, value.Gain)
	}
}

// Claims at the score and above it have certificates that the checker accepts.
func TestCertificates(t *testing.T) {
	for _, g := range testkit.Shortened(t, games, 5) {
		t.Run(fmt.Sprint(g.rules, " ", g.size, " below ", g.ceiling), func(t *testing.T) {
			s := run(t, sweep.Config{Rules: g.rules, Size: size(t, g.size), Ceiling: g.ceiling, Threads: 2, State: t.TempDir()})
			for _, claim := range []proof.Claim{{Score: g.score, Claimant: rules.Defender}, {Score: g.score + 4, Claimant: rules.Attacker}} {
				checkCertificate(t, s, certificate.Header{Rules: g.rules, Size: size(t, g.size), Claimant: claim.Claimant, Score: claim.Score})
			}
			none := func(certificate.Covered) error { return nil }
			for _, claim := range []proof.Claim{{Score: g.score + 4, Claimant: rules.Defender}, {Score: g.score, Claimant: rules.Attacker}} {
				if err := s.Extract(t.Context(), claim, none); !errors.Is(err, proof.ErrRefuted) {
					t.Errorf("%v: %v, want that it is refuted", claim, err)
				}
			}
		})
	}
}

func checkCertificate(t *testing.T, s *sweep.Sweep, h certificate.Header) {
	t.Helper()
	var file bytes.Buffer
	w, err := certificate.NewWriter(&file, h)
	if err != nil {
		t.Fatal(err)
	}
	claim := proof.Claim{Score: h.Score, Claimant: h.Claimant}
	if err := s.Extract(t.Context(), claim, w.Write); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := check.File(t.Context(), &file, 2, nil); err != nil {
		t.Errorf("%v: %v", claim, err)
	}
}

// One thread and several, and a sweep that was stopped and goes on, write the same layers.
func TestLayersDependOnNothing(t *testing.T) {
	c := sweep.Config{Rules: rules.GPCC2016, Size: size(t, "4x2"), Ceiling: 120, Threads: 1, State: t.TempDir()}
	run(t, c)
	want := layers(t, c.State)
	c.Threads, c.State = 3, t.TempDir()
	ctx, stop := context.WithCancel(t.Context())
	s, err := sweep.Open(c)
	if err != nil {
		t.Fatal(err)
	}
	err = s.Run(ctx, func(p sweep.Progress) {
		if p.Sum == 40 {
			stop()
		}
	})
	if !errors.Is(err, proof.ErrStopped) {
		t.Fatalf("a stopped sweep: %v", err)
	}
	if n := len(layers(t, c.State)); n == 0 || n >= len(want) {
		t.Fatalf("%d of %d layers are kept", n, len(want))
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = run(t, c)
	if got := layers(t, c.State); !maps.Equal(got, want) {
		t.Error("the layers differ")
	}
	if p := s.Progress(); p.Sum != 0 || p.Places != p.AllPlaces {
		t.Errorf("progress at the end: %+v", p)
	}
}

// Wherever a sweep is stopped, it can go on by itself, with and without a state.
func TestRunsAgain(t *testing.T) {
	c := sweep.Config{Rules: rules.GPCC2016, Size: size(t, "3x2"), Ceiling: 44, Threads: 1, State: t.TempDir()}
	want := run(t, c).Progress()
	files := layers(t, c.State)
	for i := range int64(40) {
		c.State = ""
		if i%2 == 0 {
			c.State = t.TempDir()
		}
		s, err := sweep.Open(c)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Run(testkit.NewCountdown(t.Context(), 29*i), nil); !errors.Is(err, proof.ErrStopped) {
			t.Fatalf("stopped after %d steps: %v", 29*i, err)
		}
		if err := s.Run(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		if score, exact := s.Score(); score != 40 || !exact || s.Progress().Places != want.AllPlaces {
			t.Errorf("stopped after %d steps: score %d, %v, progress %+v", 29*i, score, exact, s.Progress())
		}
		if c.State != "" && !maps.Equal(layers(t, c.State), files) {
			t.Errorf("stopped after %d steps: the layers differ", 29*i)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// A directory is for one sweep at a time.
func TestStateInUse(t *testing.T) {
	c := sweep.Config{Rules: rules.GPCC2016, Size: size(t, "2x2"), Ceiling: 100, Threads: 1, State: filepath.Join(t.TempDir(), "layers")}
	s, err := sweep.Open(c)
	if err != nil {
		t.Fatal(err)
	}
	_, err = sweep.Open(c)
	if inUse := (*proof.StateError)(nil); !errors.As(err, &inUse) || inUse.Path != c.State || !strings.Contains(err.Error(), "another process works on it") {
		t.Errorf("opened twice at once: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	run(t, c)
}

// layers returns the files of a state, by name.
func layers(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(name)] = string(content)
	}
	return all
}

// Layers that were changed, cut off, or are of another sweep are named.
func TestDamagedStates(t *testing.T) {
	c := sweep.Config{Rules: rules.GPCC2016, Size: size(t, "3x2"), Ceiling: 44, Threads: 1, State: t.TempDir()}
	if err := run(t, c).Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(c.State, "sum-0008.layer")
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	changed := slices.Clone(content)
	changed[len(changed)/2]++
	for _, test := range []struct {
		content []byte
		want    string
	}{
		{changed, "its checksum is wrong: remove it"},
		{content[:len(content)-1], "bytes, want "},
		{nil, "it is empty: remove it"},
		{[]byte(strings.Replace(string(content), "44", "48", 1)), "it is not a layer of a sweep of gpcc2016 on 3x2 up to 44 points"},
	} {
		if err := os.WriteFile(path, test.content, 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := sweep.Open(c)
		if err != nil {
			t.Fatal(err)
		}
		var wrong *proof.StateError
		if err := s.Run(t.Context(), nil); !errors.As(err, &wrong) || wrong.Path != path || !strings.Contains(wrong.Reason, test.want) {
			t.Errorf("%v, want %q", err, test.want)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestSettingsThatMakeNoSense(t *testing.T) {
	good := sweep.Config{Rules: rules.GPCC2016, Size: size(t, "3x2"), Ceiling: 44, Threads: 1}
	for want, change := range map[string]func(*sweep.Config){
		"solo has no attacker":      func(c *sweep.Config) { c.Rules = rules.Solo },
		"more than 10^11 boards":    func(c *sweep.Config) { c.Size = rules.Full },
		"ceiling 0: want 4 to 1016": func(c *sweep.Config) { c.Ceiling = 0 },
		"ceiling 1017":              func(c *sweep.Config) { c.Ceiling = 1017 },
		"0 threads":                 func(c *sweep.Config) { c.Threads = 0 },
	} {
		c := good
		change(&c)
		if _, err := sweep.Open(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// The sweep reports a gap in its knowledge, and does not guess.
func TestBeyondTheCeiling(t *testing.T) {
	s := run(t, sweep.Config{Rules: rules.GPCC2016, Size: size(t, "3x2"), Ceiling: 20, Threads: 1, State: t.TempDir()})
	if ok, err := s.Decide(0, 20); !ok || err != nil {
		t.Errorf("at least the ceiling: %v, %v", ok, err)
	}
	if _, err := s.Decide(0, 24); err == nil || !strings.Contains(err.Error(), "a larger ceiling") {
		t.Errorf("more than the ceiling: %v", err)
	}
	without := run(t, sweep.Config{Rules: rules.GPCC2016, Size: size(t, "3x2"), Ceiling: 20, Threads: 1})
	if _, _, err := without.Known(0); err == nil {
		t.Error("a sweep without a state knows a board")
	}
}
