package shortest

import (
	"math/big"
	"math/bits"
)

// countBits is how large a count may be. Some 10^41 lines from the empty full
// board have 51 plies, more than 128 bits can count.
const countBits = 256

// count is a number of lines below 2^256, its lowest word first.
type count [countBits / 64]uint64

// add adds times*n. The sum must be below 2^256.
func (c *count) add(n *count, times uint64) {
	var carry uint64
	for i := range c {
		high, low := bits.Mul64(n[i], times)
		low, over := bits.Add64(low, carry, 0)
		c[i], carry = bits.Add64(c[i], low, 0)
		carry += high + over
	}
}

// big is the count as a big.Int.
func (c *count) big() *big.Int {
	n := new(big.Int)
	for i := range c {
		n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(c[len(c)-1-i]))
	}
	return n
}
