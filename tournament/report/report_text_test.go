package report

import (
	"strings"
	"testing"

	"versus2048/tournament"
	"versus2048/tournament/format"
	"versus2048/tournament/rating"
)

func TestReport(t *testing.T) {
	pairs := rating.Pentanomial{34, 54, 63, 64, 75}
	elo, _ := rating.Elo(pairs)
	normalized, _ := rating.NormalizedElo(pairs)
	los, _ := rating.Superiority(pairs)
	h := HeadToHead{
		First: BotStats{Name: "ann"}, Second: BotStats{Name: "b\x1bob"},
		Matches: tournament.Tally{Won: 300, Drawn: 72, Lost: 208},
		Strength: Strength{
			Trials: 290, Pairs: &pairs, Elo: newInterval(elo, true, ""), Normalized: newInterval(normalized, true, ""),
			Superiority: Figure{Value: los},
		},
	}
	test := &tournament.TestState{LLR: 2.25, Lower: -2.94, Upper: 2.94, Test: rating.SPRT{Elo0: 0, Elo1: 2}}
	want := `Results of ann vs b?ob (290 pairs of matches):
Elo: 55.58 +/- 27.65, nElo: 57.94 +/- 28.28
LOS: 100.00 %, DrawRatio: 21.72 %
Matches: 580, Wins: 300, Losses: 208, Draws: 72, Points: 336.0 (57.93 %)
Ptnml(0-2): [34, 54, 63, 64, 75]
LLR: 2.25 (76.5%) (-2.94, 2.94) [0.00, 2.00]
`
	if got := h.Report(test); got != want {
		t.Errorf("report\n%s\nwant\n%s", got, want)
	}
	test.LLR = -1.47
	if got := h.Report(test); !strings.Contains(got, "LLR: -1.47 (-50.0%) (-2.94, 2.94)") {
		t.Errorf("report\n%s", got)
	}
	none := NewHeadToHead("ann", "bob", nil, 1).Report(nil)
	if !strings.Contains(none, "(0 matches)") || strings.Contains(none, "NaN") || strings.Contains(none, "LLR") || !strings.Contains(none, "LOS: -, DrawRatio: -\n") {
		t.Errorf("report of nothing\n%s", none)
	}
}

func TestStandingsLine(t *testing.T) {
	s := tournament.Standings{Format: format.Swiss, Columns: []string{"points", "margin"}, Places: []tournament.Place{
		{Place: 1, Name: "ann", Values: []float64{3.5, 10}},
		{Place: 2, Name: "bob", Values: []float64{2, 0}},
		{Place: 2, Name: "cid", Values: []float64{2, 0}},
		{Place: 4, Name: "dan", Values: []float64{0, -10}},
	}}
	if got, want := StandingsLine(s), "points: 1. ann 3.5, 2. bob 2, 2. cid 2, ..."; got != want {
		t.Errorf("line %q, want %q", got, want)
	}
	s.Test = &tournament.TestState{First: "ann", LLR: 1, Lower: -2, Upper: 2, Outcome: "running"}
	if got := StandingsLine(s); !strings.HasPrefix(got, "sprt of ann: LLR 1.00 (-2.00, 2.00)") {
		t.Errorf("line %q", got)
	}
	s.Test.Outcome = "H1"
	var text strings.Builder
	if err := WriteStandings(&text, s); err != nil || !strings.Contains(text.String(), "sprt of ann: LLR ") || !strings.Contains(text.String(), "H1 is accepted") {
		t.Errorf("%s (error %v)", text.String(), err)
	}
}
