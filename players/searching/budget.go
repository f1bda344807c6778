package searching

import "math"

// Budget is what a search may use for one move. The zero Budget sets no limit.
type Budget struct {
	Depth    int // slides to look ahead at most, whoever moves first; 0 for as many as the search can
	Playouts int // playouts or simulations; 0 for any number
	// Stop is asked every thousand positions or every few playouts; nil never stops. Once it reports true the search ends
	// with what it has found, at the latest when it has looked one slide ahead.
	Stop func() bool
	// Enough is asked whenever a depth is finished, or every few playouts; nil is never. It reports whether more would not
	// pay.
	Enough func(Progress) bool
}

// Progress is how far a search has come. One that deepens has finished a depth; one that makes playouts or simulations has
// made some, and its Depth is 0.
type Progress struct {
	Depth  int // slides that it looked ahead
	Steady int // how many depths in a row have had the same choice, this one included
	// Decided reports that a mate was found which a deeper search would find again.
	Decided bool

	Playouts int // of this search
	Lead     int // how many visits the choice has more than any other move: below 0 if another one has more
}

// Stopped reports whether the search has to end now.
func (b *Budget) Stopped() bool { return b.Stop != nil && b.Stop() }

// Slides returns how many slides a search that can look most slides ahead may.
func (b *Budget) Slides(most int) int {
	if b.Depth == 0 {
		return most
	}
	return min(b.Depth, most)
}

// MostPlayouts returns how many playouts or simulations a search may make.
func (b *Budget) MostPlayouts() int {
	if b.Playouts == 0 {
		return math.MaxInt32
	}
	return b.Playouts
}

// Deepen looks first slides ahead, which it always begins, then one more and so on, most at most, within the budget. iterate
// looks that many slides ahead and returns the progress, which does not matter if the counter has ended it.
func (b *Budget) Deepen(first, most int, count *Counter, iterate func(slides int) Progress) {
	for slides := first; slides <= b.Slides(most) && (slides == first || !count.Stop()); slides++ {
		if p := iterate(slides); count.Ended || b.Enough != nil && b.Enough(p) {
			return
		}
	}
}
