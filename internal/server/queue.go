package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"versus2048/internal/server/roster"
	"versus2048/tournament"
	"versus2048/tournament/agenda"
)

// queue has the events that wait for their time or for their bots.
type queue struct {
	host  *host
	woken signal // of additions

	mu      sync.Mutex
	waiting map[int64]*run
}

// Booking asks an arena to play an event by itself: when its time has come and its bots are connected and free.
type Booking struct {
	Event tournament.Event `json:"event"`
	// StartAt is when the event is to begin: "20:00" or "2026-12-01 20:00", in the time zone of the arena, or a time of
	// RFC 3339. Without it an event begins as soon as its bots are there, or at the first time of Every.
	StartAt string `json:"start_at,omitempty"`
	// Every sets when the event is repeated: after a time such as "24h" or "90m", at least "1s", or on days at a time of
	// the day, such as "day@20:00", "mon@20:00" or "sat,sun@14:30". Without it an event is played once.
	Every agenda.Every `json:"every,omitzero"`
	Times int          `json:"times,omitempty"` // the number of events in all, 0 for no end
	// Wait is the longest time that the event waits for its bots after it was to begin; 0 means without limit. In a series
	// it waits until the next time at most.
	Wait Millis `json:"wait_ms,omitempty"`
}

// item returns the booking's item of the agenda.
func (b *Booking) item(now time.Time) (item agenda.Item, err error) {
	item = agenda.Item{Wanted: agenda.Running, Begin: now, Wait: time.Duration(b.Wait), Every: b.Every, Times: b.Times}
	if !b.Every.Once() {
		item.Nth, item.Begin = 1, b.Every.First(now)
	}
	if b.StartAt != "" {
		item.Begin, err = agenda.ParseStart(b.StartAt, now)
	}
	return item, cmp.Or(err, item.Validate())
}

// book records an event that is to be played by itself, puts it in the queue and returns its number.
func (q *queue) book(ctx context.Context, b Booking) (int64, error) {
	if err := q.host.runs.ready(); err != nil { // before the event is recorded: a restart would play it
		return 0, err
	}
	if b.Event.Settings.Unrecorded {
		return 0, &RequestError{errors.New("an event without a record does not wait in the queue: start it, or record it")}
	}
	if _, none := q.host.agenda.(noAgenda); none {
		return 0, &RequestError{errors.New("this arena plays nothing by itself: ask one of arena serve")}
	}
	if err := q.host.allowed.CheckEvent(b.Event); err != nil {
		return 0, &RequestError{err}
	}
	item, err := b.item(time.Now())
	if err != nil {
		return 0, &RequestError{err}
	}
	e, err := q.host.expecting().Resolve(b.Event, q.host.roster.Grace)
	if err == nil {
		err = q.host.memory.Allows(roster.MemoryOf(e, e.Entries))
	}
	if err != nil {
		return 0, &RequestError{err}
	}
	e.Settings.Programs = q.host.programsOf(e)
	if item.Nth > 0 {
		e.Name = agenda.Name(e.Name, item.Nth)
	}
	if item, err = q.host.agenda.Plan(ctx, e, item); err != nil {
		return 0, fmt.Errorf("recording the event: %w", err)
	}
	e.ID = item.Event
	return e.ID, q.add(ctx, q.host.record(e), item)
}

// add puts a recorded event in the queue. If nothing is in its way, it begins.
func (q *queue) add(ctx context.Context, recorded *Record, item agenda.Item) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if err := q.put(recorded, item); err != nil {
		return err
	}
	q.review(ctx, time.Now())
	q.woken.give() // the event may be the next one that is due
	return nil
}

// put adds the event without checking whether it may begin. The caller holds the lock.
func (q *queue) put(recorded *Record, item agenda.Item) error {
	if !item.Begin.IsZero() {
		item.Begin = item.Begin.In(time.Local) // the times of the day of its series are in the arena's time zone
	}
	r, err := q.host.await(recorded, item)
	if err == nil && r != nil {
		q.waiting[item.Event] = r
		r.feed.waits(agenda.NewAppointment(item, agenda.Obstacles{}, time.Local), item.Due(time.Now()))
		about := []any{"event", item.Event, "name", r.event.Name, "games", recorded.board.Counts().Done}
		if !item.Begin.IsZero() {
			about = append(about, "begin", item.Begin)
		}
		q.host.log.Info("event is on the agenda", about...)
	}
	return err
}

// remove takes a run out of the queue, so that the run cannot begin any more. It does nothing if the run has begun.
func (q *queue) remove(r *run) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if id := r.planned().Event; q.waiting[id] == r {
		delete(q.waiting, id)
	}
}

// find returns a run in the queue, or an error if that event is not there. The caller holds the lock.
func (q *queue) find(event int64) (*run, error) {
	if r := q.waiting[event]; r != nil {
		return r, nil
	}
	return nil, &RequestError{fmt.Errorf("event %d is not in the queue", event)}
}

// Cancel takes an event out of the queue, or a failed one off the agenda. The event's series ends.
func (q *queue) Cancel(ctx context.Context, id int64) error {
	q.mu.Lock()
	r, err := q.find(id)
	if err == nil {
		r.giveUp(ctx) // before the event can begin, and plan the next one of its series
	}
	q.mu.Unlock()
	if err != nil {
		return q.host.strikeOff(ctx, id, err)
	}
	return q.host.Stop(ctx, id)
}

// Skip leaves out the next time of a series.
func (q *queue) Skip(ctx context.Context, id int64) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	r, err := q.find(id)
	if err != nil {
		return err
	}
	item := r.planned()
	if item.Every.Once() {
		return &RequestError{fmt.Errorf("event %d is played once: cancel it", id)}
	}
	next := item.Skip(time.Now())
	err = r.change(item, next, func() error { // if next cannot be recorded, the event keeps its time
		_, err := q.host.agenda.Note(context.WithoutCancel(ctx), next)
		return err
	})
	if errors.Is(err, errChanged) { // another caller is stopping the event
		return &RequestError{fmt.Errorf("event %d: %w", id, err)}
	}
	q.review(ctx, time.Now())
	return err
}

// queued returns the progress of the events in the queue, in its order.
func (q *queue) queued() []Progress {
	q.mu.Lock()
	runs := q.runs()
	q.mu.Unlock()
	all := []Progress{}
	for _, r := range runs {
		if now, _ := r.feed.latest(); now.Queue != nil {
			all = append(all, now)
		}
	}
	return all
}

// runs returns the runs that wait, by place. The caller holds the lock.
func (q *queue) runs() []*run {
	return slices.SortedFunc(maps.Values(q.waiting), func(a, b *run) int { return cmp.Compare(a.planned().Place, b.planned().Place) })
}

// queuePoll is the time between two checks whether the bots of a due event are there.
const queuePoll = 200 * time.Millisecond

// watch begins the events of the queue until ctx ends.
func (q *queue) watch(ctx context.Context) {
	for ctx.Err() == nil {
		woken := q.woken.changed()
		q.mu.Lock()
		sleep := q.review(ctx, time.Now())
		q.mu.Unlock()
		select {
		case <-time.After(sleep):
		case <-woken:
		case <-ctx.Done():
		}
	}
}

// review rolls the waiting events, begins the due ones that have all their bots, and publishes why the others wait. It
// returns the time until the next review. The caller holds the lock.
func (q *queue) review(ctx context.Context, now time.Time) time.Duration {
	ctx = context.WithoutCancel(ctx) // events that begin are recorded, even if the request ends
	for _, r := range q.runs() {
		q.roll(ctx, r, now)
	}
	obstacles := agenda.Admit(q.items(), now, &room{q, ctx})
	for _, r := range q.runs() { // including the runs that Begin has added
		item := r.planned()
		o := obstacles[item.Event]
		o.Other = cmp.Or(o.Other, withoutCommand(r.event, o.Absent))
		r.feed.waits(agenda.NewAppointment(item, o, time.Local), item.Due(now))
	}
	return agenda.Sleep(q.items(), now, queuePoll)
}

// items returns the agenda's items of the waiting events. The caller holds the lock.
func (q *queue) items() (items []agenda.Item) {
	for _, r := range q.waiting {
		items = append(items, r.planned())
	}
	return items
}

// roll sets a later time for an event of a series that has missed its time, and ends any other event that has waited
// for too long. The caller holds the lock.
func (q *queue) roll(ctx context.Context, r *run, now time.Time) {
	item := r.planned()
	rolled, missed := item.Roll(now)
	if item.Wanted != agenda.Running || !missed && !item.Expired(now) {
		return
	}
	why := q.why(r)
	if missed {
		rolled.Reason = fmt.Sprintf("it did not begin at %s (%s)", item.Begin.In(now.Location()).Format(time.RFC3339), why)
		q.host.log.Warn("event missed its time", "event", item.Event, "time", item.Begin, "next", rolled.Begin, "why", why)
		q.host.complain(item.Event, r.replace(ctx, item, rolled))
		return
	}
	over := fmt.Errorf("it has not begun by %s: %s", item.Until().In(now.Location()).Format(time.RFC3339), why)
	rolled.Wanted, rolled.Reason = agenda.Stopped, over.Error()
	err := r.replace(ctx, item, rolled)
	if errors.Is(err, errChanged) {
		return
	}
	q.host.complain(item.Event, err)
	delete(q.waiting, item.Event)
	r.cancel(over)
}

// why returns the reason why an event had not begun when its time was over. The caller holds the lock.
func (q *queue) why(r *run) string {
	now, _ := r.feed.latest()
	seen := agenda.Appointment{}
	seen.Absent, seen.Busy = q.host.roster.Obstacles(q.host.onRoster(r))
	return cmp.Or(cmp.Or(now.Queue, &seen).Text(), seen.Text(), "the arena was down")
}

// room implements agenda.Room for the events of the queue. The queue is locked.
type room struct {
	*queue
	ctx context.Context
}

func (q *room) Needs(event int64) (names []string) {
	for _, entry := range q.host.onRoster(q.waiting[event]) {
		names = append(names, entry.Name)
	}
	return names
}

func (q *room) Look(event int64) (absent, busy []string) {
	return q.host.roster.Obstacles(q.host.onRoster(q.waiting[event]))
}

func (q *room) Begin(event int64) error {
	r := q.waiting[event]
	q.host.runs.mu.Lock()
	err := q.host.runs.playingOf(r.planned().Series)
	q.host.runs.mu.Unlock()
	if err != nil {
		return err
	}
	l, err := newLineup(q.host.entrants, r.event, r.entries)
	if err != nil {
		return err
	}
	if err := q.beginAndPlanNext(r); err != nil {
		l.releaseAll()
		q.logHindrance(r, err)
		return err // the event stays in the queue, and is tried again for as long as it may wait
	}
	delete(q.waiting, event)
	q.host.log.Info("event has its bots", "event", event, "name", r.event.Name)
	r.admit(l)
	return nil
}

// logHindrance logs the error of the database that keeps an event from beginning, once for each reason: the queue tries
// again and again.
func (q *room) logHindrance(r *run, why error) {
	if !errors.Is(why, errChanged) && r.hindered.Swap(why.Error()) != why.Error() {
		q.host.log.Error("event cannot begin yet", "event", r.event.ID, "name", r.event.Name, "error", why)
	}
}

// beginAndPlanNext records that an event begins, and puts the next event of its series in the queue. It returns
// errChanged if the event is not to begin any more.
func (q *room) beginAndPlanNext(r *run) error {
	item := r.planned()
	if item.Wanted != agenda.Running {
		return errChanged
	}
	next, more := item.Next()
	if !more {
		return r.change(item, item.Begun(), func() error {
			if _, err := q.host.agenda.Note(q.ctx, item.Begun()); err != nil {
				return fmt.Errorf("recording that it begins: %w", err)
			}
			return nil
		})
	}
	first, err := q.host.store.Event(q.ctx, item.Series)
	if err != nil {
		return fmt.Errorf("reading the first event of its series: %w", err)
	}
	e := roster.Repeated(r.event, next.Nth, first.Seed)
	err = r.change(item, item.Begun(), func() error {
		next, err = q.host.agenda.Plan(q.ctx, e, next, item.Begun())
		if err != nil {
			return fmt.Errorf("recording that it begins, and the next event of its series: %w", err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	e.ID = next.Event
	return q.put(q.host.record(e), next)
}
