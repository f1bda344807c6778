package server

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"versus2048/internal/server/gate"
	"versus2048/protocol"
	"versus2048/tournament"
)

// openLadder lets bots that connect join an open ladder by themselves. It removes bots that stay away or have too many
// faults. See docs/adr/0022-sharing.md.
type openLadder struct {
	run    *run
	lineup *lineup
	log    *slog.Logger
	calm   *slog.Logger // for bots that cannot join: each of them tries every minute

	mu        sync.Mutex
	moving    map[string]chan struct{}       // of bots that are joining or leaving; closed when they have joined or left
	dismissed map[string]bool                // bots that only an operator lets in again
	struck    map[string]tournament.Identity // the identity of a bot when it had too many faults
	refused   map[string]time.Time           // when a bot last could not join
	returns   map[string]*rate.Limiter       // the limits for further joins, by bot
	shut      bool
	moves     sync.WaitGroup
}

const (
	lookInterval = 100 * time.Millisecond // the shortest time between two looks
	refusedFor   = time.Minute            // until a bot that could not join is tried again
	joinsAtOnce  = 5                      // the number of joins that a bot may make in a row
	joinsEvery   = time.Minute            // the time until a bot may make one more; each join is recorded
)

func newOpenLadder(r *run, l *lineup) *openLadder {
	event := r.feed.now.Event
	return &openLadder{
		run: r, lineup: l, log: r.host.log.With("event", event), calm: gate.CalmLog(r.host.log).With("event", event),
		moving: map[string]chan struct{}{}, dismissed: map[string]bool{},
		struck: map[string]tournament.Identity{}, refused: map[string]time.Time{}, returns: map[string]*rate.Limiter{},
	}
}

// open lets bots join and leave until ctx ends or shut is called. shut waits for the bots that are joining or leaving.
func (d *openLadder) open(ctx context.Context) (shut func()) {
	done := keepLooking(ctx, &d.run.host.runs.changes, d.watch)
	return func() {
		done()
		d.mu.Lock()
		d.shut = true
		d.mu.Unlock()
		d.moves.Wait()
	}
}

// watch lets bots join and leave, and makes the event try to start games: a bot that was away at the last try may be
// back. due is the time until the next call of watch if nothing changes before, 0 for no call.
func (d *openLadder) watch(ctx context.Context) (due time.Duration) {
	d.lineup.stay.Allocation.Wake()
	present, due := d.lineup.attendances()
	d.look(ctx, present)
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, last := range d.refused {
		due = sooner(due, max(time.Millisecond, time.Until(last.Add(refusedFor))))
	}
	return due
}

// look lets bots leave and join.
func (d *openLadder) look(ctx context.Context, present map[string]tournament.Presence) {
	d.forget()
	e := d.run.feed.board.Event()
	left := e.Left()
	for _, entry := range e.Entries {
		switch is, connects := present[entry.Name]; {
		case left[entry.Name]:
		case d.isDismissed(entry.Name):
			d.leave(ctx, entry.Name, "an operator dismissed it")
		case d.run.feed.board.StruckOut(entry.Name):
			d.strike(entry.Name) // at once: the bot may come back as another version before it has left
			d.leave(ctx, entry.Name, "it has too many faults")
		case connects && entry.Spec == "" && is == tournament.Gone:
			d.leave(ctx, entry.Name, "it is away")
		case connects && d.lineup.suits(entry) != nil: // it has come back as another version
			d.leave(ctx, entry.Name, "it does not play such games")
		}
	}
	for _, hello := range d.run.host.roster.Visible() {
		if d.admits(&e, left, hello) {
			d.join(ctx, hello.Name)
		}
	}
}

// forget removes old notes about bots that could not join, and about joins that no longer count against a limit. If
// these notes stayed, a client that reconnects under ever new names would fill the memory.
func (d *openLadder) forget() {
	d.mu.Lock()
	defer d.mu.Unlock()
	maps.DeleteFunc(d.refused, func(_ string, last time.Time) bool { return time.Since(last) >= refusedFor })
	maps.DeleteFunc(d.returns, func(_ string, joins *rate.Limiter) bool { return joins.Tokens() >= joinsAtOnce })
}

// admits reports whether a connected bot is to join. left are the bots of the event that have left it.
func (d *openLadder) admits(e *tournament.Event, left map[string]bool, hello protocol.Hello) bool {
	_, known := e.Entry(hello.Name)
	switch plan := &e.Settings.Plan; {
	case known && !left[hello.Name], !plan.Open.Admits(hello.Token != ""), d.keepsOut(hello):
		return false
	case !known && len(e.Entries) >= plan.MostBots():
		d.refuse(hello.Name, fmt.Errorf("the ladder has had %d bots, as many as it may have", len(e.Entries)))
		return false
	case !known:
		if other, alike := looksLike(e, hello.Name); alike {
			d.refuse(hello.Name, fmt.Errorf("the name looks like %q", other))
			return false
		}
	}
	if !d.mayJoin(hello.Name) {
		d.refuse(hello.Name, fmt.Errorf("it joins and leaves too often: it may join again after %v", joinsEvery))
		return false
	}
	return true
}

// mayJoin reports whether a bot may join now, and counts the join.
func (d *openLadder) mayJoin(name string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	joins := d.returns[name]
	if joins == nil {
		joins = rate.NewLimiter(rate.Every(joinsEvery), joinsAtOnce)
		d.returns[name] = joins
	}
	return joins.Allow()
}

// looksLike returns a bot of the event with a name that people would confuse with this one.
func looksLike(e *tournament.Event, name string) (other string, alike bool) {
	i := slices.IndexFunc(e.Entries, func(entry tournament.Entry) bool { return protocol.AlikeNames(entry.Name, name) })
	if i < 0 {
		return "", false
	}
	return e.Entries[i].Name, true
}

// keepsOut reports whether a bot may not join: an operator has dismissed it, it has too many faults, it could not join
// a moment ago, or it is joining or leaving now. A bot with too many faults may come back as another version of itself.
func (d *openLadder) keepsOut(hello protocol.Hello) bool {
	struckOut := d.run.feed.board.StruckOut(hello.Name)
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, refused := d.refused[hello.Name]; refused {
		return true
	}
	if d.moving[hello.Name] != nil || d.dismissed[hello.Name] {
		return true
	}
	if !struckOut {
		return false
	}
	now := tournament.Identity{Name: hello.Name, Version: hello.Version, Author: hello.Author, Spec: hello.Spec}
	then, known := d.struck[hello.Name]
	if !known { // the ladder was resumed after the bot had too many faults
		d.struck[hello.Name] = now
	}
	return !known || then == now
}

// strike notes the version of a bot that has too many faults. It keeps an earlier note until the bot joins again: the
// next version may connect while the bot still finishes its match.
func (d *openLadder) strike(name string) {
	s := d.lineup.slot(name)
	if s == nil || !d.run.feed.board.StruckOut(name) {
		return
	}
	now := d.lineup.remote(name, s).Identity()
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, noted := d.struck[name]; !noted {
		d.struck[name] = now
	}
}

// forgive forgets the version of a bot that had too many faults: the bot has joined again.
func (d *openLadder) forgive(name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.struck, name)
}

// refuse notes that a bot cannot join now.
func (d *openLadder) refuse(name string, why error) {
	d.mu.Lock()
	d.refused[name] = time.Now()
	d.mu.Unlock()
	d.calm.Warn("bot cannot join the open ladder", "bot", name, "why", why)
}

// move calls do, which makes a bot join or leave, in the background. It calls nothing if the bot is joining or
// leaving already, or if the ladder is shut.
func (d *openLadder) move(name string, do func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.moving[name] != nil || d.shut {
		return
	}
	d.moving[name] = make(chan struct{})
	d.moves.Go(func() {
		defer d.settle(name)
		do()
	})
}

// settle notes that a bot has joined or left, and makes watch look again: the bot may have been dismissed meanwhile.
func (d *openLadder) settle(name string) {
	defer d.run.host.runs.changes.give()
	d.mu.Lock()
	defer d.mu.Unlock()
	close(d.moving[name])
	delete(d.moving, name)
}

// readmit prepares a join that an operator asks for. If the bot is joining or leaving, readmit waits until that is
// over, and returns ctx's error if ctx ends first. Without an error, the caller calls settle when its own join is over.
// back reports whether the bot was dismissed but has not left: it then takes part as before.
func (d *openLadder) readmit(ctx context.Context, name string) (back bool, err error) {
	for {
		d.mu.Lock()
		moved := d.moving[name]
		if moved == nil {
			d.moving[name] = make(chan struct{})
			e := d.run.feed.board.Event()
			_, known := e.Entry(name)
			back = d.dismissed[name] && known && e.Present(name)
			delete(d.dismissed, name)
			delete(d.refused, name)
			d.mu.Unlock()
			return back, nil
		}
		d.mu.Unlock()
		if err := receive(ctx, moved); err != nil {
			return false, err
		}
	}
}

// isDismissed reports whether an operator keeps a bot out.
func (d *openLadder) isDismissed(name string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.dismissed[name]
}

func (d *openLadder) join(ctx context.Context, name string) {
	d.move(name, func() {
		l, entry := d.lineup, tournament.Entry{Name: name}
		err := l.take(entry)
		if err == nil {
			if err = l.join(ctx, entry); err != nil {
				l.release(name)
			}
		}
		switch {
		case err == nil:
			d.forgive(name)
			d.log.Info("bot joined the open ladder", "bot", name)
		case ctx.Err() == nil:
			d.refuse(name, err)
		}
	})
}

// leave lets a bot leave once it has played the matches that it has begun. The other matches that it was given are
// void.
func (d *openLadder) leave(ctx context.Context, name, why string) {
	d.move(name, func() {
		l, free := d.lineup, make(chan struct{})
		if err := l.change(ctx, tournament.LineupChange{Entry: tournament.Entry{Name: name}, Free: free}); err != nil {
			return // the event ends, or openLadder tries again soon
		}
		d.strike(name) // the fault in its last match may have been the one too many
		if l.releaseAfter(free, name) {
			d.log.Info("bot left the open ladder", "bot", name, "why", why)
		}
	})
}

// dismiss makes a bot leave because an operator asks for it, and keeps the bot out until an operator lets it join, or
// until the ladder is resumed. It returns a *RequestError if the bot does not take part.
func (d *openLadder) dismiss(name string) error {
	e := d.run.feed.board.Event()
	_, known := e.Entry(name)
	d.mu.Lock()
	known = known || d.moving[name] != nil
	if known {
		d.dismissed[name] = true
	}
	d.mu.Unlock()
	switch {
	case !known:
		return &RequestError{fmt.Errorf("bot %q does not take part in event %d", name, e.ID)}
	case e.Present(name):
		d.leave(d.lineup.playing, name, "an operator dismissed it")
	}
	return nil // a bot that is joining now leaves once it has joined
}

// excludesForGood reports whether strikes may exclude bots that would be paired without end. That is so in a closed
// ladder with strikes and without an end.
func excludesForGood(e *tournament.Event) bool {
	return e.Settings.Plan.Kind == tournament.Ladder && e.Matches == 0 && e.FormatStrikes().Faults > 0
}

// partWith lets a bot leave an event that is no open ladder. The bot is released in the background after its last
// match.
func (r *run) partWith(ctx context.Context, name string) error {
	h, l, free := r.host, r.lineup.Load(), make(chan struct{})
	if err := l.change(ctx, tournament.LineupChange{Entry: tournament.Entry{Name: name}, Free: free}); err != nil {
		return err
	}
	h.runs.mu.Lock()
	defer h.runs.mu.Unlock()
	if !h.runs.closed { // else the end of the event releases all bots
		h.runs.active.Go(func() { l.releaseAfter(free, name) })
	}
	return nil
}

// partWithExcluded makes bots that strikes have excluded leave the event, in the background until done is called. A
// ladder without an end would give such a bot match after match: the bot would lose each match as a walkover, its
// rating would stay the least certain one, and soon hardly any match would be left for other bots. The journal records
// that the bots leave, so that a resumed ladder gets the same pairings. A ladder that was recorded by an earlier
// version goes on without these bots.
func (r *run) partWithExcluded(ctx context.Context) (done func()) {
	return keepLooking(ctx, &r.feed.shown, r.partWithAll)
}

// partWithAll makes all bots that strikes have excluded leave the event. If a bot cannot leave now, due is the time
// until the next try.
func (r *run) partWithAll(ctx context.Context) (due time.Duration) {
	e := r.feed.board.Event()
	for name := range r.feed.board.SetAside() {
		switch {
		case !e.Present(name):
		case r.partWith(ctx, name) != nil:
			due = lookInterval
		default:
			r.host.log.Info("bot left the ladder", "event", r.event.ID, "bot", name, "why", "it has too many faults")
		}
	}
	return due
}

// keepLooking calls look in the background until ctx ends or done is called: at once, after each change, and when the
// time that look returned is over. A time of 0 stands for no such call. Two calls are at least lookInterval apart. done
// waits for the end of the last call.
func keepLooking(ctx context.Context, changes *signal, look func(context.Context) (due time.Duration)) (done func()) {
	ctx, cancel := context.WithCancel(ctx)
	var looking sync.WaitGroup
	looking.Go(func() {
		for ctx.Err() == nil {
			changed, pause, over := changes.changed(), time.After(lookInterval), (<-chan time.Time)(nil)
			if due := look(ctx); due > 0 {
				over = time.After(due)
			}
			select {
			case <-changed:
			case <-over:
			case <-ctx.Done():
			}
			_ = receive(ctx, pause) // the loop sees the end of ctx
		}
	})
	return func() {
		cancel()
		looking.Wait()
	}
}
