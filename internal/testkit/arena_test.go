package testkit_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"versus2048/internal/testkit"
)

// TestMain runs the tests or, if the first argument is an address, serves there: then this program stands for an arena.
func TestMain(m *testing.M) {
	if len(os.Args) != 2 || !strings.HasPrefix(os.Args[1], "127.0.0.1:") {
		os.Exit(m.Run())
	}
	listener, err := net.Listen("tcp", os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("open")
	log.Fatal(health(context.Background(), listener))
}

// health serves one page until the context ends.
func health(ctx context.Context, l net.Listener) error {
	server := http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.URL.Path) })}
	stop := context.AfterFunc(ctx, func() { server.Close() })
	defer stop()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// wantAnswer fails the test unless the arena answers if it should.
func wantAnswer(t *testing.T, a *testkit.Arena, should bool) {
	t.Helper()
	answer, err := http.Get(a.URL() + "/healthz")
	if (err == nil) != should {
		t.Fatalf("the arena answers with %v", err)
	}
	if err == nil {
		defer answer.Body.Close()
		if text, err := io.ReadAll(answer.Body); string(text) != "/healthz" {
			t.Errorf("the arena answers %q, %v", text, err)
		}
	}
}

func TestArenaInThisProcess(t *testing.T) {
	a := testkit.NewArena(t)
	for range 2 {
		a.Serve(t, health)
		wantAnswer(t, a, true)
		a.Stop()
		wantAnswer(t, a, false)
	}
	var anywhere testkit.Arena
	anywhere.Serve(t, health)
	wantAnswer(t, &anywhere, true)
	if want := "ws://" + anywhere.Address + "/bot"; anywhere.BotURL() != want {
		t.Errorf("bots come to %s, want %s", anywhere.BotURL(), want)
	}
}

func TestArenaAsProgram(t *testing.T) {
	a := testkit.NewArena(t)
	for range 2 {
		program := testkit.NewProgram(os.Args[0], a.Address)
		a.Run(t, program)
		program.AwaitOutput(t, "open")
		wantAnswer(t, a, true)
		a.Stop()
		wantAnswer(t, a, false)
		if err := program.Wait(); err == nil || !program.Ended() {
			t.Errorf("the program ends with %v", err)
		}
	}
}

func TestProgramIsKilled(t *testing.T) {
	program := testkit.NewProgram(os.Args[0], testkit.NewArena(t).Address)
	program.Begin(t)
	program.KillWhen(t, func() bool { return program.Printed("open") }, time.Millisecond)
	if program.ProcessState.Success() {
		t.Error("the program has ended by itself")
	}
}

// An arena that ends at once, and a program that does not print a text, are not waited for.
func TestEndsAreNotAwaited(t *testing.T) {
	for name, start := range map[string]func(testing.TB){
		"an arena": func(t testing.TB) {
			testkit.NewArena(t).Serve(t, func(context.Context, net.Listener) error { return errors.New("nothing") })
		},
		"a program": func(t testing.TB) {
			program := testkit.NewProgram("echo", "one")
			program.Begin(t)
			program.AwaitOutput(t, "two")
		},
	} {
		f := fatal{failure: failure{TB: t}}
		func() {
			defer func() { _ = recover() }()
			start(&f)
		}()
		if !f.failed {
			t.Errorf("%s: the test goes on", name)
		}
	}
}

// fatal is a failure that ends.
type fatal struct{ failure }

func (f *fatal) Fatalf(string, ...any) {
	f.failed = true
	panic("the test has failed")
}

func (f *fatal) Errorf(string, ...any) { f.failed = true }
