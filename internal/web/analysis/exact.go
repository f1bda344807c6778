package analysis

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"versus2048/internal/study"
	"versus2048/internal/web/templates"
	"versus2048/players/exact"
	"versus2048/rules"
)

// Tables are tables of exact values.
type Tables []*exact.Table

// Of returns the table of a position's rules and board, nil if there is none.
func (t Tables) Of(p rules.Position) *exact.Table { return study.Values(t).Table(p) }

// Probe returns the values of a position from a table, or an error that tells why no table has them.
func (t Tables) Probe(p rules.Position) (*exact.Probe, error) {
	if table := t.Of(p); table != nil {
		probe, err := table.Probe(p)
		if errors.Is(err, exact.ErrUnreachable) {
			return nil, missing("This position has no exact value", "No game from the empty board reaches it.")
		}
		return probe, err
	}
	return nil, missing(fmt.Sprintf("No exact values of %v on %v", p.Rules(), p.Size()),
		"Boards of up to nine cells can be solved: the host of the arena loads a table with “arena serve --table FILE”, made by “lab solve --table FILE”.")
}

// Exact has the exact values of a position for its page.
type Exact struct {
	Worth  string // of the position
	Moves  map[rules.Move]ExactMove
	Marked bool // whether some moves are Best; moves of chance never are
}

// ExactMove is the result of a move under perfect play.
type ExactMove struct {
	Worth string // the final score
	Plies int    // until the end of the game, 0 if their number depends on chance
	Best  bool
	Heat  int // from 0, the lowest final score of all moves, to 4, the highest
}

// View returns the exact values of a position for its page. It returns an error if no table has them.
func (t Tables) View(p rules.Position) (*Exact, error) {
	probe, err := t.Probe(p)
	if err != nil {
		return nil, err
	}
	view := &Exact{Worth: worth(p, probe.Value), Moves: map[rules.Move]ExactMove{}}
	low, high := math.Inf(1), math.Inf(-1)
	for _, m := range probe.Moves {
		low, high = min(low, m.Value.Gain), max(high, m.Value.Gain)
	}
	for _, m := range probe.Moves {
		view.Moves[m.Move] = ExactMove{worth(p, m.Value), m.Value.Plies, m.Best, heat(m.Value.Gain, low, high)}
		view.Marked = view.Marked || m.Best
	}
	return view, nil
}

// worth writes the final score that a value leads to.
func worth(p rules.Position, v exact.Value) string {
	decimals := 0
	if p.Rules().Chance() {
		decimals = 2
	}
	return templates.Number(strconv.FormatFloat(float64(p.Score())+v.Gain, 'f', decimals, 64))
}

// heat returns the place of a value between the lowest and the highest one, 0 to 4; 2 if all are equal.
func heat(value, low, high float64) int {
	if low >= high {
		return 2
	}
	return int(math.Round(4 * (value - low) / (high - low)))
}
