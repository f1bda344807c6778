package tidy

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"versus2048/internal/testkit"
	"versus2048/lab/proof"
	"versus2048/lab/proof/check"
	"versus2048/lab/retrograde"
	"versus2048/players/certificate"
	"versus2048/rules"
)

func size(w, h uint8) rules.Size { return rules.Size{Width: w, Height: h} }

// The scores are from the exact tables (docs/report.md).
var solved = []struct {
	size  rules.Size
	score int
}{
	{size(2, 2), 68}, {size(3, 2), 516}, {size(2, 3), 516}, {size(4, 2), 3076},
}

func TestSolvedBoards(t *testing.T) {
	for _, board := range solved {
		t.Run(board.size.String(), func(t *testing.T) {
			r, err := Prove(t.Context(), Config{Size: board.size, Threads: 1}, nil)
			if err != nil || !r.Proven || r.Score != board.score || r.Sum != 2 {
				t.Errorf("found %+v, error %v; want %d proven", r, err, board.score)
			}
			two, err := Prove(t.Context(), Config{Size: board.size, Threads: 2}, nil)
			if err != nil || two != r {
				t.Errorf("with two threads %+v, error %v; want %+v", two, err, r)
			}
		})
	}
}

// wonBoards returns the won boards of a state.
func wonBoards(t *testing.T, c Config) (all []rules.Board) {
	t.Helper()
	state, err := proof.OpenLayers(c.State, c.Size, c.firstLine(), func(l certificate.Layer, _ int64) error {
		all = append(all, l.Boards...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := state.Close(); err != nil {
		t.Fatal(err)
	}
	return all
}

// On each board that is said to be won, the defender gets the largest score under perfect play.
func TestWonBoards(t *testing.T) {
	for _, board := range testkit.Shortened(t, solved, 2) {
		c := Config{Size: board.size, Threads: 2, State: filepath.Join(t.TempDir(), "state")}
		if _, err := Prove(t.Context(), c, nil); err != nil {
			t.Fatal(err)
		}
		table, err := retrograde.Solve(t.Context(), rules.GPCC2015, c.Size, nil)
		if err != nil {
			t.Fatal(err)
		}
		o, won, known := newOrder(c.Size), wonBoards(t, c), 0
		for _, b := range won {
			if !o.tidy(b) {
				t.Fatalf("%v: board %x is not tidy", c.Size, uint64(b))
			}
			gain, ok := table.Gain(b)
			if ok {
				known++
			}
			if ok && int(gain)+b.Potential() != board.score {
				t.Fatalf("%v: board %x is not won, the defender gains %v", c.Size, uint64(b), gain)
			}
		}
		if len(won) < 40 || known == 0 {
			t.Errorf("%v: only %d won boards, %d of them in the table", c.Size, len(won), known)
		}
	}
}

// The certificates from tidy boards are proofs.
func TestCertificates(t *testing.T) {
	for _, board := range solved {
		p, err := Open(Config{Size: board.size, Threads: 2, State: filepath.Join(t.TempDir(), "state")})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Run(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		for _, score := range []int{board.score, board.score / 2} {
			h := certificate.Header{Rules: rules.GPCC2015, Size: board.size, Claimant: rules.Defender, Score: score}
			var file bytes.Buffer
			out, err := certificate.NewWriter(&file, h)
			if err != nil {
				t.Fatal(err)
			}
			claim := proof.Claim{Score: score, Claimant: rules.Defender}
			err = p.Extract(t.Context(), claim, out.Write)
			if err := errors.Join(err, out.Close()); err != nil {
				t.Fatal(err)
			}
			if _, err := check.File(t.Context(), &file, 2, nil); err != nil {
				t.Errorf("%v: %v", h, err)
			}
		}
		more := proof.Claim{Score: board.score + 4, Claimant: rules.Defender}
		if err := p.Extract(t.Context(), more, func(certificate.Covered) error { return nil }); !errors.Is(err, proof.ErrRefuted) {
			t.Errorf("%v: more than the largest score: error %v", board.size, err)
		}
		below := proof.Claim{Score: board.score, Claimant: rules.Attacker}
		if err := p.Extract(t.Context(), below, func(certificate.Covered) error { return nil }); err == nil || !strings.Contains(err.Error(), "only what the defender gets") {
			t.Errorf("%v: a claim of the attacker: error %v", board.size, err)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A stopped proof continues from its state, whatever was left of a layer.
func TestStateContinues(t *testing.T) {
	c := Config{Size: size(3, 2), Threads: 2, State: filepath.Join(t.TempDir(), "whole")}
	want, err := Prove(t.Context(), c, nil)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(c.State)
	if err != nil {
		t.Fatal(err)
	}
	c.State = filepath.Join(t.TempDir(), "state")
	for _, layers := range []int{1, 2, 30} {
		ctx, stop := context.WithCancel(t.Context())
		n := 0
		_, err := Prove(ctx, c, func(Progress) {
			if n++; n == layers {
				stop()
			}
		})
		if !errors.Is(err, proof.ErrStopped) {
			t.Fatalf("after %d layers: error %v", layers, err)
		}
	}
	for cut := range 3 {
		r, err := Prove(t.Context(), c, nil)
		now, problem := os.ReadFile(c.State)
		if err != nil || problem != nil || r.Won != want.Won || !r.Proven || r.Decided >= want.Decided || !bytes.Equal(now, whole) {
			t.Fatalf("continued: %+v, errors %v and %v; want %+v", r, err, problem, want)
		}
		if err := os.WriteFile(c.State, whole[:len(whole)-50*(cut+1)], 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c.Size = size(2, 3)
	if _, err := Prove(t.Context(), c, nil); err == nil || !strings.Contains(err.Error(), "does not begin with") {
		t.Errorf("the state of another size: error %v", err)
	}
}

func TestWrongSettings(t *testing.T) {
	for want, c := range map[string]Config{
		"want 4 to 12 cells": {Size: size(4, 4), Threads: 1},
		"0 threads":          {Size: size(2, 2)},
	} {
		if _, err := Prove(t.Context(), c, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: error %v, want %q", c, err, want)
		}
	}
}

func TestTooLittleMemory(t *testing.T) {
	c := Config{Size: size(4, 2), Threads: 1, Memory: 2000}
	if _, err := Prove(t.Context(), c, nil); err == nil || !strings.Contains(err.Error(), "more than the 2000 that are allowed") {
		t.Errorf("error %v", err)
	}
}

// If the boards found so far take too much memory, deciding them is refused. The context ends right after the first
// layer was found, so that only deciding is left.
func TestTooLittleMemoryToDecide(t *testing.T) {
	c := Config{Size: size(4, 2), Threads: 1, Memory: 100}
	if _, err := Prove(testkit.NewCountdown(t.Context(), 5), c, nil); err == nil || !strings.Contains(err.Error(), "more than the 100 that are allowed") {
		t.Errorf("error %v", err)
	}
	if _, err := Prove(testkit.NewCountdown(t.Context(), 4), c, nil); !errors.Is(err, proof.ErrStopped) {
		t.Errorf("stopped before they are found: error %v", err)
	}
}

func TestOrder(t *testing.T) {
	for text, want := range map[string]bool{
		"0,0,0/0,0,0/0,0,0":      true,
		"8,0,4/0,2,0/0,8,0":      true, // all are small
		"16,0,0/0,8,0/0,0,0":     true,
		"0,16,0/0,8,0/0,0,0":     false, // not in a corner
		"64,32,16/0,8,0/0,0,0":   true,
		"64,16,0/32,8,0/0,0,0":   true,
		"64,0,32/16,8,0/0,0,0":   false, // the 32 stands alone
		"64,32,0/0,16,0/0,0,0":   true,
		"64,32,0/0,0,16/0,0,0":   false,
		"64,32,32/0,0,16/16,0,0": true, // there are two 32s
		"0,0,0/0,0,0/0,32,64":    true,
	} {
		p, err := rules.ParsePosition(rules.GPCC2015, text+" A")
		if err != nil {
			t.Fatal(err)
		}
		o := newOrder(p.Size())
		for _, b := range p.Board().Images(p.Size()) {
			if o.tidy(b) != want {
				t.Errorf("%s, as %x: tidy %v, want %v", text, uint64(b), !want, want)
			}
		}
	}
}

// The slides taken back are the slides that can be made.
func TestSlidesTakenBack(t *testing.T) {
	c := Config{Size: size(3, 2), Threads: 1}
	g := newGame(c)
	random := rand.New(rand.NewPCG(1, 2)) // #nosec G404 -- a test
	for range 2000 {
		var b rules.Board
		for y := range 2 {
			for x := range 3 {
				b = b.With(4*y+x, random.IntN(4))
			}
		}
		for m := rules.North; m <= rules.East; m++ {
			after := b.Slide(c.Size, m)
			var before []rules.Board
			g.origins.Each(after, func(b rules.Board) { before = append(before, b) })
			if after != b && !slices.Contains(before, b) {
				t.Fatalf("%x slides to %x, and is not found from it", uint64(b), uint64(after))
			}
			for _, from := range before {
				led := false
				for m := rules.North; m <= rules.East; m++ {
					led = led || from != after && from.Slide(c.Size, m) == after
				}
				if !led {
					t.Fatalf("%x does not slide to %x", uint64(from), uint64(after))
				}
			}
		}
	}
}

func BenchmarkProve(b *testing.B) {
	won := int64(0)
	for b.Loop() {
		r, err := Prove(b.Context(), Config{Size: size(4, 2), Threads: 1}, nil)
		if err != nil || !r.Proven {
			b.Fatal(r, err)
		}
		won += r.Won
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(won), "ns/board")
}
