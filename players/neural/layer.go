package neural

import (
	"fmt"
	"math"
)

// pass is a layer that is ready to compute. It does not change. The input and the output have a row of
// padded(channels) numbers for each cell of each board. The output may be the memory of the input.
type pass interface {
	run(e *Evaluator, in []float32, boards int) []float32
}

// passes are a sequence of layers.
type passes []pass

func (p passes) run(e *Evaluator, in []float32, boards int) []float32 {
	for _, layer := range p {
		in = layer.run(e, in, boards)
	}
	return in
}

// stride returns the number of numbers in memory for a cell.
func (s shape) stride() int { return padded(s.channels) }

// memory returns the number of numbers in memory for a board.
func (s shape) memory() int { return s.cells() * s.stride() }

// linear is a convolution or a dense layer: a sum of products of matrices, one for each cell of its filter.
type linear struct {
	buffer  int // the buffer of its output
	in, out shape
	bias    []float32 // a row of the output
	taps    []tap
}

// tap is one cell of a filter: its weights, and the pairs of input and output cells that it connects.
type tap struct {
	rows    int // the index of its rows in an Evaluator
	weights *matrix
	pairs   []cellPair
}

// cellPair is a cell of the input and a cell of the output.
type cellPair struct{ in, out int }

// begin fills the output with the bias.
func (l *linear) begin(e *Evaluator, boards int) []float32 {
	out := e.buffers[l.buffer][:boards*l.out.memory()]
	for rest := out; len(rest) > 0; rest = rest[len(l.bias):] {
		copy(rest, l.bias)
	}
	return out
}

func (l *linear) run(e *Evaluator, in []float32, boards int) []float32 {
	out := l.begin(e, boards)
	for i := range l.taps {
		t := &l.taps[i]
		t.weights.MultiplyAdd(out, in, e.rows[t.rows][:boards*len(t.pairs)])
	}
	return out
}

// rows returns the rows of a tap for a batch of boards.
func (l *linear) rows(t *tap, boards int) []row {
	rows := make([]row, 0, boards*len(t.pairs))
	for b := range boards {
		for _, p := range t.pairs {
			rows = append(rows, row{
				In:  int32(b*l.in.memory() + p.in*l.in.stride()),
				Out: int32(b*l.out.memory() + p.out*l.out.stride()),
			})
		}
	}
	return rows
}

// boardLayer is a linear layer that sees the board. For each cell it adds the row of the weights that the tile of
// the cell selects, and one more row if the attacker is to move.
type boardLayer struct {
	linear
	planes int // without the plane of the side
}

func (l *boardLayer) run(e *Evaluator, _ []float32, boards int) []float32 {
	out := l.begin(e, boards)
	for i := range l.taps {
		t := &l.taps[i]
		picks := e.picks[:0]
		for b := range boards {
			tiles := e.tiles[b*l.in.cells():]
			for _, p := range t.pairs {
				to := int32(b*l.out.memory() + p.out*l.out.stride())
				picks = append(picks, row{In: int32(tiles[p.in]), Out: to})
				if e.attackers[b] {
					picks = append(picks, row{In: int32(l.planes), Out: to})
				}
			}
		}
		t.weights.AddRows(out, picks)
	}
	return out
}

// boardNumbers writes the boards as numbers, for networks with a first layer that is not linear.
type boardNumbers struct {
	buffer, planes int
	out            shape
}

func (l *boardNumbers) run(e *Evaluator, _ []float32, boards int) []float32 {
	out := e.buffers[l.buffer][:boards*l.out.memory()]
	clear(out)
	for i := range boards * l.out.cells() {
		cell := out[i*l.out.stride():]
		cell[e.tiles[i]] = 1
		if e.attackers[i/l.out.cells()] {
			cell[l.planes] = 1
		}
	}
	return out
}

// copyLayer copies the input of a sequence of layers, so that these layers do not change it.
type copyLayer struct{ buffer int }

func (l copyLayer) run(e *Evaluator, in []float32, _ int) []float32 {
	return e.buffers[l.buffer][:copy(e.buffers[l.buffer], in)]
}

// elementwise is a function of single numbers that maps 0 to 0.
type elementwise func(x []float32)

func (l elementwise) run(_ *Evaluator, in []float32, _ int) []float32 {
	l(in)
	return in
}

func tanh(x []float32) {
	for i, v := range x {
		x[i] = float32(math.Tanh(float64(v)))
	}
}

// norm is a layer normalisation.
type norm struct {
	shape        shape
	weight, bias []float32
}

// epsilon keeps norm from dividing by 0.
const epsilon = 1e-5

func (l *norm) run(_ *Evaluator, in []float32, _ int) []float32 {
	for rest := in; len(rest) > 0; rest = rest[l.shape.stride():] {
		l.cell(rest[:l.shape.channels])
	}
	return in
}

// cell normalises the channels of a cell.
func (l *norm) cell(x []float32) {
	sum, squares := 0.0, 0.0
	for _, v := range x {
		sum += float64(v)
	}
	mean := sum / float64(len(x))
	for _, v := range x {
		squares += (float64(v) - mean) * (float64(v) - mean)
	}
	scale := 1 / math.Sqrt(squares/float64(len(x))+epsilon)
	for i, v := range x {
		x[i] = float32((float64(v)-mean)*scale)*l.weight[i] + l.bias[i]
	}
}

// residual adds the output of its layers to their input.
type residual struct{ layers passes }

func (l residual) run(e *Evaluator, in []float32, boards int) []float32 {
	out := l.layers.run(e, in, boards)
	for i, v := range in {
		out[i] += v
	}
	return out
}

// symmetric lets its layers see all images of each board under the symmetries. The outputs for the images of a board
// follow each other.
type symmetric struct {
	layers     passes
	symmetries int
}

func (l symmetric) run(e *Evaluator, in []float32, boards int) []float32 {
	e.encode(l.symmetries, boards)
	return l.layers.run(e, in, boards*l.symmetries)
}

// greatestImage is a layer of kind canonical: it lets its layers see one image of each board, the same image for all
// boards that are symmetric to each other.
type greatestImage struct{ layers passes }

func (l greatestImage) run(e *Evaluator, in []float32, boards int) []float32 {
	e.encodeGreatest(boards)
	return l.layers.run(e, in, boards)
}

// compiler makes layers ready to compute.
type compiler struct {
	shapes  shapes
	tensors tensors
	network *Network
	images  int // images of each board in the present layer: more than one within a layer of kind symmetries
}

// buffer reserves memory for an output with this number of numbers for each board, and returns its index.
func (c *compiler) buffer(numbers int) int {
	c.network.buffers = append(c.network.buffers, numbers*c.images)
	return len(c.network.buffers) - 1
}

// function compiles a function.
func (c *compiler) function(name string) (*function, error) {
	f := c.network.description.Functions[name]
	in, err := c.shapes.input(f.From)
	if err != nil {
		return nil, err
	}
	fromBoard := f.From.Function == board
	compiled := &function{name: name, in: in, out: c.shapes.found[name], fromBoard: fromBoard}
	if !fromBoard {
		compiled.inputBuffer = c.buffer(in.memory())
	}
	c.images = 1
	compiled.layers, err = c.sequence(name, f.Layers, in, fromBoard)
	return compiled, err
}

// sequence compiles a sequence of layers. The compiled layers do not change their input.
func (c *compiler) sequence(name string, layers []Layer, in shape, fromBoard bool) (passes, error) {
	var sequence passes
	switch first := layers[0].Kind; {
	case first == Conv || first == Dense || layers[0].seesImages():
	case fromBoard:
		sequence = append(sequence, &boardNumbers{c.buffer(in.memory()), c.network.description.Planes, in})
		fromBoard = false
	case first != Residual:
		sequence = append(sequence, copyLayer{c.buffer(in.memory())})
	}
	for i, l := range layers {
		at := fmt.Sprintf("%s.%d", name, i)
		compiled, err := c.layer(at, l, in, fromBoard && i == 0)
		if err != nil {
			return nil, err
		}
		out, err := c.shapes.layer(at, l, in, 0)
		if err != nil {
			return nil, err
		}
		sequence, in = append(sequence, compiled), out
	}
	return sequence, nil
}

// layer compiles a layer. Its tensors have names that begin with at.
func (c *compiler) layer(at string, l Layer, in shape, fromBoard bool) (pass, error) {
	switch l.Kind {
	case ReLU:
		return elementwise(rectify), nil
	case Tanh:
		return elementwise(tanh), nil
	case Norm:
		return c.norm(at, l, in)
	case Residual:
		layers, err := c.sequence(at, l.Layers, in, false)
		return residual{layers}, err
	case Symmetries:
		c.images = len(c.network.size.Symmetries())
		defer func() { c.images = 1 }()
		layers, err := c.sequence(at, l.Layers, in, true)
		return symmetric{layers, c.images}, err
	case Canonical:
		layers, err := c.sequence(at, l.Layers, in, true)
		return greatestImage{layers}, err
	}
	out, err := c.shapes.layer(at, l, in, 0)
	if err != nil {
		return nil, err
	}
	linear, err := c.linear(at, l, in, out)
	if err != nil || !fromBoard {
		return linear, err
	}
	for i := range linear.taps {
		c.network.picks = max(c.network.picks, c.images*2*len(linear.taps[i].pairs))
	}
	return &boardLayer{*linear, c.network.description.Planes}, nil
}

func (c *compiler) norm(at string, l Layer, in shape) (pass, error) {
	weight, err := c.tensors.take(at+".weight", l.Channels)
	if err != nil {
		return nil, err
	}
	bias, err := c.tensors.take(at+".bias", l.Channels)
	return &norm{in, weight, bias}, err
}

// linear compiles a convolution or a dense layer. A dense layer is a convolution with a filter as large as its
// input.
func (c *compiler) linear(at string, l Layer, in, out shape) (*linear, error) {
	lengths, rows, columns := []int{l.In, l.Out}, in.height, in.width
	if l.Kind == Conv {
		rows, columns = l.Kernel[0], l.Kernel[1]
		lengths = []int{rows, columns, l.In, l.Out}
	}
	weights, err := c.tensors.take(at+".weight", lengths...)
	if err != nil {
		return nil, err
	}
	bias, err := c.tensors.take(at+".bias", l.Out)
	if err != nil {
		return nil, err
	}
	compiled := &linear{buffer: c.buffer(out.memory()), in: in, out: out, bias: make([]float32, out.stride())}
	copy(compiled.bias, bias)
	for i := range rows * columns {
		dy, dx := i/columns, i%columns
		if l.Padding == Around {
			dy, dx = dy-rows/2, dx-columns/2
		}
		pairs := cellPairs(in, out, dy, dx)
		if len(pairs) == 0 {
			continue // this part of the filter is always beyond the board
		}
		part := weights[i*in.channels*l.Out:][:in.channels*l.Out]
		compiled.taps = append(compiled.taps, tap{len(c.network.taps), newMatrix(in.channels, l.Out, part), pairs})
		c.network.taps = append(c.network.taps, layerTap{compiled, len(compiled.taps) - 1, c.images})
	}
	return compiled, nil
}

// cellPairs returns the pairs with an input cell that is dy rows below and dx columns right of the output cell.
func cellPairs(in, out shape, dy, dx int) (pairs []cellPair) {
	for y := range out.height {
		for x := range out.width {
			if inY, inX := y+dy, x+dx; inY >= 0 && inY < in.height && inX >= 0 && inX < in.width {
				pairs = append(pairs, cellPair{inY*in.width + inX, y*out.width + x})
			}
		}
	}
	return pairs
}
