package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// draw writes Generator.Next of each game. For each game it returns the two lowest quarters and the highest
// quarter of the number, in 16 bits each.
//
// Group g of a vector of states has the states of two lanes. These lanes are 8g+i, with i = 0 and 2 in the first
// vector, then 1 and 3, 4 and 6, 5 and 7. So the quarters of a group come together within it.
func (g *generator) draw(states vectors) (lowest, second, highest reg.VecVirtual) {
	var z vectors
	for i, state := range states {
		VPADDQ(g.increment, state, state)
		z[i] = ZMM()
		mix(state, z[i], 30)
		VPMULLQ(g.multiplier1, z[i], z[i])
		mix(z[i], z[i], 27)
		VPMULLQ(g.multiplier2, z[i], z[i])
		mix(z[i], z[i], 31)
	}
	evenA, oddA := g.quarters(z[0], z[1])
	evenB, oddB := g.quarters(z[2], z[3])
	const lower, upper = 0b10_00_10_00, 0b11_01_11_01
	return gathered(evenA, evenB, lower), gathered(oddA, oddB, lower), gathered(oddA, oddB, upper)
}

// mix writes the assignment to = z ^ z>>by.
func mix(z, to reg.Register, by uint64) {
	shifted := ZMM()
	VPSRLQ(operand.Imm(by), z, shifted)
	VPXORQ(z, shifted, to)
}

// quarters returns the quarters of the numbers in a and b: even has the lowest of a, of b, the third of a, of
// b; odd has the second of a, of b, the highest of a, of b.
func (g *generator) quarters(a, b reg.Register) (even, odd reg.VecVirtual) {
	even, odd = ZMM(), ZMM()
	VPSLLD(operand.Imm(16), b, even)
	logic(func(e, a, mask uint8) uint8 { return e | a&mask }, even, a, g.evenWords)
	VPSRLD(operand.Imm(16), a, odd)
	logic(func(o, b, mask uint8) uint8 { return o | b&^mask }, odd, b, g.evenWords)
	return even, odd
}

// gathered returns doublewords of a and b as VSHUFPS selects them.
func gathered(a, b reg.Register, by uint64) reg.VecVirtual {
	to := ZMM()
	VSHUFPS(operand.Imm(by), b, a, to)
	return to
}

// drawCell draws one of the cells of each board in moved. The numbers low and high are the halves of a number r
// below 2^32. Of count cells it takes the cell r*count/2^32.
func (g *generator) drawCell(cells reg.VecVirtual, moved reg.OpmaskVirtual, low, high reg.Register) reg.VecVirtual {
	count, n, part, sum := ZMM(), ZMM(), ZMM(), ZMM()
	VPOPCNTW(cells, count)
	VPMULHUW(count, high, n)
	VPMULLW(count, high, part)
	VPMULHUW(count, low, sum)
	VPADDW(part, sum, sum)
	carry := K()
	VPCMPUW(operand.Imm(lessThan), part, sum, carry)
	VPSUBW(g.allOnes, n, carry, n)
	return g.nthCell(cells, n, moved)
}

// The predicates of VPCMPUW.
const (
	lessThan = 1
	atLeast  = 5
)

// nthCell returns the n-th of the cells of each board in moved, from 0.
func (g *generator) nthCell(cells, n reg.VecVirtual, moved reg.OpmaskVirtual) reg.VecVirtual {
	at := ZMM()
	VPXORQ(at, at, at)
	g.skipHalf(cells, n, at, 8, g.lowByte, g.eights)
	g.skipHalf(cells, n, at, 4, g.lowNibble, g.fours)
	// Four cells and a number below 4 are left. They form an index of 6 bits.
	VPSLLW(operand.Imm(4), n, n)
	logic(func(cells, n, mask uint8) uint8 { return cells&mask | n }, cells, n, g.lowNibble)
	cell := ZMM()
	VPERMB(g.nth, cells, cell)
	VPSLLVW_Z(at, cell, moved, cell)
	return cell
}

// skipHalf skips the given number of lower cells if the n-th cell is not among them.
func (g *generator) skipHalf(cells, n, at reg.VecVirtual, half uint64, lower, step operand.Op) {
	count, beyond := ZMM(), K()
	VPANDQ(lower, cells, count)
	VPOPCNTW(count, count)
	VPCMPUW(operand.Imm(atLeast), count, n, beyond)
	VPSUBW(count, n, beyond, n)
	VPSRLW(operand.Imm(half), cells, beyond, cells)
	VPADDW(step, at, beyond, at)
}

// directions returns the boards to transpose and the boards to mirror: the two highest bits of top.
func (g *generator) directions(top reg.Register) (transpose, mirror reg.VecVirtual) {
	bytes := permuted(top, g.unzippedHigh)
	transpose, mirror = ZMM(), ZMM()
	VGF2P8AFFINEQB(operand.Imm(0), bytes, g.bit7, transpose)
	VGF2P8AFFINEQB(operand.Imm(0), bytes, g.bit6, mirror)
	return transpose, mirror
}
