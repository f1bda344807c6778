package arena

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"versus2048/clock"
	"versus2048/names"
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
	key     names.Key // what the name looks like
	session *protocol.Session
	users   int    // connections and events that use the slot
	token   string // only a bot with this token may use the slot; "" means that it is not reserved
	guest   bool   // a visitor has the token
	taken   bool   // by an event
	event   int64  // that event's number; 0 while it has none
}

// origin says where the bot of the slot comes from.
func (s *slot) origin() Origin {
	if s.token != "" && !s.guest {
		return Started
	}
	return Connected
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
	Origin  Origin `json:"origin"`
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
		if s.guest || away && !s.taken {
			continue
		}
		h := s.session.Hello()
		bots = append(bots, BotInfo{name, h.Version, h.Author, h.Spec, h.Slots, s.event, s.origin(), away, Millis(left)})
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

// isGuest reports whether a name is that of a visitor.
func (r *roster) isGuest(name string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.slots[name]
	return s != nil && s.guest
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
	case s != nil && s.taken && s.event == 0:
		return nil, fmt.Errorf("bot %q is playing with a visitor, or for an event that is about to start: wait for it", name)
	case s != nil && s.taken:
		return nil, fmt.Errorf("bot %q is playing in event %d: wait for it, or stop it", name, s.event)
	case s != nil && started && s.session.Connected():
		return nil, fmt.Errorf("a bot named %q is connected: use NAME=SPEC to give the started bot another name", name)
	}
	s, err := r.addUser(name, e.ID)
	if err != nil {
		return nil, fmt.Errorf("bot %q: %w: give the started bot another one (NAME=SPEC)", name, err)
	}
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
	s.taken, s.event = false, 0
	if !s.guest {
		s.token = ""
		s.session.SetGrace(r.grace)
	}
	r.removeUser(name)
}

// serve lets an admitted bot play over conn until the connection ends. If the
// name is in use, serve returns protocol.ErrNameInUse or an *AlikeError and does not
// touch conn.
func (r *roster) serve(ctx context.Context, conn *protocol.Conn, hello protocol.Hello) error {
	r.mu.Lock()
	s, err := r.addUser(hello.Name, 0)
	if err != nil {
		r.mu.Unlock()
		return err
	}
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
// there is none. It returns an *AlikeError if there is one whose name looks like
// that, unless it plays in the same event: an event recorded by an earlier version may
// have such names, and event is not 0 for a recorded one. The caller holds the lock.
func (r *roster) addUser(name string, event int64) (*slot, error) {
	s := r.slots[name]
	if s == nil {
		key := names.NewKey(name)
		if other, found := r.alike(key, event); found {
			return nil, &AlikeError{other}
		}
		s = &slot{key: key, session: protocol.NewSession(protocol.Hello{Name: name, Slots: 1}, r.grace)}
		s.session.SetClock(r.running)
		r.slots[name] = s
	}
	s.users++
	return s, nil
}

// alike returns a name on the roster, other than the event's own bots, that looks like
// key. The caller holds the lock.
func (r *roster) alike(key names.Key, event int64) (name string, found bool) {
	for name, s := range r.slots {
		if s.key.Alike(key) && (event == 0 || s.event != event) {
			return name, true
		}
	}
	return "", false
}

// AlikeError means that a name looks like another one that is on the arena now.
type AlikeError struct{ Other string }

func (e *AlikeError) Error() string {
	return fmt.Sprintf("the name looks like %q, which is connected or plays here", e.Other)
}

// freeName returns the first of base-1, base-2, ... that looks like no name on the
// roster.
func (r *roster) freeName(base string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	for n := 1; ; n++ {
		name := fmt.Sprintf("%s-%d", base, n)
		if _, found := r.alike(names.NewKey(name), 0); !found {
			return name
		}
	}
}

// awaits reports whether an event waits for a bot that connects by itself under that
// name. Names that are specs could be taken in earlier versions, and the events
// recorded then can still be resumed.
func (r *roster) awaits(name string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.slots[name]
	return s != nil && s.taken && s.token == ""
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

// vouch makes the slot of that name accept its bot, which has proved who it is.
func (r *roster) vouch(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s := r.slots[name]; s != nil {
		s.session.Vouch()
	}
}

// dismiss says goodbye to one bot, if it is connected.
func (r *roster) dismiss(name, reason string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s := r.slots[name]; s != nil {
		s.session.Goodbye(reason, false)
	}
}
