package proof

import "versus2048/rules"

// An estimate guesses the gain still to come from a board. It is a network of n-tuples: the lines and the 2x2 squares
// of the board. It learns only from the bounds that the search proves, and so guesses the gains of similar positions.
// A wrong guess costs time, but never makes a proof wrong.
type estimate struct {
	shifts  [][4]uint8 // the cells of each tuple, as shifts of a board
	weights [][]float32
}

// outside is the shift of cell 15, which is always empty on a board smaller than 4x4.
const outside = 60

// rate is the part of an error that one correction removes.
const rate = 0.2

func newEstimate(s rules.Size) *estimate {
	e := &estimate{}
	w, h := int(s.Width), int(s.Height)
	for y := range h {
		e.line(0, y, 1, 0, w)
	}
	for x := range w {
		e.line(x, 0, 0, 1, h)
	}
	for y := range h - 1 {
		for x := range w - 1 {
			e.add([4]uint8{shift(x, y), shift(x+1, y), shift(x, y+1), shift(x+1, y+1)})
		}
	}
	return e
}

func shift(x, y int) uint8 { return uint8(4 * (4*y + x)) }

// line adds the tuple of a row or a column.
func (e *estimate) line(x, y, dx, dy, length int) {
	cells := [4]uint8{outside, outside, outside, outside}
	for i := range length {
		cells[i] = shift(x+i*dx, y+i*dy)
	}
	e.add(cells)
}

func (e *estimate) add(cells [4]uint8) {
	e.shifts = append(e.shifts, cells)
	e.weights = append(e.weights, make([]float32, 1<<16))
}

func index(b rules.Board, s [4]uint8) uint16 {
	return uint16(b>>s[0]&15 | b>>s[1]&15<<4 | b>>s[2]&15<<8 | b>>s[3]&15<<12)
}

// of returns the estimate of a canonical board, in units.
func (e *estimate) of(b rules.Board) float32 {
	sum := float32(0)
	for i, s := range e.shifts {
		sum += e.weights[i][index(b, s)]
	}
	return sum
}

// learn corrects the estimate of a canonical board if it is not within the bounds.
func (e *estimate) learn(b rules.Board, low, high int) {
	guess := e.of(b)
	goal := min(max(guess, float32(low)), float32(high))
	if goal == guess {
		return
	}
	step := rate * (goal - guess) / float32(len(e.shifts))
	for i, s := range e.shifts {
		e.weights[i][index(b, s)] += step
	}
}
