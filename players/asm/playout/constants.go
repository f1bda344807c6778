package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// generator has the constants of a turn. A constant that an instruction takes only from a register stays in a register.
type generator struct {
	// Permutations of the cells of a board.
	transposed, mirrored, fromEast, fromSouth, fromWest, from2West, from3West operand.Op
	// columns[i] copies the cells of column i to this column and to all columns east of it. It clears all other
	// cells.
	columns [3]operand.Op
	// Permutations of bytes for the conversion from planes to the bits of each board and back.
	zipped, unzipped, unzippedHigh        operand.Op
	lowestFirst, highestFirst, bit7, bit6 reg.VecVirtual
	// Constants of SplitMix64, and of the division of its numbers into quarters.
	increment, multiplier1, multiplier2, evenWords operand.Op
	// Constants of nthCell. Byte 16*n+b of nth is a mask of the n-th set bit of b, from 0; b is below 16.
	lowByte, lowNibble, eights, fours, nth operand.Op
	allOnes                                reg.VecVirtual
}

func newGenerator() *generator {
	return &generator{
		transposed: cells("transposed", func(row, column int) byte { return place(column, row) }),
		mirrored:   cells("mirrored", func(row, column int) byte { return place(row, 3-column) }),
		fromEast:   cells("fromEast", func(row, column int) byte { return place(row, column+1) }),
		fromSouth:  cells("fromSouth", func(row, column int) byte { return place(row+1, column) }),
		fromWest:   cells("fromWest", func(row, column int) byte { return place(row, column-1) }),
		from2West:  cells("from2West", func(row, column int) byte { return place(row, column-2) }),
		from3West:  cells("from3West", func(row, column int) byte { return place(row, column-3) }),
		columns:    [3]operand.Op{fromColumn("column0", 0), fromColumn("column1", 1), fromColumn("column2", 2)},

		zipped:       bytes("zipped", func(i int) byte { return byte(i/2 + i%2*8) }),
		unzipped:     bytes("unzipped", func(i int) byte { return byte((7-i%8)*2 + i/8) }),
		unzippedHigh: bytes("unzippedHigh", func(i int) byte { return byte((7-i%8)*2 + 1) }),
		lowestFirst:  register(bytes("lowestFirst", func(i int) byte { return 1 << (i % 8) })),
		highestFirst: register(bytes("highestFirst", func(i int) byte { return 0x80 >> (i % 8) })),
		bit7:         register(bytes("bit7", func(int) byte { return 1 << 7 })),
		bit6:         register(bytes("bit6", func(int) byte { return 1 << 6 })),

		increment:   words("increment", 0x9E37_79B9_7F4A_7C15),
		multiplier1: words("multiplier1", 0xBF58_476D_1CE4_E5B9),
		multiplier2: words("multiplier2", 0x94D0_49BB_1331_11EB),
		evenWords:   words("evenWords", 0x0000_FFFF_0000_FFFF),

		lowByte:   words("lowByte", 0x00FF_00FF_00FF_00FF),
		lowNibble: words("lowNibble", 0x000F_000F_000F_000F),
		eights:    words("eights", 0x0008_0008_0008_0008),
		fours:     words("fours", 0x0004_0004_0004_0004),
		nth:       table("nth", func(i int) byte { return nthBit(i%16, i/16) }),
		allOnes:   register(words("allOnes", 0xFFFF_FFFF_FFFF_FFFF)),
	}
}

// place returns the byte of a cell in its group, or for a cell beyond the board a byte that VPSHUFB replaces by
// 0. Within each half of a group, the cells are in the order of a board, from the last byte on, as
// VGF2P8AFFINEQB reads 8 bytes.
func place(row, column int) byte {
	if row > 3 || column < 0 || column > 3 {
		return 0x80
	}
	return byte(4*row+column) ^ 7
}

// cells returns the permutation that fills each cell from the place that from names.
func cells(name string, from func(row, column int) byte) operand.Op {
	return bytes(name, func(i int) byte { return from((i^7)/4, (i^7)%4) })
}

func fromColumn(name string, from int) operand.Op {
	return cells(name, func(row, column int) byte {
		if column < from {
			return 0x80
		}
		return place(row, from)
	})
}

// bytes is a vector of 4 equal groups.
func bytes(name string, at func(i int) byte) operand.Op {
	return table(name, func(i int) byte { return at(i % 16) })
}

// words is a vector of 8 equal words.
func words(name string, word uint64) operand.Op {
	return table(name, func(i int) byte { return byte(word >> (i % 8 * 8)) })
}

// table is a vector of 64 bytes.
func table(name string, at func(i int) byte) operand.Op {
	m := GLOBL(name, 8|16) // RODATA and NOPTR
	for word := range 8 {
		value := uint64(0)
		for i := range 8 {
			value |= uint64(at(word*8+i)) << (8 * i)
		}
		DATA(word*8, operand.U64(value))
	}
	return m
}

func register(constant operand.Op) reg.VecVirtual {
	r := ZMM()
	VMOVDQU64(constant, r)
	return r
}

// nthBit returns a mask of the n-th of the set bits, from 0. It returns 0 if there are too few.
func nthBit(bits, n int) byte {
	for ; n > 0; n-- {
		bits &= bits - 1
	}
	return byte(bits & -bits)
}
