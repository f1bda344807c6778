package report

import (
	"bytes"
	"encoding/xml"
	"math"
	"strconv"
	"strings"
	"testing"

	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// twoBots returns an event of three bots: two have met once, and the third has not played yet.
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
	s, err := c.Statistics(nil)
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
	svg := string(drawChart(t, SVG, e, matches))
	for _, want := range []string{"Ratings with 95% intervals", "Scores as defender", "As attacker", ">ann<", ">late<", ">256<"} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %q in the picture", want)
		}
	}
	if strings.Contains(svg, "NaN") {
		t.Error("NaN in the picture")
	}
	if png := drawChart(t, PNG, e, matches); !bytes.HasPrefix(png, []byte("\x89PNG")) {
		t.Errorf("a PNG that starts with %q", png[:8])
	}
}

func TestWriteChartWithoutGames(t *testing.T) {
	e, _ := twoBots()
	if svg := string(drawChart(t, SVG, e, nil)); !strings.Contains(svg, ">late<") {
		t.Error("no names in the picture of an event that has just begun")
	}
}

func TestWriteChartWithoutAttackers(t *testing.T) {
	e, matches := twoBots()
	e.Rules = rules.Solo
	if svg := string(drawChart(t, SVG, e, matches)); strings.Contains(svg, "As attacker") {
		t.Error("an attacker where chance places the tiles")
	}
}

// A name in another script comes with a list of fonts that have its letters. An end of an interval is infinite if the
// results do not limit it.
func TestChartOfWinnerAndWideNames(t *testing.T) {
	e, matches := twoBots()
	e.Entries[0].Name, matches[0].First = "強いボット", "強いボット" // it has won its only match
	svg := string(drawChart(t, SVG, e, matches))
	for _, want := range []string{">強いボット<", "'Noto Sans CJK JP'", "sans-serif"} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %q in the picture", want)
		}
	}
	if strings.Contains(svg, ",;") || strings.Contains(svg, ",,") {
		t.Error("the list of fonts is broken")
	}
	if err := xml.Unmarshal([]byte(svg), new(struct{})); err != nil {
		t.Error(err)
	}
	if low, high := (Interval{Figure{Value: 5}, Figure{Value: 1}, Figure{Needs: unlimited}}).Ends(); low != 1 || !math.IsInf(high, 1) {
		t.Errorf("ends %v and %v", low, high)
	}
}

// The curves have the whole room of their plots: the key stands below the plots, for any number of bots.
func TestKeyIsBelowThePlots(t *testing.T) {
	height := func(bots int) float64 {
		e, matches := twoBots()
		e.Entries = e.Entries[:2]
		for _, name := range longNames(bots + 2)[4:] {
			e.Entries = append(e.Entries, tournament.Entry{Name: name})
			m := matches[0]
			m.Match, m.Second = len(matches)+1, name
			matches = append(matches, m)
		}
		svg := string(drawChart(t, SVG, e, matches))
		_, rest, _ := strings.Cut(svg, `height="`)
		points, _, _ := strings.Cut(rest, "pt")
		height, err := strconv.ParseFloat(points, 64)
		if err != nil {
			t.Fatal(err)
		}
		// Each bot is named in the ratings, in the scores and in the key.
		if n := strings.Count(svg, ">ann<"); n != 3 {
			t.Errorf("ann is named %d times", n)
		}
		return height
	}
	if few, more := height(3), height(8); more <= few {
		t.Errorf("a picture of 3 bots is %v high, one of 8 bots %v", few, more)
	}
}
