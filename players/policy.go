package players

import "versus2048/rules"

// policy is how the moves of a random game are drawn.
type policy uint8

const (
	evenly   policy = iota // all legal moves alike
	cornered               // slides towards the top left corner first
	merging                // the slide that scores most
	duel                   // as merging, and placements beside a largest tile
)

var policies = []string{"random", "corner", "merge", "duel"}

// slide draws a slide and returns the board after it, b itself if none is legal.
func (y policy) slide(b rules.Board, s rules.Size, random *generator) rules.Board {
	switch y {
	case evenly:
		return slideAnyway(b, s, random)
	case cornered:
		return slideToCorner(b, s, random)
	default:
		return slideMerging(b, s, random)
	}
}

// slideToCorner slides north or west, drawn evenly, and only where neither is
// legal another way.
func slideToCorner(b rules.Board, s rules.Size, random *generator) rules.Board {
	order := [4]rules.Move{rules.North, rules.West, rules.East, rules.South}
	if random.next()>>63 == 1 {
		order = [4]rules.Move{rules.West, rules.North, rules.South, rules.East}
	}
	for _, m := range order {
		if next := b.Slide(s, m); next != b {
			return next
		}
	}
	return b
}

// slideMerging takes the slide that scores most, of equal ones one drawn evenly.
func slideMerging(b rules.Board, s rules.Size, random *generator) rules.Board {
	best, most := b, -1
	for _, m := range slideOrders[random.below(len(slideOrders))] {
		if next := b.Slide(s, m); next != b {
			if v := next.Potential(); v > most {
				best, most = next, v
			}
		}
	}
	return best
}

// besideLargest has the bits of those empty cells that are beside a largest
// tile, all of them if there are none.
func besideLargest(b rules.Board, empty uint64) uint64 {
	largest := uint64(largestCells(b))
	const notFirst, notLast = 0x1110_1110_1110_1110, 0x0111_0111_0111_0111 // columns
	beside := empty & (largest<<16 | largest>>16 | largest<<4&notFirst | largest>>4&notLast)
	if beside == 0 {
		return empty
	}
	return beside
}

// largestCells has the lowest bit of each cell with a largest tile set.
func largestCells(b rules.Board) rules.Board {
	cells := rules.Board(0x1111_1111_1111_1111)
	for bit := 3; bit >= 0; bit-- {
		if with := cells & (b >> bit); with != 0 {
			cells = with
		}
	}
	return cells
}
