//go:build goexperiment.simd && amd64

package players

import "simd/archsimd"

// playOn plays each of the games on to its end.
func playOn(games []turning, g *generator) {
	const worthwhile = 16 // fewer leave too many lanes idle
	if hasLanes() && len(games) >= worthwhile {
		playLanes(games, g)
	} else {
		playPairs(games, g)
	}
}

// hasLanes tells whether the processor has the instructions of playLanes.
func hasLanes() bool {
	return archsimd.X86.AVX512() && archsimd.X86.AVX512BITALG() && archsimd.X86.AVX512GFNI()
}

// playLanes is playOn, 32 games at a time. As one ends the next in the order of
// games takes its lane. A game that has ended stays what it is, so it does no
// harm to look for that now and then only.
func playLanes(games []turning, g *generator) {
	l := lanes{waiting: games}
	l.refill(everyLane)
	p, moved := l.load()
	for l.vacant != everyLane {
		for range 4 {
			p, moved = playTurn(p, moved, g)
		}
		if ended := p.ended() &^ l.vacant; ended != 0 {
			l.store(p, moved)
			l.refill(ended)
			p, moved = l.load()
		}
	}
}

// playTurn is turning.draw on all boards: it places a 2 on those in moved, and
// slides each by one of the four slides. changed are those that this moved.
func playTurn(p planes, moved vector, g *generator) (next planes, changed vector) {
	p.bit0 = p.bit0.Or(drawCells(p.empty(), moved, g))
	p = p.turn(g.next())
	next = p.slideWest()
	return next, next.different(p)
}
