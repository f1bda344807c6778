package report

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"versus2048/tournament"
)

func ratingsText(t *testing.T, r Ratings) string {
	t.Helper()
	var b strings.Builder
	if err := r.WriteText(&b, 0); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func rated(t *testing.T, names string, matches []tournament.MatchResult, anchor *Anchor) Ratings {
	t.Helper()
	r, err := NewRatings(entries(strings.Fields(names)...), matches, anchor)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// renamed returns the matches of a series, with other names for the bots.
func renamed(matches []tournament.MatchResult, a, b string) []tournament.MatchResult {
	names := map[string]string{"a": a, "b": b}
	for i := range matches {
		matches[i].First, matches[i].Second = names[matches[i].First], names[matches[i].Second]
	}
	return matches
}

func TestRatingsText(t *testing.T) {
	matches := append(series("a1 a1 b2 a2 a3 -3"), renamed(series("a1 a1 a2 a2"), "b", "c")...)
	matches = append(matches, renamed(series("a0 b0 -0"), "x", "y")...)
	if got := ratingsText(t, rated(t, "x y z a b c", matches, &Anchor{"b", 1500})); got != ratingsGolden {
		t.Errorf("got:\n%s\nwant:\n%s", got, ratingsGolden)
	}
}

func TestRatingsOfTwoBotsAreTheirElo(t *testing.T) {
	matches := series(strings.Repeat("a0 a0 b0 ", 100))
	r := rated(t, "b a", matches, &Anchor{"b", 0})
	elo, best := newStrength(resultOf("a", matches)).Elo, r.Groups[0].Bots[0]
	if best.Name != "a" || math.Abs(best.Elo.Value.Value-elo.Value.Value) > 1 || math.Abs(best.Elo.Low.Value-elo.Low.Value) > 2 {
		t.Errorf("rated %+v, Elo %+v", best, elo)
	}
	if los := best.Superiority; len(los) != 2 || !los[0].Absent() || los[1].Value < 0.999 || best.Total != (tournament.Tally{Won: 200, Lost: 100}) {
		t.Errorf("rated %+v", best)
	}
}

func TestRatingsOfFewMatches(t *testing.T) {
	for _, matches := range []string{"", "a0", "b0", "-0", "a0 b0", "a0 a0", "-0 -0", "a1 a1", "-1 b1"} {
		r := rated(t, "a b c", series(matches), nil)
		encoded, err := json.Marshal(r) // fails on a NaN or an infinity
		if err != nil {
			t.Fatal(err)
		}
		var back Ratings
		if err := json.Unmarshal(encoded, &back); err != nil {
			t.Fatal(err)
		}
		text := ratingsText(t, back)
		if text != ratingsText(t, r) || strings.Contains(text, "NaN") || strings.Contains(text, "Inf") || !strings.Contains(text, "Not rated, without a finished match: ") {
			t.Errorf("%q:\n%s", matches, text)
		}
	}
}

func TestRatingsAnchorMustBeThere(t *testing.T) {
	if _, err := NewRatings(entries("a", "b"), nil, &Anchor{"c", 0}); err == nil || !strings.Contains(err.Error(), `"c"`) {
		t.Errorf("an anchor that is not in the event: %v", err)
	}
	if text := ratingsText(t, rated(t, "a b c", series("a0 b0"), &Anchor{"c", 9})); !strings.Contains(text, "The mean of each table is 0.") {
		t.Errorf("an anchor without a match:\n%s", text)
	}
	if err := rated(t, "a b", nil, nil).WriteText(full{}, 0); !errors.Is(err, errFull) {
		t.Error(err)
	}
}

const ratingsGolden = `     bot     Elo     low    high  played  points     1     2     3
  1  a    1651.1  1378.5  1923.6       6     4.5     -  86.1  97.4
  2  b    1500.0  1500.0  1500.0      10     5.5  13.9     -  94.3
  3  c    1092.3       -  1598.1       4     0.0   2.6   5.7     -

  1  a                       |--------------o-------------|
  2  b                              o
  3  c    <---o--------------------------|
          1009                                     1924 Elo

The results alone do not limit some differences. Each bot is therefore given half a win and half a loss
against the same imaginary opponent.
c has lost every match, so its rating has no lower limit.

No match connects the bots above with these:

     bot  Elo     low   high  played  points     1     2
  1  x    0.0  -155.4  155.4       3     1.5     -  50.0
  2  y    0.0  -155.4  155.4       3     1.5  50.0     -

  1  x    |-----------------------o-----------------------|
  2  y    |-----------------------o-----------------------|
          -155                                      155 Elo

Not rated, without a finished match: z.

Elo by all matches at once: maximum likelihood, Bradley and Terry's model with Davidson's draws;
low and high are the ends of 95% intervals.
In its table b is fixed at 1500 and the intervals are relative to it; the mean of any other table is 0.
A column's number is the rank of the opponent. A cell has the likelihood of superiority in percent.
`

func TestBars(t *testing.T) {
	none := Figure{Needs: unlimited}
	for _, tc := range []struct {
		i    Interval
		want string
	}{
		{Interval{Figure{Value: 0}, Figure{Value: -24}, Figure{Value: 24}}, "|" + strings.Repeat("-", 23) + "o" + strings.Repeat("-", 23) + "|"},
		{Interval{Figure{Value: -20}, none, Figure{Value: -16}}, "<---o---|" + strings.Repeat(" ", 40)},
		{Interval{none, Figure{Value: 22}, none}, strings.Repeat(" ", 46) + "|->"},
		{Interval{Figure{Value: 24}, Figure{Value: 24}, Figure{Value: 24}}, strings.Repeat(" ", 48) + "o"},
	} {
		if got := tc.i.bar(-24, 24); got != tc.want {
			t.Errorf("bar of %v: %q, want %q", tc.i, got, tc.want)
		}
	}
}
