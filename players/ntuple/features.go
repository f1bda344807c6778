package ntuple

import (
	"math/bits"
	"slices"

	"versus2048/rules"
)

// Features finds the weights that a board selects: one for each place of each tuple. The places are the tuple's
// images under the symmetries of the board. If a symmetry maps a tuple onto itself, its contents and their
// mirror images share a weight.
type Features struct {
	size         rules.Size
	count        int
	begins       []rules.Board // for each stage but the first: see stage
	stageWeights uint32        // the number of weights of a stage
	tuples       []tuple
	readings     []reading // first one reading of each place, then the other readings of all places
	eights       []eight   // one reading of each place; nil if the processor has no vectors
	all          []eight   // all readings in the first stage; nil if the processor has no vectors
	later        [][]eight // all readings in each of the other stages
}

// reading is one way to find a weight: the tuple's number on one image of the board.
type reading struct {
	tuple *tuple
	image int
}

// tuple finds the weights of one tuple. The tiles in its cells are the digits of a number, the first cell's digit the
// lowest. Neighbouring cells are shifted together: two shifts are enough for most tuples in the named structures.
type tuple struct {
	first   uint32 // index of its first weight among the weights of all tuples
	weights uint32 // the number of its weights
	cells   []int
	pieces  [2]piece
	rest    []piece
	places  []place
	images  []uint8 // the first image of each place
}

// piece shifts the bits of some cells of a board down to their place in the number.
type piece struct {
	shift uint
	mask  rules.Board // after the shift
}

// place is one place of a tuple on the board. There the tuple reads the same cells on one or more images of the board,
// in different orders; the smallest of the resulting numbers selects the weight.
type place []uint8 // indices of rules.Board.Images

// NewFeatures returns the features of a structure, which must be valid.
func NewFeatures(s Structure) *Features {
	f := &Features{size: s.Size, stageWeights: uint32(s.StageWeights())}
	for _, tile := range s.Stages {
		f.begins = append(f.begins, rules.Board(0x80-bits.TrailingZeros(uint(tile)))*0x0101010101010101)
	}
	first := 0
	for _, cells := range s.Tuples {
		t := newTuple(cells, s.Size)
		t.first = uint32(first)
		first += tupleWeights(cells)
		f.tuples = append(f.tuples, t)
		f.count += len(t.places)
	}
	f.readings = f.findReadings()
	if vectorsSupported() {
		f.eights = newEights(f.readings[:f.count], s.Size)
		f.all = newEights(f.readings, s.Size)
		for stage := range s.Stages {
			all := slices.Clone(f.all)
			for i := range all {
				for place := range all[i].first {
					all[i].first[place] += uint32(1+stage) * f.stageWeights
				}
			}
			f.later = append(f.later, all)
		}
	}
	return f
}

// stage returns the stage of a board, 0 for the first one. It puts one half of the cells into bytes of their own, then
// the other half, and adds a number from begins to each byte. The sum reaches 0x80 if the cell has the tile that begins
// the stage, or a larger one.
func (f *Features) stage(b rules.Board) (stage int) {
	const low, reached = 0x0F0F0F0F0F0F0F0F, 0x8080808080808080
	for _, begin := range f.begins {
		if ((b&low+begin)|(b>>4&low+begin))&reached != 0 {
			stage++
		}
	}
	return stage
}

func (f *Features) findReadings() []reading {
	var first, others []reading
	for i := range f.tuples {
		t := &f.tuples[i]
		for _, at := range t.places {
			first = append(first, reading{t, int(at[0])})
			for _, image := range at[1:] {
				others = append(others, reading{t, int(image)})
			}
		}
	}
	return append(first, others...)
}

func newTuple(cells []int, s rules.Size) tuple {
	t := tuple{weights: uint32(tupleWeights(cells)), cells: cells}
	var pieces []piece
	for i, cell := range cells {
		p := piece{uint(4 * (cell - i)), (exponents - 1) << (4 * i)}
		if last := len(pieces) - 1; last >= 0 && pieces[last].shift == p.shift {
			pieces[last].mask |= p.mask
			continue
		}
		pieces = append(pieces, p)
	}
	t.rest = pieces[copy(t.pieces[:], pieces):]
	t.places = t.findPlaces(s)
	for _, at := range t.places {
		t.images = append(t.images, at[0])
	}
	return t
}

// findPlaces groups the images by the cells that the tuple reads on them. The first place is the tuple itself.
func (t *tuple) findPlaces(s rules.Size) (places []place) {
	var seen []uint16
	for image := range s.Symmetries() {
		read := t.read(image, s)
		i := slices.Index(seen, read)
		if i < 0 {
			i = len(seen)
			seen, places = append(seen, read), append(places, nil)
		}
		places[i] = append(places[i], uint8(image))
	}
	return places
}

// read returns the set of the board's cells that the tuple reads on one of its images.
func (t *tuple) read(image int, s rules.Size) (cells uint16) {
	for cell := range 16 {
		inside := cell&3 < int(s.Width) && cell>>2 < int(s.Height)
		if inside && t.number(rules.Board(0).With(cell, 1).Images(s)[image]) != 0 {
			cells |= 1 << cell
		}
	}
	return cells
}

// number returns the number of the contents of the tuple's cells on an image of a board.
func (t *tuple) number(b rules.Board) uint32 {
	return uint32(b>>(t.pieces[0].shift&63)&t.pieces[0].mask | b>>(t.pieces[1].shift&63)&t.pieces[1].mask | t.others(b))
}

// others returns the part of the number that comes from all pieces but the first two.
func (t *tuple) others(b rules.Board) (n rules.Board) {
	for _, p := range t.rest {
		n |= b >> (p.shift & 63) & p.mask
	}
	return n
}

// selected returns the number of the weight that the images of a board select at a place.
func (t *tuple) selected(images *[8]rules.Board, at place) uint32 {
	least := t.number(images[at[0]&7])
	for _, image := range at[1:] {
		least = min(least, t.number(images[image&7]))
	}
	return least
}

// mirrored reports whether the tuple's contents share weights with their mirror images.
func (t *tuple) mirrored() bool { return len(t.places[0]) > 1 }

// board returns a board with the contents of the given number in the tuple's cells.
func (t *tuple) board(number uint32) (b rules.Board) {
	for i, cell := range t.cells {
		b = b.With(cell, int(number>>(4*i)&(exponents-1)))
	}
	return b
}

// Count returns the number of weights that a board selects. Some may be the same.
func (f *Features) Count() int { return f.count }

// NewNumbers returns room for Numbers.
func (f *Features) NewNumbers() []uint32 {
	n := len(f.readings)
	return make([]uint32, n, (n+width-1)/width*width)
}

// Numbers stores in room, which comes from NewNumbers, the numbers of the weights that a board selects. A number is the
// index of a weight among the weights of all stages and tuples in their order. The first Count numbers are one for each
// place. The numbers of mirror images that share these weights follow.
func (f *Features) Numbers(room []uint32, b rules.Board) {
	if f.all == nil {
		f.numbersPortable(room, b)
		return
	}
	all := f.all
	if stage := f.stage(b); stage > 0 {
		all = f.later[stage-1]
	}
	numbersAVX2(uint64(b), &all[0], len(all), &room[:width*len(all)][0])
}

// numbersPortable is Numbers without vectors.
func (f *Features) numbersPortable(room []uint32, b rules.Board) {
	images, first := b.Images(f.size), uint32(f.stage(b))*f.stageWeights
	for i, r := range f.readings {
		room[i] = first + r.tuple.first + r.tuple.number(images[r.image&7])
	}
}

// Shared appends all numbers of the weight that has number i to dst. A weight has several numbers if contents share it
// with their mirror images. Shared may append a number more than once.
func (f *Features) Shared(dst []uint32, i uint32) []uint32 {
	first := i / f.stageWeights * f.stageWeights // of the stage
	i -= first
	for k := range f.tuples {
		if t := &f.tuples[k]; i-t.first < t.weights {
			images := t.board(i - t.first).Images(f.size)
			for _, image := range t.places[0] {
				dst = append(dst, first+t.first+t.number(images[image]))
			}
		}
	}
	return dst
}
