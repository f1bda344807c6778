package metrics

import (
	"fmt"
	"net/http"
	"runtime"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Metrics are the metrics of one arena. Its methods may be called from several goroutines, but Show, ShowStorage and Add
// must be called before the first scrape.
type Metrics struct {
	registry *prometheus.Registry
	games    games
	requests requests
	writes   writes

	admitted     prometheus.Counter
	refused      *prometheus.CounterVec // by code
	eventsEnded  *prometheus.CounterVec // by state
	stalls       prometheus.Counter
	stallSeconds prometheus.Counter
}

// prefix begins the names of all metrics of the arena itself.
const prefix = "versus2048_"

// New returns the metrics of an arena of that version, at zero, together with the metrics of the Go runtime and of the
// process.
func New(version string) *Metrics {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	to := promauto.With(registry)
	to.NewGaugeVec(prometheus.GaugeOpts{
		Name: prefix + "build_info", Help: "Always 1; its labels are the versions of the arena and of Go.",
	}, []string{"version", "go"}).WithLabelValues(version, runtime.Version()).Set(1)
	return &Metrics{
		registry:     registry,
		games:        newGames(to),
		requests:     newRequests(to),
		writes:       newWrites(to),
		admitted:     counter(to, "bots_admitted_total", "Connections of bots that were admitted."),
		refused:      counters(to, "bots_refused_total", "Hellos of bots that were refused, by the code of the refusal.", "code"),
		eventsEnded:  counters(to, "events_ended_total", "Events that came to an end, were interrupted or failed.", "state"),
		stalls:       counter(to, "stalls_total", "Times that the arena stood still for longer than 50 ms."),
		stallSeconds: counter(to, "stall_seconds_total", "The total time that the arena stood still."),
	}
}

// Add adds a collector of another package; its names should begin with versus2048_. It returns an error if a metric of
// the same name is there already.
func (m *Metrics) Add(c prometheus.Collector) error {
	if err := m.registry.Register(c); err != nil {
		return fmt.Errorf("adding a collector to the metrics: %w", err)
	}
	return nil
}

// scrapesAtOnce is the largest number of answers at once; further requests get status 503.
const scrapesAtOnce = 3

// Handler answers with the metrics, in the text format of Prometheus or another one that the client prefers.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{
		ErrorHandling: promhttp.ContinueOnError, MaxRequestsInFlight: scrapesAtOnce, Timeout: 10 * time.Second,
	})
}

// Expect sets the counts of these codes of refusals, and of these final states of events, to zero. Prometheus does not see
// the first step of a count that begins at one.
func (m *Metrics) Expect(codes, states []string) {
	for _, code := range codes {
		m.refused.WithLabelValues(code)
	}
	for _, state := range states {
		m.eventsEnded.WithLabelValues(state)
	}
}

// BotAdmitted counts a bot's connection that was admitted.
func (m *Metrics) BotAdmitted() { m.admitted.Inc() }

// BotRefused counts a bot that was refused with this code of the protocol.
func (m *Metrics) BotRefused(code string) { m.refused.WithLabelValues(code).Inc() }

// EventEnded counts an event that is no longer played, by its final state.
func (m *Metrics) EventEnded(state string) { m.eventsEnded.WithLabelValues(state).Inc() }

// Stalled counts one standstill of the arena.
func (m *Metrics) Stalled(stall time.Duration) {
	m.stalls.Inc()
	m.stallSeconds.Add(stall.Seconds())
}

func counter(to promauto.Factory, name, about string) prometheus.Counter {
	return to.NewCounter(prometheus.CounterOpts{Name: prefix + name, Help: about})
}

func counters(to promauto.Factory, name, about string, labels ...string) *prometheus.CounterVec {
	return to.NewCounterVec(prometheus.CounterOpts{Name: prefix + name, Help: about}, labels)
}

func histogram(to promauto.Factory, name, about string, buckets []float64) prometheus.Histogram {
	return to.NewHistogram(prometheus.HistogramOpts{Name: prefix + name, Help: about, Buckets: buckets})
}

func histograms(to promauto.Factory, name, about string, buckets []float64, labels ...string) *prometheus.HistogramVec {
	return to.NewHistogramVec(prometheus.HistogramOpts{Name: prefix + name, Help: about, Buckets: buckets}, labels)
}

// requests counts HTTP requests by route. A request for an unknown address counts for the route that answers it, so that
// strangers cannot make new series.
type requests struct {
	open     prometheus.Gauge
	answered *prometheus.CounterVec   // by route and status
	took     *prometheus.HistogramVec // by route
}

// requestBuckets are bounds of times to answer in seconds. They are few, because there are many routes.
var requestBuckets = []float64{.001, .003, .01, .03, .1, .3, 1, 3, 10}

func newRequests(to promauto.Factory) requests {
	return requests{
		open:     to.NewGauge(prometheus.GaugeOpts{Name: prefix + "http_requests_open", Help: "Requests that are being answered, with streams and bots."}),
		answered: counters(to, "http_requests_total", "Requests by route and status; 101 is a bot's connection. They are counted when they are over.", "route", "status"),
		took:     histograms(to, "http_request_seconds", "The time until the answer to a request, or its stream, began, by route.", requestBuckets, "route"),
	}
}

// noRoute is the route of requests that no route took.
const noRoute = "none"

// RequestBegan counts a request as being answered.
func (m *Metrics) RequestBegan() { m.requests.open.Inc() }

// RequestOver counts a request that is no longer being answered. route is the pattern of its route, ""
// if it had none, and begun the time until the answer began.
func (m *Metrics) RequestOver(route string, status int, begun time.Duration) {
	if route == "" {
		route = noRoute
	}
	m.requests.open.Dec()
	m.requests.answered.WithLabelValues(route, strconv.Itoa(status)).Inc()
	m.requests.took.WithLabelValues(route).Observe(begun.Seconds())
}
