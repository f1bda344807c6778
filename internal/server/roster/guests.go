package roster

import (
	"crypto/rand"
	"fmt"
	"net/netip"
	"strings"
	"time"

	"versus2048/protocol"
)

// GuestPrefix begins the names of visitors.
const GuestPrefix = "guest "

// VisitorGrace is the longest time that a visitor may be disconnected.
const VisitorGrace = 20 * time.Second

const longestGuestName = 40

// GuestName returns a free name for a visitor. Only a visitor, or a bot with a token, can have such a name.
func (r *Roster) GuestName(given string) (string, error) {
	given = strings.TrimSpace(given)
	if given == "" {
		given = strings.ToLower(rand.Text()[:5])
	}
	name := GuestPrefix + given
	if err := protocol.CheckName(name); err != nil || len([]rune(given)) > longestGuestName {
		return "", fmt.Errorf("your name: want at most %d printable characters", longestGuestName)
	}
	if IsSpec(name) || IsCommand(name) {
		return "", fmt.Errorf("your name: %.100q stands for a bot that the arena starts", name)
	}
	r.mu.RLock()
	_, taken := r.alike(protocol.NewNameKey(name), 0)
	r.mu.RUnlock()
	if taken {
		name = r.FreeName(name)
	}
	return name, nil
}

// IsGuestName reports whether a name is one for visitors.
func IsGuestName(name string) bool { return strings.HasPrefix(strings.ToLower(name), GuestPrefix) }

// Invite reserves a name for a visitor, until DismissGuest. The slot's token proves the visitor's identity. Invite
// returns an *AlikeError if the name, or one that looks like it, was taken after the name was found free.
func (r *Roster) Invite(name string, from netip.Prefix) (*Slot, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.slots[name] != nil {
		return nil, &AlikeError{name}
	}
	s, err := r.addUser(name, 0)
	if err != nil {
		return nil, err
	}
	s.Token, s.guest, s.From = newToken(), true, from
	s.Session.SetGrace(VisitorGrace)
	return s, nil
}

// DismissGuest says goodbye to a visitor and gives up the name.
func (r *Roster) DismissGuest(name, reason string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.slots[name]
	s.Session.Goodbye(reason, false)
	r.removeUser(name)
}

// Guest returns the slot of a visitor, nil if the name is not a visitor's.
func (r *Roster) Guest(name string) *Slot {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if s := r.slots[name]; s != nil && s.guest {
		return s
	}
	return nil
}
