package server_test

import (
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"versus2048/internal/server"
	"versus2048/internal/server/gate"
)

// A thousand hellos with wrong tokens at once are all refused. They leave few handles of the database open, and a game
// that goes on meanwhile ends well.
func TestWrongTokens(t *testing.T) {
	t.Parallel()
	store := newTimedStore(t)
	store.watch.stop()
	c := serve(t, store, func(config *server.Config) {
		config.Connections = gate.DefaultLimits()
		config.Connections.HeaderTime, config.Connections.RequestTime, config.Limits.HelloTime = time.Minute, time.Minute, time.Minute
	})
	event, err := c.Start(t.Context(), local(5))
	if err != nil {
		t.Fatal(err)
	}
	var asking sync.WaitGroup
	for range 1000 {
		asking.Go(func() {
			if _, first, err := tryHello(t, c, "ann", "a guess", nil); err != nil || first["code"] != "bad_token" {
				t.Errorf("the answer is %v, error %v", first, err)
			}
		})
	}
	asking.Wait()
	// 8 connections for reading and one for writing have the database and its log open, and share its index.
	if n := openFiles(t, "/arena.db"); n > 20 {
		t.Errorf("%d handles of the database are open", n)
	}
	if last := ended(t, c, event); last.State != server.Finished {
		t.Errorf("the event is %s: %s", last.State, last.Message)
	}
}

// openFiles returns how many open files of this process have the text in their paths.
func openFiles(t *testing.T, text string) (n int) {
	t.Helper()
	files, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if path, err := os.Readlink("/proc/self/fd/" + f.Name()); err == nil && strings.Contains(path, text) {
			n++
		}
	}
	return n
}
