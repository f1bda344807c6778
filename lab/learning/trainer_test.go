package learning_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"versus2048/lab/learning"
	"versus2048/lab/retrograde"
	"versus2048/players/exact"
	"versus2048/players/ntuple"
	"versus2048/rules"
)

// optimalGames is how many games learn 2x2.
const optimalGames = 6_000

var twoByTwo = rules.Size{Width: 2, Height: 2}

// learned returns a network after that many games.
func learned(t *testing.T, s learning.Settings, games uint64) *ntuple.Network {
	t.Helper()
	trainer, err := learning.New(s)
	if err != nil {
		t.Fatal(err)
	}
	return playUntil(t, trainer, games)
}

func playUntil(t *testing.T, trainer *learning.Trainer, games uint64) *ntuple.Network {
	t.Helper()
	for trainer.Games() < games {
		trainer.Play(t.Context(), games)
	}
	n, err := trainer.Network()
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// On 2x2, where every board has a weight of its own, the optimum is learned within 1 %, under all rules: the
// value of the empty board, and the score of either side against perfect play. So it is with stages.
func TestLearnsTheOptimum(t *testing.T) {
	for _, stages := range [][]int{nil, {4, 8, 16}} {
		learnTheOptimum(t, stages)
	}
}

func learnTheOptimum(t *testing.T, stages []int) {
	t.Helper()
	for _, r := range rules.Rulesets() {
		solution, err := retrograde.Solve(t.Context(), r, twoByTwo, nil)
		if err != nil {
			t.Fatal(err)
		}
		settings := learning.Defaults(r, twoByTwo)
		settings.Stages = stages
		n := learned(t, settings, optimalGames)
		start := rules.NewPosition(r, twoByTwo)
		best, err := solution.Value(start)
		if err != nil {
			t.Fatal(err)
		}
		if got := float64(n.Of(start.Board())); math.Abs(got-best.Gain) > 0.01*best.Gain+0.5 {
			t.Errorf("%v: the empty board is worth %v, want %v", r, got, best.Gain)
		}
		if r.Chance() {
			continue
		}
		for _, learner := range []rules.Side{rules.Attacker, rules.Defender} {
			if got := against(t, n, solution.Table, learner); math.Abs(got-best.Gain) > 0.01*best.Gain {
				t.Errorf("%v: as %v against perfect play: %v points, want %v", r, learner, got, best.Gain)
			}
		}
	}
}

// against returns the score of a game between a network and perfect play.
func against(t *testing.T, n *ntuple.Network, perfect *exact.Table, learner rules.Side) float64 {
	t.Helper()
	p := rules.NewPosition(perfect.Rules(), perfect.Size())
	for !p.Over() {
		if p.SideToMove() == learner {
			p = p.Next(chosen(n, p))
			continue
		}
		best, err := perfect.Best(p)
		if err != nil {
			t.Fatal(err)
		}
		p = p.Next(best[0])
	}
	return float64(p.Score())
}

// chosen returns the move with the best value by a network.
func chosen(n *ntuple.Network, p rules.Position) (best rules.Move) {
	if p.SideToMove() == rules.Defender {
		best, _, _ = n.Best(p.Board())
		return best
	}
	least := math.MaxInt
	for _, m := range p.AppendMoves(nil) {
		if _, value, _ := n.Best(p.Next(m).Board()); value < least {
			best, least = m, value
		}
	}
	return best
}

// values returns the values of all boards of 2x2.
func values(n *ntuple.Network) []int {
	all := make([]int, 1<<16)
	for i := range all {
		all[i] = n.Of(rules.Board(i&0xFF | i&0xFF00<<8)) // a row has 16 bits, and 2x2 the first 8 of them
	}
	return all
}

// Learning that was interrupted and continued from checkpoints learns the same as without, the learning
// curve included. The interruptions are within rounds and between them.
func TestResume(t *testing.T) {
	for _, r := range rules.Rulesets() {
		settings := learning.Defaults(r, twoByTwo)
		settings.Strangers, settings.Restart, settings.Average, settings.Stages = 0.5, 0.5, 0.5, []int{8, 16}
		const games = 2300
		whole, err := learning.New(settings)
		if err != nil {
			t.Fatal(err)
		}
		want := playUntil(t, whole, games)
		path := filepath.Join(t.TempDir(), "checkpoint")
		trainer, err := learning.New(settings)
		if err != nil {
			t.Fatal(err)
		}
		for _, until := range []uint64{700, 1000, 1500, games} {
			playUntil(t, trainer, until)
			if err := trainer.WriteFile(path); err != nil {
				t.Fatal(err)
			}
			if trainer, err = learning.Open(path); err != nil {
				t.Fatal(err)
			}
		}
		got := playUntil(t, trainer, games)
		if !slices.Equal(values(got), values(want)) || got.Recipe().Command != want.Recipe().Command {
			t.Errorf("%v: learned something else after an interruption", r)
		}
		if n := len(whole.Curve()); n == 0 || len(trainer.Curve()) != n {
			t.Fatalf("%v: learning curves of %d and %d points", r, len(trainer.Curve()), n)
		}
		for i, point := range trainer.Curve() {
			other := whole.Curve()[i]
			if point.Time, other.Time = 0, 0; point != other {
				t.Errorf("%v: the learning curve has %v, want %v", r, point, other)
			}
		}
	}
}

// A trainer plays no game once its context has ended, and goes on under another context.
func TestInterrupt(t *testing.T) {
	settings := learning.Defaults(rules.GPCC2015, twoByTwo)
	settings.Threads = 3
	trainer, err := learning.New(settings)
	if err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	trainer.Play(ended, 1000)
	if trainer.Games() != 0 || len(trainer.Curve()) != 0 {
		t.Errorf("%d games after the end of the context", trainer.Games())
	}
	trainer.Play(t.Context(), 1000)
	if trainer.Games() != 1000 || len(trainer.Curve()) != 1 {
		t.Errorf("%d games, a curve of %d points", trainer.Games(), len(trainer.Curve()))
	}
}

// Several threads learn the same values, if not in the same order.
func TestThreads(t *testing.T) {
	settings := learning.Defaults(rules.GPCC2015, twoByTwo)
	settings.Threads = 4
	n := learned(t, settings, optimalGames)
	if want := learned(t, learning.Defaults(rules.GPCC2015, twoByTwo), optimalGames); math.Abs(float64(n.Of(0)-want.Of(0))) > 1 {
		t.Errorf("the empty board is worth %d, want %d", n.Of(0), want.Of(0))
	}
}

// The other ways of learning find the same values: TreeStrap in fewer games, since it learns more boards in
// each, and so does a teacher, because its values need not spread from the ends of games.
func TestOtherWaysLearnTheOptimum(t *testing.T) {
	const fewGames = 1_000
	strap := learning.Defaults(rules.GPCC2015, twoByTwo)
	strap.Lookahead, strap.Strap = 2, true
	taught := learning.Defaults(rules.GPCC2015, twoByTwo)
	taught.Teacher = "2x2.table"
	solution, err := retrograde.Solve(t.Context(), rules.GPCC2015, twoByTwo, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, settings := range []learning.Settings{strap, taught} {
		trainer, err := learning.New(settings)
		if err != nil {
			t.Fatal(err)
		}
		if settings.Teacher != "" {
			trainer.Teach(solution)
		}
		n := playUntil(t, trainer, fewGames)
		if best, _ := solution.Gain(0); math.Abs(float64(n.Of(0))-best) > 0.01*best {
			t.Errorf("%s: the empty board is worth %d, want %v", n.Recipe().Command, n.Of(0), best)
		}
	}
}

// Under solo the mean over chance, begun with more than any board is worth, ends at the exact values, not near
// them: boards of the best play get exactly their values.
func TestExpectedUpdatesLearnExactly(t *testing.T) {
	settings := learning.Defaults(rules.Solo, twoByTwo)
	settings.Expected, settings.Lambda, settings.Coherence, settings.Optimism = true, 0, false, 100
	solution, err := retrograde.Solve(t.Context(), rules.Solo, twoByTwo, nil)
	if err != nil {
		t.Fatal(err)
	}
	n := learned(t, settings, optimalGames)
	best, _ := solution.Gain(0)
	if got := float64(n.Of(0)); math.Abs(got-best) > 1 { // Of is in whole points
		t.Errorf("the empty board is worth %v, want %v", got, best)
	}
}

// A coarse network has learned the same as another one. Its file is smaller, and names the option.
func TestCoarse(t *testing.T) {
	settings := learning.Defaults(rules.Solo, rules.Size{Width: 3, Height: 3})
	fine := learned(t, settings, 500)
	settings.Coarse = 64
	coarse := learned(t, settings, 500)
	var sizes [2]bytes.Buffer
	if err := errors.Join(fine.Write(&sizes[0]), coarse.Write(&sizes[1])); err != nil {
		t.Fatal(err)
	}
	if f, c := sizes[0].Len(), sizes[1].Len(); 4*c > 3*f {
		t.Errorf("%d bytes instead of %d", c, f)
	}
	if f, c := float64(fine.Of(0)), float64(coarse.Of(0)); math.Abs(f-c) > 0.05*f {
		t.Errorf("the empty board is worth %v, and %v by a coarse network", f, c)
	}
	if command := coarse.Recipe().Command; !strings.Contains(command, "--coarse 64") {
		t.Error(command)
	}
}

func TestSettingsRefuse(t *testing.T) {
	for want, change := range map[string]func(*learning.Settings){
		"structure \"none\"": func(s *learning.Settings) { s.Structure = "none" },
		"stages [3]":         func(s *learning.Settings) { s.Stages = []int{3} },
		"threads":            func(s *learning.Settings) { s.Threads = 0 },
		"lambda":             func(s *learning.Settings) { s.Lambda = math.NaN() },
		"rate":               func(s *learning.Settings) { s.Rate = 0 },
		"optimism":           func(s *learning.Settings) { s.Optimism = math.Inf(1) },
		"coarse":             func(s *learning.Settings) { s.Coarse = -1 },
		"opening":            func(s *learning.Settings) { s.Opening = -1 },
		"noise":              func(s *learning.Settings) { s.Noise = 1.1 },
		"strangers":          func(s *learning.Settings) { s.Strangers = -0.1 },
		"restart":            func(s *learning.Settings) { s.Restart = -0.1 },
		"expected":           func(s *learning.Settings) { s.Expected = true },
		"TreeStrap":          func(s *learning.Settings) { s.Strap = true },
	} {
		s := learning.Defaults(rules.GPCC2015, twoByTwo)
		change(&s)
		if _, err := learning.New(s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want it to name %s", err, want)
		}
	}
	solo := learning.Defaults(rules.Solo, twoByTwo)
	solo.Lookahead = 2
	if err := solo.Validate(); err == nil || !strings.HasPrefix(err.Error(), "lookahead 2: not under solo") {
		t.Errorf("lookahead under solo: %v", err)
	}
}
