package testkit

import (
	"cmp"
	"context"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"
)

// Arena is an arena for a test: it serves in the test's process or as a program. Once it has ended, it can be started
// again at the same address.
type Arena struct {
	Address string // the host and the port where it serves without TLS; if empty, Serve sets it to any free one
	stop    func()
}

// NewArena returns an arena that is not started yet, with an address that it keeps from start to start.
func NewArena(t testing.TB) *Arena {
	t.Helper()
	address, err := FreeAddress()
	if err != nil {
		t.Fatal(err)
	}
	return &Arena{Address: address}
}

// URL returns the address of the arena's pages.
func (a *Arena) URL() string { return "http://" + a.Address }

// BotURL returns the address for bots.
func (a *Arena) BotURL() string { return "ws://" + a.Address + "/bot" }

// Serve starts the arena in the test's process by a function that serves until its context ends, and waits until the
// arena answers. The test fails if the function returns an error, or if it returns before the arena answers.
func (a *Arena) Serve(t testing.TB, serve func(context.Context, net.Listener) error) {
	t.Helper()
	listener, err := net.Listen("tcp", cmp.Or(a.Address, "127.0.0.1:0"))
	if err != nil {
		t.Fatal(err)
	}
	a.Address = listener.Addr().String()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer listener.Close() // so that a request of await fails instead of waiting for an answer
		err = serve(ctx, listener)
	}()
	a.ends(t, func() {
		cancel()
		if <-ended; err != nil {
			t.Errorf("the arena ends with %v", err)
		}
	})
	a.await(t, ended)
}

// Run starts the arena as a program that listens at a.Address, and waits until it answers. The program is killed at
// the end of the test.
func (a *Arena) Run(t testing.TB, program *Program) {
	t.Helper()
	program.Begin(t)
	a.ends(t, program.Kill)
	a.await(t, program.ended())
}

// ends sets the function that ends the arena. It is called at the end of the test at the latest.
func (a *Arena) ends(t testing.TB, stop func()) {
	a.stop = sync.OnceFunc(stop)
	t.Cleanup(a.stop)
}

// Stop ends the arena, and returns when it has ended.
func (a *Arena) Stop() { a.stop() }

// await waits until the arena answers. It fails the test if ended is closed before. Each request has a connection of
// its own, so that the arena keeps none.
func (a *Arena) await(t testing.TB, ended <-chan struct{}) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, a.URL()+"/healthz", nil)
	if err != nil {
		t.Fatal(err)
	}
	Await(t, "the arena at "+a.Address, func() bool {
		answer, err := client.Do(request)
		if err == nil {
			answer.Body.Close()
		}
		return err == nil && answer.StatusCode == http.StatusOK || closed(ended)
	})
	if closed(ended) {
		t.Fatalf("the arena at %s has ended before it has answered", a.Address)
	}
}

// patience is the longest time that Await waits. It only limits how late a test fails.
const patience = 3 * time.Minute

// Await waits until a condition holds. After three minutes it fails the test: something is the name of the condition
// in the message.
func Await(t testing.TB, something string, condition func() bool) {
	t.Helper()
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	for timeout := time.After(patience); !condition(); {
		select {
		case <-look.C:
		case <-timeout:
			t.Fatalf("waiting for %s: three minutes have passed", something)
		}
	}
}
