//go:build goexperiment.simd && amd64

package players

import "simd/archsimd"

// vector is 4 groups of 16 bytes. The bytes of a group are the cells of a
// board, and the bits of a byte belong to 8 boards: what is done to a vector is
// done to 32 boards. It is unsigned since the compiler of Go 1.26 joins logic on
// signed vectors into VPTERNLOG, and takes the operands of AndNot the wrong way
// round as it does.
type vector = archsimd.Uint8x64

// planes are 32 boards, cut into the bits of the cells' exponents. To move tiles
// is to permute bytes, to compare and to merge them is logic.
type planes struct{ bit0, bit1, bit2, bit3 vector }

// empty are the empty cells.
func (p planes) empty() vector {
	return archsimd.BroadcastUint8x64(0xFF).AndNot(p.occupied())
}

func (p planes) occupied() vector { return p.bit0.Or(p.bit1).Or(p.bit2.Or(p.bit3)) }

// different are the cells in which p and q differ.
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

// slideWest slides all boards west. There may be no 32768s to merge.
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
	// Of three equal tiles the two in the west merge, of four each two.
	pair = pair.AndNot(permute(pair.AndNot(permute(pair, &fromWest)), &fromWest))
	gap := permute(pair, &fromWest)
	carry1 := p.bit0.And(pair)
	carry2 := p.bit1.And(carry1)
	carry3 := p.bit2.And(carry2)
	p = planes{
		p.bit0.Xor(pair).AndNot(gap), p.bit1.Xor(carry1).AndNot(gap),
		p.bit2.Xor(carry2).AndNot(gap), p.bit3.Xor(carry3).AndNot(gap),
	}
	// Two pairs leave a gap and the last cell empty: closing the one suffices.
	next := permute(gap, &fromWest)
	east := gap.Or(next).Or(permute(next, &fromWest))
	return p.replace(east, p.permute(&fromEast))
}

// ended has the bits of the boards on which nothing can be slid.
func (p planes) ended() uint32 {
	stuck := p.occupied().And(p.different(p.permute(&fromEast))).And(p.different(p.permute(&fromSouth)))
	free := archsimd.BroadcastUint8x64(0xFF).AndNot(stuck)
	return byBoard(free).Equal(archsimd.BroadcastUint16x32(0)).ToBits()
}
