package learning

import (
	"math"
	"slices"
	"testing"

	"versus2048/players/ntuple"
	"versus2048/players/playout"
	"versus2048/rules"
)

// reference learns under solo by TD(lambda) with temporal coherence, by the formulas of docs/learning.md and without
// regard to speed. The least number of a weight is its key.
type reference struct {
	settings  Settings
	structure ntuple.Structure
	step      float32
	weights   map[uint32]weight
}

// selected returns the weights of a board, one for each place of each tuple: tuple by tuple, and for each the
// symmetries that read cells not read before. They belong to the board's stage.
func (r *reference) selected(b rules.Board) (keys []uint32) {
	first := uint32(0)
	for _, tile := range r.structure.Stages {
		if 1<<largestExponent(b) >= tile {
			first += uint32(r.structure.StageWeights())
		}
	}
	for _, cells := range r.structure.Tuples {
		var places []uint16          // as sets of cells
		least := map[uint16]uint32{} // of the numbers that the tuple reads at a place
		for _, y := range order(r.settings.Size) {
			place, number := uint16(0), first
			for digit, cell := range cells {
				place |= 1 << y.Inverse().Move(rules.Place(cell, false), r.settings.Size).Cell()
				number += uint32(y.Board(b, r.settings.Size).Exponent(cell)) << (4 * digit)
			}
			known, ok := least[place]
			if !ok {
				places, known = append(places, place), number
			}
			least[place] = min(known, number)
		}
		for _, place := range places {
			keys = append(keys, least[place])
		}
		first += 1 << (4 * len(cells))
	}
	return keys
}

// order returns the symmetries in the order of rules.Board.Images.
func order(s rules.Size) []rules.Symmetry {
	if s.Square() {
		return []rules.Symmetry{0, 2, 4, 6, 1, 3, 5, 7}
	}
	return []rules.Symmetry{0, 2, 4, 6}
}

func (r *reference) value(b rules.Board) float32 {
	sum := float32(r.settings.Optimism)
	for _, key := range r.selected(b) {
		sum += r.weight(key).value
	}
	return sum
}

// weight returns a weight. One that was not learned has the value of the stage before its own, and no errors.
func (r *reference) weight(key uint32) weight {
	w, learned := r.weights[key]
	if stage := uint32(r.structure.StageWeights()); !learned && key >= stage {
		w.value = r.weight(key - stage).value
	}
	return w
}

// learn moves the value of a board towards a target. A weight that is selected several times changes once.
func (r *reference) learn(b rules.Board, target float32) {
	e := target - r.value(b)
	keys := r.selected(b)
	slices.Sort(keys)
	for _, key := range slices.Compact(keys) {
		w, coherence := r.weight(key), float32(1)
		if w.absolute > 0 {
			coherence = max(w.errors, -w.errors) / w.absolute
		}
		change := float32(r.step * e * coherence)
		r.weights[key] = weight{w.value + change, w.errors + e, w.absolute + max(e, -e)}
	}
}

// play plays a game. It returns the afterstates, the empty board first, and the reward of each slide to the next one.
func (r *reference) play(number uint64) (boards []rules.Board, rewards []float32) {
	random, size := playout.NewGenerator(r.settings.Seed, number), r.settings.Size
	for b := rules.Board(0); ; {
		boards = append(boards, b)
		tile := 1
		if random.Below(10) == 0 {
			tile = 2
		}
		skip := random.Below(b.EmptyCells(size))
		for cell := 0; ; cell++ {
			if b.Empty(size)>>(4*cell)&1 == 1 {
				if skip--; skip < 0 {
					b = b.With(cell, tile)
					break
				}
			}
		}
		best, reward, most := b, float32(0), float32(0)
		for m := rules.North; m <= rules.East; m++ {
			slid := b.Slide(size, m)
			points := float32(slid.Potential() - b.Potential())
			if slid != b && (best == b || points+r.value(slid) > most) {
				best, reward, most = slid, points, points+r.value(slid)
			}
		}
		if best == b {
			return boards, rewards
		}
		b, rewards = best, append(rewards, reward)
	}
}

// learnGame plays the game of that number, and learns its afterstates from the last one to the first.
func (r *reference) learnGame(number uint64) {
	boards, rewards := r.play(number)
	lambda, result := float32(r.settings.Lambda), float32(0) // of the mated board
	for i := len(boards) - 1; i >= 0; i-- {
		if i < len(rewards) {
			result = float32((1-lambda)*(rewards[i]+r.value(boards[i+1]))) + float32(lambda*(rewards[i]+result))
		}
		r.learn(boards[i], result)
	}
}

// A trainer learns exactly the weights of the reference: on boards that are square and not, with tuples that are their
// own mirror images and boards that select a weight several times, and with stages.
func TestLearnsAsTheReference(t *testing.T) {
	for _, game := range []struct {
		size      rules.Size
		structure string
		games     uint64
		stages    []int
	}{
		{rules.Size{Width: 3, Height: 3}, "lines", 60, nil},
		{rules.Size{Width: 3, Height: 3}, "lines", 60, []int{4, 32, 64, 8192}},
		{rules.Size{Width: 4, Height: 2}, "2x6", 60, nil},
		{rules.Full, "5x4", 4, nil},
		{rules.Full, "5x4", 4, []int{64, 128}},
		{rules.Full, "4x5", 2, nil},
	} {
		settings := Defaults(rules.Solo, game.size)
		settings.Structure, settings.Seed, settings.Average, settings.Optimism = game.structure, 7, 0, 3
		settings.Stages = game.stages
		trainer, err := New(settings)
		if err != nil {
			t.Fatal(err)
		}
		trainer.Play(t.Context(), game.games)
		r := &reference{settings, trainer.structure, trainer.weights.step, map[uint32]weight{}}
		for number := range game.games {
			r.learnGame(number)
		}
		for i, got := range trainer.weights.all {
			if got != (weight{}) {
				i = int(slices.Min(trainer.weights.features.Shared(nil, uint32(i))))
			}
			if want := r.weights[uint32(i)]; got != want {
				t.Fatalf("%s on %v, stages %v: weight %d is %v, want %v", game.structure, game.size, game.stages, i, got, want)
			}
		}
		checkNetwork(t, trainer, r)
	}
}

// checkNetwork checks that the network has the values of the reference, whole points, also where a stage was not learned.
func checkNetwork(t *testing.T, trainer *Trainer, r *reference) {
	t.Helper()
	n, err := trainer.Network()
	if err != nil {
		t.Fatal(err)
	}
	for number := range uint64(3) {
		boards, _ := r.play(1000 + number)
		for _, b := range boards {
			for _, b := range []rules.Board{b, b | 14} { // with a tile of the last stage in its first cell
				if got, want := float64(n.Of(b)), float64(r.value(b)); math.Abs(got-want) > 1+math.Abs(want)/1000 {
					t.Fatalf("stages %v: %x is worth %v, want %v", r.structure.Stages, b, got, want)
				}
			}
		}
	}
}

// A weight of a later stage that was learned to be worth 0 does not become the one of the stage before it again.
func TestLearnsNothingMore(t *testing.T) {
	settings := Defaults(rules.Solo, rules.Size{Width: 2, Height: 2})
	settings.Stages = []int{64}
	trainer, err := New(settings)
	if err != nil {
		t.Fatal(err)
	}
	w, l := trainer.weights, newLearner(trainer)
	numbers := l.learned[0]
	w.find(0x6, numbers) // the board has one weight
	w.all[numbers[0]-w.stage].value = 5
	if got := w.value(numbers); got != 5 {
		t.Fatalf("the board is worth %v before it is learned, want 5", got)
	}
	if _, got := w.learn(numbers, 0, l.changed); got != 0 {
		t.Errorf("the board is worth %v, want 0", got)
	}
}
