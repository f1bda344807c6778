//go:build goexperiment.simd && amd64

package players

import "simd/archsimd"

// boards are the bits of 16 cells of each of 32 boards, board by board.
type boards = archsimd.Uint16x32

// drawCells draws one of the empty cells of each board in moved. Since that
// takes 16 random bits, a cell of 15 is off its share by less than 1 in 4000.
func drawCells(empty, moved vector, g *generator) vector {
	var random [8]uint64
	for i := range random {
		random[i] = g.next()
	}
	cells := byBoard(empty).Masked(byBoard(moved).NotEqual(archsimd.BroadcastUint16x32(0)))
	n := archsimd.LoadUint64x8(&random).AsUint16x32().MulHigh(cells.OnesCount())
	return bySlice(nthBits(cells, n))
}

// nthBits is nthBit of each board: it leaves the n-th bit, from 0, of cells.
func nthBits(cells, n boards) boards {
	at := archsimd.BroadcastUint16x32(0)
	for half := uint16(8); half > 0; half /= 2 {
		// Skip the lower half if the bit isn't there. If it is, beyond is
		// negative, and so larger than n.
		beyond := n.Sub(cells.And(archsimd.BroadcastUint16x32(1<<half - 1)).OnesCount())
		lower := beyond.AsInt16x32().ShiftAllRight(15).AsUint16x32()
		skip := archsimd.BroadcastUint16x32(half).AndNot(lower)
		cells, n, at = cells.ShiftRight(skip), n.Min(beyond), at.Add(skip)
	}
	return cells.And(archsimd.BroadcastUint16x32(1)).ShiftLeft(at)
}

// byBoard gathers the bits of each board. The order of cells, of no concern
// here, is another than in a group's bytes.
func byBoard(v vector) boards {
	return permute(transpose(v), &zipped).AsUint16x32()
}

// bySlice undoes byBoard.
func bySlice(b boards) vector {
	return transpose(permute(b.AsUint8x64(), &unzipped))
}

// transpose mirrors the 8 times 8 bits of each 8 bytes about the diagonal from
// the first byte's highest bit.
func transpose(v vector) vector {
	return archsimd.LoadUint8x64(&highestFirst).GaloisFieldAffineTransform(v.AsUint64x8(), 0)
}

var highestFirst = newHighestFirst()

func newHighestFirst() (bits [64]uint8) {
	for i := range bits {
		bits[i] = 0x80 >> (i % 8)
	}
	return bits
}

// transpose leaves the halves of a group's boards in two words, the last board
// first; zipped has the first board first, its halves side by side.
var (
	zipped   = byByte(func(_, i int) int8 { return int8(7 - i/2 + i%2*8) })
	unzipped = byByte(func(_, i int) int8 { return int8((7-i%8)*2 + i/8) })
)
