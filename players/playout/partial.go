package playout

import "versus2048/rules"

// Partial is a random game with moves drawn by a policy, on any board under any rules. It can be stopped after
// any slide and continued.
type Partial struct {
	board   rules.Board
	size    rules.Size
	rules   rules.Ruleset
	earned  int  // the score minus the board's potential
	placing bool // whether a placement is next
	over    bool
}

// NewPartial returns a game that begins at p. MergesFit(p) must hold.
func NewPartial(p rules.Position) Partial {
	return Partial{
		board: p.Board(), size: p.Size(), rules: p.Rules(),
		earned: p.Score() - p.Board().Potential(), placing: p.SideToMove() == rules.Attacker,
	}
}

// Play plays on for the given number of slides, or to the end.
func (g *Partial) Play(by Policy, slides int, random *Generator) {
	for range slides {
		if g.placing {
			g.place(by, random)
		}
		next := by.slide(g.board, g.size, random)
		if g.over = next == g.board; g.over {
			return
		}
		g.board, g.placing = next, true
	}
}

// Board returns the board so far.
func (g *Partial) Board() rules.Board { return g.board }

// Score returns the score so far.
func (g *Partial) Score() int { return g.board.Potential() + g.earned }

// Over reports whether Play has found that no slide was legal.
func (g *Partial) Over() bool { return g.over }

func (g *Partial) place(by Policy, random *Generator) {
	empty := g.board.Empty(g.size)
	if by == Duel {
		empty = besideLargest(g.board, empty)
	}
	cell, four := drawPlacement(empty, g.rules, random)
	exponent := 1
	if four {
		exponent = 2
		g.earned -= 4
	}
	g.board, g.placing = g.board.With(cell, exponent), false
}

// Policy selects the way to draw the moves of a Partial game.
type Policy uint8

// The policies.
const (
	Random Policy = iota // all legal moves are equally likely, except that under solo a 2 is likelier than a 4
	Corner               // slides towards the top left corner if possible, placements like Random
	Merge                // the slide that scores most, placements like Random
	Duel                 // slides like Merge, placements beside a largest tile if possible
)

// String returns "random", "corner", "merge" or "duel".
func (y Policy) String() string { return [...]string{"random", "corner", "merge", "duel"}[y] }

// slide draws a slide and returns the board after it. It returns b itself if no slide is legal.
func (y Policy) slide(b rules.Board, s rules.Size, random *Generator) rules.Board {
	switch y {
	case Random:
		return slideRandomly(b, s, random)
	case Corner:
		return slideToCorner(b, s, random)
	default:
		return slideMerging(b, s, random)
	}
}

// slideToCorner slides north or west, drawn evenly if both are legal, or another way if neither is.
func slideToCorner(b rules.Board, s rules.Size, random *Generator) rules.Board {
	order := [4]rules.Move{rules.North, rules.West, rules.East, rules.South}
	if random.Next()>>63 == 1 {
		order = [4]rules.Move{rules.West, rules.North, rules.South, rules.East}
	}
	for _, m := range order {
		if next := b.Slide(s, m); next != b {
			return next
		}
	}
	return b
}

// slideMerging makes the slide that scores most. It draws evenly between equal slides.
func slideMerging(b rules.Board, s rules.Size, random *Generator) rules.Board {
	best, most := b, -1
	for _, m := range slideOrders[random.Below(len(slideOrders))] {
		if next := b.Slide(s, m); next != b {
			if v := next.Potential(); v > most {
				best, most = next, v
			}
		}
	}
	return best
}

// besideLargest returns the empty cells beside a largest tile, or all empty cells if no cell beside a largest tile
// is empty. Cells are masks, like the result of rules.Board.Empty.
func besideLargest(b rules.Board, empty uint64) uint64 {
	largest := uint64(largestCells(b))
	const notFirst, notLast = 0x1110_1110_1110_1110, 0x0111_0111_0111_0111 // columns
	beside := empty & (largest<<16 | largest>>16 | largest<<4&notFirst | largest>>4&notLast)
	if beside == 0 {
		return empty
	}
	return beside
}

// largestCells returns the cells with a largest tile as a mask: bit 4i is set for cell i.
func largestCells(b rules.Board) rules.Board {
	cells := rules.Board(0x1111_1111_1111_1111)
	for bit := 3; bit >= 0; bit-- {
		if with := cells & (b >> bit); with != 0 {
			cells = with
		}
	}
	return cells
}
