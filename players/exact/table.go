package exact

import (
	"errors"
	"fmt"
	"slices"

	"versus2048/rules"
)

// Table holds the value of every position of a solved game. It is safe for
// concurrent use.
type Table struct {
	game   Game
	layers []tableLayer // by half the sum of tiles
	close  func() error
}

func newTable(g Game, layers int) *Table {
	return &Table{game: g, layers: make([]tableLayer, layers), close: func() error { return nil }}
}

// Rules returns the rule set of the solved game.
func (t *Table) Rules() rules.Ruleset { return t.game.Rules }

// Size returns the board size of the solved game.
func (t *Table) Size() rules.Size { return t.game.Size }

// Close releases the table's file. The table must not be used afterwards.
func (t *Table) Close() error { return t.close() }

// States returns the number of positions with the attacker to move in the table. Positions that are equal under
// a symmetry count once. The values of all other positions follow from these.
func (t *Table) States() int {
	n := 0
	for _, l := range t.layers {
		n += l.states
	}
	return n
}

// ErrUnreachable is the error for a position that no game from the empty board
// reaches.
var ErrUnreachable = errors.New("it cannot be reached from the empty board")

// Value is the value of a position if both sides play perfectly. Perfect play is lexicographic: the defender
// wants the higher final score and then the longer game, the attacker the lower final score and then the
// shorter game. Under solo the defender wants the higher expected score.
type Value struct {
	// Gain is the defender's score from the position on: a whole number, or under solo an expectation. The
	// final score is the position's score plus Gain.
	Gain float64 `json:"gain"`
	// Plies is the number of plies until the end of the game. It is 0 under solo, where it depends on chance.
	Plies int `json:"plies"`
}

// MoveValue is a legal move with the value of playing it. The value includes the
// move's own gain, and its plies count from before the move.
type MoveValue struct {
	Move  rules.Move `json:"move"`
	Value Value      `json:"value"`
}

// Value returns the value of the position. Only the board and the side to move matter, not the score and the
// ply. It returns an error for a position of a different game, and an error that wraps ErrUnreachable for a
// position that no game from the empty board reaches.
func (t *Table) Value(p rules.Position) (Value, error) {
	w, err := t.worth(p)
	if err != nil {
		return Value{}, err
	}
	return t.value(w, p.SideToMove()), nil
}

// Gain returns the number of points that are still to come on a board with the attacker, or chance, to move. ok
// is false for a board that is not in the table.
func (t *Table) Gain(b rules.Board) (points float64, ok bool) {
	w, ok := t.attackerWorth(b)
	if !ok {
		return 0, false
	}
	return t.value(w, rules.Attacker).Gain, true
}

// Moves returns the legal moves in the order of AppendMoves with their values, none
// for a mated defender. It returns the same errors as Value.
func (t *Table) Moves(p rules.Position) ([]MoveValue, error) {
	if err := t.check(p); err != nil {
		return nil, err
	}
	var values []MoveValue
	for _, m := range p.AppendMoves(nil) {
		w, ok := t.moveWorth(p.Board(), m)
		if !ok {
			return nil, unreachable(p)
		}
		values = append(values, MoveValue{m, t.value(w, p.SideToMove())})
	}
	return values, nil
}

// Best returns the moves that keep the position's value, in the order of AppendMoves. It returns none for
// chance and for a mated defender. It returns the same errors as Value.
func (t *Table) Best(p rules.Position) ([]rules.Move, error) {
	moves, err := t.Moves(p)
	if err != nil || p.SideToMove() == rules.Attacker && t.game.Rules.Chance() {
		return nil, err
	}
	value, err := t.Value(p)
	var best []rules.Move
	for _, m := range moves {
		if m.Value == value {
			best = append(best, m.Move)
		}
	}
	return best, err
}

// PrincipalVariation returns a perfect game from p. Each move is the first of the best moves. Under solo it
// ends when chance is to move. It returns the same errors as Value.
func (t *Table) PrincipalVariation(p rules.Position) ([]rules.Move, error) {
	var line []rules.Move
	for {
		best, err := t.Best(p)
		if err != nil || len(best) == 0 {
			return line, err
		}
		line = append(line, best[0])
		p = p.Next(best[0])
	}
}

// value converts the worth of a position with toMove to move.
func (t *Table) value(w Worth, toMove rules.Side) Value {
	if t.game.Rules.Chance() {
		return Value{Gain: float64(w)}
	}
	gain, turns := w.split()
	plies := 2 * turns
	if toMove == rules.Attacker {
		plies++ // the last placement, which mates
	}
	return Value{gain, plies}
}

func (t *Table) worth(p rules.Position) (Worth, error) {
	if err := t.check(p); err != nil {
		return 0, err
	}
	if p.SideToMove() == rules.Attacker {
		w, _ := t.attackerWorth(p.Board()) // check has found it
		return w, nil
	}
	w, ok := t.defenderWorth(p.Board())
	if !ok {
		return 0, unreachable(p)
	}
	return w, nil
}

func (t *Table) check(p rules.Position) error {
	switch g := &t.game; {
	case p.Rules() != g.Rules || p.Size() != g.Size:
		return fmt.Errorf("position of %v on %v: the table is of %v on %v", p.Rules(), p.Size(), g.Rules, g.Size)
	case !t.reaches(p):
		return unreachable(p)
	}
	return nil
}

func unreachable(p rules.Position) error { return fmt.Errorf("position %v: %w", p, ErrUnreachable) }

// reaches reports whether a game can reach the position: the table holds it, or holds it without one of its
// tiles, so that a placement leads to it.
func (t *Table) reaches(p rules.Position) bool {
	if p.SideToMove() == rules.Attacker {
		_, ok := t.attackerWorth(p.Board())
		return ok
	}
	for i := range 16 {
		k := p.Board().Exponent(i)
		if k == 1 || k == 2 && t.game.Rules.Fours() {
			if _, ok := t.attackerWorth(p.Board() &^ (15 << (4 * i))); ok {
				return true
			}
		}
	}
	return false
}

// moveWorth returns the worth of playing a legal move on b.
func (t *Table) moveWorth(b rules.Board, m rules.Move) (Worth, bool) {
	if !m.IsSlide() {
		k := 1
		if m.IsFour() {
			k = 2
		}
		return t.defenderWorth(b.With(m.Cell(), k))
	}
	slid := b.Slide(t.game.Size, m)
	w, ok := t.attackerWorth(slid)
	return w + Worth(slid.Potential()-b.Potential()) + t.game.Tick(), ok
}

// defenderWorth returns the worth of a board with the defender to move.
func (t *Table) defenderWorth(b rules.Board) (Worth, bool) {
	most := Worth(0)
	for m := rules.North; m <= rules.East; m++ {
		if b.Slide(t.game.Size, m) == b {
			continue
		}
		w, ok := t.moveWorth(b, m)
		if !ok {
			return 0, false
		}
		most = max(most, w)
	}
	return most, true
}

// attackerWorth returns the worth of a board with the attacker to move. ok is false if the table does not have it.
func (t *Table) attackerWorth(b rules.Board) (w Worth, ok bool) {
	sum := b.Sum()
	if sum/2 >= len(t.layers) {
		return 0, false
	}
	l := &t.layers[sum/2]
	i := l.find(t.game.key(b.Canonical(t.game.Size)))
	if i < 0 {
		return 0, false
	}
	return l.worth(t.game, i), true
}

// Probe is a table's data about a position.
type Probe struct {
	Rules    rules.Ruleset `json:"rules"`
	Position string        `json:"position"`
	Mated    bool          `json:"mated"`
	Value    Value         `json:"value"`
	Moves    []ProbedMove  `json:"moves"` // in the order of AppendMoves, none for a mated defender
}

// ProbedMove is a legal move with its value.
type ProbedMove struct {
	MoveValue
	Best bool `json:"best"` // it keeps the value
}

// Probe returns the table's data about a position. It returns the same errors as Value.
func (t *Table) Probe(p rules.Position) (*Probe, error) {
	value, err := t.Value(p)
	if err != nil {
		return nil, err
	}
	moves, err := t.Moves(p)
	if err != nil {
		return nil, err
	}
	best, err := t.Best(p)
	if err != nil {
		return nil, err
	}
	probe := &Probe{t.Rules(), p.String(), p.Over(), value, []ProbedMove{}}
	for _, m := range moves {
		probe.Moves = append(probe.Moves, ProbedMove{m, slices.Contains(best, m.Move)})
	}
	return probe, nil
}
