// Package metrics counts the events, games, requests and connections of an arena, in the form that Prometheus reads.
//
//	m := metrics.New("v1.2.3")
//	watcher = m.Watch(watcher) // a tournament.Watcher: plies and games are counted on their way
//	m.Show(func() metrics.State { return metrics.State{Connected: 2} })
//	mux.Handle("GET /metrics", m.Handler())
//
// Frequent actions are counted as they happen, by [Metrics.Watch] and the methods beside it. The present state of the
// arena is read at each scrape, from the functions given to [Metrics.Show] and [Metrics.ShowStorage].
//
// No label has a bot's name: clients choose the names, and each name would be a new series that the database of the
// metrics keeps for months. docs/METRICS.md lists all metrics.
package metrics
