package gametree

import (
	"math"
	"slices"
)

// What is needed to the left and right of a node's middle and around a passing
// edge, in units of the drawing: to the right of a board is its value.
const (
	leftOfNode  = 0.45
	rightOfNode = 0.85
	aroundPass  = 0.15
)

// pull draws the rows towards one axis, so that the drawing does not wander off
// sideways. 1 would not pull at all.
const pull = 0.97

// rounds is how often all rows are placed by their neighbours.
const rounds = 60

// place gives each vertex an x, from 0: its row's order and distances kept, as
// near to its neighbours' mean as the squares of all differences allow.
func (l *layers) place() {
	for _, row := range l.rows {
		for i, v := range row {
			v.x = float64(i) - float64(len(row)-1)/2
		}
	}
	for round := range rounds {
		for i := range l.rows {
			row := l.rows[i]
			if round%2 == 1 {
				row = l.rows[len(l.rows)-1-i]
			}
			settle(row)
		}
	}
	l.alignLeft()
}

func (l *layers) alignLeft() {
	left := math.Inf(1)
	for _, row := range l.rows {
		left = min(left, row[0].x)
	}
	for _, row := range l.rows {
		for _, v := range row {
			v.x -= left
		}
	}
}

// settle places a row. With the least distances taken off, the places must only
// not fall, which is isotonic regression: pool adjacent violators.
func settle(row []*vertex) {
	offsets := make([]float64, len(row))
	var pools []pool
	for i, v := range row {
		if i > 0 {
			offsets[i] = offsets[i-1] + apart(row[i-1], v)
		}
		next := pool{pull*mean(slices.Concat(v.up, v.down), v.x) - offsets[i], 1}
		for len(pools) > 0 && pools[len(pools)-1].at >= next.at {
			next = next.with(pools[len(pools)-1])
			pools = pools[:len(pools)-1]
		}
		pools = append(pools, next)
	}
	i := 0
	for _, p := range pools {
		for range p.size {
			row[i].x = p.at + offsets[i]
			i++
		}
	}
}

// pool is neighbours in a row that stand as close as they may.
type pool struct {
	at   float64
	size int
}

func (p pool) with(q pool) pool {
	size := p.size + q.size
	return pool{(p.at*float64(p.size) + q.at*float64(q.size)) / float64(size), size}
}

// apart is how far apart the middles of two neighbours in a row are at least.
func apart(a, b *vertex) float64 {
	left, right := aroundPass, aroundPass
	if a.node != nil {
		left = rightOfNode
	}
	if b.node != nil {
		right = leftOfNode
	}
	return left + right
}
