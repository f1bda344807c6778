package census

import (
	"encoding/binary"
	"errors"
	"math/bits"
)

// A set of numbers below 1<<shift is written as the gaps between them in a Rice
// code (Rice 1979; Golomb 1966): the quotient by 1<<k in unary, as ones and a
// zero, then k bits of remainder. Bytes are filled from their low bits up.

// longest is the number of ones that announces a whole gap in 32 bits. The quotient of such a gap is longest or more.
// Smaller quotients are written in unary.
const longest = 24

// riceBits returns the k for count numbers below 1<<shift. The codes of random sets are shortest if 1<<k is about
// 0.69 times the mean gap.
func riceBits(count, shift int) int {
	return max(0, bits.Len64((1<<shift)*11/16/uint64(max(1, count)))-1)
}

// appendRice appends the code of increasing numbers.
func appendRice(dst []byte, numbers []uint32, k int) []byte {
	var w uint64 // bits to be written
	n := 0       // the number of these bits, below 8 between two gaps
	next := uint32(0)
	for _, x := range numbers {
		gap := uint64(x - next)
		next = x + 1
		if q := gap >> k; q < longest {
			w |= (1<<q - 1) << n
			n += int(q) + 1
			w |= (gap & (1<<k - 1)) << n
			n += k
		} else {
			w |= (1<<longest - 1 | gap<<longest) << n
			n += longest + 32
		}
		for ; n >= 8; n -= 8 {
			dst = append(dst, byte(w))
			w >>= 8
		}
	}
	if n > 0 {
		dst = append(dst, byte(w))
	}
	return dst
}

// The errors for bytes that are not the code of a set.
var (
	errCode = errors.New("the code does not hold the expected number of ranks")
	errRank = errors.New("the code holds a rank that no board has")
)

// appendNumbers appends the numbers of a code. There must be count numbers, all below limit, which is at most 1<<32.
// Behind the code, the slice has 8 more bytes of any value. appendNumbers returns an error for any other code.
func appendNumbers(dst []uint32, code []byte, count, k int, limit uint64) ([]uint32, error) {
	at, end := 0, 8*(len(code)-8) // in bits
	next := uint64(0)
	for range count {
		if at >= end {
			return dst, errCode
		}
		w := binary.LittleEndian.Uint64(code[at>>3:]) >> (at & 7)
		if q := bits.TrailingZeros64(^w); q < longest {
			next += uint64(q)<<k + w>>(q+1)&(1<<k-1)
			at += q + 1 + k
		} else {
			next += w >> longest & (1<<32 - 1)
			at += longest + 32
		}
		dst = append(dst, uint32(next))
		next++
	}
	switch {
	case at > end || at <= end-8:
		return dst, errCode
	case next > limit:
		return dst, errRank
	}
	return dst, nil
}
