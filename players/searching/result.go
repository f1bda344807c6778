package searching

import "versus2048/rules"

// Result is what a search has found out about a position. Unknown values are left at zero.
type Result struct {
	Depth     int          // slides that were looked ahead, at the last depth that was finished
	Nodes     int64        // positions visited, or those of the tree if the search keeps one
	Playouts  int64        // random games played
	Expanded  []int64      // positions whose moves were searched, by plies below the root
	Variation []rules.Move // the principal variation, the chosen move first
	Moves     []Move       // the moves whose values are known, the best first
}

// Move is what a search has found out about a move at the root.
type Move struct {
	Move   rules.Move
	Value  float64 // what the move leads to, in units of the search; high values are good for the defender
	Visits int64   // playouts, simulations or positions below it, by the first thread
	Mate   int     // plies from the root to the mate that it leads to, if one is seen; otherwise 0
	Prior  float64 // its probability by the policy that guides the search, 0 to 1; 0 if there is none
}
