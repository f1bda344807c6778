// Package metrics counts what happens in an arena, in the form that Prometheus reads.
//
//	m := metrics.New("v1.2.3")
//	watcher = m.Watch(watcher) // a tournament.Watcher: plies and games are counted on their way
//	m.Show(func() metrics.State { return metrics.State{Connected: 2} })
//	http.Handle("GET /metrics", m.Handler())
//
// What happens often is counted where it happens, by [Metrics.Watch] and the methods beside it. What
// the arena holds at one moment is read when somebody asks, from the functions given to
// [Metrics.Show] and [Metrics.ShowStorage]. [Metrics.Add] takes collectors of other packages.
//
// No label has a bot's name: everybody who connects chooses one, and each would be a new series that
// the database of the metrics keeps for months. docs/METRICS.md lists all metrics.
package metrics
