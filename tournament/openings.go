package tournament

import (
	"fmt"

	"versus2048/rules"
)

// Openings are the start positions of an event's matches. Both games of a match have the same opening. Matches 2k-1 and
// 2k of a pair of bots start from the k-th opening; with Plan.SeedsAttack match k does. After the last opening the
// first one follows again. Without openings every game starts from the empty board.
type Openings struct {
	Source string   `json:"source,omitzero" toml:"openings"` // the source: a file or random:...
	Starts []string `json:"starts,omitzero" toml:"-"`        // positions in the format of rules.Position
}

// maxOpenings limits the size of an event.
const maxOpenings = 10_000

// NewOpenings returns openings with the given positions.
func NewOpenings(source string, positions []rules.Position) Openings {
	o := Openings{Source: source}
	for _, p := range positions {
		o.Starts = append(o.Starts, p.String())
	}
	return o
}

// Starts returns the possible start positions of the event's games: its openings, or the empty
// board. It returns an error if an opening cannot be the start of a game of the event.
func (e *Event) Starts() ([]rules.Position, error) {
	o := e.Settings.Openings
	if len(o.Starts) > maxOpenings {
		return nil, fmt.Errorf("%d openings: want at most %d", len(o.Starts), maxOpenings)
	}
	var starts []rules.Position
	for i, text := range o.Starts {
		p, err := rules.ParsePosition(e.Rules, text)
		if err == nil {
			err = e.checkStart(p)
		}
		if err != nil {
			return nil, fmt.Errorf("opening %d: %w", i+1, err)
		}
		starts = append(starts, p)
	}
	if starts == nil {
		starts = append(starts, rules.NewPosition(e.Rules, e.Size))
	}
	return starts, nil
}

func (e *Event) checkStart(p rules.Position) error {
	a := e.Settings.Adjudication
	switch {
	case p.Size() != e.Size:
		return fmt.Errorf("position %v: the board is %v, want %v", p, p.Size(), e.Size)
	case p.Over():
		return fmt.Errorf("position %v: the defender is mated", p)
	case a.MaxTile > 0 && p.LargestTile() >= a.MaxTile:
		return fmt.Errorf("position %v: it has a tile of %d, which ends a game of the event", p, p.LargestTile())
	}
	return nil
}
