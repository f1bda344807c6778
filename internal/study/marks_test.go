package study_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"versus2048/internal/study"
	"versus2048/players"
	"versus2048/players/exact"
	"versus2048/rules"
	"versus2048/rules/record"
)

// played returns a game of two bots.
func played(t *testing.T, attacker, defender string) *record.Record {
	t.Helper()
	bots := map[rules.Side]players.Player{}
	for side, text := range map[rules.Side]string{rules.Attacker: attacker, rules.Defender: defender} {
		spec, err := players.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		bots[side] = spec.New(players.Game{Seed: 3})
	}
	r := &record.Record{Attacker: "ann", Defender: "bob", Start: rules.NewPosition(rules.GPCC2015, rules.Size{Width: 4, Height: 3}), Ending: record.Mate}
	for p := r.Start; !p.Over(); {
		m, err := bots[p.SideToMove()].Choose(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		p = p.Next(m)
		r.Moves = append(r.Moves, m)
	}
	return r
}

// Each new largest tile from 64 on is marked where it first appears, and each side's worst moves at most
// three times, by ply.
func TestOf(t *testing.T) {
	r := played(t, "random", "greedy")
	marks := study.Of(r, t.Context().Err)
	if marks.Judged != len(r.Moves) {
		t.Errorf("%d plies were judged of %d", marks.Judged, len(r.Moves))
	}
	count, last := map[string]int{}, 0
	for _, m := range marks.List {
		if m.Ply < last || m.Ply > len(r.Moves) {
			t.Errorf("mark %+v after ply %d", m, last)
		}
		last = m.Ply
		count[string(m.Kind)+strings.Split(m.Why, ":")[0]]++
	}
	final, err := r.Replay()
	if err != nil {
		t.Fatal(err)
	}
	tiles := 0
	for tile := 64; tile <= final.LargestTile(); tile *= 2 {
		tiles++
	}
	if got := kinds(marks)[study.Tile]; got != tiles {
		t.Errorf("%d marks of tiles, want %d: %v", got, tiles, marks)
	}
	for _, name := range []string{"ann", "bob"} {
		if n := count["mistakebad move of "+name]; n < 1 || n > 3 {
			t.Errorf("%d mistakes of %s, want 1 to 3", n, name)
		}
	}
}

// The costliest moves are the largest mistakes of both sides, the costliest first.
func TestCostliest(t *testing.T) {
	table := solved(t, rules.GPCC2016)
	r := onTable(t, table, func(p rules.Position, probe *exact.Probe) rules.Move {
		return probe.Moves[(p.Ply()*7+3)%len(probe.Moves)].Move
	})
	costliest, marked := study.Costliest(r, t.Context().Err, table), study.Of(r, t.Context().Err, table).List
	if len(costliest) != 3 {
		t.Fatalf("costliest %+v, want three", costliest)
	}
	cost := func(m study.Mark) (points float64) {
		_, text, _ := strings.Cut(strings.SplitN(m.Why, ":", 2)[1], ", ")
		if _, err := fmt.Sscan(text, &points); err != nil {
			t.Fatalf("%q: %v", m.Why, err)
		}
		return points
	}
	for i, m := range costliest {
		if !slices.Contains(marked, m) || i > 0 && cost(m) > cost(costliest[i-1]) {
			t.Errorf("%+v of %+v", m, costliest)
		}
	}
	for _, m := range marked {
		if m.Kind == study.Mistake && cost(m) > cost(costliest[2]) && !slices.Contains(costliest, m) {
			t.Errorf("%+v is not among %+v", m, costliest)
		}
	}
}

func kinds(marks study.Marks) map[study.Kind]int {
	count := map[study.Kind]int{}
	for _, m := range marks.List {
		count[m.Kind]++
	}
	return count
}

// Without time there are only the marks that take none.
func TestOfWithoutTime(t *testing.T) {
	r := played(t, "random", "greedy")
	r.Moves, r.Ending = r.Moves[:9], record.Resigned
	ctx, end := context.WithCancel(t.Context())
	end()
	marks := study.Of(r, ctx.Err)
	if marks.Judged != 0 || len(marks.List) != 1 || marks.List[0].Why != "bob resigned as defender" || marks.List[0].Kind != study.Fault {
		t.Errorf("marks %+v", marks)
	}
}

// Judging ends with the first error of the pause, which is not called again.
func TestPauseEndsJudging(t *testing.T) {
	r, calls := played(t, "random", "greedy"), 0
	marks := study.Of(r, func() error {
		if calls++; calls == 20 {
			return context.DeadlineExceeded
		}
		return nil
	})
	if calls != 20 || marks.Judged == 0 || marks.Judged >= len(r.Moves) {
		t.Errorf("after %d pauses %d of %d plies are judged", calls, marks.Judged, len(r.Moves))
	}
}

// A record without names tells of the sides.
func TestOfWithoutNames(t *testing.T) {
	r := played(t, "random", "greedy")
	r.Attacker, r.Defender = "", ""
	for _, m := range study.Of(r, t.Context().Err).List {
		if m.Kind == study.Mistake && !strings.HasPrefix(m.Why, "bad move of the attacker: (") && !strings.HasPrefix(m.Why, "bad move of the defender: ") {
			t.Errorf("mark %+v", m)
		}
	}
	r.Moves = r.Moves[:9]
	for ending, want := range map[record.Ending]string{record.Resigned: "the defender resigned", record.Time: "fault of the defender: time"} {
		r.Ending = ending
		if marks := study.Of(r, nil); len(marks.List) != 1 || marks.List[0].Why != want {
			t.Errorf("marks %+v, want %q", marks.List, want)
		}
	}
}
