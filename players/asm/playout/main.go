// Playout writes the assembly code that plays the random games of Lanes: `go generate ./players/playout` runs it.
// docs/adr/0008-lanes.md explains why there is assembly, and how it was measured.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// turns is the number of turns that playTurns plays in one call, as in vectors.go.
const turns = 4

// The offsets of the fields in Go's vectors.
const (
	atPlanes = 0
	atRandom = atPlanes + 4*64
	atMoved  = atRandom + 4*64
)

func main() {
	TEXT("playTurns", NOSPLIT, "func(v *byte) (ended uint32)") // in Go v is a *vectors; that type is unknown here
	lanes := Load(Param("v"), GP64())
	g := newGenerator()
	p := planes(load(lanes, atPlanes))
	random := load(lanes, atRandom)
	moved, turn := K(), GP64()
	KMOVD(Mem{Base: lanes, Disp: atMoved + 4*turns}, moved)
	KMOVD(moved, Mem{Base: lanes, Disp: atMoved})
	XORQ(turn, turn)

	Label("turn")
	g.turn(&p, random, moved)
	INCQ(turn)
	KMOVD(moved, Mem{Base: lanes, Disp: atMoved, Index: turn, Scale: 4})
	CMPQ(turn, Imm(turns))
	JNE(LabelRef("turn"))

	store(vectors(p), lanes, atPlanes)
	store(random, lanes, atRandom)
	ended := GP32()
	KMOVD(g.ended(p), ended)
	Store(ended, ReturnIndex(0))
	VZEROUPPER()
	RET()
	Generate()
}

// vectors are the four registers that hold one field of Go's vectors: its planes or its random states.
type vectors [4]reg.VecVirtual

func load(from reg.Register, at int) (v vectors) {
	for i := range v {
		v[i] = ZMM()
		VMOVDQU64(Mem{Base: from, Disp: at + 64*i}, v[i])
	}
	return v
}

func store(v vectors, to reg.Register, at int) {
	for i := range v {
		VMOVDQU64(v[i], Mem{Base: to, Disp: at + 64*i})
	}
}

// turn writes the code of a turn of each game: it draws a slide and, for the games in moved, a cell for a 2. Then it
// sets moved to the games with a board that the slide has changed. A transposed board stays transposed, as in
// fullGame.draw.
func (g *generator) turn(p *planes, random vectors, moved reg.OpmaskVirtual) {
	low, high, top := g.draw(random)
	empty := g.empty(*p)
	placed := g.toPlanes(g.drawCell(g.toBoards(empty), moved, low, high))
	VPORQ(placed, p[0], p[0])
	transpose, mirror := g.directions(top)
	p.replace(transpose, p.permuted(g.transposed))
	p.replace(mirror, p.permuted(g.mirrored))
	before := p.copied()
	g.slideWest(p)
	changed := g.toBoards(before.different(*p))
	VPTESTMW(changed, changed, moved)
	p.replace(mirror, p.permuted(g.mirrored))
}
