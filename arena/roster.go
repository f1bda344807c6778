package arena

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"versus2048/protocol"
	"versus2048/tournament"
)

// roster is the bots that are connected, and those that an event holds a place
// for while they are not.
type roster struct {
	grace time.Duration
	mu    sync.Mutex
	bots  map[string]*place
}

// place is a name on the roster.
type place struct {
	session *protocol.Session
	users   int    // connections and events that keep the place
	token   string // the only one that may take it; "" leaves that to the admission
	engaged bool   // for an event
	event   int64  // its number, 0 while it has none
}

func newRoster(grace time.Duration) *roster {
	return &roster{grace: grace, bots: map[string]*place{}}
}

// BotInfo is a connected bot, as the list of bots shows it.
type BotInfo struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Author  string `json:"author"`
	Spec    string `json:"spec"`
	Slots   int    `json:"slots"`
	Event   int64  `json:"event,omitempty"` // that it plays in
}

// list is the connected bots by name.
func (r *roster) list() []BotInfo {
	r.mu.Lock()
	defer r.mu.Unlock()
	bots := []BotInfo{}
	for name, p := range r.bots {
		if !p.session.Connected() {
			continue
		}
		h := p.session.Hello()
		bots = append(bots, BotInfo{name, h.Version, h.Author, h.Spec, h.Slots, p.event})
	}
	slices.SortFunc(bots, func(a, b BotInfo) int { return strings.Compare(a.Name, b.Name) })
	return bots
}

// connected tells whether a bot of that name is connected.
func (r *roster) connected(name string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	p := r.bots[name]
	return p != nil && p.session.Connected()
}

// keep keeps the place of that name, making it if need be. The caller holds the
// lock, here and in release.
func (r *roster) keep(name string) *place {
	p := r.bots[name]
	if p == nil {
		p = &place{session: protocol.NewSession(protocol.Hello{Name: name, Slots: 1}, r.grace)}
		r.bots[name] = p
	}
	p.users++
	return p
}

// release undoes keep. A place that nobody keeps is forgotten.
func (r *roster) release(name string) {
	p := r.bots[name]
	if p.users--; p.users == 0 {
		delete(r.bots, name)
	}
}

// engage takes the place of that name for an event. A place that a bot is
// started for is kept for that bot alone.
func (r *roster) engage(name string, e tournament.Event, started bool) (*place, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p := r.bots[name]
	switch {
	case p != nil && p.engaged:
		return nil, fmt.Errorf("bot %q is playing in event %d: wait for it, or stop it", name, p.event)
	case p != nil && started && p.session.Connected():
		return nil, fmt.Errorf("a bot named %q is connected: give the one to be started another name, NAME=SPEC", name)
	}
	p = r.keep(name)
	p.engaged, p.event = true, e.ID
	p.session.SetGrace(e.Grace)
	if started {
		p.token = newLaunchToken()
	}
	return p, nil
}

// enter notes the number of the event that the bot is engaged for.
func (r *roster) enter(name string, event int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.bots[name].event = event
}

// dismiss undoes engage.
func (r *roster) dismiss(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p := r.bots[name]
	p.engaged, p.event, p.token = false, 0, ""
	p.session.SetGrace(r.grace)
	r.release(name)
}

// reservation is the token that the place of that name is kept for, or "".
func (r *roster) reservation(name string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if p := r.bots[name]; p != nil {
		return p.token
	}
	return ""
}

// serve lets an admitted bot play over conn until the connection ends. It
// returns protocol.ErrNameInUse, and leaves conn alone, if the name is taken.
func (r *roster) serve(ctx context.Context, conn *protocol.Conn, hello protocol.Hello) error {
	r.mu.Lock()
	p := r.keep(hello.Name)
	taken := p.token != "" && p.token != hello.Token // since the bot was admitted
	r.mu.Unlock()
	defer func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.release(hello.Name)
	}()
	if taken {
		return protocol.ErrNameInUse
	}
	return p.session.Serve(ctx, conn, hello)
}

// goodbye takes leave of everybody.
func (r *roster) goodbye(reason string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range r.bots {
		p.session.Goodbye(reason, true)
	}
}
