package proof

import (
	"maps"
	"math"
	"slices"

	"versus2048/rules"
)

// needs has the positions of a proof that are not settled yet, by their sums of tiles, each with its demands.
type needs struct {
	claimant rules.Side
	sums     map[int]map[rules.Board][]demand
}

// A demand is a gain to be proven for a board, in points, with the number of duties (see layer) that need this proof.
type demand struct{ gain, users int32 }

// add adds duties that use a target, or removes them if the number is negative. A target without users is not
// needed any more.
func (n needs) add(t target, users int) {
	sum := t.board.Sum()
	boards := n.sums[sum]
	if boards == nil {
		boards = map[rules.Board][]demand{}
		n.sums[sum] = boards
	}
	all := boards[t.board]
	i := slices.IndexFunc(all, func(d demand) bool { return int(d.gain) == t.gain })
	if i < 0 {
		i, all = len(all), append(all, demand{gain: int32(t.gain)})
	}
	if all[i].users += int32(users); all[i].users == 0 {
		all = slices.Delete(all, i, i+1)
	}
	if boards[t.board] = all; len(all) == 0 {
		delete(boards, t.board)
	}
	if len(boards) == 0 {
		delete(n.sums, sum)
	}
}

// change adds users of each target of an option, or removes them.
func (n needs) change(o *option, users int) {
	for _, t := range o.all() {
		n.add(t, users)
	}
}

// prefers reports whether option a is better than b: whether a adds fewer positions to the proof now or, as
// far as the bounds tell, later on.
func (n needs) prefers(a, b *option) bool {
	costA, usersA := n.cost(a)
	costB, usersB := n.cost(b)
	switch {
	case costA != costB:
		return costA < costB
	case costA == 0: // neither adds a position: boards that more duties need are likelier to stay in the proof
		return usersA > usersB
	case a.slack != b.slack:
		return a.slack > b.slack
	}
	return a.effort < b.effort
}

// cost estimates the number of positions that an option adds to the proof. A target costs its weight. It costs half of
// its weight if its board is needed already, but only for easier gains. It costs nothing if the board is needed already
// for this gain or a harder one. users is the number of duties that need the option's boards already.
func (n needs) cost(o *option) (cost float64, users int) {
	for _, t := range o.all() {
		all := n.sums[t.board.Sum()][t.board]
		covered := false
		for _, d := range all {
			users += int(d.users)
			covered = covered || n.serves(int(d.gain), t.gain)
		}
		switch {
		case len(all) == 0:
			cost += n.weight(t)
		case !covered:
			cost += n.weight(t) / 2
		}
	}
	return cost, users
}

// weight estimates the number of positions that a proof needs from a target on, up to a factor. If the attacker claims,
// the weight grows with the bound of the gain to come, and falls with the gain that the attacker may allow. Of all the
// factors that were tried, 3/30 and 2/30 made the smallest proof on 4x3. If the defender claims, every weight is 1: no
// useful estimate was found.
func (n needs) weight(t target) float64 {
	if n.claimant == rules.Defender {
		return 1
	}
	return math.Exp(min(float64(3*t.bound-2*t.gain)/30, 500)) // finite for every score
}

// serves reports whether a proof of a position for the gain proven is also a proof for gain.
func (n needs) serves(proven, gain int) bool {
	return proven == gain || proven > gain == (n.claimant == rules.Defender)
}

// layer returns the positions of a sum, each with the gain that is hardest to prove.
func (n needs) layer(sum int) *layer {
	l := &layer{boards: slices.Sorted(maps.Keys(n.sums[sum]))}
	for _, b := range l.boards {
		hardest := int(n.sums[sum][b][0].gain)
		for _, d := range n.sums[sum][b] {
			if n.serves(int(d.gain), hardest) {
				hardest = int(d.gain)
			}
		}
		l.gains = append(l.gains, hardest)
	}
	return l
}
