package metrics

import (
	"maps"
	"slices"

	"github.com/prometheus/client_golang/prometheus"
)

// State is the state of an arena at one moment.
type State struct {
	Connected int            // bots
	Guests    int            // visitors who play from a page
	Away      int            // bots that are disconnected from an event that they play in
	Events    map[string]int // unfinished events, by state
	Playing   int            // games in progress
	Waiting   int            // games that could begin, but wait for a bot that plays another one

	Connections Connections
}

// Connections are the connections to an arena.
type Connections struct {
	Bots, Strangers       int            // now
	BotRoom, StrangerRoom int            // how many there may be
	Refused               map[string]int // since the start, by reason
}

// present reads the state of an arena at each scrape.
type present struct {
	state func() State

	bots, events, playing, waiting, connections, room, refused *prometheus.Desc
}

// Show adds the present state of the arena at each scrape. state must be quick, and may be called by several
// goroutines.
func (m *Metrics) Show(state func() State) {
	m.registry.MustRegister(&present{
		state:       state,
		bots:        desc("bots", "Bots that are connected, visitors who play from a page, and bots that are away from an event that they play in.", "state"),
		events:      desc("events", "Events that are not over, by state: waiting for their bots, running or paused.", "state"),
		playing:     desc("games_playing", "Games in progress."),
		waiting:     desc("games_waiting", "Games that could begin, but wait for a bot that plays another one."),
		connections: desc("connections", "Connections of admitted bots, and of strangers: HTTP, and bots before their hello.", "kind"),
		room:        desc("connections_room", "How many connections of each kind there may be at once.", "kind"),
		refused:     desc("connections_refused_total", "Connections that were refused or closed because there were too many, by reason.", "reason"),
	})
}

// Describe implements prometheus.Collector.
func (p *present) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{p.bots, p.events, p.playing, p.waiting, p.connections, p.room, p.refused} {
		to <- d
	}
}

// Collect implements prometheus.Collector.
func (p *present) Collect(to chan<- prometheus.Metric) {
	s := p.state()
	gauge := func(d *prometheus.Desc, value int, labels ...string) {
		to <- number(d, prometheus.GaugeValue, float64(value), labels...)
	}
	gauge(p.bots, s.Connected, "connected")
	gauge(p.bots, s.Guests, "guests")
	gauge(p.bots, s.Away, "away")
	for _, state := range slices.Sorted(maps.Keys(s.Events)) {
		gauge(p.events, s.Events[state], state)
	}
	gauge(p.playing, s.Playing)
	gauge(p.waiting, s.Waiting)
	gauge(p.connections, s.Connections.Bots, "bots")
	gauge(p.connections, s.Connections.Strangers, "strangers")
	gauge(p.room, s.Connections.BotRoom, "bots")
	gauge(p.room, s.Connections.StrangerRoom, "strangers")
	for _, reason := range slices.Sorted(maps.Keys(s.Connections.Refused)) {
		to <- number(p.refused, prometheus.CounterValue, float64(s.Connections.Refused[reason]), reason)
	}
}

func desc(name, about string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc(prefix+name, about, labels, nil)
}

// number returns a metric with the value of this moment.
func number(d *prometheus.Desc, kind prometheus.ValueType, value float64, labels ...string) prometheus.Metric {
	return prometheus.MustNewConstMetric(d, kind, value, labels...)
}
