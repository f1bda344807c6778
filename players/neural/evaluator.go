package neural

import (
	"bytes"
	"fmt"

	"versus2048/rules"
)

// Evaluator computes the functions of a network for batches of boards. Only one goroutine may use it. After its
// first call it allocates nothing. The result for a board does not depend on the other boards in its batch.
type Evaluator struct {
	network *Network
	batch   int
	buffers [][]float32             // by the index in Network.buffers
	rows    [][]row                 // by the index in Network.taps
	picks   []row                   // memory for boardLayer
	outputs map[*function][]float32 // memory for the results of Run and Apply

	boards    []rules.Board // the boards of the batch
	hasBoards bool          // whether Boards was called
	sides     []bool        // by board: whether the attacker is to move
	tiles     []uint8       // the planes of the cells of all boards or of all their images, each row by row
	attackers []bool        // by board or image: whether the attacker is to move
	done      map[*function]result
}

// result is the output of a function for the present input.
type result struct {
	values []float32
	boards int
}

// Evaluator returns an Evaluator for batches of up to batch boards, at least 1.
func (n *Network) Evaluator(batch int) *Evaluator {
	images := len(n.size.Symmetries())
	e := &Evaluator{
		network: n, batch: batch,
		picks:     make([]row, 0, batch*n.picks),
		outputs:   map[*function][]float32{},
		boards:    make([]rules.Board, 0, batch),
		sides:     make([]bool, 0, batch),
		tiles:     make([]uint8, batch*images*n.size.Cells()),
		attackers: make([]bool, batch*images),
		done:      make(map[*function]result, len(n.functions)),
	}
	for _, numbers := range n.buffers {
		e.buffers = append(e.buffers, aligned(batch*numbers))
	}
	for _, t := range n.taps {
		e.rows = append(e.rows, t.layer.rows(t.tap(), batch*t.images))
	}
	for _, f := range n.functions {
		e.outputs[f] = make([]float32, batch*f.out.numbers())
	}
	return e
}

// Network returns the network.
func (e *Evaluator) Network() *Network { return e.network }

// Batch returns the largest number of boards in a batch.
func (e *Evaluator) Batch() int { return e.batch }

// Boards sets the input of the functions that come from the board: boards of the network's size, at most a
// batch of them. attackers tells for each board whether the attacker is to move; nil means that the defender is
// to move on all boards. Boards panics if there are too many boards.
func (e *Evaluator) Boards(boards []rules.Board, attackers []bool) {
	if len(boards) > e.batch {
		panic(fmt.Sprintf("%d boards in a batch of at most %d", len(boards), e.batch))
	}
	if attackers != nil && len(attackers) != len(boards) {
		panic(fmt.Sprintf("the sides to move of %d boards: want %d", len(attackers), len(boards)))
	}
	e.boards = append(e.boards[:0], boards...)
	e.sides = append(e.sides[:0], attackers...)
	if attackers == nil {
		e.sides = e.sides[:len(boards)]
		clear(e.sides)
	}
	e.hasBoards = true
	for f := range e.done {
		if f.seesBoard() {
			delete(e.done, f)
		}
	}
}

// encode writes the planes of the boards' cells. If images is more than one, the images of each board under the
// symmetries follow each other.
func (e *Evaluator) encode(images, boards int) {
	n := e.network
	symmetries := n.size.Symmetries()[:images]
	tiles := e.tiles[:0]
	for i, b := range e.boards[:boards] {
		for j, y := range symmetries {
			e.attackers[i*images+j] = e.sides[i] && n.description.Side
			tiles = n.appendTiles(tiles, y.Board(b, n.size))
		}
	}
}

// encodeGreatest writes the planes of the cells of each board's greatest image. The images are compared by the
// plane of the first cell, then of the second cell, and so on.
func (e *Evaluator) encodeGreatest(boards int) {
	images, cells := len(e.network.size.Symmetries()), e.network.size.Cells()
	e.encode(images, boards)
	for i := range boards {
		greatest := e.tiles[i*images*cells:][:cells]
		for j := 1; j < images; j++ {
			if image := e.tiles[(i*images+j)*cells:][:cells]; bytes.Compare(image, greatest) > 0 {
				greatest = image
			}
		}
		e.attackers[i] = e.attackers[i*images]
		copy(e.tiles[i*cells:], greatest)
	}
}

// appendTiles appends the planes of a board's cells, row by row.
func (n *Network) appendTiles(tiles []uint8, b rules.Board) []uint8 {
	for y := range int(n.size.Height) {
		for x := range int(n.size.Width) {
			tiles = append(tiles, uint8(min(b.Exponent(4*y+x), n.description.Planes-1)))
		}
	}
	return tiles
}

// Run returns the outputs of a function for its present input, which is set by Boards or Apply. The outputs of
// all boards of the batch follow each other, and are valid until the next call of Run or Apply for the same
// function. Functions that others share are computed once. Run returns an error if there is no such function,
// or if it was given no input.
func (e *Evaluator) Run(name string) ([]float32, error) {
	f := e.network.functions[name]
	if f == nil {
		return nil, fmt.Errorf("the network has no function %s", name)
	}
	r, err := e.result(f)
	if err != nil {
		return nil, err
	}
	return e.unpad(f, r), nil
}

// Apply returns the outputs of a function for the given inputs: the numbers for each board of a batch follow each
// other. The outputs are valid until the next call of Run or Apply for the same function. Run then computes the
// functions that take this output as their input. Apply returns an error if there is no such function, or if it takes
// other inputs.
func (e *Evaluator) Apply(name string, in []float32) ([]float32, error) {
	f := e.network.functions[name]
	if f == nil {
		return nil, fmt.Errorf("the network has no function %s", name)
	}
	if f.fromBoard {
		return nil, fmt.Errorf("function %s was given numbers: want boards", name)
	}
	numbers := f.in.numbers()
	boards := len(in) / numbers
	if len(in) == 0 || len(in)%numbers != 0 || boards > e.batch {
		return nil, fmt.Errorf("function %s was given %d numbers: want %d for each of up to %d boards", name, len(in), numbers, e.batch)
	}
	input := e.buffers[f.inputBuffer][:boards*f.in.memory()]
	pad(input, in, f.in)
	for g := range e.done {
		if g.comesFrom(f) {
			delete(e.done, g)
		}
	}
	r := result{f.layers.run(e, input, boards), boards}
	e.done[f] = r
	return e.unpad(f, r), nil
}

// comesFrom reports whether f is g, or computes from the output of g.
func (f *function) comesFrom(g *function) bool {
	for ; f != nil; f = f.from {
		if f == g {
			return true
		}
	}
	return false
}

// result computes a function, or returns its result if it is already computed.
func (e *Evaluator) result(f *function) (result, error) {
	if r, ok := e.done[f]; ok {
		return r, nil
	}
	var in result
	switch {
	case f.from != nil:
		var err error
		if in, err = e.result(f.from); err != nil {
			return result{}, err
		}
	case f.fromBoard && e.hasBoards:
		in.boards = len(e.boards)
		e.encode(1, in.boards)
	default:
		return result{}, fmt.Errorf("function %s was given no input", f.name)
	}
	r := result{f.layers.run(e, in.values, in.boards), in.boards}
	e.done[f] = r
	return r, nil
}

// unpad returns the outputs without the padding of their rows.
func (e *Evaluator) unpad(f *function, r result) []float32 {
	out := e.outputs[f][:r.boards*f.out.numbers()]
	for i := range r.boards * f.out.cells() {
		copy(out[i*f.out.channels:][:f.out.channels], r.values[i*f.out.stride():])
	}
	return out
}

// pad copies the numbers of in into rows, and pads each row with zeros.
func pad(rows, in []float32, s shape) {
	clear(rows)
	for i := range len(in) / s.channels {
		copy(rows[i*s.stride():], in[i*s.channels:][:s.channels])
	}
}
