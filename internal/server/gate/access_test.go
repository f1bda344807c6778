package gate_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"versus2048/internal/server/gate"
)

// counted is a Counter that keeps its calls.
type counted struct {
	open int
	over []string
}

func (c *counted) RequestBegan() { c.open++ }

func (c *counted) RequestOver(route string, status int, begun time.Duration) {
	c.open--
	c.over = append(c.over, fmt.Sprintf("%s %d %v", route, status, begun >= 0))
}

// line is a line of the log of the tests.
type line struct {
	Msg, Request, From, Method, Path, Route string
	Status, Bytes                           int
}

// recorder is an answer with a connection that can be taken over.
type recorder struct{ *httptest.ResponseRecorder }

// Hijack implements http.Hijacker.
func (recorder) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	here, _ := net.Pipe()
	return here, nil, nil
}

// ask asks for a path, claiming an id, and returns the id of the answer.
type ask func(path, id string) string

// watched calls do with routes behind a RequestLog, and returns the lines that it logs.
func watched(t *testing.T, w gate.RequestLog, do func(ask)) (lines []line) {
	t.Helper()
	var log bytes.Buffer
	w.Log = slog.New(gate.LogRequestIDs(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})))
	mux := http.NewServeMux()
	mux.HandleFunc("GET /words/{n}", func(rw http.ResponseWriter, r *http.Request) {
		w.Log.InfoContext(r.Context(), "a handler")
		_, _ = io.WriteString(rw, "word")
	})
	mux.HandleFunc("GET /empty", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("GET /refused", func(rw http.ResponseWriter, _ *http.Request) {
		rw.WriteHeader(http.StatusEarlyHints)
		rw.WriteHeader(http.StatusForbidden)
	})
	mux.HandleFunc("GET /stream", func(rw http.ResponseWriter, _ *http.Request) {
		_ = http.NewResponseController(rw).Flush()
	})
	mux.HandleFunc("GET /socket", func(rw http.ResponseWriter, _ *http.Request) {
		conn, _, err := http.NewResponseController(rw).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		conn.Close()
	})
	handler := w.Handler(mux)
	do(func(path, id string) string {
		request := httptest.NewRequest(http.MethodGet, path, nil)
		request.Header.Set(gate.RequestIDHeader, id)
		answer := recorder{httptest.NewRecorder()}
		handler.ServeHTTP(answer, request)
		return answer.Header().Get(gate.RequestIDHeader)
	})
	for text := range strings.Lines(log.String()) {
		var l line
		if err := json.Unmarshal([]byte(text), &l); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, l)
	}
	return lines
}

func TestEachRequestIsToldAndCounted(t *testing.T) {
	var count counted
	var calm bytes.Buffer
	var id string
	lines := watched(t, gate.RequestLog{
		Level: slog.LevelDebug, Counter: &count, From: func(*http.Request) string { return "ann" },
		Calm: slog.New(slog.NewTextHandler(&calm, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}, func(get ask) {
		id = get("/words/7?secret=1", "")
		for _, path := range []string{"/empty", "/refused", "/stream", "/socket", "/elsewhere"} {
			get(path, "")
		}
	})
	want := []line{
		{Msg: "a handler", Request: id},
		{Msg: "request", Request: id, From: "ann", Method: "GET", Path: "/words/7", Route: "GET /words/{n}", Status: 200, Bytes: 4},
		{Msg: "request", From: "ann", Method: "GET", Path: "/empty", Route: "GET /empty", Status: 200},
		{Msg: "request", From: "ann", Method: "GET", Path: "/stream", Route: "GET /stream", Status: 200},
		{Msg: "request", From: "ann", Method: "GET", Path: "/socket", Route: "GET /socket", Status: 101},
	}
	for i := range lines[2:] {
		lines[2+i].Request = "" // each another one
	}
	if len(id) != 16 || !slices.Equal(lines, want) {
		t.Errorf("the lines are\n%+v, want\n%+v", lines, want)
	}
	if !strings.Contains(calm.String(), "path=/refused") || !strings.Contains(calm.String(), "path=/elsewhere") || strings.Contains(calm.String(), "words") {
		t.Errorf("the calm log is %s", calm.String())
	}
	over := []string{"GET /words/{n} 200 true", "GET /empty 200 true", "GET /refused 403 true", "GET /stream 200 true", "GET /socket 101 true", " 404 true"}
	if count.open != 0 || !slices.Equal(count.over, over) {
		t.Errorf("counted %d open, and %q", count.open, count.over)
	}
}

// A request that is cut off before its answer has no status.
func TestAbortedRequest(t *testing.T) {
	var count counted
	handler := gate.RequestLog{Log: slog.New(slog.DiscardHandler), Counter: &count}.Handler(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		panic(http.ErrAbortHandler)
	}))
	func() {
		defer func() { _ = recover() }() // as http.Server does
		handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil))
	}()
	if want := []string{" 0 true"}; count.open != 0 || !slices.Equal(count.over, want) {
		t.Errorf("counted %d open, and %q, want %q", count.open, count.over, want)
	}
}

func TestQuietWatch(t *testing.T) {
	lines := watched(t, gate.RequestLog{Level: slog.LevelDebug - 1}, func(get ask) { get("/empty", "") })
	if len(lines) != 0 {
		t.Errorf("lines below the level of the log: %+v", lines)
	}
}

func TestIDs(t *testing.T) {
	long := strings.Repeat("a", 65)
	for _, trusted := range []bool{false, true} {
		seen := map[string]bool{}
		watched(t, gate.RequestLog{Trusted: func(*http.Request) bool { return trusted }}, func(get ask) {
			for _, given := range []string{"", "", "7f3a-1.b_Z", long[1:], long, "a b", "a\"b", "ü"} {
				id := get("/empty", given)
				taken := trusted && (given == "7f3a-1.b_Z" || given == long[1:])
				if (id == given) != taken || id == "" || seen[id] {
					t.Errorf("trusted %v, given %q: %q", trusted, given, id)
				}
				seen[id] = true
			}
		})
	}
}

func TestNamedKeepsAttributes(t *testing.T) {
	var log bytes.Buffer
	handler := gate.LogRequestIDs(slog.NewTextHandler(&log, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}))
	slog.New(handler).With("event", 3).WithGroup("game").Info("begun", "id", 4)
	if got, want := log.String(), "level=INFO msg=begun event=3 game.id=4\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
