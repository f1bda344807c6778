package learning

import (
	"math"

	"versus2048/players/ntuple"
	"versus2048/rules"
)

// playVersus plays a game between two sides. Each step learns the value of the best turn even if another one is
// played, so that strangers and random moves bring variety without changing the targets.
func (l *learner) playVersus() (r result) {
	attacker, defender := l.strangers()
	b, restarted := l.begin()
	r.counts = attacker == nil && defender == nil && !restarted
	for {
		best := l.turn(b, -never, l.settings.Lookahead)
		placed, reply := best.placed, best.reply
		if other, strange := l.place(b, attacker); strange && other != placed {
			placed, reply = other, l.reply(other, never, 1)
		}
		if other, strange := l.slide(placed, defender); strange && !reply.mated && other != reply.board {
			reply.board = other
		}
		if l.past != nil {
			l.past.add(b, &l.random)
		}
		follows := placed == best.placed && reply.board == best.reply.board
		l.steps = append(l.steps, step{b, follows, best.reply.reward, best.reply.value})
		r.plies++
		if reply.mated {
			r.largest = largestExponent(placed)
			return r
		}
		r.plies++
		r.score += reply.board.Potential() - placed.Potential() // a placed 4 scores nothing
		b = reply.board
	}
}

// turn is a placement with the best slide after it.
type turn struct {
	placed rules.Board
	reply  reply
}

// turn returns the best turn of a board with the attacker to move: the placement after which the best slide is worth
// least to the defender. slides is the number of slides that it looks ahead. It stops at the first turn that is worth
// at most little.
func (l *learner) turn(b rules.Board, little float32, slides int) turn {
	var room [mostPlacements]rules.Board
	best := turn{reply: reply{value: never}}
	for _, placed := range l.placements(room[:0], b) {
		if r := l.reply(placed, best.reply.value, slides); best.placed == 0 || r.value < best.reply.value {
			best = turn{placed, r}
		}
		if best.reply.value <= little {
			break
		}
	}
	return best
}

// inner returns the value of the best turn of a board within a search. If the value is at most little, inner may return
// an upper bound instead. With Strap the network learns the value of the board at once (TreeStrap: Veness, Silver,
// Uther and Blair 2009, algorithm 2). It learns such a bound only if the network's present value is higher.
func (l *learner) inner(b rules.Board, little float32, slides int) float32 {
	v := l.turn(b, little, slides).reply.value
	if numbers := l.learned[0]; l.settings.Strap {
		l.weights.find(b, numbers)
		if v > little || v < l.weights.value(numbers) {
			l.weights.learn(numbers, v, l.changed)
		}
	}
	return v
}

// restartTurns is the largest number of random turns after the board of an earlier game.
const restartTurns = 2

// begin returns the first board of a game: the board after an opening of random turns, or after a few random
// turns from a board of an earlier game.
func (l *learner) begin() (b rules.Board, restarted bool) {
	if l.past != nil && l.chance(l.settings.Restart) {
		if b, restarted = l.past.draw(&l.random); restarted {
			return l.randomTurns(b, l.random.Below(restartTurns+1)), true
		}
	}
	return l.randomTurns(0, l.random.Below(l.settings.Opening/2+1)), false
}

// randomTurns returns the board after n random turns, or after fewer if the next one would mate the defender.
func (l *learner) randomTurns(b rules.Board, n int) rules.Board {
	for range n {
		slid, ok := l.randomSlide(l.placeRandom(b))
		if !ok {
			return b
		}
		b = slid
	}
	return b
}

// randomSlide returns the board after a random slide. ok is false if no slide is legal.
func (l *learner) randomSlide(b rules.Board) (slid rules.Board, ok bool) {
	n := 0
	for m := rules.North; m <= rules.East; m++ {
		if s := b.Slide(l.settings.Size, m); s != b {
			if n++; l.random.Below(n) == 0 {
				slid = s
			}
		}
	}
	return slid, n > 0
}

// stranger plays a side in place of the network that learns.
type stranger interface {
	// place returns a board with a tile placed on it.
	place(l *learner, b rules.Board) rules.Board
	// slide returns the board after a slide. If the defender is mated, the result has no meaning.
	slide(l *learner, b rules.Board) rules.Board
}

// strangers draws the players of a game. nil is the network that learns.
func (l *learner) strangers() (attacker, defender stranger) {
	if !l.chance(l.settings.Strangers) {
		return nil, nil
	}
	all := []stranger{atRandom{}, greedy{}}
	for _, n := range l.earlier {
		all = append(all, earlierSelf{n})
	}
	one := all[l.random.Below(len(all))]
	if l.random.Below(2) == 0 {
		return one, nil
	}
	return nil, one
}

// place returns a random placement, or the one of a stranger who attacks. strange is false if the attacker is to
// play the best turn.
func (l *learner) place(b rules.Board, attacker stranger) (placed rules.Board, strange bool) {
	if l.chance(l.settings.Noise) {
		return atRandom{}.place(l, b), true
	}
	if attacker == nil {
		return 0, false
	}
	return attacker.place(l, b), true
}

// slide returns the board after a random slide, or after the one of a stranger who defends. strange is false if
// the defender is to play the best slide.
func (l *learner) slide(b rules.Board, defender stranger) (slid rules.Board, strange bool) {
	if l.chance(l.settings.Noise) {
		slid, _ = l.randomSlide(b)
		return slid, true
	}
	if defender == nil {
		return 0, false
	}
	return defender.slide(l, b), true
}

// chance returns true with the given probability.
func (l *learner) chance(probability float64) bool {
	return probability > 0 && float64(l.random.Next()>>11) < probability*(1<<53)
}

// atRandom plays at random.
type atRandom struct{}

func (atRandom) place(l *learner, b rules.Board) rules.Board {
	k := 1
	if l.settings.Rules.Fours() {
		k += l.random.Below(2)
	}
	return b.With(l.emptyCell(b), k)
}

func (atRandom) slide(l *learner, b rules.Board) rules.Board {
	slid, _ := l.randomSlide(b)
	return slid
}

// greedy looks at the score of the next slide alone. Of equal moves it plays a random one.
type greedy struct{}

func (g greedy) place(l *learner, b rules.Board) (best rules.Board) {
	least, n := math.MaxInt, 0
	for _, placed := range l.placements(nil, b) {
		slid := g.slide(l, placed)
		score := slid.Potential() - placed.Potential()
		if score < least {
			least, n = score, 0
		}
		if score == least {
			if n++; l.random.Below(n) == 0 {
				best = placed
			}
		}
	}
	return best
}

func (greedy) slide(l *learner, b rules.Board) (best rules.Board) {
	most, n := -1, 0
	for m := rules.North; m <= rules.East; m++ {
		slid := b.Slide(l.settings.Size, m)
		if slid == b {
			continue
		}
		score := slid.Potential()
		if score > most {
			most, n = score, 0
		}
		if score == most {
			if n++; l.random.Below(n) == 0 {
				best = slid
			}
		}
	}
	return best
}

// mostPlacements is the largest number of placements on a board.
const mostPlacements = 32

// placements appends the boards after all placements to dst.
func (l *learner) placements(dst []rules.Board, b rules.Board) []rules.Board {
	for empty := b.Empty(l.settings.Size); empty != 0; empty &= empty - 1 {
		two := rules.Board(empty & -empty)
		dst = append(dst, b|two)
		if l.settings.Rules.Fours() {
			dst = append(dst, b|two<<1)
		}
	}
	return dst
}

// earlierSelf plays by the network as it was after an earlier round.
type earlierSelf struct{ *ntuple.Network }

func (e earlierSelf) place(l *learner, b rules.Board) (best rules.Board) {
	least := math.MaxInt
	for _, placed := range l.placements(nil, b) {
		if _, value, _ := e.Best(placed); value < least {
			best, least = placed, value
		}
	}
	return best
}

func (e earlierSelf) slide(l *learner, b rules.Board) rules.Board {
	m, _, _ := e.Best(b)
	return b.Slide(l.settings.Size, m)
}
