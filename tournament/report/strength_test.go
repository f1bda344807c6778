package report

import (
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
		// A match whose partner is still being played.
		{"a1 b2 b2 a3", rating.Pentanomial{1, 0, 0, 0, 0}, rating.Trinomial{Loss: 2, Win: 2}},
		// Openings that repeat.
		{"a1 a1 b1 b1", rating.Pentanomial{1, 0, 0, 0, 1}, rating.Trinomial{Loss: 2, Win: 2}},
	} {
		matches := series(tc.matches)
		if got := resultOf("a", matches); got.Pairs != tc.pairs || got.Matches != tc.single {
			t.Errorf("%q: %+v, want %v and %v", tc.matches, got, tc.pairs, tc.single)
		}
		if got := resultOf("b", matches); got.Pairs != tc.pairs.Reversed() || got.Matches != tc.single.Reversed() {
			t.Errorf("%q from the other side: %+v", tc.matches, got)
		}
	}
	// The same bot is First in both: not a pair.
	matches := series("a1 a1")
	matches[1] = matches[0]
	if got := resultOf("a", matches); got.Pairs != (rating.Pentanomial{}) {
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
		newStrength("a", series(tc.matches)).write(&text, "a")
		if got := strings.ReplaceAll("\n"+text.String(), "\n  ", "\n")[1:]; got != tc.want {
			t.Errorf("%q:\n%swant\n%s", tc.matches, got, tc.want)
		}
	}
}
