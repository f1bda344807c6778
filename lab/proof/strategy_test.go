package proof_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"versus2048/lab/proof"
	"versus2048/lab/proof/check"
	"versus2048/players/certificate"
	"versus2048/rules"
)

func byStrategy(t *testing.T, c proof.StrategyConfig) (*proof.Strategy, bool) {
	t.Helper()
	c.Memory = 1 << 30
	s, proven, err := proof.ProveByStrategy(t.Context(), c, func(proof.StrategyProgress) {})
	if err != nil {
		t.Fatal(err)
	}
	return s, proven
}

// The defender has a strategy for the score under perfect play, and none for more. Its boards are a proof for a checker.
func TestStrategy(t *testing.T) {
	for _, c := range []struct {
		rules         rules.Ruleset
		width, height uint8
		score         int
	}{
		{rules.GPCC2015, 2, 2, 68},
		{rules.GPCC2016, 2, 2, 8},
		{rules.GPCC2016, 3, 2, 40},
		{rules.GPCC2016, 2, 3, 40},
		{rules.GPCC2016, 4, 2, 112},
		{rules.GPCC2016, 3, 3, 160},
		{rules.GPCC2015, 3, 2, 516},
	} {
		config := proof.StrategyConfig{Rules: c.rules, Size: rules.Size{Width: c.width, Height: c.height}, Score: c.score}
		s, proven := byStrategy(t, config)
		if !proven {
			t.Fatalf("%v, %v: no strategy for %d", c.rules, config.Size, c.score)
		}
		if result, err := check.File(t.Context(), bytes.NewReader(strategyCertificate(t, s, config)), 1, nil); err != nil {
			t.Errorf("%v, %v: %+v, error %v", c.rules, config.Size, result, err)
		}
		config.Score++
		if _, proven := byStrategy(t, config); proven {
			t.Errorf("%v, %v: a strategy for %d", c.rules, config.Size, config.Score)
		}
	}
}

// A search that was stopped continues from its state, and finds the same strategy as a search without a break. Files that
// are damaged or of another claim are refused.
func TestStrategyState(t *testing.T) {
	config := proof.StrategyConfig{Rules: rules.GPCC2016, Size: rules.Size{Width: 4, Height: 2}, Score: 112, Memory: 1 << 30}
	whole, _ := byStrategy(t, config)
	want := strategyCertificate(t, whole, config)
	config.State, config.Every = filepath.Join(t.TempDir(), "state [of] a"), 1
	for _, stop := range []int{10, 26, 40} {
		ctx, cancel := context.WithCancel(t.Context())
		highest := 0
		s, _, err := proof.ProveByStrategy(ctx, config, func(p proof.StrategyProgress) {
			if highest = max(highest, p.Sum); highest == stop {
				cancel()
			}
		})
		if cancel(); !errors.Is(err, proof.ErrStopped) {
			t.Fatalf("stopped at the sum %d: %v", stop, err)
		}
		if _, _, err := proof.ProveByStrategy(t.Context(), config, func(proof.StrategyProgress) {}); err == nil || !strings.Contains(err.Error(), "another process works on it") {
			t.Errorf("a state in use: %v", err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	other := config
	other.Score = 108
	if _, _, err := proof.ProveByStrategy(t.Context(), other, func(proof.StrategyProgress) {}); err == nil || !strings.Contains(err.Error(), "it is of a strategy for 112 on 4x2 under gpcc2016") {
		t.Errorf("the state of another claim: %v", err)
	}
	testDamagedStates(t, config)
	s, proven := byStrategy(t, config)
	if got := strategyCertificate(t, s, config); !proven || !bytes.Equal(got, want) {
		t.Errorf("proven %v, with another certificate after stops", proven)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func testDamagedStates(t *testing.T, c proof.StrategyConfig) {
	t.Helper()
	files, err := os.ReadDir(c.State)
	if err != nil || len(files) < 20 {
		t.Fatalf("%d files of a state, error %v", len(files), err)
	}
	generations := map[string]bool{}
	for _, f := range files {
		if kind := filepath.Ext(f.Name()); strings.HasPrefix(kind, ".open-") {
			generations[kind] = true
		}
	}
	if len(generations) != 1 {
		t.Errorf("the state has the generations %v, want one", generations)
	}
	for i := 0; i < len(files); i += 5 { // the first one has the lost boards
		path := filepath.Join(c.State, files[i].Name())
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for what, damaged := range map[string][]byte{
			"cut short": content[:len(content)/2], "empty": nil, "changed": append([]byte{content[0] ^ 1}, content[1:]...),
		} {
			if err := os.WriteFile(path, damaged, 0o600); err != nil {
				t.Fatal(err)
			}
			var wrong *proof.StateError
			if _, _, err := proof.ProveByStrategy(t.Context(), c, func(proof.StrategyProgress) {}); !errors.As(err, &wrong) || wrong.Path != path {
				t.Errorf("%d, %s, %s: %v", i, filepath.Base(path), what, err)
			}
		}
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// strategyCertificate returns the certificate of a strategy.
func strategyCertificate(t *testing.T, s *proof.Strategy, c proof.StrategyConfig) []byte {
	t.Helper()
	var file bytes.Buffer
	out, err := certificate.NewWriter(&file, certificate.Header{Rules: c.Rules, Size: c.Size, Claimant: rules.Defender, Score: c.Score})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Extract(t.Context(), proof.Claim{Score: c.Score, Claimant: rules.Defender}, out.Write); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// A strategy is the same with any number of threads.
func TestStrategyThreads(t *testing.T) {
	c := proof.StrategyConfig{Rules: rules.GPCC2016, Size: rules.Size{Width: 3, Height: 3}, Score: 160}
	one, _ := byStrategy(t, c)
	want := strategyCertificate(t, one, c)
	c.Threads = 3
	if three, _ := byStrategy(t, c); !bytes.Equal(strategyCertificate(t, three, c), want) {
		t.Error("three threads find another strategy")
	}
}

func TestStrategyStops(t *testing.T) {
	c := proof.StrategyConfig{Rules: rules.GPCC2016, Size: rules.Size{Width: 3, Height: 3}, Score: 160, Memory: 1 << 10}
	if _, _, err := proof.ProveByStrategy(t.Context(), c, func(proof.StrategyProgress) {}); err == nil {
		t.Error("the boards fit into a kilobyte")
	}
	ctx, stop := context.WithCancel(t.Context())
	c.Memory = 1 << 30
	_, _, err := proof.ProveByStrategy(ctx, c, func(p proof.StrategyProgress) {
		if p.Sum == 20 {
			stop()
		}
	})
	if !errors.Is(err, proof.ErrStopped) {
		t.Errorf("error %v", err)
	}
	c.Rules = rules.Solo
	if _, _, err := proof.ProveByStrategy(t.Context(), c, nil); err == nil {
		t.Error("chance is an attacker")
	}
}
