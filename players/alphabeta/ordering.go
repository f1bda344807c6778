package alphabeta

import (
	"math/bits"

	"versus2048/rules"
)

// ordering is what the search remembers to put placements in order.
type ordering struct {
	killers [maxPlies][2]rules.Move // by ply: the last two placements that refuted a slide
	history [32]int32               // by placement
}

// next prepares for the search of the next move.
func (o *ordering) next() {
	for i := range o.history {
		o.history[i] /= 4
	}
}

// praise remembers a placement that was good enough.
func (o *ordering) praise(m rules.Move, plies, ply int) {
	if k := &o.killers[ply]; k[0] != m {
		k[0], k[1] = m, k[0]
	}
	o.history[m&31] += int32(plies * plies)
}

// placements are the placements on a board, in order. A bit stands for a placement: bit 4i for a 2 on
// cell i, bit 4i+1 for a 4.
type placements struct {
	left  uint64
	next  rules.Move
	taken uint8
	n     uint8
	list  [36]rules.Move
}

func placementOf(bit int) rules.Move { return rules.Place(bit/4, bit&1 == 1) }

// prefer puts a placement next in the list, if it is left.
func (p *placements) prefer(m rules.Move) {
	bit := uint64(1) << (4*m.Cell() + int(m>>4&1))
	if p.left&bit != 0 {
		p.left &^= bit
		p.list[p.n] = m
		p.n++
	}
}

// take removes the next placement. ok is false if there is none.
func (p *placements) take() (m rules.Move, ok bool) {
	if p.taken < p.n {
		p.taken++
		return p.list[p.taken-1], true
	}
	if p.left == 0 {
		return 0, false
	}
	start := 4*p.next.Cell() + int(p.next>>4&1)
	bit := (start + bits.TrailingZeros64(bits.RotateLeft64(p.left, -start))) & 63
	p.left &^= 1 << bit
	p.next = placementOf(bit)
	return p.next, true
}
