package evaluation

import (
	"math"
	"sync"

	"versus2048/rules"
)

// Gradient holds the weights of an evaluation that wants tiles to fall or rise along lines.
type Gradient struct {
	Along   int // for each unit of a step in the preferred direction
	Against int // for each unit of a step against it
	Equal   int // for each unit of the tile of equal neighbours
	Empty   int // for each empty cell
	Tile    int // per squared exponent of every tile
	Power   int // 0, 2: squares
	Pair    int
}

// Directed evaluates boards of one size line by line: a line has one value for each direction, and the
// better direction counts, one for all rows and one for all columns.
type Directed struct {
	rows, columns *directedTable
}

// directedTable holds the values of all lines.
type directedTable struct {
	toFirst, toLast []uint64 // after a slide: the line in the low 16 bits, its pair of values above, 24 bits each
	values          []int64  // pair of values: first + last<<24
}

// On returns the evaluation for boards of a size.
func (g Gradient) On(s rules.Size) *Directed {
	return &Directed{rows: g.table(int(s.Width), true), columns: g.table(int(s.Height), false)}
}

func (g Gradient) table(cells int, rows bool) *directedTable {
	n := 1 << (4 * cells)
	t := &directedTable{make([]uint64, n), make([]uint64, n), make([]int64, n)}
	for i := range n {
		first, last := g.line(rules.Board(i), cells, rows)
		t.values[i] = int64(first) + int64(last)<<24
	}
	row := rules.Size{Width: uint8(cells), Height: 2}
	for i := range n {
		t.toFirst[i] = t.slid(rules.Board(i).Slide(row, rules.West))
		t.toLast[i] = t.slid(rules.Board(i).Slide(row, rules.East))
	}
	return t
}

func (t *directedTable) slid(line rules.Board) uint64 {
	return uint64(t.values[line])<<16 | uint64(line)
}

func (g Gradient) line(line rules.Board, cells int, rows bool) (first, last int) {
	sq := func(x int) int {
		e := line.Exponent(x)
		if g.Power == 0 || e == 0 {
			return e * e
		}
		return int(math.Round(64 * math.Pow(float64(e)/8, float64(g.Power)/10)))
	}
	for x := range cells - 1 {
		a, b := sq(x), sq(x+1)
		switch {
		case a > b:
			first -= g.Along * (a - b)
			last -= g.Against * (a - b)
		case a < b:
			first -= g.Against * (b - a)
			last -= g.Along * (b - a)
		default:
			first += g.Equal * a
			last += g.Equal * a
			if a > 0 {
				first += g.Pair
				last += g.Pair
			}
		}
	}
	if rows {
		for x := range cells {
			v := g.Tile * sq(x)
			if sq(x) == 0 {
				v += g.Empty
			}
			first += v
			last += v
		}
	}
	return first, last
}

// Of evaluates b.
func (e *Directed) Of(b rules.Board) int {
	return better(pairs(e.rows.values, b)) + better(pairs(e.columns.values, b.Transpose()))
}

// Slide returns b after a slide and the evaluation of the result. across must be b transposed.
func (e *Directed) Slide(b, across rules.Board, m rules.Move) (slid rules.Board, value int) {
	var pair int64
	switch m {
	case rules.North:
		across, pair = slideDirected(e.columns.toFirst, across)
	case rules.South:
		across, pair = slideDirected(e.columns.toLast, across)
	case rules.West:
		if slid, pair = slideDirected(e.rows.toFirst, b); slid == b {
			return b, 0
		}
		return slid, better(pair) + better(pairs(e.columns.values, slid.Transpose()))
	default:
		if slid, pair = slideDirected(e.rows.toLast, b); slid == b {
			return b, 0
		}
		return slid, better(pair) + better(pairs(e.columns.values, slid.Transpose()))
	}
	if slid = across.Transpose(); slid == b {
		return b, 0
	}
	return slid, better(pair) + better(pairs(e.rows.values, slid))
}

func slideDirected(t []uint64, b rules.Board) (slid rules.Board, pair int64) {
	e0, e1, e2, e3 := t[b&0xFFFF], t[b>>16&0xFFFF], t[b>>32&0xFFFF], t[b>>48]
	slid = rules.Board(e0&0xFFFF | e1&0xFFFF<<16 | e2&0xFFFF<<32 | e3<<48)
	return slid, int64(e0)>>16 + int64(e1)>>16 + int64(e2)>>16 + int64(e3)>>16
}

func pairs(t []int64, b rules.Board) int64 {
	return t[b&0xFFFF] + t[b>>16&0xFFFF] + t[b>>32&0xFFFF] + t[b>>48]
}

func better(pair int64) int {
	first := pair << 40 >> 40
	return int(max(first, (pair-first)>>24))
}

// NewGradient returns the gradient evaluation for boards of a size.
func NewGradient(s rules.Size) *Directed {
	return &Directed{rows: gradientLines[s.Width][0](), columns: gradientLines[s.Height][1]()}
}

// gradientLines holds the tables of rows and of columns by number of cells. Each is computed on first
// use.
var gradientLines = [...][2]func() *directedTable{2: gradientTables(2), 3: gradientTables(3), 4: gradientTables(4)}

func gradientTables(cells int) (tables [2]func() *directedTable) {
	for i := range tables {
		tables[i] = sync.OnceValue(func() *directedTable {
			return Gradient{Against: 8, Equal: 6}.table(cells, i == 0)
		})
	}
	return tables
}
