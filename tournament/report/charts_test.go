package report

import (
	"bytes"
	"strings"
	"testing"

	"versus2048/picture"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// twoBots returns an event in which two bots have met once, and a third one has not
// played yet.
func twoBots() (tournament.Event, []tournament.MatchResult) {
	e := tournament.Event{Size: rules.Full, Matches: 1, Entries: []tournament.Entry{{Name: "ann"}, {Name: "bob"}, {Name: "late"}}}
	m := tournament.MatchResult{Pairing: tournament.Pairing{Match: 1, Round: 1, Nth: 1, First: "ann", Second: "bob"}}
	m.Legs = [2]tournament.Summary{
		{Score: 1000, LargestTile: 128, Turns: 100, Ending: record.Mate},
		{Score: 500, LargestTile: 64, Turns: 60, Ending: record.Mate},
	}
	m.Outcome, m.By = tournament.FirstWins, tournament.ByScore
	return e, []tournament.MatchResult{m}
}

func drawChart(t *testing.T, format string, e tournament.Event, matches []tournament.MatchResult) []byte {
	t.Helper()
	c := NewCollector(e, nil)
	for _, m := range matches {
		c.Add(m)
	}
	s, err := c.Statistics(NewTimesheet(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := WriteChart(&out, format, s, c); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestWriteChart(t *testing.T) {
	e, matches := twoBots()
	svg := string(drawChart(t, picture.SVG, e, matches))
	for _, want := range []string{"Ratings with 95% intervals", "Scores as defender", "as attacker", ">ann<", ">late<", ">256<"} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %q in the picture", want)
		}
	}
	if strings.Contains(svg, "NaN") {
		t.Error("NaN in the picture")
	}
	if png := drawChart(t, picture.PNG, e, matches); !bytes.HasPrefix(png, []byte("\x89PNG")) {
		t.Errorf("a PNG that starts with %q", png[:8])
	}
}

func TestWriteChartWithoutGames(t *testing.T) {
	e, _ := twoBots()
	if svg := string(drawChart(t, picture.SVG, e, nil)); !strings.Contains(svg, ">late<") {
		t.Error("no names in the picture of an event that has just begun")
	}
}

func TestWriteChartWithoutAttackers(t *testing.T) {
	e, matches := twoBots()
	e.Rules = rules.Solo
	if svg := string(drawChart(t, picture.SVG, e, matches)); strings.Contains(svg, "as attacker") {
		t.Error("an attacker where chance places the tiles")
	}
}
