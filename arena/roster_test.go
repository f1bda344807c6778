package arena_test

import (
	"os/exec"
	"strings"
	"testing"

	"versus2048/arena"
)

func TestBotPlaysInOneEventAtATime(t *testing.T) {
	c := serve(t, newStore(), nil)
	hello(t, c, "ann", "", nil)
	hello(t, c, "bob", "", nil)
	setup := local(1)
	setup.Bots = []string{"ann", "bob"}
	first, err := c.Start(t.Context(), setup)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Start(t.Context(), setup); err == nil || !strings.Contains(err.Error(), "is playing in event 1") {
		t.Errorf("a second event with the same bots: %v", err)
	}
	if err := c.Stop(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	if last := ended(t, c, first); last.State != arena.Interrupted {
		t.Fatalf("the event is %s: %s", last.State, last.Message)
	}
	if _, err := c.Start(t.Context(), setup); err != nil {
		t.Errorf("after the first event: %v", err)
	}
}

func TestNameOfStartedBotIsReserved(t *testing.T) {
	launched := make(chan arena.Launch, 2)
	c := serve(t, newStore(), func(config *arena.Config) {
		config.Launch = func(l arena.Launch) *exec.Cmd {
			launched <- l
			return exec.Command("sleep", "60")
		}
	})
	hello(t, c, "ann", "", nil)
	setup := local(1)
	setup.Bots = []string{"ann", "own=random"}
	setup.InProcess = false
	event, err := c.Start(t.Context(), setup)
	if err != nil {
		t.Fatal(err)
	}
	own := <-launched
	if own.Name != "own" || own.Spec != "random:seed=0" || own.Token == "" {
		t.Errorf("launched %+v", own)
	}
	if _, first := hello(t, c, "own", "", nil); first["code"] != "name_in_use" {
		t.Errorf("a stranger under the started bot's name gets %v", first)
	}
	if _, first := hello(t, c, "own", own.Token, nil); first["type"] != "welcome" {
		t.Errorf("the started bot gets %v", first)
	}
	if err := c.Stop(t.Context(), event); err != nil {
		t.Fatal(err)
	}
	ended(t, c, event)
}
