// Package live shows games and events to those who watch them while they are played.
//
//	games := live.NewGames(look)
//	http.HandleFunc("/watch", func(w http.ResponseWriter, r *http.Request) {
//		stream, err := live.NewStream(w, r)
//		if err == nil {
//			_ = games.Follow(r.Context(), stream, 17, 0, (*live.Snapshot).Over) // the watcher is gone
//		}
//	})
//
// What is watched does not know of its watchers: somebody looks at it at intervals, once for all of
// them, and each gets what has changed as a server-sent event. Every event holds the whole state, so
// a watcher that is slow, or was away, misses nothing that still matters.
package live
