package experiment

import (
	"fmt"

	"versus2048/tournament"
	"versus2048/tournament/report"
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
	Event      int64             `json:"event"`      // its number, 0 if it is not on record
	Name       string            `json:"name"`       // the variant's
	Change     string            `json:"change"`     // see Variant
	Spec       string            `json:"spec"`       // the variant's, with all its options
	Conditions string            `json:"conditions"` // see Conditions
	Games      report.HeadToHead `json:"head_to_head"`
	Share      report.Interval   `json:"share"` // of matches won, 0 to 1; a draw is half a match
	Finding    Finding           `json:"finding"`
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
	h := report.NewHeadToHead(v.Name, nameMCTS2, played.Games, e.Seed)
	return Improvement{
		Event:      e.ID,
		Name:       v.Name,
		Change:     v.Change,
		Spec:       e.Entries[0].Spec,
		Conditions: Conditions(e),
		Games:      h,
		Share:      ShareInterval(h.Matches.Points(), h.Matches.Played(), "match"),
		Finding:    played.Finding(),
	}
}
