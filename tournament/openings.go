package tournament

import (
	"fmt"

	"versus2048/rules"
)

// Openings are the positions that an event's matches start from. Both games of a
// match start from the same one, and so do the two matches of a pair: the k-th
// opening is that of the matches 2k-1 and 2k of the same two bots, and after the
// last opening comes the first one again. Without openings every game starts
// from the empty board.
type Openings struct {
	Source string   `json:"source,omitzero"` // where they come from, for people
	Starts []string `json:"starts,omitzero"` // positions as rules.Position writes them
}

// maxOpenings keeps an event small enough to be sent and read.
const maxOpenings = 10_000

// NewOpenings are the openings with the given positions.
func NewOpenings(source string, positions []rules.Position) Openings {
	o := Openings{Source: source}
	for _, p := range positions {
		o.Starts = append(o.Starts, p.String())
	}
	return o
}

// Starts are the positions that the event's games may start from: its openings,
// or the empty board. It returns an error if an opening can't be the start of a
// game of the event.
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
		return fmt.Errorf("position %v: it has a tile of %d, at which a game of the event ends", p, p.LargestTile())
	}
	return nil
}
