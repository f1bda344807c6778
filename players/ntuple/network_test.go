package ntuple_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"versus2048/players/ntuple"
	"versus2048/rules"
)

// drawn returns random weights of a structure and a network with them. The weights are whole numbers that 16
// bits hold exactly.
func drawn(t testing.TB, s ntuple.Structure) ([]float32, *ntuple.Network) {
	t.Helper()
	random := rand.New(rand.NewPCG(2048, uint64(len(s.Name))))
	weights := make([]float32, s.Weights())
	for i := range weights {
		weights[i] = float32(random.IntN(2001) - 1000)
	}
	weights[0] = math.MaxInt16 // then the scale is 1
	n, err := ntuple.New(s, weights, 5, ntuple.Recipe{Rules: rules.GPCC2015})
	if err != nil {
		t.Fatal(err)
	}
	return weights, n
}

// small returns all named structures with networks that are quickly made, without stages and with some.
func small() (all []ntuple.Structure) {
	for _, size := range rules.Sizes() {
		for _, s := range ntuple.Structures(size) {
			if s.Weights() <= 1<<19 {
				all = append(all, s)
				s.Stages = []int{2, 256, 32768}
				all = append(all, s)
			}
		}
	}
	return all
}

// drawBoard draws a board with any tiles, up to a largest one that is drawn first.
func drawBoard(random *rand.Rand, s rules.Size) (b rules.Board) {
	most := random.IntN(16)
	for y := range int(s.Height) {
		for x := range int(s.Width) {
			if k := random.IntN(most + 1); k > 0 {
				b = b.With(4*y+x, k)
			}
		}
	}
	return b
}

// naive adds up the weights of the board's stage cell by cell. For each set of cells of a tuple's images, it takes the
// weight with the smallest of the numbers that the images read there.
func naive(s ntuple.Structure, weights []float32, b rules.Board) int {
	sum := float32(5)
	first := 0
	largest := 0
	for cell := range 16 {
		largest = max(largest, b.Exponent(cell))
	}
	for _, tile := range s.Stages {
		if 1<<largest >= tile {
			first += s.StageWeights()
		}
	}
	for _, tuple := range s.Tuples {
		least := map[string]int{}
		for _, y := range s.Size.Symmetries() {
			number, digit := 0, 1
			var cells []int
			for _, cell := range tuple {
				from := y.Inverse().Move(rules.Place(cell, false), s.Size).Cell()
				number += digit * b.Exponent(from)
				digit *= 16
				cells = append(cells, from)
			}
			slices.Sort(cells)
			if other, seen := least[fmt.Sprint(cells)]; !seen || number < other {
				least[fmt.Sprint(cells)] = number
			}
		}
		for _, number := range least {
			sum += weights[first+number]
		}
		first += int(math.Pow(16, float64(len(tuple))))
	}
	return int(sum)
}

// Of, and the numbers of the weights that a board selects, agree with a second implementation. Boards that are
// equal under a symmetry have equal values.
func TestOf(t *testing.T) {
	for _, s := range small() {
		weights, n := drawn(t, s)
		features := ntuple.NewFeatures(s)
		random := rand.New(rand.NewPCG(1, 1))
		for i := range 60 {
			b := drawBoard(random, s.Size)
			if i < 2 {
				b &= rules.Board(i) * 0xF // boards on which a weight is selected several times
			}
			want := naive(s, weights, b)
			if got := n.Of(b); got != want {
				t.Fatalf("%s on %v: %x is worth %d, want %d", s.Name, s.Size, b, got, want)
			}
			checkFeatures(t, s, features, weights, b, want)
			for _, y := range s.Size.Symmetries() {
				if got := n.Of(y.Board(b, s.Size)); got != want {
					t.Fatalf("%s on %v: an image of %x is worth %d, want %d", s.Name, s.Size, b, got, want)
				}
			}
		}
		if n.Rules() != rules.GPCC2015 || n.Size() != s.Size || n.Structure().Name != s.Name {
			t.Errorf("%v, %v, %s", n.Rules(), n.Size(), n.Structure().Name)
		}
	}
}

// checkFeatures checks that the weights of a board add up to its value, and that all numbers of these weights are
// found.
func checkFeatures(t *testing.T, s ntuple.Structure, f *ntuple.Features, weights []float32, b rules.Board, want int) {
	t.Helper()
	numbers := f.NewNumbers()
	f.Numbers(numbers, b)
	sum, all := float32(5), map[uint32]bool{}
	for _, i := range numbers[:f.Count()] {
		shared := f.Shared(nil, i)
		sum += weights[slices.Min(shared)]
		for _, j := range shared {
			all[j] = true
		}
	}
	if int(sum) != want {
		t.Errorf("%s on %v: the features of %x add up to %v, want %d", s.Name, s.Size, b, sum, want)
	}
	slices.Sort(numbers)
	if got, want := slices.Compact(numbers), slices.Sorted(maps.Keys(all)); !slices.Equal(got, want) {
		t.Errorf("%s on %v: %x selects %v, want %v", s.Name, s.Size, b, got, want)
	}
}

// The structure 4x5, which has its own code, agrees with the second implementation, too. Its boards hold every tile.
func TestFiveCells(t *testing.T) {
	s, err := ntuple.Named("4x5", rules.Full)
	if err != nil {
		t.Fatal(err)
	}
	weights, n := drawn(t, s)
	random := rand.New(rand.NewPCG(6, 6))
	for range 100 {
		b := drawBoard(random, s.Size)
		if got, want := n.Of(b), naive(s, weights, b); got != want {
			t.Fatalf("%x is worth %d, want %d", b, got, want)
		}
	}
}

func TestOfAllocatesNothing(t *testing.T) {
	_, n := drawn(t, ntuple.Structures(rules.Full)[0])
	if allocations := testing.AllocsPerRun(100, func() { n.Of(0x1234_5678_9ABC_DEF0) }); allocations != 0 {
		t.Errorf("%v allocations", allocations)
	}
}

// Best finds the best slide by a position's moves and scores.
func TestBest(t *testing.T) {
	for _, s := range small() {
		_, n := drawn(t, s)
		random := rand.New(rand.NewPCG(3, 3))
		p := rules.NewPosition(rules.GPCC2015, s.Size)
		for range 300 {
			moves := p.AppendMoves(nil)
			if p.SideToMove() == rules.Defender {
				checkBest(t, n, p, moves)
			}
			if p.Over() {
				p = rules.NewPosition(rules.GPCC2015, s.Size)
				continue
			}
			p = p.Next(moves[random.IntN(len(moves))])
		}
	}
}

func checkBest(t *testing.T, n *ntuple.Network, p rules.Position, moves []rules.Move) {
	t.Helper()
	m, value, ok := n.Best(p.Board())
	if ok != (len(moves) > 0) {
		t.Fatalf("%v: found %v, want %v", p, ok, !ok)
	}
	if !ok {
		return
	}
	worth := func(m rules.Move) int { return p.Next(m).Score() - p.Score() + n.Of(p.Next(m).Board()) }
	most := slices.MaxFunc(moves, func(a, b rules.Move) int { return worth(a) - worth(b) })
	if value != worth(m) || value != worth(most) {
		t.Errorf("%v: %v is best with %d, want %v with %d", p, m, value, most, worth(most))
	}
}

// A weight is rounded to a 65,534th of the range from the least to the greatest.
func TestRounding(t *testing.T) {
	s := ntuple.Structure{Size: rules.Size{Width: 2, Height: 2}, Tuples: [][]int{{0}}}
	weights := make([]float32, 16)
	weights[1], weights[2] = -40000, 123.4
	n, err := ntuple.New(s, weights, 0, ntuple.Recipe{})
	if err != nil {
		t.Fatal(err)
	}
	for b, want := range map[rules.Board]float64{0: 0, 0x1: -40000, 0x2: 123.4, 0x22: 2 * 123.4} {
		if got := n.Of(b); math.Abs(float64(got)-want) > 4*40000.0/math.MaxInt16/2+0.5 {
			t.Errorf("%x is worth %d, want about %v", b, got, want)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	s := ntuple.Structures(rules.Size{Width: 2, Height: 2})[0]
	infinite := make([]float32, s.Weights())
	infinite[7] = float32(math.Inf(1))
	for what, weights := range map[string][]float32{"few": make([]float32, 3), "infinite": infinite} {
		if n, err := ntuple.New(s, weights, 0, ntuple.Recipe{}); err == nil {
			t.Errorf("%s: got %v", what, n)
		}
	}
	if _, err := ntuple.New(ntuple.Structure{}, nil, 0, ntuple.Recipe{}); err == nil {
		t.Error("a network without a structure")
	}
}

func BenchmarkOf(b *testing.B) {
	for _, s := range ntuple.Structures(rules.Full) {
		b.Run(s.Name, func(b *testing.B) {
			n, err := ntuple.New(s, make([]float32, s.Weights()), 0, ntuple.Recipe{})
			if err != nil {
				b.Fatal(err)
			}
			boards := games()
			b.ReportAllocs()
			sum := 0
			for i := 0; b.Loop(); i++ {
				sum += n.Of(boards[i%len(boards)])
			}
		})
	}
}

// games returns boards of random games.
func games() (boards []rules.Board) {
	random := rand.New(rand.NewPCG(5, 5))
	for len(boards) < 1000 {
		for p := rules.NewPosition(rules.GPCC2015, rules.Full); !p.Over(); {
			moves := p.AppendMoves(nil)
			p = p.Next(moves[random.IntN(len(moves))])
			boards = append(boards, p.Board())
		}
	}
	return boards
}
