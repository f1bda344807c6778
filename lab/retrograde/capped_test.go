package retrograde_test

import (
	"context"
	"errors"
	"testing"

	"versus2048/internal/testkit"
	"versus2048/lab/retrograde"
	"versus2048/players/exact"
	"versus2048/rules"
)

func solveCapped(t *testing.T, size string, fours int) []retrograde.Capped {
	t.Helper()
	s, err := rules.ParseSize(size)
	if err != nil {
		t.Fatal(err)
	}
	all, err := retrograde.SolveCapped(t.Context(), s, fours, nil)
	if err != nil || len(all) != fours+1 {
		t.Fatalf("%d values, error %v", len(all), err)
	}
	return all
}

// naiveCapped searches every game with at most that many 4s to its end.
type naiveCapped map[cappedState]exact.Value

type cappedState struct {
	state
	fours int // number of 4s that are left
}

func (n naiveCapped) value(p rules.Position, fours int) exact.Value {
	at := cappedState{state{p.Board(), p.SideToMove()}, fours}
	if known, ok := n[at]; ok {
		return known
	}
	var moves []exact.MoveValue
	for _, m := range p.AppendMoves(nil) {
		left := fours
		if m.IsFour() {
			if left--; left < 0 {
				continue
			}
		}
		q := p.Next(m)
		v := n.value(q, left)
		v.Gain += float64(q.Score() - p.Score())
		v.Plies++
		moves = append(moves, exact.MoveValue{Move: m, Value: v})
	}
	n[at] = choice(p, moves)
	return n[at]
}

func TestCappedAgainstNaive(t *testing.T) {
	for size, fours := range map[string]int{"2x2": 8, "3x2": 3} {
		known := naiveCapped{}
		for _, c := range solveCapped(t, size, fours) {
			s, _ := rules.ParseSize(size)
			if want := known.value(rules.NewPosition(rules.GPCC2016, s), c.Fours); c.Value != want {
				t.Errorf("%s with %d 4s: %+v, want %+v", size, c.Fours, c.Value, want)
			}
		}
	}
}

// With no 4 the game is gpcc2015, with enough of them gpcc2016, and one more never helps the defender.
func TestCappedLiesBetweenTheRules(t *testing.T) {
	for size, fours := range map[string]int{"2x2": 10, "3x2": 20, "4x2": 2} {
		if size == "4x2" && testkit.Amount(t, 1, 0) == 0 {
			continue
		}
		all := solveCapped(t, size, fours)
		s, _ := rules.ParseSize(size)
		least := exact.Value{}
		for r, want := range map[rules.Ruleset]*exact.Value{rules.GPCC2015: &all[0].Value, rules.GPCC2016: &least} {
			v, err := solve(t, r, size).Value(rules.NewPosition(r, s))
			if err != nil {
				t.Fatal(err)
			}
			if r == rules.GPCC2015 && v != *want {
				t.Errorf("%s without 4s: %+v, want %+v", size, *want, v)
			}
			*want = v
		}
		for n := 1; n <= fours; n++ {
			if better(all[n].Value, all[n-1].Value) || better(least, all[n].Value) {
				t.Errorf("%s: %+v with %d 4s, %+v with one less, %+v without a limit", size, all[n].Value, n, all[n-1].Value, least)
			}
		}
		if size != "4x2" && all[fours].Value != least {
			t.Errorf("%s: %+v with %d 4s, want %+v", size, all[fours].Value, fours, least)
		}
	}
}

// The memory while positions are solved grows with the number of 4s.
func TestCappedMemory(t *testing.T) {
	most := map[int]int64{}
	for _, fours := range []int{0, 9} {
		_, err := retrograde.SolveCapped(t.Context(), rules.Size{Width: 3, Height: 2}, fours, func(p retrograde.Progress) {
			if p.Solving {
				most[fours] = max(most[fours], p.Bytes)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if most[0] == 0 || most[9] <= most[0] {
		t.Errorf("%d bytes without 4s, %d with 9", most[0], most[9])
	}
}

func TestCappedRefuses(t *testing.T) {
	small := rules.Size{Width: 2, Height: 2}
	for _, fours := range []int{-1, retrograde.MostFours + 1} {
		if _, err := retrograde.SolveCapped(t.Context(), small, fours, nil); err == nil {
			t.Errorf("%d 4s are accepted", fours)
		}
	}
	if _, err := retrograde.SolveCapped(t.Context(), rules.Full, 1, nil); err == nil {
		t.Error("4x4 is accepted")
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	stopped := errors.New("stopped")
	cancel(stopped)
	if _, err := retrograde.SolveCapped(ctx, small, 1, nil); !errors.Is(err, stopped) {
		t.Errorf("error %v, want %v", err, stopped)
	}
}
