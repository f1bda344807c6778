package hosting

import (
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"versus2048/results"
)

// Readers of the API wait for other connections to the database than the arena.
func TestVisitorsHaveConnectionsOfTheirOwn(t *testing.T) {
	store, err := results.Open(t.Context(), filepath.Join(t.TempDir(), "arena.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	config := Config(store, slog.New(slog.DiscardHandler), time.Second)
	if config.Store != store || config.Records == store {
		t.Error("the arena and its visitors read over the same connections")
	}
}
