package searching

import "versus2048/rules"

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
	Visits int64   // playouts, simulations or positions below it, by the first thread
	Mate   int     // plies from the root to the mate that it leads to; 0 if none was found or mates do not count by distance
	Prior  float64 // its probability by the policy that guides the search, 0 to 1; 0 without a policy
}
