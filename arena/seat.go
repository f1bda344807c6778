package arena

import (
	"versus2048/protocol"
	"versus2048/tournament"
)

// remoteBot is a bot on the roster as a participant of an event.
type remoteBot struct {
	name    string
	session *protocol.Session
}

// Identity is what the bot said in its last hello.
func (b remoteBot) Identity() tournament.Identity {
	h := b.session.Hello()
	return tournament.Identity{Name: b.name, Version: h.Version, Author: h.Author, Spec: h.Spec}
}

// Slots is how many games the bot offered to play at once.
func (b remoteBot) Slots() int { return b.session.Hello().Slots }
