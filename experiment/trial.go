package experiment

import (
	"fmt"

	"versus2048/tournament"
	"versus2048/tournament/report"
)

// Finding is what the matches say of the event's first bot by the sequential
// test. It goes through them by their numbers and not beyond one that is still
// open: games with high scores take longer, so that the matches that are over
// first are no fair sample.
func (p Played) Finding() Finding {
	first, test := p.Event.Entries[0].Name, newSequential()
	for i, m := range tournament.Matches(p.Games) {
		if m.Match != i+1 {
			break
		}
		test.add(won(m, first))
	}
	return test.finding()
}

// Next is how many matches the event is to have next: those it has on record
// until all are decided, then a batch more until the sequential test has ended or
// most are played. It is 0 if nothing is left to play.
func (p Played) Next(most, batch int) int {
	recorded := 0
	if p.Event.ID != 0 {
		recorded = p.Event.Matches
	}
	switch {
	case len(tournament.Matches(p.Games)) < recorded:
		return recorded
	case recorded >= most || p.Finding() != Undecided:
		return 0
	}
	return min(most, recorded+batch)
}

// GamesLeft is how many games are left to play if the sequential test, unless it
// has ended, goes on until most matches are played.
func (p Played) GamesLeft(most int) int {
	if p.Next(most, most) == 0 {
		return 0
	}
	return max(0, 2*most-len(p.Games))
}

// Summary is such as "16 matches, 12-0-4: better".
func (p Played) Summary() string {
	e := p.Event.Entries
	m := report.NewHeadToHead(e[0].Name, e[1].Name, p.Games, p.Event.Seed).Matches
	return fmt.Sprintf("%d matches, %s: %s", m.Played(), wonDrawnLost(m), p.Finding())
}

// wonDrawnLost is such as "12-0-4".
func wonDrawnLost(t tournament.Tally) string {
	return fmt.Sprintf("%d-%d-%d", t.Won, t.Drawn, t.Lost)
}

// won is 1 for a match that the named bot won, 0 for one it lost, 1/2 for a draw.
func won(m tournament.MatchResult, name string) float64 {
	switch {
	case m.Outcome == tournament.Drawn:
		return 0.5
	case (m.Outcome == tournament.FirstWins) == (m.First == name):
		return 1
	}
	return 0
}
