package live_test

import (
	"context"
	"net/http"

	"versus2048/internal/web/live"
)

func Example() {
	serve := func(look func(ctx context.Context, game int64, last *live.Snapshot) (*live.Snapshot, error)) {
		games := live.NewGames(look)
		http.HandleFunc("/watch", func(w http.ResponseWriter, r *http.Request) {
			stream, err := live.NewStream(w, r)
			if err == nil {
				_ = games.Follow(r.Context(), stream, 17, 0, (*live.Snapshot).Over) // the watcher is gone
			}
		})
	}
	_ = serve
	// Output:
}
