package metrics

import "github.com/prometheus/client_golang/prometheus"

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

// Show adds the present state of the arena, which state returns: at each scrape, and once for Show itself. state must
// be quick, and may be called by several goroutines.
func (m *Metrics) Show(state func() State) {
	bots := desc("bots", "Bots that are connected, visitors who play from a page, and bots that are away from an event that they play in.", "state")
	events := desc("events", "Events that are not over, by state: waiting for their bots, running or paused.", "state")
	playing := desc("games_playing", "Games in progress.")
	waiting := desc("games_waiting", "Games that could begin, but wait for a bot that plays another one.")
	connections := desc("connections", "Connections of admitted bots, and of strangers: HTTP, and bots before their hello.", "kind")
	room := desc("connections_room", "How many connections of each kind there may be at once.", "kind")
	refused := desc("connections_refused_total", "Connections that were refused or closed because there were too many, by reason.", "reason")
	m.registry.MustRegister(prometheus.CollectorFunc(func(to chan<- prometheus.Metric) {
		s := state()
		to <- gauge(bots, float64(s.Connected), "connected")
		to <- gauge(bots, float64(s.Guests), "guests")
		to <- gauge(bots, float64(s.Away), "away")
		for state, n := range s.Events {
			to <- gauge(events, float64(n), state)
		}
		to <- gauge(playing, float64(s.Playing))
		to <- gauge(waiting, float64(s.Waiting))
		to <- gauge(connections, float64(s.Connections.Bots), "bots")
		to <- gauge(connections, float64(s.Connections.Strangers), "strangers")
		to <- gauge(room, float64(s.Connections.BotRoom), "bots")
		to <- gauge(room, float64(s.Connections.StrangerRoom), "strangers")
		for reason, n := range s.Connections.Refused {
			to <- total(refused, float64(n), reason)
		}
	}))
}

// ShowTroubles adds the number of troubles of every kind, by the rules of Show.
func (m *Metrics) ShowTroubles(counts func() map[string]int) {
	troubles := desc("troubles", "Troubles of the arena, by kind (docs/WEBHOOKS.md); /api/status has the texts.", "kind")
	m.registry.MustRegister(prometheus.CollectorFunc(func(to chan<- prometheus.Metric) {
		for kind, n := range counts() {
			to <- gauge(troubles, float64(n), kind)
		}
	}))
}

func desc(name, about string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc(prefix+name, about, labels, nil)
}

// gauge returns a metric with the value of this moment.
func gauge(d *prometheus.Desc, value float64, labels ...string) prometheus.Metric {
	return prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
}

// total returns a metric that only grows, with its value of this moment.
func total(d *prometheus.Desc, value float64, labels ...string) prometheus.Metric {
	return prometheus.MustNewConstMetric(d, prometheus.CounterValue, value, labels...)
}
