package proof_test

import (
	"context"
	"errors"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"versus2048/lab/proof"
	"versus2048/lab/retrograde"
	"versus2048/players"
	"versus2048/rules"
)

func policyConfig(t *testing.T, bot string, r rules.Ruleset, size string) proof.PolicyConfig {
	t.Helper()
	spec, err := players.Parse(bot)
	if err != nil {
		t.Fatal(err)
	}
	return proof.PolicyConfig{Bot: spec, Rules: r, Size: parseSize(t, size), Threads: 2, Memory: 1 << 28}
}

func policyBound(t *testing.T, c proof.PolicyConfig) proof.PolicyBound {
	t.Helper()
	b, err := proof.BoundByPolicy(t.Context(), c, func(proof.PolicyBound) {})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// The bound by a perfect attacker is the score under perfect play. No bot has a lower one.
func TestPolicyBounds(t *testing.T) {
	for _, r := range []rules.Ruleset{rules.GPCC2015, rules.GPCC2016} {
		for _, size := range []string{"2x2", "3x2"} {
			perfect := policyConfig(t, "greedy", r, size)
			solution, err := retrograde.Solve(t.Context(), r, perfect.Size, nil)
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(t.TempDir(), "a.table")
			if err := solution.WriteFile(path, false); err != nil {
				t.Fatal(err)
			}
			value, err := solution.Value(rules.NewPosition(r, perfect.Size))
			if err != nil {
				t.Fatal(err)
			}
			if b := policyBound(t, policyConfig(t, "perfect:table="+path, r, size)); b.Score != int(value.Gain) {
				t.Errorf("%v %s: the bound by the perfect attacker is %d, want %v", r, size, b.Score, value.Gain)
			}
			for _, bot := range []string{"greedy", "evminimax:depth=1", "random"} {
				c := policyConfig(t, bot, r, size)
				b := policyBound(t, c)
				if b.Score < int(value.Gain) || b.Boards > solution.States() {
					t.Errorf("%v %s: the bound by %s is %d on %d boards, the value %v", r, size, bot, b.Score, b.Boards, value.Gain)
				}
				c.Threads = 1
				if alone := policyBound(t, c); !reflect.DeepEqual(alone, b) {
					t.Errorf("%v %s: %+v with one thread, %+v with two", r, size, alone, b)
				}
			}
		}
	}
}

// Without 4s there is a layer for each even sum of tiles, and the bound sums the layers up.
func TestPolicyLayers(t *testing.T) {
	b := policyBound(t, policyConfig(t, "greedy", rules.GPCC2015, "2x2"))
	boards, score := 0, 0
	for i, l := range b.Layers {
		if l.Sum != 2*i {
			t.Errorf("layer %d has the sum %d", i, l.Sum)
		}
		boards, score = boards+l.Boards, max(score, l.Score)
	}
	if boards != b.Boards || score != b.Score || b.Layers[0].Boards != 1 || b.Layers[len(b.Layers)-1].Ended == 0 {
		t.Errorf("%+v", b)
	}
}

func TestPolicyRefuses(t *testing.T) {
	for want, c := range map[string]proof.PolicyConfig{
		"may make other moves another time": policyConfig(t, "champion", rules.GPCC2016, "3x2"),
		"under solo":                        policyConfig(t, "greedy", rules.Solo, "3x2"),
		"bytes of memory":                   {Bot: policyConfig(t, "greedy", rules.GPCC2016, "3x2").Bot, Rules: rules.GPCC2016, Size: rules.Size{Width: 3, Height: 2}, Threads: 1, Memory: 1 << 10},
	} {
		if _, err := proof.BoundByPolicy(t.Context(), c, func(proof.PolicyBound) {}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	stopped := errors.New("stopped")
	ctx, cancel := context.WithCancelCause(t.Context())
	_, err := proof.BoundByPolicy(ctx, policyConfig(t, "greedy", rules.GPCC2016, "3x2"), func(b proof.PolicyBound) {
		if len(b.Layers) == 3 {
			cancel(stopped)
		}
	})
	if !errors.Is(err, stopped) {
		t.Errorf("error %v, want %v", err, stopped)
	}
}
