package tournament

// Slots manages an event's use of the slots of bots that play in several events at once. Bots that
// play in no other event always have a free slot. All its methods return at once.
type Slots interface {
	// Free reports whether Take could take a slot of each of these bots now.
	Free(bots ...string) bool
	// Take takes a slot of each of these bots for a game, or none. It reports whether it took them.
	Take(bots ...string) bool
	// Give gives back slots from Take.
	Give(bots ...string)
	// Wait sets the bots that the event's next game needs, or none if no game waits now.
	Wait(bots ...string)
	// Freed returns a channel that receives a value when the event should try again to start games:
	// slots may be free, or a bot may have come back.
	Freed() <-chan struct{}
}
