package regret

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"versus2048/lab/picture"
	"versus2048/rules"
)

// Perfect play loses nothing under any rules.
func TestPerfectHasNoRegret(t *testing.T) {
	for _, r := range rules.Rulesets() {
		table := solve(t, r, smallest)
		s := drawn(t, table, 30, 2)
		if len(s.Positions) == 0 {
			t.Fatalf("%v: no position", r)
		}
		for i, a := range ask(t, s, perfectBot(t, table).Spec) {
			if a.Loss != 0 {
				t.Errorf("%v: perfect loses %v in %v", r, a.Loss, s.Positions[i].Position)
			}
		}
	}
}

// threePositions returns positions of gpcc2015 on 2x2, in the defender's first and second quarter.
// Merging the bottom row to the wrong side ends the game at once.
func threePositions(t *testing.T) *Sample {
	t.Helper()
	table := solve(t, rules.GPCC2015, smallest)
	s := &Sample{Rules: rules.GPCC2015, Size: smallest, Strata: strata(rules.GPCC2015)}
	for i, text := range []string{"4,2/2,2 D", "8,4/2,2 D", "16,4/2,2 D"} {
		p, err := rules.ParsePosition(rules.GPCC2015, text)
		if err != nil {
			t.Fatal(err)
		}
		values, err := table.Moves(p)
		if err != nil {
			t.Fatal(err)
		}
		s.Positions = append(s.Positions, Position{p, Stratum{rules.Defender, 1 + i%2}, values, 1})
	}
	s.searches = make([]search, 2*len(s.Strata))
	s.searches[0], s.searches[1] = search{examined: 3, matter: 1}, search{examined: 1, matter: 1}
	s.searches[2] = search{examined: 2, matter: 1}
	return s
}

// The values are computed by hand from the drawn game tree: right play scores 64, 48 and 16 points
// more, the worst move 4, which loses 60, 44 and 12. That is 38.67 on average with a deviation of
// 24.44, and Student's t reaches 4.3027 * 24.44 / sqrt(3) to each side.
func TestWorstMoves(t *testing.T) {
	s := threePositions(t)
	answers := ask(t, s, worst(solve(t, rules.GPCC2015, smallest)))
	for i, want := range []float64{60, 44, 12} {
		if answers[i].Loss != want {
			t.Errorf("%v in %v loses %v, want %v", answers[i].Move, s.Positions[i].Position, answers[i].Loss, want)
		}
	}
	part := s.part(answers, Stratum{rules.Defender, 0})
	if part.Positions != 3 || part.Optimal.Value.Value != 0 || math.Abs(part.Loss.Value.Value-116.0/3) > 1e-9 {
		t.Errorf("all: %+v", part)
	}
	if reach := part.Loss.High.Value - part.Loss.Value.Value; math.Abs(reach-60.72) > 0.01 {
		t.Errorf("the interval reaches %.2f, want 60.72", reach)
	}
	if part.Worst.Loss != 60 || !strings.HasPrefix(part.Worst.Position, "4,2/2,2 D") {
		t.Errorf("worst: %+v", part.Worst)
	}
	first, third := s.part(answers, Stratum{rules.Defender, 1}), s.part(answers, Stratum{rules.Defender, 3})
	if first.Positions != 2 || first.Loss.Value.Value != 36 || third.Positions != 0 || !third.Loss.Value.Absent() {
		t.Errorf("first quarter %+v, third %+v", first, third)
	}
}

// Under solo values are expectations, which tables round: the largest loss has no more digits than are known.
func TestWorstLossDigits(t *testing.T) {
	f := Figures{Worst: &Mistake{Loss: 413.80662563443184}}
	if got := worstText(f) + " " + f.worst(6); got != "413.81 413.806626" {
		t.Errorf("worst losses %s", got)
	}
	if f.Worst.Loss = 112; worstText(f) != "112" {
		t.Errorf("worst loss %s, want whole points", worstText(f))
	}
}

// A bot that plays the worst move of the table loses as much as possible.
func TestWorstBot(t *testing.T) {
	table := solve(t, rules.GPCC2016, smallest)
	s := drawn(t, table, 20, 2)
	for i, a := range ask(t, s, worst(table)) {
		least, most := math.Inf(1), math.Inf(-1)
		for _, m := range s.Positions[i].Values {
			least, most = min(least, m.Value.Gain), max(most, m.Value.Gain)
		}
		if a.Loss != most-least {
			t.Errorf("in %v it loses %v of %v", s.Positions[i].Position, a.Loss, most-least)
		}
	}
}

// manyBots returns a report on two families with playouts and a random player.
func manyBots(t *testing.T, r rules.Ruleset) Report {
	t.Helper()
	s := drawn(t, solve(t, r, smallest), 12, 2)
	return NewReport(s, []Bot{asked(t, s, "mcts:playouts=1,c=50"), asked(t, s, "random"), asked(t, s, "mcts:playouts=40,c=50"), asked(t, s, "dag:playouts=10")})
}

func TestReportForms(t *testing.T) {
	for _, r := range rules.Rulesets() {
		report := manyBots(t, r)
		var text, table, drawing bytes.Buffer
		if err := errors.Join(report.WriteMarkdown(&text), report.WriteCSV(&table), report.WritePlot(&drawing, picture.SVG)); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{r.String() + " on 2x2", "| random | defender | ", "| mcts:c=50 | defender | 1 to 40 | ", "seed 7"} {
			if !strings.Contains(text.String(), want) {
				t.Errorf("%v: no %q in:\n%s", r, want, text.String())
			}
		}
		if nothing := "| random | attacker | 0 | - | - | - |"; strings.Contains(text.String(), nothing) != (r == rules.GPCC2015) {
			t.Errorf("%v: a role without positions in:\n%s", r, text.String())
		}
		if strings.Contains(text.String(), "attacker") == r.Chance() {
			t.Errorf("%v: attackers in:\n%s", r, text.String())
		}
		if !strings.Contains(table.String(), "\"mcts:playouts=1,c=50\",mcts:c=50,1,defender,0,") {
			t.Errorf("%v: the CSV is\n%s", r, table.String())
		}
		for _, want := range []string{"share of optimal moves", "mean loss", ">mcts:c=50<", ">random<"} {
			if !strings.Contains(drawing.String(), want) {
				t.Errorf("%v: no %q in the plot", r, want)
			}
		}
		if data, err := json.Marshal(report); err != nil || !strings.Contains(string(data), `"effort":{"family":"mcts:c=50","playouts":40}`) {
			t.Errorf("%v: JSON: %s, %v", r, data, err)
		}
	}
}

// A single bot that loses nothing can be drawn.
func TestPlotWithoutLoss(t *testing.T) {
	s := threePositions(t)
	for _, name := range []string{"greedy", "mcts:playouts=10"} {
		report := NewReport(s, []Bot{{name, spec(t, name), make([]Answer, 3)}})
		if err := report.WritePlot(new(bytes.Buffer), picture.PNG); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
