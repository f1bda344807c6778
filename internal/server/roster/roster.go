package roster

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"versus2048/players/clock"
	"versus2048/protocol"
	"versus2048/rules"
	"versus2048/tournament"
)

// Roster holds a slot for each bot that is connected or plays in an event. A bot that disconnects during an event
// keeps its slot.
type Roster struct {
	Grace   time.Duration    // how long a bot may be disconnected; must not be changed
	running clock.Source     // how long the process has run, for the clocks of sessions
	pool    *Pool            // of the bots that play in events
	mu      sync.RWMutex     // look-ups share it, so that many of them do not make a bot wait
	slots   map[string]*Slot // by the bot's name
	seen    func()           // is called when the result of Seen changes, except when a bot comes or goes
	moved   func()           // is called when a bot comes or goes, or an event takes or releases one
}

// New returns a roster without bots. grace is how long a bot may be disconnected outside of events.
func New(grace time.Duration, running clock.Source) *Roster {
	return &Roster{Grace: grace, running: running, pool: NewPool(), slots: map[string]*Slot{}, moved: func() {}, seen: func() {}}
}

// OnMoved makes the roster call do when a bot comes or goes, or an event takes or releases one. Call it once, before
// any bot comes.
func (r *Roster) OnMoved(do func()) { r.moved = do }

// OnSeen sets the function that the roster calls when the result of Seen changes, except when a bot comes or goes. Call
// OnSeen once, before any bot comes.
func (r *Roster) OnSeen(do func()) { r.seen = do }

// Away reports whether a bot that plays in an event is disconnected. It does not report visitors.
func (r *Roster) Away(bot string) bool {
	return r.has(bot, func(s *Slot) bool { return !s.guest && len(s.stays) > 0 && !s.Session.Connected() })
}

// has reports whether the roster has a slot of that name that is as wanted.
func (r *Roster) has(name string, wanted func(*Slot) bool) bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	s := r.slots[name]
	return s != nil && wanted(s)
}

// BotInfo describes a bot that is connected, or away from its event.
type BotInfo struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Author  string `json:"author"`
	Spec    string `json:"spec"`
	Slots   int    `json:"slots"`
	// Plays are the games that it plays.
	Plays rules.Variants `json:"plays,omitzero"`
	// Events are the events that it plays in, by number, and Event is the first of them; 0 if there is none.
	Event   int64   `json:"event,omitempty"`
	Events  []int64 `json:"events,omitempty"`
	Playing int     `json:"playing,omitempty"` // games in progress, also with visitors
	// Origin is "connected" for a bot that came by itself, and "started" for one that the arena made from a spec.
	Origin Origin `json:"origin"`
	// Away is set while the bot is disconnected from its event. After AwayLeft it loses a game.
	Away     bool              `json:"away,omitempty"`
	AwayLeft tournament.Millis `json:"away_left_ms,omitempty"`
	Since    time.Time         `json:"-"` // when it connected last
}

// List returns the connected bots and the bots that are away from their event, sorted by name.
func (r *Roster) List() []BotInfo {
	r.mu.RLock()
	defer r.mu.RUnlock()
	bots := []BotInfo{}
	for name, s := range r.slots {
		left, away := s.Session.Away()
		if s.guest || away && len(s.stays) == 0 {
			continue
		}
		h := s.Session.Hello()
		info := BotInfo{
			Name: name, Version: h.Version, Author: h.Author, Spec: h.Spec, Slots: h.Slots, Plays: h.Plays, Playing: s.Session.Games(),
			Events: s.events(), Origin: s.origin(), Away: away, AwayLeft: tournament.Millis(left),
			Since: s.Session.Since(),
		}
		if len(info.Events) > 0 {
			info.Event = info.Events[0]
		}
		bots = append(bots, info)
	}
	slices.SortFunc(bots, func(a, b BotInfo) int { return strings.Compare(a.Name, b.Name) })
	return bots
}

// Connected reports whether a bot of that name is connected.
func (r *Roster) Connected(name string) bool {
	return r.has(name, func(s *Slot) bool { return s.Session.Connected() })
}

// Suits returns an error if a connected bot has said that it does not play such games in one of the roles.
func (r *Roster) Suits(name string, set rules.Ruleset, size rules.Size, roles ...rules.Side) error {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.slots[name].Suits(set, size, roles...)
}

// Visible returns the hellos of the bots that have connected by themselves, with the tokens that admitted them, sorted
// by name.
func (r *Roster) Visible() (all []protocol.Hello) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for name, s := range r.slots {
		if s.Session.Connected() && s.Token == "" {
			h := s.Session.Hello()
			h.Name = name
			all = append(all, h)
		}
	}
	slices.SortFunc(all, func(a, b protocol.Hello) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// Obstacles returns the bots that keep a queued event from beginning. absent are the bots that are not connected.
// busy are the bots that are in as many events as they offer slots, open ladders aside, and the bots with a name that
// is in use.
func (r *Roster) Obstacles(entries []tournament.Entry) (absent, busy []string) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for _, entry := range entries {
		s, started := r.slots[entry.Name], entry.Spec != ""
		here := s != nil && s.Session.Connected()
		switch {
		case !started && !here:
			absent = append(absent, entry.Name)
		case started && here, s != nil && (s.alone(started) || s.full()):
			busy = append(busy, entry.Name)
		}
	}
	return absent, busy
}

// Reservation returns the token of the only bot that may use the slot of that name, or "" if the slot is not reserved.
func (r *Roster) Reservation(name string) string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if s := r.slots[name]; s != nil {
		return s.Token
	}
	return ""
}

// PlacesFor returns the number of connections that must stay free for others if a bot of that name comes: one for each
// other bot that an event waits for, or none if an event waits for this one.
func (r *Roster) PlacesFor(name string) (free int) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for other, s := range r.slots {
		switch {
		case len(s.stays) == 0:
		case other == name:
			return 0
		case !s.Session.Connected():
			free++
		}
	}
	return free
}

// Serve lets an admitted bot play over conn until the connection ends. If the name is in use, Serve returns
// protocol.ErrNameInUse, protocol.ErrNameKept or an *AlikeError, and does not touch conn.
func (r *Roster) Serve(ctx context.Context, conn *protocol.Conn, hello protocol.Hello) error {
	r.mu.Lock()
	s, err := r.addUser(hello.Name, 0)
	if err != nil {
		r.mu.Unlock()
		return err
	}
	if s.Token != "" && s.Token != hello.Token { // an event may have reserved the name after the admission
		err = protocol.ErrNameInUse
	} else {
		err = s.Session.Attach(conn, hello) // under the lock: no event reserves it in between
	}
	r.mu.Unlock()
	defer func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.removeUser(hello.Name)
	}()
	if err != nil {
		return err
	}
	return s.Session.Run(ctx, conn)
}

// addUser returns the slot of that name for one more user, and creates it if there is none. It returns an *AlikeError
// if another name on the roster looks like this one, unless both bots play in the same event: an event that was
// recorded by an earlier version may have such names. event is 0 for an event that is not recorded yet. The caller
// holds the lock.
func (r *Roster) addUser(name string, event int64) (*Slot, error) {
	s := r.slots[name]
	if s == nil {
		key := protocol.NewNameKey(name)
		if other, found := r.alike(key, event); found {
			return nil, &AlikeError{other}
		}
		s = &Slot{key: key, Session: protocol.NewSession(protocol.Hello{Name: name, Slots: 1}, r.Grace)}
		s.Session.SetClock(r.running)
		s.Session.OnConnect(func() {
			r.pool.Wake() // it may offer more slots than before
			r.announce(s)
		})
		s.Session.OnLost(func() { r.announce(s) })
		s.Session.OnAccount(r.seen)
		r.slots[name] = s
	}
	s.users++
	return s, nil
}

// Vacant returns an error if a bot that is new here cannot use a name now: protocol.ErrNameInUse if a bot of that
// name is connected or away, or an *AlikeError if the name looks like another one on the roster. A name that an event
// waits for is vacant until its bot comes.
func (r *Roster) Vacant(name string) error {
	r.mu.RLock()
	defer r.mu.RUnlock()
	switch s := r.slots[name]; {
	case s == nil:
	case s.Session.HasConnected():
		return protocol.ErrNameInUse
	default:
		return nil
	}
	if other, found := r.alike(protocol.NewNameKey(name), 0); found {
		return &AlikeError{other}
	}
	return nil
}

// alike returns a name on the roster that looks like key. It leaves out the names of the event's bots. The caller
// holds the lock.
func (r *Roster) alike(key protocol.NameKey, event int64) (name string, found bool) {
	for name, s := range r.slots {
		if s.key.Alike(key) && (event == 0 || !slices.Contains(s.events(), event)) {
			return name, true
		}
	}
	return "", false
}

// AlikeError means that a name looks like another one that is in use on the arena.
type AlikeError struct{ Other string }

func (e *AlikeError) Error() string {
	return fmt.Sprintf("the name looks like %q, which is connected or plays here", e.Other)
}

// FreeName returns the first of base-1, base-2, ... that does not look like a name on the roster.
func (r *Roster) FreeName(base string) string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for n := 1; ; n++ {
		name := fmt.Sprintf("%s-%d", base, n)
		if _, found := r.alike(protocol.NewNameKey(name), 0); !found {
			return name
		}
	}
}

// Awaits reports whether an event has a bot of that name that connects by itself. The name may be a spec: earlier
// versions allowed such names, and their events can still be resumed.
func (r *Roster) Awaits(name string) bool {
	return r.has(name, func(s *Slot) bool { return len(s.stays) > 0 && s.Token == "" })
}

// removeUser undoes addUser, and deletes the slot with its last user. The caller holds the lock.
func (r *Roster) removeUser(name string) {
	s := r.slots[name]
	if s.users--; s.users == 0 {
		delete(r.slots, name)
	}
}

// Seen is the arena's knowledge of a bot that is connected, or away from its event.
type Seen struct {
	Connected bool `json:"connected"`
	protocol.Account
}

// Seen returns the arena's knowledge of a bot. ok is false if the roster has no bot of that name.
func (r *Roster) Seen(bot string) (seen Seen, ok bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	s := r.slots[bot]
	if s == nil {
		return seen, false
	}
	return Seen{s.Session.Connected(), s.Session.Account()}, true
}

// Goodbye says goodbye to every connected bot.
func (r *Roster) Goodbye(reason string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.slots {
		s.Session.Goodbye(reason, true)
	}
}

// Vouch makes the slot of that name accept the next hello without the secret of an earlier welcome: the bot has proved
// with a token that the name is its own.
func (r *Roster) Vouch(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s := r.slots[name]; s != nil {
		s.Session.Vouch()
	}
}

// Dismiss says goodbye to one bot, if it is connected with this token. A bot with the name and a newer token stays.
func (r *Roster) Dismiss(name, token, reason string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s := r.slots[name]; s != nil && s.Session.Hello().Token == token {
		s.Session.Goodbye(reason, false)
	}
}

// Count returns the numbers of connected bots and of connected visitors.
func (r *Roster) Count() (bots, guests int) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for _, s := range r.slots {
		switch {
		case !s.Session.Connected():
		case s.guest:
			guests++
		default:
			bots++
		}
	}
	return bots, guests
}
