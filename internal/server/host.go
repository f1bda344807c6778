package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"versus2048/internal/server/metrics"
	"versus2048/internal/server/roster"
	"versus2048/internal/server/trouble"
	"versus2048/tournament"
	"versus2048/tournament/agenda"
	"versus2048/tournament/format"
)

// host starts, resumes, pauses and stops events, and lets bots join and leave them.
type host struct {
	*entrants
	runs    *runs
	store   Store
	agenda  Agenda
	queue   *queue
	metrics *metrics.Metrics
	log     *slog.Logger
	watch   *trouble.Watch
	told    func(News) // is called with the news of all events; may be nil

	bots signal // of bots that come and go, or that an event takes or releases
	seen signal // of changes of the bots' accounts, and of bots that come, go or are turned away

	extensions atomic.Uint64 // the number of changes that gave an event more matches, or voided a match
	unrecorded atomic.Int64  // the number of events and games without a record so far
}

var (
	errShutdown = errors.New("the arena is shutting down")
	errNotOpen  = errors.New("the arena is not open yet: call Serve first")
)

// Start records a new event, starts to play it and returns its number. After a restart the arena plays the rest of the
// event.
func (h *host) Start(ctx context.Context, asked tournament.Event) (int64, error) {
	return h.startOn(ctx, asked, h.agenda)
}

// startOn is Start with the event on the given agenda.
func (h *host) startOn(ctx context.Context, asked tournament.Event, on Agenda) (int64, error) {
	if err := h.runs.ready(); err != nil { // before the event is recorded: a restart would play it
		return 0, err
	}
	e, err := h.Resolve(asked)
	if err != nil {
		return 0, &RequestError{err}
	}
	// Take the bots first, so that an event that cannot start is not recorded.
	recorded := h.record(e)
	l, err := newLineup(h.entrants, e, recorded.board.Participants())
	if err != nil {
		return 0, &RequestError{err}
	}
	item, err := h.plan(ctx, e, on)
	if err != nil {
		l.releaseAll()
		return 0, fmt.Errorf("recording the event: %w", err)
	}
	l.setEvent(item.Event)
	recorded.board.SetID(item.Event)
	h.runs.mu.Lock()
	defer h.runs.mu.Unlock()
	return item.Event, h.play(l, recorded, item)
}

// Resume resumes a recorded event, or one that is paused. If the event is running, waiting in the queue or finished,
// Resume does nothing.
func (h *host) Resume(ctx context.Context, id int64) error {
	if err := h.runs.ready(); err != nil {
		return err
	}
	if r := h.runs.current(id); r != nil {
		return r.setPaused(ctx, false)
	}
	for {
		before := h.extensions.Load()
		recorded, err := h.playable(ctx, id)
		if err != nil {
			return err
		}
		h.runs.mu.Lock()
		if h.extensions.Load() == before {
			defer h.runs.mu.Unlock()
			return h.resumeRecorded(ctx, recorded)
		}
		h.runs.mu.Unlock() // the event may have more matches now
	}
}

// playable reads an event and its finished games. It returns a *RequestError if the event cannot be played.
func (h *host) playable(ctx context.Context, id int64) (*Record, error) {
	e, err := h.store.Event(ctx, id)
	if err != nil {
		return nil, refused(err)
	}
	// An earlier version may have imported an event that cannot be played.
	if err := cmp.Or(format.Validate(e), h.allowed.CheckEvent(e)); err != nil {
		return nil, &RequestError{fmt.Errorf("event %d cannot be resumed: %w", id, err)}
	}
	return h.recorded(ctx, e, h.store.Results)
}

// resumeRecorded resumes an event from its record. The caller holds runs.mu.
func (h *host) resumeRecorded(ctx context.Context, recorded *Record) error {
	e := recorded.board.Event()
	id := e.ID
	if r := h.runs.byEvent[id]; r != nil && !r.feed.final() {
		return nil
	}
	if recorded.board.Over() {
		h.runs.begin(completeRun(recorded))
		h.runs.keep(id)
		return h.agenda.Drop(ctx, id)
	}
	item, err := h.queue.itemOf(ctx, id)
	if err != nil {
		return err
	}
	if item.CarriesSeries() {
		return &RequestError{fmt.Errorf("event %d has not begun, and the rest of its series follows it: let it wait in the queue, with --queue, or cancel it first, which ends the series", id)}
	}
	if err := h.runs.playingOf(item.Series); err != nil {
		return &RequestError{fmt.Errorf("%w: let it wait in the queue, with --queue", err)}
	}
	l, err := newLineup(h.entrants, e, recorded.board.Participants())
	if err != nil {
		return &RequestError{err}
	}
	item = item.Begun()
	item.Wanted = agenda.Running
	if item, err = h.agenda.Note(ctx, item); err != nil {
		l.releaseAll()
		return err
	}
	return h.play(l, recorded, item)
}

// extend gives a recorded event more matches of each pairing; it never takes any away. It returns a *RequestError if
// the event is being played or in the queue, or if its format cannot have more matches: see extendable.
func (h *host) extend(ctx context.Context, id int64, matches int) error {
	e, err := h.store.Event(ctx, id)
	if err != nil {
		return refused(err)
	}
	if err := extendable(e, matches); err != nil {
		return &RequestError{fmt.Errorf("event %d cannot have %d matches: %w", id, matches, err)}
	}
	return h.amend(id, func() error { return h.store.Extend(ctx, id, matches) })
}

// amend calls change, which changes the recorded matches of an event, and forgets the event's earlier run. It returns
// an error if the event is being played or in the queue.
func (h *host) amend(id int64, change func() error) error {
	played := &RequestError{fmt.Errorf("event %d is being played, or in the queue: its matches can be changed when it is over or stopped", id)}
	return h.runs.unlessPlaying(id, played, func(*run) error {
		if err := change(); err != nil {
			return err
		}
		h.extensions.Add(1)
		h.runs.forget(id)
		return nil
	})
}

// ReplayMatch voids a match that was lost by a fault. The event goes on and plays the match again, at once or when its
// bots are free. If the event is being played, ReplayMatch first interrupts it. If the match then cannot be voided, the
// event goes on, too, unless the event was paused. ReplayMatch returns a *RequestError if the event waits in the queue,
// or if the match cannot be voided.
func (h *host) ReplayMatch(ctx context.Context, id int64, match int) error {
	if err := h.store.Voidable(ctx, id, match); err != nil {
		return refused(err)
	}
	ctx = context.WithoutCancel(ctx) // an event that is interrupted here has to go on, even if the client goes away
	r := h.runs.current(id)
	goesOn := r != nil && r.wanted()
	if r != nil {
		if err := r.interrupt(ctx); err != nil {
			return err
		}
	}
	if err := h.void(ctx, id, match); err != nil {
		if goesOn {
			r.playOn(ctx)
		}
		return err
	}
	err := h.Resume(ctx, id)
	if err != nil && h.queue.requeue(ctx, id) == nil {
		return nil
	}
	if err != nil {
		return &RequestError{fmt.Errorf("match %d of event %d is voided, but the event does not go on; resume it (arena event resume): %w", match, id, err)}
	}
	return nil
}

// void voids a match of an event that is not being played.
func (h *host) void(ctx context.Context, id int64, match int) error {
	err := h.amend(id, func() error {
		if err := h.store.Voidable(ctx, id, match); err != nil { // the event may have gone on since ReplayMatch asked
			return refused(err)
		}
		return h.store.Void(ctx, id, match, time.Now())
	})
	if err == nil {
		h.log.Info("match is voided", "event", id, "match", match)
	}
	return err
}

// extendable returns an error if an event cannot have that number of matches of each pairing. Only a round-robin and a
// gauntlet can have more than they began with: in other formats the pairings, or the end, depend on results.
func extendable(e tournament.Event, matches int) error {
	switch e.Settings.Plan.Kind {
	case "", tournament.RoundRobin, tournament.Gauntlet:
	default:
		return errors.New("only a round-robin or a gauntlet can be extended")
	}
	e.Matches = max(e.Matches, matches)
	return format.Validate(e)
}

// play starts to play an event in the background. recorded has the event's finished games. If play returns an error, it
// has released the bots. The caller holds runs.mu.
func (h *host) play(l *lineup, recorded *Record, item agenda.Item) error {
	r, err := h.startRun(recorded, item)
	if err != nil {
		l.releaseAll()
		return err
	}
	r.admit(l)
	return nil
}

// Pause stops new games of an event from starting.
func (h *host) Pause(ctx context.Context, id int64) error {
	r, err := h.runs.existing(id)
	if err != nil {
		return err
	}
	return r.setPaused(ctx, true)
}

// Stop interrupts an event, or takes it out of the queue, and waits until it has stopped. If the event is on the agenda
// but not being played, such as one that has failed, Stop only notes that a restart is not to resume it. Stop returns a
// *RequestError for any other event.
func (h *host) Stop(ctx context.Context, id int64) error {
	r, err := h.runs.existing(id)
	if err != nil {
		return h.strikeOff(ctx, id, err)
	}
	if now, _ := r.feed.latest(); now.State.Ended() {
		return h.strikeOff(ctx, id, &RequestError{fmt.Errorf("event %d is not being played: it is %s", id, now.State)})
	}
	r.giveUp(ctx)
	r.cancel(context.Canceled)
	return r.feed.awaitEnd(ctx)
}

// Join adds a bot to a ladder or a Swiss event that is being played. In a Swiss event the bot plays from the next round
// on. bot is a bot to start (SPEC or NAME=SPEC), or the name of a connected bot, of a program of the host or of a bot
// that has left the ladder.
func (h *host) Join(ctx context.Context, id int64, bot string) error {
	r, err := h.runs.playing(id)
	if err != nil {
		return err
	}
	if err := r.feed.board.Joinable(); err != nil {
		return &RequestError{err}
	}
	l := r.lineup.Load()
	if r.openLadder != nil {
		name, _ := roster.SplitName(bot)
		back, err := r.openLadder.readmit(ctx, name)
		if err != nil {
			return err
		}
		defer r.openLadder.settle(name)
		if back {
			return nil
		}
	}
	entry, err := h.joiningEntry(ctx, id, bot)
	if err != nil {
		return err
	}
	if _, excluded := r.feed.board.SetAside()[entry.Name]; excluded {
		return &RequestError{fmt.Errorf("bot %q has too many faults: the strikes of event %d exclude it for good; start another ladder with it", entry.Name, id)}
	}
	if err := l.take(entry); err != nil {
		return &RequestError{err}
	}
	if err := l.join(ctx, entry); err != nil {
		l.release(entry.Name)
		return unlessOurs(err)
	}
	if r.openLadder != nil {
		r.openLadder.forgive(entry.Name)
	}
	return nil
}

// joiningEntry returns the entry of a bot that wants to join an event.
func (h *host) joiningEntry(ctx context.Context, id int64, bot string) (tournament.Entry, error) {
	e, err := h.store.Event(ctx, id)
	if err != nil {
		return tournament.Entry{}, refused(err)
	}
	if entry, known := e.Entry(bot); known {
		switch {
		case e.Present(bot):
			return entry, &RequestError{fmt.Errorf("bot %q takes part in event %d already", bot, id)}
		case e.Settings.Plan.Kind != tournament.Ladder:
			return entry, &RequestError{fmt.Errorf("bot %q has left event %d: a bot can come back only to a ladder", bot, id)}
		}
		return entry, nil
	}
	if err := h.allowed.Check(bot); err != nil {
		return tournament.Entry{}, &RequestError{err}
	}
	entry, err := h.resolver().NewEntry(bot, e)
	if err != nil {
		return entry, &RequestError{err}
	}
	// A bot that has left keeps its entry and its results: another bot must not get them.
	before, known := e.Entry(entry.Name)
	switch {
	case known && before.Spec != entry.Spec:
		return entry, &RequestError{fmt.Errorf("event %d has another bot named %q: give this one another name (NAME=SPEC), or let the other one join with its name alone", id, entry.Name)}
	case known:
		return entry, nil
	}
	if other, alike := looksLike(&e, entry.Name); alike {
		return entry, &RequestError{fmt.Errorf("bot %q: its name looks like %q, another bot of event %d: give it another one (NAME=SPEC)", entry.Name, other, id)}
	}
	e.Entries = append(e.Entries, entry)
	if err := format.Validate(e); err != nil {
		return entry, &RequestError{err}
	}
	return entry, nil
}

// Leave removes a bot from an event that is being played. The bot first plays or loses the matches that it has begun,
// and in a closed ladder also the other matches that it was given. Then its slot is released. An open ladder keeps the
// bot out until Join lets it in again, or until the ladder is resumed.
func (h *host) Leave(ctx context.Context, id int64, name string) error {
	r, err := h.runs.playing(id)
	if err != nil {
		return err
	}
	if r.openLadder != nil {
		return r.openLadder.dismiss(name)
	}
	if err := r.partWith(ctx, name); err != nil {
		return unlessOurs(err)
	}
	return nil
}

// Resolve returns an event as Start would record it, or an error if the event cannot be played. Resolve opens no file
// that the event's bots may not open.
func (h *host) Resolve(e tournament.Event) (tournament.Event, error) {
	if err := h.allowed.CheckEvent(e); err != nil {
		return e, err
	}
	e, err := h.resolver().Resolve(e, h.roster.Grace)
	e.Settings.Programs = h.programsOf(e)
	return e, err
}

// Extensions returns the number of changes that gave a recorded event more matches, or voided a match. An event that
// was read before the last such change may be out of date.
func (h *host) Extensions() uint64 { return h.extensions.Load() }

// plan records a new event that begins at once. An event that is to have no record only gets a number below 0.
func (h *host) plan(ctx context.Context, e tournament.Event, on Agenda) (agenda.Item, error) {
	if e.Settings.Unrecorded {
		return agenda.Item{Event: -h.unrecorded.Add(1)}, nil
	}
	return on.Plan(ctx, e, agenda.Item{Wanted: agenda.Running})
}

// journalled calls play with the journal of an event, and writes the journal. An event without a record has a
// noJournal.
func (h *host) journalled(ctx context.Context, event int64, play func(context.Context, tournament.Journal) error) error {
	if event < 0 {
		return play(ctx, noJournal{&h.unrecorded})
	}
	return h.store.Record(ctx, event, play)
}

// An event without a record (see tournament.Settings.Unrecorded) has a number below 0, and so have its games. Nothing
// about it is written, so it is in no list, on no page and in no rating, and is lost when the arena ends.

// noJournal is the journal of an event without a record: it only numbers the games.
type noJournal struct{ last *atomic.Int64 }

func (n noJournal) Open(_ context.Context, g tournament.Game) (tournament.Game, error) {
	g.ID = -n.last.Add(1)
	return g, nil
}

func (noJournal) Append(int64, tournament.Ply)                                  {}
func (noJournal) Finish(context.Context, tournament.Game) error                 { return nil }
func (noJournal) Finished(context.Context, func(tournament.Result) error) error { return nil }
func (noJournal) Begun(context.Context, func(tournament.Pairing) error) error   { return nil }
func (noJournal) SetMemberships(context.Context, tournament.Entry, []tournament.Membership) error {
	return nil
}
func (noJournal) Identify(context.Context, tournament.Identity) error { return nil }
func (noJournal) TakesPart(int64, tournament.Origin)                  {}
