package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"versus2048/internal/server/gate"
	"versus2048/internal/server/metrics"
	"versus2048/internal/server/trouble"
	"versus2048/protocol"
	"versus2048/tournament"
)

// monitor watches the arena: its metrics, its health, its status and its troubles.
type monitor struct {
	host        *host
	turns       *turns
	connections gate.Limits
	gate        atomic.Pointer[gate.Gate] // nil before Serve
	readiness   readiness
	askDatabase func(context.Context) Database // returns the state of the database; may be nil
	began       atomic.Value                   // of time.Time: when the arena was opened
	ran         time.Duration                  // how long the process had run at began, without standstills
	log         *slog.Logger                   // of connections; strangers cannot fill it
}

// newMonitor returns the monitor of an arena, and adds the arena's present state to the metrics.
func newMonitor(c Config, h *host, t *turns) *monitor {
	m := &monitor{host: h, turns: t, connections: c.Connections, askDatabase: c.Database, log: gate.CalmLog(c.Log)}
	h.metrics.Show(m.present)
	h.metrics.ShowTroubles(func() map[string]int {
		counts := map[string]int{}
		for kind, n := range c.Watch.Counts() {
			counts[string(kind)] = n
		}
		return counts
	})
	h.metrics.Expect(refusalCodes, []string{string(Finished), string(Interrupted), string(Failed)})
	return m
}

// refusalCodes are the codes of refused hellos.
var refusalCodes = []string{
	string(protocol.BadHello), string(protocol.NameInUse), string(protocol.NameAlike), string(protocol.TokenRequired),
	string(protocol.BadToken), string(protocol.InternalError), string(protocol.Busy),
}

// Metrics returns the metrics of the arena, so that other packages can add theirs.
func (m *monitor) Metrics() *metrics.Metrics { return m.host.metrics }

// present returns the present numbers of the arena.
func (m *monitor) present() metrics.State {
	var now metrics.State
	now.Connected, now.Guests = m.host.roster.Count()
	m.host.runs.count(&now)
	if door := m.gate.Load(); door != nil {
		c := door.Counts()
		now.Connections = metrics.Connections{Bots: c.Kept, Strangers: c.Strangers, BotRoom: c.KeptRoom, StrangerRoom: c.StrangersRoom, Refused: map[string]int{}}
		for why, n := range c.Turned {
			now.Connections.Refused[string(why)] = n
		}
	}
	return now
}

// healthRoutes are for programs that restart the arena when it fails, or that distribute requests. They are open to
// everybody, and therefore answer only whether the arena is well.
func (m *monitor) healthRoutes() []Route {
	return []Route{
		{Pattern: "GET /healthz", Right: OpenRight, Serve: m.health, Form: Form{Media: "text/plain"}},
		{Pattern: "GET /readyz", Right: OpenRight, Serve: m.ready, Form: Form{Media: "text/plain"}},
	}
}

// health answers as long as the arena lives.
func (m *monitor) health(w http.ResponseWriter, _ *http.Request) { say(w, http.StatusOK, "ok") }

// ready answers with status 200 if the arena can admit bots and record games, and otherwise with 503.
func (m *monitor) ready(w http.ResponseWriter, r *http.Request) {
	if reason := m.notReady(r.Context()); reason != "" {
		say(w, http.StatusServiceUnavailable, reason)
		return
	}
	say(w, http.StatusOK, "ready")
}

// notReady returns why the arena cannot admit bots and record games, "" if it can.
func (m *monitor) notReady(ctx context.Context) string {
	switch {
	case m.gate.Load() == nil:
		return "starting"
	case m.host.runs.life.Err() != nil:
		return "shutting down"
	}
	before, err := m.readiness.check(ctx, m.host.store.Writable)
	switch {
	case err != nil && before == nil:
		m.log.ErrorContext(ctx, "not ready", "why", err)
	case err == nil && before != nil:
		m.log.InfoContext(ctx, "ready again")
	}
	if err != nil {
		return "the database cannot be written to"
	}
	return ""
}

// say answers with a line of text.
func say(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, text+"\n") // the client may be gone
}

// readiness remembers for a while whether the store can be written to, so that many requests do not keep the disk busy.
type readiness struct {
	mu    sync.Mutex
	asked time.Time
	err   error
}

const (
	readyAge  = 5 * time.Second // the greatest age of an answer
	readyWait = 3 * time.Second // the longest time of a write
)

// check returns its previous answer, and the present one: nil if the store can be written to, else why not. The present
// answer may be as old as readyAge.
func (r *readiness) check(ctx context.Context, writable func(context.Context) error) (before, now error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	before = r.err
	if r.asked.IsZero() || time.Since(r.asked) >= readyAge {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), readyWait)
		defer cancel()
		r.err = writable(ctx)
		r.asked = time.Now()
	}
	return before, r.err
}

// scrapers is the largest number of connections to the listener of the metrics. Strangers have half of these, which is
// enough: few machines read the metrics.
const scrapers = 16

// ServeMetrics serves /metrics, /healthz and /readyz on a listener of its own, to everybody who reaches it, until ctx
// ends. The listener has its own room for connections, so that the metrics can be read when the arena has none left.
func (m *monitor) ServeMetrics(ctx context.Context, listener net.Listener) error {
	limits := m.connections
	limits.Total = scrapers
	door, err := gate.New(listener, limits, slog.New(slog.DiscardHandler))
	if err != nil {
		return fmt.Errorf("serving metrics on %v: %w", listener.Addr(), err)
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", m.host.metrics.Handler())
	for _, r := range m.healthRoutes() {
		mux.HandleFunc(r.Pattern, r.Serve)
	}
	web := &http.Server{
		Handler: m.turns.budgeted(mux, nil), ConnContext: door.ConnContext, MaxHeaderBytes: maxHeaderBytes,
		ReadHeaderTimeout: limits.HeaderTime, ReadTimeout: limits.RequestTime, IdleTimeout: limits.IdleTime,
		ErrorLog: slog.NewLogLogger(m.log.Handler(), slog.LevelWarn),
	}
	defer context.AfterFunc(ctx, func() { _ = web.Close() })() // clients can repeat unanswered requests
	if err := web.Serve(door); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serving metrics on %v: %w", listener.Addr(), err)
	}
	return nil
}

// snapshot returns the state of a run. ok is false if the run is over and has not failed, or if its event is private: a
// visitor who thinks is no trouble.
func (r *run) snapshot() (e trouble.Event, ok bool) {
	now, _ := r.feed.latest()
	if r.host == nil || now.private() || now.State.Ended() && now.State != Failed {
		return e, false
	}
	e = trouble.Event{ID: now.Event, Name: now.Name, Grace: r.event.Grace}
	if now.State == Failed {
		e.Failure = now.Message
		return e, true
	}
	e.Playing, e.Endless = now.State == Running, now.Total == 0
	if l := r.lineup.Load(); l != nil {
		e.Farmed, e.Busy = l.farmed(), l.stay.Allocation.Waits()
	}
	e.Gone = r.lost()
	for _, b := range now.Away {
		if b.Left <= 0 && now.State == Running {
			e.Gone = append(e.Gone, trouble.Gone{Bot: b.Bot, Why: trouble.Away})
		}
		if now.State != Paused {
			e.Missing = append(e.Missing, b.Bot)
		}
	}
	if e.Queued = now.State.InQueue(); e.Queued {
		e.Failure, _ = r.hindered.Load().(string)
	}
	if now.State == Queued && now.Queue != nil {
		e.Missing = now.Queue.Absent
	}
	for _, g := range r.feed.live() {
		plies := len(g.Record.Moves)
		longest, _ := r.event.Clock.Limit(0, plies/2+1)
		e.Games = append(e.Games, trouble.Game{ID: g.ID, Plies: plies, Longest: longest})
	}
	return e, true
}

// lost returns the bots that the event has lost since it was started or resumed.
func (r *run) lost() []trouble.Gone {
	now := gone(r.feed.board)
	r.gone = slices.DeleteFunc(r.gone, func(g trouble.Gone) bool { return !slices.Contains(now, g) })
	return slices.DeleteFunc(now, func(g trouble.Gone) bool { return slices.Contains(r.gone, g) })
}

// judge reports a finished game to the watch.
func (r *run) judge(result *tournament.Result) {
	attacker, defender := result.Roles(result.Leg)
	r.host.watch.GameOver(r.event.ID, attacker, defender, result.Faulty())
}

// Database is the state of an arena's database at one moment.
type Database struct {
	Path string `json:"path"`
	Free int64  `json:"free"` // bytes that are free on its disk
	Err  error  `json:"-"`    // why it cannot be used any more, nil if it can
}

// Status is the state of an arena.
type Status struct {
	Version  string            `json:"version"`
	Uptime   Millis            `json:"uptime_ms"` // since it was opened
	Database Database          `json:"database"`
	Bots     int               `json:"bots"`   // connected
	Away     int               `json:"away"`   // bots that are away from their event
	Events   int               `json:"events"` // unfinished
	Games    int               `json:"games"`  // in progress
	Troubles []trouble.Trouble `json:"troubles"`
}

// Status returns the state of the arena. Without a Config.Watch it has no troubles.
func (m *monitor) Status(ctx context.Context) Status {
	status := Status{Version: m.host.version, Uptime: Millis(m.uptime()), Database: m.database(ctx), Troubles: m.Troubles()}
	for _, b := range m.host.roster.List() {
		if b.Away {
			status.Away++
		} else {
			status.Bots++
		}
	}
	for _, p := range m.host.runs.Events() {
		if !p.State.Ended() {
			status.Events++
			status.Games += p.Playing
		}
	}
	return status
}

// Troubles returns the present troubles of the arena, the oldest first.
func (m *monitor) Troubles() []trouble.Trouble { return m.host.watch.Troubles() }

// uptime returns the time since the arena was opened, 0 before that.
func (m *monitor) uptime() time.Duration {
	if began, ok := m.began.Load().(time.Time); ok {
		return time.Since(began)
	}
	return 0
}

// database returns the state of the database, zero if the configuration has no function for it.
func (m *monitor) database(ctx context.Context) Database {
	if m.askDatabase == nil {
		return Database{}
	}
	return m.askDatabase(ctx)
}

// snapshot returns the present state of the arena for its Watch. It makes no game wait.
func (m *monitor) snapshot(ctx context.Context) trouble.Snapshot {
	now, database := time.Now(), m.database(ctx)
	return trouble.Snapshot{
		Wall: now, Elapsed: m.uptime(), Running: m.host.stalls.Running(now) - m.ran,
		Disk: database.Path, Free: database.Free, Database: database.Err, Events: m.host.runs.snapshots(), Workers: m.host.workers(),
	}
}

// tellStall counts a standstill of the arena, and logs it if it was long.
func (m *monitor) tellStall(stall time.Duration) {
	m.host.metrics.Stalled(stall)
	if stall >= time.Second {
		m.log.Warn("the arena stood still; no bot is charged for that time", "for", stall.Round(time.Millisecond))
	}
}

// watchLag measures, until ctx ends, how late the arena reads answers.
func (m *monitor) watchLag(ctx context.Context) {
	if err := m.host.stalls.WatchLag(ctx); err != nil {
		m.log.Warn("the arena does not measure how late it reads answers; bots with a total clock are charged for it", "why", err)
	}
}
