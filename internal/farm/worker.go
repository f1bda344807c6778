package farm

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"log/slog"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"versus2048/players"
	"versus2048/players/clock"
	"versus2048/tournament"
)

// Worker does tasks of a farm until its context ends.
type Worker struct {
	Name Name // of the farm; "" for DefaultName
	Card Card // the worker's description of itself; if Speed is 0, Run measures it
	NATS *nats.Conn
	Log  *slog.Logger
	// Cache keeps the files of bots. Without a folder, bots that have files do not play here.
	Cache Cache
	// Chores do batches, by their kinds. A worker without chores gets no batches.
	Chores map[Kind]Chore
	// Program starts a bot that is a program of this machine. It is called only if Card.Exec is set.
	Program func(ctx context.Context, name string, command []string, e tournament.Event) (Program, error)

	line    *line
	load    *load
	speed   atomic.Uint64 // the bits of Card.Speed, which is measured now and then
	js      jetstream.JetStream
	lease   atomic.Int64  // in nanoseconds, from the last welcome
	report  atomic.Int64  // in nanoseconds, from the last welcome: see reportTime
	lost    chan struct{} // gets a value when there may be another arena: a task was not known, or NATS was away
	stalls  *clock.Stalls
	pool    players.Pool
	last    lastBot
	bucket  jetstream.KeyValue // of the cards, once found; only beat and leave use it
	queues  sync.Map           // a jetstream.Consumer for each lane, once it has been found
	busy    atomic.Int32
	played  atomic.Int64
	faults  atomic.Int64
	trouble atomic.Pointer[string] // see Card.Trouble; nil for none
}

// Program is a bot that this worker has started as processes of its machine.
type Program interface {
	tournament.Bot
	// Close ends the processes.
	Close()
}

// RefusedError means that the arena gives the worker no tasks.
type RefusedError struct {
	Why   string
	Aside bool // the worker is set aside: under another name it would get tasks, but should not
}

func (e *RefusedError) Error() string { return "the arena refuses this worker: " + e.Why }

// errInbox means that a worker would get no answers.
var errInbox = errors.New("the connection has another inbox than the worker: nats.CustomInboxPrefix(farm.Inbox(name))")

// errNoArena means that no arena answers.
var errNoArena = errors.New("NATS is there, but no arena with this farm")

// Run works until ctx ends: then the games in progress go to other workers, and Run returns nil. It returns a
// *RefusedError if the arena refuses the worker, and another error if the work cannot begin, for example without an
// arena. If the arena is lost later, Run waits for one.
func (w *Worker) Run(ctx context.Context) (err error) {
	w.Name = cmp.Or(w.Name, DefaultName)
	if w.NATS.Opts.InboxPrefix != Inbox(w.Card.Worker) {
		return errInbox
	}
	w.Card.Batches = len(w.Chores) > 0
	if w.js, err = jetstream.New(w.NATS); err != nil {
		return err
	}
	if err := w.Cache.open(); err != nil {
		return err
	}
	w.line, w.load, w.lost = newLine(w.NATS), newLoad(w.Card.Games), make(chan struct{}, 1)
	if w.setSpeed(w.Card.Speed); w.Card.Speed == 0 {
		w.setSpeed(MeasureSpeed(ctx))
	}
	if err := w.greet(ctx); err != nil {
		if ctx.Err() != nil {
			return nil
		}
		return err
	}
	w.Log.Info("worker ready", "worker", w.Card.Worker, "nats", server(w.NATS), "games", w.Card.Games, "version", w.Card.Version)
	w.stalls = clock.NewStalls()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	go w.stalls.Watch(ctx, nil)
	var all sync.WaitGroup
	all.Go(func() {
		if err := w.stalls.WatchLag(ctx); err != nil {
			w.Log.Warn("the worker does not measure how late it reads answers", "why", err)
		}
	})
	all.Go(func() { w.line.keep(ctx, w.suspect) })
	all.Go(func() { w.load.watch(ctx) })
	all.Go(func() { w.measure(ctx) })
	all.Go(func() { stop(w.beat(ctx)) })
	for slot := range min(w.Card.Games, maxGames) {
		all.Go(func() { w.work(ctx, slot) })
	}
	all.Wait()
	w.leave()
	if refused := (*RefusedError)(nil); errors.As(context.Cause(ctx), &refused) {
		return refused
	}
	return nil
}

// requestTimeout is the longest time that the worker waits for an answer.
const requestTimeout = 10 * time.Second

// greet asks the arena for work, and keeps the times of the welcome. It returns a *RefusedError if the arena refuses
// the worker.
func (w *Worker) greet(ctx context.Context) error {
	var answer welcome
	if err := w.ask(ctx, w.Name.hello(w.Card.Worker), w.Card, &answer); err != nil {
		return fmt.Errorf("farm %q on %s: %w", w.Name, server(w.NATS), err)
	}
	if answer.Refused != "" {
		return &RefusedError{answer.Refused, answer.Aside}
	}
	if answer.Lease < beatsPerLease {
		return fmt.Errorf("farm %q on %s: the arena's lease is %v, too short to be renewed: start the arena with a longer --farm-lease", w.Name, server(w.NATS), answer.Lease)
	}
	w.lease.Store(int64(answer.Lease))
	w.report.Store(int64(answer.Report))
	return nil
}

func (w *Worker) leaseTime() time.Duration { return time.Duration(w.lease.Load()) }

// reportTime returns the time that a ply waits for others, so that all are reported together.
func (w *Worker) reportTime() time.Duration { return time.Duration(w.report.Load()) }

// ask sends a request to the arena and decodes the answer. It returns errNoArena if nobody receives the request.
func (w *Worker) ask(ctx context.Context, subject string, question, answer any) error {
	data, err := json.Marshal(question)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	ctx, hangUp := w.line.while(ctx)
	defer hangUp()
	m, err := w.NATS.RequestWithContext(ctx, subject, data)
	if errors.Is(err, nats.ErrNoResponders) {
		return errNoArena
	}
	if err != nil {
		return err
	}
	return json.Unmarshal(m.Data, answer)
}

// beat renews the worker's card several times within a lease, and its welcome once. When there may be another arena,
// beat asks for the welcome at once, and with each renewal of the card until an arena answers. It returns nil when ctx
// ends, and an error if the arena refuses the worker.
func (w *Worker) beat(ctx context.Context) error {
	tick := time.NewTicker(w.leaseTime() / beatsPerLease)
	defer tick.Stop()
	welcome := true
	for n := 1; ; n++ {
		if err := w.show(ctx); err != nil {
			w.Log.Debug("the worker's card was not renewed", "why", err)
		}
		select {
		case <-tick.C:
		case <-w.lost:
			welcome = false
		case <-ctx.Done():
			return nil
		}
		if welcome && n%beatsPerLease != 0 {
			continue
		}
		err := w.greet(ctx)
		if refused := (*RefusedError)(nil); errors.As(err, &refused) {
			return refused
		}
		welcome = err == nil
		tick.Reset(w.leaseTime() / beatsPerLease) // the arena may have another lease than before
	}
}

// show puts the worker's card into the bucket.
func (w *Worker) show(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	card := w.Card
	card.Games, card.Lag = int(w.load.now.Load()), time.Duration(w.load.lag.Load()).Microseconds()
	card.Speed = math.Float64frombits(w.speed.Load())
	card.Busy, card.Played, card.Faults = int(w.busy.Load()), int(w.played.Load()), int(w.faults.Load())
	if why := w.trouble.Load(); why != nil {
		card.Trouble = *why
	}
	data, err := json.Marshal(card.bounded()) // NATS refuses a longer card
	if err != nil {
		return err
	}
	if w.bucket == nil {
		if w.bucket, err = w.js.KeyValue(ctx, w.Name.workers()); err != nil {
			return err
		}
	}
	if _, err = w.bucket.Put(ctx, card.Worker, data); err != nil {
		w.bucket = nil // NATS may have lost it
	}
	return err
}

// leave removes the worker's card.
func (w *Worker) leave() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if w.bucket != nil {
		_ = w.bucket.Delete(ctx, w.Card.Worker) // without this the card is kept until the lease ends
	}
}

// pollTime is the longest time that one request for a task waits.
const pollTime = 30 * time.Second

// measureInterval is the time between two measurements of the worker's speed.
const measureInterval = time.Hour

// measure measures the speed now and then: machines get warm, and other programs begin to run on them.
func (w *Worker) measure(ctx context.Context) {
	for {
		pause(ctx, measureInterval)
		if ctx.Err() != nil {
			return
		}
		w.setSpeed(MeasureSpeed(ctx))
	}
}

func (w *Worker) setSpeed(s float64) {
	if s > 0 {
		w.speed.Store(math.Float64bits(s))
	}
}

// work takes tasks and does them, one after the other, until ctx ends. The superfluous slots of an overloaded
// worker wait.
func (w *Worker) work(ctx context.Context, slot int) {
	for ctx.Err() == nil {
		if !w.load.admits(slot) {
			pause(ctx, lagPeriod)
			continue
		}
		m, err := w.next(ctx)
		if err != nil && ctx.Err() == nil {
			w.Log.Debug("no task", "why", err)
			pause(ctx, patience)
		}
		if m != nil {
			w.do(ctx, m)
		}
	}
}

// next waits for a task. It returns nil if there was none for a while.
func (w *Worker) next(ctx context.Context) (jetstream.Msg, error) {
	wait := pollTime
	// No consumer can have several lanes: the consumers of a work queue do not overlap.
	for _, l := range w.rarer() {
		wait = turnTime
		if m, err := w.fetch(ctx, l, lookTime); m != nil || err != nil {
			return m, err
		}
	}
	return w.fetch(ctx, plainLane, wait)
}

// rarer returns the lanes that only some workers take tasks from.
func (w *Worker) rarer() (lanes []lane) {
	if w.Card.Exec {
		lanes = append(lanes, execLane)
	}
	if len(w.Chores) > 0 {
		lanes = append(lanes, batchLane)
	}
	return lanes
}

// A worker of several lanes looks into the rarer ones for lookTime, and then waits in the plain one for turnTime.
const (
	lookTime = 500 * time.Millisecond
	turnTime = 2 * time.Second
)

// fetch waits for a task of a lane. It returns nil if there is none within the time most.
func (w *Worker) fetch(ctx context.Context, l lane, most time.Duration) (jetstream.Msg, error) {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	ctx, hangUp := w.line.while(ctx)
	defer hangUp()
	consumer, err := w.queue(ctx, l)
	if err != nil {
		return nil, err
	}
	batch, err := consumer.Fetch(1, jetstream.FetchContext(ctx), jetstream.FetchHeartbeat(most/6))
	if err != nil {
		return nil, err
	}
	for m := range batch.Messages() {
		return m, nil
	}
	if errors.Is(batch.Error(), context.DeadlineExceeded) || errors.Is(batch.Error(), nats.ErrTimeout) {
		return nil, nil
	}
	return nil, batch.Error()
}

// queue returns the consumer of a lane. The worker looks a consumer up once: requests need only the consumer's name,
// and if NATS has lost the consumer, the arena makes it again under that name.
func (w *Worker) queue(ctx context.Context, l lane) (jetstream.Consumer, error) {
	if known, ok := w.queues.Load(l); ok {
		return known.(jetstream.Consumer), nil
	}
	consumer, err := w.js.Consumer(ctx, w.Name.tasks(), string(l))
	if err == nil {
		w.queues.Store(l, consumer)
	}
	return consumer, err
}

// patience is the time from a failure until the worker tries again.
const patience = 300 * time.Millisecond

// pause waits for a time, or until ctx ends.
func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// The reasons to give up a task.
var (
	errGone   = errors.New("the arena no longer waits for it")
	errTaken  = errors.New("another worker does it now")
	errOthers = errors.New("it is for another worker")
)

// do does a task, and tells JetStream whether it is done.
func (w *Worker) do(ctx context.Context, m jetstream.Msg) {
	var t task
	err := json.Unmarshal(m.Data(), &t)
	if err == nil {
		w.busy.Add(1)
		err = w.hold(ctx, m, func(ctx context.Context) error {
			if t.Kind == Match {
				return w.playMatch(ctx, t.ID)
			}
			return w.doBatch(ctx, t.Kind, t.ID)
		})
		w.busy.Add(-1)
	}
	switch {
	case err == nil:
		err = m.Ack()
	case errors.Is(err, errGone):
		w.suspect()
		err = m.Term()
	case errors.Is(err, errTaken):
		err = nil
	case errors.Is(err, errOthers):
		err = m.NakWithDelay(w.away(t.ID))
	case ctx.Err() != nil:
		err = m.NakWithDelay(time.Millisecond) // without a delay the arena learns of it only when somebody asks for a task
	default:
		w.faults.Add(1)
		if !w.troubled(err) {
			w.Log.Error("a task failed; another worker may do it", "task", t.ID, "why", err)
		}
		err = m.NakWithDelay(w.leaseTime())
	}
	if err != nil {
		w.Log.Debug("the arena was not told the outcome of a task", "task", t.ID, "why", err)
	}
}

// away returns the time until a task that this worker may not do is given out again: one to two of a lease's beats,
// chosen by the task's id. Ids are random, so two tasks seldom come back in step. Tasks in step could come again and
// again to the workers that may not do them, since NATS serves workers in turn.
func (w *Worker) away(id string) time.Duration {
	step := w.leaseTime() / beatsPerLease
	return step + step*time.Duration(crc32.ChecksumIEEE([]byte(id))%steps)/steps
}

// steps is the number of durations that away chooses from.
const steps = 16

// suspect lets the worker say hello soon: the arena may have started again, with another lease.
func (w *Worker) suspect() {
	select {
	case w.lost <- struct{}{}:
	default: // the hello is due already
	}
}

// troubled reports whether an error says that files of bots are missing. It notes such an error on the card,
// and once in the log.
func (w *Worker) troubled(err error) bool {
	var f *fileError
	if !errors.As(err, &f) {
		return false
	}
	why := f.card()
	if before := w.trouble.Swap(&why); before == nil || *before != why {
		w.Log.Error("a bot's file cannot be fetched; other workers may play its matches", "why", f)
	}
	return true
}

// hold does a task, and meanwhile renews its lease, so that no other worker gets it.
func (w *Worker) hold(ctx context.Context, m jetstream.Msg, do func(context.Context) error) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	return meanwhile(w.leaseTime()/beatsPerLease, func() {
		if err := m.InProgress(); err != nil {
			w.Log.Debug("a task's lease was not renewed", "why", err)
		}
	}, func() error { return do(ctx) })
}

// meanwhile calls work, and calls now at intervals until work has returned. It returns work's error after both have
// returned.
func meanwhile(every time.Duration, now func(), work func() error) error {
	stop := make(chan struct{})
	var beats sync.WaitGroup
	beats.Go(func() {
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				now()
			case <-stop:
				return
			}
		}
	})
	defer beats.Wait()
	defer close(stop)
	return work()
}
