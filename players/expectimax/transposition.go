package expectimax

import "versus2048/rules"

// transpositions is a transposition table. It keeps the values of boards after a slide, since several lines of
// play may reach the same board. A board searched to several depths has several values. If 4s are placed, even
// lines of different lengths may reach the same board. Each pair of entries serves many boards. The first entry
// keeps the deepest search. The second entry keeps the last search that the first entry did not take or gave up.
type transpositions struct {
	pairs [][2]transposition
	age   uint8 // entries of another age are not valid
}

// transposition is an entry of the table.
type transposition struct {
	board       rules.Board
	value       float64
	probability float32 // of the searched line of play: rarer lines may be cut off earlier
	slides      uint8   // number of slides looked ahead
	age         uint8
}

// tableBits is the logarithm of the number of pairs, which take 48 bytes each.
const tableBits = 15

// TableBytes is the size of the transposition table of a Search.
const TableBytes = 48 << tableBits

func newTranspositions() transpositions {
	return transpositions{pairs: make([][2]transposition, 1<<tableBits)}
}

// forget empties the table. Its entries would remain correct, but the result of a search with limited time
// would depend on earlier searches.
func (t *transpositions) forget() {
	if t.age++; t.age == 0 {
		clear(t.pairs)
		t.age = 1
	}
}

func (t *transpositions) pair(b rules.Board, slides int) *[2]transposition {
	return &t.pairs[(uint64(b)*0x9E37_79B9_7F4A_7C15^uint64(slides)<<(64-tableBits))>>(64-tableBits)]
}

// find returns the value of b if b was searched to the same depth, in a line of play that was at least as
// likely.
func (t *transpositions) find(b rules.Board, slides int, probability float64) (value float64, ok bool) {
	pair := t.pair(b, slides)
	for i := range pair {
		e := &pair[i]
		if e.board == b && e.age == t.age && int(e.slides) == slides && e.probability >= float32(probability) {
			return e.value, true
		}
	}
	return 0, false
}

// keep stores the value of b.
func (t *transpositions) keep(b rules.Board, slides int, probability, value float64) {
	e := transposition{b, value, float32(probability), uint8(slides), t.age}
	pair := t.pair(b, slides)
	switch deeper := &pair[0]; {
	case deeper.age != t.age, deeper.board == b && int(deeper.slides) == slides:
		*deeper = e
	case int(deeper.slides) > slides:
		pair[1] = e
	default:
		pair[0], pair[1] = e, *deeper
	}
}
