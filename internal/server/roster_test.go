package server_test

import (
	"os/exec"
	"strings"
	"testing"

	"versus2048/internal/server"
	"versus2048/internal/server/roster"
)

// A bot that the arena starts for an event, or its name, is for that event alone.
func TestNameOfOneEvent(t *testing.T) {
	c := serve(t, newStore(), func(config *server.Config) {
		config.Launch = func(roster.Own) *exec.Cmd { return exec.Command("sleep", "60") }
	})
	hello(t, c, "ann", "", nil)
	setup := local(1)
	setup.Bots, setup.InProcess = []string{"ann", "own=random"}, false
	first, err := c.Start(t.Context(), setup)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Start(t.Context(), setup); err == nil || !strings.Contains(err.Error(), "\"own\" is playing in event 1") {
		t.Errorf("a second event with a bot of the same name: %v", err)
	}
	if err := c.Stop(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	second, err := c.Start(t.Context(), setup)
	if err != nil {
		t.Errorf("after the first event: %v", err)
	}
	if err := c.Stop(t.Context(), second); err != nil {
		t.Fatal(err)
	}
}

func TestNameOfStartedBotIsReserved(t *testing.T) {
	t.Parallel()
	launched := make(chan roster.Own, 2)
	c := serve(t, newStore(), func(config *server.Config) {
		config.Launch = func(l roster.Own) *exec.Cmd {
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
