package players

import (
	"math"

	"versus2048/rules"
)

// stat is what the playouts through a node gave. What UCB1 asks for is kept
// ready for use.
type stat struct {
	total   float64 // sum of the playouts' rewards
	visits  int32   // number of playouts
	pending int32   // playouts under way in other threads
	mean    float64 // total/visits
	width   float64 // 1/sqrt(visits), those under way counted; see promising for its other values
}

// unvisited stands above every bound, so that it is taken first; reserved, a
// node that another thread is about to visit for the first time, stands below.
var (
	unvisited = stat{width: math.Inf(1)}
	reserved  = stat{width: -math.MaxFloat64 / 1e30, pending: 1}
)

// credit adds playouts.
func (s *stat) credit(total float64, playouts int32) {
	s.total += total
	s.visits += playouts
	s.mean = s.total / float64(s.visits)
	s.width = width(s.visits + s.pending)
}

// reserve notes that a playout begins, or with -1 that it has ended.
func (s *stat) reserve(playouts int32) {
	s.pending += playouts
	switch {
	case s.visits > 0:
		s.width = width(s.visits + s.pending)
	case s.pending > 0:
		s.width = reserved.width
	default:
		s.width = unvisited.width
	}
}

// sign is 1 for the side that wants high scores, else -1.
func sign(side rules.Side) float64 {
	if side == rules.Defender {
		return 1
	}
	return -1
}

// spread is sqrt(2 ln visits), and width 1/sqrt(visits): the two parts of
// UCB1's bound. Tables have them as far as the usual number of playouts goes.
func spread(visits int32) float64 {
	if int(visits) < len(spreads) {
		return spreads[visits]
	}
	return math.Sqrt(2 * math.Log(float64(visits)))
}

func width(visits int32) float64 {
	if int(visits) < len(widths) {
		return widths[visits]
	}
	return 1 / math.Sqrt(float64(visits))
}

var spreads, widths = newUCBTables()

func newUCBTables() (spreads, widths [1 << 14]float64) {
	for i := 1; i < len(spreads); i++ {
		spreads[i] = math.Sqrt(2 * math.Log(float64(i)))
		widths[i] = 1 / math.Sqrt(float64(i))
	}
	return spreads, widths
}
