package farm

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// A worker without room for a file gives the match back, and says so on its card and once in the log. It plays such
// matches when there is room again.
func TestWorkerWithoutRoom(t *testing.T) {
	t.Parallel()
	g := newGround(t, 0)
	e := g.networks(t, 1)
	want := g.expected(t, e)
	full := filepath.Join(t.TempDir(), "cache")
	if err := os.Mkdir(full, 0o700); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	seen := make(chan struct{})
	see := sync.OnceFunc(func() { close(seen) })
	w := &Worker{Card: card("full"), NATS: g.dial(t, "full"), Log: slog.New(untilSeen{slog.NewTextHandler(&log, nil), seen}), Cache: Cache{Folder: full, Most: DefaultCacheSize}}
	stop := g.run(t, w)
	t.Cleanup(see)                         // before the worker is stopped
	for g.cardOf(t, "full").Worker == "" { // it has tidied up
		<-time.After(time.Millisecond)
	}
	if err := os.Symlink("/dev/full", filepath.Join(full, partName)); err != nil {
		t.Fatal(err)
	}
	ended := g.play(t, e)
	for card := g.cardOf(t, "full"); card.Trouble != `it cannot have the file "az.safetensors" of 43040 bytes: no space left on device`; card = g.cardOf(t, "full") {
		<-time.After(10 * time.Millisecond)
	}
	see()
	g.wantGames(t, e, ended, want) // the first attempt has freed its room
	for card := g.cardOf(t, "full"); card.Trouble != "" || card.Faults != 1; card = g.cardOf(t, "full") {
		<-time.After(10 * time.Millisecond)
	}
	stop()
	if n := strings.Count(log.String(), "no space left on device"); n != 1 || !strings.Contains(log.String(), "az.safetensors") {
		t.Errorf("the log tells of it %d times: %s", n, log.String())
	}
}

// untilSeen holds back a worker that logs an error until the test has seen the error on the worker's card: it is there
// for a moment only.
type untilSeen struct {
	slog.Handler
	seen <-chan struct{}
}

func (u untilSeen) Handle(ctx context.Context, r slog.Record) error {
	err := u.Handler.Handle(ctx, r)
	if r.Level == slog.LevelError {
		<-u.seen
	}
	return err
}
