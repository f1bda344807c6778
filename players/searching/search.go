package searching

import (
	"math"
	"time"

	"versus2048/rules"
	"versus2048/rules/record"
)

// Evaluation rates boards of one size, with the attacker to move. High values are good for the defender.
type Evaluation interface {
	Of(b rules.Board) int
}

// Scored is an Evaluation that counts the score. Its method Of rates a board as if all tiles had been merged from 2s,
// and the search subtracts four points for each placed 4: see [Surplus].
type Scored interface {
	Evaluation
	// PointValue returns the value of one point of the score.
	PointValue() int
}

// PointValue returns the value of one point of the score for e: 0 if e is not Scored.
func PointValue(e Evaluation) int {
	if scored, ok := e.(Scored); ok {
		return scored.PointValue()
	}
	return 0
}

// Surplus returns the part of an evaluation of p that its board does not show: minus four points for each placed 4.
// pointValue is the value of each point of the score.
func Surplus(p rules.Position, pointValue int) int {
	return pointValue * (p.Score() - p.Board().Potential())
}

// Budget limits the search for one move. The zero Budget sets no limit.
type Budget struct {
	Depth    int // slides to look ahead at most, whoever moves first; 0 for the largest depth of the search
	Playouts int // playouts or simulations at most; 0 for no limit
	// Stop is called every [Period] positions, or every few playouts; it may be nil. Once it reports true, the search
	// ends. A search by depth looks at least one slide ahead.
	Stop func() bool
	// Enough is called after each depth, or every few playouts; it may be nil. Once it reports true, more search is
	// not worth the time, and the search ends.
	Enough func(Progress) bool
}

// Progress describes a search that has just finished a depth, or has made some playouts or simulations. Only the
// fields of that kind of search are set.
type Progress struct {
	Depth  int // slides that the finished depth looked ahead
	Steady int // number of depths in a row with the same choice, including this one; 0 if the search does not count them
	// Decided reports whether the search has found a mate that a deeper search would find again.
	Decided bool

	Playouts int // playouts or simulations made by this search
	Lead     int // visits of the choice minus visits of the most visited other move
}

// Stopped reports whether the search has to end now.
func (b *Budget) Stopped() bool { return b.Stop != nil && b.Stop() }

// Slides returns the largest number of slides to look ahead; most is the limit of the search itself.
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

// Deepen calls iterate with a number of slides: with first, then with one more, and so on up to most, within the
// budget. It calls iterate at least once, unless first exceeds most or the depth of the budget. iterate looks that many
// slides ahead and returns its progress. Deepen ignores the progress if count has ended that search.
func (b *Budget) Deepen(first, most int, count *Counter, iterate func(slides int) Progress) {
	for slides := first; slides <= b.Slides(most) && (slides == first || !count.Stop()); slides++ {
		if p := iterate(slides); count.Ended || b.Enough != nil && b.Enough(p) {
			return
		}
	}
}

// Result is the result of a search. Unknown values are zero.
type Result struct {
	Depth     int          // slides that the last finished depth looked ahead
	Nodes     int64        // positions visited, or positions in the tree of a search that keeps one
	Playouts  int64        // random games played
	Expanded  []int64      // positions with their moves searched, by plies below the root
	Variation []rules.Move // the principal variation, the chosen move first
	Moves     []Move       // the moves with known values, the best first
}

// Move is the result of a search for a move at the root.
type Move struct {
	Move   rules.Move
	Value  float64 // the value at the end of its line, in units of the search; high values are good for the defender
	Visits int64   // playouts or simulations below it, or positions that the first thread visited below it
	Mate   int     // plies from the root to the mate that it leads to; 0 if none was found or mates do not count by distance
	Prior  float64 // its probability by the policy that guides the search, 0 to 1; 0 without a policy
}

// Report returns the report of a search that had this result and took the given time. It clips values to the range of
// a report, since a badly trained model may expect larger ones.
func (found Result) Report(took time.Duration) *record.SearchReport {
	r := record.SearchReport{
		Playouts: found.Playouts, Nodes: found.Nodes, Expanded: found.Expanded, Variation: found.Variation, Time: took,
	}
	for _, m := range found.Moves {
		m.Value = max(-record.MaxValue, min(m.Value, record.MaxValue))
		r.Moves = append(r.Moves, record.RootMove(m))
	}
	CutReport(&r)
	return &r
}

// CutReport cuts lists that are too long for a report.
func CutReport(r *record.SearchReport) {
	r.Expanded = r.Expanded[:min(len(r.Expanded), record.MaxSearchDepth)]
	r.Variation = r.Variation[:min(len(r.Variation), record.MaxSearchDepth)]
}
