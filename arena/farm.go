package arena

import "versus2048/tournament"

// Farm plays matches on other machines.
type Farm interface {
	// Venue returns a venue for one event.
	Venue() Venue
}

// Venue is where a Farm plays the matches of one event.
type Venue interface {
	tournament.Elsewhere
	// Close ends the venue. It plays nothing any more.
	Close()
}
