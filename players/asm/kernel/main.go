// Kernel writes the assembly code that multiplies matrices: `go generate ./players/neural` runs it.
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// panel is the size of 16 columns of a row in bytes.
const panel = 64

// vectors describes the vector registers of an instruction set.
type vectors struct {
	name      string
	bytes     int
	registers int
	make      func() reg.VecVirtual
}

var (
	avx2   = vectors{"AVX2", 32, 16, YMM}
	avx512 = vectors{"AVX512", 64, 32, ZMM}
)

func main() {
	for _, tile := range []struct{ rows, panels int }{{8, 2}, {8, 1}, {1, 4}, {1, 1}} {
		avx512.tile(tile.rows, tile.panels)
	}
	for _, tile := range []struct{ rows, panels int }{{4, 1}, {1, 4}, {1, 1}} {
		avx2.tile(tile.rows, tile.panels)
	}
	addRow()
	rectify()
	Generate()
}

// tile writes a function that adds products to some rows and panels of the output. All sums of the tile stay in
// registers.
func (v vectors) tile(rows, panels int) {
	TEXT(fmt.Sprintf("tile%dx%d%s", rows, panels, v.name), NOSPLIT, "func(out, in, weights *float32, rows *int32, inputs, apart int)")
	list := Load(Param("rows"), GP64())
	from := make([]reg.GPVirtual, rows)
	base := Load(Param("in"), GP64())
	for i := range from {
		from[i] = row(base, list, 8*i)
	}
	base = Load(Param("out"), GP64())
	sums := make([][]Op, rows)
	for i := range sums {
		sums[i] = v.loaded(v.at(row(base, list, 8*i+4), panels*panel))
	}
	weights := v.panels(panels)
	inputs := Load(Param("inputs"), GP64())
	index := GP64()
	XORQ(index, index)

	Label("input")
	columns := v.columns(weights)
	if (rows+1)*len(columns)+1 <= v.registers {
		columns = v.loaded(columns)
	}
	for i := range from {
		x := v.make()
		VBROADCASTSS(Mem{Base: from[i], Index: index, Scale: 4}, x)
		for j, w := range columns {
			VFMADD231PS(w, x, sums[i][j])
		}
	}
	for _, w := range weights {
		ADDQ(Imm(panel), w)
	}
	INCQ(index)
	CMPQ(index, inputs)
	JNE(LabelRef("input"))

	for i := range sums {
		to := row(base, list, 8*i+4)
		for j, sum := range sums[i] {
			VMOVUPS(sum, Mem{Base: to, Disp: v.bytes * j})
		}
	}
	VZEROUPPER()
	RET()
}

// row returns the address of a row: base plus 4 times an index. The index is the 32-bit number of list at offset at.
func row(base, list reg.Register, at int) reg.GPVirtual {
	address := GP64()
	MOVLQSX(Mem{Base: list, Disp: at}, address)
	LEAQ(Mem{Base: base, Index: address, Scale: 4}, address)
	return address
}

// at returns the places of the vectors at an address.
func (v vectors) at(from reg.Register, bytes int) (list []Op) {
	for at := 0; at < bytes; at += v.bytes {
		list = append(list, Mem{Base: from, Disp: at})
	}
	return list
}

// loaded returns registers with the content of these places.
func (v vectors) loaded(places []Op) (list []Op) {
	for _, place := range places {
		x := v.make()
		VMOVUPS(place, x)
		list = append(list, x)
	}
	return list
}

// panels returns the addresses of the first rows of count panels. The parameter apart is their distance in bytes.
func (v vectors) panels(count int) (list []reg.GPVirtual) {
	first := Load(Param("weights"), GP64()).(reg.GPVirtual)
	list = append(list, first)
	if count == 1 {
		return list
	}
	apart := Load(Param("apart"), GP64())
	for len(list) < count {
		next := GP64()
		LEAQ(Mem{Base: list[len(list)-1], Index: apart, Scale: 1}, next)
		list = append(list, next)
	}
	return list
}

// columns returns the places of the weights of the present input.
func (v vectors) columns(weights []reg.GPVirtual) (list []Op) {
	for _, w := range weights {
		list = append(list, v.at(w, panel)...)
	}
	return list
}

// addRow writes a function that adds a row of a matrix to a row of the output.
func addRow() {
	TEXT("addRowAVX2", NOSPLIT, "func(out, weights *float32, panels, apart int)")
	out := Load(Param("out"), GP64())
	weights := Load(Param("weights"), GP64())
	panels := Load(Param("panels"), GP64())
	apart := Load(Param("apart"), GP64())
	Label("panel")
	for at := 0; at < panel; at += avx2.bytes {
		sum := YMM()
		VMOVUPS(Mem{Base: out, Disp: at}, sum)
		VADDPS(Mem{Base: weights, Disp: at}, sum, sum)
		VMOVUPS(sum, Mem{Base: out, Disp: at})
	}
	ADDQ(Imm(panel), out)
	ADDQ(apart, weights)
	DECQ(panels)
	JNZ(LabelRef("panel"))
	VZEROUPPER()
	RET()
}

// rectify writes a function that replaces all numbers that are not above 0 by 0, in panels of 16 numbers.
func rectify() {
	TEXT("rectifyAVX2", NOSPLIT, "func(x *float32, panels int)")
	at := Load(Param("x"), GP64())
	panels := Load(Param("panels"), GP64())
	zero := YMM()
	VXORPS(zero, zero, zero)
	Label("panel")
	for disp := 0; disp < panel; disp += avx2.bytes {
		v := YMM()
		VMOVUPS(Mem{Base: at, Disp: disp}, v)
		VMAXPS(zero, v, v) // the result is zero, Intel's last operand, if one of the two is not a number
		VMOVUPS(v, Mem{Base: at, Disp: disp})
	}
	ADDQ(Imm(panel), at)
	DECQ(panels)
	JNZ(LabelRef("panel"))
	VZEROUPPER()
	RET()
}
