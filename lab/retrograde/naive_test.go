package retrograde_test

import (
	"versus2048/players/exact"
	"versus2048/rules"
)

// naive searches every game to its end. It does not use symmetries, sums of tiles or tables, and takes the score from
// package rules.
type naive map[state]solved

// state has all parts of a position that its value depends on.
type state struct {
	board  rules.Board
	toMove rules.Side
}

// solved is a position with its value. Its score and ply come from the first game that reached it.
type solved struct {
	position rules.Position
	value    exact.Value
}

func (n naive) value(p rules.Position) exact.Value {
	at := state{p.Board(), p.SideToMove()}
	if known, ok := n[at]; ok {
		return known.value
	}
	v := choice(p, n.moves(p))
	n[at] = solved{p, v}
	return v
}

// moves returns the values of all legal moves.
func (n naive) moves(p rules.Position) []exact.MoveValue {
	var all []exact.MoveValue
	for _, m := range p.AppendMoves(nil) {
		q := p.Next(m)
		v := n.value(q)
		v.Gain += float64(q.Score() - p.Score())
		if !p.Rules().Chance() {
			v.Plies++
		}
		all = append(all, exact.MoveValue{Move: m, Value: v})
	}
	return all
}

// choice returns the value of p given the values of its moves.
func choice(p rules.Position, moves []exact.MoveValue) exact.Value {
	if len(moves) == 0 {
		return exact.Value{}
	}
	if p.SideToMove() == rules.Attacker && p.Rules().Chance() {
		return mean(moves)
	}
	best := moves[0].Value
	for _, m := range moves[1:] {
		if better(m.Value, best) == (p.SideToMove() == rules.Defender) {
			best = m.Value
		}
	}
	return best
}

// better reports whether the defender prefers v to w.
func better(v, w exact.Value) bool {
	return v.Gain > w.Gain || v.Gain == w.Gain && v.Plies > w.Plies
}

// mean returns the mean of the placements, weighted by their probabilities.
func mean(moves []exact.MoveValue) exact.Value {
	var v exact.Value
	for _, m := range moves {
		weight := 0.9
		if m.Move.IsFour() {
			weight = 0.1
		}
		v.Gain += weight * m.Value.Gain / float64(len(moves)/2)
	}
	return v
}
