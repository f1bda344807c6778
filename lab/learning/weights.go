package learning

import (
	"math"
	"slices"
	"sync/atomic"

	"versus2048/players/ntuple"
	"versus2048/rules"
)

// weights are the weights of a network that learns. Several goroutines may read and change them at once
// without locks (Niu et al., "Hogwild!", 2011): when two change a weight at once, one change may be lost, which
// is rare enough to do no harm. Each number is read and written atomically.
type weights struct {
	features *ntuple.Features
	base     float32  // the value of a board before its weights are added
	step     float32  // the share of an error that is added to each weight
	shared   bool     // with other goroutines
	values   []uint32 // as the bits of float32s; contents and their mirror images have the same value
	// errors has two float32s for each weight: the sum of its errors in the low 32 bits, and the sum of their
	// absolute values in the high ones. Weights that are equal by symmetry use the entry with the least number.
	// errors is nil without temporal coherence.
	errors []uint64
}

func newWeights(s Settings, structure ntuple.Structure) *weights {
	f := ntuple.NewFeatures(structure)
	w := &weights{
		features: f, base: float32(s.Optimism), step: float32(s.Rate) / float32(f.Count()), shared: s.Threads > 1,
		values: make([]uint32, structure.Weights()),
	}
	if s.Coherence {
		w.errors = make([]uint64, len(w.values))
	}
	return w
}

// of returns the value of a board. selected has room for the numbers of its weights.
func (w *weights) of(b rules.Board, selected []uint32) float32 {
	sum := w.base
	for _, i := range w.features.Append(selected[:0], b) {
		sum += math.Float32frombits(atomic.LoadUint32(&w.values[i]))
	}
	return sum
}

// learn moves the value of a board by a share of its error, the target minus the value, and returns the error. A
// weight that the board selects several times is changed once, so that the value never moves too far. With
// temporal coherence (Beal and Smith 1999; for 2048 Jaskowski 2016, TC) the share of a weight is multiplied by
// |sum of its errors| / sum of their absolute values: 1 while they have one sign, smaller the more they cancel out.
func (w *weights) learn(b rules.Board, target float32, selected []uint32) float32 {
	e := target - w.of(b, selected)
	w.features.Each(b, func(numbers []uint32) {
		i := slices.Min(numbers)
		change := w.step * e
		if w.errors != nil {
			change *= w.coherence(i, e)
		}
		value := math.Float32frombits(atomic.LoadUint32(&w.values[i])) + change
		for _, i := range numbers {
			w.store(i, value)
		}
	})
	return e
}

func (w *weights) store(i uint32, value float32) {
	if w.shared {
		atomic.StoreUint32(&w.values[i], math.Float32bits(value))
	} else {
		w.values[i] = math.Float32bits(value)
	}
}

// coherence returns the coherence of a weight's errors so far, and adds an error to them.
func (w *weights) coherence(i uint32, e float32) float32 {
	both := atomic.LoadUint64(&w.errors[i])
	sum, absolute := math.Float32frombits(uint32(both)), math.Float32frombits(uint32(both>>32))
	share := float32(1)
	if absolute > 0 {
		share = abs(sum) / absolute
	}
	both = uint64(math.Float32bits(sum+e)) | uint64(math.Float32bits(absolute+abs(e)))<<32
	if w.shared {
		atomic.StoreUint64(&w.errors[i], both)
	} else {
		w.errors[i] = both
	}
	return share
}

func abs(x float32) float32 { return math.Float32frombits(math.Float32bits(x) &^ (1 << 31)) }

// numbers returns the weights in points.
func (w *weights) numbers() []float32 {
	all := make([]float32, len(w.values))
	for i := range all {
		all[i] = w.at(i)
	}
	return all
}

// at returns a weight in points. No goroutine may change the weight meanwhile.
func (w *weights) at(i int) float32 { return math.Float32frombits(w.values[i]) }
