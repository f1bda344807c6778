package report

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"versus2048/rules"
	"versus2048/tournament"
	"versus2048/tournament/rating"
)

// opening returns the n-th of some positions to start from; 0 is the empty board.
func opening(n int) rules.Position {
	p := rules.NewPosition(rules.GPCC2015, rules.Full)
	if n > 0 {
		return p.Next(p.AppendMoves(nil)[n])
	}
	return p
}

// series returns matches of a and b, each written as a letter for the winner ("-": a
// draw) and a digit for the opening. First and Second swap from one match to the next.
func series(text string) []tournament.MatchResult {
	var matches []tournament.MatchResult
	for i, word := range strings.Fields(text) {
		m := tournament.MatchResult{Pairing: tournament.Pairing{Match: i + 1, First: "a", Second: "b"}, Start: opening(int(word[1] - '0'))}
		if i%2 == 1 {
			m.First, m.Second = "b", "a"
		}
		switch word[:1] {
		case "-":
			m.Outcome = tournament.Drawn
		case m.First:
			m.Outcome = tournament.FirstWins
		default:
			m.Outcome = tournament.SecondWins
		}
		matches = append(matches, m)
	}
	return matches
}

func TestPairsOfMatches(t *testing.T) {
	for _, tc := range []struct {
		matches string
		pairs   rating.Pentanomial // of a
		single  rating.Trinomial
	}{
		{"", rating.Pentanomial{}, rating.Trinomial{}},
		{"a0 a0 b0 -0", rating.Pentanomial{}, rating.Trinomial{Loss: 1, Draw: 1, Win: 2}},
		{"a1 a1 b2 b2 -3 a3", rating.Pentanomial{1, 0, 0, 1, 1}, rating.Trinomial{Loss: 2, Draw: 1, Win: 3}},
		{"a1 b1 -2 -2 b3 -3", rating.Pentanomial{0, 1, 2, 0, 0}, rating.Trinomial{Loss: 2, Draw: 3, Win: 1}},
		// A match while its partner is still being played.
		{"a1 b2 b2 a3", rating.Pentanomial{1, 0, 0, 0, 0}, rating.Trinomial{Loss: 2, Win: 2}},
		// Openings that repeat.
		{"a1 a1 b1 b1", rating.Pentanomial{1, 0, 0, 0, 1}, rating.Trinomial{Loss: 2, Win: 2}},
	} {
		matches := series(tc.matches)
		if got, _ := resultOf("a", matches); got.Pairs != tc.pairs || got.Matches != tc.single {
			t.Errorf("%q: %+v, want %v and %v", tc.matches, got, tc.pairs, tc.single)
		}
		if got, _ := resultOf("b", matches); got.Pairs != tc.pairs.Reversed() || got.Matches != tc.single.Reversed() {
			t.Errorf("%q from the other side: %+v", tc.matches, got)
		}
	}
	// The same bot is First in both: not a pair.
	matches := series("a1 a1")
	matches[1] = matches[0]
	if got, _ := resultOf("a", matches); got.Pairs != (rating.Pentanomial{}) {
		t.Errorf("matches that do not swap First and Second: %+v", got)
	}
}

func TestStrengthText(t *testing.T) {
	for _, tc := range []struct{ matches, want string }{
		{"", "of a, by 0 matches: Elo - (needs 1 match), nElo - (needs matches that end differently), LOS -\n"},
		{"a0", "of a, by 1 match: Elo above -511.50, nElo - (needs matches that end differently), LOS -\n"},
		{"b0 b0", "of a, by 2 matches: Elo below 216.24, nElo - (needs matches that end differently), LOS -\n"},
		{"-0 -0", "of a, by 2 matches: Elo 0.00 +/- 360.02, nElo - (needs matches that end differently), LOS -\n"},
		{"a1 a1 b2 -2 -3 a3 a4", "of a, by 3 pairs of matches: Elo 120.41 [-135.89, -], nElo 131.32 +/- 278.00, LOS 82.3%\n" +
			"Ptnml(0-2) of a: [0 1 0 1 1]\n" +
			"matches still needed for an Elo +/- 50: 180, +/- 20: 1140, +/- 10: 4562\n"},
	} {
		var text strings.Builder
		newStrength(resultOf("a", series(tc.matches))).write(&text, "a")
		if got := strings.ReplaceAll("\n"+text.String(), "\n  ", "\n")[1:]; got != tc.want {
			t.Errorf("%q:\n%swant\n%s", tc.matches, got, tc.want)
		}
	}
}

// A strength that comes from an arena says why figures are absent as one that is computed here does.
func TestStrengthThroughJSON(t *testing.T) {
	for _, matches := range []string{"", "a0", "b0 b0", "-0 -0", "a1 a1", "a1 a1 b2 -2 -3 a3 a4"} {
		want := newStrength(resultOf("a", series(matches)))
		text, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got Strength
		if err := json.Unmarshal(text, &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v (%v), want %+v", matches, got, err, want)
		}
	}
	if err := json.Unmarshal([]byte(`{"trials": "many"}`), new(Strength)); err == nil {
		t.Error("many trials were read")
	}
}

// withLines gives the matches moves: matches with equal letters have equal games.
func withLines(matches []tournament.MatchResult, lines string) []tournament.MatchResult {
	for i := range matches {
		for leg := range matches[i].Legs {
			// In match 2k First and Second are swapped.
			matches[i].Legs[leg].Line = tournament.Line(2*int(lines[i]) + (leg+i)%2)
		}
	}
	return matches
}

// A match that repeats an earlier one says nothing new: it counts once.
func TestRepeatedMatches(t *testing.T) {
	for _, tc := range []struct {
		matches, lines string
		pairs          rating.Pentanomial // of a
		single         rating.Trinomial
		repeated       int64
	}{
		{"a0 a0 a0 a0", "xxxx", rating.Pentanomial{}, rating.Trinomial{Win: 1}, 3},
		{"a0 b0 a0 b0", "xyxy", rating.Pentanomial{}, rating.Trinomial{Loss: 1, Win: 1}, 2},
		{"a0 a0 a0 a0", "xyzu", rating.Pentanomial{}, rating.Trinomial{Win: 4}, 0},
		// Within a pair bots that always answer alike play the same games twice: one trial.
		{"a1 a1 b2 b2", "xxyy", rating.Pentanomial{1, 0, 0, 0, 1}, rating.Trinomial{Loss: 2, Win: 2}, 0},
		{"a1 a1 b2 b2 a1 a1", "xxyyxx", rating.Pentanomial{1, 0, 0, 0, 1}, rating.Trinomial{Loss: 2, Win: 2}, 1},
		{"a1 a1 b2 b2 a1 a1", "xxyyxz", rating.Pentanomial{1, 0, 0, 0, 2}, rating.Trinomial{Loss: 2, Win: 4}, 0},
	} {
		got, repeated := resultOf("a", withLines(series(tc.matches), tc.lines))
		if got.Pairs != tc.pairs || got.Matches != tc.single || repeated != tc.repeated {
			t.Errorf("%q with the lines %q: %+v, %d repeated, want %+v", tc.matches, tc.lines, got, repeated, tc)
		}
	}
}

// Bots that play one game again and again do not get an interval for it.
func TestRepeatedMatchesAreNoEvidence(t *testing.T) {
	matches := withLines(series(strings.Repeat("a0 ", 104)), strings.Repeat("x", 104))
	h := encounterOf("a", "b", matches).headToHead(newTimesheet(), 1)
	if h.Matches.Won != 104 || h.Strength.Trials != 1 || h.Strength.Repeated != 103 || h.Repeated != 103 || !h.Difference.Low.Absent() {
		t.Errorf("won %d, strength %+v, difference %+v", h.Matches.Won, h.Strength, h.Difference)
	}
	var text strings.Builder
	h.writeDetails(&text, 0)
	for _, want := range []string{
		"left out of Elo, LOS and intervals: 103 matches, which repeat earlier ones move by move",
		"counted once: 103 that repeat an earlier one",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is missing in\n%s", want, text.String())
		}
	}
	entries := []tournament.Entry{{Name: "a"}, {Name: "b"}}
	r, err := NewRatings(entries, matches, nil)
	once, onceErr := NewRatings(entries, matches[:1], nil)
	if err != nil || onceErr != nil || r.Groups[0].Bots[0].Elo != once.Groups[0].Bots[0].Elo {
		t.Errorf("ratings %+v, after one match %+v, errors %v, %v", r, once, err, onceErr)
	}
}

// resultOf counts the matches of two bots, in the order of their numbers, from the named bot's side.
func resultOf(name string, matches []tournament.MatchResult) (result rating.Result, repeated int64) {
	c := NewTrials(name)
	for _, m := range matches {
		c.Add(m)
	}
	return c.Result()
}
