package metrics

import "io"

// State is the state of an arena at one moment.
type State struct {
	Connected int            // bots
	Guests    int            // visitors who play from a page
	Away      int            // bots that are disconnected from an event that they play in
	Events    map[string]int // unfinished events, by state
	Playing   int            // games in progress
	Waiting   int            // games that could begin, but wait for a bot that plays another one or is away

	Connections Connections
}

// Connections are the connections to an arena.
type Connections struct {
	Bots, Strangers       int            // now
	BotRoom, StrangerRoom int            // the limits
	Refused               map[string]int // since the start, by reason
}

// Show adds the present state of the arena. Each scrape calls state for it; state must be quick, and may be called by
// several goroutines.
func (m *Metrics) Show(state func() State) {
	bots := m.family("bots", "Bots that are connected, visitors who play from a page, and bots that are away from an event that they play in.", "state")
	events := m.family("events", "Events that are not over, by state: waiting for their bots, running or paused.", "state")
	playing := m.family("games_playing", "Games in progress.")
	waiting := m.family("games_waiting", "Games that could begin, but wait for a bot that plays another one.")
	connections := m.family("connections", "Connections of admitted bots, and of strangers: HTTP, and bots before their hello.", "kind")
	room := m.family("connections_room", "The largest number of connections of each kind at once.", "kind")
	refused := m.family("connections_refused_total", "Connections that were refused or closed because there were too many, by reason.", "reason")
	m.set.RegisterMetricsWriter(func(w io.Writer) {
		s := state()
		write(w, bots, map[string]int{"connected": s.Connected, "guests": s.Guests, "away": s.Away})
		write(w, events, s.Events)
		write(w, playing, alone(s.Playing))
		write(w, waiting, alone(s.Waiting))
		write(w, connections, map[string]int{"bots": s.Connections.Bots, "strangers": s.Connections.Strangers})
		write(w, room, map[string]int{"bots": s.Connections.BotRoom, "strangers": s.Connections.StrangerRoom})
		write(w, refused, s.Connections.Refused)
	})
}

// ShowTroubles adds the number of troubles of each kind. Each scrape calls counts; counts must be quick, and may be
// called by several goroutines.
func (m *Metrics) ShowTroubles(counts func() map[string]int) {
	troubles := m.family("troubles", "Troubles of the arena, by kind (docs/WEBHOOKS.md); /api/status has the texts.", "kind")
	m.set.RegisterMetricsWriter(func(w io.Writer) { write(w, troubles, counts()) })
}
