// Ntuple writes the assembly code that finds the weights of a board: `go generate ./players/ntuple` runs it.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The offsets of the fields in Go's type eight, and the size of an eight.
const (
	atLow      = 0
	atHigh     = 32
	atFirst    = 64
	eightBytes = 96
)

// places is the number of places in an eight.
const places = 8

// board has the cells of the board in registers, and the eights that are left.
type board struct {
	low, high     reg.VecVirtual // one cell in each byte: in its low half, and in its high half
	eights, count reg.Register
}

func main() {
	halves := lowHalves()
	sum(halves)
	numbers(halves)
	Generate()
}

// sum writes a function that adds up weights.
func sum(halves Mem) {
	// In Go eights is a *eight; avo does not know this type.
	TEXT("sumAVX2", NOSPLIT, "func(board uint64, eights *byte, count int, weights *byte) (sum int32)")
	b := load(halves)
	weights := Load(Param("weights"), GP64())
	numbers := AllocLocal(4 * places)
	sums := []reg.GPVirtual{GP32(), GP32()}
	for _, sum := range sums {
		XORL(sum, sum)
	}

	Label("eight")
	VMOVDQU(b.numbers(), numbers)
	for i := range places {
		number, weight := GP64(), GP32()
		MOVL(numbers.Offset(4*i), number.As32())
		MOVWLSX(Mem{Base: weights, Index: number, Scale: 2}, weight)
		ADDL(weight, sums[i%2])
	}
	b.next("eight")

	VZEROUPPER()
	ADDL(sums[1], sums[0])
	Store(sums[0], ReturnIndex(0))
	RET()
}

// numbers writes a function that stores the numbers of weights.
func numbers(halves Mem) {
	TEXT("numbersAVX2", NOSPLIT, "func(board uint64, eights *byte, count int, numbers *uint32)")
	b := load(halves)
	to := Load(Param("numbers"), GP64())

	Label("eight")
	VMOVDQU(b.numbers(), Mem{Base: to})
	ADDQ(Imm(4*places), to)
	b.next("eight")

	VZEROUPPER()
	RET()
}

// load loads the parameters that both functions have.
func load(halves Mem) board {
	low, high := digits(Load(Param("board"), GP64()), halves)
	return board{low, high, Load(Param("eights"), GP64()), Load(Param("count"), GP64())}
}

// digits returns the cells of a board as bytes.
func digits(board reg.Register, halves Mem) (low, high reg.VecVirtual) {
	even, odd := XMM(), XMM()
	VMOVQ(board, even)
	VPSRLW(Imm(4), even, odd)
	VPUNPCKLBW(odd, even, even)
	VPAND(halves, even, even)
	low, high = YMM(), YMM()
	VINSERTI128(Imm(1), even, even.AsY(), low)
	VPSLLW(Imm(4), low, high)
	return low, high
}

// lowHalves returns a mask of the low half of each byte.
func lowHalves() Mem {
	m := GLOBL("lowHalves", 8|16) // RODATA and NOPTR
	for at := range 2 {
		DATA(8*at, U64(0x0F0F_0F0F_0F0F_0F0F))
	}
	return m
}

// numbers returns the numbers of the weights at the places of an eight.
func (b board) numbers() reg.VecVirtual {
	numbers, high := YMM(), YMM()
	VPSHUFB(Mem{Base: b.eights, Disp: atLow}, b.low, numbers)
	VPSHUFB(Mem{Base: b.eights, Disp: atHigh}, b.high, high)
	VPOR(high, numbers, numbers)
	VPADDD(Mem{Base: b.eights, Disp: atFirst}, numbers, numbers)
	return numbers
}

// next jumps to label for the next eight, if there is one.
func (b board) next(label string) {
	ADDQ(Imm(eightBytes), b.eights)
	DECQ(b.count)
	JNE(LabelRef(label))
}
