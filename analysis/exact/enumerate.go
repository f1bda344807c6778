package exact

import (
	"context"
	"runtime"
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
	sieve     *sieve
	attackers [3]*parts // of the last sum and the two before it
	layer     Layer     // of the last sum
}

// newEnumeration begins with the empty board.
func newEnumeration(ctx context.Context, g game) *enumeration {
	e := &enumeration{game: g, ctx: ctx, sieve: newSieve(runtime.GOMAXPROCS(0)), layer: Layer{Attacker: 1}}
	e.attackers = [3]*parts{{{0}}, {}, {}}
	return e
}

// next enumerates the next sum. It is false if there is none, or ctx is done.
func (e *enumeration) next() bool {
	if e.layer.Sum == e.largestSum() {
		return false
	}
	e.attackers[1], e.attackers[2] = e.attackers[0], e.attackers[1]
	e.layer = Layer{Sum: e.layer.Sum + 2}
	e.place(e.attackers[1], 1)
	if e.rules.Fours() {
		e.place(e.attackers[2], 2)
	}
	defenders := e.sieve.take(e.ctx)
	e.layer.Defender = defenders.count()
	e.layer.Mated = e.slide(defenders)
	e.attackers[0] = e.sieve.take(e.ctx)
	e.layer.Attacker = e.attackers[0].count()
	return e.ctx.Err() == nil
}

// place puts into the sieve what placing a tile of exponent k makes of the
// attacker's boards.
func (e *enumeration) place(boards *parts, k int) {
	e.sieve.spread(e.ctx, func(worker, i int) {
		found := &e.sieve.found[worker]
		for _, b := range boards[i] {
			for empty := b.Empty(e.size); empty != 0; empty &= empty - 1 {
				placed := b | rules.Board(empty&-empty)*rules.Board(k)
				found.add(placed.Canonical(e.size))
			}
		}
	})
}

// slide puts into the sieve what the legal slides make of the defender's boards,
// and counts those without one.
func (e *enumeration) slide(boards *parts) (mated int) {
	var stuck atomic.Int64
	e.sieve.spread(e.ctx, func(worker, i int) {
		found, moved := &e.sieve.found[worker], 0
		for _, b := range boards[i] {
			if e.slideOne(b, found) {
				moved++
			}
		}
		stuck.Add(int64(len(boards[i]) - moved))
	})
	return int(stuck.Load())
}

// slideOne is false if no slide is legal.
func (e *enumeration) slideOne(b rules.Board, found *parts) (moved bool) {
	for m := rules.North; m <= rules.East; m++ {
		if slid := b.Slide(e.size, m); slid != b {
			found.add(slid.Canonical(e.size))
			moved = true
		}
	}
	return moved
}
