package server_test

import (
	"strings"
	"testing"

	"versus2048/internal/server"
	"versus2048/internal/server/roster"
	"versus2048/tournament"
)

// Nobody names a command over HTTP, not even an operator of an arena that has programs, in whatever field.
func TestCommandsAreRefusedOverHTTP(t *testing.T) {
	for name, programs := range map[string]roster.Commands{"none": nil, "one": {"me": {"true"}}} {
		store := newStore()
		c := serve(t, store, func(config *server.Config) { config.Programs = programs })
		for _, change := range []func(e *tournament.Event){
			func(e *tournament.Event) { e.Bots[0] = "exec:touch x" },
			func(e *tournament.Event) { e.Bots[0] = "me=exec:touch x" },
			func(e *tournament.Event) { e.Entries = []tournament.Entry{{Spec: "exec:touch x"}} },
			func(e *tournament.Event) { e.Entries = []tournament.Entry{{Spec: "me=exec:touch x"}} },
			func(e *tournament.Event) { e.Entries = []tournament.Entry{{Name: "me=exec:touch x"}} },
			func(e *tournament.Event) { e.Entries = []tournament.Entry{{Name: "exec:touch x"}} },
			func(e *tournament.Event) { e.Entries = []tournament.Entry{{Name: "me", Spec: "exec:touch x"}} },
		} {
			e := local(1)
			change(&e)
			_, err := c.Start(t.Context(), e)
			refused(t, err, roster.ErrCommandRefused.Error())
		}
		ladder := local(0)
		ladder.Settings.Plan.Kind = "ladder"
		event, err := c.Start(t.Context(), ladder)
		if err != nil {
			t.Fatal(err)
		}
		until(t, c, event, func(p server.Progress) bool { return p.Played > 0 })
		refused(t, c.Join(t.Context(), event, "me=exec:touch x"), roster.ErrCommandRefused.Error())
		refused(t, c.Join(t.Context(), event, "exec:touch x"), roster.ErrCommandRefused.Error())
		if err := c.Stop(t.Context(), event); err != nil {
			t.Fatal(name, err)
		}
	}
}

// A command on record, as an imported file may have it, is never run: not even under a name that the host has given to
// a program.
func TestCommandsOnRecordAreRefused(t *testing.T) {
	store := newStore()
	e := local(1)
	e.Bots, e.Entries = nil, []tournament.Entry{{Name: "me", Spec: "exec:touch x"}, {Name: "you", Spec: "random"}}
	event, err := store.CreateEvent(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	for _, programs := range []roster.Commands{nil, {"me": {"true"}}} {
		c := serve(t, store, func(config *server.Config) { config.Programs = programs })
		refused(t, c.Resume(t.Context(), event), roster.ErrCommandRefused.Error())
	}
}

// An event names an entry of the table by its name, and fails with the error of the program. On another arena nobody
// has the name.
func TestProgramsByName(t *testing.T) {
	e := local(1)
	e.Bots = []string{"me", "random"}
	c := serve(t, newStore(), func(config *server.Config) { config.Programs = roster.Commands{"me": {"/no/such/program"}} })
	event, err := c.Start(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	last := ended(t, c, event)
	if want := `bot "me": program "/no/such/program": starting /no/such/program: `; last.State != server.Failed || !strings.HasPrefix(last.Message, want) {
		t.Errorf("%s: %s, want %s", last.State, last.Message, want)
	}
	if now, err := c.Status(t.Context(), event); err != nil || now.Bots[0] != (server.Participant{Name: "me", Origin: roster.Program}) {
		t.Errorf("%+v, %v", now.Bots, err)
	}
	_, err = serve(t, newStore(), nil).Start(t.Context(), e)
	refused(t, err, `no bot named "me" is connected`)
}

// No bot connects under the name of a program of the host, which would be started in its place.
func TestNoBotNamedLikeAProgram(t *testing.T) {
	store := newStore()
	store.tokens["botme"] = "me's own"
	c, arena := serveArena(t, store, func(config *server.Config) { config.Programs = roster.Commands{"me": {"true"}} })
	for token, code := range map[string]any{"": "bad_hello", "me's own": "bad_hello"} {
		if _, first := hello(t, c, "me", token, nil); first["code"] != code {
			t.Errorf("with token %q the answer is %v, want code %v", token, first, code)
		}
	}
	if arena.CanAsk("me") {
		t.Error("a visitor can ask for it")
	}
	connectWire(t, c, &wireBot{name: "you", slots: 1}, nil)
}

// No bot is connected under a name that looks like a command.
func TestNoNamesLikeCommands(t *testing.T) {
	for name, ok := range map[string]bool{"exec:x": false, "me=exec:x": false, "exec": true, "me": true} {
		if err := server.CheckName(name); (err == nil) != ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}
