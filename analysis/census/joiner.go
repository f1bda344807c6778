package census

import (
	"math/bits"
	"slices"
)

// A joiner unites parts of pieces, with memory of its own.
type joiner struct {
	bitmap  []uint64
	joined  []uint32
	code    []byte
	buffer  []byte
	decoded []uint32
}

// join is the code of the different ranks of a piece in blocks and sets.
func (j *joiner) join(blocks []*block, sets []*set, i, shift int) (coded, error) {
	n := 0
	for _, b := range blocks {
		n += len(b.piece(i))
	}
	for _, s := range sets {
		n += int(s.pieces[i].count)
	}
	unite := j.mark
	if shift > pieceBits || n < 1<<shift/sparse {
		unite = j.sort
	}
	if err := unite(blocks, sets, i); err != nil {
		return coded{}, err
	}
	j.code = appendRice(j.code[:0], j.joined, riceBits(len(j.joined), shift))
	return coded{j.code, len(j.joined)}, nil
}

// sparse is how many ranks there may be for one that is there, for a bitmap to be
// faster than sorting.
const sparse = 4096

// sort finds the different ranks of a few.
func (j *joiner) sort(blocks []*block, sets []*set, i int) (err error) {
	j.joined = j.joined[:0]
	for _, b := range blocks {
		j.joined = append(j.joined, b.piece(i)...)
	}
	for _, s := range sets {
		if j.joined, err = s.appendPiece(j.joined, i, &j.buffer); err != nil {
			return err
		}
	}
	slices.Sort(j.joined)
	j.joined = slices.Compact(j.joined)
	return nil
}

// mark finds the different ranks with a bitmap.
func (j *joiner) mark(blocks []*block, sets []*set, i int) (err error) {
	if j.bitmap == nil {
		j.bitmap = make([]uint64, 1<<pieceBits/64)
	}
	bitmap := (*[1 << pieceBits / 64]uint64)(j.bitmap)
	for _, b := range blocks {
		markAll(bitmap, b.piece(i))
	}
	for _, s := range sets {
		if j.decoded, err = s.appendPiece(j.decoded[:0], i, &j.buffer); err != nil {
			clear(j.bitmap)
			return err
		}
		markAll(bitmap, j.decoded)
	}
	j.joined = j.joined[:0]
	for w, marks := range bitmap {
		for ; marks != 0; marks &= marks - 1 {
			j.joined = append(j.joined, uint32(64*w+bits.TrailingZeros64(marks)))
		}
	}
	clear(j.bitmap)
	return nil
}

func markAll(bitmap *[1 << pieceBits / 64]uint64, ranks []uint32) {
	for _, x := range ranks {
		bitmap[x>>6%(1<<pieceBits/64)] |= 1 << (x & 63)
	}
}
