package learning

import (
	"math/bits"

	"versus2048/players/ntuple"
	"versus2048/players/playout"
	"versus2048/rules"
)

// A game is a sequence of boards with the attacker, or chance, to move. The value of a board is the number of points
// that the defender will still score:
//
//	solo:     V(b) = E over placements p of max over slides s of r(p, s) + V(b after p and s)
//	versus:   V(b) = min over placements p of max over slides s of r(p, s) + V(b after p and s)
//
// where r is the points of a slide, and a mated board is worth 0. See docs/learning.md.

// step is a board of a game. The network learns the board's value.
type step struct {
	board rules.Board
	// follows reports whether the turn that was played gave the board its value: under solo always, in the game for
	// two if both sides played their best moves.
	follows bool
	reward  float32 // of the slide to the next step
	target  float32 // the value of the best turn when it was played
}

// result holds the figures of one game for the learning curve.
type result struct {
	plies   uint64
	score   int
	largest int     // exponent of the largest tile
	errors  float64 // sum of the absolute errors
	steps   uint64
	counts  bool // for the mean score: the network played both sides, from an opening
}

// learner plays games and learns from them. Each goroutine has its own.
type learner struct {
	settings Settings
	weights  *weights
	teacher  Teacher
	earlier  []*ntuple.Network // earlier selves
	past     *past             // nil without restarts
	random   playout.Generator
	steps    []step
	selected [4][]uint32 // room for the numbers of the weights of four boards that are compared
	learned  [2][]uint32 // room for the numbers of the weights of two boards that are learned
	changed  []weight    // room for the weights of one board
}

func newLearner(t *Trainer) *learner {
	l := &learner{settings: t.settings, weights: t.weights, teacher: t.teacher, earlier: t.earlier, past: t.past}
	for _, room := range [][][]uint32{l.selected[:], l.learned[:]} {
		for i := range room {
			room[i] = t.weights.features.NewNumbers()
		}
	}
	l.changed = make([]weight, len(l.learned[0]))
	return l
}

// play plays the game with this number and learns from it. The game depends only on its number, the settings, the
// weights learned before and, with restarts, the boards of earlier games.
func (l *learner) play(number uint64) result {
	l.random = playout.NewGenerator(l.settings.Seed, number)
	l.steps = l.steps[:0]
	var r result
	if l.settings.Rules.Chance() {
		r = l.playSolo()
	} else {
		r = l.playVersus()
	}
	r.steps = uint64(len(l.steps))
	r.errors = l.learn()
	return r
}

// learn learns from the steps of a game, the last one first, so that each step finds the return of the step after it.
// The target of a step is its lambda-return (Sutton and Barto 2018, section 12.1, in its recursive form):
//
//	G(t) = (1-lambda) T(t) + lambda (r(t+1) + G(t+1)), where T(t) = r(t+1) + V(t+1)
//
// The return is cut off at a turn that was not the best (as in Watkins's Q(lambda)), and is 0 after the last
// step. If Settings.Expected is set, T(t) is the mean over all tiles that chance could have placed. With a lookahead
// of 2 or more, T(t) is the value of the best turn by that search at the time of play, as in TD-leaf (Baxter, Tridgell
// and Weaver 2000). If a teacher knows the board, the teacher's value is the target.
//
// While a step is learned, the weights of the step before it are loaded into the cache.
func (l *learner) learn() (errors float64) {
	lambda := float32(l.settings.Lambda)
	var after, value float32 // the return of the step after step i, and the learned value of its board
	now, before := l.learned[0], l.learned[1]
	l.weights.find(l.steps[len(l.steps)-1].board, now)
	for i := len(l.steps) - 1; i >= 0; i-- {
		s := &l.steps[i]
		target := l.worth(i, value)
		if s.follows && i+1 < len(l.steps) {
			target = float32((1-lambda)*target) + float32(lambda*(s.reward+after))
		}
		if l.teacher != nil {
			if known, ok := l.teacher.Gain(s.board); ok {
				target = float32(known)
			}
		}
		l.weights.find(l.steps[max(0, i-1)].board, before)
		var e float32
		e, value = l.weights.learn(now, target, l.changed)
		errors += float64(abs(e))
		now, before, after = before, now, target
	}
	return errors
}

// worth returns T(t) of step i. With Settings.Expected the present weights give T(t). Without it, T(t) follows from
// value, the present value of the next step's board, if the best turn was played and the lookahead is one slide. In all
// other cases worth returns the target that was found during play.
func (l *learner) worth(i int, value float32) float32 {
	switch s := &l.steps[i]; {
	case l.settings.Expected:
		return l.expected(s.board)
	case s.follows && i+1 < len(l.steps) && l.settings.Lookahead == 1:
		return s.reward + value
	default:
		return s.target
	}
}

// reply is the defender's best slide.
type reply struct {
	board  rules.Board // after the slide
	reward float32
	value  float32 // reward plus the value of board; 0 if the defender is mated
	mated  bool
}

// reply returns the best slide of a board with the defender to move, by a search of the given number of slides. It
// stops at the first slide that is worth enough or more.
func (l *learner) reply(b rules.Board, enough float32, slides int) reply {
	var room [4]rules.Board
	best, before := reply{mated: true}, b.Potential()
	for i, slid := range l.slides(&room, b, slides) {
		r := reply{board: slid, reward: float32(slid.Potential() - before)}
		if slides > 1 {
			little := -never
			if !best.mated {
				little = best.value - r.reward
			}
			r.value = r.reward + l.inner(slid, little, slides-1)
		} else {
			r.value = r.reward + l.weights.value(l.selected[i])
		}
		if best.mated || r.value > best.value {
			best = r
		}
		if best.value >= enough {
			break
		}
	}
	return best
}

// slides returns the boards after all legal slides. If no more slides follow, it finds the weights of these boards.
func (l *learner) slides(room *[4]rules.Board, b rules.Board, slides int) []rules.Board {
	n := 0
	for m := rules.North; m <= rules.East; m++ {
		slid := b.Slide(l.settings.Size, m)
		if slid == b {
			continue
		}
		if slides == 1 {
			l.weights.find(slid, l.selected[n])
		}
		room[n] = slid
		n++
	}
	return room[:n]
}

// expected returns the mean value of the best slide, over all tiles that chance may place on the board.
func (l *learner) expected(b rules.Board) float32 {
	var sum float32
	for cell := range 16 {
		if b.Empty(l.settings.Size)>>(4*cell)&1 == 0 {
			continue
		}
		sum += float32(0.9*l.reply(b.With(cell, 1), never, 1).value) + float32(0.1*l.reply(b.With(cell, 2), never, 1).value)
	}
	return sum / float32(b.EmptyCells(l.settings.Size))
}

// placeRandom returns a board with a random tile, as chance places it under the rules.
func (l *learner) placeRandom(b rules.Board) rules.Board {
	k := 1
	if l.settings.Rules.Fours() && l.random.Below(10) == 0 {
		k = 2
	}
	return b.With(l.emptyCell(b), k)
}

// emptyCell draws an empty cell.
func (l *learner) emptyCell(b rules.Board) int {
	empty := b.Empty(l.settings.Size)
	for range l.random.Below(bits.OnesCount64(empty)) {
		empty &= empty - 1
	}
	return bits.TrailingZeros64(empty) / 4
}

// largestExponent returns the largest exponent on a board.
func largestExponent(b rules.Board) (k int) {
	for i := range 16 {
		k = max(k, b.Exponent(i))
	}
	return k
}

// never is a value that no board reaches.
const never = float32(1e30)

// playSolo plays against chance.
func (l *learner) playSolo() (r result) {
	for b := rules.Board(0); ; {
		reply := l.reply(l.placeRandom(b), never, 1)
		l.steps = append(l.steps, step{board: b, follows: true, reward: reply.reward})
		r.plies++
		if reply.mated {
			r.counts, r.largest = true, largestExponent(b)
			return r
		}
		r.plies++
		r.score += int(reply.reward)
		b = reply.board
	}
}
