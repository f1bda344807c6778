package tournament

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"

	"versus2048/players/clock"
	"versus2048/rules"
)

// ChanceName is the attacker's name in records of games with tiles placed by chance.
const ChanceName = "chance"

// Runner plays an event to its end, from the start or from the point of an interruption.
type Runner struct {
	Event  Event
	Format func(Event) Format // returns an event's format without results, for example format.New
	// Board has the event's finished games. The Runner adds the games that it plays. If Board is nil, the Runner makes
	// one from Format and the finished games of the Journal.
	Board   *Scoreboard
	Bots    []Bot // one for each of the event's Participants, by name
	Journal Journal
	Watcher Watcher // may be nil
	// Changes delivers the bots that join a ladder or a Swiss event, and the bots that leave an event, while it is
	// played. It may be nil. A ladder without an end waits for changes when there is nothing to play.
	Changes <-chan LineupChange
	// Leaving are the bots, by name, that have left the event before and may still have matches to finish. Each
	// channel is closed when its bot has played these matches, like LineupChange.Free. Leaving may be nil.
	Leaving map[string]chan<- struct{}
	// Pauses delivers true when no more games may start, and false when games may start again. Games in
	// progress continue. It may be nil.
	Pauses <-chan bool
	// Slots are the slots of bots that play in other events, too. It may be nil.
	Slots Slots
	// Running is for the Referee. It may be nil.
	Running clock.Source
	// Elsewhere plays the matches of bots that can play there. If it is nil, all matches are played here.
	Elsewhere Elsewhere

	identified sync.Map // each Identity that the journal has, as a key
}

// Watcher receives the news of an event, from several goroutines. It must return quickly, and must
// not change the games' records.
type Watcher interface {
	// Progress is called at the start, and whenever games are given out or have ended, or the event's bots have
	// changed.
	Progress(c Counts)
	// Begun is called when a given-out game starts or resumes.
	Begun(g Game)
	// Played is called after each ply. g includes the ply, and changes later.
	Played(g *Game, ply Ply)
	// Ended is called when a game is finished, recorded and counted. decided is the game's match if the game decides
	// it, else nil.
	Ended(g Game, result Result, decided *MatchResult)
	// Paused is called when the event is paused or resumed, in order with Ended and before another game starts.
	Paused(paused bool)
	// Changed is called when a bot has joined or left the event, with the changed event, in order with Ended.
	Changed(e Event)
}

// Counts is the progress of an event.
type Counts struct {
	Done    int // finished games
	Playing int // games in progress
	Waiting int // games that were given out, and wait for a bot that plays another game or is away
	Total   Total
}

// ErrNotRecorded is the error of a LineupChange if the journal failed.
var ErrNotRecorded = errors.New("the change of the lineup cannot be recorded")

// LineupChange is a bot that joins a ladder or a Swiss event, or leaves an event, while it is played.
type LineupChange struct {
	Entry Entry
	Bot   Bot // nil for a bot that leaves
	// Reply receives nil when the change is recorded, or the error that prevents it: ErrNotRecorded,
	// ErrInterrupted or the fault of the change. It must have room for one value.
	Reply chan<- error
	// Free is closed when a leaving bot has played its last match. It is not closed if the run ends
	// first. It may be nil for a bot that joins.
	Free chan<- struct{}
}

// Run plays all games that the format asks for and that are not recorded yet. If ctx ends, Run
// stops the games in progress, which the journal keeps, and returns [ErrInterrupted]. It returns a
// [*DistrustError] if games that were played elsewhere do not count. Any other error comes from the
// journal, or says why the event cannot be played.
func (r *Runner) Run(ctx context.Context) error {
	s, err := r.prepare(ctx)
	if err != nil {
		return err
	}
	r.progress(s)
	// The context running ends only after Settle, since an executor may still work on a match with finished games.
	running, stop := context.WithCancel(ctx)
	defer stop()
	if err := r.playAll(running, stop, s); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return ErrInterrupted
	}
	if r.Elsewhere != nil {
		return r.Elsewhere.Settle(ctx)
	}
	return nil
}

// prepare returns a schedule of the games that are not finished.
func (r *Runner) prepare(ctx context.Context) (*schedule, error) {
	bots := make(map[string]Bot, len(r.Bots))
	for _, b := range r.Bots {
		bots[b.Identity().Name] = b
	}
	board, err := r.board(ctx)
	if err != nil {
		return nil, err
	}
	s, err := newSchedule(board, bots)
	if err != nil {
		return nil, err
	}
	maps.Copy(s.leaving, r.Leaving)
	if err := r.goOn(ctx, s); err != nil {
		return nil, err
	}
	s.slots, s.elsewhere = r.Slots, newElsewhere(r.Elsewhere)
	for _, e := range r.Event.Participants(s.format) {
		if bots[e.Name] == nil {
			return nil, fmt.Errorf("event %q has no bot for its entry %q", r.Event.Name, e.Name)
		}
	}
	return s, nil
}

func (r *Runner) board(ctx context.Context) (*Scoreboard, error) {
	b := r.Board
	if b == nil {
		b = NewScoreboard(r.Event, r.Format(r.Event))
		err := r.Journal.Finished(ctx, func(g Result) error {
			b.Add(g)
			return ctx.Err()
		})
		if ctx.Err() != nil {
			return nil, ErrInterrupted
		}
		if err != nil {
			return nil, fmt.Errorf("reading the finished games: %w", err)
		}
	}
	b.SetEvent(r.Event)
	return b, nil
}

// goOn passes the interrupted matches to the schedule.
func (r *Runner) goOn(ctx context.Context, s *schedule) error {
	err := r.Journal.Begun(ctx, func(p Pairing) error {
		s.goesOn(p)
		return ctx.Err()
	})
	if ctx.Err() != nil {
		return ErrInterrupted
	}
	if err != nil {
		return fmt.Errorf("reading the matches that have begun: %w", err)
	}
	return nil
}

// playAll plays until nothing is left to play or ctx ends. If the journal fails, playAll stops the
// games in progress and returns the failure.
func (r *Runner) playAll(ctx context.Context, stop context.CancelFunc, s *schedule) (failure error) {
	defer s.interrupt()
	freed, room := s.freed(), s.elsewhere.changed()
	ended := make(chan playedGame)
	s.release()
	for {
		r.startGames(ctx, s, ended)
		if s.idle() && (!r.waits(s) || ctx.Err() != nil) {
			return failure
		}
		select {
		case p := <-ended:
			if p.recording {
				s.played(&p.game)
				break
			}
			other, decided := s.end(&p.game, p.result)
			if p.err != nil && !errors.Is(p.err, ErrInterrupted) {
				failure = errors.Join(failure, p.err)
				stop()
			}
			r.announce(s, p, other, decided)
			s.over(&p.game)
		case <-freed: // startGames tries again
		case <-room:
		case c := <-r.Changes:
			r.change(ctx, s, c)
		case s.paused = <-r.Pauses:
			if r.Watcher != nil {
				r.Watcher.Paused(s.paused)
			}
		case <-r.stopped(ctx, s):
		}
		for _, c := range s.departures() {
			r.change(ctx, s, c)
		}
		s.release()
	}
}

// waits reports whether the event continues although no game is in progress.
func (r *Runner) waits(s *schedule) bool {
	putOff := s.event.Settings.Plan.Open == Closed // the games of absent bots are put off
	return r.Changes != nil && s.total.Open() || (s.paused || s.held || putOff) && s.left()
}

// stopped returns a channel that ends the wait for changes when the run is to stop. It does not end
// the wait for games.
func (r *Runner) stopped(ctx context.Context, s *schedule) <-chan struct{} {
	if !s.idle() {
		return nil
	}
	return ctx.Done()
}

func (r *Runner) change(ctx context.Context, s *schedule, c LineupChange) {
	if ctx.Err() != nil {
		c.Reply <- ErrInterrupted
		return
	}
	if s.postpones(c) {
		s.part(c)
		return
	}
	e, err := s.changed(c)
	if err == nil {
		if err = r.Journal.SetMemberships(context.WithoutCancel(ctx), c.Entry, e.membershipsOf(c.Entry.Name)); err != nil {
			err = fmt.Errorf("%w: %w", ErrNotRecorded, err)
		}
	}
	if err == nil {
		if c.Bot != nil {
			s.bots = maps.Clone(s.bots) // games in progress read the old map
			s.bots[c.Entry.Name] = c.Bot
		} else {
			s.leaving[c.Entry.Name] = c.Free
		}
		s.change(e)
		if r.Watcher != nil {
			r.Watcher.Changed(e)
		}
		r.progress(s)
	}
	c.Reply <- err
}

func (r *Runner) startGames(ctx context.Context, s *schedule, ended chan<- playedGame) {
	before := s.running
	for ctx.Err() == nil {
		g, ok := s.start()
		if !ok {
			break
		}
		work, bots := MatchWork{Event: s.event, Games: []Game{g}, Target: s.target(&g)}, s.bots
		executor := Executor(LocalExecutor{bots, r.Running})
		if s.playedElsewhere(&g) {
			executor, work.Games = s.elsewhere, append(work.Games, s.rest(&g)...)
		}
		go r.play(ctx, executor, work, bots, ended)
	}
	if s.running > before {
		r.progress(s)
	}
}

// playedGame is a game that was started, after its end or its interruption.
type playedGame struct {
	game   Game
	result Result // so far
	seats  []Seat
	err    error
	// recording reports that the game has ended, but is not recorded yet. The same game follows again
	// once it is recorded. Meanwhile bots inside this process play other games, so that one write of
	// the journal can record many games. To a remote bot a game is not over before it is recorded.
	recording bool
}

// play plays the games of a match by an executor, from their last stored plies, and records them.
func (r *Runner) play(ctx context.Context, v Executor, s MatchWork, bots map[string]Bot, ended chan<- playedGame) {
	d := &recorder{runner: r, ctx: ctx, bots: bots, ended: ended, games: s.Games}
	err := d.open(s.Games)
	if err == nil {
		err = v.Play(ctx, s, d)
	}
	for _, p := range d.unfinished() {
		p.err = err
		ended <- p
	}
}

// record records a finished game, and the identities of the bots that played it.
func (r *Runner) record(ctx context.Context, g Game, bots map[string]Bot) error {
	for side, name := range []string{rules.Attacker: g.Record.Attacker, rules.Defender: g.Record.Defender} {
		if bot := bots[name]; bot != nil {
			g.Identities[side] = bot.Identity()
			if err := r.identify(ctx, g.Identities[side]); err != nil {
				return err
			}
		}
	}
	return r.Journal.Finish(ctx, g)
}

// identify records a bot's identity once.
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

// announce tells the seats and the watcher that a game is no longer played. If both games of its match are finished,
// other is the result of the other game and decided is the match; else both are nil.
func (r *Runner) announce(s *schedule, p playedGame, other *Result, decided *MatchResult) {
	result := GameResult{Game: p.game, Summary: p.result.Summary}
	if other != nil {
		result.OtherLeg = &other.Score
	}
	for _, seat := range p.seats {
		seat.Over(result)
	}
	if r.Watcher != nil && p.err == nil {
		r.Watcher.Ended(p.game, p.result, decided)
		r.progress(s)
	}
}

func (r *Runner) progress(s *schedule) {
	if r.Watcher != nil {
		r.Watcher.Progress(Counts{Done: s.games, Playing: s.running, Waiting: len(s.open), Total: s.total})
	}
}
