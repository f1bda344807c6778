package tournament

import "versus2048/tournament/rating"

// Standings are an event's places by the rules of its format, best first.
type Standings struct {
	Format  string   `json:"format"`  // one of Plans
	Columns []string `json:"columns"` // what the values of the places are
	Places  []Place  `json:"places"`
	// Ties are those of a knockout or a double elimination whose bots are known,
	// round by round.
	Ties []Tie `json:"ties,omitempty"`
	// Test is how an sprt stands.
	Test *TestState `json:"test,omitempty"`
}

// Place is one bot's row of the standings.
type Place struct {
	Place  int       `json:"place"` // from 1; bots that nothing tells apart share one
	Name   string    `json:"name"`
	Played int       `json:"played"` // matches
	Values []float64 `json:"values"` // one for each of the standings' columns
}

// Tie is a tie of a knockout or a double elimination.
type Tie struct {
	Round  int       `json:"round"`
	Title  string    `json:"title"`            // of its round, such as "final"
	First  string    `json:"first"`            // the better seed
	Second string    `json:"second,omitempty"` // "" where First has a bye
	Points []float64 `json:"points"`           // of First and of Second
	Margin int       `json:"margin"`           // of First
	Winner string    `json:"winner,omitempty"` // "" while it is open
}

// TestState is how an sprt stands.
type TestState struct {
	First   string      `json:"first"` // whose strength is tested
	Test    rating.SPRT `json:"test"`
	Trials  int         `json:"trials"` // matches, or pairs of matches, that the test has counted
	Counts  []int64     `json:"counts"` // of them: loss, draw, win; or by points 0, 1/2, 1, 3/2, 2
	LLR     float64     `json:"llr"`
	Lower   float64     `json:"lower"` // at which H0 is accepted
	Upper   float64     `json:"upper"` // at which H1 is
	Outcome string      `json:"outcome"`
}
