// Package live shows games and events to their watchers while they are played.
//
//	games := live.NewGames(look)
//	http.HandleFunc("/watch", func(w http.ResponseWriter, r *http.Request) {
//		stream, err := live.NewStream(w, r)
//		if err == nil {
//			_ = games.Follow(r.Context(), stream, 17, 0, (*live.Snapshot).Over) // the watcher is gone
//		}
//	})
//
// A game does not know its watchers: a goroutine looks at the game after a change, once for all watchers, and each of
// them gets the changes as a server-sent event. Every event holds the whole state, so a watcher that is slow, or was
// away, misses nothing that still matters.
//
// The package also puts results into words: of a game ([GameResult]), of a match ([MatchResult]) and of an event
// ([EventOutcome]).
package live
