package players

// maxPlies is the largest number of plies that a search looks ahead.
const maxPlies = 2 * maxDepth

// visits counts the positions of a search and ends it in time.
type visits struct {
	nodes    int64           // positions visited
	expanded [maxPlies]int64 // those that were given children, by plies below the root
	horizon  int             // plies from the root to the leaves
	expired  func() bool     // asked now and then whether time is up
	look     int64           // the number of nodes at which it is asked next
	ended    bool
}

// nodesPerLook is how many nodes are visited from one look at the clock to the
// next, in less than a millisecond.
const nodesPerLook = 1024

func newVisits(expired func() bool) *visits { return &visits{expired: expired, look: nodesPerLook} }

// visit counts a position and tells whether the search goes on.
func (v *visits) visit() bool {
	v.nodes++
	if v.nodes >= v.look {
		v.look = v.nodes + nodesPerLook
		v.ended = v.ended || v.expired()
	}
	return !v.ended
}

// expand counts a position with so many plies to the leaves as given children.
func (v *visits) expand(plies int) { v.expanded[v.horizon-plies]++ }
