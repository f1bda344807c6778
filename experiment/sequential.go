package experiment

import "math"

// Finding is what a sequence of matches says of a bot against another.
type Finding string

// The findings. NoGreatDifference says that neither bot wins three quarters of
// the matches, not that they are equal.
const (
	Better            Finding = "better"
	Worse             Finding = "worse"
	NoGreatDifference Finding = "no great difference"
	Undecided         Finding = "undecided" // so far
)

// What the sequential test tells apart, and how surely.
const (
	greatShare = 0.75 // of the matches: what a better bot wins
	errorRate  = 0.05 // of each of the two tests, in both directions
)

// sequential decides match by match among three hypotheses: a bot wins one half
// of its matches, greatShare or as few as its opponent then does. It is two of
// Wald's sequential probability ratio tests (Wald 1945), of one half against
// either side (Sobel and Wald 1949). They can't contradict each other: before one
// accepts its side the other has given up the other side.
type sequential struct{ better, worse ratio }

func newSequential() sequential {
	return sequential{ratio{share: greatShare}, ratio{share: 1 - greatShare}}
}

// add counts a match: 1 for one won, 0 for one lost, 1/2 for a draw.
func (s *sequential) add(points float64) {
	s.better.add(points)
	s.worse.add(points)
}

// finding never changes once it is not Undecided.
func (s *sequential) finding() Finding {
	switch {
	case s.better.accepts():
		return Better
	case s.worse.accepts():
		return Worse
	case s.better.ended() && s.worse.ended():
		return NoGreatDifference
	}
	return Undecided
}

// ratio is Wald's test of a share of matches won against one half. A draw counts
// as half a match won and half a match lost.
type ratio struct{ share, log float64 } // log: of the likelihood ratio so far

// bound is where a test ends: log((1-beta)/alpha), and with the other sign
// log(beta/(1-alpha)), where both rates are errorRate.
var bound = math.Log((1 - errorRate) / errorRate)

func (r *ratio) add(points float64) {
	if !r.ended() {
		r.log += points*math.Log(2*r.share) + (1-points)*math.Log(2*(1-r.share))
	}
}

func (r *ratio) ended() bool   { return math.Abs(r.log) >= bound }
func (r *ratio) accepts() bool { return r.log >= bound }
