package ntuple

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"versus2048/rules"
)

// Structure lists the cells that the tuples of a network look at. All images of a tuple under the symmetries of
// the board share its weights.
type Structure struct {
	Name   string     `json:"name"`
	Size   rules.Size `json:"size"`
	Tuples [][]int    `json:"tuples"` // the cells of each tuple, numbered as in rules.Board, in increasing order
	// Stages are tiles in increasing order. Each begins a further stage of the game: boards with this tile or a larger
	// one have weights of their own (Wu et al. 2014).
	Stages []int `json:"stages,omitempty"`
}

// The limits of a structure.
const (
	MaxCells   = 6       // of a tuple
	MaxWeights = 1 << 27 // of all tuples and stages together
)

// MostBytes is the largest size of a network's weights in memory, in bytes.
const MostBytes = weightBytes * MaxWeights

// exponents is the number of states of a cell that weights tell apart: empty, and a tile from 2 to 32768. A
// 65536 looks like a 32768, see rules.Board.
const exponents = 16

// shapes draws the tuples of the named structures, each on a board of its own: each letter is a cell that the
// tuple looks at. See Structures.
var shapes = []struct{ name, size, tuples string }{
	{"whole", "2x2", "xx/xx"},
	{"whole", "3x2", "xxx/xxx"},
	{"whole", "2x3", "xx/xx/xx"},

	{"lines", "4x2", "xxxx/.... xx../xx.. .xx./.xx."},
	{"lines", "2x4", "x./x./x./x. xx/xx/../.. ../xx/xx/.."},
	{"2x6", "4x2", "xxx./xxx. xxxx/xx.."},
	{"2x6", "2x4", "xx/xx/xx/.. xx/xx/x./x."},

	{"lines", "3x3", "xxx/.../... .../xxx/... xx./xx./..."},
	{"4x6", "3x3", "xxx/xxx/... xxx/xx./x.. xxx/x../xx. xx./xxx/.x."},

	{"lines", "4x3", "xxxx/..../.... ..../xxxx/.... x.../x.../x... .x../.x../.x.. xx../xx../.... .xx./.xx./...."},
	{"lines", "3x4", "xxx/.../.../... .../xxx/.../... x../x../x../x.. .x./.x./.x./.x. xx./xx./.../... .../xx./xx./..."},
	{"4x6", "4x3", "xxx./xxx./.... xxxx/xx../.... ..../xxxx/xx.. xx../xx../xx.. "},
	{"4x6", "3x4", "xx./xx./xx./... xx./xx./x../x.. .xx/.xx/.x./.x. xxx/xxx/.../... "},

	// The lines and squares of Szubert and Jaskowski 2014, each once up to symmetry.
	{"5x4", "4x4", "xxxx/..../..../.... ..../xxxx/..../.... xx../xx../..../.... .xx./.xx./..../.... ..../.xx./.xx./...."},
	{"4x5", "4x4", "xxxx/x.../..../.... ..../xxxx/x.../.... xxx./xx../..../.... .xx./.xx./.x../...."},
	// The four tuples of Yeh et al. 2017.
	{"4x6", "4x4", "xxxx/xx../..../.... ..../xxxx/xx../.... xxx./xxx./..../.... ..../xxx./xxx./...."},
	// The first eight of the tuples that Matsuzaki 2016 found one after the other, as TDL2048+ lists them.
	{"8x6", "4x4", "xxx./xxx./..../.... ..../xxxx/xx../.... xxxx/xx../..../.... ..xx/xxx./.x../.... " +
		"xxx./.x../.xx./.... ...x/xxxx/x.../.... .x.x/xxxx/..../.... xx../x.../xxx./...."},
}

// Structures returns the named structures for boards of a size, the smallest first.
//
//	2x2, 3x2, 2x3            whole: one tuple of all cells, so that every board has a weight of its own
//	4x2, 2x4, 3x3, 4x3, 3x4  lines: all lines of 3 or 4 cells and all squares; 2x6 and 4x6: tuples of six cells
//	4x4                      5x4: the lines and squares of Szubert and Jaskowski 2014
//	4x4                      4x5: four tuples of five cells
//	4x4                      4x6: the four tuples of six cells of Yeh et al. 2017
//	4x4                      8x6: the eight tuples of six cells of Matsuzaki 2016
func Structures(s rules.Size) (all []Structure) {
	for _, shape := range shapes {
		if shape.size == s.String() {
			all = append(all, Structure{Name: shape.name, Size: s, Tuples: parseTuples(shape.tuples)})
		}
	}
	return all
}

// Named returns the structure of that name for boards of size s. The error lists the names.
func Named(name string, s rules.Size) (Structure, error) {
	var names []string
	for _, structure := range Structures(s) {
		if structure.Name == name {
			return structure, nil
		}
		names = append(names, structure.Name)
	}
	return Structure{}, fmt.Errorf("structure %.40q for boards of %v: want %s", name, s, strings.Join(names, " or "))
}

func parseTuples(drawing string) (tuples [][]int) {
	for _, board := range strings.Fields(drawing) {
		var tuple []int
		for y, row := range strings.Split(board, "/") {
			for x, cell := range row {
				if cell == 'x' {
					tuple = append(tuple, 4*y+x)
				}
			}
		}
		tuples = append(tuples, tuple)
	}
	return tuples
}

// Weights returns the number of weights of a network with this structure. The first stage's weights come first, then
// the second stage's, and so on. A valid structure has at most MaxWeights.
func (s Structure) Weights() int { return (1 + len(s.Stages)) * s.StageWeights() }

// StageWeights returns the number of weights of each stage: the weights of the tuples in their order.
func (s Structure) StageWeights() int {
	n := 0
	for _, tuple := range s.Tuples {
		n += tupleWeights(tuple)
	}
	return n
}

func tupleWeights(tuple []int) int { return 1 << (4 * len(tuple)) }

// Validate returns an error for a structure that no network can have.
func (s Structure) Validate() error {
	if _, err := rules.ParseSize(s.Size.String()); err != nil {
		return err
	}
	if len(s.Tuples) == 0 {
		return errors.New("it has no tuples")
	}
	before := 1
	for _, tile := range s.Stages {
		if tile <= before || tile >= 1<<exponents || tile&(tile-1) != 0 {
			return fmt.Errorf("stages %v: want tiles from 2 to %d, in increasing order", s.Stages, 1<<(exponents-1))
		}
		before = tile
	}
	weights := 0
	for i, tuple := range s.Tuples {
		if err := s.checkTuple(tuple); err != nil {
			return fmt.Errorf("tuple %d: %w", i+1, err)
		}
		if weights += (1 + len(s.Stages)) * tupleWeights(tuple); weights > MaxWeights {
			return fmt.Errorf("its tuples have more than %d weights in all stages", MaxWeights)
		}
	}
	return nil
}

func (s Structure) checkTuple(tuple []int) error {
	if len(tuple) == 0 || len(tuple) > MaxCells {
		return fmt.Errorf("%d cells: want 1 to %d", len(tuple), MaxCells)
	}
	outside := func(cell int) bool {
		return cell < 0 || cell&3 >= int(s.Size.Width) || cell>>2 >= int(s.Size.Height)
	}
	if slices.ContainsFunc(tuple, outside) {
		return fmt.Errorf("cells %v: some are outside a board of %v", tuple, s.Size)
	}
	for i := 1; i < len(tuple); i++ {
		if tuple[i] <= tuple[i-1] {
			return fmt.Errorf("cells %v: want increasing numbers", tuple)
		}
	}
	return nil
}
