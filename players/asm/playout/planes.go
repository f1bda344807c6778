package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// planes hold the exponents of the tiles of 32 boards: one plane for each bit of the exponents. A plane is 4 groups
// of 16 bytes. A group has 8 boards: each byte is one of the 16 cells, and each bit of a byte is one of the boards.
// Moving tiles is a permutation of bytes; comparing and merging tiles is logic.
type planes vectors

// logic replaces a by f of a, b and c, bit by bit.
func logic(f func(a, b, c uint8) uint8, a, b reg.Register, c operand.Op) {
	VPTERNLOGQ(operand.Imm(uint64(f(0xF0, 0xCC, 0xAA))), c, b, a)
}

func or(a, b, c uint8) uint8        { return a | b | c }
func nor(a, b, c uint8) uint8       { return ^(a | b | c) }
func orDiffer(a, b, c uint8) uint8  { return a | (b ^ c) }
func choose(a, by, c uint8) uint8   { return a&^by | c&by }
func flipClear(a, b, c uint8) uint8 { return (a ^ b) &^ c }

// permuted returns v with the bytes of each group rearranged. by has the old place of each byte.
func permuted(v reg.Register, by operand.Op) reg.VecVirtual {
	to := ZMM()
	VPSHUFB(by, v, to)
	return to
}

func (p planes) permuted(by operand.Op) (to planes) {
	for i := range p {
		to[i] = permuted(p[i], by)
	}
	return to
}

func (p planes) copied() (to planes) {
	for i := range p {
		to[i] = ZMM()
		VMOVDQA64(p[i], to[i])
	}
	return to
}

// replace takes the cells in mask from q.
func (p planes) replace(mask reg.Register, q planes) {
	for i := range p {
		logic(choose, p[i], mask, q[i])
	}
}

// occupied returns the cells with tiles.
func (p planes) occupied() reg.VecVirtual { return p.union(or) }

// empty returns the cells without tiles.
func (g *generator) empty(p planes) reg.VecVirtual { return p.union(nor) }

func (p planes) union(last func(a, b, c uint8) uint8) reg.VecVirtual {
	cells := ZMM()
	VPORQ(p[0], p[1], cells)
	logic(last, cells, p[2], p[3])
	return cells
}

// different returns the cells that differ between p and q.
func (p planes) different(q planes) reg.VecVirtual {
	cells := ZMM()
	VPXORQ(p[0], q[0], cells)
	for i := 1; i < len(p); i++ {
		logic(orDiffer, cells, p[i], q[i])
	}
	return cells
}

// slideWest slides all boards west. No two 32768s may merge.
func (g *generator) slideWest(p *planes) {
	for column := 2; column >= 0; column-- {
		// Tiles east of an empty cell in the column move one cell west.
		gap := permuted(g.empty(*p), g.columns[column])
		p.replace(gap, p.permuted(g.fromEast))
	}
	g.merge(p)
}

// merge merges equal neighbours in rows that have their gaps in the east.
func (g *generator) merge(p *planes) {
	different := p.different(p.permuted(g.fromEast))
	pair := ZMM()
	VPANDNQ(p.occupied(), different, pair)
	// Of three equal tiles the western two merge, of four both pairs.
	third := permuted(pair, g.fromWest)
	VPANDNQ(pair, third, third)
	third = permuted(third, g.fromWest)
	VPANDNQ(pair, third, pair)

	gap := permuted(pair, g.fromWest)
	east := ZMM()
	VMOVDQA64(gap, east)
	logic(or, east, permuted(pair, g.from2West), permuted(pair, g.from3West))
	carry := pair
	for i := range p {
		next := ZMM()
		if i < 3 {
			VPANDQ(p[i], carry, next)
		}
		logic(flipClear, p[i], carry, gap)
		carry = next
	}
	// After two merges in a row, the second gap is the last cell, so closing the first gap is enough.
	p.replace(east, p.permuted(g.fromEast))
}

// ended returns the boards without a legal slide.
func (g *generator) ended(p planes) reg.OpmaskVirtual {
	stuck := p.occupied()
	VPANDQ(p.different(p.permuted(g.fromEast)), stuck, stuck)
	VPANDQ(p.different(p.permuted(g.fromSouth)), stuck, stuck)
	boards := g.toBoards(stuck)
	ended := K()
	VPCMPEQW(g.allOnes, boards, ended)
	return ended
}

// toBoards returns the bits of the 16 cells of each board, the first cell lowest. It transposes each 8x8 block of bits,
// and brings both halves of a board together.
func (g *generator) toBoards(plane reg.Register) reg.VecVirtual {
	halves := ZMM()
	VGF2P8AFFINEQB(operand.Imm(0), plane, g.lowestFirst, halves)
	return permuted(halves, g.zipped)
}

// toPlanes undoes toBoards.
func (g *generator) toPlanes(boards reg.Register) reg.VecVirtual {
	plane := permuted(boards, g.unzipped)
	VGF2P8AFFINEQB(operand.Imm(0), plane, g.highestFirst, plane)
	return plane
}
