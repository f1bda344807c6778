package server

import (
	"cmp"
	"context"
	"maps"
	"reflect"
	"slices"
	"sync"
	"time"

	"versus2048/tournament"
	"versus2048/tournament/agenda"
)

// feed publishes the progress and the news of one event. It learns of them as
// the event's tournament.Watcher, and wakes the goroutines that follow the event.
type feed struct {
	mu         sync.Mutex
	now        Progress
	began      time.Time          // when the first game started, or when the last pause ended
	waiting    int                // games that wait for a bot
	doneBefore int                // games that were finished at the time began; -1 until the first game starts
	playing    map[int64]LiveGame // games in progress, by number
	changed    chan struct{}      // closed at the next change

	// Set before the event is played, or nil:
	away    func() []AwayBot           // returns the bots that are disconnected now
	faulted func(f *Faults)            // is called with all faults so far at each fault
	judged  func(r *tournament.Result) // is called with each finished game
	told    func(n News)               // is called with each news that has the progress

	unchecked func(tournament.Event) []UncheckedBot // returns the bots that play on workers without comparison

	board *scoreboard
	news  *newsLog
}

// standingsAge is how old published standings may be while games are played:
// computing them takes time.
const standingsAge = time.Second

// newFeed returns the feed of an event with the finished games of its record.
func newFeed(r *Record) *feed {
	f := &feed{
		now:        Progress{Event: r.event.ID, Name: r.event.Name, State: Waiting, visit: isVisit(r.event)},
		began:      time.Now(),
		doneBefore: -1,
		playing:    map[int64]LiveGame{},
		changed:    make(chan struct{}),
		board:      newScoreboard(r),
		news:       newNewsLog(),
	}
	f.now.count(tournament.Counts{Done: r.games, Total: r.format.Total()})
	f.now.Faults = r.faults
	return f
}

// Progress implements tournament.Watcher. The first call means that the event
// starts or resumes.
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

// Begun implements tournament.Watcher.
func (f *feed) Begun(g tournament.Game) {
	f.update(func(p *Progress) {
		f.playing[g.ID] = LiveGame{p.Event, g, time.Now()}
	})
	n := newNews(f.now.Event, GameStarted)
	n.Game = &GameNews{GameProgress: NewGameProgress(&g)}
	f.news.add(n)
}

// Played implements tournament.Watcher.
func (f *feed) Played(g *tournament.Game, _ tournament.Ply) {
	f.update(func(p *Progress) {
		p.Plies++
		f.playing[g.ID] = LiveGame{p.Event, *g, time.Now()}
	})
}

// isPlaying reports whether games of an event are being played, not one of a visitor.
func (f *feed) isPlaying() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.playing) > 0 && !f.now.visit
}

// Ended implements tournament.Watcher.
func (f *feed) Ended(g tournament.Game, result tournament.Result) {
	var faults *Faults
	f.update(func(p *Progress) {
		delete(f.playing, g.ID)
		p.Done++ // so that the game is always in progress or finished
		p.Faults = p.Faults.plus(&result)
		faults = p.Faults
	})
	if f.faulted != nil && g.Record.Ending.Fault() {
		f.faulted(faults)
	}
	if f.judged != nil {
		f.judged(&result)
	}
	news := gameNews(f.now.Event, &g, &result)
	if m, decided := f.board.add(result); decided {
		news = append(news, matchNews(f.now.Event, &m))
	}
	f.news.add(news...)
}

// Paused implements tournament.Watcher. After a resume, the progress counts time,
// plies and games from now on.
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

// Changed implements tournament.Watcher.
func (f *feed) Changed(e tournament.Event) {
	f.board.setEvent(e)
	f.check(e)
}

// check notes which bots of an event are not checked.
func (f *feed) check(e tournament.Event) (unchecked []UncheckedBot) {
	if f.unchecked == nil {
		return nil
	}
	unchecked = f.unchecked(e)
	f.update(func(p *Progress) { p.Unchecked = unchecked })
	return unchecked
}

// waits publishes that the event waits for its bots, if it is due, or else for its time.
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
		clear(f.playing)
	})
	f.announceState(EventFinished)
}

// update changes the progress and wakes the goroutines that follow it.
func (f *feed) update(change func(p *Progress)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(&f.now)
	close(f.changed)
	f.changed = make(chan struct{})
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
		n.Standings, _ = f.board.standings(0)
	}
	f.told(n)
}

// latest returns the present progress and a channel that is closed when it
// changes.
func (f *feed) latest() (Progress, <-chan struct{}) { return f.look(func(*Progress) {}) }

// detailed is latest with the games in progress at that moment, the standings and the bots.
func (f *feed) detailed() (Progress, <-chan struct{}) {
	p, changed := f.look(func(p *Progress) {
		for _, g := range f.inOrder() {
			p.Games = append(p.Games, NewGameProgress(&g.Game))
		}
	})
	age := standingsAge
	if p.State.Final() {
		age = 0
	}
	p.Standings, _ = f.board.standings(age)
	p.Bots = f.board.participants()
	return p, changed
}

// look returns the present progress and a channel that is closed at the next change. more adds details of the same
// moment.
func (f *feed) look(more func(p *Progress)) (Progress, <-chan struct{}) {
	var away []AwayBot
	if f.away != nil {
		away = f.away()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	p := f.now
	p.Playing = len(f.playing) // the runner does not count games that have ended and are being recorded
	if !p.State.Final() {
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
	return p, f.changed
}

// live returns the games in progress, by number.
func (f *feed) live() []LiveGame {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.inOrder()
}

// inOrder is live for callers that hold the lock.
func (f *feed) inOrder() []LiveGame {
	return slices.SortedFunc(maps.Values(f.playing), func(a, b LiveGame) int { return cmp.Compare(a.ID, b.ID) })
}

// game returns a game in progress. ok is false if no game of that number is in progress.
func (f *feed) game(id int64) (g LiveGame, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	g, ok = f.playing[id]
	return g, ok
}

// final reports whether the event's state is final.
func (f *feed) final() bool {
	now, _ := f.latest()
	return now.State.Final()
}

// awayInterval is the time between two updates about absent bots while nothing else changes.
const awayInterval = time.Second

// follow calls show with the progress after each change and once a second, but at most
// once in each interval, until the state is final. It returns the error of show or ctx.
func (f *feed) follow(ctx context.Context, interval time.Duration, show func(Progress) error) error {
	return follow(ctx, interval, f.latest, show)
}

// followDetails is follow with the details of the progress.
func (f *feed) followDetails(ctx context.Context, interval time.Duration, show func(Progress) error) error {
	return follow(ctx, interval, f.detailed, show)
}

// follow implements both; look reads the progress.
func follow(ctx context.Context, interval time.Duration, look func() (Progress, <-chan struct{}), show func(Progress) error) error {
	for {
		p, changed := look()
		if err := show(p); err != nil || p.State.Final() {
			return err
		}
		waiting, stop := context.WithTimeout(ctx, awayInterval)
		err := waitForChange(waiting, changed, interval)
		stop()
		if err != nil && ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

// awaitPaused waits until the event is paused, or is no longer paused, or its state
// is final.
func (f *feed) awaitPaused(ctx context.Context, paused bool) error {
	for {
		p, changed := f.latest()
		if p.State.Final() || paused == (p.State == Paused) {
			return nil
		}
		if err := receive(ctx, changed); err != nil {
			return err
		}
	}
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
