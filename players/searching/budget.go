package searching

import "math"

// Budget limits the search for one move. The zero Budget sets no limit.
type Budget struct {
	Depth    int // slides to look ahead at most, whoever moves first; 0 for the largest depth of the search
	Playouts int // playouts or simulations at most; 0 for no limit
	// Stop is called every thousand positions or so, or every few playouts; it may be nil. Once it reports true the search
	// ends, but not before it has looked one slide ahead.
	Stop func() bool
	// Enough is called after each depth, or every few playouts; it may be nil. It reports whether more search is not worth
	// its time.
	Enough func(Progress) bool
}

// Progress describes a search that has just finished a depth, or has made some playouts or simulations. Only the fields of
// that kind of search are set.
type Progress struct {
	Depth  int // slides that the finished depth looked ahead
	Steady int // number of depths in a row with the same choice, including this one; 0 if the search does not count them
	// Decided reports that the search has found a mate that a deeper search would find again.
	Decided bool

	Playouts int // playouts or simulations made by this search
	Lead     int // visits of the choice minus visits of the most visited other move
}

// Stopped reports whether the search has to end now.
func (b *Budget) Stopped() bool { return b.Stop != nil && b.Stop() }

// Slides returns the number of slides to look ahead. The search itself can look most slides ahead.
func (b *Budget) Slides(most int) int {
	if b.Depth == 0 {
		return most
	}
	return min(b.Depth, most)
}

// MostPlayouts returns the largest number of playouts or simulations.
func (b *Budget) MostPlayouts() int {
	if b.Playouts == 0 {
		return math.MaxInt32
	}
	return b.Playouts
}

// Deepen calls iterate for first slides, then for one more and so on up to most, within the budget. It always calls it once.
// iterate searches to a depth and returns its progress. Deepen ignores the progress if count has ended that depth.
func (b *Budget) Deepen(first, most int, count *Counter, iterate func(slides int) Progress) {
	for slides := first; slides <= b.Slides(most) && (slides == first || !count.Stop()); slides++ {
		if p := iterate(slides); count.Ended || b.Enough != nil && b.Enough(p) {
			return
		}
	}
}
