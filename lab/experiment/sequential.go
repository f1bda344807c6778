package experiment

import "math"

// Finding is the conclusion of the sequential test about the first of two bots, from their matches.
type Finding string

// The findings. NoGreatDifference means that neither bot wins three quarters of the matches, not
// that the two are equal.
const (
	Better            Finding = "better"
	Worse             Finding = "worse"
	NoGreatDifference Finding = "no great difference"
	Undecided         Finding = "undecided" // so far
)

// The hypotheses of the sequential test, and its error rates.
const (
	greatShare = 0.75 // of the matches, won by a better bot
	errorRate  = 0.05 // of both kinds of errors, in each of the two tests
)

// sequential is a sequential test among three hypotheses: a bot wins one half of its matches, greatShare of
// them, or 1 - greatShare. It combines two of Wald's sequential probability ratio tests (Wald 1945), each of
// one half against one of the other shares, in the way of Sobel and Wald (1949). The two cannot contradict each
// other: before one test accepts its share, the other has rejected the opposite share.
type sequential struct{ better, worse ratioTest }

func newSequential() sequential {
	return sequential{ratioTest{share: greatShare}, ratioTest{share: 1 - greatShare}}
}

// add counts a match: 1 if it was won, 0 if it was lost, 1/2 for a draw.
func (s *sequential) add(points float64) {
	s.better.add(points)
	s.worse.add(points)
}

// finding returns the result so far. Once it is not Undecided it never changes.
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

// ratioTest is Wald's test between two hypotheses: a bot wins one half of its matches, or share of them. A draw
// counts as half a match won and half a match lost.
type ratioTest struct {
	share float64
	llr   float64 // logarithm of the likelihood ratio so far
}

// bound ends a test when the logarithm of the likelihood ratio reaches it, or reaches -bound: it is
// log((1-beta)/alpha), and -bound is log(beta/(1-alpha)). Both rates are errorRate.
var bound = math.Log((1 - errorRate) / errorRate)

func (r *ratioTest) add(points float64) {
	if !r.ended() {
		r.llr += points*math.Log(2*r.share) + (1-points)*math.Log(2*(1-r.share))
	}
}

func (r *ratioTest) ended() bool   { return math.Abs(r.llr) >= bound }
func (r *ratioTest) accepts() bool { return r.llr >= bound }
