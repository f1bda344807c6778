package study_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"versus2048/internal/study"
	"versus2048/lab/retrograde"
	"versus2048/players/exact"
	"versus2048/rules"
	"versus2048/rules/record"
)

// solved returns the table of a small board.
func solved(t *testing.T, set rules.Ruleset) *exact.Table {
	t.Helper()
	s, err := retrograde.Solve(t.Context(), set, rules.Size{Width: 3, Height: 2}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s.Table
}

// onTable returns a game on a table's board. choose chooses its moves by the table's values.
func onTable(t *testing.T, table *exact.Table, choose func(p rules.Position, probe *exact.Probe) rules.Move) *record.Record {
	t.Helper()
	r := &record.Record{Attacker: "ann", Defender: "bob", Start: rules.NewPosition(table.Rules(), table.Size()), Ending: record.Mate}
	for p := r.Start; !p.Over(); {
		probe, err := table.Probe(p)
		if err != nil {
			t.Fatal(err)
		}
		m := choose(p, probe)
		p = p.Next(m)
		r.Moves = append(r.Moves, m)
	}
	return r
}

// mistakes returns the marks of bad moves.
func mistakes(marks study.Marks) (all []study.Mark) {
	for _, m := range marks.List {
		if m.Kind == study.Mistake {
			all = append(all, m)
		}
	}
	return all
}

// No move of a perfect game is bad by a table, whatever a search thinks of them.
func TestPerfectGameHasNoBadMoves(t *testing.T) {
	for _, set := range rules.Rulesets() {
		table := solved(t, set)
		r := onTable(t, table, func(p rules.Position, probe *exact.Probe) rules.Move {
			last := len(probe.Moves) - 1
			for i := range probe.Moves {
				if m := probe.Moves[last-i]; m.Best {
					return m.Move
				}
			}
			return probe.Moves[p.Ply()%len(probe.Moves)].Move // chance's
		})
		if marks := mistakes(study.Of(r, t.Context().Err, table)); len(marks) > 0 {
			t.Errorf("%v: %v", set, marks)
		}
	}
}

// A table knows by how much a move is bad, and is named as the judge.
func TestTableJudges(t *testing.T) {
	table := solved(t, rules.GPCC2015)
	r := onTable(t, table, func(p rules.Position, probe *exact.Probe) rules.Move {
		return probe.Moves[(p.Ply()*7+3)%len(probe.Moves)].Move
	})
	marks := mistakes(study.Of(r, t.Context().Err, table))
	if len(marks) == 0 {
		t.Fatal("a careless game has no bad moves")
	}
	for _, m := range marks {
		p := r.Start
		for _, played := range r.Moves[:m.Ply-1] {
			p = p.Next(played)
		}
		probe, err := table.Probe(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, own := range probe.Moves {
			if own.Move != r.Moves[m.Ply-1] {
				continue
			}
			worse := max(own.Value.Gain-probe.Value.Gain, probe.Value.Gain-own.Value.Gain)
			if want := fmt.Sprintf(": %v, %v worse than ", own.Move, worse); worse == 0 || !strings.Contains(m.Why, want) || !strings.HasSuffix(m.Why, " under perfect play") {
				t.Errorf("the mark %q, want %q", m.Why, want)
			}
		}
	}
}

// A mark names the tiles where the attacker chooses between them.
func TestMarksNameTiles(t *testing.T) {
	table := solved(t, rules.GPCC2016)
	r := onTable(t, table, func(p rules.Position, probe *exact.Probe) rules.Move {
		return probe.Moves[(p.Ply()*7+3)%len(probe.Moves)].Move
	})
	form, placements := regexp.MustCompile(`^bad move of ann: a [24] at \(\d,\d\), [\d.]+ worse than a [24] at \(\d,\d\) under perfect play$`), 0
	for _, m := range mistakes(study.Of(r, t.Context().Err, table)) {
		if !strings.HasPrefix(m.Why, "bad move of ann") {
			continue
		}
		if placements++; !form.MatchString(m.Why) || r.Moves[m.Ply-1].IsFour() != strings.Contains(m.Why, "ann: a 4") {
			t.Errorf("%v: %q", r.Moves[m.Ply-1], m.Why)
		}
	}
	if placements == 0 {
		t.Error("a careless attacker makes no bad moves")
	}
}

// If no table judges, a search does. It looks deeper at the worst moves than at the others, and says how deep. Its
// evaluation is not in points, so the mark has no number.
func TestSearchJudges(t *testing.T) {
	table := solved(t, rules.GPCC2015)
	r := onTable(t, table, func(p rules.Position, probe *exact.Probe) rules.Move {
		return probe.Moves[(p.Ply()*7+3)%len(probe.Moves)].Move
	})
	marks := mistakes(study.Of(r, t.Context().Err, solved(t, rules.GPCC2016)))
	if len(marks) == 0 {
		t.Fatal("a careless game has no bad moves")
	}
	for _, m := range marks {
		var depth int
		if played := r.Moves[m.Ply-1]; !strings.Contains(m.Why, fmt.Sprintf(": %v, worse than ", played)) {
			t.Errorf("the mark %q of %v has a number", m.Why, played)
		}
		if _, text, _ := strings.Cut(m.Why, "by a search "); text == "" {
			t.Errorf("the mark %q names no judge", m.Why)
		} else if _, err := fmt.Sscanf(text, "%d slides deep", &depth); err != nil || depth <= 3 {
			t.Errorf("the mark %q is of %d slides (%v)", m.Why, depth, err)
		}
	}
}
