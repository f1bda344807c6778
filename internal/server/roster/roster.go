package server

import (
	"cmp"
	"context"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"versus2048/internal/server/program"
	"versus2048/internal/server/slots"
	"versus2048/players/clock"
	"versus2048/protocol"
	"versus2048/protocol/names"
	"versus2048/rules"
	"versus2048/tournament"
)

// roster holds a slot for each bot that is connected or plays in an event. A bot
// that disconnects during an event keeps its slot.
type roster struct {
	grace   time.Duration
	running clock.Source     // knows when
	pool    *slots.Pool      // of the bots that play in events
	mu      sync.RWMutex     // many look-ups at once share it, so that they keep no bot from its seat
	slots   map[string]*slot // by the bot's name
}

// slot is one name on the roster.
type slot struct {
	key     names.Key // finds names that look like this one
	session *protocol.Session
	users   int          // connections and events that use the slot
	token   string       // only a bot with this token may use the slot; "" means that any may
	guest   bool         // a visitor has the token
	from    netip.Prefix // of the visitor
	stays   []*engagement
}

// engagement is the time of some bots in an event or in a visitor's game.
type engagement struct {
	event int64 // its number; 0 while it has none
	grace time.Duration
	share *slots.Share
	aside bool // an open ladder: its bots may play in other events meanwhile
}

// newEngagement returns an engagement of bots in an event.
func (r *roster) newEngagement(e tournament.Event) *engagement {
	return &engagement{event: e.ID, grace: e.Grace, share: r.pool.Share(), aside: e.Settings.Plan.Open != tournament.Closed}
}

// newVisit returns an engagement of a bot in a visitor's game.
func (r *roster) newVisit() *engagement {
	return &engagement{grace: visitorGrace, share: r.pool.Visit()}
}

// events returns the numbers of the events that the bot plays in.
func (s *slot) events() (all []int64) {
	for _, stay := range s.stays {
		if stay.event > 0 {
			all = append(all, stay.event)
		}
	}
	slices.Sort(all)
	return all
}

// full reports whether the bot has no slot for another event, if each event needs one.
func (s *slot) full() bool {
	events := 0
	for _, stay := range s.stays {
		if !stay.aside {
			events++
		}
	}
	return events > 0 && events >= s.session.Hello().Slots
}

// setGrace sets the longest grace of the bot's events and games, or otherwise if it has none.
func (s *slot) setGrace(otherwise time.Duration) {
	if len(s.stays) > 0 {
		otherwise = slices.MaxFunc(s.stays, func(a, b *engagement) int { return cmp.Compare(a.grace, b.grace) }).grace
	}
	s.session.SetGrace(otherwise)
}

// origin returns the origin of the slot's bot.
func (s *slot) origin() Origin {
	if s.token != "" && !s.guest {
		return Started
	}
	return Connected
}

func newRoster(grace time.Duration, running clock.Source) *roster {
	return &roster{grace: grace, running: running, pool: slots.NewPool(), slots: map[string]*slot{}}
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
	Playing int     `json:"playing,omitempty"` // games in progress
	Origin  Origin  `json:"origin"`
	// Away is set while the bot is disconnected from its event. After AwayLeft it loses a game.
	Away     bool   `json:"away,omitempty"`
	AwayLeft Millis `json:"away_left_ms,omitempty"`
}

// list returns the connected bots and the bots that are away from their event, sorted by name.
func (r *roster) list() []BotInfo {
	r.mu.RLock()
	defer r.mu.RUnlock()
	bots := []BotInfo{}
	for name, s := range r.slots {
		left, away := s.session.Away()
		if s.guest || away && len(s.stays) == 0 {
			continue
		}
		h := s.session.Hello()
		info := BotInfo{
			Name: name, Version: h.Version, Author: h.Author, Spec: h.Spec, Slots: h.Slots, Plays: h.Plays, Playing: s.session.Games(),
			Events: s.events(), Origin: s.origin(), Away: away, AwayLeft: Millis(left),
		}
		if len(info.Events) > 0 {
			info.Event = info.Events[0]
		}
		bots = append(bots, info)
	}
	slices.SortFunc(bots, func(a, b BotInfo) int { return strings.Compare(a.Name, b.Name) })
	return bots
}

// connected reports whether a bot of that name is connected.
func (r *roster) connected(name string) bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	s := r.slots[name]
	return s != nil && s.session.Connected()
}

// suits returns an error if a connected bot has said that it does not play such games in all the roles.
func (r *roster) suits(name string, set rules.Ruleset, size rules.Size, roles ...rules.Side) error {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.slots[name].suits(set, size, roles...)
}

// suits returns an error if the bot of the slot has said that it does not play such games in all the roles. Bots
// without a slot suit: the arena starts them itself.
func (s *slot) suits(set rules.Ruleset, size rules.Size, roles ...rules.Side) error {
	if s == nil {
		return nil
	}
	hello := s.session.Hello()
	if err := hello.Plays.Suits(set, size, roles...); err != nil {
		return fmt.Errorf("bot %q: %w", hello.Name, err)
	}
	return nil
}

// visible returns the hellos of the bots that have connected by themselves, with the tokens that admitted them, sorted
// by name.
func (r *roster) visible() (all []protocol.Hello) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for name, s := range r.slots {
		if s.session.Connected() && s.token == "" {
			h := s.session.Hello()
			h.Name = name
			all = append(all, h)
		}
	}
	slices.SortFunc(all, func(a, b protocol.Hello) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// obstacles returns the bots that are not connected, and the bots that are in as many events as they offer slots, open
// ladders aside. A queued event needs nothing else of its bots.
func (r *roster) obstacles(entries []tournament.Entry) (absent, busy []string) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for _, entry := range entries {
		s, started := r.slots[entry.Name], entry.Spec != ""
		here := s != nil && s.session.Connected()
		switch {
		case !started && !here:
			absent = append(absent, entry.Name)
		case started && here, s != nil && (s.alone(started) || s.full()):
			busy = append(busy, entry.Name)
		}
	}
	return absent, busy
}

// guest returns the slot of a visitor, nil if the name is not a visitor's.
func (r *roster) guest(name string) *slot {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if s := r.slots[name]; s != nil && s.guest {
		return s
	}
	return nil
}

// reservation returns the token of the only bot that may use the slot of that
// name, or "" if the slot is not reserved.
func (r *roster) reservation(name string) string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if s := r.slots[name]; s != nil {
		return s.token
	}
	return ""
}

// placesFor returns how many connections must stay free for others if a bot of that name comes: one for each other bot
// that an event waits for, or none if an event waits for this one.
func (r *roster) placesFor(name string) (free int) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for other, s := range r.slots {
		switch {
		case len(s.stays) == 0:
		case other == name:
			return 0
		case !s.session.Connected():
			free++
		}
	}
	return free
}

// take lets the bot of that name play in an event or a game, beside its other ones. If the arena is going to start the
// bot (started), take reserves the name for that bot alone. take returns an error if a bot that plays alone is in the
// way.
func (r *roster) take(name string, in *engagement, started bool) (*slot, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.slots[name]
	switch {
	case s == nil:
	case len(s.stays) > 0 && s.guest:
		return nil, fmt.Errorf("%q is a visitor who plays already: wait for the end of that game", name)
	case s.alone(started):
		return nil, fmt.Errorf("bot %q %s: use NAME=SPEC to give the started bot another name", name, s.whereabouts())
	case started && s.session.Connected():
		return nil, fmt.Errorf("a bot named %q is connected: use NAME=SPEC to give the started bot another name", name)
	}
	s, err := r.addUser(name, in.event)
	switch {
	case err != nil && started:
		return nil, fmt.Errorf("bot %q: %w: give the started bot another one (NAME=SPEC)", name, err)
	case err != nil:
		return nil, fmt.Errorf("bot %q: %w", name, err)
	}
	s.stays = append(s.stays, in)
	s.setGrace(r.grace)
	in.share.Add(name, func() int { return s.session.Hello().Slots })
	if started {
		s.token = program.NewToken()
	}
	return s, nil
}

// visit takes a slot of a connected bot for a visitor's game. It returns an error if the bot has no free slot. If the
// bot plays in an event, the game must not begin with a position of the visitor's choice (chosen): its moves would show
// its opponents how it plays there.
func (r *roster) visit(name string, chosen bool) (*slot, *engagement, error) {
	if chosen && r.engaged(name) {
		return nil, nil, fmt.Errorf("bot %q %s: until the end it is not asked about positions", name, r.whereabouts(name))
	}
	in := r.newVisit()
	s, err := r.take(name, in, false)
	if err != nil {
		return nil, nil, err
	}
	if !in.share.Take(name) {
		r.release(name, in)
		return nil, nil, fmt.Errorf("bot %q %s, and offers no more games at once: wait for the end of one", name, r.whereabouts(name))
	}
	return s, in, nil
}

// alone reports whether the name is in use and cannot be used by another event: its bot is a visitor or was started by
// the arena, or the arena wants to start a bot of this name (started). Such bots play in one event only.
func (s *slot) alone(started bool) bool {
	return len(s.stays) > 0 && (started || s.guest || s.token != "")
}

// engaged reports whether a bot plays in an event.
func (r *roster) engaged(name string) bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	s := r.slots[name]
	return s != nil && len(s.events()) > 0
}

// whereabouts describes in words where the bot of that name plays.
func (r *roster) whereabouts(name string) string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if s := r.slots[name]; s != nil {
		return s.whereabouts()
	}
	return "has left"
}

func (s *slot) whereabouts() string {
	events := s.events()
	if len(events) == 0 {
		return "is playing with a visitor, or for an event that is about to start"
	}
	return fmt.Sprintf("is playing in event %d", events[0])
}

// setEvent sets the number of an event, which is known only after its bots are taken.
func (r *roster) setEvent(in *engagement, event int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	in.event = event
}

// release undoes take. The bot goes on to play in other events.
func (r *roster) release(name string, in *engagement) {
	r.mu.Lock()
	defer r.mu.Unlock()
	in.share.Remove(name)
	s := r.slots[name]
	s.stays = slices.DeleteFunc(s.stays, func(other *engagement) bool { return other == in })
	if !s.guest {
		s.token = ""
		s.setGrace(r.grace)
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
	if s.token != "" && s.token != hello.Token { // an event may have reserved the name after the admission
		err = protocol.ErrNameInUse
	} else {
		err = s.session.Attach(conn, hello) // under the lock: no event reserves it in between
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
	return s.session.Run(ctx, conn)
}

// addUser returns the slot of that name for one more user, and creates it if there is none. It returns an *AlikeError
// if another name on the roster looks like this one, unless both bots play in the same event: an event that was
// recorded by an earlier version may have such names. event is 0 for an event that is not recorded yet. The caller
// holds the lock.
func (r *roster) addUser(name string, event int64) (*slot, error) {
	s := r.slots[name]
	if s == nil {
		key := names.NewKey(name)
		if other, found := r.alike(key, event); found {
			return nil, &AlikeError{other}
		}
		s = &slot{key: key, session: protocol.NewSession(protocol.Hello{Name: name, Slots: 1}, r.grace)}
		s.session.SetClock(r.running)
		s.session.OnConnect(r.pool.Wake) // it may offer more slots than before
		r.slots[name] = s
	}
	s.users++
	return s, nil
}

// alike returns a name on the roster, other than the event's own bots, that looks like
// key. The caller holds the lock.
func (r *roster) alike(key names.Key, event int64) (name string, found bool) {
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

// freeName returns the first of base-1, base-2, ... that does not look like a name on the roster.
func (r *roster) freeName(base string) string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for n := 1; ; n++ {
		name := fmt.Sprintf("%s-%d", base, n)
		if _, found := r.alike(names.NewKey(name), 0); !found {
			return name
		}
	}
}

// awaits reports whether an event waits for a bot of that name to connect by itself. Earlier versions allowed names
// that are specs, and their events can still be resumed.
func (r *roster) awaits(name string) bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	s := r.slots[name]
	return s != nil && len(s.stays) > 0 && s.token == ""
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

// vouch makes the slot of that name accept its bot: the bot has proved that it is the owner.
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
