package server_test

import (
	"os/exec"
	"strings"
	"testing"

	"versus2048/internal/server"
	"versus2048/internal/server/roster"
	"versus2048/tournament"
)

func TestNamesOfSpecsAreRefused(t *testing.T) {
	c := serve(t, newStore(), nil)
	hello(t, c, "mcts-1", "", nil)
	for name, proposal := range map[string]string{
		"random":                  `such as "random-1"`,
		"mcts:playouts=1000":      `such as "mcts-2"`,
		"mcts:of a later version": `such as "mcts-2"`,
		"perfect:table=/dev/zero": `such as "perfect-1"`,
		"mine=greedy":             `such as "greedy-1"`,
	} {
		_, first := hello(t, c, name, "", nil)
		if message, _ := first["message"].(string); first["code"] != "bad_hello" || !strings.Contains(message, proposal) {
			t.Errorf("%s: the answer is %v, want bad_hello with %s", name, first, proposal)
		}
	}
	for _, name := range []string{"Random", "randomly", "a=b", "my mcts", "spec: mcts"} {
		if _, first := hello(t, c, name, "", nil); first["type"] != "welcome" {
			t.Errorf("%s: the answer is %v", name, first)
		}
	}
}

// The arena makes no token for a name that it refuses to every bot.
func TestNoTokenForNamesOfSpecs(t *testing.T) {
	for name, want := range map[string]string{
		"greedy":         "such as greedy-1",
		"mcts:of today":  "such as mcts-1",
		"ann=greedy":     "such as greedy-1",
		"exec:./bot":     "it is a command",
		"ann=exec:./bot": "it is a command",
	} {
		if err := server.CheckToken(server.BotRole, name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %v, want one with %q", name, err, want)
		}
		if err := server.CheckToken(server.OperatorRole, name); err != nil {
			t.Errorf("operator %s: %v", name, err)
		}
	}
	for _, name := range []string{"ann", "a=b", "spec: mcts"} {
		if err := server.CheckToken(server.BotRole, name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestNamesThatLookAlikeAreRefused(t *testing.T) {
	store := newStore()
	store.tokens["botcarol"] = "carol's own"
	c := serve(t, store, nil)
	for _, name := range []string{"Minnie", "👩‍🚀"} {
		if _, first := hello(t, c, name, "", nil); first["type"] != "welcome" || first["name"] != name {
			t.Fatalf("the answer is %v", first)
		}
	}
	for name, want := range map[string]struct{ code, message string }{
		"Minnie":        {"name_in_use", "connected already"},
		"minnie":        {"name_alike", `looks like "Minnie"`},
		"Мinniе":        {"name_alike", `looks like "Minnie"`},
		"👩🚀":            {"name_alike", `looks like "👩\u200d🚀"`},
		"Carol":         {"name_alike", `looks like "carol"`},
		"caroI":         {"name_alike", `looks like "carol"`},
		"carol":         {"token_required", ""},
		"min\u200bnie":  {"bad_hello", "U+200B"},
		"evil\u202egnp": {"bad_hello", "U+202E"},
	} {
		_, first := hello(t, c, name, "", nil)
		if message, _ := first["message"].(string); first["code"] != want.code || !strings.Contains(message, want.message) {
			t.Errorf("%+q: the answer is %v, want %v", name, first, want)
		}
	}
	if _, first := hello(t, c, "carol", "carol's own", nil); first["type"] != "welcome" {
		t.Errorf("the owner gets %v", first)
	}
	setup := local(1)
	setup.Bots = []string{"ann=random", "Аnn=greedy"}
	if _, err := c.Start(t.Context(), setup); err == nil || !strings.Contains(err.Error(), "look alike") {
		t.Errorf("two bots of one event that look alike: %v", err)
	}
	setup.Bots, setup.InProcess = []string{"minnie=random", "other=greedy"}, false
	if _, err := c.Start(t.Context(), setup); err == nil || !strings.Contains(err.Error(), `looks like "Minnie"`) {
		t.Errorf("a started bot that looks like a connected one: %v", err)
	}
}

// An event of an earlier version may have a connected bot with a spec as its name. It can be resumed, and the bot that
// it waits for is admitted.
func TestRecordedNamesStayValid(t *testing.T) {
	store := newStore()
	old := local(1)
	old.Bots, old.InProcess = nil, false
	old.Entries = []tournament.Entry{{Name: "random"}, {Name: "Random"}}
	if _, err := store.CreateEvent(t.Context(), old); err != nil {
		t.Fatal(err)
	}
	c := serve(t, store, nil)
	if _, first := hello(t, c, "random", "", nil); first["code"] != "bad_hello" {
		t.Errorf("before the event is resumed: %v", first)
	}
	if err := c.Resume(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"random", "Random"} {
		if _, first := hello(t, c, name, "", nil); first["type"] != "welcome" {
			t.Errorf("%s, which the event waits for: %v", name, first)
		}
	}
	running := until(t, c, 1, func(p server.Progress) bool { return p.State == server.Running })
	for _, p := range running.Bots {
		if p.Origin != roster.Connected || p.Spec != "" {
			t.Errorf("the participant %+v", p)
		}
	}
	if len(running.Bots) != 2 {
		t.Errorf("participants %+v", running.Bots)
	}
	if err := c.Stop(t.Context(), 1); err != nil {
		t.Error(err)
	}
}

// A spec that an operator asks for is never satisfied by a connected bot, whatever its name.
func TestSpecIsNeverAConnectedBot(t *testing.T) {
	launched := make(chan roster.Own, 4)
	c := serve(t, newStore(), func(config *server.Config) {
		config.Launch = func(l roster.Own) *exec.Cmd {
			launched <- l
			return exec.Command("sleep", "60")
		}
	})
	hello(t, c, "random-1", "", nil)
	setup := local(1)
	setup.Bots, setup.InProcess = []string{"random", "random-1"}, false
	event, err := c.Start(t.Context(), setup)
	if err != nil {
		t.Fatal(err)
	}
	if l := <-launched; l.Name != "random" || l.Spec != "random:seed=0" {
		t.Errorf("launched %+v", l)
	}
	status, err := c.Status(t.Context(), event)
	want := []server.Participant{{Name: "random", Spec: "random:seed=0", Origin: roster.Started}, {Name: "random-1", Origin: roster.Connected}}
	if err != nil || len(status.Bots) != 2 || status.Bots[0] != want[0] || status.Bots[1] != want[1] {
		t.Errorf("participants %+v, error %v, want %+v", status.Bots, err, want)
	}
	if err := c.Stop(t.Context(), event); err != nil {
		t.Error(err)
	}
}
