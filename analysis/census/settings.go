package census

import (
	"fmt"

	"versus2048/rules"
)

// Settings say what is counted, and with what.
type Settings struct {
	Start     rules.Position // of gpcc2015, either side to move
	Plies     int            // from the start
	Defenders bool           // count the positions with the defender to move, too
	Memory    int64          // bytes to be used, about; at least LeastMemory
	Folder    string         // where layers are kept and what the memory does not hold; none if it is empty
	Small     int64          // layers are kept only if the one before has so many positions
	Keep      bool           // keep all layers, not only the last one
	Workers   int            // goroutines that compute; GOMAXPROCS if it is 0
	Progress  func(Progress) // called some times a second, never twice at once
}

// LeastMemory is the least memory that a census takes, in bytes.
const LeastMemory = 64 << 20

// maxSum is the largest sum of tiles that a census goes to: its tables grow with
// the square.
const maxSum = 4096

// Check finds out what can't be counted.
func (s Settings) Check() error {
	switch sum := sumOf(s.Start) + s.Plies + 2; {
	case s.Start.Rules() != rules.GPCC2015:
		return fmt.Errorf("a census of %v: want gpcc2015, the only rules whose score follows from the board", s.Start.Rules())
	case s.Plies < 1:
		return fmt.Errorf("%d plies: want at least 1", s.Plies)
	case sum > maxSum:
		return fmt.Errorf("%d plies from %v lead to tiles of sum %d: want at most %d", s.Plies, s.Start, sum, maxSum)
	case s.Memory < LeastMemory:
		return fmt.Errorf("%d bytes of memory: want at least %d MiB", s.Memory, LeastMemory>>20)
	}
	return nil
}

// sumOf is the sum of a position's tiles.
func sumOf(p rules.Position) (sum int) {
	for i := range 16 {
		sum += 1 << p.Exponent(i) &^ 1
	}
	return sum
}
