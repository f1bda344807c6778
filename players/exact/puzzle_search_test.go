package exact_test

import "versus2048/rules"

// scoresOf returns the final scores of all moves, in the order of AppendMoves. ok is false if they are too expensive.
func scoresOf(p rules.Position, all *everything) (scores []float64, ok bool) {
	for _, m := range p.AppendMoves(nil) {
		next := p.Next(m)
		var score float64
		if p.Size() == rules.Full {
			score, ok = decided(next)
		} else {
			var gain float64
			gain, ok = all.gain(next)
			score = float64(next.Score()) + gain
		}
		if !ok {
			return nil, false
		}
		scores = append(scores, score)
	}
	return scores, true
}

// state is a position without its score and ply.
type state struct {
	board rules.Board
	side  rules.Side
}

func stateOf(p rules.Position) state { return state{p.Board().Canonical(p.Size()), p.SideToMove()} }

// everything is a search of all positions that can follow. It keeps their gains.
type everything struct {
	known map[state]float64
	left  int // positions until it gives up
}

// gain returns the points that are still to come under perfect play. ok is false if it has given up.
func (e *everything) gain(p rules.Position) (gain float64, ok bool) {
	if p.Over() {
		return 0, true
	}
	if gain, ok := e.known[stateOf(p)]; ok {
		return gain, true
	}
	if e.left--; e.left < 0 {
		return 0, false
	}
	var sum, weights, low, high float64
	for i, m := range p.AppendMoves(nil) {
		next := p.Next(m)
		later, ok := e.gain(next)
		if !ok {
			return 0, false
		}
		value, weight := float64(next.Score()-p.Score())+later, 9.0
		if m.IsFour() {
			weight = 1
		}
		sum, weights = sum+weight*value, weights+weight
		if i == 0 {
			low, high = value, value
		}
		low, high = min(low, value), max(high, value)
	}
	switch {
	case p.SideToMove() == rules.Defender:
		gain = high
	case p.Rules().Chance():
		gain = sum / weights
	default:
		gain = low
	}
	e.known[stateOf(p)] = gain
	return gain, true
}

// decided returns the final score of a position that a search to the end decides: the defender can reach it, and the
// attacker can hold it. It tries the scores one after the other; all are multiples of 4.
func decided(p rules.Position) (float64, bool) {
	const (
		mostPlies = 60
		mostNodes = 300_000
	)
	left := mostNodes
	score := p.Score()
	for plies := 2; plies <= mostPlies && left > 0; plies += 2 {
		for d := (&duel{target: score + 4, left: &left, known: map[moment]bool{}}); d.reaches(p, plies) && left > 0; {
			score += 4
			d = &duel{target: score + 4, left: &left, known: map[moment]bool{}}
		}
		if d := (&duel{target: score, left: &left, known: map[moment]bool{}}); d.holds(p, plies) && left > 0 {
			return float64(score), true
		}
	}
	return 0, false
}

// duel is a search for one answer: whether a side has its way with a target score within a number of plies.
type duel struct {
	target int
	left   *int // positions until it gives up
	known  map[moment]bool
}

// moment is all that an answer depends on.
type moment struct {
	state
	score, plies int
}

// reaches reports whether the defender can reach the target.
func (d *duel) reaches(p rules.Position, plies int) bool {
	if p.Score() >= d.target {
		return true
	}
	return d.has(p, plies, rules.Defender, d.reaches)
}

// holds reports whether the attacker can end the game with at most the target.
func (d *duel) holds(p rules.Position, plies int) bool {
	if p.Score() > d.target {
		return false
	}
	return p.Over() || d.has(p, plies, rules.Attacker, d.holds)
}

// has reports whether a side has its way: after one of its own moves, and after all of the other side's.
func (d *duel) has(p rules.Position, plies int, side rules.Side, after func(rules.Position, int) bool) bool {
	if plies == 0 || p.Over() || *d.left <= 0 {
		return false
	}
	key := moment{stateOf(p), p.Score(), plies}
	if known, ok := d.known[key]; ok {
		return known
	}
	*d.left--
	own := p.SideToMove() == side
	result := !own
	for _, m := range p.AppendMoves(nil) {
		if after(p.Next(m), plies-1) == own {
			result = own
			break
		}
	}
	d.known[key] = result
	return result
}
