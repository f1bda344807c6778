//go:build goexperiment.simd && amd64

package playout

import "simd/archsimd"

// vector is 4 groups of 16 bytes. The bytes of a group are the cells of a board, and the bits of a
// byte belong to 8 boards, so an operation on a vector applies to 32 boards. It is unsigned because
// the compiler of Go 1.26 merges logic on signed vectors into VPTERNLOG with the operands of AndNot
// swapped.
type vector = archsimd.Uint8x64

// planes are 32 boards, split into the bits of the cells' exponents. Moving tiles is permuting bytes,
// comparing and merging them is logic.
type planes struct{ bit0, bit1, bit2, bit3 vector }

// empty returns the empty cells.
func (p planes) empty() vector {
	return archsimd.BroadcastUint8x64(0xFF).AndNot(p.occupied())
}

func (p planes) occupied() vector { return p.bit0.Or(p.bit1).Or(p.bit2.Or(p.bit3)) }

// different returns the cells in which p and q differ.
func (p planes) different(q planes) vector {
	return p.bit0.Xor(q.bit0).Or(p.bit1.Xor(q.bit1)).Or(p.bit2.Xor(q.bit2).Or(p.bit3.Xor(q.bit3)))
}

func (p planes) permute(by *permutation) planes {
	return planes{permute(p.bit0, by), permute(p.bit1, by), permute(p.bit2, by), permute(p.bit3, by)}
}

// replace takes the cells in mask from q.
func (p planes) replace(mask vector, q planes) planes {
	return planes{
		p.bit0.AndNot(mask).Or(q.bit0.And(mask)), p.bit1.AndNot(mask).Or(q.bit1.And(mask)),
		p.bit2.AndNot(mask).Or(q.bit2.And(mask)), p.bit3.AndNot(mask).Or(q.bit3.And(mask)),
	}
}

// turn transposes the boards whose bits are set in the lower half of random and
// mirrors those whose bits are set in its upper half.
func (p planes) turn(random uint64) planes {
	r := archsimd.BroadcastUint64x8(random).AsUint8x64()
	p = p.replace(permute(r, &lowerHalf), p.permute(&transposed))
	return p.replace(permute(r, &upperHalf), p.permute(&mirrored))
}

// slideWest slides all boards west. No two 32768s may merge.
func (p planes) slideWest() planes {
	return p.closeGap(&column2).closeGap(&column1).closeGap(&column0).merge()
}

// closeGap moves the tiles east of an empty cell in the column one cell west.
func (p planes) closeGap(column *permutation) planes {
	return p.replace(permute(p.empty(), column), p.permute(&fromEast))
}

// merge merges equal neighbours in rows that have their gaps in the east.
func (p planes) merge() planes {
	pair := p.occupied().AndNot(p.different(p.permute(&fromEast)))
	// Of three equal tiles the western two merge, of four both pairs.
	pair = pair.AndNot(permute(pair.AndNot(permute(pair, &fromWest)), &fromWest))
	gap := permute(pair, &fromWest)
	carry1 := p.bit0.And(pair)
	carry2 := p.bit1.And(carry1)
	carry3 := p.bit2.And(carry2)
	p = planes{
		p.bit0.Xor(pair).AndNot(gap), p.bit1.Xor(carry1).AndNot(gap),
		p.bit2.Xor(carry2).AndNot(gap), p.bit3.Xor(carry3).AndNot(gap),
	}
	// Two pairs leave a gap and the last cell empty, so closing the first gap is enough.
	next := permute(gap, &fromWest)
	east := gap.Or(next).Or(permute(next, &fromWest))
	return p.replace(east, p.permute(&fromEast))
}

// ended returns the bits of the boards on which no slide is legal.
func (p planes) ended() uint32 {
	stuck := p.occupied().And(p.different(p.permute(&fromEast))).And(p.different(p.permute(&fromSouth)))
	free := archsimd.BroadcastUint8x64(0xFF).AndNot(stuck)
	return byBoard(free).Equal(archsimd.BroadcastUint16x32(0)).ToBits()
}

// boards are the bits of 16 cells of each of 32 boards, board by board.
type boards = archsimd.Uint16x32

// drawCells draws one of the empty cells of each board in moved. It uses 16 random bits for each, so
// the probability of a cell is off by less than 1 in 4000.
func drawCells(empty, moved vector, g *Generator) vector {
	var random [8]uint64
	for i := range random {
		random[i] = g.Next()
	}
	cells := byBoard(empty).Masked(byBoard(moved).NotEqual(archsimd.BroadcastUint16x32(0)))
	n := archsimd.LoadUint64x8(&random).AsUint16x32().MulHigh(cells.OnesCount())
	return bySlice(nthBits(cells, n))
}

// nthBits is nthBit of each board: it returns the n-th bit, from 0, of cells.
func nthBits(cells, n boards) boards {
	at := archsimd.BroadcastUint16x32(0)
	for half := uint16(8); half > 0; half /= 2 {
		// Skip the lower half if the bit is not there. If it is, beyond is negative, and as an
		// unsigned number larger than n.
		beyond := n.Sub(cells.And(archsimd.BroadcastUint16x32(1<<half - 1)).OnesCount())
		lower := beyond.AsInt16x32().ShiftAllRight(15).AsUint16x32()
		skip := archsimd.BroadcastUint16x32(half).AndNot(lower)
		cells, n, at = cells.ShiftRight(skip), n.Min(beyond), at.Add(skip)
	}
	return cells.And(archsimd.BroadcastUint16x32(1)).ShiftLeft(at)
}

// byBoard gathers the bits of each board. The cells are in another order than the bytes of a group,
// which does not matter here.
func byBoard(v vector) boards {
	return permute(transpose(v), &zipped).AsUint16x32()
}

// bySlice undoes byBoard.
func bySlice(b boards) vector {
	return transpose(permute(b.AsUint8x64(), &unzipped))
}

// transpose mirrors the 8 times 8 bits of each 8 bytes at the diagonal through the highest bit of
// the first byte.
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

// transpose leaves the halves of a group's boards in two words, the last board first. zipped puts the
// first board first, with its halves side by side.
var (
	zipped   = byByte(func(_, i int) int8 { return int8(7 - i/2 + i%2*8) })
	unzipped = byByte(func(_, i int) int8 { return int8((7-i%8)*2 + i/8) })
)

// permutation has, for each byte, the number of the byte of its group that moves there, or -1 for a
// 0. All permutations are computed once and never change.
type permutation [64]int8

func permute(v vector, by *permutation) vector {
	return v.PermuteOrZeroGrouped(archsimd.LoadInt8x64((*[64]int8)(by)))
}

// The permutations of the cells of a board.
var (
	transposed = byCell(func(row, column int) int8 { return cell(column, row) })
	mirrored   = byCell(func(row, column int) int8 { return cell(row, 3-column) })
	fromEast   = byCell(func(row, column int) int8 { return cell(row, column+1) })
	fromWest   = byCell(func(row, column int) int8 { return cell(row, column-1) })
	fromSouth  = byCell(func(row, column int) int8 { return cell(row+1, column) })
)

// Copies of one column in all cells from it on to the east.
var column0, column1, column2 = overEast(0), overEast(1), overEast(2)

func overEast(from int) permutation {
	return byCell(func(row, column int) int8 {
		if column < from {
			return -1
		}
		return cell(row, from)
	})
}

// Copies of one byte in each group, of 8 bytes that are repeated through the vector.
var (
	lowerHalf = byByte(func(group, _ int) int8 { return int8(group) })
	upperHalf = byByte(func(group, _ int) int8 { return int8(group + 4) })
)

// byCell returns a permutation of the cells of all boards.
func byCell(from func(row, column int) int8) permutation {
	return byByte(func(_, i int) int8 { return from(i%8/2, i%2*2+i/8) })
}

// cell returns the number of a cell's byte, -1 beyond the board. The cells in even columns come
// first.
func cell(row, column int) int8 {
	if row > 3 || column < 0 || column > 3 {
		return -1
	}
	return int8(row*2 + column/2 + column%2*8)
}

func byByte(from func(group, i int) int8) (p permutation) {
	for i := range p {
		p[i] = from(i/16, i%16)
	}
	return p
}
