package analysis_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"versus2048/internal/web/analysis"
	"versus2048/rules"
	"versus2048/rules/record"
)

// played returns the beginning of a game.
func played(plies int) *record.Record {
	r := &record.Record{Start: rules.NewPosition(rules.GPCC2015, rules.Full)}
	p := r.Start
	for i := range plies {
		moves := p.AppendMoves(nil)
		r.Moves = append(r.Moves, moves[i%len(moves)])
		r.Times = append(r.Times, time.Duration(i+1)*time.Microsecond)
		p = p.Next(r.Moves[i])
	}
	return r
}

// The lines have plies and values, of each side its own.
func TestCurves(t *testing.T) {
	c := analysis.NewCurves(played(6))
	var titles []string
	for _, chart := range c.Charts {
		titles = append(titles, chart.Title)
	}
	if got := strings.Join(titles, ", "); got != "score, time, ms" {
		t.Fatalf("the charts are %q", got)
	}
	lines := c.Charts[1].Lines
	if lines[0].Name != "attacker" || lines[0].Points != "1,0.001 3,0.003 5,0.005 " || lines[1].Points != "2,0.002 4,0.004 6,0.006 " {
		t.Errorf("the times are %+v", lines)
	}
	if none := analysis.NewCurves(played(0)); len(none.Charts) != 0 {
		t.Errorf("before the first ply there are %+v", none.Charts)
	}
}

// However long a game is, its curves have at most as many points, and they keep the largest values.
func TestCurvesOfLongGame(t *testing.T) {
	long := played(1)
	long.Moves = slices.Repeat(long.Moves, 50_000) // nobody plays so, but curves do not mind
	long.Times = make([]time.Duration, len(long.Moves))
	long.Times[33_333] = time.Second
	c := analysis.NewCurves(long)
	for _, chart := range c.Charts {
		for _, line := range chart.Lines {
			if points := strings.Fields(line.Points); len(points) > analysis.MostPoints+1 {
				t.Errorf("%s has %d points", chart.Title, len(points))
			}
		}
	}
	if times := c.Charts[1].Lines[1].Points; !strings.Contains(times, ",1000 ") {
		t.Errorf("the longest time is left out: %.200s", times)
	}
}
