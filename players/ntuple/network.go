package ntuple

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"versus2048/rules"
)

// Network is the value of boards as a sum of weights. It does not change and is safe for concurrent use.
type Network struct {
	structure Structure
	recipe    Recipe
	features  *Features
	stages    []stage
	first     stage   // of the stages: the only one of most networks
	base      float64 // the points of every board besides its weights
	scale     float64 // points for each unit of a weight
	close     func() error
}

// stage has the weights of the boards of a stage.
type stage struct {
	tables  [][]byte       // the weights of each tuple, as little-endian numbers of 16 bits
	vectors *vectors       // of the same tables; nil if the processor has none
	fixed   fixedStructure // of the same tables; nil for most structures
}

// New returns a network with weights of 16 bits. The argument weights has the weights of all stages and tuples in their
// order, in points. base is added to the value of every board. New returns an error if the structure is not valid, if
// the number of weights is not right for the structure, or if a weight or base is not a finite number.
func New(s Structure, weights []float32, base float64, r Recipe) (*Network, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	if len(weights) != s.Weights() {
		return nil, fmt.Errorf("%d weights: want %d", len(weights), s.Weights())
	}
	n := newNetwork(s, r)
	most := 0.0
	for _, w := range weights {
		most = max(most, math.Abs(float64(w)))
	}
	if math.IsInf(most, 0) || math.IsNaN(most) {
		return nil, errors.New("a weight is infinite or not a number")
	}
	if math.IsInf(base, 0) || math.IsNaN(base) {
		return nil, fmt.Errorf("the base is %v: want a finite number", base)
	}
	n.base, n.scale = base, max(most, 1)/math.MaxInt16
	content := make([]byte, weightBytes*len(weights))
	for i, w := range weights {
		binary.LittleEndian.PutUint16(content[weightBytes*i:], uint16(int16(math.Round(float64(w)/n.scale))))
	}
	n.divide(content)
	n.mirror()
	return n, nil
}

// mirror copies weights: the contents of a tuple share one weight with their mirror images, and a look-up finds it by
// the number of any of these images. Most weights are 0 and need no copies.
func (n *Network) mirror() {
	for _, s := range n.stages {
		for i, table := range s.tables {
			t := &n.features.tuples[i]
			for number := uint32(0); number < t.weights && t.mirrored(); number++ {
				if weight := table[weightBytes*number:][:weightBytes]; weight[0]|weight[1] != 0 {
					n.mirrorOne(t, table, number)
				}
			}
		}
	}
}

// mirrorOne gives a tuple's contents and their mirror images the weight that they share.
func (n *Network) mirrorOne(t *tuple, table []byte, number uint32) {
	images := t.board(number).Images(n.Size())
	from := t.selected(&images, t.places[0])
	for _, image := range t.places[0] {
		copy(table[weightBytes*t.number(images[image]):][:weightBytes], table[weightBytes*from:])
	}
}

// weightBytes is the size of a weight in memory and in a file.
const weightBytes = 2

// newNetwork returns a network without weights.
func newNetwork(s Structure, r Recipe) *Network {
	return &Network{structure: s, recipe: r, features: NewFeatures(s), scale: 1, close: func() error { return nil }}
}

// divide gives each tuple its part of the weights, in each stage.
func (n *Network) divide(content []byte) {
	for range 1 + len(n.structure.Stages) {
		s := stage{vectors: newVectors(n.features, content)}
		for i := range n.features.tuples {
			bytes := weightBytes * int(n.features.tuples[i].weights)
			s.tables = append(s.tables, content[:bytes:bytes])
			content = content[bytes:]
		}
		s.fixed = newFixedStructure(n.structure, n.features, s.tables)
		n.stages = append(n.stages, s)
	}
	n.first = n.stages[0]
}

// Structure returns the structure of the network's tuples.
func (n *Network) Structure() Structure { return n.structure }

// Recipe returns the recipe of the network.
func (n *Network) Recipe() Recipe { return n.recipe }

// Rules returns the rule set that the network has learned.
func (n *Network) Rules() rules.Ruleset { return n.recipe.Rules }

// Size returns the size of the boards that the network values.
func (n *Network) Size() rules.Size { return n.structure.Size }

// Close releases the network's file. The network must not be used afterwards.
func (n *Network) Close() error { return n.close() }

// Of returns the value of a board with the attacker, or chance, to move: the number of points that the defender
// will still score. It allocates nothing. The board must be of the network's size.
func (n *Network) Of(b rules.Board) int {
	s := &n.first
	if len(n.stages) > 1 {
		s = &n.stages[n.features.stage(b)]
	}
	switch {
	case s.vectors != nil:
		return n.points(int(s.vectors.sum(b)))
	case s.fixed != nil:
		return n.points(int(s.fixed.sum(b)))
	}
	return n.points(n.sum(b))
}

// sum adds up the weights that a board selects, for any structure on any processor.
func (n *Network) sum(b rules.Board) (sum int) {
	images := b.Images(n.structure.Size)
	for i, table := range n.stages[n.features.stage(b)].tables {
		t := &n.features.tuples[i]
		shift0, mask0, shift1, mask1 := t.pieces[0].shift&63, t.pieces[0].mask, t.pieces[1].shift&63, t.pieces[1].mask
		scattered := len(t.rest) > 0
		for _, at := range t.images {
			image := images[at&7]
			number := image>>shift0&mask0 | image>>shift1&mask1
			if scattered {
				number |= t.others(image)
			}
			sum += int(weightAt(table, int(number)))
		}
	}
	return sum
}

func weightAt(table []byte, number int) int32 {
	return int32(int16(binary.LittleEndian.Uint16(table[weightBytes*number:])))
}

// points returns the value of a board from the sum of its weights.
func (n *Network) points(sum int) int { return int(math.Round(float64(sum)*n.scale + n.base)) }

// Best returns the best slide: its points plus the value of the board after it are highest. It also returns this
// sum, which is the value of b with the defender to move. ok is false if no slide is legal.
func (n *Network) Best(b rules.Board) (best rules.Move, value int, ok bool) {
	before := b.Potential()
	for m := rules.North; m <= rules.East; m++ {
		slid := b.Slide(n.structure.Size, m)
		if slid == b {
			continue
		}
		if v := slid.Potential() - before + n.Of(slid); !ok || v > value {
			best, value, ok = m, v, true
		}
	}
	return best, value, ok
}

// Final is a network as an evaluation of the final score.
type Final struct{ *Network }

// mostExpected is more than the score of any game, and all searches accept it as a value.
const mostExpected = 9_000_000

// Of returns the score of the tiles of b, plus the score that is expected from b on.
func (n Final) Of(b rules.Board) int {
	return max(-mostExpected, min(b.Potential()+n.Network.Of(b), mostExpected))
}

// PointValue returns the value of one point of the score: see searching.PointValue.
func (Final) PointValue() int { return 1 }

// Coarse returns the network with weights that are rounded to multiples of a number of units. Its file is much smaller,
// and its values are close to the network's.
func (n *Network) Coarse(units int) *Network {
	c := newNetwork(n.structure, n.recipe)
	c.base, c.scale = n.base, n.scale*float64(units)
	var content []byte
	for _, s := range n.stages {
		for _, table := range s.tables {
			for number := range len(table) / weightBytes {
				weight := math.Round(float64(weightAt(table, number)) / float64(units))
				content = binary.LittleEndian.AppendUint16(content, uint16(int16(weight)))
			}
		}
	}
	c.divide(content)
	return c
}
