package tournament

// Slots are what an event has of the slots of bots that play in several events at once. Bots that play
// in no other event always have a free slot. All its methods return at once.
type Slots interface {
	// Free reports whether Take would take a slot of each of these bots now.
	Free(bots ...string) bool
	// Take takes a slot of each of these bots for a game, or none. It reports whether it did.
	Take(bots ...string) bool
	// Give gives back what Take took.
	Give(bots ...string)
	// Wait says which bots the event's next game needs, none if it needs nothing now.
	Wait(bots ...string)
	// Freed returns a channel that receives a value when the event should try again to start games: slots may be free,
	// or a bot may have come back.
	Freed() <-chan struct{}
}
