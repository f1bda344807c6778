package puzzles

import (
	"math"
	"slices"

	"versus2048/players/exact"
	"versus2048/rules"
)

const (
	fewestMoves = 3 // legal moves of a puzzle
	// leastMargin is the least difference between the best move and the second best one, in points. Scores are whole
	// numbers except under solo, where they are expectations, rounded in a table.
	leastMargin = 1.0
)

// candidate is a position that is good enough for a puzzle.
type candidate struct {
	position rules.Position
	scores   []float64 // the final scores after its legal moves
	best     rules.Move
	greedy   bool // whether a greedy player may find it
	depth    int  // see exact.Puzzle
}

// newCandidate makes a candidate of a position and the final scores after its legal moves. ok is true if there are at
// least fewestMoves moves, and one of them is better than all others by leastMargin or more.
func newCandidate(p rules.Position, scores []float64) (c candidate, ok bool) {
	if len(scores) < fewestMoves {
		return c, false
	}
	best, first, second := 0, math.Inf(-1), math.Inf(-1)
	for i, score := range scores {
		if p.SideToMove() == rules.Attacker {
			score = -score
		}
		if score > first {
			best, first, second = i, score, first
		} else {
			second = max(second, score)
		}
	}
	m := p.AppendMoves(nil)[best]
	return candidate{position: p, scores: scores, best: m, greedy: isGreedy(p, m)}, first-second >= leastMargin
}

// choice collects the puzzles of a game's kinds. Positions that are equal under a symmetry count as one, and are
// taken once. At most half of the puzzles of a kind are greedy ones. A kind with hardly any others may have a few
// more greedy ones.
type choice struct {
	perKind int
	seen    map[rules.Position]bool
	sides   [2]struct{ greedy, others []exact.Puzzle }
}

func newChoice(perKind int) *choice {
	return &choice{perKind: perKind, seen: map[rules.Position]bool{}}
}

// add takes a candidate if there is room for it.
func (c *choice) add(found candidate) {
	p := found.position
	key := plain(p).Canonical()
	side := &c.sides[p.SideToMove()]
	if c.seen[key] || len(side.greedy)+len(side.others) >= c.perKind || found.greedy && len(side.greedy) >= c.perKind/2 {
		return
	}
	c.seen[key] = true
	made := exact.Puzzle{Position: p, Depth: found.depth, Scores: found.scores}
	if found.greedy {
		side.greedy = append(side.greedy, made)
	} else {
		side.others = append(side.others, made)
	}
}

// full reports whether each of these roles has enough puzzles.
func (c *choice) full(roles []rules.Side) bool {
	return !slices.ContainsFunc(roles, func(role rules.Side) bool {
		return len(c.sides[role].greedy)+len(c.sides[role].others) < c.perKind
	})
}

// all returns the puzzles of both sides.
func (c *choice) all() (all []exact.Puzzle) {
	for _, side := range c.sides {
		all = append(all, side.others...)
		few := c.perKind / 20
		all = append(all, side.greedy[:min(len(side.greedy), max(few, len(side.others)))]...)
	}
	return all
}

// plain returns a position with the ply 0 and the score of its tiles, so that two puzzles with the same board are
// equal.
func plain(p rules.Position) rules.Position {
	same, err := rules.PositionFrom(p.Rules(), p.Tiles(), p.SideToMove(), p.Board().Potential(), 0)
	if err != nil {
		panic(err) // the board is of a game, and has the score of its tiles
	}
	return same
}

// isGreedy reports whether a player who looks only at the points of the next slide may choose the move.
func isGreedy(p rules.Position, best rules.Move) bool {
	for _, m := range p.AppendMoves(nil) {
		if p.SideToMove() == rules.Defender && p.Next(m).Score() > p.Next(best).Score() ||
			p.SideToMove() == rules.Attacker && bestSlide(p.Next(m)) < bestSlide(p.Next(best)) {
			return false
		}
	}
	return true
}

// bestSlide returns the score after the slide that scores most, -1 if the position is mated.
func bestSlide(p rules.Position) int {
	best := -1
	for _, m := range p.AppendMoves(nil) {
		best = max(best, p.Next(m).Score())
	}
	return best
}
