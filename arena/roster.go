package arena

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"versus2048/clock"
	"versus2048/protocol"
	"versus2048/tournament"
)

// roster holds a slot for each bot that is connected or plays in an event. A bot
// that disconnects during an event keeps its slot.
type roster struct {
	grace   time.Duration
	running clock.Source // tells when the arena stalls
	mu      sync.Mutex
	slots   map[string]*slot // by the bot's name
}

// slot is one name on the roster.
type slot struct {
	session *protocol.Session
	users   int    // connections and events that use the slot
	token   string // only a bot with this token may use the slot; "" means that it is not reserved
	taken   bool   // by an event
	event   int64  // that event's number; 0 while it has none
}

func newRoster(grace time.Duration, running clock.Source) *roster {
	return &roster{grace: grace, running: running, slots: map[string]*slot{}}
}

// BotInfo describes a connected bot, or one that is away from its event.
type BotInfo struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Author  string `json:"author"`
	Spec    string `json:"spec"`
	Slots   int    `json:"slots"`
	Event   int64  `json:"event,omitempty"` // the event it plays in; 0 if none
	// Away is set while the bot is disconnected from its event. After AwayLeft it loses a game.
	Away     bool   `json:"away,omitempty"`
	AwayLeft Millis `json:"away_left_ms,omitempty"`
}

// list returns the connected bots and those that are away from their event, sorted
// by name.
func (r *roster) list() []BotInfo {
	r.mu.Lock()
	defer r.mu.Unlock()
	bots := []BotInfo{}
	for name, s := range r.slots {
		left, away := s.session.Away()
		if away && !s.taken {
			continue
		}
		h := s.session.Hello()
		bots = append(bots, BotInfo{name, h.Version, h.Author, h.Spec, h.Slots, s.event, away, Millis(left)})
	}
	slices.SortFunc(bots, func(a, b BotInfo) int { return strings.Compare(a.Name, b.Name) })
	return bots
}

// connected reports whether a bot of that name is connected.
func (r *roster) connected(name string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.slots[name]
	return s != nil && s.session.Connected()
}

// reservation returns the token of the only bot that may use the slot of that
// name, or "" if the slot is not reserved.
func (r *roster) reservation(name string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s := r.slots[name]; s != nil {
		return s.token
	}
	return ""
}

// placesFor returns how many connections must stay free for others if a bot of that name comes: one
// for each other bot that an event waits for, or none if an event waits for this one.
func (r *roster) placesFor(name string) (free int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for other, s := range r.slots {
		switch {
		case !s.taken:
		case other == name:
			return 0
		case !s.session.Connected():
			free++
		}
	}
	return free
}

// take takes the slot of that name for an event. If the arena is going to start
// the bot (started), take reserves the slot for that bot alone. take returns an
// error if another event or a connected bot is in the way.
func (r *roster) take(name string, e tournament.Event, started bool) (*slot, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.slots[name]
	switch {
	case s != nil && s.taken:
		return nil, fmt.Errorf("bot %q is playing in event %d: wait for it, or stop it", name, s.event)
	case s != nil && started && s.session.Connected():
		return nil, fmt.Errorf("a bot named %q is connected: use NAME=SPEC to give the started bot another name", name)
	}
	s = r.addUser(name)
	s.taken, s.event = true, e.ID
	s.session.SetGrace(e.Grace)
	if started {
		s.token = newLaunchToken()
	}
	return s, nil
}

// setEvent sets the number of the event that has taken the slot of that name.
func (r *roster) setEvent(name string, event int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.slots[name].event = event
}

// release undoes take.
func (r *roster) release(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.slots[name]
	s.taken, s.event, s.token = false, 0, ""
	s.session.SetGrace(r.grace)
	r.removeUser(name)
}

// serve lets an admitted bot play over conn until the connection ends. If the
// name is in use, serve returns protocol.ErrNameInUse and does not touch conn.
func (r *roster) serve(ctx context.Context, conn *protocol.Conn, hello protocol.Hello) error {
	r.mu.Lock()
	s := r.addUser(hello.Name)
	reserved := s.token != "" && s.token != hello.Token // an event may have reserved it after the admission
	r.mu.Unlock()
	defer func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.removeUser(hello.Name)
	}()
	if reserved {
		return protocol.ErrNameInUse
	}
	return s.session.Serve(ctx, conn, hello)
}

// addUser returns the slot of that name for one more user, and creates it if
// there is none. The caller holds the lock.
func (r *roster) addUser(name string) *slot {
	s := r.slots[name]
	if s == nil {
		s = &slot{session: protocol.NewSession(protocol.Hello{Name: name, Slots: 1}, r.grace)}
		s.session.SetClock(r.running)
		r.slots[name] = s
	}
	s.users++
	return s
}

// removeUser undoes addUser, and deletes the slot with its last user. The caller
// holds the lock.
func (r *roster) removeUser(name string) {
	s := r.slots[name]
	if s.users--; s.users == 0 {
		delete(r.slots, name)
	}
}

// goodbye says goodbye to every connected bot.
func (r *roster) goodbye(reason string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.slots {
		s.session.Goodbye(reason, true)
	}
}
