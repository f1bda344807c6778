package metrics

import (
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

// requests counts HTTP requests. There are few routes: a request for an unknown address counts for the route that
// answers it.
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
		took:     histograms(to, "http_request_seconds", "The time until the answer to a request began, by route: of a stream the time until its beginning.", requestBuckets, "route"),
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
