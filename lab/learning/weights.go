package learning

import (
	"math"
	"sync"

	"versus2048/players/ntuple"
	"versus2048/rules"
)

// weights are the weights of a network that learns. Several goroutines may read and change them at once, nearly without
// locks (Niu et al., "Hogwild!", 2011): when two change a weight for different boards at once, one change may be lost,
// which is rare enough to do no harm. Boards with the same weights are learned one after the other: where a board has a
// weight of its own, a goroutine that was paused between reading and writing would undo all changes in between, or give
// mirror images different weights for good. The numbers are of 32 bits, so that no goroutine reads half of one.
type weights struct {
	features *ntuple.Features
	base     float32 // the value of a board before its weights are added
	step     float32 // the share of an error that is added to each weight
	coherent bool    // with temporal coherence
	all      []weight
	stage    uint32       // the number of weights of a stage
	locks    []sync.Mutex // of boards: see lock; none for one goroutine
}

// lockBits is the number of bits of a lock's number. Two boards seldom have the same lock.
const lockBits = 10

// weight is a weight that learns. Its numbers lie together, since most of the time is spent waiting for memory.
// The content of a tuple and its mirror image have equal weights. Without temporal coherence the sums stay 0.
type weight struct {
	value    float32 // in points
	errors   float32 // the sum of its errors
	absolute float32 // the sum of their absolute values
}

func newWeights(s Settings, structure ntuple.Structure) *weights {
	f := ntuple.NewFeatures(structure)
	w := &weights{
		features: f, base: float32(s.Optimism), step: float32(s.Rate) / float32(f.Count()), coherent: s.Coherence,
		all: make([]weight, structure.Weights()), stage: uint32(structure.StageWeights()),
	}
	adviseHugePages(w.all)
	if s.Threads > 1 {
		w.locks = make([]sync.Mutex, 1<<lockBits)
	}
	return w
}

// lock returns the lock of a board with the weights of these numbers. Mirror images have the same numbers, in another
// order.
func (w *weights) lock(numbers []uint32) *sync.Mutex {
	sum := uint32(0)
	for _, i := range numbers {
		sum += i
	}
	return &w.locks[sum*0x9E3779B1>>(32-lockBits)]
}

// find stores the numbers of the weights of a board in room, and begins to load the weights into the cache. With
// several boards found before their values are taken, the processor waits for all of them at once.
func (w *weights) find(b rules.Board, room []uint32) {
	w.features.Numbers(room, b)
	prefetch(&w.all[0], &room[0], len(room))
}

// value returns the value of the board with the weights of these numbers. The race detector skips this method: see
// weights.
//
//go:norace
func (w *weights) value(numbers []uint32) float32 {
	if numbers[0] >= w.stage {
		return w.laterValue(numbers)
	}
	sum := w.base
	for _, i := range numbers[:w.features.Count()] {
		sum += w.all[i].value
	}
	return sum
}

// laterValue is value for a board of a later stage. It also looks at the stages before.
//
//go:norace
func (w *weights) laterValue(numbers []uint32) float32 {
	sum := w.base
	for _, i := range numbers[:w.features.Count()] {
		sum += w.at(i)
	}
	return sum
}

// learn moves the value of the board with the weights of these numbers by a share of its error, the target minus the
// value. It returns the error and the new value. Weights of a later stage that were not learned before begin with the
// values of the stage before it. changed is room for the weights. The race detector skips learn as well.
//
//go:norace
func (w *weights) learn(numbers []uint32, target float32, changed []weight) (e, value float32) {
	if w.locks != nil {
		lock := w.lock(numbers)
		lock.Lock()
		defer lock.Unlock()
	}
	if numbers[0] < w.stage {
		return w.change(numbers, target, changed)
	}
	for _, i := range numbers {
		w.all[i].value = w.at(i)
	}
	e, _ = w.change(numbers, target, changed)
	for _, i := range numbers {
		if one := &w.all[i]; one.value == 0 {
			one.value = float32(math.Copysign(0, -1)) // it was learned: see at
		}
	}
	return e, w.value(numbers)
}

// change is learn without locks, for weights that need no values of the stages before. All weights are read before any
// is written: a weight that the board selects several times is changed once, so that the value never moves too far, and
// mirror images stay equal.
//
//go:norace
func (w *weights) change(numbers []uint32, target float32, changed []weight) (e, value float32) {
	e = target - w.value(numbers)
	change := float32(w.step * e) // a product is rounded before it is added, so that every processor learns the same
	for k, i := range numbers {
		changed[k] = w.all[i].learned(change, e, w.coherent)
	}
	for k, i := range numbers {
		w.all[i] = changed[k]
	}
	return e, w.value(numbers)
}

// learned returns the weight after an error and the change that it asks for. With temporal coherence (Beal and Smith
// 1999; for 2048 Jaskowski 2016, TC) the change is multiplied by |sum of the weight's errors| / sum of their
// absolute values: 1 while they have one sign, smaller the more they cancel out.
func (w weight) learned(change, e float32, coherent bool) weight {
	if w.absolute > 0 {
		change = float32(change * (abs(w.errors) / w.absolute))
	}
	w.value += change
	if coherent {
		w.errors += e
		w.absolute += abs(e)
	}
	return w
}

func abs(x float32) float32 { return math.Float32frombits(math.Float32bits(x) &^ (1 << 31)) }

// numbers returns the weights in points.
func (w *weights) numbers() []float32 {
	all := make([]float32, len(w.all))
	for i := range all {
		all[i] = w.at(uint32(i))
	}
	return all
}

// at returns a weight in points. A weight of a later stage is +0 until it is learned, and until then has the value of
// the stage before it (weight promotion: Jaskowski 2016).
//
//go:norace
func (w *weights) at(i uint32) float32 {
	for i >= w.stage && math.Float32bits(w.all[i].value) == 0 {
		i -= w.stage
	}
	return w.all[i].value
}
