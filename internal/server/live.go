package server

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"sync"
	"time"

	"versus2048/internal/server/gate"
	"versus2048/internal/server/program"
	"versus2048/internal/server/roster"
	"versus2048/internal/server/trouble"
	"versus2048/players"
	"versus2048/protocol"
	"versus2048/protocol/names"
	"versus2048/tournament"
)

// LiveGame is the state of a game in progress at one moment. Its record shares memory with the game's own and must not
// be changed.
type LiveGame struct {
	Event int64
	tournament.Game
	Since time.Time // when the last ply was played; without one, when the game began or was resumed
	// Changed is closed at the next ply, at the end, and when a bot of the event comes or goes. Only Server.Game sets it.
	Changed <-chan struct{}
}

// The methods of this file are for pages that show the arena. They never make a game wait: they read copies that the
// games have left for them.

// BotInfo describes a bot that is connected, or away from its event.
type BotInfo = roster.BotInfo

// Events returns the progress of the events being played and of the last others that were played
// since the arena started, by number.
func (s *Server) Events() []Progress { return s.host.list() }

// Changed returns a channel that is closed when something changes in an event but a ply, or if the event is not being
// played, when it is. Moved returns one that is also closed at a ply. Look at the event after the call.
func (s *Server) Changed(event int64) <-chan struct{} { return s.host.changed(event, false) }

// Moved is Changed with plies.
func (s *Server) Moved(event int64) <-chan struct{} { return s.host.changed(event, true) }

// BotsChanged returns a channel that is closed when a bot comes or goes, or when an event takes or releases one.
func (s *Server) BotsChanged() <-chan struct{} { return s.host.bots.changed() }

// AnyChanged returns a channel that is closed when a bot comes or goes, or when something but a ply changes in any event.
func (s *Server) AnyChanged() <-chan struct{} { return s.host.changes.changed() }

// changed returns the channel of an event for Changed and Moved.
func (h *host) changed(event int64, plies bool) <-chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	r := h.runs[event]
	switch {
	case r == nil || r.feed.final():
		return h.begun.changed()
	case plies:
		return r.feed.every.changed()
	}
	return r.feed.shown.changed()
}

// Bots returns the connected bots and the bots that are away from their event, by name.
func (s *Server) Bots() []BotInfo { return s.roster.List() }

// Seen returns the actions of a bot since it connected. ok is false if there is no such bot.
func (s *Server) Seen(bot string) (seen roster.Seen, ok bool) { return s.roster.Seen(bot) }

// FromThisMachine reports whether a request comes from this machine, as far as the request shows it.
func FromThisMachine(r *http.Request) bool { return gate.FromLoopback(r) }

// CheckName returns an error if a bot that connects by itself cannot have a name.
func CheckName(name string) error {
	if program.IsSpec(name) || program.IsCommand(name) {
		return fmt.Errorf("name %.80q: it stands for a bot that the arena starts", name)
	}
	return names.Check(name)
}

// CheckOwner returns an error if a token with that role cannot be made for a name beside the names of bots that have one.
func CheckOwner(role Role, name string, owned []string) error {
	if role != BotRole {
		return nil
	}
	alike := func(owner string) bool { return owner != name && names.Alike(owner, name) }
	if i := slices.IndexFunc(owned, alike); i >= 0 {
		return fmt.Errorf("name %q: it looks like %q, which has a token: take another one, or revoke that", name, owned[i])
	}
	return nil
}

// CheckToken returns an error if no bot or operator can have a token under that name.
func CheckToken(role Role, name string) error {
	if err := names.Check(name); err != nil {
		return err
	}
	if role == BotRole && players.LooksLikeSpec(name) {
		return fmt.Errorf("name %q: it is a spec, which stands for a bot that the arena starts; take another one, such as %s-1", name, name)
	}
	return nil
}

// Progress returns an event's progress, with its games in progress and its standings. ok is false if the event has not
// been played since the arena started, or long ago: then only the database has it.
func (s *Server) Progress(event int64) (p Progress, ok bool) {
	run := s.host.run(event)
	if run == nil {
		return p, false
	}
	p, _ = run.feed.detailed()
	return p, true
}

// Latest is Progress without details. It also has the last events that were played long ago.
func (s *Server) Latest(event int64) (p Progress, ok bool) { return s.host.latest(event) }

// Follow calls show with an event's progress, without details, after each change but at most once in each interval,
// until the event is over, show returns an error, or ctx ends. It returns that error, and a *RequestError if the event
// is not being played.
func (s *Server) Follow(ctx context.Context, event int64, interval time.Duration, show func(Progress) error) error {
	run, err := s.host.existingRun(event)
	if err != nil {
		return err
	}
	return run.feed.follow(ctx, interval, show)
}

// Playing returns the games in progress of all events that are recorded, by number.
func (s *Server) Playing() (all []LiveGame) {
	for _, f := range s.host.feeds() {
		all = append(all, f.live()...)
	}
	all = slices.DeleteFunc(all, func(g LiveGame) bool { return g.Event < 0 })
	slices.SortFunc(all, func(a, b LiveGame) int { return cmp.Compare(a.ID, b.ID) })
	return all
}

// Away reports whether a bot that plays in an event is disconnected. It does not report visitors.
func (s *Server) Away(bot string) bool { return s.roster.Away(bot) }

// Game returns a game in progress. ok is false if no game of that number is in progress.
func (s *Server) Game(id int64) (g LiveGame, ok bool) {
	for _, f := range s.host.feeds() {
		if g, ok = f.game(id); ok {
			return g, true
		}
	}
	return g, false
}

// Start records a new event and starts to play it. The caller has checked that an operator asks for it. Start returns a
// *RequestError for an event that cannot be played.
func (s *Server) Start(ctx context.Context, e tournament.Event) (event int64, err error) {
	return s.host.start(ctx, e)
}

// Resolve returns an event as Start would record it, or why it cannot be played.
func (s *Server) Resolve(e tournament.Event) (tournament.Event, error) {
	e, err := s.host.resolver().Resolve(e, s.host.roster.Grace)
	e.Settings.Programs = s.host.programsOf(e)
	return e, err
}

// Resume resumes an event that is paused, or a recorded one that is not finished.
func (s *Server) Resume(ctx context.Context, event int64) error { return s.host.resume(ctx, event) }

// Pause starts no new games of an event until it is resumed.
func (s *Server) Pause(ctx context.Context, event int64) error { return s.host.pause(ctx, event) }

// Stop interrupts an event and returns when it has stopped.
func (s *Server) Stop(ctx context.Context, event int64) error { return s.host.stop(ctx, event) }

// Cancel takes an event out of the queue, with its series.
func (s *Server) Cancel(ctx context.Context, event int64) error { return s.host.cancel(ctx, event) }

// Skip makes a series leave out the time of its next event.
func (s *Server) Skip(ctx context.Context, event int64) error { return s.host.skip(ctx, event) }

// Extensions counts the changes that gave recorded events more matches, or voided a match: after a change, events that
// were read before may be out of date.
func (s *Server) Extensions() uint64 { return s.host.extensions.Load() }

// Join lets a bot join a ladder that is being played.
func (s *Server) Join(ctx context.Context, event int64, bot string) error {
	return s.host.join(ctx, event, bot)
}

// Leave lets a bot leave an event that is being played. In a ladder the bot first plays the matches that it was given, in
// other formats the matches that it has begun.
func (s *Server) Leave(ctx context.Context, event int64, bot string) error {
	return s.host.leave(ctx, event, bot)
}

// Database is the state of an arena's database at one moment.
type Database struct {
	Path string `json:"path"`
	Free int64  `json:"free"` // bytes that are free on its disk
	Err  error  `json:"-"`    // why it cannot be used any more, nil if it can
}

// Workers returns the workers of the arena's farm, by name.
func (s *Server) Workers() []Worker {
	if s.host.farm == nil {
		return []Worker{}
	}
	return append([]Worker{}, s.host.farm.Workers()...)
}

// Status is the state of an arena.
type Status struct {
	Version  string            `json:"version"`
	Uptime   Millis            `json:"uptime_ms"` // since it was opened
	Database Database          `json:"database"`
	Bots     int               `json:"bots"`   // connected
	Away     int               `json:"away"`   // bots that are away from their event
	Events   int               `json:"events"` // unfinished
	Games    int               `json:"games"`  // in progress
	Troubles []trouble.Trouble `json:"troubles"`
}

// Status returns the state of the arena. Without a Config.Watch it has no troubles.
func (s *Server) Status(ctx context.Context) Status {
	status := Status{Version: s.host.version, Uptime: Millis(s.uptime()), Database: s.database(ctx), Troubles: s.Troubles()}
	for _, b := range s.roster.List() {
		if b.Away {
			status.Away++
		} else {
			status.Bots++
		}
	}
	for _, p := range s.host.list() {
		if !p.State.Final() {
			status.Events++
			status.Games += p.Playing
		}
	}
	return status
}

// Troubles returns the present troubles of the arena, the oldest first.
func (s *Server) Troubles() []trouble.Trouble { return s.host.watch.Troubles() }

// uptime returns how long the arena has been open, 0 before that.
func (s *Server) uptime() time.Duration {
	if began, ok := s.began.Load().(time.Time); ok {
		return time.Since(began)
	}
	return 0
}

// database returns the state of the database, zero if the configuration has no function for it.
func (s *Server) database(ctx context.Context) Database {
	if s.askDatabase == nil {
		return Database{}
	}
	return s.askDatabase(ctx)
}

// look returns the present state of the arena for its Watch. It makes no game wait.
func (s *Server) look(ctx context.Context) trouble.Look {
	now, database := time.Now(), s.database(ctx)
	return trouble.Look{
		Wall: now, Elapsed: s.uptime(), Running: s.host.stalls.Running(now) - s.ran,
		Disk: database.Path, Free: database.Free, Database: database.Err, Events: s.host.looks(), Workers: s.host.lookAtWorkers(),
	}
}

// Limits of the list of bots that were turned away.
const (
	mostRefusals   = 100 // the last ones; a repeated one counts as one
	longestRefusal = 300 // characters of its message
)

// Refusal tells why a bot was turned away. Its texts are partly the bot's, but never have its token.
type Refusal struct {
	Bot     string // the name it gave, "" if its hello was not understood
	Code    protocol.Code
	Message string    // the text that the bot got
	Times   int       // how often it was turned away for this reason
	Last    time.Time // when it last came
	from    netip.Addr
}

// refusals are the last bots that were turned away, so that the pages can tell their authors why.
type refusals struct {
	mu   sync.Mutex
	list []Refusal // the latest last
}

// add notes that a bot was turned away.
func (rs *refusals) add(r Refusal) {
	if runes := []rune(r.Message); len(runes) > longestRefusal {
		r.Message = string(runes[:longestRefusal]) + "…"
	}
	r.Times, r.Last = 1, time.Now()
	rs.mu.Lock()
	defer rs.mu.Unlock()
	same := func(o Refusal) bool {
		return o.Bot == r.Bot && o.Code == r.Code && o.Message == r.Message && o.from == r.from
	}
	if i := slices.IndexFunc(rs.list, same); i >= 0 {
		r.Times += rs.list[i].Times
		rs.list = slices.Delete(rs.list, i, i+1)
	}
	if len(rs.list) == mostRefusals {
		rs.list = slices.Delete(rs.list, 0, 1)
	}
	rs.list = append(rs.list, r)
}

// admitted forgets the earlier refusals of a bot that now plays.
func (rs *refusals) admitted(bot string, from netip.Addr) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	rs.list = slices.DeleteFunc(rs.list, func(r Refusal) bool { return r.from == from && (r.Bot == bot || r.Bot == "") })
}

// find returns the latest refusals that match, at most the given number, the latest first.
func (rs *refusals) find(most int, match func(*Refusal) bool) (found []Refusal) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	for i := len(rs.list) - 1; i >= 0 && len(found) < most; i-- {
		if match(&rs.list[i]) {
			found = append(found, rs.list[i])
		}
	}
	return found
}

// LastRefusal returns the last refusal of a bot with this name, if the name is not empty, or of a connection from this
// address with an unreadable hello.
func (s *Server) LastRefusal(bot string, from netip.Addr) (last Refusal, ok bool) {
	found := s.refusals.find(1, func(r *Refusal) bool {
		return r.Bot != "" && r.Bot == bot || r.Bot == "" && from.IsValid() && r.from == from
	})
	if len(found) == 0 {
		return last, false
	}
	return found[0], true
}

// Refusals returns the last refusals of all bots, the latest first.
func (s *Server) Refusals(most int) []Refusal {
	return s.refusals.find(most, func(*Refusal) bool { return true })
}
