package web

import (
	"bufio"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"versus2048/internal/server"
	"versus2048/internal/server/budget"
	"versus2048/internal/web/archive"
	"versus2048/results"
)

// Shares are rounded, not cut: one game of six is 17 %, and three of three are all.
func TestPercent(t *testing.T) {
	for _, c := range []struct{ part, whole, want int }{{1, 6, 17}, {1, 3, 33}, {2, 3, 67}, {3, 3, 100}, {0, 5, 0}} {
		if got := percent(c.part, c.whole); got != c.want {
			t.Errorf("%d of %d are %d %%, want %d", c.part, c.whole, got, c.want)
		}
	}
}

// A count that takes longer than a second says how far it has come, and ends with the answer.
func TestCountingSaysHowFarItIs(t *testing.T) {
	store, err := results.Open(t.Context(), filepath.Join(t.TempDir(), "arena.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	quiet := slog.New(slog.DiscardHandler)
	arena := server.New(server.Config{Log: quiet})
	counter := newExplorer(&pages{arena: arena, log: quiet}, arena, store, archive.New(store, arena), &finder{arena: arena, store: store})
	var others []*budget.Turn // of visitors who count
	for range runtime.GOMAXPROCS(0) {
		turn, err := arena.Think(httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil))
		if err != nil {
			t.Fatal(err)
		}
		others = append(others, turn)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := counter.sendCounting(w, r); err != nil {
			t.Error(err)
		}
	}))
	defer server.Close()
	answer, err := http.Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var events []string
	for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
		kind, found := strings.CutPrefix(lines.Text(), "event: ")
		if !found {
			continue
		}
		events = append(events, kind)
		if len(events) == 2 {
			others[0].End() // now there is room
		}
	}
	if len(events) < 3 || events[0] != "progress" || events[1] != "progress" || events[len(events)-1] != "explored" {
		t.Errorf("the stream has %v, want progress and then the answer", events)
	}
}
