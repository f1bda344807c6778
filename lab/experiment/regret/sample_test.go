package regret

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"versus2048/players/exact"
	"versus2048/rules"
)

// In every position of a sample the choice matters, the side to move has the stratum's role, and the
// values belong to the legal moves.
func TestDraw(t *testing.T) {
	for _, r := range rules.Rulesets() {
		table := solve(t, r, rules.Size{Width: 3, Height: 2})
		s := drawn(t, table, 8, 2)
		for i, p := range s.Positions {
			values, err := table.Moves(p.Position)
			if err != nil || !slices.Equal(values, p.Values) {
				t.Fatalf("%v: %v, want %v, %v", p.Position, p.Values, values, err)
			}
			if !matters(values) || p.SideToMove() != p.Role || r.Chance() && p.Role == rules.Attacker {
				t.Errorf("%v: %v as %v", r, p.Position, p.Stratum)
			}
			if i > 0 && p.Seed == s.Positions[i-1].Seed {
				t.Errorf("%v: position %d has the seed of the one before", r, i)
			}
		}
		for i, stratum := range s.Strata {
			if n := s.Count(stratum); stratum.Role == rules.Defender && n != 8 || n > 0 && s.Matters(i).Value.Value <= 0 {
				t.Errorf("%v: %d positions of %v, which matter in %v", r, n, stratum, s.Matters(i).Value)
			}
		}
		if n := s.Distinct(); n < 2 || n > len(s.Positions) {
			t.Errorf("%v: %d distinct positions of %d", r, n, len(s.Positions))
		}
	}
}

// The stage is the quarter of the game that the position comes from: later stages have later plies.
func TestStages(t *testing.T) {
	s := drawn(t, solve(t, rules.GPCC2016, rules.Size{Width: 3, Height: 2}), 40, 2)
	before := 0.0
	for _, stratum := range s.Strata[:stages] {
		plies := 0
		for _, p := range s.Positions {
			if p.Stratum == stratum {
				plies += p.Ply()
			}
		}
		mean := float64(plies) / float64(s.Count(stratum))
		if mean <= before {
			t.Errorf("%v: ply %.1f on average, %.1f in the quarter before", stratum, mean, before)
		}
		before = mean
	}
}

// The same seed draws the same positions with any number of workers, a larger sample contains a
// smaller one, and another seed draws other positions.
func TestDrawDependsOnTheSeed(t *testing.T) {
	table := solve(t, rules.GPCC2016, smallest)
	one, four, more := drawn(t, table, 5, 1), drawn(t, table, 5, 4), drawn(t, table, 9, 2)
	if !reflect.DeepEqual(one.Positions, four.Positions) || !reflect.DeepEqual(one.Matters(0), four.Matters(0)) {
		t.Error("four workers draw other positions than one")
	}
	for _, p := range one.Positions {
		if !slices.ContainsFunc(more.Positions, func(q Position) bool { return reflect.DeepEqual(p, q) }) {
			t.Errorf("a larger sample lacks %v", p.Position)
		}
	}
	other, err := Draw(t.Context(), table, Config{Positions: 5, Seed: 8, Workers: 1}, nil)
	if err != nil || reflect.DeepEqual(one.Positions, other.Positions) {
		t.Errorf("another seed draws the same positions: %v", err)
	}
}

func TestDrawFails(t *testing.T) {
	table := solve(t, rules.GPCC2016, smallest)
	if _, err := Draw(t.Context(), table, Config{Positions: 0, Workers: 1}, nil); err == nil {
		t.Error("no positions are drawn")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Draw(ctx, table, Config{Positions: 5, Workers: 2}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled draw: %v", err)
	}
	if _, err := Draw(t.Context(), ignorant{table}, Config{Positions: 5, Workers: 2}, nil); err == nil || !strings.Contains(err.Error(), "no idea") {
		t.Errorf("an oracle that fails: %v", err)
	}
}

// ignorant is an oracle that fails in every position.
type ignorant struct{ *exact.Table }

func (ignorant) Moves(rules.Position) ([]exact.MoveValue, error) { return nil, errors.New("no idea") }

func TestLoss(t *testing.T) {
	values := []exact.MoveValue{
		{Move: rules.North, Value: exact.Value{Gain: 12, Plies: 3}},
		{Move: rules.South, Value: exact.Value{Gain: 12 + 1e-8}},
		{Move: rules.West, Value: exact.Value{Gain: 40.5}},
	}
	for _, tc := range []struct {
		side rules.Side
		move rules.Move
		want float64
	}{
		{rules.Defender, rules.North, 28.5},
		{rules.Defender, rules.West, 0},
		{rules.Attacker, rules.West, 28.5},
		{rules.Attacker, rules.North, 0},
		{rules.Attacker, rules.South, 0}, // less than the rounding of a table
	} {
		if got := Loss(tc.side, values, tc.move); got != tc.want {
			t.Errorf("%v %v loses %v, want %v", tc.side, tc.move, got, tc.want)
		}
	}
	if matters(values[:2]) || !matters(values) {
		t.Error("the choice does not matter by the difference of the gains")
	}
}

// coin is an oracle that says of all positions that the choice matters, or of none.
type coin struct {
	Oracle
	matters bool
}

func (c *coin) Moves(rules.Position) ([]exact.MoveValue, error) {
	values := make([]exact.MoveValue, 2)
	if c.matters {
		values[1].Value.Gain = 2
	}
	return values, nil
}

// The choice matters everywhere in half of the games, and nowhere in the others. Although each search ends with the
// first game that has such a choice, the share is one half.
func TestMatters(t *testing.T) {
	random, of := rand.New(rand.NewPCG(5, 0)), Stratum{rules.Attacker, 1}
	game := slices.Repeat([]rules.Position{rules.NewPosition(rules.GPCC2015, smallest)}, 40)
	s := &Sample{Strata: []Stratum{of}}
	for range 2000 {
		oracle := &coin{}
		one := search{oracle: oracle, random: random}
		for one.found == nil {
			oracle.matters = random.IntN(2) == 0
			if err := one.examine(game, of); err != nil {
				t.Fatal(err)
			}
		}
		s.searches = append(s.searches, one)
	}
	if got := s.Matters(0); got.Low.Value > 0.5 || got.High.Value < 0.5 || got.High.Value-got.Low.Value > 0.05 {
		t.Errorf("the choice matters in %+v, want half of the positions", got)
	}
}
