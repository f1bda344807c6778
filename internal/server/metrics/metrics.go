package metrics

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"time"

	victoria "github.com/VictoriaMetrics/metrics"
)

// Metrics are the metrics of one arena. The methods may be called from several goroutines, but Show, ShowTroubles and
// ShowStorage must be called before the first scrape.
type Metrics struct {
	set      *victoria.Set
	about    map[string]string // the help texts, by the name of a metric
	games    games
	requests requests
	writes   writes

	admitted     *victoria.Counter
	refused      family // by code
	eventsEnded  family // by state
	stalls       *victoria.Counter
	stallSeconds *victoria.FloatCounter
}

// New returns the metrics of an arena of that version, at zero, together with the metrics of the Go runtime and of the
// process.
func New(version string) *Metrics {
	victoria.ExposeMetadata(true) // for all sets of the process: there is no other way to have the types
	m := &Metrics{set: victoria.NewSet(), about: map[string]string{}}
	m.family("build_info", "Always 1; its labels are the versions of the arena and of Go.", "version", "go").gauge(version, runtime.Version()).Set(1)
	m.games, m.requests, m.writes = newGames(m), newRequests(m), newWrites(m)
	m.admitted = m.family("bots_admitted_total", "Connections of bots that were admitted.").counter()
	m.refused = m.family("bots_refused_total", "Hellos of bots that were refused, by the code of the refusal.", "code")
	m.eventsEnded = m.family("events_ended_total", "Events that came to an end, were interrupted or failed.", "state")
	m.stalls = m.family("stalls_total", "Times that the arena stood still for longer than 50 ms.").counter()
	m.stallSeconds = m.family("stall_seconds_total", "The total time that the arena stood still.").seconds()
	return m
}

// scrapesAtOnce is the largest number of answers at once; further requests get status 503.
const scrapesAtOnce = 3

// Handler answers with the metrics, in the text format of Prometheus.
func (m *Metrics) Handler() http.Handler {
	making := make(chan struct{}, scrapesAtOnce)
	return http.TimeoutHandler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		select {
		case making <- struct{}{}:
			defer func() { <-making }()
			w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
			m.write(w)
		default:
			http.Error(w, fmt.Sprintf("the arena answers %d other requests for its metrics: try again in a moment", scrapesAtOnce), http.StatusServiceUnavailable)
		}
	}), 10*time.Second, "the metrics take too long")
}

// write writes all metrics. It adds the help texts, which the library lacks, and leaves out the library's own metrics
// with names that promtool refuses for their types.
func (m *Metrics) write(w io.Writer) {
	var all bytes.Buffer
	m.set.WritePrometheus(&all)
	victoria.WriteProcessMetrics(&all)
	victoria.WriteFDMetrics(&all)
	shown := true
	for line := range strings.Lines(all.String()) {
		if name, begins := strings.CutPrefix(strings.TrimSpace(line), "# HELP "); begins {
			shown = !strings.HasSuffix(name, "_count") && !strings.HasPrefix(name, "process_io_")
			line = fmt.Sprintf("# HELP %s %s\n", name, cmp.Or(m.about[name], "Of the process or its Go runtime."))
		}
		if shown {
			io.WriteString(w, line)
		}
	}
}

// Expect begins the counts of these codes of refusals, and of these final states of events, at zero. Prometheus does
// not see the first step of a count that begins at one.
func (m *Metrics) Expect(codes, states []string) {
	for _, code := range codes {
		m.refused.counter(code)
	}
	for _, state := range states {
		m.eventsEnded.counter(state)
	}
}

// BotAdmitted counts a bot's connection that was admitted.
func (m *Metrics) BotAdmitted() { m.admitted.Inc() }

// BotRefused counts a bot that was refused with this code of the protocol.
func (m *Metrics) BotRefused(code string) { m.refused.counter(code).Inc() }

// EventEnded counts an event that is no longer played, by its final state.
func (m *Metrics) EventEnded(state string) { m.eventsEnded.counter(state).Inc() }

// Stalled counts one standstill of the arena.
func (m *Metrics) Stalled(stall time.Duration) {
	m.stalls.Inc()
	m.stallSeconds.Add(stall.Seconds())
}

// requests counts HTTP requests by route. A request for an unknown address counts for the route that answers it, so
// that strangers cannot make new series.
type requests struct {
	open     *victoria.Gauge
	answered family // by route and status
	took     family // by route
}

// requestBuckets are bounds of the time until an answer, in seconds. They are few, because there are many routes.
var requestBuckets = []float64{.001, .003, .01, .03, .1, .3, 1, 3, 10}

func newRequests(m *Metrics) requests {
	return requests{
		open:     m.family("http_requests_open", "Requests that are being answered, with streams and bots.").gauge(),
		answered: m.family("http_requests_total", "Requests by route and status; 101 is a bot's connection. They are counted when they are over.", "route", "status"),
		took:     m.family("http_request_seconds", "The time until the answer to a request, or its stream, began, by route.", "route"),
	}
}

// noRoute is the route of requests that no route took.
const noRoute = "none"

// RequestBegan counts a request as being answered.
func (m *Metrics) RequestBegan() { m.requests.open.Inc() }

// RequestOver counts a request that is no longer being answered. route is the pattern of its route, "" if it had none,
// and begun the time until the answer began.
func (m *Metrics) RequestOver(route string, status int, begun time.Duration) {
	if route == "" {
		route = noRoute
	}
	m.requests.open.Dec()
	m.requests.answered.counter(route, strconv.Itoa(status)).Inc()
	m.requests.took.histogram(requestBuckets, route).Update(begun.Seconds())
}
