package tournament

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"versus2048/players"
	"versus2048/rules"
)

// ChanceName is the attacker's name on record where chance places the tiles.
const ChanceName = "chance"

// Runner plays an event to its end, or on from where it was interrupted.
type Runner struct {
	Event   Event
	Format  Format
	Bots    []Bot // one for each entry, by name
	Journal Journal
	Watcher Watcher // may be nil
	// Changes are the bots that join and leave a ladder while it is played; nil
	// where none do. A ladder without an end waits for them when there is nothing
	// to play.
	Changes <-chan Change
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

// played is what becomes of a game that was begun.
type played struct {
	game  Game
	seats []Seat
	err   error
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
	bots, err := r.byName(Matches(done))
	if err != nil {
		return nil, err
	}
	s, err := newSchedule(r.Event, r.Format, done, func(name string) int { return bots[name].Slots() })
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

func (r *Runner) byName(done []MatchResult) (map[string]Bot, error) {
	bots := make(map[string]Bot, len(r.Bots))
	for _, b := range r.Bots {
		bots[b.Identity().Name] = b
	}
	for _, e := range r.Event.Participants(done) {
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

// play plays one game from its place in the journal into the journal. The target
// is the score that decides its match, or nil.
func (r *Runner) play(ctx context.Context, g Game, target *int, bots map[string]Bot) played {
	g.Started = time.Now().UTC()
	g.Record.Date = g.Started.Format(time.DateOnly)
	g, err := r.Journal.Open(ctx, g)
	if err != nil && ctx.Err() != nil {
		return played{game: g, err: ErrInterrupted}
	}
	if err != nil {
		return played{game: g, err: fmt.Errorf("opening match %d game %d: %w", g.Match, g.Leg, err)}
	}
	seats := r.seat(g, bots)
	if r.Watcher != nil {
		r.Watcher.Begun(g)
	}
	g, err = r.referee(target).Play(ctx, g, seats[rules.Attacker], seats[rules.Defender])
	if err != nil {
		return played{g, seats, err}
	}
	g.Finished = time.Now().UTC()
	// A stop must not tear a finished game from its record.
	if err := r.record(context.WithoutCancel(ctx), g, bots); err != nil {
		g.Record.Ending = rules.Unfinished
		return played{g, seats, fmt.Errorf("recording game %d: %w", g.ID, err)}
	}
	g.Record.Searches = nil // on record now, and too much to keep of every game
	return played{g, seats, nil}
}

func (r *Runner) referee(target *int) Referee {
	e := &r.Event
	return Referee{
		Clock:        e.Clock,
		Lenience:     e.Settings.Lenience,
		Adjudication: e.Settings.Adjudication,
		Target:       target,
		Search:       e.Search,
		Played:       r.note,
	}
}

// record records a finished game, and who the bots were that played it.
func (r *Runner) record(ctx context.Context, g Game, bots map[string]Bot) error {
	for _, name := range []string{g.Record.Attacker, g.Record.Defender} {
		if bot := bots[name]; bot != nil {
			if err := r.identify(ctx, bot.Identity()); err != nil {
				return err
			}
		}
	}
	return r.Journal.Finish(ctx, g)
}

// identify tells the journal who a bot is, once.
func (r *Runner) identify(ctx context.Context, id Identity) error {
	if _, known := r.identified.Load(id); known {
		return nil
	}
	if err := r.Journal.Identify(ctx, id); err != nil {
		return err
	}
	r.identified.Store(id, true)
	return nil
}

// seat seats both sides of a game.
func (r *Runner) seat(g Game, bots map[string]Bot) []Seat {
	sit := func(name string, side rules.Side, seed uint64) Seat {
		if side == rules.Attacker && r.Event.Rules.Chance() {
			return localSeat{players.WithMargin(players.Chance(seed), 0)}
		}
		return bots[name].Sit(Sitting{
			Event: r.Event.Name, Game: g, Side: side, Seed: seed,
			Clock: r.Event.Clock, Search: r.Event.Search, Settings: r.Event.Settings,
		})
	}
	return []Seat{
		rules.Attacker: sit(g.Record.Attacker, rules.Attacker, g.Record.AttackerSeed),
		rules.Defender: sit(g.Record.Defender, rules.Defender, g.Record.DefenderSeed),
	}
}

// note journals a ply and passes it on.
func (r *Runner) note(g Game, ply Ply) {
	r.Journal.Append(g.ID, ply)
	if r.Watcher != nil {
		r.Watcher.Played(g, ply)
	}
}

// announce tells the seats and the watcher that a game is no longer played.
func (r *Runner) announce(s *schedule, p played) {
	verdict := Verdict{Game: p.game, Summary: Summarize(&p.game)}
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
