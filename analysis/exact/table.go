package exact

import (
	"errors"
	"fmt"

	"versus2048/rules"
)

// Table knows the value of every position of a solved game. Many goroutines may
// ask it at once.
type Table struct {
	game
	layers []tableLayer // by half the sum of tiles
	close  func() error
}

func newTable(g game, layers int) *Table {
	return &Table{game: g, layers: make([]tableLayer, layers), close: func() error { return nil }}
}

// Rules is the rule set that was solved.
func (t *Table) Rules() rules.Ruleset { return t.rules }

// Size is the size of the board that was solved.
func (t *Table) Size() rules.Size { return t.size }

// Close gives back the table's file. The table is of no use then.
func (t *Table) Close() error { return t.close() }

// ErrUnreachable says that no game from the empty board comes to a position.
var ErrUnreachable = errors.New("it cannot be reached from the empty board")

// Value is what the position is worth. Only the board and the side to move
// count, not the score and the ply. It returns an error for a position of
// another game, and one that wraps ErrUnreachable.
func (t *Table) Value(p rules.Position) (Value, error) {
	w, err := t.worth(p)
	if err != nil {
		return Value{}, err
	}
	return t.value(w, p.SideToMove()), nil
}

// Moves are the legal moves in the order of AppendMoves, with their values; none
// for a mated defender. It returns the errors that Value returns.
func (t *Table) Moves(p rules.Position) ([]MoveValue, error) {
	if err := t.check(p); err != nil {
		return nil, err
	}
	var values []MoveValue
	for _, m := range p.AppendMoves(nil) {
		w, ok := t.after(p.Board(), m)
		if !ok {
			return nil, unreachable(p)
		}
		values = append(values, MoveValue{m, t.value(w, p.SideToMove())})
	}
	return values, nil
}

// value splits a worth into what p's side to move is told.
func (t *Table) value(w worth, toMove rules.Side) Value {
	if t.rules.Chance() {
		return Value{Gain: float64(w)}
	}
	gain, turns := w.apart()
	plies := 2 * turns
	if toMove == rules.Attacker {
		plies++ // the last placement, which mates
	}
	return Value{gain, plies}
}

// worth is the worth of a position.
func (t *Table) worth(p rules.Position) (worth, error) {
	if err := t.check(p); err != nil {
		return 0, err
	}
	if p.SideToMove() == rules.Attacker {
		w, _ := t.find(p.Board())
		return w, nil
	}
	w, ok := t.slide(p.Board())
	if !ok {
		return 0, unreachable(p)
	}
	return w, nil
}

// check returns an error for a position that the table does not know.
func (t *Table) check(p rules.Position) error {
	switch {
	case p.Rules() != t.rules || p.Size() != t.size:
		return fmt.Errorf("position of %v on %v: the table is of %v on %v", p.Rules(), p.Size(), t.rules, t.size)
	case !t.reaches(p):
		return unreachable(p)
	}
	return nil
}

func unreachable(p rules.Position) error { return fmt.Errorf("position %v: %w", p, ErrUnreachable) }
