package experiment

import (
	"fmt"

	"versus2048/tournament"
)

// ImprovementEvents are the events in which variants play MCTS2 at equal time
// per move, named such as "improvement edges". The error says which setting is
// out of range.
func ImprovementEvents(variants []Variant, s Settings) ([]tournament.Event, error) {
	if s.Time < 1 {
		return nil, fmt.Errorf("%d milliseconds a move: want at least 1", s.Time)
	}
	var events []tournament.Event
	for _, v := range variants {
		e, err := s.eventOf("improvement "+v.Name,
			tournament.Entry{Name: v.Name, Spec: v.spec(s.Time)},
			tournament.Entry{Name: nameMCTS2, Spec: fmt.Sprintf("dag:time=%d", s.Time)})
		if err != nil {
			return nil, err
		}
		events = append(events, e)
	}
	return events, nil
}

// Improvements are variants measured against MCTS2.
type Improvements struct {
	Level float64       `json:"level"` // of all intervals
	Rows  []Improvement `json:"rows"`
}

// Improvement is what a variant's matches against MCTS2 come to.
type Improvement struct {
	Event      int64                 `json:"event"`      // its number, 0 if it is not on record
	Name       string                `json:"name"`       // the variant's
	Change     string                `json:"change"`     // see Variant
	Conditions string                `json:"conditions"` // see Conditions
	Games      tournament.HeadToHead `json:"head_to_head"`
	Share      Interval              `json:"share"` // of matches won, 0 to 1; a draw is half a match
	Finding    Finding               `json:"finding"`
}

// NewImprovements makes the table of what is played of the variants' events,
// given in their order.
func NewImprovements(variants []Variant, played []Played) Improvements {
	t := Improvements{Level: Level}
	for i, v := range variants {
		t.Rows = append(t.Rows, newImprovement(v, played[i]))
	}
	return t
}

func newImprovement(v Variant, played Played) Improvement {
	e := played.Event
	h := tournament.NewHeadToHead(v.Name, nameMCTS2, played.Games, e.Seed)
	return Improvement{
		Event:      e.ID,
		Name:       v.Name,
		Change:     v.Change,
		Conditions: Conditions(e),
		Games:      h,
		Share:      wilsonOf(h.Matches.Points(), h.Matches.Played(), "match"),
		Finding:    played.Finding(),
	}
}

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
	m := tournament.NewHeadToHead(e[0].Name, e[1].Name, p.Games, p.Event.Seed).Matches
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
