package neural

import (
	"fmt"
	"maps"
	"slices"

	"versus2048/rules"
)

// shape is the form of a layer's output: channels for each cell of a grid. Numbers without a grid have one
// cell.
type shape struct {
	height, width, channels int
	joined                  bool // output for several boards: the cells form no grid
}

func (s shape) cells() int { return s.height * s.width }

// numbers returns the number of numbers in the shape.
func (s shape) numbers() int { return s.cells() * s.channels }

// String writes the shape as rows x columns x channels.
func (s shape) String() string { return fmt.Sprintf("%dx%dx%d", s.height, s.width, s.channels) }

// The limits of a description. They limit the memory and the computing time that a file can cause. The size of the file
// is another limit: a file has a bias for each output of a dense layer and for each channel of a convolution.
const (
	mostFunctions = 32
	mostLayers    = 256 // in one list
	mostNesting   = 4
	mostPlanes    = 18
	mostChannels  = 1 << 14
	mostNumbers   = 1 << 18 // of one layer's output
	mostKernel    = 4

	mostBoardBytes = 16 << 20 // of an Evaluator, for each board of a batch
)

// layerError returns the error for a layer.
func layerError(name string, l Layer, format string, values ...any) error {
	return fmt.Errorf("layer %s (%.20q): %s", name, l.Kind, fmt.Sprintf(format, values...))
}

// shapes finds the shapes in a network.
type shapes struct {
	description Description
	size        rules.Size
	found       map[string]shape // the outputs of functions
	pending     map[string]bool  // functions in progress, to detect circles
}

// shapesOf returns the shape of each function's output, or an error with the layer that does not fit.
func shapesOf(d Description, s rules.Size) (map[string]shape, error) {
	if d.Planes < 2 || d.Planes > mostPlanes {
		return nil, fmt.Errorf("%d planes: want 2 to %d", d.Planes, mostPlanes)
	}
	if n := len(d.Functions); n == 0 || n > mostFunctions {
		return nil, fmt.Errorf("%d functions: want 1 to %d", n, mostFunctions)
	}
	if err := d.Value.check(); err != nil {
		return nil, err
	}
	f := shapes{d, s, map[string]shape{}, map[string]bool{}}
	for _, name := range slices.Sorted(maps.Keys(d.Functions)) {
		if _, err := f.output(name); err != nil {
			return nil, err
		}
	}
	return f.found, nil
}

// output returns the shape of a function's output.
func (f shapes) output(name string) (shape, error) {
	if s, ok := f.found[name]; ok {
		return s, nil
	}
	function, ok := f.description.Functions[name]
	if !ok {
		return shape{}, fmt.Errorf("there is no function %.40q", name)
	}
	if !plainName(name) {
		return shape{}, fmt.Errorf("a function has the name %.40q: want up to 40 letters a to z and _, and not board", name)
	}
	if f.pending[name] {
		return shape{}, fmt.Errorf("function %s comes from itself", name)
	}
	f.pending[name] = true
	in, err := f.input(function.From)
	if err != nil {
		return shape{}, fmt.Errorf("function %s: %w", name, err)
	}
	out, err := f.layers(name, function.Layers, in, function.From.Function == board, 0)
	if err != nil {
		return shape{}, err
	}
	f.found[name] = out
	return out, nil
}

// plainName reports whether a function can have the name. It becomes a part of tensors' names.
func plainName(name string) bool {
	for _, c := range name {
		if (c < 'a' || c > 'z') && c != '_' {
			return false
		}
	}
	return name != "" && name != board && len(name) <= 40
}

// input returns the shape of a function's input.
func (f shapes) input(from Source) (shape, error) {
	switch {
	case from.Function == board:
		return boardShape(f.description, f.size), nil
	case from.Function != "":
		return f.output(from.Function)
	case from.Numbers < 1 || from.Numbers > mostChannels:
		return shape{}, fmt.Errorf("it comes from %d numbers: want 1 to %d", from.Numbers, mostChannels)
	}
	return shape{height: 1, width: 1, channels: from.Numbers}, nil
}

// boardShape returns the shape of boards as planes.
func boardShape(d Description, s rules.Size) shape {
	planes := d.Planes
	if d.Side {
		planes++
	}
	return shape{height: int(s.Height), width: int(s.Width), channels: planes}
}

// layers returns the shape of the output of a sequence of layers.
func (f shapes) layers(name string, layers []Layer, in shape, fromBoard bool, depth int) (shape, error) {
	if len(layers) == 0 || len(layers) > mostLayers {
		return shape{}, fmt.Errorf("%s: %d layers: want 1 to %d", name, len(layers), mostLayers)
	}
	if depth > mostNesting {
		return shape{}, fmt.Errorf("%s: its layers are nested %d times: want at most %d", name, depth, mostNesting)
	}
	for i, l := range layers {
		at := fmt.Sprintf("%s.%d", name, i)
		if l.seesImages() && (!fromBoard || i > 0 || depth > 0) {
			return shape{}, layerError(at, l, "want it only as the first layer of a function from the board")
		}
		out, err := f.layer(at, l, in, depth)
		if err != nil {
			return shape{}, err
		}
		if out.channels > mostChannels || out.numbers() > mostNumbers {
			return shape{}, layerError(at, l, "its output is %v: want at most %d channels and %d numbers", out, mostChannels, mostNumbers)
		}
		in = out
	}
	return in, nil
}

// layer returns the shape of a layer's output.
func (f shapes) layer(at string, l Layer, in shape, depth int) (shape, error) {
	if in.joined && (l.Kind == Conv || l.Kind == Norm) {
		return shape{}, layerError(at, l, "its input is the joined numbers of several boards: want a dense layer first")
	}
	switch l.Kind {
	case ReLU, Tanh:
		return in, nil
	case Norm:
		if l.Channels != in.channels {
			return shape{}, layerError(at, l, "channels %d: its input is %v, want %d", l.Channels, in, in.channels)
		}
		return in, nil
	case Conv:
		return convShape(at, l, in)
	case Dense:
		if l.In != in.numbers() {
			return shape{}, layerError(at, l, "in %d: its input is %v, want %d", l.In, in, in.numbers())
		}
		if l.Out < 1 {
			return shape{}, layerError(at, l, "out %d: want at least 1", l.Out)
		}
		return shape{height: 1, width: 1, channels: l.Out}, nil
	case Canonical:
		return f.layers(at, l.Layers, in, false, depth+1)
	case Residual:
		out, err := f.layers(at, l.Layers, in, false, depth+1)
		if err == nil && out != in {
			err = layerError(at, l, "its layers make %v of %v: want the same", out, in)
		}
		return out, err
	case Symmetries:
		out, err := f.layers(at, l.Layers, in, false, depth+1)
		return shape{1, len(f.size.Symmetries()) * out.cells(), out.channels, true}, err
	}
	return shape{}, layerError(at, l, "want conv, dense, relu, tanh, norm, residual, symmetries or canonical")
}

// convShape returns the shape of a convolution's output.
func convShape(at string, l Layer, in shape) (shape, error) {
	if len(l.Kernel) != 2 || min(l.Kernel[0], l.Kernel[1]) < 1 || max(l.Kernel[0], l.Kernel[1]) > mostKernel {
		return shape{}, layerError(at, l, "kernel %v: want its rows and its columns, each 1 to %d", l.Kernel, mostKernel)
	}
	if l.In != in.channels {
		return shape{}, layerError(at, l, "in %d: its input is %v, want %d", l.In, in, in.channels)
	}
	if l.Out < 1 {
		return shape{}, layerError(at, l, "out %d: want at least 1", l.Out)
	}
	rows, columns := l.Kernel[0], l.Kernel[1]
	switch {
	case l.Padding != After && l.Padding != Around && l.Padding != NoPad:
		return shape{}, layerError(at, l, "padding %.20q: want after, around or none", l.Padding)
	case l.Padding == Around && (rows%2 == 0 || columns%2 == 0):
		return shape{}, layerError(at, l, "padding %q, kernel %v: want odd numbers of rows and columns", l.Padding, l.Kernel)
	case l.Padding == NoPad && (rows > in.height || columns > in.width):
		return shape{}, layerError(at, l, "padding %q, kernel %v: want a kernel that fits into the input, %v", l.Padding, l.Kernel, in)
	case l.Padding == NoPad:
		return shape{height: in.height - rows + 1, width: in.width - columns + 1, channels: l.Out}, nil
	}
	return shape{height: in.height, width: in.width, channels: l.Out}, nil
}
