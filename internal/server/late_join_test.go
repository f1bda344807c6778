package server_test

import (
	"os/exec"
	"slices"
	"testing"
	"time"

	"versus2048/internal/server"
	"versus2048/internal/server/roster"
	"versus2048/tournament"
)

// clubEvening starts a Swiss event of ann, bob, cyd and dan. In its first round cyd and dan answer nothing. It waits
// until both play.
func clubEvening(t *testing.T, store *memoryStore, rounds int) (c *server.Client, event int64, silent []*wireBot) {
	t.Helper()
	c = serve(t, store, func(config *server.Config) { config.Grace = time.Hour })
	for _, name := range []string{"ann", "bob"} {
		connectWire(t, c, &wireBot{name: name, slots: 1}, nil)
	}
	for _, name := range []string{"cyd", "dan"} {
		silent = append(silent, connectWire(t, c, &wireBot{name: name, slots: 1, silent: true}, nil))
	}
	e := between("club", 1, "ann", "bob", "cyd", "dan")
	e.Settings.Plan = tournament.Plan{Kind: tournament.Swiss, Rounds: rounds}
	event = startAll(t, c, e)[0]
	until(t, c, event, func(p server.Progress) bool { return p.Playing == 2 })
	return c, event, silent
}

// Two bots drop out in the middle of their matches of the first round. The event waits for them and names them, a late
// friend joins meanwhile, and the event is stopped and resumed. The two play on when they are back, and the friend
// plays from the second round on.
func TestClubEvening(t *testing.T) {
	t.Parallel()
	store := newStore()
	c, event, silent := clubEvening(t, store, 3)
	for _, bot := range silent {
		bot.disconnect()
	}
	p := until(t, c, event, func(p server.Progress) bool { return len(p.Away) == 2 })
	if p.State != server.Running || p.Away[0].Bot != "cyd" || p.Away[1].Bot != "dan" {
		t.Errorf("the event is %s without %v", p.State, p.Away)
	}
	connectWire(t, c, &wireBot{name: "eve", slots: 1}, nil)
	if err := c.Join(t.Context(), event, "eve"); err != nil {
		t.Fatal(err)
	}
	refused(t, c.Join(t.Context(), event, "eve"), "takes part in event 1 already")
	if err := c.Stop(t.Context(), event); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"cyd", "dan"} {
		reconnectWire(t, c, &wireBot{name: name, slots: 1}, nil)
	}
	if err := c.Resume(t.Context(), event); err != nil {
		t.Fatal(err)
	}
	if last := ended(t, c, event); last.State != server.Finished || last.Done != 12 || last.Total != 12 || last.Faults != nil {
		t.Errorf("the event is %s after %d of %d games, faults %+v", last.State, last.Done, last.Total, last.Faults)
	}
	e, err := store.Event(t.Context(), event)
	if want := []tournament.Membership{{Name: "eve", From: 3, To: tournament.NotLeft}}; err != nil || !slices.Equal(e.Memberships, want) {
		t.Errorf("memberships %v, want %v, error %v", e.Memberships, want, err)
	}
	played := map[int]int{}
	for _, g := range store.finished(event) {
		if g.First == "eve" || g.Second == "eve" {
			played[g.Round]++
		}
	}
	if played[1] != 0 || played[2] != 2 {
		t.Errorf("games of eve by round: %v", played)
	}
}

// No bot joins a Swiss event in its last round, one that it has left, or an event of most other formats.
func TestNoLateJoin(t *testing.T) {
	t.Parallel()
	c, event, _ := clubEvening(t, newStore(), 2)
	connectWire(t, c, &wireBot{name: "eve", slots: 1}, nil)
	if err := c.Join(t.Context(), event, "eve"); err != nil {
		t.Fatal(err)
	}
	if err := c.Leave(t.Context(), event, "eve"); err != nil {
		t.Fatal(err)
	}
	refused(t, c.Join(t.Context(), event, "eve"), "has left event 1")

	c, event, _ = clubEvening(t, newStore(), 1)
	refused(t, c.Join(t.Context(), event, "eve"), "the last round of event 1 has begun")
	connectWire(t, c, &wireBot{name: "fay", slots: 1}, nil)
	connectWire(t, c, &wireBot{name: "gus", slots: 1, silent: true}, nil)
	other := startAll(t, c, between("all", 1, "fay", "gus"))[0]
	until(t, c, other, func(p server.Progress) bool { return p.Playing == 1 })
	refused(t, c.Join(t.Context(), other, "eve"), "neither a ladder nor a Swiss event")
}

// ladderOf starts a ladder without an end between connected bots.
func ladderOf(t *testing.T, c *server.Client, bots ...string) (event int64) {
	t.Helper()
	for _, name := range bots {
		connectWire(t, c, &wireBot{name: name, slots: 8}, nil)
	}
	e := between("ladder", 0, bots...)
	e.Settings.Plan.Kind = tournament.Ladder
	return startAll(t, c, e)[0]
}

// An event goes on if the process of a joining bot exits before the bot has joined. The bot's name is free again.
func TestJoinerFailsToStart(t *testing.T) {
	t.Parallel()
	c := serve(t, newStore(), nil)
	event := ladderOf(t, c, "ann", "bob")
	for range 2 {
		refused(t, c.Join(t.Context(), event, "late=greedy"), `bot "late": its process ended: exit status 3: no bot here`)
	}
	before := until(t, c, event, func(p server.Progress) bool { return p.State == server.Running }).Done
	until(t, c, event, func(p server.Progress) bool { return p.Done > before })
	if err := c.Stop(t.Context(), event); err != nil {
		t.Fatal(err)
	}
}

// A bot that is still starting when its event is stopped does not join, and nobody waits for it.
func TestStoppedWhileABotJoins(t *testing.T) {
	t.Parallel()
	launched := make(chan bool, 1)
	c := serve(t, newStore(), func(config *server.Config) {
		config.Launch = func(roster.Own) *exec.Cmd {
			launched <- true
			return exec.Command("cat") // it waits for the end of its input
		}
	})
	event := ladderOf(t, c, "ann", "bob")
	joined := make(chan error, 1)
	go func() { joined <- c.Join(t.Context(), event, "late=greedy") }()
	<-launched
	if err := c.Stop(t.Context(), event); err != nil {
		t.Fatal(err)
	}
	refused(t, <-joined, "no longer being played")
}
