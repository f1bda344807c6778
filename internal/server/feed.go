package server

import (
	"cmp"
	"context"
	"reflect"
	"slices"
	"sync"
	"time"

	"versus2048/internal/server/roster"
	"versus2048/tournament"
	"versus2048/tournament/agenda"
)

// feed publishes the progress and the news of one event. It learns of them as the event's tournament.Watcher, and wakes
// the goroutines that follow the event.
type feed struct {
	mu         sync.Mutex
	now        Progress
	began      time.Time         // the last of these: the feed was made, the event started or resumed, a pause ended
	waiting    int               // games that wait for a bot
	doneBefore int               // games that were finished at began; -1 until the event starts or resumes
	playing    map[int64]*played // games in progress, by number

	every signal  // of every change, also of each ply
	bots  signal  // of its bots that come and go
	shown signal  // of every change but plies
	arena *signal // as shown, for all events of the arena; may be nil

	// Set before the event is played, or nil:
	away    func() []AwayBot           // returns the bots that are disconnected now
	faulted func()                     // is called at each fault
	judged  func(r *tournament.Result) // is called with each finished game
	told    func(n News)               // is called with each News that has the progress, unless the event is private

	unchecked func(tournament.Event) []UncheckedBot // returns the bots that workers play without a check

	board    *tournament.Scoreboard // is filled by the event's runner
	programs roster.Commands        // of the arena
	news     newsLog
}

// played is a game in progress.
type played struct {
	LiveGame
	moved signal // of each ply, of the end, and of the event's bots that come and go
}

// signal wakes the goroutines that wait for the next change of something. A change that nobody waits for costs nothing.
// The zero value is ready for use.
type signal struct {
	mu   sync.Mutex
	next chan struct{} // nil while nobody waits
}

// changed returns a channel that is closed at the next change.
func (s *signal) changed() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.next == nil {
		s.next = make(chan struct{})
	}
	return s.next
}

// give wakes all goroutines that wait. Nobody waits for a nil signal.
func (s *signal) give() {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.next != nil {
		close(s.next)
		s.next = nil
	}
}

// standingsAge is the largest age of published standings while games are played: computing them takes time.
const standingsAge = time.Second

// newFeed returns the feed of an event with the finished games of its record.
func newFeed(r *Record) *feed {
	e := r.board.Event()
	f := &feed{
		now:        Progress{Event: e.ID, Name: e.Name, State: Waiting, visit: isVisit(e)},
		began:      time.Now(),
		doneBefore: -1,
		playing:    map[int64]*played{},
		board:      r.board,
		programs:   r.programs,
	}
	f.now.count(r.board.Counts())
	return f
}

// Progress is called with the numbers of games. The first call means that the event starts or resumes.
func (f *feed) Progress(c tournament.Counts) {
	starts := false
	f.update(func(p *Progress) {
		if starts = f.doneBefore < 0; starts {
			// The time spent waiting for the bots does not count.
			f.doneBefore, f.began, p.State = c.Done, time.Now(), Running
		}
		f.waiting = c.Waiting
		p.count(c)
	})
	if starts {
		f.announceState(EventStarted)
	}
}

func (f *feed) Begun(g tournament.Game) {
	f.update(func(p *Progress) {
		f.playing[g.ID] = &played{LiveGame: LiveGame{Event: p.Event, Game: g, Since: time.Now()}}
	})
	n := newNews(f.now.Event, GameStarted)
	n.Game = &GameNews{GameProgress: NewGameProgress(&g)}
	f.news.add(n)
}

func (f *feed) Played(g *tournament.Game, _ tournament.Ply) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.now.Plies++
	game := f.playing[g.ID]
	game.Game, game.Since = *g, time.Now()
	game.moved.give()
	f.every.give()
}

// isPlaying reports whether games of the event are being played, and no visitor plays in it.
func (f *feed) isPlaying() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.playing) > 0 && !f.now.visit
}

func (f *feed) Ended(g tournament.Game, result tournament.Result, decided *tournament.MatchResult) {
	f.update(func(p *Progress) {
		f.drop(g.ID)
		p.Done++ // so that the game is always in progress or finished
	})
	if f.faulted != nil && g.Record.Ending.Fault() {
		f.faulted()
	}
	if f.judged != nil {
		f.judged(&result)
	}
	news := gameNews(f.now.Event, &g, &result)
	if decided != nil {
		news = append(news, matchNews(f.now.Event, decided))
	}
	f.news.add(news...)
}

// Paused is called when the event is paused or resumed. After a resume the progress counts time, plies and games anew.
func (f *feed) Paused(paused bool) {
	state, kind := Running, EventResumed
	if paused {
		state, kind = Paused, EventPaused
	}
	f.update(func(p *Progress) {
		p.State = state
		if !paused {
			f.doneBefore, f.began, p.Plies = p.Done, time.Now(), 0
		}
	})
	f.announceState(kind)
}

func (f *feed) Changed(e tournament.Event) { f.check(e) }

// check publishes and returns the bots of an event that workers play without a check.
func (f *feed) check(e tournament.Event) (unchecked []UncheckedBot) {
	if f.unchecked == nil {
		return nil
	}
	unchecked = f.unchecked(e)
	f.update(func(p *Progress) { p.Unchecked = unchecked })
	return unchecked
}

// waits publishes that the event waits: for its bots if the event is due, and else for its time.
func (f *feed) waits(a *agenda.Appointment, due bool) {
	state := Scheduled
	if due {
		state = Queued
	}
	if now, _ := f.latest(); now.State == state && reflect.DeepEqual(now.Queue, a) {
		return
	}
	f.update(func(p *Progress) { p.State, p.Queue = state, a })
}

// end publishes the final state.
func (f *feed) end(state State, message string) {
	f.update(func(p *Progress) {
		p.Elapsed = Millis(time.Since(f.began))
		p.State, p.Message, p.Playing, p.Queue = state, message, 0, nil
		for id := range f.playing {
			f.drop(id)
		}
	})
	f.announceState(EventFinished)
}

// drop removes a game that is no longer in progress. The caller holds the lock.
func (f *feed) drop(id int64) {
	if game := f.playing[id]; game != nil {
		game.moved.give()
	}
	delete(f.playing, id)
}

// update changes the progress and wakes the goroutines that follow it.
func (f *feed) update(change func(p *Progress)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(&f.now)
	f.every.give()
	f.shown.give()
	f.arena.give()
}

// moved wakes the goroutines that follow the event or one of its games, because a bot of the event has come or gone.
func (f *feed) moved() {
	f.update(func(*Progress) {
		for _, game := range f.playing {
			game.moved.give()
		}
	})
	f.bots.give()
}

// announceState adds news with the present progress.
func (f *feed) announceState(kind NewsType) {
	now, _ := f.latest()
	n := newNews(now.Event, kind)
	n.Progress = &now
	f.news.add(n)
	if f.told == nil || now.private() {
		return
	}
	if kind == EventFinished {
		n.Standings, _ = f.board.Standings(0)
	}
	f.told(n)
}

// latest returns the present progress and a channel that is closed when it changes.
func (f *feed) latest() (Progress, <-chan struct{}) { return f.look(func(*Progress) {}) }

// detailed is latest with the games in progress at that moment, the standings and the bots.
func (f *feed) detailed() (Progress, <-chan struct{}) {
	p, changed := f.look(func(p *Progress) {
		for _, g := range f.inOrder() {
			p.Games = append(p.Games, NewGameProgress(&g.Game))
		}
	})
	age := standingsAge
	if p.State.Ended() {
		age = 0
	}
	p.Standings, _ = f.board.Standings(age)
	p.Bots = participants(f.board.Event(), f.programs)
	return p, changed
}

// look returns the present progress and a channel that is closed at the next change. more adds details of the same
// moment.
func (f *feed) look(more func(p *Progress)) (Progress, <-chan struct{}) {
	var away []AwayBot
	if f.away != nil {
		away = f.away()
	}
	faults := f.board.Faults()
	f.mu.Lock()
	defer f.mu.Unlock()
	p := f.now
	p.Faults = faults
	p.Playing = len(f.playing) // the runner does not count games that have ended and are being recorded
	if !p.State.Ended() {
		p.Away = away
		p.Elapsed = Millis(time.Since(f.began))
	}
	if f.doneBefore >= 0 {
		p.Played = p.Done - f.doneBefore
	}
	if p.State == Running && p.Played > 0 && p.Total > p.Done {
		p.Left = p.Elapsed / Millis(p.Played) * Millis(p.Total-p.Done)
	}
	more(&p)
	return p, f.every.changed()
}

// live returns the games in progress, by number.
func (f *feed) live() []LiveGame {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.inOrder()
}

// inOrder is live for callers that hold the lock.
func (f *feed) inOrder() (all []LiveGame) {
	for _, game := range f.playing {
		all = append(all, game.LiveGame)
	}
	slices.SortFunc(all, func(a, b LiveGame) int { return cmp.Compare(a.ID, b.ID) })
	return all
}

// game returns a game in progress, with its signal. ok is false if no game of that number is in progress.
func (f *feed) game(id int64) (g LiveGame, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	game := f.playing[id]
	if game == nil {
		return g, false
	}
	g = game.LiveGame
	g.Changed = game.moved.changed()
	return g, true
}

// final reports whether the event's state is final.
func (f *feed) final() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.now.State.Ended()
}

// A follower gets the progress again even if nothing changes: after beatInterval, so that proxies keep the follower's
// connection, or after awayInterval while the time of an absent bot runs.
const (
	awayInterval = time.Second
	beatInterval = 10 * time.Second
)

// follow calls show with the progress that look returns, after each change but at most once in each interval, until the
// state is final. It returns the error of show or ctx.
func follow(ctx context.Context, interval time.Duration, look func() (Progress, <-chan struct{}), show func(Progress) error) error {
	for {
		p, changed := look()
		if err := show(p); err != nil || p.State.Ended() {
			return err
		}
		patience := beatInterval
		if slices.ContainsFunc(p.Away, func(b AwayBot) bool { return b.Left > 0 }) {
			patience = awayInterval
		}
		waiting, stop := context.WithTimeout(ctx, patience)
		err := waitForChange(waiting, changed, interval)
		stop()
		if err != nil && ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

// await waits until the event is over or its progress is as wanted.
func (f *feed) await(ctx context.Context, wanted func(p *Progress) bool) error {
	for {
		p, changed := f.latest()
		if p.State.Ended() || wanted(&p) {
			return nil
		}
		if err := receive(ctx, changed); err != nil {
			return err
		}
	}
}

// awaitEnd waits until the event is over.
func (f *feed) awaitEnd(ctx context.Context) error {
	return f.await(ctx, func(*Progress) bool { return false })
}

// waitForChange waits until changed is closed, and at least for interval.
func waitForChange(ctx context.Context, changed <-chan struct{}, interval time.Duration) error {
	pause := time.After(interval)
	if err := receive(ctx, changed); err != nil {
		return err
	}
	return receive(ctx, pause)
}

// receive waits until c is closed or yields a value, or ctx ends.
func receive[T any](ctx context.Context, c <-chan T) error {
	select {
	case <-c:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
