package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"versus2048/internal/server"
	"versus2048/internal/web/archive"
	"versus2048/players"
	"versus2048/results"
	"versus2048/rules"
	"versus2048/tournament"
)

// recorded returns the downloads of a database with an event without games.
func recorded(t *testing.T) *exports {
	t.Helper()
	store, err := results.Open(t.Context(), filepath.Join(t.TempDir(), "arena.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	_, err = store.CreateEvent(t.Context(), tournament.Event{
		Name: "test", Rules: rules.GPCC2015, Size: rules.Full, Matches: 1, Entries: []tournament.Entry{{Name: "ann", Spec: "random"}, {Name: "bob", Spec: "greedy"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	quiet := slog.New(slog.DiscardHandler)
	return &exports{store, archive.New(store, server.New(server.Config{Log: quiet})), quiet, make(chan struct{}, mostExports), "v1.0.0"}
}

// ask returns the download of event 1 in a format.
func ask(ctx context.Context, e *exports, format string) *httptest.ResponseRecorder {
	return request(ctx, e, http.MethodGet, format)
}

func request(ctx context.Context, e *exports, method, format string) *httptest.ResponseRecorder {
	answer := httptest.NewRecorder()
	r := httptest.NewRequest(method, "/events/1/export?format="+format, nil).WithContext(ctx)
	r.SetPathValue("id", "1")
	r.Header.Set("Accept", "application/json")
	(&pages{log: e.log}).serving([]route{look("/events/{id}/export", e.send)})[0].Serve(answer, r)
	return answer
}

// A page that would need more than a busy arena has for strangers asks them to come again.
func TestBusyArena(t *testing.T) {
	r := httptest.NewRequest(http.MethodGet, "/events/1", nil)
	p := (&pages{}).problemOf(r, fmt.Errorf("figures: %w", server.ErrTooMany))
	if p.status != http.StatusTooManyRequests || p.title != "The arena is busy" {
		t.Errorf("%d %s", p.status, p.title)
	}
}

// Few events are downloaded at once; further requests get an error that says so. A request for the headers alone reads
// no event.
func TestExportsAreBounded(t *testing.T) {
	e := recorded(t)
	for range mostExports {
		e.places <- struct{}{}
	}
	if got := ask(t.Context(), e, ""); got.Code != http.StatusServiceUnavailable || !strings.Contains(got.Body.String(), "Try again in a minute") {
		t.Errorf("a download too many: %d %s", got.Code, got.Body)
	}
	if got := request(t.Context(), e, http.MethodHead, ""); got.Code != http.StatusOK || got.Header().Get("Content-Disposition") == "" || got.Body.Len() > 0 {
		t.Errorf("the headers of a download: %d %v %s", got.Code, got.Header(), got.Body)
	}
	<-e.places // somebody is done
	for range 2 {
		if got := ask(t.Context(), e, ""); got.Code != http.StatusOK {
			t.Errorf("a download: %d %s", got.Code, got.Body)
		}
	}
}

// An export that fails before its first byte is answered with the error. One that fails later is cut off, and logged
// unless the visitor has left.
func TestExportFails(t *testing.T) {
	defer delete(exportFormats, "failing")
	for name, c := range map[string]struct{ sends, leaves, cutOff, logs bool }{
		"at its beginning":  {logs: true},
		"midway":            {sends: true, cutOff: true, logs: true},
		"without a visitor": {sends: true, leaves: true, cutOff: true},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, leave := context.WithCancel(t.Context())
			defer leave()
			exportFormats["failing"] = exportFormat{"application/jsonl", "event-%d.jsonl", func(_ *exports, _ context.Context, to io.Writer, _ int64, _ bool) error {
				if c.sends {
					_, _ = io.WriteString(to, "{") // a recorder takes everything
				}
				if c.leaves {
					leave()
				}
				return errors.New("the disk fails")
			}}
			e, log := recorded(t), new(bytes.Buffer)
			e.log = slog.New(slog.NewTextHandler(log, nil))
			got, cause := askFailing(ctx, e)
			if cutOff := cause == http.ErrAbortHandler; cutOff != c.cutOff || strings.Contains(log.String(), "the disk fails") != c.logs {
				t.Errorf("cut off by %v, the log is %q", cause, log)
			}
			if got != nil && (got.Code != http.StatusInternalServerError || got.Header().Get("Content-Disposition") != "" || !strings.Contains(got.Body.String(), "error")) {
				t.Errorf("the answer is %d %v %s", got.Code, got.Header(), got.Body)
			}
		})
	}
}

// askFailing asks for the download in the format "failing". cause is the value of the panic that cuts it off, if any.
func askFailing(ctx context.Context, e *exports) (got *httptest.ResponseRecorder, cause any) {
	defer func() { cause = recover() }()
	return ask(ctx, e, "failing"), nil
}

// Each search of an opinion gets more of the option that limits the bot.
func TestStronger(t *testing.T) {
	for bot, want := range map[string][]string{
		"mcts":      {"playouts=250", "playouts=500", "playouts=1000"},
		"evminimax": {"depth=1", "depth=2", "depth=3"},
		"champion":  {"time=50", "time=100", "time=200"},
		"greedy":    {"greedy"}, // one opinion is all that it has
	} {
		spec, err := players.ParseClosed(bot)
		if err != nil {
			t.Fatal(err)
		}
		for n, option := range want {
			if next, ok := stronger(spec, n); !ok || !strings.Contains(next.String(), option) {
				t.Errorf("%s, search %d: %v (%t), want %s", bot, n, next, ok, option)
			}
		}
	}
	greedy, err := players.ParseClosed("greedy")
	if err != nil {
		t.Fatal(err)
	}
	if next, ok := stronger(greedy, 1); ok {
		t.Errorf("a bot without options searches again: %v", next)
	}
}
