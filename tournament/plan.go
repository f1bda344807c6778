package tournament

import "versus2048/tournament/rating"

// Plan says which format an event has. A field that a kind does not know must
// be left zero.
type Plan struct {
	Kind   string `json:"kind,omitzero"`   // one of Plans, "" for a round-robin
	Seeds  int    `json:"seeds,omitzero"`  // gauntlet: how many of the first entries meet all others, 0 for 1
	Rounds int    `json:"rounds,omitzero"` // swiss: 0 for as many as find a winner, and one more
	// SPRT is what an sprt tests: alpha and beta are 0.05 where they are not given,
	// the model is normalized.
	SPRT rating.SPRT `json:"sprt,omitzero"`
	// Ahead, in a ladder and an sprt, is how many matches may begin before one is
	// decided: what is played next depends on all matches but the last so many.
	// 0 stands for 8.
	Ahead int `json:"ahead,omitzero"`
}
