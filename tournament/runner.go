package tournament

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// ChanceName is the attacker's name on record where chance places the tiles.
const ChanceName = "chance"

// Runner plays an event to its end, or on from where it was interrupted.
type Runner struct {
	Event   Event
	Format  func(Event) Format // the format of an event, such as format.New
	Bots    []Bot              // one for each entry, by name
	Journal Journal
	Watcher Watcher // may be nil
	// Changes are the bots that join and leave a ladder while it is played; nil
	// where none do. A ladder without an end waits for them when there is nothing
	// to play.
	Changes <-chan LineupChange
	// Pauses says true where no new games are to begin, those in progress go on,
	// and false where they are to begin again; nil where nobody pauses.
	Pauses <-chan bool

	identified sync.Map // of Identity: those that the journal has
}

// Watcher is told what happens in an event, from several goroutines. It must
// not keep anyone waiting, nor change the games' records.
type Watcher interface {
	// Progress tells how many of the event's games are finished, and how many
	// matches there are in all: at the start and after each game.
	Progress(done int, total Total)
	// Begun tells that a game begins, or goes on.
	Begun(g Game)
	// Played tells of a ply; g has it already.
	Played(g Game, ply Ply)
	// Ended tells that a game is finished and recorded.
	Ended(g Game)
}

// Run plays all that the format asks for and is not yet recorded, and returns
// the event's finished games. If ctx ends it stops the games in progress, which
// the journal keeps, and returns ErrInterrupted. Any other error is a failure
// of the journal.
func (r *Runner) Run(ctx context.Context) ([]Game, error) {
	done, err := r.Journal.Finished(ctx)
	if err != nil {
		return nil, fmt.Errorf("reading what is already played: %w", err)
	}
	f := r.Format(r.Event)
	bots, err := r.byName(f, Matches(done))
	if err != nil {
		return nil, err
	}
	s, err := newSchedule(r.Event, f, done, func(name string) int { return bots[name].Slots() })
	if err != nil {
		return nil, err
	}
	r.progress(s)
	running, stop := context.WithCancel(ctx)
	defer stop()
	ended := make(chan played)
	var failure error
	for {
		r.beginGames(running, s, bots, ended)
		if s.running == 0 && (!r.waits(s) || running.Err() != nil) {
			break
		}
		select {
		case p := <-ended:
			s.end(p.game)
			if p.err != nil && !errors.Is(p.err, ErrInterrupted) {
				failure = errors.Join(failure, p.err)
				stop()
			}
			r.announce(s, p)
		case c := <-r.Changes:
			bots = r.change(running, s, bots, c)
		case s.paused = <-r.Pauses:
		case <-r.idle(running, s):
		}
		s.release()
	}
	switch {
	case failure != nil:
		return s.done, failure
	case ctx.Err() != nil:
		return s.done, ErrInterrupted
	}
	return s.done, nil
}

func (r *Runner) byName(f Format, done []MatchResult) (map[string]Bot, error) {
	bots := make(map[string]Bot, len(r.Bots))
	for _, b := range r.Bots {
		bots[b.Identity().Name] = b
	}
	for _, e := range r.Event.Participants(f, done) {
		if bots[e.Name] == nil {
			return nil, fmt.Errorf("event %q has no bot for its entry %q", r.Event.Name, e.Name)
		}
	}
	return bots, nil
}

// beginGames begins all games that can begin now.
func (r *Runner) beginGames(ctx context.Context, s *schedule, bots map[string]Bot, ended chan<- played) {
	for ctx.Err() == nil {
		g, ok := s.begin()
		if !ok {
			return
		}
		target := s.target(&g)
		go func() { ended <- r.play(ctx, g, target, bots) }()
	}
}

// announce tells the seats and the watcher that a game is no longer played.
func (r *Runner) announce(s *schedule, p played) {
	verdict := GameResult{Game: p.game, Summary: Summarize(&p.game)}
	if other := s.find(gameKey{p.game.Match, 3 - p.game.Leg}); other != nil {
		score := Summarize(other).Score
		verdict.OtherLeg = &score
	}
	for _, seat := range p.seats {
		seat.Over(verdict)
	}
	if r.Watcher != nil && p.err == nil {
		r.Watcher.Ended(p.game)
		r.progress(s)
	}
}

func (r *Runner) progress(s *schedule) {
	if r.Watcher != nil {
		r.Watcher.Progress(len(s.done), s.format.Total(s.decided))
	}
}
