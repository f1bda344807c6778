package alphabeta

import "versus2048/rules"

// transpositions is a transposition table: it keeps what is known about boards that more than one line
// of play may reach. Each board has a pair of entries, shared with other boards. The first entry keeps
// the deepest search, the second the latest of the others.
type transpositions struct {
	pairs [][2]transposition
	age   uint8 // entries of another age are not valid
}

// transposition is an entry of the table: what is known about a board.
type transposition struct {
	board rules.Board
	value int32
	plies uint8 // how many were searched
	age   uint8
	bound bound
	move  rules.Move // the best one, or the first that was good enough
}

// bound is how the value found by a search relates to the true one.
type bound uint8

const (
	exactly bound = iota
	atLeast
	atMost
)

// tableBits is the logarithm of the number of pairs. A search of five slides needs fewer, and the
// processor's cache would not hold many more.
const tableBits = 14

func newTranspositions() transpositions {
	return transpositions{pairs: make([][2]transposition, 1<<tableBits)}
}

// forget empties the table. Its entries would remain correct, but the statistics of a search would
// depend on the searches before it.
func (t *transpositions) forget() {
	if t.age++; t.age == 0 {
		clear(t.pairs)
		t.age = 1
	}
}

// side returns the side to move the given number of plies above the leaves, where the last ply is a
// slide.
func side(plies int) rules.Side { return rules.Side(plies & 1) }

// pair returns the entries for b with that side to move.
func (t *transpositions) pair(b rules.Board, side rules.Side) *[2]transposition {
	return &t.pairs[(uint64(b)^uint64(side)<<63)*0x9E37_79B9_7F4A_7C15>>(64-tableBits)]
}

// find returns the entry of b. If there is none it returns the zero entry, which settles nothing.
func (t *transpositions) find(b rules.Board, plies int) transposition {
	pair := t.pair(b, side(plies))
	for i := range pair {
		if pair[i].is(b, side(plies), t.age) {
			return pair[i]
		}
	}
	return transposition{}
}

func (e *transposition) is(b rules.Board, toMove rules.Side, age uint8) bool {
	return e.board == b && side(int(e.plies)) == toMove && e.age == age
}

// keep stores the result of a search of b between alpha and beta.
func (t *transpositions) keep(b rules.Board, plies, alpha, beta, value int, m rules.Move) {
	e := transposition{board: b, value: int32(value), plies: uint8(plies), age: t.age, move: m}
	switch {
	case value >= beta:
		e.bound = atLeast
	case value <= alpha:
		e.bound = atMost
	}
	pair := t.pair(b, side(plies))
	switch deeper := &pair[0]; {
	case deeper.age != t.age, deeper.is(b, side(plies), t.age):
		*deeper = e
	case deeper.plies > e.plies:
		pair[1] = e
	default:
		pair[0], pair[1] = e, *deeper
	}
}

// settles reports whether the entry answers a search of the given number of plies, at least one,
// between alpha and beta.
func (e *transposition) settles(plies, alpha, beta int) bool {
	return int(e.plies) == plies && (e.bound == exactly ||
		e.bound == atLeast && int(e.value) >= beta ||
		e.bound == atMost && int(e.value) <= alpha)
}
