package arena

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"versus2048/names"
	"versus2048/protocol"
	"versus2048/tournament"
)

// LiveGame is a game in progress as it stood at one moment. Its record shares memory with the game's
// own and must not be changed.
type LiveGame struct {
	Event int64
	tournament.Game
	Since time.Time // when the last ply was played; without one, when the game began or was resumed
}

// The methods of this file are what pages show of an arena. Whoever looks never makes a game wait:
// they read what the games have left for them.

// Events returns the progress of the events being played and of the last others that were played
// since the arena started, by number.
func (s *Server) Events() []Progress { return s.host.list() }

// Bots returns the connected bots and those that are away from their event, by name.
func (s *Server) Bots() []BotInfo { return s.roster.list() }

// Seen is what the arena knows of a bot that is connected, or away from its event.
type Seen struct {
	Connected bool
	protocol.Account
}

// Seen returns what a bot has done since it connected. ok is false if no such bot is here.
func (s *Server) Seen(bot string) (seen Seen, ok bool) {
	s.roster.mu.Lock()
	defer s.roster.mu.Unlock()
	slot := s.roster.slots[bot]
	if slot == nil {
		return seen, false
	}
	return Seen{slot.session.Connected(), slot.session.Account()}, true
}

// FromThisMachine reports whether a request comes from this machine, as far as that can be told.
func FromThisMachine(r *http.Request) bool { return fromLoopback(r) }

// CheckName returns an error if a bot that connects by itself cannot have a name.
func CheckName(name string) error {
	if isSpec(name) {
		return fmt.Errorf("name %.80q: it stands for a bot that the arena starts", name)
	}
	return names.Check(name)
}

// Progress returns how far an event has come, with its games in progress and its standings. ok is
// false if the event has not been played since the arena started, or long ago: then only the
// database knows it.
func (s *Server) Progress(event int64) (p Progress, ok bool) {
	run := s.host.run(event)
	if run == nil {
		return p, false
	}
	now, _ := run.feed.latest()
	return run.feed.withDetails(now), true
}

// Follow calls show with an event's progress, without details, after each change but at most once in
// each interval, until the event is over, show returns an error, or ctx ends. It returns that error,
// and a *RequestError if the event is not being played.
func (s *Server) Follow(ctx context.Context, event int64, interval time.Duration, show func(Progress) error) error {
	run, err := s.host.existingRun(event)
	if err != nil {
		return err
	}
	return run.feed.follow(ctx, interval, show)
}

// Playing returns the games in progress of all events, by number.
func (s *Server) Playing() (all []LiveGame) {
	for _, f := range s.host.feeds() {
		all = append(all, f.live()...)
	}
	slices.SortFunc(all, func(a, b LiveGame) int { return cmp.Compare(a.ID, b.ID) })
	return all
}

// Game returns a game in progress. ok is false if no game of that number is in progress.
func (s *Server) Game(id int64) (g LiveGame, ok bool) {
	for _, f := range s.host.feeds() {
		if g, ok = f.game(id); ok {
			return g, true
		}
	}
	return g, false
}

// Start records a new event and starts to play it, as an operator may. It returns a *RequestError for
// an event that cannot be played.
func (s *Server) Start(ctx context.Context, e tournament.Event) (event int64, err error) {
	return s.host.start(ctx, e)
}

// Resume resumes an event that is paused, or one on record that is not finished.
func (s *Server) Resume(ctx context.Context, event int64) error { return s.host.resume(ctx, event) }

// Pause starts no new games of an event until it is resumed.
func (s *Server) Pause(ctx context.Context, event int64) error { return s.host.pause(ctx, event) }

// Stop interrupts an event and returns when it has stopped.
func (s *Server) Stop(ctx context.Context, event int64) error { return s.host.stop(ctx, event) }

// Join lets a bot join a ladder that is being played.
func (s *Server) Join(ctx context.Context, event int64, bot string) error {
	return s.host.join(ctx, event, bot)
}

// Leave lets a bot leave a ladder after the matches that it already has.
func (s *Server) Leave(ctx context.Context, event int64, bot string) error {
	return s.host.leave(ctx, event, bot)
}
