package evaluation

import (
	"sync"

	"versus2048/rules"
)

// Gradient holds the weights of an evaluation that is highest if the tiles fall along all rows, or rise along all rows,
// and likewise along all columns. A tile counts as the square of its exponent, an empty cell as 0.
//
// All rows together have two values, one for falling tiles and one for rising tiles. The better value counts.
// The same holds for the columns.
type Gradient struct {
	Along   int // subtracted for each unit of a step between neighbours in the preferred direction
	Against int // subtracted for each unit of a step against it
	Equal   int // added for each unit of a tile, once for each equal neighbour to the right or below
	Tile    int // added for each tile, once in its row and once in its column
	Size    int // added for each unit of a tile, once in its row and once in its column
}

// Slope returns the first weights of the project: steps count in both directions, the tiles themselves do not.
func Slope() Gradient { return Gradient{Along: 2, Against: 8, Equal: 2} }

// SlopeMated is the value of a mated board in units of Slope. docs/notes/2026-11-29-experiments.md lists the values
// that were tried.
const SlopeMated = -30_000

// Reserve returns the weights that won the matches of docs/adr/0020-alphabeta.md. A step in the preferred
// direction costs nothing, and equal neighbours are worth keeping. Many small tiles are better for the defender
// than few large ones, since their merges are a reserve for later.
func Reserve() Gradient { return Gradient{Against: 16, Equal: 12, Tile: 80, Size: -3} }

// Room returns the weights that won under gpcc2016. There the 4s of the attacker leave fewer merges in reserve.
// Empty cells have a value, and a step costs something in both directions.
func Room() Gradient { return Gradient{Along: 8, Against: 16, Equal: 16, Tile: -25} }

// On returns the evaluation of boards of a size. The tables of Slope, Reserve and Room are computed once; for
// other weights On takes milliseconds.
func (g Gradient) On(s rules.Size) *Directed {
	return &Directed{rows: g.lines(s.Width), columns: g.lines(s.Height)}
}

func (g Gradient) lines(cells uint8) *directedTable {
	if tables, ok := namedTables[g]; ok {
		return tables[cells]()
	}
	return newDirectedTable(g, int(cells))
}

// namedTables has the tables of the named weights by number of cells. Each is computed on first use.
var namedTables = map[Gradient][5]func() *directedTable{
	Slope(): directedTables(Slope()), Reserve(): directedTables(Reserve()), Room(): directedTables(Room()),
}

func directedTables(g Gradient) (tables [5]func() *directedTable) {
	for cells := 2; cells < len(tables); cells++ {
		tables[cells] = sync.OnceValue(func() *directedTable { return newDirectedTable(g, cells) })
	}
	return tables
}

// line returns the values of a line for falling tiles and for rising tiles.
func (g Gradient) line(line rules.Board, cells int) (falling, rising int) {
	for x := range cells {
		a := line.Exponent(x)
		if a > 0 {
			falling, rising = falling+g.Tile+g.Size*a*a, rising+g.Tile+g.Size*a*a
		}
		if x+1 == cells {
			break
		}
		b := line.Exponent(x + 1)
		switch step := a*a - b*b; {
		case step > 0:
			falling, rising = falling-g.Along*step, rising-g.Against*step
		case step < 0:
			falling, rising = falling+g.Against*step, rising+g.Along*step
		default:
			falling, rising = falling+g.Equal*a*a, rising+g.Equal*a*a
		}
	}
	return falling, rising
}

// Directed evaluates boards of one size without a 65536, line by line. A line has a value for each direction.
// One direction, the better one, counts for all rows, and one for all columns.
type Directed struct{ rows, columns *directedTable }

// Of evaluates b.
func (e *Directed) Of(b rules.Board) int {
	return e.rows.value(b) + e.columns.value(b.Transpose())
}

// Slide returns b after a slide and the evaluation of the result. It takes little longer than the
// slide alone. across must be b transposed.
func (e *Directed) Slide(b, across rules.Board, m rules.Move) (slid rules.Board, value int) {
	switch m {
	case rules.North:
		across, value = slideDirected(e.columns.toFirst, across)
	case rules.South:
		across, value = slideDirected(e.columns.toLast, across)
	case rules.West:
		slid, value = slideDirected(e.rows.toFirst, b)
		return slid, value + e.columns.value(slid.Transpose())
	default:
		slid, value = slideDirected(e.rows.toLast, b)
		return slid, value + e.columns.value(slid.Transpose())
	}
	slid = across.Transpose()
	return slid, value + e.rows.value(slid)
}

// directedTable holds the pairs of values of all lines of one length, 2 to 4 cells, indexed by the bits of their tiles.
type directedTable struct {
	toFirst, toLast []slidPair // after a slide towards the first cell, or the last
	values          []pair
}

// pair holds the value for rising tiles, times 1<<24, plus the value for falling tiles. Pairs can be added: with
// weights from -1000 to 1000, the sum of any four lines has at most 24 bits.
type pair int64

// slidPair holds a line after a slide in its low 16 bits, and the pair of that line above them.
type slidPair int64

const fallingBits = 24

func newDirectedTable(g Gradient, cells int) *directedTable {
	n := 1 << (4 * cells)
	t := &directedTable{make([]slidPair, n), make([]slidPair, n), make([]pair, n)}
	for i := range n {
		falling, rising := g.line(rules.Board(i), cells)
		t.values[i] = pair(rising)<<fallingBits + pair(falling)
	}
	row := rules.Size{Width: uint8(cells), Height: 2}
	for i := range n {
		t.toFirst[i] = t.withPair(rules.Board(i).Slide(row, rules.West))
		t.toLast[i] = t.withPair(rules.Board(i).Slide(row, rules.East))
	}
	return t
}

func (t *directedTable) withPair(line rules.Board) slidPair {
	return slidPair(t.values[line])<<16 | slidPair(line)
}

// value returns the value of the four lines of b in the better direction.
func (t *directedTable) value(b rules.Board) int {
	v := t.values
	return (v[b&0xFFFF] + v[b>>16&0xFFFF] + v[b>>32&0xFFFF] + v[b>>48]).better()
}

// slideDirected slides all four lines of b and returns the value of the slid lines.
func slideDirected(t []slidPair, b rules.Board) (slid rules.Board, value int) {
	e0, e1, e2, e3 := t[b&0xFFFF], t[b>>16&0xFFFF], t[b>>32&0xFFFF], t[b>>48]
	slid = rules.Board(e0&0xFFFF | e1&0xFFFF<<16 | e2&0xFFFF<<32 | e3<<48)
	return slid, pair(e0>>16 + e1>>16 + e2>>16 + e3>>16).better()
}

// better returns the larger value of a pair.
func (p pair) better() int {
	const rest = 64 - fallingBits
	falling := p << rest >> rest
	return int(max(falling, (p-falling)>>fallingBits))
}
