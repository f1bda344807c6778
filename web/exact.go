package web

import (
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"

	"versus2048/analysis/exact"
	"versus2048/rules"
)

// tableOf returns the table of a position's rules and board, nil if there is none.
func (s *Site) tableOf(p rules.Position) *exact.Table {
	for _, table := range s.tables {
		if table.Rules() == p.Rules() && table.Size() == p.Size() {
			return table
		}
	}
	return nil
}

// probe returns what a table has about a position, or an error that says why no table has anything.
func (s *Site) probe(p rules.Position) (*exact.Probe, error) {
	if table := s.tableOf(p); table != nil {
		probe, err := table.Probe(p)
		if errors.Is(err, exact.ErrUnreachable) {
			return nil, notFound("This position has no exact value", "No game from the empty board reaches it.")
		}
		return probe, err
	}
	return nil, notFound(fmt.Sprintf("No exact values of %v on %v", p.Rules(), p.Size()),
		"Boards of up to nine cells can be solved: whoever hosts the arena loads a table with “arena serve --table FILE”, made by “arena solve --table FILE”.")
}

// sendExact answers with the value of a position and of each move.
func (s *Site) sendExact(w http.ResponseWriter, r *http.Request) error {
	p, err := s.positionOf(r)
	if err != nil {
		return err
	}
	probe, err := s.probe(p)
	if err != nil {
		return err
	}
	return sendJSON(w, r, probe)
}

// exactView is the values of a position as its page shows them.
type exactView struct {
	Worth string // of the position
	Moves map[rules.Move]exactMove
}

// exactMove is what a move leads to under perfect play.
type exactMove struct {
	Worth string // the final score
	Plies int    // until the end of the game, 0 where that depends on chance
	Best  bool
	Heat  int // from 0, the lowest final score of all moves, to 4, the highest
}

// newExactView returns the view of what a table has about a position.
func newExactView(p rules.Position, probe *exact.Probe) *exactView {
	view := &exactView{Worth: worth(p, probe.Value), Moves: map[rules.Move]exactMove{}}
	low, high := math.Inf(1), math.Inf(-1)
	for _, m := range probe.Moves {
		low, high = min(low, m.Value.Gain), max(high, m.Value.Gain)
	}
	for _, m := range probe.Moves {
		view.Moves[m.Move] = exactMove{worth(p, m.Value), m.Value.Plies, m.Best, heat(m.Value.Gain, low, high)}
	}
	return view
}

// worth writes the final score that a value leads to.
func worth(p rules.Position, v exact.Value) string {
	decimals := 0
	if p.Rules().Chance() {
		decimals = 2
	}
	return number(strconv.FormatFloat(float64(p.Score())+v.Gain, 'f', decimals, 64))
}

// heat returns where a value lies between the lowest and the highest, 0 to 4; 2 if all are equal.
func heat(value, low, high float64) int {
	if low >= high {
		return 2
	}
	return int(math.Round(4 * (value - low) / (high - low)))
}
