package exact

import (
	"context"
	"slices"
	"sync/atomic"

	"versus2048/rules"
)

// Layer counts the states of one sum of tiles that can be reached from the empty
// board. Boards equal under a symmetry count once.
type Layer struct {
	Sum      int `json:"sum"`
	Attacker int `json:"attacker"` // positions with the attacker to move
	Defender int `json:"defender"` // positions with the defender to move, mated ones included
	Mated    int `json:"mated"`
}

// enumeration finds the states sum by sum: a placement adds 2 or 4 to the sum of
// tiles, a slide nothing (Yamashita 2023).
type enumeration struct {
	game
	ctx       context.Context
	sum       int              // that was enumerated last
	attackers [3][]rules.Board // of this sum and the two before, the last one first
	layer     Layer
}

func newEnumeration(ctx context.Context, g game) *enumeration {
	e := &enumeration{game: g, ctx: ctx, layer: Layer{Attacker: 1}}
	e.attackers[0] = []rules.Board{0}
	return e
}

// next enumerates the next sum. It is false if there are no states left.
func (e *enumeration) next() bool {
	copy(e.attackers[1:], e.attackers[:2])
	e.attackers[0] = nil
	if len(e.attackers[1])+len(e.attackers[2]) == 0 {
		return false
	}
	e.sum += 2
	e.layer = Layer{Sum: e.sum}
	defenders := e.defenders()
	e.layer.Defender = len(defenders)
	e.attackers[0] = e.slideAll(defenders)
	e.layer.Attacker = len(e.attackers[0])
	return true
}

// defenders are the boards on which a tile was just placed.
func (e *enumeration) defenders() []rules.Board {
	return e.gather(len(e.attackers[1])+len(e.attackers[2]), func(set *boardSet, crowded *atomic.Bool) {
		e.placeAll(set, crowded, e.attackers[1], 1)
		if e.rules.Fours() {
			e.placeAll(set, crowded, e.attackers[2], 2)
		}
	})
}

// gather lists what fill puts into a set of about n boards, which is made anew
// if it is too crowded.
func (e *enumeration) gather(n int, fill func(set *boardSet, crowded *atomic.Bool)) []rules.Board {
	for ; ; n *= 2 {
		set := newBoardSet(n)
		var crowded atomic.Bool
		fill(&set, &crowded)
		if !crowded.Load() {
			return set.boards()
		}
	}
}

// placeAll places a tile of exponent k on each empty cell of the boards.
func (e *enumeration) placeAll(set *boardSet, crowded *atomic.Bool, boards []rules.Board, k int) {
	spread(e.ctx, len(boards), func(from, to int) {
		for _, b := range boards[from:to] {
			empty := b.Empty(e.size)
			for ; empty != 0; empty &= empty - 1 {
				placed := b | rules.Board(empty&-empty)*rules.Board(k)
				if !set.add(placed.Canonical(e.size)) {
					crowded.Store(true)
					return
				}
			}
		}
	})
}

// slideAll are the boards after each legal slide, in order. Boards without one
// are counted as mated.
func (e *enumeration) slideAll(boards []rules.Board) []rules.Board {
	var mated atomic.Int64
	slid := e.gather(len(boards), func(set *boardSet, crowded *atomic.Bool) {
		mated.Store(0)
		spread(e.ctx, len(boards), func(from, to int) {
			for _, b := range boards[from:to] {
				stuck := true
				for m := rules.North; m <= rules.East; m++ {
					after := b.Slide(e.size, m)
					if after == b {
						continue
					}
					stuck = false
					if !set.add(after.Canonical(e.size)) {
						crowded.Store(true)
						return
					}
				}
				if stuck {
					mated.Add(1)
				}
			}
		})
	})
	e.layer.Mated = int(mated.Load())
	slices.Sort(slid)
	return slid
}
