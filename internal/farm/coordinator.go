package farm

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Config holds the settings of an arena's farm.
type Config struct {
	Name    Name   // "" for DefaultName
	Version string // of the arena's program; workers of other versions are refused
	// Lease is the time of silence after which others get a worker's tasks; 0 for DefaultLease.
	Lease time.Duration
	// Check is the share of the repeatable matches, 0 to 1, that other workers play again, besides the first one of
	// each worker. 0 checks nothing.
	Check float64
	// Programs are the commands of bots, by the bots' names; only workers with Card.Exec run them.
	Programs map[string][]string
	// Renew restarts the NATS server when its streams accept no messages any more. It may be nil.
	Renew func() error
	Log   *slog.Logger
}

// DefaultLease is longer than a short interruption of a worker, and short enough for people who watch a match while its
// worker dies.
const DefaultLease = 5 * time.Second

// Coordinator gives tasks to workers by NATS JetStream, and takes their results. It belongs to one arena. All
// records are in the arena's database: the stream has only the tasks that this Coordinator waits for, and is
// emptied when the next Coordinator opens.
type Coordinator struct {
	name   Name
	config Config
	nats   *nats.Conn
	js     jetstream.JetStream
	stream jetstream.Stream
	subs   []*nats.Subscription // made by subscribe
	cards  *cards
	depot  *depot
	checks *checks
	speed  float64 // of this machine: see Card

	renewing sync.Mutex
	renewed  time.Time // when renew last restarted the NATS server

	mu        sync.Mutex
	waiting   map[string]*pendingTask       // the tasks that are waited for, by id
	given     map[uint64]*pendingTask       // the same tasks by the numbers of their messages in the stream
	aside     map[string]string             // why workers are set aside, by name
	executors map[*Executor]map[string]bool // of the events being played, with the workers that have played there
}

// openTimeout limits the opening of a farm, and each later operation of a Coordinator on the stream of tasks or on the
// bucket of cards.
const openTimeout = 10 * time.Second

// leastPayload is the length in bytes that a NATS server should allow for a message. A broker in the arena's process
// allows it.
const leastPayload = 8 << 20

// Open opens a farm on a connection. It returns an error if JetStream cannot be used there, or if another arena has a
// farm of this name there. The connection stays open when the Coordinator is closed.
func Open(ctx context.Context, conn *nats.Conn, config Config) (*Coordinator, error) {
	config.Lease = cmp.Or(config.Lease, DefaultLease)
	c := &Coordinator{
		name: cmp.Or(config.Name, DefaultName), config: config, nats: conn,
		waiting: map[string]*pendingTask{}, given: map[uint64]*pendingTask{}, aside: map[string]string{}, executors: map[*Executor]map[string]bool{},
	}
	c.checks, c.speed = newChecks(ctx, c, config.Check), MeasureSpeed(ctx)
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	err := c.alone(ctx)
	if err == nil {
		c.js, err = jetstream.New(conn)
	}
	if err == nil {
		err = c.createStream(ctx)
	}
	if err == nil {
		c.stream, err = c.js.Stream(ctx, c.name.tasks())
	}
	if err == nil {
		err = c.stream.Purge(ctx) // the tasks of an earlier arena
	}
	if err == nil {
		c.cards, err = openCards(ctx, c.js, c.name, config.Lease)
	}
	if err == nil {
		changes := conn.StatusChanged(nats.CONNECTED)
		c.checks.all.Go(func() { c.keepCards(changes) })
	}
	if err == nil {
		c.depot, err = openDepot(ctx, conn, c.name, config.Log)
	}
	if err == nil {
		err = c.subscribe()
	}
	if err != nil {
		c.Close()
		return nil, fmt.Errorf("opening the farm %q on %s: %w", c.name, server(conn), err)
	}
	c.warnOfShortMessages()
	return c, nil
}

// warnOfShortMessages warns if the NATS server takes no messages of leastPayload bytes.
func (c *Coordinator) warnOfShortMessages() {
	if most := c.nats.MaxPayload(); most < leastPayload {
		c.config.Log.Warn("the NATS server takes no long messages: matches with the searches of long games, and large batches, may fail",
			"nats", server(c.nats), "max_payload", most, "want", leastPayload)
	}
}

// alone returns an error if another arena runs the farm, even if that arena does not answer in time.
func (c *Coordinator) alone(ctx context.Context) error {
	switch _, err := c.nats.RequestWithContext(ctx, c.name.arena(), nil); {
	case errors.Is(err, nats.ErrNoResponders):
		return nil
	case err != nil && !errors.Is(err, context.DeadlineExceeded):
		return err
	}
	return errors.New("another arena runs the farm there: stop that arena, or choose another --farm-name")
}

// createStream creates the stream of tasks and its consumers, if they are not there.
func (c *Coordinator) createStream(ctx context.Context) error {
	stream, err := c.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: c.name.tasks(), Description: "tasks for workers", Subjects: []string{c.name.lane("*")},
		Retention: jetstream.WorkQueuePolicy, Storage: jetstream.FileStorage, Duplicates: time.Minute,
	})
	for _, l := range []lane{plainLane, execLane, batchLane} {
		if err != nil {
			return err
		}
		_, err = stream.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
			Durable: string(l), FilterSubject: c.name.lane(l), AckPolicy: jetstream.AckExplicitPolicy, AckWait: c.config.Lease,
			MaxAckPending: -1, MaxWaiting: 1 << 16, MaxRequestBatch: 1, MaxDeliver: 1, // see pendingTask
		})
	}
	return err
}

// subscribe begins to answer workers.
func (c *Coordinator) subscribe() error {
	for _, to := range []struct {
		subject string
		answer  nats.MsgHandler
	}{
		{c.name.start("*", ">"), c.forward},
		{c.name.report("*", ">"), c.forward},
		{c.name.hello(">"), c.hello},
		{c.name.arena(), c.isThere},
		{"$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES." + c.name.tasks() + ".*", c.expired},
	} {
		s, err := c.nats.Subscribe(to.subject, to.answer)
		if err != nil {
			return err
		}
		c.subs = append(c.subs, s)
	}
	return c.nats.Flush()
}

// isThere answers another arena that asks whether this one is there.
func (c *Coordinator) isThere(m *nats.Msg) { c.answer(m, welcome{}) }

// hello answers a worker that asks for work.
func (c *Coordinator) hello(m *nats.Msg) {
	name := strings.TrimPrefix(m.Subject, c.name.hello(""))
	if !asks(m, name) {
		return
	}
	var card Card
	if err := json.Unmarshal(m.Data, &card); err != nil {
		c.answer(m, welcome{Refused: "its hello cannot be read: " + err.Error()})
		return
	}
	card.Worker = name
	card = card.bounded()
	w := welcome{Lease: c.config.Lease, Report: reportTime(c.cards.games(), c.config.Lease), Refused: c.refuses(card)}
	if w.Refused != "" {
		w.Aside = c.isAside(card.Worker)
		c.config.Log.Warn("worker refused", "worker", card.Worker, "host", card.Host, "why", w.Refused)
	}
	c.answer(m, w)
}

// Reports of plies are the largest part of the load of an arena with a farm.
const (
	leastReportTime = 100 * time.Millisecond // live boards need no more
	mostReports     = 2000                   // reports a second, of all matches in progress
)

// reportTime returns the time for which a worker collects plies before it reports them. matches is the number of
// matches that all workers can play at once. A worker reports at least twice in a lease.
func reportTime(matches int, lease time.Duration) time.Duration {
	return min(max(leastReportTime, time.Duration(matches)*time.Second/mostReports), lease/2)
}

// refuses returns the reason why a worker gets no tasks, "" if it gets some.
func (c *Coordinator) refuses(card Card) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch why, unnamed := c.aside[card.Worker], ValidateWorker(card.Worker); {
	case card.Version != c.config.Version:
		return fmt.Sprintf("the worker is version %s and the arena %s: install the same on both", card.Version, c.config.Version)
	case card.Print != Fingerprint():
		return "the worker's rules or bots are not the arena's, though both are version " + card.Version + ": build both from the same sources"
	case unnamed != nil:
		return unnamed.Error()
	case why != "":
		return "the worker is set aside: " + why
	}
	return ""
}

// asks reports whether a worker wants the answer to a message in its own inbox. On any other subject, the answer would
// look like a message of the arena.
func asks(m *nats.Msg, worker string) bool { return strings.HasPrefix(m.Reply, Inbox(worker)+".") }

// forward passes a request about a task to the goroutine that waits for it.
func (c *Coordinator) forward(m *nats.Msg) {
	parts := strings.SplitN(m.Subject, ".", 4) // the farm, the verb, the task, and the worker's name, which may have dots
	r := request{m, parts[1], parts[2], parts[3]}
	if !asks(m, r.worker) {
		return
	}
	c.mu.Lock()
	to := c.waiting[r.task]
	if to != nil {
		select {
		case to.requests <- r: // under the lock: nothing comes to a task that is dropped
		default: // the worker asks again
		}
	}
	c.mu.Unlock()
	if to == nil {
		c.answer(m, receipt{Refused: gone})
	}
}

// expired handles the news that a worker's lease of a task is over, or that the worker has given the task back. It
// tells the goroutine that waits for the task.
func (c *Coordinator) expired(m *nats.Msg) {
	var advisory struct {
		Sequence uint64 `json:"stream_seq"`
	}
	if err := json.Unmarshal(m.Data, &advisory); err != nil {
		return // the task is searched for later
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.given[advisory.Sequence]; e != nil {
		select {
		case e.lost <- advisory.Sequence:
		default: // the task is searched for later
		}
	}
}

// answer answers a request with a short message.
func (c *Coordinator) answer(m *nats.Msg, v any) { _ = c.respond(m, v) }

// respond answers a request. It returns an error only if the answer is longer than a message may be. After any other
// failure the worker asks again.
func (c *Coordinator) respond(m *nats.Msg, v any) error {
	data, err := json.Marshal(v)
	if err == nil {
		err = m.Respond(data)
	}
	if errors.Is(err, nats.ErrMaxPayload) {
		return fmt.Errorf("the answer to a worker has %d bytes, and a message of NATS may have at most %d (max_payload)", len(data), c.nats.MaxPayload())
	}
	if err != nil {
		c.config.Log.Warn("a worker got no answer", "subject", m.Subject, "why", err)
	}
	return nil
}

// setAside excludes workers: they get no more tasks, and their games in the present events are played again. reasons
// has the reason for each worker, by its name.
func (c *Coordinator) setAside(reasons map[string]string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for worker, why := range reasons {
		why = cut(why, mostText) // it may quote the worker
		reasons[worker] = why
		if c.aside[worker] == "" {
			c.aside[worker] = why
			c.config.Log.Error("worker set aside", "worker", worker, "why", why)
		}
	}
	for v, workers := range c.executors {
		theirs := maps.Clone(reasons)
		maps.DeleteFunc(theirs, func(worker, _ string) bool { return !workers[worker] })
		v.breakUp(theirs)
	}
	c.cards.announce()
}

// isAside reports whether a worker is set aside.
func (c *Coordinator) isAside(worker string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.aside[worker] != ""
}

// hasOther reports whether some worker may still do a match or, if batch is set, a batch. The excluded worker and the
// workers in failed do not count.
func (c *Coordinator) hasOther(excluded string, failed map[string]bool, batch bool) bool {
	aside := c.Aside()
	return slices.ContainsFunc(c.cards.list(), func(w Card) bool {
		return (w.Batches || !batch) && w.Worker != excluded && !failed[w.Worker] && aside[w.Worker] == "" && w.Trouble == "" // a worker in trouble begins nothing
	})
}

// keepCards checks that NATS still has the bucket of the cards, whenever the connection is back and once in a lease,
// until the farm is closed. The bucket is in the memory of a server, and lost when the server starts again.
func (c *Coordinator) keepCards(changes chan nats.Status) {
	defer c.nats.RemoveStatusListener(changes)
	tick := time.NewTicker(c.config.Lease)
	defer tick.Stop()
	for {
		select {
		case <-changes:
		case <-tick.C:
		case <-c.checks.life.Done():
			return
		}
		if err := c.cards.mend(c.checks.life); err != nil && c.checks.life.Err() == nil {
			c.config.Log.Debug("the cards of the workers cannot be read now", "farm", c.name, "why", err)
		}
	}
}

// renewInterval is the least time between two restarts of the NATS server, which needs some time to recover.
const renewInterval = 2 * openTimeout

// renew restarts a NATS server that accepts no tasks, if the arena can restart it. It does so at most once in
// renewInterval.
func (c *Coordinator) renew() {
	c.renewing.Lock()
	defer c.renewing.Unlock()
	if c.config.Renew == nil || time.Since(c.renewed) < renewInterval {
		return
	}
	c.renewed = time.Now()
	c.config.Log.Warn("the farm's NATS server is started once more", "farm", c.name)
	if err := c.config.Renew(); err != nil {
		c.config.Log.Error("the farm's NATS server does not start", "farm", c.name, "why", err)
	}
}

// Workers returns the workers that have renewed their cards within the lease, in the order of their names.
func (c *Coordinator) Workers() []Card { return c.cards.list() }

// Follow returns a channel that receives a value when workers come, go, are set aside or change their Games or
// Batches, until leave is called.
func (c *Coordinator) Follow() (changed <-chan struct{}, leave func()) { return c.cards.follow() }

// Aside returns the workers that are set aside, with the reasons.
func (c *Coordinator) Aside() map[string]string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return maps.Clone(c.aside)
}

// Close ends the farm, which then answers no worker any more. No event or round may be in progress.
func (c *Coordinator) Close() {
	for _, s := range c.subs {
		_ = s.Unsubscribe() // fails only when the connection has ended, and the subscription with it
	}
	c.checks.close()
	if c.cards != nil {
		c.cards.close()
	}
}
