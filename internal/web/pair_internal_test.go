package web

import (
	"math"
	"testing"

	"versus2048/results"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
	"versus2048/tournament/rating"
	"versus2048/tournament/report"
)

func TestVerdict(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		elo  rating.Interval
		want string
	}{
		{rating.Interval{Value: 70, Low: 3, High: 137}, "A is stronger by 70 ± 67 Elo."},
		{rating.Interval{Value: -70, Low: -137, High: -3}, "B is stronger by 70 ± 67 Elo."},
		{rating.Interval{Value: 10, Low: -57, High: 77}, "A is ahead by 10 ± 67 Elo, which may be chance."},
		{rating.Interval{Value: 0.2, Low: -50, High: 50}, "A and B are equally strong, ± 50 Elo."},
		{rating.Interval{Value: inf, Low: 100, High: inf}, "A is stronger by at least 100 Elo: it has won every match."},
		{rating.Interval{Value: -inf, Low: -inf, High: -100}, "B is stronger by at least 100 Elo: it has won every match."},
		{rating.Interval{Value: 500, Low: 300, High: inf}, "A is stronger by 500 Elo, and by at least 300."},
		{rating.Interval{Value: inf, Low: -inf, High: inf}, "A has won every match; how much stronger it is cannot be said yet."},
	} {
		if got := strengthText(c.elo, true, "A", "B"); got != c.want {
			t.Errorf("%v: %q, want %q", c.elo, got, c.want)
		}
	}
}

// The page of two bots has the same Elo as the page of their event: openings make pairs, repeated matches count once,
// and a match without a partner does not count beside pairs.
func TestPairsAsInEvents(t *testing.T) {
	starts := []string{"0,2,0,0/0,0,0,2/0,0,0,0/0,0,2,0 D 0 5", "2,2,0,0/0,0,0,2/0,0,0,0/0,0,2,0 D 0 5"}
	for name, c := range map[string]struct {
		starts []string
		lines  []tournament.Line // of the matches' games
	}{
		"pairs":              {starts, []tournament.Line{1, 2, 3, 4, 5, 6}},
		"half a pair":        {starts, []tournament.Line{1, 2, 3, 4, 5}},
		"half a pair repeat": {starts, []tournament.Line{1, 2, 3, 1, 5, 6}},
		"a pair repeats":     {starts, []tournament.Line{1, 2, 3, 4, 1, 2, 5, 6}},
		"no openings":        {nil, []tournament.Line{1, 2, 1, 3, 4}},
	} {
		e := tournament.Event{
			Size: rules.Full, Matches: len(c.lines), Concurrency: 1, Entries: []tournament.Entry{{Name: "a"}, {Name: "b"}},
			Settings: tournament.Settings{Openings: tournament.Openings{Starts: c.starts}},
		}
		collector, matches := report.NewCollector(e, nil), playedBy(t, e, c.lines)
		for _, m := range matches {
			collector.Add(m.MatchResult)
		}
		met := newMeeting(&e, matches, meetingKey{first: "a", second: "b"})
		variant := pairVariant{counts: met.counts}
		variant.judge("a", "b")
		want := collector.HeadToHeads()[0]
		if *variant.Elo != want.Strength.Elo || variant.Margins != want.Difference.Matches || variant.Margin != want.Difference.Value.Value {
			t.Errorf("%s: Elo %v, difference %v of %d; the event has %v, %v of %d", name, *variant.Elo, variant.Margin, variant.Margins,
				want.Strength.Elo, want.Difference.Value.Value, want.Difference.Matches)
		}
		if table := collector.Crosstable(); met.Repeated != table.Repeated {
			t.Errorf("%s: %d repeated matches, the event has %d", name, met.Repeated, table.Repeated)
		}
	}
}

// Where one of two events has no pairs, the matches of both count one by one.
func TestPairsOfSeveralEvents(t *testing.T) {
	paired := sample{result: rating.Result{Matches: rating.Trinomial{Win: 3, Loss: 1}, Pairs: rating.Pentanomial{1: 1, 4: 1}}}
	single := sample{result: rating.Result{Matches: rating.Trinomial{Win: 1, Draw: 2}}, unpaired: true}
	sum := paired
	sum.plus(&single)
	got, _ := sum.elo()
	want, _ := rating.Elo(rating.Trinomial{Win: 4, Draw: 2, Loss: 1})
	if got != want {
		t.Errorf("Elo %v, want %v", got, want)
	}
	sum = paired
	sum.plus(&paired)
	got, _ = sum.elo()
	if want, _ := rating.Elo(rating.Pentanomial{1: 2, 4: 2}); got != want {
		t.Errorf("two paired events: Elo %v, want %v", got, want)
	}
}

// playedBy returns matches of an event of two bots. Games with the same line are the same games.
func playedBy(t *testing.T, e tournament.Event, lines []tournament.Line) (all []results.Encounter) {
	t.Helper()
	starts, err := e.Starts()
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range lines {
		m := tournament.MatchResult{Pairing: tournament.Pairing{Match: i + 1, Nth: i + 1, First: "a", Second: "b"}, By: tournament.ByScore}
		m.Start, m.Outcome = starts[i/2%len(starts)], []tournament.Outcome{tournament.FirstWins, tournament.Drawn, tournament.SecondWins}[int(line)%3]
		for leg := range m.Legs {
			m.Legs[leg] = tournament.Summary{Score: 100 * int(line), Ending: record.Mate, Line: line}
		}
		m.Legs[int(line)%2].Score += 10 * (int(line)%3 - 1)
		if i%2 == 1 {
			m.First, m.Second = m.Second, m.First
		}
		all = append(all, results.Encounter{MatchResult: m})
	}
	return all
}
